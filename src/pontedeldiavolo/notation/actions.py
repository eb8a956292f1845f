"""Text of cells, actions and steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from pontedeldiavolo.base.errors import NotationError, reason, require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell, column_name
from pontedeldiavolo.rules.actions import (
    WITHOUT_CELLS,
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)

from .scanner import DIGITS, LAST_COLUMN, Scanner, scan_whole

T = TypeVar("T")


def parse_cell(text: str) -> Cell:
    """Return the cell that *text* names, as in ``c4``.

    Columns are a to z, then aa, ab and on. ASCII letter case and blanks around the text do not
    matter. ``str(cell)`` is the inverse.

    >>> pdd.parse_cell("c4")
    Cell(column=2, row=3)

    Raises:
        NotationError: If it is not a cell, or its column or row is beyond any board.
    """
    return scan_whole(text, Scanner.cell)


def parse_on(board: Board, parse: Callable[[str], T], text: str) -> T:
    """Return what a text denotes; an error names the columns and rows of a board.

    Cells beyond the board that can be on larger ones are accepted: they are illegal, but are
    cells.

    Raises:
        NotationError: If *parse* refuses the text.
    """
    try:
        return parse(text)
    except NotationError as error:
        if error.code == "column":
            expected = reason("column", last=column_name(board.width - 1))
        elif error.code == "range" and error.values.get("what") == reason("row"):
            expected = reason("range", what=reason("row"), lowest=1, highest=board.height)
        else:
            raise
        raise NotationError(error.text, error.offset, expected) from error


ACTION_WORDS: Final[dict[str, ChooseColor | Pass]] = dict(
    zip(("white", "red", "pass"), WITHOUT_CELLS, strict=True)
)
"""The actions that are written as a word."""


def parse_action(text: str) -> Action:
    """Return the action that *text* denotes; only the syntax is checked, not the legality.

    Either order of the cells, ASCII letter case, and blanks around the text and around its comma
    or dash do not matter.

    >>> pdd.parse_action("d4,g7")
    PlaceTiles(a=Cell(column=3, row=3), b=Cell(column=6, row=6))
    >>> pdd.parse_action("pass")
    Pass()

    Raises:
        NotationError: If it is not an action.
    """
    return scan_whole(text, scan_action)


def parse_step(text: str) -> Step:
    """Return the step that *text* denotes: a cell for one tile, all else as in actions.

    >>> pdd.parse_step("d4")
    PlaceTile(cell=Cell(column=3, row=3))

    Raises:
        NotationError: If it is not a step; a pair of tiles is not one.
    """
    return scan_whole(text, _scan_step)


def _scan_step(scanner: Scanner) -> Step:
    first = _scan_word_or_cell(scanner)
    if not isinstance(first, Cell):
        return first
    scanner.blanks()
    if not scanner.take("-"):
        return PlaceTile(first)
    scanner.blanks()
    return BuildBridge(first, scanner.cell())


def scan_action(scanner: Scanner) -> Action:
    """Read an action."""
    first = _scan_word_or_cell(scanner)
    if not isinstance(first, Cell):
        return first
    scanner.blanks()
    is_pair = scanner.take(",")
    if not is_pair and not scanner.take("-"):
        scanner.fail("comma-or-dash")
    scanner.blanks()
    second = scanner.cell()
    return PlaceTiles(first, second) if is_pair else BuildBridge(first, second)


def _scan_word_or_cell(scanner: Scanner) -> ChooseColor | Pass | Cell:
    """Read a word that is an action, or the first cell of another action."""
    start = scanner.offset
    letters = scanner.letters()
    is_word = scanner.peek() not in DIGITS
    if is_word and letters in ACTION_WORDS:
        return ACTION_WORDS[letters]
    if not letters or (is_word and len(letters) > len(LAST_COLUMN)):
        scanner.fail("cell-or-word", start)
    return scanner.cell_after(letters, start)


def format_action(action: Action | Step) -> str:
    """Return the canonical text of an action or a step: lower case, cells in order, no blanks.

    ``parse_action`` is the inverse for actions, ``parse_step`` for steps.

    >>> pdd.format_action(pdd.BuildBridge(pdd.Cell(2, 0), pdd.Cell(0, 0)))
    'a1-c1'
    >>> pdd.format_action(pdd.PlaceTile(pdd.Cell(3, 3)))
    'd4'
    """
    require_type(action, Action | Step, "action")
    match action:
        case PlaceTiles(a, b):
            return f"{a},{b}"
        case PlaceTile(cell):
            return str(cell)
        case BuildBridge(a, b):
            return f"{a}-{b}"
        case ChooseColor(color):
            return color.value
        case _:
            return "pass"
