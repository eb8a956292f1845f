"""What a batch does, held against the core step by step, draw by draw and record by record."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, variance

import numpy as np
import pytest
from attrs import evolve
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from batches import (
    NONE,
    Row,
    any_step,
    arrays_of,
    at_once,
    beginnings,
    fits,
    laid_out,
    numbers_drawn,
    played,
    require_equal_rows,
    require_equal_values,
    same_arrays,
    seed_for,
    sized,
    splitmix,
    state_behind,
    tables_of,
    taken_up,
    visited,
    winner_of,
)
from diagrams import play, state_of
from pontedeldiavolo.batch import GameBatch, replay
from pontedeldiavolo.batch.kernels.desk import new_desk
from pontedeldiavolo.batch.kernels.drawing import (
    PATIENCE,
    complete_random_pair,
    count_pairs,
    place_nth_pair,
    play_counted,
    play_random_action,
)
from pontedeldiavolo.batch.kernels.playing import choose_color, end_turn, pass_turn, play_out
from pontedeldiavolo.batch.kernels.random import below, random_bits
from pontedeldiavolo.records import Record
from strategies import (
    TIEBREAKS,
    Play,
    attempts,
    boards,
    plays,
    positions,
    share,
    small_boards,
    states,
)

# Step by step

STEPS = 1_000_000 if settings().max_examples > 1_000 else 20_000
"""So many steps of single games are compared, all tests of all rules together."""

SIDES = [
    *((1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 4), (5, 7), (8, 6)),
    *((40, 7), (7, 40), (33, 5), (64, 3), (3, 64), (26, 26)),
    # A row of bits is held in words that begin every 32 columns and overlap in eight.
    *((27, 3), (28, 3), (29, 4), (31, 4), (32, 4), (33, 3), (36, 4), (37, 3)),
    *((60, 2), (61, 3), (62, 2), (63, 3), (64, 2), (64, 1), (1, 64)),
]
RULES = list(
    dict.fromkeys(
        [
            *map(pdd.presets.by_name, pdd.presets.names()),
            *(pdd.Rules(pdd.Board(*sides)) for sides in SIDES),
            *(
                pdd.Rules(pdd.Board(5, 4), tiles, bridges)
                for tiles, bridges in product((0, 1, 2, 3, 7, None), (0, 1, 2, None))
            ),
            *(pdd.Rules(pdd.Board(6, 5), tiebreaks=order) for order in TIEBREAKS),
            *(pdd.Rules(pdd.Board(7, 5), 10**30, 10**30, order) for order in TIEBREAKS[:1]),
        ]
    )
)


@pytest.mark.parametrize("rules", RULES, ids=pdd.format_rules)
def test_every_step_is_as_in_the_core(rules: pdd.Rules) -> None:
    rng = Random(pdd.format_rules(rules))
    space = pdd.StepSpace(rules.board)
    left = sized(STEPS // len(RULES), min(10, max(2, 200 // len(rules.board))))
    while left > 0:
        rows = beginnings(rules, sized(8, 2), rng)
        games = GameBatch.from_states(rows)
        require_equal_values(games, rows)
        while left > 0 and not games.is_over.all():
            masks = require_equal_rows(games, rows)
            codes = [any_step(*row, rng) for row in zip(rows, masks, strict=True)]
            left -= sum(not row.is_over for row in rows)
            games = games.step(codes)
            rows = [
                row if row.is_over else row.step(space.decode(code))
                for row, code in zip(rows, codes, strict=True)
            ]
        require_equal_rows(games, rows)
        require_equal_values(games, rows)


def with_half_turns(state: pdd.GameState) -> list[Row]:
    """Return a state, and its half turns with the first, middle and last tile."""
    firsts = tuple(state.legal_actions.first_tiles)
    some = {firsts[0], firsts[len(firsts) // 2], firsts[-1]} if firsts else set()
    return [state, *(pdd.HalfTurn(state, cell) for cell in sorted(some))]


def require_agreement(rows: list[Row]) -> None:
    """Require that a batch made of these rows says what the core says, and holds the same."""
    games = GameBatch.from_states(rows)
    require_equal_rows(games, rows)
    require_equal_values(games, rows)


BOARDS = small_boards() if sized(0, 1) else boards()


@share(sized(100, 8) / 100)
@given(states(BOARDS))
def test_states_that_play_reaches(state: pdd.GameState) -> None:
    require_agreement(with_half_turns(state))


def fitting(rules: pdd.Rules, position: pdd.Position) -> Iterator[pdd.GameState]:
    """Return every state with this position that is not refused."""
    for phase, to_move, owner in product(pdd.Phase, pdd.Color, pdd.Seat):
        try:
            yield pdd.GameState.from_position(
                position, rules=rules, to_move=to_move, white_owner=owner, phase=phase
            )
        except pdd.InvalidPositionError:
            continue


@share(sized(100, 8) / 100)
@given(positions(BOARDS), st.data())
def test_positions_that_no_play_reaches(position: pdd.Position, data: st.DataObject) -> None:
    tiles = max(len(position.tiles(color)) for color in pdd.Color)
    bridges = sum(len(position.bridges(color)) for color in pdd.Color)
    rules = pdd.Rules(
        position.board,
        data.draw(st.none() | st.integers(tiles, tiles + 3)),
        data.draw(st.none() | st.integers(bridges, bridges + 1)),
        data.draw(st.sampled_from(TIEBREAKS)),
    )
    found = dict.fromkeys(fitting(rules, position))
    assert found
    require_agreement([row for state in found for row in with_half_turns(state)])


def few_turns_left(rules: pdd.Rules, seed: int) -> pdd.GameState:
    """Return a state of a random game from which all games can be counted."""
    rng = Random(seed)
    rows = [row for row in visited(rules, rng) if isinstance(row, pdd.GameState)]
    return next(row for row in rows if row.turn > 2 and len(row.legal_actions) < 17)


TOUCHED_AFTER_ALL = """
    5 . . . . .
    4 . . . . w
    3 . w w w .
    2 . . . . .
    1 . . . . .
      a b c d e
