"""What lies on the board: tiles, bridges, and what they make. No turn, no seats, no supply."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from attrs import field, frozen
from attrs.validators import instance_of

from pontedeldiavolo.board import Board
from pontedeldiavolo.bridge import Bridge
from pontedeldiavolo.cell import Cell
from pontedeldiavolo.cell_set import CellSet
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import InvalidPositionError
from pontedeldiavolo.islands import group_around, groups
from pontedeldiavolo.judgement import bridges_of
from pontedeldiavolo.messages import explain_all
from pontedeldiavolo.networks import Group, Network
from pontedeldiavolo.pieces import Pieces, Side
from pontedeldiavolo.score import Score
from pontedeldiavolo.scoring import network_of, networks, score
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.setup import Setup
from pontedeldiavolo.vocabulary import Color


@final
@frozen(eq=False, repr=False)
class Position(Sealed):
    """The pieces on a board, obeying every rule about tiles and bridges.

    Made by :meth:`from_pieces`, :meth:`Setup.position` or :attr:`GameState.position`. Positions
    are equal when the same pieces lie on boards of the same size, however they got there.
    """

    _pieces: Pieces = field(validator=instance_of(Pieces))

    @classmethod
    def from_pieces(
        cls,
        board: Board,
        white: Iterable[Cell] = (),
        red: Iterable[Cell] = (),
        bridges: Iterable[Bridge] = (),
    ) -> Position:
        """Return the position with these pieces: ``Setup(...).position()``.

        Raises:
            TypeError: If something is not of its type.
            InvalidPositionError: If it breaks a rule, with every fault.
        """
        return cls.from_setup(Setup(board, white, red, bridges))

    @classmethod
    def from_setup(cls, setup: Setup) -> Position:
        """Return the position that a diagram shows.

        Raises:
            TypeError: If *setup* is not a :class:`Setup`.
            InvalidPositionError: If it breaks a rule, with every fault.
        """
        require_type(setup, Setup, "setup")
        faults = setup.faults()
        if faults:
            raise InvalidPositionError(explain_all(faults), faults)
        return cls._of_valid(setup)

    @classmethod
    def _of_valid(cls, setup: Setup) -> Position:
        """Return the position of a diagram without faults."""
        board, geometry = setup.board, setup.board.geometry
        numbers = (
            geometry.bridge_number[geometry.index(bridge.a), geometry.index(bridge.b)]
            for bridge in setup.bridges
        )
        return cls(
            Pieces.of(
                geometry,
                board.cell_set(setup.white).bits,
                board.cell_set(setup.red).bits,
                sum(1 << number for number in numbers),
            )
        )

    def setup(self) -> Setup:
        """Return the position as a diagram."""
        white, red = Color.WHITE, Color.RED
        return Setup(
            self.board,
            self.tiles(white),
            self.tiles(red),
            (*self.bridges(white), *self.bridges(red)),
        )

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self._pieces.geometry.width, self._pieces.geometry.height)

    def color_at(self, cell: Cell) -> Color | None:
        """Return the colour of the tile on *cell*, ``None`` for water.

        Raises:
            TypeError: If it is not a :class:`Cell`.
            PonteError: If it is off the board.
        """
        index = self._pieces.geometry.require_index(cell)
        for color in Color:
            if self._pieces.sides[color.index].tiles >> index & 1:
                return color
        return None

    def tiles(self, color: Color) -> CellSet:
        """Return the cells with tiles of *color*.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        return self._cells(self._side(color).tiles)

    def bridges(self, color: Color) -> tuple[Bridge, ...]:
        """Return the bridges of *color*, in order.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        return tuple(bridges_of(self._pieces.geometry, self._side(color).bridges))

    @property
    def blocked(self) -> CellSet:
        """The cells under bridges, where no tile goes [S0]."""
        return self._cells(self._pieces.blocked)

    def groups(self, color: Color) -> tuple[Group, ...]:
        """Return the islands and sandbanks of *color*, by their first cells.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        found = groups(self._pieces.geometry, self._side(color).tiles)
        return tuple(Group(color, self._cells(group)) for group in found)

    def islands(self, color: Color) -> tuple[Group, ...]:
        """Return the islands of *color*, by their first cells.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        return tuple(group for group in self.groups(color) if group.is_island)

    def networks(self, color: Color) -> tuple[Network, ...]:
        """Return the networks of *color*, by their first cells; every group is in one of them.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        geometry = self._pieces.geometry
        return tuple(
            network_of(geometry, color, members, span)
            for members, span in networks(geometry, self._side(color))
        )

    def group_at(self, cell: Cell) -> Group | None:
        """Return the group with a tile on *cell*, ``None`` for water.

        Raises:
            TypeError: If it is not a :class:`Cell`.
            PonteError: If it is off the board.
        """
        color = self.color_at(cell)
        if color is None:
            return None
        geometry = self._pieces.geometry
        seed = 1 << geometry.index(cell)
        return Group(color, self._cells(group_around(geometry, self._side(color).tiles, seed)))

    def open_cells(self, color: Color) -> CellSet:
        """Return the cells where one tile of *color* would break no rule, whoever moves.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        require_type(color, Color, "color")
        return self._cells(self._pieces.open_cells(color.index))

    def open_bridges(self, color: Color) -> tuple[Bridge, ...]:
        """Return the bridges that *color* could build, whoever moves.

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        require_type(color, Color, "color")
        mask = self._pieces.open_bridges(color.index)
        return tuple(bridges_of(self._pieces.geometry, mask))

    def score(self, color: Color) -> Score:
        """Return what *color* has scored [S0].

        Raises:
            TypeError: If it is not a :class:`Color`.
        """
        return score(self._pieces.geometry, self._side(color))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine, theirs = self._pieces, other._pieces
        return mine.geometry.size == theirs.geometry.size and mine.key() == theirs.key()

    def __hash__(self) -> int:
        return hash((self._pieces.geometry.size, self._pieces.key()))

    def __repr__(self) -> str:
        white, red = self.tiles(Color.WHITE), self.tiles(Color.RED)
        bridges = (*self.bridges(Color.WHITE), *self.bridges(Color.RED))
        return (
            f"<Position {self.board.width}x{self.board.height} white={[*map(str, white)]}"
            f" red={[*map(str, red)]} bridges={[*map(str, sorted(bridges))]}>"
        )

    def _side(self, color: Color) -> Side:
        require_type(color, Color, "color")
        return self._pieces.sides[color.index]

    def _cells(self, mask: int) -> CellSet:
        return CellSet(self._pieces.geometry, mask)
