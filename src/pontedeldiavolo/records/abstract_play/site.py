"""Rules, ending words and move order of the site Abstract Play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from attrs import define, field

from pontedeldiavolo import presets
from pontedeldiavolo.base.enums import Color, Ending
from pontedeldiavolo.base.errors import (
    PonteError,
    Reason,
    reason,
)
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.parsing import SourceText
from pontedeldiavolo.rules.actions import Action, ChooseColor
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
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


def under_site_rules(game: Game, other_start: Reason) -> Game:
    """Return the main line of a game under the rules of the site.

    Args:
        game: The game.
        other_start: The error if it starts from another position.

    Raises:
        PonteError: If there can be no such game.
    """
    board = game.rules.board
    if board.width not in RULES or board.height != board.width:
        raise PonteError(reason("report-other-board", width=board.width, height=board.height))
    if game.start != GameState.initial(game.rules):
        raise PonteError(other_start)
    return _under_rules(game, RULES[board.width])


def site_losses(game: Game) -> Iterator[str]:
    """Iterate over the losses of every format of the site."""
    yield from _tree_losses(game)
    rules, board = game.rules, game.rules.board
    if board not in [each.board for each in RULES.values()]:
        yield f"the board of {board.width}x{board.height}"
    if (rules.tiles_per_color, rules.bridges) != (None, None):
        yield "the supply of tiles and bridges"
    if rules.tiebreaks != Rules().tiebreaks:
        yield "the tie-breaks"
    if game.start != GameState.initial(rules):
        yield "the start"


def choice_losses(game: Game) -> Iterator[str]:
    """Iterate over the choice of red, if no later move shows it."""
    if game.actions[-1:] == (ChooseColor(Color.RED),):
        yield "the choice of red with nothing after it"


@final
@define(eq=False)
class Moves:
    """The moves of a game as written.

    Attributes:
        actions: The actions; the choice of a colour may be missing.
        offsets: Where in the text each of them begins.
        pie: Whether the pie was invoked.
        word: The word that says how the game ended early, if one does, and where it stands.
    """

    actions: list[Action] = field(factory=list)
    offsets: list[int] = field(factory=list)
    pie: bool = False
    word: str | None = None
    word_offset: int = 0

    def add(self, action: Action, offset: int) -> None:
        """Add an action that stands at *offset*."""
        self.actions.append(action)
        self.offsets.append(offset)

    def game(self, source: SourceText, rules: Rules, number: int) -> Game:
        """Return the game of these moves, going on unless it is played out.

        Raises:
            RecordError: If an action breaks a rule.
        """
        actions, offsets = [*self.actions], [*self.offsets]
        chosen = len(actions) > 1 and isinstance(actions[1], ChooseColor)
        if not chosen and len(actions) + self.pie > 1:
            # The choice is seen in the move after it, or only in the flag.
            actions.insert(1, ChooseColor(Color.WHITE if self.pie else Color.RED))
            offsets.insert(1, offsets[min(1, len(offsets) - 1)])
        return Record(
            GameState.initial(rules),
            FrozenMapping(),
            Line([Move(action) for action in actions]),
            number=number,
            move_places=tuple(source.place(offset) for offset in offsets),
        ).game()


def _tree_losses(game: Game) -> Iterator[str]:
    """Iterate over the losses of a format without variations and notes."""
    moves = [move for _, move in game.walk()]
    if len(moves) > len(game.line.moves):
        yield "variations"
    comments = (game.line.comment, *(move.comment for move in game.line.moves))
    if any(comments):
        yield "comments"
    if any(move.glyphs for move in game.line.moves):
        yield "glyphs"
    if any(move.annotations for move in game.line.moves):
        yield "annotations"


def _under_rules(game: Game, rules: Rules) -> Game:
    """Return the main line of a game as one under other rules, ended in the same way.

    Raises:
        PonteError: If an action would break a rule, or the outcome would be another one.
    """
    other = Game.new(rules, game.tags)
    try:
        for action in game.actions:
            other = other.play(action)
    except IllegalActionError as error:
        raise PonteError(reason("other-rules", reason=error.reason)) from error
    # Games are played out by passes alone, so both are or neither is.
    if not game.state.is_over and game.ending is not None:
        return other.end(game.ending, game.winning_seat)
    if other.winning_seat is not game.winning_seat:
        raise PonteError(reason("other-rules-result"))
    return other
