"""A search tree in arrays, whose simulations play games to their end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.batch.worker_pool import map_chunks
from pontedeldiavolo.players.player import never
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import Node

from .alpha_beta import ACTIONS_LEFT, PAUSE_ACTIONS, SLOTS, fits_stack, new_stack
from .rollout_kernels import (
    LOCK,
    MAX_SMALL_BOARD_CELLS,
    PROOF_DEPTH,
    PROOF_NODE_LIMIT,
    REMAINING,
    USED,
    WIN,
    Nodes,
    Prover,
    RootGame,
    Tree,
    copy_subtree,
    new_nodes,
    run_simulations,
)
from .search import SearchTree, StepStats

MIN_NODES: Final = 1 << 14
MAX_NODES: Final = 1 << 23
"""The maximum number of nodes of a tree, of 32 bytes each: 270 MB."""
MAX_VISITS: Final = (1 << 30) - 1
"""The maximum number of visits of a tree: rewards are counted in 32 bits, 2 for each win."""
CHUNK_SIMULATIONS: Final = 4096
"""The maximum number of simulations in a compiled call, which Ctrl-C cannot interrupt. A call also
ends when a proof pauses, see :data:`~.alpha_beta.PAUSE_ACTIONS`."""
CLOCK_SECONDS: Final = 0.005
"""The approximate time between two looks at the clock."""
MAX_GROWTH: Final = 2
"""Between two looks at the clock, the number of simulations grows at most by this factor."""
SMALL_BOARD_NODES_PER_VISIT: Final = 64
"""The nodes that alpha-beta searches for each visit of a node, on small boards."""
NODES_PER_VISIT: Final = 8
"""The same on other boards."""
MAX_VAIN_NODES_PER_SIMULATION: Final = 0.05
"""On other boards: if failed proofs have been allowed more nodes per simulation than this, only
likely proofs begin."""
ANY_NODES: Final = 1 << 60
MAX_NODES_PER_SECOND: Final = 200_000
"""A high speed of alpha-beta: a proof that even so would outlast the time left does not begin."""
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
        solver: Whether alpha-beta searches nodes late in the game; on large boards, only when few
            enough cells at the root are without tiles for its stack to suffice.
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
        # Whether the last simulations could expand every node that they wanted to.
        self._has_room = True
        self._solver = solver
        self._prover = _new_prover(node.rules, self._memories[0])
        self._set_root(node, seed)
        # Compile now, before any clock runs.
        self._simulate(0, NONE, 0)

    def _set_root(self, node: Node, seed: int) -> None:
        """Set the game with which each simulation begins."""
        self._root_game = RootGame(
            rows_of(node.rules, [node]), np.uint64(seed), 0, needs_unpacking=True
        )
        self._unpacked_threads: set[int] = set()
        can_prove = self._solver and fits_stack(self._prover.stack, node)
        nodes_per_visit = _nodes_per_visit(node.rules) if can_prove else 0
        self._prover = self._prover._replace(nodes_per_visit=nodes_per_visit)
        self._prover.proof[PROOF_DEPTH] = NONE

    # Simulations

    @property
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""
        return int(self._nodes[0]["visits"])

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = never) -> int:
        """Run a number of simulations, or fewer if more would be useless; return their number.

        Args:
            simulations: Their number; nodes that alpha-beta searches count as well. A last search
                may exceed it by a few nodes.
            code: The first step of every simulation; -1 for any.
            stop: Called every few thousand simulations, and in the pauses of proofs; a true result
                ends the search.
        """
        child = self._child(code)
        number = min(simulations, MAX_VISITS - self.visits)
        left = number
        while left > 0 and self._can_continue(child):
            done = self._run_chunk(left, child, left)
            left -= done
            if done and stop():
                break
        return number - left

    def _run_chunk(self, simulations: int, child: int, left_in_all: int) -> int:
        """Run some of a number of simulations and return how many; enlarge a full memory."""
        done = self._simulate(min(simulations, CHUNK_SIMULATIONS), child, left_in_all)
        if not self._has_room and len(self._nodes) < MAX_NODES and self._can_continue(child):
            self._enlarge()
        return done

    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = never) -> None:
        """Run simulations, at least one, until ``perf_counter`` reaches *end*.

        A proof pauses for each look at the clock and at *stop*. If the search then ends, the next
        one from the same root goes on with the proof; a new root drops it.
        """
        wanted = 1
        begin = perf_counter()
        done = self._run_within(wanted, code, 0)
        now = perf_counter()
        while now < end and self._can_continue(self._child(code)) and not stop():
            # Only what was done tells the speed: a pause may have ended the call early.
            speed = done / max(now - begin, CLOCK_SECONDS / 100)
            affordable = int(speed * min(CLOCK_SECONDS, end - now))
            wanted = max(1, min(affordable, MAX_GROWTH * wanted, CHUNK_SIMULATIONS))
            begin = now
            done = self._run_within(wanted, code, end - now)
            now = perf_counter()

    def _run_within(self, wanted: int, code: int, seconds: float) -> int:
        """Run a number of simulations, or fewer if a proof pauses; return the number of new visits.

        Nodes that alpha-beta searches count as simulations, but not as visits. Proofs begin only if
        this time may be enough for them.
        """
        child = self._child(code)
        visits_before = self.visits
        left = min(wanted, MAX_VISITS - visits_before)
        self._prover.nodes_left[0] = min(ANY_NODES, MAX_NODES_PER_SECOND * seconds)
        while left > 0 and self._can_continue(child):
            left -= self._run_chunk(left, child, ANY_NODES)
            if self._has_paused:
                break
        self._prover.nodes_left[0] = ANY_NODES
        return self.visits - visits_before

    @property
    def _has_paused(self) -> bool:
        """True if a proof has begun and is not over."""
        return bool(self._prover.proof[PROOF_DEPTH] != NONE)

    def _child(self, code: int) -> int:
        """Return the root's child with a code; -1 if there is none."""
        found = self.find([code])
        return NONE if found is None else found.node

    def _can_continue(self, node: int) -> bool:
        """Return whether more simulations through a node, or the root for -1, could be useful."""
        fields = self._nodes[max(node, 0)]
        return self.visits < MAX_VISITS and bool(fields["lower"] < fields["upper"])

    def _simulate(self, simulations: int, child: int, left_in_all: int) -> int:
        """Run simulations, but stop if the memory is full or a proof pauses; return their number.

        Args:
            simulations: Their number.
            child: The child of the root that all go through, or -1.
            left_in_all: The number of simulations that are left in all, which proofs may use up.
        """
        is_full_size = len(self._nodes) >= MAX_NODES
        left_for_later = left_in_all - simulations
        self._counters[REMAINING] = left_in_all
        self._prover.stack.counters[ACTIONS_LEFT] = PAUSE_ACTIONS
        self._has_room = True

        # One range may cover several threads. Only its first thread runs, and takes the simulations
        # of all of them from the shared counter.
        def work(thread: int, _end: int) -> None:
            memory = self._memories[thread]
            prover = self._prover._replace(path_keys=memory.path_keys)
            tree = Tree(self._nodes, memory.path, self._counters, prover)
            root_game = self._root_game._replace(
                thread=thread, needs_unpacking=thread not in self._unpacked_threads
            )
            has_room = run_simulations(
                self._tables,
                memory.games,
                tree,
                root_game,
                left_for_later,
                child,
                is_full_size,
                self._heuristic,
            )
            if not has_room:
                self._has_room = False
            self._unpacked_threads.add(thread)

        map_chunks(work, len(self._memories), len(self._memories))
        return left_in_all - int(self._counters[REMAINING])

    def _enlarge(self) -> None:
        """Double the memory for nodes."""
        nodes = new_nodes(2 * len(self._nodes))
        used = int(self._counters[USED])
        nodes[:used] = self._nodes[:used]
        self._nodes = nodes

    # Statistics

    def children(self, node: int = 0) -> Iterator[StepStats]:
        """Iterate over the steps from a node; there are none before it is expanded."""
        places = self._child_places(node)
        columns = [self._nodes[name][places].tolist() for name in COLUMNS]
        yield from map(StepStats, *columns, range(places.start, places.stop))

    def _child_places(self, node: int) -> slice:
        """Return the places of the children of a node."""
        first = int(self._nodes[node]["first_child"])
        return slice(first, first + int(self._nodes[node]["child_count"]))

    def find(self, codes: Iterable[int], node: int = 0) -> StepStats | None:
        """Return the statistics after one or more steps; ``None`` if they are not in the tree."""
        for code in codes:
            places = self._child_places(node)
            found = np.flatnonzero(self._nodes["code"][places] == code)
            if not found.size:
                return None
            node = places.start + int(found[0])
        fields = self._nodes[node]
        return StepStats._make([*(int(fields[name]) for name in COLUMNS), node])

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
        self._prover.nodes_allowed_in_vain[0] = 0
        self._nodes = kept
        self._counters[USED] = used


