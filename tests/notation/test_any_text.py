"""Texts of any kind: only strings are read, long ones are refused at once, and none does harm."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.notation import STATES, Parser, Writer

TEN_MILLION = 10_000_000
PARSERS: dict[Parser, Writer] = {
    pdd.parse_cell: pdd.format_cell,
    pdd.parse_action: pdd.format_action,
    pdd.parse_rules: pdd.format_rules,
    pdd.parse_state: pdd.format_state,
    pdd.parse_setup: pdd.format_setup,
}


# Hostile texts

LONG: dict[str, Callable[[], str]] = {
    "letters": lambda: "a" * TEN_MILLION,
    "digits": lambda: "1" * TEN_MILLION,
    "nines after a letter": lambda: "a" + "9" * TEN_MILLION,
    "zeros after a letter": lambda: "a" + "0" * TEN_MILLION,
    "blanks": lambda: " " * TEN_MILLION,
    "lines": lambda: "\n" * TEN_MILLION,
    "blanks and then a word": lambda: " " * TEN_MILLION + "nothing",
    "an action and blanks": lambda: "a1,b2" + " " * TEN_MILLION + ",",
    "actions": lambda: "a1,b2" * (TEN_MILLION // 5),
    "slashes": lambda: "1x64 tiles=1 bridges=1 tiebreaks=none rows=" + "1/" * (TEN_MILLION // 2),
    "a supply": lambda: "10x10 tiles=" + "1" * TEN_MILLION,
    "tie-breaks": lambda: "10x10 tiles=40 bridges=15 tiebreaks=" + "islands," * (TEN_MILLION // 8),
    "rows": lambda: ".\n" * (TEN_MILLION // 2),
    "a row": lambda: "." * TEN_MILLION,
    "lists of nothing": lambda: ".\n" + "white\n" * 100_000 + "black",
    "emoji": lambda: "\U0001f309" * (TEN_MILLION // 4),
    "nul": lambda: "\x00" * TEN_MILLION,
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_refused_at_once(name: str) -> None:
    text = LONG[name]()
    started = time.perf_counter()
    for parse in PARSERS:
        with pytest.raises(pdd.NotationError) as caught:
            parse(text)
        assert len(str(caught.value)) < 1000
    assert time.perf_counter() - started < 60


# Any text at all

ALPHABET = (
    "abcwrxz.,-=/ 0123456789\n\tABW\u212a\uff11\x00passwhiteredtilesbridgesrowsbuiltunlimited"
)

VALID = [
    "c4",
    "a1,b2",
    "a1-c2",
    "white",
    "pass",
    "10x10 tiles=40 bridges=15 tiebreaks=islands,bridges",
    *(text for _, text in STATES),
    "3 w . w\n2 . . .\n1 r . x\n  a b c\nbridges a1-c1 a3-c3\nwhite z9\nred b4",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return valid texts with a few pieces changed, doubled, dropped or swapped."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 4)))
        piece = draw(
            st.one_of(
                st.text(ALPHABET, max_size=3),
                st.text(max_size=2),
                st.sampled_from(VALID),
                st.just(text[start:stop] * 2),
            )
        )
        text = text[:start] + piece + text[stop:]
    return text


def read(parse: Parser, text: str) -> object:
    """Return what a text means, or the error that refuses it."""
    try:
        return parse(text)
    except (pdd.NotationError, pdd.InvalidPositionError) as error:
        return error


@pytest.mark.parametrize("parse", PARSERS)
@given(text=st.text() | st.text(ALPHABET) | mutated())
@example(text="")
@example(text="\ud800")
def test_any_text_is_read_or_refused(parse: Parser, text: str) -> None:
    match read(parse, text):
        case pdd.NotationError() as error:
            assert error.text == text
            assert 0 <= error.offset <= len(text)
            assert error.expected
        case pdd.InvalidPositionError() as error:
            assert parse is pdd.parse_state
            assert error.faults
        case value:
            assert parse(PARSERS[parse](value)) == value
