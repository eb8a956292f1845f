"""What the rules promise in every state that play can reach: what an action changes, and scores."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.checks import assert_same_legality
from support.diagrams import RED, WHITE
from support.oracle_geometry import point, points, score_by_hand
from support.strategies import Play, cells, plays, states

# Applying an action


@given(plays())
def test_the_old_state_stays_as_it_was(play: Play) -> None:
    texts = [pdd.format_state(state) for state in play.states]
    lengths = [len(state.legal_actions) for state in play.states]
    again = pdd.GameState.initial(play.last.rules)
    for action, after in zip(play.actions, play.states[1:], strict=True):
        before, text = again, pdd.format_state(again)
        again = before.apply(action)
        assert again == after
        assert before != again
        assert pdd.format_state(before) == text
        assert before.apply_unchecked(action) == after
    assert [pdd.format_state(state) for state in play.states] == texts
    assert [len(state.legal_actions) for state in play.states] == lengths


@given(plays())
def test_an_action_changes_what_it_says(play: Play) -> None:
    for action, (before, after) in zip(play.actions, pairwise(play.states), strict=True):
        old, new = before.position, after.position
        for color in pdd.Color:
            mine = color is before.to_move
            tiles = set(action.cells) if isinstance(action, pdd.PlaceTiles) and mine else set()
            assert points(new.tiles(color)) == points(old.tiles(color)) | set(map(point, tiles))
            built = {action.bridge} if isinstance(action, pdd.BuildBridge) and mine else set()
            assert set(new.bridges(color)) == set(old.bridges(color)) | built
        assert after.rules == before.rules


@given(plays())
def test_turns_phases_and_movers(play: Play) -> None:
    turns, choice, white_passed = 0, None, False
    mover: pdd.Color | None = WHITE
    for place, state in enumerate(play.states):
        assert state.turn == turns
        assert state.to_move is mover
        if place == 0:
            assert state.phase is pdd.Phase.OPENING
        elif place == 1:
            assert state.phase is pdd.Phase.COLOR_CHOICE
        elif mover is None:
            assert state.phase is pdd.Phase.OVER
        else:
            assert state.phase is (pdd.Phase.LAST_TURN if white_passed else pdd.Phase.PLAY)
        white_owner = {None: None, WHITE: pdd.Seat.SECOND, RED: pdd.Seat.FIRST}[choice]
        assert state.owner(WHITE) is white_owner
        assert state.owner(RED) is (white_owner and white_owner.opponent)
        for seat in pdd.Seat:
            color = state.color_of(seat)
            assert color is None if white_owner is None else state.owner(color or WHITE) is seat
        seat_to_move = {0: pdd.Seat.FIRST, 1: pdd.Seat.SECOND}.get(place)
        assert state.seat_to_move is (seat_to_move or (mover and state.owner(mover)))
        assert state.is_over is (state.phase is pdd.Phase.OVER)
        if place == len(play.actions):
            break
        action = play.actions[place]
        turns += not isinstance(action, pdd.ChooseColor)
        last = white_passed and mover is RED
        white_passed = white_passed or (mover is WHITE and action == pdd.Pass())
        if isinstance(action, pdd.ChooseColor):
            choice, mover = action.color, RED
        elif place == 0 or last or (mover is RED and action == pdd.Pass()):
            mover = None
        else:
            mover = RED if mover is WHITE else WHITE


@given(states(), st.data())
def test_a_pair_in_two_steps_in_either_order(state: pdd.GameState, data: st.DataObject) -> None:
    legal = state.legal_actions
    assume(legal.pairs)
    pair = data.draw(st.integers(0, len(legal.pairs) - 1).map(legal.pairs.__getitem__))
    after = state.apply(pair)
    for first, second in (pair.cells, pair.cells[::-1]):
        assert pdd.PlaceTiles(first, second) == pair
        half = state.step(pdd.PlaceTile(first))
        assert isinstance(half, pdd.HalfTurn)
        assert (half.state, half.first, half.is_over) == (state, first, False)
        assert (half.to_move, half.seat_to_move) == (state.to_move, state.seat_to_move)
        assert half.step(pdd.PlaceTile(second)) == after


@given(states(), st.data())
def test_a_half_turn_answers_what_its_state_answers(
    state: pdd.GameState, data: st.DataObject
) -> None:
    firsts = list(state.legal_actions.first_tiles)
    assume(firsts)
    half = state.step(pdd.PlaceTile(data.draw(st.sampled_from(firsts))))
    for name in ("rules", "position", "phase", "to_move", "seat_to_move", "turn", "bridges_left"):
        assert getattr(half, name) == getattr(state, name), name
    for color in pdd.Color:
        assert half.owner(color) is state.owner(color)
        assert half.tiles_left(color) == state.tiles_left(color)
        assert half.score(color) == state.score(color)
    for seat in pdd.Seat:
        assert half.color_of(seat) is state.color_of(seat)
    assert half.is_over is False
    assert half.outcome is None
    assert {step.cell for step in half.legal_steps if isinstance(step, pdd.PlaceTile)} == set(
        half.second_tiles
    )


@given(states())
def test_every_first_step_has_a_partner(state: pdd.GameState) -> None:
    for step in state.legal_steps:
        then = state.step(step)
        if isinstance(step, pdd.PlaceTile):
            assert isinstance(then, pdd.HalfTurn)
            assert then.second_tiles
            assert then.second_tiles == state.legal_actions.second_tiles(step.cell)
            assert list(then.legal_steps) == [pdd.PlaceTile(cell) for cell in then.second_tiles]
        else:
            assert then == state.apply(step)


@given(states(), st.data())
def test_a_cell_without_partner_is_refused_as_a_first_step(
    state: pdd.GameState, data: st.DataObject
) -> None:
    step = pdd.PlaceTile(data.draw(cells(state.rules.board)))
    assume(step not in state.legal_steps)
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.step(step)
    assert caught.value.violations == state.violations(step) != ()


# Updated, and recomputed


@given(states())
def test_a_state_is_what_its_pieces_make(state: pdd.GameState) -> None:
    setup = state.position.setup()
    position = pdd.Position.from_pieces(
        state.rules.board,
        # From the last cell back: no order in which the pieces come may matter.
        reversed(setup.white),
        reversed(setup.red),
        reversed(setup.bridges),
    )
    assert position == state.position
    again = pdd.GameState.from_position(
        position,
        rules=state.rules,
        to_move=state.to_move,
        white_owner=state.owner(WHITE),
        phase=state.phase,
    )
    assert again == state
    assert hash(again) == hash(state)
    assert again.turn == state.turn
    assert again.outcome == state.outcome
    assert_same_legality(again, state)


@given(plays())
def test_transpositions_are_equal(play: Play) -> None:
    # White's first two pairs change places. No bridge can stand before white's second turn, and
    # what is legal with more tiles down is legal with fewer.
    assume(len(play.actions) > 3)
    opening, choice, reply, second, *rest = play.actions
    assume(all(isinstance(each, pdd.PlaceTiles) for each in (opening, reply, second)))
    state = pdd.GameState.initial(play.last.rules)
    for action in (second, choice, reply, opening, *rest):
        state = state.apply(action)
    assert state == play.last
    assert hash(state) == hash(play.last)
    assert state.position == play.last.position
    assert pdd.format_state(state) == pdd.format_state(play.last)
    assert_same_legality(state, play.last)


@given(states())
def test_with_to_move(state: pdd.GameState) -> None:
    for color in pdd.Color:
        if state.phase not in (pdd.Phase.PLAY, pdd.Phase.LAST_TURN):
            with pytest.raises(pdd.InvalidPositionError):
                state.with_to_move(color)
            continue
        other = state.with_to_move(color)
        assert (other.phase, other.to_move) == (pdd.Phase.PLAY, color)
        assert (other.rules, other.position) == (state.rules, state.position)
        assert other.owner(WHITE) == state.owner(WHITE)
        assert (other == state) is (state.phase is other.phase and state.to_move is color)
        assert_same_legality(
            other,
            pdd.GameState.from_position(
                state.position, rules=state.rules, to_move=color, white_owner=state.owner(WHITE)
            ),
        )


# The outcome


@given(plays())
def test_scores_and_outcome(play: Play) -> None:
    for state in (*play.states[::5], play.last):
        white, red = (score_by_hand(state.position, color) for color in pdd.Color)
        assert (state.score(WHITE), state.score(RED)) == (white, red)
        outcome = state.outcome
        assert (outcome is not None) is state.is_over
        if outcome is None:
            continue
        compared = [(white.points, red.points, pdd.DecidedBy.POINTS)]
        for tiebreak in state.rules.tiebreaks:
            name = tiebreak.value
            compared.append((getattr(white, name), getattr(red, name), pdd.DecidedBy(name)))
        unequal = [row for row in compared if row[0] != row[1]]
        if unequal:
            of_white, of_red, decided_by = unequal[0]
            winner = WHITE if of_white > of_red else RED
            seat = state.owner(winner)
            assert outcome == pdd.Outcome(winner, seat, decided_by, white, red)
            assert [outcome.value(each) for each in pdd.Seat] == (
                [1, -1] if seat is pdd.Seat.FIRST else [-1, 1]
            )
        else:
            assert outcome == pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, white, red)
            assert [outcome.value(each) for each in pdd.Seat] == [0, 0]
        assert state.rules.decide(white, red) == (outcome.winner, outcome.decided_by)
