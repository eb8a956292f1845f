"""Measure how much value the tree search loses with its choices in the opening, and a commit's.

``python -m tools.opening_losses 6c206a8c`` takes states of plies 2 to 7 from games of the tree
search with itself on 10×10, and lets the player of the working tree and that of the commit choose
in each. Each version judges the choices by long searches: the loss of a choice is the value after
the action that a long search of the state prefers, less the value after the choice, both by long
searches with empty trees. The command prints, for both judges, the mean loss of each player, and
the mean difference with the half-width of its 95 % interval. A judge's own random numbers make the
losses slightly too high, for both players alike.

The result does not depend on the machine. Each version runs in a separate process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev

from tools.checkout import ROOT, checked_out

PLIES = range(2, 8)
GAME_SIMULATIONS = 1_000
"""The simulations for each action of a game, after its random turns."""
RANDOM_TURNS = 2
CHOICE_SIMULATIONS = 10_000
JUDGE_SIMULATIONS = 200_000
Z_95 = 1.96
"""The quantile of the normal distribution for a 95 % interval."""


def sampled(positions: int) -> list[str]:
    """Return a state of each of some games, as texts."""
    pdd = import_module("pontedeldiavolo")
    found = []
    for seed in range(positions):
        rng = Random(seed)
        player = pdd.players.MctsPlayer(simulations=GAME_SIMULATIONS, seed=seed)
        ply = PLIES[seed % len(PLIES)]
        state = pdd.GameState.initial()
        for turn in range(ply):
            is_random = turn < RANDOM_TURNS
            action = state.legal_actions.sample(rng) if is_random else player.choose(state)
            state = state.apply(action)
        found.append(pdd.format_state(state))
    return found


def answer() -> None:
    """Answer each line of standard input: a search's action, or the value after an action.

    This works with early versions of the package, too.
    """
    pdd = import_module("pontedeldiavolo")
    for line in sys.stdin:
        simulations, text, *chosen = line.rstrip("\n").split(" | ")
        player = pdd.players.MctsPlayer(simulations=int(simulations), seed=1)
        state = pdd.parse_state(text)
        if not chosen:
            print(pdd.format_action(player.choose(state)), flush=True)
            continue
        after = state.apply(pdd.parse_action(chosen[0]))
        value = player.analyse(after).value
        is_same = after.seat_to_move is state.seat_to_move
        print(value if is_same else -value, flush=True)


class Version:
    """The player of a version of the package, in a process of its own.

    Args:
        source: The folder of the package.
    """

    def __init__(self, source: Path) -> None:
        self._source = source

    def ask(self, questions: Sequence[Sequence[str]]) -> list[str]:
        """Return the answers to some questions."""
        # Versions must not share compiled code.
        caches = str(self._source.parent / "build" / "kernels")
        given = os.environ | {"PYTHONPATH": str(self._source), "NUMBA_CACHE_DIR": caches}
        done = subprocess.run(
            [sys.executable, "-m", "tools.opening_losses", "--answer"],
            input="".join(" | ".join(each) + "\n" for each in questions),
            cwd=ROOT,
            env=given,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return done.stdout.split()

    def choices(self, states: Sequence[str], simulations: int) -> list[str]:
        """Return the actions that a player chooses in some states."""
        return self.ask([(str(simulations), state) for state in states])

    def values(
        self, states: Sequence[str], actions: Sequence[str], simulations: int
    ) -> list[float]:
        """Return the values after one action in each state, for the seat that takes it."""
        pairs = zip(states, actions, strict=True)
        return [float(each) for each in self.ask([(str(simulations), *pair) for pair in pairs])]


def main() -> None:
    """Print the mean losses, or answer questions."""
    if sys.argv[1:] == ["--answer"]:
        answer()
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("commit", help="the earlier commit")
    parser.add_argument("--positions", type=int, default=200)
    parser.add_argument("--simulations", type=int, default=CHOICE_SIMULATIONS)
    parser.add_argument("--judge", type=int, default=JUDGE_SIMULATIONS, help="its simulations")
    asked = parser.parse_args()
    with checked_out(asked.commit) as source:
        versions = {"working tree": Version(ROOT / "src"), asked.commit: Version(source)}
        states = sampled(asked.positions)
        chosen = {
            name: version.choices(states, asked.simulations) for name, version in versions.items()
        }
        for name, judge in versions.items():
            preferred = judge.choices(states, asked.judge)
            best = judge.values(states, preferred, asked.judge)
            losses = {}
            for player, actions in chosen.items():
                values = judge.values(states, actions, asked.judge)
                losses[player] = [high - low for high, low in zip(best, values, strict=True)]
                print(f"judged by {name}: {player} loses {fmean(losses[player]):.3f}", flush=True)
            here, there = losses.values()
            differences = [a - b for a, b in zip(here, there, strict=True)]
            half_width = Z_95 * stdev(differences) / sqrt(len(differences))
            print(f"judged by {name}: difference {fmean(differences):+.3f} ± {half_width:.3f}")


if __name__ == "__main__":
    main()
