"""``moves`` and ``perft``: legal actions, why others are not, and counts of sequences."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.commands import TINY, invoke, lines_of
from support.diagrams import state_of
from support.games import SMALL


def test_moves_lists_some_of_each_kind() -> None:
    state = state_of("3 w . w\n2 . . .\n1 . . .")
    lines = lines_of(invoke("moves", pdd.format_state(state), "--limit", "2"))
    legal = state.legal_actions
    assert lines[:2] == [
        "Turn 2: White to move (player 1).",
        f"{len(legal)} legal actions in all.",
    ]
    pairs = list(legal.pairs)
    assert lines[2:6] == [
        f"{len(pairs)} pairs of tiles:",
        f"  {pdd.format_action(pairs[0])}",
        f"  {pdd.format_action(pairs[1])}",
        f"  ... and {len(pairs) - 2} more",
    ]
    assert lines[6:] == ["1 bridge:", "  a3-c3"]


def test_moves_can_list_all() -> None:
    listed = [line.strip() for line in lines_of(invoke("moves", "--rules", SMALL, "--all"))[3:]]
    state = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert listed == [pdd.format_action(action) for action in state.legal_actions]
    assert len(lines_of(invoke("moves", "--rules", SMALL))) == 3 + 20 + 1
    assert len(lines_of(invoke("moves", "--rules", SMALL, "--limit", "0"))) == 3 + 1
    assert len(lines_of(invoke("moves", "--limit", "9" * 30))) == 3 + 4950


def test_moves_of_other_kinds(record: Path) -> None:
    assert lines_of(invoke("moves", "d4,g7")) == [
        "Player 2 chooses a colour.",
        "2 legal actions in all.",
        "2 choices of a colour:",
        "  white",
        "  red",
    ]
    assert lines_of(invoke("moves", "--rules", TINY))[1:] == [
        "1 legal action in all.",
        "1 pass:",
        "  pass",
    ]
    assert lines_of(invoke("moves", record))[1:] == ["0 legal actions in all."]


def test_moves_of_the_end_of_a_record(archive: Path, record: Path) -> None:
    assert lines_of(invoke("moves", "--record", record)) == lines_of(invoke("moves", record))
    second = lines_of(invoke("moves", "--record", archive, "--game", "2"))
    with archive.open(encoding="utf-8") as file:
        game = list(pdd.records.iter_games(file))[1]
    assert second == lines_of(invoke("moves", pdd.format_state(game.state)))


# A diagram, a question, and how the two or three lines of the answer begin in each language.
EXPLAINED = [
    ("w . . .", "b1,C1", "b1,c1 is legal.|Both cells are free", "b1,c1 ist erlaubt.|Beide Felder"),
    ("w . . .", "d1", "d1 is legal.|The cell is free", "d1 ist erlaubt.|Das Feld"),
    ("w . w .", "a1-c1", "a1-c1 is legal.|Both ends", "a1-c1 ist erlaubt.|Beide E"),
    ("w", "pass", "pass is legal.|There is no", "pass ist erlaubt.|Es können keine zwei"),
    (
        *("w . . .", "a1,e1"),
        "a1,e1 is not legal.|Off the 4×1 board: e1.|Already taken by a tile: a1.",
        "a1,e1 ist nicht erlaubt.|Nicht auf dem 4×1-Brett: e1.|Schon mit einem Stein",
    ),
    (
        *("w . . .", "pass"),
        "pass is not legal.|Passing is not allowed while a legal pair of tiles exists.",
        "pass ist nicht erlaubt.|Passen ist nicht erlaubt, solange",
    ),
    (
        *("w . . .", "a1", "a1 is not legal.|Already taken by a tile: a1."),
        "a1 ist nicht erlaubt.|Schon mit einem Stein belegt: a1.",
    ),
]


@pytest.mark.parametrize(("diagram", "action", "english", "german"), EXPLAINED)
def test_moves_explains(diagram: str, action: str, english: str, german: str) -> None:
    state = pdd.format_state(state_of(diagram))
    status = 1 if "not legal" in english else 0
    for lang, expected in (("en", english), ("de", german)):
        lines = lines_of(invoke("moves", state, "--explain", action, "--lang", lang), status)
        for line, start in zip(lines, expected.split("|"), strict=True):
            assert line.startswith(start)


def test_moves_explains_the_choice_of_a_colour() -> None:
    assert lines_of(invoke("moves", "d4,g7", "--explain", "white")) == [
        "white is legal.",
        "White's first two tiles lie on the board, and the colour is chosen now.",
    ]
    assert lines_of(invoke("moves", "--explain", "white"), 1)[0] == "white is not legal."


def numbers(lines: list[str]) -> list[tuple[int, int]]:
    """Return the depths and counts of a table."""
    rows = [line.replace(",", "").split() for line in lines[1:]]
    return [(int(depth), int(count)) for depth, count, *_ in rows]


def test_perft_counts_per_depth() -> None:
    lines = lines_of(invoke("perft", "--rules", SMALL, "--depth", "3"))
    start = pdd.GameState.initial(pdd.parse_rules(SMALL))
    assert lines[0].split() == ["depth", "count", "seconds", "nodes/s"]
    assert numbers(lines) == [(depth, pdd.perft(start, depth)) for depth in (1, 2, 3)]
    assert numbers(lines_of(invoke("perft", "--depth", "0"))) == [(0, 1)]


def test_perft_divides() -> None:
    start = state_of("3 w . w\n2 . . .\n1 . . r", tiles=4)
    lines = lines_of(invoke("perft", pdd.format_state(start), "--depth", "2", "--divide"))
    divided = dict(line.split(": ") for line in lines[lines.index("") + 1 :])
    assert divided == {
        pdd.format_action(action): str(pdd.perft(start.apply(action), 1))
        for action in start.legal_actions
    }
    assert sum(map(int, divided.values())) == numbers(lines[:3])[-1][1]


def test_perft_of_a_finished_game(record: Path) -> None:
    assert numbers(lines_of(invoke("perft", record, "--depth", "2"))) == [(1, 0), (2, 0)]


def test_perft_needs_no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "perf_counter", lambda: 1.0)
    line = lines_of(invoke("perft", "--rules", SMALL, "--depth", "1"))[1]
    assert line.split() == ["1", "120", "0.000", "-"]
