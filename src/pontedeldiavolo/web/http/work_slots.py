"""Slots of work: the server works on a few requests of each client at a time."""

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
class WorkSlots:
    """Slots to work on requests, shared fairly between their owners. For a single event loop.

    An owner is a client's reads, or a client's writes: a text that names them. A request that waits
    for news must not hold a slot.

    Attributes:
        max_working: The number of slots.
        max_working_each: The number of slots that each owner has at a time.
    """

    max_working: int = MAX_WORKING
    max_working_each: int = MAX_WORKING_EACH
    _working: Counter[str] = field(factory=Counter, init=False)
    _waiting: dict[str, deque[asyncio.Future[None]]] = field(factory=dict, init=False)

    async def begin(self, owner: str) -> None:
        """Wait for a slot for an owner. Call :meth:`end` after the work."""
        if self._is_free() and self._may_work(owner):
            self._working[owner] += 1
            return
        slot = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(slot)
        try:
            await slot
        except asyncio.CancelledError:
            # If the slot was granted at the same moment, pass it on to another request.
            if slot.done() and not slot.cancelled():
                self.end(owner)
            raise

    def end(self, owner: str) -> None:
        """Give a slot back; give free slots to the owners that have waited longest."""
        self._working[owner] -= 1
        self._working += Counter()
        while self._is_free():
            ready = next(filter(self._may_work, self._waiting), None)
            if ready is None:
                return
            slots = self._waiting.pop(ready)
            slot = slots.popleft()
            if slots:
                # The owner moves behind the others.
                self._waiting[ready] = slots
            # Skip a request whose client has disconnected.
            if not slot.done():
                self._working[ready] += 1
                slot.set_result(None)

    def _is_free(self) -> bool:
        return self._working.total() < self.max_working

    def _may_work(self, owner: str) -> bool:
        return self._working[owner] < self.max_working_each
