"""Matches between two players, and their statistics: pentanomial results, Elo, a sequential test.

Two games with exchanged seats are not independent: a start that favours a seat helps each player
once. Only pairs of games are independent. A pair gives a player a score of 0, 1/4, 1/2, 3/4 or 1:
hence *pentanomial*.

A pair that repeats an earlier one move by move is not independent of it. So the statistics scale
the counts of pairs by the share of different ones: copies add no evidence, and the mean stays.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from math import fsum, inf, isfinite, log, log10, sqrt
from statistics import NormalDist
from typing import Final, SupportsFloat, SupportsIndex, TypeAlias, cast, final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.errors import (
    PonteError,
    Reason,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.guesses import shows_usage
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

from .match_folder import MatchFolder
from .openings import DEFAULT_TURNS, make_openings
from .pairing import NoOpeningError, Pairing
from .played_pairs import PlayedPair, played_pairs
from .player import Clock, MatchWarning, Player, require_in_range

SCORES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair of games."""

Counts: TypeAlias = tuple[int, int, int, int, int]
"""The number of pairs with each score, in the order of :data:`SCORES`."""

CONFIDENCE: Final = 0.95
"""The confidence level of intervals."""
ERROR_RATE: Final = 0.05
"""The rates of both errors of a sequential test, alpha and beta."""
BOUND: Final = log((1 - ERROR_RATE) / ERROR_RATE)
"""The log-likelihood ratio at which a hypothesis is accepted, 2.94."""
WRONG_COUNTS: Final = "a match has five numbers of pairs, none negative, and a pair of games"
MAX_ELO: Final = 4000
"""The limit of hypotheses: the stronger player would lose one game in 10,000,000,000."""

_NORMAL: Final = NormalDist()
_QUANTILE: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_ELO_SCALE: Final = 400.0
_BISECTIONS: Final = 60


def scaled(counts: Sequence[int], distinct: int) -> tuple[float, ...]:
    """Return counts of pairs as evidence: with the same mean, and *distinct* as their sum."""
    total = sum(counts)
    return tuple(count * distinct / total for count in counts)


def mean_score(counts: Sequence[float]) -> float:
    """Return the mean score of a pair."""
    return fsum(map(float.__mul__, SCORES, map(float, counts))) / sum(counts)


def fitted_probabilities(counts: Sequence[float], score: float) -> tuple[float, ...]:
    """Return the maximum likelihood probabilities of the five scores, given their mean.

    This is the empirical likelihood of Owen (1988) on all five scores: scores that were not
    observed also have a probability if the mean *score* is impossible without them.

    Args:
        counts: The number of pairs with each score, scaled if some are copies.
        score: The mean, above 0 and below 1.
    """
    multiplier = _lagrange_multiplier(counts, score)
    total = sum(counts)
    pairs = zip(SCORES, counts, strict=True)
    found = [n / total / (1 + multiplier * (value - score)) if n else 0.0 for value, n in pairs]
    # If no multiplier gives that mean with the observed scores, an extreme score gets the rest.
    found[0 if multiplier > 0 else -1] += max(0.0, 1 - fsum(found))
    return tuple(found)


def _lagrange_multiplier(counts: Sequence[float], score: float) -> float:
    """Return the Lagrange multiplier of the mean, the zero of a decreasing function."""
    offsets = [value - score for value in SCORES]

    def is_below(middle: float) -> bool:
        terms = zip(counts, offsets, strict=True)
        return sum(n * off / max(1e-300, 1 + middle * off) for n, off in terms if n) > 0

    return sum(_bisected(-1 / (1 - score), 1 / score, is_below)) / 2


def _bisected(
    inside: float, outside: float, is_inside: Callable[[float], bool]
) -> tuple[float, float]:
    """Return two close numbers between which *is_inside* changes."""
    for _ in range(_BISECTIONS):
        middle = (inside + outside) / 2
        if is_inside(middle):
            inside = middle
        else:
            outside = middle
    return inside, outside


