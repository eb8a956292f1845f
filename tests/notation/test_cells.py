"""Texts of cells: what is read, written and refused."""

from __future__ import annotations

from itertools import product
from string import ascii_lowercase

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell
from support.notation import CELL, COLUMN, END, ROW, ROW_ZERO, check


@pytest.mark.parametrize(
    ("text", "column", "row"),
    [
        ("c4", 2, 3),
        ("C4", 2, 3),
        (" \tc4\r\n", 2, 3),
        ("z64", 25, 63),
        ("aa1", 26, 0),
        ("AA1", 26, 0),
        ("az9", 51, 8),
        ("ba10", 52, 9),
        ("bl64", 63, 63),
    ],
)
def test_cells(text: str, column: int, row: int) -> None:
    assert pdd.parse_cell(text) == Cell(column, row)


def test_the_names_of_all_columns() -> None:
    pairs = map("".join, product(ascii_lowercase, repeat=2))
    names = [*ascii_lowercase, *pairs][: Board.MAX_SIDE]
    assert names[-1] == "bl"
    for column, name in enumerate(names):
        cell = Cell(column, 0)
        assert pdd.format_cell(cell) == f"{name}1"
        assert pdd.parse_cell(f"{name}1") == cell


def test_the_names_of_all_rows() -> None:
    for row in range(Board.MAX_SIDE):
        assert pdd.format_cell(Cell(0, row)) == f"a{row + 1}"
        assert pdd.parse_cell(f"a{row + 1}") == Cell(0, row)


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, CELL),
        ("   ", 3, CELL),
        ("4", 0, CELL),
        ("4c", 0, CELL),
        ("c", 1, ROW),
        ("a0", 1, ROW),
        ("a00", 1, ROW_ZERO),
        ("a01", 1, ROW_ZERO),
        ("a65", 1, ROW),
        ("a100", 1, ROW),
        ("a-1", 1, ROW),
        ("a+1", 1, ROW),
        ("a 1", 1, ROW),
        ("a1 b", 3, END),
        ("a1b", 2, END),
        ("a1.0", 2, END),
        ("a1_0", 2, END),
        ("bm1", 0, COLUMN),
        ("zz1", 0, COLUMN),
        ("aaa1", 0, COLUMN),
        (" aaa1", 1, COLUMN),
        ("\x00", 0, CELL),
        ("a1\x00", 2, END),
        ("a1\x0b", 2, END),
        ("a1\u00a0", 2, END),
        ("\ufeffa1", 0, CELL),
        ("\U0001f309", 0, CELL),
        ("a\uff11", 1, ROW),
        ("a\u0661", 1, ROW),
        ("a\u00b2", 1, ROW),
        ("\uff41" + "1", 0, CELL),
        ("\u212a1", 0, CELL),
        ("\u0131" + "1", 0, CELL),
        ("\u00e41", 0, CELL),
        ("\ud800", 0, CELL),
    ],
)
def test_texts_that_are_no_cell(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_cell, text, offset, expected)
