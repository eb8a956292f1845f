"""The tables of one board size: what is next to what, as integers used as bit sets.

Bit *i* of a set of cells is the cell in column ``i % width`` and row ``i // width``. Bit *n* of
a set of bridges is the *n*-th possible bridge, in the order of (first cell, second cell). All
numbers of cells and bridges are made here.

On large boards a table holds only the entries that have been asked for.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import accumulate
from threading import Lock
from typing import Protocol, TypeVar
from weakref import WeakValueDictionary, proxy

from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.board.bridge import Bridge, beneath, segments_conflict
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

FORWARD = ((2, 0), (-2, 1), (2, 1), (-2, 2), (-1, 2), (0, 2), (1, 2), (2, 2))
"""The steps from a bridge's first end to its second, in the order of the second end."""

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))

NEAR_END = 6
"""Distance from which no tile matters to another by the rule of islands."""

NEAR = tuple((x, y) for x in range(-4, 5) for y in range(-4, 5) if 0 < abs(x) + abs(y) < NEAR_END)
"""The steps to cells that a tile can matter to, by the rule of islands.

An island reaches three steps from any of its cells, and its surroundings one step and a diagonal
one further.
"""

MOST_CELLS_AT_ONCE = 256
"""Boards of up to this many cells have their tables filled at once, as plain tuples.

CPython indexes a tuple much faster than a ``dict`` with ``__missing__``.
"""

MOST_CELLS_KEPT = 1 << 15
"""Cells of all boards whose tables are kept, those used last; others are kept while in use."""


