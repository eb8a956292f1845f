"""Arrows from cell to cell."""

from __future__ import annotations

from math import hypot
from typing import final

from attrs import field, frozen

from pontedeldiavolo.base.checks import instance_of
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.board.cell import Cell
from pontedeldiavolo.svg.numbers import joined
from pontedeldiavolo.svg.themes import color

WIDTH, HEAD, WING = 3.0, 15.0, 9.0
"""Half the width of the shaft, how long the head is, and half its width."""
RING = "a16 16 0 1 1 32 0a16 16 0 1 1-32 0m5 0a11 11 0 1 0 22 0a11 11 0 1 0-22 0z"
"""An arrow to where it begins: a ring with a smaller one cut out."""


def _color(value: str | None) -> str | None:
    return None if value is None else color(value, "color")


@final
@frozen(order=False)
class Arrow(ImmutableValue):
    """An arrow to draw over a board.

    Attributes:
        start: The cell where it begins.
        end: The cell that it points at; one that begins there is a ring.
        color: ``#`` and six hexadecimal digits; ``None`` for the theme's own.

    Raises:
        TypeError: If something is not of its type.
        PonteError: If the colour is not written so.
    """

    start: Cell = field(validator=instance_of(Cell))
    end: Cell = field(validator=instance_of(Cell))
    color: str | None = field(default=None, converter=_color)


def arrow_path(start: tuple[int, int], end: tuple[int, int]) -> str:
    """Return the outline of an arrow between the middles of two cells."""
    (x, y), (to_x, to_y) = start, end
    length = hypot(to_x - x, to_y - y)
    if not length:
        return f"M{x - 16} {y}{RING}"
    i, j = (to_x - x) / length, (to_y - y) / length
    # Along the arrow, and to its right.
    points = [
        (6.0, -WIDTH),
        (length - HEAD, -WIDTH),
        (length - HEAD, -WING),
        (length, 0.0),
        (length - HEAD, WING),
        (length - HEAD, WIDTH),
        (6.0, WIDTH),
    ]
    return "M" + "L".join(joined(x + i * a - j * b, y + j * a + i * b) for a, b in points) + "z"
