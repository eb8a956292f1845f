"""Compiled tree search: nodes, heuristic rollouts, simulations."""

from __future__ import annotations

from math import log, sqrt
from typing import cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS, find_bridges, holds, next_place
from pontedeldiavolo.batch.kernels.cells import lanes, load, rows, store
from pontedeldiavolo.batch.kernels.compiled import UNCOMPILED, compiled, inlined
from pontedeldiavolo.batch.kernels.drawing import (
    play_bridge,
    play_out,
    play_random_action,
    play_what_is_due,
)
from pontedeldiavolo.batch.kernels.game import (
    BUILDABLE_OF,
    FOURTH_OF,
    LEGAL,
    OPEN_OF,
    RED,
    SEEN,
    TILES_OF,
    WHITE,
    count_all,
    nth_of_all,
)
from pontedeldiavolo.batch.kernels.islands import pair_is_legal, place_pair
from pontedeldiavolo.batch.kernels.layout import Rows, cell_of, lay_out
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.playing import PASS, end_turn, play
from pontedeldiavolo.batch.kernels.random import begin_random, below
from pontedeldiavolo.batch.kernels.runs import Records
from pontedeldiavolo.batch.kernels.scoring import owner, points, seat_to_move, winner
from pontedeldiavolo.batch.members import COLOR_CHOICE, NONE, OPENING, OVER

NODE = np.dtype(
    [
        ("code", "i4"),  # the step that leads here
        ("seat", "i4"),  # whose it is
        ("color", "i4"),
        ("visits", "i4"),
        ("gained", "i4"),
        ("later_visits", "i4"),  # of games in which the same was done later
        ("later_gained", "i4"),
        ("first_child", "i4"),
        ("children", "i4"),
    ]
)
"""A node; what is gained is gained by the seat whose step leads there."""
Nodes = npt.NDArray[np.void]

WIN, DRAW = 2, 1
TRUST = 300.0
"""So many visits make a node's own games count as much as all that came later."""
CURIOSITY = 0.3
"""How much more is expected of what was seldom tried."""
OTHERS = 3
"""More steps than tiles and bridges: at most so many."""


def new_nodes(number: int) -> Nodes:
    """Return so many nodes of zeros."""
    found = np.zeros(number, NODE)
    # Uncompiled, the fields of a record are wanted as attributes.
    return cast(Nodes, found.view(np.recarray)) if UNCOMPILED else found


@inlined
def add_child(nodes: Nodes, parent: int, place: int, code: int, seat: int, color: int) -> None:
    """Add a step that nobody has tried yet."""
    node = nodes[place]
    node.code, node.seat, node.color = code, seat, color
    node.visits = node.gained = node.later_visits = node.later_gained = 0
    node.first_child = node.children = 0
    nodes[parent].children += 1


@compiled
def expand(table: np.record, game: np.record, nodes: Nodes, parent: int, used: int) -> int:
    """Add all legal steps of a game; return how many nodes there are then, or -1: no room."""
    find_legal(table, game)
    if used + game.legal_tiles + game.legal_bridges + OTHERS > len(nodes):
        return NONE
    seat, color, end = seat_to_move(game), game.to_move, used
    nodes[parent].first_child = used
    if game.legal_tiles > 0:
        place = next_place(game, LEGAL, 0)
        while place != NONE:
            add_child(nodes, parent, end, cell_of(table, game, place), seat, color)
            end += 1
            place = next_place(game, LEGAL, place + 1)
    if game.legal_bridges > 0:
        for direction in range(DIRECTIONS):
            place = next_place(game, BUILDABLE_OF + direction, 0)
            while place != NONE:
                code = table.cells + np.int64(table.number[place, direction])
                add_child(nodes, parent, end, code, seat, color)
                end += 1
                place = next_place(game, BUILDABLE_OF + direction, place + 1)
    for choice in range(PASS + 1):
        if game.legal_pass == 1 if choice == PASS else game.phase == COLOR_CHOICE:
            add_child(nodes, parent, end, table.cells + table.bridges + choice, seat, color)
            end += 1
    return end


@inlined
def promise(node: np.record, curiosity: float) -> float:
    """Return what may be expected of a step, from 0 to 2 and some more for curiosity."""
    later = (node.later_gained + DRAW) / (node.later_visits + 1.0)
    if node.visits == 0:
        return later + curiosity
    own = node.gained / np.float64(node.visits)
    # Nobody can choose a colour later, or pass; and what nobody has done tells nothing.
    weight = TRUST / (TRUST + node.visits) if node.later_visits > 0 else 0.0
    return own + weight * (later - own) + curiosity / sqrt(node.visits + 1.0)


@compiled
def most_promising(nodes: Nodes, parent: int) -> int:
    """Return the child to try next."""
    first = nodes[parent].first_child
    curiosity = CURIOSITY * sqrt(log(nodes[parent].visits + 1.0))
    found, most = first, -1.0
    for child in range(first, first + nodes[parent].children):
        expected = promise(nodes[child], curiosity)
        if expected > most:
            found, most = child, expected
    return found


@inlined
def was_done(table: np.record, game: np.record, code: int, color: int) -> bool:
    """Tell whether a colour has put a piece where a step would, by the end of a game."""
    if code < table.cells:
        return holds(game, TILES_OF + color, np.int64(table.place[code]))
    number = code - table.cells
    if number >= table.bridges:
        return False
    return game.spans[table.bridge_place[number]] == 1 + np.int64(table.bridge_direction[number])


