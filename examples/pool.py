# python examples/pool.py [STEPS]
"""Train a policy by self-play in hundreds of games at once, with the simplest policy gradient."""

import sys

import numpy as np

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

GAMES = 512
HISTORY = 32
LEARNING_RATE = 0.05


def main(steps: int) -> None:
    """Make the winners' last steps more likely, and the losers' last steps less likely."""
    pool = batch.GamePool(pdd.Rules(pdd.Board(6, 6)), GAMES, seed=1)
    rows = np.arange(GAMES)
    codes = len(pool.space)
    logits = np.zeros(codes)  # a network would go here, with pool.planes as its input
    history = np.full((GAMES, HISTORY), -1)
    seats = np.zeros((GAMES, HISTORY), int)
    games = 0
    draws = 0
    for step in range(steps):
        at = step % HISTORY
        seats[:, at] = pool.seat_to_move
        history[:, at] = pool.sample_steps(np.broadcast_to(np.exp(logits), (GAMES, codes)))
        pool.step(history[:, at])
        ended = rows[pool.is_over]  # the pool has reset these games
        if ended.size:
            # The reward of a step is the final reward of its seat.
            rewards = np.take_along_axis(pool.rewards[ended], seats[ended], axis=1)
            is_step = history[ended] >= 0
            np.add.at(logits, history[ended][is_step], LEARNING_RATE / GAMES * rewards[is_step])
            history[ended] = -1
            games += ended.size
            draws += int((pool.rewards[ended, 0] == 0).sum())
    print(f"{steps * GAMES} steps, {games} games over, {draws} of them drawn")
    for code in np.argsort(-logits)[:5]:
        print(f"{logits[code]:+.4f} {pdd.format_action(pool.space.decode(int(code)))}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400)
