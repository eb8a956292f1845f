"""Compiled tree search: nodes, UCT values with RAVE, heuristic rollouts, simulations.

A simulation is selection, expansion, rollout and backpropagation: :func:`descend` with
:func:`best_child` and :func:`expand`, :func:`heuristic_playout`, :func:`backpropagate`. UCT with
RAVE is that of S. Gelly, D. Silver, *Monte-Carlo tree search and rapid action value estimation in
computer Go*, Artificial Intelligence 175 (2011).
"""

from __future__ import annotations

from math import log, sqrt
from typing import NamedTuple, cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.board_sets import (
    contains,
    count_on_board,
    next_cell,
    nth_on_board,
)
from pontedeldiavolo.batch.kernels.cells import lanes, load, rows, store
from pontedeldiavolo.batch.kernels.encoding import cell_of, unpack_row
from pontedeldiavolo.batch.kernels.game import (
    BUILDABLE_OF,
    FOURTH_OF,
    LEGAL,
    OPEN_OF,
    RED,
    SEEN,
    TILES_OF,
    WHITE,
)
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED, njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.kernels.legal import (
    DIRECTIONS,
    find_bridges,
    find_legal,
    pair_is_legal,
    place_pair,
)
from pontedeldiavolo.batch.kernels.sampling import (
    play_bridge,
    play_forced,
    play_random_action,
    playout,
    randbelow,
    seed_game,
)
from pontedeldiavolo.batch.kernels.transitions import (
    PASS,
    bridge_of,
    choice_of,
    code_of_bridge,
    code_of_choice,
    end_turn,
    owner,
    points,
    seat_to_move,
    step,
    winner,
)
from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OPENING, OVER, Rows

NODE = np.dtype(
    [
        ("code", "i4"),  # the step that leads here
        ("seat", "i4"),  # whose it is
        ("color", "i4"),
        ("visits", "i4"),
        ("total_reward", "i4"),
        ("amaf_visits", "i4"),  # simulations in which it was played at this or any later time
        ("amaf_reward", "i4"),
        ("first_child", "i4"),
        ("children", "i4"),
    ]
)
"""A node. Rewards are halves of a win, from the view of the seat whose step leads there."""
Nodes = npt.NDArray[np.void]

WIN, DRAW = 2, 1
RAVE_EQUIVALENCE = 300.0
"""*k* of RAVE: after as many visits, the mean reward counts as much as the AMAF mean."""
EXPLORATION = 0.3
"""Exploration constant *c* of UCT, for rewards from 0 to 2."""
OTHER_STEPS = 3
"""Upper bound of legal steps that are neither tiles nor bridges."""


def new_nodes(number: int) -> Nodes:
    """Return *number* nodes of zeros."""
    found = np.zeros(number, NODE)
    # Uncompiled code reads the fields of a record as attributes.
    return cast(Nodes, found.view(np.recarray)) if JIT_DISABLED else found


@njit_inline
def add_child(nodes: Nodes, parent: int, place: int, code: int, seat: int, color: int) -> None:
    """Append an unvisited child."""
    node = nodes[place]
    node.code, node.seat, node.color = code, seat, color
    node.visits = node.total_reward = node.amaf_visits = node.amaf_reward = 0
    node.first_child = node.children = 0
    nodes[parent].children += 1


@njit_internal
def expand(table: np.record, game: np.record, nodes: Nodes, parent: int, used: int) -> int:
    """Add a child for each legal step; return the new number of nodes, or -1: memory is full."""
    find_legal(table, game)
    if used + game.legal_tiles + game.legal_bridges + OTHER_STEPS > len(nodes):
        return NONE
    seat, color, end = seat_to_move(game), game.to_move, used
    nodes[parent].first_child = used
    if game.legal_tiles > 0:
        place = next_cell(game, LEGAL, 0)
        while place != NONE:
            add_child(nodes, parent, end, cell_of(table, game, place), seat, color)
            end += 1
            place = next_cell(game, LEGAL, place + 1)
    if game.legal_bridges > 0:
        for direction in range(DIRECTIONS):
            place = next_cell(game, BUILDABLE_OF + direction, 0)
            while place != NONE:
                code = code_of_bridge(table, place, direction)
                add_child(nodes, parent, end, code, seat, color)
                end += 1
                place = next_cell(game, BUILDABLE_OF + direction, place + 1)
    for choice in range(PASS + 1):
        if game.legal_pass == 1 if choice == PASS else game.phase == COLOR_CHOICE:
            add_child(nodes, parent, end, code_of_choice(table, choice), seat, color)
            end += 1
    return end


