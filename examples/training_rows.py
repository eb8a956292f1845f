# python examples/training_rows.py [STEPS] [FILE]
"""Rows to train on, from self-play to disk.

Each has the planes, the legal steps, the step played, and the result for its player.
"""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

GAMES = 256


def results_of(
    over: npt.NDArray[np.bool_], rewards: npt.NDArray[np.int8], seats: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """Return how each step's game ended for its seat, and whether that is known yet.

    Each argument has a row for every step: shape (steps, games), and rewards (steps, games, 2).
    """
    results, known = np.zeros_like(seats), np.zeros_like(over)
    reward, ended = np.zeros_like(rewards[0]), np.zeros_like(over[0])
    for step in range(len(over))[::-1]:
        reward = np.where(over[step, :, np.newaxis], rewards[step], reward)
        ended = ended | over[step]
        results[step] = reward[np.arange(len(ended)), seats[step]]
        known[step] = ended
    return results, known


def main(steps: int, path: Path) -> None:
    """Play so many steps in every game, and write all rows whose game has ended."""
    pool = batch.GamePool(pdd.Rules(pdd.Board(6, 6)), GAMES, seed=1, planes=True)
    planes, masks, actions, seats, over, rewards = zip(
        *(played(pool) for _ in range(steps)), strict=True
    )
    results, known = results_of(np.stack(over), np.stack(rewards), np.stack(seats))
    np.savez_compressed(
        path,
        planes=np.stack(planes)[known],
        masks=np.stack(masks)[known],
        actions=np.stack(actions)[known],
        results=results[known],
        planes_version=np.array(batch.PLANES_VERSION),
        rules=np.array(pdd.format_rules(pool.rules)),
    )
    with np.load(path) as rows:
        for name, array in rows.items():
            print(f"{name:14} {array.dtype!s:6} {array.shape}")
        print(f"{path.stat().st_size / len(rows['results']):.0f} bytes a row")


def played(pool: batch.GamePool) -> tuple[npt.NDArray[np.generic], ...]:
    """Play a step, and return all there is to know of it."""
    seen = (
        pool.planes.copy(),
        np.packbits(pool.mask, axis=1, bitorder="little"),
        pool.sample(),  # a network would give weights
        pool.seat_to_move.copy(),
    )
    pool.step(seen[2])
    return *seen, pool.is_over.copy(), pool.rewards.copy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("steps", nargs="?", type=int, default=100)
    parser.add_argument("file", nargs="?", type=Path, default=Path("rows.npz"))
    options = parser.parse_args()
    main(options.steps, options.file)
