"""Boards in pages: a directive whose content is a diagram, drawn by the library itself.

The options are those of ``svg.render``, as texts; ``to-move`` makes a state of the diagram, and
``first`` a half turn of that state.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

import pontedeldiavolo as pdd


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
        scene: pdd.Scene = setup
        if to_move is not None:
            scene = pdd.GameState.from_position(setup.position(), to_move=to_move)
            if first is not None:
                scene = scene.step(pdd.PlaceTile(first))
        picture = pdd.svg.render(scene, **{"size": 300, **options})
        return [nodes.raw("", f"<p>{picture}</p>", format="html")]
