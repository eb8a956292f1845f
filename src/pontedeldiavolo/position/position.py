"""Tiles and bridges on a board, without turn, seats or supply.

A :class:`Setup` is any diagram; a :class:`Position` is one that breaks no rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.enums import Color, ViolationCode
from pontedeldiavolo.base.errors import instance_of, items_of, require_type
from pontedeldiavolo.base.values import Rendered
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import MAX_SPAN, Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet, cell_set
from pontedeldiavolo.rules.rules import Score
from pontedeldiavolo.rules.violations import InvalidPositionError, Violation, violation

from .legality import at_cells, judge_groups, off_board
from .networks import Group, Network, find_networks, network_of
from .pieces import Pieces, Side


def _cells(cells: Iterable[Cell], name: str) -> tuple[Cell, ...]:
    return tuple(sorted({*items_of(cells, Cell, name)}))


def _white(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return _cells(cells, "white")


def _red(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    return _cells(cells, "red")


def _bridges(bridges: Iterable[Bridge]) -> tuple[Bridge, ...]:
    return tuple(sorted({*items_of(bridges, Bridge, "bridges")}))


def _index(color: Color) -> int:
    # The type is checked because a Seat has an index, too.
    require_type(color, Color, "color")
    return color.index


@final
@frozen(order=False)
class Setup(Rendered):
    """Any diagram of tiles and bridges on a board: a value, not yet a position.

    Cells and bridges are stored sorted and without duplicates.

    >>> setup = pdd.parse_setup('''
    ... 1 w . r
    ...   a b c
    ... bridges a1-c1
    ... ''')
    >>> [violation.code.value for violation in setup.violations()]
    ['ends-differ']
    >>> pdd.Setup(pdd.Board(3, 1), white=[pdd.Cell(0, 0)]).position().score(pdd.Color.WHITE)
    Score(points=0, islands=0, bridges=0)

    Attributes:
        board: The board.
        white: The cells of white's tiles; they may lie off the board.
        red: The cells of red's tiles, likewise.
        bridges: The bridges, between any two cells.
    """

    board: Board = field(validator=instance_of(Board))
    white: tuple[Cell, ...] = field(default=(), converter=_white)
    red: tuple[Cell, ...] = field(default=(), converter=_red)
    bridges: tuple[Bridge, ...] = field(default=(), converter=_bridges)

    def violations(self) -> tuple[Violation, ...]:
        """Return every rule that the diagram breaks, ``()`` if it is a valid position.

        A valid position need not be reachable: any number of tiles is accepted.
        """
        return tuple(self._each_violation())

    def _each_violation(self) -> Iterator[Violation]:
        """Iterate over the violations; readers of texts stop after a hundred."""
        geometry = self.board.geometry
        yield from off_board(geometry, *self.white, *self.red)
        colors = {*self.white}, {*self.red}
        yield from at_cells(ViolationCode.OCCUPIED, colors[0] & colors[1], "tile")
        for cells in (self.white, self.red):
            own = geometry.set_of(cells)
            yield from judge_groups(geometry, own, geometry.groups(own))
        tiles = colors[0] | colors[1]
        for bridge in self.bridges:
            for fault in off_board(geometry, *bridge.ends):
                yield Violation(fault.code, fault.cells, (bridge,), fault.values, fault.roles)
            if not bridge.has_bridge_shape:
                yield from at_cells(ViolationCode.NOT_A_BRIDGE_SHAPE, bridge.ends, "end", [bridge])
            if not any(cells.issuperset(bridge.ends) for cells in colors):
                yield from at_cells(ViolationCode.ENDS_DIFFER, bridge.ends, "end", [bridge])
            beneath = tiles.intersection(bridge.cells_beneath)
            yield from at_cells(ViolationCode.TILE_BENEATH, beneath, "beneath", [bridge])
        yield from self._end_violations()
        yield from self._crossing_violations()

    def position(self) -> Position:
        """Return the position that the diagram shows.

        Raises:
            InvalidPositionError: If it breaks a rule, with every violation.
        """
        return Position.from_setup(self)

    def _end_violations(self) -> Iterator[Violation]:
        carried: dict[Cell, list[Bridge]] = {}
        for bridge in self.bridges:
            for end in bridge.ends:
                carried.setdefault(end, []).append(bridge)
        for end, bridges in sorted(carried.items()):
            if len(set(bridges)) > 1:
                yield from at_cells(ViolationCode.END_USED, [end], "end", bridges)

    def _crossing_violations(self) -> Iterator[Violation]:
        shaped = [bridge for bridge in self.bridges if bridge.has_bridge_shape]
        by_first: dict[tuple[int, int], list[Bridge]] = {}
        for bridge in shaped:
            by_first.setdefault((bridge.a.column, bridge.a.row), []).append(bridge)
        # Bridges whose first ends are further apart than this cannot meet. The first end of a
        # bridge is never above the second, so one span of rows is enough.
        columns = range(-2 * MAX_SPAN, 2 * MAX_SPAN + 1)
        rows = range(MAX_SPAN + 1)
        for one in shaped:
            for column, row in product(columns, rows):
                for other in by_first.get((one.a.column + column, one.a.row + row), ()):
                    if one < other and one.crosses(other):
                        yield violation(ViolationCode.CROSSES, bridges=[one, other])


@final
@frozen(init=False, eq=False, repr=False)
class Position(Rendered):
    """The pieces on a board, obeying every rule about tiles and bridges.

    Made by :meth:`from_pieces`, :meth:`Setup.position` or :attr:`GameState.position`. Positions
    are equal when the same pieces lie on boards of the same size, however they were reached.

    >>> position = pdd.parse_setup('''
    ... 3 w . w
    ... 2 . . .
    ... 1 r . w
    ... bridges a3-c3
    ... ''').position()
    >>> position
    <Position 3x3 white=['c1', 'a3', 'c3'] red=['a1'] bridges=['a3-c3']>
    >>> position.blocked, position.open_cells(pdd.Color.RED)
    (CellSet(b3), CellSet(b1, a2, b2, c2))

    Attributes:
        pieces: The pieces as integers, for engines.
    """

    pieces: Pieces

    def __init__(self) -> None:
        raise TypeError("a position is made by Position.from_pieces() or Setup.position()")

    @classmethod
    def _of(cls, pieces: Pieces) -> Position:
        """Return the position of pieces that are known to break no rule."""
        position = object.__new__(cls)
        object.__setattr__(position, "pieces", pieces)
        return position

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
            InvalidPositionError: If it breaks a rule, with every violation.
        """
        return cls.from_setup(Setup(board, white, red, bridges))

    @classmethod
    def from_setup(cls, setup: Setup) -> Position:
        """Return the position that a diagram shows.

        Raises:
            InvalidPositionError: If it breaks a rule, with every violation.
        """
        require_type(setup, Setup, "setup")
        return cls._judged(setup)

    @classmethod
    def _judged(cls, setup: Setup, max_count: int | None = None) -> Position:
        """Return the position of a diagram, or raise an error with up to *max_count* violations."""
        violations = tuple(islice(setup._each_violation(), max_count))
        if violations:
            raise InvalidPositionError(violations)
        geometry = setup.board.geometry
        white, red = map(geometry.set_of, (setup.white, setup.red))
        bridges = sum(1 << geometry.number_of(bridge) for bridge in setup.bridges)
        return cls._of(Pieces._of(geometry, white, red, bridges))

    def setup(self) -> Setup:
        """Return the position as a diagram."""
        white, red = map(self.tiles, Color)
        return Setup(self.board, white, red, self.pieces.geometry.bridges_of(self.pieces.bridges))

    @property
    def board(self) -> Board:
        """The board."""
        return Board(self.pieces.geometry.width, self.pieces.geometry.height)

    def color_at(self, cell: Cell) -> Color | None:
        """Return the colour of the tile on *cell*, ``None`` for water.

        Raises:
            PonteError: If it is off the board.
        """
        require_type(cell, Cell, "cell")
        index = self.pieces.geometry.require_index(cell)
        found = (color for color in Color if self._side(color).tiles >> index & 1)
        return next(found, None)

    def tiles(self, color: Color) -> CellSet:
        """Return the cells with tiles of *color*."""
        return self._cells(self._side(color).tiles)

    def bridges(self, color: Color) -> tuple[Bridge, ...]:
        """Return the bridges of *color*, in order."""
        return tuple(self.pieces.geometry.bridges_of(self._side(color).bridges))

    @property
    def blocked(self) -> CellSet:
        """The cells under bridges, where no tile goes [S0]."""
        return self._cells(self.pieces.blocked)

    def groups(self, color: Color) -> tuple[Group, ...]:
        """Return the islands and sandbanks of *color*, ordered by their first cells."""
        found = self.pieces.geometry.groups(self._side(color).tiles)
        return tuple(Group(color, self._cells(group)) for group in found)

    def islands(self, color: Color) -> tuple[Group, ...]:
        """Return the islands of *color*, ordered by their first cells."""
        return tuple(group for group in self.groups(color) if group.is_island)

    def networks(self, color: Color) -> tuple[Network, ...]:
        """Return the networks of *color*, ordered by first cells; every group is in one network."""
        geometry = self.pieces.geometry
        side = self._side(color)
        return tuple(
            network_of(geometry, color, members, bridges)
            for members, bridges in find_networks(geometry, side.tiles, side.bridges)
        )

    def group_at(self, cell: Cell) -> Group | None:
        """Return the group with a tile on *cell*, ``None`` for water.

        Raises:
            PonteError: If it is off the board.
        """
        color = self.color_at(cell)
        if color is None:
            return None
        geometry = self.pieces.geometry
        seed = 1 << geometry.index(cell)
        return Group(color, self._cells(geometry.group_around(self._side(color).tiles, seed)))

    def open_cells(self, color: Color) -> CellSet:
        """Return the cells where one tile of *color* would break no rule, ignoring the turn."""
        return self._cells(self.pieces.open_cells(_index(color)))

    def open_bridges(self, color: Color) -> tuple[Bridge, ...]:
        """Return the bridges that *color* could build, ignoring the turn."""
        mask = self.pieces.open_bridges(_index(color))
        return tuple(self.pieces.geometry.bridges_of(mask))

    def score(self, color: Color) -> Score:
        """Return the score of *color* [S0]."""
        return self._side(color).score(self.pieces.geometry)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        mine = self.pieces
        theirs = other.pieces
        return mine.geometry.size == theirs.geometry.size and mine.key() == theirs.key()

    def __hash__(self) -> int:
        return hash((self.pieces.geometry.size, self.pieces.key()))

    def __repr__(self) -> str:
        setup = self.setup()
        white, red, bridges = ([*map(str, x)] for x in (setup.white, setup.red, setup.bridges))
        size = f"{setup.board.width}x{setup.board.height}"
        return f"<Position {size} {white=!s} {red=!s} {bridges=!s}>"

    def _side(self, color: Color) -> Side:
        return self.pieces._sides[_index(color)]

    def _cells(self, mask: int) -> CellSet:
        return cell_set(self.pieces.geometry, mask)
