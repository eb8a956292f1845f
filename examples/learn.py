# python examples/learn.py --out net.npz
"""Train a small network by expert iteration, with NumPy alone, and play with it.

In every round the network plays games with itself, the greedy player and the tree search. The tree
search looks at each position of these games; its choices and values are the network's targets.
After every round a match against the greedy player gives a point of the learning curve.

With --play FILE this is an engine that speaks the engine protocol, and FILE a trained network:
"external:python examples/learn.py --play examples/7x7.npz" is a player for 7x7.
"""

import argparse
import csv
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from hashlib import sha256
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch, players

MINIBATCH = 128
RATE = 1.5e-3
RANDOM = 0.05  # the share of random actions in the games
VALUE_WEIGHT = 0.5  # of the error of the values in the loss

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]


class Linear:
    """A linear layer with the Adam optimiser; the last row of its weights is the bias."""

    def __init__(self, rng: np.random.Generator, inputs: int, outputs: int, gain: float) -> None:
        weights = rng.standard_normal((inputs + 1, outputs)) * gain * (2 / inputs) ** 0.5
        weights[-1] = 0
        self.weights = weights.astype(np.float32)
        self.gradient, self.first_moment, self.second_moment = np.zeros((3, *self.weights.shape))
        self.inputs = np.zeros((0, inputs), np.float32)

    def forward(self, inputs: Floats) -> Floats:
        """Return the outputs for inputs along the last axis."""
        # NumPy multiplies two matrices much faster than many small ones.
        self.inputs = inputs.reshape(-1, inputs.shape[-1])
        outputs: Floats = self.inputs @ self.weights[:-1] + self.weights[-1]
        return outputs.reshape(*inputs.shape[:-1], -1)

    def backward(self, gradient: Floats) -> Floats:
        """Compute the gradient of the weights; return the gradient of the inputs."""
        flat = gradient.reshape(-1, gradient.shape[-1])
        self.gradient = np.vstack((self.inputs.T @ flat, flat.sum(axis=0)))
        of_inputs: Floats = flat @ self.weights[:-1].T
        return of_inputs.reshape(*gradient.shape[:-1], -1)

    def apply_gradient(self, update: int, rate: float) -> None:
        """Make an Adam update; *update* counts from 1."""
        rate *= (1 - 0.999**update) ** 0.5 / (1 - 0.9**update)
        self.first_moment += 0.1 * (self.gradient - self.first_moment)
        self.second_moment += 0.001 * (self.gradient**2 - self.second_moment)
        step = rate * self.first_moment / (np.sqrt(self.second_moment) + 1e-8)
        self.weights -= step.astype(np.float32)


