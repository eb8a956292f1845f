"""States: what they tell, what may be done in them, and how one follows from another."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import combinations
from random import Random
from typing import Any

import pytest
from attrs import evolve, frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import (
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
    """The expected attributes of a state after an action."""

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


# Equality


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


# Legal actions and steps of one state


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


# Tile by tile


def test_a_half_turn_with_another_first_tile() -> None:
    half = GameState.initial().step(PlaceTile(cells("d4")[0]))
    assert isinstance(half, HalfTurn)
    other = evolve(half, first=cells("e5")[0])
    assert other == HalfTurn(half.state, cells("e5")[0]) != half
    assert other.second_tiles != half.second_tiles
    assert repr(half).startswith("HalfTurn(state=<GameState opening, white to move:")


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
