"""Moves in the making."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import final

from attrs import define, field

from pontedeldiavolo.base.errors import NotationError
from pontedeldiavolo.board.board import Board
from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.notation.actions import parse_cell
from pontedeldiavolo.rules.actions import Action, BuildBridge, PlaceTiles

_PLAIN = re.compile(r"([a-z]{1,2}[1-9][0-9]?)([,-])([a-z]{1,2}[1-9][0-9]?)(?![0-9])")

# Files name the same few cells again and again.
_cell = lru_cache(maxsize=Board.MAX_SIDE**2)(parse_cell)


@final
@define(eq=False)
class Draft:
    """A move that may still get glyphs, comments, variations and annotations."""

    action: Action
    glyphs: list[int] = field(factory=list)
    comments: list[str] = field(factory=list)
    variations: list[Line] = field(factory=list)
    annotations: dict[str, str] = field(factory=dict)

    def move(self) -> Move:
        """Return the move as it is now."""
        comment = joined(self.comments) if self.comments else ""
        return Move(self.action, self.glyphs, comment, self.variations, self.annotations)


def joined(comments: Iterable[str]) -> str:
    """Return several comments as one, each on lines of its own."""
    return "\n".join(filter(None, comments))


def plain_action(text: str, offset: int = 0) -> tuple[Action, int] | None:
    """Return the action of two cells at *offset* and where it ends, if it is plainly written.

    ``None`` is for everything else: the notation says what that is, or what is wrong with it.
    """
    found = _PLAIN.match(text, offset)
    if found is None:
        return None
    try:
        a, b = _cell(found[1]), _cell(found[3])
    except NotationError:
        return None
    return (PlaceTiles(a, b) if found[2] == "," else BuildBridge(a, b)), found.end()
