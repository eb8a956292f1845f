"""The parts that the readers of all formats share.

These are the lines of a source, the text of a game with its place in the source, the loops that
return one game or many, and builders of lines of play. The modules of the formats find games in
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
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import (
    IO,
    Any,
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

from attrs import Factory, define, field, frozen

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
from pontedeldiavolo.base.file_names import is_file_name
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
from pontedeldiavolo.notation.rules import parse_rules
from pontedeldiavolo.notation.states import parse_state
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, Pass, PlaceTiles
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

    An item is not joined with the next one to see whether its line has ended: that would take the
    next one from the iterable too early.
    """

    def __init__(self, items: Iterator[str]) -> None:
        self._items = items
        self._item = io.StringIO()
        self._lacks_end = False

    def readline(self, size: int, /) -> str:
        """Return the next line of an item, the line end that an item lacked, or "" at the end."""
        piece = self._item.readline(size)
        if piece:
            return piece
        for item in self._items:
            require_type(item, str, "a line of the file")
            lacked_end = self._lacks_end
            self._lacks_end = not item.endswith("\n")
            self._item = io.StringIO(item, newline="")
            piece = "\n" if lacked_end else self._item.readline(size)
            if piece:
                return piece
        return ""


def _byte_reader_of(source: Any) -> Callable[[int], bytes | None] | None:
    """Return a function that reads available bytes without waiting for a full buffer.

    ``None`` if the source has text.
    """
    if isinstance(source, bytes):
        return io.BytesIO(source).read
    if not hasattr(source, "read") or not isinstance(source.read(0), bytes):
        return None
    # The most derived class that defines either method decides: if it defines only ``read``, an
    # inherited ``read1`` would bypass that.
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


