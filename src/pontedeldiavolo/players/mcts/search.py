"""Search trees: one tree in arrays, and several of them in threads (root parallelisation)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from pontedeldiavolo.batch.arguments import random_seed
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.batch.worker_pool import map_chunks
from pontedeldiavolo.players.mcts.kernels import (
    Nodes,
    Start,
    copy_subtree,
    new_nodes,
    search,
)
from pontedeldiavolo.players.player import Analysis, Choice
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState

MIN_NODES: Final = 1 << 14
MAX_NODES: Final = 1 << 23
"""Nodes of a tree at most, of 36 bytes each: 300 MB."""
MAX_VISITS: Final = 1 << 30
"""Visits of a tree at most: rewards are counted in 32 bits, 2 for each win."""
CHUNK_SIMULATIONS: Final = 4096
"""Simulations in one compiled call at most, which Ctrl-C cannot interrupt."""
CLOCK_SECONDS: Final = 0.005
"""Approximate time between two looks at the clock."""
SEED_BITS: Final = 63


class ChildStats(NamedTuple):
    """The statistics of a step in one tree."""

    code: int
    """Its code in the :class:`~pontedeldiavolo.StepSpace`."""
    visits: int
    """Visit count: simulations that went through it."""
    total_reward: int
    """The sum of their rewards for the seat that takes it: 2 for a win, 1 for a draw."""
    amaf_visits: int
    """Simulations in which the same colour played it at this or any later time."""
    amaf_reward: int
    """The sum of their rewards."""
    node: int
    """The node that it leads to."""


class TreeSearch:
    """A search tree. One thread at a time may use it.

    Args:
        state: The root; the game must not be over.
        seed: From 0 up: equal seeds, equal searches.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """

    def __init__(self, state: GameState, seed: int, *, heuristic: bool = True) -> None:
        self._heuristic = heuristic
        board = state.rules.board
        self._tables = rules_table(state.rules)
        self._games = new_records(2, game_type(board.width, board.height))
        self._path = np.zeros(state.rules.most_steps + 1, np.int32)
        self._nodes: Nodes = new_nodes(MIN_NODES)
        self._nodes[0]["code"] = self._nodes[0]["seat"] = self._nodes[0]["color"] = NONE
        self._used = 1
        self._set_root(state, seed)
        # Compile now, before somebody looks at the clock.
        self._run(0)

    def _set_root(self, state: GameState, seed: int) -> None:
        rows = rows_of(state.rules, [state])
        self._start = Start(rows, random_seed(seed), is_new=True)

    @property
    def visits(self) -> int:
        """Visit count of the root, with simulations of earlier turns that went through it."""
        return int(self._nodes[0]["visits"])

    def run(self, simulations: int) -> None:
        """Run a number of simulations."""
        left = min(simulations, MAX_VISITS - self.visits)
        while left:
            done = self._run(min(left, CHUNK_SIMULATIONS))
            left -= done
            if not done:
                more = new_nodes(2 * len(self._nodes))
                more[: self._used] = self._nodes[: self._used]
                self._nodes = more

    def _run(self, simulations: int) -> int:
        """Run simulations until the memory is full; return how many were run."""
        may_fill = len(self._nodes) >= MAX_NODES
        memory = (self._tables, self._games, self._nodes, self._path, self._start)
        done, self._used = search(*memory, self._used, simulations, may_fill, self._heuristic)
        self._start = self._start._replace(is_new=False)
        return done

    def run_until(self, end: float) -> None:
        """Run simulations until a time of ``perf_counter``, at least one."""
        number, begin = 1, perf_counter()
        self.run(number)
        while (now := perf_counter()) < end and self.visits < MAX_VISITS:
            speed = number / max(now - begin, CLOCK_SECONDS / 100)
            number, begin = max(1, int(speed * min(CLOCK_SECONDS, end - now))), now
            self.run(number)

    def children(self, node: int = 0) -> Iterator[ChildStats]:
        """Iterate over the children of a node; there are none before it is expanded."""
        places = self._children(node)
        columns = [self._nodes[name][places].tolist() for name in ChildStats._fields[:-1]]
        yield from map(ChildStats, *columns, range(places.start, places.stop))

    def _children(self, node: int) -> slice:
        first = int(self._nodes[node]["first_child"])
        return slice(first, first + int(self._nodes[node]["children"]))

    def find(self, codes: Iterable[int], node: int = 0) -> ChildStats | None:
        """Return the statistics after one or more steps; ``None`` if the tree does not have it."""
        for code in codes:
            places = self._children(node)
            found = np.flatnonzero(self._nodes["code"][places] == code)
            if not found.size:
                return None
            node = places.start + int(found[0])
        fields = self._nodes[node]
        return ChildStats._make([*(int(fields[name]) for name in ChildStats._fields[:-1]), node])

    def reroot(self, node: int, state: GameState, seed: int) -> None:
        """Make a node, whose state is *state*, the root; its subtree is kept."""
        kept = new_nodes(len(self._nodes))
        used = copy_subtree(self._nodes, node, kept)
        self._set_root(state, seed)
        self._nodes, self._used = kept, used


class Stats:
    """The statistics of a step or an action, summed over several trees."""

    def __init__(self) -> None:
        self.visits: int = 0
        self.total_reward: int = 0
        self.amaf_visits: int = 0
        self.amaf_reward: int = 0

    def add(self, child: ChildStats) -> None:
        """Add the statistics of one tree."""
        self.visits += child.visits
        self.total_reward += child.total_reward
        self.amaf_visits += child.amaf_visits
        self.amaf_reward += child.amaf_reward

    @property
    def value(self) -> float:
        """The mean result, from -1 (loss) to 1 (win); 0 without visits."""
        return self.total_reward / self.visits - 1 if self.visits else 0.0

    @property
    def rank(self) -> tuple[int, float]:
        """The visit count, then the AMAF mean: the key by which the best step is chosen."""
        return self.visits, self.amaf_reward / self.amaf_visits if self.amaf_visits else 0.0


class RootParallelSearch:
    """Independent trees of one state, each in its thread, whose root statistics are summed.

    Args:
        state: The root; the game must not be over.
        size: The number of trees.
        rng: The source of their seeds.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """

    def __init__(self, state: GameState, size: int, rng: Random, *, heuristic: bool) -> None:
        self.state: GameState = state
        self._rng = rng
        self._heuristic = heuristic
        self._space = StepSpace(state.rules.board)
        self._trees = [self._tree() for _ in range(size)]

    def _tree(self) -> TreeSearch:
        return TreeSearch(self.state, self._seed(), heuristic=self._heuristic)

    def _seed(self) -> int:
        return self._rng.getrandbits(SEED_BITS)

    def run(self, simulations: int) -> None:
        """Run a number of simulations, divided among the trees."""
        size = len(self._trees)
        self._in_threads(lambda number: self._trees[number].run((simulations + number) // size))

    def run_until(self, end: float) -> None:
        """Run simulations until a time of ``perf_counter``."""
        self._in_threads(lambda number: self._trees[number].run_until(end))

    def _in_threads(self, work: Callable[[int], None]) -> None:
        def part(begin: int, end: int) -> None:
            for number in range(begin, end):
                work(number)

        map_chunks(part, len(self._trees), len(self._trees))

    def advance(self, actions: list[Action], state: GameState) -> None:
        """Make *state*, which follows by some actions, the root."""
        self.state = state
        for number, tree in enumerate(self._trees):
            found = self._find(tree, actions)
            if found is None:
                self._trees[number] = self._tree()
            else:
                tree.reroot(found.node, state, self._seed())

    def _find(self, tree: TreeSearch, actions: list[Action]) -> ChildStats | None:
        """Return the statistics of the last of some actions; ``None`` if the tree lacks it."""
        found = None
        for action in actions:
            node = 0 if found is None else found.node
            orders = [tree.find(codes, node) for codes in self._orders(action)]
            found = max(filter(None, orders), key=lambda child: child.visits, default=None)
            if found is None:
                return None
        return found

    def _orders(self, action: Action) -> list[list[int]]:
        """Return the sequences of steps that make an action: two for a pair of tiles."""
        if not isinstance(action, PlaceTiles):
            return [[self._space.encode(action)]]
        codes = [self._space.encode(PlaceTile(cell)) for cell in (action.a, action.b)]
        return [codes, codes[::-1]]

    def best(self) -> Action:
        """Return the most visited action, found step by step."""
        return self._best_from(_most_visited(self._first_steps()))

    def analysis(self) -> Analysis:
        """Return values, visit counts and the principal variation."""
        steps = self._first_steps()
        code = _most_visited(steps)
        best = self._best_from(code)
        actions: defaultdict[Action, Stats] = defaultdict(Stats)
        for tree in self._trees:
            for first in tree.children():
                for action, last in self._completed(tree, first):
                    if last.visits:
                        actions[action].add(last)
        choices = [Choice(action, each.visits, each.value) for action, each in actions.items()]
        choices.sort(key=lambda choice: -choice.visits)
        # The first tile of a pair has many more visits than the pair.
        return Analysis(best, steps[code].value, tuple(choices), self._line(best))

    def _first_steps(self) -> Mapping[int, Stats]:
        """Return the statistics of the root's children by their codes."""
        found: defaultdict[int, Stats] = defaultdict(Stats)
        for tree in self._trees:
            for child in tree.children():
                found[child.code].add(child)
        return found

    def _best_from(self, code: int) -> Action:
        """Return the most visited action of those that begin with a step."""
        step = self._space.decode(code)
        if not isinstance(step, PlaceTile):
            return step
        pairs = {
            PlaceTiles(step.cell, cell): Stats()
            for cell in self.state.legal_actions.second_tiles(step.cell)
        }
        for pair, stats in pairs.items():
            for tree in self._trees:
                for codes in self._orders(pair):
                    if (found := tree.find(codes)) is not None:
                        stats.add(found)
        return max(pairs, key=lambda pair: pairs[pair].rank)

    def _completed(
        self, tree: TreeSearch, first: ChildStats
    ) -> Iterator[tuple[Action, ChildStats]]:
        """Iterate over the actions that begin with a step: itself alone, or pairs of tiles."""
        step = self._space.decode(first.code)
        if isinstance(step, PlaceTile):
            cells = self._space.board.cells
            for second in tree.children(first.node):
                yield PlaceTiles(step.cell, cells[second.code]), second
        else:
            yield step, first

    def _line(self, best: Action) -> tuple[Action, ...]:
        """Return the principal variation of the largest tree: its most visited actions."""
        tree = max(self._trees, key=lambda tree: tree.visits)
        line, child = [best], self._find(tree, [best])
        while child is not None:
            action, child = self._next(tree, child)
            if action is not None:
                line.append(action)
        return tuple(line)

    def _next(self, tree: TreeSearch, child: ChildStats) -> tuple[Action | None, ChildStats | None]:
        """Return the most visited action after a child, with its statistics."""
        first = max(tree.children(child.node), key=lambda each: each.visits, default=None)
        if first is None:
            return None, None
        completed = self._completed(tree, first)
        action, last = max(completed, key=lambda found: found[1].visits, default=(None, None))
        return (action, last) if last is not None and last.visits else (None, None)


def _most_visited(steps: Mapping[int, Stats]) -> int:
    return max(steps, key=lambda code: steps[code].rank)
