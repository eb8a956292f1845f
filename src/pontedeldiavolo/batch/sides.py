"""From whose side the rows of a batch are looked at."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.kernels.layout import Rows
from pontedeldiavolo.batch.members import NONE
from pontedeldiavolo.batch.row_error import RowError
from pontedeldiavolo.batch.whole_numbers import whole_numbers


def sides(color: Color | npt.ArrayLike | None, rows: Rows) -> npt.NDArray[np.int8]:
    """Return from whose side each row is looked at: one colour, one for each, or the mover's.

    Raises:
        TypeError: If they are neither a colour nor whole numbers.
        PonteError: If there is not one for each row, or one is neither 0 nor 1.
    """
    size = len(rows.phase)
    if color is None:
        return np.where(rows.to_move == NONE, Color.WHITE.index, rows.to_move).astype(np.int8)
    if isinstance(color, Color):
        return np.full(size, color.index, np.int8)
    found = whole_numbers(color, "color")
    if found.shape != (size,):
        raise PonteError(f"color must have shape ({size},), not {found.shape}")
    wrong = np.flatnonzero((found < 0) | (found > 1))
    if wrong.size:
        row = int(wrong[0])
        raise RowError(row, f"a colour is 0 or 1, not {found[row]}")
    return found.astype(np.int8)