class Lines(Iterator[str]):
    """The lines of a source; a line that is too long is split into pieces.

    Every line ends with a line feed, whatever its end in the source, unless it is a piece or the
    last one. A subclass may override ``__next__``, ``peek`` and ``start``: nothing else reads from
    the source.

    Attributes:
        number: The number of the last line, from 1; 0 before the first.
        offset: The offset of the last line or piece in the source, in bytes if the source has
            bytes, else in characters.
        ended: Whether the end has been reached.
        limits: The limits of reading.
        kept_characters: The maximum number of characters kept from a game: one more than the limit.
        max_piece: The maximum length of a line or piece in characters.
        is_marked: Whether the source begins with a byte order mark.
        encoding: The encoding of a source of bytes, which is known after the first bytes; ``None``
            for sources of text.
        at_line_end: Whether the last line that was read has ended.
        is_file_name: Whether the source is a string with the name of a file in place of games.
        keeps_surrogates: Whether bytes that are not UTF-8 are given as lone surrogates, for a
            reader that can decode them.
    """

    def __init__(
        self,
        source: bytes | str | IO[bytes] | IO[str] | Iterable[str],
        limits: Limits = DEFAULT_LIMITS,
    ) -> None:
        self.number: int = 0
        self.offset: int = 0
        self.ended: bool = False
        self.is_marked: bool = False
        self.keeps_surrogates: bool = False
        self.at_line_end: bool = True
        self.is_file_name: bool = isinstance(source, str) and is_file_name(source)
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
        # Lines and pieces that are read but not consumed, each with its offset.
        self._ahead: deque[tuple[int, str]] = deque()

    def set_limits(self, limits: Limits) -> None:
        """Set the limits."""
        self.limits = limits
        most = limits.characters
        self.kept_characters: int = sys.maxsize if most is None else most + 1
        # A limit may exceed the sizes of streams.
        self.max_piece: int = min(self.kept_characters, sys.maxsize)

    @property
    def bytes_read(self) -> int:
        """The number of bytes read; 0 for sources of text."""
        return self._byte_stream.bytes_read

    def size(self, text: str) -> int:
        """Return the size of a text in its source, in bytes or in characters."""
        if self.encoding is None or (self.encoding == UTF_8 and text.isascii()):
            return len(text)
        return len(text.encode(self.encoding, "surrogateescape"))

    def __next__(self) -> str:
        if self._ahead:
            self.offset, line = self._ahead.popleft()
            if not self._ahead and not line.endswith("\n") and len(line) < self.max_piece:
                # Looking ahead may have stopped within the line.
                line += self._read(self.max_piece - len(line))[1]
        else:
            self.offset, line = self._read(self.max_piece)
        if not line:
            self.ended = True
            raise StopIteration
        self.number += self.at_line_end
        self.at_line_end = line.endswith("\n")
        if self.encoding == UTF_8 and not self.keeps_surrogates and not line.isascii():
            return self._without_surrogates(line)
        return line

    def peek(self) -> str:
        """Return the first line that is not blank without consuming it; "" without one."""
        return next((line for line in self._look_ahead(self.kept_characters) if line.strip()), "")

    def start(self) -> str:
        """Return the first few thousand characters without consuming them."""
        return "".join(self._look_ahead(DETECTION_CHARACTERS))[:DETECTION_CHARACTERS]

    def _look_ahead(self, most: int) -> Iterator[str]:
        """Iterate over lines and pieces, up to *most* characters, and keep them for later."""
        for _, line in (*self._ahead,):
            most -= len(line)
            yield line
        while most > 0:
            offset, piece = self._read(min(self.max_piece, most))
            if not piece:
                return
            self._ahead.append((offset, piece))
            most -= len(piece)
            yield piece

    def _read(self, most: int) -> tuple[int, str]:
        """Read to the end of a line, or *most* characters; return their offset and the text."""
        try:
            if self._stream is not None:
                return self._readline(self._stream, most)
            self._stream = self._open()
            offset, piece = self._readline(self._stream, most)
            self.is_marked = piece.startswith(BYTE_ORDER_MARK)
            if not self.is_marked:
                return offset, piece
            if piece == BYTE_ORDER_MARK:
                return self._readline(self._stream, most)
            return offset + self.size(BYTE_ORDER_MARK), piece.removeprefix(BYTE_ORDER_MARK)
        except UnicodeDecodeError as error:
            error.reason += f", after line {self.number}"
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
        # Bytes that are not UTF-8 become surrogates, and are refused with the number of their line.
        errors = "surrogateescape" if self.encoding == UTF_8 else "strict"
        return _decoded(self._byte_stream, self.encoding, errors)

    def _readline(self, stream: _Readable, most: int) -> tuple[int, str]:
        offset = self._next_offset
        piece = stream.readline(most)
        if piece == "\n" and self._follows_return:
            # A line end of two characters: the first one was the last of its piece.
            offset += self.size(piece)
            self._next_offset = offset
            piece = stream.readline(most)
        self._next_offset += self.size(piece)
        self._follows_return = piece.endswith("\r")
        if piece.endswith(("\r", "\r\n")):
            piece = piece.rstrip("\r\n") + "\n"
        return offset, piece

    def _without_surrogates(self, line: str) -> str:
        """Refuse bytes that are not UTF-8, which are surrogates in the line."""
        try:
            return line.encode(errors="surrogateescape").decode()
        except UnicodeDecodeError as error:
            error.reason += f", in line {self.number}"
            raise


def truncated_lines(lines: Lines) -> Iterator[str]:
    """Iterate over lines, and truncate those that are too long."""
    is_inside = False
    for piece in lines:
        if not is_inside:
            yield piece
        is_inside = not piece.endswith("\n")


def require_source(source: object, name: str) -> None:
    """Refuse an object from which games cannot be read; *name* is the name of the parameter."""
    if not isinstance(source, bytes | str | PathLike | Iterable) and not hasattr(source, "read"):
        wanted = "bytes, str, a PathLike, a file or an iterable of lines"
        raise TypeError(f"{name} must be {wanted}, not {type(source).__name__}")


@contextmanager
def open_lines(source: Source, limits: Limits = DEFAULT_LIMITS) -> Iterator[Lines]:
    """Yield the lines of a source; a path is opened, and closed at the end.

    Raises:
        OSError: If it is a path, and the file cannot be opened.
    """
    if isinstance(source, Lines):
        source.set_limits(limits)
        yield source
    elif isinstance(source, PathLike):
        with Path(os.fsdecode(source)).open("rb") as file:
            yield Lines(file, limits)
    else:
        yield Lines(source, limits)


# The text of a game

WHITESPACE: Final = " \t\r\n"
"""The characters that only separate items, in every notation of this library."""


def _find_line_ends(source: SourceText) -> list[int]:
    return [found.start() for found in re.finditer("\n", source.text)]


