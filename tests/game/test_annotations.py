"""What programs note of a move: clocks, times, and whatever else."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.game.tags import MAX_SECONDS
from support.checks import wrong_type

GAME = pdd.Game.from_actions(pdd.Rules(pdd.Board(5, 5)), ["a1,b2", "red", "c3,d4"])


def annotated(**annotations: str) -> pdd.Move:
    return pdd.Move(pdd.Pass(), annotations=annotations)


def test_a_play_notes_times() -> None:
    game = GAME.play("a3,e5", clock=598.0, elapsed=4.1)
    move = game.move_at((3,))
    assert move.annotations == {"clk": "0:09:58", "emt": "0:00:04.1"}
    assert (move.clock, move.elapsed) == (598.0, 4.1)
    assert game.actions == GAME.play("a3,e5").actions
    assert game != GAME.play("a3,e5")
    varied = game.with_variation((3,), ["c1,d1"]).play("a4,e5", (3, 0), clock=1)
    assert varied.move_at((3, 0, 1)).annotations == {"clk": "0:00:01"}


def test_a_play_without_times_notes_nothing() -> None:
    move = GAME.move_at((0,))
    assert move.annotations == {}
    assert move.clock is None
    assert move.elapsed is None


@given(st.floats(0, MAX_SECONDS) | st.integers(0, MAX_SECONDS))
def test_times_are_kept_to_the_millisecond(seconds: float) -> None:
    move = GAME.play("a3,e5", clock=seconds).move_at((3,))
    assert move.clock == round(seconds * 1000) / 1000
    assert GAME.play("a3,e5", elapsed=move.clock).move_at((3,)).elapsed == move.clock


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "0:00:00"),
        (59.9996, "0:01:00"),
        (3599.9, "0:59:59.9"),
        (3600, "1:00:00"),
        (360_000.05, "100:00:00.05"),
        (Decimal("1.5"), "0:00:01.5"),
        (Fraction(1, 8), "0:00:00.125"),
        (MAX_SECONDS, "277777:46:40"),
    ],
)
def test_the_text_of_a_time(seconds: float, text: str) -> None:
    assert GAME.play("a3,e5", clock=seconds).move_at((3,)).annotations["clk"] == text


@pytest.mark.parametrize("seconds", [-0.001, -1, float("nan"), float("inf"), 10**9 + 1, 10**400])
@pytest.mark.parametrize("name", ["clock", "elapsed"])
def test_times_out_of_range(name: str, seconds: float) -> None:
    with pytest.raises(pdd.PonteError, match=f"{name} must be from 0 to 1,000,000,000 seconds"):
        GAME.play("a3,e5", **{name: seconds})  # type: ignore[arg-type]


@pytest.mark.parametrize("seconds", ["598", True, [1.0], 1j])
@pytest.mark.parametrize("name", ["clock", "elapsed"])
def test_times_of_wrong_types(name: str, seconds: object) -> None:
    with wrong_type(name):
        GAME.play("a3,e5", **{name: seconds})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0:09:58", 598),
        ("0:9:8", 548),
        ("10:00:00.250", 36_000.25),
        ("", None),
        ("9:58", None),
        ("598", None),
        ("0:60:00", None),
        ("0:00:60", None),
        ("0:00:-1", None),
        ("0:00:01.", None),
        ("0:00:01,5", None),
        ("0:00:0\u0661", None),
        ("1234567:00:00", None),
        ("0:00:00 ", 0),
    ],
)
def test_what_a_clock_says(text: str, seconds: float | None) -> None:
    assert annotated(clk=text).clock == annotated(emt=text).elapsed == seconds
    assert annotated(clk=text).elapsed is None


def test_annotations_are_replaced_where_they_are() -> None:
    game = GAME.with_annotations({"eval": "0.5", "clk": " 0:00:01 "})
    assert game.move_at((2,)).annotations == {"clk": "0:00:01", "eval": "0.5"}
    assert game.with_annotations({"emt": "?"}).move_at((2,)).annotations == {"emt": "?"}
    assert game.with_annotations({}) == GAME
    first = GAME.with_annotations({"x": ""}, path=(0,))
    assert [dict(move.annotations) for _, move in first.walk()] == [{"x": ""}, {}, {}]
    assert first.line.moves[1] is GAME.line.moves[1]
    assert first.with_comment("so").move_at((0,)).annotations == {"x": ""}
    assert hash(game.move_at((2,))) == hash(
        GAME.with_annotations({"clk": "0:00:01", "eval": "0.5"}).move_at((2,))
    )


@pytest.mark.parametrize(
    ("value", "offset"),
    [("a]b", 1), ("]\n", 0), ("a\n]", 1), ("\t", 0), ("a\u2028", 1), ("\ud800", 0), ("\x85]", 0)],
)
def test_values_of_annotations(value: str, offset: int) -> None:
    with pytest.raises(pdd.NotationError, match="that an annotation can hold") as caught:
        pdd.Move(pdd.Pass(), annotations={"clk": value})
    assert caught.value.offset == offset


@pytest.mark.parametrize("annotations", [None, 1, "clk", [("clk", "1")], {1: "1"}, {"clk": 1}])
def test_annotations_of_wrong_types(annotations: object) -> None:
    with pytest.raises(TypeError, match=r"must be (str|Mapping), not"):
        GAME.with_annotations(annotations)  # type: ignore[arg-type]


def test_what_is_no_number_of_seconds_is_refused() -> None:
    many: list[Any] = [Decimal("sNaN"), Decimal("NaN"), Decimal("1e999")]
    for wrong in many:
        with pytest.raises(pdd.PonteError, match="clock must be from 0 to 1,000,000,000 seconds"):
            pdd.Game.new().play("a1,b2", clock=wrong)
