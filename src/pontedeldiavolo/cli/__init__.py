"""The command line, ``pontedeldiavolo``.

It needs the extra ``cli``. This module does not: it can always be imported, and :func:`run`
reports the missing extra.
"""

from __future__ import annotations

import errno
import os
import signal
import sys
from contextlib import suppress
from importlib.util import find_spec
from io import BytesIO, StringIO, TextIOWrapper

from pontedeldiavolo._version import __version__
from pontedeldiavolo.base.install import PLACE, install_command

from . import signals

MAX_DIGITS = 4
"""The number of digits of the largest terminal."""
MISSING = f"pontedeldiavolo: the command line needs more: {install_command('cli')}{PLACE}"


def run() -> None:
    """Run the command line with the arguments of this process, and exit.

    If the reader closes the output early, the process is killed by SIGPIPE, like other programs, on
    systems that have this signal.

    Raises:
        SystemExit: Always: with 0 for success; 1 if the input is wrong; 2 if the arguments are
            wrong, a file cannot be read or written, or the extra is missing; 130 if Ctrl-C has
            interrupted the command, and 129 or 143 if another signal has.
    """
    signals.begin()
    try:
        _run()
    finally:
        signals.end()


def _run() -> None:
    """Run the command line.

    Raises:
        SystemExit: Always.
    """
    _tolerate_unencodable()
    _forget_odd_sizes()
    try:
        # The version needs neither an extra nor the time for importing it.
        if sys.argv[1:] not in (["--version"], ["-V"]):
            if not all(map(find_spec, ("click", "rich"))):
                sys.stderr.write(f"{MISSING}\n")
                sys.exit(2)
            from .main import main  # noqa: PLC0415 - click may be missing

            sys.exit(main(prog_name="pontedeldiavolo"))
        sys.stdout.write(f"pontedeldiavolo, version {__version__}\n")
        sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as error:
        # The commands, and newer versions of rich, exit on a broken pipe.
        if BrokenPipeError not in map(type, (error, error.__context__)):
            raise
        # End silently, like programs that leave the signal to the system.
        if hasattr(signal, "SIGPIPE"):
            signal.signal(signal.SIGPIPE, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGPIPE)
        raise SystemExit(1) from None
    except OSError as error:
        # The commands handle errors of most files; without a file name, the output has failed.
        name = error.filename or "standard output"
        # Standard error may be on the full disk, too.
        with suppress(OSError):
            sys.stderr.write(f"Error: {name}: {error.strerror or error}\n")
            sys.stderr.flush()
        raise SystemExit(2) from None
    raise SystemExit(0)


def _forget_odd_sizes() -> None:
    """Remove sizes of the terminal from the environment that are not positive numbers."""
    for name in ("COLUMNS", "LINES"):
        size = os.environ.get(name, "")
        is_number = size.isascii() and size.isdecimal() and len(size) <= MAX_DIGITS
        if not is_number or int(size) == 0:
            os.environ.pop(name, None)


class _Closed(StringIO):
    """A stand-in for a standard output that was closed when the process started."""

    def write(self, _text: str, /) -> int:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))


def _tolerate_unencodable() -> None:
    """Replace closed standard streams, and make the others replace unencodable characters."""
    sys.stdin = sys.stdin or TextIOWrapper(BytesIO())
    sys.stdout = sys.stdout or _Closed()
    # If standard error is closed too, nothing can be reported.
    sys.stderr = sys.stderr or StringIO()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A character that the terminal cannot encode should not end the program.
            stream.reconfigure(errors="replace")
