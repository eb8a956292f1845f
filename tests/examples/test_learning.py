"""Examples that learn from games, and examples that compute statistics of games."""

from __future__ import annotations

import csv
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from support.paths import ROOT, SOURCE, example
from support.processes import PATIENCE, is_soon, members

SMALL = pdd.Rules(pdd.Board(4, 4))


def test_training_rows_are_those_of_games(tmp_path: Path) -> None:
    path = tmp_path / "rows.npz"
    example("training_rows")["main"](70, path)
    with np.load(path) as rows:
        space = pdd.StepSpace(pdd.Board(6, 6))
        masks = np.unpackbits(rows["masks"], axis=1, count=len(space), bitorder="little")
        count = len(rows["results"])
        assert count > 1000
        assert masks[np.arange(count), rows["actions"]].all()
        assert pdd.parse_rules(str(rows["rules"])) == pdd.Rules(pdd.Board(6, 6))
        assert int(rows["planes_version"]) == batch.PLANES_VERSION
        # After the last turn of a game, the position tells the result.
        last = rows["planes"][:, batch.PLANES.index("last turn"), 0, 0].astype(bool)
        assert set(rows["results"][last].tolist()) == {-1, 0, 1}


def test_results_are_those_of_the_next_end() -> None:
    over = np.array([[0, 0], [1, 0], [0, 1], [0, 0]], bool)
    rewards = np.zeros((4, 2, 2), np.int8)
    rewards[1, 0] = (1, -1)
    rewards[2, 1] = (-1, 1)
    seats = np.array([[0, 1], [1, 1], [0, 0], [1, 0]], np.int8)
    results, known = example("training_rows")["results_of"](over, rewards, seats)
    assert known.tolist() == [[True, True], [True, True], [False, True], [False, False]]
    assert results[known].tolist() == [1, 1, -1, 1, -1]


def small_samples(simulations: int = 20) -> Any:
    learn = example("learn")
    players: list[pdd.players.Player] = [pdd.players.MctsPlayer(), pdd.players.RandomPlayer()]
    games = [learn["samples_of"](SMALL, players, simulations, seed) for seed in range(4)]
    return learn["Samples"]._make(map(np.concatenate, zip(*games, strict=True)))


def test_gradients_are_those_of_the_loss() -> None:
    learn = example("learn")
    samples = small_samples()
    network = learn["Network"](SMALL, 3, 8, seed=3)
    assert samples.mask[np.arange(len(samples.code)), samples.code].all()

    def loss() -> float:
        log_probs, values = network.forward(samples.planes, samples.mask)
        policy = -log_probs[np.arange(len(values)), samples.code].mean(dtype=float)
        return float(policy + learn["VALUE_WEIGHT"] * ((values - samples.value) ** 2).mean())

    for layer in (network.cells, network.board):
        layer.weights *= 10
    learn["backpropagate"](network, samples)
    for layer in network.layers:
        way = layer.gradient / np.sqrt((layer.gradient**2).sum())
        before = layer.weights.copy()
        found = []
        for step in (0.01, -0.01):
            layer.weights[:] = before + step * way
            found.append(loss())
        layer.weights[:] = before
        expected = float((layer.gradient * way).sum())
        assert math.isclose((found[0] - found[1]) / 0.02, expected, rel_tol=0.05), layer


def test_samples_have_both_orders_of_two_tiles() -> None:
    samples = small_samples(1)
    first = samples.planes[:, batch.PLANES.index("first tile")].reshape(len(samples.code), -1)
    halves = np.flatnonzero(first.any(axis=1))
    halves = halves[: halves.tolist().index(halves[0] + 2) + 1]
    assert first[halves].argmax(axis=1).tolist() == samples.code[halves - 1].tolist()
    assert samples.code[halves - 1].tolist() == samples.code[halves[::-1]].tolist()


