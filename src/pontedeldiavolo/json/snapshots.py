"""Snapshots: documents for a board in a browser and its next click, which are never read back."""

from __future__ import annotations

from types import NoneType
from typing import Final, get_args

from attrs import evolve

from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError, reason, require_type
from pontedeldiavolo.base.messages import Catalog, require_catalog, result, sentence
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.game.board_view import cell_names, tile_targets
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.sentences import action_sentence, state_of_play
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.position.networks import find_networks, points_for
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.rules import Outcome
from pontedeldiavolo.state.state import HalfTurn, Node

from . import kinds
from .codecs import COUNT, JSON, TEXT, Codec, Field, list_of, nullable, object_of

ABSENT: Final = "absent"
"""Placeholder for parts that games have and states do not."""

_LAST_TYPES = (*get_args(Action), PlaceTile, NoneType)


def snapshot(
    game_or_node: Game | Node,
    *,
    last: Action | PlaceTile | None = None,
    catalog: Catalog | str = "en",
) -> dict[str, JSON]:
    """Return a document for showing a game, a state or a half turn, and its legal actions.

    Documents of this kind are never read back. The document of a game has its result, ending and
    moves as well, and no legal actions once the game has ended, including by resignation.

    >>> start = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
    >>> snapshot = pdd.json.snapshot(start.apply(pdd.parse_action("a1,c3")))["value"]
    >>> snapshot["white"]["tiles"], snapshot["other_actions"], snapshot["sentences"]["state"]
    (['a1', 'c3'], ['white', 'red'], 'Player 2 chooses a colour.')
    >>> game = pdd.Game.new().play("d4,g7").resign(pdd.Seat.SECOND)
    >>> snapshot = pdd.json.snapshot(game)["value"]
    >>> snapshot["result"], snapshot["ending"], snapshot["moves"]
    ('first', 'resignation', ['d4,g7'])
    >>> snapshot["targets"], snapshot["other_actions"]
    ([], [])

    Args:
        game_or_node: The game, the state, or the half turn.
        last: The last action, if it is to be shown; by default the last one of a game.
        catalog: The language of the sentences, or its code.

    Raises:
        PonteError: If *last* cannot have led to this board, or *catalog* lacks a word or a
            sentence.
    """
    require_type(game_or_node, Game | Node, "game_or_node")
    require_type(last, _LAST_TYPES, "last")
    catalog = require_catalog(catalog)
    if not isinstance(game_or_node, Game):
        parts = _parts(game_or_node, last, catalog, game_or_node.outcome)
        of_games = {"result": ABSENT, "ending": ABSENT, "winning_seat": ABSENT, "moves": ABSENT}
        return SNAPSHOT.document(parts | of_games)
    game = game_or_node
    last = last or next(reversed(game.actions), None)
    parts = _parts(game.state, last, catalog, None if game.ending is None else game)
    parts["result"] = game.result
    parts["ending"] = game.ending
    parts["winning_seat"] = game.winning_seat
    parts["moves"] = game.actions
    return SNAPSHOT.document(parts)


def _parts(
    node: Node, last: Action | PlaceTile | None, catalog: Catalog, ended: Game | Outcome | None
) -> dict[str, object]:
    """Return the fields that documents of nodes and of games share."""
    sentences = {
        "state": state_of_play(node, catalog) if ended is None else sentence(catalog, "state-over"),
        "last": None if last is None else last_sentence(node, last, catalog),
        "result": None if ended is None else result(ended, catalog),
    }
    return {
        "board": node.rules.board,
        "phase": node.phase if ended is None else Phase.OVER,
        "turn": node.turn,
        "seat_to_move": node.seat_to_move if ended is None else None,
        "to_move": node.to_move if ended is None else None,
        **{color.value: _side(node, color) for color in Color},
        "blocked": _cells(node.pieces.geometry, node.pieces.blocked),
        "bridges_left": node.bridges_left,
        "placed_tile": node.placed_tile if isinstance(node, HalfTurn) else None,
        **choices(node, is_over=ended is not None),
        "last": last,
        "outcome": node.outcome,
        "sentences": sentences,
    }


def last_sentence(node: Node, last: Action | PlaceTile, catalog: Catalog) -> str:
    """Return the sentence on the last action.

    Raises:
        PonteError: If the action cannot have led to the node.
    """
    color = _color_of_last(node, last)
    if color is None:
        text = format_action(last)
        raise PonteError(reason("not-done-last", action=text))
    return action_sentence(last, color, catalog)


def _color_of_last(node: Node, last: Action | PlaceTile) -> Color | None:
    """Return the colour that played the action, or ``None`` if the action is impossible."""
    match last:
        case PlaceTiles(a, b):
            color = _color_at(node, a)
            other = _color_at(node, b)
            return color if a != b and color is other else None
        case PlaceTile(cell):
            if isinstance(node, HalfTurn) and cell == node.placed_tile:
                return node.to_move
            return _color_at(node, cell)
        case BuildBridge():
            number = node.pieces.geometry.number_of(last)
            stands = number >= 0 and node.pieces.bridges >> number & 1
            return _color_at(node, last.a) if stands else None
        case ChooseColor(color):
            return color if node.owner(color) is Seat.SECOND else None
    return _color_that_passed(node)


def _color_that_passed(node: Node) -> Color | None:
    """Return the colour that passed last, or ``None``.

    White passed before red's last turn, or if no pair of tiles was legal in the opening.
    """
    if node.phase is Phase.OVER:
        return Color.RED
    opened = node.phase is Phase.COLOR_CHOICE and not node.pieces.occupied
    return Color.WHITE if opened or node.phase is Phase.LAST_TURN else None


