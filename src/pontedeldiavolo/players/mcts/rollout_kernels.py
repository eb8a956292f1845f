"""Compiled tree search: simulations, and the nodes, values, proofs and rollouts that they need.

A simulation is selection, expansion, rollout and backpropagation: :func:`descend` with
:func:`best_child` and :func:`expand_node`, :func:`heuristic_playout`, :func:`backpropagate`. On
its way it proves values where it can (:func:`prove_node`, :func:`narrow_by_stored`). Several
threads can share a tree: one at a time works on it, while the others play rollouts.

- UCT: L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006.
- RAVE: S. Gelly, D. Silver, *Monte-Carlo tree search and rapid action value estimation in computer
  Go*, Artificial Intelligence 175 (2011).
- MCTS-Solver: M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo tree search solver*, CG 2008;
  with draws: T. Cazenave, A. Saffidine, *Score bounded Monte-Carlo tree search*, CG 2010.
- Transpositions: B. Childs, J. Brodeur, L. Kocsis, *Transpositions and move groups in Monte Carlo
  tree search*, CIG 2008.
- Threads: G. Chaslot, M. Winands, H. J. van den Herik, *Parallel Monte-Carlo tree search*, CG 2008
  (tree parallelisation with a global mutex and virtual loss).
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels import cells, playouts, steps
from pontedeldiavolo.batch.kernels.batch_ops import GameArray, unpack_row
from pontedeldiavolo.batch.kernels.counters import (
    Counters,
    atomic_load,
    atomic_store,
    fetch_min,
    give_way,
    pause,
)
from pontedeldiavolo.batch.kernels.encoding import list_steps
from pontedeldiavolo.batch.kernels.game import (
    FOURTH_OF,
    OPEN_OF,
    RED,
    SCRATCH,
    TILES_OF,
    WHITE,
)
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.rows import (
    NONE,
    OPENING,
    OVER,
    Rows,
)

from .alpha_beta import (
    NO,
    NODES_SEARCHED,
    RESUME_DEPTH,
    UNKNOWN,
    YES,
    Int64s,
    Stack,
    area_for_islands,
    hash_root,
    probe,
    store,
    value_bounds,
)
from .alpha_beta import search as alpha_beta

# Nodes

NODE = np.dtype(
    [
        ("code", "i4"),  # the step that leads here
        ("seat", "i1"),  # the seat that takes this step
        ("color", "i1"),
        ("lower", "i1"),  # proven bounds of the reward
        ("upper", "i1"),
        ("visits", "i4"),
        ("total_reward", "i4"),
        ("amaf_visits", "i4"),  # simulations in which the step was played now or later
        ("amaf_reward", "i4"),
        ("first_child", "i4"),
        ("child_count", "i4"),
    ]
)
"""A node. Rewards are in halves of a win, for the seat whose step leads to the node."""
Nodes = npt.NDArray[np.void]
NodePath = npt.NDArray[np.int32]
WIN = 2
DRAW = 1
"""Rewards, in halves of a win."""
MOVED = -1
"""A mark in place of the number of children of the first of several siblings.

