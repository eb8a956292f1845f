"""Games and boards for compiled code: NumPy records of fixed layouts.

A game's sets of cells come first. For each colour there are its *tiles*; the *ends* of its bridges;
the *open* cells, where one tile alone would be legal; the *fourth* cells, where a tile would make a
group of four or more; and the tiles of its *islands*. For each direction there are the first ends
of bridges that would be *crossed* by an existing bridge, and of those that are *buildable*. The
sets *legal* (of tiles) and *buildable* depend on the colour to move: they are computed when legal
steps are asked for, and the other sets are updated after each step. The sets *scratch* and
*frontier* are free for use within a function.

Colours, seats and phases are numbered from 0, in the order of their enums. A cell is a place, as in
:mod:`~pontedeldiavolo.batch.kernels.cells`. The board and the rules, which do not change in a game,
are in another record: the *table*.
"""

from __future__ import annotations

from functools import cache, lru_cache
from math import prod
from threading import local
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Tiebreak
from pontedeldiavolo.batch.feature_planes import MAX_BYTE
from pontedeldiavolo.batch.symmetries import bridge_tables
from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD, crossing_bridges
from pontedeldiavolo.rules.rules import Rules

from .jit import JIT_DISABLED

T = TypeVar("T", bound=np.generic)


ALIGNMENT = 64
"""The size of a cache line; some libraries copy arrays that do not begin at a multiple of it."""


def aligned(shape: tuple[int, ...], dtype: type[T] | np.dtype[T]) -> npt.NDArray[T]:
    """Return an array of zeros that begins at a multiple of the alignment."""
    size = prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    return memory[begin : begin + size].view(dtype).reshape(shape)


# NumPy integers: for plain ones, Numba may compile a function once more.
WHITE = np.int64(0)
RED = np.int64(1)

# The indices of the sets; to a name that ends in _OF, add the number of a colour or direction.
TILES_OF, ENDS_OF, OPEN_OF, FOURTH_OF, ISLANDS_OF, CROSSED_OF = map(np.int64, range(0, 12, 2))
BUILDABLE_OF = CROSSED_OF + len(FORWARD)
BLOCKED = BUILDABLE_OF + len(FORWARD)
LEGAL = BLOCKED + 1
SCRATCH = BLOCKED + 2
FRONTIER = BLOCKED + 3
SETS = int(FRONTIER) + 1

SET_SHAPES = ((16, 16), (32, 32), (16, 64), (64, 64))
"""The columns and rows that sets can have in memory; everything is compiled for each shape."""


def set_shape(width: int, height: int) -> tuple[int, int]:
    """Return how many columns and rows the sets of a board have in memory."""
    if JIT_DISABLED:
        return SET_SHAPES[-1]
    return next(shape for shape in SET_SHAPES if shape[0] >= width and shape[1] >= height)


def numbers(*names: str) -> list[tuple[str, str]]:
    """Return fields of whole numbers with these names."""
    return [(name, "i8") for name in names]


@cache
def game_type(width: int, height: int) -> np.dtype[np.void]:
    """Return the layout of games on boards of a size."""
    columns, rows = set_shape(width, height)
    fields = [
        ("sets", f"u{columns // 8}", (SETS, rows)),
        # The turn: "placed_tile" is the first of two tiles; "turns" includes those before unpacking
        *numbers("phase", "to_move", "white_owner", "placed_tile", "turns"),
        ("random", "u8"),  # the state of the random number generator
        # Numbers of pieces
        ("tiles_left", "i8", 2),
        ("bridges_left", "i8"),
        ("bridges_built", "i8", 2),
        ("last_bridge", "i8"),  # its first end
        # Numbers of legal steps, as in LEGAL and BUILDABLE_OF
        *numbers("legal_tiles", "legal_bridges", "legal_pass"),
        # What the game's row of masks and planes shows: the first tile, the number of bridges
        *numbers("shown_first", "shown_bridges"),
        ("shown_values", "u8"),  # the values of planes that have one value, a byte each
        ("has_shown_others", "u1"),  # whether a bridge or a colour is legal
        ("outputs_are_current", "u1"),  # 0 unless the row shows the game as it was one step before
        # On each end of a bridge 1 plus its direction from there; elsewhere 0
        ("links", "u1", columns * rows),
    ]
    size = np.dtype(fields, align=True).itemsize
    return np.dtype([*fields, ("padding", "u1", ALIGNMENT - size % ALIGNMENT)], align=True)


def new_records(size: int, layout: np.dtype[np.void]) -> npt.NDArray[np.void]:
    """Return *size* records of zeros, for compiled code."""
    found = aligned((size,), layout)
    # Uncompiled code accesses the fields of a record as attributes.
    return cast(npt.NDArray[np.void], found.view(np.recarray)) if JIT_DISABLED else found


_memory = local()
"""For each thread the records of :func:`scratch`."""


def scratch(rules: Rules) -> npt.NDArray[np.void]:
    """Return memory for one game with some rules, which only this thread writes to."""
    layout = game_type(rules.board.width, rules.board.height)
    games: dict[np.dtype[np.void], npt.NDArray[np.void]] = vars(_memory).setdefault("games", {})
    if layout not in games:
        games[layout] = new_records(1, layout)
    return games[layout]


