"""What a network sees of a batch: planes over the board."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.desk import COLOR_CHOICE, LAST_TURN
from pontedeldiavolo.batch.kernels.runs import Rows
from pontedeldiavolo.batch.kernels.tables import tables
from pontedeldiavolo.board.geometry import FORWARD
from pontedeldiavolo.rules.rules import Rules

_COMPASS = {
    (2, 0): "east",
    (-2, 1): "west-northwest",
    (2, 1): "east-northeast",
    (-2, 2): "northwest",
    (-1, 2): "north-northwest",
    (0, 2): "north",
    (1, 2): "north-northeast",
    (2, 2): "northeast",
}

PLANES: tuple[str, ...] = (
    "own tiles",
    "other tiles",
    "blocked cells",
    "first tile",
    *(f"bridges {_COMPASS[step]}" for step in FORWARD),
    "white moves",
    "colour choice",
    "last turn",
)
"""The names of the planes that :meth:`GameBatch.planes` gives, in their order.

*Own* is the colour to move; white where nobody moves. *First tile* is the first of two tiles in a
half turn. A bridge is seen at its first end, in the plane of its direction, north being the way
of growing rows. The last three fill a whole board each.
"""


def planes(rules: Rules, rows: Rows) -> npt.NDArray[np.uint8]:
    """Return the planes of all rows: see :meth:`GameBatch.planes`."""
    size, cells = rows.tiles.shape
    found = np.zeros((size, len(PLANES), cells), np.uint8)
    own = np.where(rows.to_move == 1, 2, 1)[:, np.newaxis]
    found[:, 0] = rows.tiles == own
    found[:, 1] = rows.tiles == 3 - own
    row, cell = np.nonzero((rows.spans > 0) & (rows.spans <= len(FORWARD)))
    direction = rows.spans[row, cell] - 1
    table = tables(rules.board.width, rules.board.height)
    number = table.number[cell, direction]
    found[row[:, np.newaxis], 2, table.beneath[number]] = 1
    first = np.flatnonzero(rows.first >= 0)
    found[first, 3, rows.first[first]] = 1
    found[row, 4 + direction, cell] = 1
    found[:, -3] = (rows.to_move == 0)[:, np.newaxis]
    found[:, -2] = (rows.phase == COLOR_CHOICE)[:, np.newaxis]
    found[:, -1] = (rows.phase == LAST_TURN)[:, np.newaxis]
    return found.reshape(size, len(PLANES), rules.board.height, rules.board.width)
