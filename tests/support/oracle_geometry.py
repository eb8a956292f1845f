"""The board in plain points, worked out here and nowhere else.

So properties are checked against something that does not use the code it checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

import pontedeldiavolo as pdd

Point = tuple[int, int]


def point(cell: pdd.Cell) -> Point:
    return cell.column, cell.row


def points(found: pdd.CellSet) -> set[Point]:
    return {point(cell) for cell in found}


def beside(at: Point) -> set[Point]:
    x, y = at
    return {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)}


def around(at: Point) -> set[Point]:
    x, y = at
    return {(x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)} - {at}


def components(links: dict[Point, set[Point]]) -> list[frozenset[Point]]:
    """Return what hangs together in a graph."""
    left, found = set(links), []
    while left:
        component: set[Point] = set()
        waiting = {next(iter(left))}
        while waiting:
            component |= waiting
            waiting = {near for each in waiting for near in links[each]} - component
        left -= component
        found.append(frozenset(component))
    return found


def group_links(tiles: set[Point]) -> dict[Point, set[Point]]:
    return {tile: beside(tile) & tiles for tile in tiles}


def network_links(position: pdd.Position, color: pdd.Color) -> dict[Point, set[Point]]:
    links = group_links(points(position.tiles(color)))
    for bridge in position.bridges(color):
        a, b = map(point, bridge.ends)
        links[a] = links[a] | {b}
        links[b] = links[b] | {a}
    return links


def score_by_hand(position: pdd.Position, color: pdd.Color) -> pdd.Score:
    groups = components(group_links(points(position.tiles(color))))
    islands = [group for group in groups if len(group) == 4]
    counts = [
        sum(island <= network for island in islands)
        for network in components(network_links(position, color))
    ]
    total = sum(sum(range(1, count + 1)) for count in counts)
    return pdd.Score(total, len(islands), len(position.bridges(color)))


def points_under(a: Point, b: Point) -> set[Point]:
    """Return the cells, but for those of the ends, whose inside a segment runs through."""
    half = Fraction(1, 2)
    found = set()
    for cell in (around(a) | around(b)) - {a, b}:
        # The part of the segment, from 0 to 1, that is inside the cell's column and its row.
        enter, leave = Fraction(0), Fraction(1)
        for start, end, centre in zip(a, b, cell, strict=True):
            if start == end:
                inside = abs(start - centre) < half
                crossings = [Fraction(0), Fraction(int(inside))]
            else:
                crossings = [(centre + each - start) / (end - start) for each in (-half, half)]
            enter, leave = max(enter, min(crossings)), min(leave, max(crossings))
        if enter < leave:
            found.add(cell)
    return found


def inner_point_in_common(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Tell whether two segments share a point that is an end of neither, in exact fractions."""
    (ux, uy), (vx, vy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    wx, wy = c[0] - a[0], c[1] - a[1]
    determinant = ux * vy - uy * vx
    if determinant:
        # a + s·u and c + t·v are the same point.
        s = Fraction(wx * vy - wy * vx, determinant)
        t = Fraction(wx * uy - wy * ux, determinant)
        return 0 < s < 1 and 0 < t < 1
    if wx * uy - wy * ux:
        return False
    # On one line: the places of c and d along ab, where a is 0 and b is 1.
    square = ux * ux + uy * uy
    places = [Fraction((x - a[0]) * ux + (y - a[1]) * uy, square) for x, y in (c, d)]
    return max(Fraction(0), min(places)) < min(Fraction(1), max(places))


def conceivable_actions(board: pdd.Board) -> Iterator[pdd.Action]:
    """Iterate over every action on the board, in no particular order."""
    for a, b in combinations_with_replacement(board.cells, 2):
        yield pdd.PlaceTiles(a, b)
        yield pdd.BuildBridge(a, b)
    yield from map(pdd.ChooseColor, pdd.Color)
    yield pdd.Pass()
