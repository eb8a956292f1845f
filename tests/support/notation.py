"""Parsers of texts, how to ask what they refuse, and states with their texts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Color, GameState, Rules
from support.checks import marked
from support.diagrams import state_of

Parser = Callable[[str], object]
Writer = Callable[[Any], str]


def check(parse: Parser, text: str, expected: str) -> None:
    """Check that a text is refused where it is marked, and the expectation there."""
    text, offset = marked(text)
    with pytest.raises(pdd.NotationError) as caught:
        parse(text)
    error = caught.value
    assert (error.text, error.offset, error.expected) == (text, offset, expected)


_FREE = "tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
STATES = [
    (
        GameState.initial(Rules(Board(3, 2), 4, 2, ())),
        "3x2 tiles=4 bridges=2 tiebreaks=none rows=3/3 built=- phase=opening to-move=white white=-",
    ),
    (
        state_of("2 w . r\n1 . . .", Color.RED, white_owner=pdd.Seat.SECOND),
        f"3x2 {_FREE} rows=w1r/3 built=- phase=play to-move=red white=second",
    ),
    (
        state_of("3 w . w\n2 . . .\n1 r . r\nbridges a3-c3 a1-c1"),
        f"3x3 {_FREE} rows=w1w/3/r1r built=a1-c1,a3-c3 phase=play to-move=white white=first",
    ),
    (
        state_of("w . w", phase=pdd.Phase.COLOR_CHOICE),
        f"3x1 {_FREE} rows=w1w built=- phase=color-choice to-move=- white=-",
    ),
    (
        state_of("w r w r", phase=pdd.Phase.OVER),
        f"4x1 {_FREE} rows=wrwr built=- phase=over to-move=- white=first",
    ),
    (
        state_of("w r w r", Color.RED, phase=pdd.Phase.LAST_TURN),
        f"4x1 {_FREE} rows=wrwr built=- phase=last-turn to-move=red white=first",
    ),
]
