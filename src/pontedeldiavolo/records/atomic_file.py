"""Atomic file writes: a file is written completely, or not at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISREG
from time import sleep
from typing import Final, TextIO

RETRY_SECONDS: Final = (0.01, 0.05, 0.2)
"""The delays between attempts to replace a file that is being read, which Windows refuses."""

_TEMPORARY: Final = re.compile(r"\.[0-9a-f]{16}\.tmp")
"""The names of temporary files."""


@contextmanager
def atomic_write(
    path: str | os.PathLike[str], *, exclusive: bool = False, may_be_empty: bool = True
) -> Iterator[TextIO]:
    """Open a temporary file that replaces the file at *path* when it is complete.

    A replaced file keeps its permissions. The content is flushed to disk before it gets its name,
    and the temporary file is removed if anything fails.

    Args:
        path: The path of the file. A symbolic link is followed.
        exclusive: Whether to refuse to replace an existing file.
        may_be_empty: Whether to keep a file to which nothing was written.

    Raises:
        OSError: If it cannot be written, or would replace something that may not be replaced.
    """
    target = Path(os.path.realpath(path))
    _is_replaceable(target, exclusive=exclusive)
    temporary = new_temporary_path(target.parent)
    file = temporary.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            yield file
        # The content is flushed to disk before it gets its name, or a power cut could leave it
        # empty. The file is opened again because the caller may have closed it.
        with temporary.open("rb+") as written:
            os.fsync(written.fileno())
        if not may_be_empty and not temporary.stat().st_size:
            return
        if _is_replaceable(target, exclusive=exclusive):
            temporary.chmod(S_IMODE(target.stat().st_mode))
        _replace(temporary, target)
        sync_folder(target.parent)
    finally:
        temporary.unlink(missing_ok=True)


def new_temporary_path(folder: Path) -> Path:
    """Return a path in a folder for a temporary file that :func:`remove_temporary_files` finds."""
    return folder / f".{token_hex(8)}.tmp"


def remove_temporary_files(folder: Path) -> None:
    """Remove the temporary files that killed processes have left in a folder.

    No other process may write to the folder at the time. A file that cannot be removed stays.
    """
    for path in folder.glob(".*.tmp"):
        if _TEMPORARY.fullmatch(path.name):
            with suppress(OSError):
                path.unlink()


def _replace(temporary: Path, target: Path) -> None:
    """Rename a file to its target, and retry while the target is being read."""
    for seconds in RETRY_SECONDS:
        with suppress(PermissionError):
            temporary.replace(target)
            return
        sleep(seconds)
    temporary.replace(target)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk, if the platform can open folders."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _is_replaceable(path: Path, *, exclusive: bool) -> bool:
    """Return whether a file is at *path*; refuse one that may not be replaced."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if exclusive:
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    if not S_ISREG(mode):
        raise FileExistsError(EEXIST, "Not a file that could be replaced", str(path))
    return True
