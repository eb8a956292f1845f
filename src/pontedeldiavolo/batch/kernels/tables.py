"""The tables of one board size as arrays, for compiled code.

Everything is one record of a fixed layout, large enough for the largest board: so compiled code
serves every board, and a function takes all tables as one argument.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD, Geometry, crossing_bridges, geometry

MAX_CELLS = Board.MAX_SIDE**2 + 64
"""The room for cells. Not a power of two, so that arrays do not fall on the same cache lines."""
MAX_BRIDGES = len(FORWARD) * Board.MAX_SIDE**2 + 192

NOWHERE = MAX_CELLS - 1
"""Stands for a cell off the board."""
NO_BRIDGE = MAX_BRIDGES - 1
"""Stands for a bridge off the board."""

MARGIN = 4
"""How far a window reaches from its cell to either side."""
WORD_COLUMNS = 32
"""Every word of a row of bits begins so many columns after the one before, and overlaps it."""
MAX_WORDS = Board.MAX_SIDE // WORD_COLUMNS * (Board.MAX_SIDE + 2 * MARGIN)

WINDOW_WIDTH = 2 * MARGIN + 1
CENTER_ROW = 3
DIRECTIONS = (*FORWARD, *((-dx, -dy) for dx, dy in FORWARD))
"""The steps from one end of a bridge to the other, from the first end and from the second."""
BIT_NAMES = 67
"""Powers of two have different remainders by this number."""
MAX_CROSSINGS = sum(map(len, crossing_bridges().values()))

# Indices are unsigned: compiled code need not ask whether they count from the end.
TABLES = np.dtype(
    [
        ("width", "i8"),
        ("height", "i8"),
        ("cells", "i8"),  # how many
        ("bridges", "i8"),  # how many
        # For each cell
        ("column", "u4", MAX_CELLS),
        ("row", "u4", MAX_CELLS),
        ("around", "u4", (MAX_CELLS, 8)),  # the cells around it, those side by side with it first
        ("number", "u4", (MAX_CELLS, len(DIRECTIONS))),  # the bridge in a direction
        ("word", "u4", MAX_CELLS),  # in which word of bits its window begins
        ("shift", "i8", MAX_CELLS),  # and after how many bits
        ("stride", "u4"),  # how many words of bits there are in a row
        # For each bridge
        ("ends", "u4", (MAX_BRIDGES, 2)),
        ("beneath", "u4", (MAX_BRIDGES, 2)),  # the cells under it; a single one comes twice
        ("direction", "u1", MAX_BRIDGES),  # from its first end
        # For each direction
        ("crossings_from", "i4", len(FORWARD) + 1),  # where its crossings begin
        ("crossings", "i4", (MAX_CROSSINGS, 3)),  # column, row and direction, from its first end
        # For windows
        ("direction_of", "u1", BIT_NAMES),  # the direction of a bit, by the bit's remainder
        ("clear", "i8", 512),  # by the tiles around: the bits of directions with nothing in the way
    ],
    align=True,
)


def window_bit(dx: int, dy: int) -> int:
    """Return the bit of a window that stands for the cell so many steps from its centre."""
    return 1 << (dy + CENTER_ROW) * WINDOW_WIDTH + dx + MARGIN


@lru_cache(maxsize=16)
def tables(width: int, height: int) -> np.record:
    """Return the tables of a board size."""
    board = geometry(width, height)
    found: np.record = np.zeros(1, TABLES).view(np.recarray)[0]
    found.width, found.height, found.cells = width, height, width * height
    found.bridges = board.bridge_count
    found.stride = -(-width // WORD_COLUMNS)
    _fill_cells(found)
    _fill_bridges(found, board)
    _fill_directions(found)
    return found


def _fill_cells(found: np.record) -> None:
    row, column = np.divmod(np.arange(found.cells), found.width)
    found.column[: found.cells] = column
    found.row[: found.cells] = row
    found.word[: found.cells] = (row + MARGIN - CENTER_ROW) * found.stride + column // WORD_COLUMNS
    found.shift[: found.cells] = column % WORD_COLUMNS
    steps = ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1))
    for index, (dx, dy) in enumerate(steps):
        x, y = column + dx, row + dy
        on_board = (x >= 0) & (x < found.width) & (y >= 0) & (y < found.height)
        found.around[: found.cells, index] = np.where(on_board, y * found.width + x, NOWHERE)


def _fill_bridges(found: np.record, board: Geometry) -> None:
    found.number[:] = NO_BRIDGE
    found.ends[NO_BRIDGE] = NOWHERE
    for number, (a, b) in enumerate(board.all_ends()):
        (y, x), (to_y, to_x) = divmod(a, board.width), divmod(b, board.width)
        direction = FORWARD.index((to_x - x, to_y - y))
        under = [v * board.width + u for u, v in beneath((x, y), (to_x, to_y))]
        found.ends[number] = a, b
        found.beneath[number] = under[0], under[-1]
        found.direction[number] = direction
        found.number[a, direction] = found.number[b, direction + len(FORWARD)] = number


def _fill_directions(found: np.record) -> None:
    for direction, (dx, dy) in enumerate(DIRECTIONS):
        found.direction_of[window_bit(dx, dy) % BIT_NAMES] = direction
        in_the_way = sum(1 << 3 * (y + 1) + x + 1 for x, y in beneath((0, 0), (dx, dy)))
        for tiles in range(len(found.clear)):
            if not tiles & in_the_way:
                found.clear[tiles] |= window_bit(dx, dy)
    index = 0
    for direction, step in enumerate(FORWARD):
        found.crossings_from[direction] = index
        for (x, y), other in crossing_bridges()[step]:
            found.crossings[index] = x, y, FORWARD.index(other)
            index += 1
    found.crossings_from[len(FORWARD)] = index
