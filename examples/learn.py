# python examples/learn.py
"""A small network learns to play on 6×6 by playing against itself, with NumPy alone.

After every round of games, what came to more than was expected becomes likelier, by proximal policy
optimisation. Each eighth of the games is seen through another symmetry of the board, so that what
is learnt of one corner is learnt of all. Now and then it plays against somebody who takes any legal
action with the same probability: what comes of that is the curve.
"""

import argparse
import csv
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from pontedeldiavolo.players import RandomPlayer

RULES = pdd.Rules(pdd.Board(6, 6))
SPACE = pdd.StepSpace(RULES.board)
SYMMETRIES = pdd.symmetries(RULES.board)
STEPS, AT_ONCE = 32, 512  # in each game in a round; rows that are learnt from together
RATE, CLIP, ENTROPY = 1e-3, 0.2, 0.01

Floats = npt.NDArray[np.float32]
Codes = npt.NDArray[np.int32]


class Layer:
    """Weighted sums, and how their weights learn: by the rule of Adam."""

    def __init__(self, rng: np.random.Generator, inputs: int, outputs: int, size: float) -> None:
        weights = rng.standard_normal((inputs, outputs)) * size * math.sqrt(2 / inputs)
        self.weights = [weights.astype(np.float32), np.zeros(outputs, np.float32)]
        self.slopes = [np.zeros_like(each) for each in self.weights]
        self.means = [np.zeros_like(each) for each in self.weights]
        self.squares = [np.zeros_like(each) for each in self.weights]
        self.given = np.zeros((0, inputs), np.float32)

    def forward(self, given: Floats) -> Floats:
        """Return the sums of what is given, along its last axis."""
        self.given = given
        found: Floats = given @ self.weights[0] + self.weights[1]
        return found

    def backward(self, slope: Floats) -> Floats:
        """Find the slopes of the weights; return those of what was given."""
        flat = slope.reshape(-1, slope.shape[-1])
        self.slopes = [self.given.reshape(len(flat), -1).T @ flat, flat.sum(axis=0)]
        found: Floats = slope @ self.weights[0].T
        return found

    def descend(self, update: int) -> None:
        """Go down a little; *update* counts from 1."""
        rate = RATE * math.sqrt(1 - 0.999**update) / (1 - 0.9**update)
        for at, slope in enumerate(self.slopes):
            self.means[at] += 0.1 * (slope - self.means[at])
            self.squares[at] += 0.001 * (slope * slope - self.squares[at])
            self.weights[at] -= rate * self.means[at] / (np.sqrt(self.squares[at]) + 1e-8)


class Network:
    """Two convolutions of 3×3 cells, then a layer for all steps and for the result expected."""

    def __init__(self, seed: int, width: int) -> None:
        rng = np.random.default_rng(seed)
        inputs = 9 * len(batch.PLANES), 9 * width
        self.convolutions = [Layer(rng, each, width, size=1) for each in inputs]
        # Small, so that at first all steps are nearly alike.
        self.last = Layer(rng, len(RULES.board) * width, len(SPACE) + 1, size=0.1)
        self.active: list[npt.NDArray[np.bool_]] = []
        self.updates = 0

    def forward(
        self, planes: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]
    ) -> tuple[Floats, Floats]:
        """Return the logarithms of the probabilities of all steps, and the results expected."""
        found = planes.transpose(0, 2, 3, 1).astype(np.float32)
        self.active = []
        for layer in self.convolutions:
            found = layer.forward(around(found))
            self.active.append(found > 0)
            found = found * self.active[-1]
        found = self.last.forward(found.reshape(len(found), -1))
        logits = np.where(mask, found[:, :-1], np.float32(-1e9))
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), np.tanh(found[:, -1])

    def backward(self, slope: Floats) -> None:
        """Find the slopes of all weights, given those of what the last layer has found."""
        slope = self.last.backward(slope).reshape(self.active[-1].shape)
        for layer, active in zip(self.convolutions[::-1], self.active[::-1], strict=True):
            if layer is not self.convolutions[-1]:
                slope = back_from_around(slope)
            slope = layer.backward(slope * active)

    def descend(self) -> None:
        """Change all weights a little."""
        self.updates += 1
        for layer in (*self.convolutions, self.last):
            layer.descend(self.updates)


