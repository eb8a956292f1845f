"""Chance: random numbers, a random legal step, and random games to their end.

A step is sampled uniformly from the legal steps that were found, or by weights. A *playout* plays
whole actions: each is sampled uniformly from all legal actions, without listing them.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OPENING, OVER

from .cells import cell_of, count_on_board, next_cell, nth_on_board, quotient
from .game import BUILDABLE_OF, DIRECTIONS, LEGAL, OPEN_OF
from .jit import njit_inline, njit_internal, njit_overflowing
from .steps import (
    PASS,
    build,
    choose_color,
    code_of_bridge,
    code_of_choice,
    count_closed,
    end_turn,
    find_bridges,
    find_second_tiles,
    has_pair,
    nth_bridge,
    pair_is_legal,
    pass_turn,
    place_pair,
)

# Random numbers

GAMMA = np.uint64(0x9E3779B97F4A7C15)


FACTOR_1 = np.uint64(0xBF58476D1CE4E5B9)


FACTOR_2 = np.uint64(0x94D049BB133111EB)


GAP = np.uint64(0xD1342543DE82EF95)
"""An odd number: multiplied by it, no two row numbers give the same seed."""


U27 = np.uint64(27)


U30 = np.uint64(30)


U31 = np.uint64(31)


U32 = np.uint64(32)


BITS_32 = 1 << 32


@njit_overflowing
def splitmix64(state: np.uint64) -> np.uint64:
    """Return the output of the SplitMix64 generator for a state."""
    found = (state ^ state >> U30) * FACTOR_1
    found = (found ^ found >> U27) * FACTOR_2
    return found ^ found >> U31


@njit_overflowing
def seed_game(game: np.record, seed: np.uint64, row: int) -> None:
    """Seed the random numbers of the game in a row, differently for each row."""
    game.random = splitmix64(seed + np.uint64(row + 1) * GAP)


@njit_overflowing
def random_bits(game: np.record) -> int:
    """Return the next 32 random bits of a game."""
    game.random += GAMMA
    return np.int64(splitmix64(game.random) >> U32)


@njit_internal
def randbelow(game: np.record, limit: int) -> int:
    """Return a whole number from 0 to *limit* - 1, each with exactly the same probability."""
    # The upper half of a product is the number; some lower halves are rejected to avoid bias.
    while True:
        product = random_bits(game) * limit
        if (product & BITS_32 - 1) >= limit or (product & BITS_32 - 1) >= BITS_32 % limit:
            return product >> 32


# A random legal step

COLORS = np.int64(2)


@njit_inline
def sample_step(table: np.record, game: np.record) -> int:
    """Return the code of one of the legal steps that were found, or -1 if the game is over."""
    if game.phase == OVER:
        return NONE
    if game.phase == COLOR_CHOICE:
        return code_of_choice(table, randbelow(game, COLORS))
    drawn = randbelow(game, game.legal_tiles + game.legal_bridges + game.legal_pass)
    if drawn < game.legal_tiles:
        return cell_of(table, game, nth_on_board(game, LEGAL, drawn))
    drawn -= game.legal_tiles
    if drawn < game.legal_bridges:
        place, direction = nth_bridge(game, drawn)
        return code_of_bridge(table, place, direction)
    return code_of_choice(table, PASS)


UNIT_PER_53_BITS = 2.0**-53
"""A random number of 53 bits times this is in [0, 1)."""


Weights = npt.NDArray[np.float64]


@njit_inline
def random_unit(game: np.record) -> float:
    """Return a random number in [0, 1)."""
    high = random_bits(game) >> 5
    low = random_bits(game) >> 6
    return ((high << 26) + low) * UNIT_PER_53_BITS


@njit_internal
def sum_weights(
    table: np.record, game: np.record, weights: Weights, row: int, limit: float
) -> tuple[float, int]:
    """Sum the weights of the legal steps that were found; stop at the one that exceeds *limit*.

    Return the sum and the last step with a positive weight; the sum is NaN if a weight is invalid.
    """
    total = 0.0
    last = NONE
    for direction in range(NONE, DIRECTIONS):
        which = LEGAL if direction == NONE else BUILDABLE_OF + direction
        found = game.legal_tiles if direction == NONE else game.legal_bridges
        place = next_cell(game, which, 0) if found > 0 else NONE
        while place != NONE:
            code = cell_of(table, game, place)
            if direction != NONE:
                code = code_of_bridge(table, place, direction)
            total, last = add_weight(weights[row, code], code, total, last)
            if total > limit:
                return total, last
            place = next_cell(game, which, place + 1)
    for choice in range(PASS + 1):
        is_legal = game.legal_pass == 1 if choice == PASS else game.phase == COLOR_CHOICE
        if is_legal and total <= limit:
            code = code_of_choice(table, choice)
            total, last = add_weight(weights[row, code], code, total, last)
    return total, last


@njit_inline
def add_weight(weight: float, code: int, total: float, last: int) -> tuple[float, int]:
    """Add the weight of one more step; return the sum, and the last step with a positive weight."""
    if weight > 0.0:
        return total + weight, code
    return (total, last) if weight == 0.0 else (np.nan, last)


@njit_overflowing  # a sum that is too large is infinite
def sample_weighted(table: np.record, game: np.record, weights: Weights, row: int) -> int:
    """Return the code of a legal step, sampled by weights; -1 if the weights are unusable."""
    total = sum_weights(table, game, weights, row, np.inf)[0]
    if not 0.0 < total < np.inf:
        return NONE
    return sum_weights(table, game, weights, row, random_unit(game) * total)[1]


# Random actions

CONFLICTS_BEFORE_COUNTING = 4
"""After this many pairs of open cells that exclude each other, a turn counts all pairs."""


MAX_BRIDGES_PER_TILE = 8
"""A tile is the first end of at most this many possible bridges: one for each direction."""


NO_PAIR = np.int64(NONE)


@njit_internal
def playout(table: np.record, game: np.record) -> None:
    """Play random actions to the end of the game."""
    while game.phase != OVER:
        if not play_choice_or_second_tile(table, game):
            play_random_action(table, game)


@njit_inline
def play_choice_or_second_tile(table: np.record, game: np.record) -> bool:
    """Choose a colour or place a second tile at random, if that is next; return whether it was."""
    if game.phase == COLOR_CHOICE:
        choose_color(table, game, randbelow(game, COLORS))
        return True
    if game.placed_tile != NONE:
        complete_random_pair(game)
        return True
    return False


@njit_internal
def complete_random_pair(game: np.record) -> None:
    """Place a random legal second tile, and so complete the pair of the first one."""
    found = find_second_tiles(game, game.to_move, game.placed_tile)
    second = nth_on_board(game, LEGAL, randbelow(game, found))
    place_pair(game, game.to_move, game.placed_tile, second)
    end_turn(game)


@njit_internal
def play_random_action(table: np.record, game: np.record) -> None:
    """Play one of all legal actions of the colour to move, each with the same probability."""
    color = game.to_move
    conflicts = 0
    bridges_known = False
    cells = count_on_board(game, OPEN_OF + color) if game.tiles_left[color] >= TILES_PER_TURN else 0
    # Every pair of cells is counted in both orders, so all other actions count twice as well.
    pairs = cells * (cells - 1)
    bridges = max_bridges(table, game, color)
    while True:
        drawn = randbelow(game, pairs + 2 * bridges + 2)
        if drawn < pairs:
            i = quotient(drawn, cells - 1)
            j = drawn - i * (cells - 1)
            a = nth_on_board(game, OPEN_OF + color, i)
            b = nth_on_board(game, OPEN_OF + color, j + (j >= i))
            if pair_is_legal(game, color, a, b):
                place_pair(game, color, a, b)
                end_turn(game)
                return
            conflicts += 1
            if conflicts == CONFLICTS_BEFORE_COUNTING:
                play_counted(table, game, color)
                return
        elif drawn < pairs + 2 * bridges:
            if not bridges_known:
                bridges = find_bridges(table, game, color)
                bridges_known = True
            if (drawn - pairs) // 2 < bridges:
                play_bridge(table, game, color, (drawn - pairs) // 2)
                return
        elif not has_pair(table, game, color):
            pass_turn(game)
            return


@njit_internal
def max_bridges(table: np.record, game: np.record, color: int) -> int:
    """Return an upper bound on the number of a colour's buildable bridges."""
    if game.bridges_left <= 0 or game.phase == OPENING:
        return 0
    free = table.all_tiles - game.tiles_left[color] - 2 * game.bridges_built[color]
    return min(MAX_BRIDGES_PER_TILE * free, free * (free - 1) // 2)


@njit_internal
def play_bridge(table: np.record, game: np.record, color: int, n: int) -> None:
    """Build the *n*-th of the buildable bridges."""
    place, direction = nth_bridge(game, n)
    build(table, game, color, place, direction)
    end_turn(game)


@njit_internal
def play_counted(table: np.record, game: np.record, color: int) -> None:
    """Play a random legal action of a colour with tiles left, by counting all pairs."""
    pairs = count_pairs(game, color, NO_PAIR)[0]
    bridges = 0
    if game.bridges_left > 0 and game.phase != OPENING:
        bridges = find_bridges(table, game, color)
    drawn = randbelow(game, pairs + 2 * bridges + 2 * (pairs == 0))
    if drawn < pairs:
        _, a, b = count_pairs(game, color, drawn)
        place_pair(game, color, a, b)
        end_turn(game)
    elif drawn < pairs + 2 * bridges:
        play_bridge(table, game, color, (drawn - pairs) // 2)
    else:
        pass_turn(game)


@njit_internal
def count_pairs(game: np.record, color: int, wanted: int) -> tuple[int, int, int]:
    """Count a colour's legal pairs in both orders; stop at pair number *wanted* and return it."""
    found = 0
    cells = count_on_board(game, OPEN_OF + color)
    place = next_cell(game, OPEN_OF + color, 0)
    while place != NONE:
        seconds = cells - count_closed(game, color, place)
        if 0 <= wanted - found < seconds:
            find_second_tiles(game, color, place)
            return found, place, nth_on_board(game, LEGAL, wanted - found)
        found += seconds
        place = next_cell(game, OPEN_OF + color, place + 1)
    return found, NONE, NONE
