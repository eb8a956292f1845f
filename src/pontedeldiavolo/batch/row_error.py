"""The error of one row of a batch."""

from __future__ import annotations

from collections.abc import Mapping
from typing import final

from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason, reason_of
from pontedeldiavolo.base.values import FinalClass


@final
class RowError(PonteError, FinalClass):
    """What was given for one game of many cannot be used.

    Attributes:
        row: For which.
        problem: Why, in English.
    """

    __module__ = "pontedeldiavolo.batch"

    def __init__(self, row: int, problem: str) -> None:
        self.row: int = row
        self.problem: str = problem
        super().__init__(row, problem)

    @property
    def reason(self) -> Reason:
        """Why it was raised, without the row."""
        return reason_of(self.problem)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """What a sentence about it needs, ``row`` included."""
        return self.reason.values | {"row": self.row}

    def __str__(self) -> str:
        return f"row {self.row}: {self.problem}"
