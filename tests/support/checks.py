"""Checks for values of many kinds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from enum import IntEnum
from functools import partial
from itertools import combinations
from operator import ge, gt, le, lt
from string import Formatter
from typing import Any, TypeVar

import pytest
from attrs import frozen

import pontedeldiavolo as pdd

E = TypeVar("E", bound=Exception)


def assert_in_order(items: Sequence[Any]) -> None:
    """Check every comparison between items in strictly ascending order."""
    backwards = items[::-1]
    assert sorted(backwards) == list(items)
    for one, other in combinations(items, 2):
        assert [compare(one, other) for compare in (lt, le, gt, ge)] == [True, True, False, False]
        assert [compare(other, one) for compare in (lt, le, gt, ge)] == [False, False, True, True]
    for item in items:
        assert [compare(item, item) for compare in (lt, le, gt, ge)] == [False, True, False, True]


def assert_same_legality(one: pdd.GameState, other: pdd.GameState) -> None:
    assert len(one.legal_actions) == len(other.legal_actions)
    assert list(one.legal_actions[:200]) == list(other.legal_actions[:200])
    assert one.legal_actions.first_tiles == other.legal_actions.first_tiles
    for color in pdd.Color:
        assert one.position.open_cells(color) == other.position.open_cells(color)
        assert one.position.open_bridges(color) == other.position.open_bridges(color)
    assert one.position.blocked == other.position.blocked


def assert_games_or_errors(results: Iterable[object], text: str) -> None:
    """Check that a reader yields games, and errors that say where they are in the text."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for result in results:
        if not isinstance(result, pdd.Game):
            assert isinstance(result, pdd.RecordError)
            assert 1 <= result.line <= len(lines)
            assert 1 <= result.column <= len(lines[result.line - 1]) + 1
            assert re.match(r"game \d+, line \d+, column \d+: expected ", str(result))


def marked(text: str) -> tuple[str, int]:
    """Return a text without the mark ‸, and the line and column of the mark."""
    before, mark, after = text.partition("‸")
    assert mark
    return before + after, len(before)


def told(error: object) -> tuple[int, int, int, str]:
    """Return the number of the game, the place and the message of an error."""
    assert isinstance(error, pdd.RecordError)
    return error.number, error.line, error.column, error.expected


def error_of(kind: type[E], call: Callable[..., object], *arguments: Any, **options: Any) -> E:
    """Return the error that a call raises."""
    with pytest.raises(kind) as caught:
        call(*arguments, **options)
    return caught.value


refused = partial(error_of, pdd.RecordError)
"""Return the error that a reader of records raises for a text."""


@contextmanager
def wrong_type(name: str) -> Iterator[None]:
    """Check that an argument of a wrong type is refused, with its name first in the error."""
    with pytest.raises(TypeError) as caught:
        yield
    assert re.match(f"'?{re.escape(name)}'? must be ", str(caught.value.args[0])), caught.value


def fields(template: str) -> set[str]:
    """Return the names of the values that a template uses."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@frozen
class Index:
    """An object with ``__index__`` that is not an int."""

    number: int

    def __index__(self) -> int:
        return self.number


class Small(IntEnum):
    """Members of an enum that are ints."""

    TWO = 2
