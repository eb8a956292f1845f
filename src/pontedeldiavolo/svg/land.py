"""The outline of land: what joined cells look like from above."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.svg.numbers import joined

CELL: Final = 40
"""How wide a cell is."""
INSET, ROUND, BAY = 3, 9, 5
"""How far a shore keeps from the edge of its cells, and how round its corners and bays are."""

Place = tuple[int, int]
Way = tuple[int, int]


Outline = tuple[int, int, str]


def outline(cells: tuple[Place, ...], *, is_round: bool = True) -> Outline:
    """Return where the shores of joined cells begin, and their strokes from there.

    Cells are told by their upper left corners, as steps from the first one, and so is the point.
    """
    return (_usual if len(cells) <= ISLAND_SIZE else _traced)(cells, is_round)


def _traced(cells: tuple[Place, ...], is_round: bool) -> Outline:  # noqa: FBT001 - passed on
    ways = _shores({(x // CELL, y // CELL) for x, y in cells})
    x, y = at = (0, 0)
    path = ""
    while ways:
        shore, start = (_rounded if is_round else _cornered)(_loop(ways))
        if path:
            path += f"m{joined(start[0] - at[0], start[1] - at[1])}"
        else:
            x, y = start
        path += f"{shore}z"
        at = start
    return x, y, path


_usual = lru_cache(maxsize=128)(_traced)
"""Islands and sandbanks have 28 shapes in all; what else set-ups have is not worth keeping."""


def _shores(cells: set[Place]) -> dict[Place, set[Way]]:
    """Return the edges between land and water by where they begin, with the land to the right."""
    ways: dict[Place, set[Way]] = {}
    for x, y in cells:
        for (i, j), start, way in (
            ((0, -1), (x, y), (1, 0)),
            ((1, 0), (x + 1, y), (0, 1)),
            ((0, 1), (x + 1, y + 1), (-1, 0)),
            ((-1, 0), (x, y + 1), (0, -1)),
        ):
            if (x + i, y + j) not in cells:
                ways.setdefault(start, set()).add(way)
    return ways


def _loop(ways: dict[Place, set[Way]]) -> list[tuple[Place, Way, Way]]:
    """Take one shore out of *ways*; return its corners, each with the ways to and from it."""
    start = min(ways)
    # The first corner of all is an outer one, from which the way goes to the right.
    way, at = min(ways[start], key=lambda each: (-each[0], -each[1])), start
    corners: list[tuple[Place, Way, Way]] = []
    first = way
    while True:
        ways[at].discard(way)
        if not ways[at]:
            del ways[at]
        at = (at[0] + way[0], at[1] + way[1])
        if at == start and first not in ways.get(at, ()):
            after = first
            corners.append((at, way, after))
            return corners
        # Where land touches land at a corner only, the shore stays with its own land.
        x, y = way
        after = next(each for each in ((-y, x), way, (y, -x)) if each in ways[at])
        if after != way:
            corners.append((at, way, after))
        way = after


def _rounded(corners: Iterable[tuple[Place, Way, Way]]) -> tuple[str, Place]:
    """Return a shore with round corners, and the point where it begins and ends."""
    steps: list[tuple[Place, Place, str]] = []
    for (x, y), (ax, ay), (bx, by) in corners:
        radius = ROUND if (bx, by) == (-ay, ax) else BAY
        corner = _corner((x, y), (ax, ay), (bx, by))
        before = (corner[0] - radius * ax, corner[1] - radius * ay)
        after = (corner[0] + radius * bx, corner[1] + radius * by)
        bend = (radius * ax, radius * ay, after[0] - before[0], after[1] - before[1])
        steps.append((before, after, f"q{joined(*bend)}"))
    at = start = steps[-1][1]
    path = ""
    for before, after, turn in steps:
        across, down = before[0] - at[0], before[1] - at[1]
        path += (f"h{across}" if across else f"v{down}" if down else "") + turn
        at = after
    return path, start


def _cornered(corners: Iterable[tuple[Place, Way, Way]]) -> tuple[str, Place]:
    """Return a shore with its corners as they are, and the point where it begins and ends."""
    points = [_corner(*each) for each in corners]
    at = start = points[-1]
    path = ""
    for point in points[:-1]:
        across, down = point[0] - at[0], point[1] - at[1]
        path += f"h{across}" if across else f"v{down}"
        at = point
    return path, start


def _corner(place: Place, before: Way, after: Way) -> Place:
    """Return where two edges of a shore would meet, a little within their cells."""
    (x, y), (ax, ay), (bx, by) = place, before, after
    return CELL * x - INSET * (ay + by), CELL * y + INSET * (ax + bx)
