"""Sets of cells (bitboards), compiled or as Python integers.

A set of cells is a value: ``a & b``, ``a | b``, ``a ^ b`` and ``~a`` make others, and so do the
functions here. Compiled, it is a vector of the processor: see
:mod:`~pontedeldiavolo.batch.kernels.vectors`, whose functions replace those of the same names here.
Not compiled, it is a Python integer: bit ``64 * row + column`` stands for a cell, and a set holds
16 rows, as on boards that are too large for one vector, whatever the board.

A cell has a *place* in its set, ``columns * row + column``. In memory, a set has 16, 32 or
64 rows and columns, as the board needs. As a value, a set is a *band* of some rows or a *window* of
16 rows of 16 columns, see :mod:`~pontedeldiavolo.batch.kernels.board_sets`.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.jit import use_intrinsics
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
    """Write the same byte so many times."""
    data[at : at + length] = value


def expand_row(like: Cells, data: Bytes, at: int, bits: np.uint64) -> None:
    """Write a byte, 0 or 1, for each of the bits of a whole row."""
    data[at : at + COLUMNS] = [int(bits) >> column & 1 for column in range(COLUMNS)]


def compress_row(like: Cells, data: Bytes, at: int, value: int) -> np.uint64:
    """Return a bit for each byte of a whole row: whether the byte has a value."""
    found = (data[at : at + COLUMNS] == value).tolist()
    return np.uint64(sum(each << column for column, each in enumerate(found)))


use_intrinsics(globals())
