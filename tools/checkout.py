"""Check out an earlier commit, to compare it with the working tree."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]


def commit_of(name: str) -> str:
    """Return the abbreviated hash of a commit, given a name such as ``HEAD``."""
    git = (shutil.which("git") or "git", "-C", str(ROOT), "rev-parse", "--short=8", name)
    return subprocess.run(git, stdout=subprocess.PIPE, text=True, check=True).stdout.strip()


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """Check out a commit into a temporary folder, and yield its folder ``src``."""
    git = (shutil.which("git") or "git", "-C", str(ROOT), "worktree")
    with TemporaryDirectory(prefix="checkout-") as folder:
        subprocess.run([*git, "add", "--quiet", "--detach", folder, commit], check=True)
        try:
            yield Path(folder, "src")
        finally:
            subprocess.run([*git, "remove", "--force", folder], check=True)
