"""The lines of a source: bytes, a string, a path, a file or an iterable of lines."""

from __future__ import annotations

import io
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import chain
from os import PathLike
from pathlib import Path
from typing import IO, Any, Final, Protocol, TypeAlias, final

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, BYTE_ORDER_MARKS, UTF_8, encoding_of
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.file_names import is_file_name
from pontedeldiavolo.rules.limits import Limits

BLOCK_SIZE: Final = 1 << 16
"""The size of the blocks in which a source is read, in bytes or in characters."""

Source: TypeAlias = bytes | str | PathLike[str] | IO[bytes] | IO[str] | Iterable[str]
"""A source of games; a string is always text, never a path."""

DETECTION_CHARACTERS: Final = 4096
"""The number of characters at the start of a file that decide its format."""

DEFAULT: Final = Limits()


class _Readable(Protocol):
    """A stream of text whose lines can be read piece by piece."""

    def readline(self, size: int, /) -> str:
        """Return the next line, or at most *size* characters of it; "" at the end."""


@final
class _Blocks(io.BufferedIOBase):
    """Blocks of bytes as a file, which the standard library decodes and splits into lines.

    Closing it does not close the file that the blocks come from.

    Attributes:
        octets: The number of bytes in all blocks up to now.
    """

    def __init__(self, blocks: Iterable[bytes]) -> None:
        super().__init__()
        self.octets: int = 0
        self._blocks = iter(blocks)

    def readable(self) -> bool:
        """Return true, because ``io.TextIOWrapper`` asks for it."""
        return True

    def read1(self, _size: int = -1, /) -> bytes:
        """Return the next block that is not empty, whatever its size; b"" at the end."""
        block = next(filter(None, self._blocks), b"")
        self.octets += len(block)
        return block


def _decoded(blocks: _Blocks, encoding: str, errors: str) -> _Readable:
    # With newline="" lines end as they do on any system, and keep their ends.
    return io.TextIOWrapper(blocks, encoding, errors, newline="")


@final
class _Items:
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


def _reader_of_bytes(source: Any) -> Callable[[int], bytes | None] | None:
    """Return a function that reads available bytes without waiting for a whole block.

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


def _blocks_of_bytes(read: Callable[[int], bytes | None]) -> Iterator[bytes]:
    """Iterate over the blocks of a source of bytes."""
    while octets := read(BLOCK_SIZE):
        yield octets
    if octets is None:
        raise BlockingIOError("nothing is there yet, and the file does not wait for it")


def _stream_of_text(source: Any) -> _Readable:
    """Return a source of text as a stream."""
    if isinstance(source, str):
        starts = range(0, len(source), BLOCK_SIZE)
        texts: Iterator[str] = (source[start : start + BLOCK_SIZE] for start in starts)
    elif hasattr(source, "read") and hasattr(source, "readline"):
        texts = iter(partial(source.readline, BLOCK_SIZE), "")
    else:
        return _Items(iter(source))
    # The text is encoded so that bytes and text are split into lines by the same code.
    return _decoded(_Blocks(map(_encoded, texts)), UTF_8, "surrogatepass")


def _encoded(text: str) -> bytes:
    require_type(text, str, "a line of the file")
    return text.encode(UTF_8, "surrogatepass")


def position_in(source: Any) -> int:
    """Return the position of a file of bytes; 0 if it has none."""
    try:
        place = source.tell()
    except (AttributeError, OSError):
        return 0
    return place if isinstance(place, int) else 0


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
        longest: The maximum length of a line or piece in characters.
        is_marked: Whether the source begins with a byte order mark.
        encoding: The encoding of a source of bytes, which is known after the first block; ``None``
            for sources of text.
        at_line_end: Whether the last line that was read has ended.
        is_file_name: Whether the source is a string with the name of a file in place of games.
        keeps_surrogates: Whether bytes that are not UTF-8 are given as lone surrogates, for a
            reader that can decode them.
    """

    def __init__(
        self, source: bytes | str | IO[bytes] | IO[str] | Iterable[str], limits: Limits = DEFAULT
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
        self._read_bytes = _reader_of_bytes(source)
        self.encoding: str | None = UTF_8 if self._read_bytes else None
        # The source is read for the first time when the first line is requested.
        self._stream: _Readable | None = None
        self._blocks = _Blocks(())
        # The offset in the source of the next character.
        self._place = position_in(source) if self._read_bytes else 0
        self._follows_return = False
        # Lines and pieces that are read but not consumed, each with its offset.
        self._ahead: deque[tuple[int, str]] = deque()

    def set_limits(self, limits: Limits) -> None:
        """Set the limits."""
        self.limits = limits
        most = limits.characters
        self.kept_characters: int = sys.maxsize if most is None else most + 1
        # A limit may exceed the sizes of streams.
        self.longest: int = min(self.kept_characters, sys.maxsize)

    @property
    def octets(self) -> int:
        """The number of bytes read; 0 for sources of text."""
        return self._blocks.octets

    def size(self, text: str) -> int:
        """Return the size of a text in its source, in bytes or in characters."""
        if self.encoding is None or (self.encoding == UTF_8 and text.isascii()):
            return len(text)
        return len(text.encode(self.encoding, "surrogateescape"))

    def __next__(self) -> str:
        if self._ahead:
            self.offset, line = self._ahead.popleft()
            if not self._ahead and not line.endswith("\n") and len(line) < self.longest:
                # Looking ahead may have stopped within the line.
                line += self._read(self.longest - len(line))[1]
        else:
            self.offset, line = self._read(self.longest)
        if not line:
            self.ended = True
            raise StopIteration
        self.number += self.at_line_end
        self.at_line_end = line.endswith("\n")
        if self.encoding == UTF_8 and not self.keeps_surrogates and not line.isascii():
            return self._checked(line)
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
            offset, piece = self._read(min(self.longest, most))
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
        blocks = _blocks_of_bytes(self._read_bytes)
        start = b""
        for octets in blocks:
            start += octets
            if not any(mark.startswith(start) for mark in BYTE_ORDER_MARKS):
                break
        self._blocks = _Blocks(chain([start], blocks))
        self.encoding = encoding_of(start)
        # Bytes that are not UTF-8 become surrogates, and are refused with the number of their line.
        errors = "surrogateescape" if self.encoding == UTF_8 else "strict"
        return _decoded(self._blocks, self.encoding, errors)

    def _readline(self, stream: _Readable, most: int) -> tuple[int, str]:
        offset = self._place
        piece = stream.readline(most)
        if piece == "\n" and self._follows_return:
            # A line end of two characters: the first one was the last of its piece.
            offset += self.size(piece)
            self._place = offset
            piece = stream.readline(most)
        self._place += self.size(piece)
        self._follows_return = piece.endswith("\r")
        if piece.endswith(("\r", "\r\n")):
            piece = piece.rstrip("\r\n") + "\n"
        return offset, piece

    def _checked(self, line: str) -> str:
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


def require_file(file: object, name: str) -> None:
    """Refuse an object that is not open for writing; *name* is the name of the parameter."""
    if not callable(getattr(file, "write", None)):
        raise TypeError(f"{name} must be a file, not {type(file).__name__}")


def require_target(target: object, name: str) -> None:
    """Refuse what is neither a path nor a file; *name* is the name of the parameter."""
    if not isinstance(target, str | PathLike) and not callable(getattr(target, "write", None)):
        raise TypeError(f"{name} must be str, a PathLike or a file, not {type(target).__name__}")


@contextmanager
def open_lines(source: Source, limits: Limits = DEFAULT) -> Iterator[Lines]:
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
