"""What a position is worth, by many games played out at once."""

from __future__ import annotations

from typing import SupportsIndex, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.adapters.openspiel.game import PonteState
from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch import GameBatch
from pontedeldiavolo.batch.randomness import random_seed


@final
class PlayoutEvaluator(FinalClass):
    """An evaluator for ``open_spiel.python.algorithms.mcts.MCTSBot``: playouts by compiled rules.

    OpenSpiel's own ``RandomRolloutEvaluator`` plays through Python, one action after another; this
    plays many games at once. It needs the extra ``batch``, too.

    Args:
        playouts: How many games to play out from each position.
        seed: What the dice begin with: equal seeds, equal values.

    Raises:
        TypeError: If an argument is not a whole number.
        PonteError: If it is out of range.
    """

    __module__ = "pontedeldiavolo.adapters.openspiel"

    def __init__(self, playouts: SupportsIndex = 16, seed: SupportsIndex = 0) -> None:
        self._playouts = whole_number(playouts, "playouts")
        if self._playouts < 1:
            raise PonteError(f"playouts must be 1 or more, not {self._playouts}")
        self._dice = np.random.default_rng(int(random_seed(seed)))

    def evaluate(self, state: PonteState) -> npt.NDArray[np.float64]:
        """Return the mean of what each player gets, of shape (2,)."""
        require_type(state, PonteState, "state")
        games = GameBatch.from_states([state.node]).copies(self._playouts)
        played = games.playout(seed=int(self._dice.integers(2**63)))
        values: npt.NDArray[np.float64] = played.rewards.mean(axis=0)
        return values

    def prior(self, state: PonteState) -> list[tuple[int, float]]:
        """Return each legal action with the same probability."""
        require_type(state, PonteState, "state")
        actions = state.legal_actions()
        return [(action, 1 / len(actions)) for action in actions]
