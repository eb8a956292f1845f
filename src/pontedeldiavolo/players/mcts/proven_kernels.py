"""Compiled parts of proven play: exact scores by alpha-beta, and rollouts with their margins."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pontedeldiavolo.batch.kernels import cells, playouts, steps
from pontedeldiavolo.batch.kernels.batch_ops import GameArray, unpack_row
from pontedeldiavolo.batch.kernels.game import RED, TILES_OF, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.rows import NONE, OVER, Rows

from .alpha_beta import (
    ACTIONS_LEFT,
    END,
    NEXT,
    RANK_BITS,
    RESUME_DEPTH,
    Int64s,
    Stack,
    area_for_islands,
    hash_child,
    hash_root,
    key_of,
    list_actions,
    next_action,
    play,
    play_action,
    points_bound,
)
from .rollout_kernels import (
    MAX_SMALL_BOARD_CELLS,
    PLAYOUT_GAME,
    ROOT_GAME,
    copy_position,
    heuristic_playout,
)

# Scores: the result of a game first, then its margin and length in the order that a seat wants

SCORE_STEP: Final = 1 << 16
"""The weight of the first of margin and length in a score: more than the second can add."""
RESULT_STEP: Final = 1 << 40
"""The weight of the result in a score: more than margin and length can add together."""
NO_BOUND: Final = 1 << 60
UNKNOWN_SCORE: Final = 1 << 61
"""The answer of a search that has reached its limit, or has paused."""
ALPHA: Final = 0
BETA: Final = 1
FIRST_ALPHA: Final = 2
FIRST_BETA: Final = 3
"""The columns of windows: the present window of a position, and the one its search began with."""


class Weights(NamedTuple):
    """The weights of a point and of a turn in the score of a colour."""

    margin: int
    length: int


WINNER: Final = Weights(SCORE_STEP, -1)
"""The weights for a winner: the margin counts first, then a short line."""
LOSER: Final = Weights(1, SCORE_STEP)
"""The weights for a loser: a long line counts first, then a small margin."""


@njit_inline
def score(result: int, margin: int, length: int, weights: Weights) -> int:
    """Return the score of a game for a colour."""
    return RESULT_STEP * result + weights.margin * margin + weights.length * length


@njit_internal
def final_score(table: np.record, game: np.record, color: int, depth: int, weights: Weights) -> int:
    """Return the score of a game that is over after *depth* turns."""
    white = steps.points(table, game, WHITE)
    red = steps.points(table, game, RED)
    winning_color = steps.winner(table, game, white, red)
    result = np.int64(winning_color == color) - np.int64(winning_color == 1 - color)
    margin = white - red if color == WHITE else red - white
    return score(result, margin, depth, weights)


@njit_internal
def highest_score(
    table: np.record, game: np.record, color: int, shortest: int, longest: int, weights: Weights
) -> int:
    """Return an upper bound of the scores that a game can end with."""
    own = points_bound(game, color, area_for_islands(table, game, color))
    margin = own - steps.points(table, game, 1 - color)
    length = longest if weights.length > 0 else shortest
    return score(1 if margin >= 0 else -1, margin, length, weights)


@njit_internal
def lowest_score(
    table: np.record, game: np.record, color: int, shortest: int, longest: int, weights: Weights
) -> int:
    """Return a lower bound of the scores that a game can end with."""
    other = points_bound(game, 1 - color, area_for_islands(table, game, 1 - color))
    margin = steps.points(table, game, color) - other
    length = shortest if weights.length > 0 else longest
    return score(1 if margin > 0 else -1, margin, length, weights)


# Exact scores: alpha-beta to the end of the game


@njit_internal
def list_ranked(table: np.record, stack: Stack, depth: int) -> None:
    """Put the actions of a position on the stack; those with more points afterwards come first."""
    actions = stack.actions
    frame = stack.frames[depth]
    color = stack.games[depth].to_move
    begin = stack.frames[depth - 1, END] if depth > 0 else 0
    frame[NEXT] = begin
    frame[END] = list_actions(table, stack, depth, begin)
    stack.counters[ACTIONS_LEFT] -= frame[END] - begin
    for index in range(begin, frame[END]):
        play(table, stack, depth, actions[index])
        after = stack.games[depth + 1]
        lead = steps.points(table, after, color) - steps.points(table, after, 1 - color)
        actions[index] = -lead << RANK_BITS | actions[index]


# The table has one position in each row: both numbers of its key, the kind of its score, and the
# score with turns counted from that position.

KIND: Final = 2
SCORE: Final = 3
EXACT: Final = 1
AT_LEAST: Final = 2
AT_MOST: Final = 3
"""The kinds of scores; 0 for an empty row."""


@njit_internal
def use_stored(
    stack: Stack, windows: Int64s, entries: Int64s, depth: int, salt: int, weights: Weights
) -> None:
    """Narrow the window of a position by what the table knows about it."""
    key = key_of(stack.hashes, depth)
    entry = entries[(key[1] ^ salt) & (len(entries) - 1)]
    if entry[0] != key[0] or entry[1] != key[1] ^ salt:
        return
    found = entry[SCORE] + weights.length * depth
    if entry[KIND] != AT_MOST:
        windows[depth, ALPHA] = max(windows[depth, ALPHA], found)
    if entry[KIND] != AT_LEAST:
        windows[depth, BETA] = min(windows[depth, BETA], found)


@njit_internal
def store_score(
    stack: Stack,
    windows: Int64s,
    entries: Int64s,
    depth: int,
    salt: int,
    weights: Weights,
    found: int,
) -> None:
    """Store the score of a position, given the window with which its search began."""
    key = key_of(stack.hashes, depth)
    entry = entries[(key[1] ^ salt) & (len(entries) - 1)]
    entry[0] = key[0]
    entry[1] = key[1] ^ salt
    entry[SCORE] = found - weights.length * depth
    if found <= windows[depth, FIRST_ALPHA]:
        entry[KIND] = AT_MOST
    elif found >= windows[depth, FIRST_BETA]:
        entry[KIND] = AT_LEAST
    else:
        entry[KIND] = EXACT


@njit_internal
def enter(
    table: np.record,
    stack: Stack,
    windows: Int64s,
    entries: Int64s,
    depth: int,
    salt: int,
    weights: Weights,
) -> bool:
    """Begin the search of a position with its window; return whether its actions were listed."""
    use_stored(stack, windows, entries, depth, salt, weights)
    windows[depth, FIRST_ALPHA] = windows[depth, ALPHA]
    windows[depth, FIRST_BETA] = windows[depth, BETA]
    if windows[depth, ALPHA] >= windows[depth, BETA]:
        stack.frames[depth, NEXT] = 0
        stack.frames[depth, END] = 0
        return False
    list_ranked(table, stack, depth)
    return True


@njit_cached
def solve_score(
    stack: Stack,
    windows: Int64s,
    entries: Int64s,
    batch: Rows,
    color: int,
    weights: Weights,
    alpha: int,
    beta: int,
    limit: int,
) -> tuple[int, int]:
    """Return the score of a position with perfect play, and the number of nodes searched.

    The score is exact between *alpha* and *beta*, else a bound; UNKNOWN_SCORE at the limit, or
    after the actions that are left: the next call with the same arguments resumes the search.

    Args:
        stack: The memory of a search. Its depth of a stopped search is -1 for another position.
        windows: (depths, 4): memory for the windows at each depth.
        entries: The table; it may be used again with other arguments for the same rules.
        batch: A single row, in which a colour moves and no tile of the turn is placed.
        color: The colour that wants a high score.
        weights: What a point and a turn count.
        alpha: Lower scores make no difference.
        beta: Higher scores make no difference.
        limit: The maximum number of nodes: positions of which the actions are listed.
    """
    table = stack.tables[0]
    counters = stack.counters
    # Scores of both colours and both orders lie in one table.
    salt = 1 + color + 2 * weights.length
    turns = len(windows)
    nodes = 0
    depth = counters[RESUME_DEPTH]
    if limit == 0:
        return UNKNOWN_SCORE, nodes
    if depth == NONE:
        depth = 0
        unpack_row(table, stack.games[0], batch, 0)
        windows[0, ALPHA] = alpha
        windows[0, BETA] = beta
        hash_root(table, stack)
        nodes += enter(table, stack, windows, entries, 0, salt, weights)
    counters[RESUME_DEPTH] = NONE
    while True:
        frame = stack.frames[depth]
        window = windows[depth]
        is_maximum = stack.games[depth].to_move == color
        if frame[NEXT] == frame[END] or window[ALPHA] >= window[BETA]:
            found = window[ALPHA] if is_maximum else window[BETA]
            if window[FIRST_ALPHA] < window[FIRST_BETA]:
                store_score(stack, windows, entries, depth, salt, weights, found)
            if depth == 0:
                return found, nodes
            depth -= 1
            raise_or_lower(windows, depth, stack.games[depth].to_move == color, found)
            continue
        action = next_action(stack.actions, frame)
        play(table, stack, depth, action)
        after = stack.games[depth + 1]
        if after.phase == OVER:
            found = final_score(table, after, color, depth + 1, weights)
            raise_or_lower(windows, depth, is_maximum, found)
            continue
        if is_useless(table, after, color, depth + 1, turns, window, weights, is_maximum):
            continue
        if nodes >= limit or counters[ACTIONS_LEFT] <= 0:
            # Put the action back, for a call that resumes the search.
            frame[NEXT] -= 1
            stack.actions[frame[NEXT]] = action
            counters[RESUME_DEPTH] = depth
            return UNKNOWN_SCORE, nodes
        hash_child(table, stack, depth, action)
        depth += 1
        windows[depth, ALPHA] = window[ALPHA]
        windows[depth, BETA] = window[BETA]
        nodes += enter(table, stack, windows, entries, depth, salt, weights)


@njit_inline
def is_useless(
    table: np.record,
    after: np.record,
    color: int,
    depth: int,
    turns: int,
    window: Int64s,
    weights: Weights,
    is_maximum: bool,
) -> bool:
    """Return whether no score after an action can be within the window of the position before."""
    if is_maximum:
        return bool(highest_score(table, after, color, depth, turns, weights) <= window[ALPHA])
    return bool(lowest_score(table, after, color, depth, turns, weights) >= window[BETA])


@njit_inline
def raise_or_lower(windows: Int64s, depth: int, is_maximum: bool, found: int) -> None:
    """Narrow the window of a position by the score of one of its actions."""
    if is_maximum:
        windows[depth, ALPHA] = max(windows[depth, ALPHA], found)
    else:
        windows[depth, BETA] = min(windows[depth, BETA], found)


# Rollouts after actions

NUMBER: Final = 0
MARGIN: Final = 1
LENGTH: Final = 2
"""The columns of sums: the number of rollouts, and the sums of white's margins and of turns."""


