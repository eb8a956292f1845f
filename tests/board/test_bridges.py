"""Bridges as geometry: what lies beneath them, and which of them cross."""

from __future__ import annotations

import pytest

from pontedeldiavolo import Bridge, Cell
from support.diagrams import bridge, names


@pytest.mark.parametrize(
    ("text", "beneath"),
    [
        ("c3-e3", "d3"),
        ("c3-a3", "b3"),
        ("c3-c5", "c4"),
        ("c3-c1", "c2"),
        ("c3-e5", "d4"),
        ("c3-a5", "b4"),
        ("c3-e1", "d2"),
        ("c3-a1", "b2"),
        ("c3-d5", "c4 d4"),
        ("c3-b5", "b4 c4"),
        ("c3-d1", "c2 d2"),
        ("c3-b1", "b2 c2"),
        ("c3-e4", "d3 d4"),
        ("c3-a4", "b3 b4"),
        ("c3-e2", "d2 d3"),
        ("c3-a2", "b2 b3"),
    ],
)
def test_the_cells_beneath_every_shape(text: str, beneath: str) -> None:
    assert names(bridge(text).cells_beneath) == beneath
    assert bridge(text).has_bridge_shape


def test_no_other_shape_is_a_bridge() -> None:
    middle = Cell(5, 5)
    shapes = {
        (column - 5, row - 5)
        for column in range(11)
        for row in range(11)
        if Bridge(middle, Cell(column, row)).has_bridge_shape
    }
    assert shapes == {
        (dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if max(abs(dx), abs(dy)) == 2
    }
    assert Bridge(middle, middle).cells_beneath == ()


@pytest.mark.parametrize(
    ("one", "other", "cross"),
    [
        ("a1-c1", "b1-d1", True),
        ("a1-a3", "a2-a4", True),
        ("a1-c3", "b2-d4", True),
        ("a1-b3", "a1-c3", False),
        ("a1-c1", "c1-e1", False),
        ("a1-c1", "d1-f1", False),
        ("a1-c1", "a2-c2", False),
        ("a1-c3", "a3-c1", True),
        ("a2-c2", "b1-b3", True),
        ("a1-b3", "b1-c3", False),
        ("a1-b3", "b1-a3", True),
        ("a1-b3", "a2-c1", True),
        ("a1-b3", "a2-c2", True),
        ("a1-c3", "a4-c2", True),
        ("a1-c1", "b1-b3", False),
        ("c4-c4", "b4-d4", False),
        ("c4-c4", "b3-d5", False),
    ],
)
def test_crossing_bridges(one: str, other: str, *, cross: bool) -> None:
    assert bridge(one).crosses(bridge(other)) is cross
    assert bridge(other).crosses(bridge(one)) is cross
