"""Figures: the results of benchmarks, and their places in the final table.

A figure has a part of the table, a row, and a column. It is stored in the extra information of
pytest-benchmark, so it is also in the file that ``--benchmark-json`` writes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

RANDOM_GAMES = "Random games"
QUESTIONS = "Questions"
RATES = "Rates"
WHOLE_GAMES = "Whole games"
MANY_AT_ONCE = "Many at once"
POOLS = "Pools"
SEARCH = "Search"
ONE_ROW = "One row"
FRAMEWORKS = "Frameworks"
TIMES_AND_SIZES = "Times and sizes"

UNCHECKED = "apply_unchecked"
CHECKED = "apply"
ONE_THREAD = "batch"
TWO_THREADS = "batch, 2 threads"
CORE = "core"
PLAIN = "plain"
REFERENCE = "reference"
BATCH = "batch"
SIMULATIONS = "simulations"
MASKS = "masks"
PLANES = "masks and planes"
MASKS_TWICE = f"{MASKS}, 2 threads"
PLANES_TWICE = f"{PLANES}, 2 threads"
ENVIRONMENT = "one environment"
BELOW = "what is below"
ADAPTER = "environment"
MEDIAN = "median"
PERCENTILE = "95 % below"
FIGURE = "figure"


class Figure(NamedTuple):
    """A number, its place in the table, and its target."""

    part: str
    row: str
    column: str
    value: float
    target: float | None = None


def note(benchmark: BenchmarkFixture, *figures: Figure) -> None:
    """Store figures with a benchmark."""
    benchmark.extra_info.setdefault("figures", []).extend(figures)


def median(benchmark: BenchmarkFixture) -> float:
    """Return the seconds of the median round; infinity if benchmarks are disabled."""
    return float("inf") if benchmark.stats is None else float(benchmark.stats.stats.median)
