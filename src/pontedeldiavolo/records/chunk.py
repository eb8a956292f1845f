"""A piece of a file that holds a game, and where its characters stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NoReturn, cast, final

from attrs import Factory, field, frozen

from pontedeldiavolo.base.errors import (
    MessageValue,
    NotationError,
    PonteError,
    Reason,
    RecordError,
    reason,
)
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.limits import Limits, Place
from pontedeldiavolo.game.line import MAX_DEPTH

WHITE_SPACE: Final = " \t\r\n"
"""What counts for nothing between other things, in any text of this library."""


def _find_line_ends(chunk: Chunk) -> list[int]:
    return [found.start() for found in re.finditer("\n", chunk.text)]


@final
@frozen
class Chunk:
    """A text, which game of its file it is, and at which line and column it begins.

    Attributes:
        limits: How much of it is read.
        start: Where it begins in its source, in bytes or in characters.
    """

    number: int
    line: int
    column: int
    text: str
    limits: Limits = field(default=Limits(), eq=False, repr=False)
    start: int = field(default=0, eq=False, repr=False)
    _line_ends: list[int] = field(
        init=False, eq=False, repr=False, default=Factory(_find_line_ends, takes_self=True)
    )

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        before = bisect_left(self._line_ends, offset)
        if not before:
            return (self.line, self.column + offset)
        return (self.line + before, offset - self._line_ends[before - 1])

    def fail(self, code: str, offset: int, **values: MessageValue) -> NoReturn:
        """Raise the error that says, by its code, what was expected at *offset*."""
        raise NotationError(self.text, offset, Reason(code, values))

    def fail_inside(self, error: NotationError, start: int) -> NoReturn:
        """Raise an error found in a piece of the text that begins at *start*."""
        raise NotationError(self.text, start + error.offset, error.reason) from error

    @property
    def depth(self) -> int:
        """How deep variations may lie in each other."""
        return MAX_DEPTH if self.limits.depth is None else min(self.limits.depth, MAX_DEPTH)

    def require_depth(self, depth: int, offset: int) -> None:
        """Refuse variations that lie at *depth* if that is too deep."""
        if depth > self.depth:
            self.fail("limit-depth", offset, most=self.depth)

    def require_side(self, board: Board, offset: int) -> None:
        """Refuse a board that is larger than is allowed, before anything is made of it."""
        side = self.limits.side
        if side is not None and max(board.width, board.height) > side:
            self.fail("limit-side", offset, most=side)

    def refusal(self, error: PonteError, offset: int, number: int | None = None) -> RecordError:
        """Return the error for what no value can be made of, such as a comment without end."""
        number = self.number if number is None else number
        wanted = reason("fitting-content", reason=error.reason)
        found = RecordError(*self.place(offset), wanted, number)
        found.__cause__ = error
        return found

    def error(self, error: NotationError, number: int | None = None) -> RecordError:
        """Return an error with its place in the file, caused by one with an offset."""
        number = self.number if number is None else number
        found = RecordError(*self.place(error.offset), error.reason, number)
        found.__cause__ = error
        return found


def match_end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return where the match of a pattern that always matches ends."""
    return cast(re.Match[str], pattern.match(text, offset)).end()
