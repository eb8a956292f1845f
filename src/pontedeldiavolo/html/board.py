"""The picture of a game with all its variations, and the same board as a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final, TypeAlias

from pontedeldiavolo.base.catalogs import ENGLISH
from pontedeldiavolo.base.enums import Color
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.board.geometry import bits
from pontedeldiavolo.html.course import Course
from pontedeldiavolo.html.words import Words
from pontedeldiavolo.state.state import GameState
from pontedeldiavolo.svg import layers
from pontedeldiavolo.svg import networks as nets
from pontedeldiavolo.svg.marks import BRACKETS
from pontedeldiavolo.svg.markup import escaped
from pontedeldiavolo.svg.scenery import Scenery, of_pieces
from pontedeldiavolo.svg.themes import LIGHT, Theme
from pontedeldiavolo.svg.view import View
from pontedeldiavolo.svg.words import Words as Titles

Layer: TypeAlias = Callable[[Scenery, View, Theme, Titles], Iterator[str]]

LAYERS: Final[tuple[Layer, ...]] = (
    layers.blocked,
    layers.land,
    layers.tiles,
    nets.tints,
    layers.bridges,
    nets.points,
)
"""What a game brings, from the sea up."""

TITLES: Final = Titles(ENGLISH)
"""What parts are called, before that is taken away."""

MARKS: Final = 2
"""No action marks more cells."""

_TITLE: Final = re.compile("<title>[^<]*</title>")
_EMPTY: Final = re.compile("></(?:path|rect)>")


def picture(courses: list[Course], view: View, words: Words) -> Iterator[str]:
    """The picture: in each layer, a group for each line that has a part in it.

    Without the titles of parts. The table says more.
    """
    main = courses[0].scenery
    board, theme = main.board, LIGHT
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" class="pontedeldiavolo"'
        f' aria-label="{escaped(words("page-board"))}" data-board="{board.width}x{board.height}"'
        f' viewBox="0 0 {view.width} {view.height}">{_untitled(layers.labels(view, theme, TITLES))}'
    )
    yield _untitled("".join(layers.sea(main, view, theme)))
    for layer in LAYERS:
        for course in courses:
            drawn = _untitled("".join(layer(course.scenery, view, theme, TITLES)))
            if drawn:
                hidden = ' display="none"' if course.number else ""
                yield f'<g data-line="{course.number}"{hidden}>{drawn}</g>'
    steps = courses[0].steps
    yield from _marks(steps[-1].marks, view)
    yield "</svg>"


def _untitled(drawn: str) -> str:
    return _EMPTY.sub("/>", _TITLE.sub("", drawn))


def _marks(cells: tuple[int, ...], view: View) -> Iterator[str]:
    """Brackets around the cells of the last action, to be moved to others."""
    yield '<g fill="none" stroke-linecap="round">'
    for place in range(MARKS):
        at = corner(cells[place], view) if place < len(cells) else "0,0"
        hidden = "" if place < len(cells) else ' display="none"'
        path = f'd="M2,14{BRACKETS}"'
        yield (
            f'<g class="last" transform="translate({at})"{hidden}>'
            f'<path stroke="{LIGHT.edge}" stroke-width="5" {path}/>'
            f'<path stroke="{LIGHT.last}" stroke-width="2.6" {path}/></g>'
        )
    yield "</g>"


def corner(cell: int, view: View) -> str:
    """Return where the marks of a cell are moved to."""
    x, y = view.points[cell]
    return f"{x},{y}"


def table(state: GameState, view: View, words: Words) -> Iterator[str]:
    """The board as a table, for those who do not see it; a script keeps it up to date."""
    keys = ("white", "red", "island", "bridge-to", "blocked", "water")
    told = "".join(f' data-{key}="{escaped(words.of(key))}"' for key in keys)
    cells = _told(state, view, words)
    yield (
        f'<div class="unseen"><table class="cells-in-words"{told}>'
        f"<caption>{escaped(words('page-board'))}</caption><thead><tr><td></td>"
    )
    yield from (f'<th scope="col">{column_name(x)}</th>' for x in range(view.columns))
    yield "</tr></thead><tbody>"
    for row in range(view.rows - 1, -1, -1):
        yield f'<tr><th scope="row">{row + 1}</th>'
        numbers = range(row * view.columns, (row + 1) * view.columns)
        yield from (
            f'<td data-cell="{view.names[cell]}">{escaped(", ".join(cells[cell]))}</td>'
            for cell in numbers
        )
        yield "</tr>"
    yield "</tbody></table></div>"


def _told(state: GameState, view: View, words: Words) -> list[Iterable[str]]:
    """Return what lies on each cell: its tile, its island, its bridge."""
    found: list[list[str]] = [[] for _ in view.names]
    scenery = of_pieces(state._pieces, None, networks=False)
    colors = [words.of(color.value) for color in Color]
    for tile in scenery.tiles:
        found[tile.cell].append(colors[tile.color])
    for land in scenery.lands:
        if land.is_island:
            for cell in bits(land.cells):
                found[cell].append(words.of("island"))
    for span in scenery.spans:
        for one, other in ((span.a, span.b), (span.b, span.a)):
            text = words.of("bridge-to").replace("{cell}", view.names[other])
            found[one].append(text)
    for cell in bits(scenery.blocked):
        found[cell].append(words.of("blocked"))
    return [each or [words.of("water")] for each in found]
