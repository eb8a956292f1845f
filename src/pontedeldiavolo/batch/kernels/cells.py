"""Sets of cells (bitboards), compiled or as Python integers.

A set of cells is a value: ``a & b``, ``a | b``, ``a ^ b`` and ``~a`` make others, and so do the
functions here. Compiled, it is a vector of the processor: see
:mod:`~pontedeldiavolo.batch.kernels.vectors`, whose functions replace those of the same names here.
Not compiled, it is a Python integer: bit ``64 * row + column`` stands for a cell, and a set holds
16 rows, as on boards that are too large for one vector, whatever the board.

A cell has a *place* in its set, ``columns * row + column``. In memory, a set has 16, 32 or
64 rows and columns, as the board needs. As a value, a set is a *band* of some rows or a *window* of
16 rows of 16 columns.

A window is called by its *origin*, the place of its first cell. The effects of a tile, and all that
they depend on, are near it: five cells that hang together, one of them the tile, reach four cells
to every side. So a window around it is enough to look at. Tiles beyond the window could change only
what lies there: tiles only ever close cells.

Questions about the whole board are answered band by band, each for its own rows, with two more to
either side in sight: no bridge reaches further. Boards whose sets in memory have up to 1,024 places
are one band. Of larger ones a band has 16 rows, or 32 if they have 32 columns. Boards of up to
16×16 are a single window and a single band that begin at place 0; compiled, nothing of the
arithmetic remains of them.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.jit import njit_inline, njit_internal, use_intrinsics
from pontedeldiavolo.batch.rows import NONE
from pontedeldiavolo.board import geometry

COLUMNS = 64
ROWS = 64
BAND = 16
WINDOW = sum((1 << BAND) - 1 << COLUMNS * row for row in range(BAND))
"""All cells of a window: 16 rows of 16 columns."""
FULL = (1 << BAND * COLUMNS) - 1
ROW = (1 << COLUMNS) - 1

Cells = int
"""A set of cells."""
Bytes = npt.NDArray[np.uint8]
"""The bytes of an array, from one on."""


# Memory


def load(game: np.record, which: int, row: int) -> Cells:
    """Return a set of a game, from a row on."""
    return int.from_bytes(game.sets[which, row : row + BAND].tobytes(), "little")


def store(game: np.record, which: int, row: int, value: Cells) -> None:
    """Keep a set of a game, from a row on."""
    kept = (value & FULL).to_bytes(BAND * COLUMNS // 8, "little")
    game.sets[which, row : row + BAND] = np.frombuffer(kept, game.sets.dtype)


def load_word(game: np.record, which: int, index: int) -> np.uint64:
    """Return 64 bits of a set of a game."""
    return np.uint64(game.sets[which, index])


def store_word(game: np.record, which: int, index: int, value: np.uint64) -> None:
    """Keep 64 bits of a set of a game."""
    game.sets[which, index] = value


# Here, a row has 64 columns.
load_row = load_word
store_row = store_word


# Windows


def load_window(game: np.record, which: int, origin: int) -> Cells:
    """Return what of a set of a game is in the window from a place on."""
    row, column = divmod(int(origin), COLUMNS)
    return load(game, which, row) >> column & WINDOW


def add_cells(game: np.record, which: int, origin: int, cells: Cells) -> None:
    """Put cells of the window from a place on into a set of a game."""
    row, column = divmod(int(origin), COLUMNS)
    store(game, which, row, load(game, which, row) | (cells & WINDOW) << column)


def remove_cells(game: np.record, which: int, origin: int, cells: Cells) -> None:
    """Take cells of the window from a place on out of a set of a game."""
    row, column = divmod(int(origin), COLUMNS)
    store(game, which, row, load(game, which, row) & ~((cells & WINDOW) << column))


def to_window(game: np.record, origin: int, place: int) -> int:
    """Return the place in the window of a place of the board, or -1 where it is not in it."""
    row = place // COLUMNS - origin // COLUMNS
    column = place % COLUMNS - origin % COLUMNS
    inside = 0 <= row < BAND and 0 <= column < BAND
    return row * COLUMNS + column if inside else -1


def from_window(game: np.record, origin: int, place: int) -> int:
    """Return the place of the board of a place in the window."""
    return origin + place


# Constants of the compiler


def columns(game: np.record) -> int:
    """Return how many places a row has."""
    return COLUMNS


def rows(game: np.record) -> int:
    """Return how many rows a set has in memory."""
    return ROWS


def lanes(game: np.record) -> int:
    """Return how many rows a set has as a value."""
    return BAND


def row_of(game: np.record, place: int) -> int:
    """Return the row of a place of the board."""
    return place // COLUMNS


def column_of(game: np.record, place: int) -> int:
    """Return the column of a place of the board."""
    return place % COLUMNS


# Making sets


def single(like: Cells, place: int) -> Cells:
    """Return the set of one cell, or of none where the place is not in it."""
    return 1 << int(place) if 0 <= place < BAND * COLUMNS else 0


def row_range(like: Cells, begin: int, end: int) -> Cells:
    """Return the set of all places of some rows, from *begin* to before *end*."""
    return (1 << int(end) * COLUMNS) - (1 << int(begin) * COLUMNS)


def empty(like: Cells) -> Cells:
    """Return the empty set."""
    return 0


@cache
def _staying(east: int) -> Cells:
    """Return the places that stay in their row when they move by *east* columns."""
    row = ROW >> east if east > 0 else ROW << -east & ROW
    return sum(row << COLUMNS * number for number in range(BAND))


def shift(cells: Cells, east: int, north: int) -> Cells:
    """Return a set moved by columns and rows; places that leave its columns and rows are lost."""
    steps = COLUMNS * north + east
    found = cells & _staying(east)
    return (found << steps if steps > 0 else found >> -steps) & FULL


# Asking sets


def is_any(cells: Cells) -> bool:
    """Tell whether there is a cell in a set."""
    return cells != 0


def count(cells: Cells) -> int:
    """Return how many cells are in a set."""
    return cells.bit_count()


def nth_bit(cells: Cells, number: int) -> int:
    """Return the place of the *n*-th cell of a set, from 0."""
    return geometry.nth_bit(cells, int(number))


def lowest_bit(bits: np.uint64) -> int:
    """Return the place of the lowest bit of a number that is not zero."""
    number = int(bits)
    return (number & -number).bit_length() - 1


def popcount(bits: np.uint64) -> int:
    """Return how many bits of a number are 1."""
    return int(bits).bit_count()


# Bytes


def bytes_of(array: npt.NDArray[np.generic], begin: int) -> Bytes:
    """Return the bytes of an array, from one on."""
    return array.reshape(-1).view(np.uint8)[begin:]


def load_byte(data: Bytes, at: int) -> int:
    """Return a byte."""
    return int(data[at])


def store_byte(data: Bytes, at: int, value: int) -> None:
    """Write a byte."""
    data[at] = value


def store_bytes(data: Bytes, at: int, word: np.uint64) -> None:
    """Write eight bytes, the lowest first."""
    data[at : at + 8] = list(int(word).to_bytes(8, "little"))


def prefetch(data: Bytes, length: int) -> None:
    """Fetch bytes into the processor's cache, to be written to soon."""


