"""Examples that learn from games, and examples that compute statistics of games."""

from __future__ import annotations

import csv
import math
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from support.paths import example


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
        # Last turns end games, so they tell the result by what they leave.
        last = rows["planes"][:, batch.PLANES.index("last turn"), 0, 0].astype(bool)
        assert set(rows["results"][last].tolist()) == {-1, 0, 1}


def test_results_are_those_of_the_next_end() -> None:
    over = np.array([[0, 0], [1, 0], [0, 1], [0, 0]], bool)
    rewards = np.zeros((4, 2, 2), np.int8)
    rewards[1, 0], rewards[2, 1] = (1, -1), (-1, 1)
    seats = np.array([[0, 1], [1, 1], [0, 0], [1, 0]], np.int8)
    results, known = example("training_rows")["results_of"](over, rewards, seats)
    assert known.tolist() == [[True, True], [True, True], [False, True], [False, False]]
    assert results[known].tolist() == [1, 1, -1, 1, -1]


def test_gradients_are_those_of_the_loss() -> None:
    learn = example("learn")
    network, play = learn["Network"](3, 8), learn["SelfPlay"](3, 128)
    samples = learn["Samples"]._make(each[::49] for each in play.play(network))
    advantages = (samples.target - samples.value) + np.float32(0.1)

    def loss() -> float:
        log_probs, values = network.forward(samples.planes, samples.mask)
        log_probs = log_probs.astype(float)
        ratio = np.exp(log_probs[np.arange(len(values)), samples.code] - samples.log_prob)
        entropy = -(np.exp(log_probs) * log_probs).sum(axis=1)
        value_loss = (values - samples.target) ** 2 / 2
        return float((-ratio * advantages - learn["ENTROPY"] * entropy + value_loss).mean())

    network.backward(learn["loss_gradient"](network, samples, advantages))
    rng = np.random.default_rng(1)
    for layer in (*network.convolutions, network.heads):
        for weight, gradient in zip(layer.parameters, layer.gradients, strict=True):
            way = rng.standard_normal(weight.shape).astype(np.float32)
            way += np.float32(10) * gradient / np.float32(np.sqrt((gradient**2).mean()) + 1e-12)
            step = np.float32(1e-3 / np.abs(way).max())
            before, found = weight.copy(), []
            for moved in (step, -step):
                weight[:] = before + moved * way
                found.append(loss())
            weight[:] = before
            expected = float((gradient * way).sum())
            assert math.isclose((found[0] - found[1]) / (2 * step), expected, rel_tol=0.05), layer


