"""The environments of Gymnasium compared with the core: one seat, and many games at once."""

from __future__ import annotations

import copy
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
from pontedeldiavolo.batch import planes
from pontedeldiavolo.players import GreedyPlayer, RandomPlayer
from support.checks import wrong_type
from support.environments import NAMES, RULES, code_of, end, middle, require_mask, require_seen
from support.paths import example

pytest.importorskip("gymnasium", reason="Gymnasium is not installed: nox -s adapters")

import gymnasium
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers import OrderEnforcing
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from pontedeldiavolo.adapters.gymnasium import PonteEnv, PonteVectorEnv

NAME = "pontedeldiavolo.adapters.gymnasium:PonteDelDiavolo-v0"
SMALL = pdd.Rules(pdd.Board(5, 5))
SEATS = [*pdd.Seat, None]


def play(environment: Any, rng: Random) -> tuple[Any, ...]:
    """Play random legal actions to the end; return the result of the last step."""
    while True:
        found: tuple[Any, ...] = environment.step(code_of(environment.unwrapped.node, rng))
        if found[2]:
            return found


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
    over = False
    reward = 0.0
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
    """A player that chooses illegal actions after the choice of colours."""

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
    ("rules", "seat", "start", "said"),
    [
        (SMALL, pdd.Seat.SECOND, middle(SMALL, 1), "start is half a turn of the opponent's"),
        (ONE_CELL, pdd.Seat.FIRST, LAST_TURN, "the game is over before its seat"),
        (SMALL, pdd.Seat.FIRST, end(SMALL), "start is over"),
    ],
)
def test_starts_are_refused(rules: pdd.Rules, seat: pdd.Seat, start: pdd.Node, said: str) -> None:
    environment = PonteEnv(rules, seat=seat)
    with pytest.raises(pdd.PonteError, match=said):
        environment.reset(options={"start": start})
    with pytest.raises(ResetNeeded):
        environment.step(0)


def is_image_space(space: spaces.Space) -> bool:
    """Return whether Stable-Baselines3 treats a space as images, which it transposes and divides.

    Its ``is_image_space`` requires three dimensions of uint8 with all bounds 0 and 255, and its
    ``maybe_transpose`` requires nothing else.
    """
    return (
        isinstance(space, spaces.Box)
        and len(space.shape) == 3
        and space.dtype == np.uint8
        and bool((space.low == 0).all() and (space.high == 255).all())
    )


@pytest.mark.parametrize("rules", [*RULES, pdd.Rules(pdd.Board(2, 2), 300, 2**53 - 1)])
def test_observations_are_no_images(rules: pdd.Rules) -> None:
    assert is_image_space(spaces.Box(0, 255, (27, 10, 10), np.uint8))
    one = PonteEnv(rules)
    many = PonteVectorEnv(2, rules)
    for space in (one.observation_space, many.single_observation_space):
        assert not any(map(is_image_space, space.values()))
        planes = space["observation"]
        shape = (len(pdd.batch.PLANES), rules.board.height, rules.board.width)
        assert (planes.shape, planes.dtype) == (shape, np.uint8)
        # Gymnasium warns about spaces with a single value.
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
    # sb3-contrib looks for this method behind all wrappers.
    masks = environment.get_wrapper_attr("action_masks")
    seen, _ = environment.reset(seed=1)
    rng = Random(1)
    over = False
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


