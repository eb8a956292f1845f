"""Moves in the making."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

from attrs import define, field

from pontedeldiavolo.game.line import Line, Move
from pontedeldiavolo.rules.actions import Action


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
