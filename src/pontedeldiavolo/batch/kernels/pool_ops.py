"""What is done with many games that stay laid out, in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels import init, legal_mask, observe, sample, step
from pontedeldiavolo.batch.kernels.batch_ops import GameArray
from pontedeldiavolo.batch.kernels.cells import bytes_of, fill_bytes
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.layout import count_turns, pack_row, unpack_row
from pontedeldiavolo.batch.kernels.sampling import Weights, sample_weighted, seed_game
from pontedeldiavolo.batch.kernels.scoring import owner, points, seat_to_move, winner
from pontedeldiavolo.batch.kernels.transitions import is_legal
from pontedeldiavolo.batch.rows import NONE, OVER, Rows


class PoolOutputs(NamedTuple):
    """What a pool shows of its games: arrays that are written to."""

    mask: npt.NDArray[np.uint8]
    """(n, steps)"""
    planes: npt.NDArray[np.uint8]
    """(n, planes, height, width), or of length 0: not wanted."""
    seat_to_move: npt.NDArray[np.int8]
    """(n,)"""
    is_over: npt.NDArray[np.bool_]
    """(n,): whether the game has ended in this step."""
    rewards: npt.NDArray[np.int8]
    """(n, 2): by seat."""
    points: npt.NDArray[np.int32]
    """(n, 2): by colour."""
    turns: npt.NDArray[np.int32]
    """(n,)"""
    final_planes: npt.NDArray[np.uint8]
    """Like planes: of the game that has ended."""
    has_final_planes: npt.NDArray[np.bool_]
    """(n,): whether there are such planes; callers do not see it."""


@njit_cached
def unpack_games(
    tables: GameArray, games: GameArray, batch: Rows, begin_at: int, end_at: int
) -> None:
    """Lay out some rows of a batch as games."""
    for row in range(begin_at, end_at):
        unpack_row(tables[0], games[row], batch, row)


@njit_cached
def pack_games(
    tables: GameArray, games: GameArray, batch: Rows, begin_at: int, end_at: int
) -> None:
    """Write some games to the rows of a batch."""
    for row in range(begin_at, end_at):
        pack_row(tables[0], games[row], batch, row)


@njit_cached
def init_games(tables: GameArray, games: GameArray, which: npt.NDArray[np.int64]) -> None:
    """Make new games of some."""
    for row in which:
        init(tables[0], games[row])


@njit_inline
def first_illegal(
    tables: GameArray, games: GameArray, codes: npt.NDArray[np.int64], begin_at: int, end_at: int
) -> int:
    """Return the first of some games that go on whose step is illegal, or -1."""
    for row in range(begin_at, end_at):
        if games[row].phase != OVER and not is_legal(tables[0], games[row], codes[row]):
            return row
    return NONE


@njit_inline
def step_games(
    tables: GameArray,
    games: GameArray,
    codes: npt.NDArray[np.int64],
    outputs: PoolOutputs,
    restart: bool,
    begin_at: int,
    end_at: int,
) -> None:
    """Play a legal step in some games, begin those again that are over, and show them all."""
    table = tables[0]
    for row in range(begin_at, end_at):
        game = games[row]
        goes_on = game.phase != OVER
        clear_end(outputs, row)
        if goes_on:
            step(table, game, codes[row])
            if game.phase == OVER:
                write_end(table, game, outputs, row)
                if restart:
                    init(table, game)
            write_outputs(table, game, outputs, row)


@njit_cached
def observe_games(
    tables: GameArray, games: GameArray, outputs: PoolOutputs, which: npt.NDArray[np.int64]
) -> None:
    """Show some games as they are, none of them just ended."""
    for row in which:
        clear_end(outputs, row)
        write_outputs(tables[0], games[row], outputs, row)


@njit_inline
def clear_end(outputs: PoolOutputs, row: int) -> None:
    """Show that a game has not ended in this step."""
    outputs.is_over[row] = False
    outputs.turns[row] = 0
    for index in range(2):
        outputs.rewards[row, index] = outputs.points[row, index] = 0
    if outputs.has_final_planes[row]:
        outputs.has_final_planes[row] = False
        size = outputs.planes[0].size
        fill_bytes(bytes_of(outputs.final_planes, row * size), 0, 0, size)


@njit_inline
def write_end(table: np.record, game: np.record, outputs: PoolOutputs, row: int) -> None:
    """Show how a game has ended."""
    outputs.is_over[row] = True
    # As a state tells it: in a set-up, turns that were played may not add up with what lies there.
    outputs.turns[row] = count_turns(table, game)
    white, red = points(table, game, WHITE), points(table, game, RED)
    outputs.points[row, WHITE], outputs.points[row, RED] = white, red
    seat = owner(game, winner(table, game, white, red))
    if seat != NONE:
        outputs.rewards[row, seat] = 1
        outputs.rewards[row, 1 - seat] = -1
    if len(outputs.planes):
        outputs.has_final_planes[row] = True
        observe(table, game, WHITE, bytes_of(outputs.final_planes, 0), row)


@njit_inline
def write_outputs(table: np.record, game: np.record, outputs: PoolOutputs, row: int) -> None:
    """Show whose turn it is in a game, what is legal, and what a network sees."""
    legal_mask(table, game, bytes_of(outputs.mask, 0), row)
    outputs.seat_to_move[row] = seat_to_move(game)
    if len(outputs.planes):
        own = RED if game.to_move == RED else WHITE
        observe(table, game, own, bytes_of(outputs.planes, 0), row)


@njit_inline
def sample_games(
    tables: GameArray, games: GameArray, codes: npt.NDArray[np.int32], begin_at: int, end_at: int
) -> None:
    """Draw a legal step in some games, each with the same probability."""
    for row in range(begin_at, end_at):
        codes[row] = sample(tables[0], games[row])


@njit_cached
def sample_weighted_games(
    tables: GameArray,
    games: GameArray,
    weights: Weights,
    codes: npt.NDArray[np.int32],
    begin_at: int,
    end_at: int,
) -> int:
    """Draw a legal step in some games; return the first where weights do not allow it, or -1."""
    for row in range(begin_at, end_at):
        codes[row] = NONE
        if games[row].phase != OVER:
            codes[row] = sample_weighted(tables[0], games[row], weights, row)
            if codes[row] == NONE:
                return row
    return NONE


@njit_cached
def seed_games(games: GameArray, seed: np.uint64) -> None:
    """Give every game random numbers of its own."""
    for row in range(len(games)):
        seed_game(games[row], seed, row)
