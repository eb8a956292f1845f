"""Programs in interpreters of their own."""

from __future__ import annotations

import subprocess
import sys


def run_python(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter of its own, in which a warning is an error."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )
