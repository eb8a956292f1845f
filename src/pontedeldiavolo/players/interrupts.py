"""Ctrl-C while other processes start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread


@contextmanager
def held_interrupts() -> Iterator[None]:
    """Hold Ctrl-C back until the end of a block that starts a process.

    An interrupt in the middle of such a block would leave a process that nobody knows and ends.
    Python calls the handlers of signals in the main thread only, so other threads need nothing.
    """
    before = signal.getsignal(signal.SIGINT)
    if current_thread() is not main_thread() or not callable(before):
        yield
        return
    received: list[int] = []

    def note(number: int, _frame: object) -> None:
        received.append(number)

    signal.signal(signal.SIGINT, note)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if received:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def uninterrupted_children() -> Iterator[None]:
    """Let the processes that a block starts never receive Ctrl-C.

    The terminal sends Ctrl-C to all processes of a command, also to those that are starting and
    cannot handle it yet: Python itself would print a traceback. A mask of signals, or what takes
    its place on Windows, is inherited; this process gets the signal after the block.
    """
    with held_interrupts(), _inherited_refusal():
        yield


@contextmanager
def _inherited_refusal() -> Iterator[None]:
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - needed on Windows only

        # Its first argument is a handler, or null for the flag that children inherit.
        set_handler = ctypes.windll.kernel32.SetConsoleCtrlHandler
        set_handler(None, 1)
        try:
            yield
        finally:
            set_handler(None, 0)
    else:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
