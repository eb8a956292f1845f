"""Compare compiled functions with an earlier commit: ``python -m tools.versions COMMIT``.

Each version runs in a separate process with its own compiled code. The versions take turns, and a
figure is the median of the ratios of all rounds. If the other version has no packed planes, its
planes of bytes are used for comparison. ``--processor`` compiles both as for another processor.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from benchmarks import processors
from tools.checkout import ROOT, checked_out

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool
from pontedeldiavolo.players import MctsPlayer

GAMES = 1024
STEPS = 150
SIMULATIONS = 20_000
TURNS = 40
TASKS = ("masks", "planes", "packed", "search", "playout 8", "playout 10", "playout 12")


def steps(kind: str) -> Callable[[], int]:
    """Return a function that steps a pool and returns the number of steps."""
    make: Callable[..., GamePool] = GamePool
    try:
        pool = make(size=GAMES, seed=1, planes="packed" if kind == "packed" else kind == "planes")
    except TypeError:
        pool = make(size=GAMES, seed=1, planes=True)

    # The name of this method in some earlier versions.
    sample = getattr(pool, "sample_steps" if hasattr(pool, "sample_steps") else "sample")

    def run() -> int:
        for _ in range(STEPS):
            pool.step(sample())
        return GAMES * STEPS

    # After these steps, some games have just begun and others are almost over.
    for _ in range(3):
        run()
    return run


def search() -> Callable[[], int]:
    """Return a function that searches late in a game and returns the number of simulations."""
    rng = Random(1)
    state = pdd.GameState.initial()
    while state.turn < TURNS:
        state = state.apply(state.legal_actions.sample(rng))
    make: Callable[..., MctsPlayer] = MctsPlayer
    options: dict[str, object] = {"guided": False}
    newest: dict[str, object] = {"rollout": "uniform", "solver": False}
    for newer in (newest, {"rollout": newest["rollout"]}):
        with suppress(TypeError):
            make(**newer)
            options = newer
            break

    def run() -> int:
        make(simulations=SIMULATIONS, seed=1, **options).choose(state)
        return SIMULATIONS

    return run


def playout(side: int) -> Callable[[], int]:
    """Return a function that runs playouts and returns the number of turns."""
    start = GameBatch.initial(pdd.Rules(pdd.Board(side, side)), 8 * GAMES)
    return lambda: int(start.playout(seed=1).turns.sum())


def work(connection: Connection) -> None:
    """Receive names of tasks and run them; send the work per second of each."""
    tasks: dict[str, Callable[[], int]] = {}
    while name := connection.recv():
        kind, _, side = name.partition(" ")
        if name not in tasks:
            tasks[name] = (
                playout(int(side)) if side else search() if kind == "search" else steps(kind)
            )
            tasks[name]()
        begin = process_time()
        done = tasks[name]()
        connection.send(done / (process_time() - begin))


def start(source: Path, cache: str) -> Connection:
    """Start a process that runs one version; return a connection to it."""
    os.environ["NUMBA_CACHE_DIR"] = cache
    # The new process starts with this path before it imports this file.
    sys.path.insert(0, str(source.resolve()))
    context = get_context("spawn")
    here, there = context.Pipe()
    context.Process(target=work, args=(there,), daemon=True).start()
    sys.path.pop(0)
    return here


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", help="the earlier commit")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--task", action="append", choices=TASKS, help="a task; by default all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="where to add the ratios")
    processors.add_option(parser)
    asked = parser.parse_args()
    processors.restart_for(asked.processor)
    ratios: dict[str, float] = {}
    with (
        checked_out(asked.commit) as source,
        TemporaryDirectory() as ours,
        TemporaryDirectory() as theirs,
    ):
        versions = (start(ROOT / "src", ours), start(source, theirs))
        for name in asked.task or TASKS:
            rates: list[list[float]] = []
            for _ in range(asked.rounds + 1):
                rates.append([])
                for each in versions:
                    each.send(name)
                    rates[-1].append(each.recv())
            # The first round warms up.
            ratio = median(one / other for one, other in rates[1:])
            one, other = (median(column) for column in zip(*rates[1:], strict=True))
            ratios[name] = round(ratio, 2)
            print(f"{name:10} {one:12,.0f} a second, {other:12,.0f} there: {ratio:.2f}")
        for each in versions:
            each.send("")
    if asked.json:
        kept = json.loads(asked.json.read_text("utf-8"))["ratios"] if asked.json.exists() else {}
        report = {
            "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was measured
            "machine": processors.processor(),
            "commit": asked.commit,
            "games": GAMES,
            "rounds": asked.rounds,
            "ratios": {**kept, processors.features(): ratios},
        }
        asked.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
