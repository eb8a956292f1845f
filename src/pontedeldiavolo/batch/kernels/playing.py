"""The order of turns, and steps by their codes: see :class:`~pontedeldiavolo.StepSpace`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.bridges import bridge_is_legal, build_bridge
from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.desk import (
    COLOR_CHOICE,
    LAST_TURN,
    NOBODY,
    OPENING,
    OVER,
    PLAY,
    RED,
)
from pontedeldiavolo.batch.kernels.drawing import (
    complete_random_pair,
    count_pairs,
    play_random_action,
    prune,
)
from pontedeldiavolo.batch.kernels.random import below
from pontedeldiavolo.batch.kernels.tables import NOWHERE
from pontedeldiavolo.batch.kernels.tiles import pair_is_legal, place_pair
from pontedeldiavolo.vocabulary import TILES_PER_TURN

PASS = 2
"""After the codes of tiles and bridges come white, red and the pass."""


@compiled
def end_turn(desk: np.record) -> None:
    """Hand the turn on after tiles or a bridge [S0]."""
    if desk.phase == OPENING:
        desk.phase = COLOR_CHOICE
        desk.to_move = NOBODY
    elif desk.phase == LAST_TURN:
        desk.phase = OVER
        desk.to_move = NOBODY
    else:
        desk.to_move = 1 - desk.to_move


@compiled
def pass_turn(desk: np.record) -> None:
    """Hand the turn on after a pass: white's gives red the last turn, red's ends the game [S0]."""
    if desk.phase == PLAY:
        desk.phase = OVER if desk.to_move == RED else LAST_TURN
        desk.to_move = NOBODY if desk.to_move == RED else RED
    else:
        end_turn(desk)


@compiled
def choose_color(desk: np.record, color: int) -> None:
    """Let the second seat choose a colour [S0]."""
    desk.white_owner = 1 - color
    # Where white could not even open, white has passed.
    desk.phase = PLAY if desk.tiles_placed else LAST_TURN
    desk.to_move = RED


@compiled
def has_partner(tables: np.record, desk: np.record, color: int, cell: int) -> bool:
    """Tell whether a cell listed is half of a legal pair."""
    for place in range(desk.cells_listed[color]):
        other = desk.cells[color, place]
        if other != cell and pair_is_legal(tables, desk, color, cell, other):
            return True
    return False


@compiled
def play_step(tables: np.record, desk: np.record, code: int) -> bool:
    """Play the step with a code, if it is legal; tell whether it was."""
    choice = code - tables.cells - tables.bridges
    if desk.phase == OVER or code < 0:
        return False
    if desk.phase == COLOR_CHOICE:
        if 0 <= choice < PASS:
            choose_color(desk, choice)
            return True
        return False
    if code < tables.cells:
        return play_tile(tables, desk, desk.to_move, np.uint32(code))
    if desk.first != NOWHERE:
        return False
    if choice < 0:
        return play_bridge(tables, desk, desk.to_move, np.uint32(code - tables.cells))
    if choice != PASS or has_pair(tables, desk, desk.to_move):
        return False
    pass_turn(desk)
    return True


@compiled
def play_tile(tables: np.record, desk: np.record, color: int, cell: int) -> bool:
    """Place the first or second of two tiles, if it is legal; tell whether it was."""
    first = desk.first
    if cell == first or desk.place[color, cell] == NOWHERE:
        return False
    if first == NOWHERE:
        if desk.tiles_left[color] < TILES_PER_TURN or not has_partner(tables, desk, color, cell):
            return False
        desk.first = cell
        return True
    if not place_pair(tables, desk, color, first, cell):
        return False
    desk.first = NOWHERE
    end_turn(desk)
    return True


@compiled
def play_bridge(tables: np.record, desk: np.record, color: int, number: int) -> bool:
    """Build a bridge, if it is legal; tell whether it was."""
    if (
        desk.bridges_left <= 0
        or desk.tile[tables.ends[number, 0]] != color + 1
        or desk.tile[tables.ends[number, 1]] != color + 1
        or not bridge_is_legal(tables, desk, number)
    ):
        return False
    build_bridge(tables, desk, number)
    end_turn(desk)
    return True


@compiled
def has_pair(tables: np.record, desk: np.record, color: int) -> bool:
    """Tell whether a colour to move has a legal pair."""
    if desk.tiles_left[color] < TILES_PER_TURN:
        return False
    return count_pairs(tables, desk, color, 1) > 0


@compiled
def mark_legal(tables: np.record, desk: np.record, mask: npt.NDArray[np.uint8]) -> None:
    """Write 1 to all places of *mask* that are codes of legal steps."""
    others = tables.cells + tables.bridges
    if desk.phase == COLOR_CHOICE:
        mask[others] = mask[others + 1] = 1
    elif desk.phase != OVER:
        if desk.first != NOWHERE:
            mark_second_tiles(tables, desk, desk.to_move, mask)
        else:
            passing = not mark_first_tiles(tables, desk, desk.to_move, mask)
            mark_bridges(tables, desk, desk.to_move, mask)
            mask[others + PASS] = passing


@compiled
def mark_second_tiles(
    tables: np.record, desk: np.record, color: int, mask: npt.NDArray[np.uint8]
) -> None:
    """Mark the cells that complete a pair."""
    for place in range(desk.cells_listed[color]):
        cell = desk.cells[color, place]
        if cell != desk.first and pair_is_legal(tables, desk, color, desk.first, cell):
            mask[cell] = 1


@compiled
def mark_first_tiles(
    tables: np.record, desk: np.record, color: int, mask: npt.NDArray[np.uint8]
) -> bool:
    """Mark the cells that are half of a legal pair, and tell whether there are any."""
    if desk.tiles_left[color] < TILES_PER_TURN:
        return False
    prune(tables, desk, color)
    found = False
    for place in range(desk.cells_listed[color]):
        cell = desk.cells[color, place]
        if has_partner(tables, desk, color, cell):
            mask[cell] = 1
            found = True
    return found


@compiled
def mark_bridges(
    tables: np.record, desk: np.record, color: int, mask: npt.NDArray[np.uint8]
) -> None:
    """Mark the bridges that can be built."""
    if desk.bridges_left > 0:
        for place in range(desk.bridges_listed[color]):
            number = desk.bridges[color, place]
            if bridge_is_legal(tables, desk, number):
                mask[tables.cells + number] = 1


@compiled
def play_out(tables: np.record, desk: np.record) -> int:
    """Play random actions to the end of the game; return the number of turns."""
    turns = 0
    while desk.phase != OVER:
        if desk.phase == COLOR_CHOICE:
            choose_color(desk, below(desk, 2))
            continue
        turns += 1
        if desk.first != NOWHERE:
            complete_random_pair(tables, desk, desk.to_move)
            desk.first = NOWHERE
            end_turn(desk)
        elif play_random_action(tables, desk, desk.to_move):
            pass_turn(desk)
        else:
            end_turn(desk)
    return turns
