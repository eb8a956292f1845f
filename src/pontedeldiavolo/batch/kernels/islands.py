"""The rule of islands [S0], for all cells of a set at once.

Whether a tile may go on a cell depends on the tiles of its colour alone: its group must not grow
beyond four, and a group of four must have no other tile around it. Groups hold four tiles at most,
so a few steps from cell to cell tell how large each is.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.board_sets import window_around
from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    add_cells,
    column_of,
    is_any,
    load_window,
    remove_cells,
    row_of,
    shift,
    single,
    to_window,
)
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, ISLANDS_OF, OPEN_OF, TILES_OF
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline

FAR = 5
"""So many rows or columns apart, two tiles do not matter to each other."""


@njit_inline
def neighbors4(cells: Cells) -> Cells:
    """Return the cells side by side with some."""
    return shift(cells, 1, 0) | shift(cells, -1, 0) | shift(cells, 0, 1) | shift(cells, 0, -1)


@njit_inline
def dilate8(cells: Cells) -> Cells:
    """Return some cells with all eight around each."""
    wide = cells | shift(cells, 1, 0) | shift(cells, -1, 0)
    return wide | shift(wide, 0, 1) | shift(wide, 0, -1)


@njit_inline
def split_by_group_size(tiles: Cells) -> tuple[Cells, Cells, Cells, Cells]:
    """Return the tiles of groups of one, of two, of three and of four."""
    north, south = shift(tiles, 0, -1), shift(tiles, 0, 1)
    east, west = shift(tiles, -1, 0), shift(tiles, 1, 0)
    upright, level = north & south, east & west
    either, other = north | south, east | west
    # Who has two tiles beside it is in a group of three or more; of two such side by side, or with
    # three tiles beside it, in one of four.
    inner = tiles & (upright | level | (either & other))
    core = (tiles & ((upright & other) | (level & either))) | (inner & neighbors4(inner))
    large = tiles & (inner | neighbors4(inner))
    islands = tiles & (core | neighbors4(core))
    paired = tiles & (either | other)
    return tiles & ~paired, paired & ~large, large & ~islands, islands


@njit_inline
def joining(ones: Cells, twos: Cells, threes: Cells) -> tuple[Cells, Cells]:
    """Return where a tile would make a group of four or more, and where of five or more.

    Two tiles of one group are beside the same cell only in the bend of three.
    """
    a, b, c, d = shift(ones, 0, -1), shift(ones, 0, 1), shift(ones, -1, 0), shift(ones, 1, 0)
    one, four_ones = a | b | c | d, a & b & c & d
    two_ones = (a & b) | (c & d) | ((a | b) & (c | d))
    three_ones = (a & b & (c | d)) | (c & d & (a | b))
    a, b, c, d = shift(twos, 0, -1), shift(twos, 0, 1), shift(twos, -1, 0), shift(twos, 1, 0)
    two, two_twos = a | b | c | d, (a & b) | (c & d) | ((a | b) & (c | d))
    a, b, c, d = (
        shift(threes, 0, -1),
        shift(threes, 0, 1),
        shift(threes, -1, 0),
        shift(threes, 1, 0),
    )
    three, two_threes = a | b | c | d, (a & b) | (c & d)
    fourth = three | (two & one) | two_twos | three_ones
    fifth = (three & (one | two)) | two_threes | two_twos | (two & two_ones) | four_ones
    return fourth, fifth


@njit_inline
def touching(tiles: Cells, twos: Cells, threes: Cells) -> Cells:
    """Return where a tile that makes a group of four would have another tile at a corner of it.

    What touches a corner of a cell, with nothing that is beside both, is of another group.
    """
    north, south = shift(tiles, 0, -1), shift(tiles, 0, 1)
    east, west = shift(tiles, -1, 0), shift(tiles, 1, 0)
    northeast = shift(east, 0, -1) & ~(north | east)
    southeast = shift(east, 0, 1) & ~(south | east)
    northwest = shift(west, 0, -1) & ~(north | west)
    southwest = shift(west, 0, 1) & ~(south | west)
    corners = northeast | southeast | northwest | southwest
    # A tile beside the cell must not touch another away from it; what it touches towards it, the
    # cell is beside as well.
    found = (
        shift(tiles & (northeast | northwest), 0, -1)
        | shift(tiles & (southeast | southwest), 0, 1)
        | shift(tiles & (northeast | southeast), -1, 0)
        | shift(tiles & (northwest | southwest), 1, 0)
    )
    # The other tiles of its group must not touch any.
    crowded = tiles & corners
    spoilt = crowded & threes
    spoilt |= neighbors4(spoilt) & threes
    spoilt |= neighbors4(spoilt) & threes
    return found | corners | neighbors4(spoilt | (twos & neighbors4(crowded)))


@njit_cached
def judge_cells(game: np.record, tiles: Cells) -> tuple[Cells, Cells, Cells]:  # noqa: ARG001  # its type is part of the key
    """Judge a tile on every cell beside legal tiles of its colour.

    The game is there for what is kept of compiled code: see :func:`source_digest`.

    Return the cells that are closed, those where a tile would make a group of four or more, and the
    tiles of islands. Cells with tiles on them may be among the first two.
    """
    ones, twos, threes, islands = split_by_group_size(tiles)
    fourth, fifth = joining(ones, twos, threes)
    closed = dilate8(islands) | fifth | (fourth & touching(tiles, twos, threes))
    return closed, fourth, islands


@njit_inline
def are_far(game: np.record, a: int, b: int) -> bool:
    """Tell whether two cells are so far apart that tiles there cannot exclude each other."""
    if abs(row_of(game, a) - row_of(game, b)) >= FAR:
        return True
    return abs(column_of(game, a) - column_of(game, b)) >= FAR


@njit_inline
def single_in_window(game: np.record, like: Cells, place: int, origin: int) -> Cells:
    """Return the set of a cell of the board, in a window; none where it is not in it."""
    return single(like, to_window(game, origin, place))


@njit_cached
def closed_by(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return what is closed in a window after one more tile, its own cell too."""
    tiles = load_window(game, TILES_OF + color, origin)
    tile = single_in_window(game, tiles, place, origin)
    return judge_cells(game, tiles | tile)[0] | tile


