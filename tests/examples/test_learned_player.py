"""The network of ``examples/learn.py`` plays, searches, and is an engine."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from support.games import played
from support.paths import DATA, ROOT, example

STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
TRAINED = ROOT / "examples" / "7x7.npz"
LEARN = ROOT / "examples" / "learn.py"
learn = example("learn")
LearnedPlayer: Any = learn["LearnedPlayer"]


@pytest.mark.parametrize("temperature", [0, 1])
def test_steps_are_legal(temperature: float) -> None:
    player = LearnedPlayer(STORED, 1, temperature=temperature)
    games = []
    for seed in (1, 2, 1):
        one = player.for_game(seed)
        games.append(played(one, one, player.rules))
    assert games[0] == games[2]
    assert (games[0] == games[1]) == (not temperature)


def test_steps_have_the_mean_logits_of_all_symmetries() -> None:
    player = LearnedPlayer(STORED)
    space = pdd.StepSpace(player.rules.board)
    symmetries = player.rules.board.symmetries
    state = pdd.GameState.initial(player.rules).apply(pdd.parse_action("a1,b3"))
    while not state.is_over:
        turned = pdd.batch.GameBatch.from_states([state.transform(each) for each in symmetries])
        priors, values = player.evaluate(turned)
        assert (abs(values) <= 1).all()
        codes = [pdd.batch.permutation(space, each) for each in symmetries]
        mean = np.log(np.take_along_axis(priors, np.stack(codes), axis=1) + 1e-30).mean(axis=0)
        step = space.decode(int(mean.argmax()))
        action = player.choose(state)
        if isinstance(action, pdd.PlaceTiles):
            assert isinstance(step, pdd.PlaceTile)
            assert step.cell in action.cells
        else:
            assert step == action
        state = state.apply(action)


def test_the_trained_network_is_an_engine() -> None:
    command = [sys.executable, str(LEARN), "--play", str(TRAINED)]
    rules = pdd.parse_rules("7x7")
    with pdd.players.ExternalPlayer(command) as player:
        assert player.name == "learned 7x7"
        match = pdd.players.match(player, pdd.players.RandomPlayer(), 10, rules=rules)
    assert match.score > 0.8
    with (
        pdd.players.ExternalPlayer(command) as player,
        pytest.raises(pdd.players.EngineError, match="these rules"),
    ):
        player.choose(pdd.GameState.initial())


def told(*messages: str) -> list[str]:
    """Return the answers of the engine to some messages."""
    answers: list[str] = []
    learn["speak"](LearnedPlayer(STORED), messages, answers.append)
    return answers


def test_it_speaks_the_engine_protocol() -> None:
    rules = pdd.format_rules(pdd.Rules(pdd.Board(3, 3)))
    half = pdd.GameState.initial(pdd.parse_rules(rules)).step(pdd.parse_step("a1"))
    assert isinstance(half, pdd.HalfTurn)
    answers = told(
        "ponte 1",
        "newgame 4x4\n",
        f"newgame {rules}\r\n",
        "position moves a1,b3 white",
        "ponder",
        "go time 5",
        "go step time 5",
        "stop",
        f"position state {pdd.format_state(half)}",
        "go",
        "position moves a1,a1",
        "position state nonsense",
        "hello",
        "quit",
        "ponte 1",
    )
    assert answers[:3] == ["ponte 1\nname learned 3x3\nready", "unsupported these rules", "ready"]
    pair, first, second = answers[3:6]
    assert pair == "best b2,c2"
    assert first in ("best b2", "best c2")
    assert half.is_legal(pdd.parse_step(second.removeprefix("best ")))
    assert [each.partition(" ")[0] for each in answers[6:]] == ["error"] * 3


def test_a_search_uses_the_evaluation() -> None:
    player = LearnedPlayer(STORED)
    search = pdd.players.MctsPlayer(simulations=20, evaluate=player.evaluate)
    state = pdd.GameState.initial(player.rules)
    assert state.is_legal(search.choose(state))


def test_a_digest_tells_networks_apart(tmp_path: Path) -> None:
    rules, arrays = pdd.players.load_weights(STORED)
    arrays["layer0"] = arrays["layer0"] + np.float16(0.5)
    other = tmp_path / "3x3.npz"
    pdd.players.save_weights(other, rules, arrays)
    assert LearnedPlayer(STORED).digest == LearnedPlayer(STORED, temperature=0.5).digest
    assert LearnedPlayer(STORED).digest != LearnedPlayer(other).digest


@pytest.mark.parametrize(
    "changes",
    [
        {"sizes": np.array([2, 4, 9, 5])},
        {"sizes": np.array([8, 4, 9, 4])},
        {"sizes": np.array([2, 4])},
        {"sizes": np.array("two")},
        {"places": np.zeros(28)},
        {"layer1": np.zeros((40, 4))},
        {"layer1": np.zeros((41, 4, 1))},
    ],
)
def test_other_weights_are_refused(tmp_path: Path, changes: dict[str, Any]) -> None:
    rules, arrays = pdd.players.load_weights(STORED)
    path = tmp_path / "net.npz"
    pdd.players.save_weights(path, rules, arrays | changes)
    with pytest.raises(ValueError, match=r"net\.npz: not a network of this program"):
        LearnedPlayer(path)
    del arrays["sizes"]
    pdd.players.save_weights(path, rules, arrays)
    with pytest.raises(ValueError, match="not a network"):
        LearnedPlayer(path)
