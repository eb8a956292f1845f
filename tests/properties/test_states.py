"""Properties of the rules in every reachable state: steps, values, pieces, games."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, positions, states
from support.checks import assert_same_legality
from support.diagrams import RED, WHITE
from support.strategies import SMALL_RULES, games, share


@given(half_turns())
def test_a_half_turn_answers_what_its_state_answers(half: pdd.HalfTurn) -> None:
    state = half.state
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


@given(strategies.games())
def test_transpositions_are_equal(play: pdd.Game) -> None:
    # White's first two pairs change places. No bridge can stand before white's second turn, and
    # what is legal with more tiles down is legal with fewer.
    assume(len(play.actions) > 3)
    opening, choice, reply, second, *rest = play.actions
    assume(all(isinstance(each, pdd.PlaceTiles) for each in (opening, reply, second)))
    state = pdd.GameState.initial(play.state.rules)
    for action in (second, choice, reply, opening, *rest):
        state = state.apply(action)
    assert state == play.state
    assert hash(state) == hash(play.state)
    assert state.position == play.state.position
    assert pdd.format_state(state) == pdd.format_state(play.state)
    assert_same_legality(state, play.state)


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


@given(states(), st.data())
def test_color_at_and_group_at_agree_with_the_sets(
    state: pdd.GameState, data: st.DataObject
) -> None:
    position = state.position
    cell = data.draw(st.sampled_from(state.rules.board.cells))
    holders = [color for color in pdd.Color if cell in position.tiles(color)]
    assert position.color_at(cell) == (holders[0] if holders else None)
    group = position.group_at(cell)
    if group is None:
        assert not holders
    else:
        assert group in position.groups(holders[0])
        assert cell in group.cells


@given(games(SMALL_RULES))
def test_the_result_names_the_winner(game: pdd.Game) -> None:
    seat = game.winning_seat
    if game.ending is None:
        assert (game.result, seat) == ("*", None)
    elif seat is None:
        assert game.result == "draw"
    else:
        color = game.state.color_of(seat)
        assert game.result == (seat.value if color is None else color.value)
    if game.ending is not None:
        with pytest.raises(pdd.IllegalActionError):
            game.play("pass")
        with pytest.raises(pdd.IllegalActionError):
            game.end(pdd.Ending.AGREEMENT)


LITTLE = settings(database=None, derandomize=True, max_examples=500)


def test_states_shrink_to_few_pieces_on_a_small_board() -> None:
    found = find(strategies.states(), lambda state: bool(state.position.blocked), settings=LITTLE)
    assert len(found.rules.board) <= 12
    assert len(found.position.bridges(pdd.Color.WHITE) + found.position.bridges(pdd.Color.RED)) == 1
    # Hypothesis draws constants of all loaded modules, so other tests in the process change where
    # it gets stuck: mostly at three turns.
    assert found.turn <= 6


@pytest.mark.parametrize("phase", pdd.Phase)
def test_a_phase_is_reached(phase: pdd.Phase) -> None:
    @share(0.2)
    @given(strategies.states(SMALL_RULES, phase))
    def check(state: pdd.GameState) -> None:
        assert state.phase is phase

    check()


def test_an_error_within_play_names_the_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    right = strategies.chosen

    def wrong(state: pdd.GameState, *arguments: int, **options: bool) -> pdd.Action:
        if state.turn == 2:
            raise ZeroDivisionError
        return right(state, *arguments, **options)

    monkeypatch.setattr(strategies, "chosen", wrong)
    with pytest.raises(ZeroDivisionError) as caught:
        find(strategies.states(pdd.Rules(pdd.Board(3, 3))), lambda _: False, settings=LITTLE)
    rules = "3x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
    assert f"{rules}: a1,b1 white " in "\n".join(caught.value.__notes__)
