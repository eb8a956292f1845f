"""A player who plays games out in thought, and goes where they go well."""

from __future__ import annotations

from math import isfinite
from time import perf_counter
from typing import SupportsFloat, SupportsIndex, final

from pontedeldiavolo.base.sealed import Closed
from pontedeldiavolo.checks import whole_number
from pontedeldiavolo.errors import PonteError
from pontedeldiavolo.players.analysis import Analysis
from pontedeldiavolo.players.following import actions_between
from pontedeldiavolo.players.forest import Forest
from pontedeldiavolo.players.player import dice, require_choice
from pontedeldiavolo.rules.actions import Action
from pontedeldiavolo.state.state import GameState


@final
class MctsPlayer(Closed):
    """Searches a tree of steps by playing games at random: Monte-Carlo tree search.

    Needs the extra ``batch``: games and tree are compiled. What was found out is kept from turn to
    turn, as far as the game goes on from there. With *simulations* equal seeds give equal choices
    in equal games; with *seconds* it depends on the machine.

    Args:
        seconds: How long to think about an action.
        simulations: How many games to play for an action instead; shared by all threads.
        threads: How many trees to grow at the same time; what they find is added up.
        seed: What its dice begin with.

    Raises:
        ImportError: If NumPy or Numba is not installed.
        TypeError: If something is not a number.
        PonteError: If a number is out of range.
    """

    def __init__(
        self,
        seconds: SupportsFloat = 1.0,
        simulations: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        seed: SupportsIndex = 0,
    ) -> None:
        self._seconds = _positive_seconds(seconds)
        self._simulations = None if simulations is None else _positive(simulations, "simulations")
        self._threads = _positive(threads, "threads")
        self._seed = whole_number(seed, "seed")
        self._dice = dice(seed)
        self._forest: Forest | None = None
        self._chosen: Action | None = None

    @property
    def name(self) -> str:
        """``mcts``, and how long it thinks."""
        budget = f"{self._simulations}" if self._simulations else f"{self._seconds:g} s"
        return f"mcts {budget}"

    def __reduce__(self) -> tuple[type[MctsPlayer], tuple[float, int | None, int, int]]:
        # Another process, or a copy, begins as this one began.
        return MctsPlayer, (self._seconds, self._simulations, self._threads, self._seed)

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        legal = state.legal_actions
        if len(legal) == 1:
            self._begin_at(state)
            self._chosen = legal[0]
        else:
            self._chosen = self.analyse(state).best
        return self._chosen

    def analyse(self, state: GameState) -> Analysis:
        """Return what is thought of a position, after thinking about it for once more.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        forest = self._begin_at(state)
        if self._simulations is None:
            forest.play_until(perf_counter() + self._seconds)
        else:
            forest.play(self._simulations)
        return forest.analysis()

    def _begin_at(self, state: GameState) -> Forest:
        """Return the trees of a state: those that were there, as far as they know it."""
        forest, self._chosen, chosen = self._forest, None, self._chosen
        if forest is not None and forest.state != state:
            actions = actions_between(forest.state, chosen, state)
            if actions is None:
                forest = None
            else:
                forest.follow(actions, state)
        self._forest = forest or Forest(state, self._threads, self._dice)
        return self._forest

    def for_game(self, seed: SupportsIndex) -> MctsPlayer:
        """Return such a player for a new game.

        Raises:
            TypeError: If *seed* is not a whole number.
            PonteError: If it is out of all proportion.
        """
        return MctsPlayer(self._seconds, self._simulations, self._threads, seed)


def _positive(value: SupportsIndex, name: str) -> int:
    found = whole_number(value, name)
    if found < 1:
        raise PonteError(f"{name} must be positive: {found}")
    return found


def _positive_seconds(value: SupportsFloat) -> float:
    if isinstance(value, bool) or not isinstance(value, SupportsFloat):
        raise TypeError(f"seconds must be a number, not {type(value).__name__}")
    found = float(value)
    if not isfinite(found) or found <= 0:
        raise PonteError(f"seconds must be positive: {found}")
    return found
