"""Counters that several threads share: the tasks of a pool, and the lock of a search tree.

Between reading a number, adding to it and writing it back, another thread may change it. Compiled,
each of these functions is one atomic instruction, and a thread that sees its result also sees
everything that the writing thread wrote before. Not compiled, threads take turns in the
interpreter, and the functions of this file run.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from . import vectors
from .jit import compiled_as

Counters = npt.NDArray[np.int64]


@compiled_as(vectors.atomic_load)
def atomic_load(counters: Counters, at: int) -> int:
    """Return a number."""
    return int(counters[at])


@compiled_as(vectors.atomic_store)
def atomic_store(counters: Counters, at: int, value: int) -> None:
    """Set a number."""
    counters[at] = value


@compiled_as(vectors.fetch_add)
def fetch_add(counters: Counters, at: int, more: int) -> int:
    """Add to a number, and return the number before."""
    before = atomic_load(counters, at)
    counters[at] += more
    return before


@compiled_as(vectors.fetch_min)
def fetch_min(counters: Counters, at: int, limit: int) -> int:
    """Lower a number to at most *limit*, and return the number before."""
    before = atomic_load(counters, at)
    counters[at] = min(before, limit)
    return before


@compiled_as(vectors.pause)
def pause() -> None:
    """Wait for a moment."""


@compiled_as(vectors.give_way)
def give_way() -> None:
    """Let another thread have this processor."""
