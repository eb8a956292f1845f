"""Saying why a step of one game of many was refused, once compiled code has found it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.members import NONE
from pontedeldiavolo.batch.row_error import RowError


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
