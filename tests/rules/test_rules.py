"""The parts of rules, and who wins by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Color, DecidedBy, Rules, Score, Tiebreak


def test_the_default_rules() -> None:
    rules = Rules()
    assert rules == Rules(Board(10, 10), None, None, (Tiebreak.ISLANDS, Tiebreak.BRIDGES))
    assert Rules(tiebreaks=[Tiebreak.BRIDGES]).tiebreaks == (Tiebreak.BRIDGES,)
    assert Rules(tiles_per_color=0, bridges=0).tiles_per_color == 0


@pytest.mark.parametrize(
    "arguments",
    [
        {"tiles_per_color": -1},
        {"bridges": -1},
        {"tiebreaks": (Tiebreak.ISLANDS, Tiebreak.ISLANDS)},
        {"tiebreaks": (Tiebreak.BRIDGES, Tiebreak.ISLANDS, Tiebreak.BRIDGES)},
    ],
)
def test_rules_that_cannot_be(arguments: Mapping[str, Any]) -> None:
    with pytest.raises(pdd.InvalidRulesError):
        Rules(**arguments)


@pytest.mark.parametrize(
    ("white", "red", "tiebreaks", "winner", "decided_by"),
    [
        ((3, 2, 1), (1, 1, 9), "islands bridges", Color.WHITE, DecidedBy.POINTS),
        ((1, 9, 9), (3, 2, 1), "islands bridges", Color.RED, DecidedBy.POINTS),
        ((3, 2, 9), (3, 3, 0), "islands bridges", Color.RED, DecidedBy.ISLANDS),
        ((3, 2, 9), (3, 3, 0), "bridges islands", Color.WHITE, DecidedBy.BRIDGES),
        ((3, 3, 0), (3, 3, 1), "islands bridges", Color.RED, DecidedBy.BRIDGES),
        ((3, 3, 0), (3, 3, 1), "islands", None, DecidedBy.NOTHING),
        ((3, 2, 9), (3, 3, 0), "bridges", Color.WHITE, DecidedBy.BRIDGES),
        ((3, 2, 9), (3, 3, 0), "", None, DecidedBy.NOTHING),
        ((0, 0, 0), (0, 0, 0), "islands bridges", None, DecidedBy.NOTHING),
    ],
)
def test_who_wins(
    white: tuple[int, int, int],
    red: tuple[int, int, int],
    tiebreaks: str,
    winner: Color | None,
    decided_by: DecidedBy,
) -> None:
    rules = Rules(tiebreaks=tuple(map(Tiebreak, tiebreaks.split())))
    assert rules.decide(Score(*white), Score(*red)) == (winner, decided_by)
