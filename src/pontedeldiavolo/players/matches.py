"""Matches: who of two players is better, and how sure that is."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from typing import Final, SupportsFloat, SupportsIndex, cast

from pontedeldiavolo.base.checks import require_callable, require_type, whole_number
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.players.fixture import Fixture, Pair
from pontedeldiavolo.players.match_folder import MatchFolder
from pontedeldiavolo.players.match_result import Match, with_pair
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.sequential_test import SequentialTest, number_of
from pontedeldiavolo.rules.rules import Rules

MOST_GAMES: Final = 1_000_000
MOST_PROCESSES: Final = 1024


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
) -> Match:
    """Have two players play pairs of games, and return how that came out for the first one.

    Args:
        a: The one player, who has the first seat in the first game of a pair.
        b: The other.
        games: How many games to play at most: an even number.
        rules: The rules; ``None`` for ``Rules()``.
        seed: What all dice begin with.
        processes: How many to play in: each imports the script, which must be ready for that.
        sprt: Two differences in Elo: the match ends when a test knows which of them is true.
        folder: Where to keep the games; a match that has begun there goes on.
        on_pair: Is told how the match stands, after every pair.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If a number is out of range, the folder is one of another match, or a player
            cannot be sent to another process.
        PlayerError: If a player does not play by the rules.
        OSError: If something cannot be written in the folder.
    """
    fixture = _fixture(a, b, rules, seed)
    pairs, count, test = _pairs(games), _within(processes, "processes", MOST_PROCESSES), _test(sprt)
    with closing(_played(fixture, pairs, count, folder)) as played:
        return _result(played, (a.name, b.name), test, on_pair)


def _fixture(a: Player, b: Player, rules: Rules | None, seed: SupportsIndex) -> Fixture:
    require_type(a, Player, "a")
    require_type(b, Player, "b")
    require_type(rules, (Rules, type(None)), "rules")
    return Fixture(a, b, Rules() if rules is None else rules, whole_number(seed, "seed"))


def _result(
    played: Iterator[Pair],
    names: tuple[str, str],
    test: SequentialTest | None,
    on_pair: Callable[[Match], object] | None,
) -> Match:
    """Return how a match comes out that ends with its pairs, or when a test knows enough."""
    require_callable(on_pair, "on_pair")
    found: Match | None = None
    for first, second in played:
        worth = _halves(first.winning_seat, Seat.FIRST), _halves(second.winning_seat, Seat.SECOND)
        found = with_pair(found, names, worth, test)
        if on_pair is not None:
            on_pair(found)
        if found.sprt is not None and found.sprt.accepted is not None:
            break
    # There is one pair at least.
    return cast(Match, found)


def _played(
    fixture: Fixture, pairs: int, processes: int, folder: str | os.PathLike[str] | None
) -> Generator[Pair]:
    """Iterate over all pairs of a match: those that are kept, and those that are then played."""
    require_type(folder, (str, os.PathLike, type(None)), "folder")
    if folder is None:
        yield from _in_order(fixture, range(1, pairs + 1), processes)
        return
    kept, first = MatchFolder(folder, fixture), 1
    for pair in kept.pairs(pairs):
        first += 1
        yield pair
    left = range(first, pairs + 1)
    with closing(_in_order(fixture, left, processes)) as played:
        for number, pair in zip(left, played, strict=True):
            kept.save(number, pair)
            yield pair


def _in_order(fixture: Fixture, pairs: Sequence[int], processes: int) -> Generator[Pair]:
    """Iterate over pairs that are played, in the order of their numbers."""
    if processes == 1 or len(pairs) <= 1:
        yield from map(fixture.play, pairs)
        return
    from pontedeldiavolo.players.workers import in_processes  # noqa: PLC0415 - browsers have none

    yield from in_processes(fixture, pairs, processes)


def _halves(winner: Seat | None, seat: Seat) -> int:
    """Return what a game is worth to a seat, in halves of a win."""
    return 1 if winner is None else 2 * (winner is seat)


def _pairs(games: SupportsIndex) -> int:
    number = _within(games, "games", MOST_GAMES)
    if number % 2:
        raise PonteError(f"games are played in pairs: {number} is not even")
    return number // 2


def _within(value: SupportsIndex, name: str, most: int) -> int:
    number = whole_number(value, name)
    if not 1 <= number <= most:
        raise PonteError(f"{name} must be from 1 to {most:,}, not {number}")
    return number


def _test(sprt: tuple[SupportsFloat, SupportsFloat] | None) -> SequentialTest | None:
    if sprt is None:
        return None
    require_type(sprt, tuple, "sprt")
    elos = [number_of(elo, "an item of sprt") for elo in sprt]
    if len(elos) != 2:  # noqa: PLR2004 - a pair
        raise PonteError(f"sprt has two differences in Elo, not {len(elos)}")
    return SequentialTest(*elos)
