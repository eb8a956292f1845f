"""What is done with many rows at once: the functions that the package calls."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.bridges import build_bridge
from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.desk import NOBODY, OPENING, OVER, clear
from pontedeldiavolo.batch.kernels.playing import mark_legal, play_out, play_step
from pontedeldiavolo.batch.kernels.scoring import score
from pontedeldiavolo.batch.kernels.tables import DIRECTIONS, NOWHERE
from pontedeldiavolo.batch.kernels.tiles import place_tile

NONE = -1
"""Nobody, or no cell, in a row."""


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


class Supply(NamedTuple):
    """How many tiles of each colour and how many bridges there are."""

    tiles: int
    bridges: int


@compiled
def lay_out(tables: np.record, desk: np.record, rows: Rows, supply: Supply, row: int) -> None:
    """Lay a row out on the desk."""
    clear(tables, desk, supply.tiles, supply.bridges)
    desk.phase = rows.phase[row]
    if desk.phase != OPENING:
        for cell in range(tables.cells):
            if rows.tiles[row, cell]:
                place_tile(tables, desk, np.uint32(rows.tiles[row, cell] - 1), np.uint32(cell))
        for cell in range(tables.cells):
            direction = rows.spans[row, cell] - 1
            if 0 <= direction < len(DIRECTIONS) // 2:
                build_bridge(tables, desk, tables.number[cell, direction])
    desk.to_move = NOBODY if rows.to_move[row] == NONE else rows.to_move[row]
    desk.white_owner = NOBODY if rows.white_owner[row] == NONE else rows.white_owner[row]
    desk.first = NOWHERE if rows.first[row] == NONE else rows.first[row]


@compiled
def take_up(tables: np.record, desk: np.record, rows: Rows, row: int) -> None:
    """Write the game on the desk to a row."""
    for cell in range(tables.cells):
        rows.tiles[row, cell] = desk.tile[cell]
        rows.spans[row, cell] = 0
        if desk.link[cell] != NOWHERE:
            for direction in range(len(DIRECTIONS)):
                number = tables.number[cell, direction]
                a, b = tables.ends[number, 0], tables.ends[number, 1]
                if desk.link[cell] == (b if a == cell else a):
                    rows.spans[row, cell] = direction + 1
    rows.phase[row] = desk.phase
    rows.to_move[row] = NONE if desk.to_move == NOBODY else desk.to_move
    rows.white_owner[row] = NONE if desk.white_owner == NOBODY else desk.white_owner
    rows.first[row] = NONE if desk.first == NOWHERE else desk.first


@compiled
def mask_rows(
    tables: np.record,
    desk: np.record,
    rows: Rows,
    supply: Supply,
    masks: npt.NDArray[np.uint8],
) -> None:
    """Write the masks of legal steps of all rows."""
    for row in range(len(rows.phase)):
        lay_out(tables, desk, rows, supply, row)
        mark_legal(tables, desk, masks[row])


@compiled
def step_rows(
    tables: np.record,
    desk: np.record,
    rows: Rows,
    supply: Supply,
    codes: npt.NDArray[np.int64],
    after: Rows,
) -> int:
    """Play a step in every row that is not over; return the first where it is illegal, or -1."""
    for row in range(len(rows.phase)):
        if rows.phase[row] != OVER:
            lay_out(tables, desk, rows, supply, row)
            if not play_step(tables, desk, codes[row]):
                return row
            take_up(tables, desk, after, row)
    return NONE


@compiled
def score_rows(
    tables: np.record,
    desk: np.record,
    rows: Rows,
    supply: Supply,
    scores: npt.NDArray[np.int32],
) -> None:
    """Write the scores of all rows."""
    for row in range(len(rows.phase)):
        lay_out(tables, desk, rows, supply, row)
        score(tables, desk, scores[row])


@compiled
def play_out_rows(
    tables: np.record,
    desk: np.record,
    rows: Rows,
    supply: Supply,
    seeds: npt.NDArray[np.uint64],
    turns: npt.NDArray[np.int32],
    scores: npt.NDArray[np.int32],
) -> None:
    """Play all rows to the end, and write the numbers of turns and the scores."""
    for row in range(len(rows.phase)):
        lay_out(tables, desk, rows, supply, row)
        desk.random = seeds[row]
        turns[row] = play_out(tables, desk)
        score(tables, desk, scores[row])


@compiled
def replay_rows(
    tables: np.record,
    desk: np.record,
    rows: Rows,
    supply: Supply,
    codes: npt.NDArray[np.int32],
    begins: npt.NDArray[np.int64],
    illegal_at: npt.NDArray[np.int32],
    over: npt.NDArray[np.bool_],
    scores: npt.NDArray[np.int32],
) -> None:
    """Play the actions of each row, of one code or two, until one is illegal."""
    for row in range(len(rows.phase)):
        lay_out(tables, desk, rows, supply, row)
        illegal_at[row] = NONE
        for index in range(begins[row], begins[row + 1]):
            legal = play_step(tables, desk, codes[index, 0])
            if legal and desk.first != NOWHERE:
                legal = play_step(tables, desk, codes[index, 1])
                desk.first = NOWHERE
            if not legal:
                illegal_at[row] = index - begins[row]
                break
        over[row] = desk.phase == OVER
        score(tables, desk, scores[row])
