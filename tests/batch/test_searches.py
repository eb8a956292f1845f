"""Trees that grow by playing games."""

from __future__ import annotations

from random import Random
from time import perf_counter

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players.mcts import search as trees
from pontedeldiavolo.players.mcts.search import TreeSearch, Tried
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


def require_steps(search: TreeSearch, node: pdd.Node, place: int, depth: int) -> None:
    """Require that a tree knows each legal step and no other, where games went and so deep."""
    space = pdd.StepSpace(node.rules.board)
    found = [*search.tried(place)]
    if found:
        codes = sorted(space.encode(step) for step in node.legal_steps)
        assert sorted(each.code for each in found) == codes
    for each in found:
        assert 0 <= each.gained <= 2 * each.visits
        assert 0 <= each.later_gained <= 2 * each.later_visits
        after = node.step(space.decode(each.code))
        if depth and each.visits and not after.is_over:
            require_steps(search, after, each.place, depth - 1)


def test_games_beyond_the_tree_may_be_uniform() -> None:
    state = random_state(SMALL, 2)
    guided, uniform, again = (TreeSearch(state, 3, guided=each) for each in (True, False, False))
    for search in (guided, uniform, again):
        search.play(MANY // 4)
    assert [*uniform.tried()] == [*again.tried()] != [*guided.tried()]
    require_steps(uniform, state, 0, depth=2)


@pytest.mark.parametrize("size", BOARDS)
def test_a_tree_has_the_legal_steps(size: tuple[int, int]) -> None:
    rules = pdd.Rules(pdd.Board(*size))
    for turns in (0, 1, 2, 5):
        state = random_state(rules, turns)
        search = TreeSearch(state, seed=3)
        assert search.visits == 0
        assert not [*search.tried()]
        search.play(MANY // 4)
        assert search.visits == MANY // 4
        assert [*search.tried()]
        require_steps(search, state, 0, depth=2)
        assert sum(each.visits for each in search.tried()) == search.visits


def test_bridges_and_passes_are_steps_too() -> None:
    kinds = set()
    for seed in range(8):
        state = random_state(SMALL, 50, seed)
        search = TreeSearch(state, seed=1)
        search.play(MANY)
        require_steps(search, state, 0, depth=3)
        space = pdd.StepSpace(SMALL.board)
        kinds |= {type(space.decode(each.code)) for each in search.tried()}
    assert kinds >= {pdd.BuildBridge, pdd.Pass}


def test_equal_seeds_give_equal_trees() -> None:
    state = random_state(SMALL, 2)
    one, two, other = (TreeSearch(state, seed) for seed in (1, 1, 2))
    for search in (one, two, other):
        search.play(MANY)
    assert [*one.tried()] == [*two.tried()] != [*other.tried()]
    # In two goes it is the same tree.
    one.play(MANY)
    for _ in range(MANY // 20):
        two.play(20)
    assert [*one.tried()] == [*two.tried()]


def test_a_search_goes_on_below_a_node() -> None:
    state = random_state(SMALL, 2)
    search = TreeSearch(state, seed=1)
    search.play(4 * MANY)
    first = max(search.tried(), key=lambda each: each.visits)
    second = max(search.tried(first.place), key=lambda each: each.visits)
    assert search.find([first.code, second.code]) == second
    below = [each[:3] for each in search.tried(second.place)]
    space = pdd.StepSpace(state.rules.board)
    after = state.step(space.decode(first.code)).step(space.decode(second.code))
    assert isinstance(after, pdd.GameState)
    search.go_on(second.place, after, seed=2)
    assert [each[:3] for each in search.tried()] == below
    assert search.visits == second.visits
    search.play(MANY)
    assert search.visits == second.visits + MANY
    require_steps(search, after, 0, depth=3)


def test_what_is_not_in_the_tree_is_not_found() -> None:
    search = TreeSearch(pdd.GameState.initial(SMALL), seed=1)
    assert search.find([0]) is None
    search.play(1)
    assert isinstance(search.find([0]), Tried)
    assert search.find([0, 1, 2, 3]) is None
    assert search.find([len(pdd.StepSpace(SMALL.board)) - 1]) is None


def test_memory_grows_and_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "FEWEST", 32)
    state = random_state(SMALL, 2)
    grown = TreeSearch(state, seed=1)
    grown.play(4 * MANY)
    monkeypatch.undo()
    usual = TreeSearch(state, seed=1)
    usual.play(4 * MANY)
    assert [*grown.tried()] == [*usual.tried()]
    for first, most in ((64, 64), (32, 64), (64, 128)):
        monkeypatch.setattr(trees, "FEWEST", first)
        monkeypatch.setattr(trees, "MOST", most)
        narrow = TreeSearch(state, seed=1)
        narrow.play(8 * MANY)
        assert narrow.visits == 8 * MANY
        require_steps(narrow, state, 0, depth=3)
        # No room is left for the steps of another node.
        assert most - 30 <= narrow._used <= most
    # Where not even the root's steps have room, games are played all the same.
    monkeypatch.setattr(trees, "FEWEST", 4)
    monkeypatch.setattr(trees, "MOST", 4)
    none = TreeSearch(state, seed=1)
    none.play(5)
    assert (none.visits, [*none.tried()]) == (5, [])


def test_games_are_counted_as_far_as_numbers_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trees, "MOST_VISITS", 30)
    search = TreeSearch(random_state(SMALL, 1), seed=1)
    search.play(20)
    search.play(20)
    assert search.visits == 30
    search.play_until(perf_counter() + 60)
    search.play(1)
    assert search.visits == 30


def test_time_is_kept() -> None:
    search = TreeSearch(random_state(SMALL, 1), seed=1)
    search.play(1)
    begin = perf_counter()
    search.play_until(begin + 0.05)
    assert 0.05 <= perf_counter() - begin < 5
    before = search.visits
    # When it is too late already, one game is played.
    search.play_until(begin)
    assert search.visits == before + 1


def ends(state: pdd.GameState) -> set[pdd.Seat | None]:
    """Return who can still win."""
    if state.is_over:
        assert state.outcome is not None
        return {state.outcome.winning_seat}
    return {seat for action in state.legal_actions for seat in ends(state.apply_unchecked(action))}


def test_what_is_decided_is_seen() -> None:
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
        search.play(20)
        worth = 1 if seats[0] is None else 2 * (seats[0] is state.seat_to_move)
        assert all(each.gained == worth * each.visits for each in search.tried())
    assert found > 10
