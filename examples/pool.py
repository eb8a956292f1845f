# python examples/pool.py [STEPS]
"""Hundreds of games at once, with a policy that learns from what they come to."""

import sys

import numpy as np

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

GAMES, KEPT, RATE = 512, 32, 0.05


def main(steps: int) -> None:
    """Make likelier what those who won have played, near the end, and less likely the others'."""
    pool = batch.GamePool(pdd.Rules(pdd.Board(6, 6)), GAMES, seed=1)
    rows, codes = np.arange(GAMES), len(pool.space)
    liking = np.zeros(codes)  # a network would go here, with pool.planes as what it sees
    played = np.full((GAMES, KEPT), -1)
    seats = np.zeros((GAMES, KEPT), int)
    games = draws = 0
    for step in range(steps):
        at = step % KEPT
        seats[:, at] = pool.seat_to_move
        played[:, at] = pool.sample(np.broadcast_to(np.exp(liking), (GAMES, codes)))
        pool.step(played[:, at])
        ended = rows[pool.is_over]  # these games have begun anew
        if ended.size:
            # What each seat's last steps were worth to it.
            worth = np.take_along_axis(pool.rewards[ended], seats[ended], axis=1)
            known = played[ended] >= 0
            np.add.at(liking, played[ended][known], RATE / GAMES * worth[known])
            played[ended] = -1
            games += ended.size
            draws += int((pool.rewards[ended, 0] == 0).sum())
    print(f"{steps * GAMES} steps, {games} games over, {draws} of them drawn")
    for code in np.argsort(-liking)[:5]:
        print(f"{liking[code]:+.4f} {pdd.format_step(pool.space.decode(int(code)))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
