"""Files in formats other than this library's text format, split into games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Final, NamedTuple, cast, final

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.errors import Reason, RecordError, reason
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.record import Place
from pontedeldiavolo.notation.scanner import WHITESPACE
from pontedeldiavolo.rules.limits import Limits, exceeds

from .reading import Found, GameText, LineReader, end_of_match, truncated_lines

CHUNK_CHARACTERS: Final = 1 << 16
"""The size of the chunks in which long lines are read, in characters."""


class SplitPart(NamedTuple):
    """A part of a file, which is a game or has a fault, with its line and column."""

    line_number: int
    column: int
    text: str
    fault: Reason | None = None


class Delimiters(NamedTuple):
    """The delimiters of games in a format.

    Attributes:
        pair: The delimiters around a game, and around parts of it.
        quotes: The delimiters around a text, in which other delimiters mean nothing.
        between: Characters that are allowed between games.
        beginning: Text that always begins a game if it is at the beginning of a line.
        has_lists: Whether a list may enclose the games, as in JSON.
        quotes_span_lines: Whether a quoted text may go on in the next line, where the beginning of
            a game is then part of the text.
    """

    pair: str
    quotes: tuple[str, str]
    between: re.Pattern[str]
    beginning: re.Pattern[str]
    has_lists: bool
    quotes_span_lines: bool


DOCUMENT_BEGINNING: Final = r'\{\s*+"(?:format|version|kind|value)"\s*+:'
"""A pattern for the beginning of a document, whose members may be in any order."""
REPORT_BEGINNING: Final = r'\{\s*+"(?:header|moves)"\s*+:'
"""A pattern for the beginning of a report of Abstract Play."""


def _json_delimiters(beginning: str) -> Delimiters:
    """Return the delimiters of objects that begin with a match of *beginning*."""
    return Delimiters(
        "{}",
        ('"', '"'),
        # Concatenated files have a byte order mark in front of each.
        re.compile(r"[ \t\r\n,\[\]\ufeff]*+"),
        re.compile(rf"[,\[\]\ufeff]*+{beginning}", re.ASCII),
        has_lists=True,
        quotes_span_lines=False,
    )


_DOCUMENTS: Final = _json_delimiters(DOCUMENT_BEGINNING)
_REPORTS: Final = _json_delimiters(REPORT_BEGINNING)
TREE_HEADER: Final = r"\(\s*+;\s*+(?:FF|GM)\s*+\["
"""A pattern for a usual beginning of a game tree."""
_SGF: Final = Delimiters(
    "()",
    ("[", "]"),
    # A parenthesis before a semicolon begins a game even with zero bytes or a byte order mark
    # between them: such a file is refused, not taken for other text.
    re.compile(r"[^(]*+(?:\((?![\s\0\ufeff]*+(?:;|\Z))[^(]*+)*"),
    re.compile(rf"\ufeff?{TREE_HEADER}"),
    has_lists=False,
    quotes_span_lines=True,
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

TREE_BEGINNING: Final = re.compile(r"\([\s\0\ufeff]*+;")
"""The beginning of a game tree, or of one in another encoding, which is refused."""
_TREE_FRAGMENT: Final = re.compile(
    r"""
    ; \s*+ [A-Z][A-Za-z]{0,63}+ \s*+ \[  # the beginning of a node
    | (?<![A-Za-z]) [A-Z][A-Za-z]{0,63}+ \s*+ \[[^\[\]]*+\] \s*+ \)  # the end of a tree
    """,
    re.VERBOSE,
)
_FRAGMENT_OVERLAP: Final = 200
"""The number of characters at the end of a text that may begin a fragment."""


def _too_long(line_number: int, column: int, max_characters: int | None) -> SplitPart:
    """Return the error for a game that is too long to be kept in memory."""
    error = reason("limit-characters", max=cast(int, max_characters))
    return SplitPart(line_number, column, "", error)


@final
class _Splitter:
    """A splitter of a file into parts, each of which is a game or what is between two games.

    Attributes:
        texts: The chunks of the current part.
        size: The number of characters in them.
        place: The line and column where the current part begins.
        depth: The number of pairs of delimiters that are open.
        in_text: Whether a quoted text is open.
        is_escaped: Whether the next character is escaped.
        brackets_are_reliable: False once a part was not one whole game: then the brackets of
            lists cannot be counted, because such a part may hide some.
    """

    def __init__(self, delimiters: Delimiters, max_characters: int | None) -> None:
        self.max_characters = max_characters
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
        self.brackets_are_reliable: bool = True

    @property
    def is_too_long(self) -> bool:
        """True if more of the current part has been read than may be kept."""
        return exceeds(self.size, self.max_characters)

    def begins_next_game(self, line: str) -> bool:
        """Return whether a line begins another game before this one has ended."""
        if not self.texts or (self.in_text and self.delimiters.quotes_span_lines):
            return False
        return self.delimiters.beginning.match(line) is not None

    def read(self, line: str, start: int) -> tuple[int, bool]:
        """Read to the end of the part or of the line.

        Return the offset of that end, and whether it is the end of the part.
        """
        if self.depth or (not self.texts and line.startswith(self.opening, start)):
            offset = self._game_end(line, start)
            is_complete = self.depth == 0
        else:
            # This part is not a game: it ends where one begins.
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

    def take_part(self) -> Iterator[SplitPart]:
        """Yield the current part, if it is not too long, and begin another one."""
        text = "".join(self.texts)
        if self.depth or not text.startswith(self.opening):
            self.brackets_are_reliable = False
        if not self.is_too_long:
            yield SplitPart(*self.place, text)
        self.texts = []
        self.size = 0
        self.depth = 0
        self.in_text = False
        self.is_escaped = False


def _skip(_text: str, _line_number: int, _column: int) -> None:
    """Do nothing with skipped text."""


def _split_games(
    lines: LineReader, delimiters: Delimiters, skip: Callable[[str, int, int], None] = _skip
) -> Iterator[SplitPart]:
    """Split a file into games by delimiters.

    Text between them is yielded as a part, too, unless it is allowed there: then *skip* is called
    with it, its line and its column.
    """
    lines.limit_chunks(CHUNK_CHARACTERS)
    splitter = _Splitter(delimiters, lines.limits.characters)
    open_lists = 0
    column = 1
    for line in lines:
        if column == 1 and splitter.begins_next_game(line):
            yield from splitter.take_part()
        offset = 0
        while offset < len(line):
            if not splitter.texts:
                start = offset
                offset = end_of_match(delimiters.between, line, start)
                if delimiters.has_lists:
                    open_lists += line.count("[", start, offset) - line.count("]", start, offset)
                skip(line[start:offset], lines.line_number, column + start)
                splitter.place = (lines.line_number, column + offset)
            was_too_long = splitter.is_too_long
            offset, is_complete = splitter.read(line, offset)
            if splitter.is_too_long and not was_too_long:
                yield _too_long(*splitter.place, splitter.max_characters)
            if is_complete:
                yield from splitter.take_part()
        column = 1 if lines.at_line_end else column + len(line)
    if splitter.texts:
        yield from splitter.take_part()
    if open_lists and splitter.brackets_are_reliable:
        yield SplitPart(lines.next_line_number, column, "", reason("json-brackets"))


def split_documents(lines: LineReader) -> Iterator[SplitPart]:
    """Split a file into documents, which are objects of JSON."""
    return _split_games(lines, _DOCUMENTS)


def split_reports(lines: LineReader) -> Iterator[SplitPart]:
    """Split a file into reports of Abstract Play, which are objects of JSON."""
    return _split_games(lines, _REPORTS)


def split_trees(lines: LineReader) -> Iterator[SplitPart]:
    """Split a file into game trees, each of which declares its own encoding.

    Text around the trees, such as the header and the end of a mail, is skipped. It is a fault if
    there is no tree in the file, and if a part of a damaged tree is in it.
    """
    lines.limit_chunks(CHUNK_CHARACTERS)
    # There may be trees in the comments of other formats.
    if _OTHER_FORMAT.match(lines.peek_nonblank()):
        yield SplitPart(1, 1, "", reason("sgf-tree"))
        return
    lines.keeps_surrogates = True
    skipped = _SkippedText()
    has_trees = False
    for part in _split_games(lines, _SGF, skipped.add):
        if part.fault is None and TREE_BEGINNING.search(part.text) is None:
            # It has only a parenthesis.
            skipped.add(part.text, part.line_number, part.column)
            continue
        yield from skipped.take_fragment()
        has_trees = True
        yield part
    if has_trees:
        yield from skipped.take_fragment()
    elif skipped.place is not None:
        yield SplitPart(*skipped.place, "", reason("sgf-tree"))


@final
class _SkippedText:
    """The text around game trees.

    Attributes:
        place: The place of the first text in the file, blanks apart; ``None`` without one.
        fragment: The place of the first fragment of a tree after the last whole tree; ``None``
            without one.
    """

    def __init__(self) -> None:
        self.place: Place | None = None
        self.fragment: Place | None = None
        # The end of the text before, which may begin a fragment, and its place.
        self._end = ""
        self._end_place: Place = (1, 1)

    def add(self, text: str, line_number: int, column: int) -> None:
        """Add the next text of the file between two trees, which begins at a line and column.

        The text between two trees may come in several calls, each where the one before ended.
        """
        written = text.lstrip(f"{WHITESPACE}{BYTE_ORDER_MARK}")
        if not written and not self._end:
            return
        if not self._end:
            self._end_place = (line_number, column)
        joined = GameText(0, *self._end_place, self._end + text)
        if self.place is None:
            self.place = joined.place(len(joined.text) - len(written))
        found = _TREE_FRAGMENT.search(joined.text)
        if found and self.fragment is None:
            self.fragment = joined.place(found.start())
        start = max(0, len(joined.text) - _FRAGMENT_OVERLAP)
        self._end_place = joined.place(start)
        self._end = joined.text[start:]

    def take_fragment(self) -> Iterator[SplitPart]:
        """Yield the fault of a fragment, if there is one; a tree follows."""
        if self.fragment is not None:
            yield SplitPart(*self.fragment, "", reason("sgf-tree"))
        self.fragment = None
        self._end = ""


def split_paragraphs(lines: LineReader) -> Iterator[SplitPart]:
    """Split a file at empty lines; once another format begins, every further part is a fault."""
    paragraph: list[str] = []
    size = 0
    first_line = 1
    max_characters = lines.limits.characters
    fault: Reason | None = None
    # One more empty line ends the last paragraph.
    for line_as_read in chain(truncated_lines(lines), [""]):
        line = line_as_read.removesuffix("\n")
        if not paragraph:
            # Concatenated files have a byte order mark in front of each.
            line = line.lstrip(BYTE_ORDER_MARK)
        if line.strip(WHITESPACE):
            if not paragraph:
                first_line = lines.line_number
            if not exceeds(size, max_characters):
                line_break = 1 if paragraph else 0
                size += line_break + len(line)
                paragraph.append(line)
                if exceeds(size, max_characters):
                    yield _too_long(first_line, 1, max_characters)
        elif paragraph:
            if not exceeds(size, max_characters):
                text = "\n".join(paragraph)
                yield SplitPart(first_line, 1, text, fault)
                if _OTHER_FORMAT.match(text) or _TREE.match(text):
                    fault = reason("list-of-moves")
            paragraph = []
            size = 0


def numbered_games(
    parts: Iterable[SplitPart],
    limits: Limits,
    read_part: Callable[[GameText], Iterator[Found[Game]]],
) -> Iterator[Found[Game]]:
    """Iterate over the games that *read_part* reads from the parts of a file, and number them."""
    number = 1
    for line_number, column, text, fault in parts:
        if fault is None:
            found = read_part(GameText(number, line_number, column, text, limits))
        else:
            error = RecordError(line_number, column, fault, number)
            found = iter([Found((line_number, column), error)])
        for each in found:
            yield each
            # Otherwise this game would stay in memory while the next one is read.
            del each
            number += 1
