"""Trees that grow by playing games."""

from __future__ import annotations

from math import inf
from random import Random

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players.mcts import search as trees
from pontedeldiavolo.players.mcts.search import ChildStats, TreeSearch
from support.batches import sized

SMALL = pdd.Rules(pdd.Board(4, 4))
MANY = sized(400, 40)
BOARDS = [
    *((1, 1), (1, 9), (2, 1), (3, 3), (10, 10)),
    # Everything is compiled once more for it.
    pytest.param((17, 5), marks=pytest.mark.slow),
]


def random_state(rules: pdd.Rules, turns: int, seed: int = 1) -> pdd.GameState:
    """Return a state after some random turns, in which the game goes on."""
    rng, state = Random(seed), pdd.GameState.initial(rules)
    for _ in range(turns):
        after = state.apply_unchecked(state.legal_actions.sample(rng))
        if after.is_over:
            break
        state = after
    return state


def require_steps(search: TreeSearch, node: pdd.Node, root: int, depth: int) -> None:
    """Require that a tree knows each legal step and no other, where games went and so deep."""
    space = pdd.StepSpace(node.rules.board)
    found = [*search.children(root)]
    if found:
        codes = sorted(space.encode(step) for step in node.legal_steps)
        assert sorted(each.code for each in found) == codes
    for each in found:
        assert 0 <= each.total_reward <= 2 * each.visits
        assert 0 <= each.amaf_reward <= 2 * each.amaf_visits
        after = node.step(space.decode(each.code))
        if depth and each.visits and not after.is_over:
            require_steps(search, after, each.node, depth - 1)


def test_rollouts_may_be_uniform() -> None:
    state = random_state(SMALL, 2)
    heuristic, uniform, again = (
        TreeSearch(state, 3, heuristic=each) for each in (True, False, False)
    )
    for search in (heuristic, uniform, again):
        search.run(MANY // 4)
    assert [*uniform.children()] == [*again.children()] != [*heuristic.children()]
    require_steps(uniform, state, 0, depth=2)


@pytest.mark.parametrize("size", BOARDS)
def test_a_tree_has_the_legal_steps(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    for turns in (0, 1, 2, 5):
        state = random_state(rules, turns)
        search = TreeSearch(state, seed=3)
        assert search.visits == 0
        assert not [*search.children()]
        search.run(MANY // 4)
        assert search.visits == MANY // 4
        assert [*search.children()]
        require_steps(search, state, 0, depth=2)
        assert sum(each.visits for each in search.children()) == search.visits


def test_bridges_and_passes_are_steps_too() -> None:
    kinds = set()
    for seed in range(8):
        state = random_state(SMALL, 50, seed)
        search = TreeSearch(state, seed=1)
        search.run(MANY)
        require_steps(search, state, 0, depth=3)
        space = pdd.StepSpace(SMALL.board)
        kinds |= {type(space.decode(each.code)) for each in search.children()}
    assert kinds >= {pdd.BuildBridge, pdd.Pass}


def test_equal_seeds_give_equal_trees() -> None:
    state = random_state(SMALL, 2)
    one, two, other = (TreeSearch(state, seed) for seed in (1, 1, 2))
    for search in (one, two, other):
        search.run(MANY)
    assert [*one.children()] == [*two.children()] != [*other.children()]
    # In two goes it is the same tree.
    one.run(MANY)
    for _ in range(MANY // 20):
        two.run(20)
    assert [*one.children()] == [*two.children()]


def test_a_search_goes_on_below_a_node() -> None:
    state = random_state(SMALL, 2)
    search = TreeSearch(state, seed=1)
    search.run(4 * MANY)
    first = max(search.children(), key=lambda each: each.visits)
    second = max(search.children(first.node), key=lambda each: each.visits)
    assert search.find([first.code, second.code]) == second
    below = [each[:3] for each in search.children(second.node)]
    space = pdd.StepSpace(state.rules.board)
    after = state.step(space.decode(first.code)).step(space.decode(second.code))
    assert isinstance(after, pdd.GameState)
    search.reroot(second.node, after, seed=2)
    assert [each[:3] for each in search.children()] == below
    assert search.visits == second.visits
    search.run(MANY)
    assert search.visits == second.visits + MANY
    require_steps(search, after, 0, depth=3)


def test_steps_outside_the_tree_are_not_found() -> None:
    search = TreeSearch(pdd.GameState.initial(SMALL), seed=1)
    assert search.find([0]) is None
    search.run(1)
    assert isinstance(search.find([0]), ChildStats)
    assert search.find([0, 1, 2, 3]) is None
    assert search.find([len(pdd.StepSpace(SMALL.board)) - 1]) is None


def test_memory_grows_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MIN_NODES", 32)
    state = random_state(SMALL, 2)
    grown = TreeSearch(state, seed=1)
    grown.run(4 * MANY)
    monkeypatch.undo()
    usual = TreeSearch(state, seed=1)
    usual.run(4 * MANY)
    assert [*grown.children()] == [*usual.children()]
    for first, most in ((64, 64), (32, 64), (64, 128)):
        monkeypatch.setattr(trees, "MIN_NODES", first)
        monkeypatch.setattr(trees, "MAX_NODES", most)
        narrow = TreeSearch(state, seed=1)
        narrow.run(8 * MANY)
        assert narrow.visits == 8 * MANY
        require_steps(narrow, state, 0, depth=3)
        # No room is left for the steps of another node.
        assert most - 30 <= narrow._used <= most
    # Where not even the root's steps have room, games are played all the same.
    monkeypatch.setattr(trees, "MIN_NODES", 4)
    monkeypatch.setattr(trees, "MAX_NODES", 4)
    none = TreeSearch(state, seed=1)
    none.run(5)
    assert (none.visits, [*none.children()]) == (5, [])


def test_games_are_counted_as_far_as_numbers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MAX_VISITS", 30)
    search = TreeSearch(random_state(SMALL, 1), seed=1)
    search.run(20)
    search.run(20)
    assert search.visits == 30
    search.run_until(inf)
    search.run(1)
    assert search.visits == 30


def test_time_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    search, run, now = TreeSearch(random_state(SMALL, 1), seed=1), TreeSearch.run, 0.0

    def run_in_time(search: TreeSearch, simulations: int) -> None:
        nonlocal now
        now += simulations / 1000
        run(search, simulations)

    monkeypatch.setattr(trees, "perf_counter", lambda: now)
    monkeypatch.setattr(TreeSearch, "run", run_in_time)
    search.run_until(0.5)
    assert search.visits == pytest.approx(500, abs=2)
    before = search.visits
    # When it is too late already, one game is played.
    search.run_until(0.1)
    assert search.visits == before + 1


def ends(state: pdd.GameState) -> set[pdd.Seat | None]:
    """Return who can still win."""
    if state.is_over:
        assert state.outcome is not None
        return {state.outcome.winning_seat}
    return {seat for action in state.legal_actions for seat in ends(state.apply_unchecked(action))}


def test_decided_games_have_their_value() -> None:
    found = 0
    for seed in range(100):
        state = random_state(SMALL, 50, seed)
        if len(state.legal_actions) > 4:
            continue
        [*seats] = ends(state)
        if len(seats) > 1:
            continue
        found += 1
        search = TreeSearch(state, seed=1)
        search.run(20)
        worth = 1 if seats[0] is None else 2 * (seats[0] is state.seat_to_move)
        assert all(each.total_reward == worth * each.visits for each in search.children())
    assert found > 10
