"""Every value as plain JSON and back; what is stored today can be read in ten years."""

from __future__ import annotations

import copy
import importlib
import json as standard
import math
import pickle
import subprocess
import sys
from enum import Enum
from io import StringIO
from pathlib import Path
from random import Random

import pytest
from attrs import NOTHING, fields, frozen, has
from cattrs import Converter
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from jsonschema import Draft202012Validator

import pontedeldiavolo as pdd
from pontedeldiavolo import json
from pontedeldiavolo.json.kinds import BY_NAME, KINDS
from pontedeldiavolo.json.plain import MAX_NESTING
from pontedeldiavolo.game.line import MAX_DEPTH
from strategies import (
    attempts,
    boards,
    cells,
    games,
    play_out,
    players,
    positions,
    rules,
    setups,
    share,
    states,
    two_cells,
)
from trees import annotated_games

DATA = Path(__file__).parent / "data" / "json"
VALIDATOR = Draft202012Validator(json.schema())


def cell(name: str) -> pdd.Cell:
    return pdd.parse_cell(name)


def bridge(name: str) -> pdd.Bridge:
    return pdd.Bridge(*map(cell, name.split("-")))


# One value of each kind, and the documents that hold them

SMALL = pdd.Board(5, 5)
RULES = pdd.Rules(SMALL, 12, 4, (pdd.Tiebreak.BRIDGES,))
SETUP = pdd.Setup(SMALL, map(cell, ("a1", "c1", "f6")), [cell("c1")], [bridge("c3-a1")])
STATE = pdd.GameState.from_position(
    pdd.Position.from_pieces(
        SMALL,
        map(cell, ("a1", "b1", "a2", "b2", "d1", "d2")),
        map(cell, ("a5", "c5", "d4", "e4")),
        map(bridge, ("b1-d1", "a5-c5")),
    ),
    rules=RULES,
    to_move=pdd.Color.RED,
    white_owner=pdd.Seat.SECOND,
)
UNBUILT = pdd.GameState.from_position(
    pdd.Position.from_pieces(SMALL, map(cell, ("a1", "b1", "a2", "b2", "d1", "d2")))
)


def example_game() -> pdd.Game:
    """Return a game with everything that a game can have."""
    game = pdd.Game.new(RULES, {"Second": "Bo", "Round": "1", "First": "Åsa", "Note": 'a "b" \\'})
    for action in ("a1,b2", "white", "c3,d4", "a3,e5", "c1,d1"):
        game = game.play(action)
    game = game.with_variation((2,), ["c4,d4", "a3,e5"], "or")
    game = game.with_variation((2, 0, 1), ["a4,e5"])
    game = game.with_comment("the start", ()).with_comment("good\nso far", (3,))
    return game.with_glyphs([1, 14], (3,)).end(pdd.Ending.TIME, pdd.Seat.FIRST)


TEXT = """[First "Ada"]
[Rules "5x5 tiles=unlimited bridges=unlimited tiebreaks=none"]

1. a1,b2 red (white 2. a2-a3)
2. a1,a1! white-wins
"""


def example_record() -> pdd.records.Record:
    """Return a record with an illegal action."""
    (record,) = pdd.records.iter_records(StringIO(TEXT))
    assert isinstance(record, pdd.records.Record)
    return record


GAME = example_game()
WHITE, RED = pdd.Color.WHITE, pdd.Color.RED

EXAMPLES: dict[str, json.Value] = {
    "color": RED,
    "seat": pdd.Seat.SECOND,
    "phase": pdd.Phase.LAST_TURN,
    "tiebreak": pdd.Tiebreak.ISLANDS,
    "decided-by": pdd.DecidedBy.NOTHING,
    "ending": pdd.Ending.RESIGNATION,
    "rule": pdd.Rule.TILE_BENEATH,
    "cell": cell("c4"),
    "cell-set": SMALL.cell_set(map(cell, ("b2", "a1", "e5"))),
    "board": pdd.Board(12, 7),
    "rules": RULES,
    "symmetry": pdd.symmetries(SMALL)[5],
    "place-tiles": pdd.PlaceTiles(cell("b2"), cell("a1")),
    "place-tile": pdd.PlaceTile(cell("aa30")),
    "build-bridge": pdd.BuildBridge(cell("c3"), cell("a1")),
    "choose-color": pdd.ChooseColor(RED),
    "pass": pdd.Pass(),
    "bridge": bridge("b3-a1"),
    "group": STATE.position.groups(WHITE)[0],
    "network": STATE.position.networks(WHITE)[0],
    "setup": SETUP,
    "position": STATE.position,
    "game-state": STATE,
    "half-turn": pdd.HalfTurn(STATE, cell("a4")),
    "score": pdd.Score(10, 4, 3),
    "outcome": pdd.Outcome(
        RED, pdd.Seat.FIRST, pdd.DecidedBy.BRIDGES, pdd.Score(3, 2, 1), pdd.Score(3, 2, 2)
    ),
    "effects": UNBUILT.effects(pdd.parse_action("b1-d1")),
    "violation": SETUP.faults()[0],
    "turn": GAME.turns[3],
    "move": GAME.line.moves[2],
    "line": GAME.line,
    "game": GAME,
    "record": example_record(),
}