@njit_inline
def uct_rave_value(node: np.record, exploration: float) -> float:
    """Return the UCT-RAVE value of a child, on rewards from 0 (loss) to 2 (win).

    With *n* visits and mean reward *Q*, *n'* AMAF visits and AMAF mean *Q'* (with one draw added as
    a prior), parent visits *N* and *k* = :data:`RAVE_EQUIVALENCE`::

        beta  = k / (k + n)
        value = (1 - beta) * Q + beta * Q' + c * sqrt(ln(N + 1)) / sqrt(n + 1)

    Args:
        node: The child.
        exploration: ``c * sqrt(ln(N + 1))``, which all children share.
    """
    amaf = (node.amaf_reward + DRAW) / (node.amaf_visits + 1.0)
    if node.visits == 0:
        return amaf + exploration
    mean = node.total_reward / np.float64(node.visits)
    # Colours and passes have no AMAF statistics.
    beta = RAVE_EQUIVALENCE / (RAVE_EQUIVALENCE + node.visits) if node.amaf_visits > 0 else 0.0
    return mean + beta * (amaf - mean) + exploration / sqrt(node.visits + 1.0)


@njit_internal
def best_child(nodes: Nodes, parent: int) -> int:
    """Select the child with the highest UCT-RAVE value."""
    first = nodes[parent].first_child
    exploration = EXPLORATION * sqrt(log(nodes[parent].visits + 1.0))
    found, highest = first, -1.0
    for child in range(first, first + nodes[parent].children):
        value = uct_rave_value(nodes[child], exploration)
        if value > highest:
            found, highest = child, value
    return found


@njit_inline
def was_played(table: np.record, game: np.record, code: int, color: int) -> bool:
    """Tell from a final board whether a colour played a step at any time: the test of AMAF."""
    if code < table.cells:
        return contains(game, TILES_OF + color, np.int64(table.place[code]))
    if choice_of(table, code) >= 0:
        return False
    place, direction = bridge_of(table, code)
    return game.spans[place] == 1 + direction


@njit_internal
def backpropagate(
    table: np.record, game: np.record, nodes: Nodes, path: npt.NDArray[np.int32], winner: int
) -> None:
    """Add a result to the nodes of a path, and to the AMAF statistics of their children.

    Args:
        table: The tables of the board.
        game: The simulation at its end.
        nodes: The tree.
        path: The nodes from the root to the leaf.
        winner: The seat that has won, or -1 for a draw.
    """
    for node in path:
        nodes[node].visits += 1
        nodes[node].total_reward += reward(winner, nodes[node].seat)
        first = nodes[node].first_child
        for child in range(first, first + nodes[node].children):
            if was_played(table, game, nodes[child].code, nodes[child].color):
                nodes[child].amaf_visits += 1
                nodes[child].amaf_reward += reward(winner, nodes[child].seat)


@njit_inline
def reward(winner: int, seat: int) -> int:
    """Return the reward of a seat, in halves of a win."""
    if winner == NONE:
        return DRAW
    return WIN if winner == seat else 0


@njit_cached
def copy_subtree(nodes: Nodes, root: int, kept: Nodes) -> int:
    """Copy the subtree of *root* to *kept*, breadth first; return its number of nodes."""
    kept[0] = nodes[root]
    used, place = 1, 0
    while place < used:
        first, children = kept[place].first_child, kept[place].children
        if children > 0:
            kept[place].first_child = used
            for child in range(first, first + children):
                kept[used] = nodes[child]
                used += 1
        place += 1
    return used


TEN = np.int64(10)
TARGET_TENTHS = 8
"""Chance, in tenths, that a turn places a tile that completes or spoils an island, if any does."""
SECOND_TARGET_TENTHS = 5
"""Chance, in tenths, that the second tile of such a turn is one as well."""
BRIDGE_TENTHS = 3
"""Chance, in tenths, that another turn builds a bridge, if one can be built."""


@njit_internal
def find_targets(game: np.record, color: int) -> int:
    """Find where a tile completes an island or spoils one of the opponent's; return the number."""
    other = 1 - color
    for row in range(0, rows(game), lanes(game)):
        mine = load(game, FOURTH_OF + color, row)
        theirs = load(game, FOURTH_OF + other, row) & load(game, OPEN_OF + other, row)
        store(game, SEEN, row, load(game, OPEN_OF + color, row) & (mine | theirs))
    return count_on_board(game, SEEN)


