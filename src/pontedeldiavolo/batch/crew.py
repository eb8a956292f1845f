"""A crew: threads that play a pool's games together."""

from __future__ import annotations

import os
from concurrent.futures import Future
from functools import partial

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch import sharing
from pontedeldiavolo.batch.kernels.compiled import UNCOMPILED
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
from pontedeldiavolo.batch.kernels.pools import Seen
from pontedeldiavolo.batch.memory import aligned

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
        seen: Seen,
        threads: int,
        *,
        restart: bool,
    ) -> None:
        size = len(games)
        # Threads that are not compiled only take turns.
        most = 1 if UNCOMPILED else min(threads, size // sharing.WORTH_A_THREAD)
        shares = max(1, min(most, sharing.processors()))
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

    def show_in(self, seen: Seen) -> None:
        """Show the games in other arrays from now on."""
        # Helpers know only those that they came for.
        self._dismiss()
        process = os.getpid()
        sharing.finished(each for (owner, _), each in self._helpers.items() if owner == process)
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
        threads = sharing.helpers(self._dismiss)
        self._counters[LEAVE] = 0
        for own in self._others:
            helper = self._helpers.get((process, own))
            if helper is None or helper.done():
                self._helpers[process, own] = threads.submit(
                    attend, self._crewed, self._counters, HELP, own, PATIENCE
                )