def golden(kind: str) -> str:
    """Return the text of the document that is kept for a kind."""
    return (DATA / f"{kind}.json").read_text("utf-8")


def parsed(kind: str) -> dict[str, object]:
    """Return that document as data."""
    data = standard.loads(golden(kind))
    assert isinstance(data, dict)
    return data


def test_there_is_a_document_of_each_kind() -> None:
    assert list(EXAMPLES) == [kind.name for kind in KINDS]
    assert {path.stem for path in DATA.glob("*.json")} == set(EXAMPLES)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_what_is_stored_can_still_be_read(kind: str) -> None:
    text, value = golden(kind), EXAMPLES[kind]
    assert json.loads(text) == value
    assert json.loads(text, type(value)) == value
    assert json.dumps(value, indent=2) + "\n" == text
    assert type(json.loads(text)) is BY_NAME[kind].of


def test_every_public_class_of_values_has_a_kind() -> None:
    views = {pdd.ActionSpace, pdd.StepSpace, pdd.LegalActions, pdd.LegalSteps}
    public = [getattr(pdd, name) for name in pdd.__all__]
    classes = {each for each in public if isinstance(each, type)} - views
    values = {each for each in classes if not issubclass(each, Exception)}
    assert {kind.of for kind in KINDS} == {*values, pdd.records.Record}


def test_no_field_of_any_value_is_forgotten() -> None:
    otherwise = {("cell-set", "bits"), ("symmetry", "width"), ("symmetry", "height")}
    missing = {
        (kind.name, field.name)
        for kind in KINDS
        if has(kind.of) and has(kind.form)
        for field in fields(kind.of)
        if field.name[0] != "_" and field.init and field.eq
        if field.name not in {each.name for each in fields(kind.form)}
    }
    assert missing == otherwise


# Round trips


def cell_sets() -> SearchStrategy[pdd.CellSet]:
    return boards().flatmap(
        lambda board: st.sets(st.sampled_from(board.cells), max_size=9).map(board.cell_set)
    )


def far_cells() -> SearchStrategy[pdd.Cell]:
    return st.builds(pdd.Cell, st.integers(0, 300_000_000), st.integers(0, 999_999_998))


def any_cells() -> SearchStrategy[pdd.Cell]:
    return boards().flatmap(cells) | far_cells()


def pairs() -> SearchStrategy[tuple[pdd.Cell, pdd.Cell]]:
    return boards().flatmap(two_cells) | st.tuples(far_cells(), far_cells())


@st.composite
def half_turns(draw: DrawFn) -> pdd.HalfTurn:
    able = states().filter(lambda state: bool(state.legal_actions.first_tiles))
    state = draw(able)
    return pdd.HalfTurn(state, draw(st.sampled_from(sorted(state.legal_actions.first_tiles))))


@st.composite
def violations(draw: DrawFn) -> pdd.Violation:
    state = draw(states())
    found = (*state.violations(draw(attempts(state))), *draw(setups()).faults())
    return draw(st.sampled_from(found or (pdd.Violation(pdd.Rule.CROSSES),)))


@st.composite
def all_effects(draw: DrawFn) -> pdd.Effects:
    state = draw(states().filter(lambda state: not state.is_over))
    legal = state.legal_actions
    return state.effects(draw(st.sampled_from(legal.bridges or (legal[0], legal[-1]))))


@st.composite
def outcomes(draw: DrawFn) -> pdd.Outcome:
    outcome = play_out(draw(rules()), draw(players())).last.outcome
    assert outcome is not None
    return outcome


def read_back(game: pdd.Game) -> pdd.records.Record:
    (record,) = pdd.records.iter_records(StringIO(pdd.records.dumps(game)))
    assert isinstance(record, pdd.records.Record)
    return record


