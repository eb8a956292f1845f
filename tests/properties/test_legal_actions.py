"""Properties of the rules in every reachable state: legality, and legal actions."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, positions, states
from support.diagrams import RED, WHITE
from support.oracle_geometry import conceivable_actions
from support.strategies import SMALL_RULES, cells, share


@given(strategies.games())
def test_a_closed_cell_stays_closed(play: pdd.Game) -> None:
    for color in pdd.Color:
        for earlier, later in pairwise(play.states()):
            assert later.position.open_cells(color) <= earlier.position.open_cells(color)


@share(0.5)
@given(strategies.games(SMALL_RULES), st.data())
def test_a_legal_pair_was_legal_before(play: pdd.Game, data: st.DataObject) -> None:
    states = [*play.states()]
    later = data.draw(st.sampled_from(states))
    assume(later.to_move is not None)
    for earlier in states[: states.index(later)]:
        if earlier.phase is pdd.Phase.PLAY and later.to_move is not None:
            before = earlier.with_to_move(later.to_move)
            assert set(later.legal_actions.pairs) <= set(before.legal_actions.pairs)


@given(positions(SMALL_RULES))
def test_an_open_cell_is_a_valid_set_up(position: pdd.Position) -> None:
    setup = position.setup()
    for cell in position.board:
        white = pdd.Setup(position.board, [*setup.white, cell], setup.red, setup.bridges)
        red = pdd.Setup(position.board, setup.white, [*setup.red, cell], setup.bridges)
        taken = position.color_at(cell) is not None
        assert (cell in position.open_cells(WHITE)) == (not taken and not white.faults())
        assert (cell in position.open_cells(RED)) == (not taken and not red.faults())


@given(positions(SMALL_RULES))
def test_an_open_bridge_is_a_valid_set_up(position: pdd.Position) -> None:
    setup = position.setup()
    for color in pdd.Color:
        tiles = position.tiles(color)
        expected = [
            bridge
            for bridge in position.board.bridges
            if set(bridge.ends) <= tiles
            and bridge not in setup.bridges
            and not pdd.Setup(
                position.board, setup.white, setup.red, [*setup.bridges, bridge]
            ).faults()
        ]
        assert list(position.open_bridges(color)) == expected


@share(0.5)
@given(states(SMALL_RULES))
def test_listing_and_judging_agree_on_everything(state: pdd.GameState) -> None:
    listed = list(state.legal_actions)
    legal = set(listed)
    assert len(legal) == len(listed)
    for action in conceivable_actions(state.rules.board):
        expected = action in legal
        assert (action in state.legal_actions) is expected
        assert state.is_legal(action) is expected
        assert (state.violations(action) == ()) is expected
    assert legal <= set(conceivable_actions(state.rules.board))


@given(half_turns(), st.data())
def test_a_half_turn_judges_as_the_pair_is_judged(half: pdd.HalfTurn, data: st.DataObject) -> None:
    state = half.state
    for _ in range(5):
        second = pdd.PlaceTile(data.draw(cells(state.rules.board)))
        pair = pdd.PlaceTiles(half.first, second.cell)
        assert half.is_legal(second) is state.is_legal(pair)
        assert half.violations(second) == state.violations(pair)
        assert (second in half.legal_steps) is state.is_legal(pair)
        if not state.is_legal(pair):
            with pytest.raises(pdd.IllegalActionError) as caught:
                half.step(second)
            assert caught.value.violations == state.violations(pair)


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


@given(states(), st.integers(0, 2**32))
def test_a_sample_is_legal(state: pdd.GameState, seed: int) -> None:
    legal = state.legal_actions
    rng = Random(seed)
    if legal:
        assert all(legal.sample(rng) in legal for _ in range(10))
        assert legal.sample(Random(seed)) == legal.sample(Random(seed))
    for view in (legal, legal.pairs, state.legal_steps):
        if view:
            assert view.sample(rng) in view
        else:
            with pytest.raises(IndexError):
                view.sample(rng)


# Red to move; of 45 pairs of open cells 23 exclude each other, and there are three bridges.
CROWDED = """
    4 . . . r .
    3 . r . . .
    2 w r r . w
    1 . . w . w
      a b c d e
    bridges c1-e1
"""
# Red to move; of 36 pairs of open cells seven are legal, and there are two bridges.
CRAMPED = """
    4 w . r . .
    3 w . r . w
    2 w . r . w
    1 r . . . w
      a b c d e
"""


# White to move; three cells are open and each excludes the others: four bridges and the pass.
STUCK = """
    5 w w r r r
    4 . w . w w
    3 . w . . w
    2 r . . . .
    1 r r w r r
      a b c d e
"""
# Red to move; of a hundred cells five are open, with six legal pairs, and there are 16 bridges.
LATE = """
    10 . r r r w w w r . w
     9 r w w . w r . r r r
     8 w r r . r r w . w w
     7 w r w w . . . r w w
     6 w . w w r w . . r r
     5 r r . . r w . . w .
     4 w w r r . w r w w r
     3 w . . r . r w . r r
     2 r r w w w . w w r w
     1 r r w r r r r . w w
       a b c d e f g h i j
    bridges c7-e9
"""


@pytest.mark.parametrize(
    ("diagram", "mover", "open_cells", "pairs", "bridges"),
    [
        pytest.param(CROWDED, RED, 10, 22, 3, id="crowded"),
        pytest.param(CRAMPED, RED, 9, 7, 2, id="cramped"),
        pytest.param(STUCK, WHITE, 3, 0, 4, id="stuck"),
        pytest.param(LATE, RED, 5, 6, 16, id="late"),
    ],
)
def test_samples_are_uniform(
    diagram: str, mover: pdd.Color, open_cells: int, pairs: int, bridges: int
) -> None:
    position = pdd.parse_setup(diagram).position()
    state = pdd.GameState.from_position(position, to_move=mover)
    legal = state.legal_actions
    assert len(position.open_cells(mover)) == open_cells
    assert (len(list(legal.pairs)), len(legal.bridges)) == (pairs, bridges)
    for view in (legal, legal.pairs, state.legal_steps):
        rng = Random(2002)
        expected = 400
        counts = Counter(view.sample(rng) for _ in range(expected * len(view)))
        assert set(counts) == set(view)
        chi_square = sum((counts[item] - expected) ** 2 / expected for item in view)
        freedom = max(0, len(view) - 1)
        # Five standard deviations: true of a fair draw in all but one of a million seeds.
        assert chi_square < freedom + 5 * sqrt(2 * freedom) + 5
