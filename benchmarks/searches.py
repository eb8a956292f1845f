"""Measure the tree searches: simulations a second, and seconds a move of the computer's levels.

    python -m benchmarks.searches --write

All figures count the processor time of one thread, so other programs on the machine change them
little. ``--write`` stores them in ``searches.json``, from which the documentation takes them; the
file also has the average load. The program needs the extra ``batch`` and takes some minutes.

Three things are measured:

- Simulations a second: of ``MctsPlayer``, from the empty board and after a third of a game, always
  by a new player; and of ``BatchedSearch``, for many games at once, with an evaluation that costs
  nothing. Later in a game a search often ends early, with a proof.
- The first move of a new process, with the compiled code on the disk, and later moves.
- The moves of each level that searches: it plays both seats of a game on 10×10, without a limit of
  time and without the opening book.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, Final

import numpy as np
from benchmarks import processors

import pontedeldiavolo as pdd
from pontedeldiavolo.players import BatchedSearch, GreedyPlayer, MctsPlayer, Player, by_name
from pontedeldiavolo.web.thinkers import LEVELS

FILE: Final = Path(__file__).with_suffix(".json")
SIDES: Final = (6, 8, 10, 12)
SIMULATIONS: Final = 2_000
"""The simulations of each search of ``MctsPlayer``."""
SEEDS: Final = 15
"""The number of searches from each state, of which the median counts."""
ROOTS: Final = 256
ROUNDS: Final = 64
"""The games of ``BatchedSearch``, and its simulations for each of them."""
LARGE: Final = 100
"""Figures from here on are whole numbers."""
STARTS: Final = 5
"""The number of new processes whose first moves are measured."""
FIRST_MOVES: Final = f"""\
from time import process_time
began = process_time()
from pontedeldiavolo import GameState
from pontedeldiavolo.players import MctsPlayer
player = MctsPlayer(simulations={SIMULATIONS}, seed=1)
state = GameState.initial()
for _ in range(4):
    action = player.choose(state)
    print(process_time() - began)
    state = state.apply(action)
    began = process_time()
"""
"""Prints the seconds of the first move of a process, imports included, and of three later ones."""


def rules(side: int) -> pdd.Rules:
    """Return the default rules on a square board."""
    return pdd.Rules(pdd.Board(side, side))


def game(side: int) -> Iterator[pdd.GameState]:
    """Yield the states of a game of the greedy player against itself."""
    state = pdd.GameState.initial(rules(side))
    player = GreedyPlayer(seed=1)
    while not state.is_over:
        yield state
        state = state.apply(player.choose(state))


def seconds_of(player: Player, state: pdd.GameState) -> float:
    """Return the processor time in which a player chooses."""
    begin = process_time()
    player.choose(state)
    return process_time() - begin


def rates(side: int) -> dict[str, float]:
    """Return the simulations a second of both searches on a square board."""
    states = [*game(side)]
    player = MctsPlayer(simulations=SIMULATIONS)
    # The first search loads the compiled code.
    seconds_of(player.for_game(0), states[0])
    places = {"opening": states[0], "later": states[len(states) // 3]}
    found = {
        place: SIMULATIONS
        / median(seconds_of(player.for_game(seed), state) for seed in range(SEEDS))
        for place, state in places.items()
    }
    return {**found, "batched": batched_rate(side)}


def batched_rate(side: int) -> float:
    """Return the simulations a second of a search of many games, with nothing to evaluate."""
    # Half of the cells are taken before a third of the steps, so most games are in their middle.
    games = pdd.batch.GameBatch.initial(rules(side), ROOTS)
    for number in range(side * side // 3):
        games = games.step(games.sample_steps(seed=number))
    rng = np.random.default_rng(1)
    priors = rng.random((ROOTS, len(games.space)), np.float32)
    values = rng.uniform(-1, 1, ROOTS)
    seconds: list[float] = []
    for seed in range(SEEDS):
        search = BatchedSearch(games, simulations=ROUNDS, seed=seed)
        begin = process_time()
        while not search.done:
            search.leaves()
            search.backup(priors, values)
        seconds.append(process_time() - begin)
    going = games.size - int(games.is_over.sum())
    # The first search also loads the compiled code; the median leaves it out.
    return going * ROUNDS / median(seconds)


def first_moves() -> dict[str, float]:
    """Return the seconds of the first move of a new process, and of the moves that follow."""
    first: list[float] = []
    later: list[float] = []
    # The first of these processes compiles what is not on the disk yet, so it does not count.
    for number in range(STARTS + 1):
        done = subprocess.run(
            [sys.executable, "-c", FIRST_MOVES],
            check=True,
            env={**os.environ, "PONTEDELDIAVOLO_QUIET": "1"},
            stdout=subprocess.PIPE,
            text=True,
        )
        seconds = [float(line) for line in done.stdout.split()]
        if number:
            first.append(seconds[0])
            later += seconds[1:]
    return {"first": median(first), "later": median(later)}


def moves_of(level: str) -> dict[str, float]:
    """Return the seconds of the moves of a level, which plays both seats of a game on 10×10."""
    seats = {seat: by_name(LEVELS[level].player).for_game(1) for seat in pdd.Seat}
    state = pdd.GameState.initial()
    seconds: list[float] = []
    while not state.is_over:
        player = seats[state.seat_to_move or pdd.Seat.FIRST]
        begin = process_time()
        action = player.choose(state)
        seconds.append(process_time() - begin)
        state = state.apply(action)
    return {
        "simulations": LEVELS[level].simulations,
        "moves": len(seconds),
        "median": median(seconds),
        "slowest": max(seconds),
    }


def rounded(found: dict[str, float]) -> dict[str, float]:
    """Return figures with three significant digits; counts stay as they are."""
    return {
        name: value if isinstance(value, int) else significant(value)
        for name, value in found.items()
    }


def significant(value: float) -> float:
    """Return a number with three significant digits, without a point if it is large."""
    shown = float(f"{value:.3g}")
    return int(shown) if shown >= LARGE else shown


def main() -> None:
    """Measure and print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help=f"write {FILE.name}")
    asked = parser.parse_args()
    report: dict[str, Any] = {
        "command": "python -m benchmarks.searches --write",
        "machine": processors.processor(),
        "features": processors.features(),
        "date": datetime.now(UTC).date().isoformat(),
        "search": {"simulations": SIMULATIONS, "roots": ROOTS, "rounds": ROUNDS},
        "moves": rounded(first_moves()),
        "rates": {},
        "levels": {},
    }
    print(json.dumps(report["moves"]), flush=True)
    for side in SIDES:
        report["rates"][f"{side}×{side}"] = rounded(rates(side))
        print(side, json.dumps(report["rates"][f"{side}×{side}"]), flush=True)
    for level, each in LEVELS.items():
        if each.simulations:
            report["levels"][level] = rounded(moves_of(level))
            print(level, json.dumps(report["levels"][level]), flush=True)
    report["load"] = round(os.getloadavg()[2], 1) if hasattr(os, "getloadavg") else 0
    if asked.write:
        FILE.write_text(json.dumps(report, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
