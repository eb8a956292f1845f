"""Keeping within limits: how many games and errors there are, and what an error holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from json import JSONDecodeError
from typing import Final, TypeVar, cast, final

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import NotationError, RecordError
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.reason import Reason, reason

T = TypeVar("T")
Place = tuple[int, int]
"""A line and a column, both from 1."""

EXCERPT: Final = 200
"""How many characters around a fault an error keeps."""


def limits_or_default(limits: Limits | None) -> Limits:
    """Return the limits that hold.

    Raises:
        TypeError: If *limits* is neither a :class:`Limits` nor ``None``.
    """
    require_type(limits, (Limits, type(None)), "limits")
    return limits or Limits()


def exceeds(number: int, limit: int | None) -> bool:
    """Tell whether a number is above a limit, if there is one."""
    return limit is not None and number > limit


def kept(error: RecordError) -> RecordError:
    """Return an error without what nobody wants to keep: tracebacks, and the whole of a text."""
    each: BaseException = error
    while True:
        each.__traceback__ = each.__context__ = None
        cause = each.__cause__
        if isinstance(cause, NotationError):
            cause = _shortened(cause)
        elif isinstance(cause, JSONDecodeError):
            # It has the whole text as well, and says no more than the error around it.
            cause = None
        if cause is not each.__cause__:
            each.__cause__ = cause
        if cause is None:
            return error
        each = cause


def _shortened(error: NotationError) -> NotationError:
    """Return an error with no more of its text than there is around the fault."""
    if len(error.text) <= EXCERPT:
        return error
    start = max(0, min(error.offset - EXCERPT // 2, len(error.text) - EXCERPT))
    short = NotationError(error.text[start : start + EXCERPT], error.offset - start, error.reason)
    short.__cause__ = error.__cause__
    return short


@final
class Faults:
    """A reader's list of what is wrong, no longer than is allowed.

    Attributes:
        is_full: Whether there was more.
    """

    def __init__(self, errors: list[RecordError], most: int | None) -> None:
        self.is_full: bool = False
        self._errors = errors
        self._most = most
        self._count = 0

    @classmethod
    def of(cls, errors: list[RecordError] | Faults | None, limits: Limits) -> Faults | None:
        """Return what puts errors on a list; ``None`` without one."""
        return cls(errors, limits.errors) if isinstance(errors, list) else errors

    def __len__(self) -> int:
        return self._count

    def append(self, error: RecordError) -> None:
        """Put an error on the list.

        Raises:
            RecordError: If there are as many as is allowed.
        """
        if exceeds(self._count + 1, self._most):
            self.is_full = True
            raise _too_many_errors((error.line, error.column), self._most, error.number)
        self._count += 1
        self._errors.append(kept(error))


def over(limit: str, most: int | None) -> Reason:
    """Return the reason why a stream ends where there would be more *games* or *errors*."""
    most = cast(int, most)
    return reason("limit", limit=reason(f"most-{limit}", most=most), most=most)


def _too_many_errors(place: Place, most: int | None, number: int) -> RecordError:
    return RecordError(*place, over("errors", most), number)


def bounded(
    found: Iterable[tuple[Place, T | RecordError]],
    limits: Limits,
    faults: Faults | None = None,
    on_error: str | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over what was found, as far as limits go.

    Args:
        found: What was found, and where it begins.
        limits: The limits. What ends the stream early is the last error.
        faults: A lenient reader's list.
        on_error: What is done with bad games; ``None`` if they are handed on. Otherwise the last
            error is raised, and bad games that are left out are not counted.

    Raises:
        RecordError: If more would be read than is allowed, and *on_error* is not ``None``.
    """
    errors = 0
    for number, (place, result) in enumerate(found, 1):
        last: RecordError | None = None
        if exceeds(number, limits.games):
            last = RecordError(*place, over("games", limits.games), number)
        elif isinstance(result, RecordError):
            errors += on_error is None
            if faults is not None and faults.is_full:
                last = kept(result)
            elif exceeds(errors, limits.errors):
                last = _too_many_errors(place, limits.errors, number)
            else:
                kept(result)
        if last is None:
            yield result
        elif on_error is None:
            yield last
            return
        else:
            raise last
