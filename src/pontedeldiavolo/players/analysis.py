"""What a player thinks of a state."""

from __future__ import annotations

from abc import abstractmethod
from typing import Protocol, SupportsFloat, SupportsIndex, final, runtime_checkable

from attrs import field, frozen

from pontedeldiavolo.base.checks import instance_of, real_number, tuple_of, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState


def _value(value: SupportsFloat) -> float:
    """Return *value* as a plain number from -1 to 1."""
    number = real_number(value, "value")
    if not -1 <= number <= 1:
        raise PonteError(f"a value is from -1, lost, to 1, won, not {number}")
    return number


def _visits(visits: SupportsIndex) -> int:
    count = whole_number(visits, "visits")
    if count < 0:
        raise PonteError(f"visits must not be negative: {count}")
    return count


@final
@frozen(order=False)
class Choice(ImmutableValue):
    """An action that a player has looked at.

    Attributes:
        action: The action.
        visits: How often it was looked at: for a search by playouts, how many went through it.
        value: What may be expected of it for the seat to move: from -1, lost, to 1, won.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If *visits* is negative, or *value* is not from -1 to 1.
    """

    action: Action = field(validator=instance_of(Action))
    visits: int = field(converter=_visits)
    value: float = field(converter=_value)


@final
@frozen(order=False)
class Analysis(ImmutableValue):
    """What a player thinks of a state.

    Attributes:
        best: The action that it would choose.
        value: What may be expected for the seat to move: from -1, lost, to 1, won.
        actions: What was looked at, with most visits first.
        line: What is expected to be played, from *best* on.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If *value* is not from -1 to 1.
    """

    best: Action = field(validator=instance_of(Action))
    value: float = field(converter=_value)
    actions: tuple[Choice, ...] = field(default=(), validator=tuple_of(Choice))
    line: tuple[Action, ...] = field(default=(), validator=tuple_of(Action))


@runtime_checkable
class Analyst(Player, Protocol):
    """A player that says what it thinks."""

    @abstractmethod
    def analyse(self, state: GameState) -> Analysis:
        """Return what it thinks of a state in which somebody is to move.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
