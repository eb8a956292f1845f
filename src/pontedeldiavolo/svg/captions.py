"""Titles, descriptions and captions of a picture, in the language of a catalogue."""

from __future__ import annotations

import re
from functools import cached_property
from textwrap import shorten
from typing import Final, final

from pontedeldiavolo.base.enums import Color, Seat
from pontedeldiavolo.base.messages import Catalog, explain, filled, result, word
from pontedeldiavolo.game.board_view import BoardView, Drawable
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.position.position import Setup
from pontedeldiavolo.rules.violations import Violation
from pontedeldiavolo.state.state import GameState, HalfTurn

NAME: Final = "Ponte del Diavolo"
COLORS: Final = ("white", "red")
"""The colours in class attributes, in every language."""
MAX_TAG_CHARACTERS: Final = 200
"""The maximum length of a tag in a title."""
MAX_SENTENCE_CHARACTERS: Final = 200
"""The maximum length of a sentence on a fault."""

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPES: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_TO_ESCAPE: Final = re.compile(f'{_NO_XML.pattern}|[&<>"]')


def escaped(text: str) -> str:
    """Return a text for elements and attributes; characters that XML cannot hold are replaced."""
    # Hardly any text of a picture needs it, and a search is faster than a translation.
    if not _TO_ESCAPE.search(text):
        return text
    return _NO_XML.sub("\ufffd", text).translate(_ESCAPES)


@final
class Captions:
    """The texts of a catalogue for pictures or for pages."""

    def __init__(self, catalog: Catalog, prefix: str = "picture") -> None:
        self.catalog: Catalog = catalog
        self._prefix = prefix

    @cached_property
    def colors(self) -> tuple[str, ...]:
        """The names of both colours."""
        return tuple(word(color, self.catalog) for color in Color)

    def __call__(self, code: str, **values: int | str) -> str:
        """Return a text with its values."""
        return filled(self.catalog, f"{self._prefix}-{code}", values)

    def escaped(self, code: str, **values: int | str) -> str:
        """Return a text with its values, escaped for elements and attributes."""
        return escaped(self(code, **values))

    def title(self, code: str, **values: int | str) -> str:
        """Return the ``title`` element of a part."""
        return f"<title>{escaped(self(code, **values))}</title>"

    def explained(self, fault: Violation) -> str:
        """Return the sentence on a fault, shortened: it may name any number of cells."""
        return shorten(explain(fault, self.catalog), MAX_SENTENCE_CHARACTERS, placeholder=" ...")


def players_of(game: Game) -> str:
    """Return the names of a game's players, white's first; nothing if both are unknown.

    Lists of moves and points have white on the left as well. Before the colours are chosen,
    player 1 comes first.
    """
    first, second = (game.tags.get(name, "?")[:MAX_TAG_CHARACTERS] for name in ("First", "Second"))
    if first == second == "?":
        return ""
    is_first_red = game.state.color_of(Seat.FIRST) is Color.RED
    return f"{second} – {first}" if is_first_red else f"{first} – {second}"


def title_of(drawable: Drawable, captions: Captions) -> str:
    """Return the title of a picture."""
    if isinstance(drawable, Game):
        event = drawable.tags.get("Event", "")[:MAX_TAG_CHARACTERS]
        return ", ".join(filter(None, (NAME, players_of(drawable), event)))
    if not isinstance(drawable, GameState | HalfTurn):
        text = captions("title-board")
    elif drawable.is_over:
        text = captions("title-over")
    elif drawable.to_move is None:
        text = captions("title-choice", turn=drawable.turn)
    else:
        color = captions.colors[drawable.to_move.index]
        text = captions("title-turn", turn=drawable.turn, color=color)
    return f"{NAME}, {text}"


def description_of(
    drawable: Drawable, view: BoardView, faults: tuple[Violation, ...], captions: Captions
) -> str:
    """Return the position in words."""
    said = [captions("board", width=view.board.width, height=view.board.height)]
    said += [_side(drawable, view, each, captions) for each in Color]
    if view.blocked:
        said.append(captions("all-blocked", cells=view.names_of(view.blocked)))
    if view.first is not None:
        color = captions.colors[view.first.color]
        cell = view.names[view.first.cell]
        said.append(captions("first", color=color, cell=cell))
    if isinstance(drawable, Game):
        said.append(result(drawable, captions.catalog))
    said += [explain(each, captions.catalog) for each in faults]
    return " ".join(f"{text[:1].upper()}{text[1:]}" for text in said)


def _side(drawable: Drawable, view: BoardView, color: Color, captions: Captions) -> str:
    """Return the pieces and the points of a colour; set-ups have no points."""
    groups = [each for each in view.groups if each.color == color.index and each.until is None]
    parts = []
    for is_island, kind in ((True, "islands"), (False, "sandbanks")):
        names = [view.names_of(each.cells) for each in groups if each.is_island == is_island]
        if names:
            parts.append(captions(kind, cells="; ".join(names)))
    bridges = [view.bridge_name(each) for each in view.bridges if each.color == color.index]
    if bridges:
        parts.append(captions("bridges", bridges=", ".join(bridges)))
    if not parts:
        parts.append(captions("nothing"))
    if not isinstance(drawable, Setup):
        scored = drawable.state if isinstance(drawable, Game) else drawable
        parts.append(captions("points", count=scored.score(color).points))
    return captions("side", color=captions.colors[color.index], lying=", ".join(parts))
