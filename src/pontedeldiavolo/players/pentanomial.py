"""Results of pairs of games, of which there are five: the statistics of all that follows.

Two games with the seats exchanged are not independent: a start that favours a seat helps once each
player. What is independent are pairs. A pair is worth 0, 1/4, 1/2, 3/4 or 1 to a player.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, log, sqrt
from typing import Final, TypeAlias

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""What a pair of games can be worth: half of what both games are, a draw being a half."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""How many pairs were worth what, in the order of :data:`SCORES`."""

_HALVINGS: Final = 60
_LEAST: Final = 1e-300


def mean(counts: Sequence[int]) -> float:
    """Return what a pair was worth on average."""
    return fsum(map(float.__mul__, SCORES, map(float, counts))) / sum(counts)


def likeliest(counts: Sequence[int], score: float) -> tuple[float, ...]:
    """Return which chances of the five results explain counts best, if their mean is *score*.

    This is the empirical likelihood of Owen (1988), on all five results: those that were not seen
    have chances, too, where only they make *score* possible.

    Args:
        counts: How many pairs were worth what.
        score: The mean, above 0 and below 1.
    """
    tilt, total = _tilt(counts, score), sum(counts)
    chances = [
        count / total / (1 + tilt * (value - score)) if count else 0.0
        for value, count in zip(SCORES, counts, strict=True)
    ]
    # Where no tilt of what was seen has that mean, the rest is the chance of the other extreme.
    chances[0 if tilt > 0 else -1] += max(0.0, 1 - fsum(chances))
    return tuple(chances)


def _tilt(counts: Sequence[int], score: float) -> float:
    """Return the Lagrange multiplier of the mean: halving finds it, since the slope only falls."""
    seen = [(value - score, count) for value, count in zip(SCORES, counts, strict=True) if count]
    lowest, highest = -1 / (1 - score), 1 / score
    for _ in range(_HALVINGS):
        middle = (lowest + highest) / 2
        slope = sum([count * off / max(_LEAST, 1 + middle * off) for off, count in seen])
        if slope > 0:
            lowest = middle
        else:
            highest = middle
    return (lowest + highest) / 2


def log_likelihood(counts: Sequence[int], score: float) -> float:
    """Return the logarithm of how likely counts are at best, if the mean is *score*."""
    chances = likeliest(counts, score)
    return fsum(count * log(chance) for count, chance in zip(counts, chances, strict=True) if count)


def deviations(counts: Sequence[int], score: float) -> float:
    """Return how many standard deviations the mean of counts lies above *score*.

    The deviation is that of the likeliest chances with the mean *score*. So it is Wilson's (1927)
    where pairs are only won or lost, and never 0 because all pairs happened to be equal.
    """
    found = mean(counts)
    chances = likeliest(counts, score)
    variance = fsum(
        chance * (value - score) ** 2 for value, chance in zip(SCORES, chances, strict=True)
    )
    if found == score:
        return 0.0
    return (found - score) * sqrt(sum(counts) / variance)
