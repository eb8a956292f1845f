"""Operations on the rows of a batch, which the rest of the package calls.

Each row in turn is unpacked into the same record. Tables of cells and directions transform rows.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OVER, Rows
from pontedeldiavolo.batch.symmetries import BoardTables, Numbers, board_tables
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state_base import BYTES_PER_NUMBER, HALF_TURN_FLAG

from . import legal_mask, observe, playouts, sample, sampling, transitions
from .cells import bytes_of, contains
from .encoding import PLANE_COUNT, PlaneBytes, pack_step, unpack_row
from .game import BRIDGES, ISLANDS, POINTS, RED, TILES_OF, WHITE, rules_table, scratch
from .jit import njit_cached, njit_inline, njit_internal, njit_overflowing
from .legal import DIRECTIONS, find_legal
from .sampling import Weights

GameArray = npt.NDArray[np.void]


class Batch(NamedTuple):
    """The rows of a batch, with the records needed to play them."""

    tables: GameArray
    """The record of rules and board."""
    games: GameArray
    """One record, into which rows are unpacked one after the other."""
    rows: Rows


def batch_of(rules: Rules, rows: Rows) -> Batch:
    """Return rows with the records needed to play them, for this thread alone."""
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
def step_rows(batch: Batch, codes: npt.NDArray[np.int64], after: Rows, begin: int, end: int) -> int:
    """Play a step in every game that is not over; return the first row with an illegal one, or -1.

    *After* is a copy of the rows, to which the steps are written.
    """
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        if batch.rows.phase[row] != OVER:
            unpack_row(table, game, batch.rows, row)
            first = game.first
            if not transitions.try_step(table, game, codes[row]):
                return row
            pack_step(table, game, after, row, codes[row], first)
    return NONE


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
            sampling.seed_game(game, seed, row)
            if len(weights) == 0:
                codes[row] = sample(table, game)
            else:
                codes[row] = sampling.sample_weighted(table, game, weights, row)
                if codes[row] == NONE:
                    return row
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
        sampling.seed_game(game, seed, row)
        before = game.turns
        playouts.playout(table, game)
        write_result(table, game, ends, row)
        ends.turns[row] -= before


@njit_cached
def traced_playout_rows(batch: Batch, seed: np.uint64, ends: Results, begin: int, end: int) -> None:
    """Do as ``playout_rows``, and write the final tiles and the first action of each game."""
    table = batch.tables[0]
    game = batch.games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch.rows, row)
        sampling.seed_game(game, seed, row)
        before = game.turns
        ends.first_actions[row, 0] = NONE
        ends.first_actions[row, 1] = NONE
        if game.phase != OVER:
            if not playouts.play_choice_or_second_tile(table, game):
                playouts.play_random_action(table, game)
            write_action(table, game, batch.rows, row, ends.first_actions)
        playouts.playout(table, game)
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
        actions[row, 0] = transitions.code_of_choice(table, 1 - game.white_owner)
        return
    found = 0
    for cell in range(table.cells):
        place = np.int64(table.place_of_cell[cell])
        link = np.int64(game.links[place])
        if link != rows.links[row, cell] and link <= DIRECTIONS:
            actions[row, 0] = transitions.code_of_bridge(table, place, link - 1)
            return
        # The first tile of a half turn has been played before.
        tile_is_new = rows.tiles[row, cell] == 0 and cell != rows.first[row]
        if tile_is_new and tile_on(table, game, cell) > 0:
            actions[row, found] = cell
            found += 1
    if found == 0:
        actions[row, 0] = transitions.code_of_choice(table, transitions.PASS)


@njit_cached
def replay_rows(
    batch: Batch,
    codes: Numbers,
    begins: npt.NDArray[np.int64],
    illegal_at: Numbers,
    over: npt.NDArray[np.bool_],
    ends: Results,
) -> None:
    """Play the actions of each row until one is illegal; an action has one code or two."""
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
    legal = transitions.try_step(table, game, code)
    if legal and game.first != NONE:
        legal = transitions.try_step(table, game, second)
        game.first = NONE
    return legal


@njit_inline
def write_result(table: np.record, game: np.record, ends: Results, row: int) -> None:
    """Write the result of a game."""
    ends.turns[row] = game.turns
    white = transitions.points(table, game, WHITE)
    red = transitions.points(table, game, RED)
    ends.scores[row, WHITE, POINTS] = white
    ends.scores[row, RED, POINTS] = red
    for color in range(2):
        ends.scores[row, color, ISLANDS] = transitions.islands_of(game, color)
        ends.scores[row, color, BRIDGES] = game.bridges_built[color]
    won = transitions.winner(table, game, white, red) if game.phase == OVER else NONE
    ends.winner[row] = won
    ends.winning_seat[row] = transitions.owner(game, won)


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


# Symmetries

BRIDGE_KIND = 2
"""Rows are compared by white tiles (0), then by red ones (1), then by bridges (2)."""


@njit_cached
def transform_rows(
    board: BoardTables, rows: Rows, symmetries: npt.NDArray[np.intp], turned: Rows
) -> None:
    """Write the cells, bridges and first tile of each row, transformed by the row's symmetry."""
    for row in range(len(symmetries)):
        symmetry = symmetries[row]
        for cell in range(board.cell_from.shape[1]):
            source = board.cell_from[symmetry, cell]
            turned.tiles[row, cell] = rows.tiles[row, source]
            turned.links[row, cell] = board.link_to[symmetry, rows.links[row, source]]
        if rows.first[row] != NONE:
            turned.first[row] = board.cell_to[symmetry, rows.first[row]]


