"""Finding where one record ends and the next begins, without reading the actions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import final

from pontedeldiavolo.base.encoding import BYTE_ORDER_MARK
from pontedeldiavolo.records.chunk import WHITE_SPACE, Chunk, match_end
from pontedeldiavolo.records.lines import Lines, whole_lines

_TAGS = re.compile(r'(?:[ \t]*\[[ \t]*\w+[ \t]+"(?:[^"\\\n]++|\\.)*+"[ \t]*\])+')
_OUTSIDE = re.compile(r"[^{;]*")
_BRACE_COMMENT = re.compile(r"(?:[^}\\]++|\\.|\\$)*+", re.DOTALL)


def chunks(lines: Lines) -> Iterator[Chunk]:
    """Split a stream of lines into records: a tag after actions begins a new one."""
    draft = _OpenRecord(1, lines)
    for whole in whole_lines(lines):
        line = draft.without_mark(whole)
        if draft.ends_before(line):
            yield draft.chunk(at_line_end=True)
            draft = _OpenRecord(draft.number + 1, lines)
        draft.add(lines, line, lines.offset + lines.size(whole[: len(whole) - len(line)]))
    if draft.pieces:
        yield draft.chunk(at_line_end=lines.at_line_end)


@final
class _OpenRecord:
    """The lines of a record so far."""

    def __init__(self, number: int, lines: Lines) -> None:
        self.number = number
        self.limits = lines.limits
        self.room = lines.bearable
        self.line = self.start = 0
        self.pieces: list[str] = []
        self.has_actions = False
        self.in_comment = False
        self.after_empty = False

    def without_mark(self, line: str) -> str:
        """Return a line without a byte order mark where a record may begin.

        Files that are put together have one in front of each.
        """
        if not line.startswith(BYTE_ORDER_MARK):
            return line
        bare = line.lstrip(BYTE_ORDER_MARK)
        may_begin = not self.pieces or self.ends_before(bare)
        # A tag, or an empty line.
        is_plain = not self.in_comment and bare.lstrip(WHITE_SPACE)[:1] in ("[", "")
        return bare if may_begin or is_plain else line

    def ends_before(self, line: str) -> bool:
        """Tell whether *line* begins another record.

        A comment that is never closed does not swallow what follows: an empty line and then a
        tag end it.
        """
        if self.in_comment:
            return self.after_empty and _TAGS.fullmatch(line.rstrip(WHITE_SPACE)) is not None
        return self.has_actions and line.lstrip(WHITE_SPACE)[:1] == "["

    def add(self, lines: Lines, line: str, start: int) -> None:
        """Add a line, but nothing empty before the first and nothing beyond the longest record."""
        self.after_empty = not line.strip(WHITE_SPACE)
        if not self.pieces:
            if self.after_empty:
                return
            self.line, self.start = lines.number, start
        else:
            self._end_line()
        if self.in_comment or not line.startswith("%"):
            found, self.in_comment = _look_into(line, in_comment=self.in_comment)
            self.has_actions = self.has_actions or found
        if self.room:
            self.pieces.append(line[: self.room])
            self.room -= len(self.pieces[-1])

    def _end_line(self) -> None:
        """Add the end of the last line, which lines of an iterable may come without."""
        if not self.pieces[-1].endswith("\n"):
            self.pieces[-1] += "\n"

    def chunk(self, *, at_line_end: bool) -> Chunk:
        """Return the record's text, which may have had a line end in the file."""
        if at_line_end:
            self._end_line()
        text = "".join(self.pieces)
        return Chunk(self.number, self.line, 1, text, self.limits, self.start)


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Tell whether a line has anything but tags and comments, and whether it ends in a comment."""
    offset, found = 0, False
    if not in_comment:
        tags = _TAGS.match(line)
        if tags:
            offset = tags.end()
        elif line.lstrip(WHITE_SPACE).startswith("["):
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
