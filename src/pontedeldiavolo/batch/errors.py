"""Errors about one row of a batch."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NoReturn, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.errors import MessageValue, PonteError, Reason, reason_of
from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.rows import NONE


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


def first_refused(rows: Iterable[int]) -> int:
    """Return the first row that one part of the rows has found, or -1."""
    return min((row for row in rows if row != NONE), default=NONE)


def require_codes(codes: npt.NDArray[np.int64], over: npt.NDArray[np.bool_], count: int) -> None:
    """Require that all games that go on were given one of *count* codes.

    Raises:
        RowError: If one was not.
    """
    wrong = np.flatnonzero(~over & ((codes < 0) | (codes >= count)))
    if wrong.size:
        row = int(wrong[0])
        raise RowError(row, f"code {codes[row]} is outside 0 to {count - 1}")


def refuse_weights(row: int) -> NoReturn:
    """Say that the weights of a row are not to be drawn by.

    Raises:
        RowError: Always.
    """
    raise RowError(
        row, "the weights of legal steps must be 0 or more, with a finite sum that is not 0"
    )
