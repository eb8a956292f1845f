"""Properties of all values: comparison, hashing, immutability; and the enums."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from enum import Enum
from itertools import combinations
from operator import ge, gt, le, lt
from types import new_class
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import (
    Board,
    Bridge,
    BuildBridge,
    Cell,
    ChooseColor,
    Color,
    DecidedBy,
    Ending,
    GameState,
    HalfTurn,
    Outcome,
    Pass,
    Phase,
    PlaceTile,
    PlaceTiles,
    Rule,
    Rules,
    Score,
    Seat,
    Setup,
    Tiebreak,
    Violation,
)
from support.diagrams import ISLAND, act, cells, draw, play, state_of

A1, B1, C1 = cells("a1 b1 c1")
A2, B2, C3 = cells("a2 b2 c3")


Pair = tuple[Callable[[], object], object]

VALUES: dict[str, Pair] = {
    "Cell": (lambda: Cell(2, 3), Cell(3, 2)),
    "CellSet": (lambda: Board(3, 3).cell_set([A1, B2]), Board(3, 3).cell_set([A1])),
    "Board": (lambda: Board(3, 4), Board(4, 3)),
    "Rules": (lambda: Rules(Board(3, 3), 4, 5, (Tiebreak.BRIDGES,)), Rules()),
    "PlaceTiles": (lambda: PlaceTiles(A1, B2), PlaceTiles(A1, C3)),
    "PlaceTile": (lambda: PlaceTile(A1), PlaceTile(B2)),
    "BuildBridge": (lambda: BuildBridge(A1, C3), BuildBridge(A1, C1)),
    "ChooseColor": (lambda: ChooseColor(Color.RED), ChooseColor(Color.WHITE)),
    "Pass": (Pass, ChooseColor(Color.WHITE)),
    "Bridge": (lambda: Bridge(A1, C3), Bridge(A1, C1)),
    "Group": (lambda: draw(ISLAND).groups(Color.WHITE)[0], draw(ISLAND).groups(Color.RED)[0]),
    "Network": (lambda: draw(ISLAND).networks(Color.WHITE)[0], draw(ISLAND).networks(Color.RED)[0]),
    "Score": (lambda: Score(3, 2, 1), Score(3, 2, 0)),
    "Outcome": (
        lambda: play(state_of("r r r r", Color.RED), "pass").outcome,
        Outcome(None, None, DecidedBy.NOTHING, Score(0, 0, 0), Score(0, 0, 0)),
    ),
    "Violation": (
        lambda: GameState.initial().violations(act("a1,k1"))[0],
        Violation(Rule.OFF_BOARD),
    ),
    "Effects": (
        lambda: GameState.initial().effects(pdd.parse_action("a1,b1")),
        GameState.initial().effects(pdd.parse_action("a1,b2")),
    ),
    "Symmetry": (lambda: pdd.symmetries(Board(3, 3))[1], pdd.symmetries(Board(3, 3))[2]),
    "ActionSpace": (lambda: pdd.ActionSpace(Board(3, 3)), pdd.ActionSpace(Board(3, 4))),
    "StepSpace": (lambda: pdd.StepSpace(Board(3, 3)), pdd.StepSpace(Board(3, 4))),
    "Setup": (lambda: Setup(Board(3, 3), white=[A1], red=[A1]), Setup(Board(3, 3), white=[A1])),
    "Position": (lambda: draw(ISLAND), draw(". w")),
    "GameState": (lambda: state_of(ISLAND), state_of(ISLAND, Color.RED)),
    "HalfTurn": (lambda: HalfTurn(GameState.initial(), A1), HalfTurn(GameState.initial(), B1)),
    "Game": (
        lambda: pdd.Game.new(tags={"Event": "Test"}).play("a1,b1"),
        pdd.Game.new().play("a1,b1"),
    ),
    "Turn": (
        lambda: pdd.Game.new().play("a1,b1").turns[0],
        pdd.Game.new().play("a1,c1").turns[0],
    ),
    "Record": (
        lambda: next(pdd.records.iter_records(['[Event "Test"]\n', "1. a1,b1 *\n"])),
        next(pdd.records.iter_records(["1. a1,b1 *"])),
    ),
}

EVERY_VALUE = pytest.mark.parametrize("name", VALUES)


@EVERY_VALUE
def test_values_are_equal_and_hash_alike_when_their_parts_are(name: str) -> None:
    make, other = VALUES[name]
    one, same = make(), make()
    assert type(one).__name__ == name
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != object()
    assert len({one, same, other}) == 2


ORDERED = [
    "Cell",
    "CellSet",
    "PlaceTiles",
    "PlaceTile",
    "BuildBridge",
    "ChooseColor",
    "Pass",
    "Bridge",
]


@pytest.mark.parametrize("compare", [lt, gt, le, ge])
def test_values_with_an_order_are_known(compare: Callable[[Any, Any], bool]) -> None:
    for name, (make, _) in VALUES.items():
        if name in ORDERED:
            assert isinstance(compare(make(), make()), bool)
        else:
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(make(), make())


@EVERY_VALUE
def test_values_name_their_kind_and_cannot_change(name: str) -> None:
    value = VALUES[name][0]()
    assert name in repr(value)
    assert "object at 0x" not in repr(value)
    assert not hasattr(value, "__dict__")
    attributes = [each for each in dir(value) if not each.startswith("__")]
    for attribute in [*attributes, "anything_else"]:
        with pytest.raises(AttributeError):
            setattr(value, attribute, None)
        with pytest.raises(AttributeError):
            delattr(value, attribute)


FINAL = [
    *(type(make()) for make, _ in VALUES.values()),
    type(GameState.initial().legal_actions),
    type(GameState.initial().legal_actions.pairs),
    type(GameState.initial().legal_steps),
    type(pdd.Game.new().tags),
    *(Color, Seat, Phase, Tiebreak, DecidedBy, Ending, Rule),
]


@pytest.mark.parametrize("kind", FINAL, ids=lambda kind: kind.__name__)
def test_classes_are_final(kind: type) -> None:
    with pytest.raises(TypeError, match=r"is final: it cannot be subclassed|cannot extend"):
        new_class("Derived", (kind,))


def test_unlike_kinds_are_never_equal() -> None:
    values = [make() for make, _ in VALUES.values()]
    for one, other in combinations(values, 2):
        assert one != other


# Enums


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
