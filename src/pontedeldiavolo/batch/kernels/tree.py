"""A tree of steps for searching: what was tried, how often, and what it came to.

Nodes lie in one array, the children of a node side by side. Of each node is counted what came of
games that took its step there, and what came of games in which the same colour put the same piece
on the same place later: in this game a piece is worth much the same whenever it is placed, so the
second number tells early what the first one tells late [#]_.

What a game comes to is counted in halves: two for a win, one for a draw.

.. [#] S. Gelly, D. Silver: Monte-Carlo tree search and rapid action value estimation in computer
   Go. Artificial Intelligence 175 (2011).
"""

from __future__ import annotations

from math import log, sqrt
from typing import cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS, holds, next_place
from pontedeldiavolo.batch.kernels.compiled import UNCOMPILED, compiled, inlined
from pontedeldiavolo.batch.kernels.game import BUILDABLE_OF, LEGAL, TILES_OF
from pontedeldiavolo.batch.kernels.layout import cell_of
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.playing import PASS
from pontedeldiavolo.batch.kernels.scoring import seat_to_move
from pontedeldiavolo.batch.members import COLOR_CHOICE, NONE

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
