"""The order of turns and the score [S0], and steps by their codes.

See :class:`~pontedeldiavolo.StepSpace`.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import ISLAND_SIZE
from pontedeldiavolo.batch.rows import COLOR_CHOICE, LAST_TURN, NONE, OPENING, OVER, PLAY

from . import legal
from .cells import (
    Cells,
    add_cells,
    columns,
    contains,
    count,
    count_on_board,
    empty,
    from_window,
    lanes,
    load,
    load_window,
    next_cell,
    nth_bit,
    rows,
    store,
    window_around,
)
from .game import (
    BOARD,
    BRIDGES,
    BUILDABLE_OF,
    ENDS_OF,
    ISLANDS,
    ISLANDS_OF,
    LEGAL,
    OPEN_OF,
    POINTS,
    RED,
    SCRATCH,
    SETS,
    TILES_OF,
    WHITE,
)
from .jit import njit_inline, njit_internal

PASS = 2
"""The codes after tiles and bridges are the choices: white (0), red (1) and the pass."""


@njit_inline
def code_of_choice(table: np.record, choice: int) -> int:
    """Return the code of the choice of a colour or of the pass."""
    return table.cells + table.bridges + choice


@njit_inline
def code_of_bridge(table: np.record, place: int, direction: int) -> int:
    """Return the code of the bridge with this first end and direction."""
    return table.cells + np.int64(table.number[place, direction])


@njit_inline
def bridge_of(table: np.record, code: int) -> tuple[int, int]:
    """Return the first end and the direction of the bridge with a code."""
    number = code - table.cells
    return np.int64(table.bridge_place[number]), np.int64(table.bridge_direction[number])


@njit_inline
def choice_of(table: np.record, code: int) -> int:
    """Return the choice (a colour or the pass) with a code; below 0 for tiles and bridges."""
    return code - table.cells - table.bridges


@njit_inline
def step_count(table: np.record) -> int:
    """Return the number of codes."""
    return code_of_choice(table, PASS) + 1


@njit_inline
def init(table: np.record, game: np.record) -> None:
    """Set a game to its start."""
    for row in range(0, rows(game), lanes(game)):
        board = load(table, BOARD, row)
        for which in range(SETS):
            store(game, which, row, empty(board))
        store(game, OPEN_OF + WHITE, row, board)
        store(game, OPEN_OF + RED, row, board)
    for place in range(columns(game) * rows(game)):
        game.links[place] = 0
    game.phase = OPENING
    game.to_move = WHITE
    game.white_owner = NONE
    game.first = NONE
    game.turns = 0
    game.outputs_are_current = 0
    game.tiles_left[WHITE] = game.tiles_left[RED] = table.all_tiles
    game.bridges_left = table.all_bridges
    game.bridges_built[WHITE] = 0
    game.bridges_built[RED] = 0


@njit_inline
def end_turn(game: np.record) -> None:
    """Change the turn after tiles or a bridge [S0]."""
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


@njit_internal
def pass_turn(game: np.record) -> None:
    """Change the turn after a pass: white's gives red the last turn, red's ends the game [S0]."""
    if game.phase == PLAY:
        game.turns += 1
        game.phase = OVER if game.to_move == RED else LAST_TURN
        game.to_move = NONE if game.to_move == RED else RED
    else:
        end_turn(game)


@njit_internal
def choose_color(table: np.record, game: np.record, color: int) -> None:
    """Let the second seat choose a colour [S0]."""
    game.white_owner = 1 - color
    # If white placed no tiles in the opening, white has passed.
    game.phase = PLAY if game.tiles_left[WHITE] < table.all_tiles else LAST_TURN
    game.to_move = RED


@njit_internal
def is_legal(table: np.record, game: np.record, code: int) -> bool:
    """Return whether the step with a code is among the legal steps that were found."""
    if code < 0 or game.phase == OVER:
        return False
    choice = choice_of(table, code)
    if game.phase == COLOR_CHOICE:
        return 0 <= choice < PASS
    if code < table.cells:
        return game.legal_tiles > 0 and contains(game, LEGAL, np.int64(table.place_of_cell[code]))
    if choice >= 0:
        return choice == PASS and game.legal_pass == 1
    place, direction = bridge_of(table, code)
    return game.legal_bridges > 0 and contains(game, BUILDABLE_OF + direction, place)


@njit_inline
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
        place, direction = bridge_of(table, code)
        legal.build(table, game, color, place, direction)
        end_turn(game)
    elif game.first == NONE:
        game.first = np.int64(table.place_of_cell[code])
    else:
        legal.place_pair(game, color, game.first, np.int64(table.place_of_cell[code]))
        end_turn(game)


@njit_internal
def try_step(table: np.record, game: np.record, code: int) -> bool:
    """Play the step with a code if it is legal; return whether it was.

    The legal steps need not be found before: only this step is checked.
    """
    color = game.to_move
    game.legal_tiles = 0
    game.legal_bridges = 0
    game.legal_pass = 0
    if game.phase in (COLOR_CHOICE, OVER):
        pass
    elif 0 <= code < table.cells:
        game.legal_tiles = legal.find_tile(game, color, np.int64(table.place_of_cell[code]))
    elif game.first == NONE:
        if code == code_of_choice(table, PASS):
            game.legal_pass = not legal.has_pair(table, game, color)
        elif game.bridges_left > 0 and game.phase != OPENING:
            game.legal_bridges = legal.find_bridges(table, game, color)
    found = is_legal(table, game, code)
    if found:
        step(table, game, code)
    return found


@njit_inline
def islands_of(game: np.record, color: int) -> int:
    """Return the number of islands of a colour."""
    return count_on_board(game, ISLANDS_OF + color) // ISLAND_SIZE


@njit_inline
def points(table: np.record, game: np.record, color: int) -> int:
    """Return the points of a colour."""
    islands = islands_of(game, color)
    if islands <= 1 or game.bridges_built[color] == 0:
        return islands
    for row in range(0, rows(game), lanes(game)):
        store(game, SCRATCH, row, empty(load(game, SCRATCH, row)))
    found = 0
    place = next_cell(game, ISLANDS_OF + color, 0)
    while place != NONE:
        if not contains(game, SCRATCH, place):
            joined = islands_joined(table, game, color, place)
            found += joined * (joined + 1) // 2
        place = next_cell(game, ISLANDS_OF + color, place + 1)
    return found


@njit_inline
def islands_joined(table: np.record, game: np.record, color: int, place: int) -> int:
    """Count the islands in the network of a cell, and mark all of the network's cells as seen."""
    game.queue[0] = place
    found = 1
    done = 0
    islands = 0
    while done < found:
        here = np.int64(game.queue[done])
        done += 1
        if contains(game, SCRATCH, here):
            continue
        islands += contains(game, ISLANDS_OF + color, here)
        origin = window_around(game, here)
        group = group_of(game, color, here, origin)
        add_cells(game, SCRATCH, origin, group)
        ends = group & load_window(game, ENDS_OF + color, origin)
        for index in range(count(ends)):
            end = from_window(game, origin, nth_bit(ends, index))
            other = legal.other_end(table, end, np.int64(game.links[end]))
            if not contains(game, SCRATCH, other):
                game.queue[found] = other
                found += 1
    return islands


