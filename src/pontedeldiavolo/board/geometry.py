"""The tables of one board size: neighbours, bridges and so on, as integers used as bit sets.

Bit *i* of a set of cells is the cell in column ``i % width`` and row ``i // width``. Bit *n* of
a set of bridges is the bridge with the number *n*; numbers ascend by (first cell, second cell).
All numbers of cells and bridges are made here.

On large boards a table contains only the entries that have been requested.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import product
from threading import Lock
from typing import TypeAlias, final
from weakref import WeakValueDictionary

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.values import ImmutableValue

from .bridge import Bridge, beneath, segments_conflict
from .cell import Cell, CellPair
from .symmetry import Symmetry

FORWARD = ((2, 0), (-2, 1), (2, 1), (-2, 2), (-1, 2), (0, 2), (1, 2), (2, 2))
"""The steps from a bridge's first end to its second, in the order of the second end."""

DIRECTIONS = len(FORWARD)
"""A bridge has the number ``DIRECTIONS * first + step``: *step* is its index in ``FORWARD``."""

STEP_NUMBERS = {step: number for number, step in enumerate(FORWARD)}

BENEATH = tuple(beneath((0, 0), step) for step in FORWARD)
"""For each forward step, the cells under the bridge that it makes from the origin."""

RelativeBridge: TypeAlias = tuple[int, int, int]
"""A bridge relative to a cell: column and row of its first end, and the number of its step."""

BRIDGES_AT: tuple[RelativeBridge, ...] = tuple(
    (back * -dx, back * -dy, step) for step, (dx, dy) in enumerate(FORWARD) for back in (0, 1)
)
"""The bridges with an end on the origin."""

BRIDGES_OVER: tuple[RelativeBridge, ...] = tuple(
    (-x, -y, step) for step, cells in enumerate(BENEATH) for x, y in cells
)
"""The bridges that pass over the origin."""

ORTHOGONAL = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (-1, 1), (1, -1), (-1, -1))

FAR_DISTANCE = 6
"""Distance at which tiles stop affecting each other under the rule of islands."""

MAX_DISTANCE = 4
"""Largest difference of columns or rows between two cells that affect each other in any way."""

NEAR = tuple(
    (x, y)
    for x in range(-MAX_DISTANCE, MAX_DISTANCE + 1)
    for y in range(-MAX_DISTANCE, MAX_DISTANCE + 1)
    if 0 < abs(x) + abs(y) < FAR_DISTANCE
)
"""The steps to the cells that a tile can affect under the rule of islands.

An island reaches three steps from any of its cells, and the cells around it are at most one
diagonal step further.
"""

MAX_TUPLE_CELLS = 256
"""Boards with up to this many cells have tables that are filled at once, as plain tuples.

CPython indexes a tuple much faster than a ``dict`` with ``__missing__``.
"""

SMALL_RANK = 12
"""Below this number, clearing bits one by one is faster than a binary search."""

WORD_WIDTH = 128
WORD = (1 << WORD_WIDTH) - 1
"""Bits of a large set are found a word at a time, because costs grow with the length."""

MAX_CACHED_CELLS = 1 << 15
"""Maximum number of cells of all cached boards; other tables live only while in use."""


def bits(mask: int) -> Iterator[int]:
    """Iterate over the numbers of the set bits of *mask*, in ascending order."""
    base = -1
    while mask > WORD:
        word = mask & WORD
        shift = WORD_WIDTH if word else (mask & -mask).bit_length() - 1
        while word:
            low = word & -word
            yield base + low.bit_length()
            word ^= low
        mask >>= shift
        base += shift
    while mask:
        low = mask & -mask
        yield base + low.bit_length()
        mask ^= low


def nth_bit(mask: int, n: int) -> int:
    """Return the number of the *n*-th set bit of *mask*, counted upwards from 0."""
    if n < SMALL_RANK:
        for _ in range(n):
            mask &= mask - 1
        return (mask & -mask).bit_length() - 1
    position = 0
    width = mask.bit_length()
    while width > 1:
        half = width >> 1
        low = mask & (1 << half) - 1
        count = low.bit_count()
        if n < count:
            mask = low
            width = half
        else:
            n -= count
            position += half
            mask = mask >> half
            width = width - half
    return position


