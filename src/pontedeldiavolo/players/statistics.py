"""Statistics of matches: pentanomial results, Elo, and a sequential test.

Two games with exchanged seats are not independent: a start that favours a seat helps each player
once. Only pairs of games are independent. A pair is worth 0, 1/4, 1/2, 3/4 or 1 to a player,
hence *pentanomial*.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import fsum, inf, isfinite, log, log10, sqrt
from statistics import NormalDist
from typing import Final, SupportsFloat, TypeAlias, final

from attrs import field, frozen

from pontedeldiavolo.base.errors import PonteError, real_number, reason
from pontedeldiavolo.base.values import ImmutableValue

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair of games."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""The number of pairs with each score, in the order of :data:`SCORES`."""

CONFIDENCE: Final = 0.95
"""The level of confidence intervals."""
ERROR_RATE: Final = 0.05
"""The rate of both errors of a sequential test, alpha and beta."""
BOUND: Final = log((1 - ERROR_RATE) / ERROR_RATE)
"""The log-likelihood ratio at which a hypothesis is accepted, 2.94."""
MAX_ELO: Final = 4000
"""The limit of hypotheses: a difference at which one game in 10,000,000,000 would be lost."""

_NORMAL: Final = NormalDist()
_QUANTILE: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_ELO_SCALE: Final = 400.0
_BISECTIONS: Final = 60
_MIN_DENOMINATOR: Final = 1e-300


def mean_score(counts: Sequence[int]) -> float:
    """Return the mean score of a pair."""
    return fsum(map(float.__mul__, SCORES, map(float, counts))) / sum(counts)


def fitted_probabilities(counts: Sequence[int], score: float) -> tuple[float, ...]:
    """Return the maximum likelihood probabilities of the five scores, given their mean.

    This is the empirical likelihood of Owen (1988) on all five scores: those that were not observed
    have a probability as well, where only they make the mean *score* possible.

    Args:
        counts: The number of pairs with each score.
        score: The mean, above 0 and below 1.
    """
    multiplier, total = _lagrange_multiplier(counts, score), sum(counts)
    found = [
        count / total / (1 + multiplier * (value - score)) if count else 0.0
        for value, count in zip(SCORES, counts, strict=True)
    ]
    # Where no multiplier of the observed scores gives that mean, an extreme score has the rest.
    found[0 if multiplier > 0 else -1] += max(0.0, 1 - fsum(found))
    return tuple(found)


def _lagrange_multiplier(counts: Sequence[int], score: float) -> float:
    """Return the Lagrange multiplier of the mean, where a decreasing function crosses 0."""
    observed = [
        (value - score, count) for value, count in zip(SCORES, counts, strict=True) if count
    ]

    def is_below(middle: float) -> bool:
        terms = [count * off / max(_MIN_DENOMINATOR, 1 + middle * off) for off, count in observed]
        return sum(terms) > 0

    lowest, highest = _bisected(-1 / (1 - score), 1 / score, is_below)
    return (lowest + highest) / 2