It is set when they are moved; ``first_child`` is then their new index.
"""
EXPAND_AFTER_VISITS = 8
"""Expansion threshold: visits before a leaf gets children."""
PROVE_AFTER_VISITS = 8
"""Visits before alpha-beta searches a node for the first time; a power of two."""
MAX_SMALL_BOARD_CELLS = 20
"""The maximum number of cells of a board that can be solved from nearly the beginning."""


def new_nodes(number: int) -> Nodes:
    """Return *number* nodes of zeros."""
    found = np.zeros(number, NODE)
    # Uncompiled code reads the fields of a record as attributes.
    return cast(Nodes, found.view(np.recarray)) if JIT_DISABLED else found


# Expansion


@njit_internal
def expand_node(table: np.record, game: np.record, nodes: Nodes, parent: int, used: int) -> int:
    """Add a child for each legal step; return the new number of nodes, or -1 if memory is full."""
    # The codes of the steps go to the places from `used` to `end`, or `end` is -1.
    end = list_steps(table, game, nodes["code"], used)
    if end != NONE:
        nodes[parent].first_child = used
        nodes[parent].child_count = end - used
    seat = steps.seat_to_move(game)
    color = game.to_move
    for index in range(used, end):
        node = nodes[index]
        node.seat = seat
        node.color = color
        node.visits = 0
        node.total_reward = 0
        node.amaf_visits = 0
        node.amaf_reward = 0
        node.first_child = 0
        node.child_count = 0
        node.lower = 0
        node.upper = WIN
    return end


@njit_internal
def link_transposition(nodes: Nodes, path: NodePath, depth: int) -> None:
    """Let the node of a second tile share the children of the same two tiles in the other order.

    Both nodes keep separate statistics.
    """
    node = nodes[path[depth]]
    first = nodes[path[depth - 1]]
    twin = path[depth - 2]
    for code in (node.code, first.code):
        parent = nodes[twin]
        twin = NONE
        for child in range(parent.first_child, parent.first_child + parent.child_count):
            if nodes[child].code == code:
                twin = child
        if twin == NONE:
            return
    node.first_child = nodes[twin].first_child
    node.child_count = nodes[twin].child_count
    narrow_bounds(node, nodes[twin].lower, nodes[twin].upper)


@njit_inline
def link_or_expand(table: np.record, game: np.record, tree: Tree, depth: int) -> int:
    """Give the last node of a path its children; return the new number of nodes, or -1."""
    nodes = tree.nodes
    path = tree.path
    used = tree.counters[USED]
    leaf = path[depth]
    if depth > 1 and nodes[path[depth - 1]].seat == nodes[leaf].seat:
        link_transposition(nodes, path, depth)
    return used if nodes[leaf].child_count > 0 else expand_node(table, game, nodes, leaf, used)


# Selection

# Compiled code contains the values of these constants. To try another value, edit the source, or
# set it before the first search of a process: later, a new value changes nothing.

RAVE_EQUIVALENCE = 300.0
"""*k* of RAVE: after this many visits, the mean reward counts as much as the AMAF mean."""
UCT_EXPLORATION = 0.15
SMALL_UCT_EXPLORATION = 0.3
"""Exploration constants *c* of UCT, for rewards from 0 to 2; the second is for small boards."""


@njit_inline
def uct_rave_value(node: np.record, exploration_of_parent: float) -> float:
    """Return the UCT-RAVE value of a child, on rewards from 0 (loss) to 2 (win).

    *n* is the visit count, *Q* the mean reward, *Q'* the AMAF mean (with one draw added as a
    prior), *N* the visit count of the parent, and *k* = :data:`RAVE_EQUIVALENCE`::

        beta  = k / (k + n)
        value = (1 - beta) * Q + beta * Q' + c * sqrt(ln(N + 1)) / sqrt(n + 1)

    *Q* is at least the proven lower bound, and at most the upper one.

    Args:
        node: The child.
        exploration_of_parent: ``c * sqrt(ln(N + 1))``, which all children share.
    """
    amaf = (node.amaf_reward + DRAW) / (node.amaf_visits + 1.0)
    if node.visits == 0:
        return amaf + exploration_of_parent
    mean = node.total_reward / np.float64(node.visits)
    if node.lower > 0 or node.upper < WIN:
        mean = min(max(mean, node.lower), node.upper)
    # Colours and passes have no AMAF statistics.
    beta = RAVE_EQUIVALENCE / (RAVE_EQUIVALENCE + node.visits) if node.amaf_visits > 0 else 0.0
    return mean + beta * (amaf - mean) + exploration_of_parent / sqrt(node.visits + 1.0)


@njit_internal
def best_child(table: np.record, nodes: Nodes, parent: int) -> int:
    """Select the child with the highest UCT-RAVE value.

    Children that cannot exceed the parent's proven value are skipped; return -1 if all are.
    """
    first = nodes[parent].first_child
    is_mover = nodes[parent].seat == nodes[first].seat
    proven = nodes[parent].lower if is_mover else WIN - nodes[parent].upper
    constant = SMALL_UCT_EXPLORATION if table.cells <= MAX_SMALL_BOARD_CELLS else UCT_EXPLORATION
    exploration_of_parent = constant * sqrt(log(nodes[parent].visits + 1.0))
    found = NONE
    highest = -1.0
    for child in range(first, first + nodes[parent].child_count):
        if nodes[child].upper > proven:
            value = uct_rave_value(nodes[child], exploration_of_parent)
            if value > highest:
                found = child
                highest = value
    return found


# Proofs: by alpha-beta, by points, and by those of equal positions and of children

OPEN_CELLS_PER_DOUBLING = 3
"""Alpha-beta may search *n* nodes if there are at most this times log2(*n*) open cells."""
LIKELY_CELLS_PER_DOUBLING = 1.2
"""The same once too many nodes were allowed in vain: half of the proofs then succeed."""
LOG_2 = log(2)
GOALS = 2
"""The number of goals of alpha-beta: a draw and a win for white."""
PROOF_DEPTH = 0
PROOF_GOAL = 1
PROOF_ALLOWED_NODES = 2
PROOF_NODE_LIMIT = 3
"""The numbers of a proof that has begun: the depth of its node on the path, or -1 if there is no
such proof; its goal; the number of nodes it may search; and the count of :data:`NODES_SEARCHED`
at which they are used up."""


class Prover(NamedTuple):
    """The alpha-beta search inside a tree search."""

    stack: Stack
    entries: Int64s
    nodes_per_visit: int
    """The number of nodes that it searches for each visit of a tree node; 0 turns it off."""
    max_vain_per_simulation: float
    """If failed proofs have been allowed more nodes per simulation than this, only likely proofs
    begin."""
    nodes_allowed_in_vain: Int64s
    """(1,): the number of nodes that failed proofs have been allowed, not all of them used."""
    nodes_left: Int64s
    """(1,): the number of nodes that there is time for."""
    proof: Int64s
    """(4,): see :data:`PROOF_DEPTH`."""
    proof_path: NodePath
    """The nodes from the root to the node of the proof."""
    path_keys: Int64s
    """(depths, 2): the keys of the positions on a path; 0 for those that are not looked up."""


@njit_inline
def narrow_bounds(node: np.record, lower: int, upper: int) -> bool:
    """Narrow the bounds of a node; return whether they have changed."""
    changed = lower > node.lower or upper < node.upper
    node.lower = max(lower, node.lower)
    node.upper = min(upper, node.upper)
    return changed


@njit_inline
def is_proven(node: np.record) -> bool:
    """Return whether the exact value of a node is known."""
    return bool(node.lower == node.upper)


@njit_internal
def narrow_by_children(nodes: Nodes, parent: int) -> bool:
    """Narrow the bounds of a node by those of its children; return whether they have changed."""
    first = nodes[parent].first_child
    lower = 0
    upper = 0
    for child in range(first, first + nodes[parent].child_count):
        lower = max(lower, nodes[child].lower)
        upper = max(upper, nodes[child].upper)
    if nodes[parent].seat != nodes[first].seat:
        lower, upper = WIN - upper, WIN - lower
    return narrow_bounds(nodes[parent], lower, upper)


@njit_inline
def max_proof_nodes(node: np.record, tree: Tree) -> int:
    """Return the number of nodes that alpha-beta may search below a node of the tree."""
    allowed = tree.prover.nodes_per_visit * np.int64(node.visits)
    return max(0, min(allowed, tree.prover.nodes_left[0], tree.counters[REMAINING]))


@njit_inline
def is_proof_due(game: np.record, node: np.record, tree: Tree) -> bool:
    """Return whether alpha-beta searches a node: at 8, 16, 32, … visits, late in the game."""
    prover = tree.prover
    if prover.nodes_per_visit == 0:
        return False
    if node.visits < PROVE_AFTER_VISITS or node.visits & (node.visits - 1) != 0:
        return False
    if game.placed_tile != NONE or game.to_move == NONE or game.phase == OPENING:
        return False
    simulations = tree.nodes[ROOT_NODE].visits
    is_in_vain = prover.nodes_allowed_in_vain[0] > prover.max_vain_per_simulation * simulations
    factor = LIKELY_CELLS_PER_DOUBLING if is_in_vain else OPEN_CELLS_PER_DOUBLING
    white = cells.count_on_board(game, OPEN_OF + WHITE)
    red = cells.count_on_board(game, OPEN_OF + RED)
    return white + red <= factor * log(max_proof_nodes(node, tree) + 1.0) / LOG_2


@njit_inline
def begin_proof(game: np.record, tree: Tree, depth: int) -> None:
    """Prepare alpha-beta for the game at the last node of a path."""
    stack = tree.prover.stack
    proof = tree.prover.proof
    max_nodes = max_proof_nodes(tree.nodes[tree.path[depth]], tree)
    stack.games[0] = game
    stack.counters[RESUME_DEPTH] = NONE
    proof[PROOF_DEPTH] = depth
    proof[PROOF_GOAL] = 0
    proof[PROOF_ALLOWED_NODES] = max_nodes
    proof[PROOF_NODE_LIMIT] = stack.counters[NODES_SEARCHED] + max_nodes
    for index in range(depth + 1):
        tree.prover.proof_path[index] = tree.path[index]


@njit_internal
def continue_proof(table: np.record, game: np.record, node: np.record, tree: Tree) -> bool:
    """Search the game at a node with alpha-beta, and narrow the node's bounds by the answers.

    Return whether the proof is over; otherwise it has paused, and the next call resumes it.
    """
    prover = tree.prover
    proof = prover.proof
    searched = prover.stack.counters
    begin = searched[NODES_SEARCHED]
    answer = int(YES)
    while answer == YES and proof[PROOF_GOAL] < GOALS:
        goal = proof[PROOF_GOAL]
        answer = alpha_beta(table, prover.stack, prover.entries, goal, proof[PROOF_NODE_LIMIT])
        narrow_by_answer(game, node, goal, answer)
        if answer == YES:
            proof[PROOF_GOAL] += 1
    nodes = searched[NODES_SEARCHED] - begin
    prover.nodes_left[0] -= nodes
    tree.counters[REMAINING] -= nodes
    if answer == UNKNOWN and searched[NODES_SEARCHED] < proof[PROOF_NODE_LIMIT]:
        return False
    proof[PROOF_DEPTH] = NONE
    if not is_proven(node):
        prover.nodes_allowed_in_vain[0] += proof[PROOF_ALLOWED_NODES]
    return True


@njit_inline
def narrow_by_answer(game: np.record, node: np.record, goal: int, answer: int) -> None:
    """Narrow the bounds of a node, given the answer to whether white reaches a goal."""
    is_white = node.seat == steps.owner(game, WHITE)
    if answer == YES:
        narrow_bounds(node, goal + 1 if is_white else 0, WIN if is_white else DRAW - goal)
    elif answer == NO:
        narrow_bounds(node, 0 if is_white else WIN - goal, goal if is_white else WIN)


@njit_inline
def works_without_alpha_beta(table: np.record, prover: Prover) -> bool:
    """Return whether equal positions share proven bounds, and a leaf gets children at once.

    True on small boards whose tree does not use alpha-beta.
    """
    return bool(prover.nodes_per_visit == 0 and table.cells <= MAX_SMALL_BOARD_CELLS)


@njit_internal
def narrow_by_stored(
    table: np.record, game: np.record, node: np.record, prover: Prover, depth: int
) -> None:
    """Narrow the bounds of a node using the points and the stored bounds of equal positions."""
    stack = prover.stack
    prover.path_keys[depth, 0] = 0
    if game.placed_tile != NONE or game.to_move == NONE or game.phase == OPENING:
        return
    stack.games[0] = game
    key = hash_root(table, stack)
    prover.path_keys[depth, 0], prover.path_keys[depth, 1] = key
    lower, upper = value_bounds(
        game,
        steps.points(table, game, WHITE),
        steps.points(table, game, RED),
        area_for_islands(table, game, WHITE),
        area_for_islands(table, game, RED),
    )
    if node.seat == steps.owner(game, WHITE):
        narrow_bounds(node, lower + DRAW, upper + DRAW)
    else:
        narrow_bounds(node, DRAW - upper, DRAW - lower)
    for goal in range(GOALS):
        narrow_by_answer(game, node, goal, probe(prover.entries, key, goal))


@njit_internal
def store_bounds(game: np.record, node: np.record, prover: Prover, depth: int) -> None:
    """Store the bounds of a node on a path for equal positions."""
    lower = node.lower
    upper = node.upper
    key = prover.path_keys[depth, 0], prover.path_keys[depth, 1]
    if node.seat != steps.owner(game, WHITE):
        lower, upper = WIN - upper, WIN - lower
    if lower > 0:
        store(prover.entries, key, int(lower) - 1, int(YES))
    if upper < WIN:
        store(prover.entries, key, int(upper), int(NO))


# Rollouts: turns that complete, spoil and extend islands, and bridges

TEN = np.int64(10)
TARGET_TENTHS = 8
"""Probability, in tenths, that a turn tries to complete or spoil an island, if it can."""
SECOND_TARGET_TENTHS = 5
"""Probability, in tenths, that the second tile of such a turn tries the same."""
BRIDGE_TENTHS = 3
"""Probability, in tenths, that any other turn builds a bridge, if it can."""


@njit_internal
def heuristic_playout(table: np.record, game: np.record, extend_above_cells: int) -> None:
    """Play a game to its end using heuristics.

    Turns try to extend groups of two only on boards of more than *extend_above_cells* cells.
    """
    while game.phase != OVER:
        if not playouts.play_choice_or_second_tile(table, game):
            play_heuristic_action(table, game, extend_above_cells)


@njit_internal
def play_heuristic_action(table: np.record, game: np.record, extend_above_cells: int) -> None:
    """Play an action by the heuristics below or else at random, as in heuristic_playout."""
    color = game.to_move
    if game.tiles_left[color] >= TILES_PER_TURN:
        if playouts.randbelow(game, TEN) < TARGET_TENTHS and play_targets(game, color):
            return
        if table.cells > extend_above_cells and play_extension(game, color):
            return
    bridges = 0
    may_build = game.bridges_left > 0 and game.phase != OPENING
    if may_build and playouts.randbelow(game, TEN) < BRIDGE_TENTHS:
        bridges = steps.find_bridges(table, game, color)
    if bridges > 0:
        playouts.play_bridge(table, game, color, playouts.randbelow(game, bridges))
    else:
        playouts.play_random_action(table, game)


@njit_internal
def find_targets(game: np.record, color: int) -> int:
    """Find the cells where a tile completes an island or spoils one of the opponent; count them."""
    other = 1 - color
    for row in range(0, cells.rows(game), cells.lanes(game)):
        mine = cells.load(game, FOURTH_OF + color, row)
        theirs = cells.load(game, FOURTH_OF + other, row) & cells.load(game, OPEN_OF + other, row)
        cells.store(game, SCRATCH, row, cells.load(game, OPEN_OF + color, row) & (mine | theirs))
    return cells.count_on_board(game, SCRATCH)


@njit_internal
def play_targets(game: np.record, color: int) -> bool:
    """Try to place a pair with at least one tile on a target; return whether it was legal."""
    targets = find_targets(game, color)
    if targets == 0:
        return False
    a = cells.nth_on_board(game, SCRATCH, playouts.randbelow(game, targets))
    which = SCRATCH
    number = targets
    if playouts.randbelow(game, TEN) >= SECOND_TARGET_TENTHS:
        which = OPEN_OF + color
        number = cells.count_on_board(game, OPEN_OF + color)
    b = cells.nth_on_board(game, which, playouts.randbelow(game, number))
    if a == b or not steps.pair_is_legal(game, color, a, b):
        return False
    steps.place_pair(game, color, a, b)
    steps.end_turn(game)
    return True


@njit_internal
def play_extension(game: np.record, color: int) -> bool:
    """Try to extend a group of two, and to complete an island with the second tile.

    Return whether a random cell beside a group of two allowed that.
    """
    for row in range(0, cells.rows(game), cells.lanes(game)):
        pairs = steps.split_by_group_size(cells.load(game, TILES_OF + color, row))[1]
        open_cells = cells.load(game, OPEN_OF + color, row)
        cells.store(game, SCRATCH, row, open_cells & steps.neighbors4(pairs))
    found = cells.count_on_board(game, SCRATCH)
    if found == 0:
        return False
    a = cells.nth_on_board(game, SCRATCH, playouts.randbelow(game, found))
    origin = cells.window_around(game, a)
    tiles = cells.load_window(game, TILES_OF + color, origin)
    tiles |= steps.single_in_window(game, tiles, a, origin)
    closed, fourth, _ = steps.judge_cells(tiles)
    seconds = cells.load_window(game, OPEN_OF + color, origin) & fourth & ~(closed | tiles)
    if not cells.is_any(seconds):
        return False
    b = cells.nth_bit(seconds, playouts.randbelow(game, cells.count(seconds)))
    steps.place_pair(game, color, a, cells.from_window(game, origin, b))
    steps.end_turn(game)
    return True


# Backpropagation


@njit_inline
def was_played(table: np.record, game: np.record, code: int, color: int) -> bool:
    """Return whether a colour has played a step, judging by the final board, for AMAF."""
    if code < table.cells:
        return cells.contains(game, TILES_OF + color, np.int64(table.place_of_cell[code]))
    if steps.choice_of(table, code) >= 0:
        return False
    place, direction = steps.bridge_of(table, code)
    return game.links[place] == 1 + direction


@njit_inline
def reward(winner: int, seat: int) -> int:
    """Return the reward of a seat, in halves of a win."""
    return DRAW if winner == NONE else WIN if winner == seat else 0


@njit_internal
def backpropagate(
    table: np.record, game: np.record, nodes: Nodes, path: NodePath, winner: int
) -> None:
    """Add a result to the nodes of a path, and to the AMAF statistics of their children.

    The visits of the nodes have been counted before.

    Args:
        table: The tables of the board.
        game: The simulation at its end.
        nodes: The tree.
        path: The nodes from the root to the leaf.
        winner: The seat that has won, or -1 for a draw.
    """
    for index in path:
        nodes[index].total_reward += reward(winner, nodes[index].seat)
        first = nodes[index].first_child
        for child in range(first, first + nodes[index].child_count):
            if was_played(table, game, nodes[child].code, nodes[child].color):
                nodes[child].amaf_visits += 1
                nodes[child].amaf_reward += reward(winner, nodes[child].seat)


# Simulations

LOCK = 0
USED = 8
REMAINING = 9
"""Counters of a tree: the lock (1 if free), the number of nodes, and the simulations left.

