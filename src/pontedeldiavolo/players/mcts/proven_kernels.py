"""Compiled parts of proven play: an examination by alpha-beta, and rollouts with their margins."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from pontedeldiavolo.batch.kernels import cells, playouts, steps
from pontedeldiavolo.batch.kernels.batch_ops import GameArray, unpack_row
from pontedeldiavolo.batch.kernels.game import RED, TILES_OF, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline, njit_internal
from pontedeldiavolo.batch.rows import OVER, Rows

from .alpha_beta import (
    CODE_BITS,
    CODE_MASK,
    END,
    NEXT,
    RANK_BITS,
    Numbers,
    Stack,
    area_for_islands,
    hash_child,
    hash_root,
    key_of,
    list_actions,
    next_action,
    play,
    points_bound,
)
from .rollout_kernels import PLAYOUT, ROOT, SMALL_BOARD, heuristic_playout

# Scores: the result of a game first, then its margin and length in the order that a seat wants

SCORE_STEP: Final = 1 << 16
"""The weight of the first of margin and length in a score: more than the second can add."""
RESULT_STEP: Final = 1 << 40
"""The weight of the result in a score: more than margin and length can add together."""
NO_BOUND: Final = 1 << 60
UNKNOWN_SCORE: Final = 1 << 61
"""The answer of an examination that has reached its limit."""
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
    won = steps.winner(table, game, white, red)
    result = np.int64(won == color) - np.int64(won == 1 - color)
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


# The examination: alpha-beta to the end of the game


@njit_internal
def list_ranked(table: np.record, stack: Stack, depth: int) -> None:
    """Put the actions of a position on the stack; those with more points afterwards come first."""
    actions = stack.actions
    frame = stack.frames[depth]
    color = stack.games[depth].to_move
    begin = stack.frames[depth - 1, END] if depth > 0 else 0
    frame[NEXT] = begin
    frame[END] = list_actions(table, stack, depth, begin)
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
    stack: Stack, windows: Numbers, entries: Numbers, depth: int, salt: int, weights: Weights
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
    windows: Numbers,
    entries: Numbers,
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
    windows: Numbers,
    entries: Numbers,
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
def examine(
    stack: Stack,
    windows: Numbers,
    entries: Numbers,
    batch: Rows,
    color: int,
    weights: Weights,
    alpha: int,
    beta: int,
    limit: int,
) -> tuple[int, int]:
    """Return the score of a position with perfect play, and the number of nodes searched.

    The score is exact between *alpha* and *beta*, else a bound; UNKNOWN_SCORE at the limit.

    Args:
        stack: The memory of a search.
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
    unpack_row(table, stack.games[0], batch, 0)
    # Scores of both colours and both orders lie in one table.
    salt = 1 + color + 2 * weights.length
    turns = len(windows)
    nodes = 0
    depth = 0
    if limit == 0:
        return UNKNOWN_SCORE, nodes
    windows[0, ALPHA] = alpha
    windows[0, BETA] = beta
    hash_root(table, stack)
    nodes += enter(table, stack, windows, entries, 0, salt, weights)
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
        if is_maximum:
            bound = highest_score(table, after, color, depth + 1, turns, weights)
            is_useless = bound <= window[ALPHA]
        else:
            bound = lowest_score(table, after, color, depth + 1, turns, weights)
            is_useless = bound >= window[BETA]
        if is_useless:
            continue
        if nodes >= limit:
            return UNKNOWN_SCORE, nodes
        hash_child(table, stack, depth, action)
        depth += 1
        windows[depth, ALPHA] = window[ALPHA]
        windows[depth, BETA] = window[BETA]
        nodes += enter(table, stack, windows, entries, depth, salt, weights)


@njit_inline
def raise_or_lower(windows: Numbers, depth: int, is_maximum: bool, found: int) -> None:
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
def play_out(
    tables: GameArray,
    games: GameArray,
    batch: Rows,
    actions: Numbers,
    rollouts: int,
    heuristic: bool,
    sums: Numbers,
    tile_sums: Numbers,
) -> None:
    """Play rollouts after each of some actions.

    Args:
        tables: The tables of the board.
        games: Memory for two games, :data:`ROOT` and :data:`PLAYOUT`; the second has a seed.
        batch: A single row.
        actions: The actions, as on the stack of alpha-beta.
        rollouts: The number of rollouts after each action.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
        sums: (actions, 3): where the results after each action are added.
        tile_sums: (cells, 3): the same for each cell on which the colour to move has a tile at
            the end, as in AMAF.
    """
    table = tables[0]
    unpack_row(table, games[ROOT], batch, 0)
    color = games[ROOT].to_move
    for index in range(len(actions)):
        for _ in range(rollouts):
            game = games[PLAYOUT]
            random = game.random
            games[PLAYOUT] = games[ROOT]
            game.random = random
            steps.step(table, game, actions[index] >> CODE_BITS & CODE_MASK)
            if actions[index] & CODE_MASK < table.cells:
                steps.step(table, game, actions[index] & CODE_MASK)
            if heuristic:
                heuristic_playout(table, game, SMALL_BOARD)
            else:
                playouts.playout(table, game)
            margin = steps.points(table, game, WHITE) - steps.points(table, game, RED)
            length = game.turns - games[ROOT].turns
            add_result(sums, index, margin, length)
            for cell in range(table.cells):
                if cells.contains(game, TILES_OF + color, np.int64(table.place_of_cell[cell])):
                    add_result(tile_sums, cell, margin, length)


@njit_inline
def add_result(sums: Numbers, index: int, margin: int, length: int) -> None:
    """Add the result of a rollout to a row of sums."""
    sums[index, NUMBER] += 1
    sums[index, MARGIN] += margin
    sums[index, LENGTH] += length


@njit_cached
def seed_rollouts(games: GameArray, seed: np.uint64) -> None:
    """Seed the random numbers of the rollouts."""
    playouts.seed_game(games[PLAYOUT], seed, 0)
