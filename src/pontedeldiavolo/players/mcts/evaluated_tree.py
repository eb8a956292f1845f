"""A search tree whose leaves are evaluated by a function of the caller, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.players.player import never
from pontedeldiavolo.state.state import Node

from .batched_kernels import TERMINAL, TREE_NODE, USED_NODES, Float64s
from .batched_search import (
    EDGE_BYTES,
    MAX_EDGES,
    MAX_SIMULATIONS_PER_ROOT,
    SPARE_EDGES,
    BatchedSearch,
)
from .rollout_kernels import WIN
from .search import SearchTree, StepStats

Evaluate: TypeAlias = Callable[[GameBatch], tuple[npt.ArrayLike, npt.ArrayLike]]
"""A function from games to priors (n, codes) and values (n,) for the seat to move."""
LEAVES: Final = 8
"""The number of games in a batch, and the maximum number of leaves that are evaluated at once."""


def simulations_within(memory: int, cells: int) -> int:
    """Return the maximum number of simulations of a tree, at least one.

    Args:
        memory: The maximum number of bytes for the tree.
        cells: The number of cells of the board.
    """
    edges = cells + SPARE_EDGES
    nodes = min(memory // (2 * (TREE_NODE.itemsize + EDGE_BYTES * edges)), MAX_EDGES // edges)
    return min(max(nodes - LEAVES, 2) // 2, MAX_SIMULATIONS_PER_ROOT)


class EvaluatedTree(SearchTree):
    """A PUCT search tree: a batched search of a single game.

    Args:
        node: The root; the game must not be over.
        evaluate: The evaluation.
        exploration: The exploration constant of PUCT.
        memory: The maximum number of bytes for the tree.
    """

    def __init__(self, node: Node, *, evaluate: Evaluate, exploration: float, memory: int) -> None:
        self._evaluate = evaluate
        self._search = BatchedSearch(
            GameBatch.from_states([node]),
            simulations=simulations_within(memory, len(node.rules.board)),
            exploration=exploration,
            memory=memory,
            leaves_per_root=LEAVES,
        )
        self._forget_bounds()

    def _forget_bounds(self) -> None:
        """Let no node have bounds, except ends of the game."""
        self._lower: Float64s = np.zeros(0)
        self._upper: Float64s = np.zeros(0)
        self._rounds_without_evaluation = 0

    # Simulations

    @property
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""
        return int(self._search._trees.nodes[0]["visits"])

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = never) -> int:
        """Run a number of simulations, or fewer if more would be useless; return their number.

        Args:
            simulations: Their number; fewer are run if the memory is full, or if enough ends of the
                game are in the tree to prove the value of the root.
            code: The first step of every simulation; -1 for any.
            stop: Called after each batch; a true result ends the search.
        """
        begin = self.visits
        end = begin + simulations
        while self.visits < end and not self._is_over:
            self._evaluate_leaves(code, min(LEAVES, end - self.visits))
            if stop():
                break
        return self.visits - begin

    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = never) -> None:
        """Evaluate batches of leaves, at least one, until ``perf_counter`` reaches *end*."""
        if not self._is_over:
            self._evaluate_leaves(code, LEAVES)
        while perf_counter() < end and not self._is_over and not stop():
            self._evaluate_leaves(code, LEAVES)

    @property
    def _is_over(self) -> bool:
        """True if more simulations would be useless, or have no memory."""
        is_proven = self._lower.size > 0 and bool(self._lower[0] == self._upper[0])
        return is_proven or self._search.done

    def _evaluate_leaves(self, code: int, count: int) -> None:
        """Run at most *count* simulations that begin with a step, or with any step for -1.

        The batch has the same size for any number: for another one, a network may compile again.
        """
        leaves = self._search._leaves_of_round([code], count)
        if not self._search.needed.any():
            # The games of all leaves are over, so their values are known.
            self._search.backup(np.zeros((leaves.size, len(leaves.space))), np.zeros(leaves.size))
            self._rounds_without_evaluation += 1
            # This takes as long as many rounds, so it is done after 1, 2, 4, 8, … of them.
            if self._rounds_without_evaluation.bit_count() == 1:
                self._narrow_bounds()
            return
        result: object = self._evaluate(leaves)
        if not (isinstance(result, tuple | list) and len(result) == len(("priors", "values"))):
            kind = type(result).__name__
            raise TypeError(f"evaluate must return priors and values, not {kind}")
        self._search.backup(*result)

    def _narrow_bounds(self) -> None:
        """Find the proven bounds of all nodes: from the ends of the game to the root."""
        trees = self._search._trees
        nodes = trees.nodes[: trees.used[USED_NODES]]
        is_terminal = nodes["state"] == TERMINAL
        lower = np.where(is_terminal, nodes["value"], -1.0)
        upper = np.where(is_terminal, nodes["value"], 1.0)
        is_first = nodes["seat"] == 0
        has_unvisited = nodes["visited_count"] < nodes["edge_count"]
        levels = [*self._levels(0)]
        for level in reversed(levels[1:]):
            parents = nodes["parent"][level]
            # The bounds for the seat to move in the parent: at least a loss, before any child.
            least = np.full(len(nodes), -1.0)
            most = np.full(len(nodes), -1.0)
            is_for_first = is_first[parents]
            np.maximum.at(least, parents, np.where(is_for_first, lower[level], -upper[level]))
            np.maximum.at(most, parents, np.where(is_for_first, upper[level], -lower[level]))
            most[has_unvisited] = 1.0
            lower[parents] = np.where(is_for_first, least[parents], -most[parents])
            upper[parents] = np.where(is_for_first, most[parents], -least[parents])
        self._lower = lower
        self._upper = upper

    def _levels(self, node: int) -> Iterator[npt.NDArray[np.int64]]:
        """Iterate over the visited nodes of each depth below a node, which comes first."""
        trees = self._search._trees
        level = np.array([node])
        while level.size:
            yield level
            # Only the edges with a child, which come first: one node's edges after another's.
            numbers = trees.nodes["visited_count"][level].astype(np.int64)
            begins = trees.nodes["first_edge"][level] - np.cumsum(numbers) + numbers
            level = trees.children[np.repeat(begins, numbers) + np.arange(numbers.sum())]
            level = level[trees.nodes["visits"][level] > 0]

    # Statistics

    def children(self, node: int = 0) -> Iterator[StepStats]:
        """Iterate over the steps from a node, including those without visits."""
        trees = self._search._trees
        if node == NONE:
            return
        fields = trees.nodes[node]
        first = int(fields["first_edge"])
        first_unvisited = first + int(fields["visited_count"])
        sign = 1 - 2 * int(fields["seat"])
        for edge in range(first, first + int(fields["edge_count"])):
            step = StepStats(
                code=int(trees.codes[edge]), hint_count=1, hint_sum=float(trees.priors[edge])
            )
            yield step if edge >= first_unvisited else self._visited(step, edge, sign)

    def _visited(self, step: StepStats, edge: int, sign: int) -> StepStats:
        """Return the statistics of a step with those of its child; *sign* is that of the parent."""
        child = int(self._search._trees.children[edge])
        fields = self._search._trees.nodes[child]
        visits = int(fields["visits"])
        lower = 0
        upper = WIN
        if fields["state"] == TERMINAL:
            # The value of a game that is over is proven.
            lower = int(sign * fields["value"]) + 1
            upper = lower
        elif child < len(self._lower):
            bounds = sign * self._lower[child], sign * self._upper[child]
            lower = int(min(bounds)) + 1
            upper = int(max(bounds)) + 1
        return step._replace(
            visits=visits,
            # Values from -1 to 1 become rewards from 0 to 2.
            total_reward=visits + float(sign * fields["total"]),
            lower=lower,
            upper=upper,
            node=child,
        )

    def find(self, codes: Iterable[int], node: int = 0) -> StepStats | None:
        """Return the statistics after one or more steps; ``None`` if they are not in the tree."""
        found = None
        for code in codes:
            found = next((each for each in self.children(node) if each.code == code), None)
            if found is None or found.node == NONE:
                return None
            node = found.node
        return found

    def depth(self, node: int) -> int:
        """Return the number of steps from a node to the deepest one below it."""
        return sum(1 for _ in self._levels(node)) - 1

    def reroot(self, node: int, _state: Node, _seed: int, /) -> None:
        """Make a node the root, and keep its subtree; nothing in this tree is random."""
        nodes = self._search._trees.nodes
        codes: list[int] = []
        while node:
            parent = int(nodes[node]["parent"])
            codes += [each.code for each in self.children(parent) if each.node == node]
            node = parent
        for code in reversed(codes):
            self._search.advance([code])
        # The nodes have other numbers.
        self._forget_bounds()
