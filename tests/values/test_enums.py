"""The enums: their members, and what belongs to what."""

from __future__ import annotations

import pickle
from enum import Enum

import pytest

from pontedeldiavolo import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak


def test_colors_and_seats() -> None:
    for kind in (Color, Seat):
        one, other = kind
        assert (one.opponent, other.opponent) == (other, one)
        assert (one.index, other.index) == (0, 1)
    assert [color.value for color in Color] == ["white", "red"]
    assert [seat.value for seat in Seat] == ["first", "second"]


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        (Phase, "OPENING COLOR_CHOICE PLAY LAST_TURN OVER"),
        (Tiebreak, "ISLANDS BRIDGES"),
        (DecidedBy, "POINTS ISLANDS BRIDGES NOTHING"),
        (Ending, "SCORED RESIGNATION TIME AGREEMENT ADJUDICATION"),
    ],
)
def test_the_members_of_enums(kind: type[Enum], members: str) -> None:
    assert [member.name for member in kind] == members.split()
    for member in kind:
        assert member.value == member.name.lower().replace("_", "-")
        assert pickle.loads(pickle.dumps(member)) is member


def test_rules_that_can_be_broken_have_stable_slugs() -> None:
    for rule in Rule:
        assert rule.value == rule.name.lower().replace("_", "-")
        assert Rule(rule.value) is rule
