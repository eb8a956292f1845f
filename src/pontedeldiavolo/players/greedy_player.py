"""A player who looks no further than the action at hand, and takes what it gives."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final, SupportsIndex, TypeVar, cast, final

from pontedeldiavolo.base.enums import ISLAND_SIZE, Color, Phase
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.board.geometry import Geometry, bits
from pontedeldiavolo.players.player import make_rng, require_choice
from pontedeldiavolo.position.islands import group_around, groups
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.state.state import GameState

T = TypeVar("T")

MOST: Final = 20_000
"""So many actions are looked at: all there are on 14×14 cells, and half a second's work."""


@final
class GreedyPlayer(FinalClass):
    """Takes what looks best after its action, and does not ask what the opponent will do.

    What is best: first the points, own minus opponent's; then the islands; then a quarter of an
    island for each tile of an own sandbank that can still become one; then the own bridges that
    could be built next. What is still equal is left to chance. As nobody owns a colour before the
    choice, its opening is any pair. Where more than 20,000 actions are legal, as on boards much
    larger than 10×10, it looks at so many of them only, which are left to chance, too.

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
        """``greedy``."""
        return "greedy"

    def choose(self, state: GameState) -> Action:
        """Return a legal action.

        Raises:
            TypeError: If *state* is not a :class:`GameState`.
            PonteError: If the game is over.
        """
        require_choice(state)
        if state.phase is Phase.OPENING:
            return state.legal_actions.sample(self._rng)
        if state.phase is Phase.COLOR_CHOICE:
            return self._choose_color(state)
        return _best(state, self._rng)

    def _choose_color(self, state: GameState) -> Action:
        """Return the choice of the colour with more land in sight."""
        worth: dict[Action, int] = {
            action: _quarters(state._pieces, color.index)
            for action, color in zip(state.legal_actions, Color, strict=True)
        }
        best = _highest([*worth], worth.__getitem__)
        return self._rng.choice(best)

    def for_game(self, seed: SupportsIndex) -> GreedyPlayer:
        """Return such a player for a new game.

        Raises:
            TypeError: If *seed* is not a whole number.
            PonteError: If it is out of all proportion.
        """
        return GreedyPlayer(seed)


def _best(state: GameState, random: Random) -> Action:
    """Return the action after which most is gained; of those that are equal, any."""
    pieces = state._pieces
    color = cast(Color, state.to_move).index

    def score(action: Action) -> tuple[int, int]:
        side = (pieces if _is_idle(pieces, color, action) else after(action)).sides[color]
        found = side.score(pieces.geometry)
        # What the opponent has stays as it is: nobody takes anything away.
        return found.points, found.islands

    def after(action: Action) -> Pieces:
        return pieces.with_action(color, action)

    actions = _highest(_candidates(state, random), score)
    positions = {action: after(action) for action in actions}
    actions = _highest(actions, lambda action: _quarters(positions[action], color))
    actions = _highest(actions, lambda action: positions[action].open_bridges(color).bit_count())
    chosen: Action = random.choice(actions)
    return chosen


def _candidates(state: GameState, random: Random) -> list[Action]:
    """Return the actions to look at."""
    legal = state.legal_actions
    if len(legal) <= MOST:
        return [*legal]
    return [legal[place] for place in random.sample(range(len(legal)), MOST)]


def _highest(items: list[T], worth: Callable[[T], tuple[int, int] | int]) -> list[T]:
    """Return the items that are worth most."""
    values = [worth(item) for item in items]
    most = max(values)
    return [item for item, value in zip(items, values, strict=True) if value == most]


def _is_idle(pieces: Pieces, color: int, action: Action) -> bool:
    """Tell whether an action cannot change points or islands."""
    if not isinstance(action, PlaceTiles):
        return not isinstance(action, BuildBridge)
    geometry = pieces.geometry
    seeds = [1 << geometry.index(cell) for cell in (action.a, action.b)]
    tiles = pieces.sides[color].tiles | sum(seeds)
    return all(group_around(geometry, tiles, seed).bit_count() < ISLAND_SIZE for seed in seeds)


def _quarters(pieces: Pieces, color: int) -> int:
    """Return how many tiles lie in sandbanks that can still become islands."""
    geometry, room = pieces.geometry, pieces.open_cells(color)
    return sum(
        group.bit_count()
        for group in groups(geometry, pieces.sides[color].tiles)
        if group.bit_count() < ISLAND_SIZE and _can_grow(geometry, group, room)
    )


def _can_grow(geometry: Geometry, group: int, room: int) -> bool:
    """Tell whether a sandbank finds as much room beside it as an island needs."""
    while group.bit_count() < ISLAND_SIZE:
        beside = 0
        for cell in bits(group):
            beside |= geometry.adjacent[cell]
        more = beside & room & ~group
        if not more:
            return False
        group |= more
    return True
