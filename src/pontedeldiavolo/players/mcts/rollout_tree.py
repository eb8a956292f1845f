"""A search tree in arrays, whose simulations play games to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.batch.worker_pool import map_chunks
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import Node

from .alpha_beta import MAX_ACTIONS, SLOTS, new_stack, stack_size
from .rollout_kernels import (
    LOCK,
    REMAINING,
    SMALL_BOARD,
    USED,
    WIN,
    Nodes,
    Prover,
    Start,
    Tree,
    copy_subtree,
    new_nodes,
    refute_path,
    run_simulations,
)
from .search import SearchTree, StepStats

MIN_NODES: Final = 1 << 14
MAX_NODES: Final = 1 << 23
"""The maximum number of nodes of a tree, of 32 bytes each: 270 MB."""
MAX_VISITS: Final = 1 << 30
"""The maximum number of visits of a tree: rewards are counted in 32 bits, 2 for each win."""
CHUNK_SIMULATIONS: Final = 4096
"""The maximum number of simulations in a compiled call, which Ctrl-C cannot interrupt."""
CLOCK_SECONDS: Final = 0.005
"""The approximate time between two looks at the clock."""
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
COLUMNS: Final = (
    "code",
    "visits",
    "total_reward",
    "amaf_visits",
    "amaf_reward",
    "lower",
    "upper",
)
"""The fields of a node that are the first fields of :class:`StepStats`, in this order."""


class ThreadMemory(NamedTuple):
    """The memory that a thread does not share with others."""

    games: GameArray
    """The games at the root and in the current simulation."""
    path: npt.NDArray[np.int32]
    """The nodes of a simulation, as many as on the longest path."""
    path_keys: npt.NDArray[np.int64]
    """The keys of the positions on the path."""


class RolloutTree(SearchTree):
    """A UCT search tree with RAVE and proofs. One caller at a time may use it.

    Args:
        node: The root; the game must not be over.
        seed: From 0 to 2**64 - 1: with one thread, equal seeds give equal searches.
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
        self._tables = rules_table(node.rules)
        self._memories = [_new_memory(node.rules) for _ in range(threads)]
        self._nodes: Nodes = new_nodes(MIN_NODES)
        root = self._nodes[0]
        root["code"] = NONE
        root["seat"] = NONE
        root["color"] = NONE
        root["upper"] = WIN
        self._counters = np.zeros(REMAINING + 1, np.int64)
        self._counters[LOCK] = 1
        self._counters[USED] = 1
        self._prover = _new_prover(node.rules, self._memories[0], solver=solver)
        self._set_root(node, seed)
        # Compile now, before any clock runs.
        self._simulate(0, NONE)
        refute_path(new_nodes(1), np.zeros(1, np.int32))

    def _set_root(self, node: Node, seed: int) -> None:
        """Set the game with which each simulation begins."""
        self._start = Start(rows_of(node.rules, [node]), np.uint64(seed), 0, is_new=True)
        self._started: set[int] = set()

    # Simulations

    @property
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""
        return int(self._nodes[0]["visits"])

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = bool) -> int:
        """Run a number of simulations, or fewer if more would be useless; return their number.

        Args:
            simulations: Their number; nodes that alpha-beta searches count as well.
            code: The first step of every simulation; -1 for any.
            stop: Called every few thousand simulations; a true result ends the search.
        """
        child = self._child(code)
        most = min(simulations, MAX_VISITS - self.visits)
        left = most
        while left > 0 and self._can_continue(child):
            done = self._simulate(min(left, CHUNK_SIMULATIONS), child)
            left -= done
            if done and stop():
                break
            if not done and self._can_continue(child):
                self._enlarge()
        return most - left

    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = bool) -> None:
        """Run simulations, at least one, until ``perf_counter`` reaches *end*."""
        simulations = 1
        begin = perf_counter()
        self._limit_proofs(0)
        self.run(simulations, code)
        now = perf_counter()
        while now < end and self._can_continue(self._child(code)) and not stop():
            speed = simulations / max(now - begin, CLOCK_SECONDS / 100)
            simulations = max(1, int(speed * min(CLOCK_SECONDS, end - now)))
            begin = now
            self._limit_proofs(end - now)
            self.run(simulations, code)
            now = perf_counter()
        self._limit_proofs(inf)

    def _child(self, code: int) -> int:
        """Return the root's child with a code; -1 if there is none."""
        found = self.find([code])
        return NONE if found is None else found.node

    def _can_continue(self, node: int) -> bool:
        """Return whether more simulations through a node, or the root for -1, could be useful."""
        fields = self._nodes[max(node, 0)]
        return self.visits < MAX_VISITS and bool(fields["lower"] < fields["upper"])

    def _limit_proofs(self, seconds: float) -> None:
        """Limit the nodes that alpha-beta may search to what the time allows."""
        self._prover.nodes_left[0] = min(ANY_NODES, NODES_PER_SECOND * seconds)

    def _simulate(self, simulations: int, child: int) -> int:
        """Run simulations, but stop if the memory is full; return how many were run."""
        is_full_size = len(self._nodes) >= MAX_NODES
        self._counters[REMAINING] = simulations

        # The threads take simulations from one counter. So where there are fewer processors than
        # threads, the first thread of each chunk is enough.
        def work(thread: int, _end: int) -> None:
            memory = self._memories[thread]
            prover = self._prover._replace(path_keys=memory.path_keys)
            tree = Tree(self._nodes, memory.path, self._counters, prover)
            start = self._start._replace(thread=thread, is_new=thread not in self._started)
            run_simulations(
                self._tables, memory.games, tree, start, child, is_full_size, self._heuristic
            )
            self._started.add(thread)

        map_chunks(work, len(self._memories), len(self._memories))
        return simulations - int(self._counters[REMAINING])

    def _enlarge(self) -> None:
        """Double the memory for nodes."""
        nodes = new_nodes(2 * len(self._nodes))
        used = int(self._counters[USED])
        nodes[:used] = self._nodes[:used]
        self._nodes = nodes

    # Statistics

    def children(self, node: int = 0) -> Iterator[StepStats]:
        """Iterate over the steps from a node; there are none before it is expanded."""
        places = self._children(node)
        columns = [self._nodes[name][places].tolist() for name in COLUMNS]
        yield from map(StepStats, *columns, range(places.start, places.stop))

    def _children(self, node: int) -> slice:
        """Return the places of the children of a node."""
        first = int(self._nodes[node]["first_child"])
        return slice(first, first + int(self._nodes[node]["child_count"]))

    def find(self, codes: Iterable[int], node: int = 0) -> StepStats | None:
        """Return the statistics after one or more steps; ``None`` if they are not in the tree."""
        for code in codes:
            places = self._children(node)
            found = np.flatnonzero(self._nodes["code"][places] == code)
            if not found.size:
                return None
            node = places.start + int(found[0])
        fields = self._nodes[node]
        return StepStats._make([*(int(fields[name]) for name in COLUMNS), node])

    def refute(self, codes: Iterable[int], /) -> None:
        """Set that some steps of the seat to move, from the root on, lose; they are in the tree."""
        path = [0]
        for code in codes:
            found = self.find([code], path[-1])
            if found is None:
                return
            path.append(found.node)
        refute_path(self._nodes, np.array(path, np.int32))

    def depth(self, node: int) -> int:
        """Return the number of steps from a node to the deepest visited node of its subtree."""
        level = np.array([node])
        depth = -1
        while level.size:
            numbers = self._nodes["child_count"][level].astype(np.int64)
            # The children of all nodes of a level, one node after another.
            begins = self._nodes["first_child"][level] - np.cumsum(numbers) + numbers
            level = np.unique(np.repeat(begins, numbers) + np.arange(numbers.sum()))
            level = level[self._nodes["visits"][level] > 0]
            depth = depth + 1
        return depth

    def reroot(self, node: int, state: Node, seed: int, /) -> None:
        """Make a node, whose state or half turn is *state*, the root; its subtree is kept."""
        kept = new_nodes(len(self._nodes))
        used = copy_subtree(self._nodes, node, kept)
        self._set_root(state, seed)
        self._prover.wasted[0] = 0
        self._nodes = kept
        self._counters[USED] = used


def _new_memory(rules: Rules) -> ThreadMemory:
    steps = rules.max_steps + 1
    return ThreadMemory(
        games=new_records(2, game_type(rules.board.width, rules.board.height)),
        path=np.zeros(steps, np.int32),
        path_keys=np.zeros((steps, 2), np.int64),
    )


def _new_prover(rules: Rules, memory: ThreadMemory, *, solver: bool) -> Prover:
    """Return the alpha-beta search inside a tree; without *solver* it is turned off."""
    cells = len(rules.board)
    is_small = cells <= SMALL_BOARD
    has_room = stack_size(rules, cells) <= MAX_ACTIONS
    effort = SMALL_EFFORT if is_small else PROOF_EFFORT
    return Prover(
        stack=new_stack(rules),
        entries=np.zeros((PROOF_BUCKETS, SLOTS, 2), np.int64),
        nodes_per_visit=effort if solver and has_room else 0,
        waste=float(MAX_VISITS) if is_small else PROOF_WASTE,
        wasted=np.zeros(1, np.int64),
        nodes_left=np.full(1, ANY_NODES),
        path_keys=memory.path_keys,
    )
