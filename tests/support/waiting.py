"""Wait for what other threads and processes do, and set the time."""

from __future__ import annotations

import time
from collections.abc import Callable

from attrs import define

from support.processes import PATIENCE


def assert_soon(is_true: Callable[[], bool]) -> None:
    """Wait until a condition is true; fail if it never is."""
    deadline = time.monotonic() + PATIENCE
    while not is_true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


@define
class SettableClock:
    """A monotonic clock that stands still until a test sets it."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now
