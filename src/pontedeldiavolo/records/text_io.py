"""Text input: lines with places from bytes, strings, files and iterables."""

from __future__ import annotations

import io
import os
import re
import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from os import PathLike
from pathlib import Path
from typing import IO, Any, Final, TypeAlias
from weakref import proxy

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, BYTE_ORDER_MARKS, UTF_8, encoding_of
from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.base.file_names import is_file_name
from pontedeldiavolo.game.limits import Limits

_BLOCK: Final = 1 << 16
_LINE_END = re.compile(r"\r\n?|\n")


def _byte_reader(source: Any) -> Callable[[int], bytes | None] | None:
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


def position_in(source: Any) -> int:
    """Return the position of a file of bytes; 0 if it has none."""
    try:
        place = source.tell()
    except (AttributeError, OSError):
        return 0
    return place if isinstance(place, int) else 0


def _text_blocks(source: Any) -> Iterator[str]:
    """Iterate over the parts of a source of text; some may be empty."""
    if isinstance(source, str):
        yield from (source[start : start + _BLOCK] for start in range(0, len(source), _BLOCK))
        return
    is_file = hasattr(source, "read") and hasattr(source, "readline")
    is_open = False
    for item in iter(partial(source.readline, _BLOCK), "") if is_file else source:
        require_type(item, str, "a line of the file")
        # Lines of an iterable may come without line ends; the last one gets none.
        if is_open and not is_file:
            yield "\n"
        yield item
        is_open = not item.endswith("\n")


Source: TypeAlias = bytes | str | PathLike[str] | IO[bytes] | IO[str] | Iterable[str]
"""A source of games; a string is always text, never a path."""

DETECTION_CHARACTERS: Final = 4096
"""The number of characters at the start of a file that decide its format."""

DEFAULT: Final = Limits()


