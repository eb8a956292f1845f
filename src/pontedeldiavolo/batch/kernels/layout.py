"""Games from the rows of a batch, and back."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS, build, far_end, holds
from pontedeldiavolo.batch.kernels.cells import (
    Bytes,
    bytes_of,
    column_of,
    columns,
    gather_row,
    get,
    keep_row,
    load,
    lowest,
    put,
    row_bits,
    row_of,
    some,
    view,
)
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.game import OPEN_OF, RED, TILES_OF, WHITE, count_all
from pontedeldiavolo.batch.kernels.islands import note_tiles
from pontedeldiavolo.batch.kernels.playing import begin
from pontedeldiavolo.batch.kernels.windows import window_at, window_steps
from pontedeldiavolo.batch.members import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER


class Rows(NamedTuple):
    """Many games as arrays, a row each. Numbers of members from 0; -1 is none."""

    tiles: npt.NDArray[np.int8]
    """(n, cells): 0, or 1 for a white, 2 for a red tile."""
    spans: npt.NDArray[np.int8]
    """(n, cells): 0, or 1 and the direction of the bridge that ends on the cell."""
    phase: npt.NDArray[np.int8]
    """(n,)"""
    to_move: npt.NDArray[np.int8]
    """(n,): a colour."""
    white_owner: npt.NDArray[np.int8]
    """(n,): a seat."""
    first: npt.NDArray[np.int16]
    """(n,): the cell of the first of two tiles."""


@inlined
def first_bits(number: int) -> np.uint64:
    """Return a number whose lowest bits are 1, so many of them."""
    return np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - number)


@inlined
def gather(game: np.record, data: Bytes, at: int, end: int, width: int, value: int) -> np.uint64:
    """Return a bit for each of *width* bytes before *end*: whether it has a value."""
    if at + columns(game) <= end:
        return gather_row(load(game, 0, 0), data, at, value) & first_bits(width)
    found = np.uint64(0)
    for column in range(width):
        found |= np.uint64(get(data, at + column) == value) << np.uint64(column)
    return found


@compiled
def lay_out(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Lay a row out."""
    begin(table, game)
    game.phase = batch.phase[row]
    game.to_move = batch.to_move[row]
    game.white_owner = batch.white_owner[row]
    if batch.phase[row] != OPENING:
        cells = table.cells
        lay_tiles(table, game, bytes_of(batch.tiles, row * cells), (len(batch.phase) - row) * cells)
        lay_bridges(
            table, game, bytes_of(batch.spans, row * cells), (len(batch.phase) - row) * cells
        )
    if batch.first[row] != NONE:
        game.first = np.int64(table.place[batch.first[row]])
    game.turns = turns_of(table, game)


@compiled
def lay_tiles(table: np.record, game: np.record, data: Bytes, end: int) -> None:
    """Place all tiles of a row."""
    width = table.width
    for row in range(table.height):
        white = gather(game, data, row * width, end, width, 1 + WHITE)
        red = gather(game, data, row * width, end, width, 1 + RED)
        keep_row(game, TILES_OF + WHITE, row, white)
        keep_row(game, TILES_OF + RED, row, red)
        water = row_bits(game, OPEN_OF, row) & ~(white | red)
        keep_row(game, OPEN_OF + WHITE, row, water)
        keep_row(game, OPEN_OF + RED, row, water)
    for color in range(2):
        game.tiles_left[color] -= count_all(game, TILES_OF + color)
        for y in range(window_steps(table.height)):
            for x in range(window_steps(table.width)):
                origin = window_at(game, y, x)
                tiles = view(game, TILES_OF + color, origin)
                if some(tiles):
                    note_tiles(game, color, tiles, origin)


@compiled
def lay_bridges(table: np.record, game: np.record, spans: Bytes, end: int) -> None:
    """Build all bridges of a row."""
    width, side = table.width, columns(game)
    for row in range(table.height):
        rest = first_bits(width) ^ gather(game, spans, row * width, end, width, 0)
        while rest:
            column = lowest(rest)
            rest &= rest - np.uint64(1)
            direction = get(spans, row * width + column) - 1
            if direction < DIRECTIONS:
                white = row_bits(game, TILES_OF + WHITE, row) >> np.uint64(column) & np.uint64(1)
                build(table, game, WHITE if white else RED, row * side + column, direction)


@compiled
def turns_of(table: np.record, game: np.record) -> int:
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


@inlined
def cell_of(table: np.record, game: np.record, place: int) -> int:
    """Return the number of a cell by its place."""
    return row_of(game, place) * table.width + column_of(game, place)


@compiled
def take_up(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Write a whole game to a row."""
    cells = table.cells
    tiles, spans = bytes_of(batch.tiles, row * cells), bytes_of(batch.spans, row * cells)
    for y in range(table.height):
        white, red = row_bits(game, TILES_OF + WHITE, y), row_bits(game, TILES_OF + RED, y)
        for x in range(table.width):
            bit, at = np.uint64(x), y * table.width + x
            tile = (white >> bit & np.uint64(1)) | (red >> bit & np.uint64(1)) << np.uint64(1)
            put(tiles, at, np.int64(tile))
            put(spans, at, np.int64(game.spans[y * columns(game) + x]))
    take_up_turn(table, game, batch, row)


@inlined
def take_up_turn(table: np.record, game: np.record, batch: Rows, row: int) -> None:
    """Write whose turn it is in a game to a row."""
    batch.phase[row] = game.phase
    batch.to_move[row] = game.to_move
    batch.white_owner[row] = game.white_owner
    batch.first[row] = NONE if game.first == NONE else cell_of(table, game, game.first)


@compiled
def take_up_step(
    table: np.record, game: np.record, batch: Rows, row: int, code: int, first: int
) -> None:
    """Write to a row, which holds the game as it was, what a step has changed.

    *First* is the first of two tiles, if the step was the second.
    """
    at = row * table.cells
    if code >= table.cells + table.bridges:
        pass
    elif code >= table.cells:
        place = np.int64(table.bridge_place[code - table.cells])
        other = far_end(table, place, np.int64(game.spans[place]))
        spans = bytes_of(batch.spans, at)
        put(spans, cell_of(table, game, place), np.int64(game.spans[place]))
        put(spans, cell_of(table, game, other), np.int64(game.spans[other]))
    elif first != NONE:
        tiles = bytes_of(batch.tiles, at)
        tile = 1 + RED if holds(game, TILES_OF + RED, first) else 1 + WHITE
        put(tiles, code, tile)
        put(tiles, cell_of(table, game, first), tile)
    take_up_turn(table, game, batch, row)
