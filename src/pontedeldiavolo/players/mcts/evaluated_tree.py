"""A search tree whose leaves are evaluated by a function of the caller, several at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

import numpy.typing as npt

from pontedeldiavolo.batch.game_batch import GameBatch
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.state.state import Node

from .batched_kernels import TERMINAL, TREE_NODE
from .batched_search import EDGE_BYTES, MAX_SIMULATIONS, OTHER_STEPS, BatchedSearch
from .proofs import WIN
from .search import ChildStats, TreeSearch

Evaluate: TypeAlias = Callable[[GameBatch], tuple[npt.ArrayLike, npt.ArrayLike]]
"""A function from games to priors (n, codes) and values (n,) for the seat to move."""
LEAVES: Final = 8
"""The number of leaves that are evaluated at once."""


class EvaluatedTree(TreeSearch):
    """A PUCT search tree.

    Args:
        node: The root; the game must not be over.
        evaluate: The evaluation.
        exploration: The exploration constant of PUCT.
        memory: The maximum number of bytes for the tree.
    """

    def __init__(
        self, node: Node, _seed: int, *, evaluate: Evaluate, exploration: float, memory: int
    ) -> None:
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

    @property
    def visits(self) -> int:
        """The visit count of the root."""
        return int(self._search._trees.nodes[0]["visits"])

    def run(self, simulations: int, code: int = NONE, stop: Callable[[], bool] = bool) -> None:
        """Run simulations, and a few more to fill the last batch.

        Args:
            simulations: Their number; fewer are run if the memory is full.
            code: The step with which all begin; -1 for any.
            stop: Called after each batch; a true result ends the search.
        """
        end = self.visits + simulations
        while self.visits < end and not self._search.done:
            result: object = self._evaluate(self._search.leaves([code]))
            if not (isinstance(result, tuple | list) and len(result) == len(("priors", "values"))):
                kind = type(result).__name__
                raise TypeError(f"evaluate must return priors and values, not {kind}")
            self._search.backup(*result)
            if stop():
                return

    def _can_continue(self, node: int) -> bool:
        del node  # none is proven
        return not self._search.done

    def _limit_proofs(self, seconds: float) -> None:
        """Do nothing: there is no alpha-beta."""

    def children(self, node: int = 0) -> Iterator[ChildStats]:
        """Iterate over the children of a node, also those without visits."""
        trees = self._search._trees
        fields = trees.nodes[node]
        first, edges, visited = (int(fields[name]) for name in ("first_edge", "edges", "visited"))
        sign = 1 - 2 * int(fields["seat"])
        for edge in range(first, first + edges * (node != NONE)):
            child = NONE
            visits = 0
            total = 0.0
            lower = 0
            upper = WIN
            if edge < first + visited:
                child = int(trees.children[edge])
                fields = trees.nodes[child]
                visits = int(fields["visits"])
                total = float(sign * fields["total"])
                if fields["state"] == TERMINAL:
                    lower = int(sign * fields["value"]) + 1
                    upper = lower
            # The prior takes the place of the AMAF mean.
            statistics = visits, visits + total, 1, float(trees.priors[edge])
            yield ChildStats(int(trees.codes[edge]), *statistics, lower, upper, child)

    def find(self, codes: Iterable[int], node: int = 0) -> ChildStats | None:
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
        below = [1 + self.depth(each.node) for each in self.children(node) if each.visits]
        return max(below, default=0)

    def reroot(self, node: int, state: Node, seed: int) -> None:
        """Make a node the root; its subtree is kept."""
        del state, seed  # nothing is sampled
        nodes = self._search._trees.nodes
        codes = []
        while node:
            parent = int(nodes[node]["parent"])
            codes += [each.code for each in self.children(parent) if each.node == node]
            node = parent
        for code in reversed(codes):
            self._search.advance([code])
