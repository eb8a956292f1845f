"""Mark tests as slow that compile kernels for two of the four sizes of boards."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from support.batch_rows import is_compiled_first


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests that compile for 32 columns and 32 rows, or for 16 columns and 64 rows."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        return
    for item in items:
        found = re.search(r"(\d+)x(\d+)", item.name)
        is_here = Path(__file__).parent in item.path.parents
        if found and is_here and not is_compiled_first(*map(int, found.groups())):
            item.add_marker(pytest.mark.slow)
