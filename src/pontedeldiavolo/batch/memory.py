"""Memory that begins where compiled code, and libraries for networks, want arrays to begin."""

from __future__ import annotations

from math import prod
from typing import TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T", bound=np.generic)

ALIGNMENT = 64
"""A line of the processor's cache, and what libraries take without a copy begins at a multiple."""


def aligned(shape: tuple[int, ...], dtype: type[T] | np.dtype[T]) -> npt.NDArray[T]:
    """Return an array of zeros that begins at a multiple of the alignment."""
    size = prod(shape) * np.dtype(dtype).itemsize
    memory = np.zeros(size + ALIGNMENT, np.uint8)
    begin = -memory.ctypes.data % ALIGNMENT
    return memory[begin : begin + size].view(dtype).reshape(shape)
