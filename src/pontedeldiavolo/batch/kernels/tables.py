"""What does not change in a game, as one record of a fixed layout: the board and the rules."""

from __future__ import annotations

from functools import cache, lru_cache

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Tiebreak
from pontedeldiavolo.batch.board_tables import board_tables
from pontedeldiavolo.batch.kernels.game import new_records, set_shape
from pontedeldiavolo.board.bridge import beneath
from pontedeldiavolo.board.geometry import FORWARD, crossing_bridges
from pontedeldiavolo.rules.rules import Rules

UNLIMITED = 1 << 40
"""More than fits on any board."""
POINTS, ISLANDS, BRIDGES = range(3)
"""The columns of a score."""
COLUMNS = {Tiebreak.ISLANDS: ISLANDS, Tiebreak.BRIDGES: BRIDGES}

BOARD = 0
"""The only set here: all cells of the board."""
MAX_CROSSINGS = sum(map(len, crossing_bridges().values()))


@cache
def table_type(columns: int, rows: int) -> np.dtype[np.void]:
    """Return the layout of the table for boards whose sets have so many columns and rows."""
    places = columns * rows
    return np.dtype(
        [
            ("sets", f"u{columns // 8}", (1, rows)),
            ("width", "i8"),
            ("height", "i8"),
            ("cells", "i8"),  # how many
            ("bridges", "i8"),  # how many
            ("all_tiles", "i8"),  # the supply of each colour
            ("all_bridges", "i8"),  # the supply of both
            ("decisive", "i8", 3),  # the columns of a score in the order that decides, or -1
            # For each direction
            ("step", "i8", len(FORWARD)),  # from a bridge's first end to its second, in places
            ("beneath", "i8", (len(FORWARD), 2)),  # to what is under it; a single cell comes twice
            ("crossings_from", "i8", len(FORWARD) + 1),  # where its crossings begin
            ("crossings", "i8", (MAX_CROSSINGS, 3)),  # column, row and direction
            # For each cell
            ("place", "u2", places),
            # For each place and direction: the number of the bridge that has its first end there
            ("number", "u4", (places, len(FORWARD))),
            # For each bridge: its first end and direction
            ("bridge_place", "u2", places * len(FORWARD)),
            ("bridge_direction", "u1", places * len(FORWARD)),
        ],
        align=True,
    )


@lru_cache(maxsize=16)
def rules_table(rules: Rules) -> npt.NDArray[np.void]:
    """Return the table of some rules: an array of one record."""
    width, height = rules.board.width, rules.board.height
    columns, rows = set_shape(width, height)
    found = new_records(1, table_type(columns, rows))
    table = found[0]
    table["width"], table["height"], table["cells"] = width, height, width * height
    table["sets"][BOARD, :height] = (1 << width) - 1
    tiles, bridges = rules.tiles_per_color, rules.bridges
    table["all_tiles"] = UNLIMITED if tiles is None else min(tiles, UNLIMITED - 1)
    table["all_bridges"] = UNLIMITED if bridges is None else min(bridges, UNLIMITED - 1)
    order = [POINTS, *(COLUMNS[each] for each in rules.tiebreaks)]
    table["decisive"] = [*order, -1, -1][:3]
    row, column = np.divmod(np.arange(width * height), width)
    table["place"][: width * height] = row * columns + column
    _fill_directions(table, columns)
    _fill_bridges(table, columns, width, height)
    return found


def _fill_directions(table: np.void, columns: int) -> None:
    index = 0
    for direction, (dx, dy) in enumerate(FORWARD):
        table["step"][direction] = dy * columns + dx
        under = [y * columns + x for x, y in beneath((0, 0), (dx, dy))]
        table["beneath"][direction] = under[0], under[-1]
        table["crossings_from"][direction] = index
        for (x, y), other in crossing_bridges()[dx, dy]:
            table["crossings"][index] = x, y, FORWARD.index(other)
            index += 1
    table["crossings_from"][len(FORWARD)] = index


def _fill_bridges(table: np.void, columns: int, width: int, height: int) -> None:
    board = board_tables(width, height)
    bridges = len(board.direction)
    row, column = np.divmod(board.ends[:, 0], width)
    place = row * columns + column
    table["bridges"] = bridges
    table["bridge_place"][:bridges] = place
    table["bridge_direction"][:bridges] = board.direction
    table["number"][place, board.direction] = np.arange(bridges)
