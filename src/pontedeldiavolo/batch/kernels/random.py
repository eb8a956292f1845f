"""Random numbers for compiled code: a stream of its own for each game, whatever the threads.

SplitMix64, in the public domain: one addition and two multiplications a number, and any number
is a fair beginning.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.compiled import compiled

STEP = np.uint64(0x9E3779B97F4A7C15)
FIRST = np.uint64(0xBF58476D1CE4E5B9)
SECOND = np.uint64(0x94D049BB133111EB)
U27, U30, U31, U32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
BITS_32 = 1 << 32


@compiled
def random_bits(desk: np.record) -> int:
    """Return the next 32 random bits of the game on the desk."""
    desk.random += STEP
    mixed = desk.random
    mixed = (mixed ^ mixed >> U30) * FIRST
    mixed = (mixed ^ mixed >> U27) * SECOND
    return np.int64((mixed ^ mixed >> U31) >> U32)


@compiled
def below(desk: np.record, limit: int) -> int:
    """Return a whole number from 0 to *limit* - 1, each with exactly the same probability."""
    # The upper half of a product is the number; some lower halves come once too often.
    while True:
        product = random_bits(desk) * limit
        if (product & BITS_32 - 1) >= limit or (product & BITS_32 - 1) >= BITS_32 % limit:
            return product >> 32
