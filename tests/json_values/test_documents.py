"""Stored documents, the schema, and simple values without an envelope.

There is one stored document of each kind, which later versions must read.
"""

from __future__ import annotations

import json as plain
import re
import runpy
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import fields, has
from jsonschema import Draft202012Validator

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME, KINDS
from support.documents import EXAMPLES, FOLDER, SMALL, cell
from support.paths import DATA, ROOT


def test_there_is_a_document_of_each_kind() -> None:
    assert list(EXAMPLES) == [kind.name for kind in KINDS]
    assert {path.stem for path in FOLDER.glob("*.json")} == set(EXAMPLES)


def test_no_field_of_any_value_is_forgotten() -> None:
    definitions: Any = json.schema()["$defs"]
    missing = {
        (kind.name, field.name)
        for kind in KINDS
        if has(kind.of) and "properties" in definitions[kind.name]
        for field in fields(kind.of)
        if field.name[0] != "_" and field.init and field.eq
        if field.name not in definitions[kind.name]["properties"]
    }
    # The pieces of a state are written as its tiles and bridges.
    assert missing == {("game-state", "pieces")}


def test_documents_are_read_from_bytes() -> None:
    game = pdd.Game.new(tags={"First": "Zoë \U0001f309"}).play("d4,g7")
    text = json.dumps(game)
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "utf-32"):
        octets = text.encode(encoding)
        assert json.loads(octets) == json.loads(octets, pdd.Game) == game
    assert json.loads(("\ufeff" + text).encode("utf-16-le")) == json.loads("\ufeff" + text) == game


# The schema


def test_the_schema_is_the_one_that_others_have() -> None:
    kept = plain.loads((DATA / "json_schema.json").read_text("utf-8"))
    assert json.schema() == kept
    Draft202012Validator.check_schema(json.schema())


def test_the_types_for_typescript_are_those_of_the_schema() -> None:
    program = runpy.run_path(str(ROOT / "docs" / "typescript.py"))
    types = program["written"](json.schema())
    assert types == program["TYPES"].read_text("utf-8"), "run: python docs/typescript.py"
    # Variations and lines are different types, and no name is a numbered copy of another.
    assert "moves: [Move, ...Move[]];" in types
    assert not re.search(r"export \w+ \w+\d", types)


def test_the_schema_is_a_new_one_at_each_call() -> None:
    found = json.schema()["$defs"]
    assert isinstance(found, dict)
    found.clear()
    assert json.schema()["$defs"]


def objects_in(part: object) -> Iterator[dict[str, object]]:
    """Yield the objects with fields in a part of the schema."""
    if isinstance(part, dict):
        if part.get("type") == "object" and "properties" in part:
            yield part
        for each in part.values():
            yield from objects_in(each)


def test_every_kind_and_every_field_is_described() -> None:
    definitions = json.schema()["$defs"]
    assert isinstance(definitions, dict)
    assert list(definitions)[: len(BY_NAME)] == list(BY_NAME)
    assert all("description" in definitions[name] for name in definitions)  # type: ignore[operator]
    for found in objects_in(definitions):
        properties = found["properties"]
        assert isinstance(properties, dict)
        # Generators of code ignore the name of a reference with a description beside it.
        assert all(field.keys() == {"$ref"} or "$ref" not in field for field in properties.values())
        assert all({"description", "$ref"} & field.keys() for field in properties.values())
        assert found["additionalProperties"] is False


# Simple values, written by Python's module json


OVER = {"code": "game-over", "values": {"cells": "", "bridges": ""}}


def written(value: object) -> object:
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
        (SMALL.cell_set([cell("a1"), cell("e1"), cell("b1")]), ["a1", "b1", "e1"]),
        ({cell("a2"), cell("j1"), cell("b1")}, ["b1", "j1", "a2"]),
        (frozenset({10, 9}), [9, 10]),
        (set(pdd.Seat), ["first", "second"]),
        ({pdd.Color.RED, cell("a1"), pdd.Pass()}, ["a1", "pass", "red"]),
        (set(), []),
        (pdd.Game.new(tags={"First": "Ada"}).tags, {"First": "Ada"}),
        (pdd.Reason("row-width", {"width": 5}), {"code": "row-width", "values": {"width": 5}}),
        (
            pdd.IllegalActionError([pdd.Violation(pdd.ViolationCode.GAME_OVER)]).reason,
            {"code": "illegal-action", "values": {"violations": [OVER]}},
        ),
        ({"seats": [(pdd.Seat.FIRST, {cell("a1")})]}, {"seats": [["first", ["a1"]]]}),
    ],
)
def test_simple_values(value: object, expected: object) -> None:
    assert written(value) == expected


def test_annotations_are_sorted() -> None:
    move = pdd.Move(pdd.Pass(), annotations={"emt": "1", "clk": "2"})
    assert '{"clk": "2", "emt": "1"}' in json.dumps(move)


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
