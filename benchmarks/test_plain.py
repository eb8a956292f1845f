"""The plain program plays the same game as the library."""

from __future__ import annotations

from random import Random

import pytest
from benchmarks.plain import Board, Game, bits
from benchmarks.states import start

import pontedeldiavolo as pdd

GAMES = 100


def cell(game: Game, number: int) -> pdd.Cell:
    """Return a cell of the plain program."""
    return pdd.Cell(number % game.stride, number // game.stride)


def bridge(game: Game, number: int) -> pdd.Bridge:
    """Return a bridge of the plain program."""
    a, b = game.board.bridges[number]
    return pdd.Bridge(pdd.Cell(*a), pdd.Cell(*b))


def setup(game: Game) -> pdd.Setup:
    """Return the pieces on the board as a set-up."""
    side = game.stride - 1
    white, red = ([cell(game, each) for each in bits(tiles)] for tiles in game.tiles)
    bridges = [bridge(game, each) for each in game.built]
    return pdd.Setup(pdd.Board(side, side), white, red, bridges)


@pytest.mark.parametrize("side", [6, 10])
def test_ends(side: int) -> None:
    """Check final boards: they are valid, a colour has no action, and lengths of games agree."""
    rng = Random(1)
    board = Board(side)
    turns = 0
    library_turns = 0
    for _ in range(GAMES):
        game = Game(board, rng)
        turns += game.play()
        assert setup(game).violations() == ()
        pdd.GameState.from_position(setup(game).position(), phase=pdd.Phase.OVER)
        state = start(side)
        while not state.is_over:
            state = state.apply_unchecked(state.legal_actions.sample(rng))
        library_turns += state.turn
    assert abs(turns - library_turns) < GAMES


def test_every_turn() -> None:
    """Check that actions are legal for the plain program if and only if the core agrees."""
    rng = Random(1)
    board = Board(5)
    for _ in range(GAMES):
        game = Game(board, rng)
        color = 0
        going_on = True
        while going_on:
            mover = tuple(pdd.Color)[color]
            state = pdd.GameState.from_position(setup(game).position(), to_move=mover)
            legal = state.legal_actions
            pairs = [pdd.PlaceTiles(cell(game, a), cell(game, b)) for a, b in game.pairs(color)]
            assert pairs == list(legal.pairs)
            open_bridges = filter(game.can_build, game.spanned[color])
            assert {bridge(game, each) for each in open_bridges} == {
                action.bridge for action in legal.bridges
            }
            going_on = game.take_turn(color)
            color = 1 - color
