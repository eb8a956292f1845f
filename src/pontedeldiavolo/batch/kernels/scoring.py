"""The score of a game [S0]."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.batch.kernels.board_sets import (
    contains,
    count_on_board,
    next_cell,
    window_around,
)
from pontedeldiavolo.batch.kernels.bridges import other_end
from pontedeldiavolo.batch.kernels.cells import (
    Cells,
    add_cells,
    count,
    empty,
    from_window,
    lanes,
    load,
    load_window,
    nth_bit,
    rows,
    store,
)
from pontedeldiavolo.batch.kernels.game import ENDS_OF, ISLANDS_OF, RED, SEEN, TILES_OF, WHITE
from pontedeldiavolo.batch.kernels.islands import neighbors4, single_in_window
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.tables import BRIDGES, ISLANDS, POINTS
from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OPENING, OVER


@njit_inline
def islands_of(game: np.record, color: int) -> int:
    """Return how many islands a colour has."""
    return count_on_board(game, ISLANDS_OF + color) // ISLAND_SIZE


@njit_cached
def points(table: np.record, game: np.record, color: int) -> int:
    """Return the points of a colour."""
    islands = islands_of(game, color)
    if islands <= 1 or game.bridges_built[color] == 0:
        return islands
    for row in range(0, rows(game), lanes(game)):
        store(game, SEEN, row, empty(load(game, SEEN, row)))
    found = 0
    place = next_cell(game, ISLANDS_OF + color, 0)
    while place != NONE:
        if not contains(game, SEEN, place):
            joined = islands_joined(table, game, color, place)
            found += joined * (joined + 1) // 2
        place = next_cell(game, ISLANDS_OF + color, place + 1)
    return found


@njit_cached
def islands_joined(table: np.record, game: np.record, color: int, place: int) -> int:
    """Count the islands in the network of a cell, and mark all its cells as seen."""
    game.queue[0] = place
    found, done, islands = 1, 0, 0
    while done < found:
        here = np.int64(game.queue[done])
        done += 1
        if contains(game, SEEN, here):
            continue
        islands += contains(game, ISLANDS_OF + color, here)
        origin = window_around(game, here)
        group = group_of(game, color, here, origin)
        add_cells(game, SEEN, origin, group)
        ends = group & load_window(game, ENDS_OF + color, origin)
        for index in range(count(ends)):
            end = from_window(game, origin, nth_bit(ends, index))
            other = other_end(table, end, np.int64(game.spans[end]))
            if not contains(game, SEEN, other):
                game.queue[found] = other
                found += 1
    return islands


@njit_inline
def group_of(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return the group of a tile, in a window around it."""
    tiles = load_window(game, TILES_OF + color, origin)
    group = single_in_window(game, tiles, place, origin)
    for _ in range(ISLAND_SIZE - 1):
        group |= neighbors4(group) & tiles
    return group


@njit_inline
def owner(game: np.record, color: int) -> int:
    """Return the seat that owns a colour, after the choice; nobody's owner is nobody."""
    if color == NONE:
        return NONE
    return game.white_owner if color == WHITE else 1 - game.white_owner


@njit_inline
def seat_to_move(game: np.record) -> int:
    """Return the seat to act."""
    if game.phase == OVER:
        return NONE
    if game.phase == OPENING:
        return 0
    if game.phase == COLOR_CHOICE:
        return 1
    return owner(game, game.to_move)


@njit_cached
def winner(table: np.record, game: np.record, white_points: int, red_points: int) -> int:
    """Return the colour that has won with so many points, or nobody [S0]."""
    for index in range(len(table.decisive)):
        column, lead = table.decisive[index], 0
        if column == POINTS:
            lead = red_points - white_points
        elif column == ISLANDS:
            lead = islands_of(game, RED) - islands_of(game, WHITE)
        elif column == BRIDGES:
            lead = game.bridges_built[RED] - game.bridges_built[WHITE]
        if lead != 0:
            return RED if lead > 0 else WHITE
    return NONE