def whole_games() -> SearchStrategy[pdd.Game]:
    return games() | annotated_games()


def networks() -> SearchStrategy[pdd.Network]:
    found = positions().map(lambda position: [*map(position.networks, pdd.Color)])
    return found.map(lambda both: sum(both, ())).filter(bool).flatmap(st.sampled_from)


VALUES: dict[str, SearchStrategy[json.Value]] = {
    "cell": any_cells(),
    "cell-set": cell_sets(),
    "board": st.builds(pdd.Board, st.integers(1, 64), st.integers(1, 64)),
    "rules": rules(),
    "symmetry": boards().map(pdd.symmetries).flatmap(st.sampled_from),
    "place-tiles": pairs().map(lambda pair: pdd.PlaceTiles(*pair)),
    "place-tile": any_cells().map(pdd.PlaceTile),
    "build-bridge": pairs().map(lambda pair: pdd.BuildBridge(*pair)),
    "choose-color": st.sampled_from(pdd.Color).map(pdd.ChooseColor),
    "pass": st.just(pdd.Pass()),
    "bridge": pairs().map(lambda pair: pdd.Bridge(*pair)),
    "group": networks().map(lambda network: network.groups[-1]),
    "network": networks(),
    "setup": setups(),
    "position": positions(),
    "game-state": states(),
    "half-turn": half_turns(),
    "score": states().map(lambda state: state.score(WHITE)),
    "outcome": outcomes(),
    "effects": all_effects(),
    "violation": violations(),
    "turn": games().filter(lambda game: bool(game.turns)).map(lambda game: game.turns[-1]),
    "move": annotated_games()
    .map(lambda game: [move for _, move in game.walk()])
    .filter(bool)
    .flatmap(st.sampled_from),
    "line": annotated_games().map(lambda game: game.line),
    "game": whole_games(),
    "record": annotated_games().map(read_back),
} | {kind.name: st.sampled_from([*kind.of]) for kind in KINDS if issubclass(kind.of, Enum)}