class Network:
    """A tower of residual convolutions, which see 3×3 cells and the mean of the board.

    From its output come nine logits of each cell, for a tile and for bridges in eight directions,
    and four numbers of the board: logits of white, red and a pass, and the value.
    """

    def __init__(self, rules: pdd.Rules, layers: int, width: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.rules = rules
        self.sizes = (layers, width, 9, 4)
        inputs = [len(batch.PLANES) + 1] + [width] * (layers - 1)
        self.convolutions = [Linear(rng, 10 * each, width, gain=1) for each in inputs]
        for layer in self.convolutions[1:]:
            layer.weights *= np.float32(layers**-0.5)  # keeps the outputs from growing
        # The small gain makes the first policy nearly uniform.
        self.cells = Linear(rng, 10 * width, 9, gain=0.1)
        self.board = Linear(rng, width, 4, gain=0.1)
        self.layers = [*self.convolutions, self.cells, self.board]
        self.places = places(pdd.StepSpace(rules.board))
        self.active: list[npt.NDArray[np.bool_]] = []
        self.updates = 0

    def forward(self, planes: Bytes, mask: Bytes) -> tuple[Floats, Floats]:
        """Return the log-probabilities of all steps, and the values."""
        size, _, height, width = planes.shape
        tiles = mask[:, : height * width].reshape(size, 1, height, width)
        hidden = np.concatenate((planes, tiles), axis=1).transpose(0, 2, 3, 1).astype(np.float32)
        self.active = []
        for layer in self.convolutions:
            outputs = layer.forward(around(hidden))
            if self.active:
                outputs += hidden
            self.active.append(outputs > 0)
            hidden = outputs * self.active[-1]
        of_cells = self.cells.forward(around(hidden)).reshape(size, -1)
        outputs = np.hstack((of_cells, self.board.forward(hidden.mean(axis=(1, 2)))))
        logits = np.where(mask, outputs[:, self.places], np.float32(-1e9))
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True)), np.tanh(outputs[:, -1])

    def backward(self, of_logits: Floats, of_values: Floats) -> None:
        """Backpropagate the gradients of the logits, and of the values before tanh."""
        size, height, width, _ = self.active[0].shape
        _, _, cells, board = self.sizes
        outputs = np.zeros((size, height * width * cells + board), np.float32)
        outputs[:, self.places] = of_logits
        outputs[:, -1] = of_values
        of_cells = outputs[:, :-board].reshape(size, height, width, cells)
        gradient = from_around(self.cells.backward(of_cells))
        of_mean = self.board.backward(outputs[:, -board:])
        gradient += of_mean[:, np.newaxis, np.newaxis] / np.float32(height * width)
        for layer, active in zip(self.convolutions[:0:-1], self.active[:0:-1], strict=True):
            gradient *= active
            gradient += from_around(layer.backward(gradient))
        self.convolutions[0].backward(gradient * self.active[0])

    def apply_gradients(self, rate: float) -> None:
        """Make an Adam update in all layers."""
        self.updates += 1
        for layer in self.layers:
            layer.apply_gradient(self.updates, rate)

    def save(self, path: Path) -> None:
        """Write the network to a file."""
        arrays: dict[str, npt.NDArray[Any]] = {
            "sizes": np.array(self.sizes, np.int64),
            "places": self.places,
        }
        for at, layer in enumerate(self.layers):
            arrays[f"layer{at}"] = layer.weights.astype(np.float16)
        players.save_weights(path, self.rules, arrays)

    @classmethod
    def load(cls, path: Path) -> "Network":
        """Read a network from a file.

        Raises:
            ValueError: If the file holds something else.
            OSError: If it cannot be read.
        """
        rules, arrays = players.load_weights(path)
        problem = ValueError(f"{path}: not a network of this program")
        try:
            sizes = arrays["sizes"].tolist()
            network = cls(rules, layers=sizes[0], width=sizes[1], seed=0)
            layers = [arrays[f"layer{at}"].astype(np.float32) for at in range(len(network.layers))]
        except (LookupError, TypeError, ValueError):
            raise problem from None
        shapes = [layer.weights.shape for layer in network.layers]
        is_alike = sizes == [*network.sizes] and shapes == [weights.shape for weights in layers]
        if not is_alike or not np.array_equal(arrays.get("places", ()), network.places):
            raise problem
        for layer, weights in zip(network.layers, layers, strict=True):
            layer.weights = weights
        return network


def places(space: pdd.StepSpace) -> npt.NDArray[np.int32]:
    """Return the place of each step's logit in the outputs of the network."""
    cells = {cell: at for at, cell in enumerate(space.board.cells)}
    found = []
    directions: dict[tuple[int, int], int] = {}
    for step in map(space.decode, range(len(space))):
        if isinstance(step, pdd.PlaceTile):
            found.append(9 * cells[step.cell])
        elif isinstance(step, pdd.BuildBridge):
            a = step.a
            b = step.b
            way = (b.column - a.column, b.row - a.row)
            found.append(9 * cells[a] + directions.setdefault(way, 1 + len(directions)))
        else:
            found.append(9 * len(cells) + len(space) - 1 - space.encode(step))
    return np.array(found, np.int32)


def around(hidden: Floats) -> Floats:
    """Return the 3×3 cells around each cell and the mean of all: (n, h, w, c) to (n, h, w, 10c)."""
    height, width = hidden.shape[1:3]
    padded = np.pad(hidden, ((0, 0), (1, 1), (1, 1), (0, 0)))
    parts = [padded[:, y : y + height, x : x + width] for y in range(3) for x in range(3)]
    mean = np.broadcast_to(hidden.mean(axis=(1, 2), keepdims=True), hidden.shape)
    return np.concatenate((*parts, mean), axis=3)


