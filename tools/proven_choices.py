"""Make a file of late positions with a proven result, and measure how well they are played.

``python -m tools.proven_choices --make`` takes positions from games of the tree search with itself
in which the seat to move wins or loses by force, and finds the exact score of each action.
Each line of ``tests/data/proven_choices.txt.xz`` has a state, ``win`` or ``loss``, and one word for
each legal action: ``x`` if it gives the result up, else the margin of points for the seat to move
and the number of further turns, with perfect play by both: ``+7:12``. A winner counts points first,
a loser turns.

``python -m tools.proven_choices`` lets the player choose in these positions, and prints how much
its choices lose against the best ones. The result does not depend on the machine.
"""

from __future__ import annotations

import argparse
import lzma
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple, cast

import pontedeldiavolo as pdd
from pontedeldiavolo.players import MctsPlayer
from pontedeldiavolo.players.mcts.proven_kernels import RESULT_STEP, UNKNOWN_SCORE
from pontedeldiavolo.players.mcts.proven_play import Effort, ProvenPlay, margin_and_length

FILE: Final = Path(__file__).parents[1] / "tests" / "data" / "proven_choices.txt.xz"
POSITIONS: Final = {"10x10": 30, "7x7": 10, "5x5": 10}
"""The number of positions on each board."""
GAME_SIMULATIONS: Final = 500
PROOF_SIMULATIONS: Final = 2_000
"""The simulations that must prove the result."""
MAX_NODES: Final = 150_000
"""The maximum number of nodes for all actions of a position."""
RANDOM_TURNS: Final = 2
FEWEST_ACTIONS: Final = 6
"""The fewest legal actions of a position."""


class Worth(NamedTuple):
    """The end to which an action that keeps the result leads with perfect play."""

    margin: int
    length: int


class Position(NamedTuple):
    """A position of the file."""

    state: pdd.GameState
    wins: bool
    """Whether the seat to move wins; otherwise it loses."""
    worths: tuple[Worth | None, ...]
    """For each legal action; ``None`` if it gives the result up."""

    def loss(self, action: pdd.Action) -> int | None:
        """Return how many points a winner's action loses, or how many turns a loser's.

        Return ``None`` if it gives the result up.
        """
        chosen = self.worths[self.state.legal_actions.index(action)]
        if chosen is None:
            return None
        column = 0 if self.wins else 1
        return max(each[column] for each in self.worths if each) - chosen[column]


def worths_of(
    play: ProvenPlay, state: pdd.GameState, value: int
) -> tuple[Worth | None, ...] | None:
    """Return what each action leads to; ``None`` if that takes too many nodes."""
    left = MAX_NODES
    found: list[Worth | None] = []
    for action in state.legal_actions:
        score, nodes = play.exact_score(state, action, Effort(left), wins=value > 0)
        left -= nodes
        if score == UNKNOWN_SCORE or left <= 0:
            return None
        worth = Worth(*margin_and_length(score, wins=value > 0))
        found.append(worth if round(score / RESULT_STEP) == value else None)
    return tuple(found)


def proven_value(state: pdd.GameState) -> int | None:
    """Return 1 or -1 if a search proves a win or a loss; ``None`` otherwise."""
    line = MctsPlayer(simulations=PROOF_SIMULATIONS).search(state)
    return int(line.value) if line.proven and line.value else None


def self_play(rules: pdd.Rules, seed: int) -> list[pdd.GameState]:
    """Return the states of a game of the tree search with itself, except the last."""
    rng = Random(seed)
    player = MctsPlayer(simulations=GAME_SIMULATIONS, seed=seed)
    states = [pdd.GameState.initial(rules)]
    while not states[-1].is_over:
        state = states[-1]
        is_random = len(states) <= RANDOM_TURNS
        chosen = state.legal_actions.sample(rng) if is_random else player.choose(state)
        states.append(state.apply(chosen))
    return states[:-1]


def earliest(play: ProvenPlay, states: list[pdd.GameState], *, wins: bool) -> Position | None:
    """Return the earliest position whose actions all get exact scores, if these differ."""
    found = None
    unsuccessful = 0
    for state in reversed(states):
        value = proven_value(state)
        if value is None or (value > 0) != wins or len(state.legal_actions) < FEWEST_ACTIONS:
            continue
        worths = worths_of(play, state, value)
        unsuccessful += worths is None
        if unsuccessful > 1:
            break
        if worths is not None and len({*worths} - {None}) > 1:
            found = Position(state, wins, worths)
    return found


def made() -> Iterator[Position]:
    """Yield positions, one of each game; in every third the seat to move loses."""
    for board, number in POSITIONS.items():
        rules = pdd.Rules(pdd.Board(*map(int, board.split("x"))))
        play = ProvenPlay(rules, heuristic=True)
        seed = 0
        left = number
        while left:
            position = earliest(play, self_play(rules, seed), wins=left % 3 > 0)
            seed += 1
            if position is not None:
                left -= 1
                yield position


def positions() -> Iterator[Position]:
    """Yield the positions of the file."""
    for line in lzma.decompress(FILE.read_bytes()).decode().splitlines():
        text, result, words = line.split(" | ")
        worths = tuple(map(_read, words.split()))
        yield Position(pdd.parse_state(text), result == "win", worths)


def _read(word: str) -> Worth | None:
    return None if word == "x" else Worth(*map(int, word.split(":")))


def _written(worth: Worth | None) -> str:
    return "x" if worth is None else f"{worth.margin:+d}:{worth.length}"


def main() -> None:
    """Make the file, or print how the positions are played."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--make", action="store_true", help="make the file of positions")
    parser.add_argument("--simulations", type=int, default=10_000)
    asked = parser.parse_args()
    if asked.make:
        lines = []
        for position in made():
            words = " ".join(map(_written, position.worths))
            result = "win" if position.wins else "loss"
            lines.append(f"{pdd.format_state(position.state)} | {result} | {words}\n")
            print(len(lines), len(position.worths), flush=True)
        FILE.write_bytes(lzma.compress("".join(lines).encode(), preset=9))
        return
    losses: dict[bool, list[int | None]] = {True: [], False: []}
    for number, position in enumerate(positions()):
        player = MctsPlayer(simulations=asked.simulations, seed=number)
        losses[position.wins].append(position.loss(player.choose(position.state)))
    for wins, found in losses.items():
        kept = cast(list[int], [each for each in found if each is not None])
        unit = "points lost by winners" if wins else "turns lost by losers"
        print(f"{len(found)} positions, {len(kept)} results kept, {unit}: {sorted(kept)[::-1]}")


if __name__ == "__main__":
    main()
