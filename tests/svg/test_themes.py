"""Themes: sufficient contrast, and colours that colour-blind people can distinguish."""

from __future__ import annotations

from itertools import combinations
from math import dist
from typing import Any

import attrs
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from pontedeldiavolo.svg.themes import mixed
from support.pictures import EXAMPLE, example_state, parse

# Contrast and colour blindness, computed from the written colours

Rgb = tuple[float, float, float]

# The vision of people without red, green or blue cones, for linear light, by Machado, Oliveira and
# Fernandes (2009).
BLIND: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
    "full sight": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
}


def linear(color: str) -> Rgb:
    """Return the linear red, green and blue of a colour, from 0 to 1."""
    parts = [byte / 255 for byte in bytes.fromhex(color[1:])]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return red, green, blue


def luminance(color: str) -> float:
    """Return the relative luminance, as WCAG defines it."""
    red, green, blue = linear(color)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio, as WCAG defines it: 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def difference(one: str, other: str, sight: str) -> float:
    """Return the distance of two colours in CIELAB for a kind of vision."""
    return dist(_lab(_seen(linear(one), sight)), _lab(_seen(linear(other), sight)))


def _seen(light: Rgb, sight: str) -> Rgb:
    red, green, blue = (
        min(1.0, max(0.0, sum(a * b for a, b in zip(row, light, strict=True))))
        for row in BLIND[sight]
    )
    return red, green, blue


def _lab(light: Rgb) -> Rgb:
    red, green, blue = light
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    i, j, k = (
        part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, y, z)
    )
    return 116 * j - 16, 500 * (i - j), 200 * (j - k)


THEMES = {"light": svg.LIGHT, "dark": svg.DARK, "print": svg.PRINT}
PIECES = 3
TEXT = 4.5
"""The minimum contrast of text by WCAG."""
APART = 10
"""The minimum distance of colours; a just noticeable difference is 2."""

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
sights = pytest.mark.parametrize("sight", BLIND)


def of(theme: svg.Theme, name: str) -> str:
    found = getattr(theme, name)
    assert isinstance(found, str)
    return found


def stands_out(fill: str, rim: str, ground: str) -> bool:
    """Tell whether a part is seen on a ground, by its fill or by its rim."""
    by_rim = contrast(rim, ground) >= PIECES and contrast(rim, fill) >= PIECES
    return contrast(fill, ground) >= PIECES or by_rim


@themes
@pytest.mark.parametrize(
    ("contrasts", "least"),
    [
        ([("text", "paper")], TEXT),
        # Rails show beside the deck, and frames in red's tiles.
        ([("rail", "bridge")], PIECES),
        ([("inlay", "red")], PIECES),
        # Islands stand out from the water, by themselves or by their shores.
        ([("white_land", "water"), ("shore", "water")], PIECES),
        ([("red_land", "water"), ("shore", "water")], PIECES),
        # Marks stand out on any ground: each is a line with a border of another colour.
        ([("last", "edge")], PIECES),
        *([([(mark, "paper")], PIECES) for mark in ("highlight", "target", "fault", "arrow")]),
    ],
)
def test_parts_have_enough_contrast(
    theme: svg.Theme, contrasts: list[tuple[str, str]], least: float
) -> None:
    assert max(contrast(of(theme, one), of(theme, other)) for one, other in contrasts) >= least


@themes
@pytest.mark.parametrize("ground", ["water", "white_land", "red_land", "white_shoal", "red_shoal"])
def test_tiles_stand_out_from_what_they_lie_on(theme: svg.Theme, ground: str) -> None:
    whose = ground.partition("_")[0]
    for name in ("white", "red") if whose == "water" else (whose,):
        assert stands_out(of(theme, name), of(theme, f"{name}_edge"), of(theme, ground))


@themes
@pytest.mark.parametrize("ground", ["water", "blocked", "white", "red"])
def test_bridges_stand_out_from_what_they_lie_on(theme: svg.Theme, ground: str) -> None:
    assert stands_out(theme.bridge, theme.rail, of(theme, ground))


@themes
@sights
def test_pieces_and_grounds_differ_for_everybody(theme: svg.Theme, sight: str) -> None:
    names = ["white", "red", "water", "white_land", "red_land", "blocked"]
    for one, other in combinations(names, 2):
        assert difference(of(theme, one), of(theme, other), sight) >= APART, (one, other)


