"""Boards of all shapes, their cells and sets of cells, and bridges as geometry."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable, Collection, Hashable
from collections.abc import Set as AbstractSet
from operator import and_, ge, gt, le, lt, or_, sub, xor
from typing import Any

import pytest
from attrs import evolve
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Bridge, Cell, CellSet, ChooseColor, Pass, PlaceTiles
from pontedeldiavolo.testing.strategies import boards
from support.checks import assert_in_order
from support.diagrams import bridge, cells
from support.oracle_geometry import inner_point_in_common, point, points_under
from support.strategies import cells as cells_of

A1, B1, C1, B2, C2, C3, D3, E1, G1 = cells("a1 b1 c1 b2 c2 c3 d3 e1 g1")


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
    state = pdd.GameState.initial(pdd.Rules(board))
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


def test_a_board_with_only_a_width_is_square() -> None:
    assert Board(6) == Board(width=6) == Board(6, 6)
    assert Board() == Board(10, 10) == Board(width=10, height=10)
    assert Board(height=6) == Board(10, 6)
    assert evolve(Board(6), width=5) == Board(5, 6)
    assert pickle.loads(pickle.dumps(Board(6))) == Board(6)


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


def test_cells_order_by_row_then_column() -> None:
    assert_in_order(cells("a1 b1 z1 aa1 a2 b2 a10"))


@pytest.mark.parametrize("compare", [lt, le, gt, ge])
def test_unlike_things_have_no_order(compare: Callable[[Any, Any], bool]) -> None:
    actions = (PlaceTiles(A1, B1), pdd.BuildBridge(A1, C1), ChooseColor(pdd.Color.RED), Pass())
    for value in (A1, Bridge(A1, C1), BOARD.cell_set([A1]), *actions):
        for other in ((0, 0), "a1", None, 1, [A1]):
            with pytest.raises(TypeError, match="not supported between instances of"):
                compare(value, other)
    with pytest.raises(TypeError, match="not supported between instances of"):
        compare(A1, Pass())


def test_bridges_sort_by_their_ends() -> None:
    assert_in_order([*map(bridge, ("a1-c1", "a1-b3", "a1-c3", "b1-d1", "a2-c2"))])


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


def test_no_other_shape_is_a_bridge() -> None:
    middle = Cell(5, 5)
    cells = Board(11, 11).cells
    shapes = [cell for cell in cells if Bridge(middle, cell).has_bridge_shape]
    assert shapes == [each for each in cells if max(abs(each.column - 5), abs(each.row - 5)) == 2]
    assert Bridge(middle, middle).cells_beneath == ()


def test_what_bridges_cross_and_what_lies_beneath_them_is_exact() -> None:
    # On larger boards, bridges further apart share no column or no row.
    bridges = Board(5, 5).bridges
    for one in bridges:
        a, b = map(point, one.ends)
        assert list(one.cells_beneath) == sorted(Cell(*each) for each in points_under(a, b))
        for other in bridges:
            c, d = map(point, other.ends)
            expected = not {a, b} & {c, d} and inner_point_in_common(a, b, c, d)
            assert one.crosses(other) is expected


def test_a_bridge_without_length_crosses_nothing() -> None:
    dot = bridge("c4-c4")
    for other in map(bridge, ("b4-d4", "b3-d5")):
        assert [dot.crosses(other), other.crosses(dot)] == [False, False]


BOARD = Board(4, 3)
LARGE = Board(9, 9)
SOME = BOARD.cell_set([A1, C2])


def test_a_cell_set_is_a_set() -> None:
    some = BOARD.cell_set(cell for cell in (D3, A1, C2, A1))
    assert isinstance(some, AbstractSet)
    assert isinstance(some, Collection)
    assert isinstance(some, Hashable)
    assert (list(some), len(some), bool(some)) == ([A1, C2, D3], 3, True)
    assert repr(some) == "CellSet(a1, c2, d3)"
    empty = BOARD.cell_set()
    assert (list(empty), len(empty), bool(empty), empty.bits) == ([], 0, False, 0)
    assert repr(empty) == "CellSet()"


def test_members() -> None:
    everything = BOARD.cell_set(BOARD.cells)
    strangers: list[Any] = [E1, *cells("a4"), Cell(999, 0), "a1", (0, 0), 0, None, []]
    assert all(cell in everything for cell in BOARD)
    assert not any(stranger in everything for stranger in strangers)
    assert B1 not in SOME
    with pytest.raises(pdd.PonteError, match="e1 is off the 4×3 board"):
        BOARD.cell_set([A1, E1])


EQUAL: list[object] = [
    *(frozenset({A1, C2}), {A1, C2}, {A1: 1, C2: 2}.keys()),
    *(BOARD.cell_set([C2, A1]), BOARD.cell_set(SOME), LARGE.cell_set([A1, C2])),
]
UNEQUAL: list[object] = [
    *(frozenset({A1}), [A1, C2], (A1, C2), "a1c2", BOARD.cell_set([A1, D3]), None, 5),
    *(LARGE.cell_set(), LARGE.cell_set([A1])),
]


@pytest.mark.parametrize("other", EQUAL)
def test_equal_sets(other: object) -> None:
    assert other == SOME
    if isinstance(other, CellSet | frozenset):
        assert hash(SOME) == hash(other)


@pytest.mark.parametrize("other", UNEQUAL)
def test_unequal_sets(other: object) -> None:
    assert other != SOME


@pytest.mark.parametrize(
    ("operate", "other", "members", "kind"),
    [
        (or_, {E1}, {A1, C2, E1}, frozenset),
        (or_, {"x"}, {A1, C2, "x"}, frozenset),
        (xor, {E1, A1}, {C2, E1}, frozenset),
        (or_, LARGE.cell_set([E1]), {A1, C2, E1}, frozenset),
        (or_, LARGE.cell_set([B1]), {A1, B1, C2}, CellSet),
        (and_, {C2, E1}, {C2}, CellSet),
        # On that board g1 has the number that c2 has here.
        (and_, LARGE.cell_set([A1, G1]), {A1}, CellSet),
        (sub, LARGE.cell_set([A1, G1]), {C2}, CellSet),
        (xor, LARGE.cell_set([A1, B2]), {B2, C2}, CellSet),
    ],
)
def test_operators_with_other_sets(
    operate: Callable[[Any, Any], object], other: object, members: set[object], kind: type
) -> None:
    result = operate(SOME, other)
    assert result == members
    assert type(result) is kind


def test_operators_with_a_set_on_the_left() -> None:
    left: AbstractSet[Cell] = {B1}
    assert left | SOME == {A1, B1, C2}
    assert type(left | SOME) is CellSet
    assert frozenset({B1, A1}) - SOME == {B1}
    assert {E1} - SOME == {E1}


def test_cell_sets_do_not_change() -> None:
    some: Any = BOARD.cell_set([A1])
    with pytest.raises(AttributeError):
        some.bits = 0
    with pytest.raises(AttributeError):
        del some.bits
    before = some
    some |= {C2}
    assert (before, some) == ({A1}, {A1, C2})


@given(boards(), st.data())
def test_cell_sets_behave_like_frozensets(board: pdd.Board, data: st.DataObject) -> None:
    one, other = (frozenset(data.draw(st.lists(cells_of(board, 0), max_size=8))) for _ in range(2))
    a = board.cell_set(one)
    b = board.cell_set(other)
    same: object = one
    assert a == same
    assert (hash(a), list(a)) == (hash(one), sorted(one))
    assert a.bits == sum(1 << board.index(each) for each in one)
    for compare in (lt, le, gt, ge):
        assert compare(a, b) is compare(a, other) is compare(one, other)
    assert (a == b) is (one == other)
    assert a.isdisjoint(b) is one.isdisjoint(other)
    for operate in (and_, or_, sub, xor):
        assert operate(a, b) == operate(a, other) == operate(one, other)
        assert type(operate(a, b)) is type(operate(a, other)) is CellSet
    assert (one & b, one - b) == (one & other, one - other)
