"""Cells: their order, their limits, and their names."""

from __future__ import annotations

from collections.abc import Callable
from operator import ge, gt, le, lt
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, BuildBridge, Cell, ChooseColor, Color, Pass, PlaceTiles, Score
from support.checks import assert_in_order
from support.diagrams import bridge, cells

A1, B1, C1 = cells("a1 b1 c1")


def test_cells_order_by_row_then_column() -> None:
    assert_in_order(cells("a1 b1 z1 aa1 a2 b2 a10"))


@pytest.mark.parametrize("compare", [lt, le, gt, ge])
def test_unlike_things_have_no_order(compare: Callable[[Any, Any], bool]) -> None:
    for value in (A1, PlaceTiles(A1, B1), BuildBridge(A1, C1), ChooseColor(Color.RED), Pass()):
        for other in ((0, 0), "a1", None, 1):
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(value, other)
    for pair in ((Score(1, 1, 1), Score(0, 0, 0)), (Board(1, 1), Board(2, 2)), (A1, Pass())):
        with pytest.raises(TypeError, match="not supported between instances of"):
            compare(*pair)


def test_bridges_sort_by_their_ends() -> None:
    in_order = [bridge(text) for text in ("a1-c1", "a1-b3", "a1-c3", "b1-d1", "a2-c2")]
    backwards = in_order[::-1]
    assert sorted(backwards) == in_order
    strangers: list[Any] = ["a1-c1", A1, None]
    for stranger in strangers:
        with pytest.raises(TypeError, match="not supported between instances of"):
            lt(bridge("a1-c1"), stranger)


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (-3, -3)])
def test_cells_are_not_negative(column: int, row: int) -> None:
    with pytest.raises(pdd.PonteError, match=f"{column}, {row}"):
        Cell(column, row)


@pytest.mark.parametrize(
    ("column", "row", "text"),
    [(2, 3, "c4"), (0, 0, "a1"), (25, 25, "z26"), (26, 0, "aa1"), (51, 9, "az10"), (52, 0, "ba1")],
)
def test_cells_as_text(column: int, row: int, text: str) -> None:
    assert str(Cell(column, row)) == text
    assert f"{Cell(column, row)}" == text
