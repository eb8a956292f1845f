"""Every public name is used in a guide: a how-to, a tutorial or an explanation."""

from __future__ import annotations

import sys

import pytest

from support.paths import ROOT
from support.public_api import public_values

sys.path.insert(0, str(ROOT / "docs"))

pytest.importorskip("sphinx", reason="not installed: nox -s docs")

import guides  # the path to it is set above


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