def _new_memory(rules: Rules) -> ThreadMemory:
    steps = rules.max_steps + 1
    return ThreadMemory(
        games=new_records(2, game_type(rules.board.width, rules.board.height)),
        path=np.zeros(steps, np.int32),
        path_keys=np.zeros((steps, 2), np.int64),
    )


def _is_small(rules: Rules) -> bool:
    return len(rules.board) <= MAX_SMALL_BOARD_CELLS


def _nodes_per_visit(rules: Rules) -> int:
    """Return the number of nodes that alpha-beta searches for each visit of a node."""
    return SMALL_BOARD_NODES_PER_VISIT if _is_small(rules) else NODES_PER_VISIT


def _new_prover(rules: Rules, memory: ThreadMemory) -> Prover:
    """Return the alpha-beta search inside a tree, turned off."""
    max_vain = float(MAX_VISITS) if _is_small(rules) else MAX_VAIN_NODES_PER_SIMULATION
    return Prover(
        stack=new_stack(rules),
        entries=np.zeros((PROOF_BUCKETS, SLOTS, 2), np.int64),
        nodes_per_visit=0,
        max_vain_per_simulation=max_vain,
        nodes_allowed_in_vain=np.zeros(1, np.int64),
        nodes_left=np.full(1, ANY_NODES),
        proof=np.full(PROOF_NODE_LIMIT + 1, NONE, np.int64),
        proof_path=np.zeros(len(memory.path), np.int32),
        path_keys=memory.path_keys,
    )
