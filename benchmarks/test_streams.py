"""Read a file of 100,000 records: the speed, and the peak of memory.

Run with::

    python -m pytest benchmarks/test_streams.py
"""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from benchmarks.figures import CORE, FIGURE, RATES, TIMES_AND_SIZES, Figure, median, note

import pontedeldiavolo as pdd

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture

GAMES = 100_000
MEGABYTE = 1_000_000


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write random games on a small board again and again, until there are enough."""
    rng = Random(1)
    texts = []
    for _ in range(100):
        game = pdd.Game.new(pdd.Rules(pdd.Board(4, 4)), {"Event": "A stream", "Round": "1"})
        while game.ending is None:
            game = game.play(game.state.legal_actions.sample(rng))
        texts.append(pdd.records.dumps(game) + "\n")
    path = tmp_path_factory.mktemp("archive") / "games.pdd"
    with path.open("w", encoding="utf-8") as file:
        for _ in range(GAMES // len(texts)):
            file.writelines(texts)
    return path


def count_headers(path: Path) -> int:
    """Read only the tags."""
    with path.open(encoding="utf-8") as file:
        return sum(
            header.tags["Event"] == "A stream"
            for header in pdd.records.iter_headers(file)
            if isinstance(header, pdd.records.Header)
        )


def count_records(path: Path) -> int:
    """Read everything without checking it."""
    with path.open(encoding="utf-8") as file:
        return sum(isinstance(each, pdd.records.Record) for each in pdd.records.iter_records(file))


def count_games(path: Path) -> int:
    """Read and check everything."""
    with path.open(encoding="utf-8") as file:
        return sum(game.ending is pdd.Ending.SCORED for game in pdd.records.iter_games(file))


@pytest.mark.parametrize(
    ("row", "count"),
    [
        ("4×4 records read, tags alone", count_headers),
        ("4×4 records read", count_records),
        ("4×4 records read and checked", count_games),
    ],
)
def test_streams(
    benchmark: BenchmarkFixture, archive: Path, row: str, count: Callable[[Path], int]
) -> None:
    """Read the whole file once."""
    assert benchmark.pedantic(count, args=(archive,), rounds=1) == GAMES
    note(benchmark, Figure(RATES, row, CORE, GAMES / median(benchmark)))


def first_tenth(path: Path) -> Iterator[pdd.Game]:
    """Read the first tenth of the games."""
    with path.open(encoding="utf-8") as file:
        for number, game in enumerate(pdd.records.iter_games(file)):
            if number == GAMES // 10:
                return
            yield game


def test_peak_of_memory(benchmark: BenchmarkFixture, archive: Path) -> None:
    """Compare the peak for the whole file with that for a tenth of it."""
    for _ in first_tenth(archive):
        break

    def measure() -> int:
        tracemalloc.start()
        assert sum(1 for _ in first_tenth(archive)) == GAMES // 10
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return peak

    peak = benchmark.pedantic(measure, rounds=1)
    row = f"reading {GAMES // 10:,} of these records, peak of memory (bytes)"
    note(benchmark, Figure(TIMES_AND_SIZES, row, FIGURE, peak))
    assert peak < MEGABYTE
