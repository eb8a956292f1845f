"""What a colour has scored."""

from __future__ import annotations

from typing import SupportsIndex, final

from attrs import field, frozen

from pontedeldiavolo.checks import whole_number
from pontedeldiavolo.sealed import Sealed


def _points(value: SupportsIndex) -> int:
    return whole_number(value, "points")


def _islands(value: SupportsIndex) -> int:
    return whole_number(value, "islands")


def _bridges(value: SupportsIndex) -> int:
    return whole_number(value, "bridges")


@final
@frozen(order=False)
class Score(Sealed):
    """A colour's count [S0]. It has no order of its own: only :meth:`Rules.decide` compares.

    Attributes:
        points: The sum over its networks of n(n+1)/2 for n islands.
        islands: Its islands.
        bridges: Its bridges.

    Raises:
        TypeError: If a count is not a whole number.
    """

    points: int = field(converter=_points)
    islands: int = field(converter=_islands)
    bridges: int = field(converter=_bridges)
