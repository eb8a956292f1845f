"""Measure the first uses of compiled code on a machine: ``python -m benchmarks.first_use``.

Each round starts a process with an empty cache, in which one use follows another. A figure is the
processor time of a use, as the median of the rounds, without the imports of the package. With
``--against`` an earlier commit runs in turn with the working tree, and the ratios are printed, too.
``--write`` stores the figures in ``first_use.json``, from which the documentation takes them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from datetime import date
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from benchmarks import processors
from tools.checkout import ROOT, checked_out

FILE: Final = Path(__file__).with_suffix(".json")
ROUNDS: Final = 5
USES: Final = {
    "playout": "batch.GameBatch.initial().playout(seed=1)",
    "pool": "pool = batch.GamePool(size=4); pool.step(pool.sample_steps())",
    "step": "batch.GameBatch.initial().step([0])",
    "choose": "players.MctsPlayer(simulations=10).choose(later)",
}
"""The uses, and the code of each."""
IMPORTS: Final = """\
from time import process_time
from pontedeldiavolo import GameState, batch, parse_action, players
state = GameState.initial()
later = state.apply(parse_action("d4,g7")).apply(parse_action("red"))
batch.GameBatch, players.MctsPlayer
"""
PROGRAM: Final = IMPORTS + "\n".join(
    f"begin = process_time()\n{code}\nprint(process_time() - begin)" for code in USES.values()
)


def measure(source: Path) -> dict[str, float]:
    """Return the seconds of each use of the package in a folder, in a new process."""
    with TemporaryDirectory() as cache:
        added = {"NUMBA_CACHE_DIR": cache, "PYTHONPATH": str(source), "PONTEDELDIAVOLO_QUIET": "1"}
        done = subprocess.run(
            [sys.executable, "-c", PROGRAM],
            env={**os.environ, **added},
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return dict(zip(USES, map(float, done.stdout.split()), strict=True))


def with_sums(seconds: dict[str, float]) -> dict[str, float]:
    """Return the seconds of the uses, and their sums without and with the search."""
    rest = sum(seconds[name] for name in USES if name != "choose")
    return {**seconds, "without choose": rest, "all": rest + seconds["choose"]}


def main() -> None:
    """Print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--against", metavar="COMMIT", help="an earlier commit to compare with")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--write", action="store_true", help=f"write to {FILE.name}")
    processors.add_option(parser)
    asked = parser.parse_args()
    processors.use(asked.processor)
    rounds: list[tuple[dict[str, float], dict[str, float] | None]] = []
    with checked_out(asked.against) if asked.against else nullcontext() as other:
        for _ in range(asked.rounds):
            ours = with_sums(measure(ROOT / "src"))
            rounds.append((ours, with_sums(measure(other)) if other else None))
    seconds = {name: round(median(ours[name] for ours, _ in rounds), 1) for name in rounds[0][0]}
    for name, each in seconds.items():
        ratios = [ours[name] / theirs[name] for ours, theirs in rounds if theirs]
        ratio = f"{median(ratios):.2f} of the other" if ratios else ""
        print(f"{name:15} {each:6.1f} s", ratio)
    if asked.write:
        kept = json.loads(FILE.read_text("utf-8"))["seconds"] if FILE.exists() else {}
        report = {
            "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was measured
            "machine": processors.processor(),
            "rounds": asked.rounds,
            "seconds": {**kept, processors.features(): seconds},
        }
        FILE.write_text(json.dumps(report, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
