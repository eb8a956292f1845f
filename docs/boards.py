"""Boards in pages, drawn by the library itself while the pages are made.

The content of the directive ``board`` is a diagram. Its options are those of ``svg.render``, as
texts; ``to-move`` makes a state of the diagram, and ``first`` a half turn of that state.
``picture-only`` leaves out the link to the page for playing on.

A diagram in an example is drawn above it, too, with what the example asks about.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from doctest import DocTestParser
from html import escape
from pathlib import Path
from typing import Any, ClassVar, Final

import playing
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import pontedeldiavolo as pdd

pyodide: Path | None = None
"""The files of the page for playing on; ``None`` if there is no such page."""
FOLDED: Final = ("game/rules",)
"""Pages that show boards, and code only on request."""
MARGIN, CELL, LARGEST = 50, 32, 420
"""The sizes of pictures in pages, in pixels."""


def cells(text: str) -> list[pdd.Cell]:
    """Return the cells that a text names, with blanks between."""
    return [pdd.parse_cell(name) for name in text.split()]


def arrows(text: str) -> list[pdd.svg.Arrow]:
    """Return the arrows in a text such as ``a1-c3 b2-b5``."""
    pairs = (name.split("-") for name in text.split())
    return [pdd.svg.Arrow(pdd.parse_cell(start), pdd.parse_cell(end)) for start, end in pairs]


def heat(text: str) -> dict[pdd.Cell, float]:
    """Return the numbers in a text such as ``a1=0.5 c3=-1``."""
    pairs = (name.split("=") for name in text.split())
    return {pdd.parse_cell(name): float(number) for name, number in pairs}


def theme(text: str) -> pdd.svg.Theme:
    """Return a theme by its name."""
    return {"light": pdd.svg.LIGHT, "dark": pdd.svg.DARK, "print": pdd.svg.PRINT}[text]


class Board(SphinxDirective):
    """A diagram of a set-up, drawn."""

    has_content = True
    option_spec: ClassVar[dict[str, Callable[[str], Any]]] = {
        "arrows": arrows,
        "first": pdd.parse_cell,
        "heat": heat,
        "highlights": cells,
        "last": pdd.parse_action,
        "networks": directives.flag,
        "picture-only": directives.flag,
        "size": int,
        "targets": directives.flag,
        "theme": theme,
        "to-move": pdd.Color,
    }

    def run(self) -> list[nodes.Node]:
        """Return the picture as it stands in a page."""
        options = {name: True if value is None else value for name, value in self.options.items()}
        setup = pdd.parse_setup("\n".join(self.content))
        to_move, first = options.pop("to-move", None), options.pop("first", None)
        picture_only = options.pop("picture-only", False)
        drawable: pdd.Drawable = setup
        if to_move is not None:
            drawable = pdd.GameState.from_position(setup.position(), to_move=to_move)
            if first is not None:
                drawable = drawable.step(pdd.PlaceTile(first))
        drawn = picture(drawable, **{"size": 300, **options})
        return [drawn] if picture_only else [drawn, *play_on(self.env.docname, drawable)]


class PlayNow(SphinxDirective):
    """A link to the page for playing, if there is one."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Return the link, with the argument as its text."""
        if pyodide is None:
            return []
        link = f"{'../' * self.env.docname.count('/')}{playing.PLACE}/index.html"
        text = escape(self.arguments[0])
        html = f'<p><a class="play-now" href="{escape(link)}">{text}</a></p>'
        return [nodes.raw("", html, format="html")]


def picture(drawable: pdd.Drawable, **options: Any) -> nodes.Node:
    """Return a picture as it stands in a page: one for light pages, and one for dark ones."""
    themes = {"only-light": pdd.svg.LIGHT, "only-dark": pdd.svg.DARK}
    if "theme" in options:
        themes = {"": options.pop("theme")}
    drawn = "".join(
        f'<p class="{name}">{pdd.svg.render(drawable, theme=colors, **options)}</p>'
        for name, colors in themes.items()
    )
    return nodes.raw("", drawn, format="html")


def play_on(page: str, drawable: pdd.Drawable) -> Iterator[nodes.Node]:
    """Link to the page for playing on, if there is one and the rules allow it."""
    if pyodide is None or isinstance(drawable, pdd.Game):
        return
    if isinstance(drawable, pdd.Setup):
        try:
            drawable = drawable.position()
        except pdd.InvalidPositionError:
            return
    if isinstance(drawable, pdd.HalfTurn):
        drawable = drawable.state
    if isinstance(drawable, pdd.Position):
        drawable = pdd.GameState.from_position(drawable)
    link = f"{'../' * page.count('/')}{playing.address(drawable)}"
    yield nodes.raw(
        "", f'<p class="play-on"><a href="{escape(link)}">Play on from here</a></p>', format="html"
    )


def draw_examples(app: Sphinx, page: nodes.document) -> None:
    """Draw the diagrams in the examples of a page, above each of them."""
    for example in [*page.findall(nodes.literal_block), *page.findall(nodes.doctest_block)]:
        pictures = [*_pictures(app.env.docname, example)]
        if pictures:
            place = example.parent.index(example)
            example.parent[place:place] = pictures
            if app.env.docname in FOLDED:
                _fold(example)


def _pictures(page: str, example: nodes.Element) -> Iterator[nodes.Node]:
    kind = example.get("testnodetype")
    if kind == "testcode":
        sources = [example.astext()]
    elif kind == "doctest":
        sources = [each.source for each in DocTestParser().get_examples(example.astext())]
    else:
        return
    for source in sources:
        for call in ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call):
                given = (each.value for each in call.args if isinstance(each, ast.Constant))
                texts = [each for each in given if isinstance(each, str)]
                for diagram in filter(_is_diagram, texts):
                    setup = pdd.parse_setup(diagram)
                    side = max(setup.board.width, setup.board.height)
                    size = min(MARGIN + CELL * side, LARGEST)
                    yield picture(setup, size=size, **_asked(texts))
                    yield from play_on(page, setup)


def _is_diagram(text: str) -> bool:
    if "\n" not in text:
        return False
    try:
        pdd.parse_setup(text)
    except pdd.NotationError:
        return False
    return True


def _asked(texts: list[str]) -> dict[str, Any]:
    """Return marks for the actions among some texts: what an example asks about."""
    marked: list[pdd.Cell] = []
    arrows: list[pdd.svg.Arrow] = []
    for text in texts:
        for parse in (pdd.parse_step, pdd.parse_action):
            try:
                action = parse(text)
            except pdd.NotationError:
                continue
            if isinstance(action, pdd.PlaceTile):
                marked.append(action.cell)
            elif isinstance(action, pdd.PlaceTiles):
                marked += [action.a, action.b]
            elif isinstance(action, pdd.BuildBridge):
                arrows.append(pdd.svg.Arrow(action.a, action.b))
            break
    return {"highlights": marked, "arrows": arrows}


def _fold(example: nodes.Element) -> None:
    """Put code behind a line that opens it."""
    place = example.parent.index(example)
    before = nodes.raw("", "<details><summary>Code</summary>", format="html")
    after = nodes.raw("", "</details>", format="html")
    example.parent[place : place + 1] = [before, example, after]
