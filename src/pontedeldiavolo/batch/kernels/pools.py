"""What is done with many games that stay laid out, in place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.cells import bytes_of, fill
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.drawing import draw_step
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.layout import Rows, lay_out, take_up, turns_of
from pontedeldiavolo.batch.kernels.legal import find_legal
from pontedeldiavolo.batch.kernels.playing import begin, is_legal, play
from pontedeldiavolo.batch.kernels.random import begin_random
from pontedeldiavolo.batch.kernels.runs import Records
from pontedeldiavolo.batch.kernels.scoring import owner, points, seat_to_move, winner
from pontedeldiavolo.batch.kernels.weighing import Weights, draw_weighed
from pontedeldiavolo.batch.kernels.writing import PLANE_COUNT, write_mask, write_planes
from pontedeldiavolo.batch.members import NONE, OVER


class Seen(NamedTuple):
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
    pictured: npt.NDArray[np.bool_]
    """(n,): whether there are such planes; callers do not see it."""


@compiled
def lay_out_games(tables: Records, games: Records, batch: Rows, begin_at: int, end_at: int) -> None:
    """Lay out some rows of a batch as games."""
    for row in range(begin_at, end_at):
        lay_out(tables[0], games[row], batch, row)


@compiled
def take_up_games(tables: Records, games: Records, batch: Rows, begin_at: int, end_at: int) -> None:
    """Write some games to the rows of a batch."""
    for row in range(begin_at, end_at):
        take_up(tables[0], games[row], batch, row)


@compiled
def begin_games(tables: Records, games: Records, which: npt.NDArray[np.int64]) -> None:
    """Make new games of some."""
    for row in which:
        begin(tables[0], games[row])


@inlined
def first_illegal(
    tables: Records, games: Records, codes: npt.NDArray[np.int64], begin_at: int, end_at: int
) -> int:
    """Return the first of some games that go on whose step is illegal, or -1."""
    for row in range(begin_at, end_at):
        if games[row].phase != OVER and not is_legal(tables[0], games[row], codes[row]):
            return row
    return NONE


@inlined
def step_games(
    tables: Records,
    games: Records,
    codes: npt.NDArray[np.int64],
    seen: Seen,
    restart: bool,
    begin_at: int,
    end_at: int,
) -> None:
    """Play a legal step in some games, begin those again that are over, and show them all."""
    table = tables[0]
    for row in range(begin_at, end_at):
        game = games[row]
        goes_on = game.phase != OVER
        show_nothing(seen, row)
        if goes_on:
            play(table, game, codes[row])
            if game.phase == OVER:
                show_end(table, game, seen, row)
                if restart:
                    begin(table, game)
            show(table, game, seen, row)


@compiled
def show_games(tables: Records, games: Records, seen: Seen, which: npt.NDArray[np.int64]) -> None:
    """Show some games as they are, none of them just ended."""
    for row in which:
        show_nothing(seen, row)
        show(tables[0], games[row], seen, row)


@inlined
def show_nothing(seen: Seen, row: int) -> None:
    """Show that a game has not ended in this step."""
    seen.is_over[row] = False
    seen.turns[row] = 0
    for index in range(2):
        seen.rewards[row, index] = seen.points[row, index] = 0
    if seen.pictured[row]:
        seen.pictured[row] = False
        size = seen.planes[0].size
        fill(bytes_of(seen.final_planes, row * size), 0, 0, size)


@inlined
def show_end(table: np.record, game: np.record, seen: Seen, row: int) -> None:
    """Show how a game has ended."""
    seen.is_over[row] = True
    # As a state tells it: in a set-up, turns that were played may not add up with what lies there.
    seen.turns[row] = turns_of(table, game)
    white, red = points(table, game, WHITE), points(table, game, RED)
    seen.points[row, WHITE], seen.points[row, RED] = white, red
    seat = owner(game, winner(table, game, white, red))
    if seat != NONE:
        seen.rewards[row, seat] = 1
        seen.rewards[row, 1 - seat] = -1
    if len(seen.planes):
        at = row * PLANE_COUNT * table.cells
        seen.pictured[row] = True
        write_planes(table, game, WHITE, bytes_of(seen.final_planes, 0), at)


@inlined
def show(table: np.record, game: np.record, seen: Seen, row: int) -> None:
    """Show whose turn it is in a game, what is legal, and what a network sees."""
    find_legal(table, game)
    seen.seat_to_move[row] = seat_to_move(game)
    write_mask(table, game, bytes_of(seen.mask, 0), row * (table.cells + table.bridges + 3))
    if len(seen.planes):
        at = row * PLANE_COUNT * table.cells
        own = RED if game.to_move == RED else WHITE
        write_planes(table, game, own, bytes_of(seen.planes, 0), at)


@inlined
def draw_steps(
    tables: Records, games: Records, codes: npt.NDArray[np.int32], begin_at: int, end_at: int
) -> None:
    """Draw a legal step in some games, each with the same probability."""
    for row in range(begin_at, end_at):
        codes[row] = draw_step(tables[0], games[row])


@compiled
def draw_weighed_steps(
    tables: Records,
    games: Records,
    weights: Weights,
    codes: npt.NDArray[np.int32],
    begin_at: int,
    end_at: int,
) -> int:
    """Draw a legal step in some games; return the first where weights do not allow it, or -1."""
    for row in range(begin_at, end_at):
        codes[row] = NONE
        if games[row].phase != OVER:
            codes[row] = draw_weighed(tables[0], games[row], weights, row)
            if codes[row] == NONE:
                return row
    return NONE


@compiled
def seed_games(games: Records, seed: np.uint64) -> None:
    """Give every game random numbers of its own."""
    for row in range(len(games)):
        begin_random(games[row], seed, row)
