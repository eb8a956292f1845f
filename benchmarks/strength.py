"""Match the working tree against an earlier commit, each in processes and a folder of its own.

``python -m benchmarks.strength 0e23fee mcts:seconds=0.2 --games 200`` checks the commit out into a
temporary folder. Games come in pairs with exchanged seats; the command prints the difference in Elo
with its interval, and the result of the sequential test, if one was asked for. Both sides compile
before the first game.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.checkout import ROOT, checked_out

import pontedeldiavolo as pdd
from pontedeldiavolo.players import Match

ENGINE = ROOT / "benchmarks" / "strength_engine.py"


class Version:
    """A player of a version of the package, in a process that runs from its first choice on.

    Args:
        name: The player's name in the result.
        source: The folder of the package.
        player: The player's name for ``players.by_name``.
        seed: The seed of its game.
    """

    def __init__(self, name: str, source: Path, player: str, seed: int = 0) -> None:
        self.name = name
        self._arguments = name, source, player
        self._seed = seed
        self._process: subprocess.Popen[str] | None = None

    def for_game(self, seed: int) -> Version:
        """Return the player of a game."""
        return Version(*self._arguments, seed)

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Ask the process."""
        if self._process is None:
            self._process = self._start()
        return pdd.parse_action(self._ask(self._process, f"go {pdd.format_state(state)}"))

    def _start(self) -> subprocess.Popen[str]:
        _, source, player = self._arguments
        # Compiled code of one version is none of another's.
        kernels = str(source.parent / "build" / "kernels")
        env = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": kernels}
        process = subprocess.Popen(
            [sys.executable, str(ENGINE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=env,
        )
        print(f"game {self._seed} {player}", file=process.stdin)
        return process

    def _ask(self, process: subprocess.Popen[str], message: str) -> str:
        print(message, file=process.stdin, flush=True)
        answer = process.stdout.readline() if process.stdout else ""
        if not answer:
            raise RuntimeError(f"{self.name} has ended with status {process.wait()}")
        return answer

    def __del__(self) -> None:
        if self._process is not None:
            # The process ends with its input.
            self._process.communicate()


def main() -> None:
    """Play the match that the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the earlier commit")
    parser.add_argument("player", help="the player of the working tree: mcts:seconds=0.2")
    parser.add_argument("--against", help="the player of the commit; the same by default")
    parser.add_argument("--rules", type=pdd.parse_rules, default=pdd.Rules())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"))
    asked = parser.parse_args()
    with checked_out(asked.commit) as source:
        here = Version(f"working tree {asked.player}", ROOT / "src", asked.player)
        other = asked.against or asked.player
        there = Version(f"{asked.commit} {other}", source, other)
        for each in (here, there):
            each.choose(pdd.GameState.initial(asked.rules))
        pdd.players.match(
            *(here, there, asked.games),
            rules=asked.rules,
            seed=asked.seed,
            processes=asked.processes,
            sprt=asked.sprt and tuple(asked.sprt),
            on_pair=tell,
        )


def tell(result: Match) -> None:
    """Print a result on one line."""
    low, high = result.interval
    test = "" if result.sprt is None else f", LLR {result.sprt.llr:+.2f}"
    accepted = None if result.sprt is None else result.sprt.accepted
    print(
        f"{result.a} - {result.b}: {result.wins} wins, {result.draws} draws, "
        f"{result.losses} losses, {result.elo:+.0f} Elo ({low:+.0f} to {high:+.0f}){test}"
        f"{'' if accepted is None else f', accepted {accepted:+g}'}",
        flush=True,
    )


if __name__ == "__main__":
    main()
