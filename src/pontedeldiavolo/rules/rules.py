"""The rules in use, scores and outcomes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, SupportsIndex, final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.enums import Color, DecidedBy, Seat, Tiebreak
from pontedeldiavolo.base.errors import InvalidRulesError, instance_of, reason, whole_number
from pontedeldiavolo.base.guesses import suggests_right_names
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board


def _points(value: SupportsIndex) -> int:
    return whole_number(value, "points")


def _islands(value: SupportsIndex) -> int:
    return whole_number(value, "islands")


def _bridge_count(value: SupportsIndex) -> int:
    return whole_number(value, "bridges")


@final
@frozen(order=False)
class Score(ImmutableValue):
    """The points, islands and bridges of one colour [S0].

    Scores have no order: only :meth:`Rules.decide` compares them.

    >>> state = pdd.GameState.from_position(pdd.parse_setup("w w w w").position())
    >>> state.score(pdd.Color.WHITE)
    Score(points=1, islands=1, bridges=0)

    Attributes:
        points: The sum of n(n+1)/2 over its networks, each with n islands.
        islands: The number of its islands.
        bridges: The number of its bridges.
    """

    points: int = field(converter=_points)
    islands: int = field(converter=_islands)
    bridges: int = field(converter=_bridge_count)


@final
@frozen(order=False)
class Outcome(ImmutableValue):
    """The result of a game that was played out, with its reason [S0].

    >>> position = pdd.parse_setup("w w w w . r").position()
    >>> state = pdd.GameState.from_position(position, phase=pdd.Phase.OVER)
    >>> state.outcome.winner, state.outcome.decided_by
    (<Color.WHITE: 'white'>, <DecidedBy.POINTS: 'points'>)
    >>> state.outcome.value(pdd.Seat.FIRST)
    1

    Attributes:
        winner: The winning colour, ``None`` for a draw.
        winning_seat: The seat that owns the winning colour, ``None`` for a draw.
        decided_by: The criterion that decided.
        white: White's score.
        red: Red's score.
    """

    winner: Color | None = field(validator=optional(instance_of(Color)))
    winning_seat: Seat | None = field(validator=optional(instance_of(Seat)))
    decided_by: DecidedBy = field(validator=instance_of(DecidedBy))
    white: Score = field(validator=instance_of(Score))
    red: Score = field(validator=instance_of(Score))

    def value(self, seat: Seat) -> int:
        """Return 1 if *seat* won, -1 if it lost, 0 for a draw."""
        errors.require_type(seat, Seat, "seat")
        if self.winning_seat is None:
            return 0
        return 1 if self.winning_seat is seat else -1


MAX_SUPPLY: Final = 2**53 - 1
"""The largest supply: every format can store it, and every JSON parser reads it exactly."""


def _supply(value: SupportsIndex | None, name: str, code: str) -> int | None:
    if value is None:
        return None
    number = whole_number(value, name, InvalidRulesError)
    if number < 0:
        raise InvalidRulesError(reason(code, supply=number))
    if number > MAX_SUPPLY:
        raise InvalidRulesError(reason("large-supply", name=name, max=MAX_SUPPLY))
    return number


def _tiles(value: SupportsIndex | None) -> int | None:
    return _supply(value, "tiles_per_color", "negative-tiles")


def _bridges(value: SupportsIndex | None) -> int | None:
    return _supply(value, "bridges", "negative-bridges")


def _tiebreaks(value: Iterable[Tiebreak]) -> tuple[Tiebreak, ...]:
    tiebreaks = errors.items_of(value, Tiebreak, "tiebreaks")
    if len(set(tiebreaks)) < len(tiebreaks):
        twice = next(each for each in Tiebreak if tiebreaks.count(each) > 1)
        raise InvalidRulesError(reason("repeated-tiebreak", tiebreak=twice))
    return tiebreaks


@final
@suggests_right_names
@frozen(cache_hash=True)  # The hash is cached because rules are keys of many tables.
class Rules(ImmutableValue):
    """The variant of the rules in use. Rules have no name: equal values are equal.

    The defaults are those of Board Game Arena: an unlimited supply, and islands and then bridges
    as tie-breaks [S2]; its text does not state the board size, 10×10. See
    :mod:`pontedeldiavolo.presets` for other variants.

    >>> rules = pdd.Rules(pdd.Board(8, 8), tiles_per_color=20)
    >>> pdd.format_rules(rules)
    '8x8 tiles=20 bridges=unlimited tiebreaks=islands,bridges'
    >>> rules == pdd.presets.ABSTRACT_PLAY_8
    False

    Attributes:
        board: The board.
        tiles_per_color: The supply of tiles of each colour; ``None`` is unlimited.
        bridges: The supply of bridges that both colours share; ``None`` is unlimited.
        tiebreaks: The criteria that break a tie on points, in order.

    Raises:
        InvalidRulesError: If a supply is negative or above 2⁵³ - 1, or a tie-break is repeated.
    """

    board: Board = field(default=Board(), validator=instance_of(Board))
    tiles_per_color: int | None = field(default=None, converter=_tiles)
    bridges: int | None = field(default=None, converter=_bridges)
    tiebreaks: tuple[Tiebreak, ...] = field(
        default=(Tiebreak.ISLANDS, Tiebreak.BRIDGES), converter=_tiebreaks
    )

    @property
    def max_turns(self) -> int:
        """An upper bound on the turns of a game from the empty board: pairs, bridges and passes.

        A pair takes two cells, and two tiles from one colour's supply. A bridge needs two tiles,
        and a tile carries one bridge, so there are no more bridges than pairs. A bridge also blocks
        a cell, which it shares with at most one other bridge and with no tile. So p pairs allow
        at most twice as many bridges as there are cells without a tile. There are at most
        two passes: white's, and red's on the last turn.
        """
        return 2 + max(pairs + bridges for pairs, bridges in self._max_pieces())

    @property
    def max_steps(self) -> int:
        """An upper bound on the steps of a game from the empty board, two for each pair.

        The choice of a colour is a step but not a turn.
        """
        return 3 + max(2 * pairs + bridges for pairs, bridges in self._max_pieces())

    def _max_pieces(self) -> Iterator[tuple[int, int]]:
        """Yield each possible number of pairs, with the largest number of bridges for it."""
        cells = len(self.board)
        supply = self.tiles_per_color
        max_pairs = cells // 2 if supply is None else min(cells // 2, supply // 2 * 2)
        for pairs in range(max_pairs + 1):
            bridges = min(pairs, 2 * (cells - 2 * pairs))
            yield pairs, bridges if self.bridges is None else min(bridges, self.bridges)

    def decide(self, white: Score, red: Score) -> tuple[Color | None, DecidedBy]:
        """Return the winner, ``None`` for a draw, and the comparison that decided [S0].

        More points win; then the tie-breaks decide in their order.
        """
        errors.require_type(white, Score, "white")
        errors.require_type(red, Score, "red")
        # The values of the criteria are the names of the counts in a score.
        for criterion in ("points", *(tiebreak.value for tiebreak in self.tiebreaks)):
            for_white = getattr(white, criterion)
            for_red = getattr(red, criterion)
            if for_white != for_red:
                return Color.WHITE if for_white > for_red else Color.RED, DecidedBy(criterion)
        return None, DecidedBy.NOTHING
