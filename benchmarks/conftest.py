"""Print a table at the end of a run: figures, and their ratios to other figures of the run."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from importlib.metadata import version
from itertools import zip_longest
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from benchmarks import processors
from benchmarks.figures import (
    ADAPTER,
    BATCH,
    BELOW,
    CHECKED,
    CORE,
    ENVIRONMENT,
    FIGURE,
    FRAMEWORKS,
    MANY_AT_ONCE,
    MASKS,
    MASKS_TWICE,
    MEDIAN,
    ONE_ROW,
    ONE_THREAD,
    PERCENTILE,
    PLAIN,
    PLANES,
    PLANES_TWICE,
    POOLS,
    QUESTIONS,
    RANDOM_GAMES,
    RATES,
    REFERENCE,
    SEARCH,
    SIMULATIONS,
    TIMES_AND_SIZES,
    TWO_THREADS,
    UNCHECKED,
    WHOLE_GAMES,
    Figure,
)

EXACT_FROM = 100
"""Numbers from this one up are shown without a fraction."""
LIBRARIES = ("attrs", "numpy", "numba")


class Part(NamedTuple):
    """A part of the table, with its figures and columns.

    A column of two names is the ratio of two columns. Targets are lower bounds for rates, and upper
    bounds for times and sizes.
    """

    title: str
    figures: str
    columns: tuple[str | tuple[str, str], ...]
    more_is_better: bool = False


PARTS = (
    Part(
        "Complete random games: turns per second",
        RANDOM_GAMES,
        (UNCHECKED, CHECKED, PLAIN, REFERENCE, ONE_THREAD, TWO_THREADS),
    ),
    Part(
        "Complete random games: ratios",
        RANDOM_GAMES,
        (
            (UNCHECKED, PLAIN),
            (UNCHECKED, CHECKED),
            (UNCHECKED, REFERENCE),
            (ONE_THREAD, UNCHECKED),
            (ONE_THREAD, PLAIN),
            (TWO_THREADS, ONE_THREAD),
        ),
    ),
    Part(
        "Questions to new states: microseconds",
        QUESTIONS,
        (MEDIAN, PERCENTILE, REFERENCE, (REFERENCE, MEDIAN)),
    ),
    Part(
        "Listing, counting and reading: per second",
        RATES,
        (CORE, PLAIN, REFERENCE, (CORE, PLAIN), (CORE, REFERENCE)),
        more_is_better=True,
    ),
    Part("Whole games: times as long as applying their actions", WHOLE_GAMES, (FIGURE,)),
    Part(
        "Batches of games from the middle of random ones: per second",
        MANY_AT_ONCE,
        (BATCH, CORE, (BATCH, CORE)),
    ),
    Part(
        "Pools of games, a random step in each: steps per second",
        POOLS,
        (MASKS, PLANES, MASKS_TWICE, PLANES_TWICE, ENVIRONMENT),
    ),
    Part(
        "Pools of games: ratios to turns of the core by `apply_unchecked`, and to one environment",
        POOLS,
        ((MASKS, UNCHECKED), (PLANES, UNCHECKED), (PLANES, ENVIRONMENT), (PLANES_TWICE, PLANES)),
    ),
    Part(
        "Searches of many games, evaluation aside: simulations per second, and steps of a pool",
        SEARCH,
        (SIMULATIONS, MASKS, (MASKS, SIMULATIONS)),
    ),
    Part(
        "Calls of a batch on one row: per second, and turns of the core",
        ONE_ROW,
        (BATCH, UNCHECKED, (UNCHECKED, BATCH)),
    ),
    Part(
        "Environments of frameworks: steps per second",
        FRAMEWORKS,
        (BELOW, ADAPTER, (BELOW, ADAPTER), (ADAPTER, BELOW)),
    ),
    Part("Times and sizes", TIMES_AND_SIZES, (FIGURE,)),
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options to write the table to a file, and to compile as for another processor."""
    parser.addoption("--table", metavar="FILE", help="write the last table as Markdown, too")
    parser.addoption("--processor", choices=processors.TARGETS, help="compile as for this one")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the processor, and omit the tables of pytest-benchmark unless they are requested."""
    processors.use(config.getoption("processor"))
    config.option.benchmark_quiet = True  # the option --benchmark-verbose overrides this


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Print the table, and write it to a file if requested."""
    session: Any = config._benchmarksession  # type: ignore[attr-defined]  # pytest-benchmark's
    found = [
        Figure(*figure)
        for benchmark in session.benchmarks
        for figure in benchmark.extra_info.get("figures", ())
    ]
    if not found:
        return
    machine = about_machine(session.get_machine_info())
    tables = [(part.title, table) for part in PARTS if len(table := rows_of(part, found)) > 1]
    terminalreporter.section("figures")
    for line in (*machine, *in_plain_text(tables)):
        terminalreporter.line(line)
    path = config.getoption("table")
    if path is not None:
        lines = [*(f"- {line}" for line in machine), *in_markdown(tables)]
        Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")


