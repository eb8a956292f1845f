"""A piece of a file that holds a game, and where its characters stand."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final, NoReturn, TypeAlias, cast, final

from attrs import Factory, field, frozen

from pontedeldiavolo.errors import NotationError, RecordError

Place: TypeAlias = tuple[int, int]
"""A line and a column, both from 1."""

WHITE_SPACE: Final = " \t\r\n"
"""What counts for nothing between other things, in any text of this library."""

MAX_GAME: Final = 1_000_000
"""How many characters the text of a game has at most: no stream takes more memory than that."""


def _find_line_ends(chunk: Chunk) -> list[int]:
    return [found.start() for found in re.finditer("\n", chunk.text)]


@final
@frozen
class Chunk:
    """A text, which game of its file it is, and at which line and column it begins."""

    number: int
    line: int
    column: int
    text: str
    _line_ends: list[int] = field(
        init=False, eq=False, repr=False, default=Factory(_find_line_ends, takes_self=True)
    )

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        before = bisect_left(self._line_ends, offset)
        if not before:
            return (self.line, self.column + offset)
        return (self.line + before, offset - self._line_ends[before - 1])

    def fail(self, expected: str, offset: int) -> NoReturn:
        """Raise the error that says what was expected at *offset*."""
        raise NotationError(self.text, offset, expected)

    def fail_inside(self, error: NotationError, start: int) -> NoReturn:
        """Raise an error found in a piece of the text that begins at *start*."""
        raise NotationError(self.text, start + error.offset, error.expected) from error

    def error(self, error: NotationError, number: int | None = None) -> RecordError:
        """Return an error with its place in the file, caused by one with an offset."""
        number = self.number if number is None else number
        found = RecordError(*self.place(error.offset), error.expected, number)
        found.__cause__ = error
        return found


def match_end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return where the match of a pattern that always matches ends."""
    return cast(re.Match[str], pattern.match(text, offset)).end()
