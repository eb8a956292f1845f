"""What every player can do, whoever wrote it."""

from __future__ import annotations

from abc import abstractmethod
from random import Random
from typing import Protocol, SupportsIndex, runtime_checkable

from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState


@runtime_checkable
class Player(Protocol):
    """Somebody who chooses actions."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What the player is called in records and tables."""

    @abstractmethod
    def choose(self, state: GameState) -> Action:
        """Return a legal action for whoever is to move.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """

    @abstractmethod
    def for_game(self, seed: int) -> Player:
        """Return the same player for a new game: with a memory of its own, which can be pickled.

        Args:
            seed: What its dice begin with: equal seeds, equal choices.
        """


def dice(seed: SupportsIndex) -> Random:
    """Return what chance is made of.

    Raises:
        TypeError: If *seed* is not a whole number.
        PonteError: If it is out of all proportion.
    """
    return Random(whole_number(seed, "seed"))  # noqa: S311 - nothing here is secret


def require_choice(state: GameState) -> None:
    """Refuse what nobody can choose an action in.

    Raises:
        TypeError: If *state* is not a :class:`GameState`.
        PonteError: If the game is over.
    """
    require_type(state, GameState, "state")
    if state.is_over:
        raise PonteError("the game is over: there is nothing to choose")
