"""Counts of action sequences, compared with a table from an independent implementation."""

from __future__ import annotations

import json
from collections import Counter
from operator import itemgetter
from typing import Any, cast

import pytest

import pontedeldiavolo as pdd
from support.checks import Index
from support.paths import DATA
from support.reference import Reference

TABLES = json.loads((DATA / "perft.json").read_text("utf-8"))
MANY = 20_000
DEEP = 5
"""Larger counts are slow."""
DEEPEST = 7
"""The depth at which the longest game on 3×3 ends."""


def entries(table: str) -> list[Any]:
    """Return the entries of a table as parameters, the longest first."""
    parameters = []
    for row in sorted(TABLES[table], key=itemgetter("nodes"), reverse=True):
        width, height, depth, nodes = (row[name] for name in ("w", "h", "depth", "nodes"))
        marks = [pytest.mark.slow] if nodes > MANY or depth > DEEP else []
        rules = pdd.Rules(pdd.Board(width, height))
        name = f"{width}x{height}-{depth}"
        parameters.append(pytest.param(rules, depth, nodes, id=name, marks=marks))
    return parameters


@pytest.mark.parametrize(("rules", "depth", "nodes"), entries("perft_play"))
def test_perft_without_the_choice(rules: pdd.Rules, depth: int, nodes: int) -> None:
    # Owners do not affect the board, so one choice of a colour represents both.
    choice = pdd.ChooseColor(pdd.Color.RED)
    start = pdd.GameState.initial(rules)
    # Symmetric states have equally many continuations.
    opened = Counter(
        start.apply(opening).apply(choice).canonical() for opening in start.legal_actions
    )
    assert sum(pdd.perft(state, depth - 1) * number for state, number in opened.items()) == nodes


# Each deep number takes seconds, and differs from the previous one only by the owners.
@pytest.mark.parametrize(
    ("rules", "depth", "nodes"),
    [each for each in entries("perft") if each.values[1] <= DEEP or each.values[1] == DEEPEST],
)
def test_perft(rules: pdd.Rules, depth: int, nodes: int) -> None:
    assert pdd.perft(pdd.GameState.initial(rules), depth) == nodes


def test_the_tables_of_both_counts_agree() -> None:
    counts = {(row["w"], row["h"], row["depth"]): row["nodes"] for row in TABLES["perft_play"]}
    rows = [row for row in TABLES["perft"] if row["depth"] > 1]
    assert len(rows) == 16
    for row in rows:
        assert row["nodes"] == 2 * counts[row["w"], row["h"], row["depth"] - 1]


def test_the_count_at_depth_0_is_1_even_after_the_end() -> None:
    state = pdd.GameState.initial(pdd.Rules(board=pdd.Board(1, 1)))
    assert [pdd.perft(state, depth) for depth in range(5)] == [1, 1, 2, 2, 0]
    for text in ("pass", "white", "pass"):
        assert pdd.perft(state, 0) == 1
        state = state.apply(pdd.parse_action(text))
    assert state.is_over
    assert [pdd.perft(state, depth) for depth in range(3)] == [1, 0, 0]


def count_slowly(reference: Reference, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for text in reference.legal():
        after = reference.copy()
        after.play(text)
        total += count_slowly(after, depth - 1)
    return total


@pytest.mark.parametrize(
    ("width", "height", "tiles", "bridges", "depth"),
    [(3, 2, 4, None, 4), (3, 2, 2, 1, 6), (3, 2, 3, 0, 6), (1, 5, 2, None, 6), (3, 3, 0, None, 5)],
)
def test_short_supplies(
    width: int, height: int, tiles: int, bridges: int | None, depth: int
) -> None:
    state = pdd.GameState.initial(pdd.Rules(pdd.Board(width, height), tiles, bridges))
    reference = Reference(width, height, tiles, bridges)
    for each in range(1, depth + 1):
        assert pdd.perft(state, each) == count_slowly(reference, each)


def test_the_depth_is_a_whole_number() -> None:
    state = pdd.GameState.initial(pdd.Rules(board=pdd.Board(2, 2)))
    assert pdd.perft(state, cast(int, Index(3))) == pdd.perft(state, 3)
    with pytest.raises(pdd.PonteError, match="-1"):
        pdd.perft(state, -1)
