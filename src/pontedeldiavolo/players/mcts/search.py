"""The search of a state or half turn: the statistics of actions, from a tree of steps.

A tree is made of steps, and a pair of tiles is two of them, in either order. So an action is two
levels of the tree, and its statistics may stand in two places. :class:`ActionSearch` translates
between both. It knows a tree only as a :class:`SearchTree`, of which there are two:
:class:`~.rollout_tree.RolloutTree` and :class:`~.evaluated_tree.EvaluatedTree`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from math import ceil, sqrt
from operator import attrgetter
from time import perf_counter
from typing import Final, NamedTuple, Protocol, TypeVar, cast, final

from attrs import evolve

from pontedeldiavolo.base.enums import TILES_PER_TURN, Color, Phase
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.players.player import ActionStats, Analysis, AnalysisLine, never
from pontedeldiavolo.rules.actions import Action, BuildBridge, Pass, PlaceTile, PlaceTiles
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .rollout_kernels import WIN

Key = TypeVar("Key")

SECOND_TILE_SHARE: Final = 0.25
"""The share of simulations for the second tiles of the best first ones."""
Z_95: Final = 1.96
"""The quantile of the normal distribution for a 95 % interval."""


@final
class Stop:
    """A callback of a caller that ends a search. Once it has been true, it is not called again.

    So a search that is over stays over, even if the callback changes its mind.

    Attributes:
        is_set: Whether the callback has been true.
    """

    def __init__(self, callback: Callable[[], bool] = never) -> None:
        self.is_set: bool = False
        self._callback: Callable[[], bool] = callback

    def __call__(self) -> bool:
        """Return whether the search must end."""
        if not self.is_set:
            self.is_set = bool(self._callback())
        return self.is_set


class Budget(NamedTuple):
    """The limits of a search."""

    seconds: float
    simulations: int | None
    """The number of simulations, in place of a time."""
    stop: Stop
    """Called from time to time; a true result ends the search and all its further parts."""

    def part(self, share: float, round_to_int: Callable[[float], int]) -> Budget:
        """Return a share of the budget, with a whole number of simulations."""
        number = None if self.simulations is None else round_to_int(share * self.simulations)
        return self._replace(seconds=share * self.seconds, simulations=number)


class StepStats(NamedTuple):
    """The statistics of a step in a tree, or of an action: summed over the orders of its tiles."""

    code: int = NONE
    """The code of the step in the :class:`~pontedeldiavolo.StepSpace`."""
    visits: int = 0
    """The number of simulations that went through the step."""
    total_reward: float = 0
    """The sum of their rewards for the seat that takes the step: 2 for a win, 1 for a draw."""
    hint_count: int = 0
    """The number of hints, which decide between steps with equal visit counts."""
    hint_sum: float = 0
    """The sum of the hints. With rollouts a hint is the reward of a simulation in which the same
    colour played the step now or later (AMAF); with an evaluation the only hint is the prior."""
    lower: int = 0
    """The proven lower bound of the reward."""
    upper: int = WIN
    """The proven upper bound of the reward."""
    node: int = NONE
    """The node that the step leads to, -1 if the tree has none."""

    def merged(self, other: StepStats) -> StepStats:
        """Return the sum of both statistics, with the narrower bounds."""
        return StepStats(
            code=self.code,
            visits=self.visits + other.visits,
            total_reward=self.total_reward + other.total_reward,
            hint_count=self.hint_count + other.hint_count,
            hint_sum=self.hint_sum + other.hint_sum,
            lower=max(self.lower, other.lower),
            upper=min(self.upper, other.upper),
            node=self.node,
        )

    @property
    def is_proven(self) -> bool:
        """True if the value is proven."""
        return self.lower == self.upper

    @property
    def value(self) -> float:
        """The mean result within proven bounds, from -1 (loss) to 1 (win); 0 without visits."""
        mean = self.total_reward / self.visits if self.visits else 1
        return min(max(mean, self.lower), self.upper) - 1

    @property
    def half_width(self) -> float:
        """Half of Wilson's 95 % interval of the mean result; 0 if the value is proven."""
        score = (self.value + 1) / 2
        n = self.visits
        root = sqrt(score * (1 - score) * n + Z_95**2 / 4)
        return 0.0 if self.is_proven else 2 * Z_95 * root / (n + Z_95**2)

    def rank(self, best_lower: int) -> tuple[bool, bool, int, float]:
        """Return the sort key of a step or action, given the best lower bound of any of them.

        First come steps that attain that bound or may exceed it, then those that cannot, and last
        those that are proven lost. Among equal ones the visit count decides, then the mean hint.
        """
        is_not_lost = self.upper > 0
        is_good = self.lower == best_lower or (
            self.upper > best_lower and self.value + 1 > best_lower
        )
        hint = self.hint_sum / self.hint_count if self.hint_count else 0.0
        return is_not_lost, is_good, self.visits, hint