@pytest.mark.parametrize("kind", EXAMPLES)
@share(0.5)
@given(data=st.data())
def test_round_trips(kind: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    document = json.to_json(value)
    text = json.dumps(value)
    assert standard.loads(text) == document
    assert text.encode()
    VALIDATOR.validate(document)
    for back in (
        json.from_json(document),
        json.from_json(document, type(value)),
        json.loads(text),
        json.loads(json.dumps(value, indent=1), type(value)),
    ):
        assert type(back) is type(value)
        assert back == value
        assert json.dumps(back) == text


@given(cell_sets())
def test_a_set_of_cells_keeps_its_board(found: pdd.CellSet) -> None:
    back = json.loads(json.dumps(found), pdd.CellSet)
    assert back.bits == found.bits
    assert pickle.dumps(back) == pickle.dumps(found)


@given(annotated_games())
def test_equal_games_have_equal_documents(game: pdd.Game) -> None:
    other = game.with_tags(dict(sorted(game.tags.items(), reverse=True)))
    assert json.dumps(other) == json.dumps(game)


def test_the_cells_of_an_action_come_in_either_order() -> None:
    for kind, text in (("place-tiles", "b2,a1"), ("build-bridge", "c3-a1"), ("bridge", "b3-a1")):
        document = parsed(kind) | {"value": text}
        assert json.from_json(document) == EXAMPLES[kind]
        VALIDATOR.validate(document)


def test_a_record_knows_its_places() -> None:
    record = example_record()
    back = json.loads(json.dumps(record), pdd.records.Record)
    for each in (record, back):
        with pytest.raises(pdd.RecordError) as caught:
            each.game()
        assert (caught.value.line, caught.value.column) == (4, 24)
    errors: list[pdd.RecordError] = []
    (wrong,) = pdd.records.iter_records(StringIO('[Result "white"]\n\n*'), errors)
    assert isinstance(wrong, pdd.records.Record)
    assert errors
    back = json.loads(json.dumps(wrong), pdd.records.Record)
    with pytest.raises(pdd.RecordError) as caught:
        back.game()
    assert (caught.value.line, caught.value.column) == (1, 10)


def test_a_record_that_no_text_holds() -> None:
    record = pdd.records.Record(GAME.start, GAME.tags, GAME.line)
    back = json.loads(json.dumps(record), pdd.records.Record)
    assert back == record
    assert back.game().line == GAME.line


# The schema


def test_the_schema_is_one_and_new_at_each_call() -> None:
    Draft202012Validator.check_schema(json.schema())
    json.schema()["$defs"] = None
    assert json.schema()["$defs"]
    assert "description" in json.schema()


def described(part: object) -> bool:
    """Tell whether a part of the schema says what it is."""
    return isinstance(part, dict) and bool({"description", "$ref"} & part.keys())


def test_the_schema_has_what_the_forms_have() -> None:
    definitions = json.schema()["$defs"]
    assert isinstance(definitions, dict)
    for kind in KINDS:
        definition = definitions[kind.name]
        assert isinstance(definition, dict)
        assert definition["description"]
        if issubclass(kind.of, Enum):
            assert definition["enum"] == [member.value for member in kind.of]
        reference = definition.get("$ref")
        if isinstance(reference, str):
            target = definitions[reference.rpartition("/")[2]]
            assert isinstance(target, dict)
            definition = target
        if has(kind.form):
            properties = definition["properties"]
            assert isinstance(properties, dict)
            required = [field.name for field in fields(kind.form) if field.default is NOTHING]
            assert definition["required"] == required
            assert list(properties) == [field.name for field in fields(kind.form)]
            assert definition["additionalProperties"] is False
            assert all(map(described, properties.values()))


def test_every_kind_has_its_place_in_the_schema() -> None:
    expected = [
        {"properties": {"kind": {"const": name}, "value": {"$ref": f"#/$defs/{name}"}}}
        for name in BY_NAME
    ]
    assert json.schema()["oneOf"] == expected


# Bad documents

Keys = tuple[str | int, ...]
DELETED = object()


def changed(data: object, keys: Keys, part: object) -> object:
    """Return a copy of some data with another part at a place, or without it."""
    data = copy.deepcopy(data)
    if not keys:
        return part
    outer = data
    for key in keys[:-1]:
        outer = outer[key]  # type: ignore[index]  # the path says what it is
    if part is DELETED:
        del outer[keys[-1]]  # type: ignore[attr-defined]  # as above
    else:
        outer[keys[-1]] = part  # type: ignore[index]  # as above
    return data


MOVES: Keys = ("value", "line", "moves")
BIG = 2**53

# Kind, place, what is put there, the path and a piece of what the error says, and whether the
# schema can see it.
BAD: list[tuple[str, Keys, object, str, str, bool]] = [
    # The envelope
    ("game", (), [], "", "an object", True),
    ("game", (), None, "", "an object", True),
    ("game", (), "game", "", "an object", True),
    ("game", (), {1: 2}, "", "an object", True),
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
    ("turn", ("value", "action"), 5, "value.action", "'a1-c3', 'white' or 'red', 'pass'", True),
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
        with pytest.raises(TypeError):
            json.loads(golden("game"), wrong)  # type: ignore[arg-type,type-var]  # the point of the test


# Bad texts


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
        ("{", "\ufeff{", "", "JSON ("),
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
    for wrong in (None, 5, b"{}", ["{}"]):
        with pytest.raises(TypeError):
            json.loads(wrong)  # type: ignore[call-overload]  # the point of the test
    for value in (None, 5, "a1", [], pdd.GameState, STATE.legal_actions, object()):
        with pytest.raises(TypeError):
            json.to_json(value)  # type: ignore[arg-type]  # the point of the test
        with pytest.raises(TypeError):
            json.dumps(value)  # type: ignore[arg-type]  # the point of the test
    with pytest.raises(TypeError):
        json.register_hooks({})  # type: ignore[arg-type]  # the point of the test
    for indent in ("  ", True, 1.5):
        with pytest.raises(TypeError):
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


# Anything at all


def plain_data() -> SearchStrategy[object]:
    leaves = st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=5),
        st.sampled_from(["a1", "a1,b2", "a1-c3", "white", "pass", "first", "play", 10**40, {}, []]),
    )
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
        ),
        max_leaves=8,
    )


def places_in(data: object, keys: Keys = ()) -> list[Keys]:
    """Return the paths of everything in some data."""
    found = [keys]
    if isinstance(data, dict):
        for name, part in data.items():
            found += places_in(part, (*keys, name))
    elif isinstance(data, list):
        for place, part in enumerate(data):
            found += places_in(part, (*keys, place))
    return found


def check_whatever_it_is(data: object) -> None:
    """Check that data is refused with the one error, or is a document that the schema knows."""
    try:
        value = json.from_json(data)
    except json.JsonError:
        return
    assert json.from_json(json.to_json(value)) == value
    VALIDATOR.validate(data)