@pytest.mark.nightly
def test_a_saved_network_plays_as_it_was_trained(tmp_path: Path) -> None:
    learn = example("learn")
    samples = small_samples()
    network = learn["Network"](SMALL, 3, 8, seed=1)
    rng = np.random.default_rng(1)
    losses = [sum(learn["train"](network, samples, 0.003, rng)) for _ in range(100)]
    assert losses[-1] < 0.9 * losses[0], losses
    network.save(tmp_path / "net.npz")
    player = learn["LearnedPlayer"](tmp_path / "net.npz")
    games = batch.GameBatch.initial(SMALL, 50)
    for _ in range(5):
        games = games.step(games.sample_steps(1))
    log_probs, expected = network.forward(games.planes(), games.legal_mask())
    priors, values = player.evaluate(games)
    assert values == pytest.approx(expected, abs=0.02)
    found = priors / priors.sum(axis=1, keepdims=True)
    assert found == pytest.approx(np.exp(log_probs), abs=0.02)


@pytest.mark.nightly
def test_the_network_learns_to_beat_random_play(tmp_path: Path) -> None:
    learn = example("learn")
    out = tmp_path / "net.npz"
    curve = tmp_path / "curve.csv"
    options = "--rules=5x5 --rounds=2 --games=40 --simulations=200 --epochs=10 --layers=3"
    small = [*options.split(), "--width=16", "--test-games=20", f"--out={out}", f"--csv={curve}"]
    learn["main"](learn["make_parser"]().parse_args(small))
    header, *rows = curve.read_text("utf-8").splitlines()
    assert header.split(",") == [*learn["Point"]._fields]
    assert len(rows) == 2
    pair = learn["LearnedPlayer"](out), pdd.players.RandomPlayer()
    assert pdd.players.match(*pair, games=60, rules=pdd.Rules(pdd.Board(5, 5))).score > 0.7


def game(*actions: str) -> pdd.Game:
    """Return a finished game on 3×2."""
    found = pdd.Game.from_actions(pdd.Rules(pdd.Board(3, 2)), actions)
    assert found.state.is_over
    return found


WON = game("a1,a2", "white", "c1,c2", "b1,b2", "pass")
"""White has an island, so the second seat, which chose white, wins by one point."""
DRAWN = game("a2,b2", "red", "b1,c2", "a1,c1", "pass")
"""A game without points, which is drawn."""


def test_games_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.state.turn for each in (WON, DRAWN)] == [4, 4]
    example("self_play")["print_tables"]([WON, DRAWN, WON])
    lines = capsys.readouterr().out.splitlines()
    rows = dict([part.strip() for part in line.split("|")][1:3] for line in lines if line)
    assert rows["the first seat, which opens"] == "16.7% (3.1% to 63.5%)"
    assert rows["white"] == "83.3% (36.5% to 96.9%)"
    assert rows["white was chosen"] == "66.7% (20.8% to 93.9%)"
    assert rows["drawn games"] == "33.3% (6.1% to 79.2%)"
    assert rows["points of the winner, of the loser"] == "0.7 and 0.0"
    assert rows["islands of each"] == "0.33"
    assert rows["margin in points: mean, median, most"] == "0.7, 1, 1"
    assert rows["turns: least, median, most"] == "4, 4, 4"
    assert rows["bridges, passes in a game"] == "0.0 and 1.0"
    assert rows["side by side"] == "3"


def test_the_file_of_statistics_has_what_the_pages_show(tmp_path: Path) -> None:
    path = tmp_path / "self_play.json"
    example("self_play")["write_report"](path, [WON, DRAWN, WON], 10)
    made = json.loads(path.read_text("utf-8"))
    kept = json.loads((ROOT / "docs" / "game" / "self_play.json").read_text("utf-8"))
    assert (made["games"], made["drawn"], made["equal in points"]) == (3, 1, 1)
    assert made["first tiles"]["rows"]["side by side"][0] == "3"
    assert made.keys() == kept.keys()
    assert made["rows"].keys() == kept["rows"].keys()
    assert made["first tiles"]["columns"] == kept["first tiles"]["columns"]
    names = example("self_play")["PLACEMENTS"].values()
    assert {*names} < kept["first tiles"]["rows"].keys()


