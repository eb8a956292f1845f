"""Mutable classes document what threads may do, and refuse everything else."""

from __future__ import annotations

import copy
import inspect
import pickle
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from random import Random
from typing import Any

import attrs
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.exclusive import Calls, exclusive
from pontedeldiavolo.base.values import ImmutableValue
from support.public_api import public_classes
from support.public_values import VALUES

REFUSED = "only one thread at a time"
UNGUARDED = {
    "GamePool": {"from_games", "rules", "size", "space"},
    "BatchedSearch": {"memory"},
    "MctsPlayer": {"for_game", "name"},
    # A thread may stop the engine for which another thread waits.
    "ExternalPlayer": {"close", "for_game", "lines", "name", "stop"},
}
"""Members of guarded classes that any thread may use, because they read constant values."""
FRAMEWORKS = {
    "gymnasium.PonteEnv": {"reset", "step"},
    "gymnasium.PonteVectorEnv": {"action_masks", "render", "reset", "sample", "step"},
    "pettingzoo.raw_env": {"reset", "step"},
}
"""The guarded members of environments; frameworks define the others."""
GUARDED = [each for each in VALUES if type(each).__name__ in UNGUARDED]
IMMUTABLE = (BaseException, Enum, ImmutableValue, tuple)


def is_mutable(kind: type) -> bool:
    is_frozen = attrs.has(kind) and kind.__setattr__ is not object.__setattr__
    is_protocol = getattr(kind, "_is_protocol", False)
    return not (issubclass(kind, IMMUTABLE) or is_frozen or is_protocol)


def test_mutable_classes_say_what_threads_may_do() -> None:
    mutable = {name for name, kind in public_classes().items() if is_mutable(kind)}
    silent = {name for name in mutable if "thread" not in (public_classes()[name].__doc__ or "")}
    assert silent == set()
    if "batch" in dir(pdd):
        assert {"batch.GamePool", "players.BatchedSearch", "players.Solver"} <= mutable


@contextmanager
def busy(value: Any) -> Iterator[None]:
    """Simulate a call in progress in another thread."""
    call = object()
    value._calls[call] = "another"
    try:
        yield
    finally:
        del value._calls[call]


def use(value: object, name: str) -> None:
    """Read a property, or call a method without arguments, because the refusal comes first."""
    found = getattr(value, name)
    if not isinstance(inspect.getattr_static(type(value), name), property):
        found()


@pytest.mark.parametrize("value", GUARDED, ids=lambda value: type(value).__name__)
def test_every_public_member_is_refused_while_another_is_in_progress(value: object) -> None:
    kind = type(value)
    names = {each for each in dir(kind) if not each.startswith("_")}
    assert UNGUARDED[kind.__name__] < names
    with busy(value):
        for name in sorted(names - UNGUARDED[kind.__name__]):
            with pytest.raises(pdd.PonteError, match=REFUSED) as caught:
                use(value, name)
            assert f"{kind.__name__}.{name} was used while {kind.__name__}.another" in str(
                caught.value
            )
            assert caught.value.code == "value"
        assert repr(value)


@pytest.mark.parametrize("name", FRAMEWORKS)
def test_environments_refuse_a_second_thread(name: str) -> None:
    framework, kind = name.split(".")
    pytest.importorskip(framework)
    if kind == "PonteVectorEnv":
        pytest.importorskip("numba")
    value = getattr(getattr(pdd.adapters, framework), kind)(rules=pdd.Rules(pdd.Board(3, 3)))
    with busy(value):
        for member in FRAMEWORKS[name]:
            with pytest.raises(pdd.PonteError, match=REFUSED):
                use(value, member)
    value.reset()


class Counting:
    """A counter that loses counts if two threads use it at the same time."""

    def __init__(self) -> None:
        self._calls = Calls()
        self.count = 0
        self.error: BaseException | None = None

    @exclusive
    def add(self, then: Callable[[], object] = int) -> int:
        """Add one, with a pause in which other threads can interfere."""
        before = self.count
        then()
        if self.error is not None:
            raise self.error
        self.count = before + 1
        return self.count


def test_calls_are_admitted_one_at_a_time() -> None:
    counting = Counting()
    found = Counter[bool]()

    def work() -> None:
        for _ in range(300):
            try:
                counting.add(lambda: time.sleep(0))
            except pdd.PonteError:
                found[False] += 1
            else:
                found[True] += 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert found.total() == 1200
    assert counting.count == found[True] > 0
    assert not counting._calls


def test_a_function_that_is_called_may_not_call_back() -> None:
    counting = Counting()
    with pytest.raises(pdd.PonteError, match=r"Counting\.add was used while Counting\.add was"):
        counting.add(counting.add)
    assert counting.add() == 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(), ValueError()])
def test_an_error_ends_a_call(error: BaseException) -> None:
    counting = Counting()
    counting.error = error
    with pytest.raises(type(error)):
        counting.add()
    counting.error = None
    assert counting.add() == 1


