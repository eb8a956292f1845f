"""A search tree of steps in arrays, and the statistics of actions that it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import islice
from math import ceil, inf, sqrt
from operator import attrgetter
from random import Random
from time import perf_counter
from typing import Final, NamedTuple, TypeVar

import numpy as np

from pontedeldiavolo.batch.arguments import random_seed
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.batch.worker_pool import map_chunks
from pontedeldiavolo.players.player import ActionStats, Analysis, AnalysisLine
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import HalfTurn, Node

from .alpha_beta import MAX_ACTIONS, SLOTS, new_stack, stack_size
from .kernels import LOCK, REMAINING, USED, Nodes, Start, Tree, copy_subtree, new_nodes, search
from .proofs import SMALL_BOARD, WIN, Prover

Key = TypeVar("Key")

MIN_NODES: Final = 1 << 14
MAX_NODES: Final = 1 << 23
"""The maximum number of nodes of a tree, of 32 bytes each: 270 MB."""
MAX_VISITS: Final = 1 << 30
"""The maximum number of visits of a tree: rewards are counted in 32 bits, 2 for each win."""
CHUNK_SIMULATIONS: Final = 4096
"""The maximum number of simulations in a compiled call, which Ctrl-C cannot interrupt."""
CLOCK_SECONDS: Final = 0.005
"""The approximate time between two looks at the clock."""
SEED_BITS: Final = 63
SECOND_TILE_SHARE: Final = 0.25
"""The share of simulations for the second tiles of the best first ones."""
SMALL_EFFORT: Final = 64
"""The nodes that alpha-beta searches for each visit of a node, on small boards."""
PROOF_EFFORT: Final = 8
"""The same on other boards."""
PROOF_WASTE: Final = 0.05
"""The maximum nodes per simulation in searches that prove nothing, on other boards."""
ANY_NODES: Final = 1 << 60
NODES_PER_SECOND: Final = 200_000
"""The maximum number of nodes that alpha-beta searches per second of the time left."""
PROOF_BUCKETS: Final = 1 << 18
"""The buckets of its table, of 64 bytes each: 16 MiB. Unused pages take no memory."""
Z_95: Final = 1.96
"""The quantile of the normal distribution for a 95 % interval."""


class Budget(NamedTuple):
    """The limits of a search."""

    seconds: float
    simulations: int | None
    """The number of simulations, in place of a time."""
    stop: Callable[[], bool]
    """Called from time to time; a true result ends the search."""

    def part(self, share: float, whole: Callable[[float], int]) -> Budget:
        """Return a share of the budget, with a whole number of simulations."""
        number = None if self.simulations is None else whole(share * self.simulations)
        return self._replace(seconds=share * self.seconds, simulations=number)


class ChildStats(NamedTuple):
    """The statistics of a step in a tree, or of an action: summed over the orders of its tiles."""

    code: int = NONE
    """The code of the step in the :class:`~pontedeldiavolo.StepSpace`."""
    visits: int = 0
    """The number of simulations that went through the step."""
    total_reward: float = 0
    """The sum of their rewards for the seat that takes the step: 2 for a win, 1 for a draw."""
    amaf_visits: int = 0
    """The number of simulations in which the same colour played the step now or later."""
    amaf_reward: float = 0
    """The sum of their rewards."""
    lower: int = 0
    """The proven lower bound of the reward."""
    upper: int = WIN
    """The proven upper bound of the reward."""
    node: int = NONE
    """The node that the step leads to."""

    def merged(self, other: ChildStats) -> ChildStats:
        """Return the sum of both statistics, with the narrower bounds."""
        total = self.visits + other.visits, self.total_reward + other.total_reward
        amaf = self.amaf_visits + other.amaf_visits, self.amaf_reward + other.amaf_reward
        bounds = max(self.lower, other.lower), min(self.upper, other.upper)
        return ChildStats(self.code, *total, *amaf, *bounds, self.node)

    @property
    def proven(self) -> bool:
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
        return 0.0 if self.proven else 2 * Z_95 * root / (n + Z_95**2)

    def rank(self, proven: int) -> tuple[bool, bool, int, float]:
        """Return the sort key of a step or action, given the best reward *proven* for any of them.

        Steps that are proven lost come last; steps that are no better than the proven reward come
        before them. Among the others the visit count decides, then the AMAF mean.
        """
        is_good = self.lower == proven or (self.upper > proven and self.value + 1 > proven)
        amaf = self.amaf_reward / self.amaf_visits if self.amaf_visits else 0.0
        return self.upper > 0, is_good, self.visits, amaf


class TreeSearch:
    """A search tree. One caller at a time may use it.

    Args:
        node: The root; the game must not be over.
        seed: From 0 up: with one thread, equal seeds give equal searches.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
        solver: Whether alpha-beta searches nodes late in the game.
        threads: The number of threads that search the tree together.
    """

    def __init__(
        self,
        node: Node,
        seed: int,
        *,
        heuristic: bool = True,
        solver: bool = True,
        threads: int = 1,
    ) -> None:
        self._heuristic = heuristic
        rules = node.rules
        board = node.rules.board
        self._tables = rules_table(rules)
        steps = rules.max_steps + 1
        kind = game_type(board.width, board.height)
        # The memory of each thread: its games, the longest path, and keys of the nodes on it.
        self._memories = [
            (new_records(2, kind), np.zeros(steps, np.int32), np.zeros((steps, 2), np.int64))
            for _ in range(threads)
        ]
        self._nodes: Nodes = new_nodes(MIN_NODES)
        self._nodes[0]["code"] = NONE
        self._nodes[0]["seat"] = NONE
        self._nodes[0]["color"] = NONE
        self._nodes[0]["upper"] = WIN
        self._counters = np.zeros(REMAINING + 1, np.int64)
        self._counters[LOCK] = 1
        self._counters[USED] = 1
        fits = stack_size(rules, len(board)) <= MAX_ACTIONS
        entries = np.zeros((PROOF_BUCKETS, SLOTS, 2), np.int64)
        small = len(board) <= SMALL_BOARD
        effort = (SMALL_EFFORT if small else PROOF_EFFORT) if solver and fits else 0
        waste = MAX_VISITS if small else PROOF_WASTE
        self._prover = Prover(
            *(new_stack(rules), entries, effort, float(waste), np.zeros(1, np.int64)),
            most=np.full(1, ANY_NODES),
            path_keys=self._memories[0][-1],
        )
        self._set_root(node, seed)
        # Compile now, before any clock runs.
        self._run(0, NONE)

    def _set_root(self, node: Node, seed: int) -> None:
        self._start = Start(rows_of(node.rules, [node]), random_seed(seed), 0, is_new=True)
        self._started: set[int] = set()

    @property
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""
        return int(self._nodes[0]["visits"])

    def _can_continue(self, node: int) -> bool:
        """Return whether more simulations could be useful."""
        fields = self._nodes[max(node, 0)]
        return self.visits < MAX_VISITS and bool(fields["lower"] < fields["upper"])

    def _child(self, code: int) -> int:
        """Return the root's child with a code; -1 if there is none."""
        return (self.find([code]) or ChildStats()).node

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = bool) -> None:
        """Run a number of simulations, or fewer if more would be useless.

        Args:
            simulations: Their number; nodes that alpha-beta searches count as well.
            code: The step with which all begin; -1 for any.
            stop: Called every few thousand simulations; a true result ends the search.
        """
        child = self._child(code)
        left = min(simulations, MAX_VISITS - self.visits)
        while left > 0 and self._can_continue(child):
            done = self._run(min(left, CHUNK_SIMULATIONS), child)
            left -= done
            if done and stop():
                return
            if not done and self._can_continue(child):
                more = new_nodes(2 * len(self._nodes))
                used = int(self._counters[USED])
                more[:used] = self._nodes[:used]
                self._nodes = more

    def _run(self, simulations: int, child: int) -> int:
        """Run simulations, but stop if the memory is full; return how many were run."""
        limits = (child, len(self._nodes) >= MAX_NODES, self._heuristic)
        self._counters[REMAINING] = simulations

        def work(thread: int, _end: int) -> None:
            games, path, keys = self._memories[thread]
            prover = self._prover._replace(path_keys=keys)
            tree = Tree(self._nodes, path, self._counters, prover)
            start = self._start._replace(thread=thread, is_new=thread not in self._started)
            search(self._tables, games, tree, start, *limits)
            self._started.add(thread)

        map_chunks(work, len(self._memories), len(self._memories))
        return simulations - int(self._counters[REMAINING])

    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = bool) -> None:
        """Run at least one simulation, and more until *end* on the clock of ``perf_counter``."""
        number = 1
        begin = perf_counter()
        self._limit_proofs(0)
        self.run(number, code)
        while (
            (now := perf_counter()) < end and self._can_continue(self._child(code)) and not stop()
        ):
            speed = number / max(now - begin, CLOCK_SECONDS / 100)
            number = max(1, int(speed * min(CLOCK_SECONDS, end - now)))
            begin = now
            self._limit_proofs(end - now)
            self.run(number, code)
        self._limit_proofs(inf)

    def _limit_proofs(self, seconds: float) -> None:
        """Limit the nodes of alpha-beta to those that there is time for."""
        self._prover.most[0] = min(ANY_NODES, NODES_PER_SECOND * seconds)

    def children(self, node: int = 0) -> Iterator[ChildStats]:
        """Iterate over the children of a node; there are none before it is expanded."""
        places = self._children(node)
        columns = [self._nodes[name][places].tolist() for name in ChildStats._fields[:-1]]
        yield from map(ChildStats, *columns, range(places.start, places.stop))

    def _children(self, node: int) -> slice:
        first = int(self._nodes[node]["first_child"])
        return slice(first, first + int(self._nodes[node]["children"]))

    def find(self, codes: Iterable[int], node: int = 0) -> ChildStats | None:
        """Return the statistics after one or more steps; ``None`` if they are not in the tree."""
        for code in codes:
            places = self._children(node)
            found = np.flatnonzero(self._nodes["code"][places] == code)
            if not found.size:
                return None
            node = places.start + int(found[0])
        fields = self._nodes[node]
        return ChildStats._make([*(int(fields[name]) for name in ChildStats._fields[:-1]), node])

    def depth(self, node: int) -> int:
        """Return the number of steps from a node to the deepest one with visits below it."""
        level = np.array([node])
        depth = -1
        while level.size:
            numbers = self._nodes["children"][level].astype(np.int64)
            begins = self._nodes["first_child"][level] - np.cumsum(numbers) + numbers
            level = np.unique(np.repeat(begins, numbers) + np.arange(numbers.sum()))
            level = level[self._nodes["visits"][level] > 0]
            depth = depth + 1
        return depth

    def reroot(self, node: int, state: Node, seed: int) -> None:
        """Make a node, whose state or half turn is *state*, the root; its subtree is kept."""
        kept = new_nodes(len(self._nodes))
        used = copy_subtree(self._nodes, node, kept)
        self._set_root(state, seed)
        self._prover.wasted[0] = 0
        self._nodes = kept
        self._counters[USED] = used


