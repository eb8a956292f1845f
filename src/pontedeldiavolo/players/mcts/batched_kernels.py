"""Compiled PUCT search of many trees at once: selection, expansion and backup.

The formula of PUCT is from D. Silver et al., *A general reinforcement learning algorithm that
masters chess, shogi, and Go through self-play*, Science 362 (2018). Values are for the first seat:
a node applies the sign of its seat to move, because seats need not alternate.
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.batch_ops import GameArray, pack_step, unpack_row
from pontedeldiavolo.batch.kernels.encoding import list_steps
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.kernels.steps import (
    owner,
    points,
    seat_to_move,
    step,
    winner,
)
from pontedeldiavolo.batch.rows import NONE, OVER, Rows

TREE_NODE = np.dtype(
    [
        ("total", "f8"),  # the sum of all values that were backed up
        ("value", "f8"),  # the evaluation of the node itself
        ("visits", "i4"),
        ("parent", "i4"),
        ("first_edge", "i4"),
        ("edge_count", "i4"),
        ("visited_count", "i4"),  # the number of edges with a child, which come first
        ("seat", "i2"),  # the seat to move
        ("state", "i2"),
    ]
)
"""A node."""
NEW = 0
PENDING = 1
EXPANDED = 2
TERMINAL = 3
"""The states of a node: not evaluated, waiting for its evaluation, with edges, end of a game."""
USED_NODES = 0
USED_EDGES = 1
"""Indices in :attr:`Trees.used`."""
EXPLORATION_BASE = 19652.0
"""The number of visits at which exploration grows: c_base in the paper."""

Int32s = npt.NDArray[np.int32]
Float64s = npt.NDArray[np.float64]
Float32s = npt.NDArray[np.float32]
Marks = npt.NDArray[np.bool_]


class Trees(NamedTuple):
    """Trees in shared arrays.

    A node's edges are in this order: the edges with a child, then the edge with the highest prior
    among those without a child, then the rest.
    """

    nodes: npt.NDArray[np.void]
    priors: Float32s
    """The prior of each edge."""
    codes: npt.NDArray[np.uint16]
    """The code of the step of each edge."""
    children: Int32s
    """The node that each edge leads to, if it is visited."""
    roots: Int32s
    """The root of each tree, or -1."""
    used: npt.NDArray[np.int64]
    """The numbers of nodes and edges in use."""


@njit_inline
def seat_sign(seat: int) -> float:
    """Return 1 for the first seat and -1 for the second."""
    return 1.0 - 2.0 * seat


@njit_internal
def add_node(table: np.record, game: np.record, trees: Trees, parent: int) -> int:
    """Add a node for a game; return its number."""
    index = int(trees.used[USED_NODES])
    trees.used[USED_NODES] += 1
    node = trees.nodes[index]
    node.total = 0.0
    node.value = 0.0
    node.visits = 0
    node.first_edge = 0
    node.edge_count = 0
    node.visited_count = 0
    node.parent = parent
    node.seat = seat_to_move(game)
    node.state = NEW
    if game.phase == OVER:
        node.state = TERMINAL
        white = points(table, game, WHITE)
        red = points(table, game, RED)
        seat = owner(game, winner(table, game, white, red))
        node.value = 0.0 if seat == NONE else seat_sign(seat)
    return index


@njit_cached
def add_roots(tables: GameArray, games: GameArray, rows: Rows, trees: Trees) -> None:
    """Unpack the games of all roots, and add the roots that are missing."""
    table = tables[0]
    for row in range(len(trees.roots)):
        unpack_row(table, games[row], rows, row)
        if trees.roots[row] == NONE:
            trees.roots[row] = add_node(table, games[row], trees, NONE)


@njit_internal
def add_edges(table: np.record, game: np.record, trees: Trees, leaf: int) -> None:
    """Mark a leaf as pending; add an edge for each legal step, if the memory suffices."""
    trees.nodes[leaf].state = PENDING
    first = int(trees.used[USED_EDGES])
    end = list_steps(table, game, trees.codes, first)
    if end != NONE:
        trees.nodes[leaf].first_edge = first
        trees.nodes[leaf].edge_count = end - first
        trees.used[USED_EDGES] = end


@njit_inline
def swap_edges(trees: Trees, a: int, b: int) -> None:
    """Swap two edges without children."""
    trees.codes[a], trees.codes[b] = trees.codes[b], trees.codes[a]
    trees.priors[a], trees.priors[b] = trees.priors[b], trees.priors[a]


@njit_inline
def bring_forward(trees: Trees, parent: int) -> None:
    """Make the edge with the highest prior the first of the edges without a child.

    Among equal edges the lowest code wins, here and in :func:`select_edge`.
    """
    begin = trees.nodes[parent].first_edge + trees.nodes[parent].visited_count
    best = begin
    for edge in range(begin + 1, trees.nodes[parent].first_edge + trees.nodes[parent].edge_count):
        prior = trees.priors[edge]
        highest = trees.priors[best]
        if prior > highest or (prior == highest and trees.codes[edge] < trees.codes[best]):
            best = edge
    if best != begin:
        swap_edges(trees, begin, best)


@njit_inline
def select_edge(trees: Trees, parent: int, exploration: float) -> int:
    """Select the edge with the highest PUCT value.

    *N* is the visit count of the node. For an edge, *n* is the visit count, *P* the prior and *Q*
    the mean value for the seat to move, which is 0 before the first visit::

        c     = ln((N + 1 + c_base) / c_base) + exploration
        value = Q + c * P * sqrt(N) / (1 + n)
    """
    node = trees.nodes[parent]
    sign = seat_sign(node.seat)
    first = node.first_edge
    bonus = log((node.visits + 1.0 + EXPLORATION_BASE) / EXPLORATION_BASE) + exploration
    bonus *= sqrt(np.float64(node.visits))
    best = NONE
    highest = -np.inf
    for edge in range(first, first + min(node.visited_count + 1, node.edge_count)):
        value = 0.0
        visits = 0
        if edge < first + node.visited_count:
            child = trees.nodes[trees.children[edge]]
            visits = child.visits
            value = sign * child.total / max(visits, 1)
        value += bonus * trees.priors[edge] / (1.0 + visits)
        if value > highest or (value == highest and trees.codes[edge] < trees.codes[best]):
            best = edge
            highest = value
    return best


@njit_internal
def find_edge(trees: Trees, parent: int, code: int) -> int:
    """Return the edge of a node with a step, moved before all others without a child; or -1."""
    first = trees.nodes[parent].first_edge
    visited_count = trees.nodes[parent].visited_count
    for edge in range(first, first + trees.nodes[parent].edge_count):
        if trees.codes[edge] == code:
            if edge <= first + visited_count:
                return edge
            swap_edges(trees, first + visited_count, edge)
            return first + visited_count
    return NONE


@njit_cached
def select_leaves(
    tables: GameArray,
    games: GameArray,
    trees: Trees,
    forced: npt.NDArray[np.int64],
    exploration: float,
    leaves_per_root: int,
    after: Rows,
    leaves: Int32s,
    needed: Marks,
) -> None:
    """Select leaves in each tree.

    Args:
        tables: The tables of the board.
        games: The games of the roots, and memory for one more.
        trees: The trees.
        forced: The first step towards each leaf, or -1.
        exploration: The exploration constant of PUCT.
        leaves_per_root: The number of leaves for each tree.
        after: The rows of the roots, each repeated *leaves_per_root* times; they become the leaves.
        leaves: Output: the leaves, -1 for one that has been selected before.
        needed: Output: whether the leaf needs an evaluation.
    """
    table = tables[0]
    game = games[len(trees.roots)]
    for row in range(len(leaves)):
        games[len(trees.roots)] = games[row // leaves_per_root]
        leaf = int(trees.roots[row // leaves_per_root])
        code = int(forced[row])
        while trees.nodes[leaf].state == EXPANDED:
            if code != NONE:
                edge = find_edge(trees, leaf, code)
            else:
                edge = select_edge(trees, leaf, exploration)
            leaf = play_edge(table, game, trees, after, row, leaf, edge)
            code = NONE
        needed[row] = trees.nodes[leaf].state == NEW
        leaves[row] = NONE if trees.nodes[leaf].state == PENDING else leaf
        if needed[row]:
            add_edges(table, game, trees, leaf)
        if leaves_per_root > 1 and leaves[row] != NONE:
            add_virtual_loss(trees, leaf, 1)


@njit_internal
def play_edge(
    table: np.record, game: np.record, trees: Trees, after: Rows, row: int, parent: int, edge: int
) -> int:
    """Play the step of an edge; return its child, which is created if necessary."""
    code = int(trees.codes[edge])
    first = game.placed_tile
    step(table, game, code)
    pack_step(table, game, after, row, code, first)
    if edge == trees.nodes[parent].first_edge + trees.nodes[parent].visited_count:
        trees.children[edge] = add_node(table, game, trees, parent)
        trees.nodes[parent].visited_count += 1
        bring_forward(trees, parent)
    return int(trees.children[edge])


@njit_internal
def add_virtual_loss(trees: Trees, leaf: int, visits: int) -> None:
    """Add virtual losses to the nodes on the path to a leaf, or with -1 remove them."""
    index = leaf
    while index != NONE:
        parent = trees.nodes[index].parent
        trees.nodes[index].visits += visits
        if parent != NONE:
            trees.nodes[index].total -= visits * seat_sign(trees.nodes[parent].seat)
        index = parent


@njit_internal
def set_priors(trees: Trees, leaf: int, priors: Float32s, row: int) -> bool:
    """Set the priors of a leaf's edges, normalised to sum 1; return whether they are valid."""
    first = trees.nodes[leaf].first_edge
    edge_count = trees.nodes[leaf].edge_count
    total = 0.0
    for edge in range(first, first + edge_count):
        prior = np.float64(priors[row, trees.codes[edge]])
        total += prior if prior >= 0.0 else np.nan
    if not 0.0 < total < np.inf:
        return edge_count == 0
    scale = 1.0 / total
    for edge in range(first, first + edge_count):
        trees.priors[edge] = priors[row, trees.codes[edge]] * scale
    return True


