"""One seat against a player in Gymnasium, by its own checks and beside the core."""

from __future__ import annotations

import importlib
import re
import sys
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.players import GreedyPlayer, RandomPlayer
from support.environments import NAMES, RULES, code_of, end, middle, require_mask, require_seen
from support.paths import example

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: nox -s adapters")

import gymnasium
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import OrderEnforcing

from pontedeldiavolo.adapters.gymnasium import PonteEnv, PonteVectorEnv

NAME = "pontedeldiavolo.adapters.gymnasium:PonteDelDiavolo-v0"
SMALL = pdd.Rules(pdd.Board(5, 5))
SEATS = [*pdd.Seat, None]


def play(environment: Any, rng: Random) -> tuple[Any, ...]:
    """Play any legal actions to the end; return what the last one brought."""
    while True:
        found: tuple[Any, ...] = environment.step(code_of(environment.unwrapped.node, rng))
        if found[2]:
            return found


# Gymnasium's own check


@pytest.mark.filterwarnings("ignore:.*alternative render modes:UserWarning")
@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_check(rules: pdd.Rules, seat: pdd.Seat | None) -> None:
    check_env(PonteEnv(rules, seat=seat))
    check_env(PonteEnv(rules, opponent=GreedyPlayer(), seat=seat))


def test_check_of_what_is_registered(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL")
    for mode in ("ansi", "rgb_array", "human"):
        check_env(gymnasium.make(NAME, rules=SMALL, render_mode=mode, render_size=60).unwrapped)
    assert "5  ·" in capsys.readouterr().out


@pytest.mark.filterwarnings("error")
def test_it_is_registered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pontedeldiavolo.adapters.gymnasium")
    importlib.import_module("pontedeldiavolo.adapters.gymnasium")
    assert gymnasium.spec("PonteDelDiavolo-v0").name == "PonteDelDiavolo"


@pytest.mark.parametrize("seat", SEATS)
@pytest.mark.parametrize("rules", RULES, ids=NAMES)
@given(seed=st.integers(0, 10**6))
def test_the_seat_sees_every_moment(rules: pdd.Rules, seat: pdd.Seat | None, seed: int) -> None:
    environment: Any = PonteEnv(rules, seat=seat)
    rng = Random(seed)
    seen, info = environment.reset(seed=seed)
    assert seat in (None, environment.seat)
    over, reward = False, 0.0
    while not over:
        node = environment.node
        assert node.seat_to_move is environment.seat
        require_seen(seen, node, environment.seat)
        require_mask(info["action_mask"], node, environment.seat)
        seen, reward, over, truncated, info = environment.step(np.int32(code_of(node, rng)))
        assert truncated is False
        assert type(reward) is float
        assert over or reward == 0
    require_seen(seen, environment.node, environment.seat)
    outcome = environment.node.outcome
    assert reward == outcome.value(environment.seat)
    assert [*info] == ["action_mask"]


def test_the_opponent_plays_the_other_seat() -> None:
    rules = pdd.Rules(pdd.Board(6, 6))
    results = []
    for opponent in (GreedyPlayer(), RandomPlayer()):
        environment = PonteEnv(rules, opponent=opponent, seat=None)
        results.append(0.0)
        for seed in range(12):
            environment.reset(seed=seed)
            results[-1] += play(environment, Random(seed))[1]
    assert results[0] < results[1] - 6


def test_equal_seeds_make_equal_games() -> None:
    environments = [PonteEnv(SMALL, seat=None) for _ in range(2)]
    ends = []
    for seed in (3, None, None, 3, None, 4):
        for environment in environments:
            environment.reset(seed=seed)
            play(environment, Random(1))
            ends.append((environment.node, environment.seat))
    assert ends[::2] == ends[1::2]
    assert ends[0] == ends[6]
    assert len({*ends}) > 3
    seats = set()
    for seed in range(20):
        environments[0].reset(seed=seed)
        seats.add(environments[0].seat)
    assert seats == {*pdd.Seat}


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 8])
def test_games_begin_anywhere(steps: int) -> None:
    start = middle(SMALL, steps)
    assert start.seat_to_move is not None
    environment: Any = PonteEnv(SMALL, seat=start.seat_to_move)
    seen, _ = environment.reset(options={"start": start, "other": 1})
    assert environment.node == start
    require_seen(seen, start, start.seat_to_move)
    play(environment, Random(1))
    environment.reset()
    assert environment.node.turn == (0 if start.seat_to_move is pdd.Seat.FIRST else 1)