def bits(mask: int) -> Iterator[int]:
    """Iterate over the numbers of the set bits of *mask*, upwards."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def nth_bit(mask: int, n: int) -> int:
    """Return the number of the *n*-th set bit of *mask*, counted from 0 upwards."""
    position = 0
    width = mask.bit_length()
    while width > 1:
        half = width >> 1
        low = mask & (1 << half) - 1
        count = low.bit_count()
        if n < count:
            mask, width = low, half
        else:
            n -= count
            position += half
            mask, width = mask >> half, width - half
    return position


def permuted(mask: int, permutation: tuple[int, ...]) -> int:
    """Return the set whose members are those of *mask*, each taken to its new number."""
    found = 0
    for number in bits(mask):
        found |= 1 << permutation[number]
    return found


class Lookup(Protocol[T_co]):
    """A table that is indexed by the number of a cell or a bridge."""

    @abstractmethod
    def __getitem__(self, number: int, /) -> T_co:
        """Return the entry of that number."""


class Table(dict[int, T]):
    """Entries for cells or bridges by their numbers, computed on first use."""

    __slots__ = ("_find", "_geometry")

    def __init__(self, geometry: Geometry, find: Callable[[Geometry, int], T]) -> None:
        super().__init__()
        # A weak reference avoids a cycle, so that unused tables are freed at once.
        self._geometry = proxy(geometry)
        self._find = find

    def __missing__(self, number: int) -> T:
        found = self[number] = self._find(self._geometry, number)
        return found


class Geometry:
    """Every table of a board of *width* × *height* cells."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.size: tuple[int, int] = (width, height)
        self.full: int = (1 << width * height) - 1
        self._numbers: dict[tuple[int, int], int] = {}
        self._bridge_permutations: dict[Symmetry, tuple[int, ...]] = {}

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return geometry, (self.width, self.height)

    def index(self, cell: Cell) -> int:
        """Return the bit number of *cell*, or -1 if it is off the board."""
        if cell.column < self.width and cell.row < self.height:
            return cell.row * self.width + cell.column
        return -1

    def require_index(self, cell: Cell) -> int:
        """Return the bit number of *cell*.

        Raises:
            PonteError: If it is off the board.
        """
        index = self.index(cell)
        if index < 0:
            size = {"width": self.width, "height": self.height}
            raise PonteError(reason("cell-off-board", cell=str(cell), **size))
        return index

    # Cells

    def _table(self, find: Callable[[Geometry, int], T], size: int | None = None) -> Lookup[T]:
        """Return a table for all cells, or for *size* bridges."""
        cells = self.width * self.height
        if cells <= MOST_CELLS_AT_ONCE:
            return tuple(find(self, number) for number in range(cells if size is None else size))
        return Table(self, find)

    @cached_property
    def adjacent(self) -> Lookup[int]:
        """For each cell the up to four cells beside it."""
        return self._table(lambda board, cell: board.reached(cell, ORTHOGONAL))

    @cached_property
    def around(self) -> Lookup[int]:
        """For each cell the up to eight cells around it."""
        return self._table(lambda board, cell: board.reached(cell, ORTHOGONAL + DIAGONAL))

    @cached_property
    def near(self) -> Lookup[int]:
        """For each cell those that a tile there can matter to, by the rule of islands."""
        return self._table(lambda board, cell: board.reached(cell, NEAR))

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, by row, then by column."""
        return tuple(
            Cell(column, row) for row in range(self.height) for column in range(self.width)
        )

    def cells_of(self, mask: int) -> list[Cell]:
        """Return the cells of a set."""
        return [self.cells[index] for index in bits(mask)]

    def mask(self, points: Iterable[tuple[int, int]]) -> int:
        """Return the set of those *points* that are on the board."""
        mask = 0
        for column, row in points:
            if 0 <= column < self.width and 0 <= row < self.height:
                mask |= 1 << row * self.width + column
        return mask

    def reached(self, cell: int, steps: Iterable[tuple[int, int]]) -> int:
        """Return the set of cells that these *steps* lead to from a cell."""
        row, column = divmod(cell, self.width)
        return self.mask((column + dx, row + dy) for dx, dy in steps)

    # Bridges: the number that start in a row, up to a column, depends on the rows above it alone.

    @cached_property
    def _begun(self) -> tuple[tuple[int, ...], ...]:
        """Number of bridges that start left of each column, with no row above, one, two or more."""
        return tuple(
            tuple(
                accumulate(
                    (
                        sum(dy <= rows and 0 <= x + dx < self.width for dx, dy in FORWARD)
                        for x in range(self.width)
                    ),
                    initial=0,
                )
            )
            for rows in range(3)
        )

    def _first_number(self, column: int, row: int) -> int:
        """Return how many bridges come before those that begin at a cell."""
        begun = self._begun
        whole = min(row, max(self.height - 2, 0))
        number = whole * begun[2][-1]
        if row > whole:
            number += begun[1][-1]
        return number + begun[min(self.height - 1 - row, 2)][column]

    @cached_property
    def bridge_count(self) -> int:
        """Number of possible bridges."""
        return self._first_number(self.width, self.height - 1)

    def bridge_number(self, a: int, b: int) -> int:
        """Return the number of the bridge between two cells, ascending; -1 if there is none."""
        known = self._numbers.get((a, b))
        if known is not None:
            return known
        if a < 0 or b < 0:
            return -1
        (row, column), (end_row, end_column) = divmod(a, self.width), divmod(b, self.width)
        number = self._first_number(column, row)
        for dx, dy in FORWARD:
            if (column + dx, row + dy) == (end_column, end_row):
                self._numbers[a, b] = number
                return number
            number += 0 <= column + dx < self.width and row + dy < self.height
        return -1

    @cached_property
    def ends(self) -> Lookup[tuple[int, int]]:
        """For each bridge the numbers of its first and second cell."""
        return self._table(Geometry._find_ends, self.bridge_count)

    @cached_property
    def beneath(self) -> Lookup[int]:
        """For each bridge the set of cells under it."""
        return self._table(Geometry._find_beneath, self.bridge_count)

    @cached_property
    def bridges_at(self) -> Lookup[int]:
        """For each cell the set of bridges that have an end there."""
        return self._table(Geometry._find_bridges_at)

    @cached_property
    def bridges_over(self) -> Lookup[int]:
        """For each cell the set of bridges that pass over it."""
        return self._table(Geometry._find_bridges_over)

    @cached_property
    def excluded_by(self) -> Lookup[int]:
        """For each bridge the bridges that are impossible once it stands.

        These are the bridges that share an end with it, those that cross it, and itself.
        """
        return Table(self, Geometry._find_excluded)

    def _find_ends(self, number: int) -> tuple[int, int]:
        begun = self._begun
        whole = max(self.height - 2, 0)
        row = min(number // begun[2][-1], whole) if whole else 0
        if row == whole:
            number -= whole * begun[2][-1]
            if self.height > 1 and number >= begun[1][-1]:
                number -= begun[1][-1]
                row += 1
        else:
            number -= row * begun[2][-1]
        starts = begun[min(self.height - 1 - row, 2)]
        column = bisect_right(starts, number) - 1
        seconds = [
            (row + dy) * self.width + column + dx
            for dx, dy in FORWARD
            if 0 <= column + dx < self.width and row + dy < self.height
        ]
        return row * self.width + column, seconds[number - starts[column]]

    def all_ends(self) -> Iterator[tuple[int, int]]:
        """Iterate over the ends of all bridges, in order."""
        return map(self.ends.__getitem__, range(self.bridge_count))

    @cached_property
    def bridges(self) -> tuple[Bridge, ...]:
        """Every possible bridge, in order."""
        return tuple(map(self.bridge, range(self.bridge_count)))

    def bridge(self, number: int) -> Bridge:
        """Return the bridge of that number."""
        a, b = self.ends[number]
        return Bridge(self.cells[a], self.cells[b])

    def bridges_of(self, mask: int) -> list[Bridge]:
        """Return the bridges of a set."""
        return [self.bridge(number) for number in bits(mask)]

    def _find_beneath(self, number: int) -> int:
        (ay, ax), (by, bx) = (divmod(end, self.width) for end in self.ends[number])
        return self.mask(beneath((ax, ay), (bx, by)))

    def _set_of_bridges(self, firsts: Iterable[tuple[int, int, int, int]]) -> int:
        """Return the set of those bridges, by first end and step, that are on the board."""
        found = 0
        for x, y, dx, dy in firsts:
            if 0 <= x < self.width and 0 <= x + dx < self.width and 0 <= y < self.height - dy:
                first = y * self.width + x
                found |= 1 << self.bridge_number(first, first + dy * self.width + dx)
        return found

    def _find_bridges_at(self, cell: int) -> int:
        row, column = divmod(cell, self.width)
        return self._set_of_bridges(
            (column - back * dx, row - back * dy, dx, dy) for dx, dy in FORWARD for back in (0, 1)
        )

    def _find_bridges_over(self, cell: int) -> int:
        row, column = divmod(cell, self.width)
        return self._set_of_bridges(
            (column - x, row - y, dx, dy)
            for dx, dy in FORWARD
            for x, y in beneath((0, 0), (dx, dy))
        )

    def _find_excluded(self, number: int) -> int:
        a, b = self.ends[number]
        (row, column), (end_row, end_column) = divmod(a, self.width), divmod(b, self.width)
        return (
            self.bridges_at[a]
            | self.bridges_at[b]
            | self._set_of_bridges(
                (column + x, row + y, dx, dy)
                for (x, y), (dx, dy) in crossing_bridges()[end_column - column, end_row - row]
            )
        )

    def bridge_permutation(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return for each bridge the number of the bridge that *symmetry* takes it to."""
        known = self._bridge_permutations.get(symmetry)
        if known is None:
            points = (symmetry.point(cell.column, cell.row) for cell in self.cells)
            to = [row * self.width + column for column, row in points]
            known = tuple(self.bridge_number(*sorted((to[a], to[b]))) for a, b in self.all_ends())
            self._bridge_permutations[symmetry] = known
        return known


