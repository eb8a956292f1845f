"""Profiles of Hypothesis, and time limits.

``HYPOTHESIS_PROFILE=nightly`` looks much further than the default. While one works,
``-m "not slow" --hypothesis-profile=quick`` looks at everything a little.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# Failures of checks that several tests share are to be explained like those in tests.
pytest.register_assert_rewrite("support")

settings.register_profile(
    "ci",
    # The same examples in every run: a change that breaks something is what makes a run fail.
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    print_blob=True,
    # How fast examples come depends on the machine and on what else runs there.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", parent=settings.get_profile("ci"), derandomize=False, max_examples=3_000
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=10)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)

LONGEST = 7_200 if PROFILE == "nightly" else 300
"""After so many seconds a test hangs, on a slow and busy machine too: then it has failed."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test of this folder its time limit."""
    # A thread ends the whole process, or the worker of pytest-xdist. A signal would not do:
    # compiled functions do not hear it, and Hypothesis would run what has hung once more.
    limit = pytest.mark.timeout(LONGEST, method="thread")
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(limit)
