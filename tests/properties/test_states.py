"""Properties of the rules in every reachable state: steps, values, pieces, games, legality."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from math import sqrt
from random import Random
from typing import Any

import pytest
from attrs import evolve
from hypothesis import assume, find, given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing import strategies
from pontedeldiavolo.testing.strategies import half_turns, positions, states
from support.checks import assert_same_legality, error_of
from support.diagrams import RED, WHITE, state_of
from support.oracle_geometry import conceivable_actions
from support.sparse_states import DRAWN
from support.strategies import SMALL_RULES, cells, games, share


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
    # The first two pairs of white are exchanged. No bridge can be built before white's second
    # turn, and a pair that is legal with more tiles is legal with fewer.
    assume(len(play.actions) > 3)
    opening, choice, reply, second, *rest = play.actions
    assume(all(isinstance(each, pdd.PlaceTiles) for each in (opening, reply, second)))
    actions = (second, choice, reply, opening, *rest)
    state = pdd.Game.from_actions(play.state.rules, actions).state
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
        (state.rules, state.position, state.phase, state.to_move, state.owner(WHITE))
        for state in play.states()
    ]
    for (one, its), (other, others) in combinations(zip(play.states(), parts, strict=True), 2):
        assert (one == other) is (its == others)
        assert (one.position == other.position) is (one.position.setup() == other.position.setup())
    assert len(set(play.states())) == len(set(parts))


@share(0.5)
@given(positions())
def test_a_position_belongs_to_its_board(position: pdd.Position) -> None:
    board = position.board
    setup = position.setup()
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
        opening, choice, *rest = play.actions
        assert isinstance(choice, pdd.ChooseColor)
        other_choice = pdd.ChooseColor(choice.color.opponent)
        flipped = pdd.Game.from_actions(state.rules, [opening, other_choice, *rest]).state
        assert flipped != state
        assert flipped.position == state.position
        assert list(flipped.legal_actions) == list(state.legal_actions)
        assert flipped.owner(WHITE) is state.owner(RED)
    # A supply for more tiles than the board has cells changes nothing else.
    plenty = 1_000
    other_rules = pdd.Rules(state.rules.board, plenty, plenty, state.rules.tiebreaks)
    other = pdd.GameState.initial(other_rules)
    if state.rules.tiles_per_color is None and state.rules.bridges is None:
        other = pdd.Game.from_actions(other_rules, play.actions).state
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
    assert len(found.position.setup().bridges) == 1
    # Shrinking usually ends at three turns, but Hypothesis tries constants of all loaded modules,
    # so other tests in the process affect it.
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
        taken = position.color_at(cell) is not None
        white = evolve(setup, white=(*setup.white, cell))
        assert (cell in position.open_cells(WHITE)) == (not taken and not white.violations())
        red = evolve(setup, red=(*setup.red, cell))
        assert (cell in position.open_cells(RED)) == (not taken and not red.violations())


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
            and not evolve(setup, bridges=(*setup.bridges, bridge)).violations()
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
        pair = pdd.PlaceTiles(half.placed_tile, second.cell)
        assert half.is_legal(second) is state.is_legal(pair)
        assert half.violations(second) == state.violations(pair)
        assert (second in half.legal_steps) is state.is_legal(pair)
        if not state.is_legal(pair):
            error = error_of(pdd.IllegalActionError, half.step, second)
            assert error.violations == state.violations(pair)


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
        start = data.draw(bound) or 0
        stop = data.draw(st.integers(-length - 2, length + 2))
        if place % length in range(length)[start:stop]:
            assert legal.index(legal[place], start, stop) == place % length
        else:
            with pytest.raises(ValueError, match="is not in"):
                legal.index(legal[place], start, stop)
    step = data.draw(st.sampled_from([None, 1, 2, 7, -1, -3]))
    cut = slice(data.draw(bound), data.draw(bound), step)
    assert legal[cut] == tuple(listed[cut])
    for place in (length, -length - 1, 10**5000, -(10**30)):
        with pytest.raises(IndexError):
            legal[place]


@share(0.5)
@given(states())
def test_views_of_equal_states_are_equal(state: pdd.GameState) -> None:
    legal = state.legal_actions
    steps = state.legal_steps
    views = [legal, legal.pairs, legal.others, steps, steps.others]
    for same in (pdd.parse_state(pdd.format_state(state)), pickle.loads(pickle.dumps(state))):
        others = same.legal_actions, same.legal_steps
        twins = [others[0], others[0].pairs, others[0].others, others[1], others[1].others]
        assert twins == views
        assert [*map(hash, twins)] == [*map(hash, views)]
        assert pickle.loads(pickle.dumps(views)) == views
    different: list[object] = [steps, [*legal]]
    assert legal not in different
    for action in legal[:3]:
        assert (state.apply(action).legal_actions == legal) is False


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


# Five of a hundred cells are open. With so few cells, another way of sampling is used.
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
    bridges c7-e9
"""


@pytest.mark.parametrize("state", [*DRAWN.values(), state_of(LATE, RED)], ids=[*DRAWN, "late"])
def test_samples_are_uniform(state: pdd.GameState) -> None:
    legal = state.legal_actions
    for view in (legal, legal.pairs, state.legal_steps):
        rng = Random(2002)
        expected = 400
        counts = Counter(view.sample(rng) for _ in range(expected * len(view)))
        assert set(counts) == set(view)
        chi_square = sum((counts[item] - expected) ** 2 / expected for item in view)
        freedom = max(0, len(view) - 1)
        # A fair sample is within five standard deviations for all but one of a million seeds.
        assert chi_square < freedom + 5 * sqrt(2 * freedom) + 5
