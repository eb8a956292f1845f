"""Threads that share the rows of a batch or the games of a pool."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache, partial
from itertools import pairwise
from threading import Lock
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.crews import (
    CHECK,
    DRAW,
    HELP,
    LEAVE,
    LINE,
    NEXT,
    PART,
    SHARES,
    Crewed,
    attend,
)
from pontedeldiavolo.batch.kernels.game import aligned
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.batch.kernels.pool_ops import PoolOutputs

T = TypeVar("T")

WORTH_A_PART = 16
"""A part has so many times as many rows as are worth a thread, or is a thread's only one."""
WORTH_A_THREAD = 256
"""So many rows of a single step each take longer than to hand them over."""


def share(work: Callable[[int, int], T], size: int, threads: int, least: int = 1) -> list[T]:
    """Do *work* on parts of *size* rows, from one to before another, on some threads.

    No part has fewer than *least* rows. Whatever happens, all of them are done in the end: an
    interrupted call waits for its threads.
    """
    # More threads than processors make nothing faster.
    workers = 1 if threads == 1 else min(threads, size // least, processors())
    if workers <= 1:
        return [work(0, size)]
    # Several parts for each, if they are long enough: a thread that is held up leaves the rest to
    # the others. But whoever is done with one waits for the interpreter's lock.
    number = min(max(workers, size // (WORTH_A_PART * least)), _PARTS_PER_THREAD * workers)
    parts = pairwise(size * part // number for part in range(number + 1))
    found: list[T] = []
    one_at_a_time = Lock()

    def next_part() -> tuple[int, int] | None:
        with one_at_a_time:
            return next(parts, None)

    def work_off() -> None:
        while (part := next_part()) is not None:
            found.append(work(*part))

    threads_that_wait = helpers()
    others = [threads_that_wait.submit(work_off) for _ in range(workers - 1)]
    try:
        work_off()
    finally:
        # Who has not begun by now has nothing to do.
        begun = finished(others)
    for each in begun:
        each.result()
    return found


def finished(futures: Iterable[Future[T]]) -> list[Future[T]]:
    """Return those that have begun, when they have come to their end; the others never begin."""
    begun = [each for each in futures if not each.cancel()]
    if begun:
        wait(begun)
    return begun


def processors() -> int:
    """Return how many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Lent:
    """Who has the threads."""

    def __init__(self) -> None:
        self.dismiss: Callable[[], object] | None = None


_lent = _Lent()


def helpers(dismiss: Callable[[], object] | None = None) -> ThreadPoolExecutor:
    """Return threads that wait for work, one fewer than there are processors.

    Whoever keeps them waiting for more of the same, with processors that others could use, says
    how to *dismiss* them: that is called before others have them.
    """
    before, _lent.dismiss = _lent.dismiss, dismiss
    if before is not None and before is not dismiss:
        before()
    return _helpers(os.getpid())


@cache
def _helpers(_process: int) -> ThreadPoolExecutor:
    # Threads do not live on in a copy of the process.
    return ThreadPoolExecutor(max(1, processors() - 1), "pontedeldiavolo")


def chunks(rows: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the bounds of parts of *rows* of at most so many."""
    for first in range(0, rows, size):
        yield first, min(first + size, rows)


_PART = 64
"""So many games are taken at once, if there are enough for all."""
_PARTS_PER_THREAD = 4
PATIENCE = 50_000
"""For so many moments helpers wait for the next job: for a millisecond, more or less.

It takes about as long until one that sleeps works on a processor of its own; a loop over steps is
back sooner.
"""


class Crew:
    """The thread that calls, and helpers where they are worth it."""

    def __init__(
        self,
        table: npt.NDArray[np.void],
        games: npt.NDArray[np.void],
        seen: PoolOutputs,
        threads: int,
        *,
        restart: bool,
    ) -> None:
        size = len(games)
        # Threads that are not compiled only take turns.
        most = 1 if JIT_DISABLED else min(threads, size // WORTH_A_THREAD)
        shares = max(1, min(most, processors()))
        self._counters = aligned((NEXT + LINE * shares,), np.int64)
        self._counters[PART] = max(1, min(_PART, size // (_PARTS_PER_THREAD * shares)))
        self._counters[SHARES] = shares
        # There is no job yet.
        self._counters[NEXT::LINE] = size
        self._crewed = Crewed(
            table,
            games,
            seen,
            wanted=np.zeros(size, np.int64),
            drawn=np.zeros(size, np.int32),
            restart=restart,
        )
        self._others = range(1, shares)
        # That is kept by others, and so must not keep all the games.
        self._dismiss = partial(self._counters.__setitem__, LEAVE, 1)
        self._helpers: dict[tuple[int, int], Future[int]] = {}

    def show_in(self, seen: PoolOutputs) -> None:
        """Show the games in other arrays from now on."""
        # Helpers know only those that they came for.
        self._dismiss()
        process = os.getpid()
        finished(each for (owner, _), each in self._helpers.items() if owner == process)
        self._crewed = self._crewed._replace(seen=seen)

    def draw(self) -> npt.NDArray[np.int32]:
        """Draw a legal step for every game."""
        self._lead(DRAW)
        return self._crewed.drawn.copy()

    def step(self, wanted: npt.NDArray[np.int64]) -> int:
        """Play steps and return -1, or play none and return the first that is illegal."""
        self._crewed.wanted[:] = wanted
        return self._lead(CHECK)

    def _lead(self, job: int) -> int:
        if self._others:
            self._call_helpers()
        return attend(self._crewed, self._counters, job, 0, 1)

    def _call_helpers(self) -> None:
        """Have helpers come that are not there."""
        # They do not live on in a copy of the process.
        process = os.getpid()
        threads = helpers(self._dismiss)
        self._counters[LEAVE] = 0
        for own in self._others:
            helper = self._helpers.get((process, own))
            if helper is None or helper.done():
                self._helpers[process, own] = threads.submit(
                    attend, self._crewed, self._counters, HELP, own, PATIENCE
                )
