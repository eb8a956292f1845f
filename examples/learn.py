# python examples/learn.py
"""Train a small network on 6×6 by self-play and PPO, with NumPy alone.

After each round of games, proximal policy optimisation makes steps with a positive advantage more
likely. The network sees each eighth of the games under a different symmetry of the board. Tests
against a random player after every few rounds give the learning curve.
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
STEPS, MINIBATCH = 32, 512  # steps in each game in a round; samples in a gradient update
LEARNING_RATE, CLIP, ENTROPY = 1e-3, 0.2, 0.01  # ENTROPY is the coefficient of the entropy bonus

Floats = npt.NDArray[np.float32]


class Linear:
    """A linear layer with the Adam optimiser."""

    def __init__(self, rng: np.random.Generator, inputs: int, outputs: int, gain: float) -> None:
        weights = rng.standard_normal((inputs, outputs)) * gain * math.sqrt(2 / inputs)
        self.parameters = [weights.astype(np.float32), np.zeros(outputs, np.float32)]
        self.gradients = [np.zeros_like(each) for each in self.parameters]
        self.first_moments = [np.zeros_like(each) for each in self.parameters]
        self.second_moments = [np.zeros_like(each) for each in self.parameters]
        self.inputs = np.zeros((0, inputs), np.float32)

    def forward(self, inputs: Floats) -> Floats:
        """Return the outputs for inputs along the last axis."""
        self.inputs = inputs
        outputs: Floats = inputs @ self.parameters[0] + self.parameters[1]
        return outputs

    def backward(self, gradient: Floats) -> Floats:
        """Compute the gradients of the parameters; return the gradient of the inputs."""
        flat = gradient.reshape(-1, gradient.shape[-1])
        self.gradients = [self.inputs.reshape(len(flat), -1).T @ flat, flat.sum(axis=0)]
        of_inputs: Floats = gradient @ self.parameters[0].T
        return of_inputs

    def apply_gradients(self, update: int) -> None:
        """Make an Adam update; *update* counts from 1."""
        rate = LEARNING_RATE * math.sqrt(1 - 0.999**update) / (1 - 0.9**update)
        for index, gradient in enumerate(self.gradients):
            first, second = self.first_moments[index], self.second_moments[index]
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient * gradient - second)
            self.parameters[index] -= rate * first / (np.sqrt(second) + 1e-8)


class Network:
    """Two convolutions of 3×3 cells, then a linear layer for the policy logits and the value."""

    def __init__(self, seed: int, width: int) -> None:
        rng = np.random.default_rng(seed)
        inputs = 9 * len(batch.PLANES), 9 * width
        self.convolutions = [Linear(rng, each, width, gain=1) for each in inputs]
        # The small gain makes the initial policy nearly uniform.
        self.heads = Linear(rng, len(RULES.board) * width, len(SPACE) + 1, gain=0.1)
        self.relu_masks: list[npt.NDArray[np.bool_]] = []
        self.updates = 0

    def forward(
        self, planes: npt.NDArray[np.uint8], mask: npt.NDArray[np.uint8]
    ) -> tuple[Floats, Floats]:
        """Return the log-probabilities of all steps, and the values."""
        hidden = planes.transpose(0, 2, 3, 1).astype(np.float32)
        self.relu_masks = []
        for layer in self.convolutions:
            hidden = layer.forward(im2col(hidden))
            self.relu_masks.append(hidden > 0)
            hidden = hidden * self.relu_masks[-1]
        outputs = self.heads.forward(hidden.reshape(len(hidden), -1))
        logits = np.where(mask, outputs[:, :-1], np.float32(-1e9))
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), np.tanh(outputs[:, -1])

    def backward(self, gradient: Floats) -> None:
        """Backpropagate the gradient of the outputs of the heads."""
        gradient = self.heads.backward(gradient).reshape(self.relu_masks[-1].shape)
        for layer, active in zip(self.convolutions[::-1], self.relu_masks[::-1], strict=True):
            if layer is not self.convolutions[-1]:
                gradient = col2im(gradient)
            gradient = layer.backward(gradient * active)

    def apply_gradients(self) -> None:
        """Make an Adam update in all layers."""
        self.updates += 1
        for layer in (*self.convolutions, self.heads):
            layer.apply_gradients(self.updates)


def im2col(images: Floats) -> Floats:
    """Return the 3×3 patch around each cell: (n, h, w, c) to (n, h, w, 9c)."""
    height, width = images.shape[1:3]
    padded = np.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))
    shifted = [padded[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    return np.concatenate(shifted, axis=3)


def col2im(gradient: Floats) -> Floats:
    """Return the gradient of the images of :func:`im2col`: (n, h, w, 9c) to (n, h, w, c)."""
    size, height, width, channels = gradient.shape
    parts = np.split(gradient, 9, axis=3)
    padded = np.zeros((size, height + 2, width + 2, channels // 9), np.float32)
    for part, (y, x) in zip(parts, ((y, x) for y in range(3) for x in range(3)), strict=True):
        padded[:, y : y + height, x : x + width] += part
    return padded[:, 1:-1, 1:-1]


class Samples(NamedTuple):
    """Training samples: one for each step, as the network saw it during play."""

    planes: npt.NDArray[np.uint8]
    mask: npt.NDArray[np.uint8]
    code: npt.NDArray[np.intp]
    log_prob: Floats  # of the step
    value: Floats  # the network's estimate for the mover
    target: Floats  # the result for the mover, or a later estimate if the round ends first


class SelfPlay:
    """Self-play of a network, with each eighth of the games under a different symmetry."""

    def __init__(self, seed: int, games: int) -> None:
        self.pool = batch.GamePool(RULES, games, seed=seed, planes=True)
        self.rng = np.random.default_rng(seed)
        inverse = [batch.permutation(SPACE, each.inverse) for each in SYMMETRIES]
        self.inverse = np.repeat(inverse, games // len(SYMMETRIES), axis=0)
        """For each game, the code on its own board of each code on the transformed board."""
        self.rows = np.arange(games)
        self.finished = 0

    def observe(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """Return the planes and masks of the transformed boards."""
        parts = np.split(self.pool.planes, len(SYMMETRIES))
        transformed = [
            batch.transform_planes(part, symmetry)
            for part, symmetry in zip(parts, SYMMETRIES, strict=True)
        ]
        return np.concatenate(transformed), np.take_along_axis(self.pool.mask, self.inverse, axis=1)

    def play(self, network: Network) -> Samples:
        """Play a round, and return its samples."""
        pool, steps, ends = self.pool, [], []
        for _ in range(STEPS):
            planes, mask = self.observe()
            log_probs, values = network.forward(planes, mask)
            # The Gumbel-max trick samples from the policy.
            codes = (log_probs + self.rng.gumbel(size=log_probs.shape)).argmax(axis=1)
            seats = pool.seat_to_move.copy()
            pool.step(self.inverse[self.rows, codes])
            steps.append((planes, mask, codes, log_probs[self.rows, codes], values))
            ends.append((pool.is_over.copy(), pool.rewards.astype(np.float32), seats))
            self.finished += int(pool.is_over.sum())
        # Unfinished games get the network's values, with a column for each seat.
        returns = network.forward(*self.observe())[1][:, np.newaxis] * [1, -1]
        returns[pool.seat_to_move == 1] *= -1
        targets = []
        for over, rewards, seats in ends[::-1]:
            returns = np.where(over[:, np.newaxis], rewards, returns).astype(np.float32)
            targets.append(returns[self.rows, seats])
        columns = [*zip(*steps, strict=True), targets[::-1]]
        return Samples._make(map(np.concatenate, columns))


def train(network: Network, samples: Samples, rng: np.random.Generator) -> float:
    """Train on the samples of a round; return the mean squared error of their values."""
    advantages = samples.target - samples.value
    error, count = float((advantages**2).mean()), len(advantages)
    advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-6)
    for chosen in np.array_split(rng.permutation(count), max(1, count // MINIBATCH)):
        minibatch = Samples._make(each[chosen] for each in samples)
        network.backward(loss_gradient(network, minibatch, advantages[chosen]))
        network.apply_gradients()
    return error


def loss_gradient(network: Network, samples: Samples, advantages: Floats) -> Floats:
    """Return the gradient of the PPO loss in the outputs of the heads."""
    log_probs, values = network.forward(samples.planes, samples.mask)
    probs, rows = np.exp(log_probs), np.arange(len(advantages))
    ratio = np.exp(log_probs[rows, samples.code] - samples.log_prob)
    # PPO's clipping: a ratio beyond the clip range has no gradient.
    weights = ratio * advantages * np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    policy = weights[:, np.newaxis] * probs
    policy[rows, samples.code] -= weights
    entropy = -(probs * log_probs).sum(axis=1, keepdims=True)
    policy += ENTROPY * probs * (log_probs + entropy)
    value = (values - samples.target) * (1 - values**2)
    gradient: Floats = np.concatenate((policy, value[:, np.newaxis]), axis=1).astype(np.float32)
    return gradient / np.float32(len(advantages))


def score_against_random(network: Network, games: int, seed: int) -> float:
    """Return the network's score against a random player, with half of the games from each seat."""
    opponents = [RandomPlayer(seed + number) for number in range(games)]
    seats = [list(pdd.Seat)[number % 2] for number in range(games)]
    nodes: list[pdd.Node] = [pdd.GameState.initial(RULES)] * games
    while not all(node.is_over for node in nodes):
        turns = [at for at, node in enumerate(nodes) if node.seat_to_move is seats[at]]
        for at in {at for at, node in enumerate(nodes) if not node.is_over}.difference(turns):
            node = nodes[at]
            if isinstance(node, pdd.GameState):
                nodes[at] = node.apply_unchecked(opponents[at].choose(node))
        if turns:
            games_to_move = batch.GameBatch.from_states([nodes[at] for at in turns])
            log_probs, _ = network.forward(games_to_move.planes(), games_to_move.legal_mask())
            for at, code in zip(turns, log_probs.argmax(axis=1), strict=True):
                nodes[at] = nodes[at].step(SPACE.decode(code))
    outcomes = [node.outcome for node in nodes]
    values = [end.value(seat) for end, seat in zip(outcomes, seats, strict=True) if end is not None]
    return (1 + sum(values) / games) / 2


