"""The simple values of the package in whatever Python's own json writes."""

from __future__ import annotations

import json as plain

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from support.documents import EXAMPLES, cell

FIVE = pdd.Board(5, 5)


def written(value: object) -> object:
    """Return what comes back of a value, written by the standard library."""
    return plain.loads(plain.dumps(value, default=json.default))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (pdd.Color.RED, "red"),
        (pdd.Phase.LAST_TURN, "last-turn"),
        (pdd.records.Format.SGF, pdd.records.Format.SGF.value),
        (cell("c4"), "c4"),
        (pdd.Bridge(cell("c3"), cell("a1")), "a1-c3"),
        (pdd.parse_action("b2,a1"), "a1,b2"),
        (pdd.parse_action("c3-a1"), "a1-c3"),
        (pdd.parse_action("white"), "white"),
        (pdd.Pass(), "pass"),
        (pdd.parse_step("d4"), "d4"),
        (FIVE.cell_set([cell("a1"), cell("e1"), cell("b1")]), ["a1", "b1", "e1"]),
        ({cell("a2"), cell("j1"), cell("b1")}, ["b1", "j1", "a2"]),
        (frozenset({10, 9}), [9, 10]),
        (set(pdd.Seat), ["first", "second"]),
        ({pdd.Color.RED, cell("a1"), pdd.Pass()}, ["a1", "pass", "red"]),
        (set(), []),
        (pdd.Game.new(tags={"First": "Ada"}).tags, {"First": "Ada"}),
        (pdd.Reason("row-width", {"width": 5}), {"code": "row-width", "values": {"width": 5}}),
        (
            pdd.IllegalActionError([pdd.Violation(pdd.Rule.GAME_OVER)]).reason,
            {
                "code": "illegal-action",
                "values": {
                    "violations": [
                        {"code": "game-over", "values": {"cells": "", "bridges": ""}},
                    ]
                },
            },
        ),
        ({"seats": [(pdd.Seat.FIRST, {cell("a1")})]}, {"seats": [["first", ["a1"]]]}),
    ],
)
def test_simple_values(value: object, expected: object) -> None:
    assert written(value) == expected


@pytest.mark.parametrize("kind", EXAMPLES)
def test_texts_are_those_of_documents(kind: str) -> None:
    document = json.to_json(EXAMPLES[kind])
    assert isinstance(document, dict)
    if isinstance(document["value"], str):
        assert json.default(EXAMPLES[kind]) == document["value"]


@pytest.mark.parametrize(
    "value", [pdd.Rules(), pdd.GameState.initial(), object(), {pdd.Rules()}, {1j, "a"}, b"a", 1j]
)
def test_all_else_is_a_type_error(value: object) -> None:
    with pytest.raises(TypeError, match="is not among the simple values that JSON can show"):
        plain.dumps(value, default=json.default)


def test_sets_of_anything_that_json_can_show_are_sorted_lists() -> None:
    a1, b1, c3 = map(pdd.parse_cell, ("a1", "b1", "c3"))
    mixed: set[object] = {None, pdd.Color.RED, 1, "x", a1}
    assert json.default(mixed) == [1, None, "a1", "red", "x"]
    sets = frozenset({frozenset({c3}), frozenset({a1}), frozenset({b1})})
    assert plain.dumps(sets, default=json.default) == '[["a1"], ["b1"], ["c3"]]'