@njit_cached
def backup_leaves(
    trees: Trees, leaves: Int32s, needed: Marks, priors: Float32s, values: Float64s
) -> int:
    """Expand leaves and back up their values; return the first row with bad priors, or -1."""
    for row in range(len(leaves)):
        if needed[row] and not set_priors(trees, leaves[row], priors, row):
            return row
    for row in range(len(leaves)):
        index = int(leaves[row])
        if index == NONE:
            continue
        leaf = trees.nodes[index]
        if needed[row]:
            leaf.value = values[row] * seat_sign(leaf.seat)
            leaf.state = EXPANDED if leaf.edge_count > 0 else NEW
            bring_forward(trees, index)
        if len(leaves) > len(trees.roots):
            add_virtual_loss(trees, index, -1)
        value = leaf.value
        while index != NONE:
            trees.nodes[index].visits += 1
            trees.nodes[index].total += value
            index = int(trees.nodes[index].parent)
    return NONE


@njit_cached
def mix_noise(trees: Trees, which: Marks, noise: Float64s, weight: float) -> None:
    """Mix noise, one number for each edge, into the priors of some roots."""
    begin = 0
    for row in range(len(which)):
        if which[row]:
            node = trees.nodes[trees.roots[row]]
            total = 0.0
            for index in range(node.edge_count):
                total += noise[begin + index]
            for index in range(node.edge_count):
                edge = node.first_edge + index
                share = noise[begin + index] / max(total, 1e-300)
                trees.priors[edge] = (1.0 - weight) * trees.priors[edge] + weight * share
            bring_forward(trees, trees.roots[row])
            begin += node.edge_count


