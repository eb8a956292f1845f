"""The command line, ``pontedeldiavolo``.

It needs the extra ``cli``. This module does not: it can always be imported, and :func:`run`
reports the missing extra.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from collections.abc import Callable
from io import BytesIO, StringIO, TextIOWrapper
from typing import NoReturn, TextIO

from pontedeldiavolo._version import __version__

MISSING = "pontedeldiavolo: the command line needs more: pip install 'pontedeldiavolo[cli]'"


def run() -> None:
    """Run the command line with the arguments of this process, and exit.

    If the reader closes the output early, the process is killed by SIGPIPE, like other programs, on
    systems that have this signal.

    Raises:
        SystemExit: Always: with 0 for success; 1 if the input is wrong, or on an interrupt; 2 if
            the arguments are wrong, a file cannot be read or written, or the extra is missing.
    """
    _tolerate_unencodable()
    try:
        # The version needs neither an extra nor the time for importing it.
        if sys.argv[1:] not in (["--version"], ["-V"]):
            _run_command()
        sys.stdout.write(f"pontedeldiavolo, version {__version__}\n")
        sys.stdout.flush()
        raise SystemExit(0)
    except BrokenPipeError:
        _end_with_the_pipe()
    except OSError as error:
        # The commands handle errors of most files; without a file name, the output has failed.
        name = error.filename or "standard output"
        sys.stderr.write(f"Error: {name}: {error.strerror or error}\n")
        raise SystemExit(2) from None


def _run_command() -> NoReturn:
    # Imported here, because the extra may be missing.
    try:
        import click  # noqa: F401, PLC0415
        import rich  # noqa: F401, PLC0415
    except ImportError:
        sys.stderr.write(f"{MISSING}\n")
        raise SystemExit(2) from None
    from .main import main  # noqa: PLC0415 - needs click
    from .messages import OutputClosed  # noqa: PLC0415 - needs click

    try:
        raise SystemExit(main(prog_name="pontedeldiavolo"))
    except OutputClosed as error:
        raise BrokenPipeError from error


class _Closed(StringIO):
    """A stand-in for a standard output that was closed when the process started."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _tolerate_unencodable() -> None:
    """Replace closed standard streams, and make the others replace unencodable characters."""
    instead: dict[str, Callable[[], TextIO]] = {
        "stdin": lambda: TextIOWrapper(BytesIO()),
        "stdout": _Closed,
        # If standard error is closed too, nothing can be reported.
        "stderr": StringIO,
    }
    for name, make in instead.items():
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, make())
        elif isinstance(stream, TextIOWrapper) and stream.writable():
            # A character that the terminal cannot encode should not end the program.
            stream.reconfigure(errors="replace")


def _end_with_the_pipe() -> NoReturn:
    """End silently with SIGPIPE, like programs with the default handling of broken pipes."""
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGPIPE)
    raise SystemExit(1)
