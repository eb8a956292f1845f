"""Two cells in order: what bridges and the actions with two cells are made of."""

from __future__ import annotations

from typing import Self, TypeVar

from attrs import field, frozen

from pontedeldiavolo.base.sealed import Unsealed
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.checks import instance_of

P = TypeVar("P", bound="CellPair")


@frozen(order=False)
class CellPair(Unsealed):
    """Any two cells. They come out in canonical order, whichever way they go in.

    Raises:
        TypeError: If one of them is not a :class:`Cell`.
    """

    a: Cell = field(validator=instance_of(Cell))
    b: Cell = field(validator=instance_of(Cell))

    def __attrs_post_init__(self) -> None:
        a, b = self.a, self.b
        if b < a:
            object.__setattr__(self, "a", b)
            object.__setattr__(self, "b", a)

    def transform(self, symmetry: Symmetry) -> Self:
        """Return where *symmetry* takes it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
            PonteError: If a cell is off the symmetry's board.
        """
        return type(self)(self.a.transform(symmetry), self.b.transform(symmetry))


_new, _put = object.__new__, object.__setattr__


def in_order(kind: type[P], a: Cell, b: Cell) -> P:
    """Return ``kind(a, b)`` of two cells known to be in order: the fast way to make many."""
    pair = _new(kind)
    _put(pair, "a", a)
    _put(pair, "b", b)
    return pair
