"""The table of all kinds of documents: their classes, and the codecs of their fields.

If the fields differ from the fields of the class, a function here makes the value from them. The
descriptions of the schema are in ``descriptions.json``, by the names of kinds and fields.

Kinds that are a single string are stricter than the notation for people: lower case and no blanks,
so that a regular expression can identify the kind.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from itertools import chain, repeat
from operator import attrgetter, methodcaller
from typing import Any, Final, TypeAlias, get_args

from pontedeldiavolo.base.enums import (
    Color,
    DecidedBy,
    Ending,
    Phase,
    Seat,
    Tiebreak,
    ViolationCode,
)
from pontedeldiavolo.base.errors import PonteError, RecordError, reason
from pontedeldiavolo.base.values import FrozenMapping
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import MAX_NAG, Line, Move
from pontedeldiavolo.game.record import MARK_OF_RESULT, Place, Places, Record
from pontedeldiavolo.game.tags import (
    DERIVED_TAGS,
    checked_annotations,
    checked_tags,
    names_in_order,
)
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.rules.rules import Outcome, Rules, Score
from pontedeldiavolo.rules.violations import MAX_VIOLATIONS, NO_ROLES, Violation
from pontedeldiavolo.state.state import GameState, HalfTurn

from . import codecs
from .codecs import COUNT, TEXT, Codec, Field, JsonError, kind, list_of, nullable, object_of


def _word(of: type[Enum]) -> Codec:
    """Return the kind of an enum, whose members are written as their words."""
    return kind(codecs.one_of(of, of, attrgetter("value")))


COLOR = _word(Color)
SEAT = _word(Seat)
PHASE = _word(Phase)
TIEBREAK = _word(Tiebreak)
DECIDED_BY = _word(DecidedBy)
ENDING = _word(Ending)
VIOLATION_CODE = _word(ViolationCode)
CELL = codecs.cells_of(Cell, "cell", str, "c4", lambda cell: cell)
BRIDGE = codecs.cells_of(Bridge, "json-bridge", str, "a1-c3")
PLACE_TILES = codecs.cells_of(PlaceTiles, "json-tiles", format_action, "a1,b2")
PLACE_TILE = kind(codecs.cells_of(PlaceTile, "cell", format_action, "a1"), **CELL.schema)
_BUILD_BRIDGE = codecs.cells_of(BuildBridge, "json-bridge", format_action, "a1-c3")
BUILD_BRIDGE = kind(_BUILD_BRIDGE, **BRIDGE.schema)
_CHOOSE_COLOR = codecs.one_of(ChooseColor, map(ChooseColor, Color), format_action)
CHOOSE_COLOR = kind(_CHOOSE_COLOR, **COLOR.schema)
PASS = kind(codecs.one_of(Pass, [Pass()], format_action), const="pass")

STEP_CODECS: Final[Mapping[object, tuple[Codec, str]]] = {
    PlaceTiles: (PLACE_TILES, "'a1,b2'"),
    PlaceTile: (PLACE_TILE, "'a1'"),
    BuildBridge: (BUILD_BRIDGE, "'a1-c3'"),
    ChooseColor: (CHOOSE_COLOR, "'white', 'red'"),
    Pass: (PASS, "'pass'"),
}
"""The codecs of actions and steps, with examples for errors. Their texts differ in form."""


def any_step(kinds: Iterable[object]) -> Codec:
    """Return the codec of a union of actions and steps."""
    members, examples = zip(*[STEP_CODECS[of] for of in kinds], strict=True)
    expected = reason("json-action", examples=", ".join(examples))

    def read(data: object) -> object:
        for member in members:
            with suppress(JsonError):
                return member.read(data)
        raise JsonError("", expected)

    def write(step: object) -> object:
        return STEP_CODECS[type(step)][0].write(step)

    return Codec(read, write, {"oneOf": [member.schema for member in members]})


ACTION = any_step(get_args(Action)).named("action")
STEP = any_step(get_args(Step))


_Word: TypeAlias = Color | Seat | Phase | Tiebreak | DecidedBy | Ending | ViolationCode
_Board: TypeAlias = Cell | Board | Rules
_Step: TypeAlias = PlaceTiles | PlaceTile | BuildBridge | ChooseColor | Pass
_Pieces: TypeAlias = Bridge | Setup | Position
_State: TypeAlias = GameState | HalfTurn | Score | Outcome | Violation
_Game: TypeAlias = Move | Line | Game | Record

Value: TypeAlias = _Word | _Board | _Step | _Pieces | _State | _Game
"""Every class of values that a document can hold."""


def _object(of: type, make: codecs.Maker | None = None, /, **fields: Field | Codec) -> Codec:
    """Return the kind of a class whose values are objects with these fields."""
    return kind(object_of(of, make, **fields))


# Boards

CELLS = codecs.set_of(CELL).named("cells")
BRIDGES = codecs.set_of(BRIDGE).named("bridges")
_SUPPLY: codecs.Schema = {**COUNT.definition, "type": ["integer", "null"]}
SUPPLY = nullable(COUNT).with_schema(**_SUPPLY).named("supply")
_SIDE = COUNT.with_schema(type="integer", minimum=1, maximum=Board.MAX_SIDE)
BOARD = _object(Board, width=_SIDE, height=_SIDE)
RULES = _object(
    Rules,
    board=BOARD,
    tiles_per_color=SUPPLY,
    bridges=SUPPLY,
    tiebreaks=list_of(TIEBREAK).with_schema(type="array", items=TIEBREAK.schema, uniqueItems=True),
)

# Pieces


def _position(
    board: Board, white: frozenset[Cell], red: frozenset[Cell], bridges: frozenset[Bridge]
) -> Position:
    # A tile carries one bridge, so a larger number breaks a rule. It is refused at once, because
    # checking every two bridges against each other could take very long.
    max_bridges = len(board) // 2
    if len(bridges) > max_bridges:
        raise JsonError("bridges", reason("json-bridges", max=max_bridges))
    return Position._judged(Setup(board, white, red, bridges), MAX_VIOLATIONS)


def _pieces(position_of: Callable[[Any], Position]) -> dict[str, Field]:
    """Return the fields of tiles and bridges."""
    return {
        "white": Field(CELLS, lambda value: position_of(value).tiles(Color.WHITE)),
        "red": Field(CELLS, lambda value: position_of(value).tiles(Color.RED)),
        "bridges": Field(BRIDGES, lambda value: position_of(value).setup().bridges),
    }


SETUP = _object(Setup, board=BOARD, white=CELLS, red=CELLS, bridges=BRIDGES)
_POSITION = object_of(Position, _position, board=BOARD, **_pieces(lambda position: position))
POSITION = kind(_POSITION, **SETUP.schema)

# States


def _state(
    rules: Rules, phase: Phase, to_move: Color | None, white_owner: Seat | None, **pieces: Any
) -> GameState:
    position = _position(rules.board, **pieces)
    return GameState._checked(rules, position.pieces, phase, to_move, white_owner)


def _number_or_text(_: str, data: object) -> int | str:
    if isinstance(data, str):
        return codecs.string(data)
    try:
        return codecs.whole_number(data, lowest=-codecs.MAX_NUMBER)
    except JsonError as error:
        raise JsonError("", reason("json-or-text", what=error.reason)) from None


GAME_STATE = _object(
    GameState,
    _state,
    rules=RULES,
    **_pieces(attrgetter("position")),
    phase=PHASE,
    to_move=nullable(COLOR),
    white_owner=Field(nullable(SEAT), get=methodcaller("owner", Color.WHITE)),
)
HALF_TURN = _object(HalfTurn, state=GAME_STATE, placed_tile=CELL)
SCORE = _object(Score, points=COUNT, islands=COUNT, bridges=COUNT)
OUTCOME = _object(
    Outcome,
    winner=nullable(COLOR),
    winning_seat=nullable(SEAT),
    decided_by=DECIDED_BY,
    white=SCORE,
    red=SCORE,
)
_VALUES = codecs.mapping_of(
    _number_or_text,
    {"anyOf": [{**COUNT.definition, "minimum": -codecs.MAX_NUMBER}, TEXT.schema]},
    write=_number_or_text,
)
_ROLE = list_of(CELL)
_ROLES = codecs.mapping_of(
    lambda _, part: _ROLE.read(part),
    _ROLE.schema,
    write=lambda _, cells: _ROLE.write(cells),
    order=list,
)
VIOLATION = _object(
    Violation,
    code=VIOLATION_CODE,
    cells=list_of(CELL),
    bridges=list_of(BRIDGE),
    values=_VALUES,
    roles=Field(_ROLES, default=NO_ROLES),
)

# Games

_CONTROLS = r"\u0000-\u001f\u007f-\u009f\u2028\u2029"
TAGS = codecs.mapping_of(
    lambda name, data: checked_tags({name: codecs.string(data)})[name],
    {"description": "One line of text.", "type": "string", "pattern": f"^[^{_CONTROLS}]*$"},
    order=names_in_order,
    propertyNames={"pattern": "^[A-Za-z][A-Za-z0-9_]{0,254}$", "not": {"enum": [*DERIVED_TAGS]}},
).named("tags")
_ANNOTATIONS = codecs.mapping_of(
    lambda name, data: checked_annotations({name: codecs.string(data)})[name],
    {"type": "string", "pattern": rf"^[^\]{_CONTROLS}]*$"},
    propertyNames={"pattern": "^[a-z]+$"},
)
_NAGS = list_of(COUNT.with_schema(type="integer", minimum=0, maximum=MAX_NAG))


_COMMENT = Field(TEXT, default="")
_MOVES = TEXT.with_schema(type="array", items={"$ref": "#/$defs/move"}, minItems=1)
_VARIATION = object_of(Line, comment=_COMMENT, moves=_MOVES)


# Lines contain moves, which contain lines: these functions defer the look-up.
def _read_line(data: object) -> object:
    return LINE.read(data)


def _write_line(line: object) -> object:
    return LINE.write(line)


VARIATION = Codec(_read_line, _write_line, _VARIATION.definition).named("variation")
MOVE = _object(
    Move,
    action=ACTION,
    nags=Field(_NAGS, default=()),
    comment=_COMMENT,
    annotations=Field(_ANNOTATIONS, default=FrozenMapping()),
    variations=Field(list_of(VARIATION), default=()),
)
LINE: Final[Codec] = _object(Line, comment=_COMMENT, moves=list_of(MOVE))


def _game(ending: Ending | None, winning_seat: Seat | None, **parts: Any) -> Game:
    game = _replayed(**parts)
    if ending is not None and not game.state.is_over:
        try:
            return game.end(ending, winning_seat)
        except PonteError as error:
            codecs.raise_below(error, "ending")
    if ending is not game.ending:
        raise JsonError("ending", reason("json-scored"))
    if winning_seat is not game.winning_seat:
        seat = "null" if game.winning_seat is None else repr(game.winning_seat.value)
        raise JsonError("winning_seat", reason("json-winner", seat=seat))
    return game


def _replayed(start: GameState, tags: FrozenMapping[str], line: Line) -> Game:
    """Return the game without its ending, with every action of every line checked."""
    # The errors of a record name a line of its text. Here each move gets its own line number.
    paths = [path for path, _ in line.walk()]
    places = Places(tuple((number, 1) for number, _ in enumerate(paths, 1)))
    try:
        return Record(start, tags, line, places=places).game()
    except RecordError as error:
        steps: list[str | int] = ["line"]
        for depth, step in enumerate(paths[error.line - 1]):
            steps += ["variations" if depth % 2 else "moves", step]
        found = JsonError("action", error.reason)
        found.__cause__ = error.__cause__
        codecs.raise_below(found, *steps)


GAME = _object(
    Game,
    _game,
    start=GAME_STATE,
    tags=TAGS,
    line=LINE,
    ending=nullable(ENDING),
    winning_seat=nullable(SEAT),
)

# Records


def _places_of(record: Record) -> Places:
    # One place for each move: there are more if parts were left out in reading, and none in a
    # record that was not read from a text.
    places = chain(record._places.moves, repeat((1, 1)))
    moves = tuple(place for _, place in zip(record.line.walk(), places, strict=False))
    return record._places._replace(moves=moves)


def _record(**parts: Any) -> Record:
    record = Record(**parts)
    count = sum(1 for _ in record.line.walk())
    if len(record._places.moves) != count:
        raise JsonError("places.moves", reason("json-places", count=count))
    return record


_NUMBERS = list_of(COUNT)


def _place(data: object) -> Place:
    numbers: Place = _NUMBERS.read(data)
    if len(numbers) != len(get_args(Place)) or 0 in numbers:
        raise JsonError("", reason("json-place"))
    return numbers


def _places(moves: tuple[Place, ...], result: Place | None, ending: Place) -> Places:
    return Places(moves, result, ending)


RESULT = codecs.one_of(str, MARK_OF_RESULT, str)
_FROM_ONE: codecs.JSON = {**COUNT.definition, "minimum": 1}
_PLACE: codecs.Schema = {"type": "array", "items": _FROM_ONE, "minItems": 2, "maxItems": 2}
PLACE = Codec(_place, list, _PLACE).named("place")
_PLACES = object_of(
    Places,
    _places,
    moves=list_of(PLACE),
    result=nullable(PLACE),
    ending=Field(PLACE, get=lambda places: places.termination_or_start),
)
RECORD = _object(
    Record,
    _record,
    start=GAME_STATE,
    tags=TAGS,
    line=LINE,
    result=RESULT,
    ending=nullable(ENDING),
    number=COUNT,
    places=Field(_PLACES, get=_places_of),
)

KINDS: Final = (
    COLOR,
    SEAT,
    PHASE,
    TIEBREAK,
    DECIDED_BY,
    ENDING,
    VIOLATION_CODE,
    CELL,
    BOARD,
    RULES,
    PLACE_TILES,
    PLACE_TILE,
    BUILD_BRIDGE,
    CHOOSE_COLOR,
    PASS,
    BRIDGE,
    SETUP,
    POSITION,
    GAME_STATE,
    HALF_TURN,
    SCORE,
    OUTCOME,
    VIOLATION,
    MOVE,
    LINE,
    GAME,
    RECORD,
)
"""All kinds of documents that are read and written."""

PARTS: Final = (ACTION, CELLS, BRIDGES, SUPPLY, COUNT, TAGS, VARIATION, PLACE)
"""Further definitions of the schema."""

BY_NAME: Final = {kind.name: kind for kind in KINDS}
BY_TYPE: Final[Mapping[object, Codec]] = {kind.of: kind for kind in KINDS}
