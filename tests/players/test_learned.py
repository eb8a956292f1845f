"""Networks are read from files, and choose legal steps; damaged files are refused."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import network_file
from pontedeldiavolo.players.engine import Engine
from pontedeldiavolo.players.network_file import DIGEST, digest_of_arrays
from pontedeldiavolo.players.registry import parse_spec
from support.games import played
from support.paths import DATA

STORED = DATA / "compatibility" / "0.1.0" / "3x3.npz"
Arrays = dict[str, Any]


@pytest.fixture(scope="module")
def arrays() -> Arrays:
    with np.load(STORED) as file:
        return dict(file)


def written(path: Path, arrays: Arrays) -> Path:
    """Write arrays with their digest, as if a network had them."""
    known: Arrays = {name: np.asarray(array) for name, array in arrays.items()}
    np.savez(path, **known | {DIGEST: np.array(digest_of_arrays(known))})
    return path


@pytest.mark.parametrize("temperature", [0, 1])
@pytest.mark.parametrize("scale", [1, 1e29])
def test_steps_are_legal(tmp_path: Path, arrays: Arrays, temperature: float, scale: float) -> None:
    # The outputs of large weights overflow.
    layers = [name for name in arrays if name.startswith("layer")]
    larger = {name: arrays[name].astype(float) * scale for name in layers}
    path = written(tmp_path / "net.npz", arrays | larger)
    player = pdd.players.LearnedPlayer(path, 1, temperature=temperature)
    games = []
    for seed in (1, 2, 1):
        copy = pickle.loads(pickle.dumps(player.for_game(seed)))
        games.append(played(copy, copy, player.rules))
    assert games[0] == games[2]
    assert (games[0] == games[1]) == (not temperature)
    with pytest.raises(pdd.PonteError, match="nothing to choose"):
        player.choose(games[0].state)


def test_other_rules_are_refused() -> None:
    player = pdd.players.by_name(f" Learned:{STORED}")
    assert isinstance(player, pdd.players.LearnedPlayer)
    assert player.name == "learned 3x3"
    with pytest.raises(pdd.PonteError, match=r"rules 3x3 .*, not by 10x10") as caught:
        player.choose(pdd.GameState.initial())
    assert caught.value.code == "network-rules"


def test_an_engine_refuses_other_rules_before_the_game() -> None:
    told: list[str] = []
    rules = pdd.format_rules(pdd.players.LearnedPlayer(STORED).rules)
    engine = Engine(parse_spec(f"learned:{STORED}"), told.append)
    engine.run(["newgame 4x4\n", f"newgame {rules}\n"])
    assert told[0].startswith("unsupported the network plays by the rules 3x3")
    assert told[1:] == ["ready"]


def test_steps_have_the_mean_logits_of_all_symmetries() -> None:
    player = pdd.players.LearnedPlayer(STORED)
    space = pdd.StepSpace(player.rules.board)
    symmetries = pdd.symmetries(player.rules.board)
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


def test_a_network_is_included() -> None:
    player = pdd.players.by_name("learned")
    assert player.name == pdd.players.LearnedPlayer().name == "learned 7x7"
    match = pdd.players.match(player, pdd.players.RandomPlayer(), 10, rules=pdd.parse_rules("7x7"))
    assert match.score > 0.8


def test_a_search_uses_the_evaluation() -> None:
    player = pdd.players.LearnedPlayer(STORED)
    search = pdd.players.MctsPlayer(simulations=20, evaluate=player.evaluate)
    state = pdd.GameState.initial(player.rules)
    assert state.is_legal(search.choose(state))


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("format", "pontedeldiavolo network 1", "^format: missing, damaged"),
        ("format", "pontedeldiavolo network 3", "^format: missing, damaged"),
        ("format", 1, "^format: "),
        ("planes_version", 1, "^planes_version: "),
        ("rules", "3 by 3", "expected"),
        ("rules", "4x3", r"^places must have shape \(43,\)"),
        ("sizes", [2, 4, 9, 5], r"^layer3 must have shape \(5, 5\)"),
        ("sizes", [8, 4, 9, 4], "^layer2 must have shape"),
        ("sizes", [0, 4, 9, 4], "^sizes: "),
        ("sizes", None, "^sizes: "),
        ("places", np.full(28, 84), "^places: "),
        ("places", np.full(28, -1), "^places: "),
        ("layer1", np.full((41, 4), np.nan), "^layer1: "),
        ("layer1", np.full((41, 4), None), "^net.npz: "),
        ("more", np.zeros(999), "^net.npz: "),
        ("sizes", [-1, -1, -1, -1], "^sizes: "),
        ("sizes", [2, 2**60, 9, 4], "^layer0 must have shape"),
    ],
)
def test_wrong_files_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrays: Arrays, name: str, value: Any, why: str
) -> None:
    changed = {key: each for key, each in (arrays | {name: value}).items() if each is not None}
    monkeypatch.setattr(network_file, "MAX_BYTES", 10_000)
    with pytest.raises(pdd.PonteError, match=why):
        pdd.players.LearnedPlayer(written(tmp_path / "net.npz", changed))


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="none"):
        pdd.players.LearnedPlayer(tmp_path / "none.npz")
    with pytest.raises(pdd.PonteError, match=r"none\.npz' cannot be read: "):
        pdd.players.by_name(f"learned:{tmp_path / 'none.npz'}")
    for wrong in ({"seed": "x"}, {"temperature": "x"}, {"path": 1}):
        with pytest.raises(TypeError):
            pdd.players.LearnedPlayer(**({"path": STORED} | wrong))
