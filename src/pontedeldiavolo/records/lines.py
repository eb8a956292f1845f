"""The lines of what games are read from: text, bytes, a file of either, or lines themselves."""

from __future__ import annotations

import io
import os
import sys
from codecs import getincrementaldecoder
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

from pontedeldiavolo.checks import require_type
from pontedeldiavolo.game.limits import Limits

Source: TypeAlias = bytes | str | PathLike[str] | IO[bytes] | IO[str] | Iterable[str]
"""What games are read from; a string is always text, never a path."""

START: Final = 4096
"""How many characters of a file are enough to tell its format."""

DEFAULT: Final = Limits()
_BLOCK: Final = 1 << 16
BYTE_ORDER_MARK: Final = "\ufeff"
_LINE: Final = "a line of the file"


def require_lines(file: object) -> None:
    """Refuse a string where a text file is needed.

    Raises:
        TypeError: If it is one.
    """
    if isinstance(file, str):
        raise TypeError("a text file is needed, not a string: use loads")


class Lines(Iterator[str]):
    """The lines of a source, one by one; what is longer than is bearable comes in pieces.

    Attributes:
        number: The number of the last line, from 1; 0 before the first.
        ended: Whether the end has been seen.
        limits: How much is read.
        longest: How many characters a line has at most; only the lines of an iterable, which
            are there already, may have more.
        may_be_latin: Whether a line of bytes that is not UTF-8 is taken as Latin-1.
        is_decoded: Whether the source is of bytes.
    """

    def __init__(
        self,
        source: bytes | str | IO[bytes] | IO[str] | Iterable[str],
        limits: Limits = DEFAULT,
    ) -> None:
        self.number: int = 0
        self.ended: bool = False
        self.take(limits)
        self.may_be_latin = False
        self._decoder = _decoder_of(source)
        self.is_decoded: bool = self._decoder is not None
        self._readline = self._decoder.readline if self._decoder else _readline_of(source)
        self._is_new = True
        self._is_inside = False
        self._ahead: deque[str] = deque()

    @property
    def bearable(self) -> int:
        """How many characters of a game are kept: one more than it may have shows that it does."""
        most = self.limits.characters
        return sys.maxsize if most is None else most + 1

    @property
    def at_line_end(self) -> bool:
        """Whether the last line that was read has ended."""
        return not self._is_inside

    @classmethod
    def of(cls, file: Iterable[str], limits: Limits = DEFAULT) -> Lines:
        """Return the lines of a text file, or of anything that gives lines of text.

        Raises:
            TypeError: If it is something else.
        """
        require_lines(file)
        lines = cls(file, limits)
        if lines.is_decoded:
            raise TypeError("a text file is needed, not bytes")
        return lines

    def take(self, limits: Limits) -> None:
        """Read no more than these limits say."""
        self.limits = limits
        self.longest: int = self.bearable

    @property
    def octets(self) -> int:
        """How many bytes have been read, if the source is of bytes."""
        return self._decoder.octets if self._decoder else 0

    def __next__(self) -> str:
        line = self._ahead.popleft() if self._ahead else ""
        if not line.endswith("\n") and not self._ahead and len(line) < self.longest:
            line += self._read(self.longest - len(line))
        if not line:
            self.ended = True
            raise StopIteration
        self.number += not self._is_inside
        self._is_inside = not line.endswith("\n")
        return self._checked(line) if self.is_decoded and not line.isascii() else line

    def peek(self) -> str:
        """Return the first line that is not blank, and leave it to be read; "" if none is."""
        length = 0
        for line in self._ahead:
            length += len(line)
            if line.strip():
                return line
        while length < self.bearable and (line := self._read(self.longest)):
            self._ahead.append(line)
            length += len(line)
            if line.strip():
                return line
        return ""

    def start(self) -> str:
        """Return the first few thousand characters, and leave them to be read."""
        length = sum(map(len, self._ahead))
        while length < START and (piece := self._read(START - length)):
            self._ahead.append(piece)
            length += len(piece)
        return "".join(self._ahead)[:START]

    def _read(self, most: int) -> str:
        """Read on to the end of a line, or as far as one may go; "" at the end."""
        piece = self._readline(most)
        if self._is_new:
            self._is_new = False
            piece = self._readline(most) if piece == BYTE_ORDER_MARK else piece
            piece = piece.removeprefix(BYTE_ORDER_MARK)
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
            return octets.decode("latin-1" if self.may_be_latin else "utf-8")
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
    elif isinstance(source, str):
        # As files do it: another system's line ends count as any others.
        yield Lines(io.StringIO(source, newline=None), limits)
    else:
        yield Lines(source, limits)


class _Decoder:
    """Text from bytes, block by block, with plain line ends.

    What is not UTF-8 becomes lone surrogates.
    """

    def __init__(self, read: Callable[[int], bytes | None]) -> None:
        self.octets = 0
        self._read = read
        utf_8 = getincrementaldecoder("utf-8")("surrogateescape")
        self._decoder = io.IncrementalNewlineDecoder(utf_8, translate=True)
        self._text = ""
        self._offset = 0
        self._ended = False

    def readline(self, most: int) -> str:
        """Read to the end of a line, or *most* characters."""
        pieces: list[str] = []
        while most and self._fill():
            start = self._offset
            end = self._text.find("\n", start, start + most) + 1
            self._offset = end or min(start + most, len(self._text))
            pieces.append(self._text[start : self._offset])
            most = 0 if end else most - len(pieces[-1])
        return "".join(pieces)

    def _fill(self) -> bool:
        """Decode another block if nothing is left of the last one; tell whether there is more."""
        while self._offset == len(self._text) and not self._ended:
            block = self._read(_BLOCK) or b""
            self.octets += len(block)
            self._ended = not block
            self._text, self._offset = self._decoder.decode(block, final=not block), 0
        return self._offset < len(self._text)


def _decoder_of(source: Any) -> _Decoder | None:
    """Return what decodes bytes or a file of bytes, ``None`` for anything else."""
    if isinstance(source, bytes):
        return _Decoder(io.BytesIO(source).read)
    if hasattr(source, "read") and isinstance(source.read(0), bytes):
        # As much as is there: what comes slowly is not waited for.
        return _Decoder(getattr(source, "read1", source.read))
    return None


def _readline_of(source: Any) -> Callable[[int], str]:
    """Return what reads a line, or a piece of one, from a text file or from lines."""
    if hasattr(source, "read") and hasattr(source, "readline"):

        def readline(most: int) -> str:
            line = source.readline(most)
            require_type(line, str, _LINE)
            return str(line)

        return readline
    pieces = _pieces(iter(source))
    return lambda _most: next(pieces, "")


def _pieces(items: Iterator[str]) -> Iterator[str]:
    """Iterate over lines piece by piece; those without line ends get them, but for the last."""
    is_open = False
    for item in items:
        require_type(item, str, _LINE)
        if is_open:
            yield "\n"
        if item:
            yield from io.StringIO(item)
        is_open = not item.endswith("\n")
