# python examples/openings.py [FILE] [--simulations 20000] [--board 10x10]
"""Estimate the value of every opening for white by Monte Carlo tree search.

Openings that are equal under a symmetry count as one. Values are from -1, a loss for white, to 1, a
win. The second seat takes the better colour, so the first seat wants a value near 0. The CSV file
has all values; the program prints the highest, the lowest, and those closest to 0.
"""

import argparse
import csv
from collections.abc import Iterator
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer

SHOWN = 8


def openings(rules: pdd.Rules) -> Iterator[pdd.GameState]:
    """Yield the state after each opening, once for those that are equal under a symmetry."""
    start = pdd.GameState.initial(rules)
    seen = set()
    for action in start.legal_actions:
        state = start.apply(action).canonical()
        if state not in seen:
            seen.add(state)
            yield state


def value(state: pdd.GameState, player: MctsPlayer) -> float:
    """Return the value for white, by a search of red's first turn."""
    return -player.analyse(state.apply(pdd.ChooseColor(pdd.Color.RED))).value


def main() -> None:
    """Evaluate all openings, write the file, and print some of them."""
    parser = argparse.ArgumentParser(description="Values of openings.")
    parser.add_argument("file", nargs="?", type=Path, default=Path("openings.csv"))
    parser.add_argument("--simulations", type=int, default=20_000)
    parser.add_argument("--board", default="10x10")
    options = parser.parse_args()
    values = []
    rules = pdd.Rules(pdd.Board(*map(int, options.board.split("x"))))
    for state in openings(rules):
        tiles = ",".join(map(str, state.position.tiles(pdd.Color.WHITE)))
        # A new player has an empty tree and the same seed for each search.
        values.append((value(state, MctsPlayer(simulations=options.simulations)), tiles))
    values.sort(reverse=True)
    with options.file.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([("tiles", "value"), *((t, f"{v:.4f}") for v, t in values)])
    balanced = sorted(values, key=lambda pair: abs(pair[0]))
    print(f"{len(values)} openings, in {options.file}")
    for name, rows in (
        ("best for white", values[:SHOWN]),
        ("balanced", balanced[:SHOWN]),
        ("best for red", values[::-1][:SHOWN]),
    ):
        print(f"{name}: " + "; ".join(f"{tiles} {value:+.2f}" for value, tiles in rows))


if __name__ == "__main__":
    main()
