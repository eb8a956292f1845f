"""Threads that share the rows of a batch or the games of a pool."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import suppress
from functools import cache, partial
from itertools import pairwise
from typing import TypeVar

import numpy as np

from .kernels import pool_ops
from .kernels.game import aligned
from .kernels.jit import JIT_DISABLED

T = TypeVar("T")

ROWS_PER_CHUNK = 16
"""A chunk has at least this many times *least* rows, or is its thread's only one."""
ROWS_PER_THREAD = 256
"""With fewer rows, a single step takes less time than waking a thread."""
_GAMES_PER_CHUNK = 64
"""The number of games in a chunk, if there are enough for all threads."""
_CHUNKS_PER_THREAD = 4
SPIN_COUNT = 50_000
"""Workers spin this many times before they leave: about a millisecond.

Waking a sleeping thread takes about as long; a loop over steps has its next task sooner.
"""


def map_chunks(
    work: Callable[[int, int], T], size: int, threads: int, *, min_rows: int = 1
) -> list[T]:
    """Call *work* with the bounds of each chunk of *size* rows, in some threads.

    No chunk has fewer than *min_rows* rows. An interrupted call waits for the chunks that its
    threads have begun, so none of them works on after it.
    """
    # More threads than processors would not be faster.
    workers = 1 if threads == 1 else min(threads, size // min_rows, processors())
    if workers <= 1:
        return [work(0, size)]
    # Several chunks for each thread, if they are long enough: if a thread is held up, the others
    # take the rest. But each further chunk waits once for the global interpreter lock.
    number = min(max(workers, size // (ROWS_PER_CHUNK * min_rows)), _CHUNKS_PER_THREAD * workers)
    bounds = pairwise(size * chunk // number for chunk in range(number + 1))
    # A thread stops when it takes a None, so there is one for each.
    chunks = deque((*bounds, *[None] * workers))
    found: list[T] = []

    def work_off() -> None:
        while (chunk := chunks.popleft()) is not None:
            found.append(work(*chunk))

    threads_that_wait = worker_threads()
    others: list[Future[None]] = []
    # While the interpreter shuts down, other threads accept no work, and this one does all of it.
    with suppress(RuntimeError):
        others.extend(threads_that_wait.submit(work_off) for _ in range(workers - 1))
    try:
        work_off()
    except BaseException:
        # After Ctrl-C the others finish the chunks that they have begun, and begin no more.
        chunks.clear()
        chunks.extend([None] * workers)
        raise
    finally:
        # A thread that has not started by now has nothing left to do.
        started = wait_for_started(others)
    for each in started:
        each.result()
    return found


def wait_for_started(futures: Iterable[Future[T]]) -> list[Future[T]]:
    """Cancel the futures that have not started; wait for the others, and return them."""
    started = [each for each in futures if not each.cancel()]
    wait(started)
    return started


def processors() -> int:
    """Return the number of processors that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


_spinning: list[Callable[[], object]] = []
"""The function that stops the pool whose workers spin in the threads, if any."""


def worker_threads(stop: Callable[[], object] | None = None) -> ThreadPoolExecutor:
    """Return the threads of this process, one fewer than there are processors.

    The spinning workers of a pool occupy processors. So the pool passes a function *stop* that ends
    them: it is called before any other caller gets the threads.
    """
    for before in _spinning:
        if before is not stop:
            before()
    _spinning[:] = [] if stop is None else [stop]
    return _workers(os.getpid())


@cache
def _workers(_process: int) -> ThreadPoolExecutor:
    # Threads do not survive a fork.
    return ThreadPoolExecutor(max(1, processors() - 1), "pontedeldiavolo")


class WorkerPool:
    """The calling thread and, if there are enough games, further workers for one pool."""

    def __init__(self, threads: int, size: int) -> None:
        # Threads that run uncompiled code only take turns.
        useful_threads = 1 if JIT_DISABLED else min(threads, size // ROWS_PER_THREAD)
        shares = max(1, min(useful_threads, processors()))
        self._counters = aligned((pool_ops.NEXT_GAMES + pool_ops.CACHE_LINE * shares,), np.int64)
        chunk = min(_GAMES_PER_CHUNK, size // (_CHUNKS_PER_THREAD * shares))
        self._counters[pool_ops.CHUNK] = max(1, chunk)
        self._counters[pool_ops.SHARES] = shares
        # There is no task yet.
        self._counters[pool_ops.NEXT_GAMES :: pool_ops.CACHE_LINE] = size
        self._shares = range(1, shares)
        # This may outlive the pool, so it must not refer to the pool's games.
        self._stop = partial(self._counters.__setitem__, pool_ops.STOP, 1)
        self._workers: dict[tuple[int, int], Future[int]] = {}

    def stop(self) -> None:
        """Stop the workers and wait for them, so that new ones can use other arrays."""
        self._stop()
        process = os.getpid()
        wait_for_started(each for (owner, _), each in self._workers.items() if owner == process)

    def run(self, state: pool_ops.PoolState, task: int) -> int:
        """Perform a task on all games; return the first with an illegal step, or -1."""
        # SHOW needs no workers: few games are reset, or all of them once before the first step.
        if self._shares and task != pool_ops.SHOW:
            self._start_workers(state)
        return pool_ops.worker_loop(state, self._counters, task, 0, 1)

    def _start_workers(self, state: pool_ops.PoolState) -> None:
        """Start the workers that are not running."""
        # Threads do not survive a fork.
        process = os.getpid()
        threads = worker_threads(self._stop)
        self._counters[pool_ops.STOP] = 0
        for own in self._shares:
            worker = self._workers.get((process, own))
            if worker is None or worker.done():
                self._workers[process, own] = threads.submit(
                    pool_ops.worker_loop, state, self._counters, pool_ops.ASSIST, own, SPIN_COUNT
                )
