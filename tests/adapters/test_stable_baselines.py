"""What Stable-Baselines3 makes of the environments for Gymnasium, by rules of its own."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pontedeldiavolo as pdd
from support.environments import NAMES, RULES, code_of

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: nox -s adapters")

from gymnasium import spaces
from gymnasium.wrappers import OrderEnforcing

from pontedeldiavolo.adapters.gymnasium import PonteEnv, PonteVectorEnv


def is_image_space(space: spaces.Space) -> bool:
    """Tell whether Stable-Baselines3 takes a space for images, which it transposes and divides.

    Its ``is_image_space`` asks for three dimensions of uint8 with all bounds 0 and 255, its
    ``maybe_transpose`` for nothing else.
    """
    return (
        isinstance(space, spaces.Box)
        and len(space.shape) == 3
        and space.dtype == np.uint8
        and bool((space.low == 0).all() and (space.high == 255).all())
    )


def test_what_an_image_is() -> None:
    assert is_image_space(spaces.Box(0, 255, (27, 10, 10), np.uint8))
    assert not is_image_space(spaces.Box(0, 255, (27, 10, 10), np.float32))


@pytest.mark.parametrize("rules", [*RULES, pdd.Rules(pdd.Board(2, 2), 300, 2**53 - 1)])
def test_observations_are_no_images(rules: pdd.Rules) -> None:
    one, many = PonteEnv(rules), PonteVectorEnv(2, rules)
    for space in (one.observation_space, many.single_observation_space):
        assert not any(map(is_image_space, space.values()))
        planes = space["observation"]
        assert (planes.shape, planes.dtype) == (
            (len(pdd.batch.PLANES), rules.board.height, rules.board.width),
            np.uint8,
        )
        # Gymnasium warns of spaces with a single value.
        assert (planes.low < planes.high).all()


def test_bounds_are_reached_but_by_supplies_without_limit() -> None:
    rules = pdd.Rules(pdd.Board(4, 4), 20, 300)
    space = PonteEnv(rules).observation_space["observation"]
    assert space.high.max(axis=(1, 2)).tolist() == [1] * 24 + [20, 20, 255]
    assert space.contains(pdd.batch.planes(pdd.GameState.initial(rules)))
    unlimited = PonteEnv(pdd.Rules(pdd.Board(4, 4))).observation_space["observation"]
    assert (unlimited.high == 1).all()


@pytest.mark.parametrize("rules", RULES[1:], ids=NAMES[1:])
def test_masks_are_returned_by_a_method(rules: pdd.Rules) -> None:
    environment = OrderEnforcing(PonteEnv(rules))
    # As sb3-contrib asks for it, through any wrappers.
    masks = environment.get_wrapper_attr("action_masks")
    seen, _ = environment.reset(seed=1)
    rng, over = Random(1), False
    while not over:
        assert masks().dtype == np.bool_
        assert masks().tolist() == seen["action_mask"].astype(bool).tolist()
        code = code_of(environment.unwrapped.node, rng)
        assert masks()[code]
        seen, _, over, *_ = environment.step(code)
    assert not masks().any()


def test_masks_of_many_games() -> None:
    environments = PonteVectorEnv(3, pdd.Rules(pdd.Board(4, 4)))
    environments.reset(seed=1)
    before = environments.action_masks()
    kept = before.copy()
    seen, *_ = environments.step(environments.sample())
    assert environments.action_masks().dtype == np.bool_
    assert np.array_equal(environments.action_masks(), seen["action_mask"] == 1)
    assert np.array_equal(before, kept)