@njit_cached
def pair_is_legal(game: np.record, color: int, a: int, b: int) -> bool:
    """Tell whether two tiles may go on two open cells."""
    if are_far(game, a, b):
        return True
    origin = window_around(game, a)
    closed = closed_by(game, color, a, origin)
    return not is_any(closed & single_in_window(game, closed, b, origin))


@njit_cached
def place_pair(game: np.record, color: int, a: int, b: int) -> None:
    """Place two legal tiles."""
    origin = window_around(game, a)
    place_in_window(game, color, a, b, origin)
    if window_around(game, b) != origin:
        place_in_window(game, color, a, b, window_around(game, b))
    game.tiles_left[color] -= TILES_PER_TURN


@njit_cached
def place_in_window(game: np.record, color: int, a: int, b: int, origin: int) -> None:
    """Place tiles on two cells, as far as they are in a window."""
    tiles = load_window(game, TILES_OF + color, origin)
    new = single_in_window(game, tiles, a, origin) | single_in_window(game, tiles, b, origin)
    add_cells(game, TILES_OF + color, origin, new)
    remove_cells(game, OPEN_OF + 1 - color, origin, new)
    update_window(game, color, tiles | new, origin)


@njit_cached
def update_window(game: np.record, color: int, tiles: Cells, origin: int) -> None:
    """Note what tiles that lie in a window mean for their colour."""
    closed, fourth, islands = judge_cells(game, tiles)
    remove_cells(game, OPEN_OF + color, origin, closed | tiles)
    add_cells(game, FOURTH_OF + color, origin, fourth)
    add_cells(game, ISLANDS_OF + color, origin, islands)
