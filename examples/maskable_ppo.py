"""Train MaskablePPO of sb3-contrib against random play on 6x6, and measure it.

In a clone, ``uv run examples/maskable_ppo.py [STEPS]`` installs PyTorch and sb3-contrib by itself.
With pip: ``pip install '.[gymnasium]' sb3-contrib``, then ``python examples/maskable_ppo.py``.
PyTorch is large, so the tests run this script without it, with a model that learns nothing.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["pontedeldiavolo[gymnasium]", "sb3-contrib>=2.4"]
#
# [tool.uv.sources]
# pontedeldiavolo = { path = ".." }
# ///

from __future__ import annotations

import sys
import time

import numpy as np
from sb3_contrib import MaskablePPO

import pontedeldiavolo as pdd

RULES = pdd.Rules(pdd.Board(6, 6))
STEPS = 100_000
GAMES = 200
SEED = 1


def environment() -> pdd.adapters.gymnasium.PonteEnv:
    """Return an environment for a multi-layer perceptron, with masks apart from observations."""
    return pdd.adapters.gymnasium.PonteEnv(
        RULES, seat=None, observation="flat", dtype=np.float32, mask="info"
    )


def score(model: MaskablePPO, games: int) -> float:
    """Return the share of points in games against random play; a draw is half a point."""
    env = environment()
    points = 0.0
    for seed in range(games):
        seen, _ = env.reset(seed=seed)
        over = False
        reward = 0.0
        while not over:
            action, _ = model.predict(seen, action_masks=env.action_masks(), deterministic=True)
            seen, reward, over, _, _ = env.step(int(action))
        points += (reward + 1) / 2
    return points / games


def main(steps: int = STEPS) -> None:
    """Train, and print the score."""
    started = time.monotonic()
    model = MaskablePPO("MlpPolicy", environment(), seed=SEED, n_steps=2048, batch_size=256)
    model.learn(steps)
    seconds = time.monotonic() - started
    print(f"{steps} steps in {seconds:.0f} s: {score(model, GAMES):.1%} of {GAMES} games")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
