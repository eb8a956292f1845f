"""The command line: replay, show, moves, perft, play, validate, convert and stats.

It needs the extra ``cli``. This module does not: it can always be imported, and :func:`run`
says what is missing.
"""

from __future__ import annotations

import sys
from io import StringIO, TextIOWrapper

MISSING = "pontedeldiavolo: the command line needs more: pip install 'pontedeldiavolo[cli]'"


def run() -> None:
    """Run the command line with the arguments of this process, and exit.

    Raises:
        SystemExit: Always, with 0 for success; 1 if what was asked about is wrong, or on an
            interrupt; 2 if it could not be asked or read, or the extra is not installed.
    """
    for name in ("stdin", "stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # A process can be started with a standard stream closed.
            setattr(sys, name, StringIO())
        elif isinstance(stream, TextIOWrapper) and stream.writable():
            # A name that the terminal cannot write is no reason to stop.
            stream.reconfigure(errors="replace")
    # Only here: the extra that they come with may be missing.
    try:
        import click  # noqa: F401, PLC0415
        import rich  # noqa: F401, PLC0415
    except ImportError:
        sys.stderr.write(f"{MISSING}\n")
        raise SystemExit(2) from None
    from pontedeldiavolo.cli.main import main  # noqa: PLC0415

    try:
        main(prog_name="pontedeldiavolo")
    except OSError as error:
        # The commands look after the files that they read and write: this is the output itself.
        sys.stderr.write(f"Error: standard output: {error.strerror}\n")
        raise SystemExit(2) from None