@pytest.mark.parametrize("theme", [svg.LIGHT, svg.DARK])
@sights
def test_sandbanks_and_water_differ_in_coloured_themes(theme: svg.Theme, sight: str) -> None:
    for shoal in (theme.white_shoal, theme.red_shoal):
        assert difference(theme.water, shoal, sight) >= APART


@themes
@sights
def test_tints_differ_for_everybody(theme: svg.Theme, sight: str) -> None:
    tints = (*theme.white_tints, *theme.red_tints)
    assert len(tints) >= (8 if theme is svg.PRINT else 16)
    for one, other in combinations(tints, 2):
        assert difference(one, other, sight) >= APART, (one, other)


def test_land_comes_before_water_in_the_dark() -> None:
    names = ["paper", "blocked", "water", "white_shoal", "white_land", "white"]
    lights = [contrast(of(svg.DARK, name), "#000000") for name in names]
    assert lights[1:] == sorted(lights[1:])
    assert min(lights) in lights[:2]
    assert contrast(svg.DARK.red_land, "#000000") > lights[2]


def test_print_has_greys_alone() -> None:
    plain = [of(svg.PRINT, name) for name in colors()]
    for value in (*svg.PRINT.white_tints, *svg.PRINT.red_tints, *plain):
        assert value[1:3] == value[3:5] == value[5:7]


def test_contrast_and_difference_are_computed_correctly() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == 1
    assert difference("#ff0000", "#ff0000", "protanopia") == 0
    # The classical pair: far apart, and not for those without red or green cones.
    red = "#b05a5a"
    green = "#7a7a3a"
    assert difference(red, green, "full sight") > 3 * difference(red, green, "deuteranopia")


def colors() -> list[str]:
    return [each.name for each in attrs.fields(svg.Theme) if "tints" not in each.name]


def test_light_is_the_default() -> None:
    assert svg.Theme() == svg.LIGHT
    assert svg.render(EXAMPLE) == svg.render(EXAMPLE, theme=svg.Theme())


def test_every_colour_of_a_theme_is_used() -> None:
    numbers: dict[str, Any] = {name: f"#0000{at:02x}" for at, name in enumerate(colors(), 1)}
    theme = attrs.evolve(svg.LIGHT, **numbers, white_tints=("#00ff00",), red_tints=("#00ff01",))
    cells = EXAMPLE.board.cells
    marks: dict[str, Any] = {
        "last": pdd.parse_action("a1,b1"),
        "highlights": cells[:1],
        "targets": True,
    }
    marks |= {"arrows": [svg.Arrow(cells[0], cells[1])], "heat": {cells[0]: 1, cells[1]: -1}}
    extras = svg.render(example_state(), theme=theme, networks=True, **marks)
    faulty = svg.render(pdd.parse_setup("x"), theme=theme)
    elements = [element for root in map(parse, (extras, faulty)) for element in root.iter()]
    used = {element.get(name) for element in elements for name in ("fill", "stroke")}
    assert {*numbers.values(), "#00ff00", "#00ff01"} <= used


def test_colours_are_kept_in_small_letters() -> None:
    theme = svg.Theme(water="#AABBCC", white_tints=("#DDEEFF",))
    assert (theme.water, theme.white_tints) == ("#aabbcc", ("#ddeeff",))


@pytest.mark.parametrize("name", colors())
def test_what_is_no_colour_is_refused(name: str) -> None:
    for value in ("red", "#12345", "#1234567", "", '#123456"/>', "#12345g", "#١٢٣٤٥٦"):
        change: dict[str, Any] = {name: value}
        with pytest.raises(pdd.PonteError, match=rf"^{name} is a colour such as '#1a2b3c', not "):
            attrs.evolve(svg.LIGHT, **change)


def test_what_is_no_tint_is_refused() -> None:
    with pytest.raises(pdd.PonteError, match=r"^red_tints is a colour such as"):
        svg.Theme(red_tints=("#123456", "blue"))
    with pytest.raises(pdd.PonteError, match=r"^a theme has at least one tint$"):
        svg.Theme(white_tints=())


def test_mixing_two_colours() -> None:
    black = "#000000"
    white = "#ffffff"
    assert [mixed(black, white, part) for part in (0, 1)] == [black, white]
    assert mixed("#102030", "#304050", 0.5) == "#203040"
