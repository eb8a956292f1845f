"""Documents that are refused, and where the fault is."""

from __future__ import annotations

import math
import pickle
from enum import Enum

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME, KINDS
from support.documents import DELETED, VALIDATOR, Keys, changed, golden, parsed

MOVES: Keys = ("value", "line", "moves")
BIG = 2**53

# Kind, place, what is put there, the path and a piece of what the error says, and whether the
# schema can see it.
BAD: list[tuple[str, Keys, object, str, str, bool]] = [
    # The envelope
    ("game", (), [], "", "an object", True),
    ("game", (), None, "", "an object", True),
    ("game", (), "game", "", "an object", True),
    ("game", (), {1: 2}, "", "an object whose names are texts", True),
    ("game", ("format",), DELETED, "", "the field 'format'", True),
    ("game", ("format",), "pdd", "format", "'pontedeldiavolo'", True),
    ("game", ("format",), None, "format", "'pontedeldiavolo'", True),
    ("game", ("version",), DELETED, "", "the field 'version'", True),
    ("game", ("version",), 2, "version", "1", True),
    ("game", ("version",), 0, "version", "1", True),
    ("game", ("version",), "1", "version", "1", True),
    ("game", ("version",), True, "version", "1", True),
    ("game", ("version",), 1.0, "version", "1", False),
    ("game", ("kind",), DELETED, "", "the field 'kind'", True),
    ("game", ("kind",), "chess", "kind", "'game'", True),
    ("game", ("kind",), ["game"], "kind", "'game'", True),
    ("game", ("kind",), "line", "value.start", "no field but comment, moves", True),
    ("game", ("value",), DELETED, "", "the field 'value'", True),
    ("game", ("values",), 1, "values", "no field but format, version, kind, value", True),
    ("game", ("two words",), 1, "['two words']", "no field but", True),
    # Words
    ("color", ("value",), "blue", "value", "one of 'white', 'red'", True),
    ("color", ("value",), "White", "value", "one of 'white', 'red'", True),
    ("color", ("value",), 1, "value", "a text", True),
    ("phase", ("value",), None, "value", "a text", True),
    ("rule", ("value",), "be-nice", "value", "'game-over'", True),
    # Cells and actions
    ("cell", ("value",), "C4", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), "c0", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), "c04", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), " c4", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), "c4\n", "value", "a cell such as 'c4'", False),
    ("cell", ("value",), "c\u0664", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), "c1234567890", "value", "a cell such as 'c4'", True),
    ("cell", ("value",), [2, 3], "value", "a text", True),
    ("place-tile", ("value",), "a1,b2", "value", "a cell such as 'c4'", True),
    ("place-tiles", ("value",), "a1", "value", "two tiles such as 'a1,b2'", True),
    ("place-tiles", ("value",), "a1, b2", "value", "two tiles such as 'a1,b2'", True),
    ("place-tiles", ("value",), "a1-c3", "value", "two tiles such as 'a1,b2'", True),
    ("build-bridge", ("value",), "a1,c3", "value", "a bridge such as 'a1-c3'", True),
    ("bridge", ("value",), "a1-c3-e5", "value", "a bridge such as 'a1-c3'", True),
    ("choose-color", ("value",), "pass", "value", "one of 'white', 'red'", True),
    ("pass", ("value",), "white", "value", "'pass'", True),
    # Boards and rules
    ("board", ("value", "width"), 65, "value", "the width must be 1 to 64, not 65", True),
    ("board", ("value", "height"), 0, "value", "the height must be 1 to 64, not 0", True),
    ("board", ("value", "width"), -1, "value.width", "a whole number from 0", True),
    ("board", ("value", "width"), True, "value.width", "a whole number", True),
    ("board", ("value", "width"), 5.0, "value.width", "a whole number", False),
    ("board", ("value", "width"), math.nan, "value.width", "a whole number", True),
    ("board", ("value", "width"), math.inf, "value.width", "a whole number", True),
    ("board", ("value", "width"), 10**4000, "value.width", "a whole number", True),
    ("board", ("value", "depth"), 3, "value.depth", "no field but width, height", True),
    ("board", ("value",), [5, 5], "value", "an object", True),
    ("board", ("value",), "5x5", "value", "an object", True),
    ("rules", ("value", "board", "width"), 65, "value.board", "the width must be", True),
    ("rules", ("value", "tiebreaks"), DELETED, "value", "the field 'tiebreaks'", True),
    ("rules", ("value", "tiebreaks"), None, "value.tiebreaks", "a list", True),
    ("rules", ("value", "tiebreaks"), "islands", "value.tiebreaks", "a list", True),
    ("rules", ("value", "tiebreaks"), ["rest"], "value.tiebreaks[0]", "one of 'islands'", True),
    ("rules", ("value", "tiebreaks"), ["islands"] * 2, "value", "a tie-break is repeated", True),
    ("rules", ("value", "bridges"), -1, "value.bridges", "a whole number", True),
    ("rules", ("value", "bridges"), BIG, "value.bridges", ", or null", True),
    ("rules", ("value", "bridges"), False, "value.bridges", ", or null", True),
    ("rules", ("value", "bridges"), DELETED, "value", "the field 'bridges'", True),
    ("cell-set", ("value", "cells", 0), "a6", "value.cells", "a6 is off the 5×5 board", False),
    ("cell-set", ("value", "cells", 1), "a1", "value.cells[1]", "every item once, not a1", True),
    ("cell-set", ("value", "cells", 1), 7, "value.cells[1]", "a text", True),
    ("symmetry", ("value", "board", "width"), 4, "value", "cannot be transposed", False),
    ("symmetry", ("value", "transposes"), 1, "value.transposes", "true or false", True),
    # What lies on the board
    ("group", ("value", "color"), None, "value.color", "a text", True),
    ("group", ("value", "cells", "cells", 0), "z9", "value.cells.cells", "z9 is off", False),
    ("network", ("value", "groups", 1, "cells"), [], "value.groups[1].cells", "an object", True),
    ("setup", ("value", "white"), {}, "value.white", "a list", True),
    ("setup", ("value", "bridges"), ["a1-c3", "c3-a1"], "value.bridges[1]", "every item", False),
    ("position", ("value", "red", 0), "a1", "value", "Already taken", False),
    ("position", ("value", "white", 5), "f2", "value", "Off the 5×5", False),
    (
        "position",
        ("value", "bridges"),
        [f"a1-a{n}" for n in range(2, 15)],
        "value.bridges",
        "at most 12 bridges",
        False,
    ),
    # States
    ("game-state", ("value", "phase"), "opening", "value", "played on an empty board", False),
    ("game-state", ("value", "to_move"), None, "value", "the one to move", False),
    ("game-state", ("value", "to_move"), "blue", "value.to_move", "'red', or null", True),
    ("game-state", ("value", "white_owner"), None, "value", "Colours have owners", False),
    ("game-state", ("value", "rules", "bridges"), 1, "value", "2 bridges stand", False),
    ("game-state", ("value", "rules", "board", "width"), 99, "value.rules.board", "width", True),
    ("game-state", ("value", "turn"), 3, "value.turn", "no field but rules, white", True),
    ("half-turn", ("value", "first"), "a1", "value", "Already taken by a tile: a1", False),
    ("half-turn", ("value", "state", "red"), 5, "value.state.red", "a list", True),
    ("score", ("value", "points"), -3, "value.points", "a whole number from 0", True),
    ("score", ("value", "points"), "3", "value.points", "a whole number", True),
    ("outcome", ("value", "winner"), "first", "value.winner", "'red', or null", True),
    ("outcome", ("value", "white", "islands"), 1.5, "value.white.islands", "whole number", True),
    ("effects", ("value", "bridge"), "b1", "value.bridge", "'a1-c3', or null", True),
    ("effects", ("value", "score", "points"), None, "value.score.points", "a whole", True),
    ("violation", ("value", "values", "width"), True, "value.values.width", "or a text", True),
    ("violation", ("value", "values", "width"), -BIG, "value.values.width", "or a text", True),
    ("violation", ("value", "values", "width"), "\ud800", "value.values.width", "surrog", False),
    ("violation", ("value", "values", "\udfff"), 1, "value.values['\\udfff']", "surrog", False),
    ("violation", ("value", "values"), [], "value.values", "an object", True),
    ("turn", ("value", "action"), "a1", "value.action", "an action such as 'a1,b2'", True),
    ("turn", ("value", "action"), 5, "value.action", "'a1-c3', 'white', 'red', 'pass'", True),
    # Lines, games and records
    ("move", ("value", "action"), DELETED, "value", "the field 'action'", True),
    ("move", ("value", "comment"), "a\x00", "value.comment", "can be printed", False),
    ("move", ("value", "comment"), None, "value.comment", "a text", True),
    ("move", ("value", "variations", 0, "moves"), [], "value.variations", "at least one", True),
    ("line", ("value", "comment"), "\u2028", "value.comment", "can be printed", False),
    ("line", ("value", "moves"), {}, "value.moves", "a list", True),
    ("game", (*MOVES, 3, "glyphs"), [256], "value.line.moves[3].glyphs", "0 to 255", True),
    ("game", (*MOVES, 3, "glyphs"), ["!"], "value.line.moves[3].glyphs[0]", "whole", True),
    ("game", (*MOVES, 3, "glyph"), 1, "value.line.moves[3].glyph", "no field but action", True),
    ("game", (*MOVES, 3, "action"), "c3,e5", "value.line.moves[3].action", "by a tile: c3", False),
    ("game", (*MOVES, 1, "action"), "pass", "value.line.moves[1].action", "this point", False),
    (
        "game",
        (*MOVES, 2, "variations", 0, "moves", 1, "action"),
        "d4,e5",
        "value.line.moves[2].variations[0].moves[1].action",
        "taken by a tile: d4",
        False,
    ),
    ("game", ("value", "tags", "Result"), "white", "value.tags.Result", "follows from", True),
    ("game", ("value", "tags", "First"), "a\nb", "value.tags.First", "in one line", True),
    ("game", ("value", "tags", "First"), 5, "value.tags.First", "a text", True),
    ("game", ("value", "tags", "x y"), "", "value.tags['x y']", "a tag's name", True),
    ("game", ("value", "tags", "a" * 256), "", f"value.tags['{'a' * 40}'…]", "a tag's", True),
    ("game", ("value", "tags"), None, "value.tags", "an object", True),
    ("game", ("value", "ending"), "scored", "value.ending", "when it is played out", False),
    ("game", ("value", "ending"), None, "value.winning_seat", "null, as the board", False),
    ("game", ("value", "ending"), "fog", "value.ending", "'adjudication', or null", True),
    ("game", ("value", "start", "phase"), "play", "value.start", "Colours have owners", False),
    ("record", ("value", "result"), "1-0", "value.result", "one of 'white', 'red'", True),
    ("record", ("value", "tags", "Rules"), "", "value.tags.Rules", "follows from", True),
    ("record", ("value", "places", "moves"), [], "value.places.moves", "5 places", False),
    (
        "record",
        ("value", "places", "termination"),
        [1],
        "value.places.termination",
        "both from 1",
        True,
    ),
    ("record", ("value", "places", "result"), [0, 1], "value.places.result", "both from 1", True),
    ("record", ("value", "places", "result"), 3, "value.places.result", "a list, or null", True),
]


