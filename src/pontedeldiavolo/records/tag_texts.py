"""Texts from files in other formats, fit for tags and comments, and the names of tags."""

from __future__ import annotations

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.game.tags import UNPRINTABLE


def tag_text(text: str) -> str:
    """Return *text* for a tag, with blanks in place of unprintable characters and line ends."""
    return UNPRINTABLE.sub(" ", text)


def comment_text(text: str) -> str:
    """Return *text* for a comment, with blanks in place of unprintable characters."""
    return "\n".join(map(tag_text, text.split("\n")))


def seat_tag(seat: Seat, name: str = "") -> str:
    """Return the name of a tag that is about a seat: ``First``, ``FirstRating``."""
    return seat.value.capitalize() + name
