"""Values of a wrong type that would be stored or give a wrong answer, and what is a number."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import (
    Board,
    Bridge,
    BuildBridge,
    Cell,
    ChooseColor,
    Color,
    GameState,
    Group,
    HalfTurn,
    Network,
    Outcome,
    Pass,
    PlaceTile,
    PlaceTiles,
    Position,
    Rules,
    Score,
    Seat,
    Setup,
    Symmetry,
    Tiebreak,
    Turn,
    Violation,
)
from support.checks import Small, Three
from support.diagrams import bridge, cells, play, state_of

A1, B2, C1 = cells("a1 b2 c1")
PAIR = PlaceTiles(A1, A1)
STATE = state_of("3 . w . r\n2 . . . .\n1 w . . .")
HALF = HalfTurn(STATE, B2)
OUTCOME = play(state_of("r r r r", Color.RED), "pass").outcome
assert OUTCOME is not None
BOARD, VIOLATION, SQUARE = Board(), pdd.Rule.OCCUPIED, Symmetry(4, 4)
BRIDGE_AS_ACTION, SPACE = BuildBridge(A1, C1), pdd.ActionSpace(Board())

Call = Callable[..., object]

STORED: list[tuple[str, Call, tuple[Any, ...]]] = [
    *(("column", Cell, (wrong, 1)) for wrong in ("a", 1.0, True, None)),
    ("row", Cell, (1, False)),
    ("width", Board, ("10", 10)),
    ("height", Board, (10, 10.0)),
    ("width", Board, (True, 1)),
    ("flips_rows", Symmetry, (4, 4, False, False, "yes")),
    ("board", Rules, ((10, 10),)),
    *(("tiles_per_color", Rules, (Board(), wrong)) for wrong in ("40", 40.0, True)),
    ("bridges", Rules, (Board(), None, False)),
    ("tie-break", Rules, (Board(), None, None, ("islands",))),
    *((name, PlaceTiles, wrong) for name, wrong in (("a", ("a1", A1)), ("b", (A1, (0, 1))))),
    *((name, BuildBridge, wrong) for name, wrong in (("a", ("a1", A1)), ("b", (A1, 3)))),
    *((name, Bridge, wrong) for name, wrong in (("a", ("a1", A1)), ("b", (A1, None)))),
    ("cell", PlaceTile, (None,)),
    ("color", ChooseColor, ("white",)),
    ("points", Score, ("3", 2, 1)),
    ("islands", Score, (3, 2.0, 1)),
    ("bridges", Score, (3, 2, True)),
    ("winner", Outcome, ("white", None, None, 1, 0)),
    ("color", Group, ("white", [A1])),
    ("groups", Network, (Color.WHITE, "a1", None)),
    ("rule", Violation, ("occupied",)),
    ("a name among the values", Violation, (VIOLATION, (), (), {1: 1})),
    ("the value left", Violation, (VIOLATION, (), (), {"left": [1]})),
    ("the value left", Violation, (VIOLATION, (), (), {"left": True})),
    ("a name among the roles", Violation, (VIOLATION, (), (), {}, {1: [A1]})),
    ("a cell of the role new", Violation, (VIOLATION, (), (), {}, {"new": ["a1"]})),
    ("number", Turn, ("1", Seat.FIRST, Color.WHITE, Pass())),
    ("state", HalfTurn, (Board(), A1)),
    ("first", HalfTurn, (GameState.initial(), "a1")),
    ("board", Setup, ("10x10",)),
    ("cell", Setup, (BOARD, ["a1"])),
    ("cell", Setup, (BOARD, (), [(0, 0)])),
    ("bridge", Setup, (BOARD, (), (), [BRIDGE_AS_ACTION])),
    ("board", pdd.ActionSpace, ((4, 4),)),
    *(("rules", GameState.initial, (wrong,)) for wrong in ("original", Board(), 10)),
    *(("color", STATE.with_to_move, (wrong,)) for wrong in ("red", Seat.FIRST, None)),
]
"""Where a wrong type would be stored: the name that the error begins with, and the call."""

OTHER_COLORS = ("white", Seat.FIRST, None)
ANSWERED: list[tuple[str, Call, tuple[Any, ...]]] = [
    *(
        ("color", call, (wrong,))
        for call in (
            *(STATE.owner, STATE.tiles_left, STATE.score),
            *(STATE.position.tiles, STATE.position.bridges, STATE.position.groups),
            *(STATE.position.islands, STATE.position.networks, STATE.position.score),
            *(STATE.position.open_cells, STATE.position.open_bridges),
        )
        for wrong in OTHER_COLORS
    ),
    *(("seat", STATE.color_of, (wrong,)) for wrong in ("first", Color.WHITE, None)),
    ("seat", OUTCOME.value, (Color.WHITE,)),
    *(
        ("action", call, (wrong,))
        for call in (STATE.is_legal, STATE.violations, STATE.apply, STATE.effects)
        for wrong in ("b2,c1", A1, None, bridge("a1-a3"))
    ),
    ("action", STATE.apply, (PlaceTile(A1),)),
    ("action", STATE.effects, (PlaceTile(B2),)),
    *(
        ("step", call, (wrong,))
        for call in (STATE.step, HALF.is_legal, HALF.violations, HALF.step)
        for wrong in ("b2", A1, None, PAIR)
    ),
    ("item", SPACE.encode, (bridge("a1-a3"),)),
    ("item", SPACE.encode, (PlaceTile(A1),)),
    *(("code", SPACE.decode, (wrong,)) for wrong in ("1", 1.0, True, None)),
    *(("depth", pdd.perft, (STATE, wrong)) for wrong in ("1", 1.0, True, None)),
    *(("data", kind.unpack, (STATE.rules, "text")) for kind in (GameState, HalfTurn)),
    *(("column", SQUARE.point, (wrong, 0)) for wrong in (1.0, True)),
    *(("symmetry", action.transform, ("x",)) for action in (Pass(), ChooseColor(Color.RED))),
    *(("cell", pdd.format_cell, (wrong,)) for wrong in ("a1", None, (0, 0))),
    *(("action", pdd.format_action, (wrong,)) for wrong in ("pass", None, PlaceTile(A1))),
    *(("step", pdd.format_step, (wrong,)) for wrong in ("pass", None, PAIR)),
    *(("state", pdd.format_state, (wrong,)) for wrong in ("state", None, HALF)),
    *(("rules", pdd.presets.names_of, (wrong,)) for wrong in (None, "original", Board())),
    *(
        ("text", parse, (wrong,))
        for parse in (
            *(pdd.parse_cell, pdd.parse_action, pdd.parse_step, pdd.parse_rules),
            *(pdd.parse_state, pdd.parse_half_turn, pdd.parse_node),
        )
        for wrong in (None, 1, b"a1,b2", ["a1"], A1)
    ),
    *(("diagram", pdd.parse_setup, (wrong,)) for wrong in (None, 1, b"w", ["w"])),
]
"""Where a wrong type would be answered, likewise."""


@pytest.mark.parametrize(("name", "call", "arguments"), STORED + ANSWERED)
def test_wrong_types(name: str, call: Call, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=rf"^'?{name}'? must be "):
        call(*arguments)


@pytest.mark.parametrize(
    ("said", "call", "arguments"),
    [
        ("'Cell' object is not iterable", BOARD.cell_set, (A1,)),
        ("'Tiebreak' object is not iterable", Rules, (Board(), None, None, Tiebreak.ISLANDS)),
        ("'Cell' object is not iterable", Setup, (BOARD, A1)),
        ("takes 1 positional argument", Pass, (A1,)),
        ("a state is made by", GameState, ()),
        ("a set of cells is made by", pdd.CellSet, ()),
        ("legal actions are those of a state", pdd.LegalActions, ()),
        ("legal steps are those of a state", pdd.LegalSteps, ()),
        ("a position is made by", Position, ()),
    ],
)
def test_what_python_or_another_sentence_refuses(
    said: str, call: Call, arguments: tuple[Any, ...]
) -> None:
    with pytest.raises(TypeError, match=said):
        call(*arguments)


def test_whatever_counts_as_an_index_is_stored_as_an_int() -> None:
    cell, board, score = Cell(Three(), Small.TWO), Board(Three(), Small.TWO), Score(Three(), 2, 1)
    rules = Rules(board, Three(), Small.TWO)
    numbers = [cell.column, cell.row, board.width, board.height, score.points]
    numbers += [number for number in (rules.tiles_per_color, rules.bridges) if number is not None]
    assert numbers == [3, 2, 3, 2, 3, 3, 2]
    assert {type(number) for number in numbers} == {int}
    assert pdd.perft(STATE, Small.TWO) == pdd.perft(STATE, 2)
    assert STATE.legal_actions.sample(Random(1)) in STATE.legal_actions
