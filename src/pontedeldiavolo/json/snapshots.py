"""Snapshots: what a board in a browser needs for its table and its next click; written only."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from operator import attrgetter
from types import NoneType
from typing import Final, get_args

from attrs import evolve, frozen

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Ending, Phase, Seat
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.messages import Catalog, result, sentence
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.board_view import cell_names, tile_targets
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import done, state_of_play
from pontedeldiavolo.json.codecs import (
    COUNT,
    JSON,
    TEXT,
    Codec,
    Field,
    list_of,
    nullable,
    object_of,
)
from pontedeldiavolo.json.kinds import BOARD, BRIDGES, CELLS, OUTCOME, RESULT, SCORE, SUPPLY
from pontedeldiavolo.json.texts import (
    ACTION,
    CELL,
    CHOOSE_COLOR,
    COLOR,
    ENDING,
    PASS,
    PHASE,
    PLACE_TILE,
    SEAT,
    STEPS,
    any_step,
)
from pontedeldiavolo.notation.actions import format_action, format_step
from pontedeldiavolo.position.networks import find_networks, points_for
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)
from pontedeldiavolo.rules.rules import Outcome, Score
from pontedeldiavolo.state.legal_actions import LegalActions
from pontedeldiavolo.state.state import HalfTurn, Node
from pontedeldiavolo.state.views import NonTileActions

UNTOLD: Final = "untold"
"""Stands for what only a game tells, and no state."""

_LAST_TYPES = (*get_args(Action), PlaceTile, NoneType)


def snapshot(
    game_or_node: Game | Node,
    *,
    last: Action | PlaceTile | None = None,
    catalog: Catalog = ENGLISH,
) -> dict[str, JSON]:
    """Return a document for showing a game, a state or a half turn, and its legal actions.

    A board in a browser needs nothing else until the next turn. Documents of this kind are never
    read back. The document of a game has its result, ending and moves as well, and no legal actions
    once the game has ended, including by resignation.

    >>> start = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
    >>> table = pdd.json.snapshot(start.apply(pdd.parse_action("a1,c3")))["value"]
    >>> table["white"]["tiles"], table["others"], table["sentences"]["state"]
    (['a1', 'c3'], ['white', 'red'], 'Player 2 chooses a colour.')
    >>> game = pdd.Game.new().play("d4,g7").resign(pdd.Seat.SECOND)
    >>> table = pdd.json.snapshot(game)["value"]
    >>> table["result"], table["ending"], table["moves"], table["targets"], table["others"]
    ('first', 'resignation', ['d4,g7'], [], [])

    Args:
        game_or_node: The game, the state, or the half turn.
        last: The last action, if it is to be shown; a game knows its own.
        catalog: The language of the sentences.

    Raises:
        PonteError: If *last* cannot have led to this board, or *catalog* lacks a word or a
            sentence.
    """
    require_type(game_or_node, Game | Node, "game_or_node")
    require_type(last, _LAST_TYPES, "last")
    require_type(catalog, Mapping, "catalog")
    if isinstance(game_or_node, Game):
        return SNAPSHOT.document(_view_of_game(game_or_node, last, catalog))
    sentences = _Sentences.of(game_or_node, last, catalog, game_or_node.outcome)
    return SNAPSHOT.document(_View(game_or_node, last, sentences))


def _view_of_game(game: Game, last: Action | PlaceTile | None, catalog: Catalog) -> _View:
    if last is None and game.actions:
        last = game.actions[-1]
    ended = None if game.ending is None else game
    sentences = _Sentences.of(game.state, last, catalog, ended)
    return _View(
        game.state, last, sentences, game.result, game.ending, game.winning_seat, game.actions
    )


# Sentences


@frozen
class _Sentences:
    """The sentences on a node, in one language."""

    state: str
    last: str | None
    result: str | None

    @classmethod
    def of(
        cls,
        node: Node,
        last: Action | PlaceTile | None,
        catalog: Catalog,
        ended: Game | Outcome | None,
    ) -> _Sentences:
        return cls(
            state_of_play(node, catalog) if ended is None else sentence(catalog, "state-over"),
            None if last is None else _last_done(node, last, catalog),
            None if ended is None else result(ended, catalog),
        )


def _last_done(node: Node, last: Action | PlaceTile, catalog: Catalog) -> str:
    """Return the sentence on the last action.

    Raises:
        PonteError: If the node shows that it was not done.
    """
    color = _color_of_last(node, last)
    if color is None:
        text = format_step(last) if isinstance(last, PlaceTile) else format_action(last)
        raise PonteError(reason("not-done-last", action=text))
    return done(last, color, catalog)


def _color_of_last(node: Node, last: Action | PlaceTile) -> Color | None:
    """Return whose action it was, ``None`` if it cannot have been."""
    match last:
        case PlaceTiles(a, b):
            return (
                _color_at(node, a) if a != b and _color_at(node, a) is _color_at(node, b) else None
            )
        case PlaceTile(cell):
            if isinstance(node, HalfTurn) and cell == node.first:
                return node.to_move
            return _color_at(node, cell)
        case BuildBridge():
            number = node._pieces.geometry.number_of(last)
            stands = number >= 0 and node._pieces.bridges >> number & 1
            return _color_at(node, last.a) if stands else None
        case ChooseColor(color):
            return color if node.owner(color) is Seat.SECOND else None
    return _color_that_passed(node)


def _color_that_passed(node: Node) -> Color | None:
    """Return who passed last: white before red's last turn, or where no opening fitted."""
    if node.phase is Phase.OVER:
        return Color.RED
    opened = node.phase is Phase.COLOR_CHOICE and not node._pieces.occupied
    return Color.WHITE if opened or node.phase is Phase.LAST_TURN else None


