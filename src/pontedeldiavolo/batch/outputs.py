"""Arrays that results are written to: new ones, or those that callers keep for it."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError

T = TypeVar("T", bound=np.generic)


def output(
    out: npt.NDArray[T] | None, shape: tuple[int, ...], dtype: np.dtype[T]
) -> npt.NDArray[T]:
    """Return *out*, or a new array where there is none.

    Raises:
        TypeError: If it is not an array.
        PonteError: If it is of another shape or type, or not to be written to in one piece.
    """
    if out is None:
        return np.empty(shape, dtype)
    require_type(out, np.ndarray, "out")
    if out.shape != shape:
        raise PonteError(f"out must have shape {shape}, not {out.shape}")
    if out.dtype != dtype:
        raise PonteError(f"out must be of type {dtype}, not {out.dtype}")
    if not out.flags.carray:
        raise PonteError("out must be writeable, aligned and without gaps, row after row")
    return out