def test_the_network_sees_games_under_every_symmetry() -> None:
    learn = example("learn")
    play = learn["SelfPlay"](1, 64)
    for _ in range(9):
        play.pool.step(play.pool.sample())
    planes, mask = play.observe()
    games, symmetries = play.pool.games, learn["SYMMETRIES"]
    numbers = np.repeat(np.arange(len(symmetries)), games.size // len(symmetries))
    turned = games.transform(numbers)
    assert (turned.planes() == planes).all()
    assert (turned.legal_mask() == mask).all()
    codes = turned.sample_steps(1)
    assert turned.step(codes) is not None
    assert games.step(play.inverse[play.rows, codes]).transform(numbers).states() == (
        turned.step(codes).states()
    )


def test_learning_lowers_the_error() -> None:
    learn = example("learn")
    network, rng = learn["Network"](1, 8), np.random.default_rng(1)
    play, errors = learn["SelfPlay"](1, 16), []
    samples = [play.play(network) for _ in range(2)][-1]
    for _ in range(12):
        values = network.forward(samples.planes, samples.mask)[1]
        errors.append(float(((samples.target - values) ** 2).mean()))
        learn["train"](network, samples, rng)
    assert errors[-1] < 0.9 * errors[0], errors


@pytest.mark.slow
def test_the_network_learns_to_beat_random_play(tmp_path: Path) -> None:
    learn = example("learn")
    options = learn["make_parser"]().parse_args(
        [
            *("--rounds=16", "--games=96", "--width=8", "--every=16", "--test-games=60"),
            *(f"--csv={tmp_path / 'curve.csv'}", f"--svg={tmp_path / 'curve.svg'}"),
        ]
    )
    learn["main"](options)
    first, last = (tmp_path / "curve.csv").read_text("utf-8").splitlines()[1:]
    assert float(last.split(",")[3]) > max(float(first.split(",")[3]), 0.7)
    root = ET.parse(tmp_path / "curve.svg").getroot()  # noqa: S314 - it is our own
    assert len(root.findall(".//{*}polyline")) == 1


@pytest.mark.parametrize(
    ("score", "low", "high"), [(0.0, 0.0, 0.0370), (0.5, 0.4038, 0.5962), (1.0, 0.9630, 1.0)]
)
def test_intervals(score: float, low: float, high: float) -> None:
    found = example("learn")["interval"](score, 100)
    assert found == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


# Statistics


def game(*actions: str) -> pdd.Game:
    """Return a finished game on 3×2."""
    found = pdd.Game.from_actions(pdd.Rules(pdd.Board(3, 2)), actions)
    assert found.state.is_over
    return found


WON = game("a1,a2", "white", "c1,c2", "b1,b2", "pass")
"""White has an island: the second seat, which chose it, wins by a point."""
DRAWN = game("a2,b2", "red", "b1,c2", "a1,c1", "pass")
"""Nobody has anything."""


def test_games_are_counted(capsys: pytest.CaptureFixture[str]) -> None:
    assert [each.state.turn for each in (WON, DRAWN)] == [4, 4]
    example("self_play")["print_tables"]([WON, DRAWN, WON])
    lines = capsys.readouterr().out.splitlines()
    rows = dict([part.strip() for part in line.split("|")][1:3] for line in lines if line)
    assert rows["the first seat, which opens"] == "16.7% (3.1% to 63.5%)"
    assert rows["white"] == "83.3% (36.5% to 96.9%)"
    assert rows["white was chosen"] == "66.7% (20.8% to 93.9%)"
    assert rows["drawn games"] == "33.3% (6.1% to 79.2%)"
    assert rows["points of the better, of the other"] == "0.7 and 0.0"
    assert rows["islands of each"] == "0.33"
    assert rows["margin in points: mean, median, most"] == "0.7, 1, 1"
    assert rows["turns: least, median, most"] == "4, 4, 4"
    assert rows["bridges, passes in a game"] == "0.0 and 1.0"
    assert rows["side by side"] == "3"


def test_intervals_of_rare_and_few_games_stay_within_the_possible() -> None:
    mean_score = example("self_play")["mean_score"]
    assert mean_score([0.0] * 20) == "0.0% (0.0% to 16.1%)"
    assert mean_score([1.0]) == "100.0% (20.7% to 100.0%)"


def test_placements_of_the_first_tiles() -> None:
    placement = example("self_play")["placement"]
    rules = pdd.Rules(pdd.Board(5, 5))
    openings = pdd.GameState.initial(rules).legal_actions
    found = Counter(placement(pdd.Game.from_actions(rules, [action])) for action in openings)
    # Pairs of cells on 5×5 by their distance: 0 and 1, 0 and 2, 1 and 1, 1 and 2, others.
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
    # No game is another one again.
    played = [pdd.records.loads(data.decode()) for data in found[2].values()]
    assert len({game.actions for game in played}) == 4
    with pytest.raises(SystemExit, match="2"):
        play(4, simulations=11)
    said = "000001.pdd is a game of other players or by other rules"
    assert said in capsys.readouterr().err


def test_every_kind_of_opening_is_valued_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    # What is lost for white looks worse than all that is drawn.
    lost = [values[tiles] for tiles, value in exact.items() if value < 0]
    drawn = [values[tiles] for tiles, value in exact.items() if value == 0]
    assert lost
    assert max(lost) < -0.8
    assert min(drawn) > -0.2
    assert max(drawn) < 0.2
