"""Values of the package in classes of applications, converted by cattrs."""

from __future__ import annotations

from typing import Any

import pytest
from attrs import frozen

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.codecs import MAX_NESTING
from support.checks import error_of, wrong_type
from support.documents import STATE, cell, parsed

cattrs = pytest.importorskip("cattrs")


@frozen
class Table:
    """A class of an application, with values of the package."""

    state: pdd.GameState
    last: pdd.Action | None
    click: pdd.Step
    chairs: dict[pdd.Seat, str]
    seen: list[pdd.Cell]


def converter(*, detailed: bool = False) -> Any:
    made = cattrs.Converter(detailed_validation=detailed)
    json.register_cattrs_hooks(made)
    return made


@pytest.mark.parametrize("text", ["a1,b2", "a1-c3", "white", "pass", None])
@pytest.mark.parametrize("detailed", [True, False])
def test_round_trips(text: str | None, *, detailed: bool) -> None:
    last = None if text is None else pdd.parse_action(text)
    click = pdd.PlaceTile(cell("a4"))
    table = Table(STATE, last, click, {pdd.Seat.FIRST: "Ada"}, [cell("b2")])
    data = {"state": parsed("game-state")["value"], "last": text, "click": "a4"}
    data |= {"chairs": {"first": "Ada"}, "seen": ["b2"]}
    assert converter(detailed=detailed).unstructure(table) == data
    assert converter(detailed=detailed).structure(data, Table) == table


@pytest.mark.parametrize(
    ("of", "data", "path", "expected"),
    [
        (pdd.Step, "a1,b2", "", "'a1', 'a1-c3'"),
        (pdd.Step, "e9-", "", "an action such as"),
        (pdd.Step, None, "", "an action such as"),
        (pdd.Step | None, 5, "", ", or null"),
        (pdd.Color, "blue", "", "one of 'white', 'red'"),
        (pdd.Setup, {"board": {"width": 5, "height": 5}, "white": ["x"]}, "white[0]", "a cell"),
    ],
)
def test_refused_data(of: type, data: object, path: str, expected: str) -> None:
    error = error_of(json.JsonError, converter().structure, data, of)
    assert error.path == path
    assert expected in error.expected


def test_a_union_of_classes_that_an_application_chooses() -> None:
    made = converter()
    last = pdd.Action | pdd.PlaceTile

    def read_last(data: object, _: object) -> object:
        try:
            return made.structure(data, pdd.Action)
        except json.JsonError:
            return made.structure(data, pdd.PlaceTile)

    made.register_structure_hook(last, read_last)
    assert made.structure("a4", last) == pdd.PlaceTile(cell("a4"))
    assert made.structure("a1-c3", last) == pdd.parse_action("a1-c3")
    assert error_of(json.JsonError, made.structure, "e9-", last).expected.startswith("a cell")


def test_data_that_is_nested_too_deeply() -> None:
    deep: list[object] = []
    for _ in range(MAX_NESTING):
        deep = [deep]
    with pytest.raises(json.JsonError, match="deep in each other"):
        converter().structure(deep, pdd.Line)


@pytest.mark.parametrize(
    ("wrong", "of"),
    [("10x10", pdd.Board), ("a1", pdd.Cell), ("white", pdd.Color), (STATE, pdd.Position)],
)
def test_values_of_another_class(wrong: object, of: type[object]) -> None:
    error = error_of(json.JsonError, converter().unstructure, wrong, unstructure_as=of)
    assert error.expected == f"a value of the class {of.__name__}"


def test_other_objects_are_no_converters() -> None:
    with wrong_type("converter"):
        json.register_cattrs_hooks({})  # type: ignore[arg-type]  # the point of the test
    with wrong_type("limits"):
        json.register_cattrs_hooks(cattrs.Converter(), limits=5)  # type: ignore[arg-type]


def test_the_limits_of_hooks_apply_to_each_value() -> None:
    made = cattrs.Converter()
    json.register_cattrs_hooks(made, limits=pdd.Limits(side=4))
    data = [{"width": 4, "height": 4}, {"width": 5, "height": 4}]
    assert made.structure(data[:1], list[pdd.Board]) == [pdd.Board(4, 4)]
    made = cattrs.Converter(detailed_validation=False)
    json.register_cattrs_hooks(made, limits=pdd.Limits(side=4))
    error = error_of(json.JsonError, made.structure, data, list[pdd.Board])
    assert error.expected == "a board of at most 4x4"
