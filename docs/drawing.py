"""Draw boards for pages: small pictures whose colours follow the theme of the page.

The library writes pictures that need no style sheet, with a part and a title for every cell. A page
has a style sheet, and nobody clicks on its pictures. So a picture of a page keeps its title and its
description, but only one path for all parts that look the same. Its colours are variables;
``style_sheet`` gives them the colours of the light or the dark theme.
"""

from __future__ import annotations

import re
from typing import Any, Final

import attrs
from docutils import nodes
from sphinx.application import Sphinx

import pontedeldiavolo as pdd
from pontedeldiavolo.board.cell import column_name
from pontedeldiavolo.game.board_view import Drawable
from pontedeldiavolo.svg.themes import COLORS, TINTS

PREFIX: Final = "--b-"
THEMES: Final = {"only-light": pdd.svg.LIGHT, "only-dark": pdd.svg.DARK}
"""The themes, by the class of what only pages in that theme show."""
NEEDLESS: Final = re.compile(
    r' (?:xmlns="http://www\.w3\.org/2000/svg"|stroke-linejoin="round"|data-board="\w+")'
)
"""Attributes that a picture within a page does not need, or that ``site.css`` gives to all."""
CELLS: Final = re.compile(r'<g class="cells".*?</g>', re.DOTALL)
LABELS: Final = re.compile(r'<g class="labels".*?</g>', re.DOTALL)
BOARD: Final = re.compile(r'data-board="(\d+)x(\d+)" viewBox="0 0 (\d+) (\d+)"')
ABOUT_PART: Final = re.compile(r' (?:data-[a-z]+|class)="[^"]*"')
TITLE_OF_PART: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
CLOSED: Final = re.compile(r"<(path|rect)([^<>]*)></\1>")
"""An element without content, once its title is gone."""
PATHS: Final = re.compile(r'<path d="([^"]*)"/>(?:<path d="[^"]*"/>)+')
DATA: Final = re.compile(r'd="([^"]*)"')
GROUP: Final = re.compile(r'<g([^<>]*)><path d="([^"]*)"/></g>')
LABEL_PLACE: Final = 13
"""The distance of a label from the edge of the picture."""
CELL: Final = 40
MARGIN: Final = 26
FAR: Final = 6


class Html(nodes.General, nodes.Element):
    """HTML that is not text of the page: the search does not find its words."""


def html(text: str, kind: str = "") -> Html:
    """Return a node with HTML; layout.py names the kinds."""
    return Html("", html=text, kind=kind)


def visit_html(translator: Any, node: Html) -> None:
    """Write the HTML."""
    translator.body.append(node["html"])
    raise nodes.SkipNode


def skip(_translator: Any, _node: Html) -> None:
    """Write nothing in other formats."""
    raise nodes.SkipNode


def names_of_colors() -> dict[str, tuple[str, ...]]:
    """Return the names of a theme's colours, each with the colours in the themes of pages."""
    found = {name: tuple(getattr(each, name) for each in THEMES.values()) for name in COLORS}
    for name in TINTS:
        of_themes = [getattr(each, name) for each in THEMES.values()]
        for number, colors in enumerate(zip(*of_themes, strict=True)):
            found[f"{name}-{number}"] = colors
    return {name.replace("_", "-"): colors for name, colors in found.items()}


NAMES: Final = names_of_colors()
CODES: Final = {f"#{number:06x}": name for number, name in enumerate(NAMES, 1)}
"""A colour that stands for each name."""


def code_of(name: str) -> str:
    """Return the colour that stands for a name."""
    return next(code for code, each in CODES.items() if each == name)


def theme_of_codes() -> pdd.svg.Theme:
    """Return a theme of colours that stand for names."""
    tints: dict[str, Any] = {
        name: tuple(
            code
            for code, each in CODES.items()
            if each.rpartition("-")[0] == name.replace("_", "-")
        )
        for name in TINTS
    }
    colors: dict[str, Any] = {name: code_of(name.replace("_", "-")) for name in COLORS}
    return attrs.evolve(pdd.svg.LIGHT, **colors, **tints)


