"""Records of this library: headers only, parsed records, whole games, and their texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Final, TypeVar, final

from attrs import field, frozen

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.enums import Ending
from pontedeldiavolo.base.errors import RecordError, instance_of, require_type
from pontedeldiavolo.base.values import FrozenMapping, ImmutableValue
from pontedeldiavolo.game.error_list import ErrorList
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.line import Line
from pontedeldiavolo.game.record import RESULTS, Record
from pontedeldiavolo.game.tags import ROSTER
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.notation.rules import format_rules
from pontedeldiavolo.notation.states import format_state
from pontedeldiavolo.records.codec import PlacedResult, Reader, Writer, found_at, value_of
from pontedeldiavolo.records.parsing import WHITESPACE, SourceText, match_end, numbering
from pontedeldiavolo.records.text_io import Lines, Source, truncated_lines
from pontedeldiavolo.rules.limits import Limits
from pontedeldiavolo.state.state import GameState

from .parser import in_braces, parse_record, parse_tags


@final
@frozen(order=False)
class Header(ImmutableValue):
    """The tags of a record and its place in a file.

    >>> [header] = pdd.records.iter_headers('[First "Ada"] 1. d4,g7 *')
    >>> (header.tags["First"], header.number, header.offset)
    ('Ada', 1, 0)

    In a seekable file of bytes, a reader that begins at :attr:`offset` reads this record first.
    UTF-16 and UTF-32 are the exception: only the start of a file shows that encoding.

    Attributes:
        tags: All its tags as written, including Rules, Start, Result and Termination.
    """

    tags: FrozenMapping[str] = field(validator=instance_of(FrozenMapping))
    _source: SourceText = field(validator=instance_of(SourceText))

    @property
    def number(self) -> int:
        """The number of the game in its file, from 1."""
        return self._source.number

    @property
    def line(self) -> int:
        """The line of the file on which it begins, from 1."""
        return self._source.line

    @property
    def end_line(self) -> int:
        """The line of the file on which it ends: the last one that is not empty."""
        return self.line + self.text.removesuffix("\n").count("\n")

    @property
    def offset(self) -> int:
        """The offset in its source: in bytes for a source of bytes, else in characters.

        For an open file of bytes it is the argument for ``seek``. For all other sources it is
        counted from the place where reading began.
        """
        return self._source.start

    @property
    def text(self) -> str:
        """The text of the whole record without the empty lines around it.

        Its lines end with a line feed, regardless of the source, and it has no byte order marks.
        """
        text = self._source.text
        end = text.find("\n", len(text.rstrip(WHITESPACE)))
        return text if end < 0 else text[: end + 1]

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: A list for errors, to read leniently: faulty parts are left out.

        Raises:
            RecordError: If it cannot be read.
        """
        require_type(errors, list | None, "errors")
        read = partial(parse_record, self._source, ErrorList(errors, self._source.limits))
        return value_of(found_at(self._source, 0, self.number, read).result)


_TAGS = re.compile(r'(?:[ \t]*\[[ \t]*\w+[ \t]+"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"[ \t]*\])+')
_OUTSIDE = re.compile(r"[^{;]*")
_BRACE_COMMENT = re.compile(r"[^}\\]*+(?:\\.?+[^}\\]*+)*+", re.DOTALL)


def split_records(lines: Lines) -> Iterator[SourceText]:
    """Split a stream of lines into records: a tag after actions begins a new one."""
    builder = _OpenRecord(1, lines)
    for whole in truncated_lines(lines):
        line = builder.without_mark(whole)
        if builder.ends_before(line):
            if builder.characters_left:
                yield builder.source(at_line_end=True)
            builder = _OpenRecord(builder.number + 1, lines)
        is_refused = not builder.characters_left
        builder.add(lines, line, lines.offset + lines.size(whole[: len(whole) - len(line)]))
        if not builder.characters_left and not is_refused:
            # Its error is reported now, because the source may never end.
            yield builder.source(at_line_end=False)
    if builder.pieces and builder.characters_left:
        yield builder.source(at_line_end=lines.at_line_end)


