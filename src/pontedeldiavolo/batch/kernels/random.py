"""Random numbers for compiled code: a stream of its own for each game, whatever the threads.

SplitMix64, in the public domain: one addition and two multiplications a number, and any number
is a fair beginning.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.compiled import compiled, wrapping

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
GAP = np.uint64(0xD1342543DE82EF95)
"""Any odd number: with it, no two rows begin with the same."""
U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
BITS_32 = 1 << 32


@wrapping
def mixed(state: np.uint64) -> np.uint64:
    """Return the random number that belongs to a state."""
    found = (state ^ state >> U30) * FIRST
    found = (found ^ found >> U27) * SECOND
    return found ^ found >> U31


@wrapping
def begin_random(game: np.record, seed: np.uint64, row: int) -> None:
    """Begin the random numbers of the game in a row: somewhere else for each row."""
    game.random = mixed(seed + np.uint64(row + 1) * GAP)


@wrapping
def random_bits(game: np.record) -> int:
    """Return the next 32 random bits of a game."""
    game.random += STEP
    return np.int64(mixed(game.random) >> U32)


@compiled
def below(game: np.record, limit: int) -> int:
    """Return a whole number from 0 to *limit* - 1, each with exactly the same probability."""
    # The upper half of a product is the number; some lower halves come once too often.
    while True:
        product = random_bits(game) * limit
        if (product & BITS_32 - 1) >= limit or (product & BITS_32 - 1) >= BITS_32 % limit:
            return product >> 32