class Lines(Iterator[str]):
    """The lines of a source; a line that is too long is split into pieces.

    Attributes:
        number: The number of the last line, from 1; 0 before the first.
        offset: The offset of the last line or piece in the source, in bytes if the source has
            bytes, else in characters.
        ended: Whether the end has been reached.
        limits: The limits of reading.
        kept_characters: The maximum number of characters kept from a game: one more than the limit.
        longest: The maximum length of a line or piece in characters.
        is_marked: Whether the source begins with a byte order mark.
        octets: The number of bytes read; 0 for sources of text.
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
        self.octets: int = 0
        self.ended: bool = False
        self.is_marked: bool = False
        self.keeps_surrogates: bool = False
        self.at_line_end: bool = True
        self.is_file_name: bool = isinstance(source, str) and is_file_name(source)
        self._is_at_start = True
        self.set_limits(limits)
        read = _byte_reader(source)
        self.encoding: str | None = UTF_8 if read else None
        # A generator that refers to this object would keep it, and the source, in a cycle.
        blocks = Lines._decoded(proxy(self), read) if read else _text_blocks(source)
        self._blocks = filter(None, blocks)
        # If an item of an iterable lacks its line end, that is a block of its own. It is fetched
        # late, because fetching it takes the next item.
        self._joins_blocks = bool(read) or isinstance(source, str) or hasattr(source, "readline")
        # The offsets in the source of the next character, and of the last line or piece.
        self._place = position_in(source) if read else 0
        self._start = 0
        self._offset = 0
        self._text = ""
        self._held_return = ""
        self._has_returns = False
        self._is_at_end = False
        self._ahead: deque[tuple[int, str]] = deque()

    def set_limits(self, limits: Limits) -> None:
        """Set the limits."""
        self.limits = limits
        most = limits.characters
        self.kept_characters: int = sys.maxsize if most is None else most + 1
        self.longest: int = self.kept_characters

    def size(self, text: str) -> int:
        """Return the size of a text in its source, in bytes or in characters."""
        if self.encoding is None or (self.encoding == UTF_8 and text.isascii()):
            return len(text)
        return len(text.encode(self.encoding, "surrogateescape"))

    def __next__(self) -> str:
        self.offset, line = self._ahead.popleft() if self._ahead else (-1, "")
        if not line.endswith("\n") and not self._ahead and len(line) < self.longest:
            line += self._read(self.longest - len(line))
            self.offset = self._start if self.offset < 0 else self.offset
        if not line:
            self.ended = True
            raise StopIteration
        self.number += self.at_line_end
        self.at_line_end = line.endswith("\n")
        if line.isascii() or self.keeps_surrogates or self.encoding != UTF_8:
            return line
        return self._checked(line)

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
        while most > 0 and (piece := self._read(min(self.longest, most))):
            self._ahead.append((self._start, piece))
            most -= len(piece)
            yield piece

    def _read(self, most: int) -> str:
        """Read to the end of a line, or *most* characters; "" at the end."""
        self._start = self._place
        try:
            piece = self._readline(most)
            if self._is_at_start:
                self._is_at_start = False
                self.is_marked = piece.startswith(BYTE_ORDER_MARK)
                if self.is_marked:
                    self._start += self.size(BYTE_ORDER_MARK)
                    piece = piece.removeprefix(BYTE_ORDER_MARK) or self._readline(most)
        except UnicodeDecodeError as error:
            error.reason += f", after line {self.number}"
            raise
        return piece

    def _readline(self, most: int) -> str:
        pieces: list[str] = []
        is_open = True
        while is_open and most and self._fill():
            start = self._offset
            # Limited to the length of the text: patterns refuse numbers beyond the largest index.
            self._offset, is_open = self._line_end(start, min(start + most, len(self._text)))
            piece = self._text[start : self._offset]
            self._place += self.size(piece)
            most -= len(piece)
            if self._has_returns and not is_open:
                piece = piece.rstrip("\r\n") + "\n"
            pieces.append(piece)
            is_open = is_open and self._joins_blocks
        return "".join(pieces)

    def _line_end(self, start: int, stop: int) -> tuple[int, bool]:
        """Return the end of a line, or *stop* if it is further, and whether the line continues."""
        text = self._text
        if not self._has_returns:
            end = text.find("\n", start, stop) + 1
        else:
            found = _LINE_END.search(text, start, stop)
            end = found.end() if found else 0
            # A line end of two characters is not split.
            end += bool(end) and text.startswith("\r\n", end - 1)
        return end or stop, not end

    def _fill(self) -> bool:
        """Take another block if the last one is used up; return whether there is more text."""
        while self._offset == len(self._text) and not self._is_at_end:
            block = next(self._blocks, "")
            self._is_at_end = not block
            text = self._held_return + block
            # The next character may belong to the same line end.
            self._held_return = "\r" if text.endswith("\r") and not self._is_at_end else ""
            self._text = text.removesuffix(self._held_return)
            self._offset = 0
            self._has_returns = "\r" in self._text
        return self._offset < len(self._text)

    def _decoded(self, read: Callable[[int], bytes | None]) -> Iterator[str]:
        """Iterate over decoded blocks; bytes that are not UTF-8 become surrogates.

        Raises:
            UnicodeDecodeError: If the mark says UTF-16 or UTF-32, and the bytes are not valid.
        """
        decoder = None
        start = b""
        while octets := read(_BLOCK):
            self.octets += len(octets)
            start += octets
            if decoder is None and any(mark.startswith(start) for mark in BYTE_ORDER_MARKS):
                continue
            decoder = decoder or self._decoder(start)
            yield decoder.decode(start)
            start = b""
        if octets is None:
            raise BlockingIOError("nothing is there yet, and the file does not wait for it")
        yield (decoder or self._decoder(start)).decode(start, final=True)

    def _decoder(self, start: bytes) -> IncrementalDecoder:
        """Note the encoding that the first bytes indicate, and return its decoder."""
        self.encoding = encoding_of(start)
        errors = "surrogateescape" if self.encoding == UTF_8 else "strict"
        return getincrementaldecoder(self.encoding)(errors)

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
