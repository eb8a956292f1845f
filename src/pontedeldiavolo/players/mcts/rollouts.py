"""Heuristic rollouts: turns that complete, spoil and extend islands, and bridges."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.cells import (
    count,
    count_on_board,
    from_window,
    is_any,
    lanes,
    load,
    load_window,
    nth_bit,
    nth_on_board,
    rows,
    store,
    window_around,
)
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, OPEN_OF, SEEN, TILES_OF
from pontedeldiavolo.batch.kernels.jit import njit_internal
from pontedeldiavolo.batch.kernels.legal import (
    find_bridges,
    judge_cells,
    neighbors4,
    pair_is_legal,
    place_pair,
    single_in_window,
    split_by_group_size,
)
from pontedeldiavolo.batch.kernels.sampling import (
    play_bridge,
    play_forced,
    play_random_action,
    randbelow,
)
from pontedeldiavolo.batch.kernels.transitions import end_turn
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
    for row in range(0, rows(game), lanes(game)):
        mine = load(game, FOURTH_OF + color, row)
        theirs = load(game, FOURTH_OF + other, row) & load(game, OPEN_OF + other, row)
        store(game, SEEN, row, load(game, OPEN_OF + color, row) & (mine | theirs))
    return count_on_board(game, SEEN)


@njit_internal
def play_targets(game: np.record, color: int) -> bool:
    """Try to place a pair with at least one tile on a target; return whether it was legal."""
    targets = find_targets(game, color)
    if targets == 0:
        return False
    a = nth_on_board(game, SEEN, randbelow(game, targets))
    which, number = SEEN, targets
    if randbelow(game, TEN) >= SECOND_TARGET_TENTHS:
        which, number = OPEN_OF + color, count_on_board(game, OPEN_OF + color)
    b = nth_on_board(game, which, randbelow(game, number))
    if a == b or not pair_is_legal(game, color, a, b):
        return False
    place_pair(game, color, a, b)
    end_turn(game)
    return True


@njit_internal
def play_island(game: np.record, color: int) -> bool:
    """Try to extend a group of two, and to complete an island with the second tile.

    Return whether a random cell beside a group of two allowed that.
    """
    for row in range(0, rows(game), lanes(game)):
        pairs = split_by_group_size(load(game, TILES_OF + color, row))[1]
        store(game, SEEN, row, load(game, OPEN_OF + color, row) & neighbors4(pairs))
    found = count_on_board(game, SEEN)
    if found == 0:
        return False
    a = nth_on_board(game, SEEN, randbelow(game, found))
    origin = window_around(game, a)
    tiles = load_window(game, TILES_OF + color, origin)
    tiles |= single_in_window(game, tiles, a, origin)
    closed, fourth, _ = judge_cells(tiles)
    seconds = load_window(game, OPEN_OF + color, origin) & fourth & ~(closed | tiles)
    if not is_any(seconds):
        return False
    b = nth_bit(seconds, randbelow(game, count(seconds)))
    place_pair(game, color, a, from_window(game, origin, b))
    end_turn(game)
    return True


@njit_internal
def play_heuristic_action(table: np.record, game: np.record, plain_cells: int) -> None:
    """Play an action of the colour to move, using the heuristics above or else at random."""
    color = game.to_move
    if game.tiles_left[color] >= TILES_PER_TURN:
        if randbelow(game, TEN) < TARGET_TENTHS and play_targets(game, color):
            return
        if table.cells > plain_cells and play_island(game, color):
            return
    bridges = 0
    if game.bridges_left > 0 and game.phase != OPENING and randbelow(game, TEN) < BRIDGE_TENTHS:
        bridges = find_bridges(table, game, color)
    if bridges > 0:
        play_bridge(table, game, color, randbelow(game, bridges))
    else:
        play_random_action(table, game)


@njit_internal
def heuristic_playout(table: np.record, game: np.record, plain_cells: int) -> None:
    """Play a game to its end using heuristics.

    Turns try to extend groups of two only on boards of more than *plain_cells* cells.
    """
    while game.phase != OVER:
        if not play_forced(table, game):
            play_heuristic_action(table, game, plain_cells)
