"""Views behave as Python expects of sequences."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import islice
from random import Random
from typing import Any

import pytest

import pontedeldiavolo as pdd
from support.checks import Index
from support.diagrams import act, play, state_of

cell = pdd.parse_cell

# The states have pairs and a bridge, only pairs, a choice, only a pass, or no action.
OPENING = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3)))
CHOOSING = play(OPENING, "a1,c1")
BRIDGED = play(CHOOSING, "red", "a3,b3")
PASSING = pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1)))
OVER = play(PASSING, "pass", "red", "pass")
HALF = BRIDGED.step(pdd.PlaceTile(cell("a2")))
VIEWS: dict[str, Any] = {"half-steps": HALF.legal_steps}
for name, state in {
    "bridged": BRIDGED,
    "opening": OPENING,
    "choosing": CHOOSING,
    "passing": PASSING,
    "over": OVER,
}.items():
    VIEWS[f"{name}-actions"] = state.legal_actions
    VIEWS[f"{name}-pairs"] = state.legal_actions.pairs
    VIEWS[f"{name}-steps"] = state.legal_steps
every_view = pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)


@pytest.mark.parametrize("diagram", ["w . w", "w . .", "3 . . w\n2 . . .\n1 w . w", "w . w r"])
def test_nothing_beyond_the_board_is_as_in_its_last_cell(diagram: str) -> None:
    # The last cell has a tile, an end of a bridge or nothing; -1 must not mean this cell.
    state = state_of(diagram)
    last = state.rules.board.cells[-1]
    legal = state.legal_actions
    assert state.position.color_at(last) or last in legal.first_tiles
    for beyond in (cell("z9"), pdd.Cell(last.column + 1, last.row), pdd.Cell(0, last.row + 1)):
        assert legal.bridges_from(beyond) == ()
        assert set(legal.second_tiles(beyond)) == set()
        for ask in (state.position.color_at, state.position.group_at):
            with pytest.raises(pdd.PonteError, match=f"^{beyond} is off the "):
                ask(beyond)
        assert beyond not in legal.first_tiles
        assert pdd.PlaceTile(beyond) not in state.legal_steps
        for near in state.rules.board.cells:
            assert pdd.PlaceTiles(near, beyond) not in legal
            assert pdd.BuildBridge(near, beyond) not in legal


def test_a_wide_board_is_counted_and_not_listed() -> None:
    legal = pdd.GameState.initial(pdd.Rules(board=pdd.Board(26, 26))).legal_actions
    assert len(legal) == len(legal.pairs) == 228_150 == 676 * 675 // 2
    a1, b1, z26, y26, a27 = map(cell, ("a1", "b1", "z26", "y26", "a27"))
    assert legal[0] == pdd.PlaceTiles(a1, b1)
    assert legal[-1] == legal[228_149] == pdd.PlaceTiles(y26, z26)
    assert legal.index(pdd.PlaceTiles(y26, z26)) == 228_149
    # The first cell has 675 partners, the second has 674 after it.
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


@every_view
def test_indices_of_the_wrong_type(view: Any) -> None:
    for place in (1.0, "1", None, Decimal(1), (0,), pdd.Pass()):
        with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
            view[place]
    for cut in (slice(1.0), slice("a", None), slice(None, None, 0.5)):
        with pytest.raises(TypeError, match="slice indices must be integers"):
            view[cut]
    with pytest.raises(ValueError, match="zero"):
        view[::0]


@every_view
def test_what_is_not_there(view: Any) -> None:
    strangers: list[Any] = [*map(act, ("a1,a1", "a1,a12", "m1", "a1-b1", "x1-z1"))]
    for stranger in [*strangers, "a1,b1", 0, None, cell("a1"), []]:
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


def test_anything_with_an_index_is_an_index() -> None:
    legal = BRIDGED.legal_actions
    assert legal[Index(3)] == legal[3]
    assert legal[: Index(3)] == legal[:3]


@every_view
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


@every_view
def test_views_do_not_change(view: Any) -> None:
    listed = list(view)
    with pytest.raises(AttributeError):
        view.anything = 1
    with pytest.raises(AttributeError):
        view._tiles = ()
    with pytest.raises(TypeError, match="does not support item assignment"):
        view[0] = pdd.Pass()
    with pytest.raises(TypeError, match="object doesn't support item deletion"):
        del view[0]
    for method in ("append", "sort", "clear"):
        assert not hasattr(view, method)
    assert list(view) == listed


@every_view
def test_a_view_shows_its_length(view: Any) -> None:
    assert repr(view) == f"<{type(view).__name__} of {len(view)}>"


def test_views_are_of_the_public_types() -> None:
    assert type(OPENING.legal_actions) is pdd.LegalActions
    assert type(OPENING.legal_steps) is type(HALF.legal_steps) is pdd.LegalSteps


def test_a_bool_is_no_index() -> None:
    with pytest.raises(TypeError, match="an index is a whole number, not a bool"):
        BRIDGED.legal_actions[True]
