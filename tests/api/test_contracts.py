"""The contracts on imports hold, and each of them fails where an arrow is turned round."""

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
    """Hold the package that lies in a folder against the contracts."""
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
    return Path(
        shutil.copytree(PACKAGE, folder / PACKAGE.name, ignore=shutil.ignore_patterns("*.pyc"))
    )


def test_the_contracts_hold(tmp_path: Path) -> None:
    copy(tmp_path)
    found = lint(tmp_path)
    assert found.returncode == 0, found.stdout + found.stderr
    assert " 0 broken" in click.unstyle(found.stdout)


TURNED = [
    ("board/cell.py", "import pontedeldiavolo.notation.cells\n", "down the floors"),
    ("errors.py", "import pontedeldiavolo.rules.violations\n", "down the floors"),
    (
        "board/bridge.py",
        "def later():\n    from pontedeldiavolo.state.state import GameState\n",
        "down the floors",
    ),
    (
        "position/pieces.py",
        "import typing\nif typing.TYPE_CHECKING:\n    import pontedeldiavolo.position.position\n",
        "No circle within a folder",
    ),
    (
        "state/sequences.py",
        "def later():\n    from pontedeldiavolo.state.state import GameState\n",
        "No circle within a folder",
    ),
    ("notation/cells.py", "from pontedeldiavolo import __version__\n", "the front door"),
    ("state/perft.py", "import numpy\n", "The core needs attrs alone"),
    ("svg/document.py", "import pontedeldiavolo.raster.still\n", "down the floors"),
    ("svg/document.py", "import resvg_py\n", "The core needs attrs alone"),
    ("raster/still.py", "import numpy\n", "Pixels need Pillow and resvg-py alone"),
    ("players/player.py", "import pontedeldiavolo.adapters.shared.table\n", "down the floors"),
    ("batch/engine.py", "import gymnasium\n", "Frameworks are for adapters alone"),
    ("adapters/shared/table.py", "import rich\n", "Frameworks need no shell around them"),
    ("cli/show.py", "import PIL.Image\n", "The command line itself needs click and rich alone"),
]
"""Where an import is added, which, and what the broken contract is called."""


@pytest.mark.parametrize(("module", "line", "contract"), TURNED)
def test_a_turned_arrow_breaks_its_contract(
    tmp_path: Path, module: str, line: str, contract: str
) -> None:
    path = copy(tmp_path) / module
    path.write_text(f"{path.read_text('utf-8')}\n\n{line}", "utf-8")
    found = lint(tmp_path)
    assert found.returncode == 1, found.stdout + found.stderr
    plain = click.unstyle(found.stdout)  # coloured, where the environment asks for it
    broken = [text for text in plain.splitlines() if text.endswith(" BROKEN")]
    assert any(contract in text for text in broken), found.stdout
