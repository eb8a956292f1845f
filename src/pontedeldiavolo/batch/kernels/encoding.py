"""Games as bytes: the rows of a batch, masks of legal steps, feature planes."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
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
from pontedeldiavolo.batch.kernels.board_sets import (
    contains,
    count_on_board,
    next_cell,
    window_at,
    window_count,
)
from pontedeldiavolo.batch.kernels.cells import (
    Bytes,
    bytes_of,
    column_of,
    columns,
    compress_row,
    expand_row,
    fill_bytes,
    is_any,
    load,
    load_byte,
    load_row,
    load_window,
    lowest_bit,
    row_of,
    store_byte,
    store_row,
)
from pontedeldiavolo.batch.kernels.game import (
    BLOCKED,
    BUILDABLE_OF,
    ENDS_OF,
    LEGAL,
    OPEN_OF,
    RED,
    TILES_OF,
    UNLIMITED,
    WHITE,
)
from pontedeldiavolo.batch.kernels.jit import njit_inline, njit_internal
from pontedeldiavolo.batch.kernels.legal import (
    DIRECTIONS,
    build,
    find_legal,
    other_end,
    update_window,
)
from pontedeldiavolo.batch.kernels.transitions import (
    bridge_of,
    choice_of,
    code_of_bridge,
    code_of_choice,
    init,
    step_count,
)
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER, Rows


@njit_inline
def low_bits(number: int) -> np.uint64:
    """Return a number whose lowest bits are 1, so many of them."""
    return np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - number)


@njit_inline
def bits_equal(
    game: np.record, data: Bytes, at: int, end: int, width: int, value: int
) -> np.uint64:
    """Return a bit for each of *width* bytes before *end*: whether it has a value."""
    if at + columns(game) <= end:
        return compress_row(load(game, 0, 0), data, at, value) & low_bits(width)
    found = np.uint64(0)
    for column in range(width):
        found |= np.uint64(load_byte(data, at + column) == value) << np.uint64(column)
    return found


@njit_inline
def unpack_row(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Lay a row out."""
    init(table, game)
    game.phase = batch.phase[row]
    game.to_move = batch.to_move[row]
    game.white_owner = batch.white_owner[row]
    if batch.phase[row] != OPENING:
        cells = table.cells
        unpack_tiles(
            table, game, bytes_of(batch.tiles, row * cells), (len(batch.phase) - row) * cells
        )
        unpack_bridges(
            table, game, bytes_of(batch.spans, row * cells), (len(batch.phase) - row) * cells
        )
    if batch.first[row] != NONE:
        game.first = np.int64(table.place[batch.first[row]])
    game.turns = count_turns(table, game)


@njit_internal
def unpack_tiles(table: np.record, game: np.record, data: Bytes, end: int) -> None:
    """Place all tiles of a row."""
    width = table.width
    for row in range(table.height):
        white = bits_equal(game, data, row * width, end, width, 1 + WHITE)
        red = bits_equal(game, data, row * width, end, width, 1 + RED)
        store_row(game, TILES_OF + WHITE, row, white)
        store_row(game, TILES_OF + RED, row, red)
        water = load_row(game, OPEN_OF, row) & ~(white | red)
        store_row(game, OPEN_OF + WHITE, row, water)
        store_row(game, OPEN_OF + RED, row, water)
    for color in range(2):
        game.tiles_left[color] -= count_on_board(game, TILES_OF + color)
        for y in range(window_count(table.height)):
            for x in range(window_count(table.width)):
                origin = window_at(game, y, x)
                tiles = load_window(game, TILES_OF + color, origin)
                if is_any(tiles):
                    update_window(game, color, tiles, origin)