@njit_cached
def find_canonical(board: BoardTables, rows: Rows, least: npt.NDArray[np.intp]) -> None:
    """Write for each row the number of the symmetry whose result is least; the first if equal.

    Rows are compared by the sets of white's tiles, of red's tiles and of bridges, and then by the
    first tile, as in :mod:`pontedeldiavolo.position.pieces`. The largest number in a set is the
    most significant one: so comparisons begin with the last cell. At most one bridge begins at a
    cell, so its direction stands for it.
    """
    for row in range(len(least)):
        least[row] = 0
        for symmetry in range(1, len(board.cell_from)):
            if is_less(board, rows, row, symmetry, least[row]):
                least[row] = symmetry


@njit_inline
def is_less(board: BoardTables, rows: Rows, row: int, one: int, other: int) -> bool:
    """Return whether the result of one symmetry is less than the result of another."""
    for kind in range(3):
        for cell in range(board.cell_from.shape[1] - 1, -1, -1):
            here = number_at(board, rows, row, one, cell, kind)
            there = number_at(board, rows, row, other, cell, kind)
            if here != there:
                # The greater set is the one with the largest number in which the two differ.
                return here < there
    first = rows.first[row]
    return first != NONE and board.cell_to[one, first] < board.cell_to[other, first]


@njit_inline
def number_at(board: BoardTables, rows: Rows, row: int, symmetry: int, cell: int, kind: int) -> int:
    """Return the contents of a cell after a symmetry: 1 for a tile, or the bridge's direction."""
    source = board.cell_from[symmetry, cell]
    if kind < BRIDGE_KIND:
        return np.int64(rows.tiles[row, source] == kind + 1)
    link = np.int64(board.link_to[symmetry, rows.links[row, source]])
    return link if link <= DIRECTIONS else 0


def transformed_rows(board: Board, rows: Rows, symmetries: npt.NDArray[np.intp]) -> Rows:
    """Return the rows, each transformed by the symmetry with its number."""
    found = Rows._make(each.copy() for each in rows)
    transform_rows(board_tables(board.width, board.height), rows, symmetries, found)
    return found


def canonical_symmetries(board: Board, rows: Rows) -> npt.NDArray[np.intp]:
    """Return the number of the symmetry that makes each row canonical."""
    found = np.empty(len(rows.phase), np.intp)
    find_canonical(board_tables(board.width, board.height), rows, found)
    return found


# Keys: packed bytes, stable hashes, and Zobrist keys for one process

Words = npt.NDArray[np.uint64]
BYTE_BITS = 8
WORD_BYTES = 8
COLORS_OR_NONE = 3
SEATS_OR_NONE = 3
FIRST_TILE = 2
LINKS = 2
"""Columns of the Zobrist keys of a cell: white, red and first tile, then bridges."""


@njit_inline
def head_of(rows: Rows, row: int) -> int:
    """Return the turn of a row as a number: phase, colour to move, owner of white."""
    head = rows.phase[row] * COLORS_OR_NONE + rows.to_move[row] + 1
    return np.int64(head * SEATS_OR_NONE + rows.white_owner[row] + 1)


@njit_inline
def write_number(packed: npt.NDArray[np.uint8], row: int, at: int, number: int) -> None:
    """Write two bytes, the higher one first."""
    packed[row, at] = number >> BYTE_BITS
    packed[row, at + 1] = number & ((1 << BYTE_BITS) - 1)