def _bisected(
    inside: float, outside: float, is_inside: Callable[[float], bool]
) -> tuple[float, float]:
    """Return two numbers close together, between which *is_inside* changes."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
    return inside, outside


def log_likelihood(counts: Sequence[int], score: float) -> float:
    """Return the logarithm of the maximum likelihood of *counts*, given their mean."""
    found = fitted_probabilities(counts, score)
    return fsum(count * log(each) for count, each in zip(counts, found, strict=True) if count)


def z_score(counts: Sequence[int], score: float) -> float:
    """Return how many standard deviations the mean of *counts* lies above *score*.

    The deviation is that of the fitted probabilities with the mean *score*. So it is Wilson's
    (1927) where pairs are only won or lost, and never 0 because all pairs happen to be equal.
    """
    mean = mean_score(counts)
    fitted = fitted_probabilities(counts, score)
    variance = fsum(
        probability * (value - score) ** 2
        for value, probability in zip(SCORES, fitted, strict=True)
    )
    if mean == score:
        return 0.0
    return (mean - score) * sqrt(sum(counts) / variance)


def elo_from_score(score: float) -> float:
    """Return the difference in Elo with an expected *score*; infinite at 0 and 1."""
    if score in (0, 1):
        return inf if score else -inf
    # There is no -0.0.
    return 0.0 - _ELO_SCALE * log10(1 / score - 1)


def score_from_elo(elo: float) -> float:
    """Return the expected score of a player who is better by *elo*, ``1/(1 + 10**(-elo/400))``."""
    # The power of the negative absolute value cannot overflow.
    power = 10 ** (-abs(elo) / _ELO_SCALE)
    return 1 / (1 + power) if elo >= 0 else power / (1 + power)


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return the confidence interval of the score at 95 %.

    It contains the scores that a test at the level of 5 % does not reject: Wilson's (1927)
    interval, with five scores of a pair for his two.
    """
    mean = mean_score(counts)

    def is_inside(score: float) -> bool:
        return abs(z_score(counts, score)) < _QUANTILE

    low, high = (end if mean == end else _bisected(mean, end, is_inside)[0] for end in (0.0, 1.0))
    return low, high


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """Return the likelihood that the player is the better one, from 0 to 1."""
    return _NORMAL.cdf(z_score(counts, 0.5))


def finite_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a finite ``float``."""
    number = real_number(value, name)
    if not isfinite(number):
        raise PonteError(reason("number-not-finite", name=name, value=str(number)))
    return number


def _elo(value: SupportsFloat, name: str) -> float:
    number = finite_number(value, name)
    if abs(number) > MAX_ELO:
        raise PonteError(reason("elo-out-of-range", name=name, most=MAX_ELO, value=f"{number:g}"))
    return number


def _elo0(value: SupportsFloat) -> float:
    return _elo(value, "elo0")


def _elo1(value: SupportsFloat) -> float:
    return _elo(value, "elo1")


def _llr(value: SupportsFloat) -> float:
    return finite_number(value, "llr")


@final
@frozen(order=False)
class SequentialTest(ImmutableValue):
    """The state of a sequential probability ratio test (SPRT) of two hypotheses.

    It is the generalised test (GSPRT) of chess engine development, on pairs of games: each
    likelihood is the largest one under the mean score of its hypothesis. Both error rates are 5 %,
    approximately.

    >>> test = pdd.players.SequentialTest(elo0=0, elo1=50, llr=3.1)
    >>> test.accepted
    50.0

    Attributes:
        elo0: The difference in Elo under the first hypothesis.
        elo1: The difference under the second one.
        llr: The log-likelihood ratio of the second hypothesis to the first.

    Raises:
        PonteError: If a hypothesis is not from -4000 to 4000, or *elo0* is not below *elo1*.
    """

    elo0: float = field(converter=_elo0)
    elo1: float = field(converter=_elo1)
    llr: float = field(default=0.0, converter=_llr)

    def __attrs_post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            values = {"elo0": f"{self.elo0:g}", "elo1": f"{self.elo1:g}"}
            raise PonteError(reason("elo0-not-below-elo1", **values))

    @property
    def accepted(self) -> float | None:
        """The accepted hypothesis, *elo0* or *elo1*; ``None`` while the test is undecided."""
        if abs(self.llr) < BOUND:
            return None
        return self.elo1 if self.llr > 0 else self.elo0

    def after(self, pairs: Sequence[int]) -> SequentialTest:
        """Return the test after pairs of games, counted by their scores as in ``Match.pairs``.

        >>> pdd.players.SequentialTest(elo0=0, elo1=100).after((1, 0, 9, 2, 20)).accepted
        100.0
        """
        low, high = (log_likelihood(pairs, score_from_elo(elo)) for elo in (self.elo0, self.elo1))
        return SequentialTest(self.elo0, self.elo1, high - low)
