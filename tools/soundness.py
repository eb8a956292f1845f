"""Measure how often the tree search keeps the value of solved positions.

``python -m tools.soundness`` lets the player choose in the positions of the file
``tests/data/soundness.txt.xz`` and prints the share of choices that keep the value, without and
with the solver. The file has a thousand positions for each board, reached by random play, in which
at least one action loses value. Each line has a state and a sign for each of its legal actions:
``+`` wins, ``=`` draws, ``-`` loses. ``--make`` creates the file with ``players.Solver``.

``--openings 10`` compares, for ten random openings on 10×10, the three best actions after 20,000
simulations with those after 200,000.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer, Solver

FILE = Path(__file__).parents[1] / "tests" / "data" / "soundness.txt.xz"
BOARDS = ("4x3", "5x3", "4x4")
POSITIONS = 1000
BUDGETS = (100, 1_000, 10_000, 100_000)
SIGNS = {1: "+", 0: "=", -1: "-"}


def positions() -> Iterator[tuple[pdd.GameState, str]]:
    """Yield the states of the file, with the signs of their legal actions."""
    for line in lzma.decompress(FILE.read_bytes()).decode().splitlines():
        text, signs = line.rsplit(" ", 1)
        yield pdd.parse_state(text), signs


def keeps_value(player: MctsPlayer, state: pdd.GameState, signs: str) -> bool:
    """Return whether a player's choice in a state is one of the best actions."""
    best = next(sign for sign in SIGNS.values() if sign in signs)
    return signs[state.legal_actions.index(player.choose(state))] == best


def make() -> None:
    """Write the file."""
    lines = []
    for board in BOARDS:
        rng = Random(1)
        solver = Solver()
        seen = set[pdd.GameState]()
        rules = pdd.Rules(pdd.Board(*map(int, board.split("x"))))
        while len(seen) < POSITIONS:
            state = random_state(rules, rng)
            signs = "".join(sign_of_value(solver, state, each) for each in state.legal_actions)
            if len({*signs}) > 1 and state.canonical() not in seen:
                seen.add(state.canonical())
                lines.append(f"{pdd.format_state(state)} {signs}\n")
    FILE.write_bytes(lzma.compress("".join(lines).encode(), preset=9))


def random_state(rules: pdd.Rules, rng: Random) -> pdd.GameState:
    """Return a random state of a random game, but not its end."""
    states = [pdd.GameState.initial(rules)]
    while not states[-1].is_over:
        states.append(states[-1].apply(states[-1].legal_actions.sample(rng)))
    return rng.choice(states[:-1])


def sign_of_value(solver: Solver, state: pdd.GameState, action: pdd.Action) -> str:
    """Return the sign of an action's value for the seat that plays it."""
    after = state.apply(action)
    seat = state.seat_to_move
    if after.outcome is not None and seat is not None:
        return SIGNS[after.outcome.value(seat)]
    value = solver.value(after)
    if value is None:
        raise RuntimeError(f"not solved: {pdd.format_state(after)}")
    return SIGNS[value if after.seat_to_move is seat else -value]


def compare_openings(number: int) -> None:
    """Print how many of the three best actions agree between two budgets, in random openings."""
    rng = Random(1)
    for _ in range(number):
        opening = pdd.GameState.initial().legal_actions.sample(rng)
        state = pdd.GameState.initial().apply(opening).apply(pdd.ChooseColor(pdd.Color.WHITE))
        few, many = (three_best(state, simulations) for simulations in (20_000, 200_000))
        common = sum(action in many for action in few)
        print(f"| {pdd.format_action(opening)} | {' '.join(few)} | {' '.join(many)} | {common} |")


def three_best(state: pdd.GameState, simulations: int) -> list[str]:
    """Return the three best actions of a search with a separate seed."""
    player = MctsPlayer(simulations=simulations, seed=simulations)
    return [pdd.format_action(line.actions[0]) for line in player.analyse(state).lines]


def main() -> None:
    """Print a table, or make the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", action="store_true", help="make the file of positions")
    parser.add_argument("--positions", type=int, default=POSITIONS, help="of each board")
    parser.add_argument("--budgets", type=int, nargs="+", default=BUDGETS, help="simulations")
    parser.add_argument("--solver", choices=("on", "off"), nargs="+", default=("off", "on"))
    parser.add_argument("--openings", type=int, help="compare analyses of 10x10 in place of that")
    asked = parser.parse_args()
    if asked.openings:
        compare_openings(asked.openings)
        return
    if asked.make:
        make()
        return
    found = [*positions()]
    print(
        "| board | solver | simulations | value kept | CPU ms a position |\n|---|---|--:|--:|--:|"
    )
    for number, board in enumerate(BOARDS):
        some = found[number * POSITIONS :][: asked.positions]
        for solver in asked.solver:
            for simulations in asked.budgets:
                player = MctsPlayer(simulations=simulations, solver=solver == "on")
                begin = process_time()
                kept = sum(keeps_value(player.for_game(1), *each) for each in some)
                cost = (process_time() - begin) / len(some)
                shown = f"{simulations:,} | {kept / len(some):.1%} | {1000 * cost:.1f}"
                print(f"| {board} | {solver} | {shown} |", flush=True)


if __name__ == "__main__":
    main()
