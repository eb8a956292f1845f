"""The view of a board that pictures, texts, pages and snapshots have in common."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache, reduce
from operator import or_
from typing import NamedTuple, TypeAlias, final

from attrs import evolve, frozen

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, column_name
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.networks import find_networks, points_for
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTile, PlaceTiles
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .game import Game

Drawable: TypeAlias = GameState | HalfTurn | Position | Setup | Game
"""Every type that has a board to show, for the signatures of functions that render one."""


class TileView(NamedTuple):
    """A tile; in games, with the turn that placed it."""

    cell: int
    color: int
    turn: int | None = None


class GroupView(NamedTuple):
    """An island or a sandbank; in games, with the turns in which it appeared and disappeared."""

    cells: int
    color: int
    since: int | None = None
    until: int | None = None

    @property
    def is_island(self) -> bool:
        """True for an island, false for a sandbank."""
        return self.cells.bit_count() == ISLAND_SIZE


class BridgeView(NamedTuple):
    """A bridge between two cells; it has no colour if its ends, in a faulty set-up, share none."""

    a: int
    b: int
    beneath: int
    color: int | None
    turn: int | None = None


class NetworkView(NamedTuple):
    """A network; in games, with the turns in which it appeared and disappeared."""

    groups: tuple[int, ...]
    bridges: tuple[tuple[int, int], ...]
    color: int
    tint: int = 0
    """Its index among the tints of its colour."""
    since: int | None = None
    until: int | None = None

    @property
    def islands(self) -> list[int]:
        """Its islands."""
        return [group for group in self.groups if group.bit_count() == ISLAND_SIZE]

    @property
    def points(self) -> int:
        """Its score."""
        return points_for(sum(group.bit_count() == ISLAND_SIZE for group in self.groups))


class CellView(NamedTuple):
    """The pieces on a cell, with the other ends of its bridges."""

    group: GroupView | None
    bridges_to: list[int]
    is_blocked: bool


@final
@frozen
class BoardView:
    """All pieces on a board, and the pieces of a set-up that lie off it."""

    board: Board
    tiles: list[TileView]
    groups: list[GroupView]
    bridges: list[BridgeView]
    networks: list[NetworkView]
    first: TileView | None = None
    """The first tile of a half turn."""
    cells_off_board: tuple[tuple[Cell, ...], tuple[Cell, ...]] = ((), ())
    """The cells of white's and of red's tiles."""
    bridges_off_board: tuple[Bridge, ...] = ()

    @property
    def occupied(self) -> tuple[int, int]:
        """The cells with white tiles, and the cells with red tiles."""
        white = sum(1 << tile.cell for tile in self.tiles if tile.color == 0)
        red = sum(1 << tile.cell for tile in self.tiles if tile.color == 1)
        return white, red

    @property
    def blocked(self) -> int:
        """The cells under bridges."""
        return reduce(or_, (bridge.beneath for bridge in self.bridges), 0)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all cells."""
        return cell_names(self.board.width, self.board.height)

    def names_of(self, cells: int) -> str:
        """Return the names of some cells, separated by spaces."""
        names = self.names
        return " ".join([names[cell] for cell in bits(cells)])

    def bridge_name(self, bridge: BridgeView) -> str:
        """Return the name of a bridge."""
        return f"{self.names[bridge.a]}-{self.names[bridge.b]}"

    def cells(self) -> list[CellView]:
        """Return the pieces cell by cell; a cell with tiles of both colours gets red's group."""
        blocked = self.blocked
        found = [CellView(None, [], bool(blocked >> i & 1)) for i in range(len(self.board))]
        for group in self.groups:
            for i in bits(group.cells):
                found[i] = found[i]._replace(group=group)
        for bridge in self.bridges:
            found[bridge.a].bridges_to.append(bridge.b)
            found[bridge.b].bridges_to.append(bridge.a)
        return found


def cell_views(pieces: Pieces, cells: int) -> Iterator[tuple[int, CellView]]:
    """Yield some cells with the pieces on them; the cost does not depend on the other pieces.

    Args:
        pieces: The pieces on the board.
        cells: The cells, as a set of bits.
    """
    geometry = pieces.geometry
    blocked = pieces.blocked
    tiles = (pieces.tiles(0), pieces.tiles(1))
    bridges = pieces.bridges
    for place in bits(cells):
        seed = 1 << place
        color = next((color for color in (0, 1) if tiles[color] & seed), None)
        if color is None:
            yield place, CellView(None, [], bool(blocked & seed))
        else:
            group = GroupView(geometry.group_around(tiles[color], seed), color)
            ends = map(geometry.ends, bits(geometry.bridges_at[place] & bridges))
            others = [b if a == place else a for a, b in ends]
            yield place, CellView(group, others, is_blocked=False)


