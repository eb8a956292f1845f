"""Extensions of Sphinx: error codes, guides of public names, and files to download."""

from __future__ import annotations

import json
import runpy
import sys
from collections import Counter
from itertools import chain
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import tables_of
from support.paths import ROOT
from support.public_api import public_values

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

import downloads  # the path to it is set above
import guides  # the path to it is set above


def test_every_code_is_in_one_group() -> None:
    groups = runpy.run_path(str(ROOT / "docs" / "error_codes.py"))["groups"]()
    tables = tables_of("en")
    assert Counter(chain(*groups.values())) == Counter([*tables["errors"], *tables["violations"]])
    assert all(groups.values())


def test_sentences_are_shown_without_formats() -> None:
    sentence = runpy.run_path(str(ROOT / "docs" / "error_codes.py"))["sentence"]
    shown = sentence("at most {most:,} of {name!a}: '}}'")
    assert shown == ("at most {most} of {name}: '}'", ["most", "name"])


def test_every_public_name_is_in_a_guide() -> None:
    names = [name for name in public_values() if not name.startswith("adapters.")]
    names += ["gymnasium.PonteEnv", "gymnasium.PonteVectorEnv", "pettingzoo.env"]
    names += ["openspiel.PlayoutEvaluator", "openspiel.game_string"]
    assert [name for name in names if not guides.guides_of(name)] == []


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Cell", "a `pdd.Cell` here", True),
        ("Cell", "pdd.CellSet", False),
        ("Cell", "a Cell", False),
        ("players.match", "{py:func}`~pontedeldiavolo.players.match`", True),
        ("players.match", "players.match(a, b)", True),
        ("json.loads", "json.loads(text)", False),
        ("json.loads", "pdd.json.loads(text)", True),
    ],
)
def test_what_mentions_a_name(*, name: str, text: str, found: bool) -> None:
    assert bool(guides.pattern_of(name).search(text)) == found


def test_the_schema_is_that_of_the_library(tmp_path: Path) -> None:
    downloads.write(tmp_path)
    assert json.loads((tmp_path / downloads.SCHEMA).read_text("utf-8")) == pdd.json.schema()
    assert "export interface Snapshot" in (tmp_path / "pontedeldiavolo.d.ts").read_text("utf-8")


def test_the_table_of_example_games_is_theirs() -> None:
    page = (ROOT / "docs" / "howto" / "records.md").read_text("utf-8")
    for name in pdd.presets.names():
        text = (ROOT / "examples" / "games" / f"{name}.pdd").read_text("utf-8")
        game = pdd.records.loads(text)
        board = game.rules.board
        outcome = game.state.outcome
        assert outcome is not None
        points = f"{game.result}, {outcome.white.points} : {outcome.red.points}"
        row = f"| `{name}.pdd` | {board.width}×{board.height} | {len(game.plies)} | {points} |"
        assert row in page
