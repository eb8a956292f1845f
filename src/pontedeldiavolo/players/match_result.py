"""How a match between two players came out, and how sure that is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import SupportsIndex, cast, final

from attrs import evolve, field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.checks import instance_of, require_type, whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.players.elo import elo_of, score_interval, superiority
from pontedeldiavolo.players.pentanomial import SCORES, Counts, mean
from pontedeldiavolo.players.sequential_test import SequentialTest, after


def _wins(count: SupportsIndex) -> int:
    return whole_number(count, "wins")


def _draws(count: SupportsIndex) -> int:
    return whole_number(count, "draws")


def _losses(count: SupportsIndex) -> int:
    return whole_number(count, "losses")


def _pairs(counts: tuple[SupportsIndex, ...]) -> Counts:
    require_type(counts, tuple, "pairs")
    return cast(Counts, tuple(whole_number(count, "an item of pairs") for count in counts))


@final
@frozen(order=False)
class Match(ImmutableValue):
    """How a match came out, as seen by its first player *a*.

    All that is said about chance rests on pairs of games, in which the seats were exchanged: two
    games of one pair need not be independent of each other.

    Attributes:
        a: The name of the one player.
        b: The name of the other.
        wins: How many games *a* has won.
        draws: How many games were drawn.
        losses: How many games *b* has won.
        pairs: How many pairs were worth 0, 1/2, 1, 3/2 and 2 games to *a*; a draw is half a game.
        sprt: How the sequential test stands; ``None`` if there was none.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If the numbers do not fit together, or are those of no games at all.
    """

    a: str = field(validator=instance_of(str))
    b: str = field(validator=instance_of(str))
    wins: int = field(converter=_wins)
    draws: int = field(converter=_draws)
    losses: int = field(converter=_losses)
    pairs: Counts = field(converter=_pairs)
    sprt: SequentialTest | None = field(
        default=None, validator=optional(instance_of(SequentialTest))
    )

    def __attrs_post_init__(self) -> None:
        counts = (self.wins, self.draws, self.losses, *self.pairs)
        if len(self.pairs) != len(SCORES) or min(counts) < 0 or not sum(self.pairs):
            raise PonteError(
                "a match has five numbers of pairs, none negative, and a pair of games"
            )
        halves = sum(half * count for half, count in enumerate(self.pairs))
        if 2 * sum(self.pairs) != self.games or halves != 2 * self.wins + self.draws:
            raise PonteError("wins, draws and losses are not those of the pairs")

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """What a game was worth to *a* on average, from 0 to 1: a draw is half a win."""
        return mean(self.pairs)

    @property
    def score_interval(self) -> tuple[float, float]:
        """Between which scores the true one lies, with 95 % confidence.

        It is Wilson's interval, made for pairs of games with five results: the scores that a test
        does not refuse, whose deviation is that of the likeliest chances with the score in
        question. So it is never empty, and stays within 0 and 1: after *n* pairs that were all
        won, it reaches from *n* / (*n* + 3.84) to 1.
        """
        return score_interval(self.pairs)

    @property
    def elo(self) -> float:
        """By how much *a* is better than *b*; ``inf`` if all was won, ``-inf`` if all was lost.

        It is the difference in Elo at which a player can expect :attr:`score` of a game.
        """
        return elo_of(self.score)

    @property
    def interval(self) -> tuple[float, float]:
        """Between which differences in Elo the true one lies, with 95 % confidence.

        It is :attr:`score_interval` in Elo. Where all games were won, it has no upper end, which
        is then ``inf``; its lower end says what is known.
        """
        low, high = self.score_interval
        return elo_of(low), elo_of(high)

    @property
    def los(self) -> float:
        """The likelihood of superiority: how sure it is that *a* is the better one, from 0 to 1."""
        return superiority(self.pairs)


def with_pair(
    so_far: Match | None, names: tuple[str, str], worth: Sequence[int], test: SequentialTest | None
) -> Match:
    """Return a match after one more pair of games.

    Args:
        so_far: The match before it, if there was a pair.
        names: The players.
        worth: What each game was worth to the first player: 0, 1 or 2 halves.
        test: The test before any game, if there is one.
    """
    wins, draws, losses = (sum(half == each for half in worth) for each in (2, 1, 0))
    if so_far is not None:
        wins, draws, losses = wins + so_far.wins, draws + so_far.draws, losses + so_far.losses
    old = (0,) * len(SCORES) if so_far is None else so_far.pairs
    pairs = tuple(count + (half == sum(worth)) for half, count in enumerate(old))
    found = Match(*names, wins, draws, losses, cast(Counts, pairs))
    return found if test is None else evolve(found, sprt=after(test, pairs))
