"""Checking whole numbers, and arrays of them, that callers hand in."""

from __future__ import annotations

from typing import SupportsIndex, cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import whole_number
from pontedeldiavolo.base.errors import PonteError

MOST_GAMES = 1 << 31
"""No batch has more rows."""


def game_count(size: SupportsIndex) -> int:
    """Return how many games there are to be.

    Raises:
        TypeError: If *size* is not a whole number.
        PonteError: If it is negative or above 2**31.
    """
    number = whole_number(size, "size")
    if not 0 <= number <= MOST_GAMES:
        raise PonteError(f"size must be from 0 to {MOST_GAMES}, not {number}")
    return number


def as_array(values: npt.ArrayLike, name: str) -> npt.NDArray[np.generic]:
    """Return *values* as an array.

    Raises:
        PonteError: If they have no shape: lists of different lengths, for instance.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise PonteError(f"{name} must be an array: {error}") from None


def row_numbers(rows: npt.ArrayLike, size: int) -> npt.NDArray[np.intp]:
    """Return the numbers, from 0, of some of *size* rows.

    Args:
        rows: Shape (m,): whole numbers, negative ones from the end; or (n,) of bool.
        size: How many there are.

    Raises:
        TypeError: If they are neither whole numbers nor bool.
        PonteError: If they are not of that shape, or a row does not exist.
    """
    wanted = as_array(rows, "rows")
    if wanted.dtype == np.bool_:
        if wanted.shape != (size,):
            raise PonteError(f"marks must have shape ({size},), not {wanted.shape}")
        return np.flatnonzero(wanted)
    wanted = whole_numbers(rows, "rows")
    if wanted.ndim != 1:
        raise PonteError(f"rows must have one dimension, not {wanted.ndim}")
    outside = wanted[(wanted < -size) | (wanted >= size)]
    if outside.size:
        raise PonteError(f"there is no row {outside[0]} in a batch of {size}")
    found = wanted.astype(np.intp)
    found[found < 0] += size
    return found


def whole_numbers(values: npt.ArrayLike, name: str) -> npt.NDArray[np.integer]:
    """Return *values* as an array of whole numbers.

    Raises:
        TypeError: If they are none.
        PonteError: If they have no shape, or one does not fit into 64 bits.
    """
    if type(values) is np.ndarray and values.dtype.kind in "iu":
        return values
    # NumPy would take them for 0 and 1 among other numbers.
    if isinstance(values, list | tuple) and not {bool, np.bool_}.isdisjoint(map(type, values)):
        raise TypeError(f"{name} must be whole numbers, not bool")
    found = as_array(values, name)
    if found.size == 0:
        return found.astype(np.int64)
    if found.dtype.kind == "f" and not isinstance(values, np.ndarray):
        # NumPy makes real numbers of a list where one of its whole numbers is large.
        found = np.asarray(values, np.object_)
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


def codes_for(steps: npt.ArrayLike, size: int, name: str) -> npt.NDArray[np.int64]:
    """Return a code for each of many games, for compiled code.

    Raises:
        TypeError: If they are not whole numbers.
        PonteError: If they are not of that shape, or one does not fit into 64 bits.
    """
    codes = whole_numbers(steps, name)
    if codes.shape != (size,):
        raise PonteError(f"{name} must have shape ({size},), not {codes.shape}")
    if codes.dtype.kind == "u" and codes.max(initial=0) >= 1 << 63:
        raise PonteError(f"{name} are out of all proportion: {codes.max()}")
    # A copy: they are looked at twice, and callers may change theirs.
    return codes.astype(np.int64, order="C")
