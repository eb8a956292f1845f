"""A picture in SVG that is drawn as pixels, as a whole or in part."""

from __future__ import annotations

import re
from typing import SupportsIndex, final

import resvg_py
from attrs import frozen

from pontedeldiavolo.base.checks import whole_number
from pontedeldiavolo.base.errors import PonteError
from pontedeldiavolo.svg.document import Svg

LARGEST = 4096
"""The most pixels of the longer side: 64 MB while they are drawn."""

_CELLS = re.compile('<g class="cells".*?</g>', re.DOTALL)
"""What the water is called, cell by cell: it is as blue without."""

_BOX = re.compile(r' viewBox="0 0 (\d+) (\d+)"')

Box = tuple[int, int, int, int]
"""Pixels: from the left, from above, and where they end there."""


@final
@frozen
class Sheet:
    """A picture with the pixels that it gets.

    Attributes:
        before: The text before the size.
        after: The text behind it.
        wide: How wide the picture is, in its own units.
        high: How high it is.
        width: How many pixels it is wide.
        height: How many pixels it is high.
        paper: The colour of what the picture leaves free.
    """

    before: str
    after: str
    wide: int
    high: int
    width: int
    height: int
    paper: str

    @property
    def scale(self) -> float:
        """How many pixels there are for each unit; where that leaves a part of one, it is paper."""
        return min(self.width / self.wide, self.height / self.high)

    @property
    def whole(self) -> Box:
        """All of it."""
        return 0, 0, self.width, self.height

    def drawn(self, box: Box) -> bytes:
        """Return a part of it in PNG."""
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        units = " ".join(f"{each / self.scale:.7f}" for each in (left, top, width, height))
        return resvg_py.svg_to_bytes(
            svg_string=(
                f'{self.before} viewBox="{units}" width="{width}" height="{height}"{self.after}'
            ),
            background=self.paper,
            # All letters are strokes, and looking for fonts takes long.
            skip_system_fonts=True,
        )

    def around(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Return the pixels of a part, which is given in the picture's own units."""
        scale = self.scale
        return (
            max(0, int(scale * left)),
            max(0, int(scale * top)),
            min(self.width, int(scale * right) + 1),
            min(self.height, int(scale * bottom) + 1),
        )


def pixels_of(size: SupportsIndex | None) -> int | None:
    """Return how long the longer side of a picture is to be.

    Raises:
        TypeError: If it is not a whole number.
        PonteError: If it is not 1 to 4,096.
    """
    if size is None:
        return None
    found = whole_number(size, "size")
    if not 1 <= found <= LARGEST:
        raise PonteError(f"a picture in pixels has a size of 1 to {LARGEST:,}, not {found:,}")
    return found


def sheet_of(picture: Svg, paper: str, pixels: int | None, *, scale: int, most: int) -> Sheet:
    """Return a picture of unbound size with its pixels.

    Args:
        picture: The picture.
        paper: The colour around it.
        pixels: The longer side; ``None`` to let the picture's own size decide.
        scale: How many pixels it has for each unit, then.
        most: How long it is at most, then.
    """
    before, wide, high, after = _BOX.split(_CELLS.sub("", picture.text, 1), maxsplit=1)
    units = (int(wide), int(high))
    longer = max(units)
    pixels = min(scale * longer, most) if pixels is None else pixels
    width, height = (max(1, round(pixels * side / longer)) for side in units)
    return Sheet(before, after, *units, width, height, paper)
