"""How long turns took, from what a record says of the time that players have used."""

from __future__ import annotations

import re
from typing import final

from pontedeldiavolo.game.tags import MAX_SECONDS

_MILLISECONDS = re.compile(r"[0-9]{1,13}")
_SECOND = 1000


def milliseconds(text: str) -> int | None:
    """Return the milliseconds that a text says; ``None`` if it is no time that can be kept."""
    found = _MILLISECONDS.fullmatch(text.strip())
    used = None if found is None else int(found.group())
    return None if used is None or used > MAX_SECONDS * _SECOND else used


@final
class Times:
    """What both players have used of their time, all their turns together."""

    def __init__(self) -> None:
        # Up to their last turn that is over, and up to now; ``None`` where nothing says it.
        self._before: list[int | None] = [0, 0]
        self._now: list[int | None] = [None, None]

    def note(self, player: int, used: int | None) -> None:
        """Note what a player has used by now, if anything says it."""
        if used is not None:
            self._now[player] = used

    def begin(self, player: int) -> None:
        """Begin a player's turn: what was used to wait, or to set the board up, is not its time."""
        now = self._now[player]
        if now is not None:
            self._before[player], self._now[player] = now, None

    def turn_over(self, player: int) -> float | None:
        """Return how many seconds a player's turn took that is over; ``None`` if nothing says it.

        Nor is it known if the turn before has no time, or if time has run backwards.
        """
        before, now = self._before[player], self._now[player]
        self._before[player], self._now[player] = now, None
        if before is None or now is None or now < before:
            return None
        return (now - before) / _SECOND