def log_likelihood(counts: Sequence[float], score: float) -> float:
    """Return the maximum log-likelihood of *counts*, given their mean."""
    found = fitted_probabilities(counts, score)
    return fsum(count * log(each) for count, each in zip(counts, found, strict=True) if count)


def z_score(counts: Sequence[float], score: float) -> float:
    """Return how many standard deviations the mean of *counts* lies above *score*.

    The standard deviation is that of the fitted probabilities with the mean *score*. If pairs are
    only won or lost, it is Wilson's (1927); and it is not 0 when all pairs happen to be equal.
    """
    mean = mean_score(counts)
    if mean == score:
        return 0.0
    fitted = zip(SCORES, fitted_probabilities(counts, score), strict=True)
    variance = fsum(probability * (value - score) ** 2 for value, probability in fitted)
    return (mean - score) * sqrt(sum(counts) / variance)


def elo_from_score(score: float) -> float:
    """Return the Elo difference for an expected *score*; infinite at 0 and 1."""
    if score in (0, 1):
        return inf if score else -inf
    # Subtracting from 0.0 avoids -0.0.
    return 0.0 - _ELO_SCALE * log10(1 / score - 1)


def score_from_elo(elo: float) -> float:
    """Return the expected score of a player who is better by *elo*, ``1/(1 + 10**(-elo/400))``."""
    # The power of the negative absolute value cannot overflow.
    power = 10 ** (-abs(elo) / _ELO_SCALE)
    return 1 / (1 + power) if elo >= 0 else power / (1 + power)