def _color_at(node: Node, cell: Cell) -> Color | None:
    """Return the colour of the tile on a cell, or ``None`` without a tile or off the board."""
    return node.position.color_at(cell) if cell in node.rules.board else None


# The board


def _cells(geometry: Geometry, mask: int) -> list[JSON]:
    names = cell_names(geometry.width, geometry.height)
    return [names[index] for index in bits(mask)]


def _bridges(geometry: Geometry, mask: int) -> list[JSON]:
    names = cell_names(geometry.width, geometry.height)
    return [f"{names[a]}-{names[b]}" for a, b in map(geometry.ends, bits(mask))]


def _side(node: Node, color: Color) -> dict[str, object]:
    """Return the JSON of a colour's side."""
    geometry = node.pieces.geometry
    side = node.pieces._sides[color.index]
    networks = find_networks(geometry, side.tiles, side.bridges)
    return {
        "owner": node.owner(color),
        "tiles": _cells(geometry, side.tiles),
        "bridges": _bridges(geometry, side.bridges),
        "networks": [_network(geometry, members, span) for members, span in networks],
        "score": node.score(color),
        "tiles_left": node.tiles_left(color),
    }


def _network(geometry: Geometry, members: list[int], span: int) -> dict[str, JSON]:
    """Return the JSON of a network from :func:`find_networks`."""
    islands: list[JSON] = []
    sandbanks: list[JSON] = []
    for group in members:
        is_island = group.bit_count() == ISLAND_SIZE
        (islands if is_island else sandbanks).append(_cells(geometry, group))
    return {
        "islands": islands,
        "sandbanks": sandbanks,
        "bridges": _bridges(geometry, span) if span else [],
        "points": points_for(len(islands)),
    }


def choices(node: Node, *, is_over: bool) -> dict[str, object]:
    """Return the choices of the player to move; after one tile, only second tiles."""
    geometry = node.pieces.geometry
    targets = 0 if is_over else tile_targets(node)
    found: dict[str, object] = {"targets": _cells(geometry, targets)}
    if is_over or isinstance(node, HalfTurn):
        return found | {"conflicts": {}, "buildable": [], "other_actions": []}
    names = cell_names(geometry.width, geometry.height)
    pairs = node.legal_actions.pairs
    others = node.legal_actions.others
    # Cells without a legal pair are not targets, so their conflicts are not needed.
    found["conflicts"] = {
        names[cell]: _cells(geometry, excluded & targets)
        for cell, excluded in sorted(pairs.conflicts.items())
        if targets >> cell & 1 and excluded & targets
    }
    found["buildable"] = _bridges(geometry, others.bridge_mask)
    found["other_actions"] = others[others.bridge_mask.bit_count() :]
    return found


# The table of fields


def _ready(codec: Codec) -> Codec:
    """Return the codec of a part that is already plain JSON."""
    return evolve(codec, write=lambda part: part)


_CELLS = _ready(kinds.CELLS)
_BRIDGES = _ready(kinds.BRIDGES)
_CONFLICTS = _ready(kinds.CELLS).with_schema(
    type="object", propertyNames=kinds.CELL.schema, additionalProperties=kinds.CELLS.schema
)
_GROUPS = list_of(kinds.CELLS)
_NETWORK = object_of(dict, islands=_GROUPS, sandbanks=_GROUPS, bridges=kinds.BRIDGES, points=COUNT)
SNAPSHOT_SIDE: Final = object_of(
    dict,
    owner=nullable(kinds.SEAT),
    tiles=_CELLS,
    bridges=_BRIDGES,
    networks=_ready(list_of(_NETWORK)),
    score=kinds.SCORE,
    tiles_left=kinds.SUPPLY,
).named("snapshot-side")
_STEP = kinds.any_step(kinds.STEP_CODECS)
_ANY_LAST: JSON = [kinds.ACTION.schema, kinds.PLACE_TILE.schema, {"type": "null"}]
_LAST = nullable(_STEP).with_schema(anyOf=_ANY_LAST)
_OTHER_ACTIONS = list_of(_STEP).with_schema(
    type="array", items={"anyOf": [kinds.CHOOSE_COLOR.schema, kinds.PASS.schema]}, uniqueItems=True
)
_TEXT_OR_NULL = nullable(TEXT).with_schema(type=["string", "null"])
SNAPSHOT: Final = object_of(
    dict,
    board=kinds.BOARD,
    phase=kinds.PHASE,
    turn=COUNT,
    seat_to_move=nullable(kinds.SEAT),
    to_move=nullable(kinds.COLOR),
    white=SNAPSHOT_SIDE,
    red=SNAPSHOT_SIDE,
    blocked=_CELLS,
    bridges_left=kinds.SUPPLY,
    placed_tile=nullable(kinds.CELL),
    targets=_CELLS,
    conflicts=_CONFLICTS,
    buildable=_BRIDGES,
    other_actions=_OTHER_ACTIONS,
    last=_LAST,
    outcome=nullable(kinds.OUTCOME),
    sentences=object_of(dict, state=TEXT, last=_TEXT_OR_NULL, result=_TEXT_OR_NULL),
    result=Field(kinds.RESULT, default=ABSENT),
    ending=Field(nullable(kinds.ENDING), default=ABSENT),
    winning_seat=Field(nullable(kinds.SEAT), default=ABSENT),
    moves=Field(list_of(kinds.ACTION), default=ABSENT),
).named("snapshot")
