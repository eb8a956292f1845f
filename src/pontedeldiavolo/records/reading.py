"""The parts that the readers of all formats share.

These are the lines of a source, the text of a game with its place in the source, the loops that
return one game or many, and builders of lines of play. The modules of the formats read games from
lines, each in its own way.
"""

from __future__ import annotations

import io
import os
import re
import sys
import warnings
from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache, partial
from itertools import chain, islice
from os import PathLike
from pathlib import Path
from typing import (
    IO,
    Any,
    Concatenate,
    Final,
    Generic,
    Literal,
    NamedTuple,
    NoReturn,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
    final,
)

from attrs import Factory, define, evolve, field, frozen

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, BYTE_ORDER_MARKS, UTF_8, encoding_of
from pontedeldiavolo.base.enums import Color, Phase
from pontedeldiavolo.base.errors import (
    MessageValue,
    NotationError,
    PonteError,
    RecordError,
    reason,
    require_choice,
    require_type,
)
from pontedeldiavolo.base.file_formats import is_file_name
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell, column_of
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.game.record import (
    ErrorList,
    Place,
    limit_reason,
    too_many_errors,
    trim_error,
)
from pontedeldiavolo.game.tags import length_fault
from pontedeldiavolo.notation.actions import ACTION_WORDS
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles
from pontedeldiavolo.rules.limits import MAX_DEPTH, Limits, exceeds, limits_or_default
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.rules.violations import InvalidPositionError, reasons
from pontedeldiavolo.state.state import GameState

P = ParamSpec("P")
T = TypeVar("T")

# Sources

BUFFER_SIZE: Final = 1 << 16
"""The number of bytes or characters that are read from a source at once."""

Source: TypeAlias = bytes | str | PathLike[str] | IO[bytes] | IO[str] | Iterable[str]
"""A source of games; a string is always text, never a path."""

DETECTION_CHARACTERS: Final = 4096
"""The number of characters at the start of a file that decide its format."""

DEFAULT_LIMITS: Final = Limits()


# Lines


class _Readable(Protocol):
    """A stream of text, of which the next line can be read, or its first *size* characters."""

    def readline(self, size: int, /) -> str: ...


@final
class _ByteStream(io.BufferedIOBase):
    """Buffers of bytes as a file, which the standard library decodes and splits into lines.

    Closing it does not close the file that the bytes come from.

    Attributes:
        bytes_read: The number of bytes read up to now.
    """

    def __init__(self, buffers: Iterable[bytes]) -> None:
        super().__init__()
        self.bytes_read: int = 0
        # ``io.TextIOWrapper`` uses the name of its buffer in its ``repr``.
        self.name: str = "<games>"
        self._buffers = iter(buffers)

    def readable(self) -> bool:
        """Return true, because ``io.TextIOWrapper`` asks for it."""
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        """Return the next buffer that is not empty, whatever its size; b"" at the end."""
        buffer = next(filter(None, self._buffers), b"")
        self.bytes_read += len(buffer)
        return buffer


def _decoded(stream: _ByteStream, encoding: str, errors: str) -> _Readable:
    # With newline="" lines end as they do on any system, and keep their ends.
    return io.TextIOWrapper(stream, encoding, errors, newline="")


@final
class _LineItems:
    """The items of an iterable, which are lines with or without line ends.

    A missing line end is given only when the next item is requested, so that no item is taken from
    the iterable too early.
    """

    def __init__(self, items: Iterator[str]) -> None:
        self._items = items
        self._item = io.StringIO()
        self._lacks_end = False

    def readline(self, size: int, /) -> str:
        """Return the next line of an item, the line end that an item lacked, or "" at the end."""
        chunk = self._item.readline(size)
        if chunk:
            return chunk
        for item in self._items:
            require_type(item, str, "a line of the file")
            lacked_end = self._lacks_end
            self._lacks_end = not item.endswith(("\n", "\r"))
            # A carriage return at the end of an item ends its line. A line feed at the start of the
            # next item ends another one.
            text = f"{item[:-1]}\n" if item.endswith("\r") else item
            self._item = io.StringIO(text, newline="")
            chunk = "\n" if lacked_end else self._item.readline(size)
            if chunk:
                return chunk
        return ""


