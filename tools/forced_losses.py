"""Find positions in which a likely action loses by force, and count how often one is played.

``python -m tools.forced_losses --make build/levels/NAME`` reads the games of a match, for example
those that :mod:`tools.levels` has stored. From the end of each close game backwards, the solver
proves the results of its states as far as it can. A position counts if the seat to move is proven
to win or draw, and an action that a short search visits often is proven to lose; the earliest such
position of a game is taken. So each line of ``tests/data/forced_losses.txt`` has the name of a
game, a state that need not be lost, and an action that loses it. Every third line goes to
``forced_losses_kept.txt`` instead, by which no parameter of the search is chosen. Lines are written
as they are found, and a later run goes on after the last game.

``python -m tools.forced_losses`` lets the player choose in these states with 10,000 simulations,
with several seeds for each, and prints the choices that lose by force; ``--kept`` takes the other
file. ``--write`` counts them in both files, and writes the numbers for the docs. The result does
not depend on the machine.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer, Solver

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "tests" / "data"
FILE: Final = DATA / "forced_losses.txt"
KEPT_FILE: Final = DATA / "forced_losses_kept.txt"
EXPERIMENTS: Final = ROOT / "docs" / "explanation" / "experiments.json"
KEPT_EVERY: Final = 3
"""Every third position goes to the second file."""
LIKELY_SIMULATIONS: Final = 1_000
"""The simulations that show which actions are likely."""
LIKELY_SHARE: Final = 0.02
"""The share of these simulations that a likely action has."""
PLAYED_SIMULATIONS: Final = 10_000
"""The simulations with which no forced loss should be played."""
PROOF_SIMULATIONS: Final = 20_000
"""The simulations that prove a loss where the solver does not."""
STATE_NODES: Final = 30_000
"""The maximum number of nodes in which the solver proves the result of a state of a game."""
ACTION_NODES: Final = 100_000
"""The maximum number of nodes in which the solver proves the result of an action."""
MEMORY: Final = 1 << 26
MAX_MARGIN: Final = 2
"""The largest difference of points at the end of a close game. Others are decided early."""


class Trap(NamedTuple):
    """A state of a game that need not be lost, and an action that loses by force."""

    game: str
    state: pdd.GameState
    action: pdd.Action


def solved(state: pdd.GameState, nodes: int) -> int | None:
    """Return the proven result for the seat to move: 1, 0 or -1; ``None`` if there is none."""
    return Solver(max_nodes=nodes, memory=MEMORY).value(state)


def is_forced_loss(state: pdd.GameState, action: pdd.Action) -> bool:
    """Return whether the solver or a search proves that an action loses."""
    after = state.apply(action)
    seat = state.seat_to_move
    if after.outcome is not None:
        return seat is not None and after.outcome.value(seat) < 0
    sign = 1 if after.seat_to_move is seat else -1
    value = solved(after, ACTION_NODES)
    if value is not None:
        return sign * value < 0
    line = MctsPlayer(simulations=PROOF_SIMULATIONS, seed=1).search(after)
    return line.proven and sign * line.value < 0


def likely_loss(state: pdd.GameState) -> pdd.Action | None:
    """Return the likeliest action that loses by force, if a likely one does."""
    found = MctsPlayer(simulations=LIKELY_SIMULATIONS, seed=1).analyse(state).actions
    least = LIKELY_SHARE * LIKELY_SIMULATIONS
    likely = (each.action for each in found if each.visits >= least)
    return next((action for action in likely if is_forced_loss(state, action)), None)


def trap_in(name: str, game: pdd.Game) -> Trap | None:
    """Return the earliest position of a game in which a likely action loses by force, if any."""
    found: Trap | None = None
    for state in reversed([*game.states()][:-1]):
        if state.to_move is None:
            return found
        value = solved(state, STATE_NODES)
        if value is None:
            return found
        action = None if value < 0 else likely_loss(state)
        if action is not None:
            found = Trap(name, state, action)
    return found


def close_games(folder: Path) -> Iterator[tuple[str, pdd.Game]]:
    """Yield the names of the close games of a match, and the games."""
    for path in sorted(folder.glob("pair-*.pdd")):
        for number, game in enumerate(pdd.records.iter_games(path), 1):
            white, red = (game.state.score(color).points for color in pdd.Color)
            if abs(white - red) <= MAX_MARGIN:
                yield f"{folder.name}/{path.stem}.{number}", game


def read(path: Path = FILE) -> Iterator[Trap]:
    """Yield the lines of a file."""
    for line in path.read_text("utf-8").splitlines() if path.exists() else ():
        name, text, action = line.split(" | ")
        yield Trap(name, pdd.parse_state(text), pdd.parse_action(action))


def make(folder: Path) -> None:
    """Append positions of the games of a match to the files."""
    stored = [trap.game for path in (FILE, KEPT_FILE) for trap in read(path)]
    last = max((name for name in stored if name.startswith(f"{folder.name}/")), default="")
    found = len(stored)
    for name, game in close_games(folder):
        trap = trap_in(name, game) if name > last else None
        if trap is not None:
            found += 1
            words = (name, pdd.format_state(trap.state), pdd.format_action(trap.action))
            path = FILE if found % KEPT_EVERY else KEPT_FILE
            with path.open("a", encoding="utf-8") as file:
                file.write(" | ".join(words) + "\n")
        print(f"{name}: {found} forced losses, {process_time():.0f} seconds", flush=True)


def played_losses(traps: Sequence[Trap], simulations: int, seeds: int) -> Iterator[Trap]:
    """Yield each choice of the player that loses by force, with several seeds for each state."""
    for trap in traps:
        for seed in range(seeds):
            chosen = MctsPlayer(simulations=simulations, seed=seed).choose(trap.state)
            if is_forced_loss(trap.state, chosen):
                yield trap._replace(action=chosen)


def counted(path: Path, simulations: int, seeds: int) -> dict[str, int]:
    """Print the choices in the states of a file that lose by force, and return their number."""
    traps = [*read(path)]
    lost = 0
    for played in played_losses(traps, simulations, seeds):
        print(f"{played.game}: {pdd.format_action(played.action)}", flush=True)
        lost += 1
    choices = seeds * len(traps)
    print(f"{lost} of {choices} choices lose by force", flush=True)
    return {"positions": len(traps), "choices": choices, "lost": lost}


def write(simulations: int, seeds: int) -> None:
    """Count in both files, and write the numbers for the docs."""
    found = {
        "command": "python -m tools.forced_losses --write",
        "date": datetime.now(UTC).date().isoformat(),
        "machine": "any",
        "simulations": simulations,
        **counted(FILE, simulations, seeds),
        "kept": counted(KEPT_FILE, simulations, seeds),
    }
    experiments = json.loads(EXPERIMENTS.read_text("utf-8"))
    experiments["forced losses"] = found
    text = json.dumps(experiments, indent=1, ensure_ascii=False)
    EXPERIMENTS.write_text(text + "\n", "utf-8")


def main() -> None:
    """Extend the files, or count forced losses that are played."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", type=Path, help="append positions from the match in a folder")
    parser.add_argument("--kept", action="store_true", help="count in the file for checks")
    parser.add_argument("--simulations", type=int, default=PLAYED_SIMULATIONS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--write", action="store_true", help="write the numbers for the docs")
    asked = parser.parse_args()
    if asked.make:
        make(asked.make)
    elif asked.write:
        write(asked.simulations, asked.seeds)
    else:
        counted(KEPT_FILE if asked.kept else FILE, asked.simulations, asked.seeds)


if __name__ == "__main__":
    main()
