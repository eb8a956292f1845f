"""Texts and data that are refused before they are documents."""

from __future__ import annotations

import json as standard

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.game.line import MAX_DEPTH
from pontedeldiavolo.json.codecs import MAX_NESTING
from support.checks import wrong_type
from support.documents import RULES, SMALL, STATE, cell, changed, golden, parsed


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        ('"width": 12', '"width": NaN', "value.width", "a whole number"),
        ('"width": 12', '"width": -Infinity', "value.width", "a whole number"),
        ('"width": 12', '"width": 1.2e1', "value.width", "a whole number"),
        ('"width": 12', '"width": 1' + "0" * 10_000, "value.width", "a whole number"),
        ('"width": 12', '"width": 9007199254740992', "value.width", "a whole number"),
        ('"width": 12', '"width": 12, "width": 12', "value.width", "every field once"),
        ('"width": 12', '"x": [[{"a": 1, "a": 1}]]', "value.x", "no field but"),
        ('"version": 1', '"version": 1, "kind": "cell"', "kind", "every field once"),
        ('"width": 12', '"width": 012', "", "JSON ("),
        ('"width": 12', '"width": 12,,', "", "JSON ("),
        ("{", "", "", "JSON ("),
        ("}", "} {}", "", "JSON ("),
        ('"width": 12', '"width: 12', "", "JSON ("),
        ('"width": 12', "// no comments", "", "JSON ("),
        ("{", "\ufeff\ufeff{", "", "JSON ("),
    ],
)
def test_bad_texts(old: str, new: str, path: str, expected: str) -> None:
    with pytest.raises(json.JsonError) as caught:
        json.loads(golden("board").replace(old, new, 1))
    assert expected in caught.value.expected
    assert caught.value.path == path


def test_texts_that_are_nested_very_deeply() -> None:
    for text in (
        "[" * 100_000,
        "[" * 100_000 + "]" * 100_000,
        '{"a":' * 100_000,
        '{"format":"pontedeldiavolo","version":1,"kind":"line","value":'
        + '{"moves":[{"action":"pass","variations":[' * 25_000,
    ):
        with pytest.raises(json.JsonError) as caught:
            json.loads(text)
        assert "deep in each other" in caught.value.expected
    brackets = '"' + "[" * 100_000 + '\\"'
    for text in (brackets, brackets + '"', "[]" * 100_000, '"\\' * 100_000):
        with pytest.raises(json.JsonError) as caught:
            json.loads(text)
        assert "deep in each other" not in caught.value.expected


def test_data_that_is_nested_very_deeply_or_in_itself() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    wide: list[object] = []
    for _ in range(500):
        wide = [wide] * 100
    itself: dict[str, object] = {}
    itself["value"] = [itself] * 10
    for data in (deep, wide, itself, {"value": deep}):
        with pytest.raises(json.JsonError) as caught:
            json.from_json(data)
        assert "deep in each other" in caught.value.expected
        with pytest.raises(json.JsonError):
            json.from_json(changed(parsed("game"), ("value", "tags", "First"), data))
    while deep:
        deep = deep[0]  # type: ignore[assignment]  # taken apart level by level, as it was made


def nested(depth: int) -> dict[str, object]:
    """Return a line in which variations lie so deep."""
    line: dict[str, object] = {"moves": [{"action": "pass", "glyphs": [1]}]}
    for _ in range(depth):
        line = {"moves": [{"action": "pass", "glyphs": [1], "variations": [line]}]}
    return line


def test_the_deepest_variations() -> None:
    document = parsed("line") | {"value": nested(MAX_DEPTH)}
    line = json.loads(standard.dumps(document), pdd.Line)
    assert line.depth == MAX_DEPTH
    assert json.to_json(line) == document
    for depth in (MAX_DEPTH + 1, MAX_NESTING, 2 * MAX_NESTING):
        with pytest.raises(json.JsonError):
            json.from_json(parsed("line") | {"value": nested(depth)})


def test_wrong_types() -> None:
    for wrong in (None, 5, bytearray(b"{}"), ["{}"]):
        with wrong_type("text"):
            json.loads(wrong)  # type: ignore[call-overload]  # the point of the test
    for value in (None, 5, "a1", [], pdd.GameState, STATE.legal_actions, object()):
        said = f"^there are no documents of {type(value).__name__}"
        with pytest.raises(TypeError, match=said):
            json.to_json(value)  # type: ignore[arg-type]  # the point of the test
        with pytest.raises(TypeError, match=said):
            json.dumps(value)  # type: ignore[arg-type]  # the point of the test
    for indent in ("  ", True, 1.5):
        with wrong_type("indent"):
            json.dumps(RULES, indent)  # type: ignore[arg-type]  # the point of the test


def test_values_that_no_document_can_hold() -> None:
    far, big, odd = pdd.Cell(10**9, 0), 2**53, "\ud800"
    values: list[tuple[json.Value, str]] = [
        (far, "value"),
        (pdd.PlaceTile(far), "value"),
        (pdd.PlaceTiles(cell("a1"), far), "value"),
        (pdd.BuildBridge(cell("a1"), far), "value"),
        (pdd.Bridge(cell("a1"), far), "value"),
        (pdd.Line([pdd.Move(pdd.PlaceTiles(far, far))]), "value.moves[0].action"),
        (pdd.Setup(SMALL, [cell("a1"), far]), "value.white[1]"),
        (pdd.Rules(SMALL, bridges=big), "value.bridges"),
        (pdd.Violation(pdd.Rule.OCCUPIED, values={"left": big}), "value.values.left"),
        (pdd.Violation(pdd.Rule.OCCUPIED, values={odd: 1}), "value.values['\\ud800']"),
        (pdd.Symmetry(65, 65), "value"),
        (pdd.Score(1, -2, 3), "value.islands"),
    ]
    for value, path in values:
        with pytest.raises(json.JsonError) as caught:
            json.to_json(value)
        assert caught.value.path == path
