"""Sets of cells (bitboards), compiled or as Python integers.

A set of cells is a value: ``a & b``, ``a | b``, ``a ^ b`` and ``~a`` make others, and so do the
functions here. Compiled, it is a vector of the processor: ``@compiled_as`` names the function of
:mod:`~pontedeldiavolo.batch.kernels.vectors` that writes its instructions. Not compiled, it is a
Python integer, and the function below the decorator runs: bit ``64 * row + column`` stands for a
cell, and a set holds 16 rows, as on boards that are too large for one vector, whatever the board.

A cell has a *place* in its set, ``columns * row + column``. In memory, a set has 16, 32 or
64 rows and columns, as the board needs. As a value, a set is a *band* of some rows or a *window* of
16 rows of 16 columns.

A window is identified by its *origin*, the place of its first cell. The effects of a tile, and
everything that they depend on, are near it: five connected cells, one of them the tile, reach four
cells in every direction. So it is enough to look at a window around the tile. Tiles beyond the
window affect only cells beyond it: a tile can only close cells.

Functions on the whole board go band by band. A band gives results for its own rows, and holds two
more on either side: no bridge reaches further. Boards whose sets in memory have up to 1,024 places
are one band. On larger boards a band has 16 rows, or 32 if sets have 32 columns. Boards of up to
16×16 are a single window and a single band that begin at place 0; compiled, none of this arithmetic
remains.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.rows import NONE

from . import vectors
from .game import PATTERN_MIDDLE
from .jit import JIT_DISABLED, compiled_as, njit_inline, njit_internal

COLUMNS = 64
BAND = 16
WINDOW = sum((1 << BAND) - 1 << COLUMNS * row for row in range(BAND))
"""All cells of a window: 16 rows of 16 columns."""
FULL = (1 << BAND * COLUMNS) - 1
ROW = (1 << COLUMNS) - 1

Cells = int
"""A set of cells."""
Bytes = npt.NDArray[np.uint8]
"""The bytes of an array, from some index on."""


# Memory


@compiled_as(vectors.load)
def load(game: np.record, which: int, row: int) -> Cells:
    """Return a set of a game, starting at *row*."""
    return int.from_bytes(game.sets[which, row : row + BAND].tobytes(), "little")


@compiled_as(vectors.store)
def store(game: np.record, which: int, row: int, value: Cells) -> None:
    """Store a set of a game, starting at *row*."""
    kept = (value & FULL).to_bytes(BAND * COLUMNS // 8, "little")
    game.sets[which, row : row + BAND] = np.frombuffer(kept, game.sets.dtype)


@compiled_as(vectors.load_word)
def load_word(game: np.record, which: int, index: int) -> np.uint64:
    """Return 64 bits of a set of a game."""
    return np.uint64(game.sets[which, index])


@compiled_as(vectors.store_word)
def store_word(game: np.record, which: int, index: int, value: np.uint64) -> None:
    """Store 64 bits of a set of a game."""
    game.sets[which, index] = value


@compiled_as(vectors.load_row)
def load_row(game: np.record, which: int, row: int) -> np.uint64:
    """Return a row of a set of a game, a bit for each column."""
    return np.uint64(game.sets[which, row])


@compiled_as(vectors.store_row)
def store_row(game: np.record, which: int, row: int, value: np.uint64) -> None:
    """Store a row of a set of a game."""
    game.sets[which, row] = value


@compiled_as(vectors.rows_in_word)
def rows_in_word(game: np.record) -> int:
    """Return the number of rows in 64 bits of a set."""
    return 1


@compiled_as(vectors.load_cells)
def load_cells(game: np.record, which: int, index: int, width: int) -> np.uint64:
    """Return the cells in 64 bits of a set as consecutive bits, on a board of this width."""
    return load_word(game, which, index)


@compiled_as(vectors.nonempty_words)
def nonempty_words(game: np.record, which: int, begin: int) -> np.uint64:
    """Return a bit for each of up to eight words of a set, from a word on: 1 if it has a cell."""
    words = game.sets[which, begin : begin + 8].tolist()
    return np.uint64(sum((word != 0) << place for place, word in enumerate(words)))


# Windows


@compiled_as(vectors.load_window)
def load_window(game: np.record, which: int, origin: int) -> Cells:
    """Return the part of a set of a game that lies in the window at *origin*."""
    row, column = divmod(int(origin), COLUMNS)
    return load(game, which, row) >> column & WINDOW


@compiled_as(vectors.add_cells)
def add_cells(game: np.record, which: int, origin: int, cells: Cells) -> None:
    """Add cells of the window at *origin* to a set of a game."""
    row, column = divmod(int(origin), COLUMNS)
    store(game, which, row, load(game, which, row) | (cells & WINDOW) << column)


@compiled_as(vectors.remove_cells)
def remove_cells(game: np.record, which: int, origin: int, cells: Cells) -> None:
    """Remove cells of the window at *origin* from a set of a game."""
    row, column = divmod(int(origin), COLUMNS)
    store(game, which, row, load(game, which, row) & ~((cells & WINDOW) << column))


@compiled_as(vectors.load_pattern)
def load_pattern(table: np.record, index: int, place: int) -> Cells:
    """Return the cells of a pattern of the board, with its middle at a place of a window.

    Cells of the pattern that lie outside the window are left out.
    """
    row, column = divmod(int(place), COLUMNS)
    middle_row, middle_column = PATTERN_MIDDLE
    begin = middle_row - row
    rows = table.patterns[index, begin : begin + BAND].tolist()
    found = sum(bits << COLUMNS * number for number, bits in enumerate(rows))
    return (found << column >> middle_column) & WINDOW


# Making sets. *like* is any set: the new one has its type.


@compiled_as(vectors.single)
def single(like: Cells, place: int) -> Cells:
    """Return the set of one cell, or the empty set if the place lies outside."""
    return 1 << int(place) if 0 <= place < BAND * COLUMNS else 0


@compiled_as(vectors.row_range)
def row_range(like: Cells, begin: int, end: int) -> Cells:
    """Return the set of all places in the rows from *begin* up to, but not including, *end*."""
    return (1 << int(end) * COLUMNS) - (1 << int(begin) * COLUMNS)


@compiled_as(vectors.empty)
def empty(like: Cells) -> Cells:
    """Return the empty set."""
    return 0


@cache
def _staying(east: int) -> Cells:
    """Return the places that stay in their row when a set is shifted by *east* columns."""
    row = ROW >> east if east > 0 else ROW << -east & ROW
    return sum(row << COLUMNS * number for number in range(BAND))


@compiled_as(vectors.shift)
def shift(cells: Cells, east: int, north: int) -> Cells:
    """Return a set shifted by columns and rows; places that leave the set are lost."""
    steps = COLUMNS * north + east
    found = cells & _staying(east)
    return (found << steps if steps > 0 else found >> -steps) & FULL


# Queries


@compiled_as(vectors.is_any)
def is_any(cells: Cells) -> bool:
    """Return whether a set is not empty."""
    return cells != 0


@compiled_as(vectors.count)
def count(cells: Cells) -> int:
    """Return the number of cells in a set."""
    return cells.bit_count()


@compiled_as(vectors.nth_bit)
def nth_bit(cells: Cells, number: int) -> int:
    """Return the place of the *n*-th cell of a set, from 0."""
    for _ in range(number):
        cells &= cells - 1  # This removes the lowest bit.
    return (cells & -cells).bit_length() - 1


@compiled_as(vectors.count_stored)
def count_stored(game: np.record, which: int, row: int) -> int:
    """Return the number of cells in a set of a game that begins at *row*."""
    return count(load(game, which, row))


@compiled_as(vectors.nth_stored)
def nth_stored(game: np.record, which: int, row: int, number: int) -> int:
    """Return the place of the *n*-th cell of a set of a game that begins at *row*, from 0."""
    return nth_bit(load(game, which, row), number)


@compiled_as(vectors.lowest_bit)
def lowest_bit(bits: np.uint64) -> int:
    """Return the place of the lowest bit of a number that is not zero."""
    number = int(bits)
    return (number & -number).bit_length() - 1


@compiled_as(vectors.quotient)
def quotient(number: int, divisor: int) -> int:
    """Return the quotient of two numbers below 2**32, of which the second is not zero."""
    return number // divisor


@compiled_as(vectors.popcount)
def popcount(bits: np.uint64) -> int:
    """Return the number of bits that are 1."""
    return int(bits).bit_count()


# Bytes


@compiled_as(vectors.bytes_of)
def bytes_of(array: npt.NDArray[np.generic], begin: int) -> Bytes:
    """Return the bytes of an array, starting at *begin*."""
    return array.reshape(-1).view(np.uint8)[begin:]


@compiled_as(vectors.load_byte)
def load_byte(data: Bytes, at: int) -> int:
    """Return a byte."""
    return int(data[at])


@compiled_as(vectors.store_byte)
def store_byte(data: Bytes, at: int, value: int) -> None:
    """Write a byte."""
    data[at] = value


@compiled_as(vectors.store_bytes)
def store_bytes(data: Bytes, at: int, word: np.uint64) -> None:
    """Write eight bytes, the lowest first."""
    data[at : at + 8] = list(int(word).to_bytes(8, "little"))


@compiled_as(vectors.prefetch)
def prefetch(data: Bytes, length: int) -> None:
    """Fetch bytes that will soon be written to into the processor's cache."""


