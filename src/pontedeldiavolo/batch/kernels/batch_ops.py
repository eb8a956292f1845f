"""Operations on the rows of a batch. The rest of the package calls them.

The rows are unpacked one by one into the same record. After a step, the record is packed again.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER, Rows
from pontedeldiavolo.batch.symmetries import Numbers
from pontedeldiavolo.rules.rules import Rules

from .cells import (
    Bytes,
    bytes_of,
    cell_of,
    columns,
    compress_row,
    contains,
    count_on_board,
    is_any,
    load,
    load_byte,
    load_row,
    load_window,
    lowest_bit,
    store_byte,
    store_row,
    window_at,
    window_count,
)
from .encoding import PLANE_COUNT, PlaneBytes, legal_mask, observe
from .game import (
    BRIDGES,
    DIRECTIONS,
    ISLANDS,
    OPEN_OF,
    POINTS,
    RED,
    TILES_OF,
    WHITE,
    rules_table,
    scratch,
)
from .jit import njit_cached, njit_inline, njit_internal
from .playouts import (
    Weights,
    play_choice_or_second_tile,
    play_random_action,
    playout,
    sample_step,
    sample_weighted,
    seed_game,
)
from .steps import (
    PASS,
    build,
    choice_of,
    code_of_bridge,
    code_of_choice,
    find_legal,
    init,
    islands_of,
    other_end,
    owner,
    points,
    try_step,
    update_window,
    winner,
)

GameArray = npt.NDArray[np.void]


class Batch(NamedTuple):
    """The rows of a batch, with the records needed to play them."""

    tables: GameArray
    """The record of rules and board."""
    games: GameArray
    """One record, into which rows are unpacked one after the other."""
    rows: Rows


def batch_of(rules: Rules, rows: Rows) -> Batch:
    """Return rows with the records needed to play them; no other thread may use the records."""
    return Batch(rules_table(rules), scratch(rules), rows)


class Results(NamedTuple):
    """Arrays for the results of games."""

    turns: Numbers
    """(n,): the number of pairs, bridges and passes played."""
    scores: Numbers
    """(n, 2, 3): points, islands and bridges of both colours."""
    winner: npt.NDArray[np.int8]
    """(n,): the colour that has won; -1 for a draw and while the game goes on."""
    winning_seat: npt.NDArray[np.int8]
    """(n,): the seat that owns this colour, or -1."""
    tiles: npt.NDArray[np.int8]
    """(n, cells): the tiles at the end of playouts; of length 0 if they are not wanted."""
    first_actions: Numbers
    """(n, 2): the codes of the first action of playouts, or -1; the same length."""


def new_results(size: int, cells: int = 0) -> Results:
    """Return new arrays for the results of *size* games, with details if *cells* are given."""
    details = size if cells else 0
    return Results(
        turns=np.empty(size, np.int32),
        scores=np.empty((size, 2, 3), np.int32),
        winner=np.empty(size, np.int8),
        winning_seat=np.empty(size, np.int8),
        tiles=np.empty((details, cells), np.int8),
        first_actions=np.empty((details, 2), np.int32),
    )


# Operations, each on the rows from *begin* to *end*


@njit_cached
def mask_rows(batch: Batch, masks: npt.NDArray[np.uint8], begin: int, end: int) -> None:
    """Write masks of legal steps."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        legal_mask(table, game, bytes_of(masks, 0), row)


@njit_cached
def observe_rows(
    batch: Batch, colors: npt.NDArray[np.int8], planes: npt.NDArray[np.uint8], begin: int, end: int
) -> None:
    """Write the planes of rows, each from the side of a colour."""
    table = batch.tables[0]
    game = batch.games[0]
    size = PLANE_COUNT * table.cells
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        out = PlaneBytes(bytes_of(planes, row * size), table.cells, packed=False)
        observe(table, game, np.int64(colors[row]), out)


@njit_cached
def sample_rows(
    batch: Batch, seed: np.uint64, weights: Weights, codes: Numbers, begin: int, end: int
) -> int:
    """Sample a legal step for every game; return the first row with unusable weights, or -1.

    If there are no weights, all legal steps have the same probability.
    """
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        codes[row] = NONE
        if batch.rows.phase[row] != OVER:
            unpack_row(table, game, batch.rows, row)
            find_legal(table, game)
            seed_game(game, seed, row)
            if len(weights) == 0:
                codes[row] = sample_step(table, game)
            else:
                codes[row] = sample_weighted(table, game, weights, row)
                if codes[row] == NONE:
                    return row
    return NONE


