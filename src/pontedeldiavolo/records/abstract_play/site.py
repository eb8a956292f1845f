"""What there is on Abstract Play, and so what its formats can hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pontedeldiavolo.base.enums import Color, Ending
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.records.foreign import tree_losses, under_rules
from pontedeldiavolo.rules import presets
from pontedeldiavolo.rules.actions import ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState

RULES: Final = {
    8: presets.ABSTRACT_PLAY_8,
    10: presets.ABSTRACT_PLAY,
    12: presets.ABSTRACT_PLAY_12,
}
"""The rules by the side of the board."""

DEFAULT_SIDE: Final = 10

END_WORDS: Final = {
    "resign": Ending.RESIGNATION,
    "timeout": Ending.TIME,
    "draw": Ending.AGREEMENT,
    "abandoned": Ending.ADJUDICATION,
}
"""The words that stand in place of a move where a game ended early."""


def as_played_there(game: Game, what: str) -> Game:
    """Return the main line of a game under the rules of the site.

    Args:
        game: The game.
        what: What would tell of it there.

    Raises:
        PonteError: If there can be no such game.
    """
    board = game.rules.board
    if board.width not in RULES or board.height != board.width:
        raise PonteError(f"no board of Abstract Play: {board.width}x{board.height}")
    if game.start != GameState.initial(game.rules):
        raise PonteError(f"{what} starts from the empty board")
    return under_rules(game, RULES[board.width])


def losses_there(game: Game) -> Iterator[str]:
    """Iterate over what is lost of a game, whatever tells of it there."""
    yield from tree_losses(game)
    rules, board = game.rules, game.rules.board
    if board not in [each.board for each in RULES.values()]:
        yield f"the board of {board.width}x{board.height}"
    if (rules.tiles_per_color, rules.bridges) != (None, None):
        yield "the supply of tiles and bridges"
    if rules.tiebreaks != Rules().tiebreaks:
        yield "the tie-breaks"
    if game.start != GameState.initial(rules):
        yield "the start"


def choice_lost(game: Game) -> Iterator[str]:
    """Iterate over the choice of red, if nothing shows it."""
    if game.actions[-1:] == (ChooseColor(Color.RED),):
        yield "the choice of red with nothing after it"
