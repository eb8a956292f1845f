"""The contract that environments of PettingZoo and of Gymnasium share."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import planes
from support.checks import wrong_type
from support.environments import code_of, end

WHY: Any = {"reason": "not installed: nox -s adapters", "exc_type": ImportError}
gymnasium: Any = pytest.importorskip("pontedeldiavolo.adapters.gymnasium", **WHY)
pettingzoo: Any = pytest.importorskip("pontedeldiavolo.adapters.pettingzoo", **WHY)
check_env = pytest.importorskip("gymnasium.utils.env_checker").check_env
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # PettingZoo's own tests import deprecated names of PettingZoo
    api_test = pytest.importorskip("pettingzoo.test").api_test

Make = Callable[..., Any]
SMALL = pdd.Rules(pdd.Board(5, 5))
env = pettingzoo.env
raw_env = pettingzoo.raw_env
PonteEnv = gymnasium.PonteEnv
PonteVectorEnv = gymnasium.PonteVectorEnv


def raw(rules: pdd.Rules, on_illegal: str = "raise", **options: Any) -> Any:
    """Return the environment in the form that does not continue after an illegal action."""
    assert on_illegal == "raise"
    return raw_env(rules, **options)


MAKERS = {"pettingzoo": env, "raw pettingzoo": raw, "gymnasium": PonteEnv}
RAISING = [pytest.param(make, "raise", id=name) for name, make in MAKERS.items()]
BOTH = [*RAISING, *(pytest.param(make, "lose") for make in (env, PonteEnv))]


def play_out(environment: Any, seed: int) -> pdd.Node:
    """Play random legal steps to the end; return the final state."""
    rng = Random(seed)
    while not environment.unwrapped.node.is_over:
        environment.step(code_of(environment.unwrapped.node, rng))
    node: pdd.Node = environment.unwrapped.node
    return node


@pytest.mark.parametrize("kept", [copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))])
@pytest.mark.parametrize(("make", "on_illegal"), BOTH)
def test_environments_are_copied_during_a_game(make: Make, on_illegal: str, kept: Make) -> None:
    environment = make(SMALL, on_illegal=on_illegal)
    environment.reset(seed=1)
    rng = Random(1)
    for _ in range(3):
        environment.step(code_of(environment.unwrapped.node, rng))
    other = kept(environment)
    before = environment.unwrapped.node
    assert other.unwrapped.node == before
    ended = play_out(other, 2)
    assert environment.unwrapped.node is before
    assert play_out(environment, 2) == ended


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_the_end_is_rendered(make: Make) -> None:
    environment = make(pdd.Rules(pdd.Board(3, 3)), render_mode="ansi")
    environment.reset(seed=1)
    without = str.maketrans("", "", "[]\n ")
    expected = pdd.text.render(play_out(environment, 1))
    assert environment.render().translate(without) == expected.translate(without)


@pytest.mark.parametrize(("make", "on_illegal"), RAISING)
def test_an_illegal_action_is_an_error_that_changes_nothing(make: Make, on_illegal: str) -> None:
    environment = make(SMALL, on_illegal=on_illegal)
    environment.reset(seed=1)
    environment.step(np.int64(0))
    before = environment.unwrapped.node
    for action, error in ((0, pdd.IllegalActionError), (124, pdd.PonteError), (-1, pdd.PonteError)):
        with pytest.raises(error):
            environment.step(action)
    assert environment.unwrapped.node is before
    environment.step(np.array(3))
    play_out(environment, 1)


@pytest.mark.parametrize(("make", "on_illegal"), [*RAISING, (PonteEnv, "lose")])
def test_actions_are_whole_numbers(make: Make, on_illegal: str) -> None:
    environment = make(SMALL, on_illegal=on_illegal)
    environment.reset(seed=1)
    before = environment.unwrapped.node
    for wrong in ("a1", None, 0.0, True, [0]):
        with wrong_type("action"):
            environment.step(wrong)
    assert environment.unwrapped.node is before


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("mask", ["observation", "info"])
@pytest.mark.parametrize("form", ["planes", "flat"])
def test_forms_of_observations(form: str, mask: str) -> None:
    options: Any = {"observation": form, "dtype": np.float32, "mask": mask}
    one = PonteEnv(SMALL, **options)
    two = raw_env(SMALL, agents=("ada_0", "bo_1"), **options)
    check_env(one)
    api_test(two)
    two.reset()
    expected = planes(two.node, pdd.Color.WHITE)
    of_two = (two.observe("ada_0"), two.observation_space("ada_0"))
    for seen, space in ((one.reset(seed=1)[0], one.observation_space), of_two):
        array = seen["observation"] if mask == "observation" else seen
        assert space.contains(seen)
        assert array.dtype == np.float32
        assert np.array_equal(array, expected.ravel() if form == "flat" else expected)
    assert [*two.infos] == two.agents == ["ada_0", "bo_1"]


@pytest.mark.parametrize(("make", "first"), [(raw_env, ()), (PonteVectorEnv, (2,))])
def test_nothing_is_rendered_without_a_mode(make: Make, first: tuple[int, ...]) -> None:
    with pytest.warns(UserWarning, match="draws nothing"):
        assert make(*first, SMALL).render() is None


@pytest.mark.parametrize(
    ("make", "arguments", "said"),
    [
        (env, {"on_illegal": "skip"}, "on_illegal must be 'raise' or 'lose', not 'skip'"),
        (env, {"max_cycles": 0}, "max_cycles must be 1 or more, not 0"),
        (env, {"render_mode": "svg"}, "render_mode must be 'human' or 'rgb_array' or 'ansi'"),
        (env, {"render_mode": "rgb_array", "render_size": 0}, "a size of 1 to"),
        (PonteEnv, {"on_illegal": "skip"}, "on_illegal must be 'raise' or 'lose'"),
        (PonteEnv, {"observation": "x"}, "observation must be 'planes' or 'flat'"),
        (PonteEnv, {"mask": "x"}, "mask must be 'observation' or 'info'"),
        (PonteEnv, {"dtype": "int8"}, "dtype must be 'uint8' or .* or 'float64', not 'int8'"),
        (env, {"agents": ("a", "a")}, "agents must be two different names, not a, a"),
        (PonteVectorEnv, {"num_envs": 0}, "num_envs must be 1 or more, not 0"),
        (PonteVectorEnv, {"autoreset_mode": "x"}, "'NextStep' or 'SameStep' or 'Disabled'"),
        (PonteVectorEnv, {"render_mode": "human"}, "must be 'ansi' or 'rgb_array', not 'human'"),
    ],
)
def test_arguments_out_of_range(make: Make, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(pdd.PonteError, match=said):
        make(**arguments)


@pytest.mark.parametrize(
    ("make", "names"),
    [
        (env, ["rules", "on_illegal", "max_cycles", "render_mode", "render_size"]),
        (PonteEnv, ["rules", "opponent", "seat"]),
        (PonteVectorEnv, ["num_envs", "rules", "autoreset_mode", "copy", "threads"]),
    ],
)
def test_arguments_of_wrong_types_are_refused(make: Make, names: list[str]) -> None:
    for name in names:
        with wrong_type(name):
            make(**{name: b"1"})


@pytest.mark.parametrize("make", [raw_env, PonteEnv])
def test_starts_that_are_refused(make: Make) -> None:
    environment = make(SMALL)
    environment.reset(seed=1)
    environment.step(0)
    before = environment.node
    with wrong_type("start"):
        environment.reset(options={"start": "5x5"})
    for start, said in ((pdd.GameState.initial(), "other rules"), (end(SMALL), "start is over")):
        with pytest.raises(pdd.PonteError, match=said):
            environment.reset(options={"start": start})
    if make is raw_env:
        assert environment.node is before
