"""A whole game: its rules, what is known about it, and every action so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast, final

from attrs import evolve, field, frozen

from pontedeldiavolo.actions import Action
from pontedeldiavolo.checks import require_type, whole_number
from pontedeldiavolo.errors import IllegalActionError, PonteError
from pontedeldiavolo.frozen_mapping import FrozenMapping
from pontedeldiavolo.messages import explain_all
from pontedeldiavolo.notation.actions import parse_action
from pontedeldiavolo.rules import Rules
from pontedeldiavolo.sealed import Sealed
from pontedeldiavolo.state import GameState
from pontedeldiavolo.tags import checked_tags
from pontedeldiavolo.violation import violation
from pontedeldiavolo.vocabulary import Color, Ending, Rule, Seat


@final
@frozen(order=False)
class Turn(Sealed):
    """One action of a game, with who did it.

    Attributes:
        number: Which turn it is, from 1: what :attr:`GameState.turn` says afterwards. The choice
            of a colour is not a turn of its own: it has the number of the turn before.
        seat: Who acted.
        color: With which colour; ``None`` for the choice.
        action: What was done.
    """

    number: int
    seat: Seat
    color: Color | None
    action: Action


@final
@frozen(order=False)
class Game(Sealed):
    """A game as it is recorded, immutable: whatever is done to it gives another one.

    Games are equal when their rules, tags, actions and endings are. Made by :meth:`new`.

    Attributes:
        rules: The rules in use.
        tags: What the user set, in that order; results and endings are not among them.
        actions: Every action so far, the choice of a colour included.
        state: The state after the last action.
    """

    rules: Rules
    tags: FrozenMapping[str]
    actions: tuple[Action, ...]
    state: GameState = field(eq=False, repr=False)
    _ended: tuple[Ending, Seat | None] | None = None

    @classmethod
    def new(cls, rules: Rules | None = None, tags: Mapping[str, str] | None = None) -> Game:
        """Return a game before its first action.

        Raises:
            TypeError: If something is not of its type.
            NotationError: If a tag's name or value cannot be written down.
            PonteError: If a tag is one that follows from the game: Rules, Result, Termination.
        """
        state = GameState.initial(rules)
        return cls(state.rules, checked_tags({} if tags is None else tags), (), state)

    def with_tags(self, tags: Mapping[str, str]) -> Game:
        """Return the same game with these tags instead.

        Raises:
            TypeError: If *tags* is not a mapping of strings.
            NotationError: If a tag's name or value cannot be written down.
            PonteError: If a tag is one that follows from the game: Rules, Result, Termination.
        """
        return evolve(self, tags=checked_tags(tags))

    def play(self, action: Action | str) -> Game:
        """Return the game with one more action, given as a value or as text.

        Raises:
            TypeError: If it is neither an action nor a string.
            NotationError: If the text is not an action.
            IllegalActionError: If the action is not legal, or the game has ended.
        """
        if isinstance(action, str):
            action = parse_action(action)
        require_type(action, Action, "action")
        self._require_going_on()
        return evolve(self, actions=(*self.actions, action), state=self.state.apply(action))

    def undo(self, count: int = 1) -> Game:
        """Return the game without its last *count* actions, and going on again.

        Raises:
            TypeError: If *count* is not a whole number.
            PonteError: If it is negative, or more than there are actions.
        """
        count = whole_number(count, "count")
        if not 0 <= count <= len(self.actions):
            raise PonteError(f"cannot undo {count} of {len(self.actions)} actions")
        kept = self.actions[: len(self.actions) - count]
        state = GameState.initial(self.rules)
        for action in kept:
            state = state.apply_unchecked(action)
        return evolve(self, actions=kept, state=state, ended=None)

    def end(self, ending: Ending, winner: Seat | None = None) -> Game:
        """Return the game as ended before it was played out.

        Args:
            ending: How: anything but :attr:`Ending.SCORED`, which comes by itself.
            winner: Who won; ``None`` is a draw, which a resignation never is.

        Raises:
            TypeError: If something is not of its type.
            PonteError: If ending and winner do not fit together.
            IllegalActionError: If the game has ended already.
        """
        require_type(ending, Ending, "ending")
        require_type(winner, (Seat, type(None)), "winner")
        self._require_going_on()
        if ending is Ending.SCORED:
            raise PonteError("a game is scored when it is played out, not by declaration")
        if ending is Ending.RESIGNATION and winner is None:
            raise PonteError("a resignation has a winner")
        return evolve(self, ended=(ending, winner))

    def _require_going_on(self) -> None:
        if self.ending is not None:
            fault = violation(Rule.GAME_OVER)
            raise IllegalActionError(explain_all([fault]), (fault,))

    @property
    def ending(self) -> Ending | None:
        """How the game ended, :attr:`Ending.SCORED` when played out; ``None`` while it goes on."""
        if self._ended is not None:
            return self._ended[0]
        return Ending.SCORED if self.state.is_over else None

    @property
    def winning_seat(self) -> Seat | None:
        """Who won; ``None`` for a draw and while the game goes on."""
        if self._ended is not None:
            return self._ended[1]
        outcome = self.state.outcome
        return None if outcome is None else outcome.winning_seat

    @property
    def result(self) -> str:
        """``white``, ``red`` or ``draw``; ``*`` while the game goes on.

        Where it was decided before the colours were chosen: ``first`` or ``second``.
        """
        if self.ending is None:
            return "*"
        seat = self.winning_seat
        if seat is None:
            return "draw"
        color = self.state.color_of(seat)
        return seat.value if color is None else color.value

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Every action with its number, seat and colour."""
        return tuple(map(self._turn, range(len(self.actions))))

    def _turn(self, place: int) -> Turn:
        action = self.actions[place]
        if place == 0:
            return Turn(1, Seat.FIRST, Color.WHITE, action)
        if place == 1:
            return Turn(1, Seat.SECOND, None, action)
        color = Color.WHITE if place % 2 else Color.RED
        return Turn(place, cast(Seat, self.state.owner(color)), color, action)

    def states(self) -> Iterator[GameState]:
        """Iterate over all states, the initial one included, each made when asked for."""
        state = GameState.initial(self.rules)
        yield state
        for action in self.actions:
            state = state.apply_unchecked(action)
            yield state
