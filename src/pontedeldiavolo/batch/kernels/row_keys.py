"""Symmetries, packed bytes, hashes and keys of the rows of a batch.

Rows are not unpacked for this. A symmetry is applied by looking cells and directions up in tables.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.rows import NONE, Rows
from pontedeldiavolo.batch.symmetries import Numbers, SymmetryTables, bridge_tables, symmetry_tables
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state_base import BYTES_PER_NUMBER, HALF_TURN_FLAG

from .game import DIRECTIONS
from .jit import njit_cached, njit_inline, njit_overflowing
from .playouts import GAMMA, splitmix64

# Symmetries

BRIDGE_KIND = 2
"""Rows are compared by white tiles (0), then by red ones (1), then by bridges (2)."""


@njit_cached
def transform_rows(
    board: SymmetryTables, rows: Rows, symmetries: npt.NDArray[np.intp], turned: Rows
) -> None:
    """Write the cells, bridges and first tile of each row, transformed by the row's symmetry."""
    for row in range(len(symmetries)):
        symmetry = symmetries[row]
        for cell in range(board.cell_from.shape[1]):
            source = board.cell_from[symmetry, cell]
            turned.tiles[row, cell] = rows.tiles[row, source]
            turned.links[row, cell] = board.link_to[symmetry, rows.links[row, source]]
        if rows.placed_tile[row] != NONE:
            turned.placed_tile[row] = board.cell_to[symmetry, rows.placed_tile[row]]


@njit_cached
def find_canonical(board: SymmetryTables, rows: Rows, least: npt.NDArray[np.intp]) -> None:
    """Write for each row the number of the symmetry with the least result, the first of equal ones.

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
def is_less(board: SymmetryTables, rows: Rows, row: int, one: int, other: int) -> bool:
    """Return whether the result of one symmetry is less than the result of another."""
    for kind in range(3):
        for cell in range(board.cell_from.shape[1] - 1, -1, -1):
            here = number_at(board, rows, row, one, cell, kind)
            there = number_at(board, rows, row, other, cell, kind)
            if here != there:
                # The greater set is the one with the largest number in which the two differ.
                return here < there
    first = rows.placed_tile[row]
    return first != NONE and board.cell_to[one, first] < board.cell_to[other, first]


@njit_inline
def number_at(
    board: SymmetryTables, rows: Rows, row: int, symmetry: int, cell: int, kind: int
) -> int:
    """Return the contents of a cell after a symmetry: 1 for a tile, or the bridge's direction."""
    source = board.cell_from[symmetry, cell]
    if kind < BRIDGE_KIND:
        return np.int64(rows.tiles[row, source] == kind + 1)
    link = np.int64(board.link_to[symmetry, rows.links[row, source]])
    return link if link <= DIRECTIONS else 0


def transformed_rows(board: Board, rows: Rows, symmetries: npt.NDArray[np.intp]) -> Rows:
    """Return the rows, each transformed by the symmetry with its number."""
    found = Rows._make(each.copy() for each in rows)
    transform_rows(symmetry_tables(board.width, board.height), rows, symmetries, found)
    return found


def canonical_symmetries(board: Board, rows: Rows) -> npt.NDArray[np.intp]:
    """Return the number of the symmetry that makes each row canonical."""
    found = np.empty(len(rows.phase), np.intp)
    find_canonical(symmetry_tables(board.width, board.height), rows, found)
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
        if rows.placed_tile[row] != NONE:
            packed[row, 0] |= HALF_TURN_FLAG
            write_number(packed, row, begin, np.int64(rows.placed_tile[row]))
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
    return splitmix64((found ^ word) + GAMMA)


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
        if rows.placed_tile[row] != NONE:
            key ^= zobrist[rows.placed_tile[row], FIRST_TILE]
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
    max_bytes = 1 + BYTES_PER_NUMBER + 2 * -(-cells // BYTE_BITS) + BYTES_PER_NUMBER * (cells // 2)
    packed = np.zeros((size, max_bytes), np.uint8)
    longest = pack_rows(rows, bridge_tables(board.width, board.height).number, packed)
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
