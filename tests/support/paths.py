"""Folders of the repository, and the functions of the examples."""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

import pontedeldiavolo as pdd

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
STORED = DATA / "compatibility" / "0.1.0"
"""The files of this version that later versions must read."""
SOURCE = Path(pdd.__file__).parents[1]
"""The folder that the package is imported from."""


def screenshots() -> Path:
    """Return the folder for screenshots, which people look at."""
    folder = os.environ.get("PONTE_SCREENSHOTS")
    return Path(folder) if folder else ROOT / "build" / "screenshots"


def example(name: str) -> dict[str, Any]:
    """Return the names that an example defines, without running its main function."""
    return runpy.run_path(str(ROOT / "examples" / f"{name}.py"))
