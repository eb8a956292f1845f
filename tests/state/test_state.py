"""States: their attributes, their legal actions, and transitions between them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo import GameState, HalfTurn, Phase, PlaceTile, Rules, Score, Seat
from support.checks import error_of
from support.diagrams import RED, WHITE, cells, faults_of, names, state_of


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
        # Only red passed, so the board shows three turns.
        ("w . w . r . r\nbridges a1-c1", {"phase": Phase.OVER, "tiles": 2}, 4),
        # Both passed, so the board shows two turns.
        ("w r w r", {"phase": Phase.OVER}, 4),
        # A single tile counts as a pair.
        ("w w w . r", {}, 3),
    ],
)
def test_turns_follow_from_pieces_and_phase(
    diagram: str, arguments: dict[str, Any], turn: int
) -> None:
    assert state_of(diagram, **arguments).turn == turn


HARBOUR = """
    5 w w . w . .
    4 w w . . . r
    3 . . . w . .
    2 r . r w . w
    1 r r . w . w
      a b c d e f
"""


@pytest.mark.parametrize(
    "changed",
    [
        *({"to_move": RED}, {"white_owner": Seat.SECOND}, {"tiles": 40}, {"bridges": 0}),
        *({"tiebreaks": ()}, {"phase": Phase.OVER, "tiles": 3}, {"diagram": "w w . r ."}),
    ],
)
def test_states_that_differ(changed: dict[str, Any]) -> None:
    state = state_of("w w . . r")
    assert state != state_of(**{"diagram": "w w . . r", **changed})
    assert state != "w w . . r"


def test_the_repr_of_a_state() -> None:
    assert repr(state_of("w . r", RED)) == (
        "<GameState play, red to move: <Position 3x1 white=['a1'] red=['c1'] bridges=[]>>"
    )
    assert "nobody to move" in repr(state_of("w . w", phase=Phase.COLOR_CHOICE))


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (GameState.initial(), "wrong-phase"),
        (state_of("w . w", phase=Phase.COLOR_CHOICE), "wrong-phase"),
        (state_of("w r w r", phase=Phase.OVER), "game-over"),
    ],
)
def test_with_to_move_needs_colours_that_move(state: GameState, fault: str) -> None:
    error = error_of(pdd.InvalidPositionError, state.with_to_move, RED)
    assert faults_of(error.violations) == [fault]


def test_the_value_of_an_outcome_for_both_seats() -> None:
    won = state_of("2 w w w w .\n1 . . . . .", phase=Phase.OVER, white_owner=Seat.SECOND).outcome
    assert won is not None
    assert (won.winner, won.winning_seat) == (WHITE, Seat.SECOND)
    assert (won.value(Seat.SECOND), won.value(Seat.FIRST)) == (1, -1)
    drawn = state_of("w r w r", phase=Phase.OVER).outcome
    assert drawn is not None
    assert (drawn.winner, drawn.winning_seat) == (None, None)
    assert (drawn.value(Seat.SECOND), drawn.value(Seat.FIRST)) == (0, 0)


def test_a_half_turn_with_another_first_tile() -> None:
    half = GameState.initial().step(PlaceTile(cells("d4")[0]))
    assert isinstance(half, HalfTurn)
    other = evolve(half, placed_tile=cells("e5")[0])
    assert other == HalfTurn(half.state, cells("e5")[0]) != half
    assert other.second_tiles != half.second_tiles
    assert repr(half).startswith("HalfTurn(state=<GameState opening, white to move:")


def test_threads_can_share_a_state() -> None:
    def look(state: GameState, seed: int) -> tuple[object, ...]:
        legal = state.legal_actions
        after = state.apply(legal.sample(Random(seed)))
        counted = len(legal), legal[len(legal) // 2], names(legal.first_tiles), state.score(WHITE)
        return (*counted, pdd.format_state(after) != pdd.format_state(state), hash(state))

    for tiles in (None, 20, 30, 40):
        state = state_of(HARBOUR, tiles=tiles)
        with ThreadPoolExecutor(8) as pool:
            seen = list(pool.map(look, [state] * 64, range(64)))
        assert len(seen) == 64
        assert set(seen) == {look(state_of(HARBOUR, tiles=tiles), 0)}


def test_states_from_integers_are_checked() -> None:
    state = state_of("w . w . r\nbridges a1-c1")
    white, red, bridges = state.pieces.key()
    assert pdd.GameState.from_sets(state.rules, white, red, bridges) == state
    for wrong in ((white, white, bridges), (white, red, bridges << 8)):
        with pytest.raises(pdd.InvalidPositionError):
            pdd.GameState.from_sets(state.rules, *wrong)
    for wrong in ((1 << 5, red, bridges), (white, -1, bridges), (white, red, 1 << 1)):
        with pytest.raises(pdd.PonteError, match="stand for nothing on this board"):
            pdd.GameState.from_sets(state.rules, *wrong)


def test_states_from_integers_are_not_checked_by_name() -> None:
    state = state_of("w . w . r\nbridges a1-c1")
    again = pdd.GameState.from_sets_unchecked(
        state.rules,
        *state.pieces.key(),
        to_move=state.to_move,
        white_owner=state.owner(pdd.Color.WHITE),
        phase=state.phase,
    )
    assert again == state
    assert again.legal_actions == state.legal_actions


def test_pieces_and_tables_are_immutable() -> None:
    pieces: Any = state_of("w . w . r").pieces
    for value, name in ((pieces, "blocked"), (pieces.geometry, "full")):
        with pytest.raises(AttributeError):
            setattr(value, name, 0)
        with pytest.raises(AttributeError):
            delattr(value, name)
        with pytest.raises(TypeError, match="are those of a"):
            type(value)()
    assert repr(pieces) == "<Pieces 5x1 white=0x5 red=0x10 bridges=0x0>"
    assert repr(pieces.geometry) == "<Geometry 5x1>"
    assert pieces == state_of("w . w . r").pieces != state_of("w . w r .").pieces
    assert pieces != 5
    assert hash(pieces) == hash(state_of("w . w . r").pieces)
