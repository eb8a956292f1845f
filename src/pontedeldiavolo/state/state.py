"""States of a game: position, turn and legal actions; and half turns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import SupportsIndex, TypeAlias, final, get_args, overload

from attrs import field, frozen

from pontedeldiavolo.base.enums import (
    COLOR_CHOICE,
    LAST_TURN,
    OPENING,
    OVER,
    PLAY,
    RED,
    WHITE,
    Color,
    Phase,
    Seat,
    ViolationCode,
)
from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.base.values import slot_setters
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.board.cell_set import CellSet
from pontedeldiavolo.board.symmetry import Symmetry, require_board
from pontedeldiavolo.position.legality import (
    Effects,
    effects_of,
    judge_bridge,
    judge_pass,
    judge_tile,
    judge_tiles,
)
from pontedeldiavolo.position.pieces import Pieces
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
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import (
    IllegalActionError,
    InvalidPositionError,
    Violation,
    violation,
)

from .legal_actions import LegalActions, LegalSteps, find_legal_actions, find_legal_steps
from .state_base import StateBase, state_violations, unpack

_BEFORE_CHOICE = (OPENING, COLOR_CHOICE)

_new = object.__new__
_put = object.__setattr__

# With tuples, isinstance is faster than with unions.
_ACTIONS = get_args(Action)
_STEPS = get_args(Step)
_ACTIONS_AND_STEPS = (*_ACTIONS, PlaceTile)


def _subset(value: SupportsIndex, whole: int, name: str) -> int:
    """Return a set as an integer, if it is a subset of *whole*."""
    found = whole_number(value, name)
    if found < 0 or found & ~whole:
        raise PonteError(f"{name} has bits that stand for nothing on this board")
    return found


@final
@suggests_right_names
@frozen(init=False, eq=False, repr=False)
class GameState(StateBase):
    """The state of a game. It is immutable: every action gives a new state.

    Two states are equal, and have equal hashes, when rules, pieces, phase, owners and the colour
    to move are equal. The moves that led to the position do not count, and neither does
    :attr:`turn`, which follows from the others. Hashes differ between processes: do not store them.

    >>> state = pdd.GameState.initial()
    >>> state = state.apply(pdd.parse_action("d4,g7"))
    >>> state = state.apply(pdd.parse_action("red"))
    >>> state.to_move, state.seat_to_move
    (<Color.RED: 'red'>, <Seat.SECOND: 'second'>)
    >>> len(state.legal_actions)
    4753
    >>> state.is_legal(pdd.parse_action("d4,a1"))
    False

    Attributes:
        rules: The rules in use.
        phase: The part of the game.
        to_move: The colour to move; ``None`` while the colour is chosen and when the game is over.
        pieces: The pieces on the board as integers, for engines.
    """

    rules: Rules
    phase: Phase
    to_move: Color | None
    _white_owner: Seat | None
    pieces: Pieces
    _legal_actions: LegalActions | None = field(init=False)

    def __init__(self) -> None:
        raise TypeError("a state is made by GameState.initial() or GameState.from_position()")

    @classmethod
    def _make(
        cls, rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None, owner: Seat | None
    ) -> GameState:
        """Return a state of parts that are known to be consistent."""
        state = _new(cls)
        _set_rules(state, rules)
        _set_pieces(state, pieces)
        _set_phase(state, phase)
        _set_to_move(state, to_move)
        _set_owner(state, owner)
        _set_legal(state, None)
        return state

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        parts = self.rules, self.pieces, self.phase, self.to_move, self._white_owner
        return GameState._make, parts

    @classmethod
    def initial(cls, rules: Rules | None = None) -> GameState:
        """Return the start of a game: the board is empty, and white is to place tiles [S0]."""
        rules = Rules() if rules is None else rules
        require_type(rules, Rules, "rules")
        nothing = Pieces._none(rules.board.geometry)
        return cls._make(rules, nothing, Phase.OPENING, Color.WHITE, None)

    @classmethod
    def from_position(
        cls,
        position: Position,
        *,
        rules: Rules | None = None,
        to_move: Color | None = Color.WHITE,
        white_owner: Seat | None = Seat.FIRST,
        phase: Phase = Phase.PLAY,
    ) -> GameState:
        """Return a state with a given position, reachable or not.

        Args:
            position: The tiles and bridges on the board.
            rules: The rules; ``None`` means an unlimited supply on the position's board.
            to_move: The colour to move. It is ignored while the colour is chosen and when the game
                is over.
            white_owner: The seat that owns white. It is ignored before the choice.
            phase: The part of the game.

        Raises:
            InvalidPositionError: If the parts are inconsistent, with every violation.
        """
        require_type(position, Position, "position")
        if rules is None:
            rules = Rules(board=position.board)
        require_type(rules, Rules, "rules")
        require_type(phase, Phase, "phase")
        require_type(to_move, (Color, type(None)), "to_move")
        require_type(white_owner, (Seat, type(None)), "white_owner")
        if phase in (Phase.COLOR_CHOICE, Phase.OVER):
            to_move = None
        if phase in _BEFORE_CHOICE:
            white_owner = None
        return cls._checked(rules, position.pieces, phase, to_move, white_owner)

    @classmethod
    def from_sets(
        cls,
        rules: Rules,
        white: SupportsIndex,
        red: SupportsIndex,
        bridges: SupportsIndex,
        *,
        to_move: Color | None = Color.WHITE,
        white_owner: Seat | None = Seat.FIRST,
        phase: Phase = Phase.PLAY,
    ) -> GameState:
        """Return a state from sets as integers, in the form of :meth:`Pieces.key`.

        >>> state = pdd.GameState.from_position(pdd.parse_setup("w w . r").position())
        >>> pdd.GameState.from_sets(state.rules, *state.pieces.key()) == state
        True

        Args:
            rules: The rules.
            white: The cells of white's tiles.
            red: The cells of red's tiles.
            bridges: The bridges, whose numbers are those of :class:`Geometry`.
            to_move: As in :meth:`from_position`.
            white_owner: As in :meth:`from_position`.
            phase: As in :meth:`from_position`.

        Raises:
            PonteError: If a set has a bit that stands for no cell, or for no bridge.
            InvalidPositionError: If the rules do not allow the state, with every violation.
        """
        require_type(rules, Rules, "rules")
        geometry = rules.board.geometry
        setup = Setup(
            rules.board,
            geometry.cells_of(_subset(white, geometry.full, "white")),
            geometry.cells_of(_subset(red, geometry.full, "red")),
            geometry.bridges_of(_subset(bridges, geometry.all_bridges, "bridges")),
        )
        return cls.from_position(
            setup.position(), rules=rules, to_move=to_move, white_owner=white_owner, phase=phase
        )

    @classmethod
    def from_sets_unchecked(
        cls,
        rules: Rules,
        white: int,
        red: int,
        bridges: int,
        *,
        to_move: Color | None,
        white_owner: Seat | None,
        phase: Phase,
    ) -> GameState:
        """Return a state from sets that are known to be valid, such as those of another state.

        It is :meth:`from_sets` without the checks: for other sets the result is undefined.
        *to_move* is ``None`` while the colour is chosen and when the game is over, *white_owner*
        before the choice.
        """
        pieces = Pieces._of(rules.board.geometry, white, red, bridges)
        return cls._make(rules, pieces, phase, to_move, white_owner)

    @classmethod
    def _checked(
        cls, rules: Rules, pieces: Pieces, phase: Phase, to_move: Color | None, owner: Seat | None
    ) -> GameState:
        """Return a state of these parts, or raise :class:`InvalidPositionError`."""
        violations = tuple(state_violations(rules, pieces, phase, to_move, owner))
        if violations:
            raise InvalidPositionError(violations)
        return cls._make(rules, pieces, phase, to_move, owner)

    # Legal actions

    @property
    def legal_actions(self) -> LegalActions:
        """Every legal action, as a lazy sequence."""
        legal = self._legal_actions
        if legal is None:
            legal = find_legal_actions(self.rules, self.pieces, self.phase, self.to_move)
            _set_legal(self, legal)
        return legal

    @property
    def legal_steps(self) -> LegalSteps:
        """Every legal step, where a pair of tiles is two steps."""
        legal = self.legal_actions
        return find_legal_steps(self.pieces.geometry, legal.pairs.firsts | legal.others._numbers)

    def is_legal(self, action: Action | PlaceTile) -> bool:
        """Return whether *action* is legal.

        A :class:`PlaceTile` is legal if some legal pair contains it.
        """
        if isinstance(action, PlaceTile):
            return bool(self.legal_actions.second_tiles(action.cell))
        if action in self.legal_actions:
            return True
        require_type(action, _ACTIONS_AND_STEPS, "action")
        return False

    def violations(self, action: Action | PlaceTile) -> tuple[Violation, ...]:
        """Return every rule that *action* breaks, ``()`` if it is legal.

        Each rule is listed once, with all cells and bridges at fault; only groups that grow too
        large and islands that are touched are listed one by one. A pair is checked with both tiles
        placed, a :class:`PlaceTile` as the first tile of a pair.
        """
        require_type(action, _ACTIONS_AND_STEPS, "action")
        if self.phase is Phase.OVER:
            return (violation(ViolationCode.GAME_OVER),)
        if isinstance(action, ChooseColor) != (self.phase is Phase.COLOR_CHOICE):
            return (violation(ViolationCode.WRONG_PHASE),)
        if self.to_move is None or isinstance(action, ChooseColor):
            # During the choice both colours may be chosen.
            return ()
        return tuple(self._judge(action, self.to_move))

    def _judge(
        self, action: PlaceTiles | PlaceTile | BuildBridge | Pass, mover: Color
    ) -> Iterable[Violation]:
        """Check an action of the colour to move, which may place tiles, build or pass."""
        pieces = self.pieces
        color = mover.index
        tiles = self.rules.tiles_per_color
        match action:
            case PlaceTiles(a, b):
                return judge_tiles(pieces, color, (a, b), tiles)
            case PlaceTile(cell):
                return judge_tile(pieces, color, cell, tiles)
            case BuildBridge():
                return judge_bridge(pieces, color, action.bridge, self.rules.bridges)
            case Pass():
                return judge_pass(pieces, color, tiles)

    def apply(self, action: Action) -> GameState:
        """Return the state after *action*.

        Raises:
            IllegalActionError: If it is not legal, with every rule that it breaks.
        """
        if action not in self.legal_actions:
            raise self._refusal(action)
        return self.apply_unchecked(action)

    def _refusal(self, action: Action) -> IllegalActionError:
        require_type(action, _ACTIONS, "action")
        return IllegalActionError(self.violations(action))

    def apply_unchecked(self, action: Action) -> GameState:
        """Return the state after an action that is known to be legal.

        Use it for an action from :attr:`legal_actions`. With any other action the result is
        undefined.
        """
        rules = self.rules
        pieces = self.pieces
        phase = self.phase
        owner = self._white_owner
        if isinstance(action, ChooseColor):
            owner = Seat.SECOND if action.color is WHITE else Seat.FIRST
            # If white could not place a pair in the opening, white has passed.
            then = PLAY if pieces.occupied else LAST_TURN
            return self._make(rules, pieces, then, RED, owner)
        color, other = (0, RED) if self.to_move is WHITE else (1, WHITE)
        pieces = pieces.with_action(color, action)
        if phase is OPENING:
            return self._make(rules, pieces, COLOR_CHOICE, None, None)
        if phase is PLAY and not isinstance(action, Pass):
            return self._make(rules, pieces, phase, other, owner)
        if phase is PLAY and color == 0:
            return self._make(rules, pieces, LAST_TURN, other, owner)
        return self._make(rules, pieces, OVER, None, owner)

    def effects(self, action: Action) -> Effects:
        """Return the changes that a legal action makes, without creating the next state.

        Raises:
            IllegalActionError: If it is not legal, with every rule that it breaks.
        """
        if action not in self.legal_actions:
            raise self._refusal(action)
        if self.to_move is None:
            nothing = self.rules.board.cell_set()
            return Effects(nothing, None, nothing, (), (), None)
        return effects_of(self.pieces, self.to_move, action)

    @overload
    def step(self, step: PlaceTile) -> HalfTurn: ...
    @overload
    def step(self, step: BuildBridge | ChooseColor | Pass) -> GameState: ...
    @overload
    def step(self, step: Step) -> GameState | HalfTurn: ...
    def step(self, step: Step) -> GameState | HalfTurn:
        """Return the result of *step*: a half turn after one tile, else the next state.

        Raises:
            IllegalActionError: If it is not legal, with every rule that it breaks.
        """
        require_type(step, _STEPS, "step")
        if isinstance(step, PlaceTile):
            return HalfTurn(self, step.cell)
        return self.apply(step)

    def with_to_move(self, color: Color) -> GameState:
        """Return the same position in :attr:`Phase.PLAY` with *color* to move.

        Raises:
            InvalidPositionError: If the game is not in ``PLAY`` or ``LAST_TURN``.
        """
        require_type(color, Color, "color")
        if self.phase not in (Phase.PLAY, Phase.LAST_TURN):
            rule = ViolationCode.GAME_OVER if self.is_over else ViolationCode.WRONG_PHASE
            raise InvalidPositionError([violation(rule)])
        return self._make(self.rules, self.pieces, Phase.PLAY, color, self._white_owner)

    # Symmetry and storage

    def transform(self, symmetry: Symmetry) -> GameState:
        """Return the state with the board rotated or reflected by *symmetry*.

        Raises:
            PonteError: If it belongs to a board of another size.
        """
        require_type(symmetry, Symmetry, "symmetry")
        geometry = self.pieces.geometry
        require_board(symmetry, geometry.width, geometry.height)
        pieces = Pieces._of(geometry, *self.pieces.key_under(symmetry))
        return self._make(self.rules, pieces, self.phase, self.to_move, self._white_owner)

    def canonical(self) -> GameState:
        """Return a form that is the same for all states that are equal under some symmetry."""
        return self.transform(self.canonical_symmetry())

    @classmethod
    def unpack(cls, rules: Rules, data: bytes) -> GameState:
        """Return the state from its :meth:`GameState.packed` bytes; zeros may follow them.

        Raises:
            PonteError: If they are not packed bytes for a board of this size, are from a half
                turn, or were packed without owners.
            InvalidPositionError: If the rules do not allow the state, with every violation.
        """
        setup, phase, to_move, owner, first = unpack(rules, data)
        if first >= 0:
            raise PonteError(reason("packed-half-turn"))
        return cls._checked(rules, setup.position().pieces, phase, to_move, owner)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GameState):
            return NotImplemented
        return (
            self.phase is other.phase
            and self.to_move is other.to_move
            and self._white_owner is other._white_owner
            and self.pieces.key() == other.pieces.key()
            and self.rules == other.rules
        )

    def __hash__(self) -> int:
        return hash((self.pieces.key(), self.phase, self.to_move, self._white_owner))

    def __repr__(self) -> str:
        mover = "nobody" if self.to_move is None else self.to_move.value
        return f"<GameState {self.phase.value}, {mover} to move: {self.position!r}>"


_set_rules, _set_phase, _set_to_move, _set_owner, _set_pieces, _set_legal = slot_setters(GameState)


@final
@frozen(init=False, order=False, match_args=False)
class HalfTurn(StateBase):
    """A state and the first of two tiles, which some legal second tile completes.

    It is not a turn, and no tile has been placed yet: position, supply and scores are the same as
    in its state. Made by :meth:`GameState.step`.

    >>> half = pdd.GameState.initial().step(pdd.parse_step("d4"))
    >>> str(half.placed_tile), len(half.second_tiles)
    ('d4', 99)
    >>> half.step(pdd.parse_step("g7")).phase
    <Phase.COLOR_CHOICE: 'color-choice'>

    Attributes:
        state: The state in which the turn is played.
        placed_tile: The cell of the first tile.

    Raises:
        IllegalActionError: If the first tile is in no legal pair.
    """

    __match_args__ = ("state", "placed_tile")

    state: GameState
    placed_tile: Cell
    second_tiles: CellSet = field(init=False, eq=False, repr=False)
    """The cells that complete the pair; never empty."""
    rules: Rules = field(init=False, eq=False, repr=False)
    phase: Phase = field(init=False, eq=False, repr=False)
    to_move: Color | None = field(init=False, eq=False, repr=False)
    _white_owner: Seat | None = field(init=False, eq=False, repr=False)
    pieces: Pieces = field(init=False, eq=False, repr=False)

    def __init__(self, state: GameState, placed_tile: Cell) -> None:
        require_type(state, GameState, "state")
        require_type(placed_tile, Cell, "placed_tile")
        second_tiles = state.legal_actions.second_tiles(placed_tile)
        if not second_tiles:
            raise IllegalActionError(state.violations(PlaceTile(placed_tile)))
        _put(self, "state", state)
        _put(self, "placed_tile", placed_tile)
        _put(self, "second_tiles", second_tiles)
        for name in ("rules", "pieces", "phase", "to_move", "_white_owner"):
            _put(self, name, getattr(state, name))

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return HalfTurn, (self.state, self.placed_tile)

    @property
    def _first_index(self) -> int:
        return self.pieces.geometry.index(self.placed_tile)

    @property
    def legal_steps(self) -> LegalSteps:
        """The second tiles as steps."""
        return find_legal_steps(self.pieces.geometry, self.second_tiles.bits)

    def is_legal(self, step: Step) -> bool:
        """Return whether *step* completes the turn."""
        require_type(step, _STEPS, "step")
        return isinstance(step, PlaceTile) and step.cell in self.second_tiles

    def violations(self, step: Step) -> tuple[Violation, ...]:
        """Return every rule that *step* breaks as the second tile, ``()`` if it is legal."""
        require_type(step, _STEPS, "step")
        if isinstance(step, PlaceTile):
            return self.state.violations(PlaceTiles(self.placed_tile, step.cell))
        return (violation(ViolationCode.WRONG_PHASE),)

    def step(self, step: Step) -> GameState:
        """Return the state after the whole turn; the order of its tiles does not matter.

        Raises:
            IllegalActionError: If the two tiles are not a legal pair.
        """
        if isinstance(step, PlaceTile) and self.is_legal(step):
            return self.state.apply_unchecked(PlaceTiles(self.placed_tile, step.cell))
        raise IllegalActionError(self.violations(step))

    def transform(self, symmetry: Symmetry) -> HalfTurn:
        """Return the half turn with the board rotated or reflected by *symmetry*.

        Raises:
            PonteError: If it belongs to a board of another size.
        """
        return HalfTurn(self.state.transform(symmetry), self.placed_tile.transform(symmetry))

    def canonical(self) -> HalfTurn:
        """Return a form that is the same for all half turns that are equal under some symmetry."""
        return self.transform(self.canonical_symmetry())

    @classmethod
    def unpack(cls, rules: Rules, data: bytes) -> HalfTurn:
        """Return the half turn from its :meth:`HalfTurn.packed` bytes; zeros may follow them.

        Raises:
            PonteError: If they are not packed bytes for a board of this size, are from a state, or
                were packed without owners.
            InvalidPositionError: If the rules do not allow the state, with every violation.
            IllegalActionError: If the first tile is in no legal pair.
        """
        setup, phase, to_move, owner, first = unpack(rules, data)
        if first < 0:
            raise PonteError(reason("packed-state"))
        state = GameState._checked(rules, setup.position().pieces, phase, to_move, owner)
        return cls(state, rules.board.cells[first])


Node: TypeAlias = GameState | HalfTurn
"""A node of a search: before a turn, or between its two tiles (a partial turn)."""
