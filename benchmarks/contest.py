"""Measure several programs in turns, so that a ratio compares runs under equal conditions.

The machine may be busy with other work for some time. If programs were measured one after another,
that would favour the program that runs in a quiet minute.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_benchmark.fixture import BenchmarkFixture


def contest(
    benchmark: BenchmarkFixture, programs: Mapping[str, Callable[[], int]], rounds: int
) -> dict[str, float]:
    """Run every program once a round; return its work per second in its median round.

    A program returns the amount of its work. The first round is preceded by a warm-up round.
    """
    rates: dict[str, list[float]] = {name: [] for name in programs}

    def play_round() -> None:
        for name, program in programs.items():
            begin = perf_counter()
            done = program()
            rates[name].append(done / (perf_counter() - begin))

    play_round()
    for each in rates.values():
        each.clear()
    benchmark.pedantic(play_round, rounds=rounds)
    return {name: median(each) for name, each in rates.items()}
