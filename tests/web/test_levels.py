"""The levels of play are those whose steps were measured."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from typing import Any

import pytest
from tools import levels as tool

import pontedeldiavolo as pdd
from pontedeldiavolo.players.registry import by_name, parse_spec
from pontedeldiavolo.web.thinkers import LEVELS, MAX_SECONDS, Level
from support.paths import ROOT

MEASURED: Any = json.loads((ROOT / "docs" / "explanation" / "levels.json").read_text("utf-8"))


def test_the_page_shows_the_players_of_the_levels() -> None:
    assert MEASURED["players"] == {name: level.player for name, level in LEVELS.items()}
    assert MEASURED["seconds"] == MAX_SECONDS


def test_neighbouring_levels_were_measured() -> None:
    steps = {(row["weaker"], row["stronger"]) for row in MEASURED["rows"]}
    assert {*pairwise(LEVELS)} <= steps


@pytest.mark.parametrize("row", MEASURED["rows"], ids=itemgetter("weaker", "stronger"))
def test_a_stronger_level_wins_and_all_levels_build_islands(row: dict[str, Any]) -> None:
    assert row["won"] > row["lost"]
    assert min(row["islands"].values()) >= 2


@pytest.mark.parametrize("name", LEVELS)
def test_a_search_counts_simulations(name: str) -> None:
    level = LEVELS[name]
    spec = parse_spec(level.player)
    assert spec.options.get("simulations", 0) == level.simulations
    assert bool(level.needs) is bool(level.simulations)


def test_the_strongest_levels_have_the_opening_book() -> None:
    with_book = [name for name, level in LEVELS.items() if level.has_book]
    assert with_book == [*LEVELS][-2:]
    for name, level in LEVELS.items():
        options = dict(parse_spec(level.spec).options)
        assert ("book" in options) is level.has_book, name
        options.pop("book", None)
        assert options == parse_spec(level.player).options


def test_a_level_plays_from_the_book_at_once() -> None:
    pytest.importorskip("numba", reason="not installed: extra batch")
    level = LEVELS["level-9"]
    player = by_name(level.spec).for_game(3)
    state = pdd.GameState.initial()
    book = pdd.players.Book.bundled(state.rules)
    for _ in range(3):
        assert book.lookup(state)
        # A search would end at once, and choose another action.
        action = level.choose(player, state, lambda: False)
        assert action == player.choose(state)
        state = state.apply(action)


def test_the_page_on_matches_gives_an_engine_a_level() -> None:
    page = (ROOT / "docs" / "howto" / "match.md").read_text("utf-8")
    commands = re.findall(r'"external:./engine" (\S+) --games 100 --folder engine-(.+)', page)
    [(player, level)] = commands
    assert LEVELS[level].player == player


@pytest.fixture
def quick_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let two levels play fast on the default board."""
    quick = {"level-1": Level("random"), "level-2": Level("greedy:candidates=1")}
    monkeypatch.setattr(tool, "LEVELS", quick)


def written(folder: Path) -> dict[str, float]:
    """Return the time at which each file with games was written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("*/pair-*.pdd")}


@pytest.mark.usefixtures("quick_levels")
def test_a_measurement_keeps_the_games_of_an_earlier_run(tmp_path: Path) -> None:
    tool.measured("level-1", "level-2", 2, tmp_path)
    [(first, time)] = written(tmp_path).items()
    row = tool.measured("level-1", "level-2", 4, tmp_path)
    assert row["won"] + row["drawn"] + row["lost"] == 4
    later = written(tmp_path)
    assert len(later) == 2
    assert later[first] == time


@pytest.mark.usefixtures("quick_levels")
def test_a_measurement_refuses_games_that_are_played_differently_now(tmp_path: Path) -> None:
    tool.measured("level-1", "level-2", 2, tmp_path)
    [path] = tmp_path.glob("*/pair-000001.pdd")
    first, second = pdd.records.iter_games(path)
    tags = dict(first.tags)
    begun = pdd.Game.from_actions(first.rules, first.actions[:10], tags=tags)
    pair = (begun.resign(pdd.Seat.FIRST), second)
    path.write_text("\n".join(map(pdd.records.dumps, pair)), "utf-8")
    with pytest.raises(SystemExit, match="an earlier version"):
        tool.measured("level-1", "level-2", 4, tmp_path)
