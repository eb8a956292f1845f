"""Elo: how much better a player is, from what games between two of them are worth."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, log10
from statistics import NormalDist
from typing import Final

from pontedeldiavolo.players.pentanomial import deviations, mean

CONFIDENCE: Final = 0.95
"""How sure an interval is."""

_NORMAL: Final = NormalDist()
_WIDTH: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_SCALE: Final = 400.0
_HALVINGS: Final = 60


def elo_of(score: float) -> float:
    """Return the difference in Elo at which a game is worth *score*; endless at 0 and 1."""
    if score in (0, 1):
        return inf if score else -inf
    # There is no -0.0.
    return 0.0 - _SCALE * log10(1 / score - 1)


def score_of(elo: float) -> float:
    """Return what a game is worth to a player who is better by *elo*, from 0 to 1."""
    # Of both sides that with the power below 1: the other may be too large.
    power = 10 ** (-abs(elo) / _SCALE)
    return 1 / (1 + power) if elo >= 0 else power / (1 + power)


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return between which scores the true one lies, in 95 of 100 matches.

    Those are the scores that a test of 5 % does not refuse: Wilson's (1927) interval, with five
    results of a pair for his two.
    """
    found = mean(counts)
    return _bound(counts, found, 0.0), _bound(counts, found, 1.0)


def _bound(counts: Sequence[int], found: float, end: float) -> float:
    """Return where scores begin to be refused, on the way from what was found to an end."""
    if found == end:
        return end
    inside, outside = found, end
    for _ in range(_HALVINGS):
        middle = (inside + outside) / 2
        is_inside = abs(deviations(counts, middle)) < _WIDTH
        inside, outside = (middle, outside) if is_inside else (inside, middle)
    return inside


def superiority(counts: Sequence[int]) -> float:
    """Return how sure it is that a player is the better one, from 0 to 1."""
    return _NORMAL.cdf(deviations(counts, 0.5))