@pytest.mark.parametrize(
    ("kind", "keys", "part", "path", "expected", "visible"),
    BAD,
    ids=[f"{row[0]}-{row[3]}" for row in BAD],
)
def test_bad_documents(
    kind: str, keys: Keys, part: object, path: str, expected: str, *, visible: bool
) -> None:
    document = changed(parsed(kind), keys, part)
    with pytest.raises(json.JsonError) as caught:
        json.from_json(document)
    error = caught.value
    assert error.path == path
    assert expected in error.expected
    assert str(error) == f"{path or 'the document'}: expected {error.expected}"
    assert VALIDATOR.is_valid(document) is not visible
    copied = pickle.loads(pickle.dumps(error))
    assert (copied.path, copied.expected) == (error.path, error.expected)


def test_every_kind_has_a_bad_document() -> None:
    words = {kind.name for kind in KINDS if issubclass(kind.of, Enum)}
    assert {row[0] for row in BAD} >= BY_NAME.keys() - words


@pytest.mark.parametrize(
    ("kind", "keys", "part", "cause"),
    [
        ("game", (*MOVES, 3, "action"), "c3,e5", pdd.IllegalActionError),
        ("game", ("value", "tags", "x y"), "", pdd.NotationError),
        ("game", ("value", "ending"), "scored", pdd.PonteError),
        ("half-turn", ("value", "first"), "a1", pdd.IllegalActionError),
        ("game-state", ("value", "white_owner"), None, pdd.InvalidPositionError),
        ("half-turn", ("value", "state", "white_owner"), None, pdd.InvalidPositionError),
        ("position", ("value", "red", 0), "a1", pdd.InvalidPositionError),
        ("board", ("value", "width"), 65, pdd.InvalidRulesError),
        ("rules", ("value", "board", "width"), 65, pdd.InvalidRulesError),
        ("rules", ("value", "tiebreaks"), ["islands"] * 2, pdd.InvalidRulesError),
    ],
)
def test_content_that_breaks_a_rule_says_which(
    kind: str, keys: Keys, part: object, cause: type[Exception]
) -> None:
    with pytest.raises(json.JsonError) as caught:
        json.from_json(changed(parsed(kind), keys, part))
    assert type(caught.value.__cause__) is cause


