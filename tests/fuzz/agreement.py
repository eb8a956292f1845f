"""Checks that all oracles share: a reader refuses, and two answers are the same."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

import pontedeldiavolo as pdd

T = TypeVar("T")

LONGEST_MESSAGE = 20_000
"""A message may list what is wrong with a whole board, but not repeat a text without end."""


def attempt(call: Callable[[], T]) -> T | pdd.PonteError:
    """Return what a call gives, or the error by which it refuses; no other error is allowed."""
    try:
        return call()
    except pdd.PonteError as error:
        check_error(error)
        return error


def check_error(error: pdd.PonteError) -> None:
    """Check that an error can be shown, kept and sent to another process."""
    agree("the error's length", 0 < len(str(error)) <= LONGEST_MESSAGE, expected=True)
    agree("a pickled error", told(pickle.loads(pickle.dumps(error))), told(error))


def told(result: object) -> object:
    """Return what of a result can be compared: of an error its class and what it says."""
    if isinstance(result, pdd.PonteError):
        return type(result).__name__, str(result)
    if isinstance(result, list):
        return [told(each) for each in result]
    return result


def agree(what: str, found: object, expected: object) -> None:
    """Check that two answers are the same."""
    if told(found) != told(expected):
        raise AssertionError(f"{what}: {told(found)!r:.2000} is not {told(expected)!r:.2000}")


def as_text(data: bytes) -> str:
    """Return bytes as text; what is not UTF-8 becomes lone surrogates, which readers must bear."""
    return data.decode("utf-8", "surrogateescape")


def is_utf_8(text: str) -> bool:
    """Tell whether a text came from bytes that are UTF-8."""
    return not any("\ud800" <= character <= "\udfff" for character in text)
