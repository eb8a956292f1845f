"""The desk: one game laid out for compiled code to play on, as one record of a fixed layout.

A batch keeps its games small, a row of arrays each. To do anything with a row, it is laid out on a
desk, where every question of the rules has a quick answer; each thread has one desk, for one row
after another.

Colours, seats and phases are the numbers of their members, from 0. A cell is *listed* for a colour
until it is known that no tile of the colour may ever go there; whether one may is judged when it
is asked. Likewise with bridges.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.tables import MAX_BRIDGES, MAX_CELLS, MAX_WORDS, NOWHERE

WHITE, RED, NOBODY = 0, 1, 2
OPENING, COLOR_CHOICE, PLAY, LAST_TURN, OVER = range(5)

DESK = np.dtype(
    [
        # The turn
        ("phase", "i8"),
        ("to_move", "u4"),
        ("white_owner", "u4"),
        ("first", "u4"),  # the first of two tiles: NOWHERE outside a half turn
        ("random", "u8"),  # the state of the random numbers
        # Numbers of pieces
        ("tiles_left", "i8", 2),
        ("bridges_left", "i8"),
        ("tiles_placed", "i8"),
        ("bridges_built", "i8", 2),
        # For each colour, what is listed
        ("cells_listed", "i8", 2),  # how many
        ("cells", "u4", (2, MAX_CELLS)),
        ("place", "u4", (2, MAX_CELLS)),  # each cell's place among them: NOWHERE if not listed
        ("bridges_listed", "i8", 2),  # how many
        ("bridges", "u4", (2, MAX_BRIDGES)),  # those with tiles of the colour on both ends
        # What lies on the board
        ("words", "i8", 2 * MAX_WORDS),  # the tiles of each colour as bits: see tiles.py
        ("tile", "u1", MAX_CELLS),  # 0, or 1 for a white, 2 for a red one
        ("link", "u4", MAX_CELLS),  # the other end of the bridge on a cell, or NOWHERE
        ("excluded", "u1", MAX_BRIDGES),  # whether a bridge that stands crosses it
        ("islands", "i8"),  # how many
        ("island", "u4", MAX_CELLS),  # a cell of each
        ("in_island", "u1", MAX_CELLS),
        # For walks over the board
        ("seen", "u1", MAX_CELLS),
        ("queue", "u4", MAX_CELLS),
    ],
    align=True,
)


def new_desk() -> np.record:
    """Return an empty desk."""
    desk: np.record = np.zeros(1, DESK).view(np.recarray)[0]
    desk.place[:, NOWHERE] = NOWHERE
    return desk


@compiled
def clear(tables: np.record, desk: np.record, tiles: int, bridges: int) -> None:
    """Lay out the start of a game with a supply of *tiles* of each colour and of *bridges*."""
    desk.phase = OPENING
    desk.to_move = WHITE
    desk.white_owner = NOBODY
    desk.first = NOWHERE
    desk.bridges_left = bridges
    desk.tiles_placed = desk.islands = 0
    for color in range(2):
        desk.tiles_left[color] = tiles
        desk.cells_listed[color] = tables.cells
        desk.bridges_built[color] = desk.bridges_listed[color] = 0
    for index in range(2 * MAX_WORDS):
        desk.words[index] = 0
    for cell in range(tables.cells):
        desk.tile[cell] = desk.in_island[cell] = desk.seen[cell] = 0
        desk.link[cell] = NOWHERE
        desk.cells[WHITE, cell] = desk.cells[RED, cell] = cell
        desk.place[WHITE, cell] = desk.place[RED, cell] = cell
    for number in range(tables.bridges):
        desk.excluded[number] = 0


@compiled
def unlist_cell(desk: np.record, color: int, cell: int) -> None:
    """Take a cell off the list of a colour, if it is there."""
    place = desk.place[color, cell]
    if place != NOWHERE:
        last = desk.cells_listed[color] - 1
        moved = desk.cells[color, last]
        desk.cells[color, place] = moved
        desk.place[color, moved] = place
        desk.place[color, cell] = NOWHERE
        desk.cells_listed[color] = last


@compiled
def unlist_bridge(desk: np.record, color: int, place: int) -> None:
    """Take the bridge at *place* off the list of a colour."""
    last = desk.bridges_listed[color] - 1
    desk.bridges[color, place] = desk.bridges[color, last]
    desk.bridges_listed[color] = last