@given(st.data())
def test_documents_in_which_anything_was_changed(data: st.DataObject) -> None:
    document: object = parsed(data.draw(st.sampled_from([*EXAMPLES])))
    for _ in range(data.draw(st.integers(1, 2))):
        places = places_in(document)
        keys = data.draw(st.sampled_from(places[1:]))
        other = data.draw(st.sampled_from(places))
        copied = document
        for key in other:
            copied = copied[key]  # type: ignore[index]  # the path says what it is
        part = data.draw(st.sampled_from([copied, DELETED]) | plain_data())
        document = changed(document, keys, part)
        if not isinstance(document, dict):
            break
    check_whatever_it_is(document)


@given(plain_data(), st.sampled_from([*EXAMPLES]))
def test_documents_of_anything(data: object, kind: str) -> None:
    check_whatever_it_is(data)
    check_whatever_it_is(parsed(kind) | {"value": data})


@given(st.text(max_size=20) | st.text('{}[]":,\\ 1a-', max_size=20), st.integers(0, 300))
def test_any_text(text: str, place: int) -> None:
    whole = golden("move")
    for each in (text, whole[:place] + text + whole[place:], whole[:place] + text):
        try:
            value = json.loads(each)
        except json.JsonError:
            continue
        assert isinstance(value, pdd.Move)


# Other converters, and none


@frozen
class Table:
    """A table of somebody's own, with values of the package."""

    state: pdd.GameState
    last: pdd.Action | None
    click: pdd.Step
    chairs: dict[pdd.Seat, str]
    seen: list[pdd.Cell]


@pytest.mark.parametrize("text", ["a1,b2", "a1-c3", "white", "pass", None])
@pytest.mark.parametrize("detailed", [True, False])
def test_other_converters_learn_the_values(text: str | None, *, detailed: bool) -> None:
    converter = Converter(detailed_validation=detailed)
    json.register_hooks(converter)
    last = None if text is None else pdd.parse_action(text)
    click = pdd.PlaceTile(cell("a4"))
    table = Table(STATE, last, click, {pdd.Seat.FIRST: "Ada"}, [cell("b2")])
    data = converter.unstructure(table)
    assert data == {
        "state": parsed("game-state")["value"],
        "last": text,
        "click": "a4",
        "chairs": {"first": "Ada"},
        "seen": ["b2"],
    }
    assert converter.structure(data, Table) == table


def test_what_other_converters_refuse() -> None:
    converter = Converter(detailed_validation=False)
    json.register_hooks(converter)
    data = converter.unstructure(
        Table(STATE, None, pdd.Pass(), {pdd.Seat.SECOND: "Bo"}, [cell("b2")])
    )
    for wrong in ("a1,b2", "e9-", None, 5):
        with pytest.raises(json.JsonError) as caught:
            converter.structure(data | {"click": wrong}, Table)
        assert caught.value.path == ""
        assert "'a1', 'a1-c3'" in caught.value.expected
    with pytest.raises(json.JsonError) as caught:
        converter.structure(data | {"state": data["state"] | {"red": ["x"]}}, Table)
    assert caught.value.path == "red[0]"
    deep: list[object] = []
    for _ in range(MAX_NESTING):
        deep = [deep]
    with pytest.raises(json.JsonError):
        converter.structure(deep, pdd.Line)


def test_the_package_alone_needs_no_cattrs() -> None:
    program = (
        "import sys; sys.modules['cattrs'] = None; import pontedeldiavolo\n"
        "try: import pontedeldiavolo.json\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "pip install 'pontedeldiavolo[json]'" in done.stdout


def test_without_cattrs_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pontedeldiavolo.json")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "cattrs", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[json\]'"):
        importlib.import_module("pontedeldiavolo.json")


def test_random_games_on_the_largest_board() -> None:
    rng, game = Random(7), pdd.Game.new(pdd.Rules(pdd.Board(64, 64)))
    for _ in range(12):
        game = game.play(game.state.legal_actions.sample(rng))
    assert json.loads(json.dumps(game)) == game
    assert json.loads(json.dumps(game.state)) == game.state


def test_a_hook_refuses_a_value_of_another_class() -> None:
    converter = Converter()
    json.register_hooks(converter)
    with pytest.raises(json.JsonError) as caught:
        converter.unstructure("10x10", unstructure_as=pdd.Board)
    assert "Board" in caught.value.expected
