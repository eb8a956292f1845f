"""A scanner that reads a text from left to right; errors point at the first wrong character."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, NoReturn, TypeVar

from pontedeldiavolo.base import errors
from pontedeldiavolo.base.errors import MAX_INTEGER, NotationError, reason, require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, column_name, column_of
from pontedeldiavolo.rules.limits import MAX_TEXT, Limits, limits_or_default

WHITESPACE: Final = " \t\r\n"
"""The characters that only separate items, in every notation of this library."""
_BLANKS = re.compile(f"[{WHITESPACE}]*")
_BLANKS_IN_LINE = re.compile(r"[ \t\r]*")
_LETTERS = re.compile(r"[A-Za-z]*")
_DIGITS = re.compile(r"[0-9]*")
_WORD = re.compile(r"[A-Za-z0-9_-]*")


DIGITS = tuple("0123456789")
LAST_COLUMN = column_name(Board.MAX_SIDE - 1)


T = TypeVar("T")


class Scanner:
    """A text and the offset up to which it has been read.

    All classes of characters are ASCII: no other letter, digit or blank matches.
    """

    max_side: int | None = None
    """The limit of a side of a board; ``None``: only ``Board.MAX_SIDE`` applies."""

    def __init__(self, text: str, name: str = "text") -> None:
        require_type(text, str, name)
        self.text = text
        self.offset: int = 0

    def fail(self, code: str, offset: int | None = None, **values: errors.MessageValue) -> NoReturn:
        """Raise an error at *offset* or here; *code* names what was expected."""
        if offset is None:
            offset = self.offset
        raise NotationError(self.text, offset, reason(code, **values))

    def fail_choice(self, words: list[str], offset: int | None = None) -> NoReturn:
        """Raise the error that lists the expected words, at *offset* or here."""
        if len(words) == 1:
            self.fail("literal", offset, literal=words[0])
        self.fail("one-of", offset, words=errors.quoted(words))

    def run(self, pattern: re.Pattern[str]) -> str:
        """Read the match of *pattern* here, possibly an empty one."""
        match = pattern.match(self.text, self.offset)
        if match is None:
            return ""
        self.offset = match.end()
        return match.group()

    def blanks(self) -> str:
        """Skip blanks and return them."""
        return self.run(_BLANKS)

    def at_line_end(self) -> bool:
        """Skip blanks within the line and return whether it ends here."""
        self.run(_BLANKS_IN_LINE)
        return self.peek() in ("", "\n")

    def at_end(self) -> bool:
        """Return whether only blanks follow."""
        return not self.text[self.offset :].strip(WHITESPACE)

    def key(self, literal: str) -> None:
        """Skip at least one blank and read *literal*."""
        if not self.blanks():
            self.fail("blank-then", literal=literal)
        self.expect(literal)

    def word(self) -> str:
        """Read letters, digits, hyphens and underscores, possibly none, in lower case."""
        return self.run(_WORD).lower()

    def letters(self) -> str:
        """Read letters, possibly none, in lower case."""
        return self.run(_LETTERS).lower()

    def peek(self) -> str:
        """Return the next character, or an empty text at the end."""
        return self.text[self.offset : self.offset + 1]

    def take(self, literal: str) -> bool:
        """Read *literal* if it comes next, in any letter case; return whether it did."""
        piece = self.text[self.offset : self.offset + len(literal)]
        found = piece.isascii() and piece.lower() == literal
        if found:
            self.offset += len(literal)
        return found

    def expect(self, literal: str) -> None:
        """Read *literal*."""
        if not self.take(literal):
            self.fail("literal", literal=literal)

    def end(self) -> None:
        """Skip blanks and refuse anything after them."""
        self.blanks()
        if self.offset < len(self.text):
            self.fail("end")

    def number(self, code: str, lowest: int, highest: int = MAX_INTEGER) -> int:
        """Read a decimal whole number without sign or leading zero; *code* names it in errors."""
        start = self.offset
        digits = self.run(_DIGITS)
        has_zero = digits[:1] == "0" and digits != "0"
        # The length is checked first: a long text is refused before it is converted.
        is_short = 0 < len(digits) <= len(str(highest))
        if is_short and not has_zero and lowest <= int(digits) <= highest:
            return int(digits)
        wanted = reason(code)
        if highest != MAX_INTEGER:
            wanted = reason("range", what=wanted, lowest=lowest, highest=highest)
        if has_zero:
            wanted = reason("no-leading-zero", what=wanted)
        raise NotationError(self.text, start, wanted)

    def cell(self) -> Cell:
        """Read a cell: column letters, then the row."""
        start = self.offset
        letters = self.letters()
        if not letters:
            self.fail("cell")
        return self.cell_after(letters, start)

    def cell_after(self, letters: str, start: int) -> Cell:
        """Read the row of a cell whose column *letters*, read before, begin at *start*."""
        column = column_of(letters) if len(letters) <= len(LAST_COLUMN) else -1
        if not 0 <= column < Board.MAX_SIDE:
            self.fail("column", start, last=LAST_COLUMN)
        return Cell(column, self.number("row", 1, Board.MAX_SIDE) - 1)

    def require_length(self, max_characters: int) -> None:
        """Refuse a text beyond the limit."""
        if len(self.text) > max_characters:
            self.fail("limit-text", max_characters, max=max_characters)

    def require_size(self, width: int, height: int, offset: int) -> None:
        """Refuse a board with a side beyond the limit, which begins at *offset*."""
        max_side = self.max_side
        if max_side is not None and max(width, height) > max_side:
            self.fail("limit-side", offset, max=max_side)

    def bridge(self) -> Bridge:
        """Read a bridge: two cells with a dash between, in either order."""
        first = self.cell()
        self.expect("-")
        return Bridge(first, self.cell())


def scan_whole(text: str, scan: Callable[[Scanner], T]) -> T:
    """Return the value of a whole short text, ignoring blanks around it."""
    scanner = Scanner(text)
    scanner.require_length(MAX_TEXT)
    return _scan_to_end(scanner, scan)


def scan_limited(text: str, scan: Callable[[Scanner], T], limits: Limits | None) -> T:
    """Return the value of a whole text within limits, ignoring blanks around it."""
    return _scan_to_end(limited_scanner(text, "text", limits), scan)


def limited_scanner(text: str, name: str, limits: Limits | None) -> Scanner:
    """Return a scanner that refuses boards beyond the limits, unless the text is too long."""
    scanner = Scanner(text, name)
    limits = limits_or_default(limits)
    if limits.characters is not None:
        scanner.require_length(limits.characters)
    scanner.max_side = limits.side
    return scanner


def _scan_to_end(scanner: Scanner, scan: Callable[[Scanner], T]) -> T:
    scanner.blanks()
    found = scan(scanner)
    scanner.end()
    return found