def ranked(found: Mapping[Key, ChildStats]) -> list[Key]:
    """Return the keys, sorted with the best statistics first."""
    proven = max((each.lower for each in found.values()), default=0)
    return sorted(found, key=lambda key: found[key].rank(proven), reverse=True)


class ActionSearch:
    """A tree search of a state or half turn, in terms of actions.

    Args:
        node: The root; the game must not be over.
        rng: The source of seeds.
        new_tree: A function that returns a tree, given a root and a seed.
    """

    def __init__(
        self, node: Node, rng: Random, new_tree: Callable[[Node, int], TreeSearch]
    ) -> None:
        self.node: Node = node
        self._rng = rng
        self._new_tree = new_tree
        self._space = StepSpace(node.rules.board)
        self.tree: TreeSearch = new_tree(node, rng.getrandbits(SEED_BITS))

    def run(self, budget: Budget, lines: int) -> None:
        """Run simulations, and a share of them for the second tiles of the best first ones."""
        self._run(budget.part(1 - SECOND_TILE_SHARE, ceil))
        codes = [step.code for step in self._ranked_steps()[:lines]]
        if isinstance(self.node, HalfTurn) or codes[0] >= len(self._space.board):
            codes = [NONE]
        for code in codes:
            self._run(budget.part(SECOND_TILE_SHARE / len(codes), int), code)

    def _run(self, budget: Budget, code: int = NONE) -> None:
        """Run simulations that begin with a step."""
        if budget.simulations is None:
            self.tree.run_until(perf_counter() + budget.seconds, code, budget.stop)
        else:
            self.tree.run(budget.simulations, code, budget.stop)

    def advance(self, actions: list[Action], node: Node) -> None:
        """Make *node* the root: it follows from some actions and perhaps a first tile."""
        found = self._find(actions, node)
        seed = self._rng.getrandbits(SEED_BITS)
        self.node = node
        if found is None:
            self.tree = self._new_tree(node, seed)
        else:
            self.tree.reroot(found.node, node, seed)

    def _find(self, actions: Iterable[Action], node: Node | None = None) -> ChildStats | None:
        """Return the statistics after some actions; ``None`` if they are not in the tree."""
        found = None
        place = 0
        begun = self._begun(self.node)
        for action in actions:
            orders = [self.tree.find(codes, place) for codes in self._orders(action, begun)]
            found = max(filter(None, orders), key=attrgetter("visits"), default=None)
            if found is None:
                return None
            place = found.node
            begun = []
        if isinstance(node, HalfTurn):
            return None if begun else self.tree.find(self._begun(node), place)
        return found

    def _begun(self, node: Node) -> list[int]:
        """Return the code of the first tile of a half turn; nothing for a state."""
        if not isinstance(node, HalfTurn):
            return []
        return [self._space.encode(PlaceTile(node.placed_tile))]

    def _orders(self, action: Action, begun: Sequence[int] = ()) -> list[list[int]]:
        """Return the sequences of steps that complete an action, of which some are *begun*.

        For a pair of tiles there are two.
        """
        if not isinstance(action, PlaceTiles):
            return [[self._space.encode(action)]]
        codes = [self._space.encode(PlaceTile(cell)) for cell in (action.a, action.b)]
        size = len(begun)
        return [each[size:] for each in (codes, codes[::-1]) if each[:size] == [*begun]]

    def best(self) -> Action:
        """Return the best action, found step by step."""
        return self._best_from(self._ranked_steps()[0])

    def line(self) -> AnalysisLine:
        """Return the line of the best action, with the statistics of its first step."""
        first = self._ranked_steps()[0]
        return self._line(self._best_from(first), first)

    def analysis(self, lines: int) -> Analysis:
        """Return values, visit counts and the lines of the best actions."""
        first = self._ranked_steps()[0]
        best = self._best_from(first)
        actions = dict[Action, ChildStats]()
        for child in self.tree.children():
            for action, last in self._completed(child, self.node):
                if last.visits:
                    actions[action] = last.merged(actions[action]) if action in actions else last
        stats = [ActionStats(action, each.visits, each.value) for action, each in actions.items()]
        stats.sort(key=lambda each: -each.visits)
        others = (action for action in ranked(actions) if action != best)
        shown = (best, *islice(others, lines - 1))
        # The best action may have no visits.
        found = [self._line(action, actions.get(action, ChildStats())) for action in shown]
        # The first tile of a pair has many more visits than the pair.
        return Analysis(best, first.value, tuple(stats), found[0].actions, tuple(found))

    def _ranked_steps(self) -> list[ChildStats]:
        """Return the legal steps, the best one first."""
        return ranked({child: child for child in self.tree.children()})

    def _best_from(self, first: ChildStats) -> Action:
        """Return the best of the actions that begin with a step."""
        step = self._space.decode(first.code)
        if not isinstance(step, PlaceTile):
            return step
        if isinstance(self.node, HalfTurn):
            return PlaceTiles(self.node.placed_tile, step.cell)
        pairs = dict[PlaceTiles, ChildStats]()
        for cell in self.node.legal_actions.second_tiles(step.cell):
            pair = PlaceTiles(step.cell, cell)
            orders = filter(None, map(self.tree.find, self._orders(pair)))
            pairs[pair] = reduce(ChildStats.merged, orders, ChildStats())
        return ranked(pairs)[0]

    def _completed(
        self, first: ChildStats, node: Node | None = None
    ) -> Iterator[tuple[Action, ChildStats]]:
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

    def _line(self, action: Action, stats: ChildStats) -> AnalysisLine:
        """Return the principal variation after an action."""
        last = self._find([action])
        line = [action, *self._variation(last)]
        depth = 0 if last is None else len(self._orders(action)[0]) + self.tree.depth(last.node)
        value = stats.value
        width = stats.half_width
        return AnalysisLine(tuple(line), value, width, stats.visits, depth, stats.proven)

    def _variation(self, last: ChildStats | None) -> Iterator[Action]:
        """Iterate over the most visited actions after a child, each after the one before."""
        while last is not None:
            first = max(self.tree.children(last.node), key=attrgetter("visits"), default=None)
            completed = self._completed(first) if first else ()
            found = (each for each in completed if each[1].visits)
            action, last = max(found, key=lambda each: each[1].visits, default=(None, None))
            if action is not None:
                yield action