def test_copies_made_during_a_call_are_free() -> None:
    counting = Counting()
    copies: list[Calls] = []
    counting.add(lambda: copies.append(copy.deepcopy(counting._calls)))
    counting.add(lambda: copies.append(pickle.loads(pickle.dumps(counting._calls))))
    assert copies == [{}, {}]


def test_an_evaluation_may_not_use_its_player() -> None:
    pytest.importorskip("numba")
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))

    def evaluate(_: Any) -> Any:
        player.choose(state)

    player = pdd.players.MctsPlayer(simulations=5, evaluate=evaluate)
    with pytest.raises(pdd.PonteError, match=REFUSED):
        player.choose(state)


def hammer(make: Callable[[], Any], uses: list[Callable[[Any, Random], object]]) -> Any:
    """Use one object in six threads for a few seconds, and return it."""
    value = make()
    end = time.monotonic() + 3
    found = Counter[str]()

    def work(seed: int) -> None:
        rng = Random(seed)
        while time.monotonic() < end:
            try:
                rng.choice(uses)(value, rng)
                found["done"] += 1
            except pdd.PonteError as error:
                found["refused" if REFUSED in str(error) else "order"] += 1

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found["done"] > 0 < found["refused"], found
    return value


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_threads_leave_a_pool_right(threads: int) -> None:
    np = pytest.importorskip("numpy")
    pytest.importorskip("numba")
    rules = pdd.Rules(pdd.Board(5, 5))
    pool: Any = hammer(
        lambda: pdd.batch.GamePool(rules, 600, planes=True, threads=threads),
        [
            lambda pool, _: pool.step(pool.sample_steps()),
            lambda pool, rng: pool.reset([rng.randrange(600)]),
            lambda pool, _: pool.games,
            lambda pool, _: pool.sample_steps(np.ones((600, len(pool.space)))),
        ],
    )
    assert (pool.games.legal_mask() == pool.legal_mask).all()
    assert (pool.games.planes() == pool.planes).all()


@pytest.mark.slow
def test_threads_leave_a_search_right() -> None:
    np = pytest.importorskip("numpy")
    pytest.importorskip("numba")
    games = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(5, 5)), 64)
    width = len(games.space)

    def play_round(search: Any, _: Random) -> None:
        leaves = search.leaves()
        search.backup(np.ones((leaves.size, width)), np.zeros(leaves.size))

    search: Any = hammer(
        lambda: pdd.players.BatchedSearch(games, simulations=40, leaves_per_root=2),
        [
            play_round,
            play_round,
            lambda search, _: search.advance(search.best()),
            lambda search, _: search.visits,
            lambda search, _: search.improved_policy,
        ],
    )
    # The second leaf of the first round is the root again, which is not counted.
    while not search.done:
        play_round(search, Random())
    # Games that are over have no visits.
    assert (search.visits.sum(axis=1)[~search.games.is_over] >= 38).all()


@pytest.mark.slow
def test_threads_leave_a_tree_right() -> None:
    pytest.importorskip("numba")
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(5, 5)))
    hammer(
        lambda: pdd.players.MctsPlayer(simulations=50),
        [
            lambda player, _: player.choose(state),
            lambda player, _: player.ponder(state),
            lambda player, _: player.stop(),
            lambda player, rng: player.for_game(rng.randrange(9)).choose(state),
        ],
    ).stop()


@pytest.mark.slow
def test_threads_take_turns_in_a_solver() -> None:
    pytest.importorskip("numba")
    rules = pdd.Rules(pdd.Board(3, 3))
    table = pdd.players.Tablebase.bundled(rules)
    start = pdd.GameState.initial(rules)
    states = [start.apply(action) for action in start.legal_actions]
    solver = pdd.players.Solver()
    wrong: list[pdd.GameState] = []

    def work(seed: int) -> None:
        rng = Random(seed)
        for _ in range(100):
            state = rng.choice(states)
            if table is None or solver.value(state) != table.probe(state).value:
                wrong.append(state)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_interrupted_solver_begins_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C may interrupt the allocation of memory for other rules."""
    pytest.importorskip("numba")
    solver = pdd.players.Solver(max_nodes=10_000)
    first, other = (pdd.GameState.initial(pdd.Rules(pdd.Board(*side))) for side in ((3, 2), (2, 2)))
    value = solver.value(first)

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("pontedeldiavolo.players.mcts.alpha_beta.prove", interrupt)
        with pytest.raises(KeyboardInterrupt):
            solver.value(other)
    assert solver.nodes_searched == 0
    assert solver.value(first) == value


@pytest.mark.slow
def test_players_of_one_engine_may_be_used_in_different_threads() -> None:
    command = [sys.executable, "-m", "pontedeldiavolo", "engine", "random"]
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 4)))
    legal: list[bool] = []

    def play(player: pdd.players.ExternalPlayer) -> None:
        state = start
        while not state.is_over:
            action = player.choose(state)
            legal.append(state.is_legal(action))
            state = state.apply(action)

    with pdd.players.ExternalPlayer(command) as engine:
        players = [engine.for_game(seed) for seed in range(4)]
        threads = [threading.Thread(target=play, args=(player,)) for player in players]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(legal) > 4 * 3
    assert all(legal)
