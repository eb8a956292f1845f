"""Compare games of a batch with those of the core, and lay games out for kernels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from random import Random
from typing import TypeVar

import numpy as np
import numpy.typing as npt
import pytest
from numba import config

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, worker_pool
from pontedeldiavolo.batch.kernels import batch_ops
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached
from pontedeldiavolo.batch.rows import empty_rows, read_only, rows_of, state_of
from pontedeldiavolo.testing.strategies import adjacent_tile_count
from support.strategies import Player, play_out

Row = pdd.GameState | pdd.HalfTurn
T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., object])

NONE = -1
"""The number for nobody in an array."""


def index_of(member: pdd.Color | pdd.Seat | None) -> int:
    """Return the number for a colour, a seat or nobody in an array."""
    return NONE if member is None else member.index


def sized(compiled: int, otherwise: int) -> int:
    """Return *compiled*, or less if kernels are not compiled and take 100 times as long."""
    return otherwise if config.DISABLE_JIT else compiled  # type: ignore[attr-defined]  # set late


def kernel(function: F) -> F:
    """Return an internal function of the kernels in a form that Python can call."""
    # The object that Numba returns contains the Python function.
    return function if JIT_DISABLED else njit_cached(function.py_func)  # type: ignore[attr-defined]


def share_all(monkeypatch: pytest.MonkeyPatch, processors: int) -> None:
    """Make threads share even few rows, as if the machine had that many processors."""
    monkeypatch.setattr(worker_pool, "processors", lambda: processors)
    monkeypatch.setattr(worker_pool, "ROWS_PER_THREAD", 1)
    monkeypatch.setattr(worker_pool, "ROWS_PER_CHUNK", 1)


# Arrays


Arrays = tuple[npt.NDArray[np.generic], ...]


def arrays_of(games: GameBatch) -> Arrays:
    return (*games._rows,)


def same_arrays(one: Arrays, other: Arrays) -> bool:
    """Return whether arrays have the same types, shapes and entries."""
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(one, other, strict=True))


# Games of a batch and of the core


def state_behind(row: Row) -> pdd.GameState:
    """Return the state in which the turn of a row began."""
    return row.state if isinstance(row, pdd.HalfTurn) else row


def any_step(row: Row, mask: bytes, rng: Random) -> int:
    """Return the code of a legal step: random, a bridge, or the best of several for making islands.

    Return any number if the game is over.
    """
    codes = [code for code, legal in enumerate(mask) if legal]
    if not codes:
        return rng.randint(-(10**6), 10**6)
    style = rng.randrange(3)
    cells = row.rules.board.cells
    if style == 0:
        codes = [code for code in codes if code >= len(cells)] or codes
    if style < 2 or row.to_move is None:
        return rng.choice(codes)
    own = frozenset(state_behind(row).position.tiles(row.to_move))

    def neighbours(code: int) -> int:
        if code >= len(cells):
            return 0
        first = row.placed_tile if isinstance(row, pdd.HalfTurn) else cells[code]
        return adjacent_tile_count(pdd.PlaceTiles(first, cells[code]), own)

    return max(rng.choices(codes, k=6), key=neighbours)


def visited(rules: pdd.Rules, rng: Random) -> list[Row]:
    """Return every state and half turn of a random game, from the start."""
    space = pdd.StepSpace(rules.board)
    rows: list[Row] = [pdd.GameState.initial(rules)]
    while not rows[-1].is_over:
        code = any_step(rows[-1], space.legal_mask(rows[-1]), rng)
        rows.append(rows[-1].step(space.decode(code)))
    return rows


def beginnings(rules: pdd.Rules, number: int, rng: Random) -> list[Row]:
    """Return states to continue from: the start, and mostly late states of random games."""
    found: list[Row] = [pdd.GameState.initial(rules)]
    while len(found) < number:
        player = Player(rng, builder=rng.random() < 0.5, settler=rng.random() < 0.5)
        states = [*play_out(rules, player).states()]
        found += [rng.choice(states), *rng.sample(states[-8:], min(3, len(states)))]
    return rng.sample(found, number)


def require_equal_rows(games: GameBatch, rows: Sequence[Row]) -> list[bytes]:
    """Require that a batch has these rows and the same legal steps; return the masks."""
    assert len(games) == games.size == len(rows)
    again = GameBatch.from_states(rows)
    assert same_arrays(arrays_of(games), arrays_of(again))
    assert games.is_over.tolist() == [row.is_over for row in rows]
    assert games.to_move.tolist() == [index_of(row.to_move) for row in rows]
    assert games.seat_to_move.tolist() == [index_of(row.seat_to_move) for row in rows]
    phases = list(pdd.Phase)
    assert games.phase.tolist() == [phases.index(state_behind(row).phase) for row in rows]
    assert games.white_owner.tolist() == [index_of(row.owner(pdd.Color.WHITE)) for row in rows]
    assert games.placed_tile.tolist() == [
        row.rules.board.index(row.placed_tile) if isinstance(row, pdd.HalfTurn) else NONE
        for row in rows
    ]
    masks = [mask.tobytes() for mask in games.legal_mask()]
    assert masks == [games.space.legal_mask(row) for row in rows]
    return masks


def require_equal_values(games: GameBatch, rows: Sequence[Row]) -> None:
    """Require that a batch has the tiles, scores and winners of these rows, and returns them."""
    states = [state_behind(row) for row in rows]
    found = games.states()
    assert found == tuple(rows)
    assert [type(each) for each in found] == [type(row) for row in rows]
    assert games.tiles.tolist() == [tiles_of(state) for state in states]
    scores = [
        [[each.points, each.islands, each.bridges] for each in map(state.score, pdd.Color)]
        for state in states
    ]
    assert games.scores.tolist() == scores
    assert games.points.tolist() == [[color[0] for color in each] for each in scores]
    assert games.winner.tolist() == [winner_of(state) for state in states]
    seats = [row.outcome and row.outcome.winning_seat for row in rows]
    assert games.winning_seat.tolist() == [*map(index_of, seats)]
    assert games.rewards.tolist() == [*map(rewards_of, states)]


def tiles_of(state: pdd.GameState) -> list[list[int]]:
    """Return the tiles of a state row by row: 0 for none, 1 for white, 2 for red."""
    board = state.rules.board
    kinds = [1 + index_of(color) for color in map(state.position.color_at, board.cells)]
    return [kinds[at : at + board.width] for at in range(0, len(kinds), board.width)]


def winner_of(state: pdd.GameState) -> int:
    """Return the number of the colour that has won; -1 if the game is drawn or not over."""
    return index_of(state.outcome and state.outcome.winner)


def rewards_of(state: pdd.GameState | None) -> list[int]:
    """Return the rewards of both seats, which are 0 until the game is over."""
    outcome = state and state.outcome
    return [outcome.value(seat) if outcome else 0 for seat in pdd.Seat]


# Games laid out for kernels

pack_row = kernel(batch_ops.pack_row)
unpack_row = kernel(batch_ops.unpack_row)


def new_game(board: pdd.Board = pdd.Board()) -> np.record:  # noqa: B008  # immutable
    found: np.record = new_records(1, game_type(board.width, board.height)).view(np.recarray)[0]
    return found


def laid_out(row: Row) -> np.record:
    game = new_game(row.rules.board)
    unpack_row(table_of(row.rules), game, read_only(rows_of(row.rules, [row])), 0)
    return game


def taken_up(rules: pdd.Rules, game: np.record) -> Row:
    """Return the state of a game that is laid out for kernels."""
    rows = empty_rows(rules, 1)
    pack_row(table_of(rules), game, rows, 0)
    return state_of(rules, rows, 0)


def table_of(rules: pdd.Rules) -> np.record:
    found: np.record = rules_table(rules).view(np.recarray)[0]
    return found


def played(rules: pdd.Rules, before: np.record, after: np.record) -> pdd.Action:
    """Return the turn between two games that are laid out for kernels."""
    rows = empty_rows(rules, 2)
    for row, game in enumerate((before, after)):
        pack_row(table_of(rules), game, rows, row)
    cells = rules.board.cells
    tiles, ends = (
        [cells[place] for place in np.flatnonzero(each[0] != each[1]).tolist()]
        for each in (rows.tiles, rows.links)
    )
    if tiles:
        assert not ends
        return pdd.PlaceTiles(*tiles)
    return pdd.BuildBridge(*ends) if ends else pdd.Pass()


# Random numbers by SplitMix64, independent of the kernels

WORD = 1 << 64
STEP = 0x9E3779B97F4A7C15
FACTORS = (0xBF58476D1CE4E5B9, 0x94D049BB133111EB)


def splitmix(state: int) -> tuple[int, int]:
    """Return the next state of the generator, and its number of 64 bits."""
    state = (state + STEP) % WORD
    mixed = (state ^ state >> 30) * FACTORS[0] % WORD
    mixed = (mixed ^ mixed >> 27) * FACTORS[1] % WORD
    return state, mixed ^ mixed >> 31


def seed_for(number: int) -> int:
    """Return the state whose next number of 64 bits is given: the inverse of :func:`splitmix`."""

    def undone(value: int, shift: int) -> int:
        found = value
        for _ in range(64 // shift):
            found = value ^ found >> shift
        return found

    mixed = undone(number, 31) * pow(FACTORS[1], -1, WORD) % WORD
    mixed = undone(mixed, 27) * pow(FACTORS[0], -1, WORD) % WORD
    return (undone(mixed, 30) - STEP) % WORD


def numbers_drawn(before: int, after: int) -> int:
    """Return how many numbers were drawn between two states."""
    return (after - before) * pow(STEP, -1, WORD) % WORD


def seed_below(drawn: int, limit: int) -> int:
    """Return a state whose next number below *limit* is *drawn*, at the first attempt.

    The number is the upper half of the product of 32 random bits and the limit. Small lower halves
    are rejected, so the state is chosen with a large one.
    """
    bits = -(-(drawn << 32) // limit) + 1
    assert bits * limit >> 32 == drawn
    return seed_for(bits << 32 | 0x5EED)


def at_once(
    rules: pdd.Rules, game: np.record, limit: int, draw: Callable[[np.record], object]
) -> Counter[pdd.Action]:
    """Count the actions that *draw* samples at once, for each first random number below *limit*.

    These numbers are equally likely, so sampling at once is fair if every action is counted equally
    often. An action that is sampled later is sampled at once from a smaller set.
    """
    found: Counter[pdd.Action] = Counter()
    for number in range(limit):
        trial = game.copy()
        trial.random = seed_below(number, limit)
        after_one_draw = splitmix(int(trial.random))[0]
        draw(trial)
        if int(trial.random) == after_one_draw:
            found[played(rules, game, trial)] += 1
    return found


# Statistics


def fits(counts: Mapping[T, int], chances: Mapping[T, float]) -> bool:
    """Return whether counts agree with probabilities; if they do, it errs once in three million.

    It is Pearson's test, with the bound of Laurent and Massart for the tail. Rare outcomes are
    counted together.
    """
    assert set(counts) <= set(chances)
    total = sum(counts.values())
    bins: list[tuple[float, float]] = []
    count = 0.0
    expected = 0.0
    for each in sorted(chances, key=chances.__getitem__):
        count += counts.get(each, 0)
        expected += chances[each] * total
        if expected >= 5:
            bins.append((count, expected))
            count = 0.0
            expected = 0.0
    # The remainder goes to the last group.
    last_count, last_expected = bins.pop() if bins else (0.0, 0.0)
    bins.append((last_count + count, last_expected + expected))
    assert len(bins) > 1 or (len(chances) == 1 and total >= 5), "too few counts tell nothing"
    square = sum((count - expected) ** 2 / expected for count, expected in bins)
    freedom = len(bins) - 1
    exponent = 15
    return square <= freedom + 2 * sqrt(freedom * exponent) + 2 * exponent


def require_equal_rows_but_for_none(games: GameBatch, rows: list[Row]) -> None:
    """Require that a batch has these rows; an empty batch has no states to compare."""
    assert games.states() == tuple(rows)
    if rows:
        require_equal_rows(games, rows)
        require_equal_values(games, rows)
