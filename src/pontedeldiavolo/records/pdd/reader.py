"""Reading records of this library: headers alone, parsed records, or whole games."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Literal, TypeVar, final

from attrs import frozen

from pontedeldiavolo.base.checks import require_list, require_type
from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.base.errors import RecordError, reason
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.limits import Faults, Limits, Place, bounded, kept, limits_or_default
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.codec import good_games, require_on_error
from pontedeldiavolo.records.parsing import WHITE_SPACE, Chunk, match_end
from pontedeldiavolo.records.pdd.parser import parse_record, parse_tags
from pontedeldiavolo.records.text_io import (
    Lines,
    Source,
    opened,
    require_source,
    streamed,
    whole_lines,
)


@final
@frozen(order=False)
class Header(ImmutableValue):
    """A record of which only the tags have been read.

    In a file of bytes that can seek, a reader that begins at :attr:`offset` reads this record
    first. UTF-16 and UTF-32 are the exception: only the start of a file tells that it is in them.

    Attributes:
        tags: All its tags as they stand, Rules, Start, Result and Termination among them.
    """

    tags: FrozenMapping[str]
    _chunk: Chunk

    @property
    def number(self) -> int:
        """Which game of its file it is, from 1."""
        return self._chunk.number

    @property
    def line(self) -> int:
        """The line of the file on which it begins, from 1."""
        return self._chunk.line

    @property
    def end_line(self) -> int:
        """The line of the file on which it ends: the last one that is not empty."""
        return self.line + self.text.removesuffix("\n").count("\n")

    @property
    def offset(self) -> int:
        """Where in its source it begins: in bytes if that is of bytes, else in characters.

        In an open file of bytes it is what ``seek`` takes. Everywhere else it is counted from
        where reading began.
        """
        return self._chunk.start

    @property
    def text(self) -> str:
        """The whole record as it stands, without the empty lines around it.

        Its lines end with a line feed, whatever they end with in the source, and it has no byte
        order marks.
        """
        text = self._chunk.text
        end = text.find("\n", len(text.rstrip(WHITE_SPACE)))
        return text if end < 0 else text[: end + 1]

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: Where to put what is wrong, to leave it out and read on; ``None`` raises it.

        Raises:
            RecordError: If it cannot be read.
        """
        require_list(errors, "errors")
        return parse_record(self._chunk, Faults.of(errors, self._chunk.limits))


_TAGS = re.compile(r'(?:[ \t]*\[[ \t]*\w+[ \t]+"(?:[^"\\\n]++|\\.)*+"[ \t]*\])+')
_OUTSIDE = re.compile(r"[^{;]*")
_BRACE_COMMENT = re.compile(r"(?:[^}\\]++|\\.|\\$)*+", re.DOTALL)


def chunks(lines: Lines) -> Iterator[Chunk]:
    """Split a stream of lines into records: a tag after actions begins a new one."""
    draft = _OpenRecord(1, lines)
    for whole in whole_lines(lines):
        line = draft.without_mark(whole)
        if draft.ends_before(line):
            yield draft.chunk(at_line_end=True)
            draft = _OpenRecord(draft.number + 1, lines)
        draft.add(lines, line, lines.offset + lines.size(whole[: len(whole) - len(line)]))
    if draft.pieces:
        yield draft.chunk(at_line_end=lines.at_line_end)


