"""Errors about the rules that programs have made."""

from __future__ import annotations

from itertools import product

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, DecidedBy, Phase, Score, Seat, Tiebreak
from support.diagrams import (
    RED,
    SCORING,
    WHITE,
    act,
    bridge,
    cells,
    faults_of,
    names,
    play,
    state_of,
)


def test_a_ring_of_bridges_counts_every_island_once() -> None:
    state = state_of("""
        5 w w . w w
        4 w w . w w
        3 . . . . .
        2 w w . w w
        1 w w . w w
          a b c d e
        bridges b1-d1 d2-d4 b5-d5
    """)
    assert play(state, "a2-a4").score(WHITE) == Score(points=10, islands=4, bridges=4)


# Tiles that exclude each other, and passing


def test_two_cells_far_apart_exclude_each_other() -> None:
    state = state_of("""
        1 . w w w . r w w . w w
          a b c d e f g h i j k
    """)
    assert names(state.position.open_cells(WHITE)) == "a1 e1"
    assert faults_of(state.violations(act("a1,e1"))) == ["group-too-large a1 b1 c1 d1 e1"]
    assert len(state.legal_actions.pairs) == 0
    assert not state.legal_actions.pairs
    for click in ("a1", "e1"):
        assert faults_of(state.violations(act(click))) == [f"no-partner {click}"]
        assert not state.is_legal(act(click))
    # Although a bridge can be built, passing is legal.
    assert list(map(pdd.format_action, state.legal_actions)) == ["h1-j1", "pass"]


def test_two_cells_of_an_island_and_its_neighbour_exclude_each_other() -> None:
    state = state_of("w w w . . . .")
    assert names(state.position.open_cells(WHITE)) == "d1 e1 f1 g1"
    assert faults_of(state.violations(act("d1,e1"))) == ["group-too-large a1 b1 c1 d1 e1"]
    assert names(state.legal_actions.second_tiles(*cells("d1"))) == "f1 g1"
    assert names(state.legal_actions.second_tiles(*cells("e1"))) == "f1 g1"


def test_zugzwang_a_pair_must_be_placed_though_it_spoils_an_island() -> None:
    state = state_of("""
        2 . r r r .
        1 . w w w r
          a b c d e
    """)
    assert list(map(pdd.format_action, state.legal_actions)) == ["a2,e2"]
    assert faults_of(state.violations(act("pass"))) == ["pair-exists"]
    after = play(state, "a2,e2")
    assert cells("a1")[0] in state.position.open_cells(WHITE)
    assert names(after.position.open_cells(WHITE)) == ""
    assert after.score(WHITE).points == 0


def test_passing_is_legal_when_the_supply_is_short() -> None:
    diagram = "w . w . . . r . r"
    assert act("pass") not in state_of(diagram).legal_actions
    short = state_of(diagram, tiles=3)
    assert short.tiles_left(WHITE) == 1
    assert list(map(pdd.format_action, short.legal_actions)) == ["a1-c1", "pass"]
    empty = state_of(diagram, tiles=2, bridges=0)
    assert list(map(pdd.format_action, empty.legal_actions)) == ["pass"]


# The end of the game


def test_red_has_exactly_one_turn_after_white_passes() -> None:
    # Red has two tiles left and white none. White passes although a bridge is possible.
    state = state_of("w w . w w . . r . . . .", tiles=4, bridges=5)
    assert list(map(pdd.format_action, state.legal_actions)) == ["b1-d1", "pass"]
    passed = play(state, "pass")
    assert (passed.phase, passed.to_move) == (Phase.LAST_TURN, RED)
    over = play(passed, "f1,k1")
    assert (over.phase, over.to_move, over.seat_to_move) == (Phase.OVER, None, None)
    # White could still build, but the game is over.
    assert over.position.open_bridges(WHITE) == (bridge("b1-d1"),)
    assert list(over.legal_actions) == []
    assert faults_of(over.violations(act("b1-d1"))) == ["game-over"]


def test_red_may_build_or_pass_on_the_last_turn() -> None:
    diagram = "w r . r w"
    passed = play(state_of(diagram), "pass")
    assert list(map(pdd.format_action, passed.legal_actions)) == ["b1-d1", "pass"]
    assert play(passed, "b1-d1").is_over
    assert play(passed, "pass").is_over
    assert play(passed, "b1-d1").score(RED).bridges == 1


def test_the_game_is_over_at_once_when_red_passes() -> None:
    state = state_of("2 . . . . .\n1 r r r r .", RED)
    assert list(map(pdd.format_action, state.legal_actions)) == ["pass"]
    over = play(state, "pass")
    assert over.phase is Phase.OVER
    # Every free cell is open to white, but that does not matter.
    assert len(state.with_to_move(WHITE).legal_actions.pairs) == 15


