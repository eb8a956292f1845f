"""Several threads at the games of one pool."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pontedeldiavolo.batch import GameBatch, GamePool, worker_pool
from pontedeldiavolo.batch.kernels import pool_ops
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached
from support.batch_rows import SMALL
from support.batches import Arrays, kernel, same_arrays, share_all, sized
from support.pools import everything


@njit_cached
def count_up(numbers: npt.NDArray[np.int64], times: int) -> None:
    """Add up, and keep the least of what there was, many times."""
    for _ in range(times):
        pool_ops.fetch_min(numbers, 1, -pool_ops.fetch_add(numbers, 0, 3))
        pool_ops.pause()


def test_threads_count_together() -> None:
    threads, times = (1 if JIT_DISABLED else 4), sized(100_000, 50)
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
    """Return what two numbers were, and write the second."""
    before = 10 * pool_ops.atomic_load(numbers, 0) + pool_ops.atomic_load(numbers, 1)
    pool_ops.atomic_store(numbers, 1, -7)
    return before


def played(size: int, threads: int) -> Iterator[Arrays]:
    """Yield all that a pool shows while it plays steps that it draws, and those."""
    pool = GamePool(SMALL, size, seed=4, threads=threads, planes=True)
    for _ in range(sized(150, 6)):
        codes = pool.sample()
        pool.step(codes)
        yield (codes, *everything(pool))


@pytest.mark.parametrize("spins", [0, 1, 50_000])
def test_workers_may_start_and_leave_at_any_time(
    spins: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_all(monkeypatch, 3)
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", spins)
    for size in (2, 3, 7, sized(700, 8)):
        for alone, together in zip(played(size, 1), played(size, 3), strict=True):
            assert same_arrays(alone, together)


def test_workers_do_the_rest_of_the_leader() -> None:
    pool = GamePool(SMALL, 50, seed=4)
    wanted = GamePool(SMALL, 50, seed=4).sample()
    state, counters = pool._state, pool._workers._counters
    kernel(pool_ops.publish)(counters, pool_ops.SAMPLE, 50)
    # Whatever share is its own, it takes all. Then there is nothing left to do, or to undo.
    for _ in range(2):
        assert pool_ops.worker_loop(state, counters, pool_ops.ASSIST, 0, 3) == -1
        assert counters[pool_ops.DONE] == 50
        assert np.array_equal(state.sampled, wanted)


@pytest.mark.skipif(not JIT_DISABLED, reason="nobody can hold up what is compiled")
def test_the_leader_waits_for_the_last_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    publish, pool = pool_ops.publish, GamePool(SMALL, 6, seed=4)
    wanted = GamePool(SMALL, 6, seed=4).sample()

    def taken_from(counters: npt.NDArray[np.int64], task: int, size: int) -> None:
        # A worker takes the first chunk, and is held up.
        publish(counters, task, size)
        counters[pool_ops.NEXT] += 1

    def pause() -> None:
        counters = pool._workers._counters
        assert counters[pool_ops.DONE] == 5
        pool_ops.run_chunk(pool._state, counters, pool_ops.SAMPLE, 0, 1)

    monkeypatch.setattr(pool_ops, "publish", taken_from)
    monkeypatch.setattr(pool_ops, "pause", pause)
    assert np.array_equal(pool.sample(), wanted)


@pytest.fixture
def submitted(monkeypatch: pytest.MonkeyPatch) -> list[Future[Any]]:
    """Return the tasks that threads get from now on, with three processors."""
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
    pool.step(pool.sample())
    workers = set(submitted)
    assert wait(workers, timeout=60).not_done == set()
    # Then others come.
    pool.step(pool.sample())
    assert len(submitted) > len(workers) >= 2


@pytest.mark.skipif(JIT_DISABLED, reason="threads that are not compiled only take turns")
def test_workers_leave_when_others_want_them(
    submitted: list[Future[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 10**10)
    pools = [GamePool(SMALL, 30, threads=3) for _ in range(2)]
    for pool in (*pools, *pools):
        codes = pool.sample()
        pool.step(codes)
    # With so many spins they would stay for minutes.
    assert wait(submitted[:-2], timeout=60).not_done == set()
    GameBatch.initial(SMALL, 50).playout(1, threads=3)
    assert wait(submitted, timeout=60).not_done == set()


def test_workers_write_to_new_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 3)
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 10**6)
    alone, together = (GamePool(SMALL, 50, threads=threads, planes=True) for threads in (1, 3))
    for _ in range(20):
        codes = together.sample()
        assert np.array_equal(alone.sample(), codes)
        alone.step(codes)
        with together._new_arrays(np.empty_like):
            together.step(codes)
        assert same_arrays(everything(alone), everything(together))


@pytest.mark.skipif(JIT_DISABLED, reason="threads that are not compiled only take turns")
def test_another_process_has_its_own_workers(
    submitted: list[Future[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 5 * 10**7)
    pool = GamePool(SMALL, 30, threads=2)
    pool.sample()
    monkeypatch.setattr(worker_pool, "SPIN_COUNT", 1)
    process = os.getpid()
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: process + 1)
        pool.sample()
    assert len(submitted) == 2