@compiled_as(vectors.fill_bytes)
def fill_bytes(data: Bytes, at: int, value: int, length: int) -> None:
    """Write the same byte to each of *length* places."""
    data[at : at + length] = value


@compiled_as(vectors.expand_bits)
def expand_bits(data: Bytes, at: int, bits: np.uint64, number: int) -> None:
    """Write a byte, 0 or 1, for each of the lowest bits; *number* is known at compile time."""
    data[at : at + number] = [int(bits) >> place & 1 for place in range(number)]


@compiled_as(vectors.compress_row)
def compress_row(like: Cells, data: Bytes, at: int, value: int) -> np.uint64:
    """Return a bit for each byte of a whole row: 1 if the byte equals *value*."""
    found = (data[at : at + COLUMNS] == value).tolist()
    return np.uint64(sum(each << column for column, each in enumerate(found)))


# The size of sets, which is known at compile time


@compiled_as(vectors.columns)
def columns(game: np.record) -> int:
    """Return the number of places in a row."""
    return COLUMNS


@compiled_as(vectors.rows)
def rows(game: np.record) -> int:
    """Return the number of rows of a set in memory."""
    return COLUMNS


@compiled_as(vectors.lanes)
def lanes(game: np.record) -> int:
    """Return the number of rows of a set as a value."""
    return BAND


