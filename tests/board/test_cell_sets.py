"""Sets of cells: what Python expects of a set."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable
from collections.abc import Set as AbstractSet
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell, CellSet
from support import strategies
from support.diagrams import cells, names

BOARD = pdd.Board(4, 3)
A1, B1, C1, B2, C2 = cells("a1 b1 c1 b2 c2")
C3, D3, E1 = cells("c3 d3 e1")

# What the board makes


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


# The manners of a set


def test_a_cell_set_is_a_set() -> None:
    some = BOARD.cell_set([D3, A1, C2, A1])
    assert isinstance(some, AbstractSet)
    assert isinstance(some, Collection)
    assert isinstance(some, Hashable)
    assert list(some) == [A1, C2, D3]
    assert len(some) == 3
    assert A1 in some
    assert B1 not in some
    assert repr(some) == "CellSet(a1, c2, d3)"
    assert repr(BOARD.cell_set()) == "CellSet()"
    assert not BOARD.cell_set()


def test_what_cannot_be_in_a_cell_set() -> None:
    some = BOARD.cell_set(BOARD.cells)
    strangers: list[Any] = [E1, *cells("a4"), pdd.Cell(999, 0), "a1", (0, 0), 0, None, []]
    for stranger in strangers:
        assert stranger not in some
    with pytest.raises(pdd.PonteError):
        BOARD.cell_set([A1, E1])


def test_bits() -> None:
    assert BOARD.cell_set().bits == 0
    assert BOARD.cell_set([A1, B1]).bits == 0b11
    assert BOARD.cell_set([D3]).bits == 1 << 11
    assert BOARD.cell_set(BOARD.cells).bits == (1 << 12) - 1
    for index, each in enumerate(BOARD.cells):
        assert BOARD.cell_set([each]).bits == 1 << index == 1 << BOARD.index(each)


def test_equality_with_other_sets() -> None:
    some = BOARD.cell_set([A1, C2])
    others: list[object] = [
        frozenset({A1, C2}),
        {A1, C2},
        {A1: 1, C2: 2}.keys(),
        BOARD.cell_set([C2, A1]),
        pdd.Board(9, 9).cell_set([A1, C2]),
    ]
    for other in others:
        assert some == other
        assert other == some
    for unlike in (frozenset({A1}), [A1, C2], (A1, C2), "a1c2", BOARD.cell_set([A1, D3]), None, 5):
        assert some != unlike
        assert unlike != some
    assert hash(some) == hash(frozenset({A1, C2})) == hash(pdd.Board(9, 9).cell_set([C2, A1]))
    assert {some: 1}[cast(pdd.CellSet, frozenset({A1, C2}))] == 1
    nothing: object = frozenset()
    assert BOARD.cell_set() == nothing
    assert hash(BOARD.cell_set()) == hash(nothing)


def test_comparisons() -> None:
    some = BOARD.cell_set([A1, C2])
    assert some < BOARD.cell_set([A1, C2, D3])
    assert some <= some | BOARD.cell_set()
    assert some <= {A1, C2, E1}
    assert some > {A1}
    assert some >= frozenset({A1, C2})
    assert {A1} < some
    assert not some < {A1}
    assert some.isdisjoint({B1, E1})
    assert not some.isdisjoint([C2])
    with pytest.raises(TypeError, match="not supported between instances of"):
        some < [A1]  # type: ignore[operator]  # noqa: B015


def test_operators() -> None:
    some, other = BOARD.cell_set([A1, C2]), BOARD.cell_set([C2, D3])
    assert some & other == {C2}
    assert some | other == {A1, C2, D3}
    assert some - other == {A1}
    assert some ^ other == {A1, D3}
    for result in (some & other, some | other, some - other, some ^ other):
        assert type(result) is pdd.CellSet
    assert type(some & {C2, E1}) is pdd.CellSet
    assert type({B1} | some) is type(some | {B1}) is pdd.CellSet
    assert frozenset({B1, A1}) - some == {B1}
    assert some == {A1, C2}, "the operands are as they were"


def test_operators_whose_results_leave_the_board() -> None:
    some = BOARD.cell_set([A1, C2])
    assert type(some | {E1}) is frozenset
    assert some | {E1} == {A1, C2, E1}
    assert some ^ {E1, A1} == {C2, E1}
    assert some | {"x"} == {A1, C2, "x"}
    assert {E1} - some == {E1}
    large = pdd.Board(9, 9).cell_set([E1])
    assert large | some == {A1, C2, E1}
    assert type(large | some) is pdd.CellSet
    assert type(some | large) is frozenset


def test_cell_sets_do_not_change() -> None:
    some: Any = BOARD.cell_set([A1])
    with pytest.raises(AttributeError):
        some.bits = 0
    with pytest.raises(AttributeError):
        some.anything = 1
    with pytest.raises(AttributeError):
        del some.bits
    before = some
    some |= {C2}
    assert (before, some) == ({A1}, {A1, C2})


@given(strategies.boards(), st.data())
def test_cell_sets_are_what_frozensets_are(board: pdd.Board, data: st.DataObject) -> None:
    one, other = (
        frozenset(data.draw(st.lists(strategies.cells(board, 0), max_size=8))) for _ in range(2)
    )
    a, b = board.cell_set(one), board.cell_set(other)
    same: object = one
    assert a == same
    assert hash(a) == hash(one)
    assert list(a) == sorted(one)
    assert a.bits == sum(1 << board.index(each) for each in one)
    assert (a == b) is (one == other)
    assert (a < b) is (one < other)
    assert (a <= b) is (one <= other)
    assert a.isdisjoint(b) is one.isdisjoint(other)
    for mine, plain in ((a & b, one & other), (a | b, one | other)):
        assert mine == plain
        assert type(mine) is pdd.CellSet
    for mine, plain in ((a - b, one - other), (a ^ b, one ^ other)):
        assert mine == plain
        assert type(mine) is pdd.CellSet
    assert (one & b, one - b, a | other) == (one & other, one - other, one | other)


def test_a_bool_is_no_index() -> None:
    with pytest.raises(TypeError, match="an index is a whole number, not a bool"):
        pdd.GameState.initial().legal_actions[True]


def test_operators_with_sets_of_other_boards() -> None:
    small, large = pdd.Board(2, 2).cell_set(pdd.Board(2, 2)), pdd.Board(3, 3).cell_set()
    other = pdd.Board(3, 3).cell_set([pdd.Cell(0, 0), pdd.Cell(2, 2)])
    assert small & other == {pdd.Cell(0, 0)}
    assert small | other == {*small, pdd.Cell(2, 2)}
    assert small - other == {*small} - {pdd.Cell(0, 0)}
    assert small ^ other == ({*small} - {pdd.Cell(0, 0)}) | {pdd.Cell(2, 2)}
    assert large != small
