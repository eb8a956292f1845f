"""The tokens of Boardspace's records: one for each click."""

from __future__ import annotations

import re
from typing import Final, final

from attrs import frozen

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.board.cell import Cell, column_of
from pontedeldiavolo.records.parsing import SourceText
from pontedeldiavolo.records.sgf.tree import Value

BOARD: Final = Board(10, 10)

DIRECTIONS: Final = {
    "30": (-2, -1),
    "45": (-2, -2),
    "60": (-1, -2),
    "90": (0, -2),
    "120": (1, -2),
    "135": (2, -2),
    "150": (2, -1),
    "180": (-2, 0),
}
"""The offset of a bridge's far end from its anchor, in columns and rows, by its name.

The order is the site's: of all directions that are legal a new bridge takes the last.
"""


VERBS: Final = {
    "start": "player",  # a player begins, and the game is under way
    "edit": "",  # the board is set up by hand, up to the next start
    "pick": "piece",  # a tile or a bridge is taken from the supply
    "drop": "piece",  # it is put back there
    "pickb": "cell",  # the piece just put on the board is taken up again
    "dropb": "cell",  # the piece in hand is put on the board, a bridge with its anchor
    "bridgeend": "cell",  # the bridge just built is turned to another far end
    "tile": "piece cell",  # a robot places a tile
    "bridge": "piece cell",  # a robot builds a bridge
    "swap": "",  # the colours are exchanged; once more, and they are not
    "pass": "",  # the player does nothing
    "reset": "",  # the turn starts again
    "undo": "",  # an older word for the same
    "done": "",  # the turn is over
    "resign": "",  # the player gives up when done; once more, and does not
    "winontime": "",  # the player wins because the other one's time is up
    "gameover": "",  # a robot that can do nothing more in its turn ends the game
}
"""Verbs of a token, with what follows them; the case of their letters does not matter."""

_COLORS: Final = {
    "w": Color.WHITE,
    "r": Color.RED,
    "white_chip_pool": Color.WHITE,
    "red_chip_pool": Color.RED,
}
_WORD = re.compile(r"\S+")
_INDEX = re.compile(r"-?[0-9]+")
_BRIDGE = re.compile(r"(?:x|bridge)_(30|45|60|90|120|135|150|180)")
_ROW = re.compile(r"[1-9]|10")
_PLAYER = re.compile(r"p([01])")


@final
@frozen(eq=False)
class Token:
    """One click of a player.

    Attributes:
        player: The number of the player, 0 or 1.
        verb: The action.
        offset: The offset in the text.
        color: The colour of the tile that it is about, if it is.
        direction: The name of the bridge that it is about, if it is; a person's bridge gets
            its direction when it is put down, whatever its name.
        cell: The cell that it is about, if it is.
        starter: The player who starts.
    """

    player: int
    verb: str
    offset: int
    color: Color | None = None
    direction: str | None = None
    cell: Cell | None = None
    starter: int | None = None


def read_token(source: SourceText, player: int, value: Value) -> Token:
    """Return the token that a property's value is.

    Raises:
        NotationError: If it is not a token.
    """
    words = [
        (word.group().lower(), value.offset + word.start()) for word in _WORD.finditer(value.raw)
    ]
    if len(words) > 1 and _INDEX.fullmatch(words[0][0]):
        del words[0]
    end = value.offset + len(value.raw)
    verb, offset = words[0] if words else ("", end)
    if verb not in VERBS:
        source.fail("boardspace-verb", offset)
    rest = [*words[1:], ("", end), ("", end), ("", end)]
    color = direction = cell = starter = None
    if "piece" in VERBS[verb]:
        color, direction = _piece(source, verb, *rest.pop(0))
    if "cell" in VERBS[verb]:
        cell = _cell(source, rest[0], rest[1])
    if "player" in VERBS[verb]:
        starter = _starter(source, *rest[0])
    return Token(player, verb, offset, color, direction, cell, starter)


def _piece(
    source: SourceText, verb: str, word: str, offset: int
) -> tuple[Color | None, str | None]:
    """Return the colour of a tile, or the name of a bridge."""
    color, bridge = _COLORS.get(word), _BRIDGE.fullmatch(word)
    if color is not None and verb != "bridge":
        return color, None
    if bridge is None or verb == "tile":
        source.fail("boardspace-piece", offset)
    return None, bridge.group(1)


def _cell(source: SourceText, column: tuple[str, int], row: tuple[str, int]) -> Cell:
    """Return the cell of a column's letter and a row's number."""
    letter, column_offset = column
    number, row_offset = row
    if len(letter) != 1 or not "a" <= letter <= "j":
        source.fail("boardspace-column", column_offset)
    if not _ROW.fullmatch(number):
        source.fail("boardspace-row", row_offset)
    return Cell(column_of(letter), int(number) - 1)


def _starter(source: SourceText, word: str, offset: int) -> int:
    found = _PLAYER.fullmatch(word)
    if not found:
        source.fail("boardspace-player", offset)
    return int(found.group(1))
