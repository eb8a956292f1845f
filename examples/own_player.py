# python examples/own_player.py [GAMES]
"""A player, and its games against a random one."""

import random
import sys

import pontedeldiavolo as pdd
from pontedeldiavolo.players import RandomPlayer, match


class Hasty:
    """Looks at some actions, and takes the one that leaves it furthest ahead."""

    name = "hasty"

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def choose(self, state: pdd.GameState) -> pdd.Action:
        """Return what looks best of a hundred actions."""
        some = [state.legal_actions.sample(self.random) for _ in range(100)]
        return max(some, key=lambda action: lead(state.apply_unchecked(action), state.to_move))

    def for_game(self, seed: int) -> "Hasty":
        """Return a player with another seed."""
        return Hasty(seed)


def lead(state: pdd.GameState, color: pdd.Color | None) -> int:
    """Return by how many points a colour is ahead; while one is chosen, nobody is."""
    if color is None:
        return 0
    return state.score(color).points - state.score(color.opponent).points


def main(games: int) -> None:
    """Play an even number of games, half of them from each seat."""
    found = match(Hasty(), RandomPlayer(), games, rules=pdd.Rules(pdd.Board(6, 6)))
    print(f"{found.wins:4} won\n{found.draws:4} drawn\n{found.losses:4} lost")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
