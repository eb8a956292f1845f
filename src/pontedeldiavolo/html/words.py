"""The words of a page, in one language."""

from __future__ import annotations

from typing import Final

from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.base.messages import Catalog, filled, word

GLYPHS: Final = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
"""The glyphs that have signs; others are shown by their numbers, as in records."""


class Words:
    """What a catalogue has for pages."""

    def __init__(self, catalog: Catalog) -> None:
        self.catalog: Catalog = catalog

    def __call__(self, code: str, **values: int | str) -> str:
        """Return a text with its values."""
        return filled(self.catalog, code, values)

    def of(self, key: str) -> str:
        """Return the word for something that lies on a cell; a bridge's other end stays open."""
        color = next((each for each in Color if each.value == key), None)
        if color is not None:
            return word(color, self.catalog)
        return self(f"page-{key}", **({"cell": "{cell}"} if key == "bridge-to" else {}))

    def glyph(self, number: int) -> tuple[str, str]:
        """Return a glyph's sign and what it means; a number means what the reader knows."""
        if number in GLYPHS:
            return GLYPHS[number], self(f"glyph-{number}")
        return f"${number}", ""
