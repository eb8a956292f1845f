"""Signals while other processes start."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType
from typing import Final

_HELD: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The signals for which programs have handlers that raise exceptions."""


@contextmanager
def held_signals() -> Iterator[None]:
    """Hold the handlers of signals back until the end of a block that starts a process.

    An exception in the middle of such a block would leave a process that nothing would ever end.
    Python calls handlers in the main thread only, so other threads need nothing.
    """
    if current_thread() is not main_thread():
        yield
        return
    received: list[int] = []

    def note(number: int, _frame: object) -> None:
        received.append(number)

    numbers = [getattr(signal, name) for name in _HELD if hasattr(signal, name)]
    held = [number for number in numbers if callable(signal.getsignal(number))]
    try:
        with handlers_replaced(held, note):
            yield
    finally:
        # The first one may raise an exception.
        for number in received[:1]:
            signal.raise_signal(number)


@contextmanager
def handlers_replaced(
    numbers: Iterable[int], handler: Callable[[int, FrameType | None], object]
) -> Iterator[None]:
    """Let a function handle signals within a block in the main thread.

    After the block the earlier handlers are back, even if a signal raises an exception while the
    handlers are exchanged.
    """
    # Windows has no masks of signals.
    mask = getattr(signal, "pthread_sigmask", None)
    mask_before = None if mask is None else mask(signal.SIG_BLOCK, [])
    before = {number: signal.getsignal(number) for number in numbers}
    try:
        for number in before:
            signal.signal(number, handler)
        yield
    finally:
        try:
            if mask is not None:
                # An exception of one handler would keep the others from coming back.
                mask(signal.SIG_BLOCK, before)
        finally:
            try:
                for number, earlier in before.items():
                    signal.signal(number, earlier)
            finally:
                if mask is not None:
                    mask(signal.SIG_SETMASK, mask_before)


@contextmanager
def uninterrupted_children() -> Iterator[None]:
    """Let the processes that a block starts never receive Ctrl-C.

    The terminal sends Ctrl-C to all processes of a command, including those that are starting and
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
