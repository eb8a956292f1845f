"""Players of this library, as opponents of people."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, cast

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.players.registry import by_name

MOST_CELLS: Final = {"random": 64 * 64, "greedy": 16 * 16}
"""Who can be played against, and on how large a board they answer within a second or so."""


def with_answers(game: Game, computer: Mapping[Seat, str], seeds: Callable[[], int]) -> Game:
    """Return a game after all that players of this library do until it is a person's turn."""
    while game.ending is None:
        name = computer.get(cast(Seat, game.state.seat_to_move))
        if name is None:
            return game
        game = game.play(by_name(name).for_game(seeds()).choose(game.state))
    return game
