"""Texts of set-ups that are refused."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell, PlaceTiles, Setup
from support.diagrams import cells
from support.notation import CELL, COLUMN, ROW, ROW_ZERO, check

(A1,) = cells("a1")


LETTER = "one of '.', 'w', 'r', 'x'"


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "a row of cells"),
        ("\n \n", 3, "a row of cells"),
        ("bridges a1-c1", 13, "a row of cells"),
        ("white a1\nred b1", 15, "a row of cells"),
        ("a b", 2, "the end of the line"),
        ("?", 0, LETTER),
        ("..o", 2, LETTER),
        (". .\n. b", 6, LETTER),
        ("w\uff57", 1, LETTER),
        ("w\u00a0w", 1, LETTER),
        ("\ufeffw", 0, LETTER),
        ("1", 1, "a row of cells"),
        ("1 .\n2\n", 5, "a row of cells"),
        ("0 .", 0, ROW),
        ("01 .", 0, ROW_ZERO),
        ("65 .", 0, ROW),
        ("2 .", 0, "row number 1"),
        ("2 .\n2 .", 4, "row number 1"),
        ("1 .\n2 .", 4, "row number 1"),
        ("1 .\n.", 0, "row number 2"),
        (". .\n.", 4, "a row of 2 cells"),
        (".\n. .", 2, "a row of 1 cells"),
        ("." * 65, 65, "at most 64 cells in a row"),
        (".\n" * 65, 128, "at most 64 rows"),
        (". .\na c", 6, "the column letter 'b'"),
        (". .\na", 5, "the column letter 'b'"),
        (". .\na b c", 8, "the end of the line"),
        (". .\na b .", 8, "the end of the line"),
        (".\nbridges a1", 12, "'-'"),
        (".\nbridges a1,a3", 12, "'-'"),
        (".\nbridges a1-", 13, CELL),
        (".\nbridges a1-a0", 14, ROW),
        (".\nwhite 3", 8, CELL),
        (".\nwhite a", 9, ROW),
        (".\nred a1,b1", 8, CELL),
        (".\nblack a1", 2, LETTER),
        (".\nwhite bm1", 8, COLUMN),
    ],
)
def test_texts_that_are_no_setup(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_setup, text, offset, expected)


def test_cells_beyond_any_board_are_written_and_not_read() -> None:
    far = Cell(99, 99)
    check(pdd.parse_cell, pdd.format_cell(far), 0, COLUMN)
    check(pdd.parse_action, pdd.format_action(PlaceTiles(A1, far)), 3, COLUMN)
    check(pdd.parse_setup, pdd.format_setup(Setup(Board(1, 1), white=[far])), 14, COLUMN)
