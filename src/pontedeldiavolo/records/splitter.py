"""Finding where one record ends and the next begins, without reading the actions."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from attrs import field, frozen

from pontedeldiavolo.checks import require_type

Place = tuple[int, int]
"""A line and a column, both from 1."""

_BYTE_ORDER_MARK = "\ufeff"
_TAGS = re.compile(r'(?:[ \t]*\[[ \t]*\w+[ \t]+"(?:[^"\\\n]|\\.)*"[ \t]*\])+')
_BRACE_COMMENT = re.compile(r"(?:[^}\\]|\\.|\\$)*", re.DOTALL)


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
    number, start = 1, 1
    pieces: list[str] = []
    has_actions = in_comment = False
    for line_number, line in enumerate(lines, 1):
        require_type(line, str, "a line of the file")
        text = line.removeprefix(_BYTE_ORDER_MARK) if line_number == 1 else line
        first = "" if in_comment else text.lstrip(" \t\r\n")[:1]
        if first == "[" and has_actions:
            yield Chunk(number, start, "".join(pieces))
            number, pieces, has_actions = number + 1, [], False
        if not pieces:
            if not first:
                continue
            start = line_number
        pieces.append(text)
        if in_comment or not text.startswith("%"):
            found, in_comment = _look_into(text, in_comment=in_comment)
            has_actions = has_actions or found
    if pieces:
        yield Chunk(number, start, "".join(pieces))


def _look_into(line: str, *, in_comment: bool) -> tuple[bool, bool]:
    """Tell whether a line has anything but tags and comments, and whether it ends in a comment."""
    offset, found = 0, False
    if not in_comment:
        tags = _TAGS.match(line)
        offset = tags.end() if tags else 0
        found = not tags and line.lstrip(" \t").startswith("[")
        if found:
            # A broken tag: it does not count as an action, and hides nothing.
            return False, False
    while offset < len(line):
        if in_comment:
            offset = _BRACE_COMMENT.match(line, offset).end() + 1  # type: ignore[union-attr]  # it matches anything
            in_comment = offset > len(line)
        elif line[offset] == "{":
            offset, in_comment = offset + 1, True
        elif line[offset] == ";":
            break
        else:
            found = found or line[offset] not in " \t\r\n"
            offset += 1
    return found, in_comment
