"""``analyse``: what a player thinks of games in files."""

from __future__ import annotations

from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import messages, players
from support.commands import invoke, lines_of
from support.games import random_game
from support.stub_players import PlayoutPlayer

TINY = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"


pytestmark = pytest.mark.usefixtures("thinker")


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A file with two games, small enough to think about."""
    path = tmp_path / "games.pdd"
    texts = [pdd.records.dumps(random_game(TINY, seed, Round=str(seed))) for seed in (1, 2)]
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


def analysed(path: Path, playouts: int, catalog: messages.Catalog) -> list[pdd.Game]:
    """Return what is to come out."""
    player = PlayoutPlayer(playouts)
    return [
        players.annotate(game, player, catalog=catalog) for game in pdd.records.iter_games(path)
    ]


def test_all_games_are_analysed(games: Path, tmp_path: Path) -> None:
    result = invoke("analyse", games, "--player", "thinker")
    assert result.exit_code == 0
    wanted = analysed(games, 2, messages.ENGLISH)
    assert [*pdd.records.iter_games([result.stdout])] == wanted
    assert any(move.glyphs for game in wanted for move in game.line.moves)
    output = tmp_path / "out.pdd"
    lines = lines_of(
        invoke(
            *("analyse", games, "--player", "thinker", "--simulations", "1", "--lang", "de"),
            *("-o", output),
        )
    )
    assert lines == [f"2 Partien in {output} geschrieben, 0 ausgelassen."]
    assert [*pdd.records.iter_games(output)] == analysed(games, 1, messages.GERMAN)
    assert lines_of(invoke("validate", output))[-1].startswith("2 good games, 0 bad")


def test_bad_games_are_left_out(games: Path, tmp_path: Path) -> None:
    text = games.read_text(encoding="utf-8")
    games.write_text(text.replace("1. ", "1. z9,z8 2. ", 1), encoding="utf-8")
    output = tmp_path / "out.pdd"
    result = invoke("analyse", games, "--player", "thinker", "-o", output)
    assert result.exit_code == 1
    assert f"{games}:" in result.stderr
    assert result.stdout == f"1 game written to {output}, 1 left out.\n"
    (game,) = pdd.records.iter_games(output)
    assert game.tags["Round"] == "2"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    result = invoke("analyse", tmp_path / "none.pdd", "--player", "thinker", "-o", tmp_path / "o")
    assert result.exit_code == 2
    assert result.stderr == f"Error: {tmp_path / 'none.pdd'}: no such file or directory\n"
    assert result.stdout == "Nothing written, 0 left out.\n"
    assert not (tmp_path / "o").exists()
