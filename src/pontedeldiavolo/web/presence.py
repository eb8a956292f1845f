"""The people who are at their seats: those whose pages have asked for news in the last seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from threading import Lock
from typing import Final, final

from pontedeldiavolo.base.enums import Seat

from .store import StoredGame

HERE_SECONDS: Final = 8.0
"""The time for which people count as present after their page has asked for news.

It is longer than the time between two requests: the server runs the handler of a waiting request,
which notes the seat, at least every ``http.app.MAX_LOOK_SECONDS``, and the page of a hidden window
pauses for ``HIDDEN_PAUSE`` in ``static/news.js``. A test compares the three.
"""
MAX_SEATS: Final = 10_000
"""The maximum number of seats that are remembered; those not seen for longest are forgotten."""
STAMP_DIGITS: Final = 16


@final
class Presence:
    """The times at which people were last seen, in memory only. Threads may share it.

    Every server process sees only its own requests.

    Args:
        now: Returns the time in seconds.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._seen: dict[tuple[str, Seat], float] = {}
        self._lock = Lock()

    def note(self, game: str, seats: frozenset[Seat]) -> None:
        """Remember that the owner of seats has just asked for a game."""
        with self._lock:
            for seat in seats:
                # Removed first, so that the oldest entry stays the first one.
                self._seen.pop((game, seat), None)
                self._seen[game, seat] = self._now()
            while len(self._seen) > MAX_SEATS:
                del self._seen[next(iter(self._seen))]

    def of(self, stored: StoredGame) -> dict[Seat, bool | None]:
        """Return whether the person at each seat is present; ``None`` where no person sits."""
        limit = self._now() - HERE_SECONDS
        with self._lock:
            seen = {seat: self._seen.get((stored.id, seat)) for seat in Seat}
        return {
            seat: (at is not None and at >= limit) if seat in stored.token_hashes else None
            for seat, at in seen.items()
        }

    def stamp(self, stored: StoredGame, *others: bool) -> str:
        """Return a text that changes with the people of a game, while its version stays.

        It depends on their names, on who is present, and on the time that they were given.

        Args:
            stored: The game.
            others: Further facts that the text changes with.
        """
        people = [
            [stored.name_of(seat), is_here, stored.extra_seconds.get(seat, 0)]
            for seat, is_here in self.of(stored).items()
        ]
        facts = [*people, *others]
        return sha256(json.dumps(facts).encode()).hexdigest()[:STAMP_DIGITS]
