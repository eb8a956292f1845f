"""Boardspace says what a player has used of his time; a move says how long it took."""

from __future__ import annotations

import pytest

from pontedeldiavolo.records import boardspace
from support.boardspace_writer import record


def timed(*tokens: str, first: str = "") -> tuple[float | None, ...]:
    """Return how long the moves of a record took; tokens end in what stands in ``TM``."""
    parts = []
    for token in tokens:
        text, _, time = token.partition("@")
        parts.append(f"{text.strip()}|TM[{time}]" if time else text)
    text = record(*parts).replace("0 Start P0]", f"0 Start P0]{first}")
    return tuple(move.elapsed for move in boardspace.loads(text).line.moves)


OPENING = ["0 Tile W D 5 @1000", "0 Tile W E 7 @1500", "0 Done @1750"]
REPLY = ["1 Tile R C 3 @400", "1 Tile R C 5 @900", "1 Done @1000"]
THIRD = ["0 Tile W H 8 @2000", "0 Tile W H 6 @4000", "0 Done @5000"]


def test_a_move_took_what_its_player_used_more_than_before() -> None:
    # Red is chosen by playing it: that takes no time of its own.
    assert timed(*OPENING, *REPLY, *THIRD) == (1.75, None, 1.0, 3.25)
    assert timed(*OPENING, "1 Swap @300", "1 Done @700") == (1.75, 0.7)
    assert timed(*OPENING, *REPLY[:2], *THIRD) == (1.75, None, 0.9, 3.25)


def test_what_is_undone_took_its_time() -> None:
    tokens = ["0 Pick W @500", "0 Dropb A 1 @600", "0 Reset @700", *OPENING]
    assert timed(*tokens) == (1.75,)
    assert timed("0 Pick W @5000", "0 Reset @6000", *(each.split("@")[0] for each in OPENING)) == (
        6.0,
    )


def test_before_the_start_no_time_is_a_turns() -> None:
    assert timed(*OPENING, first="TM[0]") == (1.75,)
    assert timed(*OPENING, first="TM[750]") == (1.0,)
    assert timed("0 Edit @200", "0 Start P0", *OPENING) == (1.55,)


@pytest.mark.parametrize(
    "time", ["", "-1", "x", "1.5", "1e3", "9" * 5_000, "1000000000001", "٣", "1 2"]
)
def test_what_is_no_time_is_left_out(time: str) -> None:
    tokens = [each.split("@")[0] + f"|TM[{time}]" for each in OPENING]
    # What the next turn took, nobody knows either.
    assert timed(*tokens, *REPLY, *THIRD) == (None, None, 1.0, None)
    # Within a turn the others count.
    assert timed(*OPENING[:2], tokens[2], *REPLY, *THIRD) == (1.5, None, 1.0, 3.5)


def test_the_longest_time_is_that_of_annotations() -> None:
    tokens = [each.split("@")[0] for each in OPENING]
    assert timed(*tokens[:2], f"{tokens[2]}| TM[ 1000000000000 ]") == (1e9,)


def test_time_that_runs_backwards_is_left_out() -> None:
    later = ["1 Tile R G 1 @100", "1 Tile R I 1", "1 Done @300"]
    last = ["0 Tile W A 8", "0 Tile W A 10", "0 Done @5500"]
    more = ["1 Tile R A 1", "1 Tile R C 1", "1 Done @1300"]
    times = timed(*OPENING, *REPLY, *THIRD, *later, *last, *more)
    assert times == (1.75, None, 1.0, 3.25, None, 0.5, 1.0)


def test_of_several_times_in_a_node_the_last_counts() -> None:
    assert timed(*OPENING[:2], "0 Done|TM[1600][1700]TM[1800]") == (1.8,)


def test_hostile_times_lose_no_game() -> None:
    text = record(*(f"{each.split('@')[0]}|TM[{'9' * 100_000}]" for each in OPENING))
    assert boardspace.loads(text).line.moves[0].elapsed is None
