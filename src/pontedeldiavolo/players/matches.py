"""Matches between two players, and their statistics: pentanomial results, Elo, a sequential test.

Two games with exchanged seats are not independent: a start that favours a seat helps each player
once. Only pairs of games are independent. A pair gives a player a score of 0, 1/4, 1/2, 3/4 or 1:
hence *pentanomial*.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from math import fsum, inf, isfinite, log, log10, sqrt
from statistics import NormalDist
from typing import Final, SupportsFloat, SupportsIndex, TypeAlias, cast, final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.rules.rules import Rules

from .pairing import MatchFolder, Pair, Pairing
from .player import Clock, Player, in_range

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
MAX_ELO: Final = 4000
"""The limit of hypotheses: the stronger player would lose one game in 10,000,000,000."""

_NORMAL: Final = NormalDist()
_QUANTILE: Final = _NORMAL.inv_cdf((1 + CONFIDENCE) / 2)
_ELO_SCALE: Final = 400.0
_BISECTIONS: Final = 60


def mean_score(counts: Sequence[int]) -> float:
    """Return the mean score of a pair."""
    return fsum(map(float.__mul__, SCORES, map(float, counts))) / sum(counts)


def fitted_probabilities(counts: Sequence[int], score: float) -> tuple[float, ...]:
    """Return the maximum likelihood probabilities of the five scores, given their mean.

    This is the empirical likelihood of Owen (1988) on all five scores: scores that were not
    observed also have a probability if the mean *score* is impossible without them.

    Args:
        counts: The number of pairs with each score.
        score: The mean, above 0 and below 1.
    """
    multiplier, total = _lagrange_multiplier(counts, score), sum(counts)
    pairs = zip(SCORES, counts, strict=True)
    found = [n / total / (1 + multiplier * (value - score)) if n else 0.0 for value, n in pairs]
    # If no multiplier gives that mean with the observed scores, an extreme score gets the rest.
    found[0 if multiplier > 0 else -1] += max(0.0, 1 - fsum(found))
    return tuple(found)


def _lagrange_multiplier(counts: Sequence[int], score: float) -> float:
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
        inside, outside = (middle, outside) if is_inside(middle) else (inside, middle)
    return inside, outside


def log_likelihood(counts: Sequence[int], score: float) -> float:
    """Return the maximum log-likelihood of *counts*, given their mean."""
    found = fitted_probabilities(counts, score)
    return fsum(count * log(each) for count, each in zip(counts, found, strict=True) if count)


def z_score(counts: Sequence[int], score: float) -> float:
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


def score_interval(counts: Sequence[int]) -> tuple[float, float]:
    """Return the 95 % confidence interval of the score.

    It contains the scores that a test at the 5 % level does not reject: Wilson's (1927) interval,
    with the five scores of a pair in place of his two.
    """
    mean = mean_score(counts)

    def is_inside(score: float) -> bool:
        return abs(z_score(counts, score)) < _QUANTILE

    low, high = (end if mean == end else _bisected(mean, end, is_inside)[0] for end in (0.0, 1.0))
    return low, high


def likelihood_of_superiority(counts: Sequence[int]) -> float:
    """Return the likelihood of superiority of the player, from 0 to 1."""
    return _NORMAL.cdf(z_score(counts, 0.5))


def finite_number(value: SupportsFloat, name: str) -> float:
    """Return *value* as a finite ``float``."""
    number = errors.real_number(value, name)
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
            values = {"elo0": f"{self.elo0:g}", "elo1": f"{self.elo1:g}"}
            raise PonteError(reason("elo0-not-below-elo1", **values))

    @property
    def accepted(self) -> float | None:
        """The accepted hypothesis, *elo0* or *elo1*; ``None`` while the test is undecided."""
        if abs(self.llr) < BOUND:
            return None
        return self.elo1 if self.llr > 0 else self.elo0

    def after(self, pairs: tuple[SupportsIndex, ...]) -> SequentialTest:
        """Return the test after pairs of games, counted by score as in ``Match.pairs``.

        >>> pdd.players.SequentialTest(elo0=0, elo1=100).after((1, 0, 9, 2, 20)).accepted
        100.0

        Raises:
            PonteError: If there are not five numbers of pairs.
        """
        counts, elos = _counts(pairs), (self.elo0, self.elo1)
        low, high = (log_likelihood(counts, score_from_elo(elo)) for elo in elos)
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
        raise PonteError(reason("match-counts"))
    return cast(Counts, found)


@final
@frozen(order=False)
class Match(ImmutableValue):
    """The result of a match, from the point of view of its first player *a*.

    The statistics count pairs of games with exchanged seats, because the two games of a pair need
    not be independent.

    >>> result = pdd.players.Match("a", "b", wins=12, draws=2, losses=6, pairs=(1, 0, 4, 2, 3))
    >>> result.games, result.score, round(result.elo)
    (20, 0.65, 108)
    >>> [round(elo) for elo in result.interval]
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

    def __attrs_post_init__(self) -> None:
        if min(self.wins, self.draws, self.losses) < 0:
            raise PonteError(reason("match-counts"))
        halves = sum(half * count for half, count in enumerate(self.pairs))
        if 2 * sum(self.pairs) != self.games or halves != 2 * self.wins + self.draws:
            raise PonteError(reason("match-sums"))

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
        is never empty, and stays within 0 and 1: after *n* pairs that were all won, it goes from
        *n* / (*n* + 3.84) to 1.
        """
        return score_interval(self.pairs)

    @property
    def elo(self) -> float:
        """The Elo difference at which :attr:`score` is expected.

        It is ``inf`` if all games were won, ``-inf`` if all were lost.
        """
        return elo_from_score(self.score)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the Elo difference.

        It is :attr:`score_interval` in Elo. If all games were won, its upper end is ``inf``.
        """
        low, high = self.score_interval
        return elo_from_score(low), elo_from_score(high)

    @property
    def los(self) -> float:
        """The likelihood of superiority: that *a* is the better player, from 0 to 1."""
        return likelihood_of_superiority(self.pairs)


