"""Operations on the games of a pool, and the loop in which threads run them.

A *task* is performed on every game. A thread takes a *chunk* of games that no other thread has
taken, performs the task on them, and comes back for more. One thread leads: it publishes the task,
works along, and waits for the last chunk. Each thread begins with its own *share* of the games. The
other workers spin for a while, in case there is another task, and then leave. A late
worker finds nothing left to take, or the next task: so workers may come and go at any time.

The counters that threads share are read and written by atomic instructions. Uncompiled, there is a
single thread, and plain functions take the place of these instructions.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.feature_planes import BRIDGES, OWN_IS_WHITE
from pontedeldiavolo.batch.rows import NONE, OVER, Rows

from .batch_ops import GameArray, count_turns, pack_row, unpack_row
from .cells import bytes_of, prefetch
from .counters import Counters, atomic_load, atomic_store, fetch_add, fetch_min, pause
from .encoding import PLANE_COUNT, PlaneBytes, legal_mask, observe
from .game import RED, WHITE
from .jit import njit_cached, njit_inline
from .playouts import Weights, sample_step, sample_weighted, seed_game
from .steps import init, is_legal, owner, points, seat_to_move, step, winner


class PoolOutputs(NamedTuple):
    """The output arrays of a pool."""

    legal_mask: npt.NDArray[np.uint8]
    """(n, steps)"""
    planes: npt.NDArray[np.uint8]
    """(n, planes, bytes of a plane); of length 0 if planes are not wanted."""
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
    """Like planes, for the games that have ended in this step, in the order in which they did."""
    final_index: npt.NDArray[np.int32]
    """(n,): where ``is_over``, the index of the game's final planes."""


class PoolState(NamedTuple):
    """The arrays of a pool that tasks read and write."""

    tables: GameArray
    games: GameArray
    outputs: PoolOutputs
    requests: npt.NDArray[np.int64]
    """(n,): the steps to check and to play; for the task SHOW, marks of games."""
    sampled: npt.NDArray[np.int32]
    """(n,): the steps that were sampled."""
    autoreset: bool
    """True if games that are over begin again."""
    packed: bool
    """True if planes have a bit for each cell, False for a byte."""


@njit_cached
def unpack_games(state: PoolState, batch: Rows) -> None:
    """Unpack the rows of a batch into games."""
    for row in range(len(state.games)):
        unpack_row(state.tables[0], state.games[row], batch, row)


@njit_cached
def pack_games(state: PoolState, batch: Rows) -> None:
    """Write games to the rows of a batch."""
    for row in range(len(state.games)):
        pack_row(state.tables[0], state.games[row], batch, row)


@njit_cached
def seed_games(state: PoolState, seed: np.uint64) -> None:
    """Seed the random numbers of every game, differently for each."""
    for row in range(len(state.games)):
        seed_game(state.games[row], seed, row)


@njit_cached
def sample_weighted_games(
    state: PoolState, weights: Weights, codes: npt.NDArray[np.int32], begin: int, end: int
) -> int:
    """Sample a legal step in some games; return the first row with unusable weights, or -1."""
    for row in range(begin, end):
        codes[row] = NONE
        if state.games[row].phase != OVER:
            codes[row] = sample_weighted(state.tables[0], state.games[row], weights, row)
            if codes[row] == NONE:
                return row
    return NONE


PREFETCH_BYTES = 1100
"""The number of bytes, at the beginning of a game, that every step reads or writes."""


@njit_inline
def fetch(state: PoolState, row: int) -> None:
    """Fetch a game into the processor's cache, with the outputs that a step changes."""
    games = state.games
    mask = state.outputs.legal_mask
    planes = state.outputs.planes
    prefetch(bytes_of(games, row * games.itemsize), PREFETCH_BYTES)
    prefetch(bytes_of(mask, row * mask.shape[1]), mask.shape[1])
    if len(planes):
        size = planes.shape[2]
        begin = row * PLANE_COUNT * size
        prefetch(bytes_of(planes, begin), BRIDGES * size)
        prefetch(bytes_of(planes, begin + OWN_IS_WHITE * size), size)


SAMPLE, CHECK_AND_STEP, STEP, SHOW, ASSIST = range(5)
"""The tasks; a thread with ASSIST leads none, and helps with those of others."""
KEEP, RESHOW, RESET = range(3)
"""Marks of games whose arrays are kept or written again, and of games that begin again."""


@njit_inline
def step_games(state: PoolState, counters: Counters, task: int, begin: int, end: int) -> None:
    """Play a legal step in some games, reset those that are over, and write their outputs.

    With the task SHOW, no step is played: ``requests`` has a mark for each game instead, and no
    game counts as just ended.
    """
    table = state.tables[0]
    for row in range(begin, end):
        game = state.games[row]
        if task == SHOW and state.requests[row] == KEEP:
            continue
        fetch(state, row + 1)
        clear_end(state.outputs, row)
        if task == SHOW:
            game.outputs_are_current = 0
            if state.requests[row] == RESET:
                init(table, game)
        elif game.phase == OVER:
            continue
        else:
            step(table, game, state.requests[row])
            if game.phase == OVER:
                write_end(table, game, state, counters, row)
                if state.autoreset:
                    init(table, game)
        write_outputs(table, game, state, row)


@njit_inline
def clear_end(outputs: PoolOutputs, row: int) -> None:
    """Clear the outputs of a game that ended in the step before."""
    if not outputs.is_over[row]:
        return
    outputs.is_over[row] = False
    outputs.turns[row] = 0
    for index in range(2):
        outputs.rewards[row, index] = 0
        outputs.points[row, index] = 0


