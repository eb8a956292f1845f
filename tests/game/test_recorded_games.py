"""Complete games from an independent implementation, replayed action by action."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.paths import DATA

LINES = (DATA / "games.jsonl").read_text("utf-8").splitlines()
GAMES: list[dict[str, Any]] = list(map(json.loads, LINES))


def rules_of(row: Mapping[str, Any]) -> pdd.Rules:
    return pdd.Rules(pdd.Board(*row["size"]), row["tiles"], row["bridges"])


def test_there_are_all_of_them() -> None:
    assert len(GAMES) == 209
    assert {row["winner"] for row in GAMES} == {"white", "red", "draw"}


@pytest.mark.parametrize("row", GAMES, ids=range(1, len(GAMES) + 1))
def test_game(row: Mapping[str, Any]) -> None:
    game = pdd.Game.new(rules_of(row), {"Round": "1"})
    state = game.state
    for move, count in zip(row["moves"], row["legal_counts"], strict=True):
        action = pdd.parse_action(move)
        assert pdd.format_action(action) == move
        assert len(state.legal_actions) == count
        assert action in state.legal_actions
        assert not game.state.is_over
        state = state.apply(action)
        game = game.play(move)
        assert game.state == state
    outcome = state.outcome
    assert outcome is not None
    assert [outcome.white.points, outcome.red.points] == row["points"]
    assert [outcome.white.islands, outcome.red.islands] == row["islands"]
    assert [outcome.white.bridges, outcome.red.bridges] == row["bridge_counts"]
    assert (outcome.winner.value if outcome.winner else "draw") == row["winner"]
    assert (game.result, game.ending) == (row["winner"], pdd.Ending.SCORED)
    assert state.turn == len(row["moves"]) - 1
    text = pdd.records.dumps(game)
    again = pdd.records.loads(text)
    assert again == game
    assert again.state == state
    assert pdd.records.dumps(again) == text
