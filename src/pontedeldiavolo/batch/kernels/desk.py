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
        ("phase", "i8"),
        ("to_move", "u4"),
        ("white_owner", "u4"),
        ("first", "u4"),
        ("random", "u8"),
        ("tiles_left", "i8", 2),
        ("bridges_left", "i8"),
        ("tiles_placed", "i8"),
        ("bridges_built", "i8", 2),
        ("cells_listed", "i8", 2),
        ("bridges_listed", "i8", 2),
        ("islands", "i8"),
        ("words", "i8", 2 * MAX_WORDS),
        ("cells", "u4", (2, MAX_CELLS)),
        ("place", "u4", (2, MAX_CELLS)),
        ("tile", "u1", MAX_CELLS),
        ("in_island", "u1", MAX_CELLS),
        ("link", "u4", MAX_CELLS),
        ("excluded", "u1", MAX_BRIDGES),
        ("bridges", "u4", (2, MAX_BRIDGES)),
        ("island", "u4", MAX_CELLS),
        ("seen", "u1", MAX_CELLS),
        ("queue", "u4", MAX_CELLS),
    ],
    align=True,
)
"""
phase, to_move, white_owner: As in a state; nobody is :data:`NOBODY`.
first: The cell of the first of two tiles, :data:`NOWHERE` outside a half turn.
random: The state of the random numbers.
tiles_left, bridges_left: The supply.
tiles_placed, bridges_built: How many lie on the board; bridges for each colour.
cells_listed, bridges_listed: How many are listed for each colour.
islands: How many there are.
words: The tiles of each colour as bits: see ``tiles.py``.
cells, place: The cells listed, and every cell's place among them, :data:`NOWHERE` if not listed.
tile: For each cell 0, or 1 for a white, 2 for a red tile.
in_island: Whether a cell is part of an island.
link: The other end of the bridge on a cell, :data:`NOWHERE` if there is none.
excluded: Bridges that one which stands crosses.
bridges: The bridges listed: those with tiles of the colour on both ends.
island: A cell of each island.
seen, queue: For walks over the board.
"""


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