@njit_cached
def step_rows(batch: Batch, codes: npt.NDArray[np.int64], after: Rows, begin: int, end: int) -> int:
    """Play a step in every game that is not over; return the first row with an illegal one, or -1.

    *After* is a copy of the rows, to which the steps are written.
    """
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        if batch.rows.phase[row] != OVER:
            unpack_row(table, game, batch.rows, row)
            first = game.placed_tile
            if not try_step(table, game, codes[row]):
                return row
            pack_step(table, game, after, row, codes[row], first)
    return NONE


@njit_cached
def score_rows(batch: Batch, ends: Results, begin: int, end: int) -> None:
    """Write the results of games, finished or not."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        write_result(table, game, ends, row)


@njit_cached
def playout_rows(batch: Batch, seed: np.uint64, ends: Results, begin: int, end: int) -> None:
    """Play games to their ends at random, and write their results."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        seed_game(game, seed, row)
        before = game.turns
        playout(table, game)
        write_result(table, game, ends, row)
        ends.turns[row] -= before


@njit_cached
def traced_playout_rows(batch: Batch, seed: np.uint64, ends: Results, begin: int, end: int) -> None:
    """Play as ``playout_rows`` does; write the last tiles and the first action of games, too."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        seed_game(game, seed, row)
        before = game.turns
        ends.first_actions[row, 0] = NONE
        ends.first_actions[row, 1] = NONE
        if game.phase != OVER:
            if not play_choice_or_second_tile(table, game):
                play_random_action(table, game)
            write_action(table, game, batch.rows, row, ends.first_actions)
        playout(table, game)
        for cell in range(table.cells):
            ends.tiles[row, cell] = tile_on(table, game, cell)
        write_result(table, game, ends, row)
        ends.turns[row] -= before


@njit_inline
def tile_on(table: np.record, game: np.record, cell: int) -> int:
    """Return the tile on a cell: 0 for water, 1 for a white tile, 2 for a red one."""
    place = np.int64(table.place_of_cell[cell])
    return contains(game, TILES_OF + WHITE, place) + 2 * contains(game, TILES_OF + RED, place)


@njit_internal
def write_action(table: np.record, game: np.record, rows: Rows, row: int, actions: Numbers) -> None:
    """Write the codes of the steps of the action that leads from a row to a game."""
    if rows.phase[row] == COLOR_CHOICE:
        actions[row, 0] = code_of_choice(table, 1 - game.white_owner)
        return
    found = 0
    for cell in range(table.cells):
        place = np.int64(table.place_of_cell[cell])
        link = np.int64(game.links[place])
        if link != rows.links[row, cell] and link <= DIRECTIONS:
            actions[row, 0] = code_of_bridge(table, place, link - 1)
            return
        # The first tile of a half turn is not part of this action.
        tile_is_new = rows.tiles[row, cell] == 0 and cell != rows.placed_tile[row]
        if tile_is_new and tile_on(table, game, cell) > 0:
            actions[row, found] = cell
            found += 1
    if found == 0:
        actions[row, 0] = code_of_choice(table, PASS)


@njit_cached
def replay_rows(
    batch: Batch,
    codes: Numbers,
    begins: npt.NDArray[np.int64],
    illegal_at: Numbers,
    over: npt.NDArray[np.bool_],
    ends: Results,
) -> None:
    """Play the actions of each row up to the first illegal one. An action has one or two codes."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(len(batch.rows.phase)):
        unpack_row(table, game, batch.rows, row)
        illegal_at[row] = NONE
        for index in range(begins[row], begins[row + 1]):
            if not try_action(table, game, np.int64(codes[index, 0]), np.int64(codes[index, 1])):
                illegal_at[row] = index - begins[row]
                break
        over[row] = game.phase == OVER
        write_result(table, game, ends, row)


@njit_internal
def try_action(table: np.record, game: np.record, code: int, second: int) -> bool:
    """Play an action of one code or two if it is legal; return whether it was."""
    legal = try_step(table, game, code)
    if legal and game.placed_tile != NONE:
        legal = try_step(table, game, second)
        game.placed_tile = NONE
    return legal


@njit_inline
def write_result(table: np.record, game: np.record, ends: Results, row: int) -> None:
    """Write the result of a game."""
    ends.turns[row] = game.turns
    white = points(table, game, WHITE)
    red = points(table, game, RED)
    ends.scores[row, WHITE, POINTS] = white
    ends.scores[row, RED, POINTS] = red
    for color in range(2):
        ends.scores[row, color, ISLANDS] = islands_of(game, color)
        ends.scores[row, color, BRIDGES] = game.bridges_built[color]
    won = winner(table, game, white, red) if game.phase == OVER else NONE
    ends.winner[row] = won
    ends.winning_seat[row] = owner(game, won)


# From rows to games


