"""A folder is locked by one holder at a time, in threads and processes."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from pontedeldiavolo.base.folder_lock import LOCK_FILE, FolderLock, FolderLockError
from support.processes import run_python


def test_one_holder_at_a_time(tmp_path: Path) -> None:
    with FolderLock(tmp_path):
        assert (tmp_path / LOCK_FILE).exists()
        with pytest.raises(FolderLockError, match="locked") as caught:
            FolderLock(tmp_path)
        assert caught.value.is_in_use
        program = f"""
from pathlib import Path
from pontedeldiavolo.base.folder_lock import FolderLock, FolderLockError
try:
    FolderLock(Path({str(tmp_path)!r}), 0.1)
except FolderLockError as error:
    print(error.is_in_use)
"""
        assert run_python(program).stdout.strip() == "True"
    FolderLock(tmp_path).close()


def test_a_folder_without_locks_is_not_in_use(tmp_path: Path) -> None:
    with pytest.raises(FolderLockError) as caught:
        FolderLock(tmp_path / "none")
    assert not caught.value.is_in_use
    assert isinstance(caught.value.__cause__, sqlite3.Error)
    (tmp_path / LOCK_FILE).write_text("no lock at all" * 100, "utf-8")
    with pytest.raises(FolderLockError, match="not a database") as caught:
        FolderLock(tmp_path)
    assert not caught.value.is_in_use
