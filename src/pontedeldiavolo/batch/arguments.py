"""Checks of arguments: whole numbers, seeds, weights, colours and arrays to write to."""

from __future__ import annotations

from hashlib import sha256
from typing import SupportsIndex, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import require_type, whole_number
from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.errors import RowError
from pontedeldiavolo.batch.rows import NONE, Rows

MAX_GAMES = 1 << 31
"""No batch has more rows."""


def game_count(size: SupportsIndex) -> int:
    """Return how many games there are to be.

    Raises:
        TypeError: If *size* is not a whole number.
        PonteError: If it is negative or above 2**31.
    """
    number = whole_number(size, "size")
    if not 0 <= number <= MAX_GAMES:
        raise PonteError(f"size must be from 0 to {MAX_GAMES}, not {number}")
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


_BITS = 64


def random_seed(seed: SupportsIndex) -> np.uint64:
    """Return a beginning of random numbers for compiled code.

    Raises:
        TypeError: If *seed* is not a whole number.
        PonteError: If it is negative.
    """
    number = whole_number(seed, "seed")
    if number < 0:
        raise PonteError(f"seed must not be negative: {number}")
    if number >= 1 << _BITS:
        written = number.to_bytes((number.bit_length() + 7) // 8, "little")
        number = int.from_bytes(sha256(written).digest()[: _BITS // 8], "little")
    return np.uint64(number)


def as_weights(weights: npt.ArrayLike | None, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
    """Return weights for compiled code: none at all if there are none.

    Raises:
        TypeError: If they are not real numbers.
        PonteError: If they are not of that shape.
    """
    if weights is None:
        return np.empty((0, 0), np.float64)
    given = as_array(weights, "weights")
    if given.dtype.kind not in "biuf":
        first = next(given.flat, None) if given.dtype == np.object_ else None
        kind = given.dtype if first is None else type(first).__name__
        raise TypeError(f"weights must be real numbers, not {kind}")
    if given.shape != shape:
        raise PonteError(f"weights must have shape {shape}, not {given.shape}")
    # What is too large becomes infinite, and is refused if it matters.
    with np.errstate(over="ignore"):
        return np.ascontiguousarray(given, np.float64)


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
