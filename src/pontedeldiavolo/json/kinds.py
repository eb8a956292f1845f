"""Every kind of value that documents hold: its name, its class, and the fields of its objects.

Where the fields are not simply those of the class, a function here makes the value. Its parameters
are the fields: their names and types, their order in the document, and with a default those that
may be left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from inspect import signature
from itertools import chain, islice, repeat
from operator import attrgetter, methodcaller
from typing import Any, Final, TypeAlias, get_args, get_type_hints

from attrs import NOTHING, field, frozen, make_class

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak
from pontedeldiavolo.base.errors import PonteError, RecordError, quoted, reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import RESULTS, Record
from pontedeldiavolo.game.tags import NO_ANNOTATIONS
from pontedeldiavolo.json.error import JsonError, refused
from pontedeldiavolo.json.texts import TEXTS
from pontedeldiavolo.position.effects import Effects
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.rules.actions import Action, PlaceTiles, Step
from pontedeldiavolo.rules.rules import Outcome, Rules, Score
from pontedeldiavolo.rules.violations import NO_ROLES, Violation
from pontedeldiavolo.state.state import GameState, HalfTurn

# In the order of the schema.
_Word: TypeAlias = Color | Seat | Phase | Tiebreak | DecidedBy | Ending | Rule
_Board: TypeAlias = Cell | CellSet | Board | Rules | Symmetry
_Step: TypeAlias = PlaceTiles | Step
_Pieces: TypeAlias = Bridge | Group | Network | Setup | Position
_State: TypeAlias = GameState | HalfTurn | Score | Outcome | Effects | Violation
_Game: TypeAlias = Turn | Move | Line | Game | Record

Value: TypeAlias = _Word | _Board | _Step | _Pieces | _State | _Game
"""Whatever a document can hold."""

Cells: TypeAlias = frozenset[Cell]
Bridges: TypeAlias = frozenset[Bridge]
Glyphs: TypeAlias = tuple[int, ...]
Lines: TypeAlias = tuple[Line, ...]
Tags: TypeAlias = FrozenMapping[str]
Values: TypeAlias = FrozenMapping[int | str]
Roles: TypeAlias = FrozenMapping[tuple[Cell, ...]]
# Another type than tags have: other names are allowed, and stand in another order.
Annotations: TypeAlias = Mapping[str, str]
Place: TypeAlias = tuple[int, int]
Getter: TypeAlias = Callable[[Any], object]


def _cell_set(board: Board, cells: Cells) -> CellSet:
    try:
        return board.cell_set(sorted(cells))
    except PonteError as error:
        raise refused(error).below("cells") from error


def _symmetry(board: Board, *, transposes: bool, flips_columns: bool, flips_rows: bool) -> Symmetry:
    return Symmetry(board.width, board.height, transposes, flips_columns, flips_rows)


def _board_of(symmetry: Symmetry) -> Board:
    # Symmetries know no largest board.
    try:
        return Board(symmetry.width, symmetry.height)
    except PonteError as error:
        raise refused(error) from error


def _setup(board: Board, white: Cells, red: Cells, bridges: Bridges) -> Setup:
    return Setup(board, white, red, bridges)


def _position(board: Board, white: Cells, red: Cells, bridges: Bridges) -> Position:
    # A tile carries one bridge, so more than these break a rule. They are refused by their number,
    # because judging every two of them against each other could take very long.
    most = len(board) // 2
    if len(bridges) > most:
        raise JsonError("bridges", reason("json-bridges", most=most))
    return Position.from_pieces(board, white, red, bridges)


def _state(
    rules: Rules,
    white: Cells,
    red: Cells,
    bridges: Bridges,
    phase: Phase,
    to_move: Color | None,
    white_owner: Seat | None,
) -> GameState:
    position = _position(rules.board, white, red, bridges)
    return GameState._checked(rules, position, phase, to_move, white_owner)


def _violation(
    rule: Rule,
    cells: tuple[Cell, ...],
    bridges: tuple[Bridge, ...],
    values: Values,
    roles: Roles = NO_ROLES,
) -> Violation:
    return Violation(rule, cells, bridges, values, roles)


def _move(
    action: Action,
    glyphs: Glyphs = (),
    comment: str = "",
    annotations: Annotations = NO_ANNOTATIONS,
    variations: Lines = (),
) -> Move:
    return Move(action, glyphs, comment, variations, annotations)


def _line(*, comment: str = "", moves: tuple[Move, ...]) -> Line:
    return Line(moves, comment)


def _game(
    start: GameState, tags: Tags, line: Line, ending: Ending | None, winning_seat: Seat | None
) -> Game:
    game = _replayed(start, tags, line)
    if ending is not None and not game.state.is_over:
        try:
            return game.end(ending, winning_seat)
        except PonteError as error:
            raise refused(error).below("ending") from error
    if ending is not game.ending:
        raise JsonError("ending", reason("json-scored"))
    if winning_seat is not game.winning_seat:
        seat = "null" if game.winning_seat is None else repr(game.winning_seat.value)
        raise JsonError("winning_seat", reason("json-winner", seat=seat))
    return game


def _replayed(start: GameState, tags: Tags, line: Line) -> Game:
    """Return the game without its ending, every action of every line checked."""
    # The errors of a record name a line of its text: here every move has one of its own.
    paths = [path for path, _ in line.walk()]
    places = tuple((number, 1) for number, _ in enumerate(paths, 1))
    try:
        return Record(start, tags, line, move_places=places).game()
    except RecordError as error:
        found = JsonError("action", error.reason)
        for depth, step in reversed([*enumerate(paths[error.line - 1])]):
            found = found.below(step).below("variations" if depth % 2 else "moves")
        raise found.below("line") from error.__cause__


@frozen
class Places:
    """Where in its text a record was read, for errors to name."""

    moves: tuple[Place, ...]
    result: Place | None
    termination: Place


def _places_of(record: Record) -> Places:
    # One place for each move: what was left out in reading may have left more, and a record that
    # no text holds has none.
    count = sum(1 for _ in record.line.walk())
    moves = tuple(islice(chain(record._move_places, repeat((1, 1))), count))
    return Places(moves, record._result_place, record._termination_place)


def _record(
    start: GameState,
    tags: Tags,
    line: Line,
    result: str,
    termination: Ending | None,
    number: int,
    places: Places,
) -> Record:
    if result not in RESULTS:
        raise JsonError("result", reason("one-of", words=quoted(RESULTS)))
    count = sum(1 for _ in line.walk())
    if len(places.moves) != count:
        raise JsonError("places.moves", reason("json-places", count=count))
    where = (places.moves, places.result, places.termination)
    return Record(start, tags, line, result, termination, number, *where)


def _pieces(position_of: Callable[[Any], Position]) -> dict[str, Getter]:
    return {
        "white": lambda value: position_of(value).tiles(Color.WHITE),
        "red": lambda value: position_of(value).tiles(Color.RED),
        "bridges": lambda value: position_of(value).setup().bridges,
    }


_OWN: Final[dict[object, tuple[Callable[..., object], dict[str, Getter]]]] = {
    CellSet: (_cell_set, {"board": lambda cells: Board(*cells._geometry.size), "cells": frozenset}),
    Symmetry: (_symmetry, {"board": _board_of}),
    Setup: (_setup, {}),
    Position: (_position, _pieces(lambda position: position)),
    GameState: (
        _state,
        {"white_owner": methodcaller("owner", Color.WHITE), **_pieces(attrgetter("position"))},
    ),
    Violation: (_violation, {}),
    Move: (_move, {}),
    Line: (_line, {}),
    Game: (_game, {}),
    Record: (_record, {"places": _places_of}),
}
"""What makes the values of a class, and what gives those fields that are none of its attributes.

