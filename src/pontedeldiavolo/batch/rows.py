"""Games as rows of arrays: conversion from states and to states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.board.geometry import DIRECTIONS, bits
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import as_bytes
from pontedeldiavolo.state.state import GameState, HalfTurn


class Rows(NamedTuple):
    """Many games as arrays, a row each. Enum members are numbered from 0; -1 stands for none."""

    tiles: npt.NDArray[np.int8]
    """(n, cells): 0 for water, 1 for a white tile, 2 for a red one."""
    links: npt.NDArray[np.int8]
    """(n, cells): 1 plus the direction of the bridge that ends on the cell, from there; else 0."""
    phase: npt.NDArray[np.int8]
    """(n,)"""
    to_move: npt.NDArray[np.int8]
    """(n,): a colour."""
    white_owner: npt.NDArray[np.int8]
    """(n,): a seat."""
    placed_tile: npt.NDArray[np.int16]
    """(n,): the cell of the tile that a half turn has placed."""


PHASES = tuple(Phase)
COLORS = tuple(Color)
SEATS = tuple(Seat)

OPENING, COLOR_CHOICE, PLAY, LAST_TURN, OVER = map(PHASES.index, Phase)

NONE = -1
"""No colour, seat, cell, row, step, node or edge; the winner of a draw."""


def empty_rows(rules: Rules, size: int) -> Rows:
    """Return writable rows of games at their start."""
    cells = len(rules.board)
    return Rows(
        tiles=np.zeros((size, cells), np.int8),
        links=np.zeros((size, cells), np.int8),
        phase=np.full(size, OPENING, np.int8),
        to_move=np.full(size, Color.WHITE.index, np.int8),
        white_owner=np.full(size, NONE, np.int8),
        placed_tile=np.full(size, NONE, np.int16),
    )


def read_only(rows: Rows) -> Rows:
    """Return *rows*, made read-only."""
    for each in rows:
        each.setflags(write=False)
    return rows


def rows_of(rules: Rules, states: Sequence[GameState | HalfTurn]) -> Rows:
    """Return the rows of states with these rules."""
    rows = empty_rows(rules, len(states))
    cells = len(rules.board)
    for row, node in enumerate(states):
        *colors, bridges = node.pieces.key()
        white, red = (np.frombuffer(as_bytes(tiles, cells), np.int8) for tiles in colors)
        rows.tiles[row] = white + 2 * red
        for number in bits(bridges):
            a, b = rules.board.geometry.ends(number)
            rows.links[row, a] = 1 + number % DIRECTIONS
            rows.links[row, b] = 1 + number % DIRECTIONS + DIRECTIONS
        rows.phase[row] = PHASES.index(node.phase)
        rows.to_move[row] = NONE if node.to_move is None else node.to_move.index
        owner = node.owner(Color.WHITE)
        rows.white_owner[row] = NONE if owner is None else owner.index
        if isinstance(node, HalfTurn):
            rows.placed_tile[row] = rules.board.index(node.placed_tile)
    return rows


def state_of(rules: Rules, rows: Rows, row: int) -> GameState | HalfTurn:
    """Return the state or half turn in a row."""
    white, red = (
        int.from_bytes(np.packbits(rows.tiles[row] == tile, bitorder="little").tobytes(), "little")
        for tile in (1, 2)
    )
    links = enumerate(rows.links[row].tolist())
    numbers = (DIRECTIONS * cell + link - 1 for cell, link in links if 0 < link <= DIRECTIONS)
    bridges = sum(1 << number for number in numbers)
    to_move = int(rows.to_move[row])
    owner = int(rows.white_owner[row])
    state = GameState.from_sets_unchecked(
        rules,
        white,
        red,
        bridges,
        to_move=None if to_move == NONE else COLORS[to_move],
        white_owner=None if owner == NONE else SEATS[owner],
        phase=PHASES[rows.phase[row]],
    )
    first = int(rows.placed_tile[row])
    return state if first == NONE else HalfTurn(state, rules.board.cells[first])


def seats_to_act(rows: Rows) -> npt.NDArray[np.int8]:
    """Return the seat to act in each row, -1 at the end."""
    seats = np.where(rows.to_move == 1, 1 - rows.white_owner, rows.white_owner)
    seats[rows.phase == OPENING] = Seat.FIRST.index
    seats[rows.phase == COLOR_CHOICE] = Seat.SECOND.index
    seats[rows.phase == OVER] = NONE
    return seats
