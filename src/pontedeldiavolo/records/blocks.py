"""Text line by line out of bytes, strings, files and lines, and where each line begins."""

from __future__ import annotations

import io
import re
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable, Iterator
from typing import Any, Final, final

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.encoding import BYTE_ORDER_MARKS, UTF_8, encoding_of

_BLOCK: Final = 1 << 16
_LINE: Final = "a line of the file"
_LINE_END = re.compile(r"\r\n?|\n")


@final
class Octets:
    """Text from bytes, block by block. In UTF-8, what is no such text becomes lone surrogates.

    Attributes:
        count: How many bytes have been read.
        encoding: How they are read; not certain before the first block.
    """

    def __init__(self, read: Callable[[int], bytes | None]) -> None:
        self.count: int = 0
        self.encoding: str = UTF_8
        self._read = read
        self._decoder: IncrementalDecoder | None = None

    def block(self) -> str:
        """Return the next block; "" at the end.

        Raises:
            UnicodeDecodeError: If UTF-16 or UTF-32 is not such text.
        """
        start = b""
        while True:
            octets = self._read(_BLOCK)
            if octets is None:
                raise BlockingIOError("nothing is there yet, and the file does not wait for it")
            self.count += len(octets)
            start += octets
            if self._decoder is None:
                if octets and any(mark.startswith(start) for mark in BYTE_ORDER_MARKS):
                    continue
                self.encoding = encoding_of(start)
                self._decoder = getincrementaldecoder(self.encoding)(self._errors)
            text = self._decoder.decode(start, final=not octets)
            if text or not octets:
                return text
            start = b""

    @property
    def _errors(self) -> str:
        return "surrogateescape" if self.encoding == UTF_8 else "strict"

    def size(self, text: str) -> int:
        """Return how many bytes a text had."""
        if self.encoding == UTF_8 and text.isascii():
            return len(text)
        return len(text.encode(self.encoding, self._errors))


@final
class LineReader:
    """Lines with plain ends, out of blocks of text with any.

    Attributes:
        place: Where the next character stands in the source.
        size: Returns how much of the source a text takes.
        joins: Whether a line goes on in the next block; else its end comes as a piece of its own,
            so that no block is asked for before it is needed.
    """

    def __init__(
        self,
        block: Callable[[], str],
        size: Callable[[str], int] = len,
        place: int = 0,
        *,
        joins: bool = True,
    ) -> None:
        self.place: int = place
        self.size = size
        self.joins = joins
        self._block = block
        self._text = self._held = ""
        self._offset = 0
        self._has_returns = self._ended = False

    def readline(self, most: int) -> str:
        """Read to the end of a line, or *most* characters; "" at the end."""
        pieces: list[str] = []
        is_open = True
        while is_open and most and self._fill():
            start = self._offset
            self._offset, is_open = self._line_end(start, start + most)
            piece = self._text[start : self._offset]
            self.place += self.size(piece)
            most -= len(piece)
            if self._has_returns and not is_open:
                piece = piece.rstrip("\r\n") + "\n"
            pieces.append(piece)
            is_open = is_open and self.joins
        return "".join(pieces)

    def _line_end(self, start: int, stop: int) -> tuple[int, bool]:
        """Return where a line ends, or how far it may be read, and whether it goes on there."""
        text = self._text
        if not self._has_returns:
            end = text.find("\n", start, stop) + 1
        else:
            found = _LINE_END.search(text, start, stop)
            end = found.end() if found else 0
            # A line end of two characters is not torn.
            end += bool(end) and text.startswith("\r\n", end - 1)
        return end or min(stop, len(text)), not end

    def _fill(self) -> bool:
        """Take another block if nothing is left of the last one; tell whether there is more."""
        while self._offset == len(self._text) and not self._ended:
            block = self._block()
            self._ended = not block
            text = self._held + block
            # What follows may belong to the same line end.
            self._held = "\r" if text.endswith("\r") and not self._ended else ""
            self._text, self._offset = text.removesuffix(self._held), 0
            self._has_returns = "\r" in self._text
        return self._offset < len(self._text)


def octets_of(source: Any) -> Octets | None:
    """Return what decodes bytes or a file of bytes, ``None`` for anything else."""
    if isinstance(source, bytes):
        return Octets(io.BytesIO(source).read)
    if hasattr(source, "read") and isinstance(source.read(0), bytes):
        return Octets(_reading(source))
    return None


def _reading(file: Any) -> Callable[[int], bytes | None]:
    """Return what reads as much of a file as is there: what comes slowly is not waited for."""
    for kind in type(file).__mro__:
        # A class that reads in its own way does so by what it defines itself.
        if "read1" not in vars(kind) and "read" in vars(kind):
            return file.read  # type: ignore[no-any-return]  # any file
        if "read1" in vars(kind):
            break
    return getattr(file, "read1", file.read)  # type: ignore[no-any-return]  # any file


def place_in(source: Any) -> int:
    """Return where a file of bytes stands, 0 if it does not say so."""
    try:
        place = source.tell()
    except (AttributeError, OSError):
        return 0
    return place if isinstance(place, int) else 0


def reader_of(source: Any, octets: Octets | None) -> LineReader:
    """Return what reads lines from a source."""
    if octets is not None:
        return LineReader(octets.block, octets.size, place_in(source))
    if isinstance(source, str):
        starts = iter(range(0, len(source), _BLOCK))
        return LineReader(lambda: source[(start := next(starts, len(source))) : start + _BLOCK])
    if hasattr(source, "read") and hasattr(source, "readline"):
        return LineReader(_readline_of(source))
    pieces = _pieces(iter(source))
    return LineReader(lambda: next(pieces, ""), joins=False)


def _readline_of(file: Any) -> Callable[[], str]:
    def readline() -> str:
        line = file.readline(_BLOCK)
        require_type(line, str, _LINE)
        return str(line)

    return readline


def _pieces(items: Iterator[str]) -> Iterator[str]:
    """Iterate over lines piece by piece; those without line ends get them, but for the last."""
    is_open = False
    for item in items:
        require_type(item, str, _LINE)
        if is_open:
            yield "\n"
        if item:
            yield item
        is_open = not item.endswith("\n")
