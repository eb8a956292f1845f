"""What of a set-up lies off its board: sentences below the picture."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pontedeldiavolo.svg.glyphs import begun, width
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.themes import Theme
from pontedeldiavolo.svg.view import View

LINE = 18
"""How far lines stand from each other."""


def lines_of(sentences: Iterable[str], view: View) -> list[str]:
    """Return sentences in lines as long as the board is wide; a long word has one of its own."""
    room = view.width - 2 * view.far
    found: list[str] = []
    for sentence in sentences:
        line = ""
        for word in sentence.split(" "):
            longer = f"{line} {word}" if line else word
            if line and width(longer) > room:
                found.append(line)
                longer = word
            line = longer
        found.append(line)
    return found


def notes(lines: list[str], view: View, theme: Theme) -> Iterator[str]:
    """The lines, below the board."""
    for number, line in enumerate(lines):
        strokes = begun(line, view.far, view.height + LINE * number + LINE / 2)
        yield (
            f'<path class="note" fill="none" stroke="{theme.text}" stroke-width="1.5"'
            f' stroke-linecap="round" stroke-linejoin="round" d="{strokes}">'
            f"<title>{escaped(line)}</title></path>"
        )
