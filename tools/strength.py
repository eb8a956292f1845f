"""Match the working tree against an earlier commit, in separate processes and folders.

``python -m tools.strength 0e23fee mcts:seconds=0.2 --games 200`` checks out the commit into a
temporary folder. Games come in pairs with exchanged seats, which begin with the same random turns;
the command prints the Elo difference with its interval, and the result of the sequential test, if
requested. Both sides compile before the first game.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tools.checkout import ROOT, checked_out

import pontedeldiavolo as pdd
from pontedeldiavolo.players import ExternalPlayer, Match

ENGINE = ROOT / "tools" / "strength_engine.py"


def engine(name: str, source: Path, player: str) -> ExternalPlayer:
    """Return a player of the version in a folder, which runs in separate processes."""
    words = (str(ENGINE), name, str(source), player)
    return ExternalPlayer([sys.executable, *words], name=name)


def main() -> None:
    """Play the match that the arguments specify."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the earlier commit")
    parser.add_argument("player", help="the player of the working tree: mcts:seconds=0.2")
    parser.add_argument("--against", help="the player of the commit; the same by default")
    parser.add_argument("--rules", type=pdd.parse_rules, default=pdd.Rules())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--openings", type=int, default=2, help="random turns in both games")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--sprt", nargs=2, type=float, metavar=("ELO0", "ELO1"))
    asked = parser.parse_args()
    other = asked.against or asked.player
    with (
        checked_out(asked.commit) as source,
        engine(f"working tree {asked.player}", ROOT / "src", asked.player) as here,
        engine(f"{asked.commit} {other}", source, other) as there,
    ):
        for each in (here, there):
            each.choose(pdd.GameState.initial(asked.rules))
        pdd.players.match(
            *(here, there, asked.games),
            rules=asked.rules,
            seed=asked.seed,
            openings=asked.openings,
            processes=asked.processes,
            sprt=asked.sprt and tuple(asked.sprt),
            on_pair=tell,
        )


def tell(result: Match) -> None:
    """Print a result on one line."""
    low, high = result.elo_interval
    test = "" if result.sprt is None else f", LLR {result.sprt.llr:+.2f}"
    accepted = None if result.sprt is None else result.sprt.accepted
    pairs = sum(result.pairs)
    copies = "" if result.distinct == pairs else f", {result.distinct} of {pairs} pairs different"
    print(
        f"{result.a} - {result.b}: {result.wins} wins, {result.draws} draws, "
        f"{result.losses} losses, {result.elo:+.0f} Elo ({low:+.0f} to {high:+.0f}){copies}{test}"
        f"{'' if accepted is None else f', accepted {accepted:+g}'}",
        flush=True,
    )


if __name__ == "__main__":
    main()
