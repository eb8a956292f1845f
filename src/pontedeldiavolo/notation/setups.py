"""Set-ups, which may break rules, as diagrams in letters.

::

    4 . . . .
    3 w w . .
    2 . . r .
    1 w . . x
      a b c d
    bridges a1-a3 b3-c5
    white e9

Rows go from the top down, each with its number; ``.`` is water, ``w`` and ``r`` are tiles, ``x`` is
a cell with tiles of both colours. The bridges, and tiles off the board, follow below the column
letters. The numbers of rows, the line of column letters and empty lines may be left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from pontedeldiavolo.base.errors import require_type
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, column_name
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.limits import Limits

from .scanner import DIGITS, Scanner, limited_scanner

T = TypeVar("T")

WATER = "."
WHITE = "w"
RED = "r"
BOTH = "x"
"""A cell with tiles of both colours."""


class _Row(NamedTuple):
    """A row of a diagram."""

    offset: int
    number: int | None
    """The number before it, if it has one."""
    letters: str


def parse_setup(diagram: str, *, limits: Limits | None = None) -> Setup:
    """Return the set-up that a diagram shows; ASCII letter case does not matter.

    >>> pdd.parse_setup('''
    ... 2 w . r
    ... 1 . . .
    ...   a b c
    ... ''').white
    (Cell(column=0, row=1),)

    Args:
        diagram: The text.
        limits: The limits of the text's length and of the board; by default ``Limits()``.

    Raises:
        NotationError: If it is not a diagram, or exceeds the limits.
    """
    scanner = limited_scanner(diagram, "diagram", limits)
    rows: list[_Row] = []
    tiles: dict[str, list[Cell]] = {"white": [], "red": []}
    bridges: list[Bridge] = []
    while True:
        scanner.blanks()
        if not scanner.peek():
            break
        start = scanner.offset
        word = scanner.word()
        if word == "bridges":
            bridges += _scan_list(scanner, scanner.bridge)
        elif word in tiles:
            tiles[word] += _scan_list(scanner, scanner.cell)
        elif word == "a":
            _scan_columns(scanner, len(rows[0].letters) if rows else 0)
        else:
            scanner.offset = start
            rows.append(_scan_row(scanner, len(rows)))
    _check_rows(scanner, rows)
    for height, row in enumerate(reversed(rows)):
        for column, letter in enumerate(row.letters):
            if letter in (WHITE, BOTH):
                tiles["white"].append(Cell(column, height))
            if letter in (RED, BOTH):
                tiles["red"].append(Cell(column, height))
    board = Board(len(rows[0].letters), len(rows))
    return Setup(board, tiles["white"], tiles["red"], bridges)


def _check_rows(scanner: Scanner, rows: list[_Row]) -> None:
    """Refuse a diagram without rows, rows of different lengths, and wrong row numbers."""
    if not rows:
        scanner.fail("row-of-cells")
    width = len(rows[0].letters)
    for number, row in enumerate(reversed(rows), 1):
        if row.number not in (None, number):
            scanner.fail("row-number", row.offset, row_number=number)
        if len(row.letters) != width:
            scanner.fail("row-width", row.offset, width=width)


def _scan_row(scanner: Scanner, above: int) -> _Row:
    """Read a row; *above* is the number of rows before it."""
    start = scanner.offset
    if above == Board.MAX_SIDE:
        scanner.fail("max-rows", max=Board.MAX_SIDE)
    number = None
    if scanner.peek() in DIGITS:
        number = scanner.number("row", 1, Board.MAX_SIDE)
    letters = ""
    while not scanner.at_line_end():
        letter = scanner.peek().lower()
        if letter not in (WATER, WHITE, RED, BOTH) or not scanner.take(letter):
            scanner.fail_choice([WATER, WHITE, RED, BOTH])
        letters += letter
        if len(letters) > Board.MAX_SIDE:
            scanner.fail("max-cells", max=Board.MAX_SIDE)
    if not letters:
        scanner.fail("row-of-cells")
    scanner.require_size(len(letters), above + 1, start)
    return _Row(start, number, letters)


def _scan_columns(scanner: Scanner, width: int) -> None:
    """Read the rest of the line of column letters, which is redundant but must be correct."""
    for column in range(1, width):
        scanner.at_line_end()
        start = scanner.offset
        if scanner.letters() != column_name(column):
            scanner.fail("column-letter", start, letter=column_name(column))
    if not scanner.at_line_end():
        scanner.fail("end-of-line")


def _scan_list(scanner: Scanner, item: Callable[[], T]) -> list[T]:
    """Read items separated by blanks up to the end of the line."""
    items = []
    while not scanner.at_line_end():
        items.append(item())
    return items


def format_setup(setup: Setup) -> str:
    """Return *setup* as a diagram.

    ``parse_setup`` is the inverse, unless a cell lies beyond any board.

    >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3)))
    >>> state = state.apply(pdd.parse_action("a1,c2"))
    >>> print(pdd.format_setup(state.position.setup()))
    3 . . . .
    2 . . w .
    1 w . . .
      a b c d
    """
    require_type(setup, Setup, "setup")
    board = setup.board
    names = [column_name(column) for column in range(board.width)]
    pad = len(names[-1])
    margin = len(str(board.height))
    white = set(setup.white)
    red = set(setup.red)

    def letter(cell: Cell) -> str:
        if cell in white:
            return BOTH if cell in red else WHITE
        return RED if cell in red else WATER

    def line(label: str, entries: Iterable[str]) -> str:
        return f"{label:>{margin}} " + " ".join(f"{entry:<{pad}}" for entry in entries)

    lines = []
    for row in reversed(range(board.height)):
        cells = [Cell(column, row) for column in range(board.width)]
        lines.append(line(str(row + 1), map(letter, cells)))
    lines.append(line("", names))
    below = (
        ("bridges", setup.bridges),
        ("white", [cell for cell in setup.white if cell not in board]),
        ("red", [cell for cell in setup.red if cell not in board]),
    )
    for word, items in below:
        if items:
            lines.append(" ".join((word, *map(str, items))))
    return "\n".join(each.rstrip() for each in lines)
