"""Drawing one of the legal steps by weights."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.bridges import DIRECTIONS, next_place
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined, wrapping
from pontedeldiavolo.batch.kernels.game import BUILDABLE_OF, LEGAL
from pontedeldiavolo.batch.kernels.layout import cell_of
from pontedeldiavolo.batch.kernels.playing import PASS
from pontedeldiavolo.batch.kernels.random import random_bits
from pontedeldiavolo.batch.members import COLOR_CHOICE, NONE

SPAN = 2.0**-53
"""A random number of 53 bits times this is from 0 to before 1."""
Weights = npt.NDArray[np.float64]


@inlined
def random_share(game: np.record) -> float:
    """Return a random number from 0 to before 1."""
    high, low = random_bits(game) >> 5, random_bits(game) >> 6
    return ((high << 26) + low) * SPAN


@compiled
def weigh(
    table: np.record, game: np.record, weights: Weights, row: int, limit: float
) -> tuple[float, int]:
    """Sum the weights of the legal steps that were found; stop at the one that exceeds *limit*.

    Return the sum, and the last step of any weight; the sum is not a number if a weight is none
    that can be drawn by.
    """
    total, last = weigh_tiles(table, game, weights, row, limit)
    if total <= limit:
        total, last = weigh_bridges(table, game, weights, row, limit, total, last)
    others = table.cells + table.bridges
    for choice in range(PASS + 1):
        legal = game.legal_pass == 1 if choice == PASS else game.phase == COLOR_CHOICE
        if legal and total <= limit:
            total, last = added(weights[row, others + choice], others + choice, total, last)
    return total, last


@inlined
def weigh_tiles(
    table: np.record, game: np.record, weights: Weights, row: int, limit: float
) -> tuple[float, int]:
    """Sum the weights of legal tiles."""
    total, last = 0.0, NONE
    if game.legal_tiles > 0:
        place = next_place(game, LEGAL, 0)
        while place != NONE:
            code = cell_of(table, game, place)
            total, last = added(weights[row, code], code, total, last)
            if total > limit:
                return total, last
            place = next_place(game, LEGAL, place + 1)
    return total, last


@inlined
def weigh_bridges(  # compiled functions have no keywords
    table: np.record,
    game: np.record,
    weights: Weights,
    row: int,
    limit: float,
    before: float,
    last: int,
) -> tuple[float, int]:
    """Add the weights of legal bridges."""
    total = before
    if game.legal_bridges > 0:
        for direction in range(DIRECTIONS):
            place = next_place(game, BUILDABLE_OF + direction, 0)
            while place != NONE:
                code = table.cells + np.int64(table.number[place, direction])
                total, last = added(weights[row, code], code, total, last)
                if total > limit:
                    return total, last
                place = next_place(game, BUILDABLE_OF + direction, place + 1)
    return total, last


@inlined
def added(weight: float, code: int, total: float, last: int) -> tuple[float, int]:
    """Return a sum and the last step that had a weight, after one more."""
    if weight > 0.0:
        return total + weight, code
    return (total, last) if weight == 0.0 else (np.nan, last)


@wrapping  # a sum that is too large is infinite
def draw_weighed(table: np.record, game: np.record, weights: Weights, row: int) -> int:
    """Return the code of a legal step, drawn by weights; nobody's if that cannot be done."""
    total = weigh(table, game, weights, row, np.inf)[0]
    if not 0.0 < total < np.inf:
        return NONE
    return weigh(table, game, weights, row, random_share(game) * total)[1]