def around(layer: Floats) -> Floats:
    """Return for every cell what is in the nine cells around it: (n, h, w, c) to (n, h, w, 9c)."""
    height, width = layer.shape[1:3]
    wide = np.pad(layer, ((0, 0), (1, 1), (1, 1), (0, 0)))
    shifted = [wide[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return np.concatenate(shifted, axis=3)


def back_from_around(slope: Floats) -> Floats:
    """Return the slopes of what :func:`around` was given: (n, h, w, 9c) to (n, h, w, c)."""
    size, height, width, nine = slope.shape
    parts = np.split(slope, 9, axis=3)
    wide = np.zeros((size, height + 2, width + 2, nine // 9), np.float32)
    for part, (y, x) in zip(parts, ((y, x) for y in range(3) for x in range(3)), strict=True):
        wide[:, y : y + height, x : x + width] += part
    return wide[:, 1:-1, 1:-1]


class Rows(NamedTuple):
    """The rows to learn from: one for every step, as it was seen when it was played."""

    planes: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.uint8]
    code: Codes
    chance: Floats  # the logarithm of the probability that the step had
    expected: Floats  # how the game was expected to end for whoever made the step
    result: Floats  # how it ended or, if it goes on beyond the round, is expected to


class SelfPlay:
    """Games of a network with itself, each eighth of them seen through another symmetry."""

    def __init__(self, seed: int, games: int) -> None:
        self.pool = batch.GamePool(RULES, games, seed=seed, planes=True)
        self.rng = np.random.default_rng(seed)
        back = [batch.permutation(SPACE, each.inverse) for each in SYMMETRIES]
        self.back = np.repeat(back, games // len(SYMMETRIES), axis=0)
        """Which step of its own board each game means by a code."""
        self.every = np.arange(games)
        self.finished = 0

    def seen(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return planes and masks as the network sees them."""
        parts = np.split(self.pool.planes, len(SYMMETRIES))
        turned = [
            batch.transform_planes(part, symmetry)
            for part, symmetry in zip(parts, SYMMETRIES, strict=True)
        ]
        return np.concatenate(turned), np.take_along_axis(self.pool.mask, self.back, axis=1)

    def play(self, network: Network) -> Rows:
        """Play a round."""
        pool, steps, ends = self.pool, [], []
        for _ in range(STEPS):
            planes, mask = self.seen()
            chances, expected = network.forward(planes, mask)
            # Noise of this kind makes the greatest a fair draw.
            codes = (chances + self.rng.gumbel(size=chances.shape)).argmax(axis=1).astype(np.int32)
            seats = pool.seat_to_move.copy()
            pool.step(self.back[self.every, codes])
            steps.append((planes, mask, codes, chances[self.every, codes], expected))
            ends.append((pool.is_over.copy(), pool.rewards.astype(np.float32), seats))
            self.finished += int(pool.is_over.sum())
        rewards = network.forward(*self.seen())[1][:, np.newaxis] * [1, -1]
        rewards[pool.seat_to_move == 1] *= -1  # of both seats, the first one's first
        results = []
        for over, reward, seats in ends[::-1]:
            rewards = np.where(over[:, np.newaxis], reward, rewards).astype(np.float32)
            results.append(rewards[self.every, seats])
        columns = [*zip(*steps, strict=True), results[::-1]]
        return Rows._make(map(np.concatenate, columns))


def learn(network: Network, rows: Rows, rng: np.random.Generator) -> float:
    """Learn from a round; return the mean square of how wrong the results expected were."""
    gains = rows.result - rows.expected
    error = float((gains**2).mean())
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    for some in np.array_split(rng.permutation(len(gains)), max(1, len(gains) // AT_ONCE)):
        part = Rows._make(each[some] for each in rows)
        network.backward(slope_of_loss(network, part, gains[some]))
        network.descend()
    return error


def slope_of_loss(network: Network, rows: Rows, gains: Floats) -> Floats:
    """Return the slope of the loss in what the last layer finds: of all logits, and one more."""
    chances, expected = network.forward(rows.planes, rows.mask)
    probability, every = np.exp(chances), np.arange(len(gains))
    ratio = np.exp(chances[every, rows.code] - rows.chance)
    # What has become likelier or less likely than this is left alone.
    gains = np.where(np.where(gains > 0, ratio < 1 + CLIP, ratio > 1 - CLIP), gains, 0)
    slope = (gains * ratio)[:, np.newaxis] * probability
    slope[every, rows.code] -= gains * ratio
    entropy = -(probability * chances).sum(axis=1, keepdims=True)
    slope += ENTROPY * probability * (chances + entropy)
    wrong = (expected - rows.result) * (1 - expected**2)
    slopes: Floats = np.concatenate((slope, wrong[:, np.newaxis]), axis=1).astype(np.float32)
    return slopes / np.float32(len(gains))


def score_against_random(network: Network, games: int, seed: int) -> float:
    """Return the network's score against a random player: draws are half, seats are shared."""
    rivals = [RandomPlayer(seed + number) for number in range(games)]
    own = [list(pdd.Seat)[number % 2] for number in range(games)]
    nodes: list[pdd.Node] = [pdd.GameState.initial(RULES)] * games
    while not all(node.is_over for node in nodes):
        mine = [at for at, node in enumerate(nodes) if node.seat_to_move is own[at]]
        for at in {at for at, node in enumerate(nodes) if not node.is_over}.difference(mine):
            node = nodes[at]
            if isinstance(node, pdd.GameState):
                nodes[at] = node.apply_unchecked(rivals[at].choose(node))
        if mine:
            rows = batch.GameBatch.from_states([nodes[at] for at in mine])
            best = network.forward(rows.planes(), rows.legal_mask())[0].argmax(axis=1)
            for at, code in zip(mine, best, strict=True):
                nodes[at] = nodes[at].step(SPACE.decode(code))
    outcomes = [node.outcome for node in nodes]
    values = [end.value(seat) for end, seat in zip(outcomes, own, strict=True) if end is not None]
    return (1 + sum(values) / games) / 2


class Point(NamedTuple):
    """A point of the curve."""

    rounds: int
    games: int
    seconds: float  # of play and learning, tests aside
    score: float  # against the random player
    low: float  # of its interval, 95 %
    high: float
    error: float  # in the mean square, of the results expected in the round before


def interval(score: float, games: int) -> tuple[float, float]:
    """Return an interval in which the true score lies with 95 %: Wilson's."""
    z = 1.96
    middle = (score + z * z / 2 / games) / (1 + z * z / games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / 4 / games**2) / (1 + z * z / games)
    return middle - half, middle + half


def curve_of(options: argparse.Namespace) -> Iterator[Point]:
    """Learn for so many rounds; yield points of the curve, the first before any."""
    network, play = Network(options.seed, options.width), SelfPlay(options.seed, options.games)
    rng = np.random.default_rng(options.seed)
    seconds, error = 0.0, math.nan
    for rounds in range(options.rounds + 1):
        if rounds % options.every == 0:
            score = score_against_random(network, options.test_games, seed=rounds)
            ends = interval(score, options.test_games)
            yield Point(rounds, play.finished, seconds, score, *ends, error)
        begin = time.process_time()
        error = learn(network, play.play(network), rng)
        seconds += time.process_time() - begin


def svg(curve: list[Point], width: int = 480, height: int = 240) -> str:
    """Return a picture of the curve, with its interval as a band."""
    most = max(point.seconds for point in curve) or 1

    def at(seconds: float, score: float) -> str:
        return f"{40 + (width - 60) * seconds / most:.1f},{10 + (height - 40) * (1 - score):.1f}"

    band = [at(point.seconds, point.low) for point in curve]
    band += [at(point.seconds, point.high) for point in curve[::-1]]
    line = [at(point.seconds, point.score) for point in curve]
    marks = [
        f'<text x="36" y="{14 + (height - 40) * (1 - part)}" text-anchor="end">{part:.0%}</text>'
        f'<path d="M{at(0, part)} {at(most, part)}" stroke="#888" stroke-width="0.5"/>'
        for part in (0, 0.5, 1)
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        '<g font-family="sans-serif" font-size="12" fill="#888">',
        "<title>Score against a random player</title>",
        *marks,
        f'<polygon points="{" ".join(band)}" fill="#2b7bba" opacity="0.3"/>',
        f'<polyline points="{" ".join(line)}" fill="none" stroke="#2b7bba" stroke-width="2"/>',
        f'<text x="{width - 20}" y="{height - 8}" text-anchor="end">{most:.0f} seconds</text>',
        "</g></svg>",
    ]
    return "\n".join(lines) + "\n"


def main(options: argparse.Namespace) -> None:
    """Print the curve while it grows, and draw it."""
    print("| rounds | games | seconds | score against random | 95 % | error |")
    print("|--:|--:|--:|--:|---|--:|")
    curve = []
    for point in curve_of(options):
        curve.append(point)
        shown = f"{point.score:.1%} | {point.low:.1%} to {point.high:.1%} | {point.error:.3f}"
        print(f"| {point.rounds} | {point.games:,} | {point.seconds:.0f} | {shown} |", flush=True)
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Point._fields, *curve])
    if options.svg:
        options.svg.write_text(svg(curve), encoding="utf-8")


def arguments() -> argparse.ArgumentParser:
    """Return what may be asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--games", type=int, default=256, help="at once: a multiple of 8")
    parser.add_argument("--width", type=int, default=32, help="of the network's layers")
    parser.add_argument("--every", type=int, default=10, help="rounds between two tests")
    parser.add_argument("--test-games", type=int, default=1000, help="games in a test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="a table of the curve")
    parser.add_argument("--svg", type=Path, help="a picture of it")
    return parser


if __name__ == "__main__":
    main(arguments().parse_args())