@njit_cached
def play_rollouts(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    actions: Int64s,
    rollouts: int,
    heuristic: bool,
    sums: Int64s,
    tile_sums: Int64s,
) -> None:
    """Play rollouts after each of some actions.

    Args:
        tables: The tables of the board.
        games: Memory for two games, :data:`ROOT_GAME` and :data:`PLAYOUT_GAME`; the second has a
            seed.
        batch: A single row.
        actions: The actions, as on the stack of alpha-beta.
        rollouts: The number of rollouts after each action.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
        sums: (actions, 3): where the results after each action are added.
        tile_sums: (cells, 3): the same for each cell on which the colour to move has a tile at
            the end, as in AMAF.
    """
    table = tables[0]
    unpack_row(table, games[ROOT_GAME], batch, 0)
    color = games[ROOT_GAME].to_move
    for index in range(len(actions)):
        for _ in range(rollouts):
            game = games[PLAYOUT_GAME]
            copy_position(games, games[ROOT_GAME])
            play_action(table, game, actions[index])
            if heuristic:
                heuristic_playout(table, game, MAX_SMALL_BOARD_CELLS)
            else:
                playouts.playout(table, game)
            margin = steps.points(table, game, WHITE) - steps.points(table, game, RED)
            length = game.turns - games[ROOT_GAME].turns
            add_result(sums, index, margin, length)
            for cell in range(table.cells):
                if cells.contains(game, TILES_OF + color, np.int64(table.place_of_cell[cell])):
                    add_result(tile_sums, cell, margin, length)


@njit_inline
def add_result(sums: Int64s, index: int, margin: int, length: int) -> None:
    """Add the result of a rollout to a row of sums."""
    sums[index, NUMBER] += 1
    sums[index, MARGIN] += margin
    sums[index, LENGTH] += length


@njit_cached
def seed_rollouts(games: GameArray, seed: np.uint64) -> None:
    """Seed the random numbers of the rollouts."""
    playouts.seed_game(games[PLAYOUT_GAME], seed, 0)
