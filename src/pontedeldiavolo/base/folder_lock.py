"""The lock of a folder: between threads, and between processes."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Final, Self, final

LOCK_FILE: Final = ".lock"
"""The name of the file that holds the lock of its folder."""


@final
class FolderLockError(OSError):
    """A folder cannot be locked.

    Attributes:
        is_in_use: True if another process holds the lock; false if the folder does not support
            locks, as on some network file systems, or is read-only.
    """

    def __init__(self, problem: str, *, is_in_use: bool) -> None:
        super().__init__(problem)
        self.is_in_use: bool = is_in_use


@final
class FolderLock:
    """The lock of a folder, held until it is closed or its process ends.

    It is a lock of SQLite: the only one in the standard library that works on every system, between
    threads and between processes, and that is released when its process ends. Browsers have no
    SQLite, so they cannot import this module.

    Args:
        folder: The folder.
        seconds: The time to wait while another process holds the lock.

    Raises:
        FolderLockError: If the folder cannot be locked.
    """

    def __init__(self, folder: Path, seconds: float = 0.0) -> None:
        connection: sqlite3.Connection | None = None
        try:
            file = folder / LOCK_FILE
            connection = sqlite3.connect(file, timeout=seconds, isolation_level=None)
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            # Only errors of SQLite itself have a number.
            is_in_use = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            raise FolderLockError(str(error), is_in_use=is_in_use) from error
        self._connection = connection

    def close(self) -> None:
        """Release the lock."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