class SearchTree(Protocol):
    """A tree of steps that simulations make larger.

    Nodes have numbers; the root is number 0. Steps are codes of the
    :class:`~pontedeldiavolo.StepSpace`. One caller at a time may use a tree.
    """

    @property
    @abstractmethod
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""

    @abstractmethod
    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = never) -> int:
        """Run a number of simulations, or fewer if more would be useless; return their number.

        Args:
            simulations: Their number.
            code: The first step of every simulation; -1 for any.
            stop: Called from time to time; a true result ends the search.
        """

    @abstractmethod
    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = never) -> None:
        """Run simulations, at least one, until ``perf_counter`` reaches *end*."""

    @abstractmethod
    def children(self, node: int = 0) -> Iterator[StepStats]:
        """Iterate over the steps from a node; there are none before it is expanded."""

    @abstractmethod
    def find(self, codes: Iterable[int], node: int = 0) -> StepStats | None:
        """Return the statistics after one or more steps; ``None`` if they are not in the tree."""

    @abstractmethod
    def depth(self, node: int) -> int:
        """Return the number of steps from a node to the deepest visited node of its subtree."""

    @abstractmethod
    def reroot(self, node: int, state: Node, seed: int, /) -> None:
        """Make a node the root, and keep its subtree.

        Args:
            node: The number of the node.
            state: Its state or half turn.
            seed: The seed of a tree with random numbers.
        """


def ranked(found: Mapping[Key, StepStats]) -> list[Key]:
    """Return the keys, sorted by their statistics, the best first."""
    best_lower = max((stats.lower for stats in found.values()), default=0)
    return sorted(found, key=lambda key: found[key].rank(best_lower), reverse=True)


