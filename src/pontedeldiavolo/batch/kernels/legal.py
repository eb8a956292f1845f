"""Which steps are legal: all of them, for masks and for draws.

Most cells need no look of their own. Two tiles exclude each other only if one makes a group of four
or more with what is there: what the other must not touch then lies around that group. A *free* cell
is open and has no tile of its colour beside it.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.bands import band_count, band_row, own_rows
from pontedeldiavolo.batch.kernels.bridges import add, find_bridges, holds, remove
from pontedeldiavolo.batch.kernels.cells import (
    bits_in,
    columns,
    count,
    keep_word,
    load,
    lowest,
    remove_cells,
    rows,
    store,
    view,
    word,
)
from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.game import (
    FOURTH_OF,
    LEGAL,
    OPEN_OF,
    TILES_OF,
    copy_all,
    count_all,
)
from pontedeldiavolo.batch.kernels.islands import beside, closed_by, pair_is_legal
from pontedeldiavolo.batch.kernels.windows import window_around
from pontedeldiavolo.batch.members import COLOR_CHOICE, NONE, OPENING, OVER

MANY_FREE = 15
"""With so many free cells, every open cell has a partner.

Around a group of four there are at most 14 cells, so one of the free ones is not among them.
"""
SOME_FREE = 4
"""With so many free cells, open cells that make no group of four have a partner.

Such a cell can be at odds only with a free cell beside it, and has a tile on one of its sides.
"""
TWO_FREE = 2
"""Two free cells are always a pair."""
BITS = 64


@compiled
def find_free(table: np.record, game: np.record, color: int) -> int:
    """Write a colour's free cells to the set of legal ones, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        own = own_rows(game, table.height, band, load(game, LEGAL, row))
        free = load(game, OPEN_OF + color, row) & ~beside(load(game, TILES_OF + color, row))
        store(game, LEGAL, row, (load(game, LEGAL, row) & ~own) | (free & own))
        found += count(free & own)
    return found


@compiled
def has_partner(game: np.record, color: int, place: int, others: int) -> bool:
    """Tell whether an open cell, of *others* and itself, is half of a legal pair."""
    origin = window_around(game, place)
    closed = closed_by(game, color, place, origin)
    return count(view(game, OPEN_OF + color, origin) & closed) <= others


@compiled
def find_first_tiles(table: np.record, game: np.record, color: int) -> int:
    """Find the cells that are half of a legal pair of a colour with tiles left, and count them."""
    opened = count_all(game, OPEN_OF + color)
    free = find_free(table, game, color)
    if free >= MANY_FREE:
        copy_all(game, OPEN_OF + color, LEGAL)
        return opened
    found = 0
    for index in range(columns(game) * rows(game) // BITS):
        known = np.uint64(0)
        judged = word(game, OPEN_OF + color, index)
        if free >= SOME_FREE:
            known = judged & ~word(game, FOURTH_OF + color, index)
        elif free >= TWO_FREE:
            known = judged & word(game, LEGAL, index)
        judged &= ~known
        while judged:
            bit = judged ^ (judged & (judged - np.uint64(1)))
            judged ^= bit
            if has_partner(game, color, index * BITS + lowest(bit), opened - 1):
                known |= bit
        keep_word(game, LEGAL, index, known)
        found += bits_in(known)
    return found


@compiled
def find_second_tiles(game: np.record, color: int, first: int) -> int:
    """Find the cells that complete a pair, and count them."""
    copy_all(game, OPEN_OF + color, LEGAL)
    origin = window_around(game, first)
    remove_cells(game, LEGAL, origin, closed_by(game, color, first, origin))
    return count_all(game, LEGAL)


@compiled
def find_tile(game: np.record, color: int, place: int) -> int:
    """Find out of one cell alone whether a tile may go there, as first or second of two."""
    legal = holds(game, OPEN_OF + color, place)
    if game.first != NONE:
        legal = legal and place != game.first and pair_is_legal(game, color, game.first, place)
    elif legal:
        others = count_all(game, OPEN_OF + color) - 1
        legal = game.tiles_left[color] >= TILES_PER_TURN and has_partner(game, color, place, others)
    if legal:
        add(game, LEGAL, place)
    else:
        remove(game, LEGAL, place)
    return legal


@compiled
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


@compiled
def has_pair(table: np.record, game: np.record, color: int) -> bool:
    """Tell whether a colour to move has a legal pair."""
    if game.tiles_left[color] < TILES_PER_TURN:
        return False
    return find_free(table, game, color) >= TWO_FREE or find_first_tiles(table, game, color) > 0