Nodes that alpha-beta searches count as simulations, so a proof has at most the number that is left.
"""
MAX_PAUSES = 256
"""Looks at the lock before a thread yields its processor, which the other thread may need."""
ROOT_NODE = 0
"""The index of the root among the nodes."""
ROOT_GAME = 0
PLAYOUT_GAME = 1
"""The indices of the game at the root and of the game in the current simulation."""


class Tree(NamedTuple):
    """A tree, with the memory of one of its threads."""

    nodes: Nodes
    path: NodePath
    """The nodes from the root to a leaf; as long as the longest possible path."""
    counters: Counters
    prover: Prover


class RootGame(NamedTuple):
    """The game at the root of a tree."""

    rows: Rows
    """A single row."""
    seed: np.uint64
    """The seed of its random numbers."""
    thread: int
    """The number of the thread, which determines its random numbers."""
    needs_unpacking: bool
    """True if this thread has not yet unpacked the game."""


@njit_inline
def acquire(counters: Counters) -> None:
    """Wait until no other thread works on the tree.

    ``fetch_min`` sets the lock to 0 and returns what it was: 0 while another thread has it. The
    other functions look at it, and wait for a moment.
    """
    while fetch_min(counters, LOCK, 0) == 0:
        waited = 0
        while atomic_load(counters, LOCK) == 0:
            waited += 1
            if waited < MAX_PAUSES:
                pause()
            else:
                give_way()


@njit_inline
def release(counters: Counters) -> None:
    """Let another thread work on the tree."""
    atomic_store(counters, LOCK, 1)


@njit_inline
def copy_position(games: GameArray, source: np.record) -> None:
    """Set the game of the current simulation to another one, but keep its random numbers."""
    random = games[PLAYOUT_GAME].random
    games[PLAYOUT_GAME] = source
    games[PLAYOUT_GAME].random = random


@njit_inline
def begin_simulation(games: GameArray, tree: Tree) -> int:
    """Begin at the root, or go on where a simulation has paused in a proof; return the depth."""
    prover = tree.prover
    depth = prover.proof[PROOF_DEPTH]
    if depth == NONE:
        copy_position(games, games[ROOT_GAME])
        tree.path[0] = ROOT_NODE
        return 0
    # Perhaps another thread has begun it.
    copy_position(games, prover.stack.games[0])
    for index in range(depth + 1):
        tree.path[index] = prover.proof_path[index]
    return int(depth)


@njit_cached
def run_simulations(
    tables: GameArray,
    games: GameArray,
    tree: Tree,
    root_game: RootGame,
    left_for_later: int,
    forced: int,
    continue_when_full: bool,
    heuristic: bool,
) -> bool:
    """Run simulations until few enough are left, the value is proven, or a proof pauses.

    Other threads may take part: all take simulations from one counter. Return false if the memory
    was full, so that a node could not be expanded. The next call first goes on with a simulation
    that has paused.

    Args:
        tables: The tables of the board.
        games: Memory of this thread for two games, :data:`ROOT_GAME` and :data:`PLAYOUT_GAME`.
        tree: The tree; nodes that its alpha-beta searches count as simulations.
        root_game: The game at the root.
        left_for_later: The number of simulations to leave for later calls.
        forced: The child of the root that all simulations go through, or -1.
        continue_when_full: Whether to go on without expansion when the memory is full.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """
    table = tables[0]
    game = games[PLAYOUT_GAME]
    counters = tree.counters
    proof = tree.prover.proof
    if root_game.needs_unpacking:
        unpack_row(table, games[ROOT_GAME], root_game.rows, 0)
        playouts.seed_game(game, root_game.seed, root_game.thread)
    has_room = True
    target = max(forced, 0)
    acquire(counters)
    while proof[PROOF_DEPTH] != NONE or (
        counters[REMAINING] > left_for_later and not is_proven(tree.nodes[target])
    ):
        depth = begin_simulation(games, tree)
        depth, has_room = descend(table, game, tree, depth, has_room, forced)
        if depth == NONE or (not has_room and not continue_when_full):
            break
        counters[REMAINING] -= 1
        play_and_back_up(table, game, tree, depth, heuristic)
    release(counters)
    return has_room


@njit_inline
def descend(
    table: np.record, game: np.record, tree: Tree, depth: int, has_room: bool, forced: int
) -> tuple[int, bool]:
    """Select steps to a leaf and expand it; return its depth and whether children still fit.

    The depth is -1 if the simulation pauses in a proof.
    """
    nodes = tree.nodes
    path = tree.path
    while True:
        current = path[depth]
        if depth > 0:
            if not narrow_on_the_way(table, game, tree, depth):
                return NONE, has_room
            if is_proven(nodes[current]):
                return depth, has_room
        if game.phase == OVER:
            return depth, has_room
        if nodes[current].child_count == 0:
            goes_on, has_room = expand_leaf(table, game, tree, depth, has_room)
            if not goes_on:
                return depth, has_room
        is_forced = depth == 0 and forced != NONE
        child = forced if is_forced else best_child(table, nodes, current)
        if child == NONE:
            narrow_by_children(nodes, current)
            return depth, has_room
        steps.step(table, game, np.int64(nodes[child].code))
        depth += 1
        path[depth] = child


@njit_inline
def expand_leaf(
    table: np.record, game: np.record, tree: Tree, depth: int, has_room: bool
) -> tuple[bool, bool]:
    """Give the last node of a path its children, unless that is too early or does not fit.

    Return whether the simulation goes on to one of them, and whether children still fit.
    """
    counters = tree.counters
    is_early = tree.nodes[tree.path[depth]].visits < EXPAND_AFTER_VISITS
    is_too_early = is_early and not works_without_alpha_beta(table, tree.prover)
    if depth > 0 and (is_too_early or not has_room):
        return False, has_room
    end = link_or_expand(table, game, tree, depth)
    if end == NONE:
        return False, False
    is_new = end > counters[USED]
    counters[USED] = end
    # A new leaf that expands at its first visit ends the simulation here: its rollout gives the
    # children AMAF statistics. A leaf that expands later goes on; its children are still equal, so
    # the one with the lowest code is selected.
    return depth == 0 or not is_early or not is_new, has_room


@njit_inline
def narrow_on_the_way(table: np.record, game: np.record, tree: Tree, depth: int) -> bool:
    """Narrow the bounds of the last node of a path: by equal positions, and by a proof if due.

    Return false if the proof has paused; then this is called again to go on with it.
    """
    prover = tree.prover
    node = tree.nodes[tree.path[depth]]
    if works_without_alpha_beta(table, prover):
        narrow_by_stored(table, game, node, prover, depth)
    is_proving = prover.proof[PROOF_DEPTH] != NONE
    if not is_proving and is_proof_due(game, node, tree):
        begin_proof(game, tree, depth)
        is_proving = True
    return not is_proving or continue_proof(table, game, node, tree)


@njit_inline
def play_and_back_up(
    table: np.record, game: np.record, tree: Tree, depth: int, heuristic: bool
) -> None:
    """Play a game to its end from the leaf of a path; back up its result and proven bounds.

    Meanwhile other threads may work on the tree. Until the result is known, they see a loss
    (virtual loss), so that their simulations take other paths.
    """
    nodes = tree.nodes
    counters = tree.counters
    prover = tree.prover
    path = tree.path[: depth + 1]
    leaf = nodes[path[-1]]
    is_over = game.phase == OVER
    for index in path:
        nodes[index].visits += 1
    release(counters)
    if heuristic:
        # On small boards with alpha-beta, rollouts do not extend groups of two: without
        # extensions, the player keeps the value of a position slightly more often.
        heuristic_playout(table, game, 0 if prover.nodes_per_visit == 0 else MAX_SMALL_BOARD_CELLS)
    else:
        playouts.playout(table, game)
    white = steps.points(table, game, WHITE)
    red = steps.points(table, game, RED)
    winning_seat = steps.owner(game, steps.winner(table, game, white, red))
    acquire(counters)
    if is_over:
        narrow_bounds(leaf, reward(winning_seat, leaf.seat), reward(winning_seat, leaf.seat))
    if is_proven(leaf):
        winning_seat = (
            NONE if leaf.lower == DRAW else leaf.seat if leaf.lower == WIN else 1 - leaf.seat
        )
    backpropagate(table, game, nodes, path, winning_seat)
    if leaf.lower > 0 or leaf.upper < WIN:
        for parent_depth in range(depth - 1, -1, -1):
            has_changed = narrow_by_children(nodes, path[parent_depth])
            if not has_changed:
                break
            if works_without_alpha_beta(table, prover) and prover.path_keys[parent_depth, 0] != 0:
                store_bounds(game, nodes[path[parent_depth]], prover, parent_depth)


# The next turn


@njit_cached
def copy_subtree(nodes: Nodes, root: int, kept: Nodes) -> int:
    """Move the subtree of *root* to *kept*, breadth first; return its number of nodes."""
    kept[0] = nodes[root]
    # The root's bounds may come from elsewhere (alpha-beta, a twin), with no child attaining them;
    # so they are derived again from the children.
    kept[0].lower = 0
    kept[0].upper = WIN
    used = 1
    index = 0
    while index < used:
        first = kept[index].first_child
        child_count = kept[index].child_count
        if child_count > 0:
            if nodes[first].child_count == MOVED:
                kept[index].first_child = nodes[first].first_child
            else:
                kept[index].first_child = used
                for child in range(first, first + child_count):
                    kept[used] = nodes[child]
                    used += 1
                nodes[first].first_child = used - child_count
                nodes[first].child_count = MOVED
        index += 1
    if kept[0].child_count > 0:
        narrow_by_children(kept, 0)
    return used
