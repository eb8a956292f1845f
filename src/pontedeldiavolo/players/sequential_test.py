"""A test that says after every pair of games whether it knows enough."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, log
from typing import Final, SupportsFloat, final

from attrs import field, frozen

from pontedeldiavolo.base.checks import real_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.players.elo import score_of
from pontedeldiavolo.players.pentanomial import log_likelihood

ERROR: Final = 0.05
"""How often each of both errors is made: taking the one hypothesis where the other is true."""

BOUND: Final = log((1 - ERROR) / ERROR)
"""Beyond this ratio of the likelihoods, as a logarithm, a hypothesis is accepted: 2.94."""

MOST_ELO: Final = 4000
"""No hypothesis is further from 0: one game in ten thousand millions would be lost."""


def number_of(value: SupportsFloat, name: str) -> float:
    """Return *value* as a plain number."""
    number = real_number(value, name)
    if not isfinite(number):
        raise PonteError(f"{name} must be finite, not {number}")
    return number


def _elo(value: SupportsFloat, name: str) -> float:
    number = number_of(value, name)
    if abs(number) > MOST_ELO:
        raise PonteError(f"{name} is from -{MOST_ELO} to {MOST_ELO}, not {number:g}")
    return number


def _elo0(value: SupportsFloat) -> float:
    return _elo(value, "elo0")


def _elo1(value: SupportsFloat) -> float:
    return _elo(value, "elo1")


def _llr(value: SupportsFloat) -> float:
    return number_of(value, "llr")


@final
@frozen(order=False)
class SequentialTest(ImmutableValue):
    """How a sequential probability ratio test stands: which of two hypotheses is true.

    The likelihoods are those of the pairs' results, the chances of which are the likeliest ones
    with the mean that a hypothesis asks for: the generalised test (GSPRT) that engines of other
    games are developed with. Either error is made in 5 % of all matches at most, about.

    Attributes:
        elo0: By how much a player is better, if the first hypothesis is true.
        elo1: By how much, if the second one is.
        llr: The logarithm of how much likelier the second one is.

    Raises:
        TypeError: If something is not a number.
        PonteError: If a hypothesis is not from -4000 to 4000, or *elo0* is not below *elo1*.
    """

    elo0: float = field(converter=_elo0)
    elo1: float = field(converter=_elo1)
    llr: float = field(default=0.0, converter=_llr)

    def __attrs_post_init__(self) -> None:
        if self.elo0 >= self.elo1:
            raise PonteError(f"elo0 is below elo1, unlike {self.elo0:g} and {self.elo1:g}")

    @property
    def accepted(self) -> float | None:
        """The hypothesis that is accepted, *elo0* or *elo1*; ``None`` while nothing is known."""
        if abs(self.llr) < BOUND:
            return None
        return self.elo1 if self.llr > 0 else self.elo0


def after(test: SequentialTest, counts: Sequence[int]) -> SequentialTest:
    """Return a test after so many pairs of each result."""
    low, high = (log_likelihood(counts, score_of(elo)) for elo in (test.elo0, test.elo1))
    return SequentialTest(test.elo0, test.elo1, high - low)
