"""Rows of batches of every kind, and all results that a batch gives for its games."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from random import Random

import pytest
from _pytest.mark import ParameterSet
from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, Playouts
from pontedeldiavolo.testing.strategies import TIEBREAKS, boards, positions, rules, small_boards
from support.batches import Arrays, Row, sized, state_behind, visited

SMALL = pdd.Rules(pdd.Board(5, 4))
ODD_RULES = [
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(5, 4)),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=1, tiebreaks=TIEBREAKS[4]),
    pdd.Rules(pdd.Board(33, 2)),
]


def mixed(rules: pdd.Rules = SMALL, number: int = 12) -> list[Row]:
    """Return rows from random games, in every phase."""
    rng = Random(number)
    rows = [row for _ in range(5) for row in visited(rules, rng)]
    rng.shuffle(rows)
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows][:number]


def set_ups() -> SearchStrategy[pdd.GameState]:
    """Return states with any valid position and any owner of white."""
    return st.builds(
        lambda position, color, owner: pdd.GameState.from_position(
            position, to_move=color, white_owner=owner
        ),
        positions(),
        st.sampled_from(pdd.Color),
        st.sampled_from(pdd.Seat),
    )


def answers(games: GameBatch) -> Arrays:
    """Return all arrays that a batch gives for its games."""
    return (
        *(
            games.tiles,
            games.is_over,
            games.phase,
            games.placed_tile,
            games.white_owner,
            games.to_move,
        ),
        *(games.seat_to_move, games.scores, games.points, games.winner, games.winning_seat),
        *(games.rewards, games.planes(), games.legal_mask(), games.hashes()),
        *parts(games.playout(5)),
    )


def parts(result: Playouts) -> Arrays:
    return (result.turns, result.points, result.winner, result.winning_seat, result.rewards)


PLANE_RULES = [*ODD_RULES, pdd.Rules(pdd.Board(6, 7)), pdd.Rules(pdd.Board(64, 2))]

SIDES = [
    *((1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 3), (4, 4), (5, 7), (8, 6)),
    *((40, 7), (7, 40), (33, 5), (64, 3), (3, 64), (26, 26)),
    # The words of a packed row begin every 32 columns and overlap in eight columns.
    *((27, 3), (28, 3), (29, 4), (31, 4), (32, 4), (33, 3), (36, 4), (37, 3)),
    *((60, 2), (61, 3), (62, 2), (63, 3), (64, 2), (64, 1), (1, 64)),
]

SUPPLIES = product((0, 1, 2, 3, 7, None), (0, 1, 2, None))
RULES = [
    *map(pdd.presets.by_name, pdd.presets.names()),
    *(pdd.Rules(pdd.Board(*sides)) for sides in SIDES),
    *(pdd.Rules(pdd.Board(5, 4), *supplies) for supplies in SUPPLIES),
    *(pdd.Rules(pdd.Board(6, 5), tiebreaks=order) for order in TIEBREAKS),
    pdd.Rules(pdd.Board(7, 5), 10**15, 10**15, TIEBREAKS[0]),
]
RULES = [*dict.fromkeys(RULES)]

SHAPES = [*{rules.board: rules for rules in RULES}.values()]
"""One preset for each board size, for tests in which supplies and tie-breaks do not matter."""

ANY_RULES = rules(small_boards() if sized(0, 1) else boards())


def is_compiled_first(width: int, height: int) -> bool:
    """Return whether tests that are not slow compile for boards of this size."""
    return max(width, height) <= 16 or width > 32 or (width > 16 and height > 32)


def slow_beyond(cells: int, many: Iterable[pdd.Rules]) -> list[ParameterSet]:
    """Return rules as test parameters, marked slow if the board has more cells than a limit."""
    slow = {True: [pytest.mark.slow], False: []}
    return [
        pytest.param(rules, id=pdd.format_rules(rules), marks=slow[len(rules.board) > cells])
        for rules in dict.fromkeys(many)
    ]


def few_turns_left(rules: pdd.Rules, seed: int) -> pdd.GameState:
    """Return a late state of a random game, from which all games can be counted."""
    rng = Random(seed)
    rows = [row for row in visited(rules, rng) if isinstance(row, pdd.GameState)]
    return next(row for row in rows if row.turn > 2 and len(row.legal_actions) < 17)


BRIDGES_AROUND = """
    5 w . w . w
    4 . . . . .
    3 w r w . r
    2 . . . . .
    1 w r . r w
      a b c d e
    bridges c3-e5
"""

FOUR_BY_TWO = pdd.Rules(pdd.Board(4, 2))
