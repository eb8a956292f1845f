"""What all views of legal actions and steps share: the manners of a sequence."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from operator import index as as_index
from random import Random
from typing import Any, SupportsIndex, TypeVar, cast, final, overload

from attrs import frozen

from pontedeldiavolo.base.sealed import Unsealed
from pontedeldiavolo.board.cell_pair import in_order
from pontedeldiavolo.board.geometry import Geometry, bits, nth_bit
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    Step,
)
from pontedeldiavolo.vocabulary import Color

T = TypeVar("T", bound=Action | Step)

COLORS = (Color.WHITE, Color.RED)


def below(rng: Random, limit: int) -> int:
    """Return a whole number from 0 to *limit* - 1, each with the same probability."""
    width = limit.bit_length()
    number = rng.getrandbits(width)
    while number >= limit:
        number = rng.getrandbits(width)
    return number


def bridge_action(geometry: Geometry, number: int) -> BuildBridge:
    """Return the building of bridge *number*."""
    a, b = geometry.ends[number]
    return in_order(BuildBridge, geometry.cells[a], geometry.cells[b])


def bridge_actions(geometry: Geometry, mask: int) -> tuple[BuildBridge, ...]:
    """Return the building of each of a set of bridges."""
    return tuple(bridge_action(geometry, number) for number in bits(mask))


def number_of(geometry: Geometry, action: BuildBridge) -> int:
    """Return the number of the bridge that *action* builds, -1 if there is no such bridge."""
    return geometry.bridge_number(geometry.index(action.a), geometry.index(action.b))


def builds_one_of(geometry: Geometry, mask: int, action: BuildBridge) -> bool:
    """Tell whether *action* builds one of a set of bridges."""
    number = number_of(geometry, action)
    return number >= 0 and bool(mask >> number & 1)


class View(Sequence[T], Unsealed):
    """A sorted sequence without repetition whose items are made when asked for."""

    @abstractmethod
    def _at(self, place: int) -> T:
        """Return the item at *place*, which is in range."""

    @abstractmethod
    def _rank(self, item: T) -> int:
        """Return the place of an item that is in the view."""

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
        """Return the place of *value*.

        Raises:
            ValueError: If it is not there.
        """
        if value in self:
            place = self._rank(cast(T, value))
            if place in range(*slice(start, stop).indices(len(self))):
                return place
        raise ValueError(f"{value!r} is not in the view")

    def count(self, value: object) -> int:
        """Return 1 if *value* is there, else 0."""
        return int(value in self)

    def sample(self, rng: Random) -> T:
        """Return one of the items, each with the same probability.

        Raises:
            TypeError: If *rng* is not a :class:`random.Random`.
            IndexError: If there are none.
        """
        require_type(rng, Random, "rng")
        length = len(self)
        if not length:
            raise IndexError("there is nothing to draw from")
        return self._at(below(rng, length))

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)}>"


@final
@frozen(slots=False, eq=False, repr=False)
class SingleTiles(View[PlaceTile]):
    """One tile on each cell of a set."""

    _geometry: Geometry
    mask: int

    def __len__(self) -> int:
        return self.mask.bit_count()

    def __contains__(self, item: object) -> bool:
        if not isinstance(item, PlaceTile):
            return False
        cell = self._geometry.index(item.cell)
        return cell >= 0 and bool(self.mask >> cell & 1)

    def __iter__(self) -> Iterator[PlaceTile]:
        for cell in bits(self.mask):
            yield PlaceTile(self._geometry.cells[cell])

    def _at(self, place: int) -> PlaceTile:
        return PlaceTile(self._geometry.cells[nth_bit(self.mask, place)])

    def _rank(self, item: PlaceTile) -> int:
        below = (1 << self._geometry.index(item.cell)) - 1
        return (self.mask & below).bit_count()


@final
@frozen(slots=False, eq=False, repr=False)
class Others(View[BuildBridge | ChooseColor | Pass]):
    """What can be done besides placing tiles: bridges, the choice of a colour, the pass."""

    _geometry: Geometry
    bridge_mask: int
    choosing: bool = False
    passing: bool = False

    def __len__(self) -> int:
        return self.bridge_mask.bit_count() + (2 if self.choosing else 0) + self.passing

    def __contains__(self, item: object) -> bool:
        match item:
            case BuildBridge():
                return builds_one_of(self._geometry, self.bridge_mask, item)
            case ChooseColor():
                return self.choosing
            case Pass():
                return self.passing
        return False

    def __iter__(self) -> Iterator[BuildBridge | ChooseColor | Pass]:
        for number in bits(self.bridge_mask):
            yield bridge_action(self._geometry, number)
        if self.choosing:
            yield from map(ChooseColor, COLORS)
        if self.passing:
            yield Pass()

    def _at(self, place: int) -> BuildBridge | ChooseColor | Pass:
        bridges = self.bridge_mask.bit_count()
        if place < bridges:
            return bridge_action(self._geometry, nth_bit(self.bridge_mask, place))
        if self.choosing:
            return ChooseColor(COLORS[place - bridges])
        return Pass()

    def _rank(self, item: BuildBridge | ChooseColor | Pass) -> int:
        if isinstance(item, BuildBridge):
            below = (1 << number_of(self._geometry, item)) - 1
            return (self.bridge_mask & below).bit_count()
        if isinstance(item, ChooseColor):
            return self.bridge_mask.bit_count() + item.color.index
        return len(self) - 1


class TilesAndOthers(View[T], Unsealed):
    """Tiles first, then the others: what a turn, or a step of one, can be."""

    @property
    @abstractmethod
    def _tiles(self) -> View[Any]:
        """The pairs of tiles, or the single tiles."""

    @property
    @abstractmethod
    def others(self) -> Others:
        """What can be done besides placing tiles."""

    def __len__(self) -> int:
        return len(self._tiles) + len(self.others)

    def __bool__(self) -> bool:
        return bool(self.others) or bool(self._tiles)

    def __contains__(self, item: object) -> bool:
        return item in self._tiles or item in self.others

    def __iter__(self) -> Iterator[T]:
        yield from self._tiles
        # Every T covers what Others holds.
        yield from cast(View[T], self.others)

    def _at(self, place: int) -> T:
        tiles = len(self._tiles)
        if place < tiles:
            return cast(T, self._tiles[place])
        return cast(T, self.others[place - tiles])

    def _rank(self, item: T) -> int:
        if item in self._tiles:
            return self._tiles.index(item)
        return len(self._tiles) + self.others.index(item)