@final
class _OpenRecord:
    """The lines of a record so far."""

    def __init__(self, number: int, lines: Lines) -> None:
        self.number = number
        self.limits = lines.limits
        self.room = lines.bearable
        self.line = self.start = 0
        self.pieces: list[str] = []
        self.has_actions = False
        self.in_comment = False
        self.after_empty = False

    def without_mark(self, line: str) -> str:
        """Return a line without a byte order mark where a record may begin.

        Files that are put together have one in front of each.
        """
        if not line.startswith(BYTE_ORDER_MARK):
            return line
        bare = line.lstrip(BYTE_ORDER_MARK)
        may_begin = not self.pieces or self.ends_before(bare)
        # A tag, or an empty line.
        is_plain = not self.in_comment and bare.lstrip(WHITE_SPACE)[:1] in ("[", "")
        return bare if may_begin or is_plain else line

    def ends_before(self, line: str) -> bool:
        """Tell whether *line* begins another record.

        A comment that is never closed does not swallow what follows: an empty line and then a
        tag end it.
        """
        if self.in_comment:
            return self.after_empty and _TAGS.fullmatch(line.rstrip(WHITE_SPACE)) is not None
        return self.has_actions and line.lstrip(WHITE_SPACE)[:1] == "["

    def add(self, lines: Lines, line: str, start: int) -> None:
        """Add a line, but nothing empty before the first and nothing beyond the longest record."""
        self.after_empty = not line.strip(WHITE_SPACE)
        if not self.pieces:
            if self.after_empty:
                return
            self.line, self.start = lines.number, start
        else:
            self._end_line()
        if self.in_comment or not line.startswith("%"):
            found, self.in_comment = _look_into(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or found
        if self.room:
            self.pieces.append(line[: self.room])
            self.room -= len(self.pieces[-1])

    def _end_line(self) -> None:
        """Add the end of the last line, which lines of an iterable may come without."""
        if not self.pieces[-1].endswith("\n"):
            self.pieces[-1] += "\n"

    def chunk(self, *, at_line_end: bool) -> Chunk:
        """Return the record's text, which may have had a line end in the file."""
        if at_line_end:
            self._end_line()
        text = "".join(self.pieces)
        return Chunk(self.number, self.line, 1, text, self.limits, self.start)


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Tell whether a line has anything but tags and comments, and whether it ends in a comment."""
    offset, found = 0, False
    if not in_comment:
        tags = _TAGS.match(line)
        if tags:
            offset = tags.end()
        elif line.lstrip(WHITE_SPACE).startswith("["):
            # A broken tag: it does not count as an action, and hides nothing.
            return False, False
    while offset < len(line):
        if in_comment:
            offset = match_end(_BRACE_COMMENT, line, offset) + 1
            in_comment = offset > len(line)
        elif line[offset] == "{":
            offset, in_comment = offset + 1, True
        elif line[offset] == ";":
            break
        else:
            start, offset = offset, match_end(_OUTSIDE, line, offset)
            found = found or not line[start:offset].isspace()
    return found, in_comment


T = TypeVar("T")


def loads(
    text: str | bytes, errors: list[RecordError] | None = None, *, limits: Limits | None = None
) -> Game:
    """Return the one game that *text* records.

    Args:
        text: The text, or its bytes: UTF-8, or what a byte order mark says.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *text* is neither a string nor bytes.
        RecordError: If it is not the record of one legal game.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_type(text, (str, bytes), "text")
    return load(text, errors, limits=limits)


def load(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Game:
    """Return the one game that a file records.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        RecordError: If it is not the record of one legal game.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_list(errors, "errors")
    limits = limits_or_default(limits)
    require_source(file)
    with opened(file, limits) as lines:
        return _only_game(chunks(lines), Faults.of(errors, limits))


def _only_game(texts: Iterator[Chunk], faults: Faults | None) -> Game:
    first = next(texts, None)
    if first is None:
        raise RecordError(1, 1, reason("game"))
    game = _tried(first, _game, faults)
    if isinstance(game, RecordError):
        raise kept(game)
    second = next(texts, None)
    if second is not None:
        raise RecordError(second.line, 1, reason("one-game"), second.number)
    return game


def iter_headers(file: Source, *, limits: Limits | None = None) -> Iterator[Header | RecordError]:
    """Iterate over the records in a file, reading nothing but their tags.

    A record whose tags cannot be read, or that is too long, comes as its :class:`RecordError`.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, lambda text, _: Header(parse_tags(text), text))


def iter_records(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Record | RecordError]:
    """Iterate over the records in a file, parsed but not replayed.

    A record that cannot be read comes as its :class:`RecordError`, and the next one follows.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, parse_record, errors)


def iter_results(
    file: Source,
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game | RecordError]:
    """Iterate over the games in a file; a bad one comes as its :class:`RecordError`.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        errors: A list for what is wrong, to read leniently: then only what cannot be read at all
            is a bad game.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are. What goes
            beyond is the last error.

    Raises:
        TypeError: If *file* is something else.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    return _stream(file, limits, _game, errors)


def iter_games(
    file: Source,
    on_error: Literal["raise", "skip"] = "raise",
    errors: list[RecordError] | None = None,
    *,
    limits: Limits | None = None,
) -> Iterator[Game]:
    """Iterate over the games in a file, every action checked.

    Args:
        file: Text, bytes, a path as :class:`os.PathLike`, a file of text or of bytes, or an
            iterable of lines. A string is always text.
        on_error: ``"raise"`` stops at the first bad record, ``"skip"`` leaves bad ones out.
        errors: A list for what is wrong, to read leniently.
        limits: How much of it is read; ``None`` for :class:`Limits` as they are.

    Raises:
        TypeError: If *file* is something else.
        PonteError: If *on_error* is neither of the two.
        RecordError: If a record is bad and *on_error* is ``"raise"``, or if there is more than
            the limits allow.
        OSError: If reading fails.
        UnicodeDecodeError: If bytes are not text in their encoding.
    """
    require_on_error(on_error)
    limits = limits_or_default(limits)
    read = _reading(limits, _game, errors, on_error)
    return streamed(file, limits, lambda lines: good_games(read(lines), on_error))


def _game(text: Chunk, faults: Faults | None) -> Game:
    return parse_record(text, faults)._game(faults)


def _stream(
    file: Source,
    limits: Limits | None,
    read: Callable[[Chunk, Faults | None], T],
    errors: list[RecordError] | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over what *read* makes of the records in a file, as far as limits go."""
    limits = limits_or_default(limits)
    return streamed(file, limits, _reading(limits, read, errors))


def _reading(
    limits: Limits,
    read: Callable[[Chunk, Faults | None], T],
    errors: list[RecordError] | None,
    on_error: str | None = None,
) -> Callable[[Lines], Iterator[T | RecordError]]:
    """Return what goes through the records in a file."""
    require_list(errors, "errors")
    faults = Faults.of(errors, limits)

    def found(lines: Lines) -> Iterator[tuple[Place, T | RecordError]]:
        for text in chunks(lines):
            yield text.place(0), _tried(text, read, faults)

    return lambda lines: bounded(found(lines), limits, faults, on_error)


def _tried(
    text: Chunk, read: Callable[[Chunk, Faults | None], T], faults: Faults | None
) -> T | RecordError:
    try:
        return read(text, faults)
    except RecordError as error:
        return error
