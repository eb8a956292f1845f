"""What a colour has scored, and how a finished game came out."""

from __future__ import annotations

from typing import SupportsIndex, final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.checks import instance_of, require_type, whole_number
from pontedeldiavolo.vocabulary import Color, DecidedBy, Seat


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


@final
@frozen(order=False)
class Outcome(Sealed):
    """The result of a game that was played out, with its reason [S0].

    Attributes:
        winner: The winning colour, ``None`` for a draw.
        winning_seat: The seat that owns the winning colour, ``None`` for a draw.
        decided_by: What decided.
        white: White's score.
        red: Red's score.

    Raises:
        TypeError: If something is not of its type.
    """

    winner: Color | None = field(validator=optional(instance_of(Color)))
    winning_seat: Seat | None = field(validator=optional(instance_of(Seat)))
    decided_by: DecidedBy = field(validator=instance_of(DecidedBy))
    white: Score = field(validator=instance_of(Score))
    red: Score = field(validator=instance_of(Score))

    def value(self, seat: Seat) -> int:
        """Return 1 if *seat* won, -1 if it lost, 0 for a draw.

        Raises:
            TypeError: If it is not a :class:`Seat`.
        """
        require_type(seat, Seat, "seat")
        if self.winning_seat is None:
            return 0
        return 1 if self.winning_seat is seat else -1
