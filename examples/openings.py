# python examples/openings.py [FILE] [--simulations 20000] [--board 10x10]
"""The value of every opening by a search: how much it is worth to be white.

Openings that are equal under a symmetry are one. A value is from -1, lost for the owner of white,
to 1, won; the second seat takes the better colour, so the first one wants a value near 0. All of
them go to a file of comma-separated values; the extremes and the middle are shown.
"""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer

SHOWN = 8


def openings(rules: pdd.Rules) -> Iterator[pdd.GameState]:
    """Yield the game after one of each kind of opening."""
    start, known = pdd.GameState.initial(rules), set()
    for action in start.legal_actions:
        state = start.apply(action).canonical()
        if state not in known:
            known.add(state)
            yield state


def value(state: pdd.GameState, player: MctsPlayer) -> float:
    """Return what white is worth, by a search of red's first turn."""
    return -player.analyse(state.apply(pdd.ChooseColor(pdd.Color.RED))).value


def main() -> None:
    """Value all openings, write them, and print some."""
    parser = argparse.ArgumentParser(description="Values of openings.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("openings.csv"))
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--board", default="10x10")
    given = parser.parse_args()
    found = []
    rules = pdd.Rules(pdd.Board(*map(int, given.board.split("x"))))
    for state in openings(rules):
        tiles = ",".join(map(str, state.position.tiles(pdd.Color.WHITE)))
        # Each search starts without a tree, with the same seed.
        found.append((value(state, MctsPlayer(simulations=given.simulations)), tiles))
    found.sort(reverse=True)
    with given.file.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("tiles", "value"), *((t, f"{v:.4f}") for v, t in found)])
    balanced = sorted(found, key=lambda each: abs(each[0]))
    print(f"{len(found)} openings, in {given.file}")
    for name, some in (
        ("best for white", found[:SHOWN]),
        ("balanced", balanced[:SHOWN]),
        ("best for red", found[::-1][:SHOWN]),
    ):
        print(f"{name}: " + "; ".join(f"{tiles} {value:+.2f}" for value, tiles in some))


if __name__ == "__main__":
    main()
