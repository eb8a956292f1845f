"""Bounds for the log: no client can fill it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pkgutil import iter_modules
from threading import Lock
from time import monotonic
from typing import Final, final

from pontedeldiavolo import web
from pontedeldiavolo.web import http

MAX_RECORDS: Final = 5
"""The number of records of one kind that the log takes in a period."""
SECONDS: Final = 60.0
"""The length of a period."""
OWN: Final = tuple(
    f"{package.__name__}.{module.name}"
    for package in (web, http)
    for module in iter_modules(package.__path__)
)
LOGGERS: Final = ("uvicorn.error", "asyncio", *OWN)
"""The loggers whose records a client can cause: each module of the site has its own."""


@final
class RepeatFilter(logging.Filter):
    """A filter that lets only some records of one kind pass in each period.

    Records are of one kind if the same line of code writes them with the same type of exception.
    """

    def __init__(self, max_records: int = MAX_RECORDS, seconds: float = SECONDS) -> None:
        super().__init__()
        self._max_records = max_records
        self._seconds = seconds
        self._lock = Lock()
        self._periods: dict[object, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether a record passes; a note says what was left out."""
        error = record.exc_info[0] if record.exc_info else None
        kind = (record.pathname, record.lineno, error)
        now = monotonic()
        with self._lock:
            began, count = self._periods.get(kind, (now, 0))
            left_out = 0
            if now - began >= self._seconds:
                left_out = max(0, count - self._max_records)
                began = now
                count = 0
            self._periods[kind] = (began, count + 1)
        notes = []
        if left_out:
            notes.append(f"{left_out:,} more like this were left out before.")
        if count + 1 == self._max_records:
            notes.append("More like this are left out until this minute is over.")
        if notes:
            record.msg = " ".join([record.getMessage(), *notes])
            record.args = ()
        return count < self._max_records


@contextmanager
def bounded_log() -> Iterator[None]:
    """Bound the log while a server runs."""
    repeats = RepeatFilter()
    loggers = [logging.getLogger(name) for name in LOGGERS]
    for logger in loggers:
        logger.addFilter(repeats)
    try:
        yield
    finally:
        for logger in loggers:
            logger.removeFilter(repeats)