def test_intervals_of_rare_and_few_games_stay_within_the_possible() -> None:
    mean_score = example("self_play")["mean_score"]
    assert mean_score([0.0] * 20) == "0.0% (0.0% to 16.1%)"
    assert mean_score([1.0]) == "100.0% (20.7% to 100.0%)"


def test_placements_of_the_first_tiles() -> None:
    placement = example("self_play")["placement"]
    rules = pdd.Rules(pdd.Board(5, 5))
    openings = pdd.GameState.initial(rules).legal_actions
    found = Counter(placement(pdd.Game.from_actions(rules, [action])) for action in openings)
    # Numbers of pairs of cells on 5×5 at the distances 0,1; 0,2; 1,1; 1,2, and at all others.
    assert found == {
        "side by side": 40,
        "two apart in a row, one cell between them": 30,
        "diagonally next to each other": 32,
        "a knight's move apart": 48,
        "any other way": 150,
    }
    passed = pdd.Game.from_actions(pdd.Rules(pdd.Board(1, 1)), ["pass"])
    assert placement(passed) == "none"


def test_existing_games_are_not_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def play(games: int, simulations: int = 10) -> dict[str, bytes]:
        given = [f"--games={games}", f"--simulations={simulations}", "--board=4x4", "--processes=1"]
        monkeypatch.setattr(sys, "argv", ["self_play.py", str(tmp_path), *given])
        example("self_play")["main"]()
        assert capsys.readouterr().out.startswith(f"| of {games} games | |\n")
        return {path.name: path.read_bytes() for path in tmp_path.iterdir()}

    found = [play(games) for games in (2, 4, 4)]
    assert found[0].items() < found[1].items()
    assert found[1] == found[2]
    # All games differ.
    played = [pdd.records.loads(data.decode()) for data in found[2].values()]
    assert len({game.actions for game in played}) == 4
    with pytest.raises(SystemExit, match="2"):
        play(4, simulations=11)
    said = "000001.pdd is a game of other players or by other rules"
    assert said in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
def test_interrupted_self_play_leaves_no_process(tmp_path: Path) -> None:
    words = [str(tmp_path / "games"), "--games=10000", "--simulations=10", "--board=4x4"]

    def interrupted(seconds: float) -> tuple[int, bytes]:
        """Interrupt the program after a few seconds, or for 0 after a game; return the outcome."""
        before = {*tmp_path.glob("games/*.pdd")}
        process = subprocess.Popen(
            [sys.executable, str(ROOT / "examples" / "self_play.py"), *words],
            env={**os.environ, "PYTHONPATH": str(SOURCE)},
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        time.sleep(seconds)
        if not seconds:
            assert is_soon(lambda: before != {*tmp_path.glob("games/*.pdd")}, PATIENCE)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert is_soon(lambda: not members(process.pid))
        return process.returncode, errors

    for seconds in (1.0, 2.0, 3.0):
        interrupted(seconds)
    status, errors = interrupted(0)
    assert status == 130
    assert b"Traceback" not in errors
    assert errors.endswith(b"Interrupted. The same command plays the missing games.\n")


def test_openings_are_valued_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "openings.csv"
    given = [str(path), "--board=3x3", "--simulations=3000"]
    monkeypatch.setattr(sys, "argv", ["openings.py", *given])
    example("openings")["main"]()
    rows = csv.DictReader(path.read_text("utf-8").splitlines())
    values = {row["tiles"]: float(row["value"]) for row in rows}
    rules = pdd.Rules(pdd.Board(3, 3))
    exact = example("solve")["solve"](rules, pdd.players.Solver()).openings
    assert values.keys() == exact.keys()
    assert list(values.values()) == sorted(values.values(), reverse=True)
    # Lost openings must have lower values than drawn ones.
    lost = [values[tiles] for tiles, value in exact.items() if value < 0]
    drawn = [values[tiles] for tiles, value in exact.items() if value == 0]
    assert lost
    assert max(lost) < -0.8
    assert min(drawn) > -0.2
    assert max(drawn) < 0.2
