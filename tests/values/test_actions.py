"""Actions as values: their parts, their order, and how they are matched."""

from __future__ import annotations

from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import (
    Board,
    Bridge,
    BuildBridge,
    Cell,
    ChooseColor,
    Color,
    Group,
    HalfTurn,
    Network,
    Outcome,
    Pass,
    PlaceTile,
    PlaceTiles,
    Rules,
    Score,
    Setup,
    Turn,
    Violation,
)
from support.checks import assert_in_order
from support.diagrams import ISLAND, cells, draw, names

A1, B1, C1, A2, B2, C3 = cells("a1 b1 c1 a2 b2 c3")


def test_two_cells_come_out_in_canonical_order() -> None:
    for kind in (PlaceTiles, BuildBridge, Bridge):
        for one, other in ((A1, B1), (A1, A2), (B1, A2), (A1, A1)):
            assert kind(other, one) == kind(one, other)
            value = kind(other, one)
            assert (value.a, value.b) == (one, other)
    assert PlaceTiles(B2, A1).cells == (A1, B2)
    assert BuildBridge(C3, A1).bridge == Bridge(A1, C3)
    assert Bridge(C3, A1).ends == (A1, C3)
    assert str(Bridge(C3, A1)) == "a1-c3"


def test_actions_hold_any_two_cells() -> None:
    far = Cell(999, 999)
    assert PlaceTiles(far, far).cells == (far, far)
    assert BuildBridge(far, A1).b == far
    assert Bridge(far, A1).cells_beneath == ()


def test_actions_of_all_kinds_sort_together() -> None:
    pairs = ("a1,b1", "a1,c1", "a1,a2", "b1,c1", "a2,b2")
    others = ("a1-c1", "a1-a3", "b1-d1", "white", "red", "pass")
    assert_in_order([pdd.parse_action(text) for text in pairs + others])
    assert_in_order([PlaceTile(A1), PlaceTile(A2), BuildBridge(A1, C1), Pass()])


def test_action_and_step_are_unions() -> None:
    assert set(get_args(pdd.Action)) == {PlaceTiles, BuildBridge, ChooseColor, Pass}
    assert set(get_args(pdd.Step)) == {PlaceTile, BuildBridge, ChooseColor, Pass}
    assert isinstance(Pass(), pdd.Action)
    assert not isinstance(PlaceTile(A1), pdd.Action)
    assert not isinstance(PlaceTiles(A1, B1), pdd.Step)


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        (Cell, "column row"),
        (Board, "width height"),
        (Rules, "board tiles_per_color bridges tiebreaks"),
        (PlaceTiles, "a b"),
        (PlaceTile, "cell"),
        (BuildBridge, "a b"),
        (ChooseColor, "color"),
        (Pass, ""),
        (Bridge, "a b"),
        (Group, "color cells"),
        (Score, "points islands bridges"),
        (Outcome, "winner winning_seat decided_by white red"),
        (Violation, "rule cells bridges values"),
        (HalfTurn, "state first"),
        (Turn, "number seat color action"),
        (Setup, "board white red bridges"),
    ],
)
def test_the_order_of_positional_patterns(kind: Any, attributes: str) -> None:
    assert kind.__match_args__ == tuple(attributes.split())


def test_positional_patterns() -> None:
    match PlaceTiles(B2, A1):
        case PlaceTiles(Cell(0, 0), Cell(column, row)):
            assert (column, row) == (1, 1)
        case other:
            raise AssertionError(other)
    match draw(ISLAND).networks(Color.WHITE)[0]:
        case Network(Color.WHITE, (Group(_, found), *others), (Bridge(a, b),)):
            assert (names(found), len(others), a, b) == ("a2 b2 a3 b3", 1, *cells("b3 d3"))
        case network:
            raise AssertionError(network)
