"""Writing a file atomically: it is complete, or not there at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path
from secrets import token_hex
from stat import S_IMODE, S_ISREG
from time import sleep
from typing import Final, TextIO

RETRY_SECONDS: Final = (0.01, 0.05, 0.2)
"""The times between tries to replace a file that is being read, which Windows refuses."""


@contextmanager
def atomic_write(
    path: str | os.PathLike[str], *, exclusive: bool = False, may_be_empty: bool = True
) -> Iterator[TextIO]:
    """Open a temporary file that replaces the file at *path* when it is complete.

    A replaced file keeps its permissions. The content is on the disk before it gets its name,
    and the temporary file is removed if anything fails.

    Args:
        path: Where it goes. A symbolic link is followed.
        exclusive: Whether nothing may be there to be replaced.
        may_be_empty: Whether a file in which nothing was written gets its name as well.

    Raises:
        OSError: If it cannot be written, or something is there that must stay.
    """
    target = Path(os.path.realpath(path))
    _is_replaceable(target, exclusive=exclusive)
    temporary = target.with_name(f".{token_hex(8)}.tmp")
    file = temporary.open("x", encoding="utf-8", newline="\n")
    try:
        with file:
            yield file
        # Written to the disk before it gets its name, or a power cut could leave it empty. The
        # caller may have closed the file already.
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


def _replace(temporary: Path, target: Path) -> None:
    """Give a file its name, once nobody reads the one that has it."""
    for seconds in RETRY_SECONDS:
        try:
            temporary.replace(target)
        except PermissionError:
            sleep(seconds)
        else:
            return
    temporary.replace(target)


def sync_folder(folder: Path) -> None:
    """Write a folder's names to the disk, where the platform can open a folder."""
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _is_replaceable(path: Path, *, exclusive: bool) -> bool:
    """Return whether a file is at *path*; refuse one that must stay."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return False
    if exclusive:
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    if not S_ISREG(mode):
        raise FileExistsError(EEXIST, "Not a file that could be replaced", str(path))
    return True
