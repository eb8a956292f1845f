"""Legal steps and what a network sees, as bytes."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS, next_place
from pontedeldiavolo.batch.kernels.cells import (
    Bytes,
    columns,
    fill,
    load,
    put,
    row_bits,
    spread_row,
)
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.game import (
    BLOCKED,
    BUILDABLE_OF,
    ENDS_OF,
    LEGAL,
    TILES_OF,
    WHITE,
)
from pontedeldiavolo.batch.kernels.layout import cell_of
from pontedeldiavolo.batch.kernels.tables import UNLIMITED
from pontedeldiavolo.batch.members import COLOR_CHOICE, LAST_TURN, NONE
from pontedeldiavolo.batch.plane_layout import (
    BLOCKED as BENEATH,
)
from pontedeldiavolo.batch.plane_layout import (
    BRIDGES,
    BRIDGES_LEFT,
    CHOICE,
    FIRST_TILE,
    LAST,
    MOST_TOLD,
    OWN_IS_WHITE,
    OWN_MOVES,
    PLANES,
    TILES,
    TILES_LEFT,
)

PLANE_COUNT = len(PLANES)


@inlined
def write_set(table: np.record, game: np.record, which: int, out: Bytes, at: int, end: int) -> None:
    """Write a byte for each cell of the board: whether it is in a set.

    Up to *end*, bytes behind them may be overwritten, too.
    """
    width = table.width
    for row in range(table.height):
        bits = row_bits(game, which, row)
        if at + columns(game) <= end:
            spread_row(load(game, which, 0), out, at, bits)
        else:
            for column in range(width):
                put(out, at + column, np.int64(bits >> np.uint64(column) & np.uint64(1)))
        at += width


@compiled
def write_mask(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write a byte for each step: whether it was found legal."""
    cells, others = table.cells, table.cells + table.bridges
    end = at + others + 3
    if game.legal_tiles > 0:
        write_set(table, game, LEGAL, out, at, end)
    else:
        fill(out, at, 0, cells)
    fill(out, at + cells, 0, end - at - cells)
    if game.legal_bridges > 0:
        write_bridges(table, game, out, at + cells)
    if game.phase == COLOR_CHOICE:
        fill(out, at + others, 1, 2)
    put(out, end - 1, game.legal_pass)


@compiled
def write_bridges(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each buildable bridge."""
    for direction in range(DIRECTIONS):
        place = next_place(game, BUILDABLE_OF + direction, 0)
        while place != NONE:
            put(out, at + np.int64(table.number[place, direction]), 1)
            place = next_place(game, BUILDABLE_OF + direction, place + 1)


@compiled
def write_planes(table: np.record, game: np.record, own: int, out: Bytes, at: int) -> None:
    """Write the planes that a network of a colour sees, named in :mod:`plane_layout`."""
    cells = table.cells
    end = at + PLANE_COUNT * cells
    write_set(table, game, TILES_OF + own, out, at + TILES * cells, end)
    write_set(table, game, TILES_OF + 1 - own, out, at + (TILES + 1) * cells, end)
    write_set(table, game, BLOCKED, out, at + BENEATH * cells, end)
    fill(out, at + FIRST_TILE * cells, 0, (OWN_IS_WHITE - FIRST_TILE) * cells)
    if game.first != NONE:
        put(out, at + FIRST_TILE * cells + cell_of(table, game, game.first), 1)
    if game.bridges_built[0] + game.bridges_built[1] > 0:
        write_spans(table, game, out, at + (BRIDGES - 1) * cells)
    fill(out, at + OWN_IS_WHITE * cells, own == WHITE, cells)
    fill(out, at + OWN_MOVES * cells, own == game.to_move, cells)
    fill(out, at + CHOICE * cells, game.phase == COLOR_CHOICE, cells)
    fill(out, at + LAST * cells, game.phase == LAST_TURN, cells)
    own_left, other_left = game.tiles_left[own], game.tiles_left[1 - own]
    fill(out, at + TILES_LEFT * cells, told(own_left, table.all_tiles), cells)
    fill(out, at + (TILES_LEFT + 1) * cells, told(other_left, table.all_tiles), cells)
    fill(out, at + BRIDGES_LEFT * cells, told(game.bridges_left, table.all_bridges), cells)


@compiled
def write_spans(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each end of a bridge, to the plane of the direction that it goes from there."""
    for color in range(2):
        place = next_place(game, ENDS_OF + color, 0)
        while place != NONE:
            cell = cell_of(table, game, place)
            put(out, at + np.int64(game.spans[place]) * table.cells + cell, 1)
            place = next_place(game, ENDS_OF + color, place + 1)


@inlined
def told(left: int, supply: int) -> int:
    """Return how many pieces are left, as far as a byte can tell; none where they are unlimited."""
    return 0 if supply == UNLIMITED else min(left, MOST_TOLD)