class _Kept:
    """The geometries in use, and those used last, within a bound on the cells of all of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._last: OrderedDict[tuple[int, int], Geometry] = OrderedDict()
        self._alive: WeakValueDictionary[tuple[int, int], Geometry] = WeakValueDictionary()
        self._cells = 0

    def get(self, width: int, height: int) -> Geometry:
        """Return the tables of a board size."""
        size = (width, height)
        with self._lock:
            found = self._last.get(size)
            if found is not None:
                self._last.move_to_end(size)
                return found
            found = self._alive.get(size)
            if found is None:
                found = self._alive[size] = Geometry(width, height)
            self._last[size] = found
            self._cells += width * height
            while self._cells > MOST_CELLS_KEPT:
                (columns, rows), _ = self._last.popitem(last=False)
                self._cells -= columns * rows
            return found


_KEPT = _Kept()


def geometry(width: int, height: int) -> Geometry:
    """Return the tables of a board size, shared by all its boards."""
    return _KEPT.get(width, height)


@lru_cache(maxsize=1)
def crossing_bridges() -> dict[
    tuple[int, int], tuple[tuple[tuple[int, int], tuple[int, int]], ...]
]:
    """For each forward step of a bridge at the origin, the bridges that cross it.

    A crossing bridge is given as its first end and its own forward step; bridges that share an
    end are left out.
    """
    reach = range(-4, 5)
    return {
        (dx, dy): tuple(
            ((x, y), (ex, ey))
            for x in reach
            for y in reach
            for ex, ey in FORWARD
            if not {(0, 0), (dx, dy)} & {(x, y), (x + ex, y + ey)}
            and segments_conflict((0, 0), (dx, dy), (x, y), (x + ex, y + ey))
        )
        for dx, dy in FORWARD
    }
