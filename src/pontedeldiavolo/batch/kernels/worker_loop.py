"""The compiled loop in which threads play the games of a pool.

A *task* is done to every game. A thread takes a *chunk* of games that nobody has taken, does the
task to them, and comes back for more. One thread leads: it publishes the task, works along, and
waits for the last chunk. The other workers spin for a while until there is a next task, and then
leave. A late worker finds nothing left to take, or the next task: so workers may come and go at any
time.

The counters that threads share are read and written by atomic instructions. Uncompiled, there is a
single thread, and the plain functions here take their place.
"""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.pool_ops import (
    PoolOutputs,
    first_illegal,
    sample_games,
    step_games,
)
from pontedeldiavolo.batch.rows import NONE

Counters = npt.NDArray[np.int64]


def atomic_load(counters: Counters, at: int) -> int:
    """Return a number."""
    return int(counters[at])


def atomic_store(counters: Counters, at: int, value: int) -> None:
    """Set a number."""
    counters[at] = value


def fetch_add(counters: Counters, at: int, more: int) -> int:
    """Add to a number, and return what it was before."""
    before = atomic_load(counters, at)
    counters[at] += more
    return before


def fetch_min(counters: Counters, at: int, most: int) -> int:
    """Make a number no greater than another, and return what it was before."""
    before = atomic_load(counters, at)
    counters[at] = min(before, most)
    return before


def pause() -> None:
    """Wait for a moment."""


if not JIT_DISABLED:
    _atomic = import_module(f"{__package__}.atomic")
    globals().update(
        {
            name: getattr(_atomic, name)
            for name in ("atomic_load", "atomic_store", "fetch_add", "fetch_min", "pause")
        }
    )


SAMPLE, CHECK, STEP, ASSIST = range(4)
"""The tasks; the last is to assist with the others."""

DONE, REFUSED, CHUNK, SHARES, STOP, NEXT = 0, 8, 9, 10, 11, 16
"""Indices of counters; from the last on, there is one for each share."""
CACHE_LINE = 8
"""Counters that are written often are 64 bytes apart: processors exchange such lines."""
TASK_SHIFT = 40
"""A share's counter has its next free game in the bits below, and the task above."""
ROW_MASK = (1 << TASK_SHIFT) - 1


class PoolState(NamedTuple):
    """The arrays of a pool that tasks read and write."""

    tables: GameArray
    games: GameArray
    outputs: PoolOutputs
    wanted: npt.NDArray[np.int64]
    """(n,): the steps to check and to play."""
    sampled: npt.NDArray[np.int32]
    """(n,): the steps that were sampled."""
    restart: bool
    """Whether games that are over restart."""


@njit_inline
def share_begin(counters: Counters, share: int, size: int) -> int:
    """Return the first game of a share, the one after the last of the share before."""
    return size * share // counters[SHARES]


@njit_inline
def publish(counters: Counters, task: int, size: int) -> None:
    """Publish a task to all workers."""
    atomic_store(counters, DONE, 0)
    atomic_store(counters, REFUSED, size)
    for share in range(counters[SHARES]):
        atomic_store(
            counters,
            NEXT + CACHE_LINE * share,
            task << TASK_SHIFT | share_begin(counters, share, size),
        )


@njit_inline
def run_chunk(state: PoolState, counters: Counters, task: int, begin_at: int, end_at: int) -> None:
    """Do a task to some games."""
    tables, games, outputs, wanted, sampled, restart = state
    if task == SAMPLE:
        sample_games(tables, games, sampled, begin_at, end_at)
    elif task == CHECK:
        row = first_illegal(tables, games, wanted, begin_at, end_at)
        if row != NONE:
            fetch_min(counters, REFUSED, row)
    else:
        step_games(tables, games, wanted, outputs, restart, begin_at, end_at)
    fetch_add(counters, DONE, end_at - begin_at)


@njit_inline
def run_share(state: PoolState, counters: Counters, share: int) -> bool:
    """Take and run chunks of a share until none is left; tell whether there was one."""
    size, chunk, found = len(state.games), counters[CHUNK], False
    place, end = NEXT + CACHE_LINE * share, share_begin(counters, share + 1, size)
    while (atomic_load(counters, place) & ROW_MASK) < end:
        taken = fetch_add(counters, place, chunk)
        # By now it may be a chunk of the next task; or none is left, and this one is empty.
        begin_at = min(taken & ROW_MASK, end)
        run_chunk(state, counters, taken >> TASK_SHIFT, begin_at, min(begin_at + chunk, end))
        found = True
    return found


# One function for all: each would be compiled with all that is done to games.
@njit_cached
def worker_loop(state: PoolState, counters: Counters, task: int, own: int, spins: int) -> int:
    """Lead a task, or assist with tasks until there has been none for a while.

    Workers that are to stop do so as soon as nothing is left to take. Every thread begins with its
    own share, whose games its processor has in its cache, and then takes from the others.

    Args:
        state: The arrays of the pool.
        counters: The progress of all threads.
        task: A task to lead, or ASSIST. After CHECK comes STEP, if all is well.
        own: The number of the thread's own share.
        spins: How often an assisting worker looks for a task in vain.

    Returns:
        The first game whose step is illegal, or -1.
    """
    size, shares, idle = len(state.games), counters[SHARES], 0
    if task != ASSIST:
        publish(counters, task, size)
    while idle < spins:
        for further in range(shares):
            if run_share(state, counters, (own + further) % shares):
                idle = 0
        if task == ASSIST:
            idle = spins if atomic_load(counters, STOP) else idle + 1
        elif atomic_load(counters, DONE) == size:
            refused = atomic_load(counters, REFUSED)
            if task != CHECK or refused < size:
                return refused if refused < size else NONE
            task = STEP
            publish(counters, task, size)
        pause()
    return NONE
