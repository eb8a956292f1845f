"""Warnings that a compilation takes time, or that its result cannot be kept.

They are log records of the level WARNING. If a program has not set up logging, Python writes them
to standard error, be that a terminal or a file. A program that wants none of them raises the level
of the logger; the environment variable :data:`QUIET` does the same for commands.
"""

from __future__ import annotations

import os
from functools import cache
from importlib.resources import files
from json import loads
from logging import getLogger
from multiprocessing import parent_process
from pathlib import Path
from time import time
from typing import Final

LOGGER: Final = getLogger("pontedeldiavolo.batch")
QUIET: Final = "PONTEDELDIAVOLO_QUIET"
"""The environment variable that turns the announcement off, if it is neither empty nor 0."""
SAME_RUN_SECONDS: Final = 600.0
"""The time for which a mark of a run is valid: later, its number may be that of another run."""

WARNED: set[str] = set()
"""The warnings of this process so far. Each of them is given once."""
PROBLEMS: list[str] = []
"""The sentences of this process about code that cannot be kept."""


@cache
def compile_seconds() -> int:
    """Return the processor time that all kernels together take to compile.

    ``python -m tools.compilation --write`` measures it.
    """
    found = loads((files(__package__) / "compilation.json").read_text("utf-8"))
    return int(found["processor_seconds"])


def warn_once(text: str) -> None:
    """Warn, unless this process has given the same warning before."""
    if text not in WARNED:
        WARNED.add(text)
        LOGGER.warning("pontedeldiavolo: %s", text)


def warn_not_kept(problem: str) -> None:
    """Warn that compiled code cannot be kept, for example because a disk is full."""
    text = (
        f"compiled code cannot be kept ({problem}), so each process compiles it:"
        " NUMBA_CACHE_DIR can name another folder"
    )
    PROBLEMS.append(text)
    warn_once(text)


def announce_compilation(folder: Path | None) -> None:
    """Announce that a compilation begins: once for a process and its worker processes.

    Args:
        folder: The folder in which the code will be kept, if there is one.
    """
    kept = "" if folder is None else f" The code is kept in {folder} for later processes."
    text = (
        "compiling rules and searches for this computer; all of them together take about"
        f" {compile_seconds()} seconds of processor time.{kept}"
        " 'pontedeldiavolo warm-up' compiles in advance."
    )
    is_quiet = os.environ.get(QUIET, "0") not in ("", "0")
    if is_quiet or text in WARNED:
        return
    if folder is not None and not _is_first_of_run(folder):
        WARNED.add(text)
    warn_once(text)


def _is_first_of_run(folder: Path) -> bool:
    """Return whether this process is the first of its run that compiles.

    Worker processes share only the folder with their main process. There, an empty
    file with the number of the main process marks that its run has announced the compilation.
    """
    parent = parent_process()
    mark = folder / f"announced-{os.getpid() if parent is None else parent.pid}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for each in folder.glob("announced-*"):
            age = time() - each.stat().st_mtime
            if age > SAME_RUN_SECONDS or (parent is None and each == mark):
                each.unlink(missing_ok=True)
        # If several workers arrive here at the same time, one of them creates the file.
        mark.open("x").close()
    except OSError:
        # Path.exists() would raise an error in a folder that may not be entered.
        return not os.path.exists(mark)  # noqa: PTH110 - pathlib raises on some errors
    return True