def view_of(drawable: Node | Position | Setup, *, networks: bool = False) -> BoardView:
    """Return the view of a board, with its networks only on request."""
    if isinstance(drawable, Setup):
        return _view_of_setup(drawable, networks=networks)
    pieces = drawable.pieces
    geometry = pieces.geometry
    tiles = [pieces.tiles(color) for color in (0, 1)]
    numbers = [pieces.bridges_of(color) for color in (0, 1)]
    bridges = [
        bridge_view(geometry, number, color)
        for color, own in enumerate(numbers)
        for number in bits(own)
    ]
    view = _view(Board(*geometry.size), tiles, bridges, numbers if networks else None)
    if isinstance(drawable, HalfTurn) and drawable.to_move is not None:
        placed_tile = geometry.index(drawable.placed_tile)
        return evolve(view, first=TileView(placed_tile, drawable.to_move.index))
    return view


def _view_of_setup(setup: Setup, *, networks: bool) -> BoardView:
    board = setup.board
    geometry = board.geometry
    tiles = [geometry.set_of(setup.white), geometry.set_of(setup.red)]
    bridges: list[BridgeView] = []
    off_board: list[Bridge] = []
    numbers = [0, 0]
    for bridge in setup.bridges:
        a, b = map(geometry.index, bridge.ends)
        if min(a, b) < 0:
            off_board.append(bridge)
        else:
            ends = 1 << a | 1 << b
            number = geometry.bridge_number(a, b)
            color = next((color for color in (0, 1) if not ends & ~tiles[color]), None)
            bridges.append(BridgeView(a, b, geometry.set_of(bridge.cells_beneath), color))
            if color is not None and number >= 0:
                numbers[color] |= 1 << number
    white = tuple(cell for cell in setup.white if cell not in board)
    red = tuple(cell for cell in setup.red if cell not in board)
    view = _view(board, tiles, bridges, numbers if networks else None)
    return evolve(view, cells_off_board=(white, red), bridges_off_board=tuple(off_board))


def _view(
    board: Board, tiles: list[int], bridges: list[BridgeView], numbers: list[int] | None
) -> BoardView:
    """Return the view of pieces on a board, with the networks of bridges with these numbers."""
    geometry = board.geometry
    tile_views: list[TileView] = []
    group_views: list[GroupView] = []
    networks: list[NetworkView] = []
    for color, cells in enumerate(tiles):
        tile_views += [TileView(cell, color) for cell in bits(cells)]
        group_views += [GroupView(group, color) for group in geometry.groups(cells)]
        if numbers is not None:
            own = network_views(geometry, cells, numbers[color], color)
            networks += [network._replace(tint=tint) for tint, network in enumerate(own)]
    return BoardView(board, tile_views, group_views, bridges, networks)


def bridge_view(
    geometry: Geometry, number: int, color: int | None, turn: int | None = None
) -> BridgeView:
    """Return the view of the bridge with this number."""
    a, b = geometry.ends(number)
    return BridgeView(a, b, geometry.beneath(number), color, turn)


def network_views(geometry: Geometry, tiles: int, bridges: int, color: int) -> list[NetworkView]:
    """Return the views of the networks of a colour.

    Single sandbanks, which have no bridges and score no points, are left out.
    """
    return [
        NetworkView(tuple(members), tuple(map(geometry.ends, bits(numbers))), color)
        for members, numbers in find_networks(geometry, tiles, bridges)
        if numbers or members[0].bit_count() == ISLAND_SIZE
    ]


@lru_cache(maxsize=8)
def cell_names(width: int, height: int) -> tuple[str, ...]:
    """Return the names of all cells of a board, by row, then by column."""
    columns = [column_name(column) for column in range(width)]
    return tuple(f"{column}{row}" for row in range(1, height + 1) for column in columns)


def board_of(drawable: Drawable) -> Board:
    """Return the board that a drawable is on."""
    if isinstance(drawable, Position | Setup):
        return drawable.board
    return drawable.rules.board


def cells_of(action: Action | PlaceTile | None) -> tuple[Cell, ...]:
    """Return the cells of an action or a step; a pass and the choice of a colour have none."""
    if isinstance(action, PlaceTiles | BuildBridge):
        return action.a, action.b
    return (action.cell,) if isinstance(action, PlaceTile) else ()


def node_to_move(drawable: Drawable) -> Node:
    """Return the state or half turn whose legal actions a drawable can show as targets.

    Raises:
        PonteError: If it is a position or a set-up.
    """
    if isinstance(drawable, Position | Setup):
        raise PonteError(reason("no-targets"))
    return drawable.state if isinstance(drawable, Game) else drawable


def tile_targets(drawable: Drawable) -> int:
    """Return the cells where the player to move may place the next tile.

    Raises:
        PonteError: If it is a position or a set-up.
    """
    node = node_to_move(drawable)
    if isinstance(node, HalfTurn):
        return node.second_tiles.bits
    return node.legal_actions.first_tiles.bits
