"""Sharing rows among threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import cache
from itertools import pairwise
from threading import Lock
from typing import SupportsIndex, TypeVar

from pontedeldiavolo.base.checks import whole_number
from pontedeldiavolo.base.errors import PonteError

T = TypeVar("T")

_PARTS_PER_THREAD = 4
WORTH_A_PART = 16
"""A part has so many times as many rows as are worth a thread, or is a thread's only one."""
WORTH_A_THREAD = 256
"""So many rows of a single step each take longer than to hand them over."""


def thread_count(threads: SupportsIndex) -> int:
    """Return a number of threads.

    Raises:
        TypeError: If it is not a whole number.
        PonteError: If it is not positive.
    """
    found = whole_number(threads, "threads")
    if found < 1:
        raise PonteError(f"threads must be positive: {found}")
    return found


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
