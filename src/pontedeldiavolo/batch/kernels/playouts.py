"""Random playouts: each action is sampled uniformly from all legal actions."""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.rows import COLOR_CHOICE, NONE, OPENING, OVER

from . import legal
from .cells import count_on_board, next_cell, nth_on_board
from .game import LEGAL, OPEN_OF
from .jit import njit_inline, njit_internal
from .sampling import COLORS, randbelow
from .transitions import choose_color, end_turn, pass_turn

CONFLICTS_BEFORE_COUNTING = 4
"""After this many pairs of open cells that exclude each other, a turn counts all pairs."""
MAX_BRIDGES_PER_TILE = 8
"""A tile is the first end of at most this many possible bridges: one for each direction."""
NO_PAIR = np.int64(NONE)


@njit_internal
def max_bridges(table: np.record, game: np.record, color: int) -> int:
    """Return an upper bound on the number of a colour's buildable bridges."""
    if game.bridges_left <= 0 or game.phase == OPENING:
        return 0
    free = table.all_tiles - game.tiles_left[color] - 2 * game.bridges_built[color]
    return min(MAX_BRIDGES_PER_TILE * free, free * (free - 1) // 2)


@njit_internal
def play_random_action(table: np.record, game: np.record) -> None:
    """Play one of all legal actions of the colour to move, each with the same probability."""
    color = game.to_move
    conflicts = 0
    bridges_known = False
    cells = count_on_board(game, OPEN_OF + color) if game.tiles_left[color] >= TILES_PER_TURN else 0
    # Every pair of cells is counted in both orders, so all other actions count twice as well.
    pairs = cells * (cells - 1)
    bridges = max_bridges(table, game, color)
    while True:
        drawn = randbelow(game, pairs + 2 * bridges + 2)
        if drawn < pairs:
            # Division is faster for unsigned numbers.
            i = np.int64(np.uint64(drawn) // np.uint64(cells - 1))
            j = drawn - i * (cells - 1)
            a = nth_on_board(game, OPEN_OF + color, i)
            b = nth_on_board(game, OPEN_OF + color, j + (j >= i))
            if legal.pair_is_legal(game, color, a, b):
                legal.place_pair(game, color, a, b)
                end_turn(game)
                return
            conflicts += 1
            if conflicts == CONFLICTS_BEFORE_COUNTING:
                play_counted(table, game, color)
                return
        elif drawn < pairs + 2 * bridges:
            if not bridges_known:
                bridges = legal.find_bridges(table, game, color)
                bridges_known = True
            if (drawn - pairs) // 2 < bridges:
                play_bridge(table, game, color, (drawn - pairs) // 2)
                return
        elif not legal.has_pair(table, game, color):
            pass_turn(game)
            return


@njit_internal
def play_bridge(table: np.record, game: np.record, color: int, n: int) -> None:
    """Build the *n*-th of the buildable bridges."""
    place, direction = legal.nth_bridge(game, n)
    legal.build(table, game, color, place, direction)
    end_turn(game)


@njit_internal
def count_pairs(game: np.record, color: int, wanted: int) -> tuple[int, int, int]:
    """Count a colour's legal pairs in both orders; stop at the pair with a number and return it."""
    found = 0
    cells = count_on_board(game, OPEN_OF + color)
    place = next_cell(game, OPEN_OF + color, 0)
    while place != NONE:
        seconds = cells - legal.count_closed(game, color, place)
        if 0 <= wanted - found < seconds:
            legal.find_second_tiles(game, color, place)
            return found, place, nth_on_board(game, LEGAL, wanted - found)
        found += seconds
        place = next_cell(game, OPEN_OF + color, place + 1)
    return found, NONE, NONE


@njit_internal
def play_counted(table: np.record, game: np.record, color: int) -> None:
    """Play a random legal action of a colour with tiles left, by counting all pairs."""
    pairs = count_pairs(game, color, NO_PAIR)[0]
    bridges = 0
    if game.bridges_left > 0 and game.phase != OPENING:
        bridges = legal.find_bridges(table, game, color)
    drawn = randbelow(game, pairs + 2 * bridges + 2 * (pairs == 0))
    if drawn < pairs:
        _, a, b = count_pairs(game, color, drawn)
        legal.place_pair(game, color, a, b)
        end_turn(game)
    elif drawn < pairs + 2 * bridges:
        play_bridge(table, game, color, (drawn - pairs) // 2)
    else:
        pass_turn(game)


@njit_inline
def complete_random_pair(game: np.record) -> None:
    """Place a pair from its given first tile and a random legal second one."""
    found = legal.find_second_tiles(game, game.to_move, game.first)
    second = nth_on_board(game, LEGAL, randbelow(game, found))
    legal.place_pair(game, game.to_move, game.first, second)
    end_turn(game)


@njit_inline
def play_choice_or_second_tile(table: np.record, game: np.record) -> bool:
    """Choose a colour or place a second tile at random; return whether that was due."""
    if game.phase == COLOR_CHOICE:
        choose_color(table, game, randbelow(game, COLORS))
        return True
    if game.first != NONE:
        complete_random_pair(game)
        return True
    return False


@njit_internal
def playout(table: np.record, game: np.record) -> None:
    """Play random actions to the end of the game."""
    while game.phase != OVER:
        if not play_choice_or_second_tile(table, game):
            play_random_action(table, game)
