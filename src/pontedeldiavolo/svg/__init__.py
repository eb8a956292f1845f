"""A board as a picture in SVG, for pages, notebooks and books.

``svg.render(scene)`` draws states, half turns, positions, set-ups and games. A picture has no
style sheets, scripts, fonts or ids: every converter can draw it, and several of them can stand in
one page. What it shows it also says, in a title, a description and data attributes.
"""

from pontedeldiavolo.svg.arrows import Arrow
from pontedeldiavolo.svg.document import Svg, render
from pontedeldiavolo.svg.themes import DARK, LIGHT, PRINT, Theme

__all__ = ["DARK", "LIGHT", "PRINT", "Arrow", "Svg", "Theme", "render"]