def about_machine(info: dict[str, Any]) -> list[str]:
    """Return a description of the machine and the versions."""
    libraries = ", ".join(f"{name} {version(name)}" for name in LIBRARIES)
    cpu = info["cpu"]
    name = f"{cpu.get('brand_raw', info['processor'])} with {processors.features()}"
    lines = [
        f"{name}, {cpu.get('count')} cores, {info['system']}",
        f"{info['python_implementation']} {info['python_version']}, {libraries}",
        date.today().isoformat(),  # noqa: DTZ011  # the day where it was measured
    ]
    if hasattr(os, "getloadavg"):  # not on Windows
        # A run without other load has one. With more, two threads did not have two cores.
        lines.append(f"average load in the last five minutes: {os.getloadavg()[1]:.1f}")
    return lines


def rows_of(part: Part, found: list[Figure]) -> list[list[str]]:
    """Return the rows of a part with their headings, as texts."""
    figures: dict[str, dict[str, Figure]] = {}
    for figure in found:
        if figure.part == part.figures:
            figures.setdefault(figure.row, {})[figure.column] = figure
    has_targets = any(each.target is not None for row in figures.values() for each in row.values())
    headings = [name if isinstance(name, str) else " / ".join(name) for name in part.columns]
    table = [["case", *headings, *(["target"] if has_targets else [])]]
    for name, row in figures.items():
        cells = [cell(column, row) for column in part.columns]
        targets = [verdict(each, part) for each in row.values() if each.target is not None]
        table.append([name, *cells, *([", ".join(targets)] if has_targets else [])])
    return table


def cell(column: str | tuple[str, str], row: dict[str, Figure]) -> str:
    """Return a figure or the ratio of two; an empty text if it was not measured."""
    if isinstance(column, str):
        return number(row[column].value) if column in row else ""
    above, below = column
    return number(row[above].value / row[below].value) if {*column} <= row.keys() else ""


def verdict(figure: Figure, part: Part) -> str:
    """Return a target, and whether it was met."""
    assert figure.target is not None
    met = figure.value < figure.target
    sign = "≥" if part.more_is_better else "<"
    of = f"{figure.column} " if len(part.columns) > 1 else ""
    return f"{of}{sign} {figure.target:,}: {'met' if met != part.more_is_better else 'missed'}"


def number(value: float) -> str:
    """Return a number with three significant digits, or more if it is large."""
    if value < EXACT_FROM:
        return f"{value:.3g}"
    return f"{float(f'{value:.3g}'):,.0f}"


def in_plain_text(tables: list[tuple[str, list[list[str]]]]) -> Iterator[str]:
    """Return lines with aligned columns."""
    for title, table in tables:
        widths = [max(map(len, column)) for column in zip_longest(*table)]
        yield ""
        yield title
        for name, *cells in table:
            rest = (text.rjust(width) for text, width in zip(cells, widths[1:], strict=True))
            yield "  ".join(("", name.ljust(widths[0]), *rest))


def in_markdown(tables: list[tuple[str, list[list[str]]]]) -> Iterator[str]:
    """Return the lines of Markdown tables."""
    for title, (headings, *table) in tables:
        yield from ("", f"**{title}**", "")
        yield f"| {' | '.join(headings)} |"
        yield f"|---|{'---:|' * (len(headings) - 1)}"
        for row in table:
            yield f"| {' | '.join(row)} |"
