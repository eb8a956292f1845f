"""Players of this library, as opponents of people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.greedy_player import GreedyPlayer
from pontedeldiavolo.players.player import Player
from pontedeldiavolo.players.random_player import RandomPlayer
from pontedeldiavolo.vocabulary import Seat

OPPONENTS: Final[dict[str, Callable[[int], Player]]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
}
MOST_CELLS: Final = {"random": 64 * 64, "greedy": 16 * 16}
"""On how large a board a player answers within a second or so."""


def with_answers(game: Game, computer: Mapping[Seat, str], seeds: Callable[[], int]) -> Game:
    """Return a game after all that players of this library do until it is a person's turn."""
    while game.ending is None:
        name = computer.get(cast(Seat, game.state.seat_to_move))
        if name is None:
            return game
        game = game.play(OPPONENTS[name](seeds()).choose(game.state))
    return game
