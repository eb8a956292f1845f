"""Numbers that several threads count with at once.

Here is what they mean, on one thread, for when nothing is compiled. Compiled,
:mod:`~pontedeldiavolo.batch.kernels.atomic` has the same names.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED

__all__ = ["Counters", "advance", "lower", "pause", "read", "write"]

Counters = npt.NDArray[np.int64]


def read(counters: Counters, at: int) -> int:
    """Return a number."""
    return int(counters[at])


def write(counters: Counters, at: int, value: int) -> None:
    """Set a number."""
    counters[at] = value


def advance(counters: Counters, at: int, more: int) -> int:
    """Add to a number, and return what it was before."""
    before = read(counters, at)
    counters[at] += more
    return before


def lower(counters: Counters, at: int, most: int) -> int:
    """Make a number no greater than another, and return what it was before."""
    before = read(counters, at)
    counters[at] = min(before, most)
    return before


def pause() -> None:
    """Wait for a moment."""


if not JIT_DISABLED:
    _atomic = import_module(f"{__package__}.atomic")
    globals().update({name: getattr(_atomic, name) for name in __all__[1:]})
