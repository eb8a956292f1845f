"""The lines of what games are read from: text, bytes, a file of either, or lines themselves."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Final, TypeAlias, TypeVar

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK, UTF_8
from pontedeldiavolo.game.limits import Limits
from pontedeldiavolo.records.blocks import octets_of, reader_of

T = TypeVar("T")
Source: TypeAlias = bytes | str | PathLike[str] | IO[bytes] | IO[str] | Iterable[str]
"""What games are read from; a string is always text, never a path."""

START: Final = 4096
"""How many characters of a file are enough to tell its format."""

DEFAULT: Final = Limits()


class Lines(Iterator[str]):
    """The lines of a source, one by one; what is longer than is bearable comes in pieces.

    Attributes:
        number: The number of the last line, from 1; 0 before the first.
        offset: Where what came last begins in the source, in bytes if it is of bytes, else in
            characters.
        ended: Whether the end has been seen.
        limits: How much is read.
        longest: How many characters a line has at most.
        is_marked: Whether a byte order mark stands in front of everything.
        keeps_octets: Whether bytes that are not UTF-8 come as lone surrogates, for a reader who
            knows what they are.
    """

    def __init__(
        self,
        source: bytes | str | IO[bytes] | IO[str] | Iterable[str],
        limits: Limits = DEFAULT,
    ) -> None:
        self.number: int = 0
        self.offset: int = 0
        self.ended: bool = False
        self.take(limits)
        self.is_marked: bool = False
        self.keeps_octets = False
        self._octets = octets_of(source)
        self._reader = reader_of(source, self._octets)
        self._start = 0
        self._is_new = True
        self._is_inside = False
        self._ahead: deque[tuple[int, str]] = deque()

    @property
    def bearable(self) -> int:
        """How many characters of a game are kept: one more than it may have shows that it does."""
        most = self.limits.characters
        return sys.maxsize if most is None else most + 1

    @property
    def at_line_end(self) -> bool:
        """Whether the last line that was read has ended."""
        return not self._is_inside

    def take(self, limits: Limits) -> None:
        """Read no more than these limits say."""
        self.limits = limits
        self.longest: int = self.bearable

    @property
    def octets(self) -> int:
        """How many bytes have been read, if the source is of bytes."""
        return self._octets.count if self._octets else 0

    @property
    def may_have_octets(self) -> bool:
        """Whether there may be bytes that are not UTF-8, as lone surrogates."""
        return self._octets is not None and self._octets.encoding == UTF_8

    def size(self, text: str) -> int:
        """Return how much of the source a text took, in bytes or in characters."""
        return self._reader.size(text)

    def __next__(self) -> str:
        self.offset, line = self._ahead.popleft() if self._ahead else (-1, "")
        if not line.endswith("\n") and not self._ahead and len(line) < self.longest:
            line += self._read(self.longest - len(line))
            self.offset = self._start if self.offset < 0 else self.offset
        if not line:
            self.ended = True
            raise StopIteration
        self.number += not self._is_inside
        self._is_inside = not line.endswith("\n")
        if line.isascii() or self.keeps_octets or not self.may_have_octets:
            return line
        return self._checked(line)

    def peek(self) -> str:
        """Return the first line that is not blank, and leave it to be read; "" if none is."""
        length = 0
        for _, line in self._ahead:
            length += len(line)
            if line.strip():
                return line
        while length < self.bearable and (line := self._read(self.longest)):
            self._ahead.append((self._start, line))
            length += len(line)
            if line.strip():
                return line
        return ""

    def start(self) -> str:
        """Return the first few thousand characters, and leave them to be read."""
        length = sum(len(line) for _, line in self._ahead)
        while length < START and (piece := self._read(START - length)):
            self._ahead.append((self._start, piece))
            length += len(piece)
        return "".join(line for _, line in self._ahead)[:START]

    def _read(self, most: int) -> str:
        """Read on to the end of a line, or as far as one may go; "" at the end."""
        self._start = self._reader.place
        try:
            piece = self._reader.readline(most)
            if self._is_new:
                self._is_new = False
                self.is_marked = piece.startswith(BYTE_ORDER_MARK)
                if self.is_marked:
                    self._start += self.size(BYTE_ORDER_MARK)
                    piece = piece.removeprefix(BYTE_ORDER_MARK) or self._reader.readline(most)
        except UnicodeDecodeError as error:
            error.reason += f", after line {self.number}"
            raise
        return piece

    def _checked(self, line: str) -> str:
        """Return a line that may have lone surrogates, in place of bytes that are not UTF-8."""
        try:
            line.encode()
        except UnicodeEncodeError:
            octets = line.encode(errors="surrogateescape")
        else:
            return line
        try:
            return octets.decode()
        except UnicodeDecodeError as error:
            error.reason += f", in line {self.number}"
            raise


def whole_lines(lines: Lines) -> Iterator[str]:
    """Iterate over lines without what is too much of those that are too long."""
    is_inside = False
    for piece in lines:
        if not is_inside:
            yield piece
        is_inside = not piece.endswith("\n")


def require_source(source: object) -> None:
    """Refuse what no games can be read from.

    Raises:
        TypeError: If it is such a thing.
    """
    if not isinstance(source, bytes | str | PathLike | Iterable) and not hasattr(source, "read"):
        kind = type(source).__name__
        raise TypeError(f"games are read from bytes, text, a path, a file or lines, not {kind}")


@contextmanager
def opened(source: Source, limits: Limits = DEFAULT) -> Iterator[Lines]:
    """Give the lines of a source; what is opened here is closed here.

    Raises:
        OSError: If it is a path, and the file cannot be opened.
    """
    if isinstance(source, Lines):
        source.take(limits)
        yield source
    elif isinstance(source, PathLike):
        with Path(os.fsdecode(source)).open("rb") as file:
            yield Lines(file, limits)
    else:
        yield Lines(source, limits)


def streamed(source: Source, limits: Limits, read: Callable[[Lines], Iterator[T]]) -> Iterator[T]:
    """Iterate over what is read from a source; it is opened when the first item is asked for.

    What is opened is closed at the end, or when the iterator is.

    Raises:
        TypeError: If nothing can be read from it; at once.
    """
    require_source(source)
    return _streamed(source, limits, read)


def _streamed(source: Source, limits: Limits, read: Callable[[Lines], Iterator[T]]) -> Iterator[T]:
    with opened(source, limits) as lines:
        yield from read(lines)
