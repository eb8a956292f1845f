"""A robot's last tile, which no second one can follow: the site lets it end the game.

The rules have no turn of one tile. So the game ends before it, and what the site made of it is
played on beside the game, to learn who won.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast, final

from attrs import evolve, frozen

from pontedeldiavolo.base.enums import Color, Ending, Phase, Seat
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.state.state import GameState


def leader(state: GameState) -> Seat | None:
    """Return who would win if the game were over; ``None`` for a draw."""
    color, _ = state.rules.decide(state.score(Color.WHITE), state.score(Color.RED))
    return None if color is None else state.owner(color)


@final
@frozen(eq=False)
class LastTile:
    """A game that ended with half a turn.

    Attributes:
        game: The game up to that turn.
        cell: Where the tile lies.
    """

    game: Game
    cell: Cell

    @property
    def color(self) -> Color:
        """The tile's colour."""
        return cast("Color", self.game.state.to_move)

    def rest(self, *, is_over: bool) -> Game:
        """Return the game that goes on with the tile on the board.

        Args:
            is_over: Whether nobody has a turn any more; otherwise red has the last one, if white
                placed the tile.
        """
        state = self.game.state
        setup = state.position.setup()
        is_white = self.color is Color.WHITE
        if is_white:
            setup = evolve(setup, white=(*setup.white, self.cell))
        else:
            setup = evolve(setup, red=(*setup.red, self.cell))
        start = GameState.from_position(
            setup.position(),
            rules=state.rules,
            to_move=Color.RED,
            white_owner=state.owner(Color.WHITE),
            phase=Phase.LAST_TURN if is_white and not is_over else Phase.OVER,
        )
        return Game.new(start=start)

    def ended(self, rest: Game) -> Game:
        """Return the game with the end that *rest* came to."""
        if rest.ending in (Ending.RESIGNATION, Ending.TIME):
            return self.game.end(rest.ending, rest.winning_seat)
        return self.game.end(Ending.ADJUDICATION, leader(rest.state))


def told(tiles: Iterable[LastTile], rest: Game) -> str:
    """Return in words how a game ended with these tiles, and what came after them."""
    said = [
        f"{each.color.value.capitalize()}'s last tile, {each.cell}, has no partner."
        for each in tiles
    ]
    said += [f"Red's last turn: {format_action(action)}." for action in rest.actions]
    return " ".join(said)
