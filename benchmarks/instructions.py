"""Count instructions, which do not depend on how busy a machine is.

Each task runs under valgrind in two sizes, and the difference is divided by the additional work, so
that start-up and imports cancel out. The figure of a task is its ratio to a plain Python loop that
is counted in the same run. ``instructions.json`` holds the expected figures for each version of
Python. With ``--check`` the command fails if a task is more than 2 % more expensive; with
``--write`` it writes the measured figures. A commit that makes a task more expensive includes the
new file and the reason.

With ``--processor`` the tasks are those of :mod:`benchmarks.kernels`, compiled as for a processor
of that kind. Their figures are in the same file, under its name. Valgrind knows no AVX-512.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks import processors
from benchmarks.gate import add_flags, judge

import pontedeldiavolo as pdd

FILE = Path(__file__).with_suffix(".json")
PYTHON = "{}.{}".format(*sys.version_info)
TOLERANCE = 0.02
COUNTER = ("valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null")


def loop(size: int) -> int:
    """Run plain Python with calls, integers, lists and dictionaries; return the rounds."""
    seen: dict[int, int] = {}

    def step(number: int) -> int:
        return number * 5 + 3 & 0xFFFF

    number = 1
    for _ in range(size):
        number = step(number)
        seen[number] = seen.get(number, 0) + 1
        if len([each for each in range(8) if number >> each & 1]) > 8:
            raise AssertionError
    return size


def new_game(rng: random.Random) -> tuple[pdd.Game, int]:
    """Play a random game on 10x10 with a game tree; return it with the number of its actions."""
    game = pdd.Game.new(pdd.Rules())
    actions = 0
    while not game.state.is_over:
        game = game.play(game.state.legal_actions.sample(rng))
        actions += 1
    return game, actions


def play(size: int, method: str) -> int:
    """Play random games on 10x10 with a method of GameState; return the number of actions."""
    rng = random.Random(3)
    actions = 0
    for _ in range(size):
        state = pdd.GameState.initial(pdd.Rules())
        while not state.is_over:
            state = getattr(state, method)(state.legal_actions.sample(rng))
            actions += 1
    return actions


def core(size: int) -> int:
    """Play without checking the actions."""
    return play(size, "apply_unchecked")


def apply(size: int) -> int:
    """Play and check each action."""
    return play(size, "apply")


def game_tree(size: int) -> int:
    """Play with a game tree."""
    rng = random.Random(3)
    return sum(new_game(rng)[1] for _ in range(size))


def records(size: int) -> int:
    """Read the record of one game repeatedly."""
    game, actions = new_game(random.Random(3))
    text = pdd.records.dumps(game)
    for _ in range(size):
        pdd.records.loads(text)
    return size * actions


def midgame() -> pdd.GameState:
    """Return a position after thirty random actions."""
    rng = random.Random(3)
    state = pdd.GameState.initial(pdd.Rules())
    for _ in range(30):
        state = state.apply(state.legal_actions.sample(rng))
    return state


def svg(size: int) -> int:
    """Draw a position."""
    state = midgame()
    for _ in range(size):
        str(pdd.svg.render(state))
    return size


def snapshot(size: int) -> int:
    """Create the snapshot of a position."""
    state = midgame()
    for _ in range(size):
        pdd.json.snapshot(state)
    return size


def kernel(name: str) -> Callable[[int], int]:
    """Return a function that performs a task of compiled code a number of times."""

    def run(size: int) -> int:
        from benchmarks import kernels  # noqa: PLC0415 - only these tasks need Numba

        task = kernels.TASKS[name]()
        return sum(task() for _ in range(size))

    return run


Task = tuple[Callable[[int], int], int, int, str]
"""The function of a task, its two sizes, and its unit of work."""
LOOP: dict[str, Task] = {"loop": (loop, 10_000, 60_000, "round")}
CORE: dict[str, Task] = {
    "core": (core, 2, 10, "turn"),
    "apply": (apply, 2, 10, "turn"),
    "game": (game_tree, 2, 10, "turn"),
    "records": (records, 2, 10, "turn"),
    "svg": (svg, 2, 10, "picture"),
    "snapshot": (snapshot, 2, 10, "snapshot"),
}
"""The tasks of pure Python."""
KERNELS: dict[str, Task] = {
    "playout8": (kernel("playout8"), 1, 41, "turn"),
    "playout": (kernel("playout"), 1, 41, "turn"),
    "playout12": (kernel("playout12"), 1, 31, "turn"),
    "masks": (kernel("masks"), 1, 41, "step"),
    "planes": (kernel("planes"), 1, 41, "step"),
    "packed": (kernel("packed"), 1, 41, "step"),
    "search": (kernel("search"), 1, 21, "simulation"),
}
"""The tasks of compiled code."""
TASKS = {**LOOP, **CORE, **KERNELS}


def run(*command: str) -> tuple[int, str]:
    """Run Python under valgrind; return the number of instructions and the output."""
    program = [sys.executable, *command]
    # Run it once before counting, so that bytecode files are not written while counting.
    subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    counted = [*COUNTER, *program]
    done = subprocess.run(counted, capture_output=True, text=True, check=False)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"{' '.join(command)} failed:\n{done.stderr[-2000:]}")
    return int(found[1].replace(",", "")), done.stdout


def count(name: str) -> float:
    """Return the number of instructions for one unit of a task's work."""
    if name == "import":
        # Names are imported when they are first used, so the import alone would show nothing.
        first_state = "import attrs, pontedeldiavolo; pontedeldiavolo.GameState.initial()"
        alone, both = (run("-c", each) for each in ("import attrs", first_state))
        return both[0] - alone[0]
    (before, less), (after, more) = (
        run("-m", "benchmarks.instructions", "--task", name, str(size)) for size in TASKS[name][1:3]
    )
    return (after - before) / (int(more) - int(less))


def measure(names: list[str]) -> dict[str, float]:
    """Return the instructions for one unit of each task."""
    with tempfile.TemporaryDirectory() as compiled, ThreadPoolExecutor(os.cpu_count()) as threads:
        os.environ |= {"PYTHONHASHSEED": "0", "PYTHONPYCACHEPREFIX": compiled}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        return dict(zip(names, threads.map(count, names), strict=True))


def main() -> None:
    """Print a table, and compare it with the file or write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add_flags(parser)
    processors.add_option(parser)
    parser.add_argument("--task", nargs=2, metavar=("NAME", "SIZE"), help="run one task, uncounted")
    asked = parser.parse_args()
    if asked.task:
        name, size = asked.task
        print(TASKS[name][0](int(size)))
        return
    if not shutil.which(COUNTER[0]):
        sys.exit("valgrind is not installed")
    processors.use(asked.processor)
    measured = [*CORE, "import"] if asked.processor is None else [*KERNELS]
    counted = measure([*LOOP, *measured])
    ratios = {name: each / counted["loop"] for name, each in counted.items() if name != "loop"}
    rows = {}
    for name, ratio in ratios.items():
        unit = TASKS[name][3] if name in TASKS else "time"
        rows[name] = f"{counted[name]:12,.0f} a {unit:10} {ratio:9,.4g} rounds of a loop"
    key = PYTHON if asked.processor is None else processors.NAMES[asked.processor]
    judge(FILE, key, ratios, rows, TOLERANCE, check=asked.check, write=asked.write)


if __name__ == "__main__":
    main()
