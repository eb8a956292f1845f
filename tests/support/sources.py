"""Make every kind of file and stream from the same bytes."""

from __future__ import annotations

import gzip
import io
from collections.abc import Callable
from typing import Any, final


class Pipe(io.RawIOBase):
    """A binary file that cannot seek, and returns few bytes at a time."""

    def __init__(self, octets: bytes) -> None:
        super().__init__()
        self.rest = octets

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        piece = self.rest[: min(7, len(buffer))]
        self.rest = self.rest[min(7, len(buffer)) :]
        buffer[: len(piece)] = piece
        return len(piece)


@final
class Bare:
    """An object that has only the method ``read``."""

    def __init__(self, octets: bytes) -> None:
        self.read = io.BytesIO(octets).read


class Slow:
    """A binary file that returns few bytes at a time."""

    def __init__(self, octets: bytes, size: int) -> None:
        self.file = io.BytesIO(octets)
        self.size = size

    def read(self, most: int) -> bytes:
        return self.file.read(min(most, self.size))


class Endless(io.RawIOBase):
    """A file with a beginning and then the same bytes repeatedly, generated while it is read."""

    def __init__(self, octets: bytes, count: int, start: bytes = b"") -> None:
        super().__init__()
        self.octets = octets
        self.left = count
        self.start = start

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        if not self.left:
            return 0
        self.left -= 1
        piece = self.start or self.octets
        self.start = b""
        buffer[: len(piece)] = piece
        return len(piece)


class Veiled(io.BytesIO):
    """A binary file whose ``read`` decodes its bytes."""

    def __init__(self, octets: bytes) -> None:
        super().__init__(bytes(each ^ 0x20 for each in octets))

    def read(self, size: int | None = -1, /) -> bytes:
        return bytes(each ^ 0x20 for each in super().read(size))


class Plain(io.BytesIO):
    """A subclass of a binary file."""


def crlf(octets: bytes) -> str:
    return octets.decode().replace("\n", "\r\n")


SOURCES: dict[str, Callable[[bytes], Any]] = {
    "bytes": lambda octets: octets,
    "text": lambda octets: octets.decode(),
    "bytes with a mark": lambda octets: b"\xef\xbb\xbf" + octets,
    "text with a mark": lambda octets: "\ufeff" + octets.decode(),
    "bytes in UTF-16": lambda octets: octets.decode().encode("utf-16"),
    "bytes in UTF-32": lambda octets: octets.decode().encode("utf-32"),
    "pipe in UTF-16": lambda octets: Pipe(b"\xfe\xff" + octets.decode().encode("utf-16-be")),
    "bytes with other line ends": lambda octets: octets.replace(b"\n", b"\r\n"),
    "bytes with old line ends": lambda octets: octets.replace(b"\n", b"\r"),
    "text with old line ends": lambda octets: octets.decode().replace("\n", "\r"),
    "file of bytes": io.BytesIO,
    "file of bytes by another name": Plain,
    "file of bytes that reads in its own way": Veiled,
    "file of text": lambda octets: io.StringIO(octets.decode()),
    "file of text with its line ends": lambda octets: io.StringIO(crlf(octets), newline=""),
    "wrapped file": lambda octets: io.TextIOWrapper(io.BytesIO(octets), encoding="utf-8-sig"),
    "packed file": lambda octets: gzip.GzipFile(fileobj=io.BytesIO(gzip.compress(octets))),
    "pipe": Pipe,
    "buffered pipe": lambda octets: io.BufferedReader(Pipe(octets)),
    "bare reader": Bare,
    "lines": lambda octets: octets.decode().splitlines(keepends=True),
    "lines with other line ends": lambda octets: crlf(octets).splitlines(keepends=True),
    "lines without ends": lambda octets: octets.decode().splitlines(),
    "one item": lambda octets: [octets.decode()],
    "iterator": lambda octets: iter(octets.decode().splitlines()),
}
"""Functions that make a source from bytes, by name."""
