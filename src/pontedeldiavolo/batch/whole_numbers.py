"""Checking arrays of whole numbers that callers hand in."""

from __future__ import annotations

from typing import cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.checks import whole_number
from pontedeldiavolo.errors import PonteError


def as_array(values: npt.ArrayLike, name: str) -> npt.NDArray[np.generic]:
    """Return *values* as an array.

    Raises:
        PonteError: If they have no shape: lists of different lengths, for instance.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise PonteError(f"{name} must be an array: {error}") from None


def whole_numbers(values: npt.ArrayLike, name: str) -> npt.NDArray[np.integer]:
    """Return *values* as an array of whole numbers.

    Raises:
        TypeError: If they are none.
        PonteError: If they have no shape, or one does not fit into 64 bits.
    """
    found = as_array(values, name)
    if found.size == 0:
        return found.astype(np.int64)
    if found.dtype.kind == "O":
        # What NumPy has no type for may still be whole numbers: too large ones.
        for value in found.ravel().tolist():
            try:
                number = whole_number(value, name)
            except TypeError:
                kind = type(value).__name__
                raise TypeError(f"{name} must be whole numbers, not {kind}") from None
            if not -(1 << 63) <= number < 1 << 63:
                raise PonteError(f"{name} are out of all proportion: {number}")
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, not {found.dtype}")
    return cast(npt.NDArray[np.integer], found)