def test_ppo_example(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Model:
        """Chooses the first legal step; the real model needs PyTorch."""

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


TINY = pdd.Rules(pdd.Board(4, 3))
SIZE = 5


class Beside:
    """The same games in the core, which are reset according to a mode."""

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
            assert seen["action_mask"][row].tobytes() == space.legal_mask(node)
        assert infos["action_mask"] is seen["action_mask"]
        for name in ("action_mask", "seat", "seat_to_move", "rewards"):
            assert infos[f"_{name}"].tolist() == [True] * len(self.nodes)
        assert infos["seat"].tolist() == self.seats
        assert infos["seat_to_move"].tolist() == [seat_index(node) for node in self.nodes]
        rewards = [[value_of(end, seat) for seat in pdd.Seat] for end in self.ends]
        assert infos["rewards"].tolist() == rewards

    def require_step(self, found: tuple[Any, ...]) -> None:
        seen, rewards, terminated, truncated, infos = found
        self.require(seen, infos)
        assert terminated.tolist() == [end is not None for end in self.ends]
        assert not truncated.any()
        assert rewards.dtype == np.float64
        ends = zip(self.ends, self.seats, strict=True)
        assert rewards.tolist() == [value_of(end, (*pdd.Seat,)[seat]) for end, seat in ends]
        if self.mode is not AutoresetMode.SAME_STEP or not terminated.any():
            assert "final_obs" not in infos
            return
        assert infos["_final_obs"].tolist() == terminated.tolist()
        for ended, last in zip(self.ends, infos["final_obs"], strict=True):
            if ended is None:
                assert last is None
            else:
                assert np.array_equal(last["observation"], planes(ended, pdd.Color.WHITE))
                assert last["action_mask"].dtype == np.int8
                assert not last["action_mask"].any()


def seat_index(node: pdd.Node) -> int:
    return -1 if node.seat_to_move is None else node.seat_to_move.index


def value_of(end: pdd.Node | None, seat: pdd.Seat) -> int:
    return 0 if end is None or end.outcome is None else end.outcome.value(seat)


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
@pytest.mark.parametrize("rules", RULES, ids=NAMES)
def test_every_step_of_every_game(rules: pdd.Rules, mode: AutoresetMode, *, copied: bool) -> None:
    environment = PonteVectorEnv(SIZE, rules, autoreset_mode=mode, copy=copied)
    assert environment.metadata["autoreset_mode"] is mode
    beside = Beside(rules, SIZE, mode)
    rng = Random(1)
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
    environment = PonteVectorEnv(SIZE, TINY, autoreset_mode="Disabled")
    beside = Beside(TINY, SIZE, AutoresetMode.DISABLED)
    rng = Random(1)
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
            beside.seats = [-1] * SIZE
            beside.ends = [None] * SIZE
            assert infos["seat_to_move"].tolist() == [seat_index(node) for node in beside.nodes]
            assert seen["action_mask"].any(axis=1).all()
        codes = [code_of(node, rng) for node in beside.nodes]
        found = environment.step(codes)
        beside.step(codes)
        beside.require_step(found)


def test_only_copied_observations_are_kept() -> None:
    for copied in (True, False):
        environment = PonteVectorEnv(3, TINY, copy=copied)
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
        environment = PonteVectorEnv(64, TINY)
        environment.reset(seed=seed)
        for _ in range(30):
            environment.step(environment.sample())
        environment.reset(seed=seed)
        draws.append(environment.sample().tolist())
        environment.step(draws[-1])
        draws[-1] += environment.sample().tolist()
    assert draws[0] == draws[1] != draws[2]


def test_draws_go_by_weights() -> None:
    environment = PonteVectorEnv(64, TINY)
    weights = np.zeros((64, len(environment.pool.space)))
    weights[:, 3] = 1
    assert environment.sample(weights).tolist() == [3] * 64


def test_a_reset_during_games() -> None:
    for mode in AutoresetMode:
        environment = PonteVectorEnv(SIZE, TINY, autoreset_mode=mode)
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
    many = gymnasium.make_vec(NAME, SIZE, "vector_entry_point", rules=TINY, autoreset_mode=mode)
    counted = RecordEpisodeStatistics(many)
    listed = DictInfoToList(many)
    counted.reset(seed=1)
    lengths: list[int] = []
    for _ in range(60):
        *_, infos = counted.step(many.unwrapped.sample())
        if "episode" in infos:
            lengths += infos["episode"]["l"][infos["_episode"]].tolist()
    assert len(lengths) > SIZE
    assert all(0 < length <= TINY.max_steps for length in lengths)
    listed.reset(seed=1)
    *_, infos = listed.step([0] * SIZE)
    assert [info["seat"] for info in infos] == [0] * SIZE
    assert {*infos[0]} == {"action_mask", "seat", "seat_to_move", "rewards"}


@pytest.mark.parametrize("mode", ["ansi", "rgb_array"])
def test_every_game_is_rendered(mode: Any) -> None:
    pytest.importorskip("PIL")
    environment = PonteVectorEnv(3, TINY, render_mode=mode, render_size=40)
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
    environment = PonteVectorEnv(3, TINY, autoreset_mode=mode)
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
    environment = PonteVectorEnv(2, TINY)
    environment.reset(seed=1)
    environment.step([0, 1])
    drawn = copy.deepcopy(environment.np_random).integers(10**9)
    with wrong_type("options"):
        environment.reset(options=[])  # type: ignore[arg-type]  # the wrong type on purpose
    with wrong_type("reset_mask"):
        environment.reset(seed=2, options={"reset_mask": [True, False]})
    with pytest.raises(TypeError, match="reset_mask must be an array of bool, not int64"):
        environment.reset(seed=2, options={"reset_mask": np.array([1, 0])})
    with pytest.raises(pdd.PonteError, match=r"reset_mask must have shape \(2,\), not \(3,\)"):
        environment.reset(seed=2, options={"reset_mask": np.ones(3, np.bool_)})
    assert environment.np_random.integers(10**9) == drawn
