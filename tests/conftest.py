"""Hypothesis profiles: ``HYPOTHESIS_PROFILE=nightly`` looks much further than the default."""

from __future__ import annotations

import os

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
    max_examples=100,
    print_blob=True,
    # How fast examples come depends on the machine and on what else runs there.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", parent=settings.get_profile("ci"), derandomize=False, max_examples=3_000
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))
