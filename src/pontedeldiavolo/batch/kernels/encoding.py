"""Legal steps as masks, and boards as feature planes, written as bytes."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.feature_planes import BLOCKED as BENEATH
from pontedeldiavolo.batch.feature_planes import (
    BRIDGES,
    BRIDGES_LEFT,
    CHOICE,
    FIRST_TILE,
    LAST,
    MAX_BYTE,
    OWN_IS_WHITE,
    OWN_MOVES,
    PLANES,
    TILES,
    TILES_LEFT,
)
from pontedeldiavolo.batch.kernels.board_sets import next_cell
from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS
from pontedeldiavolo.batch.kernels.cells import (
    Bytes,
    columns,
    expand_row,
    fill_bytes,
    load,
    load_row,
    store_byte,
)
from pontedeldiavolo.batch.kernels.game import (
    BLOCKED,
    BUILDABLE_OF,
    ENDS_OF,
    LEGAL,
    TILES_OF,
    WHITE,
)
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.layout import cell_of
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.tables import UNLIMITED
from pontedeldiavolo.batch.kernels.transitions import code_of_choice, step_count
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE

PLANE_COUNT = len(PLANES)


@njit_inline
def write_set(table: np.record, game: np.record, which: int, out: Bytes, at: int, end: int) -> None:
    """Write a byte for each cell of the board: whether it is in a set.

    Up to *end*, bytes behind them may be overwritten, too.
    """
    width = table.width
    for row in range(table.height):
        bits = load_row(game, which, row)
        if at + columns(game) <= end:
            expand_row(load(game, which, 0), out, at, bits)
        else:
            for column in range(width):
                store_byte(out, at + column, np.int64(bits >> np.uint64(column) & np.uint64(1)))
        at += width


@njit_cached
def legal_mask(table: np.record, game: np.record, out: Bytes, row: int) -> None:
    """Find all legal steps, and write a row of masks: 1 for each legal step, else 0."""
    find_legal(table, game)
    cells, size = table.cells, step_count(table)
    at, end = row * size, row * size + size
    if game.legal_tiles > 0:
        write_set(table, game, LEGAL, out, at, end)
    else:
        fill_bytes(out, at, 0, cells)
    fill_bytes(out, at + cells, 0, end - at - cells)
    if game.legal_bridges > 0:
        write_bridges(table, game, out, at + cells)
    if game.phase == COLOR_CHOICE:
        fill_bytes(out, at + code_of_choice(table, WHITE), 1, 2)
    store_byte(out, end - 1, game.legal_pass)


@njit_cached
def write_bridges(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each buildable bridge."""
    for direction in range(DIRECTIONS):
        place = next_cell(game, BUILDABLE_OF + direction, 0)
        while place != NONE:
            store_byte(out, at + np.int64(table.number[place, direction]), 1)
            place = next_cell(game, BUILDABLE_OF + direction, place + 1)


@njit_cached
def observe(table: np.record, game: np.record, own: int, out: Bytes, row: int) -> None:
    """Write a row of planes, seen from the side of a colour: see :data:`PLANES`."""
    cells = table.cells
    at = row * PLANE_COUNT * cells
    end = at + PLANE_COUNT * cells
    write_set(table, game, TILES_OF + own, out, at + TILES * cells, end)
    write_set(table, game, TILES_OF + 1 - own, out, at + (TILES + 1) * cells, end)
    write_set(table, game, BLOCKED, out, at + BENEATH * cells, end)
    fill_bytes(out, at + FIRST_TILE * cells, 0, (OWN_IS_WHITE - FIRST_TILE) * cells)
    if game.first != NONE:
        store_byte(out, at + FIRST_TILE * cells + cell_of(table, game, game.first), 1)
    if game.bridges_built[0] + game.bridges_built[1] > 0:
        write_bridge_ends(table, game, out, at + (BRIDGES - 1) * cells)
    fill_bytes(out, at + OWN_IS_WHITE * cells, own == WHITE, cells)
    fill_bytes(out, at + OWN_MOVES * cells, own == game.to_move, cells)
    fill_bytes(out, at + CHOICE * cells, game.phase == COLOR_CHOICE, cells)
    fill_bytes(out, at + LAST * cells, game.phase == LAST_TURN, cells)
    own_left, other_left = game.tiles_left[own], game.tiles_left[1 - own]
    fill_bytes(out, at + TILES_LEFT * cells, capped(own_left, table.all_tiles), cells)
    fill_bytes(out, at + (TILES_LEFT + 1) * cells, capped(other_left, table.all_tiles), cells)
    fill_bytes(out, at + BRIDGES_LEFT * cells, capped(game.bridges_left, table.all_bridges), cells)


@njit_cached
def write_bridge_ends(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each end of a bridge, to the plane of the direction that it goes from there."""
    for color in range(2):
        place = next_cell(game, ENDS_OF + color, 0)
        while place != NONE:
            cell = cell_of(table, game, place)
            store_byte(out, at + np.int64(game.spans[place]) * table.cells + cell, 1)
            place = next_cell(game, ENDS_OF + color, place + 1)


@njit_inline
def capped(left: int, supply: int) -> int:
    """Return how many pieces are left, as far as a byte can tell; none where they are unlimited."""
    return 0 if supply == UNLIMITED else min(left, MAX_BYTE)
