"""The package keeps the contracts on imports, and forbidden imports break them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

import pontedeldiavolo as pdd

PACKAGE = Path(pdd.__file__).parent
CONTRACTS = Path(__file__).parents[2] / "pyproject.toml"


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the contracts for the package in a folder."""
    code = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    return subprocess.run(
        [sys.executable, "-c", code, "--config", str(CONTRACTS), "--no-cache"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def copy(folder: Path) -> Path:
    ignored = shutil.ignore_patterns("*.pyc")
    return Path(shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=ignored))


def test_the_contracts_hold(tmp_path: Path) -> None:
    copy(tmp_path)
    found = lint(tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    assert " 0 broken" in click.unstyle(found.stdout)


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("board/cell.py", "import pontedeldiavolo.notation.actions\n", "down the layers"),
        ("svg/document.py", "def later():\n    import resvg_py\n", "need only attrs"),
    ],
)
def test_forbidden_imports_are_found(tmp_path: Path, module: str, line: str, contract: str) -> None:
    path = copy(tmp_path) / module
    path.write_text(f"{path.read_text('utf-8')}\n\n{line}", "utf-8")
    found = lint(tmp_path)
    assert found.returncode == 1, found.stdout + found.stderr
    plain = click.unstyle(found.stdout)  # with colours, if the environment asks for them
    broken = [text for text in plain.splitlines() if " BROKEN" in text]
    assert any(contract in text for text in broken), plain
