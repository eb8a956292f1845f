"""Values: comparison, hashing, immutability, actions, wrong types; the enums and errors."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from enum import Enum
from itertools import combinations
from operator import ge, gt, le, lt
from random import Random
from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Bridge, BuildBridge, Cell, Color, PlaceTile, PlaceTiles, Score
from pontedeldiavolo.base.errors import MAX_INTEGER, whole_number
from support.checks import Index, Small, assert_in_order
from support.diagrams import ISLAND, act, bridge, cells, draw, names, play, state_of

A1, B1, C1, A2, B2, C3 = cells("a1 b1 c1 a2 b2 c3")


Pair = tuple[Callable[[], object], object]

VALUES: dict[str, Pair] = {
    "Cell": (lambda: Cell(2, 3), Cell(3, 2)),
    "CellSet": (lambda: Board(3, 3).cell_set([A1, B2]), Board(3, 3).cell_set([A1])),
    "Board": (lambda: Board(3, 4), Board(4, 3)),
    "Rules": (lambda: pdd.Rules(Board(3, 3), 4, 5, (pdd.Tiebreak.BRIDGES,)), pdd.Rules()),
    "PlaceTiles": (lambda: PlaceTiles(A1, B2), PlaceTiles(A1, C3)),
    "PlaceTile": (lambda: PlaceTile(A1), PlaceTile(B2)),
    "BuildBridge": (lambda: BuildBridge(A1, C3), BuildBridge(A1, C1)),
    "ChooseColor": (lambda: pdd.ChooseColor(Color.RED), pdd.ChooseColor(Color.WHITE)),
    "Pass": (pdd.Pass, pdd.ChooseColor(Color.WHITE)),
    "Bridge": (lambda: Bridge(A1, C3), Bridge(A1, C1)),
    "Group": (lambda: draw(ISLAND).groups(Color.WHITE)[0], draw(ISLAND).groups(Color.RED)[0]),
    "Network": (lambda: draw(ISLAND).networks(Color.WHITE)[0], draw(ISLAND).networks(Color.RED)[0]),
    "Score": (lambda: Score(3, 2, 1), Score(3, 2, 0)),
    "Outcome": (
        lambda: play(state_of("r r r r", Color.RED), "pass").outcome,
        pdd.Outcome(None, None, pdd.DecidedBy.NOTHING, Score(0, 0, 0), Score(0, 0, 0)),
    ),
    "Violation": (
        lambda: pdd.GameState.initial().violations(act("a1,k1"))[0],
        pdd.Violation(pdd.ViolationCode.OFF_BOARD),
    ),
    "Effects": (
        lambda: pdd.GameState.initial().effects(pdd.parse_action("a1,b1")),
        pdd.GameState.initial().effects(pdd.parse_action("a1,b2")),
    ),
    "Symmetry": (lambda: Board(3, 3).symmetries[1], Board(3, 3).symmetries[2]),
    "ActionSpace": (lambda: pdd.ActionSpace(Board(3, 3)), pdd.ActionSpace(Board(3, 4))),
    "StepSpace": (lambda: pdd.StepSpace(Board(3, 3)), pdd.StepSpace(Board(3, 4))),
    "Setup": (
        lambda: pdd.Setup(Board(3, 3), white=[A1], red=[A1]),
        pdd.Setup(Board(3, 3), white=[A1]),
    ),
    "Position": (lambda: draw(ISLAND), draw(". w")),
    "GameState": (lambda: state_of(ISLAND), state_of(ISLAND, Color.RED)),
    "HalfTurn": (
        lambda: pdd.HalfTurn(pdd.GameState.initial(), A1),
        pdd.HalfTurn(pdd.GameState.initial(), B1),
    ),
    "Game": (
        lambda: pdd.Game.new(tags={"Event": "Test"}).play("a1,b1"),
        pdd.Game.new().play("a1,b1"),
    ),
    "Ply": (lambda: pdd.Game.new().play("a1,b1").plies[0], pdd.Game.new().play("a1,c1").plies[0]),
    "Record": (
        lambda: next(pdd.records.iter_records(['[Event "Test"]\n', "1. a1,b1 *\n"])),
        next(pdd.records.iter_records(["1. a1,b1 *"])),
    ),
}

EVERY_VALUE = pytest.mark.parametrize("name", VALUES)
ORDERED = {
    *("Cell", "CellSet", "Bridge"),
    *("PlaceTiles", "PlaceTile", "BuildBridge", "ChooseColor", "Pass"),
}


@EVERY_VALUE
def test_values_are_equal_and_hash_alike_when_their_parts_are(name: str) -> None:
    make, other = VALUES[name]
    one = make()
    same = make()
    assert type(one).__name__ == name
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != object()
    assert len({one, same, other}) == 2


@pytest.mark.parametrize("compare", [lt, gt, le, ge])
def test_values_with_an_order_are_known(compare: Callable[[Any, Any], bool]) -> None:
    for name, (make, _) in VALUES.items():
        if name in ORDERED:
            assert isinstance(compare(make(), make()), bool)
        else:
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(make(), make())


@EVERY_VALUE
def test_values_name_their_kind_and_cannot_change(name: str) -> None:
    value = VALUES[name][0]()
    assert name in repr(value)
    assert "object at 0x" not in repr(value)
    assert not hasattr(value, "__dict__")
    attributes = [each for each in dir(value) if not each.startswith("__")]
    for attribute in [*attributes, "anything_else"]:
        with pytest.raises(AttributeError):
            setattr(value, attribute, None)
        with pytest.raises(AttributeError):
            delattr(value, attribute)


FINAL = [
    *(type(make()) for make, _ in VALUES.values()),
    type(pdd.GameState.initial().legal_actions),
    type(pdd.GameState.initial().legal_actions.pairs),
    type(pdd.GameState.initial().legal_steps),
    type(pdd.Game.new().tags),
    *(Color, pdd.Seat, pdd.Phase, pdd.Tiebreak, pdd.DecidedBy, pdd.Ending, pdd.ViolationCode),
]


@pytest.mark.parametrize("kind", FINAL, ids=lambda kind: kind.__name__)
def test_classes_are_final(kind: type) -> None:
    assert getattr(kind, "__final__", False)


def test_unlike_kinds_are_never_equal() -> None:
    values = [make() for make, _ in VALUES.values()]
    for one, other in combinations(values, 2):
        assert one != other


def test_colors_and_seats() -> None:
    for kind in (Color, pdd.Seat):
        one, other = kind
        assert (one.opponent, other.opponent) == (other, one)
        assert (one.index, other.index) == (0, 1)
    assert [color.value for color in Color] == ["white", "red"]
    assert [seat.value for seat in pdd.Seat] == ["first", "second"]


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        (pdd.Phase, "OPENING COLOR_CHOICE PLAY LAST_TURN OVER"),
        (pdd.Tiebreak, "ISLANDS BRIDGES"),
        (pdd.DecidedBy, "POINTS ISLANDS BRIDGES NOTHING"),
        (pdd.Ending, "SCORED RESIGNATION TIME AGREEMENT ADJUDICATION"),
    ],
)
def test_the_members_of_enums(kind: type[Enum], members: str) -> None:
    assert [member.name for member in kind] == members.split()
    for member in kind:
        assert member.value == member.name.lower().replace("_", "-")
        assert pickle.loads(pickle.dumps(member)) is member


def test_violations_have_stable_codes() -> None:
    for code in pdd.ViolationCode:
        assert code == code.value == str(code) == code.name.lower().replace("_", "-")
        assert pdd.ViolationCode(code.value) is code


def test_two_cells_come_out_in_canonical_order() -> None:
    for kind in (PlaceTiles, BuildBridge, Bridge):
        for one, other in ((A1, B1), (A1, A2), (B1, A2), (A1, A1)):
            assert kind(other, one) == kind(one, other)
            value = kind(other, one)
            assert (value.a, value.b) == (one, other)
    assert PlaceTiles(B2, A1).cells == (A1, B2)
    assert BuildBridge(C3, A1).bridge == Bridge(A1, C3)
    assert Bridge(C3, A1).ends == (A1, C3)
    assert str(Bridge(C3, A1)) == "a1-c3"


def test_actions_hold_any_two_cells() -> None:
    far = Cell(999, 999)
    assert PlaceTiles(far, far).cells == (far, far)
    assert BuildBridge(far, A1).b == far
    assert Bridge(far, A1).cells_beneath == ()


def test_actions_of_all_kinds_sort_together() -> None:
    pairs = ("a1,b1", "a1,c1", "a1,a2", "b1,c1", "a2,b2")
    others = ("a1-c1", "a1-a3", "b1-d1", "white", "red", "pass")
    assert_in_order([pdd.parse_action(text) for text in pairs + others])
    assert_in_order([PlaceTile(A1), PlaceTile(A2), BuildBridge(A1, C1), pdd.Pass()])


def test_action_and_step_are_unions() -> None:
    assert set(get_args(pdd.Action)) == {PlaceTiles, BuildBridge, pdd.ChooseColor, pdd.Pass}
    assert set(get_args(pdd.Step)) == {PlaceTile, BuildBridge, pdd.ChooseColor, pdd.Pass}
    assert isinstance(pdd.Pass(), pdd.Action)
    assert not isinstance(PlaceTile(A1), pdd.Action)
    assert not isinstance(PlaceTiles(A1, B1), pdd.Step)


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        (Cell, "column row"),
        (Board, "width height"),
        (pdd.Rules, "board tiles_per_color bridges tiebreaks"),
        (PlaceTiles, "a b"),
        (PlaceTile, "cell"),
        (BuildBridge, "a b"),
        (pdd.ChooseColor, "color"),
        (pdd.Pass, ""),
        (Bridge, "a b"),
        (pdd.Group, "color cells"),
        (Score, "points islands bridges"),
        (pdd.Outcome, "winner winning_seat decided_by white red"),
        (pdd.Violation, "code cells bridges values"),
        (pdd.HalfTurn, "state placed_tile"),
        (pdd.Ply, "turn seat color action"),
        (pdd.Setup, "board white red bridges"),
    ],
)
def test_the_order_of_positional_patterns(kind: Any, attributes: str) -> None:
    assert kind.__match_args__ == tuple(attributes.split())


def test_positional_patterns() -> None:
    match PlaceTiles(B2, A1):
        case PlaceTiles(Cell(0, 0), Cell(column, row)):
            assert (column, row) == (1, 1)
        case other:
            raise AssertionError(other)
    match draw(ISLAND).networks(Color.WHITE)[0]:
        case pdd.Network(Color.WHITE, (pdd.Group(_, found), *others), (Bridge(a, b),)):
            assert (names(found), len(others), a, b) == ("a2 b2 a3 b3", 1, *cells("b3 d3"))
        case network:
            raise AssertionError(network)


# Wrong types and numbers


PAIR = PlaceTiles(A1, A1)
STATE = state_of("3 . w . r\n2 . . . .\n1 w . . .")
HALF = pdd.HalfTurn(STATE, B2)
POSITION = STATE.position
OUTCOME = play(state_of("r r r r", Color.RED), "pass").outcome
assert OUTCOME is not None
BOARD = Board()
VIOLATION = pdd.ViolationCode.OCCUPIED
SQUARE = pdd.Symmetry(4, 4)
SPACE = pdd.ActionSpace(Board())

Call = Callable[..., object]

WRONG: list[tuple[str, Call, tuple[Any, ...]]] = [
    # Stored values
    *(("column", Cell, (wrong, 1)) for wrong in ("a", 1.0, True, None)),
    ("row", Cell, (1, False)),
    ("width", Board, (True, 1)),
    ("height", Board, (10, 10.0)),
    ("board", pdd.Rules, ((10, 10),)),
    *(("tiles_per_color", pdd.Rules, (Board(), wrong)) for wrong in ("40", 40.0, True)),
    ("bridges", pdd.Rules, (Board(), None, False)),
    (r"tiebreaks\[0\]", pdd.Rules, (Board(), None, None, ("islands",))),
    ("points", Score, ("3", 2, 1)),
    ("islands", Score, (3, 2.0, 1)),
    ("bridges", Score, (3, 2, True)),
    ("a key of values", pdd.Violation, (VIOLATION, (), (), {1: 1})),
    (r"values\['left'\]", pdd.Violation, (VIOLATION, (), (), {"left": [1]})),
    (r"values\['left'\]", pdd.Violation, (VIOLATION, (), (), {"left": True})),
    ("a key of roles", pdd.Violation, (VIOLATION, (), (), {}, {1: [A1]})),
    (r"roles\['new'\]\[0\]", pdd.Violation, (VIOLATION, (), (), {}, {"new": ["a1"]})),
    (r"white\[0\]", pdd.Setup, (BOARD, ["a1"])),
    (r"red\[0\]", pdd.Setup, (BOARD, (), [(0, 0)])),
    (r"bridges\[0\]", pdd.Setup, (BOARD, (), (), [BuildBridge(A1, C1)])),
    ("color", STATE.with_to_move, (pdd.Seat.FIRST,)),
    # Questions
    *(("color", call, (pdd.Seat.FIRST,)) for call in (STATE.owner, STATE.score, POSITION.tiles)),
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
    *(("data", kind.unpack, (STATE.rules, "text")) for kind in (pdd.GameState, pdd.HalfTurn)),
    *(("column", SQUARE.point, (wrong, 0)) for wrong in (1.0, True)),
    ("action", pdd.format_action, (bridge("a1-a3"),)),
    ("state", pdd.format_state, (STATE.position,)),
    *(("text", parse, (b"a1",)) for parse in (pdd.parse_cell, pdd.parse_action, pdd.parse_state)),
    ("diagram", pdd.parse_setup, (["w"],)),
]
"""Calls with values close to the right type, each with the name that begins the error."""


@pytest.mark.parametrize(("name", "call", "arguments"), WRONG)
def test_wrong_types(name: str, call: Call, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=rf"^'?{name}'? must be "):
        call(*arguments)


@pytest.mark.parametrize(
    ("said", "call"),
    [
        ("a state is made by", pdd.GameState),
        ("a set of cells is made by", pdd.CellSet),
        ("legal actions are those of a state", pdd.LegalActions),
        ("legal steps are those of a state", pdd.LegalSteps),
        ("a position is made by", pdd.Position),
    ],
)
def test_values_that_only_the_package_makes(said: str, call: Call) -> None:
    with pytest.raises(TypeError, match=said):
        call()


def test_whatever_counts_as_an_index_is_stored_as_an_int() -> None:
    three: Any = Index(3)
    cell = Cell(three, Small.TWO)
    board = Board(three, Small.TWO)
    score = Score(three, 2, 1)
    rules = pdd.Rules(board, three, Small.TWO)
    numbers = [cell.column, cell.row, board.width, board.height, score.points]
    numbers += [number for number in (rules.tiles_per_color, rules.bridges) if number is not None]
    assert numbers == [3, 2, 3, 2, 3, 3, 2]
    assert {type(number) for number in numbers} == {int}
    assert pdd.perft(STATE, Small.TWO) == pdd.perft(STATE, 2)
    assert STATE.legal_actions.sample(Random(1)) in STATE.legal_actions


def test_a_notation_error_shows_only_what_is_near() -> None:
    text = "a" * 1000 + "!" + "b" * 1000
    error = pdd.NotationError(text, 1000, "something")
    assert str(error) == (f"expected something at offset 1000 of …'{'a' * 20}!{'b' * 19}'…")
    assert str(pdd.NotationError("", 0, "a cell")) == "expected a cell at offset 0 of an empty text"
    error = pdd.NotationError("", 0, pdd.Reason("cell"))
    german = pdd.messages.explain(error, "de")
    assert german == "Erwartet bei Zeichen 1 von einem leeren Text: ein Feld wie 'c4'."
    # Letters stay as they are; what cannot be seen is escaped.
    assert str(pdd.NotationError("\x00weiß", 0, "a cell")).endswith("of '\\x00weiß'")


HUGE = 10**5000


@pytest.mark.parametrize(
    ("call", "arguments"),
    [
        *((Board, (HUGE, 1)), (Cell, (-HUGE, 0)), (Cell, (0, HUGE))),
        *((pdd.Rules, (Board(), -HUGE)), (pdd.Game.new().undo, (HUGE,))),
        (pdd.perft, (STATE, -HUGE)),
    ],
    ids=["a side", "a column", "a row", "a supply", "turns to undo", "a depth"],
)
def test_numbers_too_long_for_python_to_write_out(call: Call, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(pdd.PonteError):
        call(*arguments)


def test_the_largest_number_is_one() -> None:
    assert whole_number(Index(MAX_INTEGER), "count") == MAX_INTEGER


def test_the_code_of_a_reason_is_a_plain_text() -> None:
    code = pdd.PonteError(pdd.Reason(pdd.ViolationCode.OCCUPIED)).code
    assert (code, type(code)) == ("occupied", str)
