"""The rules of bridges [S0]."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.bands import band_count, band_row, own_rows
from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    column_of,
    columns,
    count,
    keep_word,
    load,
    lowest,
    moved,
    row_of,
    rows,
    store,
    word,
)
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.game import (
    BLOCKED,
    BUILDABLE_OF,
    CROSSED_OF,
    ENDS_OF,
    OPEN_OF,
    RED,
    TILES_OF,
    WHITE,
    count_all,
    nth_of_all,
)
from pontedeldiavolo.batch.members import NONE
from pontedeldiavolo.board.geometry import FORWARD

DIRECTIONS = len(FORWARD)
EACH = tuple(map(np.int64, range(DIRECTIONS)))
WORD_SHIFT, WORD_LAST = 6, 63


@inlined
def add(game: np.record, which: int, place: int) -> None:
    """Put a cell into a set."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    keep_word(game, which, index, word(game, which, index) | bit)


@inlined
def remove(game: np.record, which: int, place: int) -> None:
    """Take a cell out of a set, if it is there."""
    index = place >> WORD_SHIFT
    bit = np.uint64(1) << np.uint64(place & WORD_LAST)
    keep_word(game, which, index, word(game, which, index) & ~bit)


@inlined
def holds(game: np.record, which: int, place: int) -> bool:
    """Tell whether a cell is in a set."""
    bits = word(game, which, place >> WORD_SHIFT) >> np.uint64(place & WORD_LAST)
    return bits & np.uint64(1) != np.uint64(0)


@inlined
def next_place(game: np.record, which: int, begin: int) -> int:
    """Return the first cell of a set from a place on; no cell if there is none."""
    # What is before it is shifted out.
    passed = np.uint64(begin & WORD_LAST)
    for index in range(begin >> WORD_SHIFT, columns(game) * rows(game) >> WORD_SHIFT):
        rest = word(game, which, index) >> passed << passed
        if rest != np.uint64(0):
            return (index << WORD_SHIFT) + lowest(rest)
        passed = np.uint64(0)
    return NONE


@inlined
def keep_buildable(game: np.record, direction: int, row: int, spans: Cells, own: Cells) -> int:
    """Keep where bridges in a direction can be built, in a band's own rows, and count them."""
    found = spans & own & ~load(game, CROSSED_OF + direction, row)
    others = load(game, BUILDABLE_OF + direction, row) & ~own
    store(game, BUILDABLE_OF + direction, row, others | found)
    return count(found)


@compiled
def find_bridges(table: np.record, game: np.record, color: int) -> int:
    """Find all bridges that a colour can build, supply and turn aside, and count them."""
    found = 0
    for band in range(band_count(game, table.height)):
        row = band_row(game, band)
        tiles = load(game, TILES_OF + color, row)
        free = tiles & ~load(game, ENDS_OF + color, row)
        water = ~(tiles | load(game, TILES_OF + 1 - color, row))
        own = own_rows(game, table.height, band, free)
        # For each direction, the other end and what is beneath, as seen from the first end.
        a, b = moved(water, -1, 0), moved(water, -1, -1)
        c, d, e = moved(water, 0, -1), moved(water, 1, 0), moved(water, 1, -1)
        found += keep_buildable(game, EACH[0], row, free & moved(free, -2, 0) & a, own)
        found += keep_buildable(game, EACH[1], row, free & moved(free, 2, -1) & d & e, own)
        found += keep_buildable(game, EACH[2], row, free & moved(free, -2, -1) & a & b, own)
        found += keep_buildable(game, EACH[3], row, free & moved(free, 2, -2) & e, own)
        found += keep_buildable(game, EACH[4], row, free & moved(free, 1, -2) & c & e, own)
        found += keep_buildable(game, EACH[5], row, free & moved(free, 0, -2) & c, own)
        found += keep_buildable(game, EACH[6], row, free & moved(free, -1, -2) & c & b, own)
        found += keep_buildable(game, EACH[7], row, free & moved(free, -2, -2) & b, own)
    return found


@compiled
def nth_bridge(game: np.record, n: int) -> tuple[int, int]:
    """Return the first end and the direction of the *n*-th buildable bridge, from 0."""
    left = n
    for direction in range(DIRECTIONS):
        here = count_all(game, BUILDABLE_OF + direction)
        if left < here:
            return nth_of_all(game, BUILDABLE_OF + direction, left), direction
        left -= here
    return NONE, NONE


@compiled
def build(table: np.record, game: np.record, color: int, place: int, direction: int) -> None:
    """Build a legal bridge, from its first end."""
    other = place + table.step[direction]
    add(game, ENDS_OF + color, place)
    add(game, ENDS_OF + color, other)
    game.spans[place] = 1 + direction
    game.spans[other] = 1 + direction + DIRECTIONS
    game.bridges_left -= 1
    game.bridges_built[color] += 1
    for index in range(2):
        under = place + table.beneath[direction, index]
        add(game, BLOCKED, under)
        remove(game, OPEN_OF + WHITE, under)
        remove(game, OPEN_OF + RED, under)
    side, column, row = columns(game), column_of(game, place), row_of(game, place)
    for index in range(table.crossings_from[direction], table.crossings_from[direction + 1]):
        x, y = column + table.crossings[index, 0], row + table.crossings[index, 1]
        # Off the board, no bridge has an end; off the set, there is nothing to mark.
        if 0 <= x < side and 0 <= y < rows(game):
            add(game, CROSSED_OF + table.crossings[index, 2], y * side + x)


@inlined
def far_end(table: np.record, end: int, span: int) -> int:
    """Return the other end of a bridge."""
    direction = span - 1
    if direction < DIRECTIONS:
        return end + table.step[direction]
    return end - table.step[direction - DIRECTIONS]
