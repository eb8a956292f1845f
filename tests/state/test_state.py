"""States: what they tell, what may be done in them, and how one follows from another."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from random import Random
from typing import Any

import pytest
from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import (
    BuildBridge,
    CellSet,
    ChooseColor,
    Color,
    DecidedBy,
    GameState,
    HalfTurn,
    Outcome,
    Pass,
    Phase,
    PlaceTile,
    PlaceTiles,
    Rules,
    Score,
    Seat,
)
from support.diagrams import RED, WHITE, act, cells, faults_of, names, play, state_of

# A short game, move by move

ROW = Rules(pdd.Board(7, 1), tiles_per_color=3, bridges=2)


@frozen
class Moment:
    """What a state should tell after an action."""

    text: str
    phase: Phase
    to_move: Color | None
    seat: Seat | None
    turn: int
    white_left: int
    red_left: int
    bridges_left: int
    legal: str


TEN_PAIRS = "b1,d1 b1,e1 b1,f1 b1,g1 d1,e1 d1,f1 d1,g1 e1,f1 e1,g1 f1,g1"

GAME = [
    Moment("c1,a1", Phase.COLOR_CHOICE, None, Seat.SECOND, 1, 1, 3, 2, "white red"),
    Moment("white", Phase.PLAY, RED, Seat.FIRST, 1, 1, 3, 2, TEN_PAIRS),
    Moment("e1,g1", Phase.PLAY, WHITE, Seat.SECOND, 2, 1, 1, 2, "a1-c1 pass"),
    Moment("a1-c1", Phase.PLAY, RED, Seat.FIRST, 3, 1, 1, 1, "e1-g1 pass"),
    Moment("e1-g1", Phase.PLAY, WHITE, Seat.SECOND, 4, 1, 1, 0, "pass"),
    Moment("pass", Phase.LAST_TURN, RED, Seat.FIRST, 5, 1, 1, 0, "pass"),
    Moment("pass", Phase.OVER, None, None, 6, 1, 1, 0, ""),
]


def test_a_short_game() -> None:
    state = GameState.initial(ROW)
    assert (state.phase, state.to_move, state.seat_to_move) == (Phase.OPENING, WHITE, Seat.FIRST)
    assert (state.turn, state.is_over, state.outcome) == (0, False, None)
    for moment in GAME:
        before = state
        state = play(before, moment.text)
        assert (state.phase, state.to_move) == (moment.phase, moment.to_move)
        assert state.seat_to_move is moment.seat
        assert state.turn == moment.turn
        assert state.tiles_left(WHITE) == moment.white_left
        assert state.tiles_left(RED) == moment.red_left
        assert state.bridges_left == moment.bridges_left
        assert state.is_over is (moment.phase is Phase.OVER)
        assert (state.outcome is not None) is state.is_over
        assert state.rules is ROW
        assert names(map(pdd.format_action, state.legal_actions)) == moment.legal
        if moment.phase is Phase.COLOR_CHOICE:
            assert (state.owner(WHITE), state.color_of(Seat.FIRST)) == (None, None)
        else:
            assert (state.owner(WHITE), state.owner(RED)) == (Seat.SECOND, Seat.FIRST)
            assert (state.color_of(Seat.FIRST), state.color_of(Seat.SECOND)) == (RED, WHITE)
    assert state.outcome == Outcome(None, None, DecidedBy.NOTHING, Score(0, 0, 1), Score(0, 0, 1))
    assert pdd.format_setup(state.position.setup()) == (
        "1 w . w . r . r\n  a b c d e f g\nbridges a1-c1 e1-g1"
    )


def test_the_initial_state() -> None:
    state = GameState.initial()
    assert state.rules == Rules()
    assert GameState.initial(pdd.presets.ORIGINAL).rules == pdd.presets.ORIGINAL
    assert len(state.legal_actions) == 4950
    assert (state.owner(WHITE), state.owner(RED)) == (None, None)
    assert (state.color_of(Seat.FIRST), state.color_of(Seat.SECOND)) == (None, None)
    assert (state.tiles_left(WHITE), state.tiles_left(RED), state.bridges_left) == (None,) * 3
    assert state.score(WHITE) == Score(0, 0, 0)
    assert state.position == pdd.Position.from_pieces(pdd.Board())


@pytest.mark.parametrize(
    ("diagram", "arguments", "turn"),
    [
        (". . .", {"phase": Phase.OPENING}, 0),
        ("w . w", {"phase": Phase.COLOR_CHOICE}, 1),
        (".", {"phase": Phase.COLOR_CHOICE}, 1),
        (".", {"phase": Phase.LAST_TURN, "to_move": RED}, 1),
        (".", {"phase": Phase.OVER}, 2),
        ("w . w . r . r\nbridges a1-c1", {"to_move": RED}, 3),
        ("w r w r", {"phase": Phase.LAST_TURN, "to_move": RED}, 3),
        # Red alone passed: three turns lie on the board.
        ("w . w . r . r\nbridges a1-c1", {"phase": Phase.OVER, "tiles": 2}, 4),
        # Both passed: two turns lie on the board.
        ("w r w r", {"phase": Phase.OVER}, 4),
        # An odd tile counts as a pair.
        ("w w w . r", {}, 3),
    ],
)
def test_turns_follow_from_pieces_and_phase(
    diagram: str, arguments: dict[str, Any], turn: int
) -> None:
    assert state_of(diagram, **arguments).turn == turn


# Applying


HARBOUR = """
    5 w w . w . .
    4 w w . . . r
    3 . . . w . .
    2 r . r w . w
    1 r r . w . w
      a b c d e f
