"""Actions and steps of a player, as values.

The constructors accept any cells: :meth:`GameState.violations` reports equal, distant or off-board
ones.
"""

from __future__ import annotations

from typing import Final, Self, TypeAlias, final

from attrs import field, frozen

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import instance_of, require_type
from pontedeldiavolo.base.values import Ordered
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, CellPair
from pontedeldiavolo.board.symmetry import Symmetry


class OrderedAction(Ordered["OrderedAction"]):
    """Orders actions of all kinds together, in the order of :attr:`GameState.legal_actions`."""

    __slots__ = ()

    def transform(self, symmetry: Symmetry) -> Self:
        """Return the action itself: it has no cells."""
        require_type(symmetry, Symmetry, "symmetry")
        return self


@final
@frozen(order=False)
class PlaceTiles(CellPair, OrderedAction):
    """Two tiles of the mover's colour on two free cells: one whole turn [S0].

    The cells are stored in canonical order, whatever order they are given in.

    >>> action = pdd.PlaceTiles(pdd.Cell(6, 6), pdd.Cell(3, 3))
    >>> pdd.format_action(action)
    'd4,g7'
    >>> match action:
    ...     case pdd.PlaceTiles(a, b):
    ...         print(a, b)
    d4 g7
    """

    @property
    def cells(self) -> tuple[Cell, Cell]:
        """Both cells, in cell order."""
        return (self.a, self.b)

    def _key(self) -> tuple[int, ...]:
        return (0, self.a.row, self.a.column, self.b.row, self.b.column)


@final
@frozen(order=False)
class PlaceTile(OrderedAction):
    """One tile: half of a pair, for click-by-click interfaces. Never a whole turn.

    >>> pdd.format_action(pdd.PlaceTile(pdd.Cell(3, 3)))
    'd4'
    """

    cell: Cell = field(validator=instance_of(Cell))

    def transform(self, symmetry: Symmetry) -> PlaceTile:
        """Return the step that *symmetry* maps this one to.

        Raises:
            PonteError: If a cell is off the symmetry's board.
        """
        return PlaceTile(self.cell.transform(symmetry))

    def _key(self) -> tuple[int, ...]:
        return (0, self.cell.row, self.cell.column)


@final
@frozen(order=False)
class BuildBridge(CellPair, OrderedAction):
    """A bridge between two of the mover's tiles: one whole turn [S0].

    The cells are stored in canonical order, whatever order they are given in.

    >>> pdd.BuildBridge(pdd.Cell(0, 0), pdd.Cell(2, 1)).bridge.has_bridge_shape
    True
    """

    @property
    def bridge(self) -> Bridge:
        """The bridge as geometry."""
        return Bridge(self.a, self.b)

    def _key(self) -> tuple[int, ...]:
        return (1, self.a.row, self.a.column, self.b.row, self.b.column)


@final
@frozen(order=False)
class ChooseColor(OrderedAction):
    """The second seat takes a colour after white's first move [S0].

    >>> pdd.format_action(pdd.ChooseColor(pdd.Color.RED))
    'red'
    """

    color: Color = field(validator=instance_of(Color))

    def _key(self) -> tuple[int, ...]:
        return (2, self.color.index)


@final
@frozen(order=False)
class Pass(OrderedAction):
    """A turn without tiles or a bridge: legal only if no legal pair of tiles exists [S4].

    >>> pdd.format_action(pdd.Pass())
    'pass'
    """

    def _key(self) -> tuple[int, ...]:
        return (3,)


Action: TypeAlias = PlaceTiles | BuildBridge | ChooseColor | Pass
"""A whole turn, or the choice of a colour."""

Step: TypeAlias = PlaceTile | BuildBridge | ChooseColor | Pass
"""An action, or one tile of a pair."""

WITHOUT_CELLS: Final[tuple[ChooseColor | Pass, ...]] = (*map(ChooseColor, Color), Pass())
"""The actions without cells, in order."""