@pytest.mark.parametrize("code", [1, 124, -1, 10**9])
def test_an_illegal_action_loses(code: int) -> None:
    environment: Any = PonteEnv(SMALL)
    environment.reset(seed=1)
    environment.step(1)
    seen, reward, terminated, truncated, info = environment.step(code)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    require_seen(seen, environment.node, pdd.Seat.FIRST)
    with pytest.raises(pdd.PonteError) as caught:
        environment.node.step(pdd.StepSpace(pdd.Board(5, 5)).decode(code))
    assert info["illegal"] == str(caught.value)
    with pytest.raises(ResetNeeded):
        environment.step(2)
    _, info = environment.reset()
    assert [*info] == ["action_mask"]


def test_nothing_is_played_before_a_reset_or_after_an_end() -> None:
    environment = PonteEnv(SMALL)
    with pytest.raises(ResetNeeded, match=r"reset\(\) begins one"):
        environment.step(0)
    environment.reset(seed=1)
    play(environment, Random(1))
    with pytest.raises(ResetNeeded):
        environment.step(0)


class Cheat:
    """A player who chooses what is illegal, once the colours are chosen."""

    name = "cheat"

    def choose(self, state: pdd.GameState) -> pdd.Action:
        chosen = state.phase is pdd.Phase.COLOR_CHOICE
        return pdd.ChooseColor(pdd.Color.RED) if chosen else pdd.Pass()

    def for_game(self, _seed: int) -> Cheat:
        return self


def test_an_opponent_who_cheats() -> None:
    environment = PonteEnv(SMALL, opponent=Cheat())
    environment.reset(seed=1)
    environment.step(0)
    with pytest.raises(pdd.IllegalActionError):
        environment.step(6)
    with pytest.raises(ResetNeeded):
        environment.step(7)


ONE_CELL = pdd.Rules(pdd.Board(1, 1))
LAST_TURN = pdd.GameState.initial(ONE_CELL).apply(pdd.Pass()).apply(pdd.ChooseColor(pdd.Color.RED))


@pytest.mark.parametrize(
    ("rules", "seat", "start", "code"),
    [
        (SMALL, pdd.Seat.SECOND, middle(SMALL, 1), "start-of-opponent"),
        (ONE_CELL, pdd.Seat.FIRST, LAST_TURN, "over-before-turn"),
        (SMALL, pdd.Seat.FIRST, end(SMALL), "start-over"),
    ],
)
def test_starts_that_are_refused(
    rules: pdd.Rules, seat: pdd.Seat, start: pdd.Node, code: str
) -> None:
    environment = PonteEnv(rules, seat=seat)
    with pytest.raises(pdd.PonteError) as caught:
        environment.reset(options={"start": start})
    assert caught.value.code == code
    with pytest.raises(ResetNeeded):
        environment.step(0)


# What Stable-Baselines3 makes of the environments, by rules of its own


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


def test_the_script_for_maskable_ppo(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Model:
        """Takes the first legal step; the real one needs PyTorch."""

        def __init__(self, policy: str, env: PonteEnv, **_: int) -> None:
            assert (policy, env.observation_space.shape) == ("MlpPolicy", (27 * 36,))

        def learn(self, steps: int) -> None:
            assert steps == 7

        def predict(self, seen: Any, action_masks: Any, *, deterministic: bool) -> tuple[Any, None]:
            assert deterministic
            assert seen.shape == (27 * 36,)
            return action_masks.argmax(), None

    monkeypatch.setitem(sys.modules, "sb3_contrib", SimpleNamespace(MaskablePPO=Model))
    example("maskable_ppo")["main"](7)
    assert re.match(r"7 steps in 0 s: \d+\.\d% of 200 games\n", capsys.readouterr().out)
