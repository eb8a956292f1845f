"""The lists of errors that readers keep."""

from __future__ import annotations

from typing import Final, cast, final

from pontedeldiavolo.base.errors import NotationError, Reason, RecordError, reason
from pontedeldiavolo.rules.limits import Limits, exceeds
from pontedeldiavolo.rules.violations import NAMED, InvalidPositionError

Place = tuple[int, int]
"""A line and a column, both from 1."""

EXCERPT: Final = 60
"""The number of characters around a fault that an error keeps."""


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
