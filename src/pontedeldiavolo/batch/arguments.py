"""Checks of arguments: whole numbers, seeds, weights, colours, codes and arrays to write to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from typing import SupportsIndex, TypeVar, cast, final

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.errors import (
    MessageValue,
    PonteError,
    Reason,
    reason,
    reason_of,
    require_type,
    whole_number,
)

from .rows import NONE, Rows

T = TypeVar("T", bound=np.generic)

MAX_GAMES = 1 << 31
"""No batch has more rows."""
SEED_BITS = 64


@final
class RowError(PonteError):
    """An argument does not fit one game of a batch.

    Attributes:
        row: The number of the game.
        problem: The reason, in English.

    >>> games = pdd.batch.GameBatch.initial(size=3)
    >>> try:
    ...     games.step([0, 679, 1])
    ... except pdd.batch.RowError as error:
    ...     print(error.row, error.problem, sep=": ")
    1: code 679 is outside 0 to 678
    """

    __module__ = "pontedeldiavolo.batch"

    def __init__(self, row: int, problem: str | Reason) -> None:
        why = reason_of(problem, "problem")
        self.row: int = whole_number(row, "row")
        self.problem: str = str(problem)
        super().__init__(self.row, why)

    @property
    def values(self) -> Mapping[str, MessageValue]:
        """The values of its message, including ``row``."""
        return self.reason.values | {"row": self.row}

    def __str__(self) -> str:
        return f"row {self.row}: {self.problem}"


# Numbers


def number_between(value: SupportsIndex, name: str, minimum: int, maximum: int) -> int:
    """Return a whole number from *minimum* to *maximum*.

    Raises:
        PonteError: If it is out of range.
    """
    number = whole_number(value, name)
    if not minimum <= number <= maximum:
        raise PonteError(f"{name} must be from {minimum} to {maximum}, not {number}")
    return number


def thread_count(threads: SupportsIndex) -> int:
    """Return a number of threads.

    Raises:
        PonteError: If it is not positive.
    """
    found = whole_number(threads, "threads")
    if found < 1:
        raise PonteError(f"threads must be positive: {found}")
    return found


def random_seed(seed: SupportsIndex) -> np.uint64:
    """Return a seed for compiled code; one of more than 64 bits is hashed.

    Raises:
        PonteError: If *seed* is negative.
    """
    number = whole_number(seed, "seed")
    if number < 0:
        raise PonteError(f"seed must not be negative: {number}")
    if number >= 1 << SEED_BITS:
        written = number.to_bytes((number.bit_length() + 7) // 8, "little")
        number = int.from_bytes(sha256(written).digest()[: SEED_BITS // 8], "little")
    return np.uint64(number)


# Arrays


def as_array(values: npt.ArrayLike, name: str) -> npt.NDArray[np.generic]:
    """Return *values* as an array.

    Raises:
        PonteError: If they cannot form an array, for example lists of different lengths.
    """
    try:
        return np.asarray(values)
    except ValueError as error:
        raise PonteError(f"{name} must be an array: {error}") from None


def require_shape(array: npt.NDArray[np.generic], shape: tuple[int, ...], name: str) -> None:
    """Refuse an array of another shape.

    Raises:
        PonteError: If the shape differs.
    """
    if array.shape != shape:
        raise PonteError(f"{name} must have shape {shape}, not {array.shape}")


def whole_numbers(values: npt.ArrayLike, name: str) -> npt.NDArray[np.integer]:
    """Return *values* as an array of whole numbers.

    Raises:
        PonteError: If they cannot form an array, or a number does not fit into 64 bits.
    """
    if type(values) is np.ndarray and values.dtype.kind in "iu":
        return values
    # In a list with other numbers, NumPy would convert truth values to 0 and 1.
    if isinstance(values, list | tuple) and not {bool, np.bool_}.isdisjoint(map(type, values)):
        raise TypeError(f"{name} must be whole numbers, not bool")
    found = as_array(values, name)
    if found.size == 0:
        return found.astype(np.int64)
    if found.dtype.kind == "f" and not isinstance(values, np.ndarray):
        # NumPy converts a list of whole numbers to floats if one of them is large.
        found = np.asarray(values, np.object_)
    if found.dtype.kind == "O":
        # An array of objects may still hold whole numbers that are too large for NumPy's types.
        for value in found.ravel().tolist():
            try:
                number = whole_number(value, name)
            except TypeError:
                wrong = f"{name} must be whole numbers, not {type(value).__name__}"
                raise TypeError(wrong) from None
            if not -(1 << 63) <= number < 1 << 63:
                raise PonteError(f"{name} must fit into 64 bits: {number}")
        return found.astype(np.int64)
    if found.dtype.kind not in "iu":
        raise TypeError(f"{name} must be whole numbers, not {found.dtype}")
    return cast(npt.NDArray[np.integer], found)


def row_numbers(rows: npt.ArrayLike, size: int) -> npt.NDArray[np.intp]:
    """Return the indices of the rows that a caller selects from *size* rows.

    Args:
        rows: Shape (m,): whole numbers, negative ones from the end; or (n,) of bool.
        size: The number of all rows.

    Raises:
        PonteError: If they are not of that shape, or a row does not exist.
    """
    wanted = as_array(rows, "rows")
    if wanted.dtype == np.bool_:
        require_shape(wanted, (size,), "marks")
        return np.flatnonzero(wanted)
    # A copy: the array is read twice, and the caller may change its own in between.
    wanted = whole_numbers(rows, "rows").copy()
    if wanted.ndim != 1:
        raise PonteError(f"rows must have one dimension, not {wanted.ndim}")
    outside = wanted[(wanted < -size) | (wanted >= size)]
    if outside.size:
        raise PonteError(f"there is no row {outside[0]} in a batch of {size}")
    found = wanted.astype(np.intp)
    found[found < 0] += size
    return found


def codes_for(steps: npt.ArrayLike, size: int, name: str) -> npt.NDArray[np.int64]:
    """Return a code for each of *size* games, as an array for compiled code.

    Raises:
        PonteError: If they are not of that shape, or one does not fit into 64 bits.
    """
    codes = whole_numbers(steps, name)
    require_shape(codes, (size,), name)
    if codes.dtype.kind == "u" and codes.max(initial=0) >= 1 << 63:
        raise PonteError(f"{name} must fit into 64 bits: {codes.max()}")
    # A copy: the array is read twice, and the caller may change its own in between.
    return codes.astype(np.int64, order="C")


def require_codes(codes: npt.NDArray[np.integer], count: int) -> None:
    """Require that every code is in the range of a space of *count* steps.

    Raises:
        RowError: If one is out of range.
    """
    row = row_outside(codes, count)
    if row != NONE:
        raise RowError(row, reason("code-out-of-range", number=int(codes[row]), highest=count - 1))


def row_outside(numbers: npt.NDArray[np.integer], count: int) -> int:
    """Return the first row whose number is not from 0 to *count* - 1; -1 if there is none."""
    wrong = np.flatnonzero((numbers < 0) | (numbers >= count))
    return int(wrong[0]) if wrong.size else NONE


def real_numbers(
    values: npt.ArrayLike, shape: tuple[int, ...], dtype: type[T], name: str
) -> npt.NDArray[T]:
    """Return *values* as real numbers for compiled code: the caller's own array if it fits.

    Raises:
        PonteError: If they are not of that shape.
    """
    given = as_array(values, name)
    if given.dtype.kind not in "biuf":
        first = next(given.flat, None) if given.dtype == np.object_ else None
        kind = given.dtype if first is None else type(first).__name__
        raise TypeError(f"{name} must be real numbers, not {kind}")
    require_shape(given, shape, name)
    # A number that is too large becomes infinite, and is refused where it matters. Numba would
    # compile everything once more for arrays that are read-only.
    with np.errstate(over="ignore"):
        return np.require(given, dtype, ["C", "W"])


def require_weights(refused: Iterable[int]) -> None:
    """Raise an error for the first row whose weights cannot be sampled from.

    Args:
        refused: The first such row of each part of the rows, or -1.

    Raises:
        RowError: For the first such row of all.
    """
    row = first_row(refused)
    if row != NONE:
        problem = "the weights of legal steps must be 0 or more, with a finite sum that is not 0"
        raise RowError(row, problem)


def first_row(rows: Iterable[int]) -> int:
    """Return the lowest row number, ignoring -1; -1 if no other number is given."""
    return min((row for row in rows if row != NONE), default=NONE)


def observers(color: Color | npt.ArrayLike | None, rows: Rows) -> npt.NDArray[np.int8]:
    """Return the colour whose view each row shows, by default the colour to move.

    Raises:
        PonteError: If there is not one for each row, or one is neither 0 nor 1.
    """
    size = len(rows.phase)
    if color is None:
        return np.where(rows.to_move == NONE, Color.WHITE.index, rows.to_move).astype(np.int8)
    if isinstance(color, Color):
        return np.full(size, color.index, np.int8)
    # A copy for the same reason as in row_numbers().
    found = whole_numbers(color, "color").copy()
    require_shape(found, (size,), "color")
    row = row_outside(found, len(Color))
    if row != NONE:
        raise RowError(row, f"a colour is 0 or 1, not {found[row]}")
    return found.astype(np.int8)


def output(
    out: npt.NDArray[T] | None, shape: tuple[int, ...], dtype: np.dtype[T]
) -> npt.NDArray[T]:
    """Return *out*, or a new array if it is ``None``.

    Raises:
        PonteError: If it is of another shape or type, read-only or not contiguous.
    """
    if out is None:
        return np.empty(shape, dtype)
    require_type(out, np.ndarray, "out")
    require_shape(out, shape, "out")
    if out.dtype != dtype:
        raise PonteError(f"out must be of type {dtype}, not {out.dtype}")
    if not out.flags.carray:
        raise PonteError("out must be writeable, aligned and without gaps, row after row")
    return out
