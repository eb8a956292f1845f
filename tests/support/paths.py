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
"""Files of this version that later ones read."""
SOURCE = Path(pdd.__file__).parents[1]
"""The folder that the package is imported from."""


def screenshots() -> Path:
    """Return where screenshots of tests are kept, to be looked at by people."""
    folder = os.environ.get("PONTE_SCREENSHOTS")
    return Path(folder) if folder else ROOT / "build" / "screenshots"


def example(name: str) -> dict[str, Any]:
    """Return what an example defines, without running it."""
    return runpy.run_path(str(ROOT / "examples" / f"{name}.py"))
