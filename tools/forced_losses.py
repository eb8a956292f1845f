"""Find positions in which a likely action loses by force, and count how often one is played.

``python -m tools.forced_losses --make --minutes 20`` lets the tree search play games with itself on
10×10 with few simulations. An action is a forced loss if a search of the state after it, with
20,000 simulations, proves that the opponent wins. Positions count only if the solver does not prove
that all actions lose, and such a search finds one that does not. Each line of
``tests/data/forced_losses.txt`` has the seed of a game, a state, and the action that was played
there and loses by force.

``python -m tools.forced_losses`` lets the player choose in these states with 10,000 simulations,
and prints how many of its choices lose by force. The result does not depend on the machine.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Final, NamedTuple

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer, Solver

FILE: Final = Path(__file__).parents[1] / "tests" / "data" / "forced_losses.txt"
GAME_SIMULATIONS: Final = 1_000
"""The simulations for an action in a game."""
PLAYED_SIMULATIONS: Final = 10_000
"""The simulations with which no forced loss should be played."""
PROOF_SIMULATIONS: Final = 20_000
"""The simulations that prove a loss."""
SOLVER_NODES: Final = 300_000
"""The maximum number of nodes in which the solver finds out that all actions lose."""
RANDOM_TURNS: Final = 2
FIRST_PLY: Final = 20
"""The first ply at which proofs are tried."""


class Trap(NamedTuple):
    """A state of a game, and an action that loses by force."""

    seed: int
    state: pdd.GameState
    action: pdd.Action


def is_forced_loss(state: pdd.GameState, action: pdd.Action) -> bool:
    """Return whether a search proves that an action loses."""
    after = state.apply(action)
    seat = state.seat_to_move
    if after.outcome is not None:
        return seat is not None and after.outcome.value(seat) < 0
    line = MctsPlayer(simulations=PROOF_SIMULATIONS, seed=1).search(after)
    return line.proven and (line.value > 0) is (after.seat_to_move is not seat) and line.value != 0


def is_lost(state: pdd.GameState) -> bool:
    """Return whether every action loses, as far as the solver or a search finds out."""
    if Solver(max_nodes=SOLVER_NODES, memory=1 << 26).value(state) == -1:
        return True
    better = MctsPlayer(simulations=PROOF_SIMULATIONS, seed=1).choose(state)
    return is_forced_loss(state, better)


def traps(seed: int) -> Iterator[Trap]:
    """Yield the forced losses of a game, until its result is proven."""
    rng = Random(seed)
    player = MctsPlayer(simulations=GAME_SIMULATIONS, seed=seed)
    state = pdd.GameState.initial()
    ply = 0
    while not state.is_over:
        if ply < RANDOM_TURNS:
            action = state.legal_actions.sample(rng)
        else:
            line = player.search(state)
            if line.proven:
                return
            action = line.actions[0]
        if ply >= FIRST_PLY and is_forced_loss(state, action):
            if not is_lost(state):
                yield Trap(seed, state, action)
            return
        state = state.apply(action)
        ply += 1


def read() -> Iterator[Trap]:
    """Yield the lines of the file."""
    for line in FILE.read_text("utf-8").splitlines():
        seed, text, action = line.split(" | ")
        yield Trap(int(seed), pdd.parse_state(text), pdd.parse_action(action))


def make(number: int, minutes: float, first: int) -> None:
    """Append forced losses to the file, until there are enough or the time is over."""
    found = 0
    seed = first
    with FILE.open("a", encoding="utf-8") as file:
        while found < number and process_time() < 60 * minutes:
            for trap in traps(seed):
                words = (str(seed), pdd.format_state(trap.state), pdd.format_action(trap.action))
                file.write(" | ".join(words) + "\n")
                file.flush()
                found += 1
            seed += 1
            print(f"{seed - first} games, {found} forced losses", flush=True)


def main() -> None:
    """Extend the file, or count forced losses that are played."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", action="store_true", help="append positions to the file")
    parser.add_argument("--number", type=int, default=100, help="of positions to find")
    parser.add_argument("--minutes", type=float, default=20, help="of processor time")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first game")
    parser.add_argument("--simulations", type=int, default=PLAYED_SIMULATIONS)
    asked = parser.parse_args()
    if asked.make:
        make(asked.number, asked.minutes, asked.first)
        return
    played = 0
    for number, trap in enumerate(read(), 1):
        chosen = MctsPlayer(simulations=asked.simulations, seed=trap.seed).choose(trap.state)
        played += is_forced_loss(trap.state, chosen)
        print(f"{played} of {number} choices lose by force", flush=True)


if __name__ == "__main__":
    main()
