"""What notebooks ask values for: a picture of them.

Pictures are drawn on a floor far above the values. So there is a slot here, which the package
fills when it is imported, and whoever draws is loaded when the first picture is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pontedeldiavolo.base.sealed import Unsealed

Painter: TypeAlias = Callable[[object], str]

_SLOT: list[Painter] = []


def drawn_by(painter: Painter) -> None:
    """Have all values drawn by *painter* from now on."""
    _SLOT[:] = [painter]


class Drawable(Unsealed):
    """Base of values that notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        """Return the picture as a text."""
        return _SLOT[0](self)