@final
class _OpenRecord:
    """A record whose end has not been found yet."""

    def __init__(self, number: int, lines: Lines) -> None:
        self.number = number
        self.limits = lines.limits
        self.characters_left = lines.kept_characters
        self.line = 0
        self.start = 0
        self.pieces: list[str] = []
        self.has_actions = False
        self.in_comment = False
        self.after_empty = False

    def without_mark(self, line: str) -> str:
        """Return a line without a byte order mark where a record may begin.

        Concatenated files have one in front of each.
        """
        if not line.startswith(BYTE_ORDER_MARK):
            return line
        bare = line.lstrip(BYTE_ORDER_MARK)
        may_begin = not self.pieces or self.ends_before(bare)
        # A tag, or an empty line.
        is_plain = not self.in_comment and bare.lstrip(WHITESPACE)[:1] in ("[", "")
        return bare if may_begin or is_plain else line

    def ends_before(self, line: str) -> bool:
        """Return whether *line* begins another record.

        A comment that is never closed does not hide the next record: an empty line followed by a
        tag ends it.
        """
        if self.in_comment:
            return self.after_empty and _TAGS.fullmatch(line.rstrip(WHITESPACE)) is not None
        return self.has_actions and line.lstrip(WHITESPACE)[:1] == "["

    def add(self, lines: Lines, line: str, start: int) -> None:
        """Add a line, without empty lines at the beginning and text beyond the limit."""
        self.after_empty = not line.strip(WHITESPACE)
        if not self.pieces:
            if self.after_empty:
                return
            self.line = lines.number
            self.start = start
        if self.in_comment or not line.startswith("%"):
            found, self.in_comment = _look_into(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or found
        if self.characters_left:
            self.pieces.append(line[: self.characters_left])
            self.characters_left -= len(self.pieces[-1])

    def source(self, *, at_line_end: bool) -> SourceText:
        """Return the record's text, with a line end if the file has one."""
        # Lines of an iterable may come without line ends.
        text = "\n".join(piece.removesuffix("\n") for piece in self.pieces)
        text += "\n" if at_line_end or self.pieces[-1].endswith("\n") else ""
        return SourceText(self.number, self.line, 1, text, self.limits, self.start)


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Return whether a line has actions, and whether it ends inside a comment."""
    offset = 0
    found = False
    if not in_comment:
        tags = _TAGS.match(line)
        if tags:
            offset = tags.end()
        elif line.lstrip(WHITESPACE).startswith("["):
            # A broken tag does not count as an action, and a brace in it opens no comment.
            return False, False
    while offset < len(line):
        if in_comment:
            offset = match_end(_BRACE_COMMENT, line, offset) + 1
            in_comment = offset > len(line)
        elif line[offset] == "{":
            offset = offset + 1
            in_comment = True
        elif line[offset] == ";":
            break
        else:
            start, offset = offset, match_end(_OUTSIDE, line, offset)
            found = found or not line[start:offset].isspace()
    return found, in_comment


T = TypeVar("T")


def _game(source: SourceText, errors: ErrorList) -> Game:
    return parse_record(source, errors)._game(errors)


def _header(source: SourceText, _errors: ErrorList) -> Header:
    return Header(parse_tags(source), source)


def _find(
    read: Callable[[SourceText, ErrorList], T], lines: Lines, errors: ErrorList
) -> Iterator[PlacedResult[T]]:
    """Iterate over the results of *read* for the records in a file."""
    for source in split_records(lines):
        yield found_at(source, 0, source.number, partial(read, source, errors))


# Readers of a record's tags only, of its whole text, and of the game with every action checked.
HEADERS: Final = Reader(partial(_find, _header))
RECORDS: Final = Reader(partial(_find, parse_record))
READER: Final = Reader(partial(_find, _game))


def iter_headers(file: Source, *, limits: Limits | None = None) -> Iterator[Header | RecordError]:
    r"""Iterate over the records in a file, reading only their tags.

    A record whose tags cannot be read, or that is too long, yields its :class:`RecordError`.

    >>> text = '[First "Ada"]\n1. d4,g7 *\n\n[First "Bo"]\n1. a1,b1 *'
    >>> [(header.tags["First"], header.line) for header in pdd.records.iter_headers(text)]
    [('Ada', 1), ('Bo', 4)]

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return HEADERS.iter_games(file, "yield", limits=limits)


def iter_records(
    file: Source, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a file, parsed but not replayed.

    A record that cannot be read yields its :class:`RecordError`, and the next one follows.

    >>> [record] = pdd.records.iter_records("1. d4,d4 *")
    >>> [pdd.format_action(action) for action in record.actions]
    ['d4,d4']

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for errors, to read leniently: faulty parts are left out.
        limits: The limits of reading; ``None`` for ``Limits()``.

    Raises:
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return RECORDS.iter_games(file, "yield", errors, limits=limits)


WIDTH = 79

_ONE_BLANK = re.compile(r"(?<! ) (?! )")


def _record(game: Game) -> str:
    tags = {name: game.tags[name] for name in ROSTER if name in game.tags}
    tags["Rules"] = format_rules(game.rules)
    if game.start != GameState.initial(game.rules):
        tags["Start"] = format_state(game.start)
    tags["Result"] = game.result
    if game.ending not in (None, Ending.SCORED):
        tags["Termination"] = game.ending.value
    tags |= {name: game.tags[name] for name in sorted(game.tags) if name not in ROSTER}
    lines = [f'[{name} "{_quoted(value)}"]' for name, value in tags.items()]
    words = [*_words(game.start, game.line, 0), RESULTS[game.result]]
    return "\n".join([*lines, "", *_wrapped(words), ""])


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> Iterator[str]:
    """Fill lines with words."""
    line = words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line += f" {word}"
    yield line


def _words(start: GameState, line: Line, first: int) -> Iterator[str]:
    """Iterate over the words of a line of play; text may be wrapped between them."""
    yield from _comment_words(line.comment, {})
    number_at = numbering(start)
    last = number_at(first - 1)
    for place, move in enumerate(line.moves, first):
        number = number_at(place)
        # The choice of a colour has no number of its own.
        yield (f"{number}. " if number != last else "") + format_action(move.action)
        last = number
        yield from (f"${nag}" for nag in move.nags)
        yield from _comment_words(move.comment, move.annotations)
        for variation in move.variations:
            opening, *rest = _words(start, variation, place)
            *rest, closing = (f"({opening}", *rest)
            yield from rest
            yield f"{closing})"


def _comment_words(comment: str, annotations: Mapping[str, str]) -> list[str]:
    text = in_braces(comment, annotations)
    return _ONE_BLANK.split(text) if text else []


WRITER: Final = Writer(_record, separator="\n")
