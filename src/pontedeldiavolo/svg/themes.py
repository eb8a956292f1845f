"""Colours of pictures: for light pages, for dark ones, and for paper without colours."""

from __future__ import annotations

import re
from typing import Final, final

from attrs import field, frozen

from pontedeldiavolo.base.checks import require_type
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.base.values import ImmutableValue

_COLOR = re.compile(r"#[0-9a-f]{6}")


def color(value: str, name: str) -> str:
    """Return a colour in small letters.

    Raises:
        PonteError: If it is not ``#`` and six hexadecimal digits.
    """
    require_type(value, str, name)
    found = str.lower(value)
    if not _COLOR.fullmatch(found):
        raise PonteError(reason("bad-color", name=name, value=value[:20]))
    return found


def mixed(one: str, other: str, part: float) -> str:
    """Return a mixture of two colours, with a share of the other one from 0 to 1."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


@final
@frozen(kw_only=True, order=False)
class Theme(ImmutableValue):
    """The colours of a picture, each as ``#`` and six hexadecimal digits.

    The defaults are those of ``LIGHT``. Colour alone never tells parts from each other: red's
    tiles have a hole, sandbanks a dashed shore, blocked cells a hatching.

    >>> import attrs
    >>> violet = attrs.evolve(pdd.svg.DARK, red="#5A189A")
    >>> violet.red
    '#5a189a'
    >>> picture = pdd.svg.render(pdd.GameState.initial(), theme=violet)

    Attributes:
        paper: The background of the picture, and of the points of networks.
        text: Letters and numbers.
        water: The sea.
        grid: The lines between cells.
        white: White's tiles.
        red: Red's tiles.
        edge: The rims of tiles, islands and marks.
        white_land: The land under white's islands.
        red_land: The land under red's islands.
        white_shoal: The colour of white's sandbanks.
        red_shoal: The colour of red's sandbanks.
        bridge: The deck of bridges.
        rail: The railings of bridges.
        shadow: The shadow of bridges.
        blocked: The hatching of blocked cells.
        last: The marks of the last action.
        highlight: The marks of highlighted cells.
        target: The marks of legal actions.
        fault: The marks of broken rules.
        arrow: Arrows without their own colour.
        heat: Cells with the highest number of a heat map.
        cold: Cells with the lowest number of a heat map, if that is negative.
        tints: The tints of networks, used in turn; at least one.

    Raises:
        PonteError: If a colour is not written so, or there are no tints.
    """

    paper: str = "#fbf8f1"
    text: str = "#26221d"
    water: str = "#8cc3cc"
    grid: str = "#74acb7"
    white: str = "#fffaf0"
    red: str = "#9c1f18"
    edge: str = "#2a1a10"
    white_land: str = "#e0cf8c"
    red_land: str = "#e6a399"
    white_shoal: str = "#bfdcd9"
    red_shoal: str = "#bfdcd9"
    bridge: str = "#d29a41"
    rail: str = "#3a2210"
    shadow: str = "#0d2b33"
    blocked: str = "#1c4f5b"
    last: str = "#ffe14d"
    highlight: str = "#5b2a86"
    target: str = "#0b4f5c"
    fault: str = "#b3007d"
    arrow: str = "#5b2a86"
    heat: str = "#e66100"
    cold: str = "#3b4cc0"
    tints: tuple[str, ...] = field(
        default=("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#f0e442", "#d55e00")
    )

    def __attrs_post_init__(self) -> None:
        require_type(self.tints, tuple, "tints")
        if not self.tints:
            raise PonteError(reason("no-tints"))
        put = object.__setattr__
        put(self, "tints", tuple(color(each, "tints") for each in self.tints))
        for name in COLORS:
            put(self, name, color(getattr(self, name), name))


COLORS: Final = tuple(name for name in Theme.__annotations__ if name != "tints")
"""The names of single colours."""

LIGHT: Final = Theme()
"""For light pages: the default."""

DARK: Final = Theme(
    paper="#14181c",
    text="#ece7db",
    water="#12404d",
    grid="#235766",
    white="#f6eedc",
    red="#f2664f",
    edge="#06090b",
    white_land="#8a8f74",
    red_land="#a3483f",
    white_shoal="#5a97a2",
    red_shoal="#5a97a2",
    bridge="#e3bb68",
    rail="#140a02",
    shadow="#000000",
    blocked="#a3d3de",
    last="#ffe14d",
    highlight="#d3a6ff",
    target="#9fe3ef",
    fault="#ff8ad8",
    arrow="#d3a6ff",
    heat="#ff9a3d",
    cold="#8fa2ff",
    tints=("#56b4e9", "#e69f00", "#2fc79b", "#e39cc4", "#f0e442", "#c9560a"),
)
"""For dark pages."""

PRINT: Final = Theme(
    paper="#ffffff",
    text="#000000",
    water="#dedede",
    grid="#bebebe",
    white="#ffffff",
    red="#2b2b2b",
    edge="#000000",
    white_land="#b8b8b8",
    red_land="#929292",
    white_shoal="#f4f4f4",
    red_shoal="#f4f4f4",
    bridge="#ffffff",
    rail="#000000",
    shadow="#777777",
    blocked="#505050",
    last="#ffffff",
    highlight="#000000",
    target="#404040",
    fault="#000000",
    arrow="#404040",
    heat="#6e6e6e",
    cold="#b0b0b0",
    tints=("#000000", "#555555", "#8a8a8a"),
)
"""For paper: shades of grey alone."""
