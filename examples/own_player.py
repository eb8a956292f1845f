# python examples/own_player.py [GAMES]
"""A player of one's own in ten lines, and its games against one who plays at random."""

import random
import sys

import pontedeldiavolo as pdd
from pontedeldiavolo.players import Player, RandomPlayer


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
        """Return such a player with dice of its own."""
        return Hasty(seed)


def lead(state: pdd.GameState, color: pdd.Color | None) -> int:
    """Return by how many points a colour is ahead; while one is chosen, nobody is."""
    if color is None:
        return 0
    return state.score(color).points - state.score(color.opponent).points


def play(seats: dict[pdd.Seat, Player]) -> pdd.GameState:
    """Return the end of a game."""
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(6, 6)))
    while state.seat_to_move is not None:
        state = state.apply(seats[state.seat_to_move].choose(state))
    return state


def main(games: int) -> None:
    """Play so many games, half of them from either seat."""
    counts = {1: 0, 0: 0, -1: 0}
    for number in range(games):
        own = list(pdd.Seat)[number % 2]
        players: dict[pdd.Seat, Player] = {own: Hasty(number), own.opponent: RandomPlayer(number)}
        outcome = play(players).outcome
        if outcome is not None:
            counts[outcome.value(own)] += 1
    for value, word in ((1, "won"), (0, "drawn"), (-1, "lost")):
        print(f"{counts[value]:4} {word}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