"""
TOO_LARGE_AFTER_ALL = """
    5 . . . . .
    4 . . . w w
    3 . . w . .
    2 w w . . .
    1 . . . . .
      a b c d e
"""
BRIDGES_AROUND = """
    5 w . w . w
    4 . . . . .
    3 w r w . r
    2 . . . . .
    1 w r . r w
      a b c d e
    bridges c3-e5
"""
PATTERNS = {
    "touched after all": state_of(TOUCHED_AFTER_ALL),
    "too large after all": state_of(TOO_LARGE_AFTER_ALL),
    "bridges around": state_of(BRIDGES_AROUND),
    "red": state_of(BRIDGES_AROUND, pdd.Color.RED),
    "random": few_turns_left(pdd.Rules(pdd.Board(5, 5)), 11).with_to_move(pdd.Color.WHITE),
}


def shifted(state: pdd.GameState, board: pdd.Board, columns: int, rows: int) -> pdd.GameState:
    """Return a state with the same pieces in another place of a larger board."""

    def moved(cell: pdd.Cell) -> pdd.Cell:
        return pdd.Cell(cell.column + columns, cell.row + rows)

    white, red = (list(map(moved, state.position.tiles(color))) for color in pdd.Color)
    bridges = [
        pdd.Bridge(*map(moved, bridge.ends))
        for color in pdd.Color
        for bridge in state.position.bridges(color)
    ]
    position = pdd.Position.from_pieces(board, white, red, bridges)
    return pdd.GameState.from_position(position, to_move=state.to_move)


@pytest.mark.parametrize("name", PATTERNS)
def test_what_holds_in_one_place_of_a_wide_board_holds_in_every_place(name: str) -> None:
    state, board = PATTERNS[name], pdd.Board(64, sized(9, 5))
    # Around the border of the two words of a row, and at both ends.
    middle = range(20, 41) if sized(1, 0) else range(29, 32, 2)
    rows: list[Row] = []
    for symmetry in pdd.symmetries(state.rules.board)[:: sized(1, 3)]:
        for place in (0, *middle, *range(sized(56, 59), 60)):
            there = shifted(state.transform(symmetry), board, place, (board.height - 5) // 2)
            near = [
                cell for cell in there.legal_actions.first_tiles if -2 < cell.column - place < 6
            ]
            rows += [there, *(pdd.HalfTurn(there, cell) for cell in near[:: sized(7, 100)])]
    require_equal_rows(GameBatch.from_states(rows), rows)


# What is illegal

STRICT_RULES = [
    pdd.Rules(pdd.Board(4, 4)),
    pdd.Rules(pdd.Board(5, 3), tiles_per_color=5, bridges=1),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(6, 5)),
    pdd.Rules(pdd.Board(34, 2)),
]


def of_every_kind(rules: pdd.Rules, number: int, rng: Random) -> list[Row]:
    """Return rows of random games, among them one of each phase and kind that there is."""
    rows = [row for _ in range(6) for row in visited(rules, rng)]
    rng.shuffle(rows)
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[: max(0, number - len(kinds))]]


def require_refusals(rows: list[Row]) -> None:
    """Require of each of these rows that exactly its illegal steps are refused, and rightly."""
    space = pdd.StepSpace(rows[0].rules.board)
    over = visited(rows[0].rules, Random(1))[-1]
    for row in rows:
        mask = space.mask(row)
        # A finished game costs nothing to step, and lets the other row be number one.
        games = GameBatch.from_states([over, row])
        arrays = tuple(each.copy() for each in arrays_of(games))
        for code in range(len(space)):
            step = space.decode(code)
            if mask[code]:
                assert games.step([0, code]).states() == (over, row.step(step))
            elif row.is_over:
                assert same_arrays(arrays_of(games.step([0, code])), arrays)
            else:
                with pytest.raises(pdd.IllegalActionError) as expected:
                    row.step(step)
                with pytest.raises(pdd.IllegalActionError) as found:
                    games.step([0, code])
                assert found.value.violations == expected.value.violations != ()
                assert str(found.value) == f"row 1: {expected.value}"
        assert same_arrays(arrays_of(games), arrays)


@pytest.mark.parametrize("rules", STRICT_RULES[: sized(5, 3)], ids=pdd.format_rules)
def test_a_step_is_refused_exactly_where_the_core_refuses_it(rules: pdd.Rules) -> None:
    require_refusals(of_every_kind(rules, sized(16, 0), Random(pdd.format_rules(rules))))


@pytest.mark.parametrize("name", ["no bridges", "one bridge", "too few tiles", "two tiles"])
def test_what_the_supply_lacks_is_refused(name: str) -> None:
    supply = {"no bridges": (None, 1), "one bridge": (None, 2), "too few tiles": (9, None)}
    tiles, bridges = supply.get(name, (10, None))
    state = state_of(BRIDGES_AROUND, tiles=tiles, bridges=bridges)
    assert state.position.open_bridges(pdd.Color.WHITE)
    require_refusals([state])


def test_the_first_row_that_is_refused_is_named_and_nothing_is_played() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 6)
    last = len(games.space) - 1
    with pytest.raises(pdd.IllegalActionError, match=r"^row 2: Passing is not allowed"):
        games.step([0, 1, last, 3, last, last - 1])
    with pytest.raises(pdd.IllegalActionError, match=r"^row 5: This cannot be done"):
        games.step([0, 1, 2, 3, 4, last - 1])
    assert games.states() == GameBatch.initial(games.rules, 6).states()
    assert games.step(range(6)).legal_mask().sum() == 6 * 24


def test_codes_out_of_range_are_no_steps_at_all() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 3)
    number = len(games.space)
    for code in (-1, number, -number, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63)):
        with pytest.raises(pdd.PonteError) as caught:
            games.step([0, code, code])
        assert type(caught.value) is pdd.PonteError
        assert str(caught.value) == f"row 1: code {code} is outside 0 to {number - 1}"
    # It does not matter that a step before it is illegal.
    with pytest.raises(pdd.PonteError, match="row 2: code"):
        games.step([number - 1, 0, number])


@pytest.mark.parametrize("code", [0, 1, -1, 10**9, 2**63 - 1, -(2**63)])
def test_finished_games_stay_as_they_are_whatever_is_given(code: int) -> None:
    rules = pdd.Rules(pdd.Board(2, 2))
    over, start = visited(rules, Random(1))[-1], pdd.GameState.initial(rules)
    games = GameBatch.from_states([over, start, over])
    after = games.step([code, 3, code])
    assert after.states() == (over, start.step(pdd.PlaceTile(pdd.Cell(1, 1))), over)
    assert same_arrays(arrays_of(after.take([0, 2])), arrays_of(games.take([0, 2])))
    assert GameBatch.from_states([over]).step([code]).states() == (over,)


# Random numbers


def test_random_numbers_are_those_of_splitmix() -> None:
    # Published with the algorithm: what follows upon 1234567.
    published = (6457827717110365317, 3203168211198807973, 9817491932198370423)
    state, desk = 1234567, new_desk()
    desk.random = state
    for number in published:
        assert seed_for(number) == state
        state, found = splitmix(state)
        assert found == number
        with np.errstate(over="ignore"):
            assert random_bits(desk) == number >> 32
        assert int(desk.random) == state


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 100, 679, 9_902, 2**16, 16_773_120])
def test_numbers_below_a_limit_are_exactly_uniform(limit: int) -> None:
    rng, desk = Random(limit), new_desk()
    surplus = (1 << 32) % limit
    some = [rng.randrange(limit) for _ in range(sized(200, 20))]
    for result in {0, limit - 1, *some}:
        # Of the numbers of 32 bits that lead to it, the first is rejected if there is one too
        # many. Then all results have equally many.
        first = -(-(result << 32) // limit)
        beyond = -(-((result + 1) << 32) // limit)
        rejected = first * limit - (result << 32) < surplus
        assert beyond - first - rejected == (1 << 32) // limit
        for bits in {first, first + 1, rng.randrange(first + 1, beyond), beyond - 1}:
            desk.random = seed_for(bits << 32 | rng.getrandbits(32))
            after_one = splitmix(int(desk.random))[0]
            with np.errstate(over="ignore"):
                found = below(desk, limit)
            at_first_try = int(desk.random) == after_one
            assert at_first_try == (bits != first or not rejected)
            assert found == result if at_first_try else 0 <= found < limit


# Draws

MANY_CONFLICTS = """
    4 . w r . r
    3 . . . . .
    2 . w w w .
    1 . . . . .
      a b c d e
