"""The rule of islands on windows of bits [S0].

The tiles of a colour lie in words of bits, a row of the board in one word or in several that
overlap. From them seven rows of nine columns around any cell are gathered into one number, a
*window*: bit ``9 * row + column``, the cell itself in row 3 and column 4. No group that a tile
there would be in reaches further than three steps, but for islands, and around them no cell is
listed.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.desk import RED, WHITE, unlist_cell
from pontedeldiavolo.batch.kernels.tables import (
    BIT_NAMES,
    CENTER_ROW,
    MARGIN,
    MAX_WORDS,
    NOWHERE,
    WINDOW_WIDTH,
    WORD_COLUMNS,
    window_bit,
)

ILLEGAL, LEGAL, COMPLETES = range(3)
"""A tile is against the rules, within them, or within them and the last of an island."""

CENTER = window_bit(0, 0)
TOP = window_bit(0, CENTER_ROW)
BOTTOM = window_bit(0, -CENTER_ROW)
ROW = (1 << WINDOW_WIDTH) - 1
BESIDE = MARGIN - 1
"""The first of the three columns around the cell."""
THREE = 0b111
BESIDE_ONLY = 4
"""So many of the cells around another are side by side with it: the first."""


@compiled
def flip(tables: np.record, desk: np.record, color: int, cell: int) -> None:
    """Put a tile's bit down, or take it up again."""
    column = tables.column[cell] + MARGIN
    row = color * MAX_WORDS + (tables.row[cell] + MARGIN) * tables.stride
    word = column // WORD_COLUMNS
    bit = np.int64(column % WORD_COLUMNS)
    if word < tables.stride:
        desk.words[row + word] ^= 1 << bit
    # Words overlap: the windows at the end of one see the first columns of the next.
    if word > 0 and bit < 2 * MARGIN:
        desk.words[row + word - 1] ^= 1 << bit + WORD_COLUMNS


@compiled
def window(tables: np.record, desk: np.record, color: int, cell: int) -> int:
    """Return the tiles of a colour around a cell."""
    words, stride = desk.words, tables.stride
    word, shift = color * MAX_WORDS + tables.word[cell], tables.shift[cell]
    return (
        (words[word] >> shift & ROW)
        | (words[word + stride] >> shift & ROW) << 9
        | (words[word + 2 * stride] >> shift & ROW) << 18
        | (words[word + 3 * stride] >> shift & ROW) << 27
        | (words[word + 4 * stride] >> shift & ROW) << 36
        | (words[word + 5 * stride] >> shift & ROW) << 45
        | (words[word + 6 * stride] >> shift & ROW) << 54
    )


@compiled
def grown(group: int, around: int) -> int:
    """Return a part of a group with all its neighbours in the group."""
    beside = group << 1 | group >> 1 | group << WINDOW_WIDTH | group >> WINDOW_WIDTH
    return group | beside & around


@compiled
def judge(tables: np.record, desk: np.record, color: int, cell: int, around: int) -> int:
    """Judge a tile on *cell*, in the middle of the window *around*."""
    group = grown(grown(grown(CENTER, around), around), around)
    rest = group & group - 1
    rest &= rest - 1
    rest &= rest - 1
    if rest == 0:
        return LEGAL
    if rest & rest - 1:
        return ILLEGAL
    halo = group | group << WINDOW_WIDTH | group >> WINDOW_WIDTH
    halo |= halo << 1 | halo >> 1
    if halo & around & ~group:
        return ILLEGAL
    # An upright island reaches the edge of the window; one more row is around it.
    word = color * MAX_WORDS + tables.word[cell]
    shift = tables.shift[cell] + BESIDE
    if group & TOP and desk.words[word + 7 * tables.stride] >> shift & THREE:
        return ILLEGAL
    if group & BOTTOM and desk.words[word - tables.stride] >> shift & THREE:
        return ILLEGAL
    return COMPLETES


@compiled
def tile_is_legal(tables: np.record, desk: np.record, color: int, cell: int) -> bool:
    """Tell whether a tile alone may go on a cell listed."""
    return judge(tables, desk, color, cell, window(tables, desk, color, cell)) != ILLEGAL


