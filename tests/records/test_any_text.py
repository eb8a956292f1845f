"""Records of any kind: long ones, broken ones, and ones made by hand."""

from __future__ import annotations

import time
from io import StringIO
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Game, records
from pontedeldiavolo.records import Record
from support.checks import wrong_type
from support.oracle_row import ACTIONS, MANY, OPENED, ROW_TEXT, RULES_TAG


def test_many_bad_games_are_skipped_in_reasonable_time() -> None:
    started = time.perf_counter()
    assert list(records.iter_games(StringIO('[Event "x"]\n?\n' * 5_000), "skip")) == []
    assert time.perf_counter() - started < 60


# Any text at all

PIECES = [
    RULES_TAG,
    ACTIONS,
    ROW_TEXT,
    MANY,
    OPENED,
    '[Event "x"]',
    '[Result "draw"]',
    '[Result "white"]',
    '[Termination "time"]',
    "\n",
    "\r\n",
    " ",
    "*",
    "draw",
    "white-wins",
    "first-wins",
    "pass",
    "white",
    "1.",
    "2...",
    "[",
    "]",
    '"',
    "\\",
    "\ufeff",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return records put together from pieces, some of them broken."""
    text = "".join(draw(st.lists(st.sampled_from(PIECES), max_size=8)))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 6)))
        piece = draw(st.sampled_from(PIECES) | st.text(max_size=2) | st.just(""))
        text = text[:start] + piece + text[stop:]
    return text


def read(text: str) -> Game | pdd.RecordError:
    """Return the game of a text, or the error that refuses it."""
    try:
        return records.loads(text)
    except pdd.RecordError as error:
        return error


@given(text=st.text() | mutated())
@example(text="\ufeff\ufeff")
@example(text="[")
@example(text="\r")
def test_any_text_is_a_game_or_refused(text: str) -> None:
    lines = text.split("\n")
    match read(text):
        case pdd.RecordError() as error:
            assert 1 <= error.line <= len(lines)
            assert 1 <= error.column <= len(lines[error.line - 1]) + 1
            assert error.expected
            assert error.number in (1, 2)
        case game:
            assert records.loads(records.dumps(game)) == game


@given(text=st.text() | mutated())
def test_any_stream_is_read_to_its_end(text: str) -> None:
    found = list(records.iter_records(StringIO(text)))
    assert [each.number for each in found] == list(range(1, len(found) + 1))
    games = list(records.iter_games(StringIO(text), "skip"))
    assert len(games) <= len(found)


def test_the_result_of_a_record_made_by_hand_is_held_against_the_board() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1)))
    tags, unfinished = Game.new().tags, pdd.Line()
    played_out = Game.new(start=start).play("pass").play("red").play("pass").line
    assert Record(start, tags, unfinished).game().result == "*"
    assert Record(start, tags, played_out).game().result == "draw"
    assert Record(start, tags, played_out, "draw").game().result == "draw"
    with pytest.raises(pdd.RecordError, match=r"the result '\*' of an unfinished board"):
        Record(start, tags, unfinished, "white").game()
    with pytest.raises(pdd.RecordError, match="the result 'draw', as the board has it"):
        Record(start, tags, played_out, "white").game()


def test_what_a_record_is_not_made_of() -> None:
    start, tags, line = pdd.GameState.initial(), pdd.Game.new().tags, pdd.Line()
    assert Record(start, tags, line).game() == Game.new()
    with pytest.raises(pdd.PonteError):
        Record(start, tags, line, "lost")
    parts: list[tuple[str, tuple[Any, Any, Any]]] = [
        ("start", ("x", tags, line)),
        ("tags", (start, None, line)),
        ("line", (start, tags, ())),
    ]
    for name, wrong in parts:
        with wrong_type(name):
            Record(*wrong)
    with wrong_type("result"):
        Record(start, tags, line, None)  # type: ignore[arg-type]
