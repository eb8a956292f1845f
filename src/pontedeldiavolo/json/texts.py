"""Kinds that are a single text: words, cells, bridges, actions and steps.

Stricter than the notation for people: lower case and no blanks, so that a regular expression can
tell what a text is. The two cells of an action or a bridge may come in either order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from operator import attrgetter
from typing import Any, Final, get_args

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak
from pontedeldiavolo.base.errors import Reason, reason
from pontedeldiavolo.board.bridge import Bridge
from pontedeldiavolo.board.cell import Cell, CellPair, column_of
from pontedeldiavolo.json.codecs import Codec, JsonError, one_of, text_of
from pontedeldiavolo.notation.actions import format_action, format_step
from pontedeldiavolo.rules.actions import (
    Action,
    BuildBridge,
    ChooseColor,
    Pass,
    PlaceTile,
    PlaceTiles,
)

# Cells may lie off every board, up to a limit.
_CELL = "([a-z]{1,6})([1-9][0-9]{0,8})"


def kind(codec: Codec) -> Codec:
    """Return a codec as a kind of documents, named after its class: ``game-state``."""
    name = re.sub("(?<=[a-z])(?=[A-Z])", "-", codec.of.__name__).lower()
    return codec.named(name)


def _words(of: type[Enum]) -> Codec:
    return kind(one_of(of, of, attrgetter("value")))


def _cell(found: re.Match[str], group: int = 1) -> Cell:
    """Return the cell whose letters and digits are two groups of a match."""
    return Cell(column_of(found[group]), int(found[group + 1]) - 1)


def _tile(found: re.Match[str]) -> PlaceTile:
    return PlaceTile(_cell(found))


def _pair_of(
    of: type[CellPair], dash: str, expected: Reason, text: Callable[[Any], str], example: str
) -> Codec:
    """Return the codec of two cells in either order."""
    pattern = f"{_CELL}{dash}{_CELL}"
    return text_of(
        of, pattern, expected, lambda found: of(_cell(found), _cell(found, 3)), text, example
    )


COLOR = _words(Color)
SEAT = _words(Seat)
PHASE = _words(Phase)
TIEBREAK = _words(Tiebreak)
DECIDED_BY = _words(DecidedBy)
ENDING = _words(Ending)
RULE = _words(Rule)
CELL = kind(text_of(Cell, _CELL, reason("cell"), _cell, str, "c4"))
BRIDGE = kind(_pair_of(Bridge, "-", reason("json-bridge"), str, "a1-c3"))
PLACE_TILES = kind(_pair_of(PlaceTiles, ",", reason("json-tiles"), format_action, "a1,b2"))
PLACE_TILE = kind(
    text_of(PlaceTile, _CELL, reason("cell"), _tile, format_step, "a1").shown(**CELL.schema)
)
BUILD_BRIDGE = kind(
    _pair_of(BuildBridge, "-", reason("json-bridge"), format_step, "a1-c3").shown(**BRIDGE.schema)
)
CHOOSE_COLOR = kind(one_of(ChooseColor, map(ChooseColor, Color), format_step).shown(**COLOR.schema))
_LITERAL_PASS = reason("literal", literal="pass")
PASS = kind(text_of(Pass, "pass", _LITERAL_PASS, lambda _: Pass(), format_step).shown(const="pass"))

STEPS: Final[Mapping[object, tuple[Codec, str]]] = {
    PlaceTiles: (PLACE_TILES, "'a1,b2'"),
    PlaceTile: (PLACE_TILE, "'a1'"),
    BuildBridge: (BUILD_BRIDGE, "'a1-c3'"),
    ChooseColor: (CHOOSE_COLOR, "'white', 'red'"),
    Pass: (PASS, "'pass'"),
}
"""The codecs of actions and steps, with examples for errors. No two kinds are written alike."""


def any_step(kinds: Iterable[object]) -> Codec:
    """Return the codec of a union of actions and steps."""
    codecs = [STEPS[of][0] for of in kinds]
    expected = reason("json-action", examples=", ".join(STEPS[of][1] for of in kinds))

    def read(data: object) -> object:
        for codec in codecs:
            try:
                return codec.read(data)
            except JsonError:
                pass
        raise JsonError("", expected)

    def write(step: object) -> object:
        return STEPS[type(step)][0].write(step)

    return Codec(read, write, {"oneOf": [codec.schema for codec in codecs]})


ACTION = any_step(get_args(Action)).named("action")
