"""Splitting files into games, so that files of any length can be read."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias, cast, final

from attrs import frozen

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.errors import Reason, reason
from pontedeldiavolo.game.limits import Place, exceeds
from pontedeldiavolo.records.parsing import WHITESPACE, match_end
from pontedeldiavolo.records.text_io import Lines, truncated_lines

PIECE_CHARACTERS: Final = 1 << 16
"""The size of the pieces in which long lines are read, in characters."""


class Piece(NamedTuple):
    """A part of a file with its line and column."""

    line: int
    column: int
    text: str


@final
@frozen
class BadPiece:
    """A part of a file that cannot be a game, and the reason."""

    place: Place
    expected: Reason


Part: TypeAlias = Piece | BadPiece


@final
@frozen(eq=False)
class Delimiters:
    """The delimiters of games in a format.

    Attributes:
        pair: What stands around a game, and around parts of it.
        quotes: What stands around a text, in which delimiters mean nothing.
        between: What may stand between games.
        restart: What begins a game for certain, at the beginning of a line.
        has_long_texts: Whether a text may have several lines.
        has_lists: Whether there may be a list around the games.
    """

    pair: tuple[str, str]
    quotes: tuple[str, str]
    between: re.Pattern[str]
    restart: re.Pattern[str]
    has_long_texts: bool
    has_lists: bool


JSON: Final = Delimiters(
    ("{", "}"),
    ('"', '"'),
    # Files that are put together have a mark in front of each.
    re.compile(r"[ \t\r\n,\[\]\ufeff]*+"),
    re.compile(r'\ufeff?\{[ \t]*+"(?:format|header)"[ \t]*+:'),
    has_long_texts=False,
    has_lists=True,
)
SGF: Final = Delimiters(
    ("(", ")"),
    ("[", "]"),
    re.compile(r"(?:[^(]++|\((?!\s*+(?:;|\Z)))*+"),
    re.compile(r"\ufeff?\([ \t]*+;[ \t]*+(?:FF|GM)[ \t]*+\["),
    has_long_texts=True,
    has_lists=False,
)


_FOREIGN = re.compile(
    r"""
    \s*+(?:
        \[ \s*+ (?: \w++ \s++ " | [{"] | \Z )  # a tag of a record, a list of JSON
      | \{ \s*+ (?: " | \Z )  # an object of JSON
    )
    """,
    re.VERBOSE,
)
_TREE = re.compile(r"\s*+\(\s*+;")


def begins_foreign(text: str, *, trees: bool = False) -> bool:
    """Return whether a text begins like a record with tags, JSON, or a tree.

    Args:
        text: The text.
        trees: Whether trees are what is looked for, and so not foreign.
    """
    return _FOREIGN.match(text) is not None or (not trees and _TREE.match(text) is not None)


def too_long(line: int, column: int, most: int | None) -> BadPiece:
    """Return the error of a game that is too long to be kept in memory."""
    return BadPiece((line, column), reason("limit-characters", most=cast(int, most)))


@final
class _Splitter:
    """A splitter of a file: the current piece and its nesting."""

    def __init__(self, delimiters: Delimiters, most: int | None) -> None:
        self.most = most
        self.delimiters = delimiters
        self.opening, _ = delimiters.pair
        self.quote, self.end_quote = delimiters.quotes
        outside = "".join((*delimiters.pair, self.quote))
        self.outside = re.compile(f"[{re.escape(outside)}]")
        self.inside = re.compile(rf"\\.?|{re.escape(self.end_quote)}", re.DOTALL)
        self.texts: list[str] = []
        self.size = 0
        self.place: Place = (1, 1)
        self.depth = 0
        self.in_text = False
        self.is_escaped = False
        self.is_complete = False
        self.is_sound = True
        self.is_refused = False

    @property
    def is_too_long(self) -> bool:
        """True if more of the current piece has been read than may be kept."""
        return exceeds(self.size, self.most)

    def restarts(self, line: str) -> bool:
        """Return whether a line begins another game before this one has ended."""
        if not self.texts or (self.in_text and self.delimiters.has_long_texts):
            return False
        return self.delimiters.restart.match(line) is not None

    def read(self, line: str, offset: int) -> int:
        """Read to the end of the piece or of the line, and return that offset."""
        start = offset
        if self.depth or (not self.texts and line.startswith(self.opening, offset)):
            offset = self._game_end(line, offset)
            self.is_complete = not self.depth
        else:
            # No game: it lasts until one begins.
            found = line.find(self.opening, offset)
            self.is_complete = found >= 0
            offset = found if self.is_complete else len(line)
        if offset > start and not self.is_too_long:
            self.texts.append(line[start:offset])
            self.size += offset - start
        return offset

    def _game_end(self, line: str, offset: int) -> int:
        offset += self.is_escaped
        self.is_escaped = False
        while found := (self.inside if self.in_text else self.outside).search(line, offset):
            offset, mark = found.end(), found.group()
            if self.in_text:
                self.in_text = mark != self.end_quote
                # What it belongs to is the first character of the next line.
                self.is_escaped = mark == "\\"
            elif mark == self.quote:
                self.in_text = True
            else:
                self.depth += 1 if mark == self.opening else -1
                if not self.depth:
                    return offset
        return len(line)

    def refuse(self) -> Iterator[Part]:
        """Give the error of a piece that is too long, once, as soon as it is."""
        if self.is_too_long and not self.is_refused:
            self.is_refused = True
            yield too_long(*self.place, self.most)

    def end(self) -> Iterator[Part]:
        """Give the current piece, if it was not refused, and start another one."""
        text = "".join(self.texts)
        self.is_sound &= not self.depth and text.startswith(self.opening)
        if not self.is_refused:
            yield Piece(*self.place, text)
        self.texts, self.size, self.depth = [], 0, 0
        self.in_text = self.is_escaped = self.is_complete = self.is_refused = False


def split_games(lines: Lines, delimiters: Delimiters) -> Iterator[Part]:
    """Split a file into games by delimiters; text between them comes as a piece, too."""
    lines.longest = PIECE_CHARACTERS
    splitter, open_lists = _Splitter(delimiters, lines.limits.characters), 0
    number, column = 1, 1
    for line in lines:
        if column == 1 and splitter.restarts(line):
            yield from splitter.end()
        offset = 0
        while offset < len(line):
            if not splitter.texts:
                start = offset
                offset = match_end(delimiters.between, line, start)
                if delimiters.has_lists:
                    open_lists += line.count("[", start, offset) - line.count("]", start, offset)
                splitter.place = (number, column + offset)
            offset = splitter.read(line, offset)
            yield from splitter.refuse()
            if splitter.is_complete:
                yield from splitter.end()
        number, column = (number + 1, 1) if line.endswith("\n") else (number, column + len(line))
    if splitter.texts:
        yield from splitter.end()
    # What is wrong otherwise may have delimiters in it.
    if open_lists and splitter.is_sound:
        yield BadPiece((number, column), reason("json-brackets"))


def split_paragraphs(lines: Lines) -> Iterator[Part]:
    """Split a file at empty lines."""
    texts: list[str] = []
    size, first, most = 0, 1, lines.limits.characters
    is_refused = False
    for whole in truncated_lines(lines):
        line = whole if texts else whole.lstrip(BYTE_ORDER_MARK)
        if line.strip(WHITESPACE):
            if not texts:
                size, first = 0, lines.number
            elif not texts[-1].endswith("\n"):
                texts.append("\n")
                size += 1
            size += len(line)
            if not is_refused:
                texts.append(line)
                if exceeds(size - line.endswith("\n"), most):
                    is_refused = True
                    yield too_long(first, 1, most)
        elif texts:
            if not is_refused:
                yield _paragraph(first, texts)
            texts, is_refused = [], False
    if texts and not is_refused:
        yield _paragraph(first, texts)


def _paragraph(first: int, texts: list[str]) -> Piece:
    return Piece(first, 1, "".join(texts).removesuffix("\n"))
