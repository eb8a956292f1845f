"""The rule of islands [S0], for all cells of a set at once.

Whether a tile may go on a cell depends on the tiles of its colour alone: its group must not grow
beyond four, and a group of four must have no other tile around it. Groups hold four tiles at most,
so a few steps from cell to cell tell how large each is.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    add_cells,
    column_of,
    moved,
    only,
    remove_cells,
    row_of,
    some,
    view,
    within,
)
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, ISLANDS_OF, OPEN_OF, TILES_OF
from pontedeldiavolo.batch.kernels.windows import window_around

FAR = 5
"""So many rows or columns apart, two tiles do not matter to each other."""


@inlined
def beside(cells: Cells) -> Cells:
    """Return the cells side by side with some."""
    return moved(cells, 1, 0) | moved(cells, -1, 0) | moved(cells, 0, 1) | moved(cells, 0, -1)


@inlined
def around(cells: Cells) -> Cells:
    """Return some cells with all eight around each."""
    wide = cells | moved(cells, 1, 0) | moved(cells, -1, 0)
    return wide | moved(wide, 0, 1) | moved(wide, 0, -1)


@inlined
def by_size(tiles: Cells) -> tuple[Cells, Cells, Cells, Cells]:
    """Return the tiles of groups of one, of two, of three and of four."""
    north, south = moved(tiles, 0, -1), moved(tiles, 0, 1)
    east, west = moved(tiles, -1, 0), moved(tiles, 1, 0)
    upright, level = north & south, east & west
    either, other = north | south, east | west
    # Who has two tiles beside it is in a group of three or more; of two such side by side, or with
    # three tiles beside it, in one of four.
    inner = tiles & (upright | level | (either & other))
    core = (tiles & ((upright & other) | (level & either))) | (inner & beside(inner))
    large = tiles & (inner | beside(inner))
    islands = tiles & (core | beside(core))
    paired = tiles & (either | other)
    return tiles & ~paired, paired & ~large, large & ~islands, islands


@inlined
def joining(ones: Cells, twos: Cells, threes: Cells) -> tuple[Cells, Cells]:
    """Return where a tile would make a group of four or more, and where of five or more.

    Two tiles of one group are beside the same cell only in the bend of three.
    """
    a, b, c, d = moved(ones, 0, -1), moved(ones, 0, 1), moved(ones, -1, 0), moved(ones, 1, 0)
    one, four_ones = a | b | c | d, a & b & c & d
    two_ones = (a & b) | (c & d) | ((a | b) & (c | d))
    three_ones = (a & b & (c | d)) | (c & d & (a | b))
    a, b, c, d = moved(twos, 0, -1), moved(twos, 0, 1), moved(twos, -1, 0), moved(twos, 1, 0)
    two, two_twos = a | b | c | d, (a & b) | (c & d) | ((a | b) & (c | d))
    a, b, c, d = (
        moved(threes, 0, -1),
        moved(threes, 0, 1),
        moved(threes, -1, 0),
        moved(threes, 1, 0),
    )
    three, two_threes = a | b | c | d, (a & b) | (c & d)
    fourth = three | (two & one) | two_twos | three_ones
    fifth = (three & (one | two)) | two_threes | two_twos | (two & two_ones) | four_ones
    return fourth, fifth


@inlined
def touching(tiles: Cells, twos: Cells, threes: Cells) -> Cells:
    """Return where a tile that makes a group of four would have another tile at a corner of it.

    What touches a corner of a cell, with nothing that is beside both, is of another group.
    """
    north, south = moved(tiles, 0, -1), moved(tiles, 0, 1)
    east, west = moved(tiles, -1, 0), moved(tiles, 1, 0)
    northeast = moved(east, 0, -1) & ~(north | east)
    southeast = moved(east, 0, 1) & ~(south | east)
    northwest = moved(west, 0, -1) & ~(north | west)
    southwest = moved(west, 0, 1) & ~(south | west)
    corners = northeast | southeast | northwest | southwest
    # A tile beside the cell must not touch another away from it; what it touches towards it, the
    # cell is beside as well.
    found = (
        moved(tiles & (northeast | northwest), 0, -1)
        | moved(tiles & (southeast | southwest), 0, 1)
        | moved(tiles & (northeast | southeast), -1, 0)
        | moved(tiles & (northwest | southwest), 1, 0)
    )
    # The other tiles of its group must not touch any.
    crowded = tiles & corners
    spoilt = crowded & threes
    spoilt |= beside(spoilt) & threes
    spoilt |= beside(spoilt) & threes
    return found | corners | beside(spoilt | (twos & beside(crowded)))


@compiled
def judge(game: np.record, tiles: Cells) -> tuple[Cells, Cells, Cells]:  # noqa: ARG001  # its type is part of the key
    """Judge a tile on every cell beside legal tiles of its colour.

    The game is there for what is kept of compiled code: see :func:`sources`.

    Return the cells that are closed, those where a tile would make a group of four or more, and the
    tiles of islands. Cells with tiles on them may be among the first two.
    """
    ones, twos, threes, islands = by_size(tiles)
    fourth, fifth = joining(ones, twos, threes)
    closed = around(islands) | fifth | (fourth & touching(tiles, twos, threes))
    return closed, fourth, islands


@inlined
def are_far(game: np.record, a: int, b: int) -> bool:
    """Tell whether two cells are so far apart that tiles there cannot exclude each other."""
    if abs(row_of(game, a) - row_of(game, b)) >= FAR:
        return True
    return abs(column_of(game, a) - column_of(game, b)) >= FAR


@inlined
def tile_at(game: np.record, like: Cells, place: int, origin: int) -> Cells:
    """Return the set of a cell of the board, in a window; none where it is not in it."""
    return only(like, within(game, origin, place))


@compiled
def closed_by(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return what is closed in a window after one more tile, its own cell too."""
    tiles = view(game, TILES_OF + color, origin)
    tile = tile_at(game, tiles, place, origin)
    return judge(game, tiles | tile)[0] | tile


@compiled
def pair_is_legal(game: np.record, color: int, a: int, b: int) -> bool:
    """Tell whether two tiles may go on two open cells."""
    if are_far(game, a, b):
        return True
    origin = window_around(game, a)
    closed = closed_by(game, color, a, origin)
    return not some(closed & tile_at(game, closed, b, origin))


@compiled
def place_pair(game: np.record, color: int, a: int, b: int) -> None:
    """Place two legal tiles."""
    origin = window_around(game, a)
    place_in_window(game, color, a, b, origin)
    if window_around(game, b) != origin:
        place_in_window(game, color, a, b, window_around(game, b))
    game.tiles_left[color] -= TILES_PER_TURN


@compiled
def place_in_window(game: np.record, color: int, a: int, b: int, origin: int) -> None:
    """Place tiles on two cells, as far as they are in a window."""
    tiles = view(game, TILES_OF + color, origin)
    new = tile_at(game, tiles, a, origin) | tile_at(game, tiles, b, origin)
    add_cells(game, TILES_OF + color, origin, new)
    remove_cells(game, OPEN_OF + 1 - color, origin, new)
    note_tiles(game, color, tiles | new, origin)


@compiled
def note_tiles(game: np.record, color: int, tiles: Cells, origin: int) -> None:
    """Note what tiles that lie in a window mean for their colour."""
    closed, fourth, islands = judge(game, tiles)
    remove_cells(game, OPEN_OF + color, origin, closed | tiles)
    add_cells(game, FOURTH_OF + color, origin, fourth)
    add_cells(game, ISLANDS_OF + color, origin, islands)
