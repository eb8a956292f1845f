"""Things that are no plain int but count as whole numbers."""

from __future__ import annotations

from enum import IntEnum


class Three:
    """Something that is no int but counts as one."""

    def __index__(self) -> int:
        return 3


class Small(IntEnum):
    """Numbers that are a kind of int."""

    TWO = 2
