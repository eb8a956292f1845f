"""The order of turns [S0], and steps by their codes: see :class:`~pontedeldiavolo.StepSpace`."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.board_sets import contains
from pontedeldiavolo.batch.kernels.bridges import build, find_bridges
from pontedeldiavolo.batch.kernels.cells import columns, empty, lanes, load, rows, store
from pontedeldiavolo.batch.kernels.game import (
    BUILDABLE_OF,
    LEGAL,
    OPEN_OF,
    RED,
    SETS,
    WHITE,
)
from pontedeldiavolo.batch.kernels.islands import place_pair
from pontedeldiavolo.batch.kernels.jit import njit_cached, njit_inline
from pontedeldiavolo.batch.kernels.legal import find_tile, has_pair
from pontedeldiavolo.batch.kernels.tables import BOARD
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER, PLAY

PASS = 2
"""The choices, whose codes come after those of tiles and bridges, are white, red and the pass."""


@njit_inline
def code_of_choice(table: np.record, choice: int) -> int:
    """Return the code of a colour or of the pass."""
    return table.cells + table.bridges + choice


@njit_inline
def choice_of(table: np.record, code: int) -> int:
    """Return the colour or the pass that a code stands for; below 0 for tiles and bridges."""
    return code - table.cells - table.bridges


@njit_inline
def step_count(table: np.record) -> int:
    """Return the number of codes."""
    return code_of_choice(table, PASS) + 1


@njit_cached
def init(table: np.record, game: np.record) -> None:
    """Lay out the start of a game."""
    for row in range(0, rows(game), lanes(game)):
        board = load(table, BOARD, row)
        for which in range(SETS):
            store(game, which, row, empty(board))
        store(game, OPEN_OF + WHITE, row, board)
        store(game, OPEN_OF + RED, row, board)
    for place in range(columns(game) * rows(game)):
        game.spans[place] = 0
    game.phase = OPENING
    game.to_move = WHITE
    game.white_owner = game.first = NONE
    game.turns = 0
    game.tiles_left[WHITE] = game.tiles_left[RED] = table.all_tiles
    game.bridges_left = table.all_bridges
    game.bridges_built[WHITE] = game.bridges_built[RED] = 0


@njit_cached
def end_turn(game: np.record) -> None:
    """Hand the turn on after tiles or a bridge [S0]."""
    game.turns += 1
    game.first = NONE
    if game.phase == OPENING:
        game.phase = COLOR_CHOICE
        game.to_move = NONE
    elif game.phase == LAST_TURN:
        game.phase = OVER
        game.to_move = NONE
    else:
        game.to_move = 1 - game.to_move


@njit_cached
def pass_turn(game: np.record) -> None:
    """Hand the turn on after a pass: white's gives red the last turn, red's ends the game [S0]."""
    if game.phase == PLAY:
        game.turns += 1
        game.phase = OVER if game.to_move == RED else LAST_TURN
        game.to_move = NONE if game.to_move == RED else RED
    else:
        end_turn(game)


@njit_cached
def choose_color(table: np.record, game: np.record, color: int) -> None:
    """Let the second seat choose a colour [S0]."""
    game.white_owner = 1 - color
    # Where white could not even open, white has passed.
    game.phase = PLAY if game.tiles_left[WHITE] < table.all_tiles else LAST_TURN
    game.to_move = RED


@njit_cached
def is_legal(table: np.record, game: np.record, code: int) -> bool:
    """Tell whether the step with a code is among those that were found legal."""
    if code < 0 or game.phase == OVER:
        return False
    choice = choice_of(table, code)
    if game.phase == COLOR_CHOICE:
        return 0 <= choice < PASS
    if code < table.cells:
        return game.legal_tiles > 0 and contains(game, LEGAL, np.int64(table.place[code]))
    if choice >= 0:
        return choice == PASS and game.legal_pass == 1
    number = code - table.cells
    direction, place = (
        np.int64(table.bridge_direction[number]),
        np.int64(table.bridge_place[number]),
    )
    return game.legal_bridges > 0 and contains(game, BUILDABLE_OF + direction, place)


@njit_cached
def step(table: np.record, game: np.record, code: int) -> None:
    """Play the legal step with a code."""
    color = game.to_move
    choice = choice_of(table, code)
    if choice >= 0:
        if choice == PASS:
            pass_turn(game)
        else:
            choose_color(table, game, choice)
    elif code >= table.cells:
        number = code - table.cells
        place = np.int64(table.bridge_place[number])
        build(table, game, color, place, np.int64(table.bridge_direction[number]))
        end_turn(game)
    elif game.first == NONE:
        game.first = np.int64(table.place[code])
    else:
        place_pair(game, color, game.first, np.int64(table.place[code]))
        end_turn(game)


@njit_cached
def try_step(table: np.record, game: np.record, code: int) -> bool:
    """Play the step with a code, if it is legal; tell whether it was.

    Nothing need be found before: of all steps, only this one is looked at.
    """
    color = game.to_move
    game.legal_tiles = game.legal_bridges = game.legal_pass = 0
    if game.phase in (COLOR_CHOICE, OVER):
        pass
    elif 0 <= code < table.cells:
        game.legal_tiles = find_tile(game, color, np.int64(table.place[code]))
    elif game.first == NONE:
        if code == code_of_choice(table, PASS):
            game.legal_pass = not has_pair(table, game, color)
        elif game.bridges_left > 0 and game.phase != OPENING:
            game.legal_bridges = find_bridges(table, game, color)
    legal = is_legal(table, game, code)
    if legal:
        step(table, game, code)
    return legal
