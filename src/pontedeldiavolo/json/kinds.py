"""Every kind of value that documents hold: its name, its class, and its shape.

This table and the forms are all there is to touch when a value gets another field.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Final, TypeAlias, TypeVar, cast

from attrs import AttrsInstance, fields_dict, frozen

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.symmetry import Symmetry
from pontedeldiavolo.game.game import Game, Turn
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.json import texts
from pontedeldiavolo.json.board_forms import (
    BoardForm,
    CellSetForm,
    PiecesForm,
    RulesForm,
    SymmetryForm,
)
from pontedeldiavolo.json.game_forms import GameForm, LineForm, MoveForm, RecordForm
from pontedeldiavolo.json.state_forms import (
    EffectsForm,
    GroupForm,
    HalfTurnForm,
    NetworkForm,
    OutcomeForm,
    ScoreForm,
    StateForm,
    TurnForm,
    ViolationForm,
)
from pontedeldiavolo.position.effects import Effects
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.position.position import Position, Setup
from pontedeldiavolo.records.record import Record
from pontedeldiavolo.rules.actions import BuildBridge, ChooseColor, Pass, PlaceTile, PlaceTiles
from pontedeldiavolo.rules.outcome import Outcome, Score
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.vocabulary import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak

Value: TypeAlias = (
    Board
    | Bridge
    | BuildBridge
    | Cell
    | CellSet
    | ChooseColor
    | Color
    | DecidedBy
    | Effects
    | Ending
    | Game
    | GameState
    | Group
    | HalfTurn
    | Line
    | Move
    | Network
    | Outcome
    | Pass
    | Phase
    | PlaceTile
    | PlaceTiles
    | Position
    | Record
    | Rule
    | Rules
    | Score
    | Seat
    | Setup
    | Symmetry
    | Tiebreak
    | Turn
    | Violation
)
"""Whatever a document can hold."""

V = TypeVar("V")
F = TypeVar("F")
A = TypeVar("A", bound=AttrsInstance)
E = TypeVar("E", bound=Enum)


@frozen
class Kind:
    """A kind of value.

    Attributes:
        name: What documents call it.
        of: The class of the values.
        form: What stands for a value in a document: ``str``, or a class that lists its fields.
        write: Gives the form of a value.
        read: Gives the value of a form, or raises a :class:`PonteError`.
    """

    name: str
    of: type[object]
    form: type[object]
    write: Callable[[object], object]
    read: Callable[[object], object]


def _kind(
    name: str, of: type[V], form: type[F], write: Callable[[V], F], read: Callable[[F], V]
) -> Kind:
    """Return a kind whose parts fit together."""
    return Kind(
        name,
        of,
        form,
        cast(Callable[[object], object], write),
        cast(Callable[[object], object], read),
    )


def _plain(name: str, of: type[V], form: type[A]) -> Kind:
    """Return a kind whose form has the same fields as the class itself."""
    names = tuple(fields_dict(form))

    def write(value: V) -> A:
        return form(**{name: getattr(value, name) for name in names})

    def read(parts: A) -> V:
        return of(**{name: getattr(parts, name) for name in names})

    return _kind(name, of, form, write, read)


def _words(name: str, of: type[E]) -> Kind:
    """Return a kind that is one of a few words."""
    return _kind(name, of, str, texts.word, texts.member_of(of))


KINDS: Final = (
    # The words of the game
    _words("color", Color),
    _words("seat", Seat),
    _words("phase", Phase),
    _words("tiebreak", Tiebreak),
    _words("decided-by", DecidedBy),
    _words("ending", Ending),
    _words("rule", Rule),
    # Boards and rules
    _kind("cell", Cell, str, texts.write_cell, texts.read_cell),
    _kind("cell-set", CellSet, CellSetForm, CellSetForm.of, CellSetForm.value),
    _plain("board", Board, BoardForm),
    _plain("rules", Rules, RulesForm),
    _kind("symmetry", Symmetry, SymmetryForm, SymmetryForm.of, SymmetryForm.value),
    # Actions and steps
    _kind("place-tiles", PlaceTiles, str, texts.write_action, texts.read_tiles),
    _kind("place-tile", PlaceTile, str, texts.write_tile, texts.read_tile),
    _kind("build-bridge", BuildBridge, str, texts.write_action, texts.read_building),
    _kind("choose-color", ChooseColor, str, texts.write_action, texts.read_choice),
    _kind("pass", Pass, str, texts.write_action, texts.read_pass),
    # What lies on the board
    _kind("bridge", Bridge, str, texts.write_bridge, texts.read_bridge),
    _plain("group", Group, GroupForm),
    _plain("network", Network, NetworkForm),
    _kind("setup", Setup, PiecesForm, PiecesForm.of_setup, PiecesForm.setup),
    _kind("position", Position, PiecesForm, PiecesForm.of_position, PiecesForm.position),
    # States and what is said about them
    _kind("game-state", GameState, StateForm, StateForm.of, StateForm.value),
    _plain("half-turn", HalfTurn, HalfTurnForm),
    _plain("score", Score, ScoreForm),
    _plain("outcome", Outcome, OutcomeForm),
    _plain("effects", Effects, EffectsForm),
    _kind("violation", Violation, ViolationForm, ViolationForm.of, ViolationForm.value),
    # Games
    _plain("turn", Turn, TurnForm),
    _kind("move", Move, MoveForm, MoveForm.of, MoveForm.value),
    _kind("line", Line, LineForm, LineForm.of, LineForm.value),
    _kind("game", Game, GameForm, GameForm.of, GameForm.value),
    _kind("record", Record, RecordForm, RecordForm.of, RecordForm.value),
)

BY_NAME: Final = {kind.name: kind for kind in KINDS}
BY_TYPE: Final = {kind.of: kind for kind in KINDS}
