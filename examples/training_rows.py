# python examples/training_rows.py [STEPS] [FILE]
"""Write training rows from self-play to a NumPy file.

A row has the planes, the mask of legal steps, the step played, and the result for the mover.
"""

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

import pontedeldiavolo as pdd
from pontedeldiavolo import batch

GAMES = 256


def results_of(
    is_over: npt.NDArray[np.bool_], rewards: npt.NDArray[np.int8], seats: npt.NDArray[np.int8]
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.bool_]]:
    """Return the result of each step for its seat, and whether its game has ended.

    The arguments have the shape (steps, games), and *rewards* has (steps, games, 2).
    """
    results = np.zeros_like(seats)
    known = np.zeros_like(is_over)
    reward = np.zeros_like(rewards[0])
    ended = np.zeros_like(is_over[0])
    for step in range(len(is_over))[::-1]:
        reward = np.where(is_over[step, :, np.newaxis], rewards[step], reward)
        ended = ended | is_over[step]
        results[step] = reward[np.arange(len(ended)), seats[step]]
        known[step] = ended
    return results, known


def main(steps: int, path: Path) -> None:
    """Play steps in all games, and write the rows of the games that have ended."""
    pool = batch.GamePool(pdd.Rules(pdd.Board(6, 6)), GAMES, seed=1, planes=True)
    planes, masks, actions, seats, is_over, rewards = zip(
        *(play_step(pool) for _ in range(steps)), strict=True
    )
    results, known = results_of(np.stack(is_over), np.stack(rewards), np.stack(seats))
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


def play_step(pool: batch.GamePool) -> tuple[npt.NDArray[np.generic], ...]:
    """Play a step in all games, and return its arrays."""
    before = (
        pool.planes.copy(),
        np.packbits(pool.legal_mask, axis=1, bitorder="little"),
        pool.sample_steps(),  # a network would give weights
        pool.seat_to_move.copy(),
    )
    pool.step(before[2])
    return *before, pool.is_over.copy(), pool.rewards.copy()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("steps", nargs="?", type=int, default=100)
    parser.add_argument("file", nargs="?", type=Path, default=Path("rows.npz"))
    options = parser.parse_args()
    main(options.steps, options.file)
