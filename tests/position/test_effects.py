"""The effects of an action, compared with the states before and after it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import states
from support.strategies import Player, play_out


def require_difference(state: pdd.GameState, action: pdd.Action) -> None:
    """Require that the effects of an action are the difference of two states."""
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


@given(states(), st.data())
def test_effects_are_the_difference_of_two_states(
    state: pdd.GameState, data: st.DataObject
) -> None:
    if not state.is_over:
        require_difference(state, data.draw(st.sampled_from(state.legal_actions)))


@pytest.mark.parametrize("seed", range(8))
def test_effects_in_games_with_many_islands_and_bridges(seed: int) -> None:
    rng = Random(seed)
    game = play_out(pdd.Rules(pdd.Board(8, 8)), Player(rng, builder=True, settler=True))
    for state, action in zip(game.states(), game.actions, strict=False):
        for tried in (action, *state.legal_actions.bridges, *rng.sample(state.legal_actions, 1)):
            require_difference(state, tried)


def test_effects_of_what_is_not_legal() -> None:
    state = pdd.GameState.initial()
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.effects(pdd.Pass())
    assert caught.value.violations == state.violations(pdd.Pass())