class TextPart(NamedTuple):
    """A part of a text, and the offset where it begins."""

    text: str
    offset: int


@final
@frozen
class SourceText:
    """The text of a game, with its number, line and column in its file.

    Attributes:
        limits: The limits of the reader.
        start: Its offset in its source, in bytes or in characters.
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
        line_ends_before = bisect_left(self._line_ends, offset)
        if line_ends_before == 0:
            return (self.line, self.column + offset)
        last_line_end = self._line_ends[line_ends_before - 1]
        return (self.line + line_ends_before, offset - last_line_end)

    def fail(self, code: str, offset: int, **values: MessageValue) -> NoReturn:
        """Raise an error at *offset*; *code* names what was expected."""
        raise NotationError(self.text, offset, reason(code, **values))

    def parsed(self, parse: Callable[[str], T], part: TextPart) -> T:
        """Return the value of a part of the text."""
        try:
            return parse(part.text)
        except NotationError as error:
            raise NotationError(self.text, part.offset + error.offset, error.reason) from error

    def starting_state(
        self, rules_part: TextPart | None, start_part: TextPart | None, conflict_code: str
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
        # Each cell is used at most once for a tile and at most once as a bridge end, two per turn:
        # at most as many turns as cells. Four more: choice, passes and last turn.
        most = len(rules.board) + 4
        if index >= most:
            self.fail("no-longer-game", offset, max=most)

    def require_depth(self, depth: int, offset: int) -> None:
        """Refuse variations that are too deep."""
        most = MAX_DEPTH
        if self.limits.depth is not None:
            most = min(most, self.limits.depth)
        if depth > most:
            self.fail("limit-depth", offset, max=most)

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


Finder: TypeAlias = Callable[[Lines, ErrorList], Iterator[Found[T]]]
"""A function that finds games and errors in the lines of a file.

