"""Heuristic rollouts: turns that complete, spoil and extend islands, and bridges."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels import cells, playouts, steps
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, OPEN_OF, SCRATCH, TILES_OF
from pontedeldiavolo.batch.kernels.jit import njit_internal
from pontedeldiavolo.batch.rows import OPENING, OVER

TEN = np.int64(10)
TARGET_TENTHS = 8
"""Probability, in tenths, that a turn tries to complete or spoil an island, if it can."""
SECOND_TARGET_TENTHS = 5
"""Probability, in tenths, that the second tile of such a turn tries the same."""
BRIDGE_TENTHS = 3
"""Probability, in tenths, that any other turn builds a bridge, if it can."""


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
    """Try to place a pair with at least one tile on a target; return whether it was steps."""
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


@njit_internal
def play_heuristic_action(table: np.record, game: np.record, extend_above_cells: int) -> None:
    """Play an action by the heuristics above or else at random, as in heuristic_playout."""
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
def heuristic_playout(table: np.record, game: np.record, extend_above_cells: int) -> None:
    """Play a game to its end using heuristics.

    Turns try to extend groups of two only on boards of more than *extend_above_cells* cells.
    """
    while game.phase != OVER:
        if not playouts.play_choice_or_second_tile(table, game):
            play_heuristic_action(table, game, extend_above_cells)