def permuted(mask: int, permutation: Mapping[int, int]) -> int:
    """Return the set of *mask* with each number replaced by its image under *permutation*."""
    found = 0
    for number in bits(mask):
        found |= 1 << permutation[number]
    return found


class LazyTable(dict[int, int]):
    """Sets by the numbers of cells or bridges, computed on first use."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[int], int]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, number: int) -> int:
        found = self._find(number)
        self[number] = found
        return found


Lookup: TypeAlias = tuple[int, ...] | LazyTable
"""A set for each cell or bridge, by its number."""


@final
class Geometry(ImmutableValue):
    """The tables of a board of *width* × *height* cells, for engines: :attr:`Board.geometry`.

    An integer is a set. Bit *i* of a set of cells is the cell with the index *i*, in column
    ``i % width`` and row ``i // width``. A bridge has the number ``8 * first + direction``: *first*
    is the index of its first end, and the directions are those of :data:`batch.PLANES`. Bit *n* of
    a set of bridges is the bridge with the number *n*. A table is indexed with the index of a cell
    or with the number of a bridge. It is a tuple, or a ``LazyTable``: a dictionary that computes a
    set when it is first looked up, so index it and do not iterate over it. Methods do not check
    integers.

    All boards of one size share their tables, which cannot change.

    >>> geometry = pdd.Board(4, 3).geometry
    >>> b2 = geometry.index(pdd.parse_cell("b2"))
    >>> [str(cell) for cell in geometry.cells_of(geometry.adjacent[b2])]
    ['b1', 'a2', 'c2', 'b3']
    >>> number = geometry.number_of(pdd.parse_action("a1-c2"))
    >>> geometry.ends(number), bin(geometry.beneath(number))
    ((0, 6), '0b100010')

    Attributes:
        width: The number of columns.
        height: The number of rows.
        size: Both.
        cell_count: The number of cells.
        full: The set of all cells.
        not_first: All cells except the first column.
        not_last: All cells except the last column.
    """

    width: int
    height: int
    size: tuple[int, int]
    cell_count: int
    full: int
    not_first: int
    not_last: int
    _bridge_permutations: dict[Symmetry, dict[int, int]]

    def __init__(self) -> None:
        raise TypeError("tables are those of a board: Board.geometry")

    @classmethod
    def _of(cls, width: int, height: int) -> Geometry:
        """Return the tables of a board size; :func:`geometry` shares them."""
        tables = object.__new__(cls)
        full = (1 << width * height) - 1
        first_column = full // ((1 << width) - 1)
        vars(tables).update(
            width=width,
            height=height,
            size=(width, height),
            cell_count=width * height,
            full=full,
            not_first=full ^ first_column,
            not_last=full ^ first_column << width - 1,
            _bridge_permutations={},
        )
        return tables

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("the tables of a board cannot change")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("the tables of a board cannot change")

    def __reduce__(self) -> tuple[object, tuple[int, int]]:
        return geometry, (self.width, self.height)

    def __repr__(self) -> str:
        return f"<Geometry {self.width}x{self.height}>"

    def index(self, cell: Cell) -> int:
        """Return the index of *cell*, or -1 if it is off the board."""
        if cell.column < self.width and cell.row < self.height:
            return cell.row * self.width + cell.column
        return -1

    def set_of(self, cells: Iterable[Cell]) -> int:
        """Return the set of those cells that are on the board."""
        found = {*map(self.index, cells)} - {-1}
        return sum(1 << index for index in found)

    def require_index(self, cell: Cell) -> int:
        """Return the index of *cell*.

        Raises:
            PonteError: If it is off the board.
        """
        index = self.index(cell)
        if index < 0:
            size = {"width": self.width, "height": self.height}
            raise PonteError(reason("cell-off-board", cell=str(cell), **size))
        return index

    def _table(self, find: Callable[[int], int]) -> Lookup:
        """Return a table for all cells."""
        count = self.cell_count
        return tuple(map(find, range(count))) if count <= MAX_TUPLE_CELLS else LazyTable(find)

    # Cells

    @cached_property
    def strip(self) -> Geometry:
        """The tables of a board of nine rows, which hold any island on the middle row.

        On tall boards, the surroundings of a cell are examined in such a strip.
        """
        return geometry(self.width, 2 * ISLAND_SIZE + 1)

    def _table_of_steps(self, steps: Iterable[tuple[int, int]]) -> Lookup:
        """Return a table with the set of cells that *steps* lead to from each cell."""
        width = self.width
        full = self.full
        below = MAX_DISTANCE * self.width
        # By column, for a cell in the lowest row, shifted up so that rows below it are not lost.
        templates = tuple(
            sum(1 << below + dy * width + x + dx for dx, dy in steps if 0 <= x + dx < width)
            for x in range(width)
        )

        def find(cell: int) -> int:
            x = cell % width
            return templates[x] << cell - x >> below & full

        return self._table(find)

    @cached_property
    def adjacent(self) -> Lookup:
        """For each cell, the up to four cells beside it."""
        return self._table_of_steps(ORTHOGONAL)

    @cached_property
    def around(self) -> Lookup:
        """For each cell, the up to eight cells around it."""
        return self._table_of_steps(ORTHOGONAL + DIAGONAL)

    @cached_property
    def near(self) -> Lookup:
        """For each cell, the cells that a tile there can affect under the rule of islands."""
        return self._table_of_steps(NEAR)

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, by row, then by column."""
        return tuple(Cell(x, y) for y in range(self.height) for x in range(self.width))

    def cells_of(self, mask: int) -> list[Cell]:
        """Return the cells of a set."""
        return [self.cells[index] for index in bits(mask)]

    def beside(self, cells: int) -> int:
        """Return the cells beside any of *cells*; ``& full`` cuts off those above the board."""
        width = self.width
        upright = cells >> width | cells << width
        level = cells >> 1 & self.not_last | cells << 1 & self.not_first
        return upright | level

    def group_around(self, cells: int, seed: int) -> int:
        """Return *seed* with all of *cells* that are connected to it side by side."""
        adjacent = self.adjacent
        group = seed
        fresh = seed
        while fresh:
            low = fresh & -fresh
            found = adjacent[low.bit_length() - 1] & cells & ~group
            group |= found
            fresh = fresh ^ low | found
        return group

    def groups(self, cells: int) -> list[int]:
        """Return the sets of connected *cells*, in the order of their first cells."""
        found = []
        while cells:
            group = self.group_around(cells, cells & -cells)
            found.append(group)
            cells &= ~group
        return found

    # Bridges

    @cached_property
    def all_bridges(self) -> int:
        """The set of the numbers of all bridges."""
        found = 0
        bits_of_row = DIRECTIONS * self.width
        for step, (dx, dy) in enumerate(FORWARD):
            columns = range(max(0, -dx), min(self.width, self.width - dx))
            row = sum(1 << DIRECTIONS * column + step for column in columns)
            # The row is repeated by multiplying it with a number that has a bit for each row.
            rows = (1 << bits_of_row * max(self.height - dy, 0)) - 1
            found |= row * (rows // ((1 << bits_of_row) - 1))
        return found

    def bridge_number(self, a: int, b: int) -> int:
        """Return the number of the bridge from *a* to a later cell *b*, -1 if there is none."""
        row, column = divmod(a, self.width)
        end_row, end_column = divmod(b, self.width)
        step = STEP_NUMBERS.get((end_column - column, end_row - row))
        return -1 if step is None or a < 0 else DIRECTIONS * a + step

    def number_of(self, pair: CellPair) -> int:
        """Return the number of the bridge between two cells, or -1 if there is none."""
        return self.bridge_number(self.index(pair.a), self.index(pair.b))

    def ends(self, number: int) -> tuple[int, int]:
        """Return the first and the second cell of a bridge."""
        first, step = divmod(number, DIRECTIONS)
        dx, dy = FORWARD[step]
        return first, first + dy * self.width + dx

    def beneath(self, number: int) -> int:
        """Return the set of cells under a bridge."""
        first, step = divmod(number, DIRECTIONS)
        return sum(1 << first + dy * self.width + dx for dx, dy in BENEATH[step])

    @cached_property
    def bridges_at(self) -> Lookup:
        """For each cell, the set of bridges that have an end there."""
        return self._table_of_bridges(BRIDGES_AT)

    @cached_property
    def bridges_over(self) -> Lookup:
        """For each cell, the set of bridges that pass over it."""
        return self._table_of_bridges(BRIDGES_OVER)

    def _table_of_bridges(self, places: Iterable[RelativeBridge]) -> Lookup:
        """Return a table with the set of bridges at these places relative to each cell."""
        everything = self.all_bridges
        below = DIRECTIONS * MAX_DISTANCE * self.width
        # The template is for cell 0. If a first end lies beyond the edge of a row, the bridge
        # crosses that edge. Its number then belongs to a cell at the other edge, and is not the
        # number of any bridge.
        numbers = {below + DIRECTIONS * (y * self.width + x) + step for x, y, step in places}
        template = sum(1 << number for number in numbers)
        return self._table(lambda cell: template << DIRECTIONS * cell >> below & everything)

    @cached_property
    def excluded_by(self) -> LazyTable:
        """For each bridge, the bridges that are impossible once it is built.

        These are the bridges that share an end with it or cross it, and the bridge itself.
        """
        width = self.width
        height = self.height
        everything = self.all_bridges
        at = self.bridges_at

        def find(number: int) -> int:
            first, step = divmod(number, DIRECTIONS)
            row, column = divmod(first, width)
            dx, dy = FORWARD[step]
            found = at[first] | at[first + dy * width + dx]
            for x, y, other in crossing_bridges()[step]:
                if 0 <= column + x < width and 0 <= row + y < height:
                    found |= 1 << DIRECTIONS * (first + y * width + x) + other
            return found & everything

        return LazyTable(find)

    @cached_property
    def bridge_count(self) -> int:
        """Number of possible bridges."""
        return self.all_bridges.bit_count()

    def bridge_rank(self, number: int) -> int:
        """Return the index of a bridge among all bridges of the board, in order."""
        return (self.all_bridges & (1 << number) - 1).bit_count()

    def bridge_at_rank(self, rank: int) -> int:
        """Return the number of the bridge with this index among all bridges."""
        return nth_bit(self.all_bridges, rank)

    @cached_property
    def bridges(self) -> tuple[Bridge, ...]:
        """Every possible bridge, in order."""
        return tuple(self.bridges_of(self.all_bridges))

    def bridge(self, number: int) -> Bridge:
        """Return the bridge with this number."""
        a, b = self.ends(number)
        return Bridge(self.cells[a], self.cells[b])

    def bridges_of(self, mask: int) -> list[Bridge]:
        """Return the bridges of a set."""
        return [self.bridge(number) for number in bits(mask)]

    def bridge_permutation(self, symmetry: Symmetry) -> dict[int, int]:
        """Return for each bridge the number of the bridge that *symmetry* maps it to."""
        found = self._bridge_permutations.get(symmetry)
        if found is None:
            points = (symmetry.point(cell.column, cell.row) for cell in self.cells)
            to = [row * self.width + column for column, row in points]
            found = {
                number: self.bridge_number(*sorted(to[end] for end in self.ends(number)))
                for number in bits(self.all_bridges)
            }
            self._bridge_permutations[symmetry] = found
        return found


class _GeometryCache:
    """A cache of the geometries in use, and of recent ones up to a limit on their total cells."""

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
            if found is None:
                found = self._alive.get(size) or Geometry._of(width, height)
                self._last[size] = found
                self._alive[size] = found
                self._cells += found.cell_count
                while self._cells > MAX_CACHED_CELLS:
                    self._cells -= self._last.popitem(last=False)[1].cell_count
            self._last.move_to_end(size)
            return found


_CACHE = _GeometryCache()


def geometry(width: int, height: int) -> Geometry:
    """Return the tables of a board size, shared by all its boards."""
    return _CACHE.get(width, height)


@lru_cache(maxsize=1)
def crossing_bridges() -> tuple[tuple[RelativeBridge, ...], ...]:
    """Return, for each forward step of a bridge at the origin, the bridges that cross it.

    Bridges that share an end are left out.
    """
    found: list[list[RelativeBridge]] = [[] for _ in FORWARD]
    for (step, end), (other, (dx, dy)) in product(enumerate(FORWARD), repeat=2):
        for x, y in product(_overlaps(end[0], dx), _overlaps(end[1], dy)):
            ends = (x, y), (x + dx, y + dy)
            if segments_conflict((0, 0), end, *ends) and not {(0, 0), end} & {*ends}:
                found[step].append((x, y, other))
    return tuple(map(tuple, found))


def _overlaps(one: int, other: int) -> range:
    """Return the starts at which a segment of length *other* can overlap one from 0 to *one*."""
    if not one and not other:
        return range(1)
    return range(min(one, 0) - max(other, 0) + 1, max(one, 0) - min(other, 0))
