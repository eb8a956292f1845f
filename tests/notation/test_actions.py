"""Texts of actions: what is read, written and refused."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import BuildBridge, Cell, ChooseColor, Color, GameState, Pass, PlaceTiles
from support.diagrams import cells, faults_of
from support.notation import ACTION, BETWEEN, CELL, COLUMN, END, ROW, ROW_ZERO, check

A1, B2, C2 = cells("a1 b2 c2")


@pytest.mark.parametrize(
    ("text", "action", "canonical"),
    [
        ("a1,b2", PlaceTiles(A1, B2), "a1,b2"),
        ("b2,a1", PlaceTiles(A1, B2), "a1,b2"),
        ("A1,B2", PlaceTiles(A1, B2), "a1,b2"),
        (" a1 , b2 ", PlaceTiles(A1, B2), "a1,b2"),
        ("\ta1,\n\r\nb2\n", PlaceTiles(A1, B2), "a1,b2"),
        ("b1,a2", PlaceTiles(Cell(1, 0), Cell(0, 1)), "b1,a2"),
        ("a2,b1", PlaceTiles(Cell(1, 0), Cell(0, 1)), "b1,a2"),
        ("a1-c2", BuildBridge(A1, C2), "a1-c2"),
        ("c2-a1", BuildBridge(A1, C2), "a1-c2"),
        ("C2 - a1", BuildBridge(A1, C2), "a1-c2"),
        ("white", ChooseColor(Color.WHITE), "white"),
        ("WHITE ", ChooseColor(Color.WHITE), "white"),
        (" Red", ChooseColor(Color.RED), "red"),
        ("pass", Pass(), "pass"),
        ("pASS\n", Pass(), "pass"),
        ("bl64,a1", PlaceTiles(A1, Cell(63, 63)), "a1,bl64"),
    ],
)
def test_actions(text: str, action: pdd.Action, canonical: str) -> None:
    assert pdd.parse_action(text) == action
    assert pdd.format_action(action) == canonical
    assert pdd.parse_action(canonical) == action


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, ACTION),
        (" \n ", 3, ACTION),
        ("1,2", 0, ACTION),
        (",", 0, ACTION),
        ("-", 0, ACTION),
        ("?", 0, ACTION),
        ("\x00", 0, ACTION),
        ("\U0001f309", 0, ACTION),
        ("\ufeffpass", 0, ACTION),
        ("a1", 2, BETWEEN),
        ("a1 ", 3, BETWEEN),
        ("a1 b2", 3, BETWEEN),
        ("a1;b2", 2, BETWEEN),
        ("a1\u2013b2", 2, BETWEEN),
        ("a1\uff0cb2", 2, BETWEEN),
        ("a1,", 3, CELL),
        ("a1-", 3, CELL),
        ("a1,,b2", 3, CELL),
        ("a1--b2", 3, CELL),
        ("a1,-b2", 3, CELL),
        ("a1,2", 3, CELL),
        ("a1,b", 4, ROW),
        ("a1,b0", 4, ROW),
        ("a1,b01", 4, ROW_ZERO),
        ("a0,b1", 1, ROW),
        ("a65,b1", 1, ROW),
        ("a1,b99999999999999999999", 4, ROW),
        ("a1,b\uff12", 4, ROW),
        ("\u212a1,a1", 0, ACTION),
        ("a1,\u212a1", 3, CELL),
        ("bm1,a1", 0, COLUMN),
        ("a1,bm1", 3, COLUMN),
        ("a1,b2,c3", 5, END),
        ("a1-c1-e5", 5, END),
        ("a1,b2 c3", 6, END),
        ("a1,b2x", 5, END),
        ("a1,b2\x00", 5, END),
        ("pass!", 4, END),
        ("pass pass", 5, END),
        ("white,red", 5, END),
        ("red1,a1", 0, COLUMN),
        ("passe", 0, ACTION),
        ("blue", 0, ACTION),
        ("resign", 0, ACTION),
        ("whit", 0, ACTION),
        ("pas\u017f", 0, ACTION),
        ("swap", 0, ACTION),
    ],
)
def test_texts_that_are_no_action(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_action, text, offset, expected)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a1,a1", ["same-cell a1"]),
        ("a1-b1", ["not-a-bridge-shape a1 b1", "not-your-tile a1 b1"]),
        ("a1-a1", ["not-a-bridge-shape a1", "not-your-tile a1"]),
        ("k1,a1", ["off-board k1"]),
        ("bl64-bl62", ["off-board bl62 bl64"]),
        ("white", ["wrong-phase"]),
    ],
)
def test_well_formed_texts_are_read_whether_legal_or_not(text: str, faults: list[str]) -> None:
    action = pdd.parse_action(text)
    assert faults_of(GameState.initial().violations(action)) == faults