@compiled
def pair_is_legal(tables: np.record, desk: np.record, color: int, a: int, b: int) -> bool:
    """Tell whether two tiles may go on two cells listed."""
    flip(tables, desk, color, a)
    flip(tables, desk, color, b)
    legal = tile_is_legal(tables, desk, color, a) and tile_is_legal(tables, desk, color, b)
    flip(tables, desk, color, a)
    flip(tables, desk, color, b)
    return legal


@compiled
def place_pair(tables: np.record, desk: np.record, color: int, a: int, b: int) -> bool:
    """Place two tiles on two cells listed if they are legal, and tell whether they were."""
    flip(tables, desk, color, a)
    flip(tables, desk, color, b)
    around_a = window(tables, desk, color, a)
    around_b = window(tables, desk, color, b)
    a_is = judge(tables, desk, color, a, around_a)
    b_is = judge(tables, desk, color, b, around_b) if a_is != ILLEGAL else ILLEGAL
    if b_is == ILLEGAL:
        flip(tables, desk, color, a)
        flip(tables, desk, color, b)
        return False
    settle(tables, desk, color, a, around_a, b)
    settle(tables, desk, color, b, around_b, np.uint32(NOWHERE))
    if a_is == COMPLETES:
        close_island(tables, desk, color, a)
    if b_is == COMPLETES and not desk.in_island[b]:
        close_island(tables, desk, color, b)
    return True


@compiled
def place_tile(tables: np.record, desk: np.record, color: int, cell: int) -> None:
    """Place one legal tile, as in setting up a position."""
    flip(tables, desk, color, cell)
    around = window(tables, desk, color, cell)
    settle(tables, desk, color, cell, around, np.uint32(NOWHERE))
    if judge(tables, desk, color, cell, around) == COMPLETES:
        close_island(tables, desk, color, cell)


@compiled
def settle(
    tables: np.record, desk: np.record, color: int, cell: int, around: int, unsettled: int
) -> None:
    """Take note of a legal tile whose bit is down, and list the bridges that its colour gains.

    Those to the cell *unsettled* are left for when that is settled itself.
    """
    desk.tile[cell] = color + 1
    desk.tiles_left[color] -= 1
    desk.tiles_placed += 1
    unlist_cell(desk, WHITE, cell)
    unlist_cell(desk, RED, cell)
    words, stride, shift = desk.words, tables.stride, tables.shift[cell] + BESIDE
    below = tables.word[cell] + 2 * stride
    other = below + MAX_WORDS
    near = (
        ((words[below] | words[other]) >> shift & THREE)
        | ((words[below + stride] | words[other + stride]) >> shift & THREE) << 3
        | ((words[below + 2 * stride] | words[other + 2 * stride]) >> shift & THREE) << 6
    )
    ends = around & tables.clear[near]
    while ends:
        end = ends & -ends
        ends ^= end
        number = tables.number[cell, tables.direction_of[end % BIT_NAMES]]
        a, b = tables.ends[number, 0], tables.ends[number, 1]
        # Two comparisons, since a tuple to look into costs compiled code time.
        if not desk.excluded[number] and a != unsettled and b != unsettled:  # noqa: PLR1714
            listed = desk.bridges_listed[color]
            desk.bridges[color, listed] = number
            desk.bridges_listed[color] = listed + 1


@compiled
def close_island(tables: np.record, desk: np.record, color: int, cell: int) -> None:
    """Mark the island that *cell* is part of, and unlist the cells around it for its colour."""
    desk.island[desk.islands] = cell
    desk.islands += 1
    desk.in_island[cell] = 1
    desk.queue[0] = cell
    found, done = 1, 0
    while done < found:
        of_island = desk.queue[done]
        done += 1
        for index in range(8):
            near = tables.around[of_island, index]
            if desk.tile[near] != color + 1:
                unlist_cell(desk, color, near)
            elif index < BESIDE_ONLY and not desk.in_island[near]:
                desk.in_island[near] = 1
                desk.queue[found] = near
                found += 1
