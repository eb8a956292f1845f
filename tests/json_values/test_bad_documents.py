"""Refused documents and texts, and the places of their faults."""

from __future__ import annotations

import json as standard
import math
import pickle
from enum import Enum
from functools import partial
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.codecs import MAX_NESTING
from pontedeldiavolo.json.kinds import BY_NAME, KINDS, Value
from pontedeldiavolo.rules.limits import MAX_DEPTH
from support.checks import error_of, wrong_type
from support.documents import DELETED, RULES, SMALL, STATE, VALIDATOR, cell, changed, golden, parsed

BIG = 2**53
BRIDGES = [f"a1-a{row}" for row in range(2, 15)]
NOTES = "value.line.moves[3].annotations"
DEEP = "value.line.moves[2].variations[0].moves[1].action"


refused = partial(error_of, json.JsonError)
"""Return the error by which a reader or writer of documents refuses its arguments."""


def document_with(place: str, part: object) -> object:
    """Return a document in which a part is replaced; the place begins with the kind."""
    kind, *names = place.split("/")
    keys = tuple(int(name) if name.isdigit() else name for name in names if name)
    return changed(parsed(kind), keys, part)


# Each case: kind and place, path and part of the message, and replacements for the place.
BAD: list[tuple[Any, ...]] = [
    # The envelope
    ("game", "", "an object", [], None, "game"),
    ("game", "", "an object whose names are texts", {1: 2}),
    ("game/format", "", "the field 'format'", DELETED),
    ("game/format", "format", "'pontedeldiavolo'", "pdd", None),
    ("game/version", "", "the field 'version'", DELETED),
    ("game/version", "version", "1", 2, 0, "1", True),
    ("game/kind", "", "the field 'kind'", DELETED),
    ("game/kind", "kind", "'game'", "chess", ["game"]),
    ("game/kind", "value.start", "no field but comment, moves", "line"),
    ("game/value", "", "the field 'value'", DELETED),
    ("game/values", "values", "no field but format, version, kind, value", 1),
    ("game/two words", "['two words']", "no field but", 1),
    # Words
    ("color/value", "value", "one of 'white', 'red'", "blue", "White"),
    ("color/value", "value", "a text", 1),
    ("phase/value", "value", "a text", None),
    ("violation-code/value", "value", "'game-over'", "be-nice"),
    # Cells and actions
    ("cell/value", "value", "a cell such as 'c4'", "C4", "c0", "c04", " c4", "c\u0664"),
    ("cell/value", "value", "a cell such as 'c4'", "c1234567890"),
    ("cell/value", "value", "a text", [2, 3]),
    ("place-tile/value", "value", "a cell such as 'c4'", "a1,b2"),
    ("place-tiles/value", "value", "two tiles such as 'a1,b2'", "a1", "a1, b2", "a1-c3"),
    ("build-bridge/value", "value", "a bridge such as 'a1-c3'", "a1,c3"),
    ("bridge/value", "value", "a bridge such as 'a1-c3'", "a1-c3-e5"),
    ("choose-color/value", "value", "one of 'white', 'red'", "pass"),
    ("pass/value", "value", "'pass'", "white"),
    # Boards and rules
    ("board/value/width", "value", "the width must be 1 to 64, not 65", 65),
    ("board/value/height", "value", "the height must be 1 to 64, not 0", 0),
    ("board/value/width", "value.width", "a whole number from 0", -1),
    ("board/value/width", "value.width", "a whole number", True, math.nan, math.inf, 10**4000),
    ("board/value/depth", "value.depth", "no field but width, height", 3),
    ("board/value", "value", "an object", [5, 5], "5x5"),
    ("rules/value/board/width", "value.board", "the width must be", 65),
    ("rules/value/tiebreaks", "value", "the field 'tiebreaks'", DELETED),
    ("rules/value/tiebreaks", "value.tiebreaks", "a list", None, "islands"),
    ("rules/value/tiebreaks", "value.tiebreaks[0]", "one of 'islands'", ["rest"]),
    ("rules/value/tiebreaks", "value", "a tie-break is repeated", ["islands"] * 2),
    ("rules/value/bridges", "value.bridges", "a whole number", -1),
    ("rules/value/bridges", "value.bridges", ", or null", BIG, False),
    ("rules/value/bridges", "value", "the field 'bridges'", DELETED),
    # Pieces on the board
    ("setup/value/white", "value.white", "a list", {}),
    ("setup/value/white/1", "value.white[1]", "every item once, not a1", "a1"),
    ("setup/value/white/1", "value.white[1]", "a text", 7),
    # States
    ("game-state/value/to_move", "value.to_move", "'red', or null", "blue"),
    ("game-state/value/rules/board/width", "value.rules.board", "width", 99),
    ("game-state/value/turn", "value.turn", "no field but rules, white", 3),
    ("half-turn/value/state/red", "value.state.red", "a list", 5),
    ("score/value/points", "value.points", "a whole number from 0", -3),
    ("score/value/points", "value.points", "a whole number", "3"),
    ("outcome/value/winner", "value.winner", "'red', or null", "first"),
    ("outcome/value/white/islands", "value.white.islands", "whole number", 1.5),
    ("violation/value/values/width", "value.values.width", "or a text", True, -BIG),
    ("violation/value/values", "value.values", "an object", []),
    # Lines, games and records
    ("move/value/action", "value", "the field 'action'", DELETED),
    ("move/value/action", "value.action", "an action such as 'a1,b2'", "a1"),
    ("move/value/action", "value.action", "'a1-c3', 'white', 'red', 'pass'", 5),
    ("move/value/comment", "value.comment", "a text", None),
    ("move/value/variations/0/moves", "value.variations", "at least one", []),
    ("line/value/moves", "value.moves", "a list", {}),
    ("game/value/line/moves/3/nags", "value.line.moves[3].nags", "0 to 255", [256]),
    ("game/value/line/moves/3/nags", "value.line.moves[3].nags[0]", "whole", ["!"]),
    ("game/value/line/moves/3/nag", "value.line.moves[3].nag", "no field but action", 1),
    ("game/value/line/moves/3/annotations", f"{NOTES}.Clk", "letters from a to z", {"Clk": "1"}),
    ("game/value/line/moves/3/annotations", f"{NOTES}[an empty text]", "letters", {"": "1"}),
    ("game/value/line/moves/3/annotations", f"{NOTES}.clk", "hold", {"clk": "]"}, {"clk": "a\nb"}),
    ("game/value/line/moves/3/annotations", f"{NOTES}.clk", "a text", {"clk": 1}),
    ("game/value/line/moves/3/annotations", NOTES, "an object", [], None),
    ("game/value/tags/Result", "value.tags.Result", "follows from", "white"),
    ("game/value/tags/First", "value.tags.First", "in one line", "a\nb"),
    ("game/value/tags/First", "value.tags.First", "a text", 5),
    ("game/value/tags/x y", "value.tags['x y']", "a tag's name", ""),
    (f"game/value/tags/{'a' * 256}", f"value.tags['{'a' * 40}'…]", "a tag's", ""),
    ("game/value/tags", "value.tags", "an object", None),
    ("game/value/ending", "value.ending", "'adjudication', or null", "fog"),
    ("record/value/result", "value.result", "one of 'white', 'red'", "1-0"),
    ("record/value/tags/Rules", "value.tags.Rules", "follows from", ""),
    ("record/value/places/ending", "value.places.ending", "both from 1", [1]),
    ("record/value/places/result", "value.places.result", "both from 1", [0, 1]),
    ("record/value/places/result", "value.places.result", "a list, or null", 3),
]
# The schema cannot express these faults.
UNSEEN: list[tuple[Any, ...]] = [
    # The envelope
    ("game/version", "version", "1", 1.0),
    # Cells and actions
    ("cell/value", "value", "a cell such as 'c4'", "c4\n"),
    # Boards and rules
    ("board/value/width", "value.width", "a whole number", 5.0),
    # Pieces on the board
    ("setup/value/bridges", "value.bridges[1]", "every item", ["a1-c3", "c3-a1"]),
    ("position/value/red/0", "value", "Already taken", "a1"),
    ("position/value/white/5", "value", "Off the 5×5", "f2"),
    ("position/value/bridges", "value.bridges", "at most 12 bridges", BRIDGES),
    # States
    ("game-state/value/phase", "value", "played on an empty board", "opening"),
    ("game-state/value/to_move", "value", "the one to move", None),
    ("game-state/value/white_owner", "value", "Colours have owners", None),
    ("game-state/value/rules/bridges", "value", "2 bridges stand", 1),
    ("half-turn/value/placed_tile", "value", "Already taken by a tile: a1", "a1"),
    ("violation/value/values/width", "value.values.width", "surrog", "\ud800"),
    ("violation/value/values/\udfff", "value.values['\\udfff']", "surrog", 1),
    # Lines, games and records
    ("move/value/comment", "value.comment", "can be printed", "a\x00"),
    ("line/value/comment", "value.comment", "can be printed", "\u2028"),
    ("game/value/line/moves/3/action", "value.line.moves[3].action", "by a tile: c3", "c3,e5"),
    ("game/value/line/moves/1/action", "value.line.moves[1].action", "this point", "pass"),
    ("game/value/line/moves/2/variations/0/moves/1/action", DEEP, "taken by a tile: d4", "d4,e5"),
    ("game/value/ending", "value.ending", "when it is played out", "scored"),
    ("game/value/ending", "value.winning_seat", "null, as the board", None),
    ("game/value/start/phase", "value.start", "Colours have owners", "play"),
    ("record/value/places/moves", "value.places.moves", "5 places", []),
]


