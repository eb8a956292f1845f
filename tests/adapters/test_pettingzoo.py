"""The environment of PettingZoo: PettingZoo's own checks, and comparisons with the core."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import planes
from support.checks import wrong_type
from support.environments import NAMES, RULES, code_of, middle, require_mask, require_seen

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: nox -s adapters")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's own tests import deprecated names of PettingZoo
    from pettingzoo.test import api_test, render_test, seed_test

from pontedeldiavolo.adapters.pettingzoo import env, raw_env

pytestmark = [
    # PettingZoo gives these warnings for all environments with masks in their observations, and
    # for agents without a number in their names.
    pytest.mark.filterwarnings(f"ignore:{message}:UserWarning")
    for message in (
        "Observation is not a NumPy array",
        "Observation space for each agent probably",
        "We recommend agents to be named",
        "Action mask numpy array is all zeros",
        "Observation numpy array is all zeros",
    )
]
SMALL = pdd.Rules(pdd.Board(5, 5))


def play(environment: Any, rng: Random) -> Iterator[str]:
    """Play a random legal action for each agent in turn, to the end."""
    for agent in environment.agent_iter():
        yield agent
        over = environment.terminations[agent] or environment.truncations[agent]
        environment.step(None if over else code_of(environment.unwrapped.node, rng))


@pytest.mark.parametrize("on_illegal", ["raise", "lose"])
@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_api(rules: pdd.Rules, on_illegal: Any) -> None:
    api_test(env(rules, on_illegal=on_illegal), num_cycles=60)
    api_test(raw_env(rules), num_cycles=60)


@pytest.mark.slow
@pytest.mark.parametrize("side", [10, 26])
def test_api_on_large_boards(side: int) -> None:
    api_test(env(pdd.Rules(pdd.Board(side, side))), num_cycles=1000)


def test_seeds() -> None:
    seed_test(partial(env, SMALL), num_cycles=100)
    seed_test(partial(env, SMALL, on_illegal="lose"), num_cycles=100)


def test_rendering(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("PIL")
    render_test(partial(env, SMALL, render_size=60))
    assert "5  ·" in capsys.readouterr().out


@pytest.mark.parametrize("rules", RULES, ids=NAMES)
@given(seed=st.integers(0, 10**6))
def test_both_seats_see_every_moment(rules: pdd.Rules, seed: int) -> None:
    environment: Any = raw_env(rules)
    environment.reset()
    rng = Random(seed)
    for agent in play(environment, rng):
        node = environment.node
        if not node.is_over:
            assert node.seat_to_move is pdd.Seat(agent)
        assert np.array_equal(environment.state(), planes(node))
        for seat in pdd.Seat:
            require_seen(environment.observe(seat.value), node, seat)
            assert environment.observation_space(agent).contains(environment.observe(seat.value))
            if seat.value in environment.infos:
                require_mask(environment.infos[seat.value]["action_mask"], node, seat)
        if environment.terminations[agent]:
            outcome = node.outcome
            assert outcome is not None
            _, reward, *_ = environment.last()
            assert reward == outcome.value(pdd.Seat(agent))
        else:
            assert environment._cumulative_rewards == dict.fromkeys(environment.agents, 0)
    assert environment.node.is_over
    assert environment.agents == []


def test_the_last_action_is_marked() -> None:
    environment = raw_env(SMALL, render_mode="ansi")
    environment.step(0)
    assert environment.render() == pdd.text.render(environment.node) + "\n"
    environment.step(1)
    last = pdd.parse_action("a1,b1")
    assert environment.render() == pdd.text.render(environment.node, last=last) + "\n"


def test_pixels_have_the_size_that_is_wanted() -> None:
    pytest.importorskip("PIL")
    picture: Any = raw_env(pdd.Rules(pdd.Board(4, 2)), render_mode="rgb_array", render_size=90)
    pixels = picture.render()
    assert pixels.dtype == np.uint8
    assert pixels.shape[1:] == (90, 3)
    assert pixels.shape[0] < 90
    assert len(np.unique(pixels)) > 5


def test_games_are_truncated() -> None:
    environment: Any = env(SMALL, max_cycles=2)
    environment.reset()
    agents = [*play(environment, Random(1))]
    assert agents[:2] == ["first", "first"]
    assert len(agents) == 4 + 2
    assert not environment.unwrapped.node.is_over
    environment.reset()
    assert environment.truncations == {"first": False, "second": False}


def test_a_game_that_ends_in_its_last_cycle_is_not_truncated() -> None:
    environment = raw_env(pdd.Rules(pdd.Board(1, 1)), max_cycles=2)
    steps = [*play(environment, Random(1))]
    assert len(steps) == 3 + 2
    assert environment.node.is_over


@pytest.mark.parametrize("steps", [0, 1, 2, 3, 8, 9])
def test_games_begin_anywhere(steps: int) -> None:
    start = middle(SMALL, steps)
    environment: Any = env(SMALL)
    environment.reset(options={"start": start, "other": 1})
    assert environment.unwrapped.node == start
    for seat in pdd.Seat:
        require_seen(environment.observe(seat.value), start, seat)
    for _ in play(environment, Random(1)):
        pass
    environment.reset()
    assert environment.unwrapped.node == pdd.GameState.initial(SMALL)


def test_a_reset_at_the_end_of_a_game() -> None:
    environment = raw_env(pdd.Rules(pdd.Board(2, 2)))
    for agent in play(environment, Random(1)):
        if environment.terminations[agent] and len(environment.agents) == 1:
            break
    environment.reset()
    assert environment.agents == ["first", "second"]
    assert [*play(environment, Random(1))][-2:] in (["first", "second"], ["second", "first"])


def test_closing_twice() -> None:
    environment: Any = env(SMALL)
    environment.reset()
    environment.close()
    environment.close()


def test_a_person_without_a_seat_watches(capsys: pytest.CaptureFixture[str]) -> None:
    environment = raw_env(pdd.Rules(pdd.Board(2, 1)), render_mode="human")
    assert capsys.readouterr().out == ""
    environment.reset()
    environment.step(0)
    shown = capsys.readouterr().out
    assert shown.count("a   b") == 2
    assert environment.render() is None
    assert shown.endswith(capsys.readouterr().out)


def test_an_illegal_action_loses_if_that_is_wanted() -> None:
    environment: Any = env(SMALL, on_illegal="lose")
    environment.reset()
    environment.step(0)
    environment.step(0)
    assert environment.terminations == {"first": True, "second": True}
    assert environment._cumulative_rewards == {"first": -1, "second": 0}
    environment.step(None)
    environment.step(None)
    assert environment.agents == []
    environment.reset()
    with pytest.raises(AssertionError, match="not in action space"):
        environment.step(124)


def test_agents_whose_game_is_over_do_nothing() -> None:
    environment = raw_env(pdd.Rules(pdd.Board(1, 1)))
    while not environment.node.is_over:
        environment.step(code_of(environment.node, Random(1)))
    with pytest.raises(ValueError, match="only valid action is None"):
        environment.step(0)
    environment.step(None)
    environment.step(None)
    with pytest.raises(pdd.PonteError, match="the game is over"):
        environment.step(None)


def test_calls_in_a_wrong_order() -> None:
    environment: Any = env(SMALL)
    with pytest.raises(AttributeError, match="cannot be accessed before reset"):
        _ = environment.agents


def test_resets_that_are_refused() -> None:
    environment = raw_env(SMALL)
    assert environment.rules is SMALL
    environment.step(0)
    before = environment.node
    no_options: Any = []
    with wrong_type("options"):
        environment.reset(options=no_options)
    assert environment.node is before
    with pytest.raises(pdd.PonteError, match="agents are first and second, not third"):
        environment.observe("third")
