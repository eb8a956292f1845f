"""What is done with the rows of a batch: functions that the package calls, for some rows each.

*Games* is one record to lay rows out in, one after the other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.cells import bytes_of
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.drawing import draw_step, play_out
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.layout import Rows, lay_out, take_up_step
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.playing import try_step
from pontedeldiavolo.batch.kernels.random import begin_random
from pontedeldiavolo.batch.kernels.scoring import islands_of, owner, points, winner
from pontedeldiavolo.batch.kernels.tables import BRIDGES, ISLANDS, POINTS
from pontedeldiavolo.batch.kernels.weighing import Weights, draw_weighed
from pontedeldiavolo.batch.kernels.writing import PLANE_COUNT, write_mask, write_planes
from pontedeldiavolo.batch.members import NONE, OVER

Records = npt.NDArray[np.void]


class Ends(NamedTuple):
    """What games come to: arrays that are written to."""

    turns: npt.NDArray[np.int32]
    """(n,): how many pairs, bridges and passes were played."""
    scores: npt.NDArray[np.int32]
    """(n, 2, 3): of both colours points, islands and bridges."""
    winner: npt.NDArray[np.int8]
    """(n,): the colour that has won; -1 while the game goes on, too."""
    winning_seat: npt.NDArray[np.int8]
    """(n,): whose colour that is."""


@compiled
def mask_rows(
    tables: Records, games: Records, batch: Rows, masks: npt.NDArray[np.uint8], begin: int, end: int
) -> None:
    """Write masks of legal steps."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        lay_out(table, game, batch, row)
        find_legal(table, game)
        write_mask(table, game, bytes_of(masks, 0), row * masks.shape[1])


@compiled
def plane_rows(
    tables: Records,
    games: Records,
    batch: Rows,
    colors: npt.NDArray[np.int8],
    planes: npt.NDArray[np.uint8],
    begin: int,
    end: int,
) -> None:
    """Write planes, each from the side of a colour."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        lay_out(table, game, batch, row)
        at = row * PLANE_COUNT * table.cells
        write_planes(table, game, np.int64(colors[row]), bytes_of(planes, 0), at)


@compiled
def step_rows(
    tables: Records,
    games: Records,
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
            lay_out(table, game, batch, row)
            first = game.first
            if not try_step(table, game, codes[row]):
                return row
            take_up_step(table, game, after, row, codes[row], first)
    return NONE


@compiled
def draw_rows(
    tables: Records,
    games: Records,
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
            lay_out(table, game, batch, row)
            find_legal(table, game)
            begin_random(game, seed, row)
            if len(weights) == 0:
                codes[row] = draw_step(table, game)
            else:
                codes[row] = draw_weighed(table, game, weights, row)
                if codes[row] == NONE:
                    return row
    return NONE


@compiled
def score_rows(
    tables: Records, games: Records, batch: Rows, ends: Ends, begin: int, end: int
) -> None:
    """Write what games have come to so far."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        lay_out(table, game, batch, row)
        take_down(table, game, ends, row)


@compiled
def play_out_rows(
    tables: Records,
    games: Records,
    batch: Rows,
    seed: np.uint64,
    ends: Ends,
    begin: int,
    end: int,
) -> None:
    """Play games to their ends at random, and write what they come to."""
    table, game = tables[0], games[0]
    for row in range(begin, end):
        lay_out(table, game, batch, row)
        begin_random(game, seed, row)
        before = game.turns
        play_out(table, game)
        take_down(table, game, ends, row)
        ends.turns[row] -= before


@compiled
def replay_rows(
    tables: Records,
    games: Records,
    batch: Rows,
    codes: npt.NDArray[np.int32],
    begins: npt.NDArray[np.int64],
    illegal_at: npt.NDArray[np.int32],
    over: npt.NDArray[np.bool_],
    ends: Ends,
) -> None:
    """Play the actions of each row, of one code or two, until one is illegal."""
    table, game = tables[0], games[0]
    for row in range(len(batch.phase)):
        lay_out(table, game, batch, row)
        illegal_at[row] = NONE
        for index in range(begins[row], begins[row + 1]):
            if not try_action(table, game, np.int64(codes[index, 0]), np.int64(codes[index, 1])):
                illegal_at[row] = index - begins[row]
                break
        over[row] = game.phase == OVER
        take_down(table, game, ends, row)


@compiled
def try_action(table: np.record, game: np.record, code: int, second: int) -> bool:
    """Play an action of one code or two, if it is legal; tell whether it was."""
    if not try_step(table, game, code):
        return False
    if game.first == NONE:
        return True
    legal = try_step(table, game, second)
    game.first = NONE
    return legal


@inlined
def take_down(table: np.record, game: np.record, ends: Ends, row: int) -> None:
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