@pytest.mark.parametrize("row", [*BAD, *UNSEEN], ids=lambda row: f"{row[0]:.40}: {row[2]:.20}")
def test_bad_documents(row: tuple[Any, ...]) -> None:
    place, path, expected, *parts = row
    for part in parts:
        document = document_with(place, part)
        error = refused(json.from_json, document)
        assert error.path == path
        assert expected in error.expected
        assert str(error) == f"{path or 'the document'}: expected {error.expected}"
        assert VALIDATOR.is_valid(document) is (row in UNSEEN)
        copied = pickle.loads(pickle.dumps(error))
        assert (copied.path, copied.expected) == (error.path, error.expected)


def test_every_kind_has_a_bad_document() -> None:
    words = {kind.name for kind in KINDS if issubclass(kind.of, Enum)}
    assert {row[0].split("/")[0] for row in (*BAD, *UNSEEN)} >= BY_NAME.keys() - words


@pytest.mark.parametrize(
    ("place", "part", "cause"),
    [
        ("game/value/line/moves/3/action", "c3,e5", pdd.IllegalActionError),
        ("game/value/tags/x y", "", pdd.NotationError),
        ("game/value/ending", "scored", pdd.PonteError),
        ("half-turn/value/placed_tile", "a1", pdd.IllegalActionError),
        ("game-state/value/white_owner", None, pdd.InvalidPositionError),
        ("half-turn/value/state/white_owner", None, pdd.InvalidPositionError),
        ("position/value/red/0", "a1", pdd.InvalidPositionError),
        ("board/value/width", 65, pdd.InvalidRulesError),
        ("rules/value/board/width", 65, pdd.InvalidRulesError),
        ("rules/value/tiebreaks", ["islands"] * 2, pdd.InvalidRulesError),
    ],
)
def test_content_that_breaks_a_rule_has_a_cause(
    place: str, part: object, cause: type[Exception]
) -> None:
    assert type(refused(json.from_json, document_with(place, part)).__cause__) is cause


