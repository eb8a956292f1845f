"""A player without any idea: the measure of all others."""

from __future__ import annotations

from typing import SupportsIndex, final

from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.players.player import make_rng, require_choice
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState


@final
class RandomPlayer(FinalClass):
    """Chooses any legal action, each as likely as any other.

    Args:
        seed: The seed of its random numbers: equal seeds, equal choices.

    Raises:
        TypeError: If *seed* is not a whole number.
        PonteError: If it is out of all proportion.
    """

    def __init__(self, seed: SupportsIndex = 0) -> None:
        self._rng = make_rng(seed)

    @property
    def name(self) -> str:
        """``random``."""
        return "random"

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        return state.legal_actions.sample(self._rng)

    def for_game(self, seed: SupportsIndex) -> RandomPlayer:
        """Return such a player for a new game.

        Raises:
            TypeError: If *seed* is not a whole number.
            PonteError: If it is out of all proportion.
        """
        return RandomPlayer(seed)