def score_interval(counts: Sequence[float]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the score.

    It contains the scores that a test at the 5 % level does not reject: Wilson's (1927) interval,
    with the five scores of a pair in place of his two.
    """
    mean = mean_score(counts)

    def is_inside(score: float) -> bool:
        return abs(z_score(counts, score)) < _QUANTILE

    def bound_towards(end: float) -> float:
        return end if mean == end else _bisected(mean, end, is_inside)[0]

    return bound_towards(0.0), bound_towards(1.0)


def likelihood_of_superiority(counts: Sequence[float]) -> float:
    """Return the likelihood of superiority of the player, from 0 to 1."""
    return _NORMAL.cdf(z_score(counts, 0.5))


def finite_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a finite ``float``."""
    number = errors.real_number(value, name)
    if not isfinite(number):
        raise PonteError(f"{name} must be finite, not {number}")
    return number


def _elo(value: SupportsFloat, name: str) -> float:
    number = finite_number(value, name)
    if abs(number) > MAX_ELO:
        raise PonteError(f"{name} is from -{MAX_ELO} to {MAX_ELO}, not {number:g}")
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
        elo0: The Elo difference under the first hypothesis.
        elo1: The Elo difference under the second one.
        llr: The log-likelihood ratio of the second hypothesis to the first.

    Raises:
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
        """The accepted hypothesis, *elo0* or *elo1*; ``None`` while the test is undecided."""
        if abs(self.llr) < BOUND:
            return None
        return self.elo1 if self.llr > 0 else self.elo0

    def after(
        self, pairs: tuple[SupportsIndex, ...], distinct: SupportsIndex | None = None
    ) -> SequentialTest:
        """Return the test after pairs of games.

        >>> test = pdd.players.SequentialTest(elo0=0, elo1=100)
        >>> test.after((1, 0, 9, 2, 20)).accepted
        100.0
        >>> test.after((1, 0, 9, 2, 20), distinct=8).accepted is None
        True

        Args:
            pairs: The numbers of pairs by score, as in :attr:`Match.pairs`.
            distinct: The number of different pairs, as in :attr:`Match.distinct`; ``None`` if all
                are different. Copies are no evidence.

        Raises:
            PonteError: If there are not five numbers of pairs, or more different pairs than pairs.
        """
        counts = _counts(pairs)
        total = sum(counts)
        number = _checked_distinct(distinct, total)
        evidence = scaled(counts, number)
        low = log_likelihood(evidence, score_from_elo(self.elo0))
        high = log_likelihood(evidence, score_from_elo(self.elo1))
        return SequentialTest(self.elo0, self.elo1, high - low)


MAX_GAMES: Final = 1_000_000
MAX_PROCESSES: Final = 1024


def _wins(count: SupportsIndex) -> int:
    return whole_number(count, "wins")


def _draws(count: SupportsIndex) -> int:
    return whole_number(count, "draws")


def _losses(count: SupportsIndex) -> int:
    return whole_number(count, "losses")


def _counts(counts: tuple[SupportsIndex, ...]) -> Counts:
    require_type(counts, tuple, "pairs")
    found = tuple(whole_number(each, f"pairs[{place}]") for place, each in enumerate(counts))
    if len(found) != len(SCORES) or min(found) < 0 or not sum(found):
        raise PonteError(WRONG_COUNTS)
    return cast(Counts, found)


def _checked_distinct(number: SupportsIndex | None, pairs: int) -> int:
    """Return a number of different pairs, from 1 to the number of pairs; ``None`` is all pairs."""
    found = pairs if number is None else whole_number(number, "distinct")
    if not 1 <= found <= pairs:
        bounds = f"from 1 to {pairs}, the number of pairs"
        raise PonteError(f"the number of different pairs must be {bounds}, not {found}")
    return found


def _distinct(number: SupportsIndex | None) -> int:
    """Return the argument as it is: :class:`Match` checks it when all its fields are set."""
    return cast(int, number)


@final
@frozen(order=False)
class Match(ImmutableValue):
    """The result of a match, from the point of view of its first player *a*.

    The statistics count pairs of games with exchanged seats, because the two games of a pair need
    not be independent. A pair that repeats another one move by move adds to the numbers of games
    and to the score, but it is no evidence: intervals, :attr:`los` and sequential test are those of
    :attr:`distinct` pairs with the same mean.

    >>> result = pdd.players.Match("a", "b", wins=12, draws=2, losses=6, pairs=(1, 0, 4, 2, 3))
    >>> result.games, result.score, round(result.elo)
    (20, 0.65, 108)
    >>> [round(elo) for elo in result.elo_interval]
    [-52, 250]

    Attributes:
        a: The name of the first player.
        b: The name of the second player.
        wins: The number of games that *a* has won.
        draws: The number of draws.
        losses: The number of games that *b* has won.
        pairs: The numbers of pairs in which *a* scored 0, 1/2, 1, 3/2 and 2 games; a draw is half
            a game.
        sprt: The state of the sequential test; ``None`` if there was none.
        distinct: The number of different pairs; by default all of them. Two pairs are equal if
            both games have the same start, the same actions and the same result.

    Raises:
        PonteError: If the numbers contradict each other, or there is no game.
    """

    a: str = field(validator=errors.instance_of(str))
    b: str = field(validator=errors.instance_of(str))
    wins: int = field(converter=_wins)
    draws: int = field(converter=_draws)
    losses: int = field(converter=_losses)
    pairs: Counts = field(converter=_counts)
    sprt: SequentialTest | None = field(
        default=None, validator=optional(errors.instance_of(SequentialTest))
    )
    distinct: int = field(default=None, converter=_distinct)

    def __attrs_post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise PonteError(WRONG_COUNTS)
        halves = sum(half * count for half, count in enumerate(self.pairs))
        if 2 * sum(self.pairs) != self.games or halves != 2 * self.wins + self.draws:
            raise PonteError("wins, draws and losses are not those of the pairs")
        distinct = _checked_distinct(self.distinct, sum(self.pairs))
        object.__setattr__(self, "distinct", distinct)

    @property
    def _evidence(self) -> tuple[float, ...]:
        return scaled(self.pairs, self.distinct)

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float:
        """The mean score of *a* in a game, from 0 to 1; a draw is 1/2."""
        return mean_score(self.pairs)

    @property
    def score_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the score.

        It is Wilson's interval, for pairs of games with five scores: all scores that a test does
        not reject, with the standard deviation under the fitted probabilities of each score. So it
        is never empty, and stays within 0 and 1: after *n* different pairs that were all won, it
        goes from *n* / (*n* + 3.84) to 1.
        """
        return score_interval(self._evidence)

    @property
    def elo(self) -> float:
        """The Elo difference at which :attr:`score` is expected.

        It is ``inf`` if all games were won, ``-inf`` if all were lost.
        """
        return elo_from_score(self.score)

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the Elo difference.

        It is :attr:`score_interval` in Elo. If all games were won, its upper end is ``inf``.
        """
        low, high = self.score_interval
        return elo_from_score(low), elo_from_score(high)

    @property
    def los(self) -> float:
        """The likelihood of superiority: that *a* is the better player, from 0 to 1."""
        return likelihood_of_superiority(self._evidence)


@shows_usage
def match(
    a: Player,
    b: Player,
    games: SupportsIndex = 100,
    *,
    rules: Rules | None = None,
    seed: SupportsIndex = 0,
    openings: SupportsIndex | Sequence[GameState] = DEFAULT_TURNS,
    processes: SupportsIndex = 1,
    sprt: tuple[SupportsFloat, SupportsFloat] | None = None,
    folder: str | os.PathLike[str] | None = None,
    on_pair: Callable[[Match], object] | None = None,
    clock: tuple[SupportsFloat, SupportsFloat] | None = None,
) -> Match:
    """Play pairs of games between two players, and return the result from the view of *a*.

    Both games of a pair begin with the same opening, with the seats exchanged; each pair has
    another one. If both players have the same name, "(a)" and "(b)" are appended to it.

    >>> greedy, chance = pdd.players.GreedyPlayer(), pdd.players.RandomPlayer()
    >>> pdd.players.match(greedy, chance, rules=pdd.Rules(pdd.Board(5, 5))).score > 0.5
    True

    Args:
        a: The player with the first seat in the first game of a pair.
        b: The other player.
        games: The maximum number of games, which must be even.
        rules: The rules; ``None`` for ``Rules()``.
        seed: The seed of all random numbers.
        openings: The number of turns at the beginning that are drawn at random, by default 2, with
            the choice of a colour that lies between them; 0 for games that the players begin. Or
            states to start from, one for each pair. If there is no other opening, the match ends.
        processes: The number of processes; several need ``if __name__ == "__main__":``.
        sprt: Two Elo differences: a sequential test ends the match when it accepts one of them.
        folder: A folder to store the games; an interrupted match in this folder is resumed.
        on_pair: Called after every pair with the result so far.
        clock: Seconds for each player, and the increment for each action (with 50 ms of grace).

    Warns:
        MatchWarning: When a pair repeats an earlier one move by move, for the first time, when all
            openings are used up, and if the folder cannot be locked.

    Raises:
        PonteError: If a number, an opening or the folder is invalid, both players were given the
            same name, the folder belongs to another match, or a player cannot be pickled for
            another process.
        PlayerError: If a player, but not an engine, fails or chooses something illegal.
    """
    pairing = _pairing(a, b, rules, seed, clock, openings)
    pairs = _pairs(games)
    count = require_in_range(processes, "processes", MAX_PROCESSES)
    errors.require_optional_callable(on_pair, "on_pair")
    require_type(folder, str | os.PathLike | None, "folder")
    elos = _two(sprt, "sprt", "sprt has two differences in Elo, not {}")
    tally = _Tally(pairing.names, None if elos is None else SequentialTest(*elos))
    stored = None if folder is None else MatchFolder(folder, pairing)
    with nullcontext() if stored is None else stored.locked():
        with closing(played_pairs(pairing, pairs, count, stored)) as played:
            _count(played, tally, on_pair)
        # There is at least one pair.
        result = cast(Match, tally.match)
        if stored is not None:
            stored.trim(result.games // 2)
    return result


Two: TypeAlias = tuple[SupportsFloat, SupportsFloat] | None
"""An optional pair of numbers."""


def _pairing(
    a: Player,
    b: Player,
    rules: Rules | None,
    seed: SupportsIndex,
    clock: Two,
    openings: SupportsIndex | Sequence[GameState],
) -> Pairing:
    require_type(a, Player, "a")
    require_type(b, Player, "b")
    require_type(rules, (Rules, type(None)), "rules")
    times = _two(clock, "clock", "clock has a time and an increment, not {} numbers")
    if times is not None:
        # The clock at the start of a game: this refuses invalid times.
        Clock(times[0], *times)
    played_by = rules or Rules()
    number = whole_number(seed, "seed")
    return Pairing(a, b, played_by, number, times, make_openings(openings, played_by, number))


class _Tally:
    """The result of a match so far.

    Attributes:
        match: The result; ``None`` before the first pair.
    """

    def __init__(self, names: tuple[str, str], start: SequentialTest | None) -> None:
        self.match: Match | None = None
        self._names = names
        self._start = start
        self._results = [0, 0, 0]
        self._counts = [0] * len(SCORES)
        self._pair_by_digest: dict[bytes, int] = {}

    def add(self, pair: PlayedPair) -> int:
        """Count a pair; return the number of the first pair that is equal to it."""
        for halves in pair.halves:
            self._results[halves] += 1
        self._counts[sum(pair.halves)] += 1
        first = self._pair_by_digest.setdefault(pair.digest, sum(self._counts))
        counts = cast(Counts, tuple(self._counts))
        distinct = len(self._pair_by_digest)
        test = None if self._start is None else self._start.after(counts, distinct)
        losses, draws, wins = self._results
        self.match = Match(*self._names, wins, draws, losses, counts, test, distinct)
        return first

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return sum(self._counts)

    @property
    def has_repeats(self) -> bool:
        """True if a pair repeats an earlier one."""
        return len(self._pair_by_digest) < self.pairs

    @property
    def is_decided(self) -> bool:
        """True if a sequential test has accepted a hypothesis."""
        test = None if self.match is None else self.match.sprt
        return test is not None and test.accepted is not None


WARNING_LEVEL: Final = 5
"""The depth of :func:`_warn` below the caller of :func:`match`, whose line a warning names."""


def _count(
    played: Iterator[PlayedPair], tally: _Tally, on_pair: Callable[[Match], object] | None
) -> None:
    """Count all pairs, until there are no more or a test accepts a hypothesis."""
    try:
        for pair in played:
            had_repeats = tally.has_repeats
            first = tally.add(pair)
            if tally.has_repeats and not had_repeats:
                _warn(reason("match-repeats", pair=tally.pairs, first=first))
            if on_pair is not None:
                on_pair(cast(Match, tally.match))
            if tally.is_decided:
                return
    except NoOpeningError as error:
        _warn(error.reason)


def _warn(why: Reason) -> None:
    warnings.warn(MatchWarning(why), stacklevel=WARNING_LEVEL)


def _pairs(games: SupportsIndex) -> int:
    number = require_in_range(games, "games", MAX_GAMES)
    if number % 2:
        raise PonteError(f"games are played in pairs: {number} is not even")
    return number // 2


def _two(numbers: Two, name: str, problem: str) -> tuple[float, float] | None:
    """Return an argument that is a pair of numbers; *problem* has a place for their count."""
    if numbers is None:
        return None
    require_type(numbers, tuple, name)
    match [finite_number(each, f"{name}[{place}]") for place, each in enumerate(numbers)]:
        case [one, other]:
            return one, other
        case found:
            raise PonteError(problem.format(len(found)))
