"""The short way to read an action of two cells, and the long one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.notation.actions import scan_action
from pontedeldiavolo.notation.scanner import Scanner
from pontedeldiavolo.records.parsing import plain_action

PIECES = st.sampled_from(("a1", "c4", "z9", "bl64", "bm1", "a65", "a100", "A1", ",", "-", "1", " "))


@given(st.text("ab19,- ") | st.lists(PIECES, max_size=5).map("".join), st.integers(0, 3))
def test_the_short_way_never_says_anything_else(text: str, offset: int) -> None:
    found = plain_action(text, offset)
    if found is not None:
        scanner = Scanner(text)
        scanner.offset = offset
        assert (scan_action(scanner), scanner.offset) == found


@pytest.mark.parametrize(
    ("text", "length"), [("a1,b2", 5), ("c4-a1 ", 5), ("bl64,a1!", 7), ("a1,a1", 5), ("b2,a1b", 5)]
)
def test_what_is_plain(text: str, length: int) -> None:
    assert plain_action(text) == (pdd.parse_action(text[:length]), length)


@pytest.mark.parametrize(
    "text", ["", "red", "a1", "a1, b2", "A1,b2", "a1,b100", "a1,b65", "a01,b2", "bm1,a1", "a1;b2"]
)
def test_what_is_not(text: str) -> None:
    assert plain_action(text) is None
