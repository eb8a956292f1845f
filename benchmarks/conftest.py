"""A last table for every run: rates, and ratios to the slow reference in the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pytest

REFERENCE = "reference"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what every benchmark did per second, by its median round."""
    session = getattr(terminalreporter.config, "_benchmarksession", None)
    benchmarks = [] if session is None else [each for each in session.benchmarks if each.stats]
    rates = {
        each.name: (
            each.group,
            each.extra_info["work"] / each.stats.median,
            each.extra_info["unit"],
        )
        for each in benchmarks
        if "work" in each.extra_info
    }
    slow = {group: rate for name, (group, rate, _) in rates.items() if REFERENCE in name}
    terminalreporter.section("rates, by the median round")
    for name, (group, rate, unit) in rates.items():
        ratio = f"{rate / slow[group]:10,.0f} × the reference" if group in slow else ""
        terminalreporter.line(f"{name:48} {rate:14,.0f} {unit}/s {ratio}")
