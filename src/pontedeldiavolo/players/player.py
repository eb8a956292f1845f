"""The protocol of players, and checks that they share."""

from __future__ import annotations

from abc import abstractmethod
from random import Random
from typing import Literal, Protocol, SupportsIndex, TypeAlias, get_args, runtime_checkable

from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState


@runtime_checkable
class Player(Protocol):
    """Any object with a name that chooses actions.

    >>> class FirstPlayer:
    ...     name = "first"
    ...     def choose(self, state):
    ...         return state.legal_actions[0]
    ...     def for_game(self, seed):
    ...         return self
    >>> isinstance(FirstPlayer(), pdd.players.Player)
    True
    """

    @property
    @abstractmethod
    def name(self) -> str:
        """The player's name in records and tables."""

    @abstractmethod
    def choose(self, state: GameState) -> Action:
        """Return a legal action for the seat to move.

        Raises:
            PonteError: If the game is over.
        """

    @abstractmethod
    def for_game(self, seed: int) -> Player:
        """Return a player for a new game, which shares no memory with this one and can be pickled.

        Args:
            seed: The seed of its random numbers: equal seeds, equal choices.
        """


def make_rng(seed: SupportsIndex) -> Random:
    """Return the random number generator of a player."""
    return Random(whole_number(seed, "seed"))  # noqa: S311 - nothing here is secret


def require_choice(state: GameState) -> None:
    """Refuse a state without legal actions.

    Raises:
        PonteError: If the game is over.
    """
    require_type(state, GameState, "state")
    if state.is_over:
        raise PonteError(reason("nothing-to-choose"))


def in_range(value: SupportsIndex, name: str, most: int) -> int:
    """Return *value* as an ``int`` from 1 to *most*.

    Raises:
        PonteError: If it is out of range.
    """
    number = whole_number(value, name)
    if not 1 <= number <= most:
        raise PonteError(
            reason("number-out-of-range", name=name, most=f"{most:,}", value=str(number))
        )
    return number


Rollout: TypeAlias = Literal["heuristic", "uniform"]
"""How a tree search plays simulations to their end."""


def require_rollout(text: str) -> Rollout:
    """Return *text* if it names a kind of rollout.

    Raises:
        PonteError: If it does not.
    """
    require_type(text, str, "rollout")
    for each in get_args(Rollout):
        if text == each:
            found: Rollout = each
            return found
    raise PonteError(reason("unknown-rollout", rollout=f"{text[:40]!a}"))
