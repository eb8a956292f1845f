"""What a player can do in a turn, as values.

An action holds whatever it was given: same, far or off-board cells are for
:meth:`GameState.violations` to name, not errors of the constructors.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, final

from attrs import field, frozen
from attrs.validators import instance_of

from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.symmetry import Symmetry
from pontedeldiavolo.vocabulary import Color


class _Ordered(Sealed):
    """Orders actions of all kinds together, as :attr:`GameState.legal_actions` lists them."""

    __slots__ = ()

    if TYPE_CHECKING:

        def _key(self) -> tuple[int, ...]: ...

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() < other._key()

    def __le__(self, other: object) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() <= other._key()

    def __gt__(self, other: object) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() > other._key()

    def __ge__(self, other: object) -> bool:
        if not isinstance(other, _Ordered):
            return NotImplemented
        return self._key() >= other._key()


def _sort_ends(action: PlaceTiles | BuildBridge) -> None:
    """Put the two cells of a new action into canonical order."""
    a, b = action.a, action.b
    if b < a:
        object.__setattr__(action, "a", b)
        object.__setattr__(action, "b", a)


@final
@frozen(order=False)
class PlaceTiles(_Ordered):
    """Two tiles of the mover's colour on two free cells: one whole turn [S0].

    The cells come out in canonical order, whichever way they go in.

    Raises:
        TypeError: If a cell is not a :class:`Cell`.
    """

    a: Cell = field(validator=instance_of(Cell))
    b: Cell = field(validator=instance_of(Cell))

    def __attrs_post_init__(self) -> None:
        _sort_ends(self)

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Both cells, in cell order."""
        return (self.a, self.b)

    def transform(self, symmetry: Symmetry) -> PlaceTiles:
        """Return where *symmetry* takes it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
            PonteError: If a cell is off the symmetry's board.
        """
        return PlaceTiles(self.a.transform(symmetry), self.b.transform(symmetry))

    def _key(self) -> tuple[int, ...]:
        return (0, self.a.row, self.a.column, self.b.row, self.b.column)


@final
@frozen(order=False)
class PlaceTile(_Ordered):
    """One tile: half of a pair, for interfaces that go click by click. Never a turn.

    Raises:
        TypeError: If *cell* is not a :class:`Cell`.
    """

    cell: Cell = field(validator=instance_of(Cell))

    def transform(self, symmetry: Symmetry) -> PlaceTile:
        """Return where *symmetry* takes it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
            PonteError: If a cell is off the symmetry's board.
        """
        return PlaceTile(self.cell.transform(symmetry))

    def _key(self) -> tuple[int, ...]:
        return (0, self.cell.row, self.cell.column)


@final
@frozen(order=False)
class BuildBridge(_Ordered):
    """A bridge between two of the mover's tiles: one whole turn [S0].

    The cells come out in canonical order, whichever way they go in.

    Raises:
        TypeError: If a cell is not a :class:`Cell`.
    """

    a: Cell = field(validator=instance_of(Cell))
    b: Cell = field(validator=instance_of(Cell))

    def __attrs_post_init__(self) -> None:
        _sort_ends(self)

    @property
    def bridge(self) -> Bridge:
        """The bridge as geometry."""
        return Bridge(self.a, self.b)

    def transform(self, symmetry: Symmetry) -> BuildBridge:
        """Return where *symmetry* takes it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
            PonteError: If a cell is off the symmetry's board.
        """
        return BuildBridge(self.a.transform(symmetry), self.b.transform(symmetry))

    def _key(self) -> tuple[int, ...]:
        return (1, self.a.row, self.a.column, self.b.row, self.b.column)


_new, _put = object.__new__, object.__setattr__


def sorted_tiles(a: Cell, b: Cell) -> PlaceTiles:
    """Return ``PlaceTiles(a, b)`` of two cells known to be in order: the fast way to make many."""
    action = _new(PlaceTiles)
    _put(action, "a", a)
    _put(action, "b", b)
    return action


def sorted_bridge(a: Cell, b: Cell) -> BuildBridge:
    """Return ``BuildBridge(a, b)`` of two cells known to be in order."""
    action = _new(BuildBridge)
    _put(action, "a", a)
    _put(action, "b", b)
    return action


@final
@frozen(order=False)
class ChooseColor(_Ordered):
    """The second seat takes a colour after white's first move [S0].

    Raises:
        TypeError: If *color* is not a :class:`Color`.
    """

    color: Color = field(validator=instance_of(Color))

    def transform(self, symmetry: Symmetry) -> ChooseColor:
        """Return itself: no cell is in it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
        """
        require_type(symmetry, Symmetry, "symmetry")
        return self

    def _key(self) -> tuple[int, ...]:
        return (2, self.color.index)


@final
@frozen(order=False)
class Pass(_Ordered):
    """Neither tiles nor a bridge: only where no legal pair of tiles exists [S4]."""

    def transform(self, symmetry: Symmetry) -> Pass:
        """Return itself: no cell is in it.

        Raises:
            TypeError: If it is not a :class:`Symmetry`.
        """
        require_type(symmetry, Symmetry, "symmetry")
        return self

    def _key(self) -> tuple[int, ...]:
        return (3,)


Action: TypeAlias = PlaceTiles | BuildBridge | ChooseColor | Pass
"""A whole turn, or the choice of a colour."""

Step: TypeAlias = PlaceTile | BuildBridge | ChooseColor | Pass
"""What is done tile by tile."""