def _color_at(node: Node, cell: Cell) -> Color | None:
    """Return the colour of the tile on a cell, ``None`` without one and off the board."""
    index = node._pieces.geometry.index(cell)
    if index < 0:
        return None
    return next((c for c in Color if node._pieces.sides[c.index].tiles >> index & 1), None)


# The board


@frozen
class _Side:
    """All about a colour."""

    owner: Seat | None
    tiles: list[JSON]
    bridges: list[JSON]
    networks: list[JSON]
    score: Score
    tiles_left: int | None


@frozen(slots=False)
class _View:
    """A node as a snapshot shows it."""

    node: Node
    last: Action | PlaceTile | None
    sentences: _Sentences
    result: str = UNTOLD
    ending: Ending | str | None = UNTOLD
    winning_seat: Seat | str | None = UNTOLD
    moves: tuple[Action, ...] | str = UNTOLD

    @property
    def has_ended(self) -> bool:
        """True for a game that has ended, by whatever."""
        return isinstance(self.ending, Ending)

    @property
    def phase(self) -> Phase:
        return Phase.OVER if self.has_ended else self.node.phase

    @property
    def seat_to_move(self) -> Seat | None:
        return None if self.has_ended else self.node.seat_to_move

    @property
    def to_move(self) -> Color | None:
        return None if self.has_ended else self.node.to_move

    @cached_property
    def geometry(self) -> Geometry:
        return self.node._pieces.geometry

    @cached_property
    def names(self) -> tuple[str, ...]:
        return cell_names(self.geometry.width, self.geometry.height)

    def cells(self, mask: int) -> list[JSON]:
        names = self.names
        return [names[index] for index in bits(mask)]

    def bridges(self, mask: int) -> list[JSON]:
        names = self.names
        ends = map(self.geometry.ends, bits(mask))
        return [f"{names[a]}-{names[b]}" for a, b in ends]

    def side(self, color: Color) -> _Side:
        node, side = self.node, self.node._pieces.sides[color.index]
        return _Side(
            node.owner(color),
            self.cells(side.tiles),
            self.bridges(side.bridges),
            [
                self.network(members, span)
                for members, span in find_networks(self.geometry, side.tiles, side.bridges)
            ],
            node.score(color),
            node.tiles_left(color),
        )

    def network(self, members: list[int], span: int) -> dict[str, JSON]:
        """Return the JSON of a network of :func:`find_networks`."""
        islands: list[JSON] = []
        sandbanks: list[JSON] = []
        for group in members:
            is_island = group.bit_count() == ISLAND_SIZE
            (islands if is_island else sandbanks).append(self.cells(group))
        return {
            "islands": islands,
            "sandbanks": sandbanks,
            "bridges": self.bridges(span) if span else [],
            "points": points_for(len(islands)),
        }

    @property
    def first(self) -> Cell | None:
        return self.node.first if isinstance(self.node, HalfTurn) else None

    @cached_property
    def legal(self) -> LegalActions | None:
        """The legal actions, but none in a half turn and after the end of a game."""
        if self.has_ended or isinstance(self.node, HalfTurn):
            return None
        return self.node.legal_actions

    @cached_property
    def other_actions(self) -> NonTileActions | None:
        return None if self.legal is None else self.legal.others

    @cached_property
    def target_mask(self) -> int:
        return 0 if self.has_ended else tile_targets(self.node)

    @property
    def conflicts(self) -> dict[str, list[JSON]]:
        if self.legal is None:
            return {}
        targets, conflicts = self.target_mask, self.legal.pairs.conflicts
        names = self.names
        # Cells that are in no pair at all are no targets, so nobody asks about them.
        return {
            names[cell]: self.cells(conflicts[cell] & targets)
            for cell in sorted(conflicts)
            if targets >> cell & 1 and conflicts[cell] & targets
        }

    @property
    def buildable(self) -> list[JSON]:
        return [] if self.other_actions is None else self.bridges(self.other_actions.bridge_mask)

    @property
    def others(self) -> list[Action]:
        found = self.other_actions
        if found is None:
            return []
        if found.passing:
            return [Pass()]
        return [*map(ChooseColor, Color)] if found.choosing else []


