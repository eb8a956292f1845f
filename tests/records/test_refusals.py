"""Texts that are no record, and what is said about them."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from support.oracle_row import ACTIONS, OPENED, RULES_TAG, WON, WON_ACTIONS

NAME = "a tag's name: a letter, then letters, digits or '_'"
QUOTE_END = "'\"' to end the text, or one of the escapes \\\" and \\\\"
RESULTS = "one of 'white', 'red', 'first', 'second', 'draw', '*'"
ENDINGS = "one of 'scored', 'resignation', 'time', 'agreement', 'adjudication'"
CELL = "a cell such as 'c4'"
ACTION = "a cell, 'white', 'red' or 'pass'"

REFUSED: dict[str, tuple[str, int, int, str]] = {
    "nothing": ("", 1, 1, "a game"),
    "blanks": (" \n\t\r\n", 1, 1, "a game"),
    "only a byte order mark": ("\ufeff", 1, 1, "a game"),
    "a tag without a name": ("[]", 1, 2, NAME),
    "a tag with a name in quotes": ('["Event" "x"]', 1, 2, NAME),
    "a tag that begins with a digit": ('[1st "x"]', 1, 2, NAME),
    "a tag with an umlaut": ('[\u00dc "x"]', 1, 2, NAME),
    "a tag with a very long name": ("[" + "A" * 256 + ' "x"]', 1, 2, NAME),
    "a tag without a value": ("[Event]", 1, 7, "a blank and then a text in double quotes"),
    "a tag with a hyphen": ('[E-vent "x"]', 1, 3, "a blank and then a text in double quotes"),
    "a tag without quotes": ("\n\n[Event x]", 3, 8, "a text in double quotes"),
    "a tag in single quotes": ("[Event 'x']", 1, 8, "a text in double quotes"),
    "a tag that does not end": ('[Event "x', 1, 10, QUOTE_END),
    "a tag over two lines": ('[Event "x\ny"]', 1, 10, QUOTE_END),
    "an unknown escape": ('[Event "a\\n"]', 1, 10, QUOTE_END),
    "a control character": ('[Event "a\tb"]', 1, 8, "a text without control characters"),
    "a line separator": ('[Event "a\u2028"]', 1, 8, "a text without control characters"),
    "a lone surrogate": ('[Event "\ud800"]', 1, 8, "a text without control characters"),
    "a tag without a bracket": ('[Event "x"\n*', 1, 11, "']'"),
    "text after a value": ('[Event "x" y]', 1, 12, "']'"),
    "a tag twice": ('[Event "x"]\n[Event "y"]', 2, 2, "no second tag Event"),
    "rules twice": (f"{RULES_TAG}\n {RULES_TAG}", 2, 3, "no second tag Rules"),
    "rules with a side too long": ('[Rules "65x1"]', 1, 9, "a width from 1 to 64"),
    "rules that end too soon": ('[x "y"]\n[Rules "10x10"]', 2, 14, "a blank and then 'tiles='"),
    "an unknown result": ('[Result "1-0"]', 1, 10, RESULTS),
    "a result in capitals": ('[Result "White"]', 1, 10, RESULTS),
    "an unknown termination": ('[Termination "boredom"]', 1, 15, ENDINGS),
    "no action": ("?", 1, 1, ACTION),
    "nothing but a comment": ("{good}", 1, 1, "a game: a tag, an action or a result"),
    "half a pair": ("a1 white", 1, 4, "',' or '-'"),
    "a pair in the making": ("a1,\n\nwhite", 3, 1, "a column from a to bl"),
    "a row that is none": ("a1,b0", 1, 5, "a row from 1 to 64"),
    "actions without a blank": ("a1,b1c1,d1", 1, 6, "a blank after the action"),
    "a result without a blank": ("a1,b1*", 1, 6, "a blank after the action"),
    "a tag after an action": ('a1,b1 [Event "x"]', 1, 7, ACTION),
    "a turn number from 2": ("2. a1,b1", 1, 1, "turn number 1"),
    "a turn number left out": ("1. a1,b1 white 3. c1,d1", 1, 16, "turn number 2"),
    "a turn number for the choice": ("1. a1,b1 2. white", 1, 10, "turn number 1"),
    "turn number 0": ("0. a1,b1", 1, 1, "turn number 1"),
    "a turn number with a zero": (
        "01. a1,b1",
        1,
        1,
        "a turn's number without a leading zero",
    ),
    "a turn number out of order": ("99999999999. a1,b1", 1, 1, "turn number 1"),
    "a huge turn number": ("9" * 1000 + ". a1,b1", 1, 1, "a turn's number"),
    "a turn number without a dot": ("1 a1,b1", 1, 2, "'.'"),
    "a turn number alone": ("1. ", 1, 4, ACTION),
    "text after the result": ("a1,b1 * white", 1, 9, "the end"),
    "a longer word than the result": ("a1,b1 drawn", 1, 7, ACTION),
    "another result than the tag's": (
        '[Result "white"]\na1,b1 draw',
        2,
        7,
        "'white-wins', as the Result tag has it",
    ),
    "a nul": ("\x00", 1, 1, ACTION),
    "an emoji": ("a1,b1 \U0001f309", 1, 7, ACTION),
    "a byte order mark within a record": ("1. a1,b1\n\ufeffred", 2, 1, ACTION),
    "full-width digits": ("a\uff11,b1", 1, 2, "a row from 1 to 64"),
    "an illegal pair": (
        "1. a1,b1 red\n2. c1,b1",
        2,
        4,
        "a legal action: Already taken by a tile: b1.",
    ),
    "a cell off the board": ("k1,a1", 1, 1, "a legal action: Off the 10×10 board: k1."),
    "no choice": (
        "a1,b1 c1,d1",
        1,
        7,
        "a legal action: This cannot be done at this point of the game.",
    ),
    "a pass too early": (
        "a1,b1 red\npass",
        2,
        1,
        "a legal action: Passing is not allowed while a legal pair of tiles exists.",
    ),
    "an action after the end": (
        f"{RULES_TAG}\n{ACTIONS}\npass",
        3,
        1,
        "a legal action: The game is over.",
    ),
    "a wrong result of a finished board": (
        f'[Result "white"]{RULES_TAG}\n{ACTIONS}',
        1,
        10,
        "the result 'draw', as the board has it",
    ),
    "a wrong mark at the end of a finished board": (
        f"{RULES_TAG}\n{ACTIONS}\nred-wins",
        3,
        1,
        "the result 'draw', as the board has it",
    ),
    "a finished board as unfinished": (
        f"{RULES_TAG}\n{ACTIONS} *",
        2,
        41,
        "the result 'draw', as the board has it",
    ),
    "the losing seat as the winner": (
        f"{WON}{WON_ACTIONS} second-wins",
        2,
        39,
        "the result 'white', as the board has it",
    ),
    "a winner on an unfinished board": (
        f"{OPENED} white-wins",
        1,
        17,
        "the result '*' of an unfinished board, or a Termination tag",
    ),
    "a draw on an unfinished board": (
        f'[Result "draw"]\n{OPENED}',
        1,
        10,
        "the result '*' of an unfinished board, or a Termination tag",
    ),
    "scored, and not played out": (
        f'[Event "x"]\n[Termination "scored"]\n{OPENED}',
        2,
        15,
        "another termination: the game is not played out",
    ),
    "ended early, and played out": (
        f'{RULES_TAG}\n[Termination "time"]\n{ACTIONS}',
        2,
        15,
        "no termination but 'scored': the game is played out",
    ),
    "ended early without a result": (
        f'[Termination "time"]\n{OPENED}',
        1,
        15,
        "a result that goes with the Termination tag, not '*'",
    ),
    "ended early, and going on": (
        f'[Termination "time"]\n{OPENED} *',
        2,
        17,
        "a result that goes with the Termination tag, not '*'",
    ),
    "a colour before the choice": (
        '[Termination "resignation"]\na1,b1 white-wins',
        2,
        7,
        "'first' or 'second': no colours were chosen",
    ),
    "a colour before the first action": (
        '[Termination "resignation"][Result "red"]',
        1,
        37,
        "'first' or 'second': no colours were chosen",
    ),
    "a resignation that nobody wins": (
        f'[Termination "resignation"]\n{OPENED} draw',
        2,
        17,
        "another result: a resignation has a winner",
    ),
    "two games": ('*\n\n[Event "x"]\n*', 3, 1, "the end: one game was asked for"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_texts_that_are_no_game(name: str) -> None:
    text, line, column, expected = REFUSED[name]
    with pytest.raises(pdd.RecordError) as caught:
        records.loads(text)
    error = caught.value
    assert (error.line, error.column, error.expected) == (line, column, expected)
    assert error.number == (2 if name == "two games" else 1)


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        ("a1;b1", pdd.NotationError),
        ("[]", pdd.NotationError),
        ('[Rules "chess"]', pdd.NotationError),
        ("a1,a1", pdd.IllegalActionError),
        ('[Termination "resignation"]\ndraw', pdd.PonteError),
    ],
)
def test_the_cause_of_a_refusal_is_chained(text: str, cause: type[Exception]) -> None:
    with pytest.raises(pdd.RecordError) as caught:
        records.loads(text)
    assert isinstance(caught.value.__cause__, cause)


def test_rules_of_a_tag_with_an_escape_are_refused_like_others() -> None:
    with pytest.raises(pdd.RecordError) as caught:
        records.loads('[Rules "10x10 \\"tiles\\""]')
    assert (caught.value.line, caught.value.column) == (1, 15)