@compiled_as(vectors.row_of)
def row_of(game: np.record, place: int) -> int:
    """Return the row of a place on the board."""
    return place // COLUMNS


@compiled_as(vectors.column_of)
def column_of(game: np.record, place: int) -> int:
    """Return the column of a place on the board."""
    return place % COLUMNS


@njit_inline
def cell_of(table: np.record, game: np.record, place: int) -> int:
    """Return the number of the cell at a place."""
    return row_of(game, place) * table.width + column_of(game, place)


# Sets of the whole board: cell by cell, in windows, and in bands

WORD_SHIFT = 6
WORD_LAST = 63
SIDE = 16
HALF = 8
"""The distance between windows that cover a board, and from a window's origin to its middle."""
WINDOW_SHIFT = 6 if JIT_DISABLED else 4
"""The binary logarithm of the number of places in a row of a window; 16 of them are in use."""


@njit_inline
def to_window(game: np.record, origin: int, place: int) -> int:
    """Return the place in the window of a place on the board, or -1 if it lies outside."""
    if columns(game) == SIDE and rows(game) == SIDE:
        return place
    row = row_of(game, place) - row_of(game, origin)
    column = column_of(game, place) - column_of(game, origin)
    # Two numbers are both from 0 to 15 exactly if their bitwise "or" is.
    return (row << WINDOW_SHIFT) + column if 0 <= row | column < SIDE else NONE


