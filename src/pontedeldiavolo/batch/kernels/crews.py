"""What is done with all games of a pool, by one thread or by several at once.

A *job* is done to every game. A thread takes some games that nobody has taken, as many as a *part*
has, does the job to them, and comes back for more. One thread leads: it says what the job is, works
along, and waits for the last part. The others, its *helpers*, look for the next job for a while and
then leave. Whoever comes late finds nothing left to take, or the next job: so helpers may come and
go at any time.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.counters import Counters, advance, lower, pause, read, write
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.pool_ops import (
    PoolOutputs,
    first_illegal,
    sample_games,
    step_games,
)
from pontedeldiavolo.batch.rows import NONE

DRAW, CHECK, STEP, HELP = range(4)
"""The jobs; the last is to help with the others."""

DONE, REFUSED, PART, SHARES, LEAVE, NEXT = 0, 8, 9, 10, 11, 16
"""Places of counters; from the last on, there is one for each share."""
LINE = 8
"""What is written often has 64 bytes of its own: processors hand these to each other as a whole."""
JOB = 40
"""The next game that nobody has taken has so many bits, and above them is the job: both are taken
at once."""
GAMES = (1 << JOB) - 1


class Crewed(NamedTuple):
    """What jobs are done to and with: always the same."""

    tables: GameArray
    games: GameArray
    seen: PoolOutputs
    wanted: npt.NDArray[np.int64]
    """(n,): the steps to check and to play."""
    drawn: npt.NDArray[np.int32]
    """(n,): the steps that were drawn."""
    restart: bool
    """Whether games that are over begin anew."""


@njit_inline
def begin_of(counters: Counters, share: int, size: int) -> int:
    """Return the first game of a share; it is the one behind the last of the share before."""
    return size * share // counters[SHARES]


@njit_inline
def order(counters: Counters, job: int, size: int) -> None:
    """Let everybody know of a job."""
    write(counters, DONE, 0)
    write(counters, REFUSED, size)
    for share in range(counters[SHARES]):
        write(counters, NEXT + LINE * share, job << JOB | begin_of(counters, share, size))


@njit_inline
def do_part(crewed: Crewed, counters: Counters, job: int, begin_at: int, end_at: int) -> None:
    """Do a job to some games."""
    tables, games, seen, wanted, drawn, restart = crewed
    if job == DRAW:
        sample_games(tables, games, drawn, begin_at, end_at)
    elif job == CHECK:
        row = first_illegal(tables, games, wanted, begin_at, end_at)
        if row != NONE:
            lower(counters, REFUSED, row)
    else:
        step_games(tables, games, wanted, seen, restart, begin_at, end_at)
    advance(counters, DONE, end_at - begin_at)


@njit_inline
def do_share(crewed: Crewed, counters: Counters, share: int) -> bool:
    """Take and do parts of a share until none is left, and tell whether there was one."""
    size, part, found = len(crewed.games), counters[PART], False
    place, end = NEXT + LINE * share, begin_of(counters, share + 1, size)
    while (read(counters, place) & GAMES) < end:
        taken = advance(counters, place, part)
        # By now it may be a part of the next job; or there is none left, and this one is empty.
        begin_at = min(taken & GAMES, end)
        do_part(crewed, counters, taken >> JOB, begin_at, min(begin_at + part, end))
        found = True
    return found


# One function for all: each would be compiled with all that is done to games.
@njit_cached
def attend(crewed: Crewed, counters: Counters, job: int, own: int, patience: int) -> int:
    """Lead a job, or help with whatever there is until there has been nothing for a while.

    Helpers that are to leave do so as soon as nothing is left.

    Every thread begins with a share of its own: its processor has these games at hand. Then it
    takes from the others what is left.

    Args:
        crewed: What it is done to.
        counters: Who has what.
        job: A job, or HELP. After CHECK comes STEP, if all is well.
        own: The number of one's own share.
        patience: For how many moments helpers wait.

    Returns:
        The first game that was refused, or -1.
    """
    size, shares, idle = len(crewed.games), counters[SHARES], 0
    if job != HELP:
        order(counters, job, size)
    while idle < patience:
        for further in range(shares):
            if do_share(crewed, counters, (own + further) % shares):
                idle = 0
        if job == HELP:
            idle = patience if read(counters, LEAVE) else idle + 1
        elif read(counters, DONE) == size:
            refused = read(counters, REFUSED)
            if job != CHECK or refused < size:
                return refused if refused < size else NONE
            job = STEP
            order(counters, job, size)
        pause()
    return NONE