@njit_inline
def unpack_row(table: np.record, game: np.record, rows: Rows, row: int) -> None:
    """Unpack a row of a batch into a game."""
    init(table, game)
    game.phase = rows.phase[row]
    game.to_move = rows.to_move[row]
    game.white_owner = rows.white_owner[row]
    if rows.phase[row] != OPENING:
        at = row * table.cells
        end = (len(rows.phase) - row) * table.cells
        unpack_tiles(table, game, bytes_of(rows.tiles, at), end)
        unpack_bridges(table, game, bytes_of(rows.links, at), end)
    if rows.placed_tile[row] != NONE:
        game.placed_tile = np.int64(table.place_of_cell[rows.placed_tile[row]])
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


@njit_inline
def low_bits(number: int) -> np.uint64:
    """Return the number in which exactly the lowest *number* bits are 1."""
    return np.uint64(0xFFFFFFFFFFFFFFFF) >> np.uint64(64 - number)


@njit_inline
def bits_equal(
    game: np.record, data: Bytes, at: int, end: int, width: int, value: int
) -> np.uint64:
    """Return a bit for each of *width* bytes from *at*: 1 if the byte equals *value*.

    No byte at *end* or beyond is read.
    """
    if at + columns(game) <= end:
        return compress_row(load(game, 0, 0), data, at, value) & low_bits(width)
    found = np.uint64(0)
    for column in range(width):
        found |= np.uint64(load_byte(data, at + column) == value) << np.uint64(column)
    return found


@njit_internal
def unpack_bridges(table: np.record, game: np.record, links: Bytes, end: int) -> None:
    """Build all bridges of a row."""
    width = table.width
    side = columns(game)
    for row in range(table.height):
        rest = low_bits(width) ^ bits_equal(game, links, row * width, end, width, 0)
        while rest:
            column = lowest_bit(rest)
            rest &= rest - np.uint64(1)
            direction = load_byte(links, row * width + column) - 1
            if direction < DIRECTIONS:
                white = load_row(game, TILES_OF + WHITE, row) >> np.uint64(column) & np.uint64(1)
                build(table, game, WHITE if white else RED, row * side + column, direction)


@njit_internal
def count_turns(table: np.record, game: np.record) -> int:
    """Return how many pairs, bridges and passes have been played in an unpacked game."""
    if game.phase == COLOR_CHOICE:
        return 1
    found = game.bridges_built[WHITE] + game.bridges_built[RED]
    for color in range(2):
        # In a set-up, an odd tile counts as a pair.
        found += (table.all_tiles - game.tiles_left[color] + 1) // TILES_PER_TURN
    if game.phase == LAST_TURN:
        return found + 1
    # Both colours had the same number of turns, and one of them or both passed.
    return found + 2 - found % 2 if game.phase == OVER else found


# From games to rows


@njit_internal
def pack_row(table: np.record, game: np.record, rows: Rows, row: int) -> None:
    """Write a whole game to a row."""
    cells = table.cells
    tiles = bytes_of(rows.tiles, row * cells)
    links = bytes_of(rows.links, row * cells)
    for y in range(table.height):
        white = load_row(game, TILES_OF + WHITE, y)
        red = load_row(game, TILES_OF + RED, y)
        for x in range(table.width):
            bit = np.uint64(x)
            at = y * table.width + x
            tile = (white >> bit & np.uint64(1)) | (red >> bit & np.uint64(1)) << np.uint64(1)
            store_byte(tiles, at, np.int64(tile))
            store_byte(links, at, np.int64(game.links[y * columns(game) + x]))
    pack_turn(table, game, rows, row)


@njit_inline
def pack_turn(table: np.record, game: np.record, rows: Rows, row: int) -> None:
    """Write the turn of a game to a row: phase, colour, owner and placed tile."""
    rows.phase[row] = game.phase
    rows.to_move[row] = game.to_move
    rows.white_owner[row] = game.white_owner
    first = game.placed_tile
    rows.placed_tile[row] = NONE if first == NONE else cell_of(table, game, first)


@njit_internal
def pack_step(
    table: np.record, game: np.record, batch: Rows, row: int, code: int, first: int
) -> None:
    """Write the changes that a step has made to a row, which holds the game before the step.

    *First* is the place of the first tile if the step placed the second, else -1.
    """
    if first != NONE:
        tiles = bytes_of(batch.tiles, row * table.cells)
        tile = 1 + RED if contains(game, TILES_OF + RED, first) else 1 + WHITE
        store_byte(tiles, code, tile)
        store_byte(tiles, cell_of(table, game, first), tile)
    elif code >= table.cells and choice_of(table, code) < 0:
        links = bytes_of(batch.links, row * table.cells)
        end = game.last_bridge
        other = other_end(table, end, np.int64(game.links[end]))
        store_byte(links, cell_of(table, game, end), np.int64(game.links[end]))
        store_byte(links, cell_of(table, game, other), np.int64(game.links[other]))
    pack_turn(table, game, batch, row)