@njit_inline
def from_window(game: np.record, origin: int, place: int) -> int:
    """Return the place on the board of a place in the window."""
    # Rows of the board are longer than those of the window.
    longer = columns(game) - (1 << WINDOW_SHIFT)
    return origin + place + (place >> WINDOW_SHIFT) * longer


@njit_inline
def window_around(game: np.record, place: int) -> int:
    """Return the window with a cell in its middle, or as near to it as the edge allows."""
    # If there is a single window, this compiles to a constant.
    row = min(max(row_of(game, place) - HALF, 0), rows(game) - SIDE)
    column = min(max(column_of(game, place) - HALF, 0), columns(game) - SIDE)
    return row * columns(game) + column


@njit_inline
def window_count(side: int) -> int:
    """Return how many windows cover a side so that each cell is in one with its surroundings."""
    return 1 if side <= SIDE else (side - 1) // HALF


@njit_inline
def window_at(game: np.record, row: int, column: int) -> int:
    """Return one of the windows that cover the board, by its row and column of windows from 0."""
    return row * HALF * columns(game) + column * HALF


REACH = 2
OWN_ROWS = 12
"""The maximum number of a band's own rows: 16 less the reach on either side."""


@njit_inline
def is_one_band(game: np.record, height: int) -> bool:
    """Return whether a board of this height is a single band."""
    # For sets that are one vector, this is a constant at compile time.
    return rows(game) == lanes(game) or height <= lanes(game)


@njit_inline
def band_count(game: np.record, height: int) -> int:
    """Return the number of bands on a board of this height."""
    return 1 if is_one_band(game, height) else (height + OWN_ROWS - 1) // OWN_ROWS


@njit_inline
def band_row(game: np.record, band: int) -> int:
    """Return the first row of a band."""
    # If there is a single band, this compiles to a constant.
    return min(max(band * OWN_ROWS - REACH, 0), rows(game) - lanes(game))


@njit_inline
def own_rows(game: np.record, height: int, band: int, like: Cells) -> Cells:
    """Return the places of a band's own rows."""
    if is_one_band(game, height):
        return row_range(like, 0, lanes(game))
    begin = band * OWN_ROWS - band_row(game, band)
    return row_range(like, begin, min(begin + OWN_ROWS, lanes(game)))


@njit_inline
def add_cell(game: np.record, which: int, place: int) -> None:
    """Add a cell to a set."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) | bit)


@njit_inline
def remove_cell(game: np.record, which: int, place: int) -> None:
    """Remove a cell from a set, if it is there."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) & ~bit)


@njit_inline
def contains(game: np.record, which: int, place: int) -> bool:
    """Return whether a cell is in a set."""
    bits = load_word(game, which, place >> WORD_SHIFT) >> np.uint64(place & WORD_LAST)
    return bits & np.uint64(1) != np.uint64(0)


@njit_inline
def next_cell(game: np.record, which: int, begin: int) -> int:
    """Return the place of the first cell of a set at *begin* or after it, or -1."""
    # Bits before it are shifted out.
    passed = np.uint64(begin & WORD_LAST)
    for index in range(begin >> WORD_SHIFT, columns(game) * rows(game) >> WORD_SHIFT):
        rest = load_word(game, which, index) >> passed << passed
        if rest != np.uint64(0):
            return (index << WORD_SHIFT) + lowest_bit(rest)
        passed = np.uint64(0)
    return NONE


@njit_internal
def count_on_board(game: np.record, which: int) -> int:
    """Count the cells of a set of the whole board."""
    found = 0
    for row in range(0, rows(game), lanes(game)):
        found += count_stored(game, which, row)
    return found


@njit_internal
def nth_on_board(game: np.record, which: int, n: int) -> int:
    """Return the place of the *n*-th cell of a set of the whole board, from 0."""
    row = 0
    left = n
    while row + lanes(game) < rows(game):
        here = count_stored(game, which, row)
        if left < here:
            break
        left -= here
        row += lanes(game)
    return row * columns(game) + nth_stored(game, which, row, left)


@njit_inline
def copy_set(game: np.record, source: int, target: int) -> None:
    """Copy one set of the whole board to another."""
    for row in range(0, rows(game), lanes(game)):
        store(game, target, row, load(game, source, row))