class Point(NamedTuple):
    """A point of the learning curve."""

    rounds: int
    games: int
    seconds: float  # of playing and training, without tests
    score: float  # against the random player
    low: float  # of the 95 % confidence interval
    high: float
    error: float  # mean squared error of the values in the round before


def interval(score: float, games: int) -> tuple[float, float]:
    """Return Wilson's 95 % confidence interval of a score."""
    z = 1.96
    middle = (score + z * z / 2 / games) / (1 + z * z / games)
    half = z * math.sqrt(score * (1 - score) / games + z * z / 4 / games**2) / (1 + z * z / games)
    return middle - half, middle + half


def learning_curve(options: argparse.Namespace) -> Iterator[Point]:
    """Train a network; yield the points of its learning curve, from the untrained network on."""
    network, self_play = Network(options.seed, options.width), SelfPlay(options.seed, options.games)
    rng = np.random.default_rng(options.seed)
    seconds, error = 0.0, math.nan
    for rounds in range(options.rounds + 1):
        if rounds % options.every == 0:
            score = score_against_random(network, options.test_games, seed=rounds)
            ends = interval(score, options.test_games)
            yield Point(rounds, self_play.finished, seconds, score, *ends, error)
        start = time.process_time()
        error = train(network, self_play.play(network), rng)
        seconds += time.process_time() - start


