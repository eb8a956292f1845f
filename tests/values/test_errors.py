"""The errors: what they are, what they carry, and that they can be sent elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.errors import LARGEST, whole_number


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
    error = pdd.NotationError("", 0, pdd.Reason("cell"))
    german = pdd.messages.explain(error, pdd.messages.GERMAN)
    assert german == "Erwartet bei Zeichen 1 von einem leeren Text: ein Feld wie 'c4'."
    assert str(pdd.NotationError("\x00\U0001f309", 0, "a cell")).isascii()


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


class Largest:
    """A number that is no ``int``."""

    def __index__(self) -> int:
        return LARGEST


def test_the_largest_number_is_one() -> None:
    assert whole_number(Largest(), "count") == LARGEST


def test_the_code_of_a_reason_that_names_a_rule() -> None:
    assert pdd.PonteError(pdd.Reason(pdd.Rule.OCCUPIED)).code == "occupied"
