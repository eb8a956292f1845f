"""Signals while other processes start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

_HELD: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The signals for which programs have handlers that raise exceptions."""


@contextmanager
def held_signals() -> Iterator[None]:
    """Hold the handlers of signals back until the end of a block that starts a process.

    An exception in the middle of such a block would leave a process that nobody knows and ends.
    Python calls handlers in the main thread only, so other threads need nothing.
    """
    if current_thread() is not main_thread():
        yield
        return
    received: list[int] = []

    def note(number: int, _frame: object) -> None:
        received.append(number)

    before = dict[int, Callable[[int, FrameType | None], object]]()
    for name in _HELD:
        number = getattr(signal, name, None)
        handler = None if number is None else signal.getsignal(number)
        if number is not None and callable(handler):
            before[number] = handler
            signal.signal(number, note)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        # The first one may raise an exception.
        for number in received[:1]:
            signal.raise_signal(number)


@contextmanager
def uninterrupted_children() -> Iterator[None]:
    """Let the processes that a block starts never receive Ctrl-C.

    The terminal sends Ctrl-C to all processes of a command, also to those that are starting and
    cannot handle it yet: Python itself would print a traceback. A mask of signals, or what takes
    its place on Windows, is inherited; this process gets the signal after the block.
    """
    with held_signals(), _inherited_refusal():
        yield


@contextmanager
def _inherited_refusal() -> Iterator[None]:
    if sys.platform == "win32":  # pragma: no cover - other systems have masks of signals
        import ctypes  # noqa: PLC0415 - needed on Windows only

        # Its first argument is a handler, or null for the flag that children inherit.
        set_handler = ctypes.windll.kernel32.SetConsoleCtrlHandler
        set_handler(None, 1)
        try:
            yield
        finally:
            set_handler(None, 0)
    else:
        from multiprocessing import resource_tracker  # noqa: PLC0415 - not needed on Windows

        # The first process starts the tracker of shared resources, which changes the mask.
        resource_tracker.ensure_running()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