@njit_internal
def play_targets(game: np.record, color: int) -> bool:
    """Try to place a pair with at least one tile on a target; tell whether it was legal."""
    targets = find_targets(game, color)
    if targets == 0:
        return False
    a = nth_on_board(game, SEEN, randbelow(game, targets))
    if randbelow(game, TEN) < SECOND_TARGET_TENTHS:
        b = nth_on_board(game, SEEN, randbelow(game, targets))
    else:
        b = nth_on_board(
            game, OPEN_OF + color, randbelow(game, count_on_board(game, OPEN_OF + color))
        )
    if a == b or not pair_is_legal(game, color, a, b):
        return False
    place_pair(game, color, a, b)
    end_turn(game)
    return True


@njit_internal
def play_any_bridge(table: np.record, game: np.record, color: int) -> bool:
    """Build a random bridge; tell whether there was one."""
    found = find_bridges(table, game, color)
    if found == 0:
        return False
    play_bridge(table, game, color, randbelow(game, found))
    return True


@njit_internal
def play_heuristic_action(table: np.record, game: np.record) -> None:
    """Play an action of the colour to move, by the heuristics above or else at random."""
    color = game.to_move
    if (
        game.tiles_left[color] >= TILES_PER_TURN
        and randbelow(game, TEN) < TARGET_TENTHS
        and play_targets(game, color)
    ):
        return
    if (
        game.bridges_left > 0
        and game.phase != OPENING
        and randbelow(game, TEN) < BRIDGE_TENTHS
        and play_any_bridge(table, game, color)
    ):
        return
    play_random_action(table, game)


@njit_internal
def heuristic_playout(table: np.record, game: np.record) -> None:
    """Play a game to its end by heuristics."""
    while game.phase != OVER:
        if not play_forced(table, game):
            play_heuristic_action(table, game)


ROOT, PLAYOUT = 0, 1
"""The game at the root, and the one of the current simulation."""
EXPAND_AFTER_VISITS = 8
"""Expansion threshold: visits before a leaf gets children."""


class Start(NamedTuple):
    """The game at the root of a tree."""

    rows: Rows
    """A single row."""
    seed: np.uint64
    """The seed of its random numbers."""
    is_new: bool
    """True if it is not yet laid out."""


@njit_inline
def descend(
    table: np.record,
    game: np.record,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    used: int,
    fits: bool,
) -> tuple[int, int, bool]:
    """Select steps from the root to a leaf, which may be expanded.

    Return the depth of the leaf, the number of nodes, and whether the tree still fits in memory.
    """
    node, depth = 0, 0
    path[0] = 0
    while game.phase != OVER:
        if nodes[node].children == 0:
            if depth > 0 and (nodes[node].visits < EXPAND_AFTER_VISITS or not fits):
                break
            end = expand(table, game, nodes, node, used)
            if end == NONE:
                fits = False
                break
            used = end
        node = best_child(nodes, node)
        step(table, game, np.int64(nodes[node].code))
        depth += 1
        path[depth] = node
    return depth, used, fits


@njit_cached
def search(
    tables: GameArray,
    games: GameArray,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    start: Start,
    used: int,
    simulations: int,
    may_fill: bool,
    heuristic: bool,
) -> tuple[int, int]:
    """Run simulations; return how many were run, and the number of nodes.

    Args:
        tables: The tables of the board.
        games: Memory for two games, :data:`ROOT` and :data:`PLAYOUT`.
        nodes: The tree.
        path: Memory for the longest path.
        start: The game at the root.
        used: The number of nodes.
        simulations: How many to run.
        may_fill: Whether to go on without expansion when the memory is full.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """
    table, game = tables[0], games[PLAYOUT]
    if start.is_new:
        unpack_row(table, games[ROOT], start.rows, 0)
        seed_game(game, start.seed, 0)
    fits = True
    for done in range(simulations):
        random = game.random
        games[PLAYOUT] = games[ROOT]
        game.random = random
        depth, used, fits = descend(table, game, nodes, path, used, fits)
        if not fits and not may_fill:
            return done, used
        roll_out(table, game, heuristic)
        backpropagate_result(table, game, nodes, path[: depth + 1])
    return simulations, used


@njit_internal
def roll_out(table: np.record, game: np.record, heuristic: bool) -> None:
    """Play a game to its end."""
    if heuristic:
        heuristic_playout(table, game)
    else:
        playout(table, game)


@njit_internal
def backpropagate_result(
    table: np.record, game: np.record, nodes: Nodes, path: npt.NDArray[np.int32]
) -> None:
    """Score a finished simulation and back it up."""
    white, red = points(table, game, WHITE), points(table, game, RED)
    backpropagate(table, game, nodes, path, owner(game, winner(table, game, white, red)))
