"""Play the pairs of a match, or read them in its folder, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from typing import NamedTuple, Self

from pontedeldiavolo.base.enums import Seat

from .match_folder import MatchFolder
from .pairing import Pair, Pairing, pair_digest


class PlayedPair(NamedTuple):
    """The facts about a pair of games on which the result of a match depends.

    Attributes:
        halves: The scores of *a* in both games, in halves.
        digest: The digest of both games: copies have the same one.
    """

    halves: tuple[int, int]
    digest: bytes

    @classmethod
    def of(cls, pair: Pair) -> Self:
        """Return the part of two games on which the result depends."""
        return cls(_halves(pair), pair_digest(pair))


def played_pairs(
    pairing: Pairing, pairs: int, processes: int, stored: MatchFolder | None
) -> Generator[PlayedPair]:
    """Iterate over the pairs of a match, stored or new.

    Raises:
        NoOpeningError: If all openings are used up.
    """
    numbers = range(1, pairs + 1)
    known: dict[int, PlayedPair] = {}
    if stored is not None:
        for number in numbers:
            # Each file is read once; only the scores and the digest of its games stay in memory.
            pair = stored.pair(number)
            if pair is not None:
                known[number] = PlayedPair.of(pair)
    # Several processes may store later pairs before an earlier one.
    left = [number for number in numbers if number not in known]
    keep: Callable[[int, Pair], object] = (lambda *_: None) if stored is None else stored.save
    with closing(_in_order(pairing, left, processes, keep)) as played:
        for number in numbers:
            yield known[number] if number in known else PlayedPair.of(next(played))


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
