"""Files to download are what the library returns."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

import downloads  # the path to it is set above


def test_the_schema_is_that_of_the_library(tmp_path: Path) -> None:
    downloads.write(tmp_path)
    assert json.loads((tmp_path / downloads.SCHEMA).read_text("utf-8")) == pdd.json.schema()


@pytest.mark.parametrize("page", ["howto/javascript", "reference/json"])
def test_pages_link_to_the_schema(page: str) -> None:
    text = (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    assert f"{{static}}`{downloads.SCHEMA}`" in text


def test_the_table_of_example_games_is_theirs() -> None:
    page = (ROOT / "docs" / "howto" / "records.md").read_text("utf-8")
    for name in pdd.presets.names():
        text = (ROOT / "examples" / "games" / f"{name}.pdd").read_text("utf-8")
        game = pdd.records.loads(text)
        board, outcome = game.rules.board, game.state.outcome
        assert outcome is not None
        points = f"{game.result}, {outcome.white.points} : {outcome.red.points}"
        row = f"| `{name}.pdd` | {board.width}×{board.height} | {len(game.turns)} | {points} |"
        assert row in page
