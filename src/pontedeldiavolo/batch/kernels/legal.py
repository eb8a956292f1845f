"""Which steps are legal: all of them, for masks and for draws.

Most cells need no look of their own. Two tiles exclude each other only if one makes a group of four
or more with what is there: what the other must not touch then lies around that group. A *free* cell
is open and has no tile of its colour beside it.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.board_sets import (
    add_cell,
    band_count,
    band_row,
    contains,
    copy_set,
    count_on_board,
    own_rows,
    remove_cell,
    window_around,
)
from pontedeldiavolo.batch.kernels.bridges import find_bridges
from pontedeldiavolo.batch.kernels.cells import (
    columns,
    count,
    load,
    load_window,
    load_word,
    lowest_bit,
    popcount,
    remove_cells,
    rows,
    store,
    store_word,
)
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, LEGAL, OPEN_OF, TILES_OF
from pontedeldiavolo.batch.kernels.islands import closed_by, neighbors4, pair_is_legal
from pontedeldiavolo.batch.kernels.jit import njit_cached
from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OPENING, OVER

FREE_FOR_ALL_OPEN = 15
"""With so many free cells, every open cell has a partner.

Around a group of four there are at most 14 cells, so one of the free ones is not among them.
"""
FREE_FOR_SMALL_GROUPS = 4
"""With so many free cells, open cells that make no group of four have a partner.

Such a cell can be at odds only with a free cell beside it, and has a tile on one of its sides.
"""
FREE_FOR_A_PAIR = 2
"""Two free cells are always a pair."""
BITS = 64


@njit_cached
def find_free(table: np.record, game: np.record, color: int) -> int:
    """Write a colour's free cells to the set of legal ones, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        own = own_rows(game, table.height, band, load(game, LEGAL, row))
        free = load(game, OPEN_OF + color, row) & ~neighbors4(load(game, TILES_OF + color, row))
        store(game, LEGAL, row, (load(game, LEGAL, row) & ~own) | (free & own))
        found += count(free & own)
    return found


@njit_cached
def has_partner(game: np.record, color: int, place: int, others: int) -> bool:
    """Tell whether an open cell, of *others* and itself, is half of a legal pair."""
    origin = window_around(game, place)
    closed = closed_by(game, color, place, origin)
    return count(load_window(game, OPEN_OF + color, origin) & closed) <= others


@njit_cached
def find_first_tiles(table: np.record, game: np.record, color: int) -> int:
    """Find the cells that are half of a legal pair of a colour with tiles left, and count them."""
    opened = count_on_board(game, OPEN_OF + color)
    free = find_free(table, game, color)
    if free >= FREE_FOR_ALL_OPEN:
        copy_set(game, OPEN_OF + color, LEGAL)
        return opened
    found = 0
    for index in range(columns(game) * rows(game) // BITS):
        known = np.uint64(0)
        judged = load_word(game, OPEN_OF + color, index)
        if free >= FREE_FOR_SMALL_GROUPS:
            known = judged & ~load_word(game, FOURTH_OF + color, index)
        elif free >= FREE_FOR_A_PAIR:
            known = judged & load_word(game, LEGAL, index)
        judged &= ~known
        while judged:
            bit = judged ^ (judged & (judged - np.uint64(1)))
            judged ^= bit
            if has_partner(game, color, index * BITS + lowest_bit(bit), opened - 1):
                known |= bit
        store_word(game, LEGAL, index, known)
        found += popcount(known)
    return found


@njit_cached
def find_second_tiles(game: np.record, color: int, first: int) -> int:
    """Find the cells that complete a pair, and count them."""
    copy_set(game, OPEN_OF + color, LEGAL)
    origin = window_around(game, first)
    remove_cells(game, LEGAL, origin, closed_by(game, color, first, origin))
    return count_on_board(game, LEGAL)


@njit_cached
def find_tile(game: np.record, color: int, place: int) -> int:
    """Find out of one cell alone whether a tile may go there, as first or second of two."""
    legal = contains(game, OPEN_OF + color, place)
    if game.first != NONE:
        legal = legal and place != game.first and pair_is_legal(game, color, game.first, place)
    elif legal:
        others = count_on_board(game, OPEN_OF + color) - 1
        legal = game.tiles_left[color] >= TILES_PER_TURN and has_partner(game, color, place, others)
    if legal:
        add_cell(game, LEGAL, place)
    else:
        remove_cell(game, LEGAL, place)
    return legal


@njit_cached
def find_legal(table: np.record, game: np.record) -> None:
    """Find all legal steps."""
    color = game.to_move
    game.legal_tiles = game.legal_bridges = game.legal_pass = 0
    if game.phase in (COLOR_CHOICE, OVER):
        return
    if game.first != NONE:
        game.legal_tiles = find_second_tiles(game, color, game.first)
        return
    if game.tiles_left[color] >= TILES_PER_TURN:
        game.legal_tiles = find_first_tiles(table, game, color)
    game.legal_pass = game.legal_tiles == 0
    if game.bridges_left > 0 and game.phase != OPENING:
        game.legal_bridges = find_bridges(table, game, color)


@njit_cached
def has_pair(table: np.record, game: np.record, color: int) -> bool:
    """Tell whether a colour to move has a legal pair."""
    if game.tiles_left[color] < TILES_PER_TURN:
        return False
    return (
        find_free(table, game, color) >= FREE_FOR_A_PAIR or find_first_tiles(table, game, color) > 0
    )
