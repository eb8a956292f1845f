"""Fixtures of the tests of ``convert``."""

from __future__ import annotations

from pathlib import Path

import pytest

from pontedeldiavolo import Game
from support.commands import saved
from support.games import random_game


@pytest.fixture(scope="module")
def three() -> tuple[Game, ...]:
    return tuple(random_game("abstract-play-8", seed) for seed in range(3))


@pytest.fixture
def archive(tmp_path: Path, three: tuple[Game, ...]) -> Path:
    return saved(tmp_path / "games.pdd", *three)
