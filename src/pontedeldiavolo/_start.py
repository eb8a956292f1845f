"""Ctrl-C while the command ``pontedeldiavolo`` is being imported.

The imports take a fraction of a second. Ctrl-C would print a traceback of Python meanwhile. So
the package imports this module before anything else. In other programs it changes nothing.
"""

import os
import sys


def is_command() -> bool:
    """Return whether this process is the command, as a script or as ``-m pontedeldiavolo``."""
    words = sys.orig_argv
    if sys.argv[:1] == ["-m"]:
        return "-m" in words and words[words.index("-m") + 1 :][:1] == [__package__]
    name = os.path.basename(sys.argv[0]) if sys.argv else ""  # noqa: PTH119 - pathlib is slow
    return name.partition(".")[0].removesuffix("-script") == __package__


def end_at_once(number: int, _frame: object) -> None:
    """End the process, with the status that shells give to a process ended by a signal."""
    os._exit(128 + number)  # pragma: no cover - coverage ends with the process


if is_command():  # pragma: no cover - in processes of the command
    # Imported here: the module takes time, and other programs do not need it.
    import signal

    # Shells start background jobs with Ctrl-C ignored: that stays.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)
