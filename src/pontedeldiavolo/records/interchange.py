"""What the readers and writers of other formats share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Literal, NoReturn, final

from attrs import frozen

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import NotationError, PonteError, RecordError
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.tags import first_unprintable
from pontedeldiavolo.records.pdd.splitter import Chunk, Place
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import IllegalActionError
from pontedeldiavolo.vocabulary import Seat

_BYTE_ORDER_MARK = "\ufeff"


@final
class Source:
    """A text with games in it, and where its characters stand."""

    def __init__(self, text: str) -> None:
        require_type(text, str, "text")
        self.text = text.removeprefix(_BYTE_ORDER_MARK)
        self._chunk = Chunk(1, 1, self.text)

    @classmethod
    def of(cls, file: Iterable[str]) -> Source:
        """Return the text of a whole file.

        Raises:
            TypeError: If *file* does not give lines of text.
            OSError: If reading fails.
            UnicodeDecodeError: If the file is not text in its encoding.
        """
        if isinstance(file, str):
            raise TypeError("a text file is needed, not a string: use loads")
        lines = []
        for line in file:
            require_type(line, str, "a line of the file")
            lines.append(line)
        return cls("".join(lines))

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        return self._chunk.place(offset)

    def fail(self, expected: str, offset: int) -> NoReturn:
        """Raise the error that says what was expected at *offset*."""
        raise NotationError(self.text, offset, expected)

    def fail_inside(self, error: NotationError, start: int) -> NoReturn:
        """Raise an error found in a piece of the text that begins at *start*."""
        raise NotationError(self.text, start + error.offset, error.expected) from error

    def record_error(self, error: NotationError, number: int) -> RecordError:
        """Return the error for game *number*, caused by one with an offset."""
        found = RecordError(*self.place(error.offset), error.expected, number)
        found.__cause__ = error
        return found


@final
@frozen(eq=False)
class Found:
    """What was found in a text: a game or why it is none, and where it begins."""

    place: Place
    result: Game | RecordError


def only_game(found: Iterator[Found]) -> Game:
    """Return the one game that was found.

    Raises:
        RecordError: If it cannot be read, or there is none, or a second one.
    """
    first = next(found, None)
    if first is None:
        raise RecordError(1, 1, "a game")
    if isinstance(first.result, RecordError):
        raise first.result
    second = next(found, None)
    if second is not None:
        if isinstance(second.result, RecordError):
            raise second.result
        raise RecordError(*second.place, "the end: one game was asked for", 2)
    return first.result


def results(found: Iterator[Found]) -> Iterator[Game | RecordError]:
    """Iterate over the games, or why they are none."""
    return (each.result for each in found)


def games(found: Iterator[Found], on_error: Literal["raise", "skip"]) -> Iterator[Game]:
    """Iterate over the games; a bad one is raised or left out.

    Raises:
        PonteError: If *on_error* is neither of the two.
    """
    if on_error not in ("raise", "skip"):
        raise PonteError(f"on_error must be 'raise' or 'skip', not {on_error!r}")

    def good() -> Iterator[Game]:
        for result in results(found):
            if isinstance(result, Game):
                yield result
            elif on_error == "raise":
                raise result

    return good()


def in_one_line(text: str) -> str:
    """Return *text* as a tag can hold it, with blanks for what no line of text can hold."""
    characters = [" " if first_unprintable(each) == 0 else each for each in text]
    return "".join(characters)


def printable(text: str) -> str:
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
