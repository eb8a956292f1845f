# python examples/own_player.py [GAMES]
"""A custom player, and a match against a random player."""

import random
import sys

import pontedeldiavolo as pdd
from pontedeldiavolo.players import RandomPlayer, match


class SamplingPlayer:
    """A player that samples actions and chooses the one with the greatest lead in points."""

    name = "sampling"

    def __init__(self, seed: int = 0) -> None:
        self.rng = random.Random(seed)

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Return the best of a hundred random actions."""
        actions = [state.legal_actions.sample(self.rng) for _ in range(100)]
        return max(actions, key=lambda action: lead(state.apply_unchecked(action), state.to_move))

    def for_game(self, seed: int) -> "SamplingPlayer":
        """Return a player with another seed."""
        return SamplingPlayer(seed)


def lead(state: pdd.GameState, color: pdd.Color | None) -> int:
    """Return a colour's lead in points; it is 0 while the colours are chosen."""
    if color is None:
        return 0
    return state.score(color).points - state.score(color.opponent).points


def main(games: int) -> None:
    """Play an even number of games, half from each seat, and print the result."""
    result = match(SamplingPlayer(), RandomPlayer(), games, rules=pdd.Rules(pdd.Board(6, 6)))
    print(f"{result.wins:4} won\n{result.draws:4} drawn\n{result.losses:4} lost")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
