"""What is to be drawn, and how: everything that callers hand in, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import inf, isfinite
from typing import SupportsFloat, SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.base.checks import instance_of, require_iterable, require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.drawable import Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTile
from pontedeldiavolo.state.state import Node
from pontedeldiavolo.svg.arrows import Arrow
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View, view_of

LARGEST_SIZE = 100_000


@final
@frozen
class Order:
    """The arguments of a picture, in the order of :func:`render`."""

    scene: Drawable = field(validator=instance_of(Drawable))
    last: Action | PlaceTile | None = field(validator=instance_of(Action | PlaceTile | None))
    highlights: Iterable[Cell]
    targets: bool = field(validator=instance_of(bool))
    arrows: Iterable[Arrow]
    heat: Mapping[Cell, float] | None = field(validator=instance_of(Mapping | None))
    coordinates: bool = field(validator=instance_of(bool))
    networks: bool = field(validator=instance_of(bool))
    symmetry: Symmetry | None = field(validator=instance_of(Symmetry | None))
    theme: Theme = field(validator=instance_of(Theme))
    size: SupportsIndex | None
    catalog: Catalog = field(validator=instance_of(Mapping))

    @property
    def board(self) -> Board:
        """The board of the scene."""
        scene = self.scene
        return scene.board if isinstance(scene, Position | Setup) else scene.rules.board

    def view(self) -> View:
        """Return where everything stands."""
        board = self.board
        symmetry = self.symmetry or Symmetry(board.width, board.height)
        symmetry.require_board(board.width, board.height)
        return view_of(symmetry, coordinates=self.coordinates)

    def rings(self) -> list[int]:
        """Return the numbers of highlighted cells."""
        require_iterable(self.highlights, "highlights")
        found: dict[int, None] = {}
        for cell in self.highlights:
            require_type(cell, Cell, "a cell of highlights")
            found[self.board.index(cell)] = None
        return list(found)

    def pointers(self) -> list[Arrow]:
        """Return the arrows, each on the board."""
        require_iterable(self.arrows, "arrows")
        found = list(self.arrows)
        for arrow in found:
            require_type(arrow, Arrow, "an item of arrows")
            self.board.cell_set((arrow.start, arrow.end))
        return found

    def warmth(self) -> dict[int, float]:
        """Return the numbers of the heat map by the numbers of their cells."""
        found: dict[int, float] = {}
        for cell, value in (self.heat or {}).items():
            require_type(cell, Cell, "a cell of heat")
            require_type(value, SupportsFloat, "a number of heat")
            found[self.board.index(cell)] = _finite(value, cell)
        return found

    def node(self) -> Node | None:
        """Return whose turn the targets belong to, if they are wanted."""
        if not self.targets:
            return None
        if isinstance(self.scene, Position | Setup):
            raise PonteError("nobody has a turn in a position or a set-up: there are no targets")
        return self.scene.state if isinstance(self.scene, Game) else self.scene

    def pixels(self) -> int | None:
        """Return how long the longer side is."""
        if self.size is None:
            return None
        found = whole_number(self.size, "size")
        if not 1 <= found <= LARGEST_SIZE:
            raise PonteError(f"a picture has 1 to {LARGEST_SIZE:,} pixels, not {found:,}")
        return found


def _finite(value: SupportsFloat, cell: Cell) -> float:
    try:
        number = float(value)
    except OverflowError:
        number = inf
    if not isfinite(number):
        raise PonteError(f"the heat of {cell} is not a finite number: {number}")
    return number
