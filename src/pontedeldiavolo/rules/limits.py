"""Limits of readers."""

from typing import ClassVar, Final, SupportsIndex, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.errors import PonteError, reason, require_type, whole_number
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board

# No "from __future__ import annotations": attrs copies the annotations of converters elsewhere.

MAX_TEXT: Final = 1_000_000
"""The maximum number of characters in a tag, a comment or an annotation; by default in a text."""

MAX_DEPTH: Final = 50
"""The maximum number of levels of variations within variations."""


def _limit(value: SupportsIndex | None, name: str, lowest: int = 0) -> int | None:
    if value is None:
        return None
    number = whole_number(value, name)
    if number < lowest:
        raise PonteError(reason("limit-value", name=name, lowest=lowest, number=number))
    return number


# Plain functions: type checkers do not recognise a converter that a call returns.


def _side(value: SupportsIndex | None) -> int | None:
    return _limit(value, "side", 1)


def _characters(value: SupportsIndex | None) -> int | None:
    return _limit(value, "characters")


def _games(value: SupportsIndex | None) -> int | None:
    return _limit(value, "games")


def _errors(value: SupportsIndex | None) -> int | None:
    return _limit(value, "errors")


def _depth(value: SupportsIndex | None) -> int | None:
    return _limit(value, "depth")


@final
@frozen(order=False)
class Limits(ImmutableValue):
    """Limits of a reader; ``None`` is unlimited.

    ``Limits()`` are the defaults, ``Limits.NONE`` has no limits. Functions that parse one value,
    such as :func:`parse_rules` and :func:`parse_state`, use only ``side`` and ``characters``;
    readers of JSON documents use ``depth`` as well.
    Regardless of the limits, no side of a board is longer than
    :attr:`Board.MAX_SIDE <pontedeldiavolo.Board.MAX_SIDE>`, and variations are nested at
    most 50 deep.

    >>> limits = pdd.Limits(characters=1_000, games=10)
    >>> (limits.side, limits.errors, limits.depth)
    (64, 1000, 50)
    >>> [error] = pdd.records.read("1. d4,g7 *", limits=pdd.Limits(side=8))
    >>> error.expected
    'a board of at most 8x8'

    Attributes:
        side: The maximum number of cells on a side of a board.
        characters: The maximum number of characters in a text; in a file, in each game. A longer
            game is not kept, and the error is reported as soon as the limit is exceeded. A function
            for one game then stops reading; a stream continues, on request, where the next game
            begins.
        games: The maximum number of games from one source, valid or not. Exceeding it ends
            reading with an error.
        errors: The maximum number of errors that are reported from one source: those yielded in
            place of games, and those in a lenient reader's list, together. Exceeding it ends
            reading with an error. Games that are skipped do not count.
        depth: The maximum nesting depth of variations.

    Raises:
        PonteError: If a limit is negative, or a side 0.
    """

    NONE: ClassVar["Limits"]

    side: int | None = field(default=Board.MAX_SIDE, converter=_side)
    characters: int | None = field(default=MAX_TEXT, converter=_characters)
    games: int | None = field(default=None, converter=_games)
    errors: int | None = field(default=1_000, converter=_errors)
    depth: int | None = field(default=MAX_DEPTH, converter=_depth)

    def for_rereading(self) -> "Limits":
        """Return limits for rereading games that were read under these and written again.

        The new text can be longer than the old one, because a writer writes every blank and the
        number of every turn. It has at most two and a half times as many characters and 1,000 more;
        on the usual boards, where turns have two digits, at most twice as many and 1,000 more. A
        store that keeps ``dumps(loads(upload, limits=limits))`` reads its games with
        ``limits.for_rereading()``.

        >>> pdd.Limits(characters=64_000).for_rereading().characters
        161000
        """
        if self.characters is None:
            return self
        return evolve(self, characters=self.characters * 5 // 2 + 1_000)


Limits.NONE = Limits(None, None, None, None, None)


def limits_or_default(limits: Limits | None) -> Limits:
    """Return *limits*, or the defaults for ``None``."""
    require_type(limits, (Limits, type(None)), "limits")
    return limits or Limits()


def exceeds(number: int, limit: int | None) -> bool:
    """Return whether a number exceeds a limit."""
    return limit is not None and number > limit
