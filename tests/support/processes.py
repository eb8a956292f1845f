"""Run programs in other processes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from support.paths import ROOT

PATIENCE = 60.0
"""The maximum seconds in which a server must start or answer."""


@contextmanager
def serving(
    command: list[str], beside: Path, environment: Mapping[str, str]
) -> Iterator[tuple[str, subprocess.Popen[bytes]]]:
    """Run a server; yield its address and its process, and finally kill it.

    Args:
        command: The command that starts it.
        beside: The place of its games; its output is written to files beside it.
        environment: Additional environment variables; a warning is an error.
    """
    log = beside.with_name(f"{beside.name}-{time.monotonic_ns()}.log")
    with log.open("wb") as file:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **environment, "PYTHONWARNINGS": "error"},
            stdout=file,
            stderr=file,
        )
        try:
            yield _address(process, log), process
        finally:
            process.kill()
            process.wait()
    # Unless a test expects an error, the server must write none.
    assert "Traceback" not in log.read_text("utf-8")


def _address(process: subprocess.Popen[bytes], log: Path) -> str:
    deadline = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < deadline:
        found = re.search(r"(http://127\.0\.0\.1:\d+)/?\s", log.read_text("utf-8"))
        if found:
            return found[1]
        time.sleep(0.02)
    raise AssertionError(f"the server does not run: {log.read_text('utf-8')}")


def run_python(program: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a program in a new interpreter, in which warnings are errors."""
    command = [sys.executable, "-W", "error", "-c", program]
    env = {**os.environ, **environment}
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def members(group: int) -> list[str]:
    """Return the command lines of the running processes of a process group."""
    found = list[str]()
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            stat = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
            words = (folder / "cmdline").read_text("utf-8")
        except OSError:
            # The process has ended in the meantime.
            continue
        if int(stat[2]) == group and stat[0] != "Z":
            found.append(f"{folder.name} {words}".replace("\0", " "))
    return found


def is_soon(check: Callable[[], bool], seconds: float = 10.0) -> bool:
    """Return whether a condition becomes true within a few seconds."""
    deadline = time.monotonic() + seconds
    while not check() and time.monotonic() < deadline:
        time.sleep(0.02)
    return check()
