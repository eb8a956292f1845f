"""Some files of Boardspace have a game twice: its record, and the raw history of it."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import boardspace
from support.boardspace_writer import OPENING, record, tiles
from support.checks import assert_games_or_errors, refused

NAME = "GN[PO-alice-bob-2017-04-06-1802]"
RECORD = record(*OPENING, *tiles(1, "R", "c3", "c5"), header=NAME)
HISTORY = (
    record(*OPENING, "1 Pick R; 1 Dropb C 3", header=NAME)[:-1]
    + """; P1[reset]
; P-1[Pop P1\\[7 Dropb C 3\\]]
; P-1[Pop P1\\[6 Pick R\\]]
; P-1[edit: P1\\[reset\\] deleted]
; P1[6 Pick R]
;
P0[time 0:27:24 ]
)"""
)
GAME = boardspace.loads(RECORD)
OTHER = record(*OPENING, header="GN[PO-alice-bob-2017-04-07-1805]")
UNNAMED, BEGUN = RECORD.replace(NAME, ""), RECORD.replace("Start P0", "Begin P0")
ONLY_GAME = "the end: one game was asked for"
NO_VALUE = "a value in brackets"
NO_WORD = "what a player does, such as 'Pick', 'Dropb' or 'Done'"


def found_in(text: str, limits: pdd.Limits | None = None) -> list[str]:
    """Return the expectation at each game of a file, nothing if the game is read."""
    found = boardspace.iter_results(text, limits=limits)
    return [getattr(each, "expected", "") for each in found]


@pytest.mark.parametrize("between", ["", "\n", " \n\n", "raw history:\n"])
def test_the_game_of_the_file_is_its_record(between: str, tmp_path: Path) -> None:
    text = f" {RECORD}{between}{HISTORY}\n \n"
    path = tmp_path / "game.sgf"
    path.write_text(text, "utf-8")
    assert boardspace.loads(text) == boardspace.load(path) == GAME
    assert list(boardspace.iter_games(text)) == list(records.read(path)) == [GAME]


def test_a_history_of_games_without_a_name() -> None:
    tags = {name: GAME.tags[name] for name in ("Site", "First", "Second")}
    assert boardspace.loads(UNNAMED + HISTORY.replace(NAME, "").lower()) == GAME.with_tags(tags)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        # A history counts neither as a game nor as an error.
        (f"{RECORD}\n{HISTORY}\n{HISTORY}\n{OTHER}\n{BEGUN}\n{RECORD}", ["", "", NO_WORD, ""]),
        (BEGUN + HISTORY, [NO_WORD]),
        # A history of no game is an error.
        (HISTORY, [NO_VALUE]),
        (OTHER + HISTORY, ["", NO_VALUE]),
        (RECORD + HISTORY.replace(NAME, ""), ["", NO_VALUE]),
        (UNNAMED + HISTORY, ["", NO_VALUE]),
        (RECORD + OTHER + HISTORY, ["", "", NO_VALUE]),
        # Only the root says whose history it is.
        (UNNAMED.replace("; P0[1", f"; {NAME}P0[1") + HISTORY, ["", NO_VALUE]),
        # What speaks of the site is a game.
        *(
            (RECORD + RECORD.replace("; P0[1", f"; {comment}P0[1"), ["", ""])
            for comment in ("C[P-1\\[Pop\\]]", "C[; P-1]", "N[P-1]")
        ),
    ],
)
def test_histories_among_games(text: str, found: list[str]) -> None:
    assert found_in(text) == found
    results = enumerate(boardspace.iter_results(text), 1)
    assert all(getattr(each, "number", number) == number for number, each in results)
    if NO_VALUE in found:
        refused(boardspace.loads, text)


def test_one_game_was_asked_for() -> None:
    error = refused(boardspace.loads, f"{RECORD}\n{HISTORY}\n{OTHER}")
    assert error.expected == ONLY_GAME


def test_a_game_that_is_too_long_has_no_history() -> None:
    long = RECORD.replace(NAME, NAME + f"C[{'x' * 2_000}]")
    found = found_in(long + HISTORY, pdd.Limits(characters=1_500))
    assert found == ["a game of at most 1,500 characters", NO_VALUE]


def test_histories_that_are_cut_off() -> None:
    for cut in range(0, len(HISTORY), 7):
        text = RECORD + HISTORY[:cut]
        assert_games_or_errors(boardspace.iter_results(text), text)
        assert next(boardspace.iter_results(text)) == GAME
