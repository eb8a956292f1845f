"""Playing one of all legal actions, each with exactly the same probability, without listing them.

A draw proposes one of all pairs of open cells, of as many bridges as there may be, and the pass.
What is illegal is refused, and the next is drawn: so whatever is accepted in the end was as likely
as every other legal action. The few turns that find no legal pair soon count all pairs instead.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.base.enums import TILES_PER_TURN
from pontedeldiavolo.batch.kernels.bridges import build, find_bridges, next_place, nth_bridge
from pontedeldiavolo.batch.kernels.cells import count, view
from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.game import (
    ENDS_OF,
    LEGAL,
    OPEN_OF,
    TILES_OF,
    count_all,
    nth_of_all,
)
from pontedeldiavolo.batch.kernels.islands import closed_by, pair_is_legal, place_pair
from pontedeldiavolo.batch.kernels.layout import cell_of
from pontedeldiavolo.batch.kernels.legal import find_second_tiles, has_pair
from pontedeldiavolo.batch.kernels.playing import PASS, choose_color, end_turn, pass_turn
from pontedeldiavolo.batch.kernels.random import below
from pontedeldiavolo.batch.kernels.windows import window_around
from pontedeldiavolo.batch.members import COLOR_CHOICE, NONE, OPENING, OVER

PATIENCE = 4
"""So many pairs of cells that are open, but exclude each other, make a turn count all."""
PER_TILE = 8
"""No tile is the first end of more bridges: one for each direction."""
COLORS, NO_PAIR = np.int64(2), np.int64(NONE)


@compiled
def most_bridges(game: np.record, color: int) -> int:
    """Return a number that a colour's buildable bridges cannot exceed."""
    if game.bridges_left <= 0 or game.phase == OPENING:
        return 0
    free = count_all(game, TILES_OF + color) - count_all(game, ENDS_OF + color)
    return min(PER_TILE * free, free * (free - 1) // 2)


@compiled
def play_random_action(table: np.record, game: np.record) -> None:
    """Play one of all legal actions of the colour to move."""
    color, conflicts, bridges_known = game.to_move, 0, False
    cells = count_all(game, OPEN_OF + color) if game.tiles_left[color] >= TILES_PER_TURN else 0
    # Every pair of cells is there in both orders, so all else counts twice as well.
    pairs, bridges = cells * (cells - 1), most_bridges(game, color)
    while True:
        drawn = below(game, pairs + 2 * bridges + 2)
        if drawn < pairs:
            i, j = drawn // (cells - 1), drawn % (cells - 1)
            a = nth_of_all(game, OPEN_OF + color, i)
            b = nth_of_all(game, OPEN_OF + color, j + (j >= i))
            if pair_is_legal(game, color, a, b):
                place_pair(game, color, a, b)
                end_turn(game)
                return
            conflicts += 1
            if conflicts == PATIENCE:
                play_counted(table, game, color)
                return
        elif drawn < pairs + 2 * bridges:
            if not bridges_known:
                bridges, bridges_known = find_bridges(table, game, color), True
            if (drawn - pairs) // 2 < bridges:
                play_bridge(table, game, color, (drawn - pairs) // 2)
                return
        elif not has_pair(table, game, color):
            pass_turn(game)
            return


@compiled
def play_bridge(table: np.record, game: np.record, color: int, n: int) -> None:
    """Build the *n*-th of the buildable bridges."""
    place, direction = nth_bridge(game, n)
    build(table, game, color, place, direction)
    end_turn(game)


@compiled
def count_pairs(game: np.record, color: int, wanted: int) -> tuple[int, int, int]:
    """Count a colour's legal pairs in both orders; stop at one by its number, and return it."""
    found, cells = 0, count_all(game, OPEN_OF + color)
    place = next_place(game, OPEN_OF + color, 0)
    while place != NONE:
        origin = window_around(game, place)
        closed = closed_by(game, color, place, origin)
        seconds = cells - count(view(game, OPEN_OF + color, origin) & closed)
        if 0 <= wanted - found < seconds:
            find_second_tiles(game, color, place)
            return found, place, nth_of_all(game, LEGAL, wanted - found)
        found += seconds
        place = next_place(game, OPEN_OF + color, place + 1)
    return found, NONE, NONE


@compiled
def play_counted(table: np.record, game: np.record, color: int) -> None:
    """Play one of all legal actions of a colour with tiles left, by counting the pairs."""
    pairs = count_pairs(game, color, NO_PAIR)[0]
    bridges = 0
    if game.bridges_left > 0 and game.phase != OPENING:
        bridges = find_bridges(table, game, color)
    drawn = below(game, pairs + 2 * bridges + 2 * (pairs == 0))
    if drawn < pairs:
        _, a, b = count_pairs(game, color, drawn)
        place_pair(game, color, a, b)
        end_turn(game)
    elif drawn < pairs + 2 * bridges:
        play_bridge(table, game, color, (drawn - pairs) // 2)
    else:
        pass_turn(game)


@compiled
def complete_random_pair(game: np.record) -> None:
    """Place the first of two tiles that is decided on with one of all legal second ones."""
    found = find_second_tiles(game, game.to_move, game.first)
    second = nth_of_all(game, LEGAL, below(game, found))
    place_pair(game, game.to_move, game.first, second)
    end_turn(game)


@inlined
def play_what_is_due(table: np.record, game: np.record) -> bool:
    """Choose a colour or place a second tile at random, and tell whether that was to be done."""
    if game.phase == COLOR_CHOICE:
        choose_color(table, game, below(game, COLORS))
        return True
    if game.first != NONE:
        complete_random_pair(game)
        return True
    return False


@compiled
def play_out(table: np.record, game: np.record) -> None:
    """Play random actions to the end of the game."""
    while game.phase != OVER:
        if not play_what_is_due(table, game):
            play_random_action(table, game)


@compiled
def draw_step(table: np.record, game: np.record) -> int:
    """Return the code of one of the legal steps that were found, or nobody's at the end."""
    if game.phase == OVER:
        return NONE
    if game.phase == COLOR_CHOICE:
        return table.cells + table.bridges + below(game, COLORS)
    drawn = below(game, game.legal_tiles + game.legal_bridges + game.legal_pass)
    if drawn < game.legal_tiles:
        return cell_of(table, game, nth_of_all(game, LEGAL, drawn))
    drawn -= game.legal_tiles
    if drawn < game.legal_bridges:
        place, direction = nth_bridge(game, drawn)
        return table.cells + np.int64(table.number[place, direction])
    return table.cells + table.bridges + PASS
