"""Games of random or given actions, and their actions as texts."""

from __future__ import annotations

from functools import cache
from random import Random

import pontedeldiavolo as pdd
from pontedeldiavolo import Game
from pontedeldiavolo.players import Player

SMALL = "4x4 tiles=unlimited bridges=unlimited tiebreaks=none"


def random_game(rules: str = SMALL, seed: int = 1, **tags: str) -> Game:
    """Return a complete game of random actions."""
    game = Game.new(pdd.parse_rules(rules), tags)
    rng = Random(seed)
    while game.ending is None:
        game = game.play(game.state.legal_actions.sample(rng))
    return game


def played(first: Player, second: Player, rules: pdd.Rules) -> Game:
    """Return a game between two players."""
    game = Game.new(rules)
    seats = {pdd.Seat.FIRST: first, pdd.Seat.SECOND: second}
    while (seat := game.state.seat_to_move) is not None:
        game = game.play(seats[seat].choose(game.state))
    return game


@cache
def minimax(state: pdd.GameState) -> int:
    """Return the value of a state for the first seat under perfect play, by exhaustive search."""
    if state.outcome is not None:
        return state.outcome.value(pdd.Seat.FIRST)
    values = [minimax(state.apply(action)) for action in state.legal_actions]
    return max(values) if state.seat_to_move is pdd.Seat.FIRST else min(values)


def game_of(*actions: str, rules: str = "abstract-play", **tags: str) -> Game:
    """Return the game with some actions."""
    return Game.from_actions(pdd.parse_rules(rules), actions, tags=tags)


def actions_of(game: Game | pdd.Line) -> list[str]:
    """Return the actions of a game or of a line as texts."""
    return [pdd.format_action(action) for action in game.actions]
