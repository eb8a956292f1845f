"""Tags of games and annotations of moves: clocks, times, and other notes of programs."""

from __future__ import annotations

import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.game.tags import MAX_SECONDS

GAME = pdd.Game.from_actions(pdd.Rules(pdd.Board(5, 5)), ["a1,b2", "red", "c3,d4"])


def test_tags_are_an_immutable_mapping() -> None:
    tags = pdd.Game.new(tags={"Event": "Cup", "Site": "Venice"}).tags
    assert tags == {"Event": "Cup", "Site": "Venice"}
    assert list(tags) == ["Event", "Site"]
    assert (len(tags), tags["Site"], tags.get("Round")) == (2, "Venice", None)
    assert hash(tags) == hash(pdd.Game.new(tags={"Site": "Venice", "Event": "Cup"}).tags)
    assert repr(tags) == "{'Event': 'Cup', 'Site': 'Venice'}"
    assert pickle.loads(pickle.dumps(tags)) == tags
    for name in ("anything", "_items"):
        with pytest.raises(AttributeError):
            setattr(tags, name, {})
        with pytest.raises(AttributeError):
            delattr(tags, name)
    with pytest.raises(TypeError, match="does not support item assignment"):
        tags["Event"] = "Other"  # type: ignore[index]


# Times


def test_a_play_notes_times() -> None:
    game = GAME.play("a3,e5", clock=598.0, elapsed=4.1)
    move = game.move_at((3,))
    assert move.annotations == {"clk": "0:09:58", "emt": "0:00:04.1"}
    assert (move.clock, move.elapsed) == (598.0, 4.1)
    assert game.actions == GAME.play("a3,e5").actions
    assert game != GAME.play("a3,e5")
    varied = game.with_variation((3,), ["c1,d1"]).play("a4,e5", (3, 0), clock=1)
    assert varied.move_at((3, 0, 1)).annotations == {"clk": "0:00:01"}
    move = GAME.move_at((0,))
    assert (dict(move.annotations), move.clock, move.elapsed) == ({}, None, None)


@given(st.floats(0, MAX_SECONDS) | st.integers(0, MAX_SECONDS))
def test_times_are_kept_to_the_millisecond(seconds: float) -> None:
    move = GAME.play("a3,e5", clock=seconds).move_at((3,))
    assert move.clock == round(seconds * 1000) / 1000
    assert GAME.play("a3,e5", elapsed=move.clock).move_at((3,)).elapsed == move.clock


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        *((0, "0:00:00"), (59.9996, "0:01:00"), (3599.9, "0:59:59.9"), (3600, "1:00:00")),
        *((360_000.05, "100:00:00.05"), (MAX_SECONDS, "277777:46:40")),
        *((Decimal("1.5"), "0:00:01.5"), (Fraction(1, 8), "0:00:00.125")),
    ],
)
def test_the_text_of_a_time(seconds: float, text: str) -> None:
    assert GAME.play("a3,e5", clock=seconds).move_at((3,)).annotations["clk"] == text


@pytest.mark.parametrize(
    "seconds",
    [
        *(-0.001, -1, float("nan"), float("inf"), 10**9 + 1, 10**400),
        *(Decimal("sNaN"), Decimal("NaN"), Decimal("1e999")),
    ],
)
@pytest.mark.parametrize("name", ["clock", "elapsed"])
def test_times_out_of_range(name: str, seconds: Any) -> None:
    with pytest.raises(pdd.PonteError, match=f"{name} must be from 0 to 1,000,000,000 seconds"):
        GAME.play("a3,e5", **{name: seconds})


@pytest.mark.parametrize(
    ("seconds", "texts"),
    [
        *((598, ["0:09:58"]), (548, ["0:9:8"]), (36_000.25, ["10:00:00.250"]), (0, ["0:00:00 "])),
        (None, ["", "9:58", "598", "0:60:00", "0:00:60", "0:00:-1", "0:00:01.", "0:00:01,5"]),
        (None, ["0:00:0\u0661", "1234567:00:00"]),
    ],
)
def test_the_seconds_of_a_clock(seconds: float | None, texts: list[str]) -> None:
    for text in texts:
        clock, elapsed = (pdd.Move(pdd.Pass(), annotations={name: text}) for name in ("clk", "emt"))
        assert clock.clock == elapsed.elapsed == seconds
        assert clock.elapsed is None


# Annotations


def test_annotations_are_replaced_where_they_are() -> None:
    game = GAME.with_annotations({"eval": "0.5", "clk": " 0:00:01 "})
    assert game.move_at((2,)).annotations == {"clk": "0:00:01", "eval": "0.5"}
    assert game.with_annotations({"emt": "?"}).move_at((2,)).annotations == {"emt": "?"}
    assert game.with_annotations({}) == GAME
    first = GAME.with_annotations({"x": ""}, path=(0,))
    assert [dict(move.annotations) for _, move in first.walk()] == [{"x": ""}, {}, {}]
    assert first.line.moves[1] is GAME.line.moves[1]
    assert first.with_comment("so").move_at((0,)).annotations == {"x": ""}
    other = GAME.with_annotations({"clk": "0:00:01", "eval": "0.5"})
    assert hash(game.move_at((2,))) == hash(other.move_at((2,)))


@pytest.mark.parametrize(
    ("value", "offset"),
    [("a]b", 1), ("]\n", 0), ("a\n]", 1), ("\t", 0), ("a\u2028", 1), ("\ud800", 0), ("\x85]", 0)],
)
def test_values_of_annotations(value: str, offset: int) -> None:
    with pytest.raises(pdd.NotationError, match="that an annotation can hold") as caught:
        pdd.Move(pdd.Pass(), annotations={"clk": value})
    assert caught.value.offset == offset
