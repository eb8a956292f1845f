"""Turns of requests: the server works on a few requests of each client at a time."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from typing import Final, final

from attrs import define, field

MAX_WORKING: Final = 8
"""The number of requests on which the server works at a time."""
MAX_WORKING_EACH: Final = 1
"""The number of a client's reads on which the server works at a time, and that of its writes."""


@final
@define(eq=False)
class Turns:
    """Turns to work on requests, shared fairly between their owners. For a single event loop.

    An owner is a client's reads, or a client's writes: a text that names them. A request that waits
    for news must not hold a turn.

    Attributes:
        max_working: The number of turns at a time.
        max_working_each: The number of turns of each owner at a time.
    """

    max_working: int = MAX_WORKING
    max_working_each: int = MAX_WORKING_EACH
    _working: Counter[str] = field(factory=Counter, init=False)
    _waiting: dict[str, deque[asyncio.Future[None]]] = field(factory=dict, init=False)

    async def begin(self, owner: str) -> None:
        """Wait for a turn of an owner. Call :meth:`end` after the work."""
        if self._is_free() and self._may_work(owner):
            self._working[owner] += 1
            return
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            # If the turn was granted at the same moment, pass it on to another request.
            if turn.done() and not turn.cancelled():
                self.end(owner)
            raise

    def end(self, owner: str) -> None:
        """Give a turn back; give free turns to the owners that have waited longest."""
        self._working[owner] -= 1
        self._working += Counter()
        while self._is_free():
            ready = next(filter(self._may_work, self._waiting), None)
            if ready is None:
                return
            turns = self._waiting.pop(ready)
            turn = turns.popleft()
            if turns:
                # The owner moves behind the others.
                self._waiting[ready] = turns
            # Skip a request whose client has disconnected.
            if not turn.done():
                self._working[ready] += 1
                turn.set_result(None)

    def _is_free(self) -> bool:
        return self._working.total() < self.max_working

    def _may_work(self, owner: str) -> bool:
        return self._working[owner] < self.max_working_each
