"""Pools of games compared with the core step by step, and threads that share a pool."""

from __future__ import annotations

import copy
import os
import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import product
from random import Random
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool, RowError, planes, worker_pool
from pontedeldiavolo.batch.arguments import codes_for
from pontedeldiavolo.batch.game_pool import Planes
from pontedeldiavolo.batch.kernels import counters as shared
from pontedeldiavolo.batch.kernels import pool_ops
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached
from support.batch_rows import RULES, SMALL, mixed, set_ups, slow_beyond
from support.batches import Arrays, any_step, arrays_of, kernel, same_arrays, share_all, sized
from support.pools import End, advance, everything, require_shown, shown, unpacked
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
RULES_TO_PLAY = slow_beyond(30, POOL_RULES)


def steps_for(rules: pdd.Rules) -> int:
    """Return a number of steps that depends on the time of a step on a board."""
    cells = len(rules.board)
    # A nightly run plays a million steps in all.
    times = 50 if settings().max_examples >= 1000 else 1
    return times * sized(min(120, 30_000 // cells), max(2, min(40, 200 // cells)))


@pytest.mark.parametrize(("autoreset", "kind"), [(True, True), (False, "packed")])
@pytest.mark.parametrize("rules", RULES_TO_PLAY)
def test_every_step_is_as_in_the_core(rules: pdd.Rules, kind: Planes, *, autoreset: bool) -> None:
    rng = Random(pdd.format_rules(rules))
    size = sized(4, 2)
    pool = GamePool(rules, size, autoreset=autoreset, planes=kind)
    rows: list[pdd.Node] = [pdd.GameState.initial(rules)] * size
    ended: list[End] = [None] * size
    require_shown(pool, rows, ended)
    for _ in range(steps_for(rules)):
        rows, ended = advance(pool, rows, rng, autoreset=autoreset)
        require_shown(pool, rows, ended)


@pytest.mark.parametrize(("autoreset", "kind"), [(True, "packed"), (False, True)])
@pytest.mark.parametrize(
    "rules", [each for each in RULES if len(each.board) < sized(50, 21)], ids=pdd.format_rules
)
def test_games_go_on_from_anywhere(rules: pdd.Rules, kind: Planes, *, autoreset: bool) -> None:
    rng = Random(pdd.format_rules(rules))
    rows: list[pdd.Node] = mixed(rules, sized(24, 6))
    games = GameBatch.from_states(rows)
    pool = GamePool.from_games(games, autoreset=autoreset, planes=kind)
    # Games that were over before did not end in a step of this pool.
    require_shown(pool, rows, [None] * len(rows))
    ends = 0
    for _ in range(sized(16, 4)):
        rows, ended = advance(pool, rows, rng, autoreset=autoreset)
        ends += sum(end is not None for end in ended)
        require_shown(pool, rows, ended)
    # A few steps do not end every game.
    assert ends > 0 or sized(0, 1)
    assert games.states() == GameBatch.from_states(games.states()).states()


@share(sized(60, 5) / 100)
@given(set_ups(), st.randoms(use_true_random=False))
def test_set_ups_that_no_play_reaches_go_on(state: pdd.GameState, rng: Random) -> None:
    firsts = [pdd.HalfTurn(state, cell) for cell in tuple(state.legal_actions.first_tiles)[:3]]
    rows: list[pdd.Node] = [state, *firsts]
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, autoreset=False)
    require_shown(pool, rows, [None] * len(rows))
    for _ in range(2):
        rows, ended = advance(pool, rows, rng, autoreset=False)
        require_shown(pool, rows, ended)


def test_some_games_are_reset() -> None:
    rules = pdd.Rules(pdd.Board(5, 4))
    start = pdd.GameState.initial(rules)
    rows: list[pdd.Node] = mixed(rules, 9)
    assert any(row.is_over for row in rows)
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, autoreset=False)
    rows, ended = advance(pool, rows, Random(1), autoreset=False)
    kept = everything(pool)
    pool.reset([])
    assert same_arrays(everything(pool), kept)
    pool.reset([0, -1, 0])
    rows[0] = start
    rows[-1] = start
    ended[0] = None
    ended[-1] = None
    require_shown(pool, rows, ended)
    over = np.array([row.is_over for row in rows])
    assert over.any()
    pool.reset(over)
    rows = [start if row.is_over else row for row in rows]
    ended = [None if gone else end for gone, end in zip(over, ended, strict=True)]
    require_shown(pool, rows, ended)
    rows, ended = advance(pool, rows, Random(2), autoreset=False)
    require_shown(pool, rows, ended)


