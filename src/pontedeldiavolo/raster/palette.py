"""The colours of an animation: one palette for all of its frames, so that nothing flickers."""

from __future__ import annotations

from typing import Final

from PIL import Image

from pontedeldiavolo.svg.themes import COLORS, Theme

CLEAR: Final = 255
"""The entry of the palette that stands for what was there before."""

NEAR: Final = 16
"""No other colour lies so near to one of the theme: files with fewer colours are smaller."""

BOX: Final = 4
"""How wide the boxes are in which Pillow looks colours up."""

MOST_OF_THEME: Final = 128
"""How many entries the theme's own colours take at most: it may have any number of tints."""

Color = tuple[int, int, int]


def palette_of(theme: Theme, picture: Image.Image) -> list[Color]:
    """Return the colours for pictures such as *picture*: 256, each once, the last one for nothing.

    They are the theme's as they are, and those that soft edges and shadows need.
    """
    names = [*(getattr(theme, name) for name in COLORS), *theme.tints]
    own = list(dict.fromkeys(map(_color, names)))[:MOST_OF_THEME]
    mixed = picture.quantize(CLEAR - len(own), Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    flat = mixed.getpalette() or []
    found = [(flat[at], flat[at + 1], flat[at + 2]) for at in range(0, len(flat), 3)]
    colors = [*own, *(each for each in found if not any(_is_near(each, other) for other in own))]
    grey = [(level, level, level) for level in range(CLEAR + 1)]
    return list(dict.fromkeys([*colors, *grey]))[: CLEAR + 1]


def guide(colors: list[Color]) -> Image.Image:
    """Return what Pillow looks colours up in; the last one is never found.

    Pillow takes all colours of a small box for that in its corner. So that the theme's are found as
    they are, colours stand in the corners here.
    """
    image = Image.new("P", (1, 1))
    image.putpalette([part & -BOX for color in (*colors[:CLEAR], colors[0]) for part in color])
    return image


def packed(colors: list[Color]) -> bytes:
    """Return colours as files have them."""
    return bytes(part for color in colors for part in color)


def _color(text: str) -> Color:
    red, green, blue = bytes.fromhex(text[1:])
    return red, green, blue


def _is_near(one: Color, other: Color) -> bool:
    return all(abs(a - b) < NEAR for a, b in zip(one, other, strict=True))
