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
    LAST_TURN,
    NONE,
    OPENING,
    OVER,
    PLAY,
    Rows,
)

from .alpha_beta import (
    DEPTH,
    NO,
    NODES_SEARCHED,
    YES,
    Numbers,
    Stack,
    answer_or_rank,
    hash_root,
    probe,
    store,
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
"""A mark in place of the number of children: ``first_child`` is where siblings were moved to."""
EXPAND_AFTER_VISITS = 8
"""Expansion threshold: visits before a leaf gets children, or alpha-beta searches it."""
SMALL_BOARD = 20
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

RAVE_EQUIVALENCE = 300.0
"""*k* of RAVE: after this many visits, the mean reward counts as much as the AMAF mean."""
UCT_EXPLORATION = 0.15
SMALL_UCT_EXPLORATION = 0.3
"""Exploration constants *c* of UCT, for rewards from 0 to 2; the second is for small boards."""


@njit_inline
def uct_rave_value(node: np.record, exploration: float) -> float:
    """Return the UCT-RAVE value of a child, on rewards from 0 (loss) to 2 (win).

    *n* is the visit count, *Q* the mean reward, *Q'* the AMAF mean (with one draw added as a
    prior), *N* the visit count of the parent, and *k* = :data:`RAVE_EQUIVALENCE`::

        beta  = k / (k + n)
        value = (1 - beta) * Q + beta * Q' + c * sqrt(ln(N + 1)) / sqrt(n + 1)

    *Q* is at least the proven lower bound, and at most the upper one.

    Args:
        node: The child.
        exploration: ``c * sqrt(ln(N + 1))``, which all children share.
    """
    amaf = (node.amaf_reward + DRAW) / (node.amaf_visits + 1.0)
    if node.visits == 0:
        return amaf + exploration
    mean = node.total_reward / np.float64(node.visits)
    if node.lower > 0 or node.upper < WIN:
        mean = min(max(mean, node.lower), node.upper)
    # Colours and passes have no AMAF statistics.
    beta = RAVE_EQUIVALENCE / (RAVE_EQUIVALENCE + node.visits) if node.amaf_visits > 0 else 0.0
    return mean + beta * (amaf - mean) + exploration / sqrt(node.visits + 1.0)


@njit_internal
def best_child(table: np.record, nodes: Nodes, parent: int) -> int:
    """Select the child with the highest UCT-RAVE value.

    Children that cannot exceed the parent's proven value are skipped; return -1 if all are.
    """
    first = nodes[parent].first_child
    is_mover = nodes[parent].seat == nodes[first].seat
    proven = nodes[parent].lower if is_mover else WIN - nodes[parent].upper
    constant = SMALL_UCT_EXPLORATION if table.cells <= SMALL_BOARD else UCT_EXPLORATION
    exploration = constant * sqrt(log(nodes[parent].visits + 1.0))
    found = NONE
    highest = -1.0
    for child in range(first, first + nodes[parent].child_count):
        if nodes[child].upper > proven:
            value = uct_rave_value(nodes[child], exploration)
            if value > highest:
                found = child
                highest = value
    return found


# Proofs: by alpha-beta, by points, and by those of equal positions and of children

PROOF_CELLS = 3
"""Alpha-beta may search *n* nodes if there are at most this times log2(*n*) open cells."""
LOG_2 = log(2)


class Prover(NamedTuple):
    """The alpha-beta search inside a tree search."""

    stack: Stack
    entries: Numbers
    nodes_per_visit: int
    """The number of nodes that it searches for each visit of a tree node; 0 turns it off."""
    waste: float
    """The maximum number of nodes per simulation in searches that prove nothing."""
    wasted: Numbers
    """(1,): the number of nodes in such searches."""
    nodes_left: Numbers
    """(1,): the number of nodes that there is time for."""
    path_keys: Numbers
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
def effort_for(node: np.record, prover: Prover) -> int:
    """Return the number of nodes that alpha-beta may search below a node of the tree."""
    return max(0, min(prover.nodes_per_visit * np.int64(node.visits), prover.nodes_left[0]))


@njit_inline
def is_proof_due(game: np.record, node: np.record, prover: Prover, simulations: int) -> bool:
    """Return whether alpha-beta searches a node: at 8, 16, 32, … visits, late in the game."""
    if prover.nodes_per_visit == 0 or prover.wasted[0] > prover.waste * simulations:
        return False
    if node.visits < EXPAND_AFTER_VISITS or node.visits & (node.visits - 1) != 0:
        return False
    if game.placed_tile != NONE or game.phase not in (PLAY, LAST_TURN):
        return False
    white = cells.count_on_board(game, OPEN_OF + WHITE)
    red = cells.count_on_board(game, OPEN_OF + RED)
    return white + red <= PROOF_CELLS * log(effort_for(node, prover) + 1.0) / LOG_2


@njit_internal
def prove_node(table: np.record, game: np.record, node: np.record, prover: Prover) -> None:
    """Search the game at a node with alpha-beta, and narrow the node's bounds by the answers."""
    stack = prover.stack
    effort = effort_for(node, prover)
    begin = stack.counters[NODES_SEARCHED]
    for goal in range(DRAW + 1):
        stack.games[0] = game
        stack.counters[DEPTH] = NONE
        answer = alpha_beta(table, stack, prover.entries, goal, begin + effort)
        narrow_by_answer(game, node, goal, answer)
        if answer != YES:
            break
    prover.nodes_left[0] -= stack.counters[NODES_SEARCHED] - begin
    if node.lower < node.upper:
        prover.wasted[0] += effort


@njit_inline
def narrow_by_answer(game: np.record, node: np.record, goal: int, answer: int) -> None:
    """Narrow the bounds of a node, given the answer to whether white reaches a goal."""
    is_white = node.seat == steps.owner(game, WHITE)
    if answer == YES:
        narrow_bounds(node, goal + 1 if is_white else 0, WIN if is_white else DRAW - goal)
    elif answer == NO:
        narrow_bounds(node, 0 if is_white else WIN - goal, goal if is_white else WIN)


@njit_internal
def narrow_by_stored(
    table: np.record, game: np.record, node: np.record, prover: Prover, depth: int
) -> None:
    """Narrow the bounds of a node using the points and the stored bounds of equal positions."""
    stack = prover.stack
    prover.path_keys[depth, 0] = 0
    if game.placed_tile != NONE or game.phase not in (PLAY, LAST_TURN):
        return
    stack.games[0] = game
    key = hash_root(table, stack)
    prover.path_keys[depth, 0], prover.path_keys[depth, 1] = key
    for goal in range(DRAW + 1):
        narrow_by_answer(game, node, goal, answer_or_rank(table, game, goal)[0])
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
        if table.cells > extend_above_cells and play_island(game, color):
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
def play_island(game: np.record, color: int) -> bool:
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
"""Counters of a tree: the lock (1 if free), the number of nodes, and the simulations left."""
MAX_PAUSES = 256
"""Looks at the lock before a thread yields its processor, which the other thread may need."""
ROOT_NODE = 0
"""The index of the root among the nodes."""
ROOT = 0
PLAYOUT = 1
"""The indices of the game at the root and of the game in the current simulation."""


class Tree(NamedTuple):
    """A tree, with the memory of one of its threads."""

    nodes: Nodes
    path: NodePath
    """The nodes from the root to a leaf; as long as the longest possible path."""
    counters: Counters
    prover: Prover


class Start(NamedTuple):
    """The game at the root of a tree."""

    rows: Rows
    """A single row."""
    seed: np.uint64
    """The seed of its random numbers."""
    thread: int
    """The number of the thread, which determines its random numbers."""
    is_new: bool
    """True if this thread has not yet unpacked the game."""


@njit_inline
def acquire(counters: Counters) -> None:
    """Wait until no other thread works on the tree."""
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


@njit_cached
def run_simulations(
    tables: GameArray,
    games: GameArray,
    tree: Tree,
    start: Start,
    forced: int,
    continue_when_full: bool,
    heuristic: bool,
) -> None:
    """Run simulations, together with other threads, until none is left or the value is proven.

    Args:
        tables: The tables of the board.
        games: Memory of this thread for two games, :data:`ROOT` and :data:`PLAYOUT`.
        tree: The tree; nodes that its alpha-beta searches count as simulations.
        start: The game at the root.
        forced: The child of the root that all simulations go through, or -1.
        continue_when_full: Whether to go on without expansion when the memory is full.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """
    table = tables[0]
    game = games[PLAYOUT]
    counters = tree.counters
    searched = tree.prover.stack.counters
    if start.is_new:
        unpack_row(table, games[ROOT], start.rows, 0)
        playouts.seed_game(game, start.seed, start.thread)
    has_room = True
    target = max(forced, 0)
    acquire(counters)
    while counters[REMAINING] > 0 and not is_proven(tree.nodes[target]):
        # Copying the root must not reset the random numbers.
        random = game.random
        games[PLAYOUT] = games[ROOT]
        game.random = random
        begin = searched[NODES_SEARCHED]
        depth, has_room = descend(table, game, tree, has_room, forced)
        counters[REMAINING] -= searched[NODES_SEARCHED] - begin
        if not has_room and not continue_when_full:
            break
        counters[REMAINING] -= 1
        simulate(table, game, tree, depth, heuristic)
    release(counters)


@njit_inline
def descend(
    table: np.record, game: np.record, tree: Tree, has_room: bool, forced: int
) -> tuple[int, bool]:
    """Select steps to a leaf and expand it; return its depth and whether children still fit."""
    nodes = tree.nodes
    path = tree.path
    counters = tree.counters
    prover = tree.prover
    current = ROOT_NODE
    depth = 0
    # On small boards without alpha-beta, a leaf gets children at once, and equal positions share
    # proven bounds.
    shares_bounds = prover.nodes_per_visit == 0 and table.cells <= SMALL_BOARD
    path[0] = ROOT_NODE
    while game.phase != OVER:
        is_early = nodes[current].visits < EXPAND_AFTER_VISITS
        if nodes[current].child_count == 0:
            if depth > 0 and ((is_early and not shares_bounds) or not has_room):
                break
            end = link_or_expand(table, game, tree, depth)
            if end == NONE:
                has_room = False
                break
            # The rollout gives new children AMAF statistics before one of them is selected.
            is_new = end > counters[USED]
            counters[USED] = end
            if depth > 0 and is_early and is_new:
                break
        current = forced if depth == 0 and forced != NONE else best_child(table, nodes, current)
        if current == NONE:
            narrow_by_children(nodes, path[depth])
            break
        steps.step(table, game, np.int64(nodes[current].code))
        depth += 1
        path[depth] = current
        if shares_bounds:
            narrow_by_stored(table, game, nodes[current], prover, depth)
        if is_proof_due(game, nodes[current], prover, nodes[ROOT_NODE].visits):
            prove_node(table, game, nodes[current], prover)
        if is_proven(nodes[current]):
            break
    return depth, has_room


@njit_inline
def simulate(table: np.record, game: np.record, tree: Tree, depth: int, heuristic: bool) -> None:
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
        # With alpha-beta, rollouts on small boards do not extend groups of two: so the player keeps
        # the value slightly more often.
        heuristic_playout(table, game, 0 if prover.nodes_per_visit == 0 else SMALL_BOARD)
    else:
        playouts.playout(table, game)
    white = steps.points(table, game, WHITE)
    red = steps.points(table, game, RED)
    won = steps.owner(game, steps.winner(table, game, white, red))
    acquire(counters)
    if is_over:
        narrow_bounds(leaf, reward(won, leaf.seat), reward(won, leaf.seat))
    if is_proven(leaf):
        won = NONE if leaf.lower == DRAW else leaf.seat if leaf.lower == WIN else 1 - leaf.seat
    backpropagate(table, game, nodes, path, won)
    if leaf.lower > 0 or leaf.upper < WIN:
        depth -= 1
        while depth >= 0 and narrow_by_children(nodes, path[depth]):
            if prover.path_keys[depth, 0] != 0:
                store_bounds(game, nodes[path[depth]], prover, depth)
            depth -= 1


# Refuted actions


@njit_cached
def refute_path(nodes: Nodes, path: NodePath) -> None:
    """Set that the last node of a path from the root is lost for the seat that steps there.

    Its simulations are taken from the nodes before it: they tell nothing about other actions.
    """
    last = nodes[path[-1]]
    for depth in range(len(path) - 2, -1, -1):
        node = nodes[path[depth]]
        node.visits -= last.visits
        if node.seat == last.seat:
            node.total_reward -= last.total_reward
    narrow_bounds(last, 0, 0)
    for depth in range(len(path) - 2, -1, -1):
        narrow_by_children(nodes, path[depth])


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
