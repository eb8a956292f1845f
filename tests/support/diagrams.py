"""Short functions to make positions and states from diagrams, and to show results as texts."""

from __future__ import annotations

from collections.abc import Iterable

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, Phase, Seat, Tiebreak

WHITE = Color.WHITE
RED = Color.RED
STANDARD_TIEBREAKS = (Tiebreak.ISLANDS, Tiebreak.BRIDGES)


def draw(diagram: str) -> pdd.Position:
    """Return the position that a diagram shows."""
    return pdd.parse_setup(diagram).position()


def state_of(
    diagram: str,
    to_move: Color = Color.WHITE,
    *,
    phase: Phase = Phase.PLAY,
    tiles: int | None = None,
    bridges: int | None = None,
    tiebreaks: tuple[Tiebreak, ...] = STANDARD_TIEBREAKS,
    white_owner: Seat = Seat.FIRST,
) -> pdd.GameState:
    """Return the state with the position that a diagram shows."""
    position = draw(diagram)
    rules = pdd.Rules(position.board, tiles, bridges, tiebreaks)
    return pdd.GameState.from_position(
        position, rules=rules, to_move=to_move, white_owner=white_owner, phase=phase
    )


def act(text: str) -> pdd.Action | pdd.PlaceTile:
    """Return the action of a text, or the placement of a tile if it names one cell."""
    if "," in text or "-" in text or text in ("white", "red", "pass"):
        return pdd.parse_action(text)
    return pdd.PlaceTile(pdd.parse_cell(text))


def play(state: pdd.GameState, *texts: str) -> pdd.GameState:
    """Return the state after legal actions."""
    for text in texts:
        state = state.apply(pdd.parse_action(text))
    return state


def cells(text: str) -> tuple[pdd.Cell, ...]:
    """Return the cells of a text such as ``"a1 b2"``."""
    return tuple(pdd.parse_cell(name) for name in text.split())


def bridge(text: str) -> pdd.Bridge:
    """Return the bridge of a text such as ``"a1-b3"``."""
    return pdd.Bridge(*map(pdd.parse_cell, text.split("-")))


def names(items: Iterable[object]) -> str:
    """Return the texts of cells or bridges, separated by spaces."""
    return " ".join(map(str, items))


def faults_of(violations: Iterable[pdd.Violation]) -> list[str]:
    """Return violations as sorted short texts: code, cells, and bridges after a slash."""
    return sorted(
        names([each.code.value, *each.cells, *(["|", *each.bridges] if each.bridges else [])])
        for each in violations
    )


# Boards of several tests

MORE_ISLANDS = """
5 w w w w . r r r r
4 . . . . . . . . .
3 w w w w . r r r r
2 . . . . . . . . .
1 w w w w . r . . .
bridges f3-f5
"""

MORE_BRIDGES = """
3 w w w w . r r r r
2 . . . . . . . . .
1 w . . . . r . . .
bridges f1-f3
"""

ISLAND = """
    3 w w . w r
    2 w w . . .
    1 . . . . .
      a b c d e
    bridges b3-d3
"""

SCORING = """
    8 r r . r r . r r
    7 r r . r r . r r
    6 . . . . . . . .
    5 w w . w w . . r
    4 w w . w w . . r
    3 . . . . . . . .
    2 w w . w w . r r
    1 w w . w w . r r
      a b c d e f g h
    bridges b1-d1 d2-d4 b5-d5 h2-h4 h5-h7
"""
