"""The tests run without pytest-timeout, which packagers may not have."""

from __future__ import annotations

import subprocess
import sys

import pytest

from support.paths import ROOT


@pytest.mark.slow  # the test starts a process
def test_tests_run_without_the_plugin_for_time_limits() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:timeout", "--collect-only", "-q", __file__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    # pytest exits with 5 if all collected tests are deselected.
    assert done.returncode in (0, 5), done.stdout + done.stderr
    assert "INTERNALERROR" not in done.stdout + done.stderr
