"""The effects of an action, compared with the states before and after it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import states


@given(states(), st.data())
def test_effects_are_the_difference_of_two_states(
    state: pdd.GameState, data: st.DataObject
) -> None:
    if state.is_over:
        return
    action = data.draw(st.sampled_from(state.legal_actions))
    effects = state.effects(action)
    mover, before, after = state.to_move, state.position, state.apply(action).position
    if mover is None:
        nothing: frozenset[pdd.Cell] = frozenset()
        assert effects == pdd.Effects(effects.tiles, None, effects.blocked, (), (), None)
        assert effects.tiles == effects.blocked == nothing
        return
    assert effects.tiles == after.tiles(mover) - before.tiles(mover)
    built = set(after.bridges(mover)) - set(before.bridges(mover))
    assert built == ({effects.bridge} if effects.bridge else set())
    assert effects.blocked == after.blocked - before.blocked
    assert effects.islands == tuple(
        group for group in after.islands(mover) if group not in before.islands(mover)
    )
    cells = [
        {cell for group in each.groups for cell in group.cells} for each in before.networks(mover)
    ]
    assert effects.networks == tuple(
        each
        for each in after.networks(mover)
        if sum(any(cell in group.cells for group in each.groups for cell in old) for old in cells)
        > 1
    )
    assert effects.score == after.score(mover)


def test_a_choice_has_no_effects() -> None:
    state = pdd.GameState.initial().apply(pdd.parse_action("a1,b2"))
    nothing = state.rules.board.cell_set()
    effects = state.effects(pdd.parse_action("white"))
    assert effects == pdd.Effects(nothing, None, nothing, (), (), None)


def test_a_bridge_that_joins_and_one_that_does_not() -> None:
    position = pdd.parse_setup(
        """
        4 . . . . .
        3 w w w w .
        2 . . . . .
        1 w . w . .
        """
    ).position()
    state = pdd.GameState.from_position(position)
    first = state.effects(pdd.parse_action("a1-a3"))
    assert first.bridge == pdd.Bridge(pdd.parse_cell("a1"), pdd.parse_cell("a3"))
    assert first.blocked == {pdd.parse_cell("a2")}
    assert len(first.networks) == 1
    assert first.networks[0].points == 1
    assert first.tiles == set()
    again = state.apply(pdd.parse_action("a1-a3")).with_to_move(pdd.Color.WHITE)
    joined = again.effects(pdd.parse_action("c1-c3"))
    assert [len(network.groups) for network in joined.networks] == [3]
    whole = again.apply(pdd.parse_action("c1-c3")).position.networks(pdd.Color.WHITE)
    assert joined.networks == (whole[0],)


def test_one_tile_joins_networks_and_the_other_one_grows() -> None:
    position = pdd.parse_setup("w . w . w . .\nbridges c1-e1").position()
    effects = pdd.GameState.from_position(position).effects(pdd.parse_action("b1,f1"))
    assert [len(network.groups) for network in effects.networks] == [2]


def test_completing_an_island() -> None:
    state = pdd.GameState.from_position(pdd.parse_setup("w w w . . . .").position())
    effects = state.effects(pdd.parse_action("d1,f1"))
    assert [len(island.cells) for island in effects.islands] == [4]
    assert effects.score == pdd.Score(points=1, islands=1, bridges=0)
    assert effects.networks == ()


def test_effects_of_what_is_not_legal() -> None:
    state = pdd.GameState.initial()
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.effects(pdd.Pass())
    assert caught.value.violations == state.violations(pdd.Pass())
