"""Fixtures for the tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory
from support.commands import TERMINAL, saved
from support.games import random_game
from support.stub_players import PlayoutPlayer


@pytest.fixture(autouse=True)
def plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove environment variables that set colours or widths."""
    for name in ("NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", *TERMINAL):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the player with an analysis under a name."""
    kind = PlayerFactory(lambda simulations=2: PlayoutPlayer(simulations), {"simulations": int})
    monkeypatch.setitem(FACTORIES, "thinker", kind)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.pdd"
    path.write_text(pdd.records.dumps(random_game(First="Ada", Second="Bo")), encoding="utf-8")
    return path


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    games = [random_game(seed=seed, Round=str(seed + 1)) for seed in range(3)]
    return saved(tmp_path / "games.pdd", *games)
