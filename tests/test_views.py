"""The manners of views and cell sets: what Python expects of a sequence and of a set."""

from __future__ import annotations

import random
from collections.abc import Collection, Hashable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from decimal import Decimal
from itertools import islice
from random import Random
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from strategies import boards, cells

CHOICES = [pdd.ChooseColor(color) for color in pdd.Color]


class Three:
    """An object that can stand for a whole number."""

    def __index__(self) -> int:
        return 3


def cell(text: str) -> pdd.Cell:
    return pdd.parse_cell(text)


def play(*texts: str, rules: pdd.Rules | None = None) -> pdd.GameState:
    state = pdd.GameState.initial(rules)
    for text in texts:
        state = state.apply(pdd.parse_action(text))
    return state


ON_1X1 = pdd.Rules(board=pdd.Board(1, 1))
ON_3X3 = pdd.Rules(board=pdd.Board(3, 3))

# With pairs and a bridge, with pairs alone, choosing, passing, and over: every part of a view.
BRIDGED = play("a1,c1", "red", "a3,b3", rules=ON_3X3)
OPENING = play(rules=ON_3X3)
CHOOSING = play("a1,c1", rules=ON_3X3)
PASSING = play(rules=ON_1X1)
OVER = play("pass", "red", "pass", rules=ON_1X1)
STATES = {
    "bridged": BRIDGED,
    "opening": OPENING,
    "choosing": CHOOSING,
    "passing": PASSING,
    "over": OVER,
}

View = Sequence[pdd.Action] | Sequence[pdd.PlaceTiles] | Sequence[pdd.Step]


def views() -> list[Any]:
    return list(_views())


def _views() -> Iterator[Any]:
    for name, state in STATES.items():
        legal = state.legal_actions
        yield pytest.param(legal, id=f"{name}-actions")
        yield pytest.param(legal.pairs, id=f"{name}-pairs")
        yield pytest.param(state.legal_steps, id=f"{name}-steps")
    half = BRIDGED.step(pdd.PlaceTile(cell("a2")))
    assert isinstance(half, pdd.HalfTurn)
    yield pytest.param(half.legal_steps, id="half-steps")


# The order and the counts of these states, written out


def test_what_is_legal_in_a_state_with_everything() -> None:
    legal = BRIDGED.legal_actions
    assert [pdd.format_action(action) for action in legal] == [
        "b1,a2",
        "b1,b2",
        "b1,c2",
        "b1,c3",
        "a2,b2",
        "a2,c2",
        "a2,c3",
        "b2,c2",
        "b2,c3",
        "c2,c3",
        "a1-c1",
    ]
    assert [str(each) for each in legal.first_tiles] == ["b1", "a2", "b2", "c2", "c3"]
    assert [str(each) for each in legal.second_tiles(cell("b2"))] == ["b1", "a2", "c2", "c3"]
    assert legal.bridges == legal.bridges_from(cell("c1")) == (legal[-1],)
    assert legal.bridges_from(cell("b2")) == ()
    assert legal.bridges_from(cell("z9")) == ()
    assert set(legal.second_tiles(cell("z9"))) == set(legal.second_tiles(cell("a1"))) == set()
    assert [len(STATES[name].legal_actions) for name in STATES] == [11, 36, 2, 1, 0]
    assert list(CHOOSING.legal_actions) == list(CHOOSING.legal_steps) == CHOICES
    assert list(PASSING.legal_actions) == list(PASSING.legal_steps) == [pdd.Pass()]
    assert list(OVER.legal_actions) == list(OVER.legal_steps) == []
    assert [pdd.format_action(each) for each in BRIDGED.legal_actions[-2:]] == ["c2,c3", "a1-c1"]


