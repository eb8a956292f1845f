"""Who sits where, and what they may take back."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from pontedeldiavolo.base.enums import Ending, Seat
from pontedeldiavolo.web.store import Stored

EVERYBODY: Final = frozenset(Seat)


def hashed(token: str) -> str:
    """Return what is kept of a token: whoever reads the folder cannot play for others."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def seats_of(stored: Stored, token: str) -> frozenset[Seat]:
    """Return where the owner of a token sits."""
    found = hashed(token)
    return frozenset(seat for seat, kept in stored.seats.items() if kept == found)


def steps_back(stored: Stored, mine: frozenset[Seat]) -> int | None:
    """Return how many actions somebody may take back now, ``None`` for nothing at all.

    Whoever plays both seats, or against a player of this library, goes back to their own last
    action; after a resignation this alone is taken back, which is 0 actions. Of two people,
    whoever acted last may think again until the other one has acted, or the game has ended.
    """
    game = stored.game
    if not mine:
        return None
    alone = mine | stored.computer.keys() == EVERYBODY
    if game.ending not in (None, Ending.SCORED):
        return 0 if alone else None
    seats = [turn.seat for turn in reversed(game.turns)]
    if alone:
        return next((count for count, seat in enumerate(seats, 1) if seat in mine), None)
    return 1 if game.ending is None and seats and seats[0] in mine else None
