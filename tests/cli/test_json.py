"""The output of commands as JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.cli.match import _values
from support.commands import PAIR, TINY, invoke, value_of

FAULTY = "3 w . w .\n2 . . r .\n1 r r r r\nbridges a3-c3"


def test_show(record: Path) -> None:
    (game,) = pdd.records.iter_games(record)
    found = value_of(invoke("show", record, "--json"), "snapshot")
    assert found == pdd.json.snapshot(game)["value"]
    german = value_of(invoke("show", "--json", "--lang", "de"), "snapshot")
    start = pdd.json.snapshot(pdd.GameState.initial(), catalog="de")
    assert german == start["value"]


def test_faults_of_a_diagram() -> None:
    (fault,) = value_of(invoke("show", "-", "--json", keys=FAULTY), "violations")["violations"]
    assert (fault["code"], fault["cells"]) == ("group-too-large", ["a1", "b1", "c1", "d1", "c2"])
    assert fault["text"].startswith("This would make a group of 5 tiles")
    assert value_of(invoke("show", "-", "--json", keys="w . r"), "violations") == {"violations": []}


def test_moves() -> None:
    found = value_of(invoke("moves", "--json", "--limit", "2", "--rules", "4x4"), "moves")
    state = pdd.GameState.initial(pdd.parse_rules("4x4"))
    pairs = {"count": 120, "actions": ["a1,b1", "a1,c1"]}
    rest = {key: {"count": 0, "actions": []} for key in ("bridges", "choices", "passes")}
    assert found == {"state": pdd.format_state(state), "count": 120, "pairs": pairs, **rest}
    found = value_of(invoke("moves", "--json", "--all", "--rules", "4x4"), "moves")
    assert len(found["pairs"]["actions"]) == 120
    found = value_of(invoke("moves", "--json", "--rules", TINY), "moves")
    assert found["passes"] == {"count": 1, "actions": ["pass"]}


def test_explanations() -> None:
    legal = value_of(invoke("moves", "--json", "--explain", "a1,b1"), "explanation")
    assert legal == {"action": "a1,b1", "legal": True, "violations": []}
    result = invoke("moves", "--json", "--explain", "a1-c1", "--lang", "de")
    assert result.exit_code == 1
    (violation,) = value_of(result, "explanation")["violations"]
    assert violation["roles"] == {"end": ["a1", "c1"]}
    assert violation["text"].startswith("Kein eigener Stein")


def test_perft() -> None:
    found = value_of(invoke("perft", "--json", "--depth", "2", "--rules", PAIR), "perft")
    assert [each["count"] for each in found["depths"]] == [1, 2]
    assert all(each["seconds"] >= 0 for each in found["depths"])
    divided = invoke("perft", "--json", "--depth", "2", "--divide", "--rules", PAIR)
    assert value_of(divided, "perft")["divide"] == {"a1,b1": 2}


def test_validate(record: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pdd"
    missing = tmp_path / "missing.pdd"
    bad.write_text("1. d4,g7\nred 2. d4,a1 *", "utf-8")
    result = invoke("validate", "--json", record, bad, missing)
    assert result.exit_code == 2
    found = value_of(result, "validation")
    assert [found[name] for name in ("unreadable", "games", "bad")] == [1, 1, 1]
    assert [each["verdict"] for each in found["files"]] == ["good", "bad", "unreadable"]
    illegal, unread = found["faults"]
    place = {"file": str(bad), "game": 1, "line": 2, "column": 8, "code": "legal-action"}
    assert {name: illegal[name] for name in place} == place
    assert illegal["text"].startswith("Game 1, line 2, column 8: expected a legal action")
    assert unread == {"file": str(missing), "text": f"Error: {missing}: no such file or directory"}


def test_match() -> None:
    words = ("match", "greedy", "random", "--games", "2", "--rules", PAIR, "--json")
    found = value_of(invoke(*words, "--sprt", "0,50"), "match")
    assert (found["a"], found["b"], found["games"]) == ("greedy", "random", 2)
    assert (found["wins"], found["draws"], found["score"]) == (0, 2, 0.5)
    assert found["elo"] == 0
    assert found["sprt"]["accepted"] is None
    assert found["distinct"] == 1
    # The match has no sequential test, and an infinite Elo difference.
    lost = pdd.players.Match("a", "b", wins=0, draws=0, losses=2, pairs=(1, 0, 0, 0, 0))
    assert (_values(lost)["elo"], _values(lost)["sprt"]) == (None, None)
    assert _values(lost)["score_interval"] == [*lost.score_interval]
    assert _values(lost)["elo_interval"] == [None, lost.elo_interval[1]]
    attributes = ("games", "score", "los", "elo", "score_interval", "elo_interval", "pairs", "sprt")
    assert {*attributes} <= {*found}


@pytest.mark.usefixtures("thinker")
def test_analyse(archive: Path) -> None:
    archive.write_text(f'[Rules "{PAIR}"]\n1. a1,b1 *\n[Rules "2x2"]\n1. a1,b1 *', "utf-8")
    plain = invoke("analyse", archive, "--player", "thinker")
    result = invoke("analyse", archive, "--player", "thinker", "--json")
    assert result.exit_code == 0
    documents = [json.loads(line) for line in result.stdout.splitlines()]
    assert [each["kind"] for each in documents] == ["game", "game"]
    games = [pdd.json.from_json(each) for each in documents]
    assert games == [*pdd.records.iter_games([plain.stdout])]
    assert "eval" in documents[0]["value"]["line"]["moves"][0]["annotations"]
