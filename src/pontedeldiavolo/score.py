"""What a colour has scored."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.sealed import Sealed


@final
@frozen(order=False)
class Score(Sealed):
    """A colour's count [S0]. It has no order of its own: only :meth:`Rules.decide` compares.

    Attributes:
        points: The sum over its networks of n(n+1)/2 for n islands.
        islands: Its islands.
        bridges: Its bridges.
    """

    points: int
    islands: int
    bridges: int