def _byte_reader_of(source: Any) -> Callable[[int], bytes | None] | None:
    """Return a function that reads available bytes without waiting for a full buffer.

    ``None`` if the source has text.
    """
    if isinstance(source, bytes):
        return io.BytesIO(source).read
    if not hasattr(source, "read") or not isinstance(source.read(0), bytes):
        return None
    # A subclass that overrides only ``read`` must be read through ``read``: the ``read1`` that it
    # inherits would bypass it.
    defined = ({*vars(kind)} & {"read", "read1"} for kind in type(source).__mro__)
    name = "read" if next(filter(None, defined), None) == {"read"} else "read1"
    read: Callable[[int], bytes | None] = getattr(source, name, source.read)
    return read


def _buffers_of(read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    """Iterate over the bytes of a source, as many at once as are available."""
    while octets := read(BUFFER_SIZE):
        yield octets
    if octets is None:
        raise BlockingIOError("nothing is there yet, and the file does not wait for it")


def _stream_of_text(source: Any) -> _Readable:
    """Return a source of text as a stream."""
    if isinstance(source, str):
        starts = range(0, len(source), BUFFER_SIZE)
        texts: Iterator[str] = (source[start : start + BUFFER_SIZE] for start in starts)
    elif hasattr(source, "read") and hasattr(source, "readline"):
        texts = iter(partial(source.readline, BUFFER_SIZE), "")
    else:
        return _LineItems(iter(source))
    # The text is encoded so that bytes and text are split into lines by the same code.
    return _decoded(_ByteStream(map(_encoded, texts)), UTF_8, "surrogatepass")


def _encoded(text: str) -> bytes:
    require_type(text, str, "a line of the file")
    return text.encode(UTF_8, "surrogatepass")


def position_of(source: Any) -> int:
    """Return the position of a file of bytes; 0 if it has none."""
    try:
        position = source.tell()
    except (AttributeError, OSError):
        return 0
    return position if isinstance(position, int) else 0


LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
"""A character that stands for bytes that are not text."""


class LineReader(Iterator[str]):
    """The lines of a source; a line that is too long is split into chunks.

    A line ends with a line feed, except the last of a source without one. In a long line only its
    last chunk has it. A subclass may override ``__next__``, ``peek_nonblank`` and
    ``peek_beginning``: all other classes and functions read the source through these three.

    Attributes:
        line_number: The number of the last line, from 1; 0 before the first.
        offset: The offset of the last line or chunk in the source, in bytes if the source has
            bytes, else in characters.
        ended: Whether the end has been reached.
        limits: The limits of reading.
        max_kept: The number of characters after which the text of a game is cut off: one more than
            the limit, so that the cut text still exceeds it.
        max_chunk: The maximum length of a line or chunk in characters.
        has_byte_order_mark: Whether the source begins with a byte order mark.
        encoding: The encoding of a source of bytes, which is known after the first bytes; ``None``
            for sources of text.
        at_line_end: Whether the last line that was read has ended.
        keeps_surrogates: Whether bytes that are not UTF-8 are given as lone surrogates, for a
            reader that can decode them. Otherwise they are refused after the text before them.
    """

    def __init__(
        self,
        source: bytes | str | IO[bytes] | IO[str] | Iterable[str],
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.line_number: int = 0
        self.offset: int = 0
        self.ended: bool = False
        self.has_byte_order_mark: bool = False
        self.keeps_surrogates: bool = False
        self.at_line_end: bool = True
        self.set_limits(limits)
        self._source = source
        self._read_bytes = _byte_reader_of(source)
        self.encoding: str | None = UTF_8 if self._read_bytes else None
        # The source is read for the first time when the first line is requested.
        self._stream: _Readable | None = None
        self._byte_stream = _ByteStream(())
        # The offset in the source of the next character.
        self._next_offset = position_of(source) if self._read_bytes else 0
        self._follows_return = False
        # The error handler of the decoder, which makes surrogates of bytes that are not text.
        self._decode_handler = "surrogateescape"
        # The error for such bytes, once the text before them has been given.
        self._fault: UnicodeDecodeError | None = None
        # The error of the decoder that looking ahead has met.
        self._fault_ahead: UnicodeDecodeError | None = None
        # Lines and chunks that are read but not consumed, each with its offset.
        self._ahead: deque[tuple[int, str]] = deque()

    def set_limits(self, limits: Limits) -> None:
        """Set the limits."""
        self.limits = limits
        max_characters = limits.characters
        self.max_kept: int = sys.maxsize if max_characters is None else max_characters + 1
        # A limit may exceed the sizes of streams.
        self.max_chunk: int = min(self.max_kept, sys.maxsize)

    def limit_chunks(self, max_characters: int) -> None:
        """Read long lines in chunks of at most *max_characters*."""
        self.max_chunk = max_characters

    @property
    def bytes_read(self) -> int:
        """The number of bytes read; 0 for sources of text."""
        return self._byte_stream.bytes_read

    @property
    def next_line_number(self) -> int:
        """The number of the line to which the next character belongs."""
        return self.line_number + 1 if self.at_line_end else self.line_number

    def size(self, text: str) -> int:
        """Return the size of a text in its source, in bytes or in characters."""
        if self.encoding is None or (self.encoding == UTF_8 and text.isascii()):
            return len(text)
        return len(text.encode(self.encoding, self._decode_handler))

    def __next__(self) -> str:
        if self._fault is not None:
            raise self._fault
        if self._ahead:
            self.offset, line = self._ahead.popleft()
            may_go_on = not self._ahead and self._fault_ahead is None
            if may_go_on and not line.endswith("\n") and len(line) < self.max_chunk:
                # Looking ahead may have stopped within the line.
                line += self._read(self.max_chunk - len(line))[1]
        elif self._fault_ahead is not None:
            raise self._fault_ahead
        else:
            self.offset, line = self._read(self.max_chunk)
        if not line:
            self.ended = True
            raise StopIteration
        self.line_number = self.next_line_number
        self.at_line_end = line.endswith("\n")
        if self.encoding is None or line.isascii():
            return line
        if self.encoding == UTF_8 and self.keeps_surrogates:
            return line
        return self._decoded_part(line)

    def peek_nonblank(self) -> str:
        """Return the first line that is not blank without consuming it; "" without one."""
        size = max(self.max_kept, DETECTION_CHARACTERS)
        return next((line for line in self._look_ahead(size) if line.strip()), "")

    def peek_beginning(self) -> str:
        """Return the first few thousand characters without consuming them."""
        return "".join(self._look_ahead(DETECTION_CHARACTERS))[:DETECTION_CHARACTERS]

    def _look_ahead(self, size: int) -> Iterator[str]:
        """Iterate over lines and chunks, up to *size* characters, and keep them for later."""
        for _, line in (*self._ahead,):
            size -= len(line)
            yield line
        while size > 0 and self._fault_ahead is None:
            try:
                offset, chunk = self._read(min(self.max_chunk, size))
            except UnicodeDecodeError as error:
                # The lines before it are given first.
                self._fault_ahead = error
                return
            if not chunk:
                return
            self._ahead.append((offset, chunk))
            size -= len(chunk)
            yield chunk

    def _read(self, size: int) -> tuple[int, str]:
        """Read to the end of a line, or *size* characters; return their offset and the text."""
        try:
            if self._stream is not None:
                return self._readline(self._stream, size)
            self._stream = self._open()
            offset, chunk = self._readline(self._stream, size)
            self.has_byte_order_mark = chunk.startswith(BYTE_ORDER_MARK)
            if not self.has_byte_order_mark:
                return offset, chunk
            if chunk == BYTE_ORDER_MARK:
                return self._readline(self._stream, size)
            return offset + self.size(BYTE_ORDER_MARK), chunk.removeprefix(BYTE_ORDER_MARK)
        except UnicodeDecodeError as error:
            lines_ahead = sum(line.endswith("\n") for _, line in self._ahead)
            error.reason += f", after line {self.line_number + lines_ahead}"
            raise

    def _open(self) -> _Readable:
        """Return the stream of the source; its first bytes indicate the encoding."""
        if self._read_bytes is None:
            return _stream_of_text(self._source)
        buffers = _buffers_of(self._read_bytes)
        start = b""
        for octets in buffers:
            start += octets
            if not any(mark.startswith(start) for mark in BYTE_ORDER_MARKS):
                break
        self._byte_stream = _ByteStream(chain([start], buffers))
        self.encoding = encoding_of(start)
        # Bytes that are not text become surrogates, and are refused with the number of their line.
        if self.encoding != UTF_8:
            self._decode_handler = "surrogatepass"
        return _decoded(self._byte_stream, self.encoding, self._decode_handler)

    def _readline(self, stream: _Readable, size: int) -> tuple[int, str]:
        offset = self._next_offset
        chunk = stream.readline(size)
        if chunk == "\n" and self._follows_return:
            # A line end of two characters: the first one was the last of its chunk.
            offset += self.size(chunk)
            self._next_offset = offset
            chunk = stream.readline(size)
        self._next_offset += self.size(chunk)
        self._follows_return = chunk.endswith("\r")
        if chunk.endswith(("\r", "\r\n")):
            chunk = chunk.rstrip("\r\n") + "\n"
        return offset, chunk

    def _decoded_part(self, line: str) -> str:
        """Return a line up to the first bytes that are not text, which are surrogates in it.

        The next call of ``__next__`` refuses those bytes. So a game that ends in the same line, or
        with the beginning of another one in it, is read.

        Raises:
            UnicodeDecodeError: If there are such bytes, and only blanks before them.
        """
        encoding = cast(str, self.encoding)
        try:
            return line.encode(encoding, self._decode_handler).decode(encoding)
        except UnicodeDecodeError as error:
            error.reason += f", in line {self.line_number}"
            text = line[: cast(re.Match[str], LONE_SURROGATE.search(line)).start()]
            if not text.strip():
                raise
            self._fault = error
            self.at_line_end = False
            return text


def truncated_lines(lines: LineReader) -> Iterator[str]:
    """Iterate over lines, and truncate those that are too long."""
    is_inside = False
    for chunk in lines:
        if not is_inside:
            yield chunk
        is_inside = not chunk.endswith("\n")


def require_source(source: object, name: str) -> None:
    """Refuse an object from which games cannot be read; *name* is the name of the parameter.

    Raises:
        TypeError: If it is not a source.
        RecordError: If it is a string with the name of a file, in place of the text of games.
    """
    is_source = isinstance(source, bytes | str | PathLike | Iterable) or hasattr(source, "read")
    # The items of these two are numbers, not lines.
    if not is_source or isinstance(source, bytearray | memoryview):
        wanted = "bytes, str, a PathLike, a file or an iterable of lines"
        raise TypeError(f"{name} must be {wanted}, not {type(source).__name__}")
    if isinstance(source, str) and is_file_name(source):
        raise RecordError(1, 1, reason("text-not-path"))


@contextmanager
def open_lines(source: Source, limits: Limits = DEFAULT_LIMITS) -> Iterator[LineReader]:
    """Yield the lines of a source; a path is opened, and closed at the end.

    Raises:
        OSError: If it is a path, and the file cannot be opened.
    """
    if isinstance(source, LineReader):
        source.set_limits(limits)
        yield source
    elif isinstance(source, PathLike):
        with Path(os.fsdecode(source)).open("rb") as file:
            yield LineReader(file, limits)
    else:
        yield LineReader(source, limits)


# The text of a game


def _line_ends_of(text: str) -> list[int]:
    return [found.start() for found in re.finditer("\n", text)]


class LocatedText(NamedTuple):
    """A part of a text, and the offset where it begins.

    Attributes:
        text: The part, without escapes.
        offset: The offset where it begins.
        raw: The part as it is written, with escapes; "" if it has none.
        character_pattern: A pattern whose first group matches a character of the part as it is
            written.
    """

    text: str
    offset: int
    raw: str = ""
    character_pattern: re.Pattern[str] | None = None

    def offset_at(self, index: int) -> int:
        """Return the offset of the character with this index in the text without escapes."""
        if self.character_pattern is None:
            return self.offset + index
        starts = (found.start(1) for found in self.character_pattern.finditer(self.raw))
        return self.offset + next(islice(starts, index, None), len(self.raw))


@final
@frozen
class GameText:
    """The text of a game, with its number, line and column in its file.

    Attributes:
        number: The number of the game in its file, from 1.
        line_number: The number of its first line in its file, from 1.
        column: The column of its first character in that line, from 1.
        text: The text.
        limits: The limits of the reader.
        offset: Its offset in its source, in bytes or in characters.
    """

    number: int
    line_number: int
    column: int
    text: str
    limits: Limits = field(default=Limits(), eq=False, repr=False)
    offset: int = field(default=0, eq=False, repr=False)
    _line_ends: list[int] = field(
        default=Factory(lambda self: _line_ends_of(self.text), takes_self=True),
        eq=False,
        repr=False,
        alias="line_ends",
    )

    def with_number(self, number: int) -> GameText:
        """Return the text for another game in it, with the number of that game."""
        return evolve(self, number=number)

    def with_text(self, text: str) -> GameText:
        """Return another text at the same place, such as the decoded one."""
        return evolve(self, text=text, line_ends=_line_ends_of(text))

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        line_ends_before = bisect_left(self._line_ends, offset)
        if line_ends_before == 0:
            return (self.line_number, self.column + offset)
        last_line_end = self._line_ends[line_ends_before - 1]
        return (self.line_number + line_ends_before, offset - last_line_end)

    def fail(self, code: str, offset: int, **values: MessageValue) -> NoReturn:
        """Raise an error at *offset*; *code* names what was expected."""
        raise NotationError(self.text, offset, reason(code, **values))

    def require_short(self, count: int, what: str, offset: int, name: str = "") -> None:
        """Refuse a *tag*, *comment* or *annotation* of *count* characters if these are too many."""
        found = length_fault(count, what, name)
        if found is not None:
            self.fail("fitting-content", offset, reason=found)

    def parsed(self, parse: Callable[[str], T], part: LocatedText) -> T:
        """Return the value of a part of the text."""
        try:
            return parse(part.text)
        except NotationError as error:
            raise NotationError(self.text, part.offset_at(error.offset), error.reason) from error

    def starting_state(
        self, rules_part: LocatedText | None, start_part: LocatedText | None, conflict_code: str
    ) -> GameState:
        """Return the state from which a game starts.

        Args:
            rules_part: The text of its rules, if it has one.
            start_part: The text of the state, if it has one.
            conflict_code: The code of the error if the state has other rules.
        """
        rules = None
        if rules_part is not None:
            rules = self.parsed(partial(parse_rules, limits=self.limits), rules_part)
        if start_part is None:
            if rules is None:
                self.require_side(Board(), 0)
            return GameState.initial(rules)
        try:
            start = self.parsed(partial(parse_state, limits=self.limits), start_part)
        except InvalidPositionError as error:
            self.fail("allowed-state", start_part.offset, violations=reasons(error.violations))
        if rules is not None and rules != start.rules:
            self.fail(conflict_code, start_part.offset)
        return start

    def require_index(self, rules: Rules, index: int, offset: int) -> None:
        """Refuse an action at an index of its line that no game reaches."""
        # A cell takes at most one tile, and at most one bridge ends on it. A turn uses two cells in
        # one of these ways. So no game has more such turns than cells. Four more actions suffice
        # for the choice of a colour, passes and the last turn.
        max_actions = len(rules.board) + 4
        if index >= max_actions:
            self.fail("no-longer-game", offset, max=max_actions)

    def require_depth(self, depth: int, offset: int) -> None:
        """Refuse variations that are too deep."""
        max_depth = MAX_DEPTH
        if self.limits.depth is not None:
            max_depth = min(max_depth, self.limits.depth)
        if depth > max_depth:
            self.fail("limit-depth", offset, max=max_depth)

    def require_side(self, board: Board, offset: int) -> None:
        """Refuse a board that is too large, before its tables are built."""
        side = self.limits.side
        if side is not None and max(board.width, board.height) > side:
            self.fail("limit-side", offset, max=side)


def end_of_match(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return the end of the match of a pattern that always matches."""
    return cast(re.Match[str], pattern.match(text, offset)).end()


# One game, or many


class Found(NamedTuple, Generic[T]):
    """A game or an error that was found in a file, and its place."""

    place: Place
    result: T | RecordError


def value_of(result: T | RecordError) -> T:
    """Return a result; raise it if it is an error."""
    if isinstance(result, RecordError):
        raise result
    return result


GamesReader: TypeAlias = Callable[[LineReader, ErrorList], Iterator[Found[T]]]
"""A function that finds games and errors in the lines of a file.

A lenient one appends errors to the list and goes on.
"""

OnError: TypeAlias = Literal["raise", "skip", "yield"]
"""The ways in which a reader of many games can treat a bad one."""


def read_one(
    source: Source,
    read_games: GamesReader[T],
    limits: Limits | None,
    errors: list[RecordError] | None = None,
) -> T:
    """Return the one game in a source.

    Args:
        source: The source.
        read_games: Reads the games.
        limits: The limits of reading; ``None`` for the defaults.
        errors: A list that collects errors, to read leniently.

    Raises:
        RecordError: If there is no game, a bad one, or more than one.
    """
    limits, error_list = _checked_arguments(source, limits, errors)
    only: list[T] = []
    with open_lines(source, limits) as lines:
        for place, result in read_games(lines, error_list):
            if not only and exceeds(1, limits.games):
                raise RecordError(*place, limit_reason("games", limits.games))
            if isinstance(result, RecordError):
                raise trim_error(result)
            if only:
                raise RecordError(*place, reason("one-game"), 2)
            only.append(result)
    if not only:
        raise RecordError(1, 1, reason("game"))
    return only[0]


def read_many(
    source: Source,
    read_games: GamesReader[T],
    on_error: OnError,
    limits: Limits | None,
    errors: list[RecordError] | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over the games in a source, one in memory at a time.

    Args:
        source: The source. It is opened when the first game is requested.
        read_games: Reads the games.
        on_error: What to do with a bad game.
        limits: The limits of reading; ``None`` for the defaults.
        errors: A list that collects errors, to read leniently.
    """
    require_choice(on_error, ("raise", "skip", "yield"), "on_error")
    limits, error_list = _checked_arguments(source, limits, errors)
    return _iterate(source, read_games, on_error, limits, error_list)


def _iterate(
    source: Source, read_games: GamesReader[T], on_error: OnError, limits: Limits, errors: ErrorList
) -> Iterator[T | RecordError]:
    """Iterate over games and errors until a limit is exceeded.

    Errors that are yielded count towards ``limits.errors``, together with those in the list of a
    lenient reader. Games that are skipped do not.
    """
    skipped = 0
    number = 0
    try:
        with open_lines(source, limits) as lines:
            for place, found in read_games(lines, errors):
                number += 1
                result, is_last = _within_limits(number, place, found, on_error, limits, errors)
                if on_error == "yield" or not isinstance(result, RecordError):
                    yield result
                elif is_last or on_error == "raise":
                    raise result  # noqa: TRY301 - a warning about skipped games comes first
                else:
                    skipped += 1
                if is_last:
                    break
                # Otherwise this game would stay in memory while the next one is read.
                del found, result
    except Exception as error:
        try:
            _warn_of_skipped(skipped)
        except Warning as warning:
            # Where warnings are errors, this one must not replace the error that ends reading.
            error.add_note(str(warning))
        raise
    _warn_of_skipped(skipped)


def _within_limits(
    number: int,
    place: Place,
    found: T | RecordError,
    on_error: OnError,
    limits: Limits,
    errors: ErrorList,
) -> tuple[T | RecordError, bool]:
    """Return the result for the caller, and whether it is the last one.

    The result is the game or error that was found, or, if a limit is exceeded, the error that says
    so; that one is the last.
    """
    if exceeds(number, limits.games):
        return RecordError(*place, limit_reason("games", limits.games), number), True
    if not isinstance(found, RecordError):
        return found, False
    trim_error(found)
    if errors.has_overflowed or on_error != "yield":
        return found, errors.has_overflowed
    errors.counted += 1
    if exceeds(errors.counted, limits.errors):
        return too_many_errors(place, limits.errors, number), True
    return found, False


def _warn_of_skipped(count: int) -> None:
    """Warn that bad games were skipped, if there were any."""
    if count:
        games = "game" if count == 1 else "games"
        # Above this frame are that of the generator and that of the loop over the games.
        warnings.warn(f"{count} bad {games} skipped", stacklevel=3)


def _checked_arguments(
    source: Source, limits: Limits | None, errors: list[RecordError] | None
) -> tuple[Limits, ErrorList]:
    """Check the arguments of a reader; return its limits and its list of errors."""
    require_type(errors, list | None, "errors")
    require_source(source, "source")
    limits = limits_or_default(limits)
    return limits, ErrorList(errors, limits)


def located_result(
    game_text: GameText,
    offset: int,
    read: Callable[Concatenate[GameText, P], T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Found[T]:
    """Return the result of *read* for the game at *offset* of a text, or its error.

    An error without a place gets that of *offset*.
    """
    place = game_text.place(offset)
    try:
        return Found(place, read(game_text, *args, **kwargs))
    except RecordError as error:
        return Found(place, error)
    except PonteError as error:
        return Found(place, error_at(game_text, error, offset))


def error_at(game_text: GameText, cause: PonteError, offset: int = 0) -> RecordError:
    """Return *cause* with its place in the file, which is that of *offset* if it has none."""
    if isinstance(cause, NotationError):
        offset = cause.offset
        expected = cause.reason
    else:
        expected = reason("fitting-content", reason=cause.reason)
    error = RecordError(*game_text.place(offset), expected, game_text.number)
    error.__cause__ = cause
    return error


# Lines of play

_CHOICE_INDEX: Final = {Phase.OPENING: 1, Phase.COLOR_CHOICE: 0}
"""The index of the action that chooses the colour, by the phase in which a game starts."""


def color_at(start: GameState, index: int) -> Color | None:
    """Return the colour of an action by its index in the game; ``None`` if it chooses a colour."""
    choice = _CHOICE_INDEX.get(start.phase)
    if choice is None:
        color = start.to_move
        is_first = index % 2 == 0
    elif index == choice:
        return None
    elif index < choice:
        return Color.WHITE
    else:
        # Red has the first turn after the choice.
        color = Color.RED
        is_first = (index - choice) % 2 == 1
    if color is None or is_first:
        return color
    return color.opponent


def turn_numbering(start: GameState) -> Callable[[int], int]:
    """Return a function from the index of an action to the number of its turn.

    The choice of a colour belongs to the turn before.
    """
    turn = start.turn
    choice = _CHOICE_INDEX.get(start.phase)

    def number_at(index: int) -> int:
        if choice is None or index < choice:
            return turn + index + 1
        return turn + index

    return number_at


@final
@define(eq=False)
class CommentBuilder:
    """A builder of a comment from several, each on separate lines."""

    # Most moves have no comment, and need no list.
    _texts: list[str] | None = None
    _characters: int = 0

    def add(self, text: str, game_text: GameText, offset: int) -> None:
        """Add a comment, which begins at *offset*.

        Raises:
            NotationError: If the comments together are longer than a game can have.
        """
        if not text:
            return
        if self._texts is None:
            self._texts = []
        line_breaks = len(self._texts)
        count = self._characters + line_breaks + len(text)
        game_text.require_short(count, "comment", offset)
        self._texts.append(text)
        self._characters += len(text)

    def build(self) -> str:
        """Build the comment."""
        return "" if self._texts is None else "\n".join(self._texts)


@final
@define(eq=False)
class MoveBuilder:
    """A builder of a move with NAGs, comments, variations and annotations."""

    action: Action
    nags: list[int] = field(factory=list)
    comment: CommentBuilder = field(factory=CommentBuilder)
    variations: list[Line] = field(factory=list)
    annotations: dict[str, str] = field(factory=dict)

    def build(self) -> Move:
        """Build the move."""
        comment = self.comment.build()
        return Move(self.action, self.nags, comment, self.variations, self.annotations)


@final
@define(eq=False)
class LineBuilder:
    """A builder of a line of play.

    Attributes:
        first_index: The index of its first action in the game.
        depth: The number of variations around it.
        comment: The comment before its first move.
        moves: Its moves.
    """

    first_index: int = 0
    depth: int = 0
    comment: CommentBuilder = field(factory=CommentBuilder)
    moves: list[MoveBuilder] = field(factory=list)

    @property
    def next_index(self) -> int:
        """The index in the game of the action that is added next."""
        return self.first_index + len(self.moves)

    @property
    def last_comment(self) -> CommentBuilder:
        """The comment after its last move, or before its first one if it has no move yet."""
        return self.moves[-1].comment if self.moves else self.comment

    def add(self, action: Action, nags: list[int]) -> None:
        """Add a move."""
        self.moves.append(MoveBuilder(action, nags))

    def variation(self) -> LineBuilder:
        """Return a builder of a line that is an alternative to the last move."""
        return LineBuilder(self.next_index - 1, self.depth + 1)

    def build(self) -> Line:
        """Build the line."""
        return Line([move.build() for move in self.moves], self.comment.build())


_PLAIN_ACTION: Final = re.compile(
    rf"(?P<word>{'|'.join(ACTION_WORDS)})(?![A-Za-z0-9])"
    r"|(?P<a>[a-z]{1,2}[1-9][0-9]?)(?P<mark>[,-])(?P<b>[a-z]{1,2}[1-9][0-9]?)(?![0-9])"
)


# Cached, because files name the same few cells again and again.
@lru_cache(maxsize=Board.MAX_SIDE**2)
def _cell_named(name: str) -> Cell | None:
    """Return the cell with a name in its canonical form; ``None`` if no board has it."""
    letters = name.rstrip("0123456789")
    column = column_of(letters)
    row = int(name[len(letters) :]) - 1
    return Cell(column, row) if max(column, row) < Board.MAX_SIDE else None


def plain_action(text: str, offset: int = 0) -> tuple[Action, int] | None:
    """Parse an action in its canonical form; return it and its end.

    Return ``None`` for any other text, which the full parser reads or refuses.
    """
    found = _PLAIN_ACTION.match(text, offset)
    if found is None:
        return None
    word, a, mark, b = found.groups()
    if word:
        return ACTION_WORDS[word], found.end()
    first = _cell_named(a)
    second = _cell_named(b)
    if first is None or second is None:
        return None
    action = PlaceTiles(first, second) if mark == "," else BuildBridge(first, second)
    return action, found.end()