@njit_cached
def read_roots(trees: Trees, visits: Int32s, priors: Float32s, values: Float32s) -> None:
    """Write the visits, priors and mean values (for the seat to move) of each root's edges."""
    for row in range(len(trees.roots)):
        node = trees.nodes[trees.roots[row]]
        # The edges of a root whose evaluation is pending have no priors yet.
        edge_count = node.edge_count if node.state == EXPANDED else 0
        for edge in range(node.first_edge, node.first_edge + edge_count):
            code = trees.codes[edge]
            priors[row, code] = trees.priors[edge]
            if edge < node.first_edge + node.visited_count:
                child = trees.nodes[trees.children[edge]]
                visits[row, code] = child.visits
                values[row, code] = seat_sign(node.seat) * child.total / max(child.visits, 1)


@njit_cached
def keep_subtrees(old: Trees, codes: npt.NDArray[np.int64], limit: int, kept: Trees) -> None:
    """Copy the subtree after a step from each root, breadth first, up to *limit* nodes."""
    for row in range(len(codes)):
        root = int(old.roots[row])
        if old.nodes[root].state != TERMINAL:
            edge = find_edge(old, root, codes[row])
            beyond = old.nodes[root].first_edge + old.nodes[root].visited_count
            root = int(old.children[edge]) if NONE < edge < beyond else NONE
        kept.roots[row] = NONE if root == NONE else copy_tree(old, root, limit, kept)


@njit_internal
def copy_tree(old: Trees, root: int, limit: int, kept: Trees) -> int:
    """Copy a subtree breadth first; return its root. A node beyond the limit loses its edges."""
    begin = int(kept.used[USED_NODES])
    copied = begin
    kept.nodes[begin] = old.nodes[root]
    kept.nodes[begin].parent = NONE
    end = begin + 1
    while copied < end:
        node = kept.nodes[copied]
        first = node.first_edge
        first_kept_edge = int(kept.used[USED_EDGES])
        has_nodes = end - begin + node.visited_count <= limit
        has_edges = first_kept_edge + node.edge_count <= len(kept.codes)
        if not (has_nodes and has_edges):
            node.edge_count = 0
            node.visited_count = 0
            node.state = NEW if node.state == EXPANDED else node.state
        for index in range(node.edge_count):
            kept.priors[first_kept_edge + index] = old.priors[first + index]
            kept.codes[first_kept_edge + index] = old.codes[first + index]
        for index in range(node.visited_count):
            kept.nodes[end] = old.nodes[old.children[first + index]]
            kept.nodes[end].parent = copied
            kept.children[first_kept_edge + index] = end
            end += 1
        node.first_edge = first_kept_edge
        kept.used[USED_EDGES] += node.edge_count
        copied += 1
    kept.used[USED_NODES] = end
    return begin
