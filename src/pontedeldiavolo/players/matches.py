"""Matches between two players, and their results."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Final, SupportsFloat, SupportsIndex, cast, final

from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import (
    PonteError,
    instance_of,
    reason,
    require_callable,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.players.pairing import MatchFolder, Pair, Pairing
from pontedeldiavolo.players.player import Clock, Player, in_range
from pontedeldiavolo.players.statistics import (
    SCORES,
    Counts,
    SequentialTest,
    elo_from_score,
    finite_number,
    likelihood_of_superiority,
    mean_score,
    score_interval,
)
from pontedeldiavolo.rules.rules import Rules

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
    return cast(Counts, tuple(whole_number(count, "an item of pairs") for count in counts))


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
        pairs: The number of pairs that were worth 0, 1/2, 1, 3/2 and 2 games to *a*; a draw is half
            a game.
        sprt: The state of the sequential test; ``None`` if there was none.

    Raises:
        PonteError: If the numbers contradict each other, or there is no game.
    """

    a: str = field(validator=instance_of(str))
    b: str = field(validator=instance_of(str))
    wins: int = field(converter=_wins)
    draws: int = field(converter=_draws)
    losses: int = field(converter=_losses)
    pairs: Counts = field(converter=_counts)
    sprt: SequentialTest | None = field(
        default=None, validator=optional(instance_of(SequentialTest))
    )

    def __attrs_post_init__(self) -> None:
        counts = (self.wins, self.draws, self.losses, *self.pairs)
        if len(self.pairs) != len(SCORES) or min(counts) < 0 or not sum(self.pairs):
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
        not reject, with the deviation under the fitted probabilities of each score. So it is never
        empty, and stays within 0 and 1: after *n* pairs that were all won, it goes from
        *n* / (*n* + 3.84) to 1.
        """
        return score_interval(self.pairs)

    @property
    def elo(self) -> float:
        """The difference in Elo at which :attr:`score` is expected.

        It is ``inf`` if all games were won, ``-inf`` if all were lost.
        """
        return elo_from_score(self.score)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % confidence interval of the difference in Elo.

        It is :attr:`score_interval` in Elo. Where all games were won, its upper end is ``inf``.
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
    """Play pairs of games between two players, and return the result of the first one.

    >>> greedy, chance = pdd.players.GreedyPlayer(), pdd.players.RandomPlayer()
    >>> pdd.players.match(greedy, chance, rules=pdd.Rules(pdd.Board(5, 5))).score > 0.5
    True

    Args:
        a: The player with the first seat in the first game of a pair.
        b: The other player.
        games: The largest number of games, which is even.
        rules: The rules; ``None`` for ``Rules()``.
        seed: The seed of all random numbers.
        processes: The number of processes; a script needs ``if __name__ == "__main__":`` then.
        sprt: Two differences in Elo: a test ends the match when it accepts one of them.
        folder: A folder to store the games; a match that was interrupted there is resumed.
        on_pair: Called after every pair with the result so far.
        clock: Seconds for each player, and those that each action adds; 50 milliseconds are grace.

    Raises:
        PonteError: If a number, the folder or a player for another process is not possible.
        PlayerError: If a player, but not an engine, fails or chooses something illegal.
    """
    pairing = _pairing(a, b, rules, seed, clock)
    require_callable(on_pair, "on_pair")
    pairs, count = _pairs(games), in_range(processes, "processes", MAX_PROCESSES)
    stored = None if folder is None else MatchFolder(folder, pairing)
    with closing(_played(pairing, pairs, count, stored)) as played:
        found = _result(played, (a.name, b.name), _test(sprt), on_pair)
    if stored is not None:
        stored.trim(found.games // 2)
    return found


def _pairing(
    a: Player,
    b: Player,
    rules: Rules | None,
    seed: SupportsIndex,
    clock: tuple[SupportsFloat, SupportsFloat] | None,
) -> Pairing:
    require_type(a, Player, "a")
    require_type(b, Player, "b")
    require_type(rules, (Rules, type(None)), "rules")
    rules, times = Rules() if rules is None else rules, _two(clock, "clock", "clock-not-two")
    if times is not None:
        # The clocks at the start of a game: it refuses what is no time.
        Clock(times[0], times[0], times[1])
    return Pairing(a, b, rules, whole_number(seed, "seed"), times)


def _result(
    played: Iterator[Pair],
    names: tuple[str, str],
    test: SequentialTest | None,
    on_pair: Callable[[Match], object] | None,
) -> Match:
    """Return the result after all pairs, or as soon as a test accepts a hypothesis."""
    results, counts = [0, 0, 0], [0] * len(SCORES)
    found: Match | None = None
    for first, second in played:
        halves = _halves(first.winning_seat, Seat.FIRST), _halves(second.winning_seat, Seat.SECOND)
        for each in halves:
            results[each] += 1
        counts[sum(halves)] += 1
        losses, draws, wins = results
        pairs = cast(Counts, tuple(counts))
        sprt = None if test is None else test.after(pairs)
        found = Match(*names, wins, draws, losses, pairs, sprt)
        if on_pair is not None:
            on_pair(found)
        if sprt is not None and sprt.accepted is not None:
            break
    # There is at least one pair.
    return cast(Match, found)


def _played(
    pairing: Pairing, pairs: int, processes: int, stored: MatchFolder | None
) -> Generator[Pair]:
    """Iterate over all pairs of a match, the stored ones and new ones."""
    numbers = range(1, pairs + 1)
    if stored is None:
        yield from _in_order(pairing, numbers, processes, lambda _number, _pair: None)
        return
    # With several processes some are over before an earlier one.
    left = [number for number in numbers if stored.pair(number) is None]
    with closing(_in_order(pairing, left, processes, stored.save)) as played:
        new = {*left}
        for number in numbers:
            yield next(played) if number in new else cast(Pair, stored.pair(number))


def _in_order(
    pairing: Pairing, pairs: Sequence[int], processes: int, keep: Callable[[int, Pair], object]
) -> Generator[Pair]:
    """Iterate over new pairs in the order of their numbers; each is kept as soon as it is over."""
    if processes == 1 or len(pairs) <= 1:
        for number in pairs:
            pair = pairing.play(number)
            keep(number, pair)
            yield pair
        return
    from pontedeldiavolo.players.workers import in_processes  # noqa: PLC0415 - browsers have none

    yield from in_processes(pairing, pairs, processes, keep)


def _halves(winner: Seat | None, seat: Seat) -> int:
    """Return the score of a seat in a game, in halves."""
    return 1 if winner is None else 2 * (winner is seat)


def _pairs(games: SupportsIndex) -> int:
    number = in_range(games, "games", MAX_GAMES)
    if number % 2:
        raise PonteError(reason("odd-games", games=number))
    return number // 2


def _test(sprt: tuple[SupportsFloat, SupportsFloat] | None) -> SequentialTest | None:
    elos = _two(sprt, "sprt", "sprt-not-two")
    return None if elos is None else SequentialTest(*elos)


def _two(
    numbers: tuple[SupportsFloat, SupportsFloat] | None, name: str, code: str
) -> tuple[float, float] | None:
    """Return an argument of two numbers."""
    if numbers is None:
        return None
    require_type(numbers, tuple, name)
    match [finite_number(each, f"an item of {name}") for each in numbers]:
        case [one, other]:
            return one, other
        case found:
            raise PonteError(reason(code, count=len(found)))
