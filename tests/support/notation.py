"""What errors of notation say, in fragments, and how to ask for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Color, GameState, Rules
from support.diagrams import state_of

Parser = Callable[[str], object]


# Where and what: fragments that come back in many expectations

CELL = "a cell such as 'c4'"
COLUMN = "a column from a to bl"
ROW = "a row from 1 to 64"
ROW_ZERO = f"{ROW} without a leading zero"
ACTION = "a cell, 'white', 'red' or 'pass'"
BETWEEN = "',' or '-'"
END = "the end"


def check(parse: Parser, text: str, offset: int, expected: str) -> None:
    """Check that a text is refused, and how."""
    with pytest.raises(pdd.NotationError) as caught:
        parse(text)
    error = caught.value
    assert (error.text, error.offset, error.expected) == (text, offset, expected)


SIZE_OR_NAME = (
    "a board size such as '10x10', or one of original, boardspace, board-game-arena, "
    "brettspielnetz, your-turn-my-turn, wikipedia, abstract-play, abstract-play-8, "
    "abstract-play-12"
)

WIDTH, HEIGHT = "a width from 1 to 64", "a height from 1 to 64"

START = "10x10 tiles=40 bridges=15 tiebreaks="

TEN_MILLION = 10_000_000

STATES = [
    (
        GameState.initial(Rules(Board(3, 2), 4, 2)),
        (
            "3x2 tiles=4 bridges=2 tiebreaks=islands,bridges rows=3/3 built=- phase=opening"
            " to-move=white white=-"
        ),
    ),
    (
        state_of("2 w . r\n1 . . .", Color.RED, white_owner=pdd.Seat.SECOND),
        (
            "3x2 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=w1r/3 built=-"
            " phase=play to-move=red white=second"
        ),
    ),
    (
        state_of("3 w . w\n2 . . .\n1 r . r\nbridges a3-c3 a1-c1"),
        (
            "3x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=w1w/3/r1r"
            " built=a1-c1,a3-c3 phase=play to-move=white white=first"
        ),
    ),
    (
        state_of("w . w", phase=pdd.Phase.COLOR_CHOICE, tiebreaks=()),
        (
            "3x1 tiles=unlimited bridges=unlimited tiebreaks=none rows=w1w built=-"
            " phase=color-choice to-move=- white=-"
        ),
    ),
    (
        state_of("w r w r", phase=pdd.Phase.OVER),
        (
            "4x1 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=wrwr built=-"
            " phase=over to-move=- white=first"
        ),
    ),
    (
        state_of("w r w r", Color.RED, phase=pdd.Phase.LAST_TURN),
        (
            "4x1 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=wrwr built=-"
            " phase=last-turn to-move=red white=first"
        ),
    ),
]
