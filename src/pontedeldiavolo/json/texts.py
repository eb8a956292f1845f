"""Values that are a single text in a document: cells, bridges, actions and the words of the game.

Stricter than the notation for people: lower case and no blanks, so that a regular expression can
tell what is one. The two cells of an action or a bridge may come in either order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from typing import Final, TypeVar

from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
    Step,
)
from pontedeldiavolo.vocabulary import Color

E = TypeVar("E", bound=Enum)

CELL: Final = "[a-z]{1,6}[1-9][0-9]{0,8}"
"""A cell as a regular expression. Cells may lie off every board, but not out of all proportion."""

_CELL = re.compile("([a-z]{1,6})([1-9][0-9]{0,8})")
_PAIR = re.compile(f"({CELL}),({CELL})")
_SPAN = re.compile(f"({CELL})-({CELL})")


def write_cell(cell: Cell) -> str:
    """Return a cell as text: ``c4``.

    Raises:
        JsonError: If it is too far away for any document.
    """
    text = str(cell)
    if not _CELL.fullmatch(text):
        raise JsonError("", "a cell with at most six letters and nine digits")
    return text


def read_cell(text: str) -> Cell:
    """Return the cell that *text* names.

    Raises:
        JsonError: If it names none.
    """
    found = _CELL.fullmatch(text)
    if found is None:
        raise JsonError("", "a cell such as 'c4'")
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - ord("a") + 1
    return Cell(column - 1, int(found[2]) - 1)


def write_bridge(bridge: Bridge) -> str:
    """Return a bridge as text: ``a1-c3``.

    Raises:
        JsonError: If it is too far away for any document.
    """
    return f"{write_cell(bridge.a)}-{write_cell(bridge.b)}"


def read_bridge(text: str) -> Bridge:
    """Return the bridge that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    return Bridge(*_two_cells(_SPAN, text, "a bridge such as 'a1-c3'"))


def _two_cells(pattern: re.Pattern[str], text: str, expected: str) -> tuple[Cell, Cell]:
    found = pattern.fullmatch(text)
    if found is None:
        raise JsonError("", expected)
    return read_cell(found[1]), read_cell(found[2])


def write_action(action: Action) -> str:
    """Return an action as text: ``a1,b2``, ``a1-c2``, ``white``, ``red`` or ``pass``.

    Raises:
        JsonError: If a cell is too far away for any document.
    """
    if isinstance(action, PlaceTiles | BuildBridge):
        # Both must be such as a document can hold.
        write_bridge(Bridge(action.a, action.b))
    return format_action(action)


def write_tile(tile: PlaceTile) -> str:
    """Return a single tile as its cell.

    Raises:
        JsonError: If it is too far away for any document.
    """
    return write_cell(tile.cell)


def read_tiles(text: str) -> PlaceTiles:
    """Return the pair of tiles that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    return PlaceTiles(*_two_cells(_PAIR, text, "two tiles such as 'a1,b2'"))


def read_tile(text: str) -> PlaceTile:
    """Return the single tile that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    return PlaceTile(read_cell(text))


def read_building(text: str) -> BuildBridge:
    """Return the building of a bridge that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    return BuildBridge(*_two_cells(_SPAN, text, "a bridge such as 'a1-c3'"))


def read_choice(text: str) -> ChooseColor:
    """Return the choice of a colour that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    return ChooseColor(member_of(Color)(text))


def read_pass(text: str) -> Pass:
    """Return the pass that *text* writes.

    Raises:
        JsonError: If it writes none.
    """
    if text != "pass":
        raise JsonError("", "'pass'")
    return Pass()


EXAMPLES: Final[dict[type[object], str]] = {
    PlaceTiles: "'a1,b2'",
    PlaceTile: "'a1'",
    BuildBridge: "'a1-c3'",
    ChooseColor: "'white' or 'red'",
    Pass: "'pass'",
}
"""How every kind of action and step is written; no two kinds are written alike."""


def read_step(text: str) -> Action | Step:
    """Return the action or step that *text* writes, of whichever kind.

    Raises:
        JsonError: If it writes none.
    """
    readers: tuple[Callable[[str], Action | Step], ...]
    readers = (read_tiles, read_building, read_choice, read_pass, read_tile)
    for read in readers:
        try:
            return read(text)
        except JsonError:
            continue
    raise JsonError("", f"one of {', '.join(EXAMPLES.values())}")


def word(member: Enum) -> str:
    """Return the word for a colour, a seat, a phase and so on."""
    return str(member.value)


def member_of(words: type[E]) -> Callable[[str], E]:
    """Return what reads one of the words of the game, such as a colour.

    Args:
        words: All words that are possible, as members of an enumeration.
    """
    members = {member.value: member for member in words}

    def read(text: str) -> E:
        try:
            return members[text]
        except KeyError:
            wanted = ", ".join(map(repr, members))
            raise JsonError("", f"one of {wanted}") from None

    return read
