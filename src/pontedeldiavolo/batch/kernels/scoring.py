"""The score of a game on a desk [S0]."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.tiles import BESIDE_ONLY
from pontedeldiavolo.vocabulary import ISLAND_SIZE

POINTS, ISLANDS, BRIDGES = range(3)
"""The columns of a score."""


@compiled
def score(tables: np.record, desk: np.record, found: npt.NDArray[np.int32]) -> None:
    """Write points, islands and bridges of both colours to *found*, of shape (2, 3)."""
    for color in range(2):
        found[color, POINTS] = found[color, ISLANDS] = 0
        found[color, BRIDGES] = desk.bridges_built[color]
    for index in range(desk.islands):
        cell = desk.island[index]
        if not desk.seen[cell]:
            color = desk.tile[cell] - 1
            islands = islands_joined(tables, desk, cell)
            found[color, ISLANDS] += islands
            found[color, POINTS] += islands * (islands + 1) // 2
    for cell in range(tables.cells):
        desk.seen[cell] = 0


@compiled
def islands_joined(tables: np.record, desk: np.record, cell: int) -> int:
    """Count the islands in the network of *cell*, and mark all its cells as seen."""
    tile = desk.tile[cell]
    desk.seen[cell] = 1
    desk.queue[0] = cell
    found, done, tiles = 1, 0, 0
    while done < found:
        here = desk.queue[done]
        done += 1
        if desk.in_island[here]:
            tiles += 1
        for index in range(BESIDE_ONLY + 1):
            near = desk.link[here] if index == BESIDE_ONLY else tables.around[here, index]
            if desk.tile[near] == tile and not desk.seen[near]:
                desk.seen[near] = 1
                desk.queue[found] = near
                found += 1
    return tiles // ISLAND_SIZE
