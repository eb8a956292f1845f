"""The colours of pictures: for light pages, dark pages, and black-and-white print."""

from __future__ import annotations

import re
from typing import Final, final

from attrs import frozen

from pontedeldiavolo.base.errors import PonteError, require_tuple, require_type
from pontedeldiavolo.base.values import ImmutableValue

_COLOR = re.compile(r"#[0-9a-f]{6}")


def color(value: str, name: str) -> str:
    """Return a colour in lower case.

    Raises:
        PonteError: If it is not ``#`` and six hexadecimal digits.
    """
    require_type(value, str, name)
    found = str.lower(value)
    if not _COLOR.fullmatch(found):
        raise PonteError(f"{name} is a colour such as '#1a2b3c', not {value[:20]!a}")
    return found


def mixed(one: str, other: str, part: float) -> str:
    """Return a mixture of two colours; *part* is the share of the second, from 0 to 1."""
    pairs = ((int(one[at : at + 2], 16), int(other[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in pairs)


@final
@frozen(kw_only=True, order=False, repr=False)
class Theme(ImmutableValue):
    """The colours of a picture, each as ``#`` and six hexadecimal digits.

    The defaults are the colours of ``LIGHT``. No two parts differ in hue alone: red's tiles contain
    a frame, islands have a shore, and blocked cells are darker than other water.

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
        inlay: The frames in red's tiles.
        white_edge: The rims of white's tiles.
        red_edge: The rims of red's tiles.
        edge: The rims of the marks of the last action.
        shore: The shores of islands.
        white_land: The land under white's islands.
        red_land: The land under red's islands.
        white_shoal: The colour of white's sandbanks.
        red_shoal: The colour of red's sandbanks.
        bridge: The deck of bridges.
        rail: The railings of bridges.
        shadow: The shadow of bridges.
        blocked: The water of blocked cells.
        last: The marks of the last action.
        highlight: The marks of highlighted cells.
        target: The marks of legal actions.
        fault: The marks of broken rules.
        arrow: Arrows without a colour.
        heat: Cells with the highest number in a heat map.
        cold: Cells with the lowest number in a heat map, if that is negative.
        white_tints: The tints of white's networks, at least one. If there are more networks
            at once, the tints repeat.
        red_tints: The tints of red's networks.

    Raises:
        PonteError: If a colour has another form, or there are no tints.
    """

    paper: str = "#fbf8f1"
    text: str = "#3b352d"
    water: str = "#a3d2d8"
    grid: str = "#90c4cc"
    white: str = "#fffdf6"
    red: str = "#b8392b"
    inlay: str = "#f3b3a4"
    white_edge: str = "#6b5726"
    red_edge: str = "#6b1810"
    edge: str = "#4a3208"
    shore: str = "#5d4a22"
    white_land: str = "#cbae52"
    red_land: str = "#eeb2a4"
    white_shoal: str = "#d9efe8"
    red_shoal: str = "#d9efe8"
    bridge: str = "#e6b670"
    rail: str = "#5d3515"
    shadow: str = "#0d3440"
    blocked: str = "#75abb6"
    last: str = "#ffd83d"
    highlight: str = "#5b2a86"
    target: str = "#0b4f5c"
    fault: str = "#b3007d"
    arrow: str = "#5b2a86"
    heat: str = "#e66100"
    cold: str = "#3b4cc0"
    white_tints: tuple[str, ...] = (
        *("#0072b2", "#009e73", "#7d32e1", "#af90f0"),
        *("#130a9a", "#8070ec", "#4e1f83", "#1b06f5"),
    )
    red_tints: tuple[str, ...] = (
        *("#e69f00", "#cc79a7", "#d55e00", "#f0e442"),
        *("#820101", "#e72545", "#8a4a7a", "#892a44"),
    )

    def __attrs_post_init__(self) -> None:
        put = object.__setattr__
        for name in TINTS:
            tints = getattr(self, name)
            require_tuple(tints, str, name)
            if not tints:
                raise PonteError("a theme has at least one tint")
            put(self, name, tuple(color(each, name) for each in tints))
        for name in COLORS:
            put(self, name, color(getattr(self, name), name))

    def __repr__(self) -> str:
        # It is short, because it stands in the signatures of functions that draw.
        for name, theme in NAMED.items():
            if self == theme:
                return f"svg.{name}"
        other = [each for each in (*COLORS, *TINTS) if getattr(self, each) != getattr(LIGHT, each)]
        return f"Theme({', '.join(f'{each}={getattr(self, each)!r}' for each in other)})"


TINTS: Final = ("white_tints", "red_tints")
COLORS: Final = tuple(name for name in Theme.__annotations__ if name not in TINTS)
"""The names of single colours."""

LIGHT: Final = Theme()
"""The theme for light pages, which is the default."""

DARK: Final = Theme(
    paper="#14181c",
    text="#e4dfd3",
    water="#1c4d5d",
    grid="#265b6c",
    white="#f4ecda",
    red="#ee705a",
    inlay="#5a140b",
    white_edge="#40351a",
    red_edge="#2c0703",
    edge="#06090b",
    shore="#f0dfb4",
    white_land="#c3b676",
    red_land="#a84c3c",
    white_shoal="#5a97a2",
    red_shoal="#5a97a2",
    bridge="#d9a862",
    rail="#1d1006",
    shadow="#000000",
    blocked="#0c2f3b",
    last="#ffe14d",
    highlight="#d3a6ff",
    target="#9fe3ef",
    fault="#ff8ad8",
    arrow="#d3a6ff",
    heat="#ff9a3d",
    cold="#8fa2ff",
    white_tints=(
        "#56b4e9",
        "#2fc79b",
        "#9d59eb",
        "#aafe83",
        "#554aff",
        "#61ffbf",
        "#0b0ec9",
        "#4e058f",
    ),
    red_tints=(
        "#e69f00",
        "#e39cc4",
        "#f0e442",
        "#c9560a",
        "#93359b",
        "#f48341",
        "#b31007",
        "#cab377",
    ),
)
"""The theme for dark pages."""

PRINT: Final = Theme(
    paper="#ffffff",
    text="#000000",
    water="#e2e2e2",
    grid="#d0d0d0",
    white="#ffffff",
    red="#2b2b2b",
    inlay="#ffffff",
    white_edge="#333333",
    red_edge="#000000",
    edge="#000000",
    shore="#000000",
    white_land="#a6a6a6",
    red_land="#808080",
    white_shoal="#fafafa",
    red_shoal="#fafafa",
    bridge="#ffffff",
    rail="#000000",
    shadow="#333333",
    blocked="#c4c4c4",
    last="#ffffff",
    highlight="#000000",
    target="#404040",
    fault="#000000",
    arrow="#404040",
    heat="#6e6e6e",
    cold="#b0b0b0",
    white_tints=(
        "#000000",
        "#616161",
        "#323232",
        "#949494",
    ),
    red_tints=(
        "#1d1d1d",
        "#7a7a7a",
        "#494949",
        "#b0b0b0",
    ),
)
"""The theme for print: only shades of grey."""

NAMED: Final = {"LIGHT": LIGHT, "DARK": DARK, "PRINT": PRINT}
"""The themes that have names."""