A lenient one appends errors to the list and goes on.
"""

OnError: TypeAlias = Literal["raise", "skip", "yield"]
"""The ways in which a reader of many games can treat a bad one."""


def read_one(
    file: Source,
    find: Finder[T],
    limits: Limits | None,
    errors: list[RecordError] | None = None,
) -> T:
    """Return the one game in a file.

    Args:
        file: The file.
        find: Finds the games.
        limits: The limits of reading; ``None`` for the defaults.
        errors: A list for errors, to read leniently.

    Raises:
        RecordError: If there is no game, a bad one, or more than one.
    """
    limits, error_list = _checked_arguments(file, limits, errors)
    only: list[T] = []
    with open_lines(file, limits) as lines:
        for place, result in _found_in(lines, find, error_list):
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
    file: Source,
    find: Finder[T],
    on_error: OnError,
    limits: Limits | None,
    errors: list[RecordError] | None = None,
) -> Iterator[T | RecordError]:
    """Iterate over the games in a file, one in memory at a time.

    Args:
        file: The file. It is opened when the first game is requested.
        find: Finds the games.
        on_error: What to do with a bad game.
        limits: The limits of reading; ``None`` for the defaults.
        errors: A list for errors, to read leniently.
    """
    require_choice(on_error, ("raise", "skip", "yield"), "on_error")
    limits, error_list = _checked_arguments(file, limits, errors)
    return _iterate(file, find, on_error, limits, error_list)


def _iterate(
    file: Source, find: Finder[T], on_error: OnError, limits: Limits, errors: ErrorList
) -> Iterator[T | RecordError]:
    """Iterate over games and errors until a limit is exceeded.

    With *on_error* ``"yield"``, the error that ends a stream early and those of bad games are
    yielded, and only then do they count towards ``limits.errors``: otherwise they are raised or
    left out.
    """
    bad_count = 0
    last_error: RecordError | None = None
    with open_lines(file, limits) as lines:
        for number, (place, found) in enumerate(_found_in(lines, find, errors), 1):
            result = found
            is_last = False
            if exceeds(number, limits.games):
                result = RecordError(*place, limit_reason("games", limits.games), number)
                is_last = True
            elif isinstance(result, RecordError):
                trim_error(result)
                is_last = errors.is_full
                bad_count += not is_last
                if on_error == "yield" and not is_last and exceeds(bad_count, limits.errors):
                    result = too_many_errors(place, limits.errors, number)
                    is_last = True
            if not isinstance(result, RecordError) or on_error == "yield":
                yield result
            elif is_last or on_error == "raise":
                last_error = result
                break
            if is_last:
                return
    if on_error == "skip" and bad_count:
        games = "game" if bad_count == 1 else "games"
        # The frame above this one is that of the loop over the games.
        warnings.warn(f"{bad_count} bad {games} skipped", stacklevel=2)
    if last_error is not None:
        raise last_error


def _checked_arguments(
    file: Source, limits: Limits | None, errors: list[RecordError] | None
) -> tuple[Limits, ErrorList]:
    """Check the arguments of a reader; return its limits and its list of errors."""
    require_type(errors, list | None, "errors")
    require_source(file, "file")
    limits = limits_or_default(limits)
    return limits, ErrorList(errors, limits)


def _found_in(lines: Lines, find: Finder[T], errors: ErrorList) -> Iterator[Found[T]]:
    """Iterate over the games and errors in lines; refuse a file name in place of games."""
    if lines.is_file_name:
        error = file_name_error()
        return iter([Found((error.line, error.column), error)])
    return find(lines, errors)


def file_name_error() -> RecordError:
    """Return the error for a string with the name of a file, in place of the text of games."""
    return RecordError(1, 1, reason("text-not-path"))


def found_or_error(
    source: SourceText,
    offset: int,
    number: int,
    read: Callable[P, T],
    *args: P.args,
    **kwargs: P.kwargs,
) -> Found[T]:
    """Return the result of *read* for the game with this number, or its error.

    An error without a place gets that of *offset*.
    """
    place = source.place(offset)
    try:
        return Found(place, read(*args, **kwargs))
    except RecordError as error:
        return Found(place, error)
    except PonteError as error:
        return Found(place, error_at(source, number, error, offset))


def error_at(source: SourceText, number: int, cause: PonteError, offset: int = 0) -> RecordError:
    """Return *cause* with its place in the file, which is that of *offset* if it has none."""
    if isinstance(cause, NotationError):
        offset = cause.offset
        expected = cause.reason
    else:
        expected = reason("fitting-content", reason=cause.reason)
    error = RecordError(*source.place(offset), expected, number)
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
class MoveBuilder:
    """A builder of a move with NAGs, comments, variations and annotations."""

    action: Action
    nags: list[int] = field(factory=list)
    comments: list[str] = field(factory=list)
    variations: list[Line] = field(factory=list)
    annotations: dict[str, str] = field(factory=dict)

    def move(self) -> Move:
        """Build the move."""
        comment = join_comments(self.comments) if self.comments else ""
        return Move(self.action, self.nags, comment, self.variations, self.annotations)


@final
@define(eq=False)
class LineBuilder:
    """A builder of a line of play.

    Attributes:
        first: The index of its first action in the game.
        depth: The number of variations around it.
    """

    first: int = 0
    depth: int = 0
    comments: list[str] = field(factory=list)
    moves: list[MoveBuilder] = field(factory=list)

    def add(self, action: Action, nags: list[int]) -> None:
        """Add a move."""
        self.moves.append(MoveBuilder(action, nags))

    def variation(self) -> LineBuilder:
        """Return a builder of a line that is an alternative to the last move."""
        return LineBuilder(self.first + len(self.moves) - 1, self.depth + 1)

    def line(self) -> Line:
        """Build the line."""
        return Line([move.move() for move in self.moves], join_comments(self.comments))


def join_comments(comments: Iterable[str]) -> str:
    """Join comments, each on separate lines."""
    return "\n".join(filter(None, comments))


_PLAIN_ACTION: Final = re.compile(
    r"(?P<word>white|red|pass)(?![A-Za-z0-9])"
    r"|(?P<a>[a-z]{1,2}[1-9][0-9]?)(?P<mark>[,-])(?P<b>[a-z]{1,2}[1-9][0-9]?)(?![0-9])"
)
_WORDS: Final[dict[str, Action]] = {
    "white": ChooseColor(Color.WHITE),
    "red": ChooseColor(Color.RED),
    "pass": Pass(),
}


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
        return _WORDS[word], found.end()
    first = _cell_named(a)
    second = _cell_named(b)
    if first is None or second is None:
        return None
    action = PlaceTiles(first, second) if mark == "," else BuildBridge(first, second)
    return action, found.end()
