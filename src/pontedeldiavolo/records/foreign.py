"""What the readers and writers of foreign formats share."""

from __future__ import annotations

from collections.abc import Iterator

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import UNPRINTABLE
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError


def in_one_line(text: str) -> str:
    """Return *text* as a tag can hold it, with blanks for what no line of text can hold."""
    return UNPRINTABLE.sub(" ", text)


def in_lines(text: str) -> str:
    """Return *text* as a comment can hold it, line by line."""
    return "\n".join(map(in_one_line, text.split("\n")))


def seat_tag(seat: Seat, name: str = "") -> str:
    """Return the name of a tag that is about a seat: ``First``, ``FirstRating``."""
    return seat.value.capitalize() + name


def tree_losses(game: Game) -> Iterator[str]:
    """Iterate over what a format without a tree and without notes loses."""
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


def under_rules(game: Game, rules: Rules) -> Game:
    """Return the main line of a game as one under other rules, ended in the same way.

    Raises:
        PonteError: If an action would break a rule, or the outcome would be another one.
    """
    other = Game.new(rules, game.tags)
    try:
        for action in game.actions:
            other = other.play(action)
    except IllegalActionError as error:
        raise PonteError(f"not a game under the other rules: {error}") from error
    # Games are played out by passes alone, so both are or neither is.
    if not game.state.is_over and game.ending is not None:
        return other.end(game.ending, game.winning_seat)
    if other.winning_seat is not game.winning_seat:
        raise PonteError("under the other rules the game would have another result")
    return other
