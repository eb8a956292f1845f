"""Properties of the rules in every reachable state: legality, asked in three ways."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, positions, states
from support.diagrams import RED, WHITE
from support.oracle_geometry import conceivable_actions
from support.strategies import SMALL_RULES, cells, share

# Legality only shrinks


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


# Three ways to ask what is legal


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
