"""Path data: short numbers, and letters made of strokes, so that no fonts are needed."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final
from unicodedata import normalize


def short(value: float) -> str:
    """Return a number with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def joined(*values: float) -> str:
    """Join numbers by blanks, except before a minus sign, where none is needed."""
    first, *rest = map(short, values)
    return first + "".join(each if each.startswith("-") else f" {each}" for each in rest)


CAP: Final = 10
"""The height of capitals and digits."""
GAP: Final = 2.2
"""The space between letters."""


@cache
def font() -> dict[str, tuple[float, str]]:
    """Return the width and the strokes of each letter, from the left end of its baseline."""
    lines = files("pontedeldiavolo.svg").joinpath("font.txt").read_text("utf-8").splitlines()
    parts = {line[0]: line[2:].partition(" ") for line in lines}
    return {letter: (float(wide), strokes) for letter, (wide, _, strokes) in parts.items()}


_START: Final = re.compile(r"m(-?[\d.]+) ?(-?[\d.]+)")
_DIAERESIS: Final = "\u0308"


@lru_cache(maxsize=256)
def glyph(letter: str) -> tuple[float, tuple[str, ...]]:
    """Return the width and the strokes of a letter.

    Any letter can have a diaeresis. Other accents are omitted, and unknown letters are blank.
    """
    letters = font()
    if letter in letters:
        wide, strokes = letters[letter]
        return wide, (strokes,) if strokes else ()
    parts = normalize("NFD", letter)
    base = parts[0]
    if base not in letters:
        return letters[" "][0], ()
    wide, found = glyph(base)
    if _DIAERESIS not in parts:
        return wide, found
    high = CAP + 2 if base.isupper() else CAP - 1
    return wide, (*found, f"m{joined(wide / 4, -high)}v.1m{joined(wide / 2, -0.1)}v.1")


def text_width(text: str) -> float:
    """Return the width of a text."""
    return sum(glyph(letter)[0] + GAP for letter in text) - GAP


def centred_text(text: str, x: float, y: float) -> str:
    """Return the strokes of a text with its middle at a point."""
    return text_path(text, x - text_width(text) / 2, y + CAP / 2)


def text_path(text: str, x: float, y: float) -> str:
    """Return the strokes of a text whose baseline starts at a point."""
    found = ""
    for letter in text:
        wide, paths = glyph(letter)
        for strokes in paths:
            _, dx, dy, rest = _START.split(strokes, maxsplit=1)
            found += f"M{joined(x + float(dx), y + float(dy))}{rest}"
        x += wide + GAP
    return found