@njit_cached
def pack_rows(rows: Rows, numbers: Numbers, packed: npt.NDArray[np.uint8]) -> int:
    """Write the bytes of each row to an array of zeros; return the length of the longest."""
    cells = rows.tiles.shape[1]
    length = (cells + BYTE_BITS - 1) // BYTE_BITS
    longest = 1 + 2 * length
    for row in range(len(rows.phase)):
        packed[row, 0] = head_of(rows, row)
        begin = 1
        if rows.first[row] != NONE:
            packed[row, 0] |= HALF_TURN_FLAG
            write_number(packed, row, begin, np.int64(rows.first[row]))
            begin += BYTES_PER_NUMBER
        end = begin + 2 * length
        for cell in range(cells):
            tile = np.int64(rows.tiles[row, cell])
            link = np.int64(rows.links[row, cell])
            if tile > 0:
                at = begin + tile * length - 1 - cell // BYTE_BITS
                packed[row, at] |= 1 << cell % BYTE_BITS
            if 0 < link <= DIRECTIONS:
                write_number(packed, row, end, 1 + np.int64(numbers[cell, link - 1]))
                end += BYTES_PER_NUMBER
        longest = max(longest, end)
    return longest


@njit_overflowing
def mix_word(found: np.uint64, word: np.uint64) -> np.uint64:
    """Return a hash with one more word."""
    return sampling.splitmix64((found ^ word) + sampling.GAMMA)


@njit_cached
def hash_bytes(packed: npt.NDArray[np.uint8], begin: np.uint64, found: Words) -> None:
    """Write the hash of each row of bytes without its trailing zeros, starting with *begin*."""
    for row in range(len(packed)):
        size = packed.shape[1]
        while size > 0 and packed[row, size - 1] == 0:
            size -= 1
        found[row] = begin
        word = np.uint64(0)
        for at in range(size):
            word |= np.uint64(packed[row, at]) << np.uint64(BYTE_BITS * (at % WORD_BYTES))
            if at % WORD_BYTES == WORD_BYTES - 1 or at == size - 1:
                found[row] = mix_word(found[row], word)
                word = np.uint64(0)


@njit_cached
def key_rows(rows: Rows, zobrist: Words, seed: np.uint64, found: Words) -> None:
    """Write the Zobrist key of each row."""
    for row in range(len(rows.phase)):
        key = mix_word(seed, np.uint64(head_of(rows, row)))
        if rows.first[row] != NONE:
            key ^= zobrist[rows.first[row], FIRST_TILE]
        for cell in range(rows.tiles.shape[1]):
            tile = np.int64(rows.tiles[row, cell])
            link = np.int64(rows.links[row, cell])
            if tile > 0:
                key ^= zobrist[cell, tile - 1]
            if 0 < link <= DIRECTIONS:
                key ^= zobrist[cell, LINKS + link]
        found[row] = key


def packed_rows(board: Board, rows: Rows) -> npt.NDArray[np.uint8]:
    """Return the bytes of every row, padded with zeros to the length of the longest."""
    size, cells = rows.tiles.shape
    # No two bridges share an end.
    most = 1 + BYTES_PER_NUMBER + 2 * -(-cells // BYTE_BITS) + BYTES_PER_NUMBER * (cells // 2)
    packed = np.zeros((size, most), np.uint8)
    longest = pack_rows(rows, board_tables(board.width, board.height).number, packed)
    return packed[:, :longest].copy()


def hashes_of(rules: Rules, rows: Rows) -> Words:
    """Return a 64-bit hash of each row, stable across versions."""
    found = np.empty(len(rows.phase), np.uint64)
    hash_bytes(packed_rows(rules.board, rows), hash_of_rules(rules), found)
    return found


@lru_cache(maxsize=64)
def hash_of_rules(rules: Rules) -> np.uint64:
    """Return the hash of the text of some rules, the initial value of the hash of a row."""
    text = np.array([[*format_rules(rules).encode()]], np.uint8)
    found = np.empty(1, np.uint64)
    hash_bytes(text, np.uint64(0), found)
    return np.uint64(found[0])


def keys_of(rules: Rules, rows: Rows) -> Words:
    """Return the Zobrist keys of rows."""
    found = np.empty(len(rows.phase), np.uint64)
    key_rows(rows, zobrist_keys(len(rules.board)), hash_of_rules(rules), found)
    return found


@lru_cache(maxsize=16)
def zobrist_keys(cells: int) -> Words:
    """Return random numbers for the possible contents of each cell."""
    rng = np.random.default_rng(cells)
    return rng.integers(1 << 64, size=(cells, LINKS + 1 + DIRECTIONS), dtype=np.uint64)