THEME: Final = theme_of_codes()
CODE: Final = re.compile("|".join(CODES))


def style_sheet() -> str:
    """Return the colours of boards in both themes, and in print."""
    light, dark = (
        "".join(f"{PREFIX}{name}:{colors[place]};" for name, colors in NAMES.items())
        for place in range(len(THEMES))
    )
    return (
        f"body{{{light}}}\n"
        f"@media not print{{\nbody[data-theme=dark]{{{dark}}}\n"
        f"@media (prefers-color-scheme:dark){{body:not([data-theme=light]){{{dark}}}}}\n}}\n"
    )


def draw(drawable: Drawable, **options: Any) -> str:
    """Return a picture for a page.

    Heat maps mix colours, so they are drawn for each theme. A picture with a theme keeps it.
    """
    if "theme" in options:
        return slim(str(pdd.svg.render(drawable, **options)))
    if options.get("heat"):
        drawn = (
            f'<span class="{name}">{slim(str(pdd.svg.render(drawable, theme=theme, **options)))}'
            "</span>"
            for name, theme in THEMES.items()
        )
        return "".join(drawn)
    picture = slim(str(pdd.svg.render(drawable, theme=THEME, **options)))
    return CODE.sub(lambda code: f"var({PREFIX}{CODES[code[0]]})", picture)


def slim(picture: str) -> str:
    """Return a picture without the parts and titles of single cells."""
    about, end, parts = picture.partition("</desc>")
    size = BOARD.search(about)
    if size is None:
        raise ValueError(f"no picture of a board: {picture[:200]}")
    parts = LABELS.sub(lambda found: labels(found[0], *map(int, size.groups())), parts)
    parts = TITLE_OF_PART.sub("", ABOUT_PART.sub("", CELLS.sub("", parts)))
    parts = PATHS.sub(join_paths, CLOSED.sub(r"<\1\2/>", parts))
    parts = GROUP.sub(r'<path\1 d="\2"/>', parts)
    return NEEDLESS.sub("", f"{about}{end}{parts}")


def join_paths(paths: re.Match[str]) -> str:
    """Return several paths as one."""
    return f'<path d="{"".join(DATA.findall(paths[0]))}"/>'


def labels(found: str, columns: int, rows: int, width: int, _height: int) -> str:
    """Return the letters and numbers at the edges of a board as text."""
    if width != MARGIN + CELL * columns + FAR:
        # A large board has labels at all sides.
        return found
    bottom = FAR + CELL * rows + LABEL_PLACE + 5
    xs = [MARGIN + CELL // 2 + CELL * number for number in range(columns)]
    ys = [FAR + CELL // 2 + CELL * number + 5 for number in range(rows)]
    names = [column_name(number) for number in range(columns)]
    numbers = [str(number) for number in range(rows, 0, -1)]
    return texts(names, xs, [bottom]) + texts(numbers, [LABEL_PLACE], ys)


def texts(names: list[str], xs: list[int], ys: list[int]) -> str:
    """Return labels in a row or a column: one element for all that have a single letter."""
    places = [*zip(names, [(x, y) for x in xs for y in ys], strict=True)]
    found = ""
    for name, (x, y) in places:
        if len(name) > 1:
            found += f'<text x="{x}" y="{y}">{name}</text>'
    single = [(name, place) for name, place in places if len(name) == 1]
    if single:
        # The place of each letter.
        x_list = " ".join(str(x) for _, (x, _) in single)
        y_list = str(ys[0]) if len(ys) == 1 else " ".join(str(y) for _, (_, y) in single)
        letters = "".join(name for name, _ in single)
        found += f'<text x="{x_list}" y="{y_list}">{letters}</text>'
    return found


def setup(app: Sphinx) -> None:
    """Add the node."""
    app.add_node(
        Html,
        html=(visit_html, None),
        latex=(skip, None),
        man=(skip, None),
        texinfo=(skip, None),
        text=(skip, None),
    )
