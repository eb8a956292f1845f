"""Values of a wrong type that would be stored or give a wrong answer, and what is a number."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import (
    Board,
    BuildBridge,
    Cell,
    Color,
    GameState,
    HalfTurn,
    PlaceTile,
    PlaceTiles,
    Position,
    Rules,
    Score,
    Seat,
    Setup,
    Symmetry,
    Violation,
)
from support.checks import Small, Three
from support.diagrams import bridge, cells, play, state_of

A1, B2, C1 = cells("a1 b2 c1")
PAIR = PlaceTiles(A1, A1)
STATE = state_of("3 . w . r\n2 . . . .\n1 w . . .")
HALF = HalfTurn(STATE, B2)
POSITION = STATE.position
OUTCOME = play(state_of("r r r r", Color.RED), "pass").outcome
assert OUTCOME is not None
BOARD, VIOLATION, SQUARE = Board(), pdd.Rule.OCCUPIED, Symmetry(4, 4)
SPACE = pdd.ActionSpace(Board())

Call = Callable[..., object]

WRONG: list[tuple[str, Call, tuple[Any, ...]]] = [
    # Stored
    *(("column", Cell, (wrong, 1)) for wrong in ("a", 1.0, True, None)),
    ("row", Cell, (1, False)),
    ("width", Board, (True, 1)),
    ("height", Board, (10, 10.0)),
    ("board", Rules, ((10, 10),)),
    *(("tiles_per_color", Rules, (Board(), wrong)) for wrong in ("40", 40.0, True)),
    ("bridges", Rules, (Board(), None, False)),
    ("tie-break", Rules, (Board(), None, None, ("islands",))),
    ("points", Score, ("3", 2, 1)),
    ("islands", Score, (3, 2.0, 1)),
    ("bridges", Score, (3, 2, True)),
    ("a name among the values", Violation, (VIOLATION, (), (), {1: 1})),
    ("the value left", Violation, (VIOLATION, (), (), {"left": [1]})),
    ("the value left", Violation, (VIOLATION, (), (), {"left": True})),
    ("a name among the roles", Violation, (VIOLATION, (), (), {}, {1: [A1]})),
    ("a cell of the role new", Violation, (VIOLATION, (), (), {}, {"new": ["a1"]})),
    ("cell", Setup, (BOARD, ["a1"])),
    ("cell", Setup, (BOARD, (), [(0, 0)])),
    ("bridge", Setup, (BOARD, (), (), [BuildBridge(A1, C1)])),
    ("color", STATE.with_to_move, (Seat.FIRST,)),
    # Answered
    *(("color", call, (Seat.FIRST,)) for call in (STATE.owner, STATE.score, POSITION.tiles)),
    *(("seat", call, (Color.WHITE,)) for call in (STATE.color_of, OUTCOME.value)),
    *(
        ("action", call, (bridge("a1-a3"),))
        for call in (STATE.is_legal, STATE.violations, STATE.apply, STATE.effects)
    ),
    *(("action", call, (PlaceTile(B2),)) for call in (STATE.apply, STATE.effects)),
    *(("step", call, (PAIR,)) for call in (STATE.step, HALF.is_legal, HALF.violations, HALF.step)),
    *(("item", SPACE.encode, (wrong,)) for wrong in (bridge("a1-a3"), PlaceTile(A1))),
    *(("code", SPACE.decode, (wrong,)) for wrong in ("1", 1.0, True, None)),
    *(("depth", pdd.perft, (STATE, wrong)) for wrong in ("1", 1.0, True, None)),
    *(("data", kind.unpack, (STATE.rules, "text")) for kind in (GameState, HalfTurn)),
    *(("column", SQUARE.point, (wrong, 0)) for wrong in (1.0, True)),
    ("cell", pdd.format_cell, ((0, 0),)),
    ("action", pdd.format_action, (PlaceTile(A1),)),
    ("step", pdd.format_step, (PAIR,)),
    ("state", pdd.format_state, (HALF,)),
    *(("text", parse, (b"a1",)) for parse in (pdd.parse_cell, pdd.parse_action, pdd.parse_state)),
    ("diagram", pdd.parse_setup, (["w"],)),
]
"""Calls with values close to the right type, each with the name that begins the error."""


@pytest.mark.parametrize(("name", "call", "arguments"), WRONG)
def test_wrong_types(name: str, call: Call, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=rf"^'?{name}'? must be "):
        call(*arguments)


@pytest.mark.parametrize(
    ("said", "call", "arguments"),
    [
        ("a state is made by", GameState, ()),
        ("a set of cells is made by", pdd.CellSet, ()),
        ("legal actions are those of a state", pdd.LegalActions, ()),
        ("legal steps are those of a state", pdd.LegalSteps, ()),
        ("a position is made by", Position, ()),
    ],
)
def test_values_that_only_the_package_makes(
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
