"""Files in formats other than this library's text format, split into games; texts fit for tags."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple, cast, final

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.errors import Reason, RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.record import Place
from pontedeldiavolo.game.tags import UNPRINTABLE
from pontedeldiavolo.rules.limits import Limits, exceeds

from .reading import WHITESPACE, Found, Lines, SourceText, end_of_match, truncated_lines


def in_one_line(text: str) -> str:
    """Return *text* for a tag, with blanks in place of unprintable characters."""
    return UNPRINTABLE.sub(" ", text)


def in_lines(text: str) -> str:
    """Return *text* for a comment, with blanks in place of unprintable characters."""
    return "\n".join(map(in_one_line, text.split("\n")))


def seat_tag(seat: Seat, name: str = "") -> str:
    """Return the name of a tag that is about a seat: ``First``, ``FirstRating``."""
    return seat.value.capitalize() + name


PIECE_CHARACTERS: Final = 1 << 16
"""The size of the pieces in which long lines are read, in characters."""


class FilePart(NamedTuple):
    """A part of a file with its line and column; a part with a fault cannot be a game."""

    line: int
    column: int
    text: str
    fault: Reason | None = None


class Delimiters(NamedTuple):
    """The delimiters of games in a format.

    Attributes:
        pair: The delimiters around a game, and around parts of it.
        quotes: The delimiters around a text, in which other delimiters mean nothing.
        between: Characters that are allowed between games.
        restart: Text that always begins a game if it is at the beginning of a line.
        has_lists: Whether a list may enclose the games; then no quoted text has several lines.
    """

    pair: str
    quotes: tuple[str, str]
    between: re.Pattern[str]
    restart: re.Pattern[str]
    has_lists: bool


_JSON: Final = Delimiters(
    "{}",
    ('"', '"'),
    # Concatenated files have a byte order mark in front of each.
    re.compile(r"[ \t\r\n,\[\]\ufeff]*+"),
    re.compile(r'\ufeff?\{[ \t]*+"(?:format|header)"[ \t]*+:'),
    has_lists=True,
)
_SGF: Final = Delimiters(
    "()",
    ("[", "]"),
    # Text around games is skipped. A parenthesis before a semicolon begins a game even with zero
    # bytes or a byte order mark between them: such a file is refused, not taken for other text.
    re.compile(r"[^(]*+(?:\((?![\s\0\ufeff]*+(?:;|\Z))[^(]*+)*"),
    re.compile(r"\ufeff?\([ \t]*+;[ \t]*+(?:FF|GM)[ \t]*+\["),
    has_lists=False,
)


_OTHER_FORMAT: Final = re.compile(
    r"""
    \s*+(?:
        \[ \s*+ (?: \w++ \s++ " | [{"] | \Z )  # a tag of a record, a list of JSON
      | \{ \s*+ (?: " | \Z )  # an object of JSON
    )
    """,
    re.VERBOSE,
)
"""The beginning of a record of this library, or of JSON."""
_TREE: Final = re.compile(r"\s*+\(\s*+;")
"""The beginning of a game tree."""


def _too_long(line: int, column: int, most: int | None) -> FilePart:
    """Return the error for a game that is too long to be kept in memory."""
    return FilePart(line, column, "", reason("limit-characters", max=cast(int, most)))


@final
class _Splitter:
    """A splitter of a file into pieces, each of which is a game or what is between two games.

    Attributes:
        texts: The parts of the current piece.
        size: The number of characters in them.
        place: The line and column where the current piece begins.
        depth: The number of pairs of delimiters that are open.
        in_text: Whether a quoted text is open.
        is_escaped: Whether the next character is escaped.
        is_sound: False after a piece that is not one whole game, because it may hide delimiters.
    """

    def __init__(self, delimiters: Delimiters, most: int | None) -> None:
        self.most = most
        self.delimiters = delimiters
        self.opening: str = delimiters.pair[0]
        self.quote, self.end_quote = delimiters.quotes
        # Patterns for the end of plain characters, outside and inside a quoted text.
        self.outside = re.compile(f"[{re.escape(delimiters.pair + self.quote)}]")
        self.inside = re.compile(rf"\\.?|{re.escape(self.end_quote)}", re.DOTALL)
        self.texts: list[str] = []
        self.size: int = 0
        self.place: Place = (1, 1)
        self.depth: int = 0
        self.in_text: bool = False
        self.is_escaped: bool = False
        self.is_sound: bool = True

    @property
    def is_too_long(self) -> bool:
        """True if more of the current piece has been read than may be kept."""
        return exceeds(self.size, self.most)

    def restarts(self, line: str) -> bool:
        """Return whether a line begins another game before this one has ended."""
        if not self.texts or (self.in_text and not self.delimiters.has_lists):
            return False
        return self.delimiters.restart.match(line) is not None

    def read(self, line: str, start: int) -> tuple[int, bool]:
        """Read to the end of the piece or of the line.

        Return the offset of that end, and whether it is the end of the piece.
        """
        if self.depth or (not self.texts and line.startswith(self.opening, start)):
            offset = self._game_end(line, start)
            is_complete = self.depth == 0
        else:
            # This piece is not a game: it ends where one begins.
            offset = line.find(self.opening, start)
            is_complete = offset >= 0
            if not is_complete:
                offset = len(line)
        if offset > start and not self.is_too_long:
            self.texts.append(line[start:offset])
            self.size += offset - start
        return offset, is_complete

    def _game_end(self, line: str, offset: int) -> int:
        """Return the offset where the game ends, or else the length of the line."""
        if self.is_escaped:
            offset += 1
            self.is_escaped = False
        while True:
            pattern = self.inside if self.in_text else self.outside
            found = pattern.search(line, offset)
            if found is None:
                return len(line)
            offset = found.end()
            mark = found.group()
            if self.in_text:
                self.in_text = mark != self.end_quote
                # The escaped character is the first one of the next line.
                self.is_escaped = mark == "\\"
            elif mark == self.quote:
                self.in_text = True
            else:
                self.depth += 1 if mark == self.opening else -1
                if self.depth == 0:
                    return offset

    def end(self) -> Iterator[FilePart]:
        """Yield the current piece, if it is not too long, and start another one."""
        text = "".join(self.texts)
        if self.depth or not text.startswith(self.opening):
            self.is_sound = False
        if not self.is_too_long:
            yield FilePart(*self.place, text)
        self.texts = []
        self.size = 0
        self.depth = 0
        self.in_text = False
        self.is_escaped = False


def _split_games(lines: Lines, delimiters: Delimiters) -> Iterator[FilePart]:
    """Split a file into games by delimiters; text between them is yielded as a piece, too."""
    lines.max_piece = PIECE_CHARACTERS
    splitter = _Splitter(delimiters, lines.limits.characters)
    open_lists = 0
    column = 1
    for line in lines:
        if column == 1 and splitter.restarts(line):
            yield from splitter.end()
        offset = 0
        while offset < len(line):
            if not splitter.texts:
                start = offset
                offset = end_of_match(delimiters.between, line, start)
                if delimiters.has_lists:
                    open_lists += line.count("[", start, offset) - line.count("]", start, offset)
                splitter.place = (lines.number, column + offset)
            was_too_long = splitter.is_too_long
            offset, is_complete = splitter.read(line, offset)
            if splitter.is_too_long and not was_too_long:
                yield _too_long(*splitter.place, splitter.most)
            if is_complete:
                yield from splitter.end()
        column = 1 if lines.at_line_end else column + len(line)
    if splitter.texts:
        yield from splitter.end()
    if open_lists and splitter.is_sound:
        yield FilePart(lines.number + lines.at_line_end, column, "", reason("json-brackets"))


def split_json(lines: Lines) -> Iterator[FilePart]:
    """Split a file into objects of JSON."""
    return _split_games(lines, _JSON)


def split_trees(lines: Lines) -> Iterator[FilePart]:
    """Split a file into game trees, each of which declares its own encoding."""
    lines.max_piece = PIECE_CHARACTERS
    # There may be trees in the comments of other formats.
    if _OTHER_FORMAT.match(lines.peek()):
        return iter([FilePart(1, 1, "", reason("sgf-tree"))])
    lines.keeps_surrogates = True
    return _split_games(lines, _SGF)


def split_paragraphs(lines: Lines) -> Iterator[FilePart]:
    """Split a file at empty lines; once another format begins, every further part is a fault."""
    paragraph: list[str] = []
    size = 0
    first_line = 1
    most = lines.limits.characters
    fault: Reason | None = None
    # One more empty line ends the last paragraph.
    for line_as_read in chain(truncated_lines(lines), [""]):
        line = line_as_read.removesuffix("\n")
        if not paragraph:
            # Concatenated files have a byte order mark in front of each.
            line = line.lstrip(BYTE_ORDER_MARK)
        if line.strip(WHITESPACE):
            if not paragraph:
                first_line = lines.number
            if not exceeds(size, most):
                line_break = 1 if paragraph else 0
                size += line_break + len(line)
                paragraph.append(line)
                if exceeds(size, most):
                    yield _too_long(first_line, 1, most)
        elif paragraph:
            if not exceeds(size, most):
                text = "\n".join(paragraph)
                yield FilePart(first_line, 1, text, fault)
                if _OTHER_FORMAT.match(text) or _TREE.match(text):
                    fault = reason("list-of-moves")
            paragraph = []
            size = 0


def numbered_games(
    parts: Iterable[FilePart], limits: Limits, find: Callable[[SourceText], Iterator[Found[Game]]]
) -> Iterator[Found[Game]]:
    """Iterate over the games that *find* finds in the parts of a file, and number them."""
    number = 1
    for line, column, text, fault in parts:
        if fault is None:
            found = find(SourceText(number, line, column, text, limits))
        else:
            found = iter([Found((line, column), RecordError(line, column, fault, number))])
        for each in found:
            yield each
            number += 1