def svg(curve: list[Point], width: int = 480, height: int = 240) -> str:
    """Return a chart of the curve, with the confidence interval as a band."""
    end = max(point.seconds for point in curve) or 1

    def xy(seconds: float, score: float) -> str:
        return f"{40 + (width - 60) * seconds / end:.1f},{10 + (height - 40) * (1 - score):.1f}"

    band = [xy(point.seconds, point.low) for point in curve]
    band += [xy(point.seconds, point.high) for point in curve[::-1]]
    line = [xy(point.seconds, point.score) for point in curve]
    grid = [
        f'<text x="36" y="{14 + (height - 40) * (1 - part)}" text-anchor="end">{part:.0%}</text>'
        f'<path d="M{xy(0, part)} {xy(end, part)}" stroke="#888" stroke-width="0.5"/>'
        for part in (0, 0.5, 1)
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        '<g font-family="sans-serif" font-size="12" fill="#888">',
        "<title>Score against a random player</title>",
        *grid,
        f'<polygon points="{" ".join(band)}" fill="#2b7bba" opacity="0.3"/>',
        f'<polyline points="{" ".join(line)}" fill="none" stroke="#2b7bba" stroke-width="2"/>',
        f'<text x="{width - 20}" y="{height - 8}" text-anchor="end">{end:.0f} seconds</text>',
        "</g></svg>",
    ]
    return "\n".join(lines) + "\n"


def main(options: argparse.Namespace) -> None:
    """Print the learning curve as it grows, and write the files."""
    print("| rounds | games | seconds | score against random | 95 % | error |")
    print("|--:|--:|--:|--:|---|--:|")
    curve = []
    for point in learning_curve(options):
        curve.append(point)
        shown = f"{point.score:.1%} | {point.low:.1%} to {point.high:.1%} | {point.error:.3f}"
        print(f"| {point.rounds} | {point.games:,} | {point.seconds:.0f} | {shown} |", flush=True)
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Point._fields, *curve])
    if options.svg:
        options.svg.write_text(svg(curve), encoding="utf-8")


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--games", type=int, default=256, help="games at a time, a multiple of 8")
    parser.add_argument("--width", type=int, default=32, help="channels of the convolutions")
    parser.add_argument("--every", type=int, default=10, help="rounds between two tests")
    parser.add_argument("--test-games", type=int, default=1000, help="games in a test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="file for the learning curve as a table")
    parser.add_argument("--svg", type=Path, help="file for the chart")
    return parser


if __name__ == "__main__":
    main(make_parser().parse_args())
