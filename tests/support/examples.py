"""Examples, to call what is in them."""

from __future__ import annotations

import runpy
from typing import Any

from support.paths import ROOT


def example(name: str) -> dict[str, Any]:
    """Return what an example defines, without running it."""
    return runpy.run_path(str(ROOT / "examples" / f"{name}.py"))