@compiled
def back_up(
    table: np.record, game: np.record, nodes: Nodes, path: npt.NDArray[np.int32], winner: int
) -> None:
    """Note at all nodes of a path, and beside it, which seat has won the game; -1 is a draw."""
    for node in path:
        nodes[node].visits += 1
        nodes[node].gained += gain(winner, nodes[node].seat)
        first = nodes[node].first_child
        for child in range(first, first + nodes[node].children):
            if was_done(table, game, nodes[child].code, nodes[child].color):
                nodes[child].later_visits += 1
                nodes[child].later_gained += gain(winner, nodes[child].seat)


@inlined
def gain(winner: int, seat: int) -> int:
    """Return what a game is worth to a seat."""
    if winner == NONE:
        return DRAW
    return WIN if winner == seat else 0


@compiled
def keep_below(nodes: Nodes, root: int, kept: Nodes) -> int:
    """Copy a node with all below it to other memory; return how many they are."""
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


OF_TEN = np.int64(10)
TO_ISLANDS = 8
"""In so many of ten turns a tile is put where it completes or spoils an island, if one can be."""
WITH_BOTH = 5
"""In so many of ten of those turns, the second tile, too."""
TO_BRIDGES = 3
"""In so many of ten other turns, a bridge is built if one can be."""


@compiled
def find_targets(game: np.record, color: int) -> int:
    """Find where a tile completes an island or spoils one of the opponent's, and count them."""
    other = 1 - color
    for row in range(0, rows(game), lanes(game)):
        mine = load(game, FOURTH_OF + color, row)
        theirs = load(game, FOURTH_OF + other, row) & load(game, OPEN_OF + other, row)
        store(game, SEEN, row, load(game, OPEN_OF + color, row) & (mine | theirs))
    return count_all(game, SEEN)


@compiled
def play_targets(game: np.record, color: int) -> bool:
    """Place a pair with a tile at least on a target, and tell whether that came about."""
    targets = find_targets(game, color)
    if targets == 0:
        return False
    a = nth_of_all(game, SEEN, below(game, targets))
    if below(game, OF_TEN) < WITH_BOTH:
        b = nth_of_all(game, SEEN, below(game, targets))
    else:
        b = nth_of_all(game, OPEN_OF + color, below(game, count_all(game, OPEN_OF + color)))
    if a == b or not pair_is_legal(game, color, a, b):
        return False
    place_pair(game, color, a, b)
    end_turn(game)
    return True


@compiled
def play_any_bridge(table: np.record, game: np.record, color: int) -> bool:
    """Build one of all bridges, and tell whether there was one."""
    found = find_bridges(table, game, color)
    if found == 0:
        return False
    play_bridge(table, game, color, below(game, found))
    return True


@compiled
def play_sensible_action(table: np.record, game: np.record) -> None:
    """Play an action of the colour to move."""
    color = game.to_move
    if (
        game.tiles_left[color] >= TILES_PER_TURN
        and below(game, OF_TEN) < TO_ISLANDS
        and play_targets(game, color)
    ):
        return
    if (
        game.bridges_left > 0
        and game.phase != OPENING
        and below(game, OF_TEN) < TO_BRIDGES
        and play_any_bridge(table, game, color)
    ):
        return
    play_random_action(table, game)


@compiled
def play_sensibly(table: np.record, game: np.record) -> None:
    """Play a game to its end with some sense."""
    while game.phase != OVER:
        if not play_what_is_due(table, game):
            play_sensible_action(table, game)


ROOT, PLAYED = 0, 1
"""The game where the search begins, and the one that is played from there."""
PATIENCE = 8
"""So many games through a node make it worth its children."""


@compiled
def begin_search(
    tables: Records, games: Records, nodes: Nodes, batch: Rows, seed: np.uint64
) -> None:
    """Lay out the row that is searched from, as the only node."""
    lay_out(tables[0], games[ROOT], batch, 0)
    begin_random(games[PLAYED], seed, 0)
    nodes[0].code = nodes[0].seat = nodes[0].color = NONE
    nodes[0].visits = nodes[0].gained = 0
    nodes[0].first_child = nodes[0].children = 0


@inlined
def descend(
    table: np.record,
    game: np.record,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    used: int,
    has_room: bool,
) -> tuple[int, int, bool]:
    """Play from the root to where the tree ends, which may grow there.

    Return how many steps that were, how many nodes there are then, and whether there was room.
    """
    node, depth = 0, 0
    path[0] = 0
    while game.phase != OVER:
        if nodes[node].children == 0:
            if depth > 0 and (nodes[node].visits < PATIENCE or not has_room):
                break
            end = expand(table, game, nodes, node, used)
            if end == NONE:
                has_room = False
                break
            used = end
        node = most_promising(nodes, node)
        play(table, game, np.int64(nodes[node].code))
        depth += 1
        path[depth] = node
    return depth, used, has_room


@compiled
def search(
    tables: Records,
    games: Records,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    used: int,
    simulations: int,
    may_fill: bool,
    guided: bool,
) -> tuple[int, int]:
    """Play so many games, or until there is no room for more nodes, unless that does not matter.

    What is beyond the tree is played with some sense, if they are guided, or else uniformly.
    Return how many were played, and how many nodes there are then.
    """
    table, game = tables[0], games[PLAYED]
    has_room = True
    for done in range(simulations):
        random = game.random
        games[PLAYED] = games[ROOT]
        game.random = random
        depth, used, has_room = descend(table, game, nodes, path, used, has_room)
        if not has_room and not may_fill:
            return done, used
        if guided:
            play_sensibly(table, game)
        else:
            play_out(table, game)
        note_winner(table, game, nodes, path[: depth + 1])
    return simulations, used


@compiled
def note_winner(
    table: np.record, game: np.record, nodes: Nodes, path: npt.NDArray[np.int32]
) -> None:
    """Note on the path of a game who has won it."""
    white, red = points(table, game, WHITE), points(table, game, RED)
    back_up(table, game, nodes, path, owner(game, winner(table, game, white, red)))
