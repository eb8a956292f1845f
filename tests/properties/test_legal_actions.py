"""Properties of the rules in every reachable state: legal actions as a sequence."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import states
from support.strategies import cells, share


@given(states(), st.data())
def test_legal_actions_are_what_a_list_would_be(state: pdd.GameState, data: st.DataObject) -> None:
    assert bool(state.legal_actions) is not state.is_over
    views: list[Any] = [state.legal_actions, state.legal_actions.pairs, state.legal_steps]
    legal = data.draw(st.sampled_from(views))
    listed = list(legal)
    assert isinstance(legal, Sequence)
    assert len(legal) == len(listed)
    assert bool(legal) is bool(listed)
    assert sorted(legal) == listed
    assert list(reversed(legal)) == listed[::-1]
    length = len(listed)
    places = st.integers(-length, length - 1) if listed else st.nothing()
    bound = st.none() | st.integers(-length - 2, length + 2)
    for _ in range(5 if listed else 0):
        place = data.draw(places)
        assert legal[place] == listed[place]
        assert legal.index(legal[place]) == place % length
        assert legal.count(legal[place]) == 1
    step = data.draw(st.sampled_from([None, 1, 2, 7, -1, -3]))
    cut = slice(data.draw(bound), data.draw(bound), step)
    assert legal[cut] == tuple(listed[cut])
    for place in (length, -length - 1, 10**5000, -(10**30)):
        with pytest.raises(IndexError):
            legal[place]


@share(0.5)
@given(states())
def test_views_of_equal_states_are_equal(state: pdd.GameState) -> None:
    legal, steps = state.legal_actions, state.legal_steps
    views = [legal, legal.pairs, legal.others, steps, steps.others]
    for same in (pdd.parse_state(pdd.format_state(state)), pickle.loads(pickle.dumps(state))):
        others = same.legal_actions, same.legal_steps
        twins = [others[0], others[0].pairs, others[0].others, others[1], others[1].others]
        assert twins == views
        assert [*map(hash, twins)] == [*map(hash, views)]
        assert pickle.loads(pickle.dumps(views)) == views
    assert (legal == steps, legal == [*legal]) == (False, False)
    for action in legal[:3]:
        assert (state.apply(action).legal_actions == legal) is False


@given(states(), st.data())
def test_index_takes_the_bounds_that_lists_take(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    assume(legal)
    listed = list(legal)
    place = data.draw(st.integers(0, len(listed) - 1))
    start = data.draw(st.integers(-len(listed) - 1, len(listed) + 1))
    stop = data.draw(st.integers(-len(listed) - 1, len(listed) + 1))
    if place in range(len(listed))[start:stop]:
        assert legal.index(legal[place], start, stop) == place
    else:
        with pytest.raises(ValueError, match="is not in"):
            legal.index(legal[place], start, stop)


@given(states(), st.data())
def test_parts_of_the_view_agree_with_the_list(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    pairs = [action for action in legal if isinstance(action, pdd.PlaceTiles)]
    bridges = [action for action in legal if isinstance(action, pdd.BuildBridge)]
    assert list(legal.pairs) == pairs
    assert len(legal.pairs) == len(pairs)
    assert bool(legal.pairs) is bool(pairs)
    assert legal.bridges == tuple(bridges)
    assert set(legal.first_tiles) == {cell for pair in pairs for cell in pair.cells}
    for _ in range(5):
        cell = data.draw(cells(state.rules.board))
        partners = {other for pair in pairs for other in pair.cells if cell in pair.cells}
        assert set(legal.second_tiles(cell)) == partners - {cell}
        from_here = [bridge for bridge in bridges if cell in (bridge.a, bridge.b)]
        assert legal.bridges_from(cell) == tuple(from_here)


@given(states())
def test_legal_steps_are_the_legal_actions_by_halves(state: pdd.GameState) -> None:
    others = [action for action in state.legal_actions if not isinstance(action, pdd.PlaceTiles)]
    firsts = [pdd.PlaceTile(cell) for cell in state.legal_actions.first_tiles]
    steps = state.legal_steps
    assert list(steps) == [*firsts, *others]
    assert len(steps) == len(firsts) + len(others)
    assert bool(steps) is bool(state.legal_actions)
    assert sorted(steps) == list(steps)
    assert all(step in steps and state.is_legal(step) for step in steps)
