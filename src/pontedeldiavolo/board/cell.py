"""Cells and pairs of cells: names and order."""

from __future__ import annotations

from typing import Self, SupportsIndex, TypeVar, final

from attrs import field, frozen

from pontedeldiavolo.base.errors import PonteError, instance_of, reason, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue, Ordered, slot_setters

from .symmetry import Symmetry


def column_name(column: int) -> str:
    """Return the letters of a zero-based column: a to z, aa to az, ba and so on."""
    letters = ""
    rest = column + 1
    while rest:
        rest, digit = divmod(rest - 1, 26)
        letters = chr(ord("a") + digit) + letters
    return letters


def column_of(name: str) -> int:
    """Return the zero-based column that :func:`column_name` calls *name*, in lower case."""
    column = 0
    for letter in name:
        column = column * 26 + ord(letter) - ord("a") + 1
    return column - 1


def _column(value: SupportsIndex) -> int:
    return whole_number(value, "column")


def _row(value: SupportsIndex) -> int:
    return whole_number(value, "row")


@final
@frozen(order=False)
class Cell(Ordered["Cell"]):
    """A field of the board: zero-based column from the left, row from the bottom.

    Cells are ordered by row, then by column. A cell has no board, so it can be off a given board.

    >>> cell = pdd.Cell(2, 3)
    >>> str(cell)
    'c4'
    >>> cell < pdd.Cell(0, 4)
    True

    Raises:
        PonteError: If a coordinate is negative.
    """

    column: int = field(converter=_column)
    row: int = field(converter=_row)

    def __attrs_post_init__(self) -> None:
        if self.column < 0 or self.row < 0:
            raise PonteError(reason("negative-cell", x=self.column, y=self.row))

    def transform(self, symmetry: Symmetry) -> Cell:
        """Return the cell that *symmetry* maps this one to.

        Raises:
            PonteError: If the cell is off the symmetry's board.
        """
        require_type(symmetry, Symmetry, "symmetry")
        return Cell(*symmetry.point(self.column, self.row))

    def __str__(self) -> str:
        return f"{column_name(self.column)}{self.row + 1}"

    def _key(self) -> tuple[int, ...]:
        return (self.row, self.column)


P = TypeVar("P", bound="CellPair")


@frozen(order=False)
class CellPair(ImmutableValue):
    """Any two cells, stored in canonical order."""

    a: Cell = field(validator=instance_of(Cell))
    b: Cell = field(validator=instance_of(Cell))

    def __attrs_post_init__(self) -> None:
        a = self.a
        b = self.b
        if b < a:
            object.__setattr__(self, "a", b)
            object.__setattr__(self, "b", a)

    def transform(self, symmetry: Symmetry) -> Self:
        """Return the pair that *symmetry* maps this one to.

        Raises:
            PonteError: If a cell is off the symmetry's board.
        """
        return type(self)(self.a.transform(symmetry), self.b.transform(symmetry))


_new = object.__new__
_set_a, _set_b = slot_setters(CellPair)


def in_order(kind: type[P], a: Cell, b: Cell) -> P:
    """Return ``kind(a, b)`` for two cells known to be in order: a fast way to make many."""
    pair = _new(kind)
    _set_a(pair, a)
    _set_b(pair, b)
    return pair
