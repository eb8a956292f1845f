"""Sets of cells: equal to frozensets, with the same operators, over one board."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from collections.abc import Set as AbstractSet
from operator import and_, ge, gt, le, lt, or_, sub, xor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell, CellSet
from pontedeldiavolo.testing.strategies import boards
from support.diagrams import cells
from support.strategies import cells as cells_of

BOARD, LARGE = Board(4, 3), Board(9, 9)
A1, B1, C1, B2, C2 = cells("a1 b1 c1 b2 c2")
C3, D3, E1, G1 = cells("c3 d3 e1 g1")
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


def test_bits() -> None:
    for index, each in enumerate(BOARD.cells):
        assert BOARD.cell_set([each]).bits == 1 << index == 1 << BOARD.index(each)
    assert BOARD.cell_set(BOARD.cells).bits == (1 << 12) - 1


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
    assert other == SOME
    if isinstance(other, CellSet | frozenset):
        assert hash(SOME) == hash(other)


@pytest.mark.parametrize("other", UNEQUAL)
def test_unequal_sets(other: object) -> None:
    assert other != SOME
    assert other != SOME


@pytest.mark.parametrize("compare", [lt, le, gt, ge])
def test_comparisons_with_what_is_no_set(compare: Callable[[Any, Any], object]) -> None:
    with pytest.raises(TypeError, match="not supported between instances of"):
        compare(SOME, [A1])


@pytest.mark.parametrize(
    ("operate", "other", "members", "kind"),
    [
        (or_, {E1}, {A1, C2, E1}, frozenset),
        (or_, {"x"}, {A1, C2, "x"}, frozenset),
        (xor, {E1, A1}, {C2, E1}, frozenset),
        (or_, LARGE.cell_set([E1]), {A1, C2, E1}, frozenset),
        (or_, LARGE.cell_set([B1]), {A1, B1, C2}, CellSet),
        (and_, {C2, E1}, {C2}, CellSet),
        # The number of g1 there is that of c2 here.
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


OPERATORS = (and_, or_, sub, xor)


@given(boards(), st.data())
def test_cell_sets_are_what_frozensets_are(board: pdd.Board, data: st.DataObject) -> None:
    one, other = (frozenset(data.draw(st.lists(cells_of(board, 0), max_size=8))) for _ in range(2))
    a, b = board.cell_set(one), board.cell_set(other)
    same: object = one
    assert a == same
    assert (hash(a), list(a)) == (hash(one), sorted(one))
    assert a.bits == sum(1 << board.index(each) for each in one)
    for compare in (lt, le, gt, ge):
        assert compare(a, b) is compare(a, other) is compare(one, other)
    assert (a == b) is (one == other)
    assert a.isdisjoint(b) is one.isdisjoint(other)
    for operate in OPERATORS:
        assert operate(a, b) == operate(a, other) == operate(one, other)
        assert type(operate(a, b)) is type(operate(a, other)) is CellSet
    assert (one & b, one - b) == (one & other, one - other)
