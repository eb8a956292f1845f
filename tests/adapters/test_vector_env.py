"""Many games at once in Gymnasium, beside the same games of the core."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import planes
from support.checks import wrong_type
from support.environments import NAMES, RULES, code_of

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: nox -s adapters")

import gymnasium
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from pontedeldiavolo.adapters.gymnasium import PonteVectorEnv

NAME = "pontedeldiavolo.adapters.gymnasium:PonteDelDiavolo-v0"
SMALL = pdd.Rules(pdd.Board(4, 3))
SIZE = 5


class Beside:
    """The same games of the core, which restart as a mode says."""

    def __init__(self, rules: pdd.Rules, size: int, mode: AutoresetMode) -> None:
        self.start = pdd.GameState.initial(rules)
        self.mode = mode
        self.nodes: list[pdd.Node] = [self.start] * size
        self.seats = [-1] * size
        self.ends: list[pdd.Node | None] = [None] * size

    def step(self, codes: list[int]) -> None:
        space = pdd.StepSpace(self.start.rules.board)
        self.ends = [None] * len(self.nodes)
        self.seats = [seat_index(node) for node in self.nodes]
        for row, (node, code) in enumerate(zip(self.nodes, codes, strict=True)):
            if node.is_over:
                self.nodes[row] = self.start
                continue
            after: pdd.Node = node.step(space.decode(code))
            self.ends[row] = after if after.is_over else None
            fresh = after.is_over and self.mode is AutoresetMode.SAME_STEP
            self.nodes[row] = self.start if fresh else after

    def require(self, seen: Any, infos: Any) -> None:
        space = pdd.StepSpace(self.start.rules.board)
        for row, node in enumerate(self.nodes):
            assert np.array_equal(seen["observation"][row], planes(node))
            assert seen["action_mask"][row].tobytes() == space.mask(node)
        assert infos["action_mask"] is seen["action_mask"]
        for name in ("action_mask", "seat", "seat_to_move", "rewards"):
            assert infos[f"_{name}"].tolist() == [True] * len(self.nodes)
        assert infos["seat"].tolist() == self.seats
        assert infos["seat_to_move"].tolist() == [seat_index(node) for node in self.nodes]
        assert infos["rewards"].tolist() == [
            [0, 0] if end is None else [value_of(end, seat) for seat in pdd.Seat]
            for end in self.ends
        ]

    def require_step(self, found: tuple[Any, ...]) -> None:
        seen, rewards, terminated, truncated, infos = found
        self.require(seen, infos)
        assert terminated.tolist() == [end is not None for end in self.ends]
        assert not truncated.any()
        assert rewards.dtype == np.float64
        assert rewards.tolist() == [
            0.0 if end is None else value_of(end, (*pdd.Seat,)[seat])
            for end, seat in zip(self.ends, self.seats, strict=True)
        ]
        if self.mode is not AutoresetMode.SAME_STEP or not terminated.any():
            assert "final_obs" not in infos
            return
        assert infos["_final_obs"].tolist() == terminated.tolist()
        for end, last in zip(self.ends, infos["final_obs"], strict=True):
            if end is None:
                assert last is None
            else:
                assert np.array_equal(last["observation"], planes(end, pdd.Color.WHITE))
                assert last["action_mask"].dtype == np.int8
                assert not last["action_mask"].any()


def seat_index(node: pdd.Node) -> int:
    return -1 if node.seat_to_move is None else node.seat_to_move.index


def value_of(node: pdd.Node, seat: pdd.Seat) -> int:
    assert node.outcome is not None
    return node.outcome.value(seat)


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_every_step_of_every_game(
    rules: pdd.Rules,
    mode: AutoresetMode,
    copied: bool,  # noqa: FBT001  # one of two parameters
) -> None:
    environment = PonteVectorEnv(SIZE, rules, autoreset_mode=mode, copy=copied)
    assert environment.metadata["autoreset_mode"] is mode
    beside, rng = Beside(rules, SIZE, mode), Random(1)
    beside.require(*environment.reset(seed=1))
    ended = 0
    for _ in range(120):
        codes = [code_of(node, rng) if not node.is_over else -7 for node in beside.nodes]
        found = environment.step(codes)
        beside.step(codes)
        beside.require_step(found)
        assert environment.observation_space.contains(found[0])
        ended += sum(end is not None for end in beside.ends)
    assert ended > SIZE


def test_finished_games_are_reset_by_mask() -> None:
    environment = PonteVectorEnv(SIZE, SMALL, autoreset_mode="Disabled")
    beside, rng = Beside(SMALL, SIZE, AutoresetMode.DISABLED), Random(1)
    environment.reset(seed=1)
    begun = 0
    while begun < SIZE:
        over = np.array([node.is_over for node in beside.nodes])
        if over.any():
            with pytest.raises(ResetNeeded, match=r"games are over: \["):
                environment.step(environment.sample())
            seen, infos = environment.reset(options={"reset_mask": over, "other": 1})
            for row in np.flatnonzero(over):
                beside.nodes[row] = beside.start
                begun += 1
            beside.seats, beside.ends = [-1] * SIZE, [None] * SIZE
            assert infos["seat_to_move"].tolist() == [seat_index(node) for node in beside.nodes]
            assert seen["action_mask"].any(axis=1).all()
        codes = [code_of(node, rng) for node in beside.nodes]
        found = environment.step(codes)
        beside.step(codes)
        beside.require_step(found)


def test_only_copied_observations_are_kept() -> None:
    for copied in (True, False):
        environment = PonteVectorEnv(3, SMALL, copy=copied)
        first, _ = environment.reset(seed=1)
        kept = {name: array.copy() for name, array in first.items()}
        second, *_ = environment.step(environment.sample())
        for name, array in first.items():
            assert np.array_equal(array, kept[name]) is copied
            assert np.shares_memory(array, second[name]) is not copied
        third, _ = environment.reset()
        for name, array in second.items():
            assert np.array_equal(array, third[name]) is not copied
            assert np.shares_memory(array, third[name]) is not copied


def test_equal_seeds_make_equal_draws() -> None:
    draws = []
    for seed in (7, 7, 8):
        environment = PonteVectorEnv(64, SMALL)
        environment.reset(seed=seed)
        for _ in range(30):
            environment.step(environment.sample())
        environment.reset(seed=seed)
        draws.append(environment.sample().tolist())
        environment.step(draws[-1])
        draws[-1] += environment.sample().tolist()
    assert draws[0] == draws[1] != draws[2]


def test_draws_go_by_weights() -> None:
    environment = PonteVectorEnv(64, SMALL)
    weights = np.zeros((64, len(environment.pool.space)))
    weights[:, 3] = 1
    assert environment.sample(weights).tolist() == [3] * 64


def test_a_reset_in_the_midst_of_games() -> None:
    for mode in AutoresetMode:
        environment = PonteVectorEnv(SIZE, SMALL, autoreset_mode=mode)
        start, _ = environment.reset(seed=1)
        for _ in range(5):
            environment.step(environment.sample())
        mask = np.array([True, False, True, False, False])
        seen, _ = environment.reset(seed=2, options={"reset_mask": mask})
        same = (seen["observation"] == start["observation"]).all(axis=(1, 2, 3))
        assert same.tolist() == mask.tolist()
        seen, _ = environment.reset()
        assert np.array_equal(seen["observation"], start["observation"])


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_wrappers_of_gymnasium(mode: AutoresetMode) -> None:
    environment = gymnasium.make_vec(
        NAME,
        num_envs=SIZE,
        vectorization_mode="vector_entry_point",
        rules=SMALL,
        autoreset_mode=mode,
    )
    counted, listed = RecordEpisodeStatistics(environment), DictInfoToList(environment)
    counted.reset(seed=1)
    lengths: list[int] = []
    for _ in range(60):
        *_, infos = counted.step(environment.unwrapped.sample())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert len(lengths) > SIZE
    assert all(0 < length <= SMALL.most_steps for length in lengths)
    listed.reset(seed=1)
    *_, infos = listed.step([0] * SIZE)
    assert [info["seat"] for info in infos] == [0] * SIZE
    assert {*infos[0]} == {"action_mask", "seat", "seat_to_move", "rewards"}


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_every_game_is_rendered(mode: Any) -> None:
    pytest.importorskip("PIL")
    environment = PonteVectorEnv(3, SMALL, render_mode=mode, render_size=40)
    environment.reset(seed=1)
    environment.step([0, 1, 2])
    pictures: Any = environment.render()
    assert len(pictures) == 3
    if mode == "ansi":
        states = environment.pool.games.states()
        assert list(pictures) == [f"{pdd.text.render(state)}\n" for state in states]
    else:
        assert {picture.shape for picture in pictures} == {pictures[0].shape}
        assert not np.array_equal(pictures[0], pictures[1])


@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_illegal_action_changes_nothing(mode: AutoresetMode) -> None:
    environment = PonteVectorEnv(3, SMALL, autoreset_mode=mode)
    environment.reset(seed=1)
    environment.step([0, 1, 2])
    before = environment.pool.games.states()
    with pytest.raises(pdd.IllegalActionError) as caught:
        environment.step([1, 1, 3])
    assert caught.value.row == 1
    with pytest.raises(pdd.batch.RowError):
        environment.step([1, 2, 1000])
    with pytest.raises(pdd.PonteError, match="shape"):
        environment.step([1, 2])
    with wrong_type("codes"):
        environment.step([0.5, 1.0, 2.0])
    assert environment.pool.games.states() == before
    environment.step([1, 2, 3])


def test_masks_that_are_refused() -> None:
    environment = PonteVectorEnv(2, SMALL)
    environment.reset(seed=1)
    environment.step([0, 1])
    drawn = copy.deepcopy(environment.np_random).integers(10**9)
    with wrong_type("options"):
        environment.reset(options=[])  # type: ignore[arg-type]
    with wrong_type("reset_mask"):
        environment.reset(seed=2, options={"reset_mask": [True, False]})
    with pytest.raises(TypeError, match="reset_mask must be an array of bool, not int64"):
        environment.reset(seed=2, options={"reset_mask": np.array([1, 0])})
    with pytest.raises(pdd.PonteError, match=r"reset_mask must have shape \(2,\), not \(3,\)"):
        environment.reset(seed=2, options={"reset_mask": np.ones(3, np.bool_)})
    assert environment.np_random.integers(10**9) == drawn