UNLIMITED = 1 << 40
"""More than fits on any board."""
POINTS, ISLANDS, BRIDGES = range(3)
"""The columns of a score."""
SCORE_COLUMNS = {Tiebreak.ISLANDS: ISLANDS, Tiebreak.BRIDGES: BRIDGES}

BOARD = 0
"""The index of the table's only set: all cells of the board."""
DIRECTIONS = len(FORWARD)
# Each direction of a bridge has ten patterns, sets of cells relative to its first end: for each
# direction, the first ends of the bridges that would cross it; its two ends; the cells beneath it.
ENDS_PATTERN = np.int64(DIRECTIONS)
BENEATH_PATTERN = np.int64(DIRECTIONS + 1)
PATTERNS = DIRECTIONS + 2
PATTERN_ROWS = 32
PATTERN_MIDDLE = (15, 12)
"""The row and the column of a pattern that stand for the first end.

A pattern has rows enough for a window that has this row at any place, and columns enough for all
cells that a bridge affects: these are up to three columns away.
"""


@cache
def bridge_patterns() -> npt.NDArray[np.uint16]:
    """Return the patterns of all directions: shape (directions × patterns, rows), rows of bits."""
    found = np.zeros((DIRECTIONS, PATTERNS, PATTERN_ROWS), np.uint16)
    middle_row, middle_column = PATTERN_MIDDLE
    for direction, end in enumerate(FORWARD):
        cells = [(x, y, each) for x, y, each in crossing_bridges()[direction]]
        cells += [(x, y, DIRECTIONS) for x, y in ((0, 0), end)]
        cells += [(x, y, DIRECTIONS + 1) for x, y in beneath((0, 0), end)]
        for x, y, pattern in cells:
            found[direction, pattern, middle_row + y] |= 1 << middle_column + x
    return found.reshape(-1, PATTERN_ROWS)


@cache
def table_type(columns: int, rows: int) -> np.dtype[np.void]:
    """Return the layout of the table; *columns* and *rows* are the size of sets in memory."""
    places = columns * rows
    return np.dtype(
        [
            ("sets", f"u{columns // 8}", (1, rows)),
            # The last two are the numbers of cells and of possible bridges
            *numbers("width", "height", "cells", "bridges"),
            # The supply of tiles of each colour, and of bridges of both
            *numbers("all_tiles", "all_bridges"),
            # The largest numbers in planes of pieces left: 0 if they are unlimited
            *numbers("max_tiles_shown", "max_bridges_shown"),
            ("decisive", "i8", 3),  # the columns of a score in the order of tie-breaks, or -1
            # For each direction
            ("step", "i8", len(FORWARD)),  # from a bridge's first end to its second, in places
            # The patterns of each direction: a number for each row
            ("patterns", "u2", (DIRECTIONS * PATTERNS, PATTERN_ROWS)),
            # For each cell
            ("place_of_cell", "u2", places),
            # For each place and direction: the number of the bridge that has its first end there
            ("number", "u4", (places, len(FORWARD))),
            # For each bridge: its first end and direction
            ("bridge_place", "u2", places * len(FORWARD)),
            ("bridge_direction", "u1", places * len(FORWARD)),
        ],
        align=True,
    )


@lru_cache(maxsize=16)
def rules_table(rules: Rules) -> npt.NDArray[np.void]:
    """Return the table of some rules: an array of one record."""
    width = rules.board.width
    height = rules.board.height
    columns, rows = set_shape(width, height)
    found = new_records(1, table_type(columns, rows))
    table = found[0]
    table["width"] = width
    table["height"] = height
    table["cells"] = width * height
    table["sets"][BOARD, :height] = (1 << width) - 1
    tile_supply = rules.tiles_per_color
    bridge_supply = rules.bridges
    table["all_tiles"] = UNLIMITED if tile_supply is None else min(tile_supply, UNLIMITED - 1)
    table["all_bridges"] = UNLIMITED if bridge_supply is None else min(bridge_supply, UNLIMITED - 1)
    table["max_tiles_shown"] = 0 if tile_supply is None else MAX_BYTE
    table["max_bridges_shown"] = 0 if bridge_supply is None else MAX_BYTE
    order = [POINTS, *(SCORE_COLUMNS[each] for each in rules.tiebreaks)]
    table["decisive"] = [*order, -1, -1][:3]
    table["step"] = [dy * columns + dx for dx, dy in FORWARD]
    table["patterns"] = bridge_patterns()
    row, column = np.divmod(np.arange(width * height), width)
    place = row * columns + column
    table["place_of_cell"][: len(place)] = place
    bridges = bridge_tables(width, height)
    firsts = place[bridges.ends[:, 0]]
    count = len(bridges.ends)
    table["bridges"] = count
    table["bridge_place"][:count] = firsts
    table["bridge_direction"][:count] = bridges.direction
    table["number"][firsts, bridges.direction] = np.arange(count)
    return found
