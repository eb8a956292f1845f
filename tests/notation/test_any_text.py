"""Long texts are refused at once; `tests/fuzz` has texts of any kind."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from support.notation import Parser, Writer

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
    for parse in PARSERS:
        with pytest.raises(pdd.NotationError) as caught:
            parse(text)
        assert len(str(caught.value)) < 1000