"""


@pytest.mark.parametrize("to_move", list(Color))
def test_applying_unchecked_gives_the_same(to_move: Color) -> None:
    state = state_of(HARBOUR, to_move)
    kinds = set()
    for action in state.legal_actions:
        after = state.apply(action)
        assert after == state.apply_unchecked(action)
        assert after.to_move is to_move.opponent
        kinds.add(type(action))
    assert kinds == {PlaceTiles, BuildBridge}


def test_applying_leaves_the_old_state_as_it_was() -> None:
    state = state_of(HARBOUR)
    before = pdd.format_state(state)
    after = play(state, "b2,e4")
    assert pdd.format_state(state) == before
    assert names(after.position.tiles(WHITE) - state.position.tiles(WHITE)) == "b2 e4"


def test_the_order_of_a_pair_does_not_matter() -> None:
    state = state_of(HARBOUR)
    assert play(state, "b2,e4") == play(state, "e4,b2")


# Equality


def test_states_are_equal_however_they_came_about() -> None:
    start = GameState.initial()
    one = play(start, "a1,b1", "red", "j1,j2", "a4,b4", "i9,j9")
    other = play(start, "a4,b4", "red", "i9,j9", "a1,b1", "j1,j2")
    assert one == other
    assert hash(one) == hash(other)
    assert pdd.format_state(one) == pdd.format_state(other)
    drawn = GameState.from_position(one.position, white_owner=Seat.FIRST, to_move=WHITE)
    assert drawn == one


@pytest.mark.parametrize(
    "other",
    [
        state_of("w w . . r", RED),
        state_of("w w . . r", white_owner=Seat.SECOND),
        state_of("w w . . r", tiles=40),
        state_of("w w . . r", bridges=0),
        state_of("w w . . r", tiebreaks=()),
        state_of("w w . r ."),
        state_of("w w . . r", phase=Phase.OVER, tiles=3),
        "w w . . r",
    ],
)
def test_states_that_differ(other: object) -> None:
    assert state_of("w w . . r") != other


def test_the_repr_of_a_state() -> None:
    assert repr(state_of("w . r", RED)) == (
        "<GameState play, red to move: <Position 3x1 white=['a1'] red=['c1'] bridges=[]>>"
    )
    assert "nobody to move" in repr(state_of("w . w", phase=Phase.COLOR_CHOICE))


# If it were the other colour's turn


def test_with_another_colour_to_move() -> None:
    state = state_of(HARBOUR)
    red = state.with_to_move(RED)
    assert (red.to_move, red.phase, red.seat_to_move) == (RED, Phase.PLAY, Seat.SECOND)
    assert red.position == state.position
    assert red.with_to_move(WHITE) == state
    assert state.with_to_move(WHITE) == state


def test_with_to_move_on_the_last_turn_gives_play() -> None:
    last = play(state_of("w r . r w"), "pass")
    assert last.phase is Phase.LAST_TURN
    for color in Color:
        state = last.with_to_move(color)
        assert (state.phase, state.to_move) == (Phase.PLAY, color)
    assert not play(last.with_to_move(RED), "b1-d1").is_over


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (GameState.initial(), "wrong-phase"),
        (state_of("w . w", phase=Phase.COLOR_CHOICE), "wrong-phase"),
        (state_of("w r w r", phase=Phase.OVER), "game-over"),
    ],
)
def test_with_to_move_needs_colours_that_move(state: GameState, fault: str) -> None:
    with pytest.raises(pdd.InvalidPositionError) as caught:
        state.with_to_move(RED)
    assert faults_of(caught.value.faults) == [fault]


# The outcome


def test_the_value_of_an_outcome_for_both_seats() -> None:
    won = state_of("2 w w w w .\n1 . . . . .", phase=Phase.OVER, white_owner=Seat.SECOND).outcome
    assert won is not None
    assert (won.winner, won.winning_seat) == (WHITE, Seat.SECOND)
    assert (won.value(Seat.SECOND), won.value(Seat.FIRST)) == (1, -1)
    drawn = state_of("w r w r", phase=Phase.OVER).outcome
    assert drawn is not None
    assert (drawn.winner, drawn.winning_seat) == (None, None)
    assert (drawn.value(Seat.SECOND), drawn.value(Seat.FIRST)) == (0, 0)


def test_the_score_is_known_at_any_time() -> None:
    assert state_of(HARBOUR).score(WHITE) == Score(1, 1, 0)
    assert state_of(HARBOUR).score(RED) == Score(0, 0, 0)


# Legal actions and steps of one state


def test_the_legal_actions_of_a_state_are_a_sequence() -> None:
    legal = state_of("w . w . . .").legal_actions
    texts = ["b1,d1", "b1,e1", "b1,f1", "d1,e1", "d1,f1", "e1,f1", "a1-c1"]
    # Together b1 and d1 make the island a1 to d1.
    assert list(map(pdd.format_action, legal)) == texts
    assert (len(legal), bool(legal), legal.count(act("a1-c1"))) == (7, True, 1)
    assert [legal[place] for place in range(-7, 7)] == list(legal) * 2
    assert legal[1:3] == (act("b1,e1"), act("b1,f1"))
    assert legal[::-3] == (act("a1-c1"), act("d1,e1"), act("b1,d1"))
    assert [legal.index(action) for action in legal] == list(range(7))
    assert sorted(legal) == list(legal)
    assert repr(legal) == "<LegalActions of 7>"
    for place in (7, -8):
        with pytest.raises(IndexError):
            legal[place]
    missing: list[object] = [act("a1,b1"), act("b1,z9"), act("c1-a3"), act("b1"), "b1,d1", Pass()]
    for value in missing:
        assert value not in legal
        assert legal.count(value) == 0
        with pytest.raises(ValueError, match="not in the view"):
            legal.index(value)
    with pytest.raises(ValueError, match="not in the view"):
        legal.index(act("a1-c1"), 0, 6)
    assert legal.index(act("a1-c1"), 3) == 6


def test_the_parts_of_legal_actions() -> None:
    legal = state_of("w . w . . .").legal_actions
    assert names(legal.first_tiles) == "b1 d1 e1 f1"
    assert names(legal.second_tiles(*cells("b1"))) == "d1 e1 f1"
    for text in ("a1", "z9"):
        assert names(legal.second_tiles(*cells(text))) == ""
    assert legal.bridges == (act("a1-c1"),)
    assert legal.bridges_from(*cells("c1")) == (act("a1-c1"),)
    assert legal.bridges_from(*cells("b1")) == legal.bridges_from(*cells("z9")) == ()
    assert len(legal.pairs) == 6
    assert repr(legal.pairs) == "<Pairs of 6>"
    assert [legal.pairs.index(pair) for pair in legal.pairs] == list(range(6))
    assert act("a1-c1") not in legal.pairs


def test_drawing_when_the_open_cells_exclude_each_other() -> None:
    rng = Random(7)
    # With any two of the eight cells around the three there would be five.
    around_three = state_of("3 r . . . r\n2 . w w w .\n1 r . . . r").legal_actions
    assert {around_three.sample(rng) for _ in range(100)} == {Pass()}
    with_bridge = state_of("1 . w w w . r w w . w w").legal_actions
    assert {with_bridge.sample(rng) for _ in range(100)} == {act("h1-j1"), Pass()}


CROWDED = [
    "5 . . . . .\n4 . . . . .\n3 w . . . .\n2 . . . . .\n1 . w w . .",
    "4 . . . . .\n3 . . . . .\n2 . . . . w\n1 w . . w .",
    "4 . . . . .\n3 . . . . .\n2 . . . . .\n1 w . . w .",
    "5 . . w . .\n4 . . . . .\n3 w . . . w\n2 . . . . .\n1 . . w . .",
    "4 w . w . w\n3 . . . . .\n2 w . r . w\n1 . w . w .",
    "4 . . . . .\n3 . w w w .\n2 . . . . .\n1 . . w . .",
    "5 w w . . .\n4 w w . . .\n3 . . . . w\n2 . . . w .\n1 r . r . .\nbridges a1-c1",
]


@pytest.mark.parametrize("diagram", CROWDED)
def test_pairs_are_legal_exactly_when_they_break_no_rule(diagram: str) -> None:
    state = state_of(diagram)
    board = state.rules.board
    expected = [
        PlaceTiles(one, other)
        for one, other in combinations(board.cells, 2)
        if not state.violations(PlaceTiles(one, other))
    ]
    pairs = state.legal_actions.pairs
    assert list(pairs) == expected
    assert len(pairs) == len(expected)
    assert [pairs[place] for place in range(len(pairs))] == expected
    halves = {cell for pair in expected for cell in pair.cells}
    assert names(state.legal_actions.first_tiles) == names(sorted(halves))


def test_the_legal_steps_of_a_state() -> None:
    state = state_of("1 w w w . . r w . w")
    # Either end of the three excludes what would make five.
    assert names(map(pdd.format_action, state.legal_actions)) == "d1,h1 e1,h1 g1-i1"
    steps = state.legal_steps
    assert list(steps) == [PlaceTile(cell) for cell in cells("d1 e1 h1")] + [act("g1-i1")]
    assert [steps[place] for place in range(4)] == list(steps)
    assert [steps.index(step) for step in steps] == [0, 1, 2, 3]
    assert (len(steps), bool(steps), steps[-1]) == (4, True, act("g1-i1"))
    assert repr(steps) == "<LegalSteps of 4>"
    strangers: list[object] = [act("a1"), act("z9"), act("d1,h1"), Pass(), "d1"]
    assert not any(stranger in steps for stranger in strangers)
    assert steps.sample(Random(1)) in steps
    choice = state_of("w . w", phase=Phase.COLOR_CHOICE).legal_steps
    assert list(choice) == [ChooseColor(WHITE), ChooseColor(RED)]


# Tile by tile


def test_a_half_turn() -> None:
    state = state_of(HARBOUR, white_owner=Seat.SECOND)
    half = state.step(PlaceTile(*cells("b2")))
    assert isinstance(half, HalfTurn)
    assert (half.state, half.first) == (state, cells("b2")[0])
    assert (half.to_move, half.seat_to_move, half.is_over) == (WHITE, Seat.SECOND, False)
    assert isinstance(half.second_tiles, CellSet)
    assert half.second_tiles == state.legal_actions.second_tiles(half.first)
    assert [step for step in half.legal_steps if isinstance(step, PlaceTile)] == [
        PlaceTile(cell) for cell in half.second_tiles
    ]
    assert len(half.legal_steps) == len(half.second_tiles)
    assert half == HalfTurn(state, cells("b2")[0])


def test_other_steps_are_whole_turns() -> None:
    assert state_of("w . w").step(act_step("a1-c1")) == play(state_of("w . w"), "a1-c1")
    assert state_of("w . w").step(Pass()) == play(state_of("w . w"), "pass")
    choice = state_of("w . w", phase=Phase.COLOR_CHOICE)
    assert choice.step(ChooseColor(RED)) == choice.apply(ChooseColor(RED))


def act_step(text: str) -> pdd.Step:
    """Return a step that a text writes."""
    step = act(text)
    assert isinstance(step, pdd.Step)
    return step


@pytest.mark.parametrize(
    ("click", "fault"),
    [("a1", "no-partner a1"), ("b1", "occupied b1"), ("z9", "off-board z9")],
)
def test_half_turns_begin_with_a_tile_that_has_a_partner(click: str, fault: str) -> None:
    state = state_of("1 . w w w . r r")
    cell = cells(click)[0]
    begins: list[Callable[[], object]] = [
        lambda: state.step(PlaceTile(cell)),
        lambda: HalfTurn(state, cell),
    ]
    for begin in begins:
        with pytest.raises(pdd.IllegalActionError) as caught:
            begin()
        assert faults_of(caught.value.violations) == [fault]


# Threads


def test_threads_can_share_a_state() -> None:
    def look(state: GameState, seed: int) -> tuple[object, ...]:
        legal = state.legal_actions
        sampled = legal.sample(Random(seed))
        return (
            len(legal),
            legal[len(legal) // 2],
            names(legal.first_tiles),
            state.score(WHITE),
            pdd.format_state(state.apply(sampled)) != pdd.format_state(state),
            hash(state),
        )

    for tiles in (None, 20, 30, 40):
        state = state_of(HARBOUR, tiles=tiles)
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(look, [state] * 64, range(64)))
        assert len(seen) == 64
        assert set(seen) == {look(state_of(HARBOUR, tiles=tiles), 0)}
