"""The attributes of positions, and the effects of actions on them."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, GameState, Position, Score, Setup
from pontedeldiavolo.testing.strategies import states
from support.checks import error_of
from support.diagrams import RED, WHITE, bridge, cells, draw, names
from support.strategies import Player, play_out


def test_the_networks_of_a_position() -> None:
    position = draw("""
        5 w w . w . .
        4 w w . . . r
        3 . . . w . .
        2 r . . w . w
        1 r r . w . w
          a b c d e f
        bridges b5-d3 d2-f2
    """)
    joined, alone = position.networks(WHITE)
    assert [names(group.cells) for group in joined.groups] == ["d1 d2 d3", "f1 f2", "a4 b4 a5 b5"]
    assert joined.bridges == (bridge("d2-f2"), bridge("d3-b5"))
    assert ([names(each.cells) for each in joined.islands], joined.points) == (["a4 b4 a5 b5"], 1)
    assert (len(alone.groups), alone.bridges, alone.islands, alone.points) == (1, (), (), 0)
    assert len(position.networks(RED)) == 2
    assert position.score(WHITE) == Score(points=1, islands=1, bridges=2)
    assert position.score(RED) == Score(points=0, islands=0, bridges=0)


def test_a_network_keeps_the_bridges_of_all_that_it_joins() -> None:
    position = draw("2 . . w . w . .\n1 w . w . w . w\nbridges a1-c1 e1-g1 c2-e2")
    (network,) = position.networks(WHITE)
    assert names(network.bridges) == "a1-c1 e1-g1 c2-e2"
    assert [names(group.cells) for group in network.groups] == ["a1", "c1 c2", "e1 e2", "g1"]


def test_networks_are_in_the_order_of_their_first_cells() -> None:
    position = draw("2 . . . . . .\n1 w w . w . w\nbridges d1-f1")
    first, second = position.networks(WHITE)
    assert (names(first.groups[0].cells), names(second.groups[0].cells)) == ("a1 b1", "d1")
    late = draw("5 w . w\n4 . . .\n3 w . w\n2 . . .\n1 w . w\nbridges a5-c5 a1-c1 a3-c3")
    bridges = [names(network.bridges) for network in late.networks(WHITE)]
    assert bridges == ["a1-c1", "a3-c3", "a5-c5"]


def test_positions_are_equal_however_they_got_there() -> None:
    drawn = draw("w . w . r\nbridges a1-c1")
    board = Board(5, 1)
    built = Position.from_pieces(board, cells("c1 a1"), cells("e1"), [bridge("c1-a1")])
    played = GameState.from_position(draw("w . w . r")).apply(pdd.parse_action("a1-c1")).position
    assert drawn == built == played
    assert len({drawn, built, played}) == 1
    assert drawn != draw("w . w . r")
    assert drawn != draw("2 . . . . .\n1 w . w . r\nbridges a1-c1")
    assert drawn != pdd.parse_setup("w . w . r\nbridges a1-c1")
    assert repr(drawn) == "<Position 5x1 white=['a1', 'c1'] red=['e1'] bridges=['a1-c1']>"


def test_empty_positions() -> None:
    position = Position.from_pieces(Board(2, 2))
    assert names(position.open_cells(RED)) == "a1 b1 a2 b2"
    assert (position.groups(WHITE), position.networks(RED)) == ((), ())
    assert position.open_bridges(RED) == ()
    assert position.setup() == Setup(Board(2, 2))


def require_difference(state: pdd.GameState, action: pdd.Action) -> None:
    """Require that the effects of an action are the difference of two states."""
    effects = state.effects(action)
    mover = state.to_move
    before = state.position
    after = state.apply(action).position
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
    error = error_of(pdd.IllegalActionError, state.effects, pdd.Pass())
    assert error.violations == state.violations(pdd.Pass())
