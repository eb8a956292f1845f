"""Playing games out with some sense: islands are completed or spoilt, and bridges are built.

Random games of this kind tell more about a position than uniform ones, and cost little more.
"""

from __future__ import annotations

import numpy as np

from pontedeldiavolo.batch.kernels.bridges import find_bridges
from pontedeldiavolo.batch.kernels.cells import lanes, load, rows, store
from pontedeldiavolo.batch.kernels.compiled import compiled
from pontedeldiavolo.batch.kernels.drawing import (
    play_bridge,
    play_random_action,
    play_what_is_due,
)
from pontedeldiavolo.batch.kernels.game import FOURTH_OF, OPEN_OF, SEEN, count_all, nth_of_all
from pontedeldiavolo.batch.kernels.islands import pair_is_legal, place_pair
from pontedeldiavolo.batch.kernels.playing import end_turn
from pontedeldiavolo.batch.kernels.random import below
from pontedeldiavolo.batch.members import OPENING, OVER
from pontedeldiavolo.vocabulary import TILES_PER_TURN

OF_TEN = np.int64(10)
TO_ISLANDS = 8
"""In so many of ten turns a tile is put where it completes or spoils an island, if one can be."""
WITH_BOTH = 5
"""In so many of ten of those turns, the second tile, too."""
TO_BRIDGES = 3
"""In so many of ten other turns, a bridge is built if one can be."""


@compiled
def find_targets(game: np.record, color: int) -> int:
    """Find where a tile completes an island or spoils one of the opponent's, and count them."""
    other = 1 - color
    for row in range(0, rows(game), lanes(game)):
        mine = load(game, FOURTH_OF + color, row)
        theirs = load(game, FOURTH_OF + other, row) & load(game, OPEN_OF + other, row)
        store(game, SEEN, row, load(game, OPEN_OF + color, row) & (mine | theirs))
    return count_all(game, SEEN)


@compiled
def play_targets(game: np.record, color: int) -> bool:
    """Place a pair with a tile at least on a target, and tell whether that came about."""
    targets = find_targets(game, color)
    if targets == 0:
        return False
    a = nth_of_all(game, SEEN, below(game, targets))
    if below(game, OF_TEN) < WITH_BOTH:
        b = nth_of_all(game, SEEN, below(game, targets))
    else:
        b = nth_of_all(game, OPEN_OF + color, below(game, count_all(game, OPEN_OF + color)))
    if a == b or not pair_is_legal(game, color, a, b):
        return False
    place_pair(game, color, a, b)
    end_turn(game)
    return True


@compiled
def play_any_bridge(table: np.record, game: np.record, color: int) -> bool:
    """Build one of all bridges, and tell whether there was one."""
    found = find_bridges(table, game, color)
    if found == 0:
        return False
    play_bridge(table, game, color, below(game, found))
    return True


@compiled
def play_sensible_action(table: np.record, game: np.record) -> None:
    """Play an action of the colour to move."""
    color = game.to_move
    if (
        game.tiles_left[color] >= TILES_PER_TURN
        and below(game, OF_TEN) < TO_ISLANDS
        and play_targets(game, color)
    ):
        return
    if (
        game.bridges_left > 0
        and game.phase != OPENING
        and below(game, OF_TEN) < TO_BRIDGES
        and play_any_bridge(table, game, color)
    ):
        return
    play_random_action(table, game)


@compiled
def play_sensibly(table: np.record, game: np.record) -> None:
    """Play a game to its end with some sense."""
    while game.phase != OVER:
        if not play_what_is_due(table, game):
            play_sensible_action(table, game)
