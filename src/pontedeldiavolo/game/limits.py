"""Limits of readers, and the lists of errors that readers keep."""

from typing import ClassVar, Final, SupportsIndex, cast, final

from attrs import evolve, field, frozen

from pontedeldiavolo.base.errors import (
    NotationError,
    PonteError,
    Reason,
    RecordError,
    reason,
    require_type,
    whole_number,
)
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.rules.violations import NAMED, InvalidPositionError

from .line import MAX_DEPTH
from .tags import MAX_TEXT

# No "from __future__ import annotations": attrs copies the annotations of converters elsewhere.


def _limit(value: SupportsIndex | None, name: str, lowest: int = 0) -> int | None:
    if value is None:
        return None
    number = whole_number(value, name)
    if number < lowest:
        raise PonteError(reason("limit-value", name=name, lowest=lowest, number=number))
    return number


# Written out: type checkers do not recognise a converter that a call returns.


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

    ``Limits()`` are the defaults, ``Limits.NONE`` has no limits.
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
        characters: The maximum number of characters in a game's text. A longer text is not kept,
            and the error is reported as soon as the limit is exceeded. A function for one game then
            stops reading; a stream continues, on request, where the next game begins.
        games: The maximum number of games from one source, valid or not. Exceeding it ends
            reading with an error.
        errors: The maximum number of errors from one source, also in a lenient reader's list.
            Exceeding it ends reading with an error.
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


Place = tuple[int, int]
"""A line and a column, both from 1."""

EXCERPT: Final = 60
"""The number of characters around a fault that an error keeps."""


def limits_or_default(limits: Limits | None) -> Limits:
    """Return *limits*, or the defaults for ``None``."""
    require_type(limits, (Limits, type(None)), "limits")
    return limits or Limits()


def exceeds(number: int, limit: int | None) -> bool:
    """Return whether a number exceeds a limit."""
    return limit is not None and number > limit


def trim_error(error: RecordError) -> RecordError:
    """Return an error without tracebacks and long texts, and with at most ten faults."""
    each: BaseException | None = error
    while each is not None:
        each.__traceback__ = None
        each.__context__ = None
        cause = each.__cause__
        if isinstance(cause, NotationError):
            cause = _shortened(cause)
            if isinstance(cause.__cause__, NotationError):
                # It repeats the fault, located within the text of a single tag or property.
                cause.__cause__ = None
        elif isinstance(cause, InvalidPositionError) and len(cause.violations) > NAMED:
            cause = InvalidPositionError(cause.violations[:NAMED])
        elif hasattr(cause, "doc"):
            # A JSONDecodeError keeps the whole text, and adds nothing to the error around it.
            cause = None
        if cause is not each.__cause__:
            each.__cause__ = cause
        each = cause
    return error


def _shortened(error: NotationError) -> NotationError:
    """Return an error with only the part of its text around the fault."""
    if len(error.text) <= EXCERPT:
        return error
    start = max(0, min(error.offset - EXCERPT // 2, len(error.text) - EXCERPT))
    short = NotationError(error.text[start : start + EXCERPT], error.offset - start, error.reason)
    short.__cause__ = error.__cause__
    return short


@final
class ErrorList:
    """The list of errors of a lenient reader, with a limit; a strict reader has no list.

    Attributes:
        count: The number of errors in the list.
        is_full: Whether there were more errors than the limit allows.
    """

    def __init__(self, errors: list[RecordError] | None, limits: Limits) -> None:
        self.count: int = 0
        self.is_full: bool = False
        self._errors = errors
        self._most = limits.errors

    def append(self, error: RecordError) -> None:
        """Append an error.

        Raises:
            RecordError: The error itself if there is no list, or another one if the list is full.
        """
        if self._errors is None:
            raise error
        if exceeds(self.count + 1, self._most):
            self.is_full = True
            raise too_many_errors((error.line, error.column), self._most, error.number)
        self.count += 1
        self._errors.append(trim_error(error))


STRICT: Final = ErrorList(None, Limits.NONE)
"""Raises every error."""


def limit_reason(limit: str, most: int | None) -> Reason:
    """Return the reason for ending a stream: too many *games* or *errors*."""
    most = cast(int, most)
    return reason("limit", limit=reason(f"most-{limit}", most=most), most=most)


def too_many_errors(place: Place, most: int | None, number: int) -> RecordError:
    """Return the error that ends a stream with more errors than the limit allows."""
    return RecordError(*place, limit_reason("errors", most), number)
