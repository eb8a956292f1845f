"""Positions as planes."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import PLANES, GameBatch
from support.batch_rows import ODD_RULES, PLANE_RULES, mixed
from support.batches import Row, beginnings, state_behind
from support.diagrams import state_of

COMPASS = {
    "bridges east": (2, 0),
    "bridges west-northwest": (-2, 1),
    "bridges east-northeast": (2, 1),
    "bridges northwest": (-2, 2),
    "bridges north-northwest": (-1, 2),
    "bridges north": (0, 2),
    "bridges north-northeast": (1, 2),
    "bridges northeast": (2, 2),
}


def seen(row: Row) -> dict[str, npt.NDArray[np.uint8]]:
    """Return what each plane should show of a row."""
    state = state_behind(row)
    board, position = state.rules.board, state.position
    own = pdd.Color.WHITE if row.to_move is None else row.to_move
    marked: dict[str, list[pdd.Cell]] = {
        "own tiles": list(position.tiles(own)),
        "other tiles": list(position.tiles(own.opponent)),
        "blocked cells": list(position.blocked),
        "first tile": [row.first] if isinstance(row, pdd.HalfTurn) else [],
        "white moves": list(board) if row.to_move is pdd.Color.WHITE else [],
        "colour choice": list(board) if state.phase is pdd.Phase.COLOR_CHOICE else [],
        "last turn": list(board) if state.phase is pdd.Phase.LAST_TURN else [],
    }
    for color, (name, step) in product(pdd.Color, COMPASS.items()):
        marked.setdefault(name, []).extend(
            a
            for a, b in (bridge.ends for bridge in position.bridges(color))
            if (b.column - a.column, b.row - a.row) == step
        )
    found = {name: np.zeros((board.height, board.width), np.uint8) for name in marked}
    for name, cells in marked.items():
        for cell in cells:
            found[name][cell.row, cell.column] = 1
    return found


def test_planes_have_names() -> None:
    assert (
        *("own tiles", "other tiles", "blocked cells", "first tile"),
        *COMPASS,
        *("white moves", "colour choice", "last turn"),
    ) == PLANES


@pytest.mark.parametrize("rules", PLANE_RULES, ids=pdd.format_rules)
def test_planes_show_the_position(rules: pdd.Rules) -> None:
    rng = Random(2)
    rows = [*mixed(rules), *beginnings(rules, 12, rng)]
    planes = GameBatch.from_states(rows).planes()
    for row, found in zip(rows, planes, strict=True):
        expected = seen(row)
        for name, plane in zip(PLANES, found, strict=True):
            assert plane.tolist() == expected[name].tolist(), (row, name)


def test_a_position_as_planes() -> None:
    state = state_of(
        """
        4 . . . r .
        3 w . . . .
        2 . r . . .
        1 w . . w .
          a b c d e
        bridges a1-a3 d4-b2
        """,
        pdd.Color.RED,
    )
    planes = dict(zip(PLANES, GameBatch.from_states([state]).planes()[0], strict=True))
    marked = {
        name: {str(cell) for cell in state.rules.board.cells if plane[cell.row, cell.column]}
        for name, plane in planes.items()
        if plane.any()
    }
    assert marked == {
        "own tiles": {"b2", "d4"},
        "other tiles": {"a1", "a3", "d1"},
        "blocked cells": {"a2", "c3"},
        "bridges north": {"a1"},
        "bridges northeast": {"b2"},
    }


def test_planes_tell_what_the_supply_has() -> None:
    # As said of them: with the rules, tiles and bridges in sight give what is left.
    rules = ODD_RULES[2]
    rows = [row for row in mixed(rules, 40) if row.to_move is not None]
    for row, planes in zip(rows, GameBatch.from_states(rows).planes(), strict=True):
        state = state_behind(row)
        assert row.to_move is not None
        assert state.tiles_left(row.to_move) == 5 - int(planes[0].sum())
        assert state.bridges_left == 1 - int(planes[4:12].sum())
