"""Compare compiled functions with a plain compiled loop: ``python -m benchmarks.kernels``.

All tasks and the loop take turns in one process. A figure is the cost of one unit of work in rounds
of the loop, as the median of nine rounds. ``kernels.json`` holds the expected figures for each kind
of processor and its features; ``--processor`` compiles as for another processor. With ``--check``
the command fails if a task is more than 10 % more expensive; with ``--write`` it writes the
measured figures.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time

import numpy as np
import numpy.typing as npt
from benchmarks import processors
from benchmarks.gate import add_flags, judge

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool
from pontedeldiavolo.batch.game_pool import Planes
from pontedeldiavolo.batch.kernels.jit import njit_cached
from pontedeldiavolo.players import MctsPlayer

FILE = Path(__file__).with_suffix(".json")
TOLERANCE = 0.10
ROUNDS = 9
LOOP = 30_000_000
GAMES = 1024
STEPS = 60
SIMULATIONS = 4_000


@njit_cached
def spin(rounds: int, counts: npt.NDArray[np.uint64]) -> int:
    """Generate random numbers and count them: shifts, a multiplication, and cached memory."""
    number = np.uint64(88172645463325252)
    for _ in range(rounds):
        number ^= number << np.uint64(13)
        number ^= number >> np.uint64(7)
        number ^= number << np.uint64(17)
        counts[number & np.uint64(1023)] += np.uint64(1)
    return rounds


def loop() -> int:
    """Run the loop; return its rounds."""
    return int(spin(LOOP, np.zeros(1024, np.uint64)))


def playouts(width: int) -> Callable[[], int]:
    """Return a function that runs playouts and returns the number of turns."""
    start = GameBatch.initial(pdd.Rules(pdd.Board(width, width)), GAMES)

    def run() -> int:
        return int(start.playout(seed=1).turns.sum())

    return run


def steps(*, planes: Planes) -> Callable[[], int]:
    """Return a function that steps a pool and returns the number of steps."""
    pool = GamePool(size=GAMES, seed=1, planes=planes)

    def run() -> int:
        for _ in range(STEPS):
            pool.step(pool.sample_steps())
        return GAMES * STEPS

    return run


def search() -> int:
    """Search from an opening; return the number of simulations."""
    state = pdd.GameState.initial().apply(pdd.parse_action("d4,g7")).apply(pdd.parse_action("red"))
    MctsPlayer(simulations=SIMULATIONS).for_game(1).choose(state)
    return SIMULATIONS


TASKS: dict[str, Callable[[], Callable[[], int]]] = {
    "playout8": partial(playouts, 8),
    "playout": partial(playouts, 10),
    "playout12": partial(playouts, 12),
    "masks": partial(steps, planes=False),
    "planes": partial(steps, planes=True),
    "packed": partial(steps, planes="packed"),
    "search": lambda: search,
}
"""For each task, a function that prepares it and returns the function that does its work."""


def main() -> None:
    """Print a table, and compare it with the file or write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_flags(parser)
    processors.add_option(parser)
    asked = parser.parse_args()
    processors.restart_for(asked.processor)
    tasks = {"loop": loop, **{name: prepare() for name, prepare in TASKS.items()}}
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(ROUNDS + 1):
        for name, task in tasks.items():
            begin = process_time()
            done = task()
            # The first round compiles and warms up.
            if number:
                seconds[name].append((process_time() - begin) / done)
    ratios = {
        name: median(one / base for one, base in zip(seconds[name], seconds["loop"], strict=True))
        for name in tasks
        if name != "loop"
    }
    rows = {
        name: f"{median(seconds[name]) * 1e9:9,.1f} ns {ratio:9,.1f} rounds of a loop"
        for name, ratio in ratios.items()
    }
    judge(FILE, processors.machine(), ratios, rows, TOLERANCE, check=asked.check, write=asked.write)


if __name__ == "__main__":
    main()
