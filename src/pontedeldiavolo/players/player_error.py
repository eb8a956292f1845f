"""The error of a player who does not play by the rules, or does not play at all."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason, reason_of
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation import format_state


@final
class PlayerError(PonteError, FinalClass):
    """A player has chosen what is not legal, or what is no action, or has failed.

    Attributes:
        player: The player's name.
        problem: What it did, in English.
        game: The game so far: its last state is where that happened.
    """

    __module__ = "pontedeldiavolo.players"

    def __init__(self, player: str, problem: str, game: Game) -> None:
        require_type(player, str, "player")
        require_type(problem, str, "problem")
        require_type(game, Game, "game")
        self.player: str = player
        self.problem: str = problem
        self.game: Game = game
        super().__init__(player, problem, game)

    @property
    def reason(self) -> Reason:
        """What the player did, without the place."""
        return reason_of(self.problem)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """What a sentence about it needs: ``player`` and ``state`` included."""
        return self.reason.values | {"player": self.player, "state": format_state(self.game.state)}

    def __str__(self) -> str:
        state = self.game.state
        seat = "" if state.seat_to_move is None else f" as {state.seat_to_move.value} seat"
        number = self.game.tags.get("Round")
        game = "" if number is None else f" of game {number}"
        return (
            f"{self.player} {self.problem},{seat} after {len(self.game.actions)} actions{game}, "
            f"in {format_state(state)}"
        )
