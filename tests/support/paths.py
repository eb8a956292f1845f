"""Where things lie."""

from __future__ import annotations

from pathlib import Path

import pontedeldiavolo as pdd

TESTS = Path(__file__).parents[1]
ROOT = TESTS.parent
DATA = TESTS / "data"
SOURCE = Path(pdd.__file__).parents[1]
"""The folder that the package is imported from."""