@njit_inline
def group_of(game: np.record, color: int, place: int, origin: int) -> Cells:
    """Return the group of a tile, in a window around it."""
    tiles = load_window(game, TILES_OF + color, origin)
    group = legal.single_in_window(game, tiles, place, origin)
    for _ in range(ISLAND_SIZE - 1):
        group |= legal.neighbors4(group) & tiles
    return group


@njit_inline
def owner(game: np.record, color: int) -> int:
    """Return the seat that owns a colour after the choice; -1 for -1."""
    if color == NONE:
        return NONE
    return game.white_owner if color == WHITE else 1 - game.white_owner


@njit_inline
def seat_to_move(game: np.record) -> int:
    """Return the seat to act, or -1 if the game is over."""
    if game.phase == OPENING:
        return 0
    if game.phase == COLOR_CHOICE:
        return 1
    return owner(game, game.to_move)


@njit_inline
def winner(table: np.record, game: np.record, white_points: int, red_points: int) -> int:
    """Return the colour that has won with these points, or -1 [S0]."""
    for index in range(len(table.decisive)):
        column = table.decisive[index]
        lead = 0
        if column == POINTS:
            lead = red_points - white_points
        elif column == ISLANDS:
            lead = islands_of(game, RED) - islands_of(game, WHITE)
        elif column == BRIDGES:
            lead = game.bridges_built[RED] - game.bridges_built[WHITE]
        if lead != 0:
            return RED if lead > 0 else WHITE
    return NONE