def from_around(gradient: Floats) -> Floats:
    """Return the gradient of the inputs of :func:`around`: (n, h, w, 10c) to (n, h, w, c)."""
    size, height, width, channels = gradient.shape
    *parts, of_mean = np.split(gradient, 10, axis=3)
    padded = np.zeros((size, height + 2, width + 2, channels // 10), np.float32)
    for part, (y, x) in zip(parts, ((y, x) for y in range(3) for x in range(3)), strict=True):
        padded[:, y : y + height, x : x + width] += part
    found: Floats = padded[:, 1:-1, 1:-1] + of_mean.mean(axis=(1, 2), keepdims=True)
    return found


class LearnedPlayer:
    """A player that takes the best steps according to a saved network, without a search.

    The logit of a step is its mean under all symmetries of the board. If *temperature* is above 0,
    each step is sampled with its probability to the power of 1 / temperature.
    """

    def __init__(
        self, path: Path, seed: int = 0, *, temperature: float = 0.0, name: str = ""
    ) -> None:
        self.network = Network.load(path)
        self.rules = self.network.rules
        self.name = name or f"learned {path.stem}"
        self.temperature = temperature
        self.rng = random.Random(seed)
        self.space = pdd.StepSpace(self.rules.board)
        self.symmetries = self.rules.board.symmetries
        turned = [batch.permutation(self.space, each) for each in self.symmetries]
        self.permutations = np.stack(turned)

    @property
    def digest(self) -> str:
        """A text that differs for other weights: the folder of a match compares it."""
        weights = [layer.weights.astype("<f4").tobytes() for layer in self.network.layers]
        return sha256(b"".join((pdd.format_rules(self.rules).encode(), *weights))).hexdigest()

    def for_game(self, seed: int) -> "LearnedPlayer":
        """Return a player with the same network and another seed."""
        player = copy(self)
        player.rng = random.Random(seed)
        return player

    def prepare(self, rules: pdd.Rules) -> None:
        """Refuse rules other than those of the network, before a game begins."""
        if rules != self.rules:
            raise ValueError(f"the network plays {pdd.format_rules(self.rules)} alone")

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Return an action: two tiles one after the other, or a single step."""
        step = self.step(state)
        if not isinstance(step, pdd.PlaceTile):
            return step
        second = cast(pdd.PlaceTile, self.step(state.step(step)))
        return pdd.PlaceTiles(step.cell, second.cell)

    def step(self, node: pdd.Node) -> pdd.Step:
        """Return a step of a state or half turn."""
        self.prepare(node.rules)
        mask = np.frombuffer(self.space.legal_mask(node), np.uint8)
        planes = batch.planes(node)
        turned = np.stack([batch.transform_planes(planes, each) for each in self.symmetries])
        of_turned, _ = self.network.forward(turned, mask[np.argsort(self.permutations, axis=1)])
        logits = np.take_along_axis(of_turned, self.permutations, axis=1).mean(axis=0)
        if not self.temperature:
            return self.space.decode(int(logits.argmax()))
        weights = np.exp((logits - logits.max()) / self.temperature)
        return self.space.decode(self.rng.choices(range(len(mask)), weights.tolist())[0])

    def evaluate(self, games: "batch.GameBatch") -> tuple[Floats, Floats]:
        """Return priors and values: with MctsPlayer(evaluate=...) a search uses the network."""
        log_probs, values = self.network.forward(games.planes(), games.legal_mask())
        return np.exp(log_probs), values


def speak(player: LearnedPlayer, lines: Iterable[str], write: Callable[[str], object]) -> None:
    """Answer the messages of the engine protocol."""
    start = pdd.GameState.initial(player.rules)
    node: pdd.Node = start
    for line in lines:
        word, _, rest = line.rstrip("\r\n").partition(" ")
        try:
            match word:
                case "quit":
                    return
                case "ponte":
                    write(f"ponte 1\nname {player.name}\nready")
                case "newgame":
                    start = pdd.GameState.initial(pdd.parse_rules(rest))
                    write("ready" if start.rules == player.rules else "unsupported these rules")
                case "position":
                    node = read_position(start, rest)
                case "go":
                    write(f"best {chosen(player, node, is_step=rest.startswith('step'))}")
                case "stop" | "ponder":
                    pass  # a network answers at once: it has no search to stop, and does not ponder
                case _:
                    write("error unknown message")
        except ValueError as error:
            write(f"error {' '.join(str(error).split())}")


def read_position(start: pdd.GameState, text: str) -> pdd.Node:
    """Return the position of a message: a text of a state, or actions from the start."""
    kind, _, rest = text.partition(" ")
    if kind == "state":
        return pdd.parse_node(rest)
    state = start
    for action in rest.split():
        state = state.apply(pdd.parse_action(action))
    return state


def chosen(player: LearnedPlayer, node: pdd.Node, *, is_step: bool) -> str:
    """Return the text of a step, or of a whole action in a state."""
    if is_step or isinstance(node, pdd.HalfTurn):
        return pdd.format_action(player.step(node))
    return pdd.format_action(player.choose(node))


class Samples(NamedTuple):
    """Training samples: one for each step of the search."""

    planes: Bytes
    mask: Bytes
    code: npt.NDArray[np.intp]
    value: Floats  # for the seat to move


def samples_of(
    rules: pdd.Rules, others: list[players.Player], simulations: int, seed: int
) -> Samples:
    """Play a game between two of some players, and return the search results for its states."""
    rng = random.Random(seed)
    space = pdd.StepSpace(rules.board)
    rows = []
    teacher = players.MctsPlayer(simulations=simulations, seed=seed)
    pair = [player.for_game(seed + at) for at, player in enumerate(rng.choices(others, k=2))]
    state = pdd.GameState.initial(rules)
    while state.seat_to_move is not None:
        line = teacher.search(state)
        action = line.actions[0]
        player = pair[state.seat_to_move is pdd.Seat.SECOND]
        for steps in orders(action):
            node: pdd.Node = state
            for step in steps:
                mask = np.frombuffer(space.legal_mask(node), np.uint8)
                rows.append((batch.planes(node), mask, space.encode(step), np.float32(line.value)))
                node = node.step(step)
        if rng.random() < RANDOM:
            action = state.legal_actions.sample(rng)
        elif not isinstance(player, players.MctsPlayer):
            action = player.choose(state)
        state = state.apply_unchecked(action)
    return Samples._make(map(np.stack, zip(*rows, strict=True)))


def orders(action: pdd.Action) -> list[tuple[pdd.Step, ...]]:
    """Return the steps of an action, in both orders for two tiles."""
    if isinstance(action, pdd.PlaceTiles):
        return [*permutations(map(pdd.PlaceTile, action.cells))]
    return [(action,)]


def train(network: Network, samples: Samples, rate: float, rng: np.random.Generator) -> list[float]:
    """Train on all samples once; return the mean losses of the policy and the value."""
    space = pdd.StepSpace(network.rules.board)
    losses = []
    symmetries = network.rules.board.symmetries
    count = len(samples.code)
    for chosen in np.array_split(rng.permutation(count), max(1, count // MINIBATCH)):
        # Each minibatch is transformed by a random symmetry of the board.
        symmetry = symmetries[rng.integers(len(symmetries))]
        turned = Samples(
            batch.transform_planes(samples.planes[chosen], symmetry),
            samples.mask[chosen][:, batch.permutation(space, symmetry.inverse)],
            batch.permutation(space, symmetry)[samples.code[chosen]].astype(np.intp),
            samples.value[chosen],
        )
        losses.append(backpropagate(network, turned))
        network.apply_gradients(rate)
    return [float(np.mean(each)) for each in zip(*losses, strict=True)]


def backpropagate(network: Network, samples: Samples) -> tuple[float, float]:
    """Compute the gradients of the loss; return the cross-entropy and the squared error."""
    log_probs, values = network.forward(samples.planes, samples.mask)
    rows = np.arange(len(values))
    scale = np.float32(1 / len(values))
    policy = np.exp(log_probs)
    policy[rows, samples.code] -= 1
    error = values - samples.value
    of_values = np.float32(2 * VALUE_WEIGHT) * error * (1 - values**2)
    network.backward(policy * scale, of_values * scale)
    return float(-log_probs[rows, samples.code].mean()), float((error**2).mean())


class Point(NamedTuple):
    """A point of the learning curve."""

    rounds: int
    samples: int
    seconds: float  # seconds of playing and training, without tests
    policy: float  # cross-entropy with the choices of the search
    error: float  # mean squared error of the values
    score: float  # against the greedy player
    low: float  # of the 95 % confidence interval
    high: float


def learning_curve(options: argparse.Namespace) -> Iterator[Point]:
    """Train a network and save it after each round; yield the points of its learning curve."""
    rules = options.rules
    seed = options.seed
    network = Network(rules, options.layers, options.width, seed)
    rng = np.random.default_rng(seed)
    known = []
    seconds = 0.0
    losses = [0.0, 0.0]
    for rounds in range(1, options.rounds + 1):
        start = time.process_time()
        playing: list[players.Player] = [players.MctsPlayer(), players.GreedyPlayer()]
        if rounds > 1:
            playing += 2 * [LearnedPlayer(options.out, temperature=0.5)]
        seeds = rng.integers(1 << 62, size=options.games).tolist()
        known += [samples_of(rules, playing, options.simulations, each) for each in seeds]
        samples = Samples._make(map(np.concatenate, zip(*known, strict=True)))
        for epoch in range(options.epochs):
            done = (rounds - 1 + epoch / options.epochs) / options.rounds
            losses = train(network, samples, RATE * (1 - done), rng)
        network.save(options.out)
        seconds += time.process_time() - start
        # The network takes the same steps in equal games, so each pair of games has an opening.
        result = players.match(
            LearnedPlayer(options.out, name=f"round {rounds}"),
            players.GreedyPlayer(),
            options.test_games,
            rules=rules,
            seed=rounds,
            openings=options.openings,
        )
        scores = result.score, *result.score_interval
        yield Point._make((rounds, len(samples.code), seconds, *losses, *scores))


def main(options: argparse.Namespace) -> None:
    """Play as an engine; or print the learning curve as it grows, and write the files."""
    if options.play:
        speak(LearnedPlayer(options.play), sys.stdin, lambda text: print(text, flush=True))
        return
    print("| rounds | samples | seconds | policy | value | score against greedy | 95 % |")
    print("|--:|--:|--:|--:|--:|--:|---|")
    curve = []
    for point in learning_curve(options):
        curve.append(point)
        print(
            f"| {point.rounds} | {point.samples:,} | {point.seconds:.0f} | {point.policy:.3f} "
            f"| {point.error:.3f} | {point.score:.1%} | {point.low:.1%} to {point.high:.1%} |",
            flush=True,
        )
    if options.csv:
        with options.csv.open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([Point._fields, *curve])


def make_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--out", type=Path, default=Path("net.npz"), help="file for the network")
    parser.add_argument("--rules", type=pdd.parse_rules, default=pdd.parse_rules("7x7"))
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--games", type=int, default=300, help="games in a round")
    parser.add_argument("--simulations", type=int, default=1000, help="of the search, for a turn")
    parser.add_argument("--epochs", type=int, default=2, help="passes over all samples in a round")
    parser.add_argument("--layers", type=int, default=5, help="convolutions")
    parser.add_argument("--width", type=int, default=32, help="channels of the convolutions")
    parser.add_argument("--test-games", type=int, default=100, help="games in a test")
    parser.add_argument("--openings", type=int, default=2, help="random turns in games of a test")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", type=Path, help="file for the learning curve as a table")
    parser.add_argument("--play", type=Path, metavar="FILE", help="play with a trained network")
    return parser


if __name__ == "__main__":
    main(make_parser().parse_args())