@pytest.mark.parametrize("threads", [1, 3])
def test_an_illegal_step_changes_nothing(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 8)
    rules = pdd.Rules(pdd.Board(5, 4), bridges=1)
    rows: list[pdd.Node] = [row for row in mixed(rules, 24) if not row.is_over]
    rng = Random(5)
    pool = GamePool.from_games(GameBatch.from_states(rows), planes=True, threads=threads)
    # Also compare the games that were played, not only their layout.
    rows, _ = advance(pool, rows, rng, autoreset=True)
    codes = np.array([any_step(row, pool.space.legal_mask(row), rng) for row in rows])
    kept = everything(pool)
    for row in range(len(rows)):
        illegal = np.flatnonzero(pool.legal_mask[row] == 0)
        for code in rng.sample(illegal.tolist(), sized(12, 2)):
            wrong = codes.copy()
            wrong[row] = code
            # The error names the first of several illegal steps.
            wrong[row + 1 :] = np.where(wrong[row + 1 :] % 2, wrong[row + 1 :], code)
            with pytest.raises(pdd.IllegalActionError) as caught:
                pool.step(wrong)
            assert caught.value.row == row
            assert caught.value.violations == rows[row].violations(pool.space.decode(code)) != ()
            assert same_arrays(everything(pool), kept)
    pool.step(codes)
    assert not same_arrays(everything(pool), kept)


def test_a_pool_shows_the_same_arrays_all_the_time() -> None:
    pool = GamePool(SMALL, 4, planes=True, seed=3)
    places = [each.ctypes.data for each in shown(pool)]
    for _ in range(20):
        pool.step(pool.sample_steps())
        pool.reset([1])
        assert [each.ctypes.data for each in shown(pool)] == places
    kinds = [(each.dtype.name, each.shape) for each in shown(pool)]
    plain = [("int8", (4,)), ("bool", (4,)), ("int8", (4, 2)), ("int32", (4, 2)), ("int32", (4,))]
    assert kinds == [("uint8", (4, len(pool.space))), *plain, ("uint8", (4, 27, 4, 5))]
    assert all(each.flags.c_contiguous and not each.flags.writeable for each in shown(pool))
    # Then JAX uses the arrays without copying them.
    assert not any(each.ctypes.data % 64 for each in shown(pool))
    assert pool.space == pdd.StepSpace(SMALL.board)
    assert pool.rules is SMALL
    assert repr(pool) == "<GamePool of 4 on 5×4>"


# NumPy 2.5 and later warn about a way that older versions need.
@pytest.mark.filterwarnings("ignore:Setting the shape:DeprecationWarning")
def test_a_new_shape_of_an_array_does_not_change_the_pool() -> None:
    pool = GamePool(SMALL, 2, planes=True)
    before = [(each.shape, each.dtype) for each in shown(pool)]
    for each in shown(pool):
        with pytest.raises(ValueError, match="read-only"):
            each[:] = 1
        each.shape = (1, *each.shape)
    assert [(each.shape, each.dtype) for each in shown(pool)] == before


def test_callers_may_keep_the_arrays_of_a_step() -> None:
    pools = [GamePool(SMALL, 7, seed=2, planes=True) for _ in range(2)]
    pool, other = pools
    left: list[tuple[Arrays, Arrays]] = []
    for _ in range(sized(60, 8)):
        arrays: Arrays = (pool.legal_mask, pool.planes)
        left.append((arrays, tuple(array.copy() for array in arrays)))
        codes = pool.sample_steps()
        with pool._new_arrays(np.empty_like):
            pool.step(codes)
        other.step(codes)
        assert same_arrays(everything(pool), everything(other))
    with pool._new_arrays(np.copy):
        pool.reset([0])
    other.reset([0])
    assert same_arrays(everything(pool), everything(other))
    for arrays, before in left:
        assert same_arrays(arrays, before)


def test_arrays_stay_where_a_step_is_refused() -> None:
    pool = GamePool(SMALL, 3, planes=True)
    places = [each.ctypes.data for each in shown(pool)]
    before = everything(pool)
    for codes, kind in (([0, -2, 1], RowError), ([0, 1], pdd.PonteError), ([0.5], TypeError)):
        with pytest.raises(kind), pool._new_arrays(np.empty_like):
            pool.step(codes)
        assert [each.ctypes.data for each in shown(pool)] == places
        assert same_arrays(everything(pool), before)
    pool.step(pool.sample_steps())
    assert [each.ctypes.data for each in shown(pool)] == places
    assert not same_arrays(everything(pool), before)


