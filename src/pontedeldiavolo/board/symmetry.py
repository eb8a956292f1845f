"""Rotations and reflections of a board."""

from __future__ import annotations

from functools import lru_cache
from typing import SupportsIndex, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.errors import PonteError, instance_of, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue


def _width(value: SupportsIndex) -> int:
    return whole_number(value, "width")


def _height(value: SupportsIndex) -> int:
    return whole_number(value, "height")


@final
@frozen(order=False)
class Symmetry(ImmutableValue):
    """A rotation or reflection that maps a board to itself.

    First columns and rows are exchanged if it *transposes*, then the columns are mirrored if it
    *flips_columns*, and the rows if it *flips_rows*. :attr:`Board.symmetries` lists them.

    >>> turned = pdd.Symmetry(10, 10, transposes=True, flips_rows=True)
    >>> turned.point(0, 0)
    (0, 9)
    >>> turned.then(turned.inverse).is_identity
    True

    Attributes:
        width: The columns of the board.
        height: The rows of the board.
        transposes: Whether columns become rows; on square boards only.
        flips_columns: Whether left and right are exchanged.
        flips_rows: Whether top and bottom are exchanged.

    Raises:
        PonteError: If a side is less than 1, or a board that is not square is transposed.
    """

    width: int = field(converter=_width)
    height: int = field(converter=_height)
    transposes: bool = field(default=False, validator=instance_of(bool))
    flips_columns: bool = field(default=False, validator=instance_of(bool))
    flips_rows: bool = field(default=False, validator=instance_of(bool))

    def __attrs_post_init__(self) -> None:
        if min(self.width, self.height) < 1:
            raise PonteError(f"no board has the size {self.width}×{self.height}")
        if self.transposes and self.width != self.height:
            raise PonteError(f"a {self.width}×{self.height} board cannot be transposed")

    @property
    def is_identity(self) -> bool:
        """True for the identity."""
        return not (self.transposes or self.flips_columns or self.flips_rows)

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        if not self.transposes:
            return self
        return evolve(self, flips_columns=self.flips_rows, flips_rows=self.flips_columns)

    def then(self, other: Symmetry) -> Symmetry:
        """Return the composition: this symmetry, then *other*.

        Raises:
            PonteError: If it belongs to a board of another size.
        """
        require_type(other, Symmetry, "other")
        require_board(self, other.width, other.height)
        columns = self.flips_columns
        rows = self.flips_rows
        if other.transposes:
            columns, rows = rows, columns
        return Symmetry(
            self.width,
            self.height,
            self.transposes != other.transposes,
            columns != other.flips_columns,
            rows != other.flips_rows,
        )

    def point(self, column: int, row: int) -> tuple[int, int]:
        """Return the column and row that a cell in this column and row is mapped to.

        Raises:
            PonteError: If it is off the board.
        """
        column = whole_number(column, "column")
        row = whole_number(row, "row")
        if not (0 <= column < self.width and 0 <= row < self.height):
            size = f"{self.width}×{self.height}"
            raise PonteError(f"column {column}, row {row} is off the {size} board")
        if self.transposes:
            column, row = row, column
        if self.flips_columns:
            column = self.width - 1 - column
        if self.flips_rows:
            row = self.height - 1 - row
        return column, row


def require_board(symmetry: Symmetry, width: int, height: int) -> None:
    """Refuse a symmetry that belongs to a board of another size.

    Raises:
        PonteError: If it does.
    """
    if (width, height) != (symmetry.width, symmetry.height):
        own = f"{symmetry.width}×{symmetry.height}"
        raise PonteError(f"a symmetry of {own} does not fit {width}×{height}")


@lru_cache(maxsize=64)
def symmetries_of(width: int, height: int) -> tuple[Symmetry, ...]:
    """Return every symmetry of a board size, the identity first: 8 if it is square, else 4."""
    both = (False, True)
    return tuple(
        Symmetry(width, height, transposes, columns, rows)
        for transposes in (both if width == height else (False,))
        for columns in both
        for rows in both
    )
