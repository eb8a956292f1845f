"""What a scene shows, as numbers of cells: the same for scenes of every kind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, final

from attrs import frozen

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.position.islands import groups
from pontedeldiavolo.position.networks import find_networks, points_for
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.violations import Violation


class Tile(NamedTuple):
    """A tile, and the turn that brought it, in games."""

    cell: int
    color: int
    turn: int | None = None


class Land(NamedTuple):
    """A group of tiles; in games with the turns that it was there from, and until."""

    cells: int
    color: int
    since: int | None = None
    until: int | None = None

    @property
    def is_island(self) -> bool:
        """Whether it is an island."""
        return self.cells.bit_count() == ISLAND_SIZE


class Span(NamedTuple):
    """A bridge between two cells, and whose it is: nobody's in set-ups that break rules."""

    a: int
    b: int
    beneath: int
    color: int | None
    turn: int | None = None


class Net(NamedTuple):
    """A network, with the turns of games that it was there from, and until."""

    groups: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    color: int
    since: int | None = None
    until: int | None = None

    @property
    def islands(self) -> list[int]:
        """Its islands."""
        return [group for group in self.groups if group.bit_count() == ISLAND_SIZE]

    @property
    def points(self) -> int:
        """What it is worth."""
        return points_for(len(self.islands))

    @property
    def is_shown(self) -> bool:
        """Whether it is more than a single sandbank, which joins nothing and is worth nothing."""
        return bool(self.spans or self.points)


@final
@frozen
class Scenery:
    """Everything that lies on a board, and what a set-up says beyond it."""

    board: Board
    tiles: list[Tile]
    lands: list[Land]
    spans: list[Span]
    nets: list[Net]
    first: Tile | None = None
    faults: tuple[Violation, ...] = ()
    off_board: tuple[tuple[int | None, str], ...] = ()
    """What cannot be drawn: a colour and names of cells, or none and names of bridges."""
    both: int = 0
    """The cells with tiles of both colours."""

    @property
    def occupied(self) -> int:
        """The cells with tiles."""
        found = 0
        for tile in self.tiles:
            found |= 1 << tile.cell
        return found

    @property
    def blocked(self) -> int:
        """The cells under bridges."""
        found = 0
        for span in self.spans:
            found |= span.beneath
        return found


def of_pieces(pieces: Pieces, first: Tile | None, *, networks: bool) -> Scenery:
    """Return what lies on a board; its networks if they are wanted."""
    geometry = pieces.geometry
    tiles: list[Tile] = []
    lands: list[Land] = []
    spans: list[Span] = []
    nets: list[Net] = []
    for color, side in enumerate(pieces.sides):
        tiles += [Tile(cell, color) for cell in bits(side.tiles)]
        lands += [Land(group, color) for group in groups(geometry, side.tiles)]
        spans += [span_of(geometry, number, color) for number in bits(side.bridges)]
        if networks:
            nets += nets_of(geometry, side.tiles, side.bridges, color)
    return Scenery(Board(*geometry.size), tiles, lands, spans, nets, first)


def span_of(geometry: Geometry, number: int, color: int | None, turn: int | None = None) -> Span:
    """Return a bridge by its number."""
    a, b = geometry.ends[number]
    return Span(a, b, geometry.beneath[number], color, turn)


def nets_of(geometry: Geometry, tiles: int, bridges: int, color: int) -> list[Net]:
    """Return the networks of a colour."""
    return [
        Net(tuple(members), tuple(geometry.ends[number] for number in bits(span)), color)
        for members, span in find_networks(geometry, tiles, bridges)
    ]


def of_setup(setup: Setup, *, networks: bool) -> Scenery:
    """Return what of a diagram is on its board, with its faults."""
    board, geometry = setup.board, setup.board.geometry
    masks = [
        board.cell_set(cell for cell in cells if cell in board).bits
        for cells in (setup.white, setup.red)
    ]
    spans = list(_spans(setup, masks))
    nets: list[Net] = []
    for color, tiles in enumerate(masks if networks else ()):
        numbers = {geometry.bridge_number(each.a, each.b) for each in spans if each.color == color}
        nets += nets_of(geometry, tiles, sum(1 << each for each in numbers - {-1}), color)
    return Scenery(
        board,
        [Tile(cell, color) for color, mask in enumerate(masks) for cell in bits(mask)],
        [
            Land(group, color)
            for color, mask in enumerate(masks)
            for group in groups(geometry, mask)
        ],
        spans,
        nets,
        None,
        setup.faults(),
        tuple(_off_board(setup)),
        masks[0] & masks[1],
    )


def _spans(setup: Setup, masks: list[int]) -> Iterator[Span]:
    geometry = setup.board.geometry
    for bridge in setup.bridges:
        a, b = map(geometry.index, bridge.ends)
        if min(a, b) >= 0:
            ends = 1 << a | 1 << b
            color = next((color for color in (0, 1) if not ends & ~masks[color]), None)
            yield Span(a, b, setup.board.cell_set(bridge.cells_beneath).bits, color)


def _off_board(setup: Setup) -> Iterator[tuple[int | None, str]]:
    board = setup.board
    for color, cells in enumerate((setup.white, setup.red)):
        off = [str(cell) for cell in cells if cell not in board]
        if off:
            yield color, ", ".join(off)
    bridges = [str(each) for each in setup.bridges if not all(end in board for end in each.ends)]
    if bridges:
        yield None, ", ".join(bridges)
