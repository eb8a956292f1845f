"""Learn the weights of the pattern player from games of the tree search with itself.

``python -m tools.pattern_weights --minutes 10`` plays games on 10×10 and 7×7, and fits the weights
of several sets of features, using gradient descent on the cross entropy of the actions that the
search chose in four fifths of the games. It prints the likelihood of the actions in the other
games, and writes the weights of one set. ``--games FILE`` stores the games in a file, and uses the
games already there. Nothing is learned from positions that the search considers decided: there it
chooses almost at random.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from math import exp
from pathlib import Path
from random import Random
from statistics import fmean
from time import monotonic
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.players import MctsPlayer, pattern_player
from pontedeldiavolo.players.pattern_player import Rating, Weights, features, patterns

FILE = Path(pattern_player.__file__).with_name("patterns.json")
BOARDS = (10, 10, 7)
SIMULATIONS = 2000
RANDOM_SHARE = 0.1  # share of random actions in the games; nothing is learned from them
DECIDED = 0.7  # a game whose value is at least this far from 0 is decided
PAIRS = 32  # pairs that are compared with the chosen action
PILOTS = 800  # decisions from which the weights for sampling these pairs are learned
RARE = 60  # patterns that occur less often get no weight
EPOCHS = 20
BATCH = 256
RATE = 0.03
DECAY = 2e-3
PER_TILE = 6  # patterns of a tile
SETS = {
    "cells around a tile": ("surroundings",),
    "board": ("board",),
    "board, by phase": ("board", "phase"),
    "board, by phase; cells around a tile": ("board", "phase", "surroundings"),
    "all": ("board", "phase", "surroundings", "wider"),
}

Floats = npt.NDArray[np.floating[Any]]


class Decision(NamedTuple):
    """An action that the tree search chose in a state of a game."""

    game: int
    state: pdd.GameState
    chosen: pdd.Action


class Sample(NamedTuple):
    """The candidates of a decision; the chosen one is the first."""

    features: list[list[int]]
    patterns: list[list[str]]
    chances: list[float]  # the expected number of times that each is sampled
    filled: float
    game: int


def play(minutes: float, path: Path) -> None:
    """Play games of the tree search with itself from random starts; write its decisions."""
    game = 0
    end = monotonic() + 60 * minutes
    with path.open("w", encoding="utf-8") as file:
        while monotonic() < end:
            size = BOARDS[game % len(BOARDS)]
            rng = Random(game)
            state = pdd.GameState.initial(pdd.Rules(pdd.Board(size, size)))
            player = MctsPlayer(simulations=SIMULATIONS, seed=game)
            while not state.is_over:
                if state.phase is pdd.Phase.OPENING or rng.random() < RANDOM_SHARE:
                    action = state.legal_actions.sample(rng)
                else:
                    line = player.search(state)
                    action = line.actions[0]
                    texts = pdd.format_state(state), pdd.format_action(action)
                    file.write(f"{game}\t{line.value:.2f}\t{texts[0]}\t{texts[1]}\n")
                state = state.apply(action)
            game += 1


def decisions(path: Path) -> Iterator[Decision]:
    """Yield the decisions of a file that are open, during the phase of play."""
    for line in path.read_text("utf-8").splitlines():
        game, value, text, chosen = line.split("\t")
        state = pdd.parse_state(text)
        is_open = abs(float(value)) <= DECIDED and len(state.legal_actions) > 1
        if is_open and state.phase is pdd.Phase.PLAY:
            yield Decision(int(game), state, pdd.parse_action(chosen))


class Proposals:
    """Samples pairs of tiles with probabilities that follow the ratings of single tiles.

    The second tile is any tile, or one near the first.
    """

    def __init__(self, state: pdd.GameState, weights: Weights) -> None:
        self.geometry = state.pieces.geometry
        self.pairs = state.legal_actions.pairs
        single = Rating(state, weights).tiles()
        most = max(single.values(), default=0.0)
        self.weights = {cell: exp((rating - most) / 2) for cell, rating in single.items()}
        self.total = sum(self.weights.values())
        self.known: dict[int, list[dict[int, float]]] = {}

    def seconds(self, a: int) -> list[dict[int, float]]:
        """Return the probabilities of all second cells, and of near second cells."""
        if a not in self.known:
            cells = self.pairs.seconds(a)
            masks = filter(None, (cells, cells & self.geometry.near[a]))
            found = [{cell: self.weights[cell] for cell in bits(mask)} for mask in masks]
            sums = [sum(each.values()) for each in found]
            self.known[a] = [
                {cell: weight / total for cell, weight in each.items()}
                for each, total in zip(found, sums, strict=True)
            ]
        return self.known[a]

    def sample(self, rng: Random) -> pdd.PlaceTiles:
        """Return a pair."""
        a = rng.choices([*self.weights], [*self.weights.values()])[0]
        second = rng.choice(self.seconds(a))
        b = rng.choices([*second], [*second.values()])[0]
        return pdd.PlaceTiles(self.geometry.cells[a], self.geometry.cells[b])

    def chance(self, pair: pdd.PlaceTiles) -> float:
        """Return the expected number of times that a pair is sampled."""
        a, b = map(self.geometry.index, pair.cells)
        chance = sum(
            self.weights[first]
            / self.total
            * fmean(each.get(second, 0) for each in self.seconds(first))
            for first, second in ((a, b), (b, a))
        )
        return 1 - (1 - chance) ** PAIRS


def sample(decision: Decision, weights: Weights, rng: Random) -> Sample:
    """Return the chosen action, all actions without tiles, and some pairs."""
    state = decision.state
    chosen = decision.chosen
    pieces = state.pieces
    color = cast(pdd.Color, state.to_move).index
    chances: dict[pdd.Action, float] = dict.fromkeys(state.legal_actions.others, 1.0)
    if state.legal_actions.pairs:
        proposals = Proposals(state, weights)
        pairs = [proposals.sample(rng) for _ in range(PAIRS)]
        if isinstance(chosen, pdd.PlaceTiles):
            pairs.append(chosen)
        chances |= {pair: proposals.chance(pair) for pair in {*pairs}}
    actions = sorted(chances, key=lambda action: (action != chosen, action))
    after = [pieces.with_action(color, each) for each in actions]
    bridges = [isinstance(each, pdd.BuildBridge) for each in actions]
    cells = [each.cells if isinstance(each, pdd.PlaceTiles) else () for each in actions]
    return Sample(
        [
            features(each, color, is_bridge=is_bridge)
            for each, is_bridge in zip(after, bridges, strict=True)
        ],
        [patterns(pieces, color, [*map(pieces.geometry.index, each)]) for each in cells],
        [chances[each] for each in actions],
        pieces.occupied.bit_count() / len(state.rules.board),
        decision.game,
    )


class Data:
    """Samples as arrays.

    Attributes:
        features: The features of each candidate minus those of the chosen one, early and late.
        patterns: The numbers of the patterns of each candidate; 0 for a pattern without weight.
        logits: A correction for the sampling of each candidate; -inf in place of no candidate.
    """

    def __init__(self, samples: list[Sample], kinds: tuple[str, ...]) -> None:
        self.names = ["", *frequent_patterns(samples, kinds)]
        numbers = {name: number for number, name in enumerate(self.names)}
        shape = len(samples), max(len(each.features) for each in samples)
        dense = np.zeros((*shape, len(samples[0].features[0])), np.float32)
        self.patterns = np.zeros((*shape, 2 * PER_TILE), np.intp)
        self.logits: Floats = np.full(shape, -np.inf)
        for row, each in enumerate(samples):
            found = np.array(each.features, np.float32)
            dense[row, : len(found)] = found - found[0]
            self.logits[row, : len(found)] = -np.log(each.chances)
            for column, names in enumerate(each.patterns):
                used = [numbers.get(name, 0) for name in names]
                self.patterns[row, column, : len(used)] = used
        if "board" not in kinds:
            dense[..., 1:] = 0  # all features except the one for bridges
        filled = np.array([each.filled for each in samples], np.float32)[:, None, None]
        if "phase" not in kinds:
            filled[:] = 0.5
        self.features = np.concatenate([dense * (1 - filled), dense * filled], axis=2)

    def gradient(self, weights: Floats, rows: npt.NDArray[np.intp]) -> Floats:
        """Return the gradient of the cross entropy of some decisions."""
        dense = self.features[rows]
        sparse = self.patterns[rows]
        early_and_late, of_patterns = np.split(weights, [dense.shape[2]])
        scores = self.logits[rows] + dense @ early_and_late + of_patterns[sparse].sum(axis=2)
        errors = np.exp(scores - scores.max(axis=1, keepdims=True))
        errors /= errors.sum(axis=1, keepdims=True) * len(rows)
        errors[:, 0] -= 1 / len(rows)
        each = np.repeat(errors.ravel(), sparse.shape[2])
        found = np.bincount(sparse.ravel(), each, len(of_patterns))
        found[0] = 0
        return np.concatenate([np.einsum("ij,ijk->k", errors, dense), found])


def frequent_patterns(samples: list[Sample], kinds: tuple[str, ...]) -> list[str]:
    """Return the frequent patterns of some kinds."""
    counts = Counter(name for each in samples for names in each.patterns for name in names)
    usual = sorted(name for name, count in counts.items() if count >= RARE)
    return [
        each for each in usual if ("surroundings" if {*each} <= {*"xo.#"} else "wider") in kinds
    ]


def fit(samples: list[Sample], kinds: tuple[str, ...]) -> Weights:
    """Return the weights that maximise the likelihood of the chosen actions, using Adam."""
    rng = np.random.default_rng(1)
    data = Data(samples, kinds)
    dense = data.features.shape[2]
    weights = np.zeros(dense + len(data.names))
    first = np.zeros_like(weights)
    second = np.zeros_like(weights)
    count = max(1, len(samples) // BATCH)
    batches = [
        rows for _ in range(EPOCHS) for rows in np.array_split(rng.permutation(len(samples)), count)
    ]
    for update, rows in enumerate(batches, 1):
        gradient = data.gradient(weights, rows) + DECAY * weights
        first += 0.1 * (gradient - first)
        second += 0.001 * (gradient * gradient - second)
        rate = RATE * (1 - (update - 1) / len(batches)) / (1 - 0.9**update)
        weights -= rate * first / (np.sqrt(second / (1 - 0.999**update)) + 1e-8)
    early, late = weights[:dense].reshape(2, -1).round(2)
    if "phase" not in kinds:
        early = (early + late) / 2
        late = early
    of_patterns = dict(zip(data.names, weights[dense:].round(2).tolist(), strict=True))
    del of_patterns[""]
    return Weights(early.tolist(), late.tolist(), of_patterns)


def judge(samples: list[Sample], weights: Weights) -> tuple[float, float]:
    """Return the mean log-likelihood of the chosen actions, and how often they are rated best."""
    likelihood = 0.0
    best = 0
    for each in samples:
        ends = np.array([weights.early, weights.late])
        scores = np.array(each.features) @ ([1 - each.filled, each.filled] @ ends)
        for candidate, names in enumerate(each.patterns):
            scores[candidate] += sum(weights.patterns.get(name, 0.0) for name in names)
        best += int(scores.argmax() == 0)
        scores -= np.log(each.chances)
        likelihood += scores[0] - np.logaddexp.reduce(scores)
    return likelihood / len(samples), best / len(samples)


def learn(games: Path, wanted: str, target: Path) -> None:
    """Fit all sets of features, print their predictions, and write the weights of one set."""
    rng = Random(1)
    known = [*decisions(games)]
    width = len(features(known[0].state.pieces, 0))
    equal = Weights([0.0] * width, [0.0] * width, {})
    pilots = [sample(each, equal, rng) for each in rng.sample(known, min(PILOTS, len(known)))]
    pilot = fit(pilots, SETS["all"])
    samples = [sample(each, pilot, rng) for each in known]
    training = [each for each in samples if each.game % 5]
    test = [each for each in samples if not each.game % 5]
    print(f"{len(training)} decisions to learn from, {len(test)} to test")
    for name, kinds in SETS.items():
        weights = fit(training, kinds)
        likelihood, best = judge(test, weights)
        print(f"{name}: {likelihood:.3f}, {best:.1%}, {len(weights.patterns)} patterns", flush=True)
        if name == wanted:
            target.write_text(json.dumps(weights, indent=0) + "\n", "utf-8")


def main() -> None:
    """Play and learn as specified by the arguments."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="of games")
    parser.add_argument("--games", type=Path, default=Path("build/patterns.txt"))
    parser.add_argument("--features", choices=SETS, default="all")
    parser.add_argument("--out", type=Path, default=FILE)
    asked = parser.parse_args()
    if not asked.games.exists():
        asked.games.parent.mkdir(exist_ok=True)
        play(asked.minutes, asked.games)
    learn(asked.games, asked.features, asked.out)


if __name__ == "__main__":
    main()
