"""The legal actions and the legal steps of a state, as lazy views."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import accumulate
from operator import index as as_index
from operator import sub
from random import Random
from typing import (
    Protocol,
    SupportsIndex,
    TypeAlias,
    TypeVar,
    cast,
    final,
    overload,
    runtime_checkable,
)

from attrs import frozen

from pontedeldiavolo.base.enums import COLOR_CHOICE, TILES_PER_TURN, WHITE, Color, Phase
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.cell import Cell, in_order
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.board.geometry import DIRECTIONS, Geometry, bits, nth_bit
from pontedeldiavolo.position.pieces import Pieces, conflicts, keeps_island_rule, survey
from pontedeldiavolo.rules.actions import (
    WITHOUT_CELLS,
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.rules.rules import Rules

T = TypeVar("T", bound=Action | Step)

_TRIES = 16
"""Number of rejections after which sampling counts the actions instead."""

CHOICE_BITS = 0b011
PASS_BIT = 0b100
"""Sets of actions without cells: both colours, and the pass."""


@runtime_checkable
class NumpyGenerator(Protocol):
    """The part of ``numpy.random.Generator`` that this module uses."""

    @abstractmethod
    def integers(self, low: int) -> SupportsIndex:
        """Return a whole number from 0 to *low* - 1."""


RandomBits: TypeAlias = Callable[[int], int]
"""A function that returns a random integer of a number of bits."""


def random_bits(rng: Random | NumpyGenerator) -> RandomBits:
    """Return a function that gives random bits from a generator of Python or NumPy."""
    if isinstance(rng, Random):
        return rng.getrandbits
    if not hasattr(rng, "integers"):
        require_type(rng, (Random, NumpyGenerator), "rng")
    return lambda width: as_index(rng.integers(1 << width))


def randbelow(random_bits: RandomBits, limit: int) -> int:
    """Return a whole number from 0 to *limit* - 1, each with the same probability."""
    width = limit.bit_length()
    number = random_bits(width)
    while number >= limit:
        number = random_bits(width)
    return number


def bridge_action(geometry: Geometry, number: int) -> BuildBridge:
    """Return the action that builds bridge *number*."""
    a, b = geometry.ends(number)
    return in_order(BuildBridge, geometry.cells[a], geometry.cells[b])


def bridge_actions(geometry: Geometry, mask: int) -> tuple[BuildBridge, ...]:
    """Return the actions that build each of a set of bridges."""
    return tuple(bridge_action(geometry, number) for number in bits(mask))


def step_number(geometry: Geometry, step: object) -> int:
    """Return the number of a step, or -1 if there is no such step on the board.

    The tile on each cell comes first, then the bridges with their own numbers, white, red, pass.
    The codes of :class:`StepSpace` have the same order without the numbers that are not bridges.
    They are not used here, because finding a code means counting bridges: listing the steps of a
    state would take nearly twice as long.
    """
    cells = geometry.cell_count
    match step:
        case PlaceTile():
            return geometry.index(step.cell)
        case BuildBridge():
            number = geometry.number_of(step)
            return number if number < 0 else cells + number
        case ChooseColor() | Pass():
            return (1 + DIRECTIONS) * cells + WITHOUT_CELLS.index(step)
    return -1


def step_at(geometry: Geometry, number: int) -> Step:
    """Return the step with this number."""
    cells = geometry.cell_count
    if number < cells:
        return PlaceTile(geometry.cells[number])
    if number < (1 + DIRECTIONS) * cells:
        return bridge_action(geometry, number - cells)
    return WITHOUT_CELLS[number - (1 + DIRECTIONS) * cells]


def numbers_of_others(geometry: Geometry, bridges: int, without_cells: int) -> int:
    """Return the set of the numbers of some bridges and of some steps without cells."""
    return (without_cells << DIRECTIONS * geometry.cell_count | bridges) << geometry.cell_count


class LazySequence(Sequence[T], ImmutableValue):
    """A sorted sequence without duplicates that creates its items on demand.

    Views are equal if they have the same type and items: views of equal states are equal.
    """

    @abstractmethod
    def _at(self, place: int) -> T:
        """Return the item at the index *place*, which is in range."""

    @abstractmethod
    def _rank(self, item: T) -> int:
        """Return the index of an item that is in the view."""

    @overload
    def __getitem__(self, index: SupportsIndex) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: SupportsIndex | slice) -> T | tuple[T, ...]:
        length = len(self)
        if isinstance(index, slice):
            return tuple(self._at(place) for place in range(*index.indices(length)))
        if isinstance(index, bool):
            raise TypeError("an index is a whole number, not a bool")
        place = as_index(index)
        if not -length <= place < length:
            raise IndexError(f"the index is out of range: there are {length}")
        return self._at(place % length)

    def index(self, value: object, start: int = 0, stop: int | None = None) -> int:
        """Return the index of *value*.

        Raises:
            ValueError: If it is not in the view.
        """
        if value in self:
            place = self._rank(cast(T, value))
            if place in range(*slice(start, stop).indices(len(self))):
                return place
        raise ValueError(f"{value!r} is not in the view")

    def count(self, value: object) -> int:
        """Return 1 if *value* is in the view, else 0."""
        return int(value in self)

    def sample(self, rng: Random | NumpyGenerator) -> T:
        """Return one of the items, each with the same probability.

        Args:
            rng: A ``random.Random`` or a ``numpy.random.Generator``.

        Raises:
            IndexError: If there are none.
        """
        bits = random_bits(rng)
        length = len(self)
        if not length:
            raise IndexError("there is nothing to sample")
        return self._at(randbelow(bits, length))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)}>"


@frozen(slots=False, repr=False)
class StepSequence(LazySequence[T]):
    """The steps whose numbers are in a set."""

    _geometry: Geometry
    _numbers: int

    def __len__(self) -> int:
        return self._numbers.bit_count()

    def __contains__(self, item: object) -> bool:
        number = step_number(self._geometry, item)
        return number >= 0 and bool(self._numbers >> number & 1)

    def __iter__(self) -> Iterator[T]:
        for number in bits(self._numbers):
            yield cast(T, step_at(self._geometry, number))

    def _at(self, place: int) -> T:
        return cast(T, step_at(self._geometry, nth_bit(self._numbers, place)))

    def _rank(self, item: T) -> int:
        return (self._numbers & (1 << step_number(self._geometry, item)) - 1).bit_count()


@final
class NonTileActions(StepSequence[BuildBridge | ChooseColor | Pass]):
    """Actions that place no tiles: bridges, the choice of a colour, the pass."""

    @property
    def bridge_mask(self) -> int:
        """The bridges among them."""
        return self._numbers >> self._geometry.cell_count & self._geometry.all_bridges


def allows_pair(geometry: Geometry, own: int, open_cells: int, a: int, b: int) -> bool:
    """Return whether tiles on cells *a* and *b* are legal together.

    *own* are the tiles of the colour, *open_cells* the cells where one tile of it is legal.
    """
    both = 1 << a | 1 << b
    if a == b or open_cells & both != both:
        return False
    # Far cells never conflict, nor does a cell that has no tile of its colour around it.
    own |= both
    if (
        not geometry.near[a] >> b & 1
        or not geometry.around[a] & own
        or not geometry.around[b] & own
    ):
        return True
    return keeps_island_rule(geometry, own, 1 << a) and keeps_island_rule(geometry, own, 1 << b)


def draw_pair(
    geometry: Geometry, own: int, open_cells: int, random_bits: RandomBits
) -> PlaceTiles | None:
    """Return a random pair of open cells, or ``None`` if they exclude each other."""
    count = open_cells.bit_count()
    width = open_cells.bit_length().bit_length()
    if count << 4 < 1 << width:
        a = nth_bit(open_cells, randbelow(random_bits, count))
        b = a
        while a == b:
            b = nth_bit(open_cells, randbelow(random_bits, count))
    else:
        # If open cells are not rare, trying random numbers is faster than selecting the n-th.
        a = random_bits(width)
        while not open_cells >> a & 1:
            a = random_bits(width)
        b = random_bits(width)
        while a == b or not open_cells >> b & 1:
            b = random_bits(width)
    if a > b:
        a, b = b, a
    if not allows_pair(geometry, own, open_cells, a, b):
        return None
    return in_order(PlaceTiles, geometry.cells[a], geometry.cells[b])


@final
@frozen(slots=False, repr=False)
class Pairs(LazySequence[PlaceTiles]):
    """A sequence of all legal pairs of tiles, by (first cell, second cell)."""

    _geometry: Geometry
    _own: int
    _open: int

    def seconds(self, first: int) -> int:
        """Return the cells that make a legal pair with the cell *first*: none for -1, no cell."""
        if first < 0 or not self._open >> first & 1:
            return 0
        own = self._own | 1 << first
        return self._open & ~(survey(self._geometry, own).closed | own)

    @cached_property
    def firsts(self) -> int:
        """The cells that belong to some legal pair."""
        if not self._open:
            return 0
        # A cell that is far from another open cell makes a legal pair with it: check the rest only.
        near = self._geometry.near
        lowest = nth_bit(self._open, 0)
        highest = self._open.bit_length() - 1
        found = self._open & ~(near[lowest] & near[highest]) & ~(1 << lowest | 1 << highest)
        for cell in bits(self._open ^ found):
            if self._open & ~near[cell] & ~(1 << cell) or self.seconds(cell):
                found |= 1 << cell
        return found

    def __len__(self) -> int:
        return self._length

    def __bool__(self) -> bool:
        return any(self.seconds(first) for first in bits(self._open))

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, PlaceTiles):
            return False
        a = self._geometry.index(item.a)
        b = self._geometry.index(item.b)
        return a >= 0 and b >= 0 and allows_pair(self._geometry, self._own, self._open, a, b)

    def __iter__(self) -> Iterator[PlaceTiles]:
        cells = self._geometry.cells
        for first in bits(self._open):
            for second in bits(self.later_seconds(first)):
                yield in_order(PlaceTiles, cells[first], cells[second])

    @cached_property
    def _conflicts(self) -> list[tuple[int, int]]:
        """The open cells that exclude others, with the excluded cells; each pair is listed once."""
        return list(conflicts(self._geometry, self._own, self._open))

    @cached_property
    def _length(self) -> int:
        count = self._open.bit_count()
        return count * (count - 1) // 2 - sum(mask.bit_count() for _, mask in self._conflicts)

    @cached_property
    def conflicts(self) -> dict[int, int]:
        """Maps each open cell that excludes others to the open cells that it excludes."""
        found: dict[int, int] = {}
        for cell, excluded in self._conflicts:
            found[cell] = found.get(cell, 0) | excluded
            for other in bits(excluded):
                found[other] = found.get(other, 0) | 1 << cell
        return found

    def later_seconds(self, first: int) -> int:
        """Return the cells after *first* that make a legal pair with it."""
        if not self._open >> first & 1:
            return 0
        later = self._open & -2 << first
        return later & ~self.conflicts.get(first, 0)

    @cached_property
    def _rows(self) -> tuple[list[int], list[int]]:
        """The first cells, and for each the number of pairs before its own."""
        firsts = [*bits(self._open)]
        lost = dict.fromkeys(firsts, 0)
        for cell, excluded in self._conflicts:
            lost[cell] += (excluded >> cell).bit_count()
            for before in bits(excluded & (1 << cell) - 1):
                lost[before] += 1
        pairs = range(len(firsts) - 1, -1, -1)
        return firsts, [*accumulate(map(sub, pairs, lost.values()), initial=0)]

    def _at(self, place: int) -> PlaceTiles:
        firsts, totals = self._rows
        row = bisect_right(totals, place) - 1
        first = firsts[row]
        second = nth_bit(self.seconds(first) & -2 << first, place - totals[row])
        return in_order(PlaceTiles, self._geometry.cells[first], self._geometry.cells[second])

    def _rank(self, item: PlaceTiles) -> int:
        first = self._geometry.index(item.a)
        second = self._geometry.index(item.b)
        firsts, totals = self._rows
        before = totals[firsts.index(first)]
        return before + (self.later_seconds(first) & (1 << second) - 1).bit_count()


def cells_for_pairs(rules: Rules, pieces: Pieces, color: int) -> int:
    """Return the open cells of a colour; none if it has too few tiles for a pair."""
    supply = rules.tiles_per_color
    if supply is not None and supply - pieces.tiles(color).bit_count() < TILES_PER_TURN:
        return 0
    return pieces.open_cells(color)


def legal_pairs(rules: Rules, pieces: Pieces, color: int) -> Pairs:
    """Return the pairs of tiles that a colour could place if it were to move."""
    open_cells = cells_for_pairs(rules, pieces, color)
    return Pairs(pieces.geometry, pieces.tiles(color), open_cells)


@final
@frozen(init=False, slots=False, repr=False)
class LegalActions(LazySequence[Action]):
    """Every legal action of a state, as a lazy sequence.

    The order is :class:`PlaceTiles` by (first cell, second cell), :class:`BuildBridge` likewise,
    :class:`ChooseColor` white then red, :class:`Pass`. It is also the sort order of actions:
    ``sorted(legal) == list(legal)``. Length and membership are exact and need no
    enumeration. The legal actions of equal states are equal.

    >>> legal = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1))).legal_actions
    >>> len(legal), pdd.format_action(legal[0])
    (6, 'a1,b1')
    >>> [pdd.format_action(action) for action in legal]
    ['a1,b1', 'a1,c1', 'a1,d1', 'b1,c1', 'b1,d1', 'c1,d1']
    >>> legal.second_tiles(pdd.Cell(0, 0))
    CellSet(b1, c1, d1)
    """

    _geometry: Geometry
    _own: int
    _open: int
    _bridges: int
    _without_cells: int
    """The legal actions without cells, as a set; they are legal only if there are no pairs."""

    def __init__(self) -> None:
        raise TypeError("legal actions are those of a state: GameState.legal_actions")

    def __len__(self) -> int:
        return len(self.pairs) + len(self.others)

    def __bool__(self) -> bool:
        return bool(self.others) or bool(self.pairs)

    def __contains__(self, item: object) -> bool:
        # Whether a bridge is legal does not depend on the pairs; only the pass does.
        if isinstance(item, BuildBridge):
            number = self._geometry.number_of(item)
            return number >= 0 and bool(self._bridges >> number & 1)
        if isinstance(item, PlaceTiles):
            a = self._geometry.index(item.a)
            b = self._geometry.index(item.b)
            return a >= 0 and b >= 0 and allows_pair(self._geometry, self._own, self._open, a, b)
        return item in self.others

    def __iter__(self) -> Iterator[Action]:
        yield from self.pairs
        yield from self.others

    def _at(self, place: int) -> Action:
        pairs = len(self.pairs)
        return self.pairs._at(place) if place < pairs else self.others._at(place - pairs)

    def _rank(self, item: Action) -> int:
        if isinstance(item, PlaceTiles):
            return self.pairs._rank(item)
        return len(self.pairs) + self.others._rank(item)

    @cached_property
    def pairs(self) -> Pairs:
        """Only the pairs of tiles, as a lazy sequence."""
        return Pairs(self._geometry, self._own, self._open)

    @cached_property
    def others(self) -> NonTileActions:
        """The actions that place no tiles, as a lazy sequence."""
        without_cells = 0 if self.pairs else self._without_cells
        numbers = numbers_of_others(self._geometry, self._bridges, without_cells)
        return NonTileActions(self._geometry, numbers)

    @property
    def first_tiles(self) -> CellSet:
        """The cells that can be half of a legal pair."""
        return cell_set(self._geometry, self.pairs.firsts)

    def second_tiles(self, cell: Cell) -> CellSet:
        """Return the cells that complete a legal pair with *cell*, none if no legal pair has it."""
        require_type(cell, Cell, "cell")
        return cell_set(self._geometry, self.pairs.seconds(self._geometry.index(cell)))

    @property
    def bridges(self) -> tuple[BuildBridge, ...]:
        """The bridges that can be built."""
        return bridge_actions(self._geometry, self._bridges)

    def bridges_from(self, cell: Cell) -> tuple[BuildBridge, ...]:
        """Return the bridges that can be built with one end on *cell*."""
        require_type(cell, Cell, "cell")
        index = self._geometry.index(cell)
        if index < 0:
            return ()
        return bridge_actions(self._geometry, self._bridges & self._geometry.bridges_at[index])

    def sample(self, rng: Random | NumpyGenerator) -> Action:
        """Return one of the legal actions, each with the same probability.

        Args:
            rng: A ``random.Random`` or a ``numpy.random.Generator``.

        Raises:
            IndexError: If there are none: the game is over.
        """
        # Sample from all ordered pairs of open cells, and from the bridges and the pass with
        # double weight. Reject pairs of cells that exclude each other, and the pass where it is
        # illegal. That is uniform without counting the legal pairs.
        bits = random_bits(rng)
        count = self._open.bit_count()
        candidates = count * (count - 1)
        if candidates:
            bridges = self._bridges.bit_count()
            for _ in range(_TRIES):
                number = randbelow(bits, candidates + 2 * bridges + 2) >> 1
                if number < bridges:
                    return bridge_action(self._geometry, nth_bit(self._bridges, number))
                if number == bridges:
                    if Pass() in self.others:
                        return Pass()
                    continue
                pair = draw_pair(self._geometry, self._own, self._open, bits)
                if pair is not None:
                    return pair
        return super().sample(rng)


@final
@frozen(init=False, slots=False, repr=False)
class LegalSteps(StepSequence[Step]):
    """Every legal step, as a sequence: :class:`PlaceTile` by cell, then as in legal actions.

    A :class:`PlaceTile` is listed only if some second tile completes it. Sampling steps uniformly
    does not sample actions uniformly.

    >>> steps = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 1))).legal_steps
    >>> [pdd.format_action(step) for step in steps]
    ['a1', 'b1', 'c1', 'd1']
    """

    def __init__(self) -> None:
        raise TypeError("legal steps are those of a state: GameState.legal_steps")

    def sample(self, rng: Random | NumpyGenerator) -> Step:
        """Return one of the legal steps, each with the same probability.

        Args:
            rng: A ``random.Random`` or a ``numpy.random.Generator``.

        Raises:
            IndexError: If there are none: the game is over.
        """
        return super().sample(rng)

    @property
    def tile_mask(self) -> int:
        """The cells where a tile can be placed, as an integer used as a bit set."""
        return self._numbers & self._geometry.full

    @property
    def others(self) -> NonTileActions:
        """The steps that place no tile, as a lazy sequence."""
        return NonTileActions(self._geometry, self._numbers ^ self.tile_mask)


for _view in (LegalActions, LegalSteps):
    # attrs adds a constructor that nobody calls, and help() would show it. Classes with slots have
    # lost it in ImmutableValue.
    delattr(_view, "__attrs_init__")


def find_legal_actions(
    rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None
) -> LegalActions:
    """Return the legal actions of a state with these parts."""
    own = 0
    open_cells = 0
    bridges = 0
    without_cells = PASS_BIT
    if to_move is None:
        without_cells = CHOICE_BITS if phase is COLOR_CHOICE else 0
    else:
        color = 0 if to_move is WHITE else 1
        own = pieces.tiles(color)
        open_cells = cells_for_pairs(rules, pieces, color)
        if rules.bridges is None or rules.bridges > pieces.bridges.bit_count():
            bridges = pieces.open_bridges(color)
    legal = object.__new__(LegalActions)
    parts = vars(legal)
    parts["_geometry"] = pieces.geometry
    parts["_own"] = own
    parts["_open"] = open_cells
    parts["_bridges"] = bridges
    parts["_without_cells"] = without_cells
    return legal


def find_legal_steps(geometry: Geometry, numbers: int) -> LegalSteps:
    """Return the steps with these numbers."""
    steps = object.__new__(LegalSteps)
    vars(steps).update(_geometry=geometry, _numbers=numbers)
    return steps
