"""Random numbers, and sampling legal steps uniformly or by weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OVER

from . import legal
from .cells import next_cell, nth_on_board
from .encoding import cell_of
from .game import BUILDABLE_OF, LEGAL
from .jit import njit_inline, njit_internal, njit_overflowing
from .transitions import PASS, code_of_bridge, code_of_choice

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


COLORS = np.int64(2)


@njit_inline
def sample(table: np.record, game: np.record) -> int:
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
        place, direction = legal.nth_bridge(game, drawn)
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
    for direction in range(NONE, legal.DIRECTIONS):
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
    """Return a sum and the last step with a positive weight, after one more step."""
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
