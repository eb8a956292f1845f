"""Bridges seen from above: an arch is widest where it is highest, and casts its shadow there."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import NamedTuple

from pontedeldiavolo.svg.numbers import joined

NARROW, RISE = 5.6, 6.0
"""Half the width of a bridge at its ends, and how much of it the middle gains on each side."""
FOOT = 6.0
"""How far a bridge reaches beyond the middles of its cells."""
CAST = (7, 12)
"""How far the shadow lies from under the middle, twice."""


class Arch(NamedTuple):
    """A bridge from the middle of its first cell: where its outline begins, and its strokes.

    The shadow begins elsewhere: it lies on one side alone.
    """

    right: int
    below: int
    deck: str
    shadow_right: int
    shadow_below: int
    shadow: str
    planks: str


@lru_cache(maxsize=1024)
def arch(across: int, down: int) -> Arch:
    """Return the bridge to a cell so many units to the right and below."""
    length = hypot(across, down) or 1.0
    i, j = across / length, down / length
    edge = (round(-j * NARROW), round(i * NARROW))
    foot = (round(i * FOOT), round(j * FOOT))
    way = (across + 2 * foot[0], down + 2 * foot[1])
    # Out to each side; twice, since a curve goes half of the way to its corner.
    rise = (-j * RISE, i * RISE)

    there = (round(way[0] / 2 + rise[0]), round(way[1] / 2 + rise[1]))
    back = (round(-way[0] / 2 - rise[0]), round(-way[1] / 2 - rise[1]))
    deck = (
        f"q{joined(*there, *way)}l{joined(-2 * edge[0], -2 * edge[1])}"
        f"q{joined(*back, -way[0], -way[1])}z"
    )
    # On the other side the deck hides it.
    side = 1 if edge[0] * CAST[0] + edge[1] * CAST[1] >= 0 else -1
    cast = (
        round(way[0] / 2 + side * rise[0] + CAST[0]),
        round(way[1] / 2 + side * rise[1] + CAST[1]),
    )
    return Arch(
        edge[0] - foot[0],
        edge[1] - foot[1],
        deck,
        side * edge[0] - foot[0],
        side * edge[1] - foot[1],
        f"q{joined(*cast, *way)}",
        f"l{joined(across, down)}",
    )
