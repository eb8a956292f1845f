"""The errors: what they are, what they carry, and that they can be sent elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from support.diagrams import state_of

KINDS = [
    pdd.NotationError,
    pdd.IllegalActionError,
    pdd.InvalidPositionError,
    pdd.InvalidRulesError,
    pdd.RecordError,
]


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_ponte_error(kind: type[pdd.PonteError]) -> None:
    assert issubclass(kind, pdd.PonteError)
    assert issubclass(pdd.PonteError, ValueError)


def failures() -> dict[str, Callable[[], object]]:
    """Return one failing call for every kind of error."""
    return {
        "NotationError": lambda: pdd.parse_action("a1;b2"),
        "IllegalActionError": lambda: state_of("w . r").apply(pdd.parse_action("a1,c1")),
        "InvalidPositionError": lambda: pdd.parse_setup("x").position(),
        "InvalidRulesError": lambda: pdd.Board(0, 0),
        "RecordError": lambda: pdd.records.loads("1. a1,b1\n2. a1,c1"),
        "PonteError": lambda: pdd.Cell(-1, 0),
    }


@pytest.mark.parametrize("name", failures())
def test_errors_survive_pickling(name: str) -> None:
    with pytest.raises(pdd.PonteError) as caught:
        failures()[name]()
    error = caught.value
    assert type(error).__name__ == name
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_a_notation_error_points_at_the_fault() -> None:
    with pytest.raises(pdd.NotationError) as caught:
        pdd.parse_action("a1;b2")
    error = caught.value
    assert (error.text, error.offset, error.expected) == ("a1;b2", 2, "',' or '-'")
    assert str(error) == "expected ',' or '-' at offset 2 of 'a1;b2'"


def test_a_notation_error_shows_only_what_is_near() -> None:
    text = "a" * 1000 + "!" + "b" * 1000
    error = pdd.NotationError(text, 1000, "something")
    assert str(error) == (f"expected something at offset 1000 of …'{'a' * 20}!{'b' * 19}'…")
    assert str(pdd.NotationError("", 0, "a cell")) == "expected a cell at offset 0 of an empty text"
    assert str(pdd.NotationError("\x00\U0001f309", 0, "a cell")).isascii()


def test_an_illegal_action_error_carries_violations() -> None:
    state, action = state_of("w . r"), pdd.parse_action("a1,c1")
    with pytest.raises(pdd.IllegalActionError) as caught:
        state.apply(action)
    assert caught.value.violations == state.violations(action)
    assert str(caught.value) == "Already taken by a tile: a1, c1."


def test_an_invalid_position_error_carries_faults() -> None:
    setup = pdd.parse_setup("x . .\nbridges a1-b1")
    with pytest.raises(pdd.InvalidPositionError) as caught:
        setup.position()
    assert caught.value.faults == setup.faults()
    assert str(caught.value).startswith("Already taken by a tile: a1. ")


def test_a_record_error_tells_line_and_column() -> None:
    error = pdd.RecordError(3, 14, "a cell", 2)
    assert (error.line, error.column, error.expected, error.number) == (3, 14, "a cell", 2)
    assert str(error) == "game 2, line 3, column 14: expected a cell"
    assert pdd.RecordError(1, 1, "a game").number == 1


HUGE = 10**5000

REFUSED_FOR_THEIR_SIZE: dict[str, Callable[[], object]] = {
    "a side": lambda: pdd.Board(HUGE, 1),
    "a coordinate": lambda: pdd.Cell(-HUGE, 0),
    "a supply": lambda: pdd.Rules(tiles_per_color=-HUGE),
    "turns to undo": lambda: pdd.Game.new().undo(HUGE),
    "a depth": lambda: pdd.perft(pdd.GameState.initial(), -HUGE),
    "a cell to place on": lambda: pdd.GameState.initial().apply(
        pdd.PlaceTiles(pdd.Cell(0, HUGE), pdd.Cell(0, 0))
    ),
}


@pytest.mark.parametrize("name", REFUSED_FOR_THEIR_SIZE)
def test_numbers_too_long_for_python_to_write_out(name: str) -> None:
    with pytest.raises(pdd.PonteError):
        REFUSED_FOR_THEIR_SIZE[name]()


def test_counting_action_sequences_needs_a_state_and_a_depth() -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 1)))
    assert [pdd.perft(state, depth) for depth in range(5)] == [1, 3, 6, 6, 0]
    with pytest.raises(pdd.PonteError, match="negative"):
        pdd.perft(state, -1)