"""
ONE_PAIR = """
    4 r . r r
    3 w w w r
    2 . . . .
    1 w w w .
      a b c d
"""
NO_PAIR = """
    4 . w . w r r
    3 . w . w . r
    2 r w . w . w
    1 r . r r r w
      a b c d e f
"""
HAVING_TO_MOVE = """
    5 . w . . r r
    4 r w r . r r
    3 r w r w . .
    2 r w r w . .
    1 r . r w w .
      a b c d e f
"""
OLD_BRIDGES = """
    5 w . w . w
    4 . . . . .
    3 w . w . w
    2 . . . . .
    1 w . w . w
      a b c d e
    bridges a1-c3 e1-e3
"""
DRAWN = {
    "many conflicts": state_of(MANY_CONFLICTS),
    "many conflicts, one bridge left": state_of(MANY_CONFLICTS, bridges=1),
    "many conflicts, no bridges": state_of(MANY_CONFLICTS, bridges=0),
    "one pair": state_of(ONE_PAIR),
    "one pair, no bridges": state_of(ONE_PAIR, bridges=0),
    "no pair": state_of(NO_PAIR),
    "no pair, no bridges": state_of(NO_PAIR, bridges=0),
    "one tile left": state_of(ONE_PAIR, tiles=7),
    "two tiles left": state_of(ONE_PAIR, tiles=8),
    "no tiles left, bridges in the way": state_of(OLD_BRIDGES, tiles=9),
    "one tile left, bridges in the way": state_of(OLD_BRIDGES, tiles=10),
    "having to move": state_of(HAVING_TO_MOVE),
    "red": state_of(ONE_PAIR, pdd.Color.RED),
    "last turn": state_of(NO_PAIR, pdd.Color.RED, phase=pdd.Phase.LAST_TURN),
}


def require_fair_draws(desk: np.record, state: pdd.GameState) -> None:
    """Require that on a desk with a state of a colour to move all draws are exactly fair."""
    board, tables, color = state.rules.board, tables_of(state.rules), desk.to_move
    legal = state.legal_actions
    enough = desk.tiles_left[color] >= 2
    cells = int(desk.cells_listed[color]) if enough else 0
    bridges = int(desk.bridges_listed[color]) if desk.bridges_left > 0 else 0

    def draw(trial: np.record) -> None:
        play_random_action(tables, trial, color)

    def count_and_draw(trial: np.record) -> None:
        play_counted(tables, trial, color, bridges)

    def complete(trial: np.record) -> None:
        complete_random_pair(tables, trial, color)

    # Both orders of a pair are drawn, and the others twice as well.
    drawn = at_once(board, desk, cells * (cells - 1) + 2 * bridges + 2, draw)
    assert drawn == Counter(dict.fromkeys(legal, 2))
    if enough:
        number = len(legal.pairs) + bridges + (not legal.pairs)
        assert at_once(board, desk, number, count_and_draw) == Counter(legal)
    for first in list(legal.first_tiles)[:: sized(1, 4)]:
        half = desk.copy()
        half.first = board.index(first)
        seconds = legal.second_tiles(first)
        expected = Counter(pdd.PlaceTiles(first, second) for second in seconds)
        assert at_once(board, half, len(seconds), complete) == expected


@pytest.mark.parametrize("name", DRAWN)
def test_draws_are_exactly_fair_in_narrow_places(name: str) -> None:
    require_fair_draws(laid_out(DRAWN[name]), DRAWN[name])


@pytest.mark.parametrize("name", ["many conflicts", "one pair", "no pair"])
def test_pairs_are_counted_and_numbered(name: str) -> None:
    state, desk, tables = DRAWN[name], laid_out(DRAWN[name]), tables_of(DRAWN[name].rules)
    pairs = state.legal_actions.pairs
    for enough in (1, 2, 10**6):
        assert count_pairs(tables, desk, desk.to_move, enough) == min(enough, len(pairs))
    found: list[pdd.Action] = []
    for number in range(len(pairs) + 1):
        trial = desk.copy()
        place_nth_pair(tables, trial, trial.to_move, number)
        found.append(played(state.rules.board, desk, trial))
        assert (number < len(pairs)) == (trial.words != desk.words).any()
    # After the last one there is none.
    assert found.pop() == pdd.Pass()
    assert Counter(found) == Counter(pairs)


FAIR_RULES = [
    pdd.Rules(pdd.Board(4, 3)),
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(1, 9)),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=2),
    pdd.Rules(pdd.Board(5, 5)),
    pdd.Rules(pdd.Board(33, 1)),
]


@pytest.mark.parametrize("rules", FAIR_RULES[: sized(6, 3)], ids=pdd.format_rules)
def test_draws_are_exactly_fair_in_the_midst_of_random_games(rules: pdd.Rules) -> None:
    # What earlier draws have left on the lists of the desk, legal or not, must not matter.
    for seed in range(sized(3, 1) if len(rules.board) < 33 else 1):
        for state, desk in random_game(pdd.GameState.initial(rules), seed):
            if state.to_move is not None:
                require_fair_draws(desk, state)


def random_game(start: pdd.GameState, seed: int) -> Iterator[tuple[pdd.GameState, np.record]]:
    """Play a random game action by action on one desk, and require that each action is legal.

    What comes out are all its states, each with the desk at that time.
    """
    rules, tables, state = start.rules, tables_of(start.rules), start
    desk = laid_out(start)
    desk.random = seed
    with np.errstate(over="ignore"):
        while True:
            assert taken_up(rules, desk) == state
            yield state, desk
            if state.is_over:
                return
            before = desk.copy()
            action: pdd.Action
            if state.to_move is None:
                color = int(below(desk, 2))
                choose_color(desk, color)
                action = pdd.ChooseColor(list(pdd.Color)[color])
            elif play_random_action(tables, desk, desk.to_move):
                pass_turn(desk)
                action = pdd.Pass()
            else:
                end_turn(desk)
                action = played(rules.board, before, desk)
            assert action in state.legal_actions
            state = state.apply_unchecked(action)


GAME_RULES = [
    *(
        pdd.Rules(pdd.Board(*sides))
        for sides in ((6, 6), (1, 1), (2, 2), (9, 1), (33, 3), (10, 10))
    ),
    pdd.Rules(pdd.Board(6, 5), tiles_per_color=7, bridges=2),
    pdd.presets.ORIGINAL,
    *(pdd.Rules(pdd.Board(*sides)) for sides in ((5, 40), (64, 3), (26, 26))),
]


@pytest.mark.parametrize("rules", GAME_RULES[: sized(11, 7)], ids=pdd.format_rules)
def test_random_games_are_legal_from_beginning_to_end(rules: pdd.Rules) -> None:
    rng = Random(pdd.format_rules(rules))
    for start in beginnings(rules, sized(6, 1), rng):
        assert isinstance(start, pdd.GameState)
        seed = rng.getrandbits(64)
        *_, (state, desk) = random_game(start, seed)
        # In one go it is the same game.
        again = laid_out(start)
        again.random = seed
        with np.errstate(over="ignore"):
            turns = play_out(tables_of(rules), again)
        assert taken_up(rules, again) == state
        assert int(again.random) == int(desk.random)
        assert turns == (0 if start.is_over else state.turn - start.turn)
        # And it is one at whose end nothing was left to do.
        assert (
            pdd.GameState.from_position(
                state.position,
                rules=rules,
                phase=pdd.Phase.OVER,
                white_owner=state.owner(pdd.Color.WHITE) or pdd.Seat.FIRST,
            )
            == state
        )


@pytest.mark.parametrize("name", DRAWN)
def test_counts_of_draws_are_what_chance_gives(name: str) -> None:
    # As above, but whatever way draws are made, and also where many proposals were in vain.
    state = DRAWN[name]
    desk, tables = laid_out(state), tables_of(state.rules)
    legal = state.legal_actions
    chances = dict.fromkeys(legal, 1 / len(legal))
    rng, found, late = Random(name), Counter[pdd.Action](), Counter[pdd.Action]()
    with np.errstate(over="ignore"):
        for _ in range(sized(300, 8) * len(legal)):
            trial, seed = desk.copy(), rng.getrandbits(64)
            trial.random = seed
            passed = play_random_action(tables, trial, trial.to_move)
            action = played(state.rules.board, desk, trial)
            assert passed == isinstance(action, pdd.Pass)
            found[action] += 1
            if numbers_drawn(seed, int(trial.random)) > PATIENCE:
                late[action] += 1
    assert fits(found, chances)
    assert fits(late, chances)
    # Of each kind together, less would do to tell.
    kinds = Counter(type(action) for action in legal)
    shares = {kind: number / len(legal) for kind, number in kinds.items()}
    for counts in (found, late):
        assert fits(Counter(type(action) for action in counts.elements()), shares)


# Playouts

End = tuple[int, int, int, int]
"""Turns, white's and red's points, and who has won."""


def chances_of(row: Row, known: dict[pdd.GameState, dict[End, float]]) -> dict[End, float]:
    """Return the chances of all ends when every action is equally likely."""
    found: defaultdict[End, float] = defaultdict(float)
    if isinstance(row, pdd.HalfTurn):
        for second in row.second_tiles:
            after = row.step(pdd.PlaceTile(second))
            for (turns, *rest), chance in chances_of(after, known).items():
                found[turns + 1, rest[0], rest[1], rest[2]] += chance / len(row.second_tiles)
        return found
    state = row.canonical()
    if state.is_over:
        points = [state.score(color).points for color in pdd.Color]
        return {(0, points[0], points[1], winner_of(state)): 1.0}
    if state not in known:
        for action in state.legal_actions:
            new = not isinstance(action, pdd.ChooseColor)
            for (turns, *rest), chance in chances_of(state.apply_unchecked(action), known).items():
                end = (turns + new, rest[0], rest[1], rest[2])
                found[end] += chance / len(state.legal_actions)
        known[state] = found
    return known[state]


FOUR_BY_TWO = pdd.Rules(pdd.Board(4, 2))
COUNTED: dict[str, Row] = {
    "start": pdd.GameState.initial(FOUR_BY_TWO),
    "short of tiles": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, 3, 1)),
    "no tie-breaks": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, tiebreaks=())),
    "half turn": pdd.GameState.initial(FOUR_BY_TWO).step(pdd.PlaceTile(pdd.Cell(1, 0))),
    "colour choice": play(pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3))), "a1,c1"),
    "late on 5x5": few_turns_left(pdd.Rules(pdd.Board(5, 5)), 5),
    "late on 9x3": few_turns_left(pdd.Rules(pdd.Board(9, 3)), 6),
    "late, bridges first": few_turns_left(pdd.Rules(pdd.Board(5, 5), tiebreaks=TIEBREAKS[4]), 11),
    "late on 33x2": few_turns_left(pdd.Rules(pdd.Board(33, 2)), 1),
    "no pair": DRAWN["no pair"],
    "one pair": DRAWN["one pair, no bridges"],
    "one tile left": DRAWN["one tile left"],
    "last turn": DRAWN["last turn"],
    "over": visited(FOUR_BY_TWO, Random(1))[-1],
}


@pytest.mark.parametrize("name", COUNTED)
def test_playouts_end_as_often_as_they_should(name: str) -> None:
    row = COUNTED[name]
    chances = chances_of(row, {})
    assert abs(sum(chances.values()) - 1) < 1e-9
    number = sized(20_000, 40)
    found = (
        GameBatch.from_states([row])
        .take(np.zeros(number, int))
        .playout(Random(name).getrandbits(32))
    )
    ends = zip(found.turns.tolist(), *found.points.T.tolist(), found.winner.tolist(), strict=True)
    assert fits(Counter(ends), chances)


def test_playouts_are_as_long_and_as_good_as_random_games_of_the_core() -> None:
    rules, rng = pdd.Rules(pdd.Board(6, 6)), Random(6)
    turns, points = [], []
    for _ in range(300):
        state = pdd.GameState.initial(rules)
        while not state.is_over:
            state = state.apply_unchecked(state.legal_actions.sample(rng))
        turns.append(state.turn)
        points.append(state.score(pdd.Color.RED).points)
    found = GameBatch.initial(rules, sized(20_000, 100)).playout(6)
    for one, other in ((turns, found.turns.tolist()), (points, found.points[:, 1].tolist())):
        error = sqrt(variance(one) / len(one) + variance(other) / len(other))
        assert abs(fmean(one) - fmean(other)) < 4 * error
    # What comes of islands and of the order of turns.
    assert (found.turns % 2 == 0).all()
    assert (found.points >= 0).all()


# Records

FILE = Path(__file__).parent / "data" / "games.jsonl"
ROWS = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]


def recorded(start: pdd.GameState, actions: Sequence[pdd.Action]) -> Record:
    """Return a record of these actions, legal or not."""
    return Record(start, {}, pdd.Line(tuple(map(pdd.Move, actions))))


def require_replayed(records: list[Record | pdd.Game]) -> list[int]:
    """Require that records are replayed as in the core; return where they are illegal."""
    found = replay(records)
    expected = [replayed(record) for record in records]
    assert found.points.dtype == found.illegal_at.dtype == np.int32
    assert found.winner.dtype == np.int8
    assert found.is_over.dtype == np.bool_
    assert found.points.shape == (len(records), 2)
    assert found.illegal_at.tolist() == [place for _, place in expected]
    assert found.is_over.tolist() == [state.is_over for state, _ in expected]
    assert found.winner.tolist() == [winner_of(state) for state, _ in expected]
    assert found.points.tolist() == [
        [state.score(color).points for color in pdd.Color] for state, _ in expected
    ]
    return [place for _, place in expected]


def replayed(record: Record | pdd.Game) -> tuple[pdd.GameState, int]:
    """Return the state after the last legal action, and the place of the illegal one, or -1."""
    state = record.start
    for place, action in enumerate(record.actions):
        if not state.is_legal(action):
            return state, place
        state = state.apply_unchecked(action)
    return state, NONE


def test_complete_games_of_an_independent_implementation() -> None:
    rows = ROWS[:: sized(1, 10)]
    records = []
    for row in rows:
        rules = pdd.Rules(pdd.Board(*row["size"]), row["tiles"], row["bridges"])
        actions = list(map(pdd.parse_action, row["moves"]))
        records.append(recorded(pdd.GameState.initial(rules), actions))
    found = replay(iter(records))
    assert found.illegal_at.tolist() == [NONE] * len(rows)
    assert found.is_over.all()
    assert found.points.tolist() == [row["points"] for row in rows]
    winners = {"white": 0, "red": 1, "draw": NONE}
    assert found.winner.tolist() == [winners[row["winner"]] for row in rows]


def odd_action(board: pdd.Board, rng: Random) -> pdd.Action:
    """Return any action, on the board or off it, most likely illegal."""
    cells = [
        *rng.sample(board.cells, min(3, len(board))),
        # One row up, or beyond the last cell, if cells were numbered carelessly.
        pdd.Cell(board.width, 0),
        pdd.Cell(board.width + 2, 0),
        pdd.Cell(0, board.height),
        pdd.Cell(10**9, 10**9),
    ]
    actions: list[pdd.Action] = [pdd.Pass(), *map(pdd.ChooseColor, pdd.Color)]
    actions += [pdd.PlaceTiles(cells[0], cells[0]), pdd.BuildBridge(cells[0], cells[0])]
    actions += [shape(*rng.sample(cells, 2)) for shape in (pdd.PlaceTiles, pdd.BuildBridge)]
    actions += [pdd.PlaceTiles(*pair) for pair in combinations(cells[:3], 2)]
    actions += [
        pdd.BuildBridge(*each.ends)
        for each in rng.sample(board.bridges, min(2, len(board.bridges)))
    ]
    return rng.choice(actions)


def spoilt(start: pdd.GameState, actions: list[pdd.Action], rng: Random) -> Record:
    """Return a record with an action replaced, added, left out or moved."""
    board, place = start.rules.board, rng.randrange(len(actions) + 1)
    odd = odd_action(board, rng)
    other = rng.choice([*actions, odd])
    changed = rng.choice(
        [
            [*actions[:place], odd, *actions[place + 1 :]],
            [*actions[:place], odd, *actions[place:]],
            [*actions[:place], other, *actions[place:]],
            [*actions[:place], *actions[place + 1 :]],
            [*actions, odd, odd],
            [*actions[place:], *actions[:place]],
        ]
    )
    return recorded(start, changed)


def test_games_of_all_rules_in_one_call() -> None:
    rng = Random(8)
    records: list[Record | pdd.Game] = []
    for rules in RULES[:: sized(1, 5)]:
        for start in beginnings(rules, sized(4, 1), rng):
            if len(rules.board) > sized(10_000, 40):
                continue
            state, game = state_behind(start), pdd.Game.new(start=state_behind(start))
            while not state.is_over:
                action = state.legal_actions.sample(rng)
                state, game = state.apply_unchecked(action), game.play(action)
            actions = list(game.actions)
            records += [game, recorded(game.start, actions[: rng.randrange(len(actions) + 1)])]
            records += [spoilt(game.start, actions, rng) for _ in range(sized(6, 2))]
    rng.shuffle(records)
    places = require_replayed(records)
    assert places.count(NONE) > len(places) / 6
    assert max(places) > 10


@share(sized(100, 8) / 100)
@given(plays(BOARDS), st.data())
def test_attempts_in_records(game: Play, data: st.DataObject) -> None:
    records: list[Record | pdd.Game] = []
    for _ in range(4):
        place = data.draw(st.integers(0, len(game.actions)))
        tried = data.draw(attempts(game.states[place]))
        if not isinstance(tried, pdd.PlaceTile):
            before, after = game.actions[:place], game.actions[place:]
            records += [recorded(game.states[0], [*before, tried, *after])]
            records += [recorded(game.states[place], [tried, *after])]
    require_replayed(records)


def test_endings_are_not_held_against_the_board() -> None:
    rules = pdd.Rules(pdd.Board(4, 4))
    game = pdd.Game.new(rules).play("a1,b1").play("red")
    resigned = game.end(pdd.Ending.RESIGNATION, pdd.Seat.FIRST)
    declared = evolve(recorded(game.start, list(game.actions)), result="white")
    found = replay([game, resigned, declared])
    assert found.illegal_at.tolist() == found.winner.tolist() == [NONE] * 3
    assert not found.is_over.any()


def test_variations_are_left_out() -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(4, 4))).play("a1,b1").play("red").play("a3,b3")
    assert require_replayed([game.with_variation((0,), ["a1,c1", "white"]), game]) == [NONE] * 2


def test_records_that_begin_at_the_end() -> None:
    over = visited(FOUR_BY_TWO, Random(3))[-1]
    assert isinstance(over, pdd.GameState)
    records = [recorded(over, actions) for actions in ([], [pdd.Pass()], [pdd.Pass(), pdd.Pass()])]
    assert require_replayed([*records]) == [NONE, 0, 0]


@pytest.mark.parametrize("left", range(26, 36))
def test_islands_are_the_same_where_words_of_bits_overlap(left: int) -> None:
    rules = pdd.Rules(pdd.Board(64, 3))
    row = ((1, 0), (2, 0), (3, 0), (4, 1))
    for mirrored in (False, True):
        # The fourth tile in the row would make an island with a tile at its corner.
        columns = [63 - left - step if mirrored else left + step for step in range(5)]
        white = [pdd.Cell(columns[step], up) for step, up in row]
        position = pdd.Position.from_pieces(rules.board, white=white)
        state = pdd.GameState.from_position(position, rules=rules)
        fourth = pdd.StepSpace(rules.board).encode(pdd.PlaceTile(pdd.Cell(columns[0], 0)))
        mask = GameBatch.from_states([state]).legal_mask()[0]
        assert mask[fourth] == 0
        assert mask.tobytes() == pdd.StepSpace(rules.board).mask(state)


def test_no_bridge_is_built_without_supply() -> None:
    board = pdd.Board(5, 5)
    white = [pdd.Cell(0, 0), pdd.Cell(2, 0)]
    step = pdd.BuildBridge(*white)
    position = pdd.Position.from_pieces(board, white=white)
    for bridges in (0, 1):
        rules = pdd.Rules(board, bridges=bridges)
        state = pdd.GameState.from_position(position, rules=rules)
        games = GameBatch.from_states([state])
        code = games.space.encode(step)
        assert games.legal_mask()[0, code] == bridges
        if bridges:
            assert games.step([code]).states() == (state.step(step),)
        else:
            with pytest.raises(pdd.IllegalActionError) as refusal:
                games.step([code])
            assert refusal.value.violations == state.violations(step)
