"""The tables of one board size: what is next to what, as integers used as bit sets.

Bit *i* of a set of cells is the cell in column ``i % width`` and row ``i // width``. Bit *n* of
a set of bridges is the *n*-th possible bridge, in the order of (first cell, second cell). This
is the only module that knows how cells and bridges become numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from pontedeldiavolo.board.bridge import Bridge, beneath, segments_conflict
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import PonteError

FORWARD = ((2, 0), (-2, 1), (2, 1), (-2, 2), (-1, 2), (0, 2), (1, 2), (2, 2))
"""The steps from a bridge's first end to its second, in the order of the second end."""

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))

NEAR_END = 6
"""So many steps away no tile matters to another by the rule of islands."""


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


class Geometry:
    """Every table of a board of *width* × *height* cells, each built when first asked for."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self.size: tuple[int, int] = (width, height)
        self.full: int = (1 << width * height) - 1
        self._cell_permutations: dict[Symmetry, tuple[int, ...]] = {}
        self._bridge_permutations: dict[Symmetry, tuple[int, ...]] = {}
        self._excluded: dict[int, int] = {}

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
            TypeError: If it is not a :class:`Cell`.
            PonteError: If it is off the board.
        """
        require_type(cell, Cell, "cell")
        index = self.index(cell)
        if index < 0:
            raise PonteError(f"{cell} is off the {self.width}×{self.height} board")
        return index

    def mask(self, points: Iterable[tuple[int, int]]) -> int:
        """Return the set of those *points* that are on the board."""
        mask = 0
        for column, row in points:
            if 0 <= column < self.width and 0 <= row < self.height:
                mask |= 1 << row * self.width + column
        return mask

    def cells_of(self, mask: int) -> list[Cell]:
        """Return the cells of a set."""
        return [self.cells[index] for index in bits(mask)]

    def bridges_of(self, mask: int) -> list[Bridge]:
        """Return the bridges of a set."""
        return [self.bridges[number] for number in bits(mask)]

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, by row, then by column."""
        return tuple(
            Cell(column, row) for row in range(self.height) for column in range(self.width)
        )

    def _around(self, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
        return tuple(
            self.mask((column + dx, row + dy) for dx, dy in steps)
            for row in range(self.height)
            for column in range(self.width)
        )

    @cached_property
    def adjacent(self) -> tuple[int, ...]:
        """For each cell the up to four cells beside it."""
        return self._around(ORTHOGONAL)

    @cached_property
    def around(self) -> tuple[int, ...]:
        """For each cell the up to eight cells around it."""
        return self._around(ORTHOGONAL + DIAGONAL)

    @cached_property
    def near(self) -> tuple[int, ...]:
        """For each cell those that a tile there can matter to, by the rule of islands.

        An island reaches three steps from any of its cells, and its surroundings one step and a
        diagonal one further.
        """
        reach = range(-4, 5)
        steps = ((x, y) for x in reach for y in reach)
        return self._around(tuple((x, y) for x, y in steps if 0 < abs(x) + abs(y) < NEAR_END))

    # Bridges

    @cached_property
    def ends(self) -> tuple[tuple[int, int], ...]:
        """For each bridge the numbers of its first and second cell."""
        return tuple(
            (row * self.width + column, (row + dy) * self.width + column + dx)
            for row in range(self.height)
            for column in range(self.width)
            for dx, dy in FORWARD
            if 0 <= column + dx < self.width and row + dy < self.height
        )

    @cached_property
    def bridge_number(self) -> dict[tuple[int, int], int]:
        """The number of the bridge between two cells, given as their numbers, ascending."""
        return {pair: number for number, pair in enumerate(self.ends)}

    @cached_property
    def bridges(self) -> tuple[Bridge, ...]:
        """Every possible bridge, in order."""
        cells = self.cells
        return tuple(Bridge(cells[a], cells[b]) for a, b in self.ends)

    @cached_property
    def beneath(self) -> tuple[int, ...]:
        """For each bridge the set of cells under it."""
        width = self.width
        return tuple(
            self.mask(beneath((a % width, a // width), (b % width, b // width)))
            for a, b in self.ends
        )

    @cached_property
    def bridges_at(self) -> tuple[int, ...]:
        """For each cell the set of bridges that have an end there."""
        sets = [0] * (self.width * self.height)
        for number, (a, b) in enumerate(self.ends):
            sets[a] |= 1 << number
            sets[b] |= 1 << number
        return tuple(sets)

    @cached_property
    def bridges_over(self) -> tuple[int, ...]:
        """For each cell the set of bridges that pass over it."""
        sets = [0] * (self.width * self.height)
        for number, under in enumerate(self.beneath):
            for cell in bits(under):
                sets[cell] |= 1 << number
        return tuple(sets)

    def cell_permutation(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return for each cell the number of the cell that *symmetry* takes it to."""
        known = self._cell_permutations.get(symmetry)
        if known is None:
            points = (symmetry.point(cell.column, cell.row) for cell in self.cells)
            known = tuple(row * self.width + column for column, row in points)
            self._cell_permutations[symmetry] = known
        return known

    def bridge_permutation(self, symmetry: Symmetry) -> tuple[int, ...]:
        """Return for each bridge the number of the bridge that *symmetry* takes it to."""
        known = self._bridge_permutations.get(symmetry)
        if known is None:
            to = self.cell_permutation(symmetry)
            pairs = (tuple(sorted((to[a], to[b]))) for a, b in self.ends)
            known = tuple(self.bridge_number[a, b] for a, b in pairs)
            self._bridge_permutations[symmetry] = known
        return known

    def excluded_by(self, number: int) -> int:
        """Return the set of bridges impossible once bridge *number* stands, itself included.

        Those are the bridges that share an end with it and the bridges that cross it. Worked out
        on first use: on a large board most bridges are never asked for.
        """
        known = self._excluded.get(number)
        if known is None:
            a, b = self.ends[number]
            known = self.bridges_at[a] | self.bridges_at[b]
            row, column = divmod(a, self.width)
            step = (b % self.width - column, b // self.width - row)
            for (dx, dy), (ex, ey) in crossing_bridges()[step]:
                x, y = column + dx, row + dy
                if 0 <= x < self.width and 0 <= x + ex < self.width and 0 <= y < self.height - ey:
                    first = y * self.width + x
                    known |= 1 << self.bridge_number[first, first + ey * self.width + ex]
            self._excluded[number] = known
        return known


@lru_cache(maxsize=64)
def geometry(width: int, height: int) -> Geometry:
    """Return the tables of a board size, shared by all its boards."""
    return Geometry(width, height)


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
