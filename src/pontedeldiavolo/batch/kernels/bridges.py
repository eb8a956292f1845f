"""The rules of bridges [S0]."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.desk import RED, WHITE, unlist_cell
from pontedeldiavolo.batch.kernels.tables import NOWHERE


@compiled
def bridge_is_legal(tables: np.record, desk: np.record, number: int) -> bool:
    """Tell whether a bridge between tiles of one colour can be built, supply and turn aside."""
    return (
        not desk.excluded[number]
        and desk.tile[tables.beneath[number, 0]] == 0
        and desk.tile[tables.beneath[number, 1]] == 0
        and desk.link[tables.ends[number, 0]] == NOWHERE
        and desk.link[tables.ends[number, 1]] == NOWHERE
    )


@compiled
def build_bridge(tables: np.record, desk: np.record, number: int) -> None:
    """Build a legal bridge."""
    a, b = tables.ends[number, 0], tables.ends[number, 1]
    desk.link[a] = b
    desk.link[b] = a
    desk.bridges_left -= 1
    desk.bridges_built[desk.tile[a] - 1] += 1
    for index in range(2):
        unlist_cell(desk, WHITE, tables.beneath[number, index])
        unlist_cell(desk, RED, tables.beneath[number, index])
    direction = tables.direction[number]
    column, row = tables.column[a], tables.row[a]
    for index in range(tables.crossings_from[direction], tables.crossings_from[direction + 1]):
        x = column + tables.crossings[index, 0]
        y = row + tables.crossings[index, 1]
        if 0 <= x < tables.width and 0 <= y < tables.height:
            # Where no such bridge fits on the board, the mark goes to one that does not exist.
            crossing = tables.number[y * tables.width + x, tables.crossings[index, 2]]
            desk.excluded[crossing] = 1
