"""Properties of values in every reachable state: equality, hashes, pickles and copies."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import positions
from support.diagrams import RED, WHITE
from support.strategies import SMALL_RULES, share


@given(strategies.games(SMALL_RULES))
def test_equal_means_equal_parts(play: pdd.Game) -> None:
    parts = [
        (
            state.rules,
            state.position,
            state.phase,
            state.to_move,
            state.owner(WHITE),
        )
        for state in play.states()
    ]
    for (one, its), (other, others) in combinations(zip(play.states(), parts, strict=True), 2):
        assert (one == other) is (its == others)
        assert (one.position == other.position) is (one.position.setup() == other.position.setup())
    assert len(set(play.states())) == len(set(parts))


@share(0.5)
@given(positions())
def test_a_position_belongs_to_its_board(position: pdd.Position) -> None:
    board, setup = position.board, position.setup()
    assert position == pdd.Position.from_pieces(board, setup.white, setup.red, setup.bridges)
    for size in ((board.width, board.height + 1), (board.width + 1, board.height)):
        larger = pdd.Board(*size)
        other = pdd.Position.from_pieces(larger, setup.white, setup.red, setup.bridges)
        assert other != position
        for color in pdd.Color:
            assert other.tiles(color) == position.tiles(color)
            assert other.bridges(color) == position.bridges(color)
            assert other.score(color) == position.score(color)


@given(strategies.games(SMALL_RULES))
def test_owners_and_rules_tell_states_apart(play: pdd.Game) -> None:
    state = play.state
    if len(play.actions) > 1:
        flipped = pdd.GameState.initial(state.rules)
        for action in play.actions:
            if isinstance(action, pdd.ChooseColor):
                flipped = flipped.apply(pdd.ChooseColor(action.color.opponent))
            else:
                flipped = flipped.apply(action)
        assert flipped != state
        assert flipped.position == state.position
        assert list(flipped.legal_actions) == list(state.legal_actions)
        assert flipped.owner(WHITE) is state.owner(RED)
    # A supply that is larger than the board can take makes no difference but that one.
    plenty = 1_000
    other_rules = pdd.Rules(state.rules.board, plenty, plenty, state.rules.tiebreaks)
    other = pdd.GameState.initial(other_rules)
    if state.rules.tiles_per_color is None and state.rules.bridges is None:
        for action in play.actions:
            other = other.apply(action)
        assert list(other.legal_actions) == list(state.legal_actions)
        assert other.position == state.position
    assert other != state
    assert pdd.format_state(other) != pdd.format_state(state)
