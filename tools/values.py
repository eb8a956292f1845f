"""Measure whether the values of the tree search are straight, and how close to the truth.

``python -m tools.values`` plays games of the tree search with itself on 10×10, takes states of
plies 2 to 16, and compares two values of each: the mean of all simulations, which is
``Analysis.value``, and the mean of the simulations of the best first step. It writes to
``docs/explanation/values.json``, for both values,

- the mean of v(state) + v(state after the best action, for the other seat), which is 0 for a
  straight value, with the half-width of its 95 % interval;
- the mean square error against the results of the games;
- the mean square error against the values of searches that are ten times as long.

The result does not depend on the machine.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from datetime import UTC, datetime
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer

RESULTS: Final = Path(__file__).parents[1] / "docs" / "explanation" / "values.json"
PLIES: Final = (2, 16)
"""The first and the last ply of the states."""
GAME_SIMULATIONS: Final = 1_000
"""The simulations for each action of a game, after its random turns."""
RANDOM_TURNS: Final = 2
LONGER: Final = 10
"""The number of times as many simulations in a long search."""
Z_95: Final = 1.96
"""The quantile of the normal distribution for a 95 % interval."""


class Values(NamedTuple):
    """Two values of a state for its seat to move."""

    mean: float
    """The mean of all simulations."""
    best: float
    """The mean of the simulations that begin with the best step."""


class Sample(NamedTuple):
    """A state of a game, and the game's result for the seat to move."""

    state: pdd.GameState
    result: int


def sampled(games: int, states: int) -> list[Sample]:
    """Return some states of each of some games."""
    found = []
    for number in range(games):
        rng = Random(number)
        players = [
            MctsPlayer(simulations=GAME_SIMULATIONS, seed=2 * number + side) for side in (0, 1)
        ]
        reached = [pdd.GameState.initial()]
        while not reached[-1].is_over:
            state = reached[-1]
            seat = state.seat_to_move
            is_random = len(reached) <= RANDOM_TURNS or seat is None
            chosen = (
                state.legal_actions.sample(rng)
                if is_random
                else players[seat is pdd.Seat.SECOND].choose(state)
            )
            reached.append(state.apply(chosen))
        outcome = reached[-1].outcome
        for state in rng.sample(reached[PLIES[0] : PLIES[1] + 1], states):
            seat = state.seat_to_move
            if outcome is not None and seat is not None:
                found += [Sample(state, outcome.value(seat))]
    return found


def values_of(state: pdd.GameState, simulations: int) -> tuple[Values, pdd.Action]:
    """Return the values of a state by a search with an empty tree, and the best action."""
    player = MctsPlayer(simulations=simulations, seed=1)
    found = player.analyse(state)
    search = player._search
    if search is None:
        raise RuntimeError("the player has dropped its tree")
    return Values(found.value, search.ranked_steps()[0].value), found.best


def summed(values: Sequence[float]) -> dict[str, float]:
    """Return the mean of values and the half-width of its 95 % interval."""
    half_width = Z_95 * stdev(values) / sqrt(len(values))
    return {"mean": round(fmean(values), 3), "half_width": round(half_width, 3)}


def error(values: Sequence[float], truths: Sequence[float]) -> float:
    """Return the mean square error of values."""
    return round(
        fmean((value - truth) ** 2 for value, truth in zip(values, truths, strict=True)), 4
    )


def main() -> None:
    """Write the file of measurements."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--states", type=int, default=3, help="of each game")
    parser.add_argument("--simulations", type=int, default=10_000)
    parser.add_argument("--long", type=int, default=40, help="states that get a long search")
    parser.add_argument("--output", type=Path, default=RESULTS)
    asked = parser.parse_args()
    samples = sampled(asked.games, asked.states)
    values = []
    sums: list[Values] = []
    for sample in samples:
        own, best = values_of(sample.state, asked.simulations)
        values.append(own)
        after = sample.state.apply(best)
        if not after.is_over and after.seat_to_move is not sample.state.seat_to_move:
            other, _ = values_of(after, asked.simulations)
            sums.append(Values(own.mean + other.mean, own.best + other.best))
    # Compare with the means of long searches: the values of the best actions are too high.
    step = max(1, len(samples) // asked.long)
    longer = [
        values_of(sample.state, LONGER * asked.simulations)[0].mean for sample in samples[::step]
    ]
    results = [sample.result for sample in samples]
    found = {
        "note": "Written by python -m tools.values; the page on analysis shows these figures.",
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "simulations": asked.simulations,
        "long simulations": LONGER * asked.simulations,
        "games": asked.games,
        "states": len(samples),
        "long states": len(longer),
    }
    for name in Values._fields:
        column = [getattr(each, name) for each in values]
        found[name] = {
            "sum": summed([getattr(each, name) for each in sums]),
            "error against results": error(column, results),
            "error against long searches": error(column[::step], longer),
        }
    asked.output.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
