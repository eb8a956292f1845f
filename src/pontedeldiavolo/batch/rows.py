"""Games as rows of arrays: from states and back, and as bytes."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import STEPS, Geometry, bits
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.position.pieces import Pieces
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import as_bytes
from pontedeldiavolo.state.state import GameState, HalfTurn
from pontedeldiavolo.state.state_base import HALF_TURN, NUMBER_SIZE


class Rows(NamedTuple):
    """Many games as arrays, a row each. Numbers of members from 0; -1 is none."""

    tiles: npt.NDArray[np.int8]
    """(n, cells): 0, or 1 for a white, 2 for a red tile."""
    spans: npt.NDArray[np.int8]
    """(n, cells): 0, or 1 and the direction of the bridge that ends on the cell."""
    phase: npt.NDArray[np.int8]
    """(n,)"""
    to_move: npt.NDArray[np.int8]
    """(n,): a colour."""
    white_owner: npt.NDArray[np.int8]
    """(n,): a seat."""
    first: npt.NDArray[np.int16]
    """(n,): the cell of the first of two tiles."""


PHASES = tuple(Phase)
COLORS = tuple(Color)
SEATS = tuple(Seat)

OPENING, COLOR_CHOICE, PLAY, LAST_TURN, OVER = map(PHASES.index, Phase)

NONE = -1
"""Nobody, or no cell."""


def empty_rows(rules: Rules, size: int) -> Rows:
    """Return rows that are the start of a game, to write to."""
    cells = len(rules.board)
    return Rows(
        tiles=np.zeros((size, cells), np.int8),
        spans=np.zeros((size, cells), np.int8),
        phase=np.full(size, OPENING, np.int8),
        to_move=np.full(size, Color.WHITE.index, np.int8),
        white_owner=np.full(size, NONE, np.int8),
        first=np.full(size, NONE, np.int16),
    )


def read_only(rows: Rows) -> Rows:
    """Return *rows*, no longer to write to."""
    for each in rows:
        each.setflags(write=False)
    return rows


def take_rows(rows: Rows, which: slice | npt.NDArray[np.integer]) -> Rows:
    """Return some of the rows."""
    return Rows._make(each[which] for each in rows)


def replace_rows(rows: Rows, which: npt.NDArray[np.intp], others: Rows) -> Rows:
    """Return the rows with *others* in place of some."""
    found = Rows._make(each.copy() for each in rows)
    for place in range(len(found)):
        found[place][which] = others[place]
    return found


def rows_of(rules: Rules, states: Sequence[GameState | HalfTurn]) -> Rows:
    """Return the rows of states with these rules."""
    rows = empty_rows(rules, len(states))
    geometry = rules.board.geometry
    for row, item in enumerate(states):
        if isinstance(item, HalfTurn):
            rows.first[row] = geometry.index(item.first)
            _write_state(rows, row, geometry, item.state)
        else:
            _write_state(rows, row, geometry, item)
    return rows


def _write_state(rows: Rows, row: int, geometry: Geometry, state: GameState) -> None:
    white, red, bridges = state._pieces.key()
    rows.tiles[row] = _as_array(white, geometry) + 2 * _as_array(red, geometry)
    for number in bits(bridges):
        a, b = geometry.ends(number)
        rows.spans[row, a] = 1 + number % STEPS
        rows.spans[row, b] = 1 + number % STEPS + STEPS
    rows.phase[row] = PHASES.index(state.phase)
    rows.to_move[row] = NONE if state.to_move is None else state.to_move.index
    owner = state.owner(Color.WHITE)
    rows.white_owner[row] = NONE if owner is None else owner.index


def _as_array(cells: int, geometry: Geometry) -> npt.NDArray[np.int8]:
    count = geometry.width * geometry.height
    return np.frombuffer(as_bytes(cells, count), np.int8)


def state_of(rules: Rules, rows: Rows, row: int) -> GameState | HalfTurn:
    """Return what is in a row."""
    geometry = rules.board.geometry
    white, red = (
        int.from_bytes(np.packbits(rows.tiles[row] == tile, bitorder="little").tobytes(), "little")
        for tile in (1, 2)
    )
    bridges = 0
    for cell, span in enumerate(rows.spans[row].tolist()):
        if 0 < span <= STEPS:
            bridges |= 1 << STEPS * cell + span - 1
    to_move, owner = int(rows.to_move[row]), int(rows.white_owner[row])
    state = GameState._make(
        rules,
        Pieces.of(geometry, white, red, bridges),
        PHASES[rows.phase[row]],
        None if to_move == NONE else COLORS[to_move],
        None if owner == NONE else SEATS[owner],
    )
    first = int(rows.first[row])
    return state if first == NONE else HalfTurn(state, geometry.cells[first])


_WORD = 8
"""The number of bytes that are mixed at once."""


def packed_rows(board: Board, rows: Rows) -> npt.NDArray[np.uint8]:
    """Return the bytes of every row, with zeros up to the length of the longest."""
    tables = board_tables(board.width, board.height)
    size, cells = rows.tiles.shape
    in_hand = rows.first != NONE
    row, cell = np.nonzero((rows.spans > 0) & (rows.spans <= STEPS))
    count = np.bincount(row, minlength=size)
    # What comes after the head, and after the first tile of a half turn.
    length = -(-cells // 8)
    body = np.zeros((size, 2 * length + NUMBER_SIZE * count.max(initial=0)), np.uint8)
    for color in (0, 1):
        sets = np.packbits(rows.tiles == color + 1, axis=1, bitorder="little")
        body[:, color * length : (color + 1) * length] = sets[:, ::-1]
    number = 1 + tables.number[cell, rows.spans[row, cell] - 1]
    place = np.arange(len(row)) - (np.cumsum(count) - count)[row]
    at = 2 * length + NUMBER_SIZE * place
    body[row, at], body[row, at + 1] = number >> 8, number & 255

    begin = 1 + NUMBER_SIZE * in_hand
    longest = (begin + 2 * length + NUMBER_SIZE * count).max(initial=1 + 2 * length)
    found = np.zeros((size, longest), np.uint8)
    head = (rows.phase * (len(COLORS) + 1) + rows.to_move + 1) * (len(SEATS) + 1)
    found[:, 0] = (head + rows.white_owner + 1).astype(np.uint8) | in_hand * np.uint8(HALF_TURN)
    found[in_hand, 1] = rows.first[in_hand] >> 8
    found[in_hand, 2] = rows.first[in_hand] & 255
    for start, which in ((1, ~in_hand), (1 + NUMBER_SIZE, in_hand)):
        width = min(body.shape[1], longest - start)
        found[which, start : start + width] = body[which, :width]
    return found


def hashes_of(rules: Rules, packed: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Return a number of 64 bits for the bytes of each row, zeros at their end aside.

    The bytes of the rules' text, then those of the row, are each taken as numbers of 64 bits, the
    lowest byte first, up to the last that is not 0. The hash is 0 at first. Each number is joined
    to it by exclusive or, and what comes out is mixed as SplitMix64 does.
    """
    size, length = packed.shape
    padded = np.zeros((size, length + -length % _WORD), np.uint8)
    padded[:, :length] = packed
    words = padded.view("<u8").astype(np.uint64)
    last = np.where(words != 0, np.arange(words.shape[1]), NONE).max(axis=1, initial=NONE)
    found = np.full(size, _hash_of_rules(rules), np.uint64)
    for place, column in enumerate(words.T):
        found = np.where(place <= last, _mixed(found ^ column), found)
    return found


@lru_cache(maxsize=64)
def _hash_of_rules(rules: Rules) -> np.uint64:
    data = format_rules(rules).encode()
    data += bytes(-len(data) % _WORD)
    found = np.zeros(1, np.uint64)
    for word in np.frombuffer(data, "<u8").astype(np.uint64):
        found = _mixed(found ^ word)
    return np.uint64(found[0])


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return numbers that have been mixed well: the output of SplitMix64 in these states."""
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)