def test_a_game_that_is_played_out() -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(1, 1)))
    for action in ("pass", "red", "pass"):
        game = game.play(action)
    document = json.to_json(game)
    assert json.from_json(document) == game
    for keys, part, path in (
        (("value", "ending"), None, "value.ending"),
        (("value", "ending"), "time", "value.ending"),
        (("value", "winning_seat"), "first", "value.winning_seat"),
    ):
        with pytest.raises(json.JsonError) as caught:
            json.from_json(changed(document, keys, part))
        assert caught.value.path == path
    longer = changed(document, ("value", "line", "moves"), [{"action": "pass"}] * 4)
    with pytest.raises(json.JsonError) as caught:
        json.from_json(longer)
    assert caught.value.path == "value.line.moves[1].action"


def test_another_kind_than_the_one_that_was_asked_for() -> None:
    with pytest.raises(json.JsonError) as caught:
        json.loads(golden("game"), pdd.GameState)
    assert (caught.value.path, caught.value.expected) == ("kind", "'game-state'")
    for wrong in (int, pdd.LegalActions, "game"):
        said = "kind must be type" if isinstance(wrong, str) else "there are no documents of "
        with pytest.raises(TypeError, match=said):
            json.loads(golden("game"), wrong)  # type: ignore[arg-type,type-var]  # the point of the test
