"""How the kernels of this package are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba import config

UNCOMPILED: bool = bool(config.DISABLE_JIT)  # type: ignore[attr-defined]  # Numba makes its settings when it is imported
"""Whether nothing is compiled: ``NUMBA_DISABLE_JIT=1`` leaves functions as what they are."""

SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "_nrt": False}
"""What all functions have in common.

Arrays belong to callers, and compiled code makes none, so nobody need count who has them. Numba's
counting took a quarter of a pool's step, and threads that count the same arrays wait for one
another.
"""

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile *function* with Numba on its first call, and keep the code for later processes.

    Compiled functions run without the interpreter's lock. They make no arrays, nor other objects
    that Numba would have to free.
    """
    # What Numba returns is called like the function itself.
    return cast(F, numba.njit(cache=True, **SETTINGS)(function))


def inlined(function: F) -> F:
    """Put the lines of *function* in place of every call, and compile them there alone.

    Left to LLVM, it would be compiled for itself as well: all that a program needs took twice as
    long to compile, and was no faster.
    """
    return cast(F, numba.njit(inline="always", **SETTINGS)(function))


def wrapping(function: F) -> F:
    """Compile *function*, whose numbers run over: on purpose, and compiled code does not mind."""
    return np.errstate(over="ignore")(function) if UNCOMPILED else compiled(function)
