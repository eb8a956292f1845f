"""Commands of the pages, run in a shell."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd

COMMAND = re.compile(r"^\$ (.*<<'END'\n(?:.*\n)*?END|.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


def matches(pattern: str, text: str) -> bool:
    """Tell whether a text is as expected, where ``...`` stands for anything."""
    parts = map(re.escape, pattern.split("..."))
    return re.fullmatch(".*?".join(parts), text, re.DOTALL) is not None


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell that finds the command."""
    if sys.platform == "win32" or shutil.which("bash") is None:
        pytest.skip("the examples are for a Unix shell")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, arguments in (("pontedeldiavolo", " -m pontedeldiavolo"), ("python", "")):
        program = commands / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', "utf-8")
        program.chmod(0o755)
    package = str(Path(pdd.__file__).parents[1])
    places = os.pathsep.join([str(commands), os.environ["PATH"]])
    env = {**os.environ, "PATH": places, "PYTHONPATH": package, "LC_ALL": "C.UTF-8"}
    env["PYTHONIOENCODING"] = "utf-8"
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "NUMBA_DISABLE_JIT", "TTY_COMPATIBLE"):
        env.pop(name, None)
    return env


def run(block: str, folder: Path, env: dict[str, str]) -> None:
    """Run the commands of a block one after the other, and compare what they print."""
    status = 0
    for command, expected in COMMAND.findall(block):
        done = subprocess.run(
            [str(shutil.which("bash")), "-c", f"(exit {status})\n{command}"],
            check=False,
            cwd=folder,
            encoding="utf-8",
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=100,
        )
        # Older versions of click name the shorter of the two options.
        printed = done.stdout.rstrip("\n").replace(" -h' for help", " --help' for help")
        assert matches(expected.rstrip("\n"), printed), (command, done.stdout)
        status = done.returncode
