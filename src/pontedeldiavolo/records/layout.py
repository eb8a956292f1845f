"""The words of the record format, shared by its reader and its writer."""

from __future__ import annotations

from typing import Final

RESULTS: Final = {
    "white": "white-wins",
    "red": "red-wins",
    "first": "first-wins",
    "second": "second-wins",
    "draw": "draw",
    "*": "*",
}
"""What the Result tag says, and the mark that repeats it at the end of the actions."""


def turn_number(place: int) -> int:
    """Return the number of the turn that action *place* belongs to, from 0.

    The choice of a colour, the second action, belongs to the first turn.
    """
    return max(1, place)
