"""Feature planes of positions."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import PLANES, PLANES_VERSION, GameBatch, planes, transform_planes
from support.batch_rows import ODD_RULES, PLANE_RULES, SHAPES, mixed, set_ups
from support.batches import Row, beginnings, same_arrays, state_behind

COMPASS = {
    "bridges east": (2, 0),
    "bridges west-northwest": (-2, 1),
    "bridges east-northeast": (2, 1),
    "bridges northwest": (-2, 2),
    "bridges north-northwest": (-1, 2),
    "bridges north": (0, 2),
    "bridges north-northeast": (1, 2),
    "bridges northeast": (2, 2),
    "bridges west": (-2, 0),
    "bridges east-southeast": (2, -1),
    "bridges west-southwest": (-2, -1),
    "bridges southeast": (2, -2),
    "bridges south-southeast": (1, -2),
    "bridges south": (0, -2),
    "bridges south-southwest": (-1, -2),
    "bridges southwest": (-2, -2),
}
SUPPLIES = [
    *(pdd.Rules(pdd.Board(5, 4), *supply) for supply in ((3, 0), (258, 256))),
    *(pdd.Rules(pdd.Board(6, 5), *supply) for supply in ((255, 10**15), (10**15, 255))),
]
KINDS = (
    *(np.uint8, np.uint16, np.uint32, np.uint64, np.int16, np.int32, np.int64),
    *(np.float16, np.float32, np.float64, np.longdouble),
)


def seen(row: Row, own: pdd.Color | None = None) -> dict[str, npt.NDArray[np.uint8]]:
    """Return the expected planes of a row."""
    state = state_behind(row)
    board = state.rules.board
    position = state.position
    own = own or row.to_move or pdd.Color.WHITE
    marked: dict[str, list[pdd.Cell]] = {
        "own tiles": list(position.tiles(own)),
        "other tiles": list(position.tiles(own.opponent)),
        "blocked cells": list(position.blocked),
        "first tile": [row.placed_tile] if isinstance(row, pdd.HalfTurn) else [],
        "own is white": list(board) if own is pdd.Color.WHITE else [],
        "own moves": list(board) if row.to_move is own else [],
        "colour choice": list(board) if state.phase is pdd.Phase.COLOR_CHOICE else [],
        "last turn": list(board) if state.phase is pdd.Phase.LAST_TURN else [],
    }
    for color, (name, step) in product(pdd.Color, COMPASS.items()):
        marked.setdefault(name, []).extend(
            a
            for bridge in position.bridges(color)
            for a, b in (bridge.ends, bridge.ends[::-1])
            if (b.column - a.column, b.row - a.row) == step
        )
    shape = (board.height, board.width)
    found = {name: np.zeros(shape, np.uint8) for name in marked}
    for name, cells in marked.items():
        for cell in cells:
            found[name][cell.row, cell.column] = 1
    supply = (state.tiles_left(own), state.tiles_left(own.opponent), state.bridges_left)
    left = dict(zip(PLANES[-3:], supply, strict=True))
    return found | {name: np.full(shape, min(left[name] or 0, 255), np.uint8) for name in left}


def require_seen(row: Row, found: npt.NDArray[np.uint8], own: pdd.Color | None = None) -> None:
    expected = seen(row, own)
    assert len(found) == len(expected)
    for name, plane in zip(PLANES, found, strict=True):
        assert plane.tolist() == expected[name].tolist(), (row, name)


def test_planes_have_names() -> None:
    assert (
        *("own tiles", "other tiles", "blocked cells", "first tile"),
        *COMPASS,
        *("own is white", "own moves", "colour choice", "last turn"),
        *("own tiles left", "other tiles left", "bridges left"),
    ) == PLANES
    assert (len(PLANES), PLANES_VERSION) == (27, 2)


@pytest.mark.parametrize("rules", [*PLANE_RULES, *SUPPLIES], ids=pdd.format_rules)
def test_planes_show_the_position(rules: pdd.Rules) -> None:
    rows = [*mixed(rules), *beginnings(rules, 12, Random(2))]
    games = GameBatch.from_states(rows)
    colors = [place % 2 for place in range(len(rows))]
    of_white, of_red = (games.planes(color=color) for color in pdd.Color)
    found = zip(rows, games.planes(), of_white, of_red, games.planes(colors), colors, strict=True)
    for row, usual, white, red, chosen, color in found:
        require_seen(row, usual)
        require_seen(row, white, pdd.Color.WHITE)
        require_seen(row, red, pdd.Color.RED)
        assert np.array_equal(chosen, (white, red)[color])


@pytest.mark.parametrize("rules", [*SHAPES, *SUPPLIES], ids=pdd.format_rules)
def test_planes_of_one_are_those_of_a_batch(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    for color in (None, *pdd.Color):
        for row, expected in zip(rows, games.planes(color), strict=True):
            found = planes(row, color)
            assert found.flags.writeable
            assert same_arrays((found,), (expected,))


@given(set_ups())
def test_planes_of_set_ups(state: pdd.GameState) -> None:
    for own in (None, *pdd.Color):
        require_seen(state, planes(state, own), own)
        require_seen(state, GameBatch.from_states([state]).planes(own)[0], own)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_planes_of_any_type_of_real_numbers(kind: type[np.generic]) -> None:
    rows = mixed(SUPPLIES[1])
    games = GameBatch.from_states(rows)
    expected = games.planes()
    assert expected.dtype == np.uint8
    for dtype in (kind, np.dtype(kind), np.dtype(kind).newbyteorder(">")):
        found = games.planes(dtype=dtype)
        assert found.dtype == dtype
        assert np.array_equal(found, expected)
        for row, one in zip(rows, expected, strict=True):
            assert planes(row, dtype=dtype).dtype == dtype
            assert np.array_equal(planes(row, dtype=dtype), one)
    assert expected.max() == 255


@pytest.mark.parametrize("rules", [*SHAPES, *SUPPLIES], ids=pdd.format_rules)
def test_turned_planes_are_those_of_turned_games(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    before = games.planes()
    for symmetry in rules.board.symmetries:
        found = transform_planes(before, symmetry)
        assert same_arrays((found,), (games.transform(symmetry).planes(),))
        assert found.flags.c_contiguous
        assert not np.shares_memory(found, before)
        assert np.array_equal(transform_planes(found, symmetry.inverse), before)
        for row, one in zip(rows[:3], before, strict=False):
            assert np.array_equal(transform_planes(one, symmetry), planes(row.transform(symmetry)))


def test_planes_of_any_type_and_number_are_turned() -> None:
    games = GameBatch.from_states(mixed(ODD_RULES[2]))
    symmetry = games.rules.board.symmetries[5]
    expected = games.transform(symmetry).planes()
    for kind in (*KINDS, np.bool_, np.complex64, np.int8, object):
        found = transform_planes(games.planes().astype(kind), symmetry)
        assert same_arrays((found,), (expected.astype(kind),))
    many = games.planes().reshape(2, 3, -1, 27, 4, 4)
    assert np.array_equal(transform_planes(many, symmetry), expected.reshape(many.shape))
    none = games.planes()[:0]
    assert transform_planes(none, symmetry).shape == none.shape
    backwards = games.planes()[::-1]
    assert np.array_equal(transform_planes(backwards, symmetry), expected[::-1])
