"""An immutable set of cells of one board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import TypeVar, cast, final

from attrs import frozen

from pontedeldiavolo.base.values import ImmutableValue

from .cell import Cell
from .geometry import Geometry, bits

T = TypeVar("T")


@final
@frozen(init=False, eq=False, repr=False)
class CellSet(AbstractSet[Cell], ImmutableValue):
    """A set of cells of one board, iterated in cell order.

    Equal to, and hashed like, a ``frozenset`` of the same cells. The set operators give a
    ``CellSet`` again, or a ``frozenset`` if the result contains an item that is not on the
    board. Made by :meth:`Board.cell_set`.

    >>> board = pdd.Board(3, 3)
    >>> corners = board.cell_set([pdd.Cell(0, 0), pdd.Cell(2, 2)])
    >>> corners, bin(corners.bits)
    (CellSet(a1, c3), '0b100000001')
    >>> corners | board.cell_set([pdd.Cell(1, 1)])
    CellSet(a1, b2, c3)
    >>> corners == {pdd.Cell(2, 2), pdd.Cell(0, 0)}
    True

    Attributes:
        bits: The set as an integer: bit *i* stands for ``board.cells[i]``.
    """

    _geometry: Geometry
    bits: int

    def __init__(self) -> None:
        raise TypeError("a set of cells is made by Board.cell_set()")

    # The set mixins build the results of &, |, - and ^ with this method. It is an instance method
    # here, since results belong to the same board; the stubs declare a class method.
    def _from_iterable(self, items: Iterable[T]) -> AbstractSet[T]:  # type: ignore[override]  # pyright: ignore[reportIncompatibleMethodOverride]
        found = frozenset(items)
        if not all(isinstance(item, Cell) and self._geometry.index(item) >= 0 for item in found):
            return found
        mask = self._geometry.set_of(cast(AbstractSet[Cell], found))
        return cast(AbstractSet[T], cell_set(self._geometry, mask))

    # Sets on boards of one size are combined as integers; the mixins handle all others.

    def __and__(self, other: AbstractSet[object]) -> CellSet:
        if isinstance(other, CellSet) and self._geometry.size == other._geometry.size:
            return cell_set(self._geometry, self.bits & other.bits)
        # The result is a subset of this set, so all of it is on the board.
        return cast(CellSet, super().__and__(other))

    def __or__(self, other: AbstractSet[T]) -> AbstractSet[Cell | T]:
        if isinstance(other, CellSet) and self._geometry.size == other._geometry.size:
            return cell_set(self._geometry, self.bits | other.bits)
        return super().__or__(other)

    def __sub__(self, other: AbstractSet[Cell | None]) -> CellSet:
        if isinstance(other, CellSet) and self._geometry.size == other._geometry.size:
            return cell_set(self._geometry, self.bits & ~other.bits)
        return cast(CellSet, super().__sub__(other))

    def __contains__(self, cell: object) -> bool:
        index = self._geometry.index(cell) if isinstance(cell, Cell) else -1
        return index >= 0 and bool(self.bits >> index & 1)

    def __iter__(self) -> Iterator[Cell]:
        cells = self._geometry.cells
        for index in bits(self.bits):
            yield cells[index]

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __eq__(self, other: object) -> bool:
        if isinstance(other, CellSet) and self._geometry.size == other._geometry.size:
            return self.bits == other.bits
        return super().__eq__(other)

    def __hash__(self) -> int:
        return hash(frozenset(self))

    def __repr__(self) -> str:
        return f"CellSet({', '.join(map(str, self))})"


_new = object.__new__
_put = object.__setattr__


def cell_set(geometry: Geometry, bits: int) -> CellSet:
    """Return the set of these cells, without checking that they are on the board."""
    found = _new(CellSet)
    _put(found, "_geometry", geometry)
    _put(found, "bits", bits)
    return found