def test_games_are_a_value_that_later_steps_do_not_change() -> None:
    pool = GamePool(SMALL, 4)
    pool.step([0, 1, 2, 3])
    games = pool.games
    kept = tuple(each.copy() for each in arrays_of(games))
    codes = pool.sample_steps()
    drawn = codes.copy()
    pool.step(codes)
    assert same_arrays(arrays_of(games), kept)
    pool.sample_steps()
    assert np.array_equal(codes, drawn)
    # From equal states, the same step leads to equal states.
    assert same_arrays(arrays_of(games.step(codes)), arrays_of(pool.games))


def test_packed_planes_have_words_of_64_bits() -> None:
    for sides, length in (((1, 1), 16), ((16, 8), 16), ((43, 3), 24), ((16, 16), 32)):
        pool = GamePool(pdd.Rules(pdd.Board(*sides)), 2, planes="packed")
        assert pool.planes.shape == (2, 27, length)
        assert pool.final_planes.shape == (0, 27, length)
        for each in (pool, GamePool(pool.rules, 1, planes=True)):
            code = int(each.legal_mask[0].nonzero()[0][-1])
            each.step([code] * each.size)
            found = unpacked(pool.rules.board, each.planes)[0]
            assert np.array_equal(found, planes(each.games[0]))
    with pytest.raises(pdd.PonteError, match="planes must be true, false or packed, not 'bits'"):
        GamePool(SMALL, planes=cast(Planes, "bits"))


def test_a_pool_without_planes_shows_none() -> None:
    pool = GamePool(SMALL, 2, seed=1)
    for _ in range(60):
        pool.step(pool.sample_steps())
    for name in ("planes", "final_planes"):
        with pytest.raises(pdd.PonteError, match="this pool was made without planes"):
            getattr(pool, name)


@pytest.mark.parametrize("planes", [True, False])
@pytest.mark.parametrize("rules", [SMALL, pdd.Rules(pdd.Board(40, 2))], ids=pdd.format_rules)
def test_a_pool_may_be_empty(rules: pdd.Rules, *, planes: bool) -> None:
    other = GamePool.from_games(GameBatch.initial(rules, 0), planes=planes)
    for pool in (GamePool(rules, 0, planes=planes, threads=2), other):
        require_shown(pool, [], [], pictures=planes)
        codes = pool.sample_steps()
        assert (codes.shape, codes.dtype.name) == ((0,), "int32")
        assert pool.sample_steps(np.ones((0, len(pool.space)))).shape == (0,)
        pool.step(codes)
        pool.step([])
        pool.reset([])
        require_shown(pool, [], [], pictures=planes)


def play(size: int, threads: int, steps: int, seed: int = 9) -> Iterator[Arrays]:
    """Play sampled steps in a pool; yield its arrays and the steps."""
    pool = GamePool(SMALL, size, seed=seed, threads=threads, planes="packed" if size > 1 else True)
    weights = np.random.default_rng(seed).random((size, len(pool.space)))
    for step in range(steps):
        codes = pool.sample_steps(weights if step % 3 == 2 else None)
        pool.step(codes)
        yield (codes, *everything(pool))


@pytest.mark.parametrize("processors", [1, 3, 64])
def test_draws_do_not_depend_on_threads(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, processors)
    steps = sized(40, 12)
    for size, threads in product((1, 2, sized(37, 5)), (1, 2, 3, 64)):
        for one, other in zip(play(size, 1, steps), play(size, threads, steps), strict=True):
            assert same_arrays(one, other)
    other_seed = play(5, 1, steps, seed=10)
    assert not any(map(same_arrays, play(5, 1, steps), other_seed))


