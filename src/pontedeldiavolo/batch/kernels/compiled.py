"""How the kernels of this package are compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba

F = TypeVar("F", bound=Callable[..., object])


def compiled(function: F) -> F:
    """Compile *function* with Numba on its first call, and keep the code for later processes.

    Compiled functions run without the interpreter's lock. ``NUMBA_DISABLE_JIT=1`` leaves them as
    the Python functions that they are.
    """
    # What Numba returns is called like the function itself.
    return cast(F, numba.njit(cache=True, nogil=True, error_model="numpy")(function))
