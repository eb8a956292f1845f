"""A search tree whose leaves are evaluated by a function of the caller, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import perf_counter
from typing import Final, TypeAlias

import numpy.typing as npt

from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.state.state import Node

from .batched_kernels import TERMINAL, TREE_NODE
from .batched_search import EDGE_BYTES, MAX_SIMULATIONS, OTHER_STEPS, BatchedSearch
from .rollout_kernels import WIN
from .search import SearchTree, StepStats

Evaluate: TypeAlias = Callable[[GameBatch], tuple[npt.ArrayLike, npt.ArrayLike]]
"""A function from games to priors (n, codes) and values (n,) for the seat to move."""
LEAVES: Final = 8
"""The number of leaves that are evaluated at once."""


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
        edges = len(node.rules.board) + OTHER_STEPS
        nodes = memory // (2 * (TREE_NODE.itemsize + EDGE_BYTES * edges))
        self._search = BatchedSearch(
            GameBatch.from_states([node]),
            simulations=min(max(nodes - LEAVES, 2) // 2, MAX_SIMULATIONS),
            exploration=exploration,
            memory=memory,
            leaves_per_root=LEAVES,
        )

    # Simulations

    @property
    def visits(self) -> int:
        """The visit count of the root, including simulations of earlier turns."""
        return int(self._search._trees.nodes[0]["visits"])

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = bool) -> int:
        """Run simulations, and a few more to fill the last batch; return their number.

        Args:
            simulations: Their number; fewer are run if the memory is full.
            code: The first step of every simulation; -1 for any.
            stop: Called after each batch; a true result ends the search.
        """
        begin = self.visits
        while self.visits < begin + simulations and not self._search.done:
            self._evaluate_leaves(code)
            if stop():
                break
        return self.visits - begin

    def run_until(self, end: float, code: int = NONE, stop: Callable[[], bool] = bool) -> None:
        """Evaluate batches of leaves, at least one, until ``perf_counter`` reaches *end*."""
        if not self._search.done:
            self._evaluate_leaves(code)
        while perf_counter() < end and not self._search.done and not stop():
            self._evaluate_leaves(code)

    def _evaluate_leaves(self, code: int) -> None:
        """Run a batch of simulations that begin with a step, or with any step for -1."""
        result: object = self._evaluate(self._search.leaves([code]))
        if not (isinstance(result, tuple | list) and len(result) == len(("priors", "values"))):
            kind = type(result).__name__
            raise TypeError(f"evaluate must return priors and values, not {kind}")
        self._search.backup(*result)

    # Statistics

    def children(self, node: int = 0) -> Iterator[StepStats]:
        """Iterate over the steps from a node, also those without visits."""
        trees = self._search._trees
        if node == NONE:
            return
        fields = trees.nodes[node]
        first = int(fields["first_edge"])
        first_unvisited = first + int(fields["visited"])
        sign = 1 - 2 * int(fields["seat"])
        for edge in range(first, first + int(fields["edges"])):
            step = StepStats(
                code=int(trees.codes[edge]), hints=1, total_hint=float(trees.priors[edge])
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

    def refute(self, _codes: Iterable[int], /) -> None:
        """Do nothing: without a solver, nothing is refuted outside of the tree."""

    def depth(self, node: int) -> int:
        """Return the number of steps from a node to the deepest one below it."""
        depth = -1
        level = [node]
        while level:
            children = (each for number in level for each in self.children(number))
            level = [each.node for each in children if each.visits]
            depth += 1
        return depth

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
