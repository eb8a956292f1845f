"""Bridges as pure geometry: shapes, the cells beneath, crossings."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.values import Ordered

from .cell import Cell, CellPair

SHAPES = frozenset({(2, 0), (0, 2), (2, 2), (1, 2), (2, 1)})
"""Absolute differences of columns and rows between the two ends of a bridge [S1]."""
MAX_SPAN = 2
"""Largest difference of columns or rows between the two ends."""


def beneath(a: tuple[int, int], b: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """Return the cells under the straight line between the two ends of a bridge.

    These are the middle cell, or the two cells that a knight's move passes between [S0].
    """
    ax, ay = a
    bx, by = b
    if abs(bx - ax) == 1:
        return ((ax, (ay + by) // 2), (bx, (ay + by) // 2))
    if abs(by - ay) == 1:
        return (((ax + bx) // 2, ay), ((ax + bx) // 2, by))
    return (((ax + bx) // 2, (ay + by) // 2),)


def segments_conflict(
    a: tuple[int, int], b: tuple[int, int], c: tuple[int, int], d: tuple[int, int]
) -> bool:
    """Return whether segments *ab* and *cd* cross at an inner point or overlap along a line.

    The integer arithmetic is exact. Segments that only touch at an end do not conflict.
    """
    ax, ay = a
    bx, by = b
    cx, cy = c
    dx, dy = d
    sides = (
        (bx - ax) * (cy - ay) - (by - ay) * (cx - ax),
        (bx - ax) * (dy - ay) - (by - ay) * (dx - ax),
        (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx),
        (dx - cx) * (by - cy) - (dy - cy) * (bx - cx),
    )
    if not any(sides):
        # All four points are on one line: tuples compare along it, even if it is vertical.
        low = max(min(a, b), min(c, d))
        high = min(max(a, b), max(c, d))
        return low < high
    return sides[0] * sides[1] < 0 and sides[2] * sides[3] < 0


@final
@frozen(order=False)
class Bridge(CellPair, Ordered["Bridge"]):
    """Two joined cells, in canonical order; only a position knows the owner.

    Any two cells are accepted, since a diagram can be wrong; :meth:`Setup.violations` reports it.

    >>> bridge = pdd.Bridge(pdd.Cell(0, 0), pdd.Cell(1, 2))
    >>> str(bridge), [str(cell) for cell in bridge.cells_beneath]
    ('a1-b3', ['a2', 'b2'])
    >>> bridge.crosses(pdd.Bridge(pdd.Cell(0, 1), pdd.Cell(2, 1)))
    True
    """

    @property
    def ends(self) -> tuple[Cell, Cell]:
        """Both ends, in cell order."""
        return (self.a, self.b)

    @property
    def has_bridge_shape(self) -> bool:
        """True if the ends are two cells apart: straight, diagonally or a knight's move [S1]."""
        return (abs(self.a.column - self.b.column), abs(self.a.row - self.b.row)) in SHAPES

    @property
    def cells_beneath(self) -> tuple[Cell, ...]:
        """The one or two cells it passes over, in cell order; none if its ends are not a bridge."""
        if not self.has_bridge_shape:
            return ()
        return tuple(sorted(Cell(*cell) for cell in beneath(_point(self.a), _point(self.b))))

    def crosses(self, other: Bridge) -> bool:
        """Return whether this bridge crosses or overlaps *other* [S0].

        Bridges that share an end do not cross; another rule forbids them: one bridge per tile.
        """
        require_type(other, Bridge, "other")
        if self.a in other.ends or self.b in other.ends:
            return False
        return segments_conflict(_point(self.a), _point(self.b), _point(other.a), _point(other.b))

    def __str__(self) -> str:
        return f"{self.a}-{self.b}"

    def _key(self) -> tuple[int, ...]:
        return (self.a.row, self.a.column, self.b.row, self.b.column)


def _point(cell: Cell) -> tuple[int, int]:
    return (cell.column, cell.row)
