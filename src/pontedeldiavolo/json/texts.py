"""Values that are a single text in a document: cells, bridges, actions and the words of the game.

Stricter than the notation for people: lower case and no blanks, so that a regular expression can
tell what is one. The two cells of an action or a bridge may come in either order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import Enum
from operator import attrgetter
from typing import Any, Final

from attrs import frozen

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak
from pontedeldiavolo.base.errors import Reason, quoted, reason
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, CellPair, column_of
from pontedeldiavolo.json.error import JsonError
from pontedeldiavolo.json.plain import string
from pontedeldiavolo.notation.actions import format_action
from pontedeldiavolo.rules.actions import BuildBridge, ChooseColor, Pass, PlaceTile, PlaceTiles


@frozen
class Text:
    """How the values of a class are written.

    Attributes:
        of: The class.
        pattern: What the texts match.
        expected: What errors call such a text.
        value: Gives the value of a match.
        text: Gives the text of a value, which matches unless a cell is too far away.
        example: How errors show it, for actions and steps.
    """

    of: type[object]
    pattern: re.Pattern[str]
    expected: Reason
    value: Callable[[re.Match[str]], object]
    text: Callable[[Any], str]
    example: str = ""

    def read(self, data: object, _: object = None) -> object:
        """Return the value that *data* writes, or raise a :class:`JsonError`."""
        found = self.pattern.fullmatch(string(data))
        if found is None:
            raise JsonError("", self.expected)
        return self.value(found)

    def write(self, value: object) -> str:
        """Return a value as text, or raise a :class:`JsonError`."""
        if type(value) is not self.of:
            raise JsonError("", reason("json-class", name=self.of.__name__))
        text = self.text(value)
        if not self.pattern.fullmatch(text):
            raise JsonError("", reason("json-cell"))
        return text


def _cell(found: re.Match[str], group: int = 1) -> Cell:
    """Return the cell whose letters and digits are two groups of a match."""
    return Cell(column_of(found[group]), int(found[group + 1]) - 1)


def _pair(of: type[CellPair]) -> Callable[[re.Match[str]], CellPair]:
    return lambda found: of(_cell(found), _cell(found, 3))


def _words(of: type[Enum]) -> Text:
    """Return how the members of an enumeration are written: as their words."""
    words = [member.value for member in of]
    pattern, expected = re.compile("|".join(words)), reason("one-of", words=quoted(words))
    return Text(of, pattern, expected, lambda found: of(found[0]), attrgetter("value"))


# Cells may lie off every board, but not out of all proportion.
_LETTERS_AND_DIGITS = "([a-z]{1,6})([1-9][0-9]{0,8})"
_ONE = re.compile(_LETTERS_AND_DIGITS)
_TWO = re.compile(f"{_LETTERS_AND_DIGITS},{_LETTERS_AND_DIGITS}")
_SPAN = re.compile(f"{_LETTERS_AND_DIGITS}-{_LETTERS_AND_DIGITS}")
_CELL, _TILES, _BRIDGE = reason("cell"), reason("json-tiles"), reason("json-bridge")
_PASS = reason("literal", literal="pass")
_COLOR = _words(Color)
_TABLE = (
    _COLOR,
    *map(_words, (Seat, Phase, Tiebreak, DecidedBy, Ending, Rule)),
    Text(Cell, _ONE, _CELL, _cell, str),
    Text(Bridge, _SPAN, _BRIDGE, _pair(Bridge), str),
    Text(PlaceTiles, _TWO, _TILES, _pair(PlaceTiles), format_action, "'a1,b2'"),
    Text(PlaceTile, _ONE, _CELL, lambda a: PlaceTile(_cell(a)), lambda a: str(a.cell), "'a1'"),
    Text(BuildBridge, _SPAN, _BRIDGE, _pair(BuildBridge), format_action, "'a1-c3'"),
    Text(
        ChooseColor,
        _COLOR.pattern,
        _COLOR.expected,
        lambda found: ChooseColor(Color(found[0])),
        format_action,
        "'white', 'red'",
    ),
    Text(Pass, re.compile("pass"), _PASS, lambda _: Pass(), format_action, "'pass'"),
)
TEXTS: Final[dict[object, Text]] = {text.of: text for text in _TABLE}
"""How every class is written whose values are a single text."""

STEPS: Final[dict[object, Text]] = {text.of: text for text in _TABLE if text.example}
"""How actions and steps are written; no two kinds of them alike."""
