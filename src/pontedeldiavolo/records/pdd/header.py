"""The tags of a record, for readers who do not need its actions."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.base.checks import require_list
from pontedeldiavolo.base.errors import RecordError
from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.game.limits import Faults
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.chunk import WHITE_SPACE, Chunk
from pontedeldiavolo.records.pdd.parser import parse_record


@final
@frozen(order=False)
class Header(ImmutableValue):
    """A record of which only the tags have been read.

    In a file of bytes that can seek, a reader that begins at :attr:`offset` reads this record
    first. UTF-16 and UTF-32 are the exception: only the start of a file tells that it is in them.

    Attributes:
        tags: All its tags as they stand, Rules, Start, Result and Termination among them.
    """

    tags: FrozenMapping[str]
    _chunk: Chunk

    @property
    def number(self) -> int:
        """Which game of its file it is, from 1."""
        return self._chunk.number

    @property
    def line(self) -> int:
        """The line of the file on which it begins, from 1."""
        return self._chunk.line

    @property
    def end_line(self) -> int:
        """The line of the file on which it ends: the last one that is not empty."""
        return self.line + self.text.removesuffix("\n").count("\n")

    @property
    def offset(self) -> int:
        """Where in its source it begins: in bytes if that is of bytes, else in characters.

        In an open file of bytes it is what ``seek`` takes. Everywhere else it is counted from
        where reading began.
        """
        return self._chunk.start

    @property
    def text(self) -> str:
        """The whole record as it stands, without the empty lines around it.

        Its lines end with a line feed, whatever they end with in the source, and it has no byte
        order marks.
        """
        text = self._chunk.text
        end = text.find("\n", len(text.rstrip(WHITE_SPACE)))
        return text if end < 0 else text[: end + 1]

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: Where to put what is wrong, to leave it out and read on; ``None`` raises it.

        Raises:
            RecordError: If it cannot be read.
        """
        require_list(errors, "errors")
        return parse_record(self._chunk, Faults.of(errors, self._chunk.limits))
