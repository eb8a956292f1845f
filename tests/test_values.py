"""The values that everything else is made of: how they are built, compared, matched and kept."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import Enum, IntEnum
from itertools import combinations
from operator import ge, gt, le, lt
from types import new_class
from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from diagrams import act, bridge, cells, draw, names, play, state_of
from pontedeldiavolo import (
    Board,
    Bridge,
    BuildBridge,
    Cell,
    CellSet,
    ChooseColor,
    Color,
    DecidedBy,
    Ending,
    GameState,
    Group,
    HalfTurn,
    Network,
    Outcome,
    Pass,
    Phase,
    PlaceTile,
    PlaceTiles,
    Position,
    Rule,
    Rules,
    Score,
    Seat,
    Setup,
    Tiebreak,
    Turn,
    Violation,
)

A1, B1, C1 = cells("a1 b1 c1")
A2, B2, C3 = cells("a2 b2 c3")


class Three:
    """Something that is no int but counts as one."""

    def __index__(self) -> int:
        return 3


class Small(IntEnum):
    """Numbers that are a kind of int."""

    TWO = 2


# What all values have in common

ISLAND = """
    3 w w . w r
    2 w w . . .
    1 . . . . .
      a b c d e
    bridges b3-d3
"""

Pair = tuple[Callable[[], object], object]

VALUES: dict[str, Pair] = {
    "Cell": (lambda: Cell(2, 3), Cell(3, 2)),
    "CellSet": (lambda: Board(3, 3).cell_set([A1, B2]), Board(3, 3).cell_set([A1])),
    "Board": (lambda: Board(3, 4), Board(4, 3)),
    "Rules": (lambda: Rules(Board(3, 3), 4, 5, (Tiebreak.BRIDGES,)), Rules()),
    "PlaceTiles": (lambda: PlaceTiles(A1, B2), PlaceTiles(A1, C3)),
    "PlaceTile": (lambda: PlaceTile(A1), PlaceTile(B2)),
    "BuildBridge": (lambda: BuildBridge(A1, C3), BuildBridge(A1, C1)),
    "ChooseColor": (lambda: ChooseColor(Color.RED), ChooseColor(Color.WHITE)),
    "Pass": (Pass, ChooseColor(Color.WHITE)),
    "Bridge": (lambda: Bridge(A1, C3), Bridge(A1, C1)),
    "Group": (lambda: draw(ISLAND).groups(Color.WHITE)[0], draw(ISLAND).groups(Color.RED)[0]),
    "Network": (lambda: draw(ISLAND).networks(Color.WHITE)[0], draw(ISLAND).networks(Color.RED)[0]),
    "Score": (lambda: Score(3, 2, 1), Score(3, 2, 0)),
    "Outcome": (
        lambda: play(state_of("r r r r", Color.RED), "pass").outcome,
        Outcome(None, None, DecidedBy.NOTHING, Score(0, 0, 0), Score(0, 0, 0)),
    ),
    "Violation": (
        lambda: GameState.initial().violations(act("a1,k1"))[0],
        Violation(Rule.OFF_BOARD),
    ),
    "Effects": (
        lambda: GameState.initial().effects(pdd.parse_action("a1,b1")),
        GameState.initial().effects(pdd.parse_action("a1,b2")),
    ),
    "Symmetry": (lambda: pdd.symmetries(Board(3, 3))[1], pdd.symmetries(Board(3, 3))[2]),
    "ActionSpace": (lambda: pdd.ActionSpace(Board(3, 3)), pdd.ActionSpace(Board(3, 4))),
    "StepSpace": (lambda: pdd.StepSpace(Board(3, 3)), pdd.StepSpace(Board(3, 4))),
    "Setup": (lambda: Setup(Board(3, 3), white=[A1], red=[A1]), Setup(Board(3, 3), white=[A1])),
    "Position": (lambda: draw(ISLAND), draw(". w")),
    "GameState": (lambda: state_of(ISLAND), state_of(ISLAND, Color.RED)),
    "HalfTurn": (lambda: HalfTurn(GameState.initial(), A1), HalfTurn(GameState.initial(), B1)),
    "Game": (
        lambda: pdd.Game.new(tags={"Event": "Test"}).play("a1,b1"),
        pdd.Game.new().play("a1,b1"),
    ),
    "Turn": (
        lambda: pdd.Game.new().play("a1,b1").turns[0],
        pdd.Game.new().play("a1,c1").turns[0],
    ),
    "Record": (
        lambda: next(pdd.records.iter_records(['[Event "Test"]\n', "1. a1,b1 *\n"])),
        next(pdd.records.iter_records(["1. a1,b1 *"])),
    ),
}

EVERY_VALUE = pytest.mark.parametrize("name", VALUES)


@EVERY_VALUE
def test_values_are_equal_and_hash_alike_when_their_parts_are(name: str) -> None:
    make, other = VALUES[name]
    one, same = make(), make()
    assert type(one).__name__ == name
    assert one == same
    assert hash(one) == hash(same)
    assert one != other
    assert one != object()
    assert len({one, same, other}) == 2


@EVERY_VALUE
def test_values_cannot_change(name: str) -> None:
    value = VALUES[name][0]()
    attributes = [each for each in dir(value) if not each.startswith("__")]
    for attribute in [*attributes, "anything_else"]:
        with pytest.raises(AttributeError):
            setattr(value, attribute, None)
        with pytest.raises(AttributeError):
            delattr(value, attribute)


@EVERY_VALUE
def test_values_have_slots(name: str) -> None:
    value = VALUES[name][0]()
    assert not hasattr(value, "__dict__")


@EVERY_VALUE
def test_values_survive_pickling_and_copying(name: str) -> None:
    value = VALUES[name][0]()
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(value, protocol))
        assert (again, hash(again), repr(again)) == (value, hash(value), repr(value))
    for again in (copy.copy(value), copy.deepcopy(value)):
        assert (again, hash(again)) == (value, hash(value))


@EVERY_VALUE
def test_values_name_their_kind(name: str) -> None:
    value = VALUES[name][0]()
    assert name in repr(value)
    assert "object at 0x" not in repr(value)


FINAL = [
    *(type(make()) for make, _ in VALUES.values()),
    type(GameState.initial().legal_actions),
    type(GameState.initial().legal_actions.pairs),
    type(GameState.initial().legal_steps),
    type(pdd.Game.new().tags),
    *(Color, Seat, Phase, Tiebreak, DecidedBy, Ending, Rule),
]


@pytest.mark.parametrize("kind", FINAL, ids=lambda kind: kind.__name__)
def test_classes_are_final(kind: type) -> None:
    with pytest.raises(TypeError):
        new_class("Derived", (kind,))


def test_unlike_kinds_are_never_equal() -> None:
    values = [make() for make, _ in VALUES.values()]
    for one, other in combinations(values, 2):
        assert one != other


# Wrong types

BOARD = Board()

WRONG_TYPES: dict[str, Callable[[], object]] = {
    "Cell, text": lambda: Cell("a", 1),  # type: ignore[arg-type]
    "Cell, float": lambda: Cell(1.0, 1),  # type: ignore[arg-type]
    "Cell, bool column": lambda: Cell(True, 1),  # noqa: FBT003
    "Cell, bool row": lambda: Cell(1, False),  # noqa: FBT003
    "Cell, None": lambda: Cell(None, 1),  # type: ignore[arg-type]
    "Board, text": lambda: Board("10", 10),  # type: ignore[arg-type]
    "Board, float": lambda: Board(10, 10.0),  # type: ignore[arg-type]
    "Board, bool": lambda: Board(True, 1),  # noqa: FBT003
    "Board.index, text": lambda: BOARD.index("a1"),  # type: ignore[arg-type]
    "Board.cell_set, text": lambda: BOARD.cell_set(["a1"]),  # type: ignore[list-item]
    "Board.cell_set, a cell": lambda: BOARD.cell_set(A1),  # type: ignore[arg-type]
    "Rules, board": lambda: Rules((10, 10)),  # type: ignore[arg-type]
    "Rules, tiles as text": lambda: Rules(tiles_per_color="40"),  # type: ignore[arg-type]
    "Rules, tiles as float": lambda: Rules(tiles_per_color=40.0),  # type: ignore[arg-type]
    "Rules, tiles as bool": lambda: Rules(tiles_per_color=True),
    "Rules, bridges as bool": lambda: Rules(bridges=False),
    "Rules, tie-break as text": lambda: Rules(tiebreaks=("islands",)),  # type: ignore[arg-type]
    "Rules, one tie-break": lambda: Rules(tiebreaks=Tiebreak.ISLANDS),  # type: ignore[arg-type]
    "Rules.decide, white": lambda: Rules().decide(1, Score(0, 0, 0)),  # type: ignore[arg-type]
    "Rules.decide, red": lambda: Rules().decide(Score(0, 0, 0), (0, 0, 0)),  # type: ignore[arg-type]
    "PlaceTiles, first": lambda: PlaceTiles("a1", A1),  # type: ignore[arg-type]
    "PlaceTiles, second": lambda: PlaceTiles(A1, (0, 1)),  # type: ignore[arg-type]
    "PlaceTile": lambda: PlaceTile(None),  # type: ignore[arg-type]
    "BuildBridge, first": lambda: BuildBridge("a1", A1),  # type: ignore[arg-type]
    "BuildBridge, second": lambda: BuildBridge(A1, 3),  # type: ignore[arg-type]
    "ChooseColor": lambda: ChooseColor("white"),  # type: ignore[arg-type]
    "Pass": lambda: Pass(A1),  # type: ignore[call-arg]
    "Bridge, first": lambda: Bridge("a1", A1),  # type: ignore[arg-type]
    "Bridge, second": lambda: Bridge(A1, None),  # type: ignore[arg-type]
    "Bridge.crosses": lambda: Bridge(A1, C1).crosses("b1-b3"),  # type: ignore[arg-type]
    "Score, text": lambda: Score("3", 2, 1),  # type: ignore[arg-type]
    "Score, float": lambda: Score(3, 2.0, 1),  # type: ignore[arg-type]
    "Score, bool": lambda: Score(3, 2, True),  # noqa: FBT003
    "Outcome": lambda: Outcome("white", None, None, 1, 0),  # type: ignore[arg-type]
    "Outcome.value": lambda: value_of(Color.WHITE),
    "Group": lambda: Group("white", [A1]),  # type: ignore[arg-type]
    "Network": lambda: Network(Color.WHITE, "a1", None),  # type: ignore[arg-type]
    "Violation": lambda: Violation("occupied"),  # type: ignore[arg-type]
    "Turn": lambda: Turn("1", Seat.FIRST, Color.WHITE, Pass()),  # type: ignore[arg-type]
    "HalfTurn, state": lambda: HalfTurn(Board(), A1),  # type: ignore[arg-type]
    "HalfTurn, cell": lambda: HalfTurn(GameState.initial(), "a1"),  # type: ignore[arg-type]
    "Setup, board": lambda: Setup("10x10"),  # type: ignore[arg-type]
    "Setup, white": lambda: Setup(BOARD, white=["a1"]),  # type: ignore[list-item]
    "Setup, red": lambda: Setup(BOARD, red=[(0, 0)]),  # type: ignore[list-item]
    "Setup, one cell": lambda: Setup(BOARD, white=A1),  # type: ignore[arg-type]
    "Setup, bridge": lambda: Setup(BOARD, bridges=[BuildBridge(A1, C1)]),  # type: ignore[list-item]
    "Position": lambda: Position("10x10"),  # type: ignore[arg-type]
    "Position.from_setup": lambda: Position.from_setup("w"),  # type: ignore[arg-type]
    "GameState": GameState,
}


def value_of(seat: object) -> int:
    """Return what a seat won in a finished game."""
    outcome = play(state_of("r r r r", Color.RED), "pass").outcome
    assert outcome is not None
    return outcome.value(seat)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types(name: str) -> None:
    with pytest.raises(TypeError):
        WRONG_TYPES[name]()


def test_whatever_counts_as_an_index_is_stored_as_an_int() -> None:
    cell = Cell(Three(), Small.TWO)
    board = Board(Three(), Small.TWO)
    rules = Rules(board, Three(), Small.TWO)
    numbers = [
        cell.column,
        cell.row,
        board.width,
        board.height,
        rules.tiles_per_color,
        rules.bridges,
    ]
    assert numbers == [3, 2, 3, 2, 3, 2]
    assert {type(number) for number in numbers} == {int}
    assert cell == Cell(3, 2)


def test_scores_store_ints() -> None:
    score = Score(Three(), Small.TWO, 1)
    assert score == Score(3, 2, 1)
    assert {type(score.points), type(score.islands), type(score.bridges)} == {int}


# Enums


def test_colors_and_seats() -> None:
    for kind in (Color, Seat):
        one, other = kind
        assert (one.opponent, other.opponent) == (other, one)
        assert (one.index, other.index) == (0, 1)
    assert [color.value for color in Color] == ["white", "red"]
    assert [seat.value for seat in Seat] == ["first", "second"]


@pytest.mark.parametrize(
    ("kind", "members"),
    [
        (Phase, "OPENING COLOR_CHOICE PLAY LAST_TURN OVER"),
        (Tiebreak, "ISLANDS BRIDGES"),
        (DecidedBy, "POINTS ISLANDS BRIDGES NOTHING"),
        (Ending, "SCORED RESIGNATION TIME AGREEMENT ADJUDICATION"),
    ],
)
def test_the_members_of_enums(kind: type[Enum], members: str) -> None:
    assert [member.name for member in kind] == members.split()
    for member in kind:
        assert member.value == member.name.lower().replace("_", "-")
        assert pickle.loads(pickle.dumps(member)) is member


def test_rules_that_can_be_broken_have_stable_slugs() -> None:
    for rule in Rule:
        assert rule.value == rule.name.lower().replace("_", "-")
        assert Rule(rule.value) is rule


# Cells


def assert_in_order(items: Sequence[Any]) -> None:
    """Check every comparison between items in strictly ascending order."""
    backwards = items[::-1]
    assert sorted(backwards) == list(items)
    for one, other in combinations(items, 2):
        assert [compare(one, other) for compare in (lt, le, gt, ge)] == [True, True, False, False]
        assert [compare(other, one) for compare in (lt, le, gt, ge)] == [False, False, True, True]
    for item in items:
        assert [compare(item, item) for compare in (lt, le, gt, ge)] == [False, True, False, True]


def test_cells_order_by_row_then_column() -> None:
    assert_in_order(cells("a1 b1 z1 aa1 a2 b2 a10"))


@pytest.mark.parametrize("compare", [lt, le, gt, ge])
def test_unlike_things_have_no_order(compare: Callable[[Any, Any], bool]) -> None:
    for value in (A1, PlaceTiles(A1, B1), BuildBridge(A1, C1), ChooseColor(Color.RED), Pass()):
        for other in ((0, 0), "a1", None, 1):
            with pytest.raises(TypeError):
                compare(value, other)
    for pair in ((Score(1, 1, 1), Score(0, 0, 0)), (Board(1, 1), Board(2, 2)), (A1, Pass())):
        with pytest.raises(TypeError):
            compare(*pair)


def test_bridges_sort_by_their_ends() -> None:
    in_order = [bridge(text) for text in ("a1-c1", "a1-b3", "a1-c3", "b1-d1", "a2-c2")]
    backwards = in_order[::-1]
    assert sorted(backwards) == in_order
    strangers: list[Any] = ["a1-c1", A1, None]
    for stranger in strangers:
        with pytest.raises(TypeError):
            lt(bridge("a1-c1"), stranger)


@pytest.mark.parametrize(("column", "row"), [(-1, 0), (0, -1), (-3, -3)])
def test_cells_are_not_negative(column: int, row: int) -> None:
    with pytest.raises(pdd.PonteError, match=f"{column}, {row}"):
        Cell(column, row)


@pytest.mark.parametrize(
    ("column", "row", "text"),
    [(2, 3, "c4"), (0, 0, "a1"), (25, 25, "z26"), (26, 0, "aa1"), (51, 9, "az10"), (52, 0, "ba1")],
)
def test_cells_as_text(column: int, row: int, text: str) -> None:
    assert str(Cell(column, row)) == text
    assert f"{Cell(column, row)}" == text


# Actions


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
    assert_in_order([PlaceTile(A1), PlaceTile(A2), BuildBridge(A1, C1), Pass()])


def test_action_and_step_are_unions() -> None:
    assert set(get_args(pdd.Action)) == {PlaceTiles, BuildBridge, ChooseColor, Pass}
    assert set(get_args(pdd.Step)) == {PlaceTile, BuildBridge, ChooseColor, Pass}
    assert isinstance(Pass(), pdd.Action)
    assert not isinstance(PlaceTile(A1), pdd.Action)
    assert not isinstance(PlaceTiles(A1, B1), pdd.Step)


@pytest.mark.parametrize(
    ("kind", "attributes"),
    [
        (Cell, "column row"),
        (Board, "width height"),
        (Rules, "board tiles_per_color bridges tiebreaks"),
        (PlaceTiles, "a b"),
        (PlaceTile, "cell"),
        (BuildBridge, "a b"),
        (ChooseColor, "color"),
        (Pass, ""),
        (Bridge, "a b"),
        (Group, "color cells"),
        (Score, "points islands bridges"),
        (Outcome, "winner winning_seat decided_by white red"),
        (Violation, "rule cells bridges values"),
        (HalfTurn, "state first"),
        (Turn, "number seat color action"),
        (Setup, "board white red bridges"),
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
        case Network(Color.WHITE, (Group(_, found), *others), (Bridge(a, b),)):
            assert (names(found), len(others), a, b) == ("a2 b2 a3 b3", 1, *cells("b3 d3"))
        case network:
            raise AssertionError(network)


# Bridges as geometry


@pytest.mark.parametrize(
    ("text", "beneath"),
    [
        ("c3-e3", "d3"),
        ("c3-a3", "b3"),
        ("c3-c5", "c4"),
        ("c3-c1", "c2"),
        ("c3-e5", "d4"),
        ("c3-a5", "b4"),
        ("c3-e1", "d2"),
        ("c3-a1", "b2"),
        ("c3-d5", "c4 d4"),
        ("c3-b5", "b4 c4"),
        ("c3-d1", "c2 d2"),
        ("c3-b1", "b2 c2"),
        ("c3-e4", "d3 d4"),
        ("c3-a4", "b3 b4"),
        ("c3-e2", "d2 d3"),
        ("c3-a2", "b2 b3"),
    ],
)
def test_the_cells_beneath_every_shape(text: str, beneath: str) -> None:
    assert names(bridge(text).cells_beneath) == beneath
    assert bridge(text).has_bridge_shape


def test_no_other_shape_is_a_bridge() -> None:
    middle = Cell(5, 5)
    shapes = {
        (column - 5, row - 5)
        for column in range(11)
        for row in range(11)
        if Bridge(middle, Cell(column, row)).has_bridge_shape
    }
    assert shapes == {
        (dx, dy) for dx in range(-2, 3) for dy in range(-2, 3) if max(abs(dx), abs(dy)) == 2
    }
    assert Bridge(middle, middle).cells_beneath == ()


@pytest.mark.parametrize(
    ("one", "other", "cross"),
    [
        ("a1-c1", "b1-d1", True),
        ("a1-a3", "a2-a4", True),
        ("a1-c3", "b2-d4", True),
        ("a1-b3", "a1-c3", False),
        ("a1-c1", "c1-e1", False),
        ("a1-c1", "d1-f1", False),
        ("a1-c1", "a2-c2", False),
        ("a1-c3", "a3-c1", True),
        ("a2-c2", "b1-b3", True),
        ("a1-b3", "b1-c3", False),
        ("a1-b3", "b1-a3", True),
        ("a1-b3", "a2-c1", True),
        ("a1-b3", "a2-c2", True),
        ("a1-c3", "a4-c2", True),
        ("a1-c1", "b1-b3", False),
    ],
)
def test_crossing_bridges(one: str, other: str, *, cross: bool) -> None:
    assert bridge(one).crosses(bridge(other)) is cross
    assert bridge(other).crosses(bridge(one)) is cross


# Boards


@pytest.mark.parametrize(
    ("width", "height", "bridges"), [(10, 10, 576), (12, 12, 880), (8, 8, 336), (3, 3, 16)]
)
def test_the_number_of_possible_bridges(width: int, height: int, bridges: int) -> None:
    board = Board(width, height)
    assert len(board.bridges) == bridges
    assert len(board) == len(board.cells) == width * height


@pytest.mark.parametrize(
    ("width", "height"), [(1, 1), (1, 9), (9, 1), (2, 2), (3, 3), (26, 26), (40, 7), (64, 64)]
)
def test_boards_of_all_shapes(width: int, height: int) -> None:
    started = time.perf_counter()
    board = Board(width, height)
    assert list(board) == sorted(board.cells)
    assert all(board.index(cell) == place for place, cell in enumerate(board.cells))
    assert board.cells[-1] == Cell(width - 1, height - 1)
    straight = max(0, width - 2) * height + width * max(0, height - 2)
    diagonal = 2 * max(0, width - 2) * max(0, height - 2)
    knights = 2 * (width - 1) * max(0, height - 2) + 2 * max(0, width - 2) * (height - 1)
    assert len(board.bridges) == straight + diagonal + knights
    assert list(board.bridges) == sorted(set(board.bridges))
    assert all(each.has_bridge_shape for each in board.bridges)
    state = GameState.initial(Rules(board))
    cell_count = width * height
    assert len(state.legal_actions) == max(1, cell_count * (cell_count - 1) // 2)
    assert time.perf_counter() - started < 60


@pytest.mark.parametrize(
    ("width", "height"), [(0, 5), (5, 0), (65, 1), (1, 65), (-1, 3), (9**9, 1)]
)
def test_boards_have_a_longest_and_a_shortest_side(width: int, height: int) -> None:
    with pytest.raises(pdd.InvalidRulesError, match="must be 1 to 64"):
        Board(width, height)
    assert Board.MAX_SIDE >= 64


def test_cells_on_and_off_a_board() -> None:
    board = Board(3, 2)
    assert B2 in board
    assert C3 not in board
    assert "a1" not in board
    assert Cell(3, 0) not in board
    assert board.index(B2) == 4
    for text in ("d1", "a3", "d3", "bl64"):
        with pytest.raises(pdd.PonteError, match=f"{text} is off the 3×2 board"):
            board.index(*cells(text))
        with pytest.raises(pdd.PonteError, match="off"):
            board.cell_set([A1, *cells(text)])


def test_boards_default_to_the_original() -> None:
    assert Board() == Board(10, 10) == Board(width=10, height=10)


# Sets of cells


def test_a_cell_set_is_like_a_frozenset() -> None:
    board = Board(3, 3)
    some = board.cell_set(cells("c3 a1 b2 a1"))
    plain: AbstractSet[Cell] = frozenset(cells("a1 b2 c3"))
    assert list(some) == list(cells("a1 b2 c3"))
    assert (len(some), bool(some), some.bits) == (3, True, 0b100010001)
    assert some == plain
    assert plain == some
    assert hash(some) == hash(plain)
    assert {some, plain} == {plain}
    others: list[object] = [frozenset([A1]), list(plain), None]
    assert some not in others
    strangers: list[object] = [B1, Cell(40, 0), "a1", 0]
    assert A1 in some
    assert not any(stranger in some for stranger in strangers)
    assert repr(some) == "CellSet(a1, b2, c3)"


def test_cell_sets_of_unlike_boards_can_be_equal() -> None:
    here, there = Board(3, 3).cell_set([A1, B2]), Board(4, 4).cell_set([A1, B2])
    assert here == there
    assert hash(here) == hash(there)
    assert here.bits != there.bits


def test_an_empty_cell_set() -> None:
    nothing = Board(3, 3).cell_set()
    assert not nothing
    assert (len(nothing), nothing.bits, list(nothing)) == (0, 0, [])
    assert hash(nothing) == hash(frozenset())


@pytest.mark.parametrize("kind", [frozenset, set, Board(3, 3).cell_set])
def test_the_operators_of_sets(kind: Callable[[tuple[Cell, ...]], AbstractSet[Cell]]) -> None:
    some, other = Board(3, 3).cell_set((A1, B1)), kind((B1, C1))
    results = {
        "a1 b1 c1": (some | other, other | some),
        "b1": (some & other, other & some),
        "a1 c1": (some ^ other, other ^ some),
        "a1": (some - other,),
        "c1": (other - some,),
    }
    for expected, found in results.items():
        for result in found:
            assert names(sorted(result)) == expected
    for result in (some | other, some & other, some ^ other, some - other):
        assert isinstance(result, CellSet)
    assert not some.isdisjoint(other)
    assert some.isdisjoint(kind((C1,)))
    assert kind((A1,)) <= some
    assert some <= kind((A1, B1))
    assert some < kind((A1, B1, C1))
    assert some >= kind((A1, B1))


def test_a_set_that_leaves_the_board_is_a_frozenset() -> None:
    some = Board(2, 2).cell_set((A1, B1))
    beyond = some | frozenset([C3])
    assert isinstance(beyond, frozenset)
    assert beyond == frozenset([A1, B1, C3])
    mixed = some | frozenset(["a word"])
    assert isinstance(mixed, frozenset)
    assert len(mixed) == 3


def test_a_cell_set_takes_any_iterable() -> None:
    board = Board(3, 3)
    assert names(board.cell_set(cell for cell in (B2, A1))) == "a1 b2"
    assert names(board.cell_set(board.cell_set([A1]))) == "a1"


# Rules and scores


def test_the_default_rules() -> None:
    rules = Rules()
    assert rules == Rules(Board(10, 10), None, None, (Tiebreak.ISLANDS, Tiebreak.BRIDGES))
    assert Rules(tiebreaks=[Tiebreak.BRIDGES]).tiebreaks == (Tiebreak.BRIDGES,)
    assert Rules(tiles_per_color=0, bridges=0).tiles_per_color == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"tiles_per_color": -1},
        {"bridges": -1},
        {"tiebreaks": (Tiebreak.ISLANDS, Tiebreak.ISLANDS)},
        {"tiebreaks": (Tiebreak.BRIDGES, Tiebreak.ISLANDS, Tiebreak.BRIDGES)},
    ],
)
def test_rules_that_cannot_be(arguments: Mapping[str, Any]) -> None:
    with pytest.raises(pdd.InvalidRulesError):
        Rules(**arguments)


@pytest.mark.parametrize(
    ("white", "red", "tiebreaks", "winner", "decided_by"),
    [
        ((3, 2, 1), (1, 1, 9), "islands bridges", Color.WHITE, DecidedBy.POINTS),
        ((1, 9, 9), (3, 2, 1), "islands bridges", Color.RED, DecidedBy.POINTS),
        ((3, 2, 9), (3, 3, 0), "islands bridges", Color.RED, DecidedBy.ISLANDS),
        ((3, 2, 9), (3, 3, 0), "bridges islands", Color.WHITE, DecidedBy.BRIDGES),
        ((3, 3, 0), (3, 3, 1), "islands bridges", Color.RED, DecidedBy.BRIDGES),
        ((3, 3, 0), (3, 3, 1), "islands", None, DecidedBy.NOTHING),
        ((3, 2, 9), (3, 3, 0), "bridges", Color.WHITE, DecidedBy.BRIDGES),
        ((3, 2, 9), (3, 3, 0), "", None, DecidedBy.NOTHING),
        ((0, 0, 0), (0, 0, 0), "islands bridges", None, DecidedBy.NOTHING),
    ],
)
def test_who_wins(
    white: tuple[int, int, int],
    red: tuple[int, int, int],
    tiebreaks: str,
    winner: Color | None,
    decided_by: DecidedBy,
) -> None:
    rules = Rules(tiebreaks=tuple(map(Tiebreak, tiebreaks.split())))
    assert rules.decide(Score(*white), Score(*red)) == (winner, decided_by)


# Immutable mappings: tags, and the numbers in violations


def test_tags_are_an_immutable_mapping() -> None:
    tags = pdd.Game.new(tags={"Event": "Cup", "Site": "Venice"}).tags
    assert tags == {"Event": "Cup", "Site": "Venice"}
    assert list(tags) == ["Event", "Site"]
    assert (len(tags), tags["Site"], tags.get("Round")) == (2, "Venice", None)
    assert hash(tags) == hash(pdd.Game.new(tags={"Site": "Venice", "Event": "Cup"}).tags)
    assert repr(tags) == "{'Event': 'Cup', 'Site': 'Venice'}"
    assert pickle.loads(pickle.dumps(tags)) == tags
    for name in ("anything", "_items"):
        with pytest.raises(AttributeError):
            setattr(tags, name, {})
        with pytest.raises(AttributeError):
            delattr(tags, name)
    with pytest.raises(TypeError):
        tags["Event"] = "Other"  # type: ignore[index]
