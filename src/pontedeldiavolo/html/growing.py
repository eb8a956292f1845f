"""The HTML and SVG that each move adds to a page: to the picture and to the list of moves.

A page that shows a game in progress has all parts so far. After another move it needs only the
new ones: nothing that was drawn before is drawn again. Each item of the list has the points of all
networks, so it grows with them, and so does the small part of the cost that looks for the networks
that a move changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final, TypeAlias, cast, final

from attrs import evolve, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import DIRECTIONS, FORWARD, bits
from pontedeldiavolo.game.board_view import (
    BoardView,
    BridgeView,
    GroupView,
    NetworkView,
    TileView,
    bridge_view,
)
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Move
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg.captions import COLORS, Captions
from pontedeldiavolo.svg.themes import LIGHT

from .moves import Growth, Replay, untitled
from .page import frames, picture_head

_TAG: Final = re.compile(r"<g[ >][^>]*|</g>")
_PLAIN: Final = '<g fill="none">'
"""The beginning of a group that has only other groups."""
_COLOR: Final = re.compile(r'class="(?:white|red) ')
_NAMES: Final = re.compile(r' data-(?:cell|bridge)="[^"]*"')
VARIATIONS: Final = ""
"""The name of the group of a layer that has the pieces of variations."""

KINDS: Final = ("sandbank", "island")
NETWORK_KINDS: Final = ("network", "points")
_ISLAND: Final = 0b1111
_SAMPLE: Final = BoardView(
    Board(5, 5),
    [TileView(0, 0), TileView(24, 1)],
    [GroupView(cells, color) for color in (0, 1) for cells in (1, _ISLAND)],
    [BridgeView(0, 2, 2, 0)],
    [NetworkView((_ISLAND,), (), 0)],
)
"""A view that has pieces in every group of a picture."""

TEXTS: Final = (
    *(f'<path class="land {color} {kind}" data-cells="' for color in COLORS for kind in KINDS),
    *(f'<rect class="land {color} sandbank" data-cells="' for color in COLORS),
    *(f'<path class="tile {color}" data-cell="' for color in COLORS),
    *(f'<g class="{kind} {color}" data-cells="' for color in COLORS for kind in NETWORK_KINDS),
    *('" data-points="', '" data-from="', '<path data-turn="', '" data-turn="', '" d="M'),
    '<path stroke-width="20" d="M',
    *(f' stroke="{tint}">' for tint in (*LIGHT.white_tints, *LIGHT.red_tints)),
    f'" fill="{LIGHT.paper}" stroke="{LIGHT.text}" stroke-width="1.2"/>',
    f'" stroke="{LIGHT.text}" stroke-width="1.6"/>',
    *('" width="34" height="34" rx="8"/>', '" width="16" height="16" rx="8'),
)
"""Frequent parts of pictures. A page gets them once; pieces have references such as ``&3;``."""

Group: TypeAlias = tuple[int, str]
"""A group of pieces that look alike: the number of its layer, and its start tag."""
Ended: TypeAlias = tuple[int, str, int, int]
"""A part of a group that ends: the group's number, the part's first cell, its turns from, until."""


@final
@frozen
class Addition:
    """The parts that a move adds to a page; the first one has those of the start.

    Attributes:
        item: The item in the list of moves.
        pieces: The pieces in the picture, by the number of their group.
        ended: Land and networks that have grown into others.
        changed: The cells that have changed, as a set of bits.
    """

    item: str
    pieces: dict[str, str]
    ended: list[Ended]
    changed: int


def _groups_in(text: str, before: str = "") -> Iterator[tuple[str, str]]:
    """Yield the outermost groups in a part of a picture: the start tag and the content of each."""
    depth = 0
    start = 0
    for found in _TAG.finditer(text):
        if found[0] == "</g>":
            depth -= 1
            if depth == 0:
                opening = text[start : text.index(">", start) + 1]
                content = text[start + len(opening) : found.start()]
                if opening == _PLAIN and content.startswith("<g "):
                    yield from _groups_in(content, opening)
                else:
                    yield before + opening, content
        else:
            if depth == 0:
                start = found.start()
            depth += 1


@cache
def groups() -> tuple[Group, ...]:
    """Return all groups of a picture, in the order in which they are painted.

    Each layer ends with a group for variations, whose start tag is empty.
    """
    context = layers.upright(_SAMPLE.board, ENGLISH)
    found: dict[Group, None] = {}
    for number, layer in enumerate(layers.PIECES):
        # Sandbanks of both colours look alike, so they share a group.
        for opening, _ in _groups_in("".join(layer(_SAMPLE, context))):
            found[number, opening] = None
        found[number, VARIATIONS] = None
    return tuple(found)


@cache
def _numbers() -> dict[Group, int]:
    return {group: number for number, group in enumerate(groups())}


@cache
def _numbers_of_kinds() -> dict[str, int]:
    """Return the numbers of the groups whose parts can end: sandbanks, networks and points.

    Islands do not grow.
    """
    context = layers.upright(_SAMPLE.board, ENGLISH)
    found = {}
    for color in (0, 1):
        sandbank = [each for each in _SAMPLE.groups if each.color == color and not each.is_island]
        drawn = "".join(layers.land(evolve(_SAMPLE, groups=sandbank), context))
        [(opening, _)] = _groups_in(drawn)
        found[f"land {color}"] = _numbers()[layers.PIECES.index(layers.land), opening]
    openings = groups()
    for name, layer in (("tints", layers.tints), ("points", layers.points)):
        place = layers.PIECES.index(layer)
        found[name] = next(number for number, group in enumerate(openings) if group[0] == place)
    return found


def group_tags() -> list[tuple[str, str]]:
    """Return the start tags and the end tags around the pieces of each group."""
    found = []
    for _, opening in groups():
        if opening == VARIATIONS:
            found.append(("", ""))
        else:
            found.append((f'<g data-line="0">{opening}', "</g>" * (1 + opening.count("<g"))))
    return found


def shortened(drawn: str) -> str:
    """Return a part of a picture with references to frequent texts."""
    for number, text in enumerate(TEXTS):
        drawn = drawn.replace(text, f"&{number};")
    return drawn


@final
class GrowingGame:
    """The parts of a game on a page, move by move.

    Args:
        game: The game, whose start is taken; :meth:`play` adds its moves.
        catalog: The language of the page.

    Attributes:
        moves: The moves so far.
        state: The state after them.
        start: The parts of the start.
    """

    def __init__(self, game: Game, catalog: Catalog) -> None:
        self._words = Captions(catalog, "page")
        start = game.undo(len(game.actions))
        self._replay = Replay(start, 1, self._words, None, is_live=True)
        self._rules = game.rules
        # Later the view has the pieces of later moves, too.
        self._head = "".join(picture_head(self._replay, self._words, self._replay.view))
        self.moves: list[Move] = []
        self.state: GameState = game.start
        pieces = self._pieces(self._replay.layers)
        everything = (1 << len(game.rules.board)) - 1
        self.start: Addition = Addition(self._replay.start_item, pieces, [], everything)

    def play(self, move: Move) -> Addition:
        """Add a move, and return the parts that it adds."""
        before = self.state
        self.state = before.apply_unchecked(move.action)
        self.moves.append(move)
        growth = self._replay.play(move, before, self.state, len(self.moves))
        changed = 0
        for group in growth.view.groups:
            changed |= group.cells
        for bridge in growth.view.bridges:
            changed |= 1 << bridge.a | 1 << bridge.b | bridge.beneath
        pieces = self._pieces(growth.layers)
        return Addition(growth.item, pieces, [*self._ended(growth)], changed)

    def _ended(self, growth: Growth) -> Iterator[Ended]:
        """Yield the land and the networks that a move has ended."""
        numbers = _numbers_of_kinds()
        for group in growth.groups:
            yield self._end(numbers[f"land {group.color}"], group.cells, group)
        for network in growth.networks:
            yield self._end(numbers["tints"], network.groups[0], network)
            if network.points:
                yield self._end(numbers["points"], network.groups[0], network)

    def _end(self, number: int, cells: int, each: GroupView | NetworkView) -> Ended:
        """Return when a part of a group, whose first cell is among *cells*, appeared and ended."""
        first = self._replay.layout.names[next(iter(bits(cells)))]
        return number, first, cast(int, each.since), cast(int, each.until)

    @staticmethod
    def _pieces(drawn: list[dict[int, str]]) -> dict[str, str]:
        """Return the pieces that were drawn in each layer, by the number of their group."""
        found: dict[str, str] = {}
        numbers = _numbers()
        for layer, lines in enumerate(drawn):
            for opening, content in _groups_in(lines.get(0, "")):
                found[str(numbers[layer, opening])] = shortened(content)
            variations = [
                f'<g data-line="{line}" display="none">{text}</g>'
                for line, text in sorted(lines.items())
                if line
            ]
            if variations:
                found[str(numbers[layer, VARIATIONS])] = shortened("".join(variations))
        return found

    # The parts that do not change

    def frame(self) -> dict[str, object]:
        """Return the parts of the page around the pieces and the items."""
        replay = self._replay
        tail = f"{''.join(frames(()))}</svg>"
        start, _, end = replay.list_of("|").partition("|")
        return {
            "picture": [self._head, tail],
            "texts": TEXTS,
            "groups": group_tags(),
            "list": [f'<div class="moves">{start}', f"{end}</div>"],
            "ghosts": self._ghosts(),
        }

    def _ghosts(self) -> dict[str, list[str]]:
        """Return pictures of pieces that are not there yet, by kind, each with its cell.

        There is a tile of each colour, and a bridge of each direction that fits on the board,
        named by the step from its first end to its second: ``-2,1`` is two columns to the left and
        a row up. A page moves them to other cells.
        """
        replay = self._replay
        context = replay.context
        board = self._rules.board
        geometry = board.geometry
        found = {}
        for color, name in enumerate(COLORS):
            view = BoardView(board, [TileView(0, color)], [], [], [])
            drawn = "".join(layers.tiles(view, context))
            found[name] = [replay.layout.names[0], _ghost(drawn)]
        for direction, (dx, dy) in enumerate(FORWARD):
            number = next(_of_direction(geometry.all_bridges, direction), None)
            if number is not None:
                bridge = bridge_view(geometry, number, 0)
                view = BoardView(board, [], [], [bridge], [])
                drawn = "".join(layers.bridges(view, context))
                found[f"{dx},{dy}"] = [replay.layout.names[bridge.a], _ghost(drawn)]
        return found


def _ghost(drawn: str) -> str:
    """Return a drawn piece without its names."""
    return _NAMES.sub("", untitled(drawn))


def _of_direction(bridges: int, direction: int) -> Iterator[int]:
    """Yield the numbers of the bridges that have a direction."""
    return (number for number in bits(bridges) if number % DIRECTIONS == direction)
