"""Helpers of all environments that need no framework: the side of a seat, and a check."""

from __future__ import annotations

from typing import SupportsIndex

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError, whole_number
from pontedeldiavolo.state.state import GameState, HalfTurn


def side_of(node: GameState | HalfTurn, seat: Seat) -> Color | None:
    """Return the colour from whose side a seat sees the board; ``None`` in the colour choice."""
    if node.phase is Phase.OPENING:
        # Nobody owns a colour yet. The first seat places white tiles, so it sees white's side.
        return Color.WHITE if seat is Seat.FIRST else Color.RED
    return node.color_of(seat)


def at_least_one(value: SupportsIndex, name: str) -> int:
    """Return *value* as a positive ``int``.

    Raises:
        PonteError: If it is less than 1.
    """
    number = whole_number(value, name)
    if number < 1:
        raise PonteError(f"{name} must be 1 or more, not {number}")
    return number