def match(
    a: Player,
    b: Player,
    games: SupportsIndex = 100,
    *,
    rules: Rules | None = None,
    seed: SupportsIndex = 0,
    processes: SupportsIndex = 1,
    sprt: tuple[SupportsFloat, SupportsFloat] | None = None,
    folder: str | os.PathLike[str] | None = None,
    on_pair: Callable[[Match], object] | None = None,
    clock: tuple[SupportsFloat, SupportsFloat] | None = None,
) -> Match:
    """Play pairs of games between two players, and return the result from the view of *a*.

    >>> greedy, chance = pdd.players.GreedyPlayer(), pdd.players.RandomPlayer()
    >>> pdd.players.match(greedy, chance, rules=pdd.Rules(pdd.Board(5, 5))).score > 0.5
    True

    Args:
        a: The player with the first seat in the first game of a pair.
        b: The other player.
        games: The maximum number of games, which must be even.
        rules: The rules; ``None`` for ``Rules()``.
        seed: The seed of all random numbers.
        processes: The number of processes; several need ``if __name__ == "__main__":``.
        sprt: Two Elo differences: a sequential test ends the match when it accepts one of them.
        folder: A folder to store the games; an interrupted match in this folder is resumed.
        on_pair: Called after every pair with the result so far.
        clock: Seconds for each player, and the increment for each action (with 50 ms of grace).

    Raises:
        PonteError: If a number or the folder is invalid, or a player cannot be pickled for another
            process.
        PlayerError: If a player, but not an engine, fails or chooses something illegal.
    """
    pairing = _pairing(a, b, rules, seed, clock)
    pairs, count = _pairs(games), in_range(processes, "processes", MAX_PROCESSES)
    errors.require_optional_callable(on_pair, "on_pair")
    return _result(pairing, (pairs, count), sprt, on_pair, folder)


Two: TypeAlias = tuple[SupportsFloat, SupportsFloat] | None
"""An optional pair of numbers."""


