"""Keys of rows: packed bytes, stable hashes, and Zobrist keys for one process."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.board_tables import Numbers, board_tables
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline, njit_wrapping
from pontedeldiavolo.batch.kernels.legal import DIRECTIONS
from pontedeldiavolo.batch.kernels.sampling import STEP, splitmix64
from pontedeldiavolo.batch.rows import NONE, Rows
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state_base import HALF_TURN, NUMBER_SIZE

Words = npt.NDArray[np.uint64]
BYTE_BITS, WORD_BYTES = 8, 8
COLORS_OR_NONE, SEATS_OR_NONE = 3, 3
FIRST_TILE, SPANS = 2, 2
"""Columns of the Zobrist keys of a cell: behind white, red and first tiles those of bridges."""


@njit_inline
def head_of(rows: Rows, row: int) -> int:
    """Return the turn of a row as a number: phase, colour to move, owner of white."""
    head = rows.phase[row] * COLORS_OR_NONE + rows.to_move[row] + 1
    return np.int64(head * SEATS_OR_NONE + rows.white_owner[row] + 1)


@njit_inline
def write_number(packed: npt.NDArray[np.uint8], row: int, at: int, number: int) -> None:
    """Write two bytes, the higher one first."""
    packed[row, at], packed[row, at + 1] = number >> BYTE_BITS, number & ((1 << BYTE_BITS) - 1)


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
            packed[row, 0] |= HALF_TURN
            write_number(packed, row, begin, np.int64(rows.first[row]))
            begin += NUMBER_SIZE
        end = begin + 2 * length
        for cell in range(cells):
            tile, span = np.int64(rows.tiles[row, cell]), np.int64(rows.spans[row, cell])
            if tile > 0:
                at = begin + tile * length - 1 - cell // BYTE_BITS
                packed[row, at] |= 1 << cell % BYTE_BITS
            if 0 < span <= DIRECTIONS:
                write_number(packed, row, end, 1 + np.int64(numbers[cell, span - 1]))
                end += NUMBER_SIZE
        longest = max(longest, end)
    return longest


@njit_wrapping
def mix_word(found: np.uint64, word: np.uint64) -> np.uint64:
    """Return a hash with one more word."""
    return splitmix64((found ^ word) + STEP)


@njit_cached
def hash_bytes(packed: npt.NDArray[np.uint8], begin: np.uint64, found: Words) -> None:
    """Write the hash of each row of bytes, without the zeros at its end, from a first number on."""
    for row in range(len(packed)):
        size = packed.shape[1]
        while size > 0 and packed[row, size - 1] == 0:
            size -= 1
        found[row], word = begin, np.uint64(0)
        for at in range(size):
            word |= np.uint64(packed[row, at]) << np.uint64(BYTE_BITS * (at % WORD_BYTES))
            if at % WORD_BYTES == WORD_BYTES - 1 or at == size - 1:
                found[row], word = mix_word(found[row], word), np.uint64(0)


@njit_cached
def key_rows(rows: Rows, zobrist: Words, seed: np.uint64, found: Words) -> None:
    """Write the Zobrist key of each row."""
    for row in range(len(rows.phase)):
        key = mix_word(seed, np.uint64(head_of(rows, row)))
        if rows.first[row] != NONE:
            key ^= zobrist[rows.first[row], FIRST_TILE]
        for cell in range(rows.tiles.shape[1]):
            tile, span = np.int64(rows.tiles[row, cell]), np.int64(rows.spans[row, cell])
            if tile > 0:
                key ^= zobrist[cell, tile - 1]
            if 0 < span <= DIRECTIONS:
                key ^= zobrist[cell, SPANS + span]
        found[row] = key


def packed_rows(board: Board, rows: Rows) -> npt.NDArray[np.uint8]:
    """Return the bytes of every row, with zeros up to the length of the longest."""
    size, cells = rows.tiles.shape
    # No two bridges share an end.
    most = 1 + NUMBER_SIZE + 2 * -(-cells // BYTE_BITS) + NUMBER_SIZE * (cells // 2)
    packed = np.zeros((size, most), np.uint8)
    longest = pack_rows(rows, board_tables(board.width, board.height).number, packed)
    return packed[:, :longest].copy()


def hashes_of(rules: Rules, rows: Rows) -> Words:
    """Return a number of 64 bits for each row, which never changes."""
    found = np.empty(len(rows.phase), np.uint64)
    hash_bytes(packed_rows(rules.board, rows), hash_of_rules(rules), found)
    return found


@lru_cache(maxsize=64)
def hash_of_rules(rules: Rules) -> np.uint64:
    """Return the hash of the text of some rules, with which that of a row begins."""
    text, found = np.array([[*format_rules(rules).encode()]], np.uint8), np.empty(1, np.uint64)
    hash_bytes(text, np.uint64(0), found)
    return np.uint64(found[0])


def keys_of(rules: Rules, rows: Rows) -> Words:
    """Return the Zobrist keys of rows."""
    found = np.empty(len(rows.phase), np.uint64)
    key_rows(rows, zobrist_keys(len(rules.board)), hash_of_rules(rules), found)
    return found


@lru_cache(maxsize=16)
def zobrist_keys(cells: int) -> Words:
    """Return random numbers for what may be on each cell."""
    rng = np.random.default_rng(cells)
    return rng.integers(1 << 64, size=(cells, SPANS + 1 + DIRECTIONS), dtype=np.uint64)
