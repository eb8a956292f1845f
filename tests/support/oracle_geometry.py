"""Geometry with points and fractions, independent of the code under test."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement

import pontedeldiavolo as pdd
from support.reference import eight_neighbours

Point = tuple[int, int]


def point(cell: pdd.Cell) -> Point:
    return cell.column, cell.row


def points_under(a: Point, b: Point) -> set[Point]:
    """Return the cells whose inside a segment crosses, except for those of its ends."""
    half = Fraction(1, 2)
    found = set()
    for cell in (eight_neighbours(a) | eight_neighbours(b)) - {a, b}:
        # The part of the segment inside the column and row of the cell, as fractions from 0 to 1.
        enter = Fraction(0)
        leave = Fraction(1)
        for start, end, centre in zip(a, b, cell, strict=True):
            if start == end:
                inside = abs(start - centre) < half
                crossings = [Fraction(0), Fraction(int(inside))]
            else:
                crossings = [(centre + each - start) / (end - start) for each in (-half, half)]
            enter = max(enter, min(crossings))
            leave = min(leave, max(crossings))
        if enter < leave:
            found.add(cell)
    return found


def inner_point_in_common(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two segments share a point that is an end of neither, with exact fractions."""
    ux, uy = (b[0] - a[0], b[1] - a[1])
    vx, vy = (d[0] - c[0], d[1] - c[1])
    wx = c[0] - a[0]
    wy = c[1] - a[1]
    determinant = ux * vy - uy * vx
    if determinant:
        # a + s·u and c + t·v are the same point.
        s = Fraction(wx * vy - wy * vx, determinant)
        t = Fraction(wx * uy - wy * ux, determinant)
        return 0 < s < 1 and 0 < t < 1
    if wx * uy - wy * ux:
        return False
    # All points are on one line: the places of c and d along ab, where a is 0 and b is 1.
    square = ux * ux + uy * uy
    places = [Fraction((x - a[0]) * ux + (y - a[1]) * uy, square) for x, y in (c, d)]
    return max(Fraction(0), min(places)) < min(Fraction(1), max(places))


def conceivable_actions(board: pdd.Board) -> Iterator[pdd.Action]:
    """Yield every action on the board, legal or not."""
    for a, b in combinations_with_replacement(board.cells, 2):
        yield pdd.PlaceTiles(a, b)
        yield pdd.BuildBridge(a, b)
    yield from map(pdd.ChooseColor, pdd.Color)
    yield pdd.Pass()