# The table of fields


def _ready(codec: Codec) -> Codec:
    """Return the codec of a part that the view gives as JSON."""
    return evolve(codec, write=_as_it_is)


def _as_it_is(part: JSON) -> JSON:
    return part


_CELLS, _BRIDGES = _ready(CELLS), _ready(BRIDGES)
_CONFLICTS = _ready(CELLS).shown(
    type="object", propertyNames=CELL.schema, additionalProperties=CELLS.schema
)
_NETWORK = object_of(
    dict,
    {"islands": list_of(CELLS), "sandbanks": list_of(CELLS), "bridges": BRIDGES, "points": COUNT},
)
SNAPSHOT_SIDE: Final = object_of(
    _Side,
    {
        "owner": nullable(SEAT),
        "tiles": _CELLS,
        "bridges": _BRIDGES,
        "networks": _ready(list_of(_NETWORK)),
        "score": SCORE,
        "tiles_left": SUPPLY,
    },
).named("snapshot-side")
_LAST = nullable(any_step(STEPS)).shown(anyOf=[ACTION.schema, PLACE_TILE.schema, {"type": "null"}])
_OTHERS = list_of(any_step((ChooseColor, Pass))).shown(
    type="array", items={"anyOf": [CHOOSE_COLOR.schema, PASS.schema]}, uniqueItems=True
)
_TEXT_OR_NULL = nullable(TEXT).shown(type=["string", "null"])
_SENTENCES = object_of(_Sentences, {"state": TEXT, "last": _TEXT_OR_NULL, "result": _TEXT_OR_NULL})
SNAPSHOT: Final = object_of(
    _View,
    {
        "board": Field(BOARD, get=attrgetter("node.rules.board")),
        "phase": PHASE,
        "turn": Field(COUNT, get=attrgetter("node.turn")),
        "seat_to_move": nullable(SEAT),
        "to_move": nullable(COLOR),
        "white": Field(SNAPSHOT_SIDE, get=lambda view: view.side(Color.WHITE)),
        "red": Field(SNAPSHOT_SIDE, get=lambda view: view.side(Color.RED)),
        "blocked": Field(_CELLS, get=lambda view: view.cells(view.node._pieces.blocked)),
        "bridges_left": Field(SUPPLY, get=attrgetter("node.bridges_left")),
        "first": nullable(CELL),
        "targets": Field(_CELLS, get=lambda view: view.cells(view.target_mask)),
        "conflicts": _CONFLICTS,
        "buildable": _BRIDGES,
        "others": _OTHERS,
        "last": _LAST,
        "outcome": Field(nullable(OUTCOME), get=attrgetter("node.outcome")),
        "sentences": _SENTENCES,
        "result": Field(RESULT, default=UNTOLD),
        "ending": Field(nullable(ENDING), default=UNTOLD),
        "winning_seat": Field(nullable(SEAT), default=UNTOLD),
        "moves": Field(list_of(ACTION), default=UNTOLD),
    },
).named("snapshot")
