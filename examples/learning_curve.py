# python examples/learning_curve.py [--rounds 30] [--late 0.25]
"""Learn 4×3 by self-play, and measure after every few rounds how often the network is right.

The table of 4×3 has the exact value of every position, so the quality of a network is a share: in
how many positions its best step keeps the value. Only positions count in which some step loses
value. ``--late`` is the temperature after the first steps of a game; 1 is that of the first steps.
"""

import argparse
from time import process_time
from typing import cast

import learn
import numpy as np

import pontedeldiavolo as pdd
from pontedeldiavolo import batch, players

RULES = pdd.Rules(pdd.Board(4, 3))
TABLE = cast(players.Tablebase, players.Tablebase.bundled(RULES))
EARLY_STEPS = 4
REPEATS = 3
KEPT_ROUNDS = 6
TEST_SIMULATIONS = 64


class Learner:
    """A network with its self-play and its training."""

    def __init__(self, late: float) -> None:
        self.network = learn.Network(RULES, layers=3, width=24, seed=1)
        self.rng = np.random.default_rng(1)
        self.late = late

    def evaluate(self, leaves: batch.GameBatch) -> tuple[np.ndarray, np.ndarray]:
        """Return priors and values."""
        log_probs, values = self.network.forward(leaves.planes(), leaves.legal_mask())
        return np.exp(log_probs), values

    def temperature(self, step: int) -> float:
        """Return 1 for the first steps of a game, for variety, and less for all others."""
        return 1.0 if step <= EARLY_STEPS else self.late

    def self_play(self, size: int, simulations: int, seed: int) -> list[np.ndarray]:
        """Return planes, masks, policies and results of all positions of some games."""
        games = batch.GameBatch.initial(RULES, size)
        search = players.BatchedSearch(
            games, simulations=simulations, root_noise=(0.3, 0.25), seed=seed
        )
        found = []
        while not search.games.is_over.all():
            while not search.done:
                search.backup(*self.evaluate(search.leaves()))
            roots = search.games
            visits = search.visits
            rows = np.flatnonzero(~roots.is_over)
            policy = visits[rows] / visits[rows].sum(axis=1, keepdims=True)
            seen = roots.take(rows)
            found.append((seen.planes(), seen.legal_mask(), policy, rows, seen.seat_to_move))
            share = visits / np.maximum(1, visits.max(axis=1, keepdims=True))
            weights = share ** (1 / self.temperature(len(found)))
            search.advance(roots.sample_steps(seed + len(found), weights))
        rewards = search.games.rewards
        planes, masks, policies, numbers, seats = zip(*found, strict=True)
        results = [rewards[each] for each in zip(numbers, seats, strict=True)]
        return [np.concatenate(each) for each in (planes, masks, policies, results)]

    def train(
        self, planes: np.ndarray, masks: np.ndarray, policies: np.ndarray, results: np.ndarray
    ) -> None:
        """Take each position once, in random batches."""
        for rows in np.array_split(self.rng.permutation(len(planes)), -(-len(planes) // 256)):
            log_probs, values = self.network.forward(planes[rows], masks[rows])
            errors = values - results[rows]
            of_logits = np.exp(log_probs) - policies[rows]
            of_values = 2 * errors * (1 - values**2)
            self.network.backward(of_logits / len(rows), of_values / len(rows))
            self.network.apply_gradients(rate=2e-3)


def test_positions(size: int) -> batch.GameBatch:
    """Return positions of random games in which some step loses value."""
    games = batch.GameBatch.initial(RULES, size)
    found = []
    step = 0
    while not games.is_over.all():
        games = games.step(games.sample_steps(step))
        step += 1
        _values, keeping, known = TABLE.probe(games)
        losing = keeping.sum(axis=1) < games.legal_mask().sum(axis=1)
        found.append(games.take(np.flatnonzero(known & losing & ~games.is_over)))
    return batch.GameBatch.concat(found)


def share_right(positions: batch.GameBatch, steps: np.ndarray) -> float:
    """Return the share of positions in which a step keeps the value."""
    _values, keeping, _known = TABLE.probe(positions)
    return float(keeping[np.arange(positions.size), steps].mean())


def main(arguments: list[str] | None = None) -> None:
    """Learn, and print a row after every few rounds."""
    parser = argparse.ArgumentParser(description="A learning curve by a tablebase.")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--every", type=int, default=5)
    parser.add_argument("--games", type=int, default=96)
    parser.add_argument("--simulations", type=int, default=48)
    parser.add_argument("--late", type=float, default=0.25)
    parser.add_argument("--test-games", type=int, default=400)
    options = parser.parse_args(arguments)
    learner = Learner(options.late)
    tests = test_positions(options.test_games)
    legal = tests.legal_mask().sum(axis=1)
    keeping = TABLE.probe(tests)[1].sum(axis=1)
    print(
        f"{tests.size} positions, a random step keeps the value in {(keeping / legal).mean():.1%}"
    )
    start = process_time()
    kept: list[list[np.ndarray]] = []
    print("| rounds | network | search | seconds |\n|--:|--:|--:|--:|")
    for number in range(options.rounds + 1):
        if number % options.every == 0:
            alone = share_right(tests, learner.evaluate(tests)[0].argmax(axis=1))
            search = players.BatchedSearch(tests, simulations=TEST_SIMULATIONS)
            while not search.done:
                search.backup(*learner.evaluate(search.leaves()))
            searched = share_right(tests, search.best())
            seconds = process_time() - start
            print(f"| {number} | {alone:.1%} | {searched:.1%} | {seconds:.0f} |", flush=True)
        if number < options.rounds:
            games = learner.self_play(options.games, options.simulations, 1000 * number)
            kept = [*kept[1 - KEPT_ROUNDS :], games]
            for _ in range(REPEATS):
                learner.train(*map(np.concatenate, zip(*kept, strict=True)))


if __name__ == "__main__":
    main()
