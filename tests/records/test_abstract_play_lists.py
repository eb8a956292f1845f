"""Abstract Play's lists of moves become games."""

from __future__ import annotations

from io import StringIO

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.records import abstract_play
from support.abstract_play import finished, refused
from support.games import actions_of


@pytest.mark.parametrize(
    "text",
    [
        "d4,g7 c3,c5 e2,e9",
        "\ufeffd4,g7\nc3,c5\r\ne2,e9\n",
        "d4,g7, c3,c5, e2,e9",
        "D4,G7;C3,C5;E2,E9;",
        "1. d4 , g7  c3,c5 2... e9,e2",
        "size-10 d4,g7 red c3,c5 e2,e9",
    ],
)
def test_layouts_of_lists(text: str) -> None:
    game = abstract_play.loads(text)
    assert actions_of(game) == ["d4,g7", "red", "c3,c5", "e2,e9"]
    assert game.rules == pdd.presets.ABSTRACT_PLAY
    assert game.ending is None


def test_options_before_a_list() -> None:
    game = abstract_play.loads("size-12, PIED\nd4,g7 c3,l12")
    assert actions_of(game) == ["d4,g7", "white", "c3,l12"]
    assert game.rules == pdd.presets.ABSTRACT_PLAY_12
    assert actions_of(abstract_play.loads("pie-invoked size-8 d4,g7")) == ["d4,g7", "white"]
    assert actions_of(abstract_play.loads("d4,g7 white")) == ["d4,g7", "white"]


@pytest.mark.parametrize(
    ("word", "ending", "winner"),
    [
        ("resign", pdd.Ending.RESIGNATION, pdd.Seat.SECOND),
        ("timeout", pdd.Ending.TIME, pdd.Seat.SECOND),
        ("DRAW", pdd.Ending.AGREEMENT, None),
        ("abandoned", pdd.Ending.ADJUDICATION, None),
    ],
)
def test_words_at_the_end_of_a_list(word: str, ending: pdd.Ending, winner: pdd.Seat | None) -> None:
    game = abstract_play.loads(f"d4,g7 c3,c5 {word}")
    assert (game.ending, game.winning_seat) == (ending, winner)


def test_an_empty_line_separates_lists() -> None:
    text = "d4,g7\nc3,c5\n \n\nd4\n\t\nsize-8 a1,b1"
    first, second, third = abstract_play.iter_results(StringIO(text))
    assert isinstance(first, pdd.Game)
    assert isinstance(second, pdd.RecordError)
    assert (second.number, second.line, second.column) == (2, 5, 3)
    assert isinstance(third, pdd.Game)
    assert third.rules == pdd.presets.ABSTRACT_PLAY_8


@pytest.mark.parametrize(
    ("text", "expected", "column"),
    [
        ("d4", "',' or '-'", 3),
        ("d4 g7", "',' or '-'", 4),
        ("a1-c1-e5", "a blank after the move", 6),
        ("d4,g7c3,c5", "a blank after the move", 6),
        ("d4,g7 draw c3,c5", "the end after 'draw'", 12),
        ("d4,g7 d4,d5", "a legal action: Already taken by a tile: d4.", 7),
        ("size-9 d4,g7", "a move, or one of resign, timeout, draw, abandoned", 1),
        ("size-8 size-12 d4,g7", "one board only", 8),
        ("d4,g7 pied", "a move, or one of resign, timeout, draw, abandoned", 7),
        ("\u00a0", "a cell, 'white', 'red' or 'pass'", 1),
    ],
)
def test_lists_that_are_refused(text: str, expected: str, column: int) -> None:
    error = refused(text)
    assert (error.expected, error.line, error.column) == (expected, 1, column)


def test_a_word_after_a_played_out_list() -> None:
    moves = [move for each in finished()["moves"] for move in each]
    text = "size-8 pied " + " ".join(moves)
    assert abstract_play.loads(text).result == "red"
    assert refused(f"{text} resign").expected == "no word after the end of the game"
