"""The rules of bridges [S0]."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.board_sets import (
    add_cell,
    band_count,
    band_row,
    count_on_board,
    nth_on_board,
    own_rows,
    remove_cell,
)
from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    column_of,
    columns,
    count,
    load,
    row_of,
    rows,
    shift,
    store,
)
from pontedeldiavolo.batch.kernels.game import (
    BLOCKED,
    BUILDABLE_OF,
    CROSSED_OF,
    ENDS_OF,
    OPEN_OF,
    RED,
    TILES_OF,
    WHITE,
)
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.board.geometry import FORWARD

DIRECTIONS = len(FORWARD)
EACH = tuple(map(np.int64, range(DIRECTIONS)))


@njit_inline
def store_buildable(game: np.record, direction: int, row: int, spans: Cells, own: Cells) -> int:
    """Keep where bridges in a direction can be built, in a band's own rows, and count them."""
    found = spans & own & ~load(game, CROSSED_OF + direction, row)
    others = load(game, BUILDABLE_OF + direction, row) & ~own
    store(game, BUILDABLE_OF + direction, row, others | found)
    return count(found)


@njit_cached
def find_bridges(table: np.record, game: np.record, color: int) -> int:
    """Find all bridges that a colour can build, supply and turn aside, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        tiles = load(game, TILES_OF + color, row)
        free = tiles & ~load(game, ENDS_OF + color, row)
        water = ~(tiles | load(game, TILES_OF + 1 - color, row))
        own = own_rows(game, table.height, band, free)
        # For each direction, the other end and what is beneath, as seen from the first end.
        a, b = shift(water, -1, 0), shift(water, -1, -1)
        c, d, e = shift(water, 0, -1), shift(water, 1, 0), shift(water, 1, -1)
        found += store_buildable(game, EACH[0], row, free & shift(free, -2, 0) & a, own)
        found += store_buildable(game, EACH[1], row, free & shift(free, 2, -1) & d & e, own)
        found += store_buildable(game, EACH[2], row, free & shift(free, -2, -1) & a & b, own)
        found += store_buildable(game, EACH[3], row, free & shift(free, 2, -2) & e, own)
        found += store_buildable(game, EACH[4], row, free & shift(free, 1, -2) & c & e, own)
        found += store_buildable(game, EACH[5], row, free & shift(free, 0, -2) & c, own)
        found += store_buildable(game, EACH[6], row, free & shift(free, -1, -2) & c & b, own)
        found += store_buildable(game, EACH[7], row, free & shift(free, -2, -2) & b, own)
    return found


@njit_cached
def nth_bridge(game: np.record, n: int) -> tuple[int, int]:
    """Return the first end and the direction of the *n*-th buildable bridge, from 0."""
    left = n
    for direction in range(DIRECTIONS):
        here = count_on_board(game, BUILDABLE_OF + direction)
        if left < here:
            return nth_on_board(game, BUILDABLE_OF + direction, left), direction
        left -= here
    return NONE, NONE


@njit_cached
def build(table: np.record, game: np.record, color: int, place: int, direction: int) -> None:
    """Build a legal bridge, from its first end."""
    other = place + table.step[direction]
    add_cell(game, ENDS_OF + color, place)
    add_cell(game, ENDS_OF + color, other)
    game.spans[place] = 1 + direction
    game.spans[other] = 1 + direction + DIRECTIONS
    game.bridges_left -= 1
    game.bridges_built[color] += 1
    for index in range(2):
        under = place + table.beneath[direction, index]
        add_cell(game, BLOCKED, under)
        remove_cell(game, OPEN_OF + WHITE, under)
        remove_cell(game, OPEN_OF + RED, under)
    side, column, row = columns(game), column_of(game, place), row_of(game, place)
    for index in range(table.crossings_from[direction], table.crossings_from[direction + 1]):
        x, y = column + table.crossings[index, 0], row + table.crossings[index, 1]
        # Off the board, no bridge has an end; off the set, there is nothing to mark.
        if 0 <= x < side and 0 <= y < rows(game):
            add_cell(game, CROSSED_OF + table.crossings[index, 2], y * side + x)


@njit_inline
def other_end(table: np.record, end: int, span: int) -> int:
    """Return the other end of a bridge."""
    direction = span - 1
    if direction < DIRECTIONS:
        return end + table.step[direction]
    return end - table.step[direction - DIRECTIONS]