def fill_bytes(data: Bytes, at: int, value: int, length: int) -> None:
    """Write the same byte to each of *length* places."""
    data[at : at + length] = value


def expand_row(like: Cells, data: Bytes, at: int, bits: np.uint64) -> None:
    """Write a byte, 0 or 1, for each of the bits of a whole row."""
    data[at : at + COLUMNS] = [int(bits) >> column & 1 for column in range(COLUMNS)]


def compress_row(like: Cells, data: Bytes, at: int, value: int) -> np.uint64:
    """Return a bit for each byte of a whole row: whether the byte has a value."""
    found = (data[at : at + COLUMNS] == value).tolist()
    return np.uint64(sum(each << column for column, each in enumerate(found)))


use_intrinsics(globals())

# Sets of the whole board: cell by cell, in windows, and in bands

WORD_SHIFT, WORD_LAST = 6, 63
SIDE = 16
HALF = 8
"""Windows are this far apart when they cover a board, and begin as far from a cell in question."""


@njit_inline
def window_around(game: np.record, place: int) -> int:
    """Return the window with a cell in its middle, or as near to it as the edge allows."""
    # Compiled to a constant where there is a single one.
    row = min(max(row_of(game, place) - HALF, 0), rows(game) - SIDE)
    column = min(max(column_of(game, place) - HALF, 0), columns(game) - SIDE)
    return row * columns(game) + column


@njit_inline
def window_count(side: int) -> int:
    """Return how many windows it takes to see each cell of a side with all that is near it."""
    return 1 if side <= SIDE else (side - 1) // HALF


@njit_inline
def window_at(game: np.record, row: int, column: int) -> int:
    """Return one of the windows that cover the board, by their numbers from 0."""
    return row * HALF * columns(game) + column * HALF


REACH = 2
OWN_ROWS = 12
"""The rows of a band that are its own, at most: 16 less the reach to either side."""


@njit_inline
def is_one_band(game: np.record, height: int) -> bool:
    """Tell whether a board of this height is a single band."""
    # Of sets that are one vector, the compiler knows it.
    return rows(game) == lanes(game) or height <= lanes(game)


@njit_inline
def band_count(game: np.record, height: int) -> int:
    """Return how many bands there are on a board of this height."""
    if is_one_band(game, height):
        return 1
    return (height + OWN_ROWS - 1) // OWN_ROWS


@njit_inline
def band_row(game: np.record, band: int) -> int:
    """Return the first row of a band."""
    # Compiled to a constant where there is a single one.
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
    """Put a cell into a set."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) | bit)


@njit_inline
def remove_cell(game: np.record, which: int, place: int) -> None:
    """Take a cell out of a set, if it is there."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    store_word(game, which, index, load_word(game, which, index) & ~bit)


@njit_inline
def contains(game: np.record, which: int, place: int) -> bool:
    """Tell whether a cell is in a set."""
    bits = load_word(game, which, place >> WORD_SHIFT) >> np.uint64(place & WORD_LAST)
    return bits & np.uint64(1) != np.uint64(0)


@njit_inline
def next_cell(game: np.record, which: int, begin: int) -> int:
    """Return the first cell of a set from a place on; no cell if there is none."""
    # What is before it is shifted out.
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
        found += count(load(game, which, row))
    return found


@njit_internal
def nth_on_board(game: np.record, which: int, n: int) -> int:
    """Return the place of the *n*-th cell of a set of the whole board, from 0."""
    row, left = 0, n
    while row + lanes(game) < rows(game):
        here = count(load(game, which, row))
        if left < here:
            break
        left -= here
        row += lanes(game)
    return row * columns(game) + nth_bit(load(game, which, row), left)


@njit_inline
def copy_set(game: np.record, source: int, target: int) -> None:
    """Make one set of the whole board what another is."""
    for row in range(0, rows(game), lanes(game)):
        store(game, target, row, load(game, source, row))
