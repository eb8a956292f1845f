"""Checks that targets share: errors of readers, and agreement of two results."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

import pontedeldiavolo as pdd

T = TypeVar("T")

LONGEST_MESSAGE = 20_000
"""The maximum length of a message, which may list many faults but not repeat a long input."""


def attempt(call: Callable[[], T]) -> T | pdd.PonteError:
    """Return the result of a call or its ``PonteError``; no other error is allowed."""
    try:
        return call()
    except pdd.PonteError as error:
        check_error(error)
        return error


def check_error(error: pdd.PonteError) -> None:
    """Check that an error can be printed, stored and sent to another process."""
    agree("the error's length", 0 < len(str(error)) <= LONGEST_MESSAGE, expected=True)
    agree("a pickled error", told(pickle.loads(pickle.dumps(error))), told(error))


def told(result: object) -> object:
    """Return a comparable form of a result: for an error, its class and message."""
    if isinstance(result, pdd.PonteError):
        return type(result).__name__, str(result)
    if isinstance(result, list):
        return [told(each) for each in result]
    return result


def agree(what: str, found: object, expected: object) -> None:
    """Check that two results are equal."""
    if told(found) != told(expected):
        raise AssertionError(f"{what}: {told(found)!r:.2000} is not {told(expected)!r:.2000}")


def as_text(data: bytes) -> str:
    """Decode bytes; invalid UTF-8 becomes lone surrogates, which readers must accept."""
    return data.decode("utf-8", "surrogateescape")


def is_utf_8(text: str) -> bool:
    """Return whether a text has no lone surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
