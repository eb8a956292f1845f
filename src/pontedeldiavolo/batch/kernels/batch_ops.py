"""What is done with the rows of a batch: functions that the package calls, for some rows each.

*Games* is one record to lay rows out in, one after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels import legal_mask, observe, sample
from pontedeldiavolo.batch.kernels.cells import bytes_of
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.layout import pack_step, unpack_row
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.sampling import (
    Weights,
    playout,
    sample_weighted,
    seed_game,
)
from pontedeldiavolo.batch.kernels.scoring import islands_of, owner, points, winner
from pontedeldiavolo.batch.kernels.tables import BRIDGES, ISLANDS, POINTS
from pontedeldiavolo.batch.kernels.transitions import try_step
from pontedeldiavolo.batch.rows import NONE, OVER, Rows

GameArray = npt.NDArray[np.void]


class Results(NamedTuple):
    """What games come to: arrays that are written to."""

    turns: npt.NDArray[np.int32]
    """(n,): how many pairs, bridges and passes were played."""
    scores: npt.NDArray[np.int32]
    """(n, 2, 3): of both colours points, islands and bridges."""
    winner: npt.NDArray[np.int8]
    """(n,): the colour that has won; -1 while the game goes on, too."""
    winning_seat: npt.NDArray[np.int8]
    """(n,): whose colour that is."""


@njit_cached
def mask_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    masks: npt.NDArray[np.uint8],
    begin: int,
    end: int,
) -> None:
    """Write masks of legal steps."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch, row)
        legal_mask(table, game, bytes_of(masks, 0), row)


@njit_cached
def observe_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    colors: npt.NDArray[np.int8],
    planes: npt.NDArray[np.uint8],
    begin: int,
    end: int,
) -> None:
    """Write planes, each from the side of a colour."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch, row)
        observe(table, game, np.int64(colors[row]), bytes_of(planes, 0), row)


@njit_cached
def step_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    codes: npt.NDArray[np.int64],
    after: Rows,
    begin: int,
    end: int,
) -> int:
    """Play a step in every game that is not over; return the first where it is illegal, or -1.

    *After* holds the rows as they are, and then as they will be.
    """
    table, game = tables[0], games[0]
    for row in range(begin, end):
        if batch.phase[row] != OVER:
            unpack_row(table, game, batch, row)
            first = game.first
            if not try_step(table, game, codes[row]):
                return row
            pack_step(table, game, after, row, codes[row], first)
    return NONE


@njit_cached
def sample_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    seed: np.uint64,
    weights: Weights,
    codes: npt.NDArray[np.int32],
    begin: int,
    end: int,
) -> int:
    """Draw a legal step in every game; return the first where its weights do not allow it, or -1.

    Without a single row of weights all steps are drawn alike.
    """
    table, game = tables[0], games[0]
    for row in range(begin, end):
        codes[row] = NONE
        if batch.phase[row] != OVER:
            unpack_row(table, game, batch, row)
            find_legal(table, game)
            seed_game(game, seed, row)
            if len(weights) == 0:
                codes[row] = sample(table, game)
            else:
                codes[row] = sample_weighted(table, game, weights, row)
                if codes[row] == NONE:
                    return row
    return NONE


@njit_cached
def score_rows(
    tables: GameArray, games: GameArray, batch: Rows, ends: Results, begin: int, end: int
) -> None:
    """Write what games have come to so far."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch, row)
        write_result(table, game, ends, row)


@njit_cached
def playout_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    seed: np.uint64,
    ends: Results,
    begin: int,
    end: int,
) -> None:
    """Play games to their ends at random, and write what they come to."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        unpack_row(table, game, batch, row)
        seed_game(game, seed, row)
        before = game.turns
        playout(table, game)
        write_result(table, game, ends, row)
        ends.turns[row] -= before


@njit_cached
def replay_rows(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    codes: npt.NDArray[np.int32],
    begins: npt.NDArray[np.int64],
    illegal_at: npt.NDArray[np.int32],
    over: npt.NDArray[np.bool_],
    ends: Results,
) -> None:
    """Play the actions of each row, of one code or two, until one is illegal."""
    table, game = tables[0], games[0]
    for row in range(len(batch.phase)):
        unpack_row(table, game, batch, row)
        illegal_at[row] = NONE
        for index in range(begins[row], begins[row + 1]):
            if not try_action(table, game, np.int64(codes[index, 0]), np.int64(codes[index, 1])):
                illegal_at[row] = index - begins[row]
                break
        over[row] = game.phase == OVER
        write_result(table, game, ends, row)


@njit_cached
def try_action(table: np.record, game: np.record, code: int, second: int) -> bool:
    """Play an action of one code or two, if it is legal; tell whether it was."""
    if not try_step(table, game, code):
        return False
    if game.first == NONE:
        return True
    legal = try_step(table, game, second)
    game.first = NONE
    return legal


@njit_inline
def write_result(table: np.record, game: np.record, ends: Results, row: int) -> None:
    """Write what a game has come to."""
    ends.turns[row] = game.turns
    white, red = points(table, game, WHITE), points(table, game, RED)
    ends.scores[row, WHITE, POINTS], ends.scores[row, RED, POINTS] = white, red
    for color in range(2):
        ends.scores[row, color, ISLANDS] = islands_of(game, color)
        ends.scores[row, color, BRIDGES] = game.bridges_built[color]
    won = winner(table, game, white, red) if game.phase == OVER else NONE
    ends.winner[row] = won
    ends.winning_seat[row] = owner(game, won)


def new_results(size: int) -> Results:
    """Return memory for what so many games come to."""
    return Results(
        turns=np.empty(size, np.int32),
        scores=np.empty((size, 2, 3), np.int32),
        winner=np.empty(size, np.int8),
        winning_seat=np.empty(size, np.int8),
    )
