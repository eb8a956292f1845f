"""Finding where one record ends and the next begins, without reading the actions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import cast

from attrs import field, frozen

from pontedeldiavolo.checks import require_type

Place = tuple[int, int]
"""A line and a column, both from 1."""

MAX_RECORD = 1_000_000
"""How many characters a record has at most: a stream never takes more memory than that."""

BLANKS = " \t\r\n"
_BYTE_ORDER_MARK = "\ufeff"
_TAGS = re.compile(r'(?:[ \t]*\[[ \t]*\w+[ \t]+"(?:[^"\\\n]++|\\.)*+"[ \t]*\])+')
_OUTSIDE = re.compile(r"[^{;]*")
_BRACE_COMMENT = re.compile(r"(?:[^}\\]++|\\.|\\$)*+", re.DOTALL)


@frozen
class Chunk:
    """The text of one record, and where it stands in its file."""

    number: int
    line: int
    text: str
    _line_ends: list[int] = field(init=False, eq=False, repr=False)

    @_line_ends.default
    def _find_line_ends(self) -> list[int]:
        return [found.start() for found in re.finditer("\n", self.text)]

    def place(self, offset: int) -> Place:
        """Return the line and column of a character."""
        before = bisect_left(self._line_ends, offset)
        start = self._line_ends[before - 1] + 1 if before else 0
        return (self.line + before, offset - start + 1)


def chunks(lines: Iterable[str]) -> Iterator[Chunk]:
    """Split a stream of lines into records: a tag after actions begins a new one.

    Raises:
        TypeError: If it is not a stream of lines.
    """
    if isinstance(lines, str):
        raise TypeError("a text file is needed, not a string: use loads")
    return _split(lines)


def _split(lines: Iterable[str]) -> Iterator[Chunk]:
    draft = _Draft(1)
    for line_number, line in enumerate(lines, 1):
        require_type(line, str, "a line of the file")
        text = line.removeprefix(_BYTE_ORDER_MARK) if line_number == 1 else line
        if draft.ends_before(text):
            yield draft.chunk()
            draft = _Draft(draft.number + 1)
        draft.add(line_number, text)
    if draft.pieces:
        yield draft.chunk()


class _Draft:
    """The lines of a record so far."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.line = 0
        self.pieces: list[str] = []
        self.size = 0
        self.has_actions = False
        self.in_comment = False
        self.after_empty = False

    def ends_before(self, line: str) -> bool:
        """Tell whether *line* begins another record.

        A comment that is never closed does not swallow what follows: an empty line and then a
        tag end it.
        """
        if self.in_comment:
            return self.after_empty and _TAGS.fullmatch(line.rstrip(BLANKS)) is not None
        return self.has_actions and line.lstrip(BLANKS)[:1] == "["

    def add(self, number: int, line: str) -> None:
        """Add a line, but nothing empty before the first and nothing beyond the longest record."""
        self.after_empty = not line.strip(BLANKS)
        if not self.pieces:
            if self.after_empty:
                return
            self.line = number
        elif not self.pieces[-1].endswith("\n"):
            self.pieces[-1] += "\n"
        if self.in_comment or not line.startswith("%"):
            found, self.in_comment = _look_into(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or found
        if self.size <= MAX_RECORD:
            self.pieces.append(line[: MAX_RECORD + 1 - self.size])
            self.size += len(self.pieces[-1])

    def chunk(self) -> Chunk:
        """Return the record's text."""
        return Chunk(self.number, self.line, "".join(self.pieces))


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Tell whether a line has anything but tags and comments, and whether it ends in a comment."""
    offset, found = 0, False
    if not in_comment:
        tags = _TAGS.match(line)
        if tags:
            offset = tags.end()
        elif line.lstrip(BLANKS).startswith("["):
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


def match_end(pattern: re.Pattern[str], text: str, offset: int) -> int:
    """Return where the match of a pattern that always matches ends."""
    return cast(re.Match[str], pattern.match(text, offset)).end()
