"""Outlines of land, bridges and arrows, as path data."""

from __future__ import annotations

from functools import lru_cache
from math import hypot
from typing import Final, NamedTuple

from pontedeldiavolo.base.enums import ISLAND_SIZE

from .svgpath import joined

CELL: Final = 40
"""The width of a cell."""
INSET = 3
"""The distance of a shore from the edges of its cells."""
ROUND = 9
"""The radius of a shore's corners."""
BAY = 5
"""The radius of a shore's bays, where it turns the other way."""

# A stroke around each shape rounds its corners. The SVG group around it sets the width.
RIM = "h24v24h-24z"
"""The rim of a tile."""
BODY = "h24v22h-24z"
"""The tile on its rim."""
INLAY = "h20v18h-20z"
"""The frame inside a red tile, which is seen without colours too."""
HALF = "m0 22l24-22v22z"
"""The red half of a cell with tiles of both colours."""

Point = tuple[int, int]
Step = tuple[int, int]
Corner = tuple[Point, Step, Step]
"""A corner of a shore, with the directions of the edges before and after it."""
LandOutline = tuple[int, int, str]
"""The starting point of a path, and its path data from there."""


def land_outline(cells: tuple[Point, ...], *, is_round: bool = True) -> LandOutline:
    """Return the shores of connected cells, as one path.

    Cells are given by their upper left corners, relative to the first one; the start is relative
    to it, too.
    """
    if len(cells) <= ISLAND_SIZE:
        return _cached_outline(cells, is_round)
    return _land_outline(cells, is_round)


def _land_outline(cells: tuple[Point, ...], is_round: bool) -> LandOutline:  # noqa: FBT001 - passed on
    edges = _edges({(x // CELL, y // CELL) for x, y in cells})
    path, (x, y) = _shore(_take_loop(edges), is_round=is_round)
    path += "z"
    last_x = x
    last_y = y
    while edges:
        # Land around a lake has more than one shore.
        shore, start = _shore(_take_loop(edges), is_round=is_round)
        path += f"m{joined(start[0] - last_x, start[1] - last_y)}{shore}z"
        last_x, last_y = start
    return x, y, path


# Islands and sandbanks have only 28 shapes. Larger groups, which only set-ups have, are not kept.
_cached_outline = lru_cache(maxsize=128)(_land_outline)


def _edges(cells: set[Point]) -> dict[Point, set[Step]]:
    """Return the edges between land and water by starting point, with the land to the right."""
    edges: dict[Point, set[Step]] = {}
    for x, y in cells:
        # The sides above, to the right, below and to the left have their edges clockwise.
        for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0)):
            if (x + dx, y + dy) not in cells:
                start = x + (1 + dx + dy) // 2, y + (1 - dx + dy) // 2
                edges.setdefault(start, set()).add((-dy, dx))
    return edges


def _take_loop(edges: dict[Point, set[Step]]) -> list[Corner]:
    """Remove one shore from *edges*; return its corners."""
    at = min(edges)
    start = at
    # The first corner is an outer one, where the shore turns to the right.
    step = min(edges[start], key=lambda each: (-each[0], -each[1]))
    first = step
    corners: list[Corner] = []
    while True:
        edges[at].discard(step)
        if not edges[at]:
            del edges[at]
        at = (at[0] + step[0], at[1] + step[1])
        if at == start and first not in edges.get(at, ()):
            corners.append((at, step, first))
            return corners
        # Where land touches other land only at a corner, the shore follows the same land.
        x, y = step
        after = next(each for each in ((-y, x), step, (y, -x)) if each in edges[at])
        if after != step:
            corners.append((at, step, after))
        step = after


def _shore(corners: list[Corner], *, is_round: bool) -> tuple[str, Point]:
    """Return a shore, and the point where it starts and ends."""
    bends: list[tuple[Point, Point, str]] = []
    for (column, row), (ax, ay), (bx, by) in corners:
        x = CELL * column - INSET * (ay + by)
        y = CELL * row + INSET * (ax + bx)
        radius = 0
        if is_round:
            turns_right = (bx, by) == (-ay, ax)
            radius = ROUND if turns_right else BAY
        control = (radius * ax, radius * ay)
        end = (radius * (ax + bx), radius * (ay + by))
        before = x - control[0], y - control[1]
        curve = f"q{joined(*control, *end)}" if is_round else ""
        bends.append((before, (before[0] + end[0], before[1] + end[1]), curve))
    at = bends[-1][1]
    start = at
    path = ""
    # Without a last bend, closing the path draws the last edge.
    for before, after, curve in bends if is_round else bends[:-1]:
        dx = before[0] - at[0]
        dy = before[1] - at[1]
        if dx:
            path += f"h{dx}"
        elif dy:
            path += f"v{dy}"
        path += curve
        at = after
    return path, start


RISE = 25
"""The distance of an arch's control point from the straight line between its ends."""
OVERHANG = 4
"""The length of an arch beyond the middle of a cell at each end."""
LEAN = 0.45
"""Arches rise upwards in the picture, but to the left if dx is less than this factor times dy."""
SHADOW_X = 2
"""The distance from a bridge to its shadow, to the right."""
SHADOW_Y = 4
"""The distance from a bridge to its shadow, downwards."""


class Arch(NamedTuple):
    """A bridge as path data, relative to the middle of its first cell."""

    x: int
    y: int
    deck: str
    shadow: str
    crown: Point
    """The middle of the deck."""


@lru_cache(maxsize=1024)
def arch(dx: int, dy: int) -> Arch:
    """Return the arch of a bridge whose second cell is *dx* to the right and *dy* below.

    The deck is a line to be stroked as wide as a bridge; the shadow on the water is nearly
    straight.
    """
    length = hypot(dx, dy) or 1.0
    x = round(OVERHANG * dx / length)
    y = round(OVERHANG * dy / length)
    rise = RISE / length if LEAN * dy > dx else -RISE / length
    up_x = -dy * rise
    up_y = dx * rise
    end = (dx + 2 * x, dy + 2 * y)
    wide = dx / 2 + x
    high = dy / 2 + y
    # A quadratic curve rises half as far as its control point.
    deck = f"q{joined(round(wide + up_x), round(high + up_y), *end)}"
    shadow = f"q{joined(round(wide - up_x / 8), round(high - up_y / 8), *end)}"
    return Arch(-x, -y, deck, shadow, (round((dx + up_x) / 2), round((dy + up_y) / 2)))


SHAFT = 3.0
"""Half the width of an arrow's shaft."""
HEAD = 15.0
"""The length of an arrow's head."""
BARB = 9.0
"""Half the width of an arrow's head."""
RING = "a16 16 0 1 1 32 0a16 16 0 1 1-32 0m5 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"
"""A ring: an arrow that ends where it starts."""


def arrow_outline(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the path data of an arrow between the middles of two cells."""
    x, y = start
    dx = end[0] - x
    dy = end[1] - y
    length = hypot(dx, dy)
    if not length:
        return f"M{x - 16} {y}{RING}"
    unit_x = dx / length
    unit_y = dy / length
    # One side of the arrow: along it, and to its right.
    side = ((length - HEAD, BARB), (length - HEAD, SHAFT), (6.0, SHAFT))
    points = (*((along, -right) for along, right in side[::-1]), (length, 0.0), *side)
    turned = ((x + unit_x * a - unit_y * b, y + unit_y * a + unit_x * b) for a, b in points)
    return f"M{'L'.join(joined(*point) for point in turned)}z"
