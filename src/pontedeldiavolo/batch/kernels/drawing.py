"""Playing one of all legal actions, each with exactly the same probability, without listing them.

A draw proposes one of all pairs of cells listed, of all bridges listed, and the pass. A proposal
that is illegal is taken off its list, if it can be, and the next is drawn. Whatever is accepted in
the end was as likely as every other legal action, and the lists shrink to what is legal. The few
turns near the end that find no legal pair soon count all pairs instead.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.bridges import bridge_is_legal, build_bridge
from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.desk import unlist_bridge, unlist_cell
from pontedeldiavolo.batch.kernels.random import below
from pontedeldiavolo.batch.kernels.tiles import pair_is_legal, place_pair, tile_is_legal
from pontedeldiavolo.vocabulary import TILES_PER_TURN

PATIENCE = 4
"""So many pairs of cells that are legal one by one, but not together, make a turn count all."""
ALL = 1 << 62
PLAYED, UNLISTED, CONFLICT = range(3)
"""What becomes of a proposal: it is played, or struck off a list, or its two tiles exclude each
other."""


@compiled
def prune(tables: np.record, desk: np.record, color: int) -> None:
    """Take all cells off the list of a colour where a tile is illegal."""
    place = 0
    while place < desk.cells_listed[color]:
        cell = desk.cells[color, place]
        if tile_is_legal(tables, desk, color, cell):
            place += 1
        else:
            unlist_cell(desk, color, cell)


@compiled
def count_pairs(tables: np.record, desk: np.record, color: int, enough: int) -> int:
    """Count the legal pairs of a colour with tiles left, but not beyond *enough*."""
    found = 0
    for i in range(desk.cells_listed[color]):
        for j in range(i):
            if pair_is_legal(tables, desk, color, desk.cells[color, i], desk.cells[color, j]):
                found += 1
                if found == enough:
                    return found
    return found


@compiled
def place_nth_pair(tables: np.record, desk: np.record, color: int, n: int) -> None:
    """Place the *n*-th of all legal pairs, from 0."""
    left = n
    for i in range(desk.cells_listed[color]):
        for j in range(i):
            a, b = desk.cells[color, i], desk.cells[color, j]
            if pair_is_legal(tables, desk, color, a, b):
                if left == 0:
                    place_pair(tables, desk, color, a, b)
                    return
                left -= 1


@compiled
def try_pair(tables: np.record, desk: np.record, color: int, drawn: int) -> int:
    """Place one of all ordered pairs of cells listed, by its number, and tell what became of it.

    Cells where a tile is illegal are unlisted.
    """
    others = desk.cells_listed[color] - 1
    i, j = drawn // others, drawn % others
    if j >= i:
        j += 1
    a, b = desk.cells[color, i], desk.cells[color, j]
    if place_pair(tables, desk, color, a, b):
        return PLAYED
    a_is_legal = tile_is_legal(tables, desk, color, a)
    b_is_legal = tile_is_legal(tables, desk, color, b)
    if not a_is_legal:
        unlist_cell(desk, color, a)
    if not b_is_legal:
        unlist_cell(desk, color, b)
    return CONFLICT if a_is_legal and b_is_legal else UNLISTED


@compiled
def try_bridge(tables: np.record, desk: np.record, color: int, place: int) -> int:
    """Build the bridge listed at a place, or unlist it, and tell which."""
    number = desk.bridges[color, place]
    if bridge_is_legal(tables, desk, number):
        build_bridge(tables, desk, number)
        return PLAYED
    unlist_bridge(desk, color, place)
    return UNLISTED


@compiled
def play_random_action(tables: np.record, desk: np.record, color: int) -> bool:
    """Play one of all legal actions of a colour to move, and tell whether it was a pass."""
    conflicts = 0
    while True:
        cells = desk.cells_listed[color] if desk.tiles_left[color] >= TILES_PER_TURN else 0
        bridges = desk.bridges_listed[color] if desk.bridges_left > 0 else 0
        if conflicts == PATIENCE:
            return play_counted(tables, desk, color, bridges)
        # Every pair of cells is there in both orders, so all else counts twice as well.
        pairs = cells * (cells - 1)
        drawn = below(desk, pairs + 2 * bridges + 2)
        if drawn < pairs:
            result = try_pair(tables, desk, color, drawn)
            if result == CONFLICT:
                conflicts += 1
        elif drawn < pairs + 2 * bridges:
            result = try_bridge(tables, desk, color, (drawn - pairs) // 2)
        elif cells == 0 or count_pairs(tables, desk, color, 1) == 0:
            return True
        else:
            result = UNLISTED
        if result == PLAYED:
            return False


@compiled
def play_counted(tables: np.record, desk: np.record, color: int, bridges: int) -> bool:
    """Play one of all legal actions of a colour with tiles left, by counting the pairs."""
    prune(tables, desk, color)
    pairs = count_pairs(tables, desk, color, ALL)
    listed = bridges
    while True:
        drawn = below(desk, pairs + listed + (pairs == 0))
        if drawn < pairs:
            place_nth_pair(tables, desk, color, drawn)
            return False
        if drawn == pairs + listed:
            return True
        if try_bridge(tables, desk, color, drawn - pairs) == PLAYED:
            return False
        listed -= 1


@compiled
def complete_random_pair(tables: np.record, desk: np.record, color: int) -> None:
    """Place the first of two tiles that is decided on with one of all legal second ones."""
    legal = 0
    for place in range(desk.cells_listed[color]):
        cell = desk.cells[color, place]
        if cell != desk.first and pair_is_legal(tables, desk, color, desk.first, cell):
            # Keep the legal ones in front.
            moved = desk.cells[color, legal]
            desk.cells[color, legal], desk.cells[color, place] = cell, moved
            desk.place[color, cell], desk.place[color, moved] = legal, place
            legal += 1
    place_pair(tables, desk, color, desk.first, desk.cells[color, below(desk, legal)])
