"""The tags of a record, for readers who do not need its actions."""

from __future__ import annotations

from typing import final

from attrs import frozen

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.base.sealed import Sealed
from pontedeldiavolo.checks import require_list
from pontedeldiavolo.errors import RecordError
from pontedeldiavolo.records.bounds import Faults
from pontedeldiavolo.records.chunk import Chunk
from pontedeldiavolo.records.pdd.parser import parse_record
from pontedeldiavolo.records.record import Record


@final
@frozen(order=False)
class Header(Sealed):
    """A record of which only the tags have been read.

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

    def record(self, errors: list[RecordError] | None = None) -> Record:
        """Return the whole record.

        Args:
            errors: Where to put what is wrong, to leave it out and read on; ``None`` raises it.

        Raises:
            RecordError: If it cannot be read.
        """
        require_list(errors, "errors")
        return parse_record(self._chunk, Faults.of(errors, self._chunk.limits))
