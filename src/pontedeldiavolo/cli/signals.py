"""Signals that end a command: Ctrl-C, a closed terminal, and a request to end.

A command begins, runs and ends. While it begins, it has nothing to clean up, so that a signal ends
the process at once. While it runs, a signal raises an exception, so that the command can keep what
is finished and close what is open. While it ends, signals change nothing.
"""

from __future__ import annotations

import _thread
import atexit
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from types import FrameType
from typing import Final

from pontedeldiavolo._start import end_at_once

NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
"""The signals that end a command, as far as the system has them."""
INTERRUPTED: Final = 128 + signal.SIGINT
"""The exit status of a command that Ctrl-C has interrupted: 130."""
QUIET_SECONDS: Final = 2.0
"""The time after a signal in which further ones change nothing, because a command cleans up."""
RETRY_SECONDS: Final = 0.02
"""The time after which a signal is sent again that came at a bad moment."""


class Phase(Enum):
    """The phases of a command."""

    BEGINNING = auto()
    RUNNING = auto()
    ENDING = auto()


class _Ends:
    """The phase of the command of this process, and the last signal.

    Attributes:
        phase: The phase.
        quiet_until: The time until which signals change nothing.
        imports: The number of imports in progress when the command began.
        last: The last signal that raised an exception; ``None`` if there was none.
    """

    def __init__(self) -> None:
        self.phase = Phase.BEGINNING
        self.quiet_until = 0.0
        self.imports = 0
        self.last: int | None = None

    def handle(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal.

        Raises:
            KeyboardInterrupt: After Ctrl-C, while a command runs.
            SystemExit: After another signal, while a command runs.
        """
        if self.phase is Phase.BEGINNING:
            end_at_once(number, frame)
        now = time.monotonic()
        if now < self.quiet_until:
            return
        if self.phase is Phase.ENDING:
            # The cleanup takes too long, and another signal has arrived.
            end_at_once(number, frame)
        if is_importing(frame):
            send_again(number)
            return
        self.quiet_until = now + QUIET_SECONDS
        self.last = number
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        raise SystemExit(128 + number)

    def end(self) -> None:
        """Enter the last phase, in which the command has finished and only cleans up."""
        if self.phase is not Phase.ENDING:
            self.phase = Phase.ENDING
            self.quiet_until = time.monotonic() + QUIET_SECONDS


_ends = _Ends()


def begin() -> None:
    """Handle signals from now on, except those that are ignored, as with ``nohup``."""
    _ends.phase = Phase.BEGINNING
    _ends.imports = _count_imports(sys._getframe())
    # Only the main thread may change handlers.
    is_main = threading.current_thread() is threading.main_thread()
    for name in NAMES if is_main else ():
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _ends.handle)
            # Registered first, this is called last, just before Python removes the signal handlers.
            atexit.register(signal.signal, number, signal.SIG_IGN)
    sys.unraisablehook = _on_unraisable


@contextmanager
def running() -> Iterator[None]:
    """Raise exceptions for signals within a block, and ignore signals after it."""
    _ends.phase = Phase.RUNNING
    try:
        yield
    finally:
        _ends.end()


@contextmanager
def handled_by(handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Let another function handle the signals within a block, except those that are ignored."""
    # This module is loaded before all others: with them, the command would begin too late.
    from pontedeldiavolo.players.interrupts import handlers_replaced  # noqa: PLC0415 - see above

    # Only the main thread may change handlers.
    is_main = threading.current_thread() is threading.main_thread()
    numbers = [getattr(signal, name) for name in NAMES if hasattr(signal, name)]
    heard = [each for each in numbers if signal.getsignal(each) not in (signal.SIG_IGN, None)]
    with handlers_replaced(heard if is_main else (), handler):
        yield


def end() -> None:
    """Ignore signals from now on, so that they do not interrupt the end of the process."""
    _ends.end()


def is_importing(frame: FrameType | None) -> bool:
    """Return whether the command is importing a module.

    Imports in progress when the command began do not count: ``python -m`` may run in one.
    Third-party modules catch all exceptions during imports, or turn them into others.
    """
    return _count_imports(frame) > _ends.imports


def _count_imports(frame: FrameType | None) -> int:
    count = 0
    while frame is not None:
        count += frame.f_code.co_filename.startswith("<frozen importlib")
        frame = frame.f_back
    return count


def send_again(number: int) -> None:
    """Send a signal to the main thread again, a moment later."""
    _thread.start_new_thread(_send, (number,))


def _send(number: int) -> None:  # pragma: no cover - tracers do not see such threads
    time.sleep(RETRY_SECONDS)
    main = threading.main_thread().ident
    if sys.platform != "win32" and main is not None:
        # Unlike a flag, a signal also ends a wait of the main thread.
        signal.pthread_kill(main, number)
    else:
        _thread.interrupt_main(signal.Signals(number))


def _on_unraisable(problem: sys.UnraisableHookArgs) -> None:
    """Handle exceptions in destructors and callbacks, which Python only reports.

    If a signal raised one there, the signal is sent again.
    """
    number = _raised_by(problem.exc_value)
    if number is not None:
        _ends.quiet_until = 0.0
        send_again(number)
    else:
        sys.__unraisablehook__(problem)


def _raised_by(error: BaseException | None) -> int | None:
    """Return the signal that raised an exception; ``None`` if none did."""
    if isinstance(error, KeyboardInterrupt):
        return signal.SIGINT
    if _ends.last is not None and isinstance(error, SystemExit) and error.code == 128 + _ends.last:
        return _ends.last
    return None