Every other class makes its values itself, and needs all of its fields.
"""


@frozen
class Kind:
    """A kind of value.

    Attributes:
        name: What documents call it: its class.
        of: The class of the values.
        form: ``str`` for what is a single text, else a class that lists an object's fields.
        make: Makes a value of the fields.
        getters: Give those fields of a value that are none of its attributes.
    """

    name: str
    of: type[Any]
    form: type[Any]
    make: Callable[..., object]
    getters: Mapping[str, Getter]


def _kind(of: type[Any]) -> Kind:
    """Return the kind of the values of a class."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", "-", of.__name__).lower()
    make, getters = _OWN.get(of, (of, {}))
    if of in TEXTS:
        return Kind(name, of, str, make, getters)
    types, listed = get_type_hints(make), {}
    for each in signature(make).parameters.values():
        default = NOTHING if make is of or each.default is each.empty else each.default
        listed[each.name] = field(type=types[each.name], default=default, kw_only=True)
    return Kind(name, of, make_class(of.__name__, listed), make, getters)


KINDS: Final = tuple(map(_kind, get_args(Value)))
BY_NAME: Final = {kind.name: kind for kind in KINDS}
BY_TYPE: Final[dict[object, Kind]] = {kind.of: kind for kind in KINDS}
OBJECTS: Final[dict[object, Kind]] = {
    kind.of: kind for kind in (*KINDS, _kind(Places)) if kind.form is not str
}
"""Whatever is an object with certain fields in a document, by its class."""