def test_a_game_that_is_played_out() -> None:
    game = pdd.Game.from_actions(pdd.Rules(pdd.Board(1, 1)), ("pass", "red", "pass"))
    document = json.to_json(game)
    assert json.from_json(document) == game
    for name, part, path in (
        ("ending", None, "value.ending"),
        ("ending", "time", "value.ending"),
        ("winning_seat", "first", "value.winning_seat"),
        ("line", {"moves": [{"action": "pass"}] * 4}, "value.line.moves[1].action"),
    ):
        assert refused(json.from_json, changed(document, ("value", name), part)).path == path


def test_another_kind_than_the_one_that_was_asked_for() -> None:
    error = refused(json.loads, golden("game"), pdd.GameState)
    assert (error.path, error.expected) == ("kind", "'game-state'")
    for wrong in (int, pdd.LegalActions, "game"):
        said = "kind must be type" if isinstance(wrong, str) else "there are no documents of "
        with pytest.raises(TypeError, match=said):
            json.loads(golden("game"), wrong)  # type: ignore[arg-type,type-var]  # the point of the test


@pytest.mark.parametrize(
    ("old", "new", "path", "expected"),
    [
        *(
            ('"width": 12', f'"width": {number}', "value.width", "a whole number")
            for number in ("NaN", "-Infinity", "1.2e1", "1" + "0" * 10_000, 2**53)
        ),
        ('"width": 12', '"width": 12, "width": 12', "value.width", "every field once"),
        ('"width": 12', '"x": [[{"a": 1, "a": 1}]]', "value.x", "no field but"),
        ('"version": 1', '"version": 1, "kind": "cell"', "kind", "every field once"),
        *(
            ('"width": 12', wrong, "", "JSON (")
            for wrong in ('"width": 012', '"width": 12,,', '"width: 12', "// no comments")
        ),
        *(("{", "", "", "JSON ("), ("}", "} {}", "", "JSON (")),
        ("{", "\ufeff\ufeff{", "", "JSON ("),
    ],
)
def test_bad_texts(old: str, new: str, path: str, expected: str) -> None:
    error = refused(json.loads, golden("board").replace(old, new, 1))
    assert expected in error.expected
    assert error.path == path