@njit_internal
def unpack_bridges(table: np.record, game: np.record, spans: Bytes, end: int) -> None:
    """Build all bridges of a row."""
    width, side = table.width, columns(game)
    for row in range(table.height):
        rest = low_bits(width) ^ bits_equal(game, spans, row * width, end, width, 0)
        while rest:
            column = lowest_bit(rest)
            rest &= rest - np.uint64(1)
            direction = load_byte(spans, row * width + column) - 1
            if direction < DIRECTIONS:
                white = load_row(game, TILES_OF + WHITE, row) >> np.uint64(column) & np.uint64(1)
                build(table, game, WHITE if white else RED, row * side + column, direction)


@njit_internal
def count_turns(table: np.record, game: np.record) -> int:
    """Return how many pairs, bridges and passes a game laid out has seen."""
    if game.phase == COLOR_CHOICE:
        return 1
    found = game.bridges_built[WHITE] + game.bridges_built[RED]
    for color in range(2):
        # In a set-up, an odd tile counts as a pair.
        found += (table.all_tiles - game.tiles_left[color] + 1) // TILES_PER_TURN
    if game.phase == LAST_TURN:
        return found + 1
    # Both colours had equally many turns, and one of them passed or both did.
    return found + 2 - found % 2 if game.phase == OVER else found


@njit_inline
def cell_of(table: np.record, game: np.record, place: int) -> int:
    """Return the number of a cell by its place."""
    return row_of(game, place) * table.width + column_of(game, place)


@njit_internal
def pack_row(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Write a whole game to a row."""
    cells = table.cells
    tiles, spans = bytes_of(batch.tiles, row * cells), bytes_of(batch.spans, row * cells)
    for y in range(table.height):
        white, red = load_row(game, TILES_OF + WHITE, y), load_row(game, TILES_OF + RED, y)
        for x in range(table.width):
            bit, at = np.uint64(x), y * table.width + x
            tile = (white >> bit & np.uint64(1)) | (red >> bit & np.uint64(1)) << np.uint64(1)
            store_byte(tiles, at, np.int64(tile))
            store_byte(spans, at, np.int64(game.spans[y * columns(game) + x]))
    pack_turn(table, game, batch, row)


@njit_inline
def pack_turn(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Write whose turn it is in a game to a row."""
    batch.phase[row] = game.phase
    batch.to_move[row] = game.to_move
    batch.white_owner[row] = game.white_owner
    batch.first[row] = NONE if game.first == NONE else cell_of(table, game, game.first)


@njit_internal
def pack_step(
    table: np.record, game: np.record, batch: Rows, row: int, code: int, first: int
) -> None:
    """Write to a row, which holds the game as it was, what a step has changed.

    *First* is the first of two tiles, if the step was the second.
    """
    at = row * table.cells
    if choice_of(table, code) >= 0:
        pass
    elif code >= table.cells:
        place, _ = bridge_of(table, code)
        other = other_end(table, place, np.int64(game.spans[place]))
        spans = bytes_of(batch.spans, at)
        store_byte(spans, cell_of(table, game, place), np.int64(game.spans[place]))
        store_byte(spans, cell_of(table, game, other), np.int64(game.spans[other]))
    elif first != NONE:
        tiles = bytes_of(batch.tiles, at)
        tile = 1 + RED if contains(game, TILES_OF + RED, first) else 1 + WHITE
        store_byte(tiles, code, tile)
        store_byte(tiles, cell_of(table, game, first), tile)
    pack_turn(table, game, batch, row)


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


@njit_internal
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
        write_bridges(table, game, out, at)
    if game.phase == COLOR_CHOICE:
        fill_bytes(out, at + code_of_choice(table, WHITE), 1, 2)
    store_byte(out, end - 1, game.legal_pass)


@njit_internal
def write_bridges(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each buildable bridge."""
    for direction in range(DIRECTIONS):
        place = next_cell(game, BUILDABLE_OF + direction, 0)
        while place != NONE:
            store_byte(out, at + code_of_bridge(table, place, direction), 1)
            place = next_cell(game, BUILDABLE_OF + direction, place + 1)


@njit_internal
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


@njit_internal
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
