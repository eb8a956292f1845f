"""Shared parts of all parsers: source texts with places, move builders, tag texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Final, NoReturn, cast, final

from attrs import Factory, define, field, frozen

from pontedeldiavolo.base.enums import Seat
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
from pontedeldiavolo.game.line import MAX_DEPTH, Line, Move
from pontedeldiavolo.game.tags import UNPRINTABLE
from pontedeldiavolo.notation.actions import parse_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles

WHITESPACE: Final = " \t\r\n"
"""The characters between items that mean nothing, in every notation of this library."""


def _find_line_ends(source: SourceText) -> list[int]:
    return [found.start() for found in re.finditer("\n", source.text)]


@final
@frozen
class SourceText:
    """The text of a game, with its number, line and column in its file.

    Attributes:
        limits: The limits of the reader.
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
        """Raise an error with the code of what was expected at *offset*."""
        raise NotationError(self.text, offset, Reason(code, values))

    def fail_inside(self, error: NotationError, start: int) -> NoReturn:
        """Raise an error of a part of the text that begins at *start*."""
        raise NotationError(self.text, start + error.offset, error.reason) from error

    @property
    def depth(self) -> int:
        """The maximal depth of variations."""
        return MAX_DEPTH if self.limits.depth is None else min(self.limits.depth, MAX_DEPTH)

    def require_depth(self, depth: int, offset: int) -> None:
        """Refuse variations that are too deep."""
        if depth > self.depth:
            self.fail("limit-depth", offset, most=self.depth)

    def require_side(self, board: Board, offset: int) -> None:
        """Refuse a board that is too large, before its tables are built."""
        side = self.limits.side
        if side is not None and max(board.width, board.height) > side:
            self.fail("limit-side", offset, most=side)

    def error(self, error: NotationError, number: int | None = None) -> RecordError:
        """Return the error with a place in the file for one with an offset."""
        return self._record_error(error.offset, error.reason, number, error)

    def _record_error(
        self, offset: int, expected: Reason, number: int | None, cause: PonteError
    ) -> RecordError:
        found = RecordError(
            *self.place(offset), expected, self.number if number is None else number
        )
        found.__cause__ = cause
        return found

    @contextmanager
    def placed_errors(self, offset: int = 0, number: int | None = None) -> Iterator[None]:
        """Turn every error into a :class:`RecordError` with its place in the file.

        Args:
            offset: The place of errors without one, such as that a comment has no end.
            number: The number of the game, if it is not that of the text.
        """
        try:
            yield
        except NotationError as error:
            raise self.error(error, number) from error
        except RecordError:
            raise
        except PonteError as error:
            wanted = reason("fitting-content", reason=error.reason)
            raise self._record_error(offset, wanted, number, error) from error


def match_end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the end of the match of a pattern that always matches."""
    return cast(re.Match[str], pattern.match(text, offset)).end()


_PLAIN = re.compile(r"([a-z]{1,2}[1-9][0-9]?)([,-])([a-z]{1,2}[1-9][0-9]?)(?![0-9])")

# Files name the same few cells again and again.
_cell = lru_cache(maxsize=Board.MAX_SIDE**2)(parse_cell)


@final
@define(eq=False)
class MoveBuilder:
    """A builder of a move with glyphs, comments, variations and annotations."""

    action: Action
    glyphs: list[int] = field(factory=list)
    comments: list[str] = field(factory=list)
    variations: list[Line] = field(factory=list)
    annotations: dict[str, str] = field(factory=dict)

    def move(self) -> Move:
        """Build the move."""
        comment = join_comments(self.comments) if self.comments else ""
        return Move(self.action, self.glyphs, comment, self.variations, self.annotations)


def join_comments(comments: Iterable[str]) -> str:
    """Join comments, each on separate lines."""
    return "\n".join(filter(None, comments))


def plain_action(text: str, offset: int = 0) -> tuple[Action, int] | None:
    """Parse an action of two cells in its canonical form; return it and its end.

    ``None`` is for everything else: the notation says what that is, or what is wrong with it.
    """
    found = _PLAIN.match(text, offset)
    if found is None:
        return None
    try:
        a, b = _cell(found[1]), _cell(found[3])
    except NotationError:
        return None
    return (PlaceTiles(a, b) if found[2] == "," else BuildBridge(a, b)), found.end()


def in_one_line(text: str) -> str:
    """Return *text* for a tag, with blanks in place of unprintable characters."""
    return UNPRINTABLE.sub(" ", text)


def in_lines(text: str) -> str:
    """Return *text* for a comment, with blanks in place of unprintable characters."""
    return "\n".join(map(in_one_line, text.split("\n")))


def seat_tag(seat: Seat, name: str = "") -> str:
    """Return the name of a tag that is about a seat: ``First``, ``FirstRating``."""
    return seat.value.capitalize() + name