@pytest.mark.parametrize("make", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_pool_is_neither_copied_nor_pickled(make: Callable[[object], object]) -> None:
    with pytest.raises(TypeError, match="a pool cannot be copied or pickled; its games can"):
        make(GamePool(SMALL))


def test_codes_are_copied_before_they_are_looked_at() -> None:
    codes = np.zeros(4, np.int64)
    assert not np.shares_memory(codes_for(codes, 4, "codes"), codes)


@njit_cached
def count_up(numbers: npt.NDArray[np.int64], times: int) -> None:
    """Add to a number many times, and keep the minimum of its earlier values."""
    for _ in range(times):
        shared.fetch_min(numbers, 1, -shared.fetch_add(numbers, 0, 3))
        shared.pause()


def test_threads_count_together() -> None:
    threads = 1 if JIT_DISABLED else 4
    times = sized(100_000, 50)
    numbers = np.zeros(3, np.int64)
    with ThreadPoolExecutor(threads) as pool:
        for each in [pool.submit(count_up, numbers, times) for _ in range(threads)]:
            each.result()
    assert numbers.tolist() == [3 * threads * times, -3 * (threads * times - 1), 0]


def test_counters_are_read_and_written() -> None:
    numbers = np.array([5, 6], np.int64)
    assert read_and_write(numbers) == 56
    assert numbers.tolist() == [5, -7]


@njit_cached
def read_and_write(numbers: npt.NDArray[np.int64]) -> int:
    """Return two numbers, and write the second."""
    before = 10 * shared.atomic_load(numbers, 0) + shared.atomic_load(numbers, 1)
    shared.atomic_store(numbers, 1, -7)
    return before


@pytest.mark.parametrize("spins", [0, 1, 50_000])
def test_workers_may_start_and_leave_any_time(spins: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 3)
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", spins)
    steps = sized(150, 6)
    for size in (2, 3, 7, sized(700, 8)):
        assert all(map(same_arrays, play(size, 1, steps), play(size, 3, steps)))


def test_workers_do_the_rest_of_the_leader() -> None:
    pool = GamePool(SMALL, 50, seed=4)
    wanted = GamePool(SMALL, 50, seed=4).sample_steps()
    state = pool._state
    counters = pool._workers._counters
    kernel(pool_ops.publish)(counters, pool_ops.SAMPLE, 50)
    # The thread does the work of all shares. Nothing is left for the others.
    for _ in range(2):
        assert pool_ops.worker_loop(state, counters, pool_ops.ASSIST, 0, 3) == -1
        assert counters[pool_ops.DONE] == 50
        assert np.array_equal(state.sampled, wanted)


@pytest.mark.skipif(not JIT_DISABLED, reason="nobody can hold up what is compiled")
def test_the_leader_waits_for_the_last_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    publish = pool_ops.publish
    pool = GamePool(SMALL, 6, seed=4)
    wanted = GamePool(SMALL, 6, seed=4).sample_steps()

    def taken_from(counters: npt.NDArray[np.int64], task: int, size: int) -> None:
        # A worker takes the first chunk and is delayed.
        publish(counters, task, size)
        counters[pool_ops.NEXT_GAMES] += 1

    def pause() -> None:
        counters = pool._workers._counters
        assert counters[pool_ops.DONE] == 5
        pool_ops.run_chunk(pool._state, counters, pool_ops.SAMPLE, 0, 1)

    monkeypatch.setattr(pool_ops, "publish", taken_from)
    monkeypatch.setattr(pool_ops, "pause", pause)
    assert np.array_equal(pool.sample_steps(), wanted)


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Future[Any]]:
    """Return a list to which later tasks of threads are added, with three processors."""
    share_all(monkeypatch, 3)
    found: list[Future[Any]] = []
    submit = ThreadPoolExecutor.submit

    def noted(executor: ThreadPoolExecutor, *arguments: Any) -> Future[Any]:
        found.append(submit(executor, *arguments))
        return found[-1]

    monkeypatch.setattr(ThreadPoolExecutor, "submit", noted)
    return found


@pytest.mark.skipif(JIT_DISABLED, reason="threads that are not compiled only take turns")
def test_workers_leave_when_nothing_is_left_to_do(submitted: list[Future[Any]]) -> None:
    pool = GamePool(SMALL, 30, threads=3)
    assert submitted == []
    pool.step(pool.sample_steps())
    workers = set(submitted)
    assert wait(workers, timeout=60).not_done == set()
    # Other threads take over.
    pool.step(pool.sample_steps())
    assert len(submitted) > len(workers) >= 2


@pytest.mark.skipif(JIT_DISABLED, reason="threads that are not compiled only take turns")
def test_workers_make_way(submitted: list[Future[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 10**10)
    pools = [GamePool(SMALL, 30, threads=3) for _ in range(2)]
    for pool in (*pools, *pools):
        codes = pool.sample_steps()
        pool.step(codes)
    # With such a long spin, the threads would run for minutes.
    assert wait(submitted[:-2], timeout=60).not_done == set()
    GameBatch.initial(SMALL, 50).playout(1, threads=3)
    assert wait(submitted, timeout=60).not_done == set()


def test_workers_write_to_new_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 3)
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 10**6)
    alone, together = (GamePool(SMALL, 50, threads=threads, planes=True) for threads in (1, 3))
    for _ in range(20):
        codes = together.sample_steps()
        assert np.array_equal(alone.sample_steps(), codes)
        alone.step(codes)
        with together._new_arrays(np.empty_like):
            together.step(codes)
        assert same_arrays(everything(alone), everything(together))


@pytest.mark.skipif(JIT_DISABLED, reason="threads that are not compiled only take turns")
def test_workers_per_process(submitted: list[Future[Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 5 * 10**7)
    pool = GamePool(SMALL, 30, threads=2)
    pool.sample_steps()
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 1)
    process = os.getpid()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: process + 1)
        pool.sample_steps()
    assert len(submitted) == 2
