"""Players without search: random and greedy."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, Self, SupportsIndex, TypeVar, cast, final

from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Phase
from pontedeldiavolo.board.geometry import Geometry
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.state.state import GameState

from .identity import Fact, checked_name
from .player import make_rng, require_in_range, require_unfinished

T = TypeVar("T")

DEFAULT_CANDIDATES: Final = 20_000
"""The most actions that a greedy player compares: enough for all on 14×14, in half a second."""
MAX_CANDIDATES: Final = 10**9


class _SeededPlayer:
    """The base of players with random numbers and no other state."""

    def __init__(self, seed: SupportsIndex = 0, *, name: str | None = None) -> None:
        self._rng = make_rng(seed)
        self._given_name: str | None = checked_name(name)

    def for_game(self, seed: SupportsIndex) -> Self:
        """Return a player with the same name and another seed."""
        return type(self)(seed, name=self._given_name)

    def _facts(self) -> dict[str, Fact]:
        return {}


@final
class RandomPlayer(_SeededPlayer):
    """A player that chooses among all legal actions with the same probability.

    Any number of threads may use a player at once. They share its random numbers, so the choices
    depend on the order of their calls: for equal games, give each thread a player from
    ``for_game``.

    >>> player = pdd.players.RandomPlayer(seed=1)
    >>> state = pdd.GameState.initial()
    >>> player.choose(state) in state.legal_actions
    True

    Args:
        seed: The seed of its random numbers: equal seeds, equal choices.
        name: The player's name in matches and records.

    Raises:
        PonteError: If the name cannot be used.
    """

    @property
    def name(self) -> str:
        """The name that was given, or ``random``."""
        return "random" if self._given_name is None else self._given_name

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            PonteError: If the game is over.
        """
        require_unfinished(state)
        return state.legal_actions.sample(self._rng)


@final
class GreedyPlayer(_SeededPlayer):
    """A player that chooses the action with the best immediate result, ignoring replies.

    It compares points (its own minus the opponent's), then islands, then tiles in its sandbanks
    that can still become islands, then bridges that it could build next. Ties are broken at random.
    As nobody owns a colour in the opening, it opens at random. If more actions are legal than
    *candidates*, it compares a random sample of that size: with few candidates it overlooks most
    good actions, as a beginner does.

    Any number of threads may use a player at once. They share its random numbers, so the choices
    depend on the order of their calls: for equal games, give each thread a player from
    ``for_game``.

    >>> setup = pdd.parse_setup('''
    ... . . . . .
    ... . . r r .
    ... . . . . .
    ... w w . . .
    ... ''')
    >>> state = pdd.GameState.from_position(setup.position())
    >>> pdd.format_action(pdd.players.GreedyPlayer(seed=1).choose(state))
    'c1,b2'

    Args:
        seed: The seed of its random numbers: equal seeds, equal choices.
        candidates: The maximum number of actions that it compares, by default 20,000: enough for
            all on boards of up to 14×14 cells.
        name: The player's name in matches and records; by default it lists the options.

    Raises:
        PonteError: If *candidates* is out of range, or the name cannot be used.
    """

    def __init__(
        self,
        seed: SupportsIndex = 0,
        *,
        candidates: SupportsIndex = DEFAULT_CANDIDATES,
        name: str | None = None,
    ) -> None:
        super().__init__(seed, name=name)
        self._max_candidates = require_in_range(candidates, "candidates", MAX_CANDIDATES)

    @property
    def name(self) -> str:
        """The name that was given, or ``greedy`` with a number of candidates but the default."""
        if self._given_name is not None:
            return self._given_name
        if self._max_candidates == DEFAULT_CANDIDATES:
            return "greedy"
        return f"greedy {self._max_candidates} candidates"

    def for_game(self, seed: SupportsIndex) -> Self:
        """Return a player with the same options and another seed."""
        return type(self)(seed, candidates=self._max_candidates, name=self._given_name)

    def _facts(self) -> dict[str, Fact]:
        # Folders from before this option do not have it.
        is_default = self._max_candidates == DEFAULT_CANDIDATES
        return {} if is_default else {"candidates": self._max_candidates}

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            PonteError: If the game is over.
        """
        require_unfinished(state)
        if state.phase is Phase.OPENING:
            return state.legal_actions.sample(self._rng)
        if state.phase is Phase.COLOR_CHOICE:
            return self._choose_color(state)
        return _best(state, self._max_candidates, self._rng)

    def _choose_color(self, state: GameState) -> Action:
        """Return the choice of the colour with more tiles that can become islands."""
        tiles = [_promising_tiles(state.pieces, color.index) for color in Color]
        # The legal actions are the choices of the colours, in the order of Color.
        tiles_of_choice = dict(zip(state.legal_actions, tiles, strict=True))
        return self._rng.choice(_highest([*tiles_of_choice], tiles_of_choice.__getitem__))


def _best(state: GameState, max_candidates: int, rng: Random) -> Action:
    """Return an action with the best immediate result."""
    pieces = state.pieces
    color = cast(Color, state.to_move).index

    def score(action: Action) -> tuple[int, int]:
        keeps_score = _keeps_score(pieces, color, action)
        after = pieces if keeps_score else pieces.with_action(color, action)
        # The opponent's score is the same after all actions.
        found = after.score(color)
        return found.points, found.islands

    best = _highest(_candidates(state, max_candidates, rng), score)
    after_action = {action: pieces.with_action(color, action) for action in best}

    def promising_tiles(action: Action) -> int:
        return _promising_tiles(after_action[action], color)

    def open_bridges(action: Action) -> int:
        return after_action[action].open_bridges(color).bit_count()

    best = _highest(best, promising_tiles)
    best = _highest(best, open_bridges)
    return rng.choice(best)


def _candidates(state: GameState, number: int, rng: Random) -> list[Action]:
    """Return the actions to compare: at most this number."""
    legal = state.legal_actions
    if len(legal) <= number:
        return [*legal]
    return [legal[place] for place in rng.sample(range(len(legal)), number)]


def _highest(items: list[T], key: Callable[[T], tuple[int, int] | int]) -> list[T]:
    """Return the items with the highest key."""
    values = [key(item) for item in items]
    highest = max(values)
    return [item for item, value in zip(items, values, strict=True) if value == highest]


def _keeps_score(pieces: Pieces, color: int, action: Action) -> bool:
    """Return whether an action cannot change points or islands."""
    if not isinstance(action, PlaceTiles):
        return not isinstance(action, BuildBridge)
    geometry = pieces.geometry
    seeds = [1 << geometry.index(cell) for cell in (action.a, action.b)]
    tiles = pieces.tiles(color) | sum(seeds)
    return all(geometry.group_around(tiles, seed).bit_count() < ISLAND_SIZE for seed in seeds)


def _promising_tiles(pieces: Pieces, color: int) -> int:
    """Return the number of tiles in sandbanks that can still become islands."""
    geometry = pieces.geometry
    open_cells = pieces.open_cells(color)
    return sum(
        group.bit_count()
        for group in geometry.groups(pieces.tiles(color))
        if group.bit_count() < ISLAND_SIZE and _can_grow(geometry, group, open_cells)
    )


def _can_grow(geometry: Geometry, group: int, open_cells: int) -> bool:
    """Return whether a sandbank can reach enough open cells to become an island."""
    while group.bit_count() < ISLAND_SIZE:
        more = geometry.beside(group) & open_cells & ~group
        if not more:
            return False
        group |= more
    return True
