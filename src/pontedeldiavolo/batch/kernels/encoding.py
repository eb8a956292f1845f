"""The outputs of a game: a mask or a list of its legal steps, and its feature planes."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch import feature_planes
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE

from .cells import (
    Bytes,
    cell_of,
    columns,
    expand_bits,
    fill_bytes,
    load_byte,
    load_cells,
    load_word,
    lowest_bit,
    next_cell,
    nonempty_words,
    rows,
    rows_in_word,
    store_byte,
    store_bytes,
)
from .game import BLOCKED, BOARD, BUILDABLE_OF, DIRECTIONS, ENDS_OF, LEGAL, TILES_OF, WHITE
from .jit import njit_inline, njit_internal
from .steps import (
    PASS,
    code_of_bridge,
    code_of_choice,
    find_legal,
    other_end,
    step_count,
)

PLANE_COUNT = len(feature_planes.PLANES)


VALUE_COUNT = PLANE_COUNT - feature_planes.OWN_IS_WHITE
"""The number of planes with one value for the whole board: first truth values, then numbers."""


FIRST_NUMBER = feature_planes.TILES_LEFT - feature_planes.OWN_IS_WHITE


WORD_BITS = 64


HALF_WORD = 32


WORD_BYTES = 8


BYTE_SHIFT = 3


BYTE_LAST = 7


BYTE = np.uint64(255)


@njit_inline
def write_set(table: np.record, sets: np.record, which: int, out: Bytes, at: int) -> None:
    """Write a byte for each cell of the board: 1 if it is in a set, else 0."""
    word = np.uint64(0)
    before = np.uint64(0)
    filled = 0
    written = 0
    for index in range(word_count(table, sets)):
        bits = load_cells(sets, which, index, table.width)
        word |= bits << np.uint64(filled)
        filled += table.width * rows_in_word(sets)
        if filled >= WORD_BITS and written + WORD_BITS <= table.cells:
            expand_bits(out, at + written, word, 64)
            written += WORD_BITS
            before = word
            word, filled = begin_word(table, sets, bits, filled)
    left = table.cells - written
    if left > 0 and written > 0:
        # These cells and the end of the word before make a whole word.
        whole = word << np.uint64(WORD_BITS - left) | before >> np.uint64(left)
        expand_bits(out, at + table.cells - WORD_BITS, whole, 64)
    elif left >= HALF_WORD:
        expand_bits(out, at, word, 32)
        expand_bits(out, at + left - HALF_WORD, word >> np.uint64(left - HALF_WORD), 32)
    else:
        for cell in range(left):
            store_byte(out, at + cell, np.int64(word >> np.uint64(cell) & np.uint64(1)))


@njit_inline
def word_count(table: np.record, sets: np.record) -> int:
    """Return the number of words that hold the rows of the board."""
    return (table.height + rows_in_word(sets) - 1) // rows_in_word(sets)


@njit_inline
def begin_word(
    table: np.record, sets: np.record, bits: np.uint64, filled: int
) -> tuple[np.uint64, int]:
    """Return the *bits* of rows that a word of *filled* bits could not take, and their number."""
    kept = filled - WORD_BITS
    taken = table.width * rows_in_word(sets) - kept
    return bits >> np.uint64(taken) if kept > 0 else np.uint64(0), kept


# Masks


@njit_inline
def legal_mask(table: np.record, game: np.record, out: Bytes, row: int) -> None:
    """Find all legal steps, and write a row of masks: 1 for each legal step, else 0."""
    find_legal(table, game)
    cells = table.cells
    size = step_count(table)
    at = row * size
    end = row * size + size
    if game.legal_tiles > 0:
        write_set(table, game, LEGAL, out, at)
    else:
        fill_bytes(out, at, 0, cells)
    if game.outputs_are_current == 0 or game.has_shown_others != 0:
        fill_bytes(out, at + cells, 0, end - at - cells)
    game.has_shown_others = game.legal_bridges > 0 or game.phase == COLOR_CHOICE
    if game.legal_bridges > 0:
        write_bridges(table, game, out, at)
    if game.phase == COLOR_CHOICE:
        fill_bytes(out, at + code_of_choice(table, WHITE), 1, 2)
    store_byte(out, end - 1, game.legal_pass)


WORDS_AT_ONCE = 8


DIRECTION_SHIFT = 3


INDEX_LAST = WORDS_AT_ONCE - 1


@njit_inline
def write_bridges(table: np.record, game: np.record, out: Bytes, at: int) -> None:
    """Write 1 for each buildable bridge."""
    for begin in range(0, columns(game) * rows(game) // WORD_BITS, WORDS_AT_ONCE):
        # Most words are empty. Each other one has a bit here, by its direction and its index.
        words = np.uint64(0)
        for direction in range(DIRECTIONS):
            here = nonempty_words(game, BUILDABLE_OF + direction, begin)
            words |= here << np.uint64(direction << DIRECTION_SHIFT)
        number = 0
        rest = np.uint64(0)
        # All are written in one loop without branches: the end of a loop for each word would be
        # mispredicted too often.
        while words | rest:
            needs_word = rest == np.uint64(0)
            number = lowest_bit(words) if needs_word else number
            words &= words - np.uint64(needs_word)
            direction = number >> DIRECTION_SHIFT
            index = begin + (number & INDEX_LAST)
            word = load_word(game, BUILDABLE_OF + direction, index)
            rest = word if needs_word else rest
            place = index * WORD_BITS + lowest_bit(rest)
            rest &= rest - np.uint64(1)
            store_byte(out, at + code_of_bridge(table, place, direction), 1)


# Lists of steps

Codes = npt.NDArray[np.integer[Any]]
OTHER_STEPS = PASS + 1
"""An upper bound on the legal steps that are neither tiles nor bridges."""


@njit_internal
def list_steps(table: np.record, game: np.record, codes: Codes, begin: int) -> int:
    """Write the codes of all legal steps into an array; return their end, or -1 if it is full."""
    find_legal(table, game)
    if begin + game.legal_tiles + game.legal_bridges + OTHER_STEPS > len(codes):
        return NONE
    end = begin
    if game.legal_tiles > 0:
        end = list_set(table, game, codes, end, LEGAL, NONE)
    if game.legal_bridges > 0:
        for direction in range(DIRECTIONS):
            end = list_set(table, game, codes, end, BUILDABLE_OF + direction, direction)
    for choice in range(PASS + 1):
        if game.legal_pass == 1 if choice == PASS else game.phase == COLOR_CHOICE:
            codes[end] = code_of_choice(table, choice)
            end += 1
    return end


@njit_inline
def list_set(
    table: np.record, game: np.record, codes: Codes, begin: int, which: int, direction: int
) -> int:
    """Write a code for each cell of a set: of a tile on it, or of a bridge from it."""
    end = begin
    for index in range(columns(game) * rows(game) // WORD_BITS):
        rest = load_word(game, which, index)
        while rest:
            place = index * WORD_BITS + lowest_bit(rest)
            rest &= rest - np.uint64(1)
            if direction == NONE:
                codes[end] = cell_of(table, game, place)
            else:
                codes[end] = code_of_bridge(table, place, direction)
            end += 1
    return end


# Planes


class PlaneBytes(NamedTuple):
    """The bytes to which the planes of a game are written."""

    out: Bytes
    size: int
    """The number of bytes of a plane."""
    packed: bool
    """True if planes have a bit for each cell, False for a byte."""


@njit_internal
def observe(table: np.record, game: np.record, own: int, planes: PlaneBytes) -> None:
    """Write the planes of a game, seen from the side of a colour: see :data:`PLANES`.

    If they show the game as it was one step before, only changes are written.
    """
    built = game.bridges_built[0] + game.bridges_built[1]
    if game.outputs_are_current == 0:
        fill_bytes(planes.out, 0, 0, PLANE_COUNT * planes.size)
        game.shown_first = NONE
        game.shown_bridges = 0
        game.shown_values = np.uint64(0)
    # The first of two tiles changes nothing else.
    if game.outputs_are_current == 0 or game.placed_tile == NONE:
        write_plane(table, game, TILES_OF + own, planes, feature_planes.TILES)
        write_plane(table, game, TILES_OF + 1 - own, planes, feature_planes.TILES + 1)
        write_values(table, game, own, planes)
    if game.shown_first != NONE:
        write_cell(planes, feature_planes.FIRST_TILE, cell_of(table, game, game.shown_first), 0)
    if game.placed_tile != NONE:
        write_cell(planes, feature_planes.FIRST_TILE, cell_of(table, game, game.placed_tile), 1)
    if game.shown_bridges != built:
        write_plane(table, game, BLOCKED, planes, feature_planes.BLOCKED)
        write_bridges_built(table, game, planes)
    game.shown_first = game.placed_tile
    game.shown_bridges = built


@njit_inline
def write_plane(
    table: np.record, sets: np.record, which: int, planes: PlaneBytes, plane: int
) -> None:
    """Write the plane of a set."""
    at = plane * planes.size
    if planes.packed:
        pack_set(table, sets, which, planes.out, at)
    else:
        write_set(table, sets, which, planes.out, at)


@njit_inline
def pack_set(table: np.record, sets: np.record, which: int, out: Bytes, at: int) -> None:
    """Write a bit for each cell of the board, in words of 64 bits."""
    word = np.uint64(0)
    filled = 0
    written = 0
    for index in range(word_count(table, sets)):
        bits = load_cells(sets, which, index, table.width)
        word |= bits << np.uint64(filled)
        filled += table.width * rows_in_word(sets)
        if filled >= WORD_BITS and written < table.cells:
            store_bytes(out, at + (written >> BYTE_SHIFT), word)
            written += WORD_BITS
            word, filled = begin_word(table, sets, bits, filled)
    if written < table.cells:
        store_bytes(out, at + (written >> BYTE_SHIFT), word)


@njit_inline
def write_cell(planes: PlaneBytes, plane: int, cell: int, value: int) -> None:
    """Write a cell of a plane."""
    at = plane * planes.size
    if planes.packed:
        at += cell >> BYTE_SHIFT
        bit = 1 << (cell & BYTE_LAST)
        byte = load_byte(planes.out, at)
        store_byte(planes.out, at, byte | bit if value else byte & ~bit)
    else:
        store_byte(planes.out, at + cell, value)


@njit_inline
def write_values(table: np.record, game: np.record, own: int, planes: PlaneBytes) -> None:
    """Update the planes that have one value. If packed, a number is in the plane's first byte."""
    values = (
        np.uint64(own == WHITE),
        np.uint64(own == game.to_move),
        np.uint64(game.phase == COLOR_CHOICE),
        np.uint64(game.phase == LAST_TURN),
        np.uint64(min(game.tiles_left[own], table.max_tiles_shown)),
        np.uint64(min(game.tiles_left[1 - own], table.max_tiles_shown)),
        np.uint64(min(game.bridges_left, table.max_bridges_shown)),
    )
    word = np.uint64(0)
    for index in range(VALUE_COUNT):
        word |= values[index] << np.uint64(index << BYTE_SHIFT)
    changed = word ^ game.shown_values
    game.shown_values = word
    while changed:
        shift = lowest_bit(changed) & ~BYTE_LAST
        value = np.int64(word >> np.uint64(shift) & BYTE)
        changed &= ~(BYTE << np.uint64(shift))
        index = shift >> BYTE_SHIFT
        at = (feature_planes.OWN_IS_WHITE + index) * planes.size
        if planes.packed and index >= FIRST_NUMBER:
            store_byte(planes.out, at, value)
        elif planes.packed and value:
            pack_set(table, table, BOARD, planes.out, at)
        else:
            fill_bytes(planes.out, at, value, planes.size)


@njit_internal
def write_bridges_built(table: np.record, game: np.record, planes: PlaneBytes) -> None:
    """Write the ends of the last bridge, or of all if the planes do not show the game yet."""
    if game.outputs_are_current == 1:
        last = game.last_bridge
        write_bridge_end(table, game, last, planes)
        write_bridge_end(table, game, other_end(table, last, np.int64(game.links[last])), planes)
        return
    for color in range(2):
        place = next_cell(game, ENDS_OF + color, 0)
        while place != NONE:
            write_bridge_end(table, game, place, planes)
            place = next_cell(game, ENDS_OF + color, place + 1)


@njit_inline
def write_bridge_end(table: np.record, game: np.record, place: int, planes: PlaneBytes) -> None:
    """Write 1 for an end of a bridge, to the plane of the bridge's direction from that end."""
    plane = feature_planes.BRIDGES - 1 + np.int64(game.links[place])
    write_cell(planes, plane, cell_of(table, game, place), 1)
