"""Cells as text: column letters, then the row: ``c4``."""

from __future__ import annotations

from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.notation.scanner import Scanner


def parse_cell(text: str) -> Cell:
    """Return the cell that *text* names, as in ``c4``.

    Columns are a to z, then aa, ab and on. ASCII letter case and blanks around the text do not
    matter.

    Raises:
        TypeError: If *text* is not a string.
        NotationError: If it is not a cell, or a column or row beyond any board.
    """
    scanner = Scanner(text)
    scanner.blanks()
    cell = scanner.cell()
    scanner.end()
    return cell


def format_cell(cell: Cell) -> str:
    """Return the name of *cell*, such as ``c4``.

    Raises:
        TypeError: If it is not a :class:`Cell`.
    """
    require_type(cell, Cell, "cell")
    return str(cell)
