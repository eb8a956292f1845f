"""Profiles of Hypothesis, time limits, and the option ``--quick``.

``HYPOTHESIS_PROFILE=nightly`` tries forty times as many examples as the default. ``pytest --quick``
runs the tests that need neither NumPy nor a subprocess, with few examples.
"""

from __future__ import annotations

import gc
import os
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings

# Let pytest explain failed assertions in shared functions as it does in tests.
pytest.register_assert_rewrite("support")

HERE = Path(__file__).parent

# Otherwise programs would announce compilation on standard error, but only in the first run.
os.environ.setdefault("PONTEDELDIAVOLO_QUIET", "1")
# To colour its messages, Numba lets colorama replace sys.stdout for a moment. A server of an
# earlier test may compile at that moment, and output of this test would be lost.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

# Programs that start in the background or with nohup ignore these signals, and so do their child
# processes. Tests of signals need child processes that the signals end.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    # Child processes do not inherit this handler, so the signal ends them, but not the tests.
    signal.signal(signal.SIGHUP, lambda *_: None)

settings.register_profile(
    "ci",
    # Every run tries the same examples, so that only a change of the code can make a run fail.
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    print_blob=True,
    # Explaining a failure takes longer than all other phases, and helps little here.
    phases=set(Phase) - {Phase.explain},
    # The speed of generating examples depends on the machine and its load.
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "nightly", parent=settings.get_profile("ci"), derandomize=False, max_examples=1_000
)
settings.register_profile("quick", parent=settings.get_profile("ci"), max_examples=10)
PROFILE = os.environ.get("HYPOTHESIS_PROFILE", "ci")
settings.load_profile(PROFILE)

TIME_LIMIT_SECONDS = 20
"""The time limit of a test, which should suffice on a slow and busy machine."""
SLOW_TIME_LIMIT_SECONDS = 7_200 if PROFILE == "nightly" else 300
"""The time limit of a test marked ``slow`` or ``nightly``."""
IS_LONG = PROFILE == "nightly" or os.environ.get("NUMBA_DISABLE_JIT") == "1"
LONG_TIME_LIMIT_SECONDS = SLOW_TIME_LIMIT_SECONDS if IS_LONG else 90
"""The time limit of tests that may compile kernels or load a browser, and of properties, whose
counterexamples take time to shrink."""
LONG = {"adapters", "api", "batch", "browser", "docs", "examples", "players"}

NOT_QUICK = {
    Path(each)
    for each in (
        *("adapters", "batch", "browser", "docs", "examples", "fuzz", "raster", "static"),
        *("api/test_contracts.py", "api/test_pickling.py", "api/test_public_api.py"),
        *("api/test_threads.py", "api/test_type_errors.py", "api/test_zip.py"),
        *("cli/test_process.py", "cli/test_render.py"),
        *("records/test_linear.py", "records/test_limits.py"),
        *("players/test_batched_search.py", "players/test_evidence.py"),
        *("players/test_external.py", "players/test_match_folders.py"),
        *("players/test_names.py", "players/test_weights_files.py"),
        *("players/test_mcts.py", "players/test_proven_play.py", "players/test_solver.py"),
        *("players/test_tree_search.py", "web/test_connections.py"),
    )
}
"""Tests that ``--quick`` leaves out: they compile, draw pixels, start processes, or wait."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="run what needs no NumPy and no process")


def pytest_configure(config: pytest.Config) -> None:
    """Try few examples with ``--quick``."""
    if config.getoption("quick"):
        settings.load_profile("quick")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    if config.getoption("quick") and HERE in collection_path.parents:
        return collection_path.relative_to(HERE) in NOT_QUICK or None
    return None


def is_property(item: pytest.Item) -> bool:
    # Old versions of Hypothesis have this attribute, but no function for it.
    return isinstance(item, pytest.Function) and getattr(item.obj, "is_hypothesis_test", False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set the time limit of every test in this folder."""
    for item in items:
        if HERE in item.path.parents:
            if item.get_closest_marker("slow") or item.get_closest_marker("nightly"):
                seconds = SLOW_TIME_LIMIT_SECONDS
            elif item.path.relative_to(HERE).parts[0] in LONG or is_property(item):
                seconds = LONG_TIME_LIMIT_SECONDS
            else:
                seconds = TIME_LIMIT_SECONDS
            # The method "thread" ends the whole process, or the worker of pytest-xdist. A signal
            # would not interrupt compiled functions, and Hypothesis would run the test again.
            item.add_marker(pytest.mark.timeout(seconds, method="thread"))


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, which then takes little time."""
    gc.collect()
    gc.freeze()
