"""Examples that learn: their gradients, their rows, and that they come to something."""

from __future__ import annotations

import math
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from support.paths import example


def test_the_rows_on_disk_are_those_of_games(tmp_path: Path) -> None:
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


def test_slopes_are_those_of_the_loss() -> None:
    learn = example("learn")
    network, play = learn["Network"](3, 8), learn["SelfPlay"](3, 128)
    rows = learn["Rows"]._make(each[::49] for each in play.play(network))
    gains = (rows.result - rows.expected) + np.float32(0.1)

    def loss() -> float:
        chances, expected = network.forward(rows.planes, rows.mask)
        chances = chances.astype(float)
        ratio = np.exp(chances[np.arange(len(gains)), rows.code] - rows.chance)
        entropy = -(np.exp(chances) * chances).sum(axis=1)
        wrong = (expected - rows.result) ** 2 / 2
        return float((-ratio * gains - learn["ENTROPY"] * entropy + wrong).mean())

    network.backward(learn["slope_of_loss"](network, rows, gains))
    rng = np.random.default_rng(1)
    for layer in (*network.convolutions, network.last):
        for weight, slope in zip(layer.weights, layer.slopes, strict=True):
            way = rng.standard_normal(weight.shape).astype(np.float32)
            way += np.float32(10) * slope / np.float32(np.sqrt((slope**2).mean()) + 1e-12)
            step = np.float32(1e-3 / np.abs(way).max())
            before, found = weight.copy(), []
            for moved in (step, -step):
                weight[:] = before + moved * way
                found.append(loss())
            weight[:] = before
            told = float((slope * way).sum())
            assert math.isclose((found[0] - found[1]) / (2 * step), told, rel_tol=0.05), layer


def test_rows_are_seen_under_every_symmetry() -> None:
    learn = example("learn")
    play = learn["SelfPlay"](1, 64)
    for _ in range(9):
        play.pool.step(play.pool.sample())
    planes, mask = play.seen()
    games, symmetries = play.pool.games, learn["SYMMETRIES"]
    numbers = np.repeat(np.arange(len(symmetries)), games.size // len(symmetries))
    turned = games.transform(numbers)
    assert (turned.planes() == planes).all()
    assert (turned.legal_mask() == mask).all()
    codes = turned.sample_steps(1)
    assert turned.step(codes) is not None
    assert games.step(play.back[play.every, codes]).transform(numbers).states() == (
        turned.step(codes).states()
    )


def test_learning_lowers_the_error() -> None:
    learn = example("learn")
    network, rng = learn["Network"](1, 8), np.random.default_rng(1)
    play, errors = learn["SelfPlay"](1, 16), []
    rows = [play.play(network) for _ in range(2)][-1]
    for _ in range(12):
        expected = network.forward(rows.planes, rows.mask)[1]
        errors.append(float(((rows.result - expected) ** 2).mean()))
        learn["learn"](network, rows, rng)
    assert errors[-1] < 0.9 * errors[0], errors


@pytest.mark.slow
def test_it_comes_to_win_against_random_play(tmp_path: Path) -> None:
    learn = example("learn")
    options = learn["arguments"]().parse_args(
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
