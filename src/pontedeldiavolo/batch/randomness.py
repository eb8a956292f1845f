"""Random numbers for many games: seeds and weights."""

from __future__ import annotations

from hashlib import sha256
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.base.checks import whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.batch.whole_numbers import as_array

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


def weights_of(weights: npt.ArrayLike | None, shape: tuple[int, int]) -> npt.NDArray[np.float64]:
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