def test_a_wide_board_is_counted_and_not_listed() -> None:
    legal = pdd.GameState.initial(pdd.Rules(board=pdd.Board(26, 26))).legal_actions
    assert len(legal) == len(legal.pairs) == 228_150 == 676 * 675 // 2
    a1, b1, z26, y26, a27 = map(cell, ("a1", "b1", "z26", "y26", "a27"))
    assert legal[0] == pdd.PlaceTiles(a1, b1)
    assert legal[-1] == legal[228_149] == pdd.PlaceTiles(y26, z26)
    assert legal.index(pdd.PlaceTiles(y26, z26)) == 228_149
    # The first cell has 675 partners, the second 674 that come after it.
    assert legal[675] == pdd.PlaceTiles(b1, cell("c1"))
    assert legal[675 + 674] == pdd.PlaceTiles(cell("c1"), cell("d1"))
    assert pdd.PlaceTiles(z26, a1) in legal
    assert pdd.PlaceTiles(a1, a1) not in legal
    assert pdd.PlaceTiles(a1, a27) not in legal
    assert pdd.BuildBridge(a1, cell("c1")) not in legal
    assert pdd.Pass() not in legal
    assert legal.sample(Random(1)) in legal
    assert list(islice(legal, 2)) == [legal[0], legal[1]]
    with pytest.raises(IndexError):
        legal[228_150]


# Sequences


@pytest.mark.parametrize("view", views())
def test_a_view_is_a_sequence(view: View) -> None:
    assert isinstance(view, Sequence)
    assert not isinstance(view, list | tuple)
    listed = list(view)
    assert len(view) == len(listed)
    assert bool(view) is (len(listed) > 0)
    assert list(reversed(view)) == listed[::-1]
    assert [view[place] for place in range(len(view))] == listed
    assert [view.index(item) for item in listed] == list(range(len(view)))
    assert [view.count(item) for item in listed] == [1] * len(view)
    assert all(item in view for item in listed)
    assert list(view) == listed, "iterating twice gives the same"


@pytest.mark.parametrize("view", views())
def test_indices_out_of_range(view: View) -> None:
    for place in (len(view), -len(view) - 1, 10**30, -(10**30)):
        with pytest.raises(IndexError):
            view[place]


@pytest.mark.parametrize("view", views())
def test_indices_of_the_wrong_type(view: Any) -> None:
    for place in (1.0, "1", None, Decimal(1), (0,), pdd.Pass()):
        with pytest.raises(TypeError):
            view[place]
    for cut in (slice(1.0), slice("a", None), slice(None, None, 0.5)):
        with pytest.raises(TypeError):
            view[cut]
    with pytest.raises(ValueError, match="zero"):
        view[::0]


@pytest.mark.parametrize("view", views())
def test_slices_are_tuples(view: View) -> None:
    listed = tuple(view)
    for cut in (
        slice(None),
        slice(3),
        slice(-3, None),
        slice(None, None, -1),
        slice(1, 100, 2),
        slice(5, 1),
        slice(-100, 2),
    ):
        assert view[cut] == listed[cut]
        assert type(view[cut]) is tuple


@pytest.mark.parametrize("view", views())
def test_what_is_not_there(view: View) -> None:
    strangers: list[Any] = [
        pdd.PlaceTiles(cell("a1"), cell("a1")),
        pdd.PlaceTiles(cell("a1"), cell("a12")),
        pdd.PlaceTile(cell("m1")),
        pdd.BuildBridge(cell("a1"), cell("b1")),
        pdd.BuildBridge(cell("x1"), cell("z1")),
        "a1,b1",
        0,
        None,
        cell("a1"),
        [],
    ]
    for stranger in strangers:
        assert stranger not in view
        assert view.count(stranger) == 0
        with pytest.raises(ValueError, match="is not in"):
            view.index(stranger)


def test_a_tile_is_no_action_and_a_pair_no_step() -> None:
    tile: Any = pdd.PlaceTile(cell("b1"))
    assert tile in BRIDGED.legal_steps
    assert tile not in BRIDGED.legal_actions
    assert tile not in BRIDGED.legal_actions.pairs
    assert BRIDGED.legal_actions[0] not in BRIDGED.legal_steps
    assert BRIDGED.legal_actions[-1] not in BRIDGED.legal_actions.pairs


def test_index_within_bounds() -> None:
    legal = BRIDGED.legal_actions
    assert legal.index(legal[4], 4) == 4
    assert legal.index(legal[4], -7, 5) == 4
    assert legal.index(legal[4], -100, 100) == 4
    for start, stop in ((5, None), (0, 4), (-6, None), (6, 2)):
        with pytest.raises(ValueError, match="is not in"):
            legal.index(legal[4], start, stop)


def test_anything_with_an_index_is_an_index() -> None:
    legal = BRIDGED.legal_actions
    assert legal[Three()] == legal[3]
    assert legal[: Three()] == legal[:3]


