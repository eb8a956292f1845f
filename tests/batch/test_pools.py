"""Pools of games, held against the core step by step."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from collections.abc import Callable
from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool, RowError
from pontedeldiavolo.batch.arguments import codes_for
from support.batch_rows import RULES, SMALL, mixed, set_ups
from support.batches import (
    NONE,
    Arrays,
    Row,
    any_step,
    arrays_of,
    beginnings,
    fits,
    same_arrays,
    share_all,
    sized,
    state_behind,
)
from support.pools import End, advance, everything, require_shown, shown
from support.strategies import share

SIDES = [
    *((1, 1), (1, 2), (2, 2), (1, 9), (3, 3), (16, 16), (17, 2), (31, 3), (32, 2), (33, 3)),
    *((2, 63), (63, 2), (64, 64)),
]
POOL_RULES = [
    *map(pdd.presets.by_name, pdd.presets.names()),
    *(pdd.Rules(pdd.Board(*sides)) for sides in SIDES),
    *(pdd.Rules(pdd.Board(5, 4), *supply) for supply in ((0, 0), (3, 1), (7, None), (None, 2))),
    pdd.Rules(pdd.Board(6, 5), 258, 256),
]
RULES_TO_PLAY = [
    pytest.param(
        rules,
        id=pdd.format_rules(rules),
        marks=[pytest.mark.slow] if len(rules.board) > 30 else [],
    )
    for rules in dict.fromkeys(POOL_RULES)
]
NOBODY: list[End] = [None] * 100


AT_NIGHT = 1000
"""So many examples are looked at by the profile of the night alone."""


def steps_for(rules: pdd.Rules) -> int:
    """Return so many steps as are worth their time on a board."""
    cells = len(rules.board)
    # At night, a million in all.
    times = 50 if settings().max_examples >= AT_NIGHT else 1
    return times * sized(min(120, 30_000 // cells), max(2, min(40, 200 // cells)))


# As in the core


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("rules", RULES_TO_PLAY)
def test_every_step_is_as_in_the_core(rules: pdd.Rules, *, restart: bool) -> None:
    rng = Random(pdd.format_rules(rules))
    size = sized(4, 2)
    pool = GamePool(rules, size, restart=restart, planes=True)
    rows: list[Row] = [pdd.GameState.initial(rules)] * size
    ended = NOBODY[:size]
    require_shown(pool, rows, ended)
    for _ in range(steps_for(rules)):
        rows, ended = advance(pool, rows, rng, restart=restart)
        require_shown(pool, rows, ended)


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize(
    "rules", [each for each in RULES if len(each.board) < sized(50, 21)], ids=pdd.format_rules
)
def test_games_go_on_from_anywhere(rules: pdd.Rules, *, restart: bool) -> None:
    rng = Random(pdd.format_rules(rules))
    rows: list[Row] = [*mixed(rules, sized(16, 4)), *beginnings(rules, sized(8, 2), rng)]
    games = GameBatch.from_states(rows)
    pool = GamePool.from_games(games, restart=restart, planes=True)
    # Games that are over have not ended in a step of this pool.
    require_shown(pool, rows, [None] * len(rows))
    ends = 0
    for _ in range(sized(16, 4)):
        rows, ended = advance(pool, rows, rng, restart=restart)
        ends += sum(end is not None for end in ended)
        require_shown(pool, rows, ended)
    # A few steps do not end every game.
    assert ends > 0 or sized(0, 1)
    # The batch is what it was.
    assert games.states() == GameBatch.from_states(games.states()).states()


@share(sized(60, 5) / 100)
@given(set_ups(), st.randoms(use_true_random=False))
def test_set_ups_that_no_play_reaches_go_on(state: pdd.GameState, rng: Random) -> None:
    firsts = [pdd.HalfTurn(state, cell) for cell in tuple(state.legal_actions.first_tiles)[:3]]
    rows: list[Row] = [state, *firsts]
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, restart=False)
    require_shown(pool, rows, [None] * len(rows))
    for _ in range(2):
        rows, ended = advance(pool, rows, rng, restart=False)
        require_shown(pool, rows, ended)


def test_what_ended_is_shown_for_one_step() -> None:
    # The shortest game: nothing can be placed on one cell.
    for restart in (True, False):
        pool = GamePool(pdd.Rules(pdd.Board(1, 1)), 2, restart=restart, planes=True)
        choice, passing = len(pool.space) - 3, len(pool.space) - 1
        seen = []
        for _ in range(6):
            code = choice if pool.mask[0, choice] else passing
            pool.step([code, code])
            seen.append((bool(pool.is_over[0]), int(pool.turns[0]), int(pool.seat_to_move[0])))
            assert bool(pool.final_planes.any()) == seen[-1][0]
        assert seen[:3] == [(False, 0, 1), (False, 0, seen[1][2]), (True, 2, 0 if restart else -1)]
        assert seen[3:] == (seen[:3] if restart else [(False, 0, -1)] * 3)


# Restarts


def test_some_games_begin_anew() -> None:
    rules = pdd.Rules(pdd.Board(5, 4))
    start = pdd.GameState.initial(rules)
    rows: list[Row] = mixed(rules, 9)
    assert any(row.is_over for row in rows)
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, restart=False)
    rows, ended = advance(pool, rows, Random(1), restart=False)
    kept = everything(pool)
    pool.restart([])
    assert same_arrays(everything(pool), kept)
    pool.restart([0, -1, 0])
    rows[0] = rows[-1] = start
    ended[0] = ended[-1] = None
    require_shown(pool, rows, ended)
    over = np.array([row.is_over for row in rows])
    assert over.any()
    pool.restart(over)
    rows = [start if row.is_over else row for row in rows]
    # A restarted game is not over.
    require_shown(
        pool, rows, [None if gone else end for gone, end in zip(over, ended, strict=True)]
    )
    rows, ended = advance(pool, rows, Random(2), restart=False)
    require_shown(pool, rows, ended)


def test_only_rows_begin_anew() -> None:
    pool = GamePool(SMALL, 3)
    pool.step([0, 1, 2])
    kept = everything(pool, pictures=False)
    for row in (3, -4, 2**62):
        with pytest.raises(pdd.PonteError, match=f"there is no row {row} in a batch of 3"):
            pool.restart([0, row])
    with pytest.raises(pdd.PonteError, match=r"marks must have shape \(3,\), not \(2,\)"):
        pool.restart([True, False])
    with pytest.raises(pdd.PonteError, match="rows must have one dimension, not 0"):
        pool.restart(1)
    with pytest.raises(TypeError, match="rows must be whole numbers, not float"):
        pool.restart([0.0])
    assert same_arrays(everything(pool, pictures=False), kept)


# What is refused


@pytest.mark.parametrize("threads", [1, 3])
def test_an_illegal_step_is_refused_and_nothing_changes(
    threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_all(monkeypatch, 8)
    rules = pdd.Rules(pdd.Board(5, 4), bridges=1)
    rows: list[Row] = [row for row in mixed(rules, 24) if not row.is_over]
    rng = Random(5)
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, threads=threads)
    # Not only what was laid out: what was played, too.
    rows, _ = advance(pool, rows, rng, restart=True)
    codes = np.array([any_step(row, pool.space.mask(row), rng) for row in rows])
    kept = everything(pool)
    for row in range(len(rows)):
        illegal = np.flatnonzero(pool.mask[row] == 0)
        for code in rng.sample(illegal.tolist(), sized(12, 2)):
            wrong = codes.copy()
            wrong[row] = code
            # Of several, the first is named.
            wrong[row + 1 :] = np.where(wrong[row + 1 :] % 2, wrong[row + 1 :], code)
            with pytest.raises(pdd.IllegalActionError) as caught:
                pool.step(wrong)
            assert caught.value.row == row
            assert caught.value.violations == rows[row].violations(pool.space.decode(code)) != ()
            assert same_arrays(everything(pool), kept)
    pool.step(codes)
    assert not same_arrays(everything(pool), kept)


def test_codes_out_of_range_are_no_steps_at_all() -> None:
    pool = GamePool(SMALL, 3, planes=True)
    number = len(pool.space)
    kept = everything(pool)
    for code in (-1, number, -number, 2**31, -(2**31), 2**32, 2**63 - 1, -(2**63)):
        with pytest.raises(pdd.batch.RowError) as caught:
            pool.step([0, code, code])
        assert (caught.value.row, caught.value.problem) == (
            1,
            f"code {code} is outside 0 to {number - 1}",
        )
        assert str(caught.value) == f"row 1: {caught.value.problem}"
        assert same_arrays(everything(pool), kept)
    # It does not matter that a step before it is illegal.
    with pytest.raises(pdd.batch.RowError, match="row 2: code"):
        pool.step([number - 1, 0, number])
    assert same_arrays(everything(pool), kept)


def test_wrong_steps_are_refused() -> None:
    pool = GamePool(SMALL, 3)
    kept = everything(pool, pictures=False)
    for shape in (0, [], [0], [0, 1], [0, 1, 2, 3], [[0, 1, 2]]):
        with pytest.raises(pdd.PonteError, match=r"codes must have shape \(3,\), not"):
            pool.step(shape)
    for huge in (2**63, 2**64, -(2**63) - 1):
        with pytest.raises(pdd.PonteError, match=f"codes must fit into 64 bits: {huge}"):
            pool.step(np.array([0, 1, huge], np.uint64 if 0 < huge < 2**64 else object))
    for wrong in ([0.0, 1.0, 2.0], ["a", "b", "c"], [None] * 3, [True] * 3):
        with pytest.raises(TypeError, match="codes must be whole numbers, not"):
            pool.step(wrong)  # type: ignore[arg-type]
    assert same_arrays(everything(pool, pictures=False), kept)
    for kind in (np.int8, np.uint8, np.int16, np.uint32, np.int64, np.uint64):
        again = GamePool(SMALL, 3)
        again.step(np.array([5, 6, 7], kind))
        assert again.games.first.tolist() == [5, 6, 7]


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(pdd.PonteError, match="size must be from 0 to 2147483648, not -1"):
        GamePool(SMALL, -1)
    with pytest.raises(pdd.PonteError, match=f"size must be from 0 to {2**31}, not {2**31 + 1}"):
        GamePool(SMALL, 2**31 + 1)
    with pytest.raises(pdd.PonteError, match="threads must be positive: 0"):
        GamePool(SMALL, threads=0)
    with pytest.raises(pdd.PonteError, match="seed must not be negative: -1"):
        GamePool.from_games(GameBatch.initial(SMALL), seed=-1)
    for name, wrong in (
        *(("rules", "original"), ("size", 1.0), ("threads", "2"), ("seed", None)),
        *(("restart", 1), ("planes", None)),
    ):
        with pytest.raises(TypeError, match=f"{name}'? must be "):
            GamePool(**{"rules": SMALL, name: wrong})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="games must be "):
        GamePool.from_games([pdd.GameState.initial()])  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        GamePool(SMALL, 1, 2)  # type: ignore[call-arg]


# What it is


def test_a_pool_shows_the_same_arrays_all_the_time() -> None:
    pool = GamePool(SMALL, 4, planes=True, seed=3)
    places = [(id(each), each.ctypes.data) for each in shown(pool)]
    for _ in range(20):
        pool.step(pool.sample())
        pool.restart([1])
        assert [(id(each), each.ctypes.data) for each in shown(pool)] == places
    kinds = [(each.dtype.name, each.shape) for each in shown(pool)]
    assert kinds == [
        ("uint8", (4, len(pool.space))),
        ("int8", (4,)),
        ("bool", (4,)),
        ("int8", (4, 2)),
        ("int32", (4, 2)),
        ("int32", (4,)),
        *[("uint8", (4, 27, 4, 5))] * 2,
    ]
    assert all(each.flags.carray for each in shown(pool))
    # So JAX takes them without a copy.
    assert not any(each.ctypes.data % 64 for each in shown(pool))
    assert pool.space == pdd.StepSpace(SMALL.board)
    assert pool.rules is SMALL
    assert repr(pool) == "<GamePool of 4 on 5×4>"


def test_arrays_may_be_left_to_those_who_have_them() -> None:
    pools = [GamePool(SMALL, 7, seed=2, planes=True) for _ in range(2)]
    pool, other = pools
    left: list[tuple[Arrays, Arrays]] = []
    for _ in range(sized(60, 8)):
        arrays: Arrays = (pool.mask, pool.planes)
        left.append((arrays, tuple(array.copy() for array in arrays)))
        codes = pool.sample()
        pool._step_elsewhere(codes)
        other.step(codes)
        assert same_arrays(everything(pool), everything(other))
    pool._move()
    pool.restart([0])
    other.restart([0])
    assert same_arrays(everything(pool), everything(other))
    for arrays, before in left:
        assert same_arrays(arrays, before)


def test_where_a_step_is_refused_arrays_stay() -> None:
    pool = GamePool(SMALL, 3, planes=True)
    mask, planes = pool.mask, pool.planes
    before = everything(pool)
    for codes, kind in (([0, -2, 1], RowError), ([0, 1], pdd.PonteError), ([0.5], TypeError)):
        with pytest.raises(kind):
            pool._step_elsewhere(codes)
        assert pool.mask is mask
        assert pool.planes is planes
        assert same_arrays(everything(pool), before)
    pool.step(pool.sample())
    assert pool.mask is mask
    assert not same_arrays(everything(pool), before)


def test_games_are_a_value_that_later_steps_do_not_change() -> None:
    pool = GamePool(SMALL, 4)
    pool.step([0, 1, 2, 3])
    games = pool.games
    kept = tuple(each.copy() for each in arrays_of(games))
    codes = pool.sample()
    drawn = codes.copy()
    pool.step(codes)
    assert same_arrays(arrays_of(games), kept)
    pool.sample()
    assert np.array_equal(codes, drawn)
    # From there, the same step leads to the same.
    assert same_arrays(arrays_of(games.step(codes)), arrays_of(pool.games))


def test_a_pool_without_planes_shows_none() -> None:
    pool = GamePool(SMALL, 2, seed=1)
    for _ in range(60):
        pool.step(pool.sample())
    for name in ("planes", "final_planes"):
        with pytest.raises(pdd.PonteError, match="this pool was made without planes"):
            getattr(pool, name)


def test_what_users_write_over_masks_and_planes_is_gone_after_a_step() -> None:
    size = sized(8, 4)
    pool = GamePool(SMALL, size, planes=True)
    rows: list[Row] = [pdd.GameState.initial(SMALL)] * size
    rng = Random(4)
    for step in range(sized(60, 20)):
        pool.mask[:] = pool.planes[:] = step * 37 % 256
        pool.seat_to_move[:] = 7
        rows, ended = advance(pool, rows, rng, restart=True)
        require_shown(pool, rows, ended)


@pytest.mark.parametrize("planes", [True, False])
@pytest.mark.parametrize("rules", [SMALL, pdd.Rules(pdd.Board(40, 2))], ids=pdd.format_rules)
def test_a_pool_may_be_empty(rules: pdd.Rules, *, planes: bool) -> None:
    for pool in (
        GamePool(rules, 0, planes=planes, threads=2),
        GamePool.from_games(GameBatch.initial(rules, 0), planes=planes),
    ):
        require_shown(pool, [], [], pictures=planes)
        codes = pool.sample()
        assert (codes.shape, codes.dtype.name) == ((0,), "int32")
        assert pool.sample(np.ones((0, len(pool.space)))).shape == (0,)
        pool.step(codes)
        pool.step([])
        pool.restart([])
        require_shown(pool, [], [], pictures=planes)


# Draws


def play(rules: pdd.Rules, size: int, threads: int, seed: int = 9) -> list[Arrays]:
    """Return all that a pool shows while it plays steps that it draws."""
    pool = GamePool(rules, size, seed=seed, threads=threads, planes=True)
    weights = np.random.default_rng(seed).random((size, len(pool.space)))
    found = []
    for step in range(sized(40, 12)):
        codes = pool.sample(weights if step % 3 == 2 else None)
        pool.step(codes)
        found.append((codes, *everything(pool)))
    return found


@pytest.mark.parametrize("processors", [1, 3, 64])
def test_draws_do_not_depend_on_threads(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, processors)
    for size in (1, 2, sized(37, 5)):
        alone = play(SMALL, size, 1)
        for threads in (1, 2, 3, 64):
            for one, other in zip(alone, play(SMALL, size, threads), strict=True):
                assert same_arrays(one, other)
    other_seed = play(SMALL, 5, 1, seed=10)
    assert not any(map(same_arrays, play(SMALL, 5, 1), other_seed))


def test_the_same_seed_gives_the_same_draws() -> None:
    # A change of these numbers breaks the promise of equal draws within a version. Between
    # versions it is allowed.
    pool = GamePool(pdd.Rules(pdd.Board(10, 10)), 5, seed=3)
    found = []
    for _ in range(3):
        codes = pool.sample()
        pool.step(codes)
        found.append(codes.tolist())
    assert found == [[35, 45, 99, 66, 33], [31, 66, 46, 77, 86], [677, 676, 676, 676, 677]]


DRAWN = [SMALL, pdd.Rules(pdd.Board(17, 3)), pdd.Rules(pdd.Board(2, 34))][: sized(3, 1)]


def phases(rules: pdd.Rules) -> list[Row]:
    """Return rows with few and with many legal steps, of every phase that goes on."""
    rows = [row for row in mixed(rules, 40) if not row.is_over]
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[:3]]


@pytest.mark.parametrize(
    "rules",
    [pdd.Rules(pdd.Board(*sides)) for sides in ((2, 34), (34, 2), (17, 18), (2, 63))],
    ids=pdd.format_rules,
)
def test_every_draw_is_a_legal_step(rules: pdd.Rules) -> None:
    size = sized(50, 4)
    pool = GamePool(rules, size, seed=2)
    weights = np.random.default_rng(2).random((size, len(pool.space)))
    found = set()
    for step in range(sized(100, 12)):
        codes = pool.sample(weights if step % 2 else None)
        assert (pool.mask[np.arange(size), codes] == 1).all()
        found.update(codes.tolist())
        pool.step(codes)
    # On all sides of the board.
    rows, columns = zip(
        *(divmod(code, rules.board.width) for code in found if code < len(rules.board)), strict=True
    )
    assert max(rows) >= rules.board.height // 2 >= min(rows)
    assert max(columns) >= rules.board.width // 2 >= min(columns)


@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_all_legal_steps_are_drawn_alike(rules: pdd.Rules) -> None:
    for row in phases(rules):
        legal = np.flatnonzero(np.frombuffer(pdd.StepSpace(rules.board).mask(row), np.uint8))
        size = len(legal) * sized(60, 8)
        pool = GamePool.from_games(GameBatch.from_states([row]).copies(size), seed=len(legal))
        first, second = pool.sample(), pool.sample()
        for codes in (first, second):
            assert fits(Counter(codes.tolist()), dict.fromkeys(legal.tolist(), 1 / len(legal)))
        # One draw does not tell the next.
        lower = np.isin((first, second), legal[: len(legal) // 2])
        part = len(legal) // 2 / len(legal)
        shares = {False: 1 - part, True: part}
        chances = {(a, b): shares[a] * shares[b] for a, b in product(shares, shares)}
        assert fits(
            Counter(zip(*lower.tolist(), strict=True)),
            {each: chance for each, chance in chances.items() if chance},
        )


@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_steps_are_drawn_by_weights(rules: pdd.Rules) -> None:
    rng = np.random.default_rng(8)
    for row in phases(rules):
        mask = np.frombuffer(pdd.StepSpace(rules.board).mask(row), np.uint8) != 0
        weights = rng.exponential(3.0, len(mask)) * (rng.random(len(mask)) < 0.6)
        weights[mask.argmax()] = 1.0
        size = int(mask.sum()) * sized(60, 8)
        chances = {
            code: weights[code] / weights[mask].sum()
            for code in np.flatnonzero(mask & (weights > 0)).tolist()
        }
        # What is given for illegal steps does not matter.
        wild = np.where(mask, weights, rng.choice([np.nan, np.inf, -np.inf, -1.0], len(mask)))
        pool = GamePool.from_games(GameBatch.from_states([row]).copies(size), seed=3)
        for given_weights in (weights, wild, 1e-300 * weights):
            codes = pool.sample(np.tile(given_weights, (size, 1)))
            assert fits(Counter(codes.tolist()), chances)


SPOILT: dict[float | str, float] = {"all zero": 0.0, "too much": 1.7e308}


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wrong", [-1.0, -1e-300, np.nan, np.inf, -np.inf, "all zero", "too much"])
def test_weights_that_nothing_can_be_drawn_by_are_refused(
    wrong: float | str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_all(monkeypatch, 8)
    rows = [*phases(SMALL), *[row for row in mixed(SMALL, 40) if row.is_over]]
    pool = GamePool.from_games(GameBatch.from_states(rows), threads=threads)
    mask = pool.mask != 0
    kept = everything(pool, pictures=False)
    for row, over in enumerate(pool.games.is_over.tolist()):
        weights = np.ones(mask.shape)
        for spoilt in range(row, len(rows)):
            legal = np.flatnonzero(mask[spoilt])[: None if isinstance(wrong, str) else 1]
            weights[spoilt, legal] = float(SPOILT.get(wrong, wrong))
        # Of games that are over nothing is asked, and a single weight may be as large as that.
        if over or (wrong == "too much" and mask[row].sum() == 1):
            continue
        with pytest.raises(pdd.batch.RowError) as caught:
            pool.sample(weights)
        assert caught.value.row == row
        assert caught.value.problem == (
            "the weights of legal steps must be 0 or more, with a finite sum that is not 0"
        )
        assert same_arrays(everything(pool, pictures=False), kept)
    weights = np.ones(mask.shape)
    weights[pool.games.is_over] = np.nan
    codes = pool.sample(weights)
    assert np.array_equal(codes == NONE, pool.games.is_over)
    assert pool.games.is_over.any()


def test_weights_are_real_numbers_one_for_each_step() -> None:
    pool = GamePool(SMALL, 2)
    number = len(pool.space)
    for shape in ((number,), (2, number - 1), (1, number), (2, number, 1), ()):
        with pytest.raises(pdd.PonteError, match=rf"weights must have shape \(2, {number}\), not"):
            pool.sample(np.ones(shape))
    with pytest.raises(pdd.PonteError, match="weights must be an array"):
        pool.sample([[1.0], [1.0, 2.0]])
    for kind in (np.complex64, "S1", object):
        with pytest.raises(TypeError, match="weights must be real numbers, not"):
            pool.sample(np.ones((2, number)).astype(kind))
    for kind in (np.bool_, np.int8, np.uint64, np.float16, np.float32, np.longdouble):
        weights = np.zeros((2, number), kind)
        weights[:, [3, 4]] = [[1, 0], [0, 1]]
        assert pool.sample(weights).tolist() == [3, 4]
        assert pool.sample(weights[::-1]).tolist() == [4, 3]
        assert pool.sample(np.asfortranarray(weights)).tolist() == [3, 4]


# Copies


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_pool_is_neither_copied_nor_pickled(make: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="a pool cannot be copied or pickled; its games can"):
        make(GamePool(SMALL))


def test_what_a_step_shows_does_not_depend_on_what_was_written_over() -> None:
    pools = [GamePool(pdd.Rules(pdd.Board(3, 3)), 16, seed=3, planes=True) for _ in range(2)]
    for _ in range(sized(60, 30)):
        for pool in pools:
            pool.step(pool.sample())
        assert same_arrays(everything(pools[0]), everything(pools[1]))
        # What is legal is known without the mask, and what has ended without the marks.
        for array in (*shown(pools[1], pictures=False), pools[1].planes):
            array[:] = 1


def test_a_refused_draw_takes_no_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 8)
    drawn = GamePool(SMALL, 20, seed=1).sample()
    for threads in (1, 3):
        pool = GamePool(SMALL, 20, seed=1, threads=threads)
        weights = np.ones((20, len(pool.space)))
        weights[7] = -1
        with pytest.raises(RowError):
            pool.sample(weights)
        assert np.array_equal(pool.sample(), drawn)


def test_codes_are_copied_before_they_are_looked_at() -> None:
    codes = np.zeros(4, np.int64)
    assert not np.shares_memory(codes_for(codes, 4, "codes"), codes)
