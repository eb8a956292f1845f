"""Monte Carlo tree search as a player."""

from __future__ import annotations

from functools import partial
from math import isfinite
from time import perf_counter
from typing import Final, SupportsFloat, SupportsIndex, cast, final

from pontedeldiavolo.base.checks import real_number, require_type, whole_number
from pontedeldiavolo.base.enums import TILES_PER_TURN, Color, Phase, Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.players.analysis import Analysis
from pontedeldiavolo.players.mcts.search import Forest
from pontedeldiavolo.players.player import dice, require_choice
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, Pass, PlaceTiles
from pontedeldiavolo.state.state import GameState


def actions_between(
    before: GameState, chosen: Action | None, after: GameState
) -> list[Action] | None:
    """Return what was played between two states: what was chosen, and one more action at most.

    ``None`` if nothing like that leads from one to the other.
    """
    known = [] if chosen is None else [chosen]
    state = before if chosen is None else before.apply_unchecked(chosen)
    if state == after:
        return known
    action = _guess(state, after)
    if action is None or not state.is_legal(action) or state.apply_unchecked(action) != after:
        return None
    return [*known, action]


def _guess(before: GameState, after: GameState) -> Action | None:
    """Return the only action that could, if any."""
    if before.rules != after.rules or before.is_over:
        return None
    if before.phase is Phase.COLOR_CHOICE:
        color = after.color_of(Seat.SECOND)
        return None if color is None else ChooseColor(color)
    color = cast(Color, before.to_move)
    old, new = before.position, after.position
    tiles = [*(new.tiles(color) - old.tiles(color))]
    bridges = {*new.bridges(color)} - {*old.bridges(color)}
    if len(tiles) == TILES_PER_TURN and not bridges:
        return PlaceTiles(*tiles)
    if len(bridges) == 1 and not tiles:
        return BuildBridge(*bridges.pop().ends)
    return None if tiles or bridges else Pass()


MOST_SIMULATIONS: Final = 10**9
MOST_THREADS: Final = 1024


@final
class MctsPlayer(FinalClass):
    """Searches a tree of steps by playing games at random: Monte-Carlo tree search.

    Needs the extra ``batch``: games and tree are compiled. What was found out is kept from turn to
    turn, as far as the game goes on from there. With *simulations* equal seeds give equal choices
    in equal games; with *seconds* it depends on the machine. The first call compiles, which takes
    some seconds beyond those; the code is kept for later processes. A player is to be used by one
    thread at a time.

    Args:
        seconds: How long to think about an action.
        simulations: How many games to play for an action instead; shared by all threads.
        threads: How many trees to grow at the same time, each of 300 MB at most; what they find is
            added up.
        seed: What its dice begin with.
        guided: Whether the games in thought, where the tree does not know them, are played with
            some sense: islands are completed and spoilt, bridges built. Otherwise every action is
            as likely as any other, which is the usual yardstick, and a much weaker player.

    Raises:
        ImportError: If NumPy or Numba is not installed.
        TypeError: If something is not a number, or *guided* no bool.
        PonteError: If a number is out of range.
    """

    def __init__(
        self,
        seconds: SupportsFloat = 1.0,
        simulations: SupportsIndex | None = None,
        threads: SupportsIndex = 1,
        seed: SupportsIndex = 0,
        *,
        guided: bool = True,
    ) -> None:
        self._seconds = _positive(seconds, "seconds")
        self._simulations = (
            None if simulations is None else _within(simulations, "simulations", MOST_SIMULATIONS)
        )
        self._threads = _within(threads, "threads", MOST_THREADS)
        self._seed = whole_number(seed, "seed")
        require_type(guided, bool, "guided")
        self._guided = guided
        self._dice = dice(seed)
        self._forest: Forest | None = None
        self._chosen: Action | None = None

    @property
    def name(self) -> str:
        """``mcts``, how long it thinks, and what else is not as usual."""
        budget = f"{self._simulations}" if self._simulations else f"{self._seconds:g} s"
        threads = f" {self._threads} threads" if self._threads > 1 else ""
        return f"mcts {budget}{threads}{'' if self._guided else ' uniform'}"

    def __reduce__(self) -> tuple[partial[MctsPlayer], tuple[float, int | None, int, int]]:
        # Another process, or a copy, begins as this one began.
        made = partial(MctsPlayer, guided=self._guided)
        return made, (self._seconds, self._simulations, self._threads, self._seed)

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        legal = state.legal_actions
        # Of what is no choice, nothing need be thought: but it is followed.
        forest = self._thinking(state) if len(legal) > 1 else self._trees_of(state)
        chosen = forest.best() if len(legal) > 1 else legal[0]
        self._forest, self._chosen = forest, chosen
        return chosen

    def analyse(self, state: GameState) -> Analysis:
        """Return what is thought of a position.

        What was thought of it before is kept: who asks twice is told what comes of twice as many
        games. The first of the actions was looked at most; for pairs of tiles, which are found
        tile by tile, it need not be the best.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        forest = self._thinking(state)
        self._forest = forest
        return forest.analysis()

    def _thinking(self, state: GameState) -> Forest:
        """Return the trees of a state after thinking about it."""
        forest = self._trees_of(state)
        if self._simulations is None:
            forest.play_until(perf_counter() + self._seconds)
        else:
            forest.play(self._simulations)
        return forest

    def _trees_of(self, state: GameState) -> Forest:
        """Return the trees of a state: those that were there, as far as they know it.

        Nobody has them from then on: thinking that is interrupted leaves nothing half done.
        """
        forest, self._forest = self._forest, None
        chosen, self._chosen = self._chosen, None
        if forest is None or forest.state == state:
            return forest or self._new_forest(state)
        actions = actions_between(forest.state, chosen, state)
        if actions is None:
            return self._new_forest(state)
        forest.follow(actions, state)
        return forest

    def _new_forest(self, state: GameState) -> Forest:
        return Forest(state, self._threads, self._dice, guided=self._guided)

    def for_game(self, seed: SupportsIndex) -> MctsPlayer:
        """Return such a player for a new game.

        Raises:
            TypeError: If *seed* is not a whole number.
            PonteError: If it is out of all proportion.
        """
        return MctsPlayer(
            self._seconds, self._simulations, self._threads, seed, guided=self._guided
        )


def _within(value: SupportsIndex, name: str, most: int) -> int:
    found = whole_number(value, name)
    if not 1 <= found <= most:
        raise PonteError(f"{name} must be from 1 to {most:,}, not {found}")
    return found


def _positive(value: SupportsFloat, name: str) -> float:
    found = real_number(value, name)
    if not isfinite(found) or found <= 0:
        raise PonteError(f"{name} must be positive and finite, not {found}")
    return found
