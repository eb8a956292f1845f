"""``perft``: counts of action sequences."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.commands import TERMINAL, invoke, lines_of
from support.diagrams import state_of
from support.games import SMALL


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
    assert lines_of(invoke("perft", "--rules", SMALL, "--depth", "1"))[1].split() == [
        "1",
        "120",
        "0.000",
        "-",
    ]


def test_perft_shows_its_progress_on_terminals() -> None:
    result = invoke("perft", "--rules", SMALL, "--depth", "2", env=TERMINAL)
    assert "depth 2" in result.stdout
    assert "depth 2" not in invoke("perft", "--rules", SMALL, "--depth", "2").stdout
