"""Boards as SVG pictures, for pages, notebooks and books.

``svg.render(drawable)`` draws states, half turns, positions, set-ups and games. A picture has no
style sheets, scripts, fonts or ids: every converter can draw it, and one page can contain several.
A title, a description and data attributes give the same information in words.
"""

from .document import Svg, render
from .overlays import Arrow
from .themes import DARK, LIGHT, PRINT, Theme

__all__ = ["DARK", "LIGHT", "PRINT", "Arrow", "Svg", "Theme", "render"]


def __dir__() -> list[str]:
    return __all__