@pytest.mark.parametrize(
    ("octets", "expected"),
    [
        (b'{"\xff": 1}', "text in UTF-8"),
        (b"\xff\xfe{", "text in UTF-16-LE"),
        (b"\x00\x00\xfe\xff{", "text in UTF-32-BE"),
    ],
)
def test_bytes_that_are_no_text(octets: bytes, expected: str) -> None:
    error = refused(json.loads, octets)
    assert (error.path, error.expected) == ("", expected)
    assert isinstance(error.__cause__, UnicodeDecodeError)


def test_texts_that_are_nested_very_deeply() -> None:
    line = '{"format":"pontedeldiavolo","version":1,"kind":"line","value":'
    line += '{"moves":[{"action":"pass","variations":[' * 25_000
    read = partial(json.loads, limits=pdd.Limits.NONE)
    for text in ("[" * 100_000, "[" * 100_000 + "]" * 100_000, '{"a":' * 100_000, line):
        assert "deep in each other" in refused(read, text).expected
    brackets = '"' + "[" * 100_000 + '\\"'
    for text in (brackets, brackets + '"', "[]" * 100_000, '"\\' * 100_000):
        assert "deep in each other" not in refused(json.loads, text).expected


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
        assert "deep in each other" in refused(json.from_json, data).expected
        refused(json.from_json, document_with("game/value/tags/First", data))
    while deep:
        deep = deep[0]  # type: ignore[assignment]  # taken apart level by level, as it was made


def nested(depth: int) -> dict[str, object]:
    """Return a document of a line with variations of a depth."""
    line: dict[str, object] = {"moves": [{"action": "pass", "nags": [1]}]}
    for _ in range(depth):
        line = {"moves": [{"action": "pass", "nags": [1], "variations": [line]}]}
    return parsed("line") | {"value": line}


def test_the_deepest_variations() -> None:
    document = nested(MAX_DEPTH)
    line = json.loads(standard.dumps(document), pdd.Line)
    assert line.depth == MAX_DEPTH
    assert json.to_json(line) == document
    for depth in (MAX_DEPTH + 1, MAX_NESTING, 2 * MAX_NESTING):
        refused(json.from_json, nested(depth))


def test_wrong_types() -> None:
    for wrong in (None, 5, bytearray(b"{}"), ["{}"]):
        with wrong_type("text"):
            json.loads(wrong)  # type: ignore[call-overload]  # the point of the test
    values: list[Any] = [None, 5, "a1", [], pdd.GameState, STATE.legal_actions, object()]
    for value in values:
        for write in (json.to_json, json.dumps):
            with pytest.raises(
                TypeError,
                match=f"^value must be of a type with documents, not {type(value).__name__}",
            ):
                write(value)
    for indent in ("  ", True, 1.5):
        with wrong_type("indent"):
            json.dumps(RULES, indent)  # type: ignore[arg-type]  # the point of the test


FAR = pdd.Cell(10**9, 0)
A1 = cell("a1")


@pytest.mark.parametrize(
    ("value", "path"),
    [
        *((FAR, "value"), (pdd.PlaceTile(FAR), "value"), (pdd.PlaceTiles(A1, FAR), "value")),
        *((pdd.BuildBridge(A1, FAR), "value"), (pdd.Bridge(A1, FAR), "value")),
        (pdd.Line([pdd.Move(pdd.PlaceTiles(FAR, FAR))]), "value.moves[0].action"),
        (pdd.Setup(SMALL, [A1, FAR]), "value.white[1]"),
        (pdd.Violation(pdd.ViolationCode.OCCUPIED, values={"left": BIG}), "value.values.left"),
        (
            pdd.Violation(pdd.ViolationCode.OCCUPIED, values={"\ud800": 1}),
            "value.values['\\ud800']",
        ),
        (pdd.Score(1, -2, 3), "value.islands"),
    ],
)
def test_values_that_no_document_can_hold(value: Value, path: str) -> None:
    assert refused(json.to_json, value).path == path
