"""Rows as bytes, those of ``packed()``, and as numbers of 64 bits."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.batch.kernels.layout import Rows
from pontedeldiavolo.batch.members import COLORS, NONE, SEATS
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.packing import HALF_TURN, NUMBER_SIZE

_WORD = 8
"""How many bytes are mixed at once."""


def packed_rows(board: Board, rows: Rows) -> npt.NDArray[np.uint8]:
    """Return the bytes of every row, with zeros up to the length of the longest."""
    tables = board_tables(board.width, board.height)
    size, cells = rows.tiles.shape
    in_hand = rows.first != NONE
    row, cell = np.nonzero((rows.spans > 0) & (rows.spans <= len(FORWARD)))
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
