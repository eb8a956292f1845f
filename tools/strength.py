"""Match the working tree against an earlier commit, in separate processes and folders.

``python -m tools.strength 0e23fee mcts:seconds=0.2 --games 200`` checks out the commit into a
temporary folder. Games come in pairs with exchanged seats, which begin with the same random turns;
the command prints the Elo difference with its interval, and the result of the sequential test, if
requested. Both sides compile before the first game.

``--candidate COMMIT`` lets another commit play in place of the working tree. With it, ``--idea
"expand a leaf at its first visit"`` adds the result to the table of ideas in the docs, together
with the command that plays the match again; ``--kept`` says that the idea is in the player.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final

from tools.checkout import ROOT, checked_out, commit_of

import pontedeldiavolo as pdd
from pontedeldiavolo.players import ExternalPlayer, Match

ENGINE = ROOT / "tools" / "strength_engine.py"
EXPERIMENTS: Final = ROOT / "docs" / "explanation" / "experiments.json"
REPEATED: Final = ("against", "games", "seed", "openings", "sprt")
"""The options that the command of a row repeats, besides commits and rules."""
BUDGETS: Final = {"simulations": "{:,} simulations", "seconds": "{:g} seconds"}
"""The options of a player that limit a search, and how the docs write their values."""


def engine(name: str, source: Path, player: str) -> ExternalPlayer:
    """Return a player of the version in a folder, which runs in separate processes."""
    words = (str(ENGINE), name, str(source), player)
    return ExternalPlayer([sys.executable, *words], name=name)


def parsed(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """Return the options of a command line, by default of this process."""
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
    parser.add_argument("--candidate", help="a commit that plays in place of the working tree")
    parser.add_argument("--idea", help="add the result to the table of ideas, under this text")
    parser.add_argument("--kept", action="store_true", help="the idea is in the player")
    asked = parser.parse_args(arguments)
    if asked.idea and not asked.candidate:
        parser.error("--idea needs --candidate: a match of the working tree cannot be repeated")
    return asked


def main() -> None:
    """Play the match that the arguments specify."""
    asked = parsed()
    other = asked.against or asked.player
    candidate = checked_out(asked.candidate) if asked.candidate else nullcontext(ROOT / "src")
    with (
        checked_out(asked.commit) as source,
        candidate as candidate_source,
        engine(
            f"{asked.candidate or 'working tree'} {asked.player}", candidate_source, asked.player
        ) as here,
        engine(f"{asked.commit} {other}", source, other) as there,
    ):
        for each in (here, there):
            each.choose(pdd.GameState.initial(asked.rules))
        result = pdd.players.match(
            *(here, there, asked.games),
            rules=asked.rules,
            seed=asked.seed,
            openings=asked.openings,
            processes=asked.processes,
            sprt=asked.sprt and tuple(asked.sprt),
            on_pair=tell,
        )
    if asked.idea:
        write(row_of(asked, result))


def budget_of(player: str) -> str:
    """Return the budget of a player in words: "3,000 simulations"."""
    options = dict(each.split("=") for each in player.partition(":")[2].split(",") if each)
    words = [
        text.format(float(options[name]) if name == "seconds" else int(options[name]))
        for name, text in BUDGETS.items()
        if name in options
    ]
    return " and ".join(words) or player


def conditions_of(asked: argparse.Namespace) -> str:
    """Return the conditions of a match in words."""
    words = budget_of(asked.player)
    if asked.against and asked.against != asked.player:
        words += f" against {budget_of(asked.against)}"
    if asked.openings:
        words += ", random openings"
    board = asked.rules.board
    return words if board == pdd.Board() else f"{words}, {board.width}×{board.height}"


def row_of(asked: argparse.Namespace, result: Match) -> dict[str, Any]:
    """Return a row of the table of ideas."""
    low, high = result.elo_interval
    return {
        "idea": asked.idea,
        "kept": asked.kept,
        "conditions": conditions_of(asked),
        "won": result.wins,
        "drawn": result.draws,
        "lost": result.losses,
        "interval": f"from {low:+.0f} to {high:+.0f}",
        "command": repeating_command(asked),
    }


def repeating_command(asked: argparse.Namespace) -> str:
    """Return the command that plays a match again; names of commits may change, hashes do not."""
    words = [commit_of(asked.commit), asked.player, "--candidate", commit_of(asked.candidate)]
    for name in REPEATED:
        value = getattr(asked, name)
        if value is not None:
            words += [f"--{name}", *map(str, value if isinstance(value, list) else [value])]
    if asked.rules != pdd.Rules():
        words += ["--rules", pdd.format_rules(asked.rules)]
    return f"python -m tools.strength {shlex.join(words)}"


def write(row: dict[str, Any]) -> None:
    """Add a row to the table of ideas."""
    experiments = json.loads(EXPERIMENTS.read_text("utf-8"))
    experiments["ideas"]["rows"].append(row)
    text = json.dumps(experiments, indent=1, ensure_ascii=False)
    EXPERIMENTS.write_text(text + "\n", "utf-8")


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
