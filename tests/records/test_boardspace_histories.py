"""Some files of Boardspace have a game twice: its record, and the raw history of it."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import records
from pontedeldiavolo.records import boardspace
from support.boardspace_writer import record, tiles
from support.checks import assert_games_or_errors

OPENING = tiles(0, "W", "d5", "e7")
NAME = "GN[PO-alice-bob-2017-04-06-1802]"
RECORD = record(*OPENING, *tiles(1, "R", "c3", "c5"), header=NAME)
HISTORY = (
    record(*OPENING, "1 Pick R", "1 Dropb C 3", header=NAME)[:-1]
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


def results(text: str) -> list[pdd.Game | pdd.RecordError]:
    return list(boardspace.iter_results(StringIO(text)))


@pytest.mark.parametrize("between", ["", "\n", " \n\n", "raw history:\n"])
def test_the_game_of_the_file_is_its_record(between: str, tmp_path: Path) -> None:
    text = f" {RECORD}{between}{HISTORY}\n \n"
    assert boardspace.loads(text) == GAME
    assert boardspace.load(StringIO(text)) == GAME
    assert results(text) == [GAME]
    assert list(boardspace.iter_games(StringIO(text))) == [GAME]
    assert list(records.read(text)) == [GAME]
    path = tmp_path / "game.sgf"
    path.write_text(text, "utf-8")
    assert list(records.read(path)) == [GAME]


def test_a_history_does_not_count_as_a_game() -> None:
    bad = OTHER.replace("Start P0", "Begin P0")
    found = results(f"{RECORD}\n{HISTORY}\n{HISTORY}\n{OTHER}\n{bad}\n{RECORD}")
    assert [isinstance(each, pdd.Game) for each in found] == [True, True, False, True]
    assert isinstance(found[2], pdd.RecordError)
    assert found[2].number == 3
    with pytest.raises(pdd.RecordError, match="one game was asked for"):
        boardspace.loads(f"{RECORD}\n{HISTORY}\n{OTHER}")


def test_the_history_of_a_bad_record_is_no_game_either() -> None:
    (error,) = results(RECORD.replace("Start P0", "Begin P0") + HISTORY)
    assert isinstance(error, pdd.RecordError)
    assert error.expected == "what a player does, such as 'Pick', 'Dropb' or 'Done'"


def test_a_history_of_games_without_a_name() -> None:
    assert results(RECORD.replace(NAME, "") + HISTORY.replace(NAME, "").lower()) == [
        GAME.with_tags({name: GAME.tags[name] for name in ("Site", "First", "Second")})
    ]


@pytest.mark.parametrize(
    "text",
    [
        HISTORY,
        OTHER + HISTORY,
        RECORD + HISTORY.replace(NAME, ""),
        RECORD.replace(NAME, "") + HISTORY,
        RECORD + OTHER + HISTORY,
        # Only the root says whose history it is.
        RECORD.replace(NAME, "").replace("; P0[1", f"; {NAME}P0[1") + HISTORY,
    ],
)
def test_a_history_of_no_game_is_an_error(text: str) -> None:
    *games, error = results(text)
    assert all(isinstance(each, pdd.Game) for each in games)
    assert isinstance(error, pdd.RecordError)
    assert error.expected == "a value in brackets"
    with pytest.raises(pdd.RecordError):
        boardspace.loads(text)


@pytest.mark.parametrize("comment", ["C[P-1\\[Pop\\]]", "C[; P-1]", "N[P-1]"])
def test_what_speaks_of_the_site_is_a_game(comment: str) -> None:
    second = RECORD.replace("; P0[1", f"; {comment}P0[1")
    found = results(RECORD + second)
    assert [isinstance(each, pdd.Game) for each in found] == [True, True]


def test_a_game_that_is_too_long_has_no_history() -> None:
    long = RECORD.replace(NAME, NAME + f"C[{'x' * 2_000}]")
    limits = pdd.Limits(characters=1_500)
    found = list(boardspace.iter_results(StringIO(long + HISTORY), limits=limits))
    assert [getattr(each, "expected", None) for each in found] == [
        "a game of at most 1,500 characters",
        "a value in brackets",
    ]


def test_histories_that_are_cut_off() -> None:
    for cut in range(0, len(HISTORY), 7):
        text = RECORD + HISTORY[:cut]
        assert_games_or_errors(boardspace.iter_results(StringIO(text)), text)
        assert next(boardspace.iter_results(StringIO(text))) == GAME
