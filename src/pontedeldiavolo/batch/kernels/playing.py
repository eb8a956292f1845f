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
    TILES_PER_TURN,
    complete_random_pair,
    count_pairs,
    play_random_action,
    prune,
)
from pontedeldiavolo.batch.kernels.random import below
from pontedeldiavolo.batch.kernels.tables import NOWHERE
from pontedeldiavolo.batch.kernels.tiles import pair_is_legal, place_pair, tile_is_legal

PASS = 2
"""After the codes of tiles and bridges come white, red and the pass."""


@compiled
def end_turn(desk: np.record, passed: bool) -> None:
    """Hand the turn on [S0]."""
    if desk.phase == OPENING:
        desk.phase = COLOR_CHOICE
        desk.to_move = NOBODY
    elif desk.phase == LAST_TURN or (passed and desk.to_move == RED):
        desk.phase = OVER
        desk.to_move = NOBODY
    else:
        if passed:
            desk.phase = LAST_TURN
        desk.to_move = 1 - desk.to_move


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
    color, first = desk.to_move, desk.first
    choice = code - tables.cells - tables.bridges
    if desk.phase == OVER or code < 0:
        return False
    if desk.phase == COLOR_CHOICE:
        if choice < 0 or choice >= PASS:
            return False
        choose_color(desk, choice)
        return True
    if code < tables.cells:
        cell = np.uint32(code)
        if cell == first or desk.place[color, cell] == NOWHERE:
            return False
        if first == NOWHERE:
            return begin_pair(tables, desk, color, cell)
        if not place_pair(tables, desk, color, first, cell):
            return False
        desk.first = NOWHERE
    elif first != NOWHERE:
        return False
    elif choice < 0:
        number = np.uint32(code - tables.cells)
        own = color + 1
        if (
            desk.bridges_left <= 0
            or desk.tile[tables.ends[number, 0]] != own
            or desk.tile[tables.ends[number, 1]] != own
            or not bridge_is_legal(tables, desk, number)
        ):
            return False
        build_bridge(tables, desk, number)
    elif choice != PASS or has_pair(tables, desk, color):
        return False
    end_turn(desk, choice == PASS)
    return True


@compiled
def begin_pair(tables: np.record, desk: np.record, color: int, cell: int) -> bool:
    """Decide on the first of two tiles, if it is in a legal pair; tell whether it is."""
    if desk.tiles_left[color] < TILES_PER_TURN or not has_partner(tables, desk, color, cell):
        return False
    desk.first = cell
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
    color, first = desk.to_move, desk.first
    others = tables.cells + tables.bridges
    if desk.phase == COLOR_CHOICE:
        mask[others] = mask[others + 1] = 1
    if color == NOBODY:
        return
    if first != NOWHERE:
        for place in range(desk.cells_listed[color]):
            cell = desk.cells[color, place]
            if cell != first and pair_is_legal(tables, desk, color, first, cell):
                mask[cell] = 1
        return
    mask[others + PASS] = 1
    if desk.tiles_left[color] >= TILES_PER_TURN:
        prune(tables, desk, color)
        for place in range(desk.cells_listed[color]):
            cell = desk.cells[color, place]
            if has_partner(tables, desk, color, cell):
                mask[cell] = 1
                mask[others + PASS] = 0
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
        passed = False
        if desk.first == NOWHERE:
            passed = play_random_action(tables, desk, desk.to_move)
        else:
            complete_random_pair(tables, desk, desk.to_move)
            desk.first = NOWHERE
        end_turn(desk, passed)
        turns += 1
    return turns
