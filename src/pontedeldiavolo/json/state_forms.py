"""The fields of states and of what is said about them in a document."""

from __future__ import annotations

from attrs import frozen

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.json.board_forms import PiecesForm
from pontedeldiavolo.position.networks import Group, Network
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.rules.outcome import Score
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.vocabulary import Color, DecidedBy, Phase, Rule, Seat


@frozen(kw_only=True)
class StateForm:
    """A :class:`GameState`: rules, pieces, and who is to do what."""

    rules: Rules
    white: frozenset[Cell]
    red: frozenset[Cell]
    bridges: frozenset[Bridge]
    phase: Phase
    to_move: Color | None
    white_owner: Seat | None

    @classmethod
    def of(cls, state: GameState) -> StateForm:
        """Return the fields of a state."""
        pieces = PiecesForm.of_position(state.position)
        return cls(
            rules=state.rules,
            white=pieces.white,
            red=pieces.red,
            bridges=pieces.bridges,
            phase=state.phase,
            to_move=state.to_move,
            white_owner=state.owner(Color.WHITE),
        )

    def value(self) -> GameState:
        """Return the state.

        Raises:
            InvalidPositionError: If position, supply, phase, turn and owners break a rule.
            JsonError: If no position has so many bridges.
        """
        pieces = PiecesForm(
            board=self.rules.board, white=self.white, red=self.red, bridges=self.bridges
        )
        return GameState._checked(
            self.rules, pieces.position(), self.phase, self.to_move, self.white_owner
        )


@frozen(kw_only=True)
class HalfTurnForm:
    """A :class:`HalfTurn`."""

    state: GameState
    first: Cell


@frozen(kw_only=True)
class TurnForm:
    """A :class:`Turn`; no colour stands for the choice of one."""

    number: int
    seat: Seat
    color: Color | None
    action: Action


@frozen(kw_only=True)
class GroupForm:
    """A :class:`Group`."""

    color: Color
    cells: CellSet


@frozen(kw_only=True)
class NetworkForm:
    """A :class:`Network`."""

    color: Color
    groups: tuple[Group, ...]
    bridges: tuple[Bridge, ...]


@frozen(kw_only=True)
class ScoreForm:
    """A :class:`Score`."""

    points: int
    islands: int
    bridges: int


@frozen(kw_only=True)
class OutcomeForm:
    """An :class:`Outcome`; no winner is a draw."""

    winner: Color | None
    winning_seat: Seat | None
    decided_by: DecidedBy
    white: Score
    red: Score


@frozen(kw_only=True)
class EffectsForm:
    """An :class:`Effects` value."""

    tiles: CellSet
    bridge: Bridge | None
    blocked: CellSet
    islands: tuple[Group, ...]
    networks: tuple[Network, ...]
    score: Score | None


@frozen(kw_only=True)
class ViolationForm:
    """A :class:`Violation`."""

    rule: Rule
    cells: tuple[Cell, ...]
    bridges: tuple[Bridge, ...]
    values: FrozenMapping[int | str]

    @classmethod
    def of(cls, violation: Violation) -> ViolationForm:
        """Return the fields of a violation, its values by name."""
        return cls(
            rule=violation.rule,
            cells=violation.cells,
            bridges=violation.bridges,
            values=FrozenMapping(sorted(violation.values.items())),
        )

    def value(self) -> Violation:
        """Return the violation."""
        return Violation(self.rule, self.cells, self.bridges, self.values)