def _pairing(a: Player, b: Player, rules: Rules | None, seed: SupportsIndex, clock: Two) -> Pairing:
    require_type(a, Player, "a")
    require_type(b, Player, "b")
    require_type(rules, (Rules, type(None)), "rules")
    times = _two(clock, "clock", "clock-not-two")
    if times is not None:
        # The clock at the start of a game: this refuses invalid times.
        Clock(times[0], *times)
    return Pairing(a, b, rules or Rules(), whole_number(seed, "seed"), times)


def _result(
    pairing: Pairing,
    numbers: tuple[int, int],
    sprt: Two,
    on_pair: Callable[[Match], object] | None,
    folder: str | os.PathLike[str] | None,
) -> Match:
    """Return the result after all pairs, or as soon as a test accepts a hypothesis.

    *numbers* are the number of pairs and the number of processes.
    """
    require_type(folder, str | os.PathLike | None, "folder")
    elos = _two(sprt, "sprt", "sprt-not-two")
    start = None if elos is None else SequentialTest(*elos)
    stored = None if folder is None else MatchFolder(folder, pairing)
    results, counts = [0, 0, 0], [0] * len(SCORES)
    names = pairing.a.name, pairing.b.name
    found: Match | None = None
    with closing(_played(pairing, *numbers, stored)) as played:
        for halves in played:
            for each in halves:
                results[each] += 1
            counts[sum(halves)] += 1
            pairs = cast(Counts, tuple(counts))
            test = None if start is None else start.after(pairs)
            losses, draws, wins = results
            found = Match(*names, wins, draws, losses, pairs, test)
            if on_pair is not None:
                on_pair(found)
            if test is not None and test.accepted is not None:
                break
    # There is at least one pair.
    found = cast(Match, found)
    if stored is not None:
        stored.trim(found.games // 2)
    return found


def _played(
    pairing: Pairing, pairs: int, processes: int, stored: MatchFolder | None
) -> Generator[tuple[int, int]]:
    """Iterate over the scores of *a* in both games of every pair, stored or new."""
    numbers, known = range(1, pairs + 1), dict[int, tuple[int, int]]()
    if stored is not None:
        found = ((number, stored.pair(number)) for number in numbers)
        # Each file is read once; only the scores of its games stay in memory.
        known = {number: _halves(pair) for number, pair in found if pair is not None}
    # With several processes, pairs may be stored while an earlier one is missing.
    left = [number for number in numbers if number not in known]
    keep: Callable[[int, Pair], object] = (lambda *_: None) if stored is None else stored.save
    with closing(_in_order(pairing, left, processes, keep)) as played:
        for number in numbers:
            yield known[number] if number in known else _halves(next(played))


def _in_order(
    pairing: Pairing, pairs: Sequence[int], processes: int, keep: Callable[[int, Pair], object]
) -> Generator[Pair]:
    """Iterate over new pairs in the order of their numbers; store each as soon as it is over."""
    if processes > 1 and len(pairs) > 1:
        from .workers import in_processes  # noqa: PLC0415 - no processes in browsers

        yield from in_processes(pairing, pairs, processes, keep)
    else:
        for number in pairs:  # pragma: no branch - nobody asks for more after the last
            pair = pairing.play(number)
            keep(number, pair)
            yield pair


def _halves(pair: Pair) -> tuple[int, int]:
    """Return the scores of *a* in the games of a pair, in halves."""
    first, second = (
        1 if game.winning_seat is None else 2 * (game.winning_seat is seat)
        for game, seat in zip(pair, Seat, strict=True)
    )
    return first, second


def _pairs(games: SupportsIndex) -> int:
    number = in_range(games, "games", MAX_GAMES)
    if number % 2:
        raise PonteError(reason("odd-games", games=number))
    return number // 2


def _two(numbers: Two, name: str, code: str) -> tuple[float, float] | None:
    """Return an argument that is a pair of numbers."""
    if numbers is None:
        return None
    require_type(numbers, tuple, name)
    match [finite_number(each, f"{name}[{place}]") for place, each in enumerate(numbers)]:
        case [one, other]:
            return one, other
        case found:
            raise PonteError(reason(code, count=len(found)))