def infer_actions(
    before: GameState, chosen: Action | None, after: GameState
) -> list[Action] | None:
    """Return the actions from one state to another: *chosen*, and at most one more.

    An empty list means that the states are equal. Return ``None`` if no such actions lead there.
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
    """Return the only action that could lead from one state to another, if any."""
    if before.rules != after.rules or before.is_over:
        return None
    if before.phase is Phase.COLOR_CHOICE:
        choices = (each for each in before.legal_actions if before.apply_unchecked(each) == after)
        return next(choices, None)
    color = cast(Color, before.to_move)
    old = before.position
    new = after.position
    tiles = [*(new.tiles(color) - old.tiles(color))]
    bridges = {*new.bridges(color)} - {*old.bridges(color)}
    if len(tiles) == TILES_PER_TURN and not bridges:
        return PlaceTiles(*tiles)
    if len(bridges) == 1 and not tiles:
        return BuildBridge(*bridges.pop().ends)
    return None if tiles or bridges else Pass()


def state_at_turn_start(node: Node) -> GameState:
    """Return a state as it is; for a half turn, the state in which its turn began."""
    return node.state if isinstance(node, HalfTurn) else node


class ActionSearch:
    """The search of a state or half turn, in terms of actions.

    Args:
        node: The root; the game must not be over.
        tree: A tree with this root.
    """

    def __init__(self, node: Node, tree: SearchTree) -> None:
        self.node: Node = node
        self.tree: SearchTree = tree
        self.proven_choice: Action | None = None
        """The action that was chosen among those that are proven to keep the result."""
        self._wins = False
        self._space = StepSpace(node.rules.board)

    # Simulations

    def run(self, budget: Budget, line_count: int) -> int:
        """Run simulations. Return their number if that is the limit, else 0.

        Three quarters of the budget are free to choose any step. The last quarter begins with the
        best first tiles, to find their second tiles.

        Args:
            budget: The limits.
            line_count: The number of first tiles.
        """
        self.proven_choice = None
        spent = self._spend(budget.part(1 - SECOND_TILE_SHARE, ceil), NONE)
        best = [step.code for step in self.ranked_steps()[:line_count]]
        is_first_tile = isinstance(self._space.decode(best[0]), PlaceTile)
        codes = best if is_first_tile and not isinstance(self.node, HalfTurn) else [NONE]
        for code in codes:
            if budget.stop.is_set:
                break
            spent += self._spend(budget.part(SECOND_TILE_SHARE / len(codes), int), code)
        return spent

    def _spend(self, budget: Budget, code: int) -> int:
        """Run simulations that begin with a step, or with any step for -1.

        Return the number of simulations if that is the limit, else 0.
        """
        if budget.simulations is not None:
            return self.tree.run(budget.simulations, code, budget.stop)
        self.tree.run_until(perf_counter() + budget.seconds, code, budget.stop)
        return 0

    def follow(self, chosen: Action | None, node: Node, seed: int) -> bool:
        """Make *node* the root if the tree contains it, and return whether it does.

        Args:
            chosen: The action that the player has chosen at the present root, if any. It may have
                been played or not, and so may one more action after it.
            node: The new root.
            seed: The seed of its random numbers.
        """
        before = state_at_turn_start(self.node)
        after = state_at_turn_start(node)
        actions = infer_actions(before, chosen, after)
        if actions is None and chosen is not None:
            actions = infer_actions(before, None, after)
        found = None if actions is None else self._stats_at(node, actions)
        if found is None:
            return False
        self.node = node
        self.proven_choice = None
        self.tree.reroot(found.node, node, seed)
        return True

    def set_proven_choice(self, action: Action, *, wins: bool) -> None:
        """Set the best action, which is proven to win, or the best of those that lose."""
        self.proven_choice = action
        self._wins = wins

    # Actions as steps

    def legal_actions(self) -> Iterable[Action]:
        """Return the legal actions, or the pairs that complete a half turn."""
        if not isinstance(self.node, HalfTurn):
            return self.node.legal_actions
        steps = cast(Iterable[PlaceTile], self.node.legal_steps)
        return [PlaceTiles(self.node.placed_tile, step.cell) for step in steps]

    def _stats_at(self, node: Node, actions: Sequence[Action]) -> StepStats | None:
        """Return the statistics of a node: those of the last step of a path from the root to it.

        Return ``None`` if the tree does not have the node, or if it is the root itself.

        Args:
            node: The state, or the half turn.
            actions: The actions from the root to the state, or to that before the half turn.
        """
        if not isinstance(node, HalfTurn):
            return self._stats_after(actions)
        first_tile = self._placed_codes(node)
        if actions:
            last = self._stats_after(actions)
            return None if last is None else self.tree.find(first_tile, last.node)
        # Another first tile of the same turn is not below the root.
        return None if isinstance(self.node, HalfTurn) else self.tree.find(first_tile)

    def _stats_after(self, actions: Sequence[Action]) -> StepStats | None:
        """Return the statistics of the last step of some actions from the root.

        Return ``None`` if the tree does not have it, or if there are no actions.
        """
        found: StepStats | None = None
        number = 0
        placed_codes = self._placed_codes(self.node)
        for action in actions:
            orders = [
                self.tree.find(codes, number) for codes in self._orders_of(action, placed_codes)
            ]
            found = max(filter(None, orders), key=attrgetter("visits"), default=None)
            if found is None:
                return None
            number = found.node
            placed_codes = []
        return found

    def _placed_codes(self, node: Node) -> list[int]:
        """Return the code of the first tile of a half turn; nothing for a state."""
        if not isinstance(node, HalfTurn):
            return []
        return [self._space.encode(PlaceTile(node.placed_tile))]

    def _orders_of(self, action: Action, placed_codes: Sequence[int] = ()) -> list[list[int]]:
        """Return the sequences of steps that complete an action after the tiles that are placed.

        For a pair of tiles there are two, or one that begins with the tile of a half turn.
        """
        if not isinstance(action, PlaceTiles):
            return [[self._space.encode(action)]]
        codes = [self._space.encode(PlaceTile(cell)) for cell in (action.a, action.b)]
        number = len(placed_codes)
        orders = (codes, codes[::-1])
        return [order[number:] for order in orders if order[:number] == [*placed_codes]]

    # Results

    def best(self) -> Action:
        """Return the choice among proven actions, or else the best action, found step by step."""
        return self.proven_choice or self._best_from(self.ranked_steps()[0])

    def line(self) -> AnalysisLine:
        """Return the line of the best action, with the value of the root.

        The visit count is that of its first step.
        """
        best = self.best()
        firsts = {codes[0] for codes in self._orders_of(best, self._placed_codes(self.node))}
        first = next(step for step in self.ranked_steps() if step.code in firsts)
        root = self.root_stats()
        return evolve(
            self._line(best, first),
            value=root.value,
            half_width=root.half_width,
            proven=root.is_proven,
        )

    def root_stats(self) -> StepStats:
        """Return the sum of the statistics of all steps, with the proven bounds of the root.

        The mean of all simulations is the value of the root. The mean of the best step would be too
        high: the step with the luckiest simulations is the best one.
        """
        steps = [*self.tree.children()]
        lower = max((step.lower for step in steps), default=0)
        upper = max((step.upper for step in steps), default=WIN)
        if self.proven_choice is not None:
            lower = WIN if self._wins else 0
            upper = lower
        return StepStats(
            visits=sum(step.visits for step in steps),
            total_reward=sum(step.total_reward for step in steps),
            lower=lower,
            upper=upper,
        )

    def analysis(self, line_count: int) -> Analysis:
        """Return values, visit counts and the lines of the best actions.

        The best action is among the actions even if it has no visits, as after a proof.
        """
        best = self.best()
        found = self._all_bounds()
        root = self.root_stats()
        best_stats = found.get(best, StepStats())
        if self.proven_choice is not None:
            best_stats = best_stats._replace(lower=root.lower, upper=root.upper)
        found = {action: each for action, each in found.items() if each.visits}
        found[best] = best_stats
        stats = [ActionStats(action, each.visits, each.value) for action, each in found.items()]
        stats.sort(key=lambda each: -each.visits)
        others = (action for action in ranked(found) if action != best)
        shown = (best, *islice(others, line_count - 1))
        variations = [self._line(action, found[action]) for action in shown]
        return Analysis(best, root.value, tuple(stats), variations[0].actions, tuple(variations))

    def ranked_steps(self) -> list[StepStats]:
        """Return the legal steps, the best one first."""
        return ranked({step: step for step in self.tree.children()})

    def result_keeping_actions(self) -> tuple[list[Action], list[Action]]:
        """Return the actions that are proven to keep a proven result, and those that may keep it.

        They are in the order of the legal actions.
        """
        reward = self.root_stats().lower
        found = self._all_bounds()
        known = []
        others = []
        for action in self.legal_actions():
            stats = found.get(action, StepStats())
            if stats.lower == reward:
                known.append(action)
            elif stats.upper >= reward:
                others.append(action)
        return known, others

    def possible_wins(self) -> list[Action]:
        """Return the actions that may win, the best first; those that are not in the tree last."""
        found = self._all_bounds()
        actions = {action: found.get(action, StepStats()) for action in self.legal_actions()}
        return [action for action in ranked(actions) if actions[action].upper == WIN]

    def actions_to_sample(self) -> set[Action]:
        """Return the actions that give nothing up of what is proven for the root.

        Where the result is proven, these are the actions that are proven to keep it; elsewhere all
        in the tree that are not proven to be worse than others.
        """
        root = self.root_stats()
        if root.is_proven:
            known, _ = self.result_keeping_actions()
            return {*known}
        found = self._all_bounds().items()
        return {action for action, stats in found if stats.upper > 0 and stats.upper >= root.lower}

    def _all_bounds(self) -> dict[Action, StepStats]:
        """Return the statistics of all actions in the tree, including those without visits."""
        found: dict[Action, StepStats] = {}
        for first in self.tree.children():
            for action, stats in self._completed(first, self.node):
                found[action] = stats.merged(found[action]) if action in found else stats
        return found

    def _best_from(self, first: StepStats) -> Action:
        """Return the best of the actions that begin with a step."""
        step = self._space.decode(first.code)
        if not isinstance(step, PlaceTile):
            return step
        if isinstance(self.node, HalfTurn):
            return PlaceTiles(self.node.placed_tile, step.cell)
        pairs: dict[PlaceTiles, StepStats] = {}
        for cell in self.node.legal_actions.second_tiles(step.cell):
            pair = PlaceTiles(step.cell, cell)
            orders = filter(None, map(self.tree.find, self._orders_of(pair)))
            pairs[pair] = reduce(StepStats.merged, orders, StepStats())
        return ranked(pairs)[0]

    def _completed(
        self, first: StepStats, node: Node | None = None
    ) -> Iterator[tuple[Action, StepStats]]:
        """Iterate over the actions that begin with a step, after a first tile if *node* has one."""
        step = self._space.decode(first.code)
        if not isinstance(step, PlaceTile):
            yield step, first
        elif isinstance(node, HalfTurn):
            yield PlaceTiles(node.placed_tile, step.cell), first
        else:
            cells = self._space.board.cells
            for second in self.tree.children(first.node):
                yield PlaceTiles(step.cell, cells[second.code]), second

    def _line(self, action: Action, stats: StepStats) -> AnalysisLine:
        """Return the principal variation after an action."""
        last = self._stats_after([action])
        steps = len(self._orders_of(action, self._placed_codes(self.node))[0])
        return AnalysisLine(
            actions=(action, *self._variation(last)),
            value=stats.value,
            half_width=stats.half_width,
            visits=stats.visits,
            depth=0 if last is None else steps + self.tree.depth(last.node),
            proven=stats.is_proven,
        )

    def _variation(self, last: StepStats | None) -> Iterator[Action]:
        """Iterate over the most visited actions after a step, each after the one before."""
        while last is not None:
            first = max(self.tree.children(last.node), key=attrgetter("visits"), default=None)
            if first is None:
                return
            visited = [each for each in self._completed(first) if each[1].visits]
            if not visited:
                return
            action, last = max(visited, key=lambda each: each[1].visits)
            yield action