def test_red_may_pass_as_red_s_first_move() -> None:
    state = play(pdd.GameState.initial(pdd.Rules(pdd.Board(2, 1))), "a1,b1", "white")
    assert (state.phase, state.to_move) == (Phase.PLAY, RED)
    assert list(state.legal_actions) == [pdd.Pass()]
    assert play(state, "pass").is_over


def test_white_s_opening_may_be_stopped_by_the_supply() -> None:
    state = play(pdd.GameState.initial(pdd.Rules(tiles_per_color=1)), "pass", "red")
    assert (state.phase, state.seat_to_move) == (Phase.LAST_TURN, Seat.SECOND)


# Seats


@pytest.mark.parametrize(("choice", "red"), [("white", Seat.FIRST), ("red", Seat.SECOND)])
def test_red_moves_after_the_choice(choice: str, red: Seat) -> None:
    state = pdd.GameState.initial()
    movers = []
    for text in ("d4,g7", choice, "a1,b2", "j10,i9", "a10,b9"):
        movers.append((state.seat_to_move, state.to_move))
        state = play(state, text)
    assert movers[:2] == [(Seat.FIRST, WHITE), (Seat.SECOND, None)]
    assert movers[2:] == [(red, RED), (red.opponent, WHITE), (red, RED)]
    assert (state.owner(WHITE), state.owner(RED)) == (red.opponent, red)


# The winner

TWO_ISLANDS_AGAINST_THREE = """
    5 r r . w w . r r
    4 r r . w w . r r
    3 . . . . . . . .
    2 w w . . . . r r
    1 w w . . . . r r
      a b c d e f g h
    bridges b2-d4
"""

ONE_BRIDGE_AGAINST_TWO = """
    5 w w . w w .
    4 w w . w w .
    3 . . . . . .
    2 r r . r r .
    1 r r . r r .
      a b c d e f
    bridges b4-d4 b1-d1 b2-d2
"""

ALL_EQUAL = """
    5 w w . w w .
    4 w w . w w .
    3 . . . . . .
    2 r r . r r .
    1 r r . r r .
      a b c d e f
    bridges b4-d4 b1-d1
"""

ISLANDS = Tiebreak.ISLANDS
BRIDGES = Tiebreak.BRIDGES


@pytest.mark.parametrize(
    ("diagram", "tiles", "tiebreaks", "winner", "decided_by"),
    [
        (TWO_ISLANDS_AGAINST_THREE, 12, (ISLANDS, BRIDGES), RED, DecidedBy.ISLANDS),
        (TWO_ISLANDS_AGAINST_THREE, 12, (BRIDGES, ISLANDS), WHITE, DecidedBy.BRIDGES),
        (TWO_ISLANDS_AGAINST_THREE, 12, (), None, DecidedBy.NOTHING),
        (ONE_BRIDGE_AGAINST_TWO, 8, (ISLANDS, BRIDGES), RED, DecidedBy.BRIDGES),
        (ONE_BRIDGE_AGAINST_TWO, 8, (ISLANDS,), None, DecidedBy.NOTHING),
        (ONE_BRIDGE_AGAINST_TWO, 8, (), None, DecidedBy.NOTHING),
        (ALL_EQUAL, 8, (ISLANDS, BRIDGES), None, DecidedBy.NOTHING),
        (SCORING, 18, (), WHITE, DecidedBy.POINTS),
    ],
)
def test_tie_breaks(
    diagram: str,
    tiles: int,
    tiebreaks: tuple[Tiebreak, ...],
    winner: Color | None,
    decided_by: DecidedBy,
) -> None:
    state = state_of(
        diagram, phase=Phase.OVER, tiles=tiles, tiebreaks=tiebreaks, white_owner=Seat.SECOND
    )
    outcome = state.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.decided_by) == (winner, decided_by)
    assert outcome.winning_seat is (None if winner is None else state.owner(winner))
    assert state.rules.decide(outcome.white, outcome.red) == (winner, decided_by)


def test_a_bridge_on_the_last_turn_breaks_the_tie() -> None:
    state = state_of(ALL_EQUAL, WHITE, tiles=8)
    assert play(state, "pass", "b2-d2").outcome == pdd.Outcome(
        RED, Seat.SECOND, DecidedBy.BRIDGES, Score(3, 2, 1), Score(3, 2, 2)
    )
    assert pdd.presets.WIKIPEDIA.decide(Score(3, 2, 1), Score(3, 2, 2)) == (None, DecidedBy.NOTHING)


def test_islands_upwards_and_downwards_on_a_board_of_many_rows() -> None:
    for side, (island, touching) in product(
        "ac", (("x14 x15 x16", "x13,b17"), ("x10 x11 x12", "x13,b9"))
    ):
        white = cells(island.replace("x", side))
        position = pdd.Position.from_pieces(pdd.Board(3, 30), white, cells("b22 b25 b28"))
        state = pdd.GameState.from_position(position)
        assert not state.is_legal(act(touching.replace("x", side)))
        assert state.is_legal(act(f"{side}13,b19"))
