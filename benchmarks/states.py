"""States that benchmarks use."""

from __future__ import annotations

from functools import lru_cache
from random import Random

from benchmarks import plain

import pontedeldiavolo as pdd
from support.reference import Reference

plain_board = lru_cache(plain.Board)
"""The tables of the plain program."""


def start(side: int) -> pdd.GameState:
    """Return the start on a square board with an unlimited supply."""
    return pdd.GameState.initial(pdd.Rules(pdd.Board(side, side)))


@lru_cache
def random_states(games: int, side: int = 10) -> tuple[pdd.GameState, ...]:
    """Return the states of random games in which a colour is to move."""
    rng = Random(1)
    states = []
    for _ in range(games):
        state = start(side)
        while not state.is_over:
            if state.to_move is not None:
                states.append(state)
            state = state.apply_unchecked(state.legal_actions.sample(rng))
    return tuple(states)


def forget(state: pdd.GameState) -> pdd.GameState:
    """Delete the cached legal actions of a state, as if it were new, and return it."""
    object.__setattr__(state, "_legal_actions", None)
    return state


def mirrored(state: pdd.GameState) -> Reference:
    """Return a state, in which a colour is to move, as a state of the reference."""
    assert state.to_move is not None
    board = state.rules.board
    position = state.position
    game = Reference(board.width, board.height)
    game.phase = state.phase.value
    game.to_move = state.to_move.value
    for color in pdd.Color:
        game.placed[color.value] = {(cell.column, cell.row) for cell in position.tiles(color)}
        game.built += [
            ((each.a.column, each.a.row), (each.b.column, each.b.row))
            for each in position.bridges(color)
        ]
    return game