@njit_inline
def write_end(
    table: np.record, game: np.record, state: PoolState, counters: Counters, row: int
) -> None:
    """Write the outputs of a game that has just ended."""
    outputs = state.outputs
    outputs.is_over[row] = True
    # Counted as in a state: in a set-up, turns played may not match the pieces on the board.
    outputs.turns[row] = count_turns(table, game)
    white = points(table, game, WHITE)
    red = points(table, game, RED)
    outputs.points[row, WHITE] = white
    outputs.points[row, RED] = red
    seat = owner(game, winner(table, game, white, red))
    if seat != NONE:
        outputs.rewards[row, seat] = 1
        outputs.rewards[row, 1 - seat] = -1
    if len(outputs.planes):
        index = fetch_add(counters, ENDED, 1)
        outputs.final_index[row] = index
        game.outputs_are_current = 0
        observe(table, game, WHITE, planes_of(outputs.final_planes, index, state.packed))
        game.outputs_are_current = 0


@njit_inline
def write_outputs(table: np.record, game: np.record, state: PoolState, row: int) -> None:
    """Write the seat to move, the mask of legal steps and the planes of a game."""
    outputs = state.outputs
    legal_mask(table, game, bytes_of(outputs.legal_mask, 0), row)
    outputs.seat_to_move[row] = seat_to_move(game)
    if len(outputs.planes):
        own = RED if game.to_move == RED else WHITE
        observe(table, game, own, planes_of(outputs.planes, row, state.packed))
    game.outputs_are_current = 1


@njit_inline
def planes_of(planes: npt.NDArray[np.uint8], row: int, packed: bool) -> PlaneBytes:
    """Return the planes of a game."""
    size = planes.shape[2]
    return PlaneBytes(bytes_of(planes, row * PLANE_COUNT * size), size, packed)


DONE = 0
ENDED = 1
REFUSED = 8
CHUNK = 9
SHARES = 10
STOP = 11
NEXT_GAMES = 16
"""Indices of counters: games done in a task, games ended in a step, the first row refused (or the
number of games), the games in a chunk, the number of shares, whether to stop; then the next free
game of each share."""
CACHE_LINE = 8
"""Counters that are written often are 64 bytes apart, so that no two share a cache line."""
TASK_SHIFT = 40
"""The lower bits of a share's counter hold its next free game, the upper ones the task."""
ROW_MASK = (1 << TASK_SHIFT) - 1


@njit_inline
def share_begin(counters: Counters, share: int, size: int) -> int:
    """Return the first game of a share, which follows the last of the share before."""
    return size * share // counters[SHARES]


@njit_inline
def publish(counters: Counters, task: int, size: int) -> None:
    """Publish a task to all workers."""
    atomic_store(counters, DONE, 0)
    if task == STEP:
        atomic_store(counters, ENDED, 0)
    atomic_store(counters, REFUSED, size)
    for share in range(counters[SHARES]):
        begin = share_begin(counters, share, size)
        atomic_store(counters, NEXT_GAMES + CACHE_LINE * share, task << TASK_SHIFT | begin)


@njit_inline
def run_chunk(state: PoolState, counters: Counters, task: int, begin: int, end: int) -> None:
    """Perform a task on some games."""
    table = state.tables[0]
    if task == SAMPLE:
        for row in range(begin, end):
            state.sampled[row] = sample_step(table, state.games[row])
    elif task == CHECK_AND_STEP:
        for row in range(begin, end):
            game = state.games[row]
            if game.phase != OVER and not is_legal(table, game, state.requests[row]):
                fetch_min(counters, REFUSED, row)
                break
    else:
        step_games(state, counters, task, begin, end)
    fetch_add(counters, DONE, end - begin)


@njit_inline
def run_share(state: PoolState, counters: Counters, share: int) -> bool:
    """Take and run chunks of a share until none is left; return whether there was one."""
    size = len(state.games)
    chunk = counters[CHUNK]
    found = False
    place = NEXT_GAMES + CACHE_LINE * share
    end = share_begin(counters, share + 1, size)
    while (atomic_load(counters, place) & ROW_MASK) < end:
        taken = fetch_add(counters, place, chunk)
        # By now this may be a chunk of the next task, or an empty chunk if none was left.
        begin_at = min(taken & ROW_MASK, end)
        run_chunk(state, counters, taken >> TASK_SHIFT, begin_at, min(begin_at + chunk, end))
        found = True
    return found


# One kernel for all tasks: with several, each would contain all the code that plays games.
@njit_cached
def worker_loop(state: PoolState, counters: Counters, task: int, own: int, spins: int) -> int:
    """Lead a task, or assist with tasks until there has been none for a while.

    After a request to stop, workers leave as soon as nothing is left to take. Every thread begins
    with its own share, whose games are in its processor's cache, and then takes from the others.

    Args:
        state: The arrays of the pool.
        counters: The progress of all threads.
        task: A task to lead, or ASSIST. CHECK_AND_STEP goes on as STEP if all steps are legal.
        own: The number of the thread's own share.
        spins: The number of times that an assisting worker looks for a task before it leaves.

    Returns:
        The first game whose step is illegal, or -1.
    """
    size = len(state.games)
    shares = counters[SHARES]
    idle = 0
    if task != ASSIST:
        publish(counters, task, size)
    while idle < spins:
        for further in range(shares):
            if run_share(state, counters, (own + further) % shares):
                idle = 0
        if task == ASSIST:
            idle = spins if atomic_load(counters, STOP) else idle + 1
        elif atomic_load(counters, DONE) == size:
            refused = atomic_load(counters, REFUSED)
            if task != CHECK_AND_STEP or refused < size:
                return refused if refused < size else NONE
            task = STEP
            publish(counters, task, size)
        pause()
    return NONE