@pytest.mark.parametrize("view", views())
def test_random_draws(view: Any) -> None:
    if not view:
        with pytest.raises(IndexError):
            view.sample(Random(1))
        with pytest.raises(IndexError):
            random.choice(view)
        return
    drawn = {view.sample(Random(seed)) for seed in range(30 * len(view))}
    assert drawn == set(view)
    assert {random.choice(view) for _ in range(5)} <= set(view)
    assert set(random.sample(view, len(view))) == set(view)
    assert set(random.choices(view, k=5)) <= set(view)


@pytest.mark.parametrize("view", views())
def test_samples_want_a_random_number_generator(view: Any) -> None:
    for stranger in (random, None, 1, Random):
        with pytest.raises(TypeError):
            view.sample(stranger)


@pytest.mark.parametrize("view", views())
def test_views_do_not_change(view: Any) -> None:
    listed = list(view)
    with pytest.raises(AttributeError):
        view.anything = 1
    with pytest.raises(AttributeError):
        view._tiles = ()
    with pytest.raises(TypeError):
        view[0] = pdd.Pass()
    with pytest.raises(TypeError):
        del view[0]
    for method in ("append", "sort", "clear"):
        assert not hasattr(view, method)
    assert list(view) == listed


@pytest.mark.parametrize("view", views())
def test_a_view_shows_its_length(view: View) -> None:
    assert repr(view) == f"<{type(view).__name__} of {len(view)}>"


def test_views_are_of_the_public_types() -> None:
    assert type(OPENING.legal_actions) is pdd.LegalActions
    assert type(OPENING.legal_steps) is pdd.LegalSteps
    half = OPENING.step(pdd.PlaceTile(cell("a1")))
    assert isinstance(half, pdd.HalfTurn)
    assert type(half.legal_steps) is pdd.LegalSteps


def test_cells_are_asked_for_as_cells() -> None:
    legal: Any = OPENING.legal_actions
    for stranger in ("a1", (0, 0), 0, None):
        with pytest.raises(TypeError):
            legal.second_tiles(stranger)
        with pytest.raises(TypeError):
            legal.bridges_from(stranger)


# Sets of cells

BOARD = pdd.Board(4, 3)
A1, B1, C2, D3, E1 = map(cell, ("a1", "b1", "c2", "d3", "e1"))


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
    strangers: list[Any] = [E1, cell("a4"), pdd.Cell(999, 0), "a1", (0, 0), 0, None, []]
    for stranger in strangers:
        assert stranger not in some
    with pytest.raises(pdd.PonteError):
        BOARD.cell_set([A1, E1])
    with pytest.raises(TypeError):
        BOARD.cell_set(cast(list[pdd.Cell], ["a1"]))


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
    with pytest.raises(TypeError):
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


@given(boards(), st.data())
def test_cell_sets_are_what_frozensets_are(board: pdd.Board, data: st.DataObject) -> None:
    one, other = (frozenset(data.draw(st.lists(cells(board, 0), max_size=8))) for _ in range(2))
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


def test_bits_that_stand_for_no_cells() -> None:
    geometry = pdd.Board(2, 2).geometry
    assert pdd.CellSet(geometry, 15) == pdd.Board(2, 2).cell_set(pdd.Board(2, 2))
    for bits in (16, -1):
        with pytest.raises(pdd.PonteError):
            pdd.CellSet(geometry, bits)
    for wrong in (True, 1.0, None):
        with pytest.raises(TypeError):
            pdd.CellSet(geometry, wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        pdd.CellSet(pdd.Board(2, 2), 1)  # type: ignore[arg-type]


def test_a_bool_is_no_index() -> None:
    with pytest.raises(TypeError):
        pdd.GameState.initial().legal_actions[True]


def test_operators_with_sets_of_other_boards() -> None:
    small, large = pdd.Board(2, 2).cell_set(pdd.Board(2, 2)), pdd.Board(3, 3).cell_set()
    other = pdd.Board(3, 3).cell_set([pdd.Cell(0, 0), pdd.Cell(2, 2)])
    assert small & other == {pdd.Cell(0, 0)}
    assert small | other == {*small, pdd.Cell(2, 2)}
    assert small - other == {*small} - {pdd.Cell(0, 0)}
    assert small ^ other == ({*small} - {pdd.Cell(0, 0)}) | {pdd.Cell(2, 2)}
    assert large != small
