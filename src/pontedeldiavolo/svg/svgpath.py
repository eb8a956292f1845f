"""Path data: numbers as short as can be, and a font of strokes, so that no fonts are needed."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import normalize


def short(value: float) -> str:
    """Return a number with at most one decimal."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def joined(*values: float) -> str:
    """Return numbers in sequence, with a blank where no minus sign separates them."""
    first, *rest = map(short, values)
    return first + "".join(each if each.startswith("-") else f" {each}" for each in rest)


CAP: Final = 10
"""The height of capitals and digits."""
GAP: Final = 2.2
"""The space between letters."""

_FONT: Final = """\
a 5.5 m5.5-7v7m-5.5-3.5a2.75 3.5 0 1 1 0 .1
b 5.5 m0-10v10m0-3.5a2.75 3.5 0 1 1 0 .1
c 4.8 m5-5.9a2.75 3.5 0 1 0 0 4.8
d 5.5 m5.5-10v10m-5.5-3.5a2.75 3.5 0 1 1 0 .1
e 5.5 m0-3.5h5.5a2.75 3.5 0 1 0-.9 2.6
f 3.8 m3.8-9.8c-2-.6-2.6 .6-2.6 2v7.8m-1.2-6.6h3.6
g 5.5 m5.5-7v7.3c0 2-1.2 2.7-2.8 2.7c-1 0-1.7-.2-2.3-.6m-.4-5.9a2.75 3.5 0 1 1 0 .1
h 5 m0-10v10m0-4c0-2 1.2-3 2.6-3s2.4 .9 2.4 2.7v4.3
i 1 m.5-7v7m0-9.8v.1
j 2 m1.5-7v8c0 1.6-.7 2-2 2m2-12.8v.1
k 4.8 m0-10v10m4.6-7l-4.6 4.2m1.8-1.6l3.2 4.4
l 1.9 m.4-10v8.4c0 1.2 .5 1.6 1.4 1.6
m 8.2 m0-7v7m0-4.2c0-1.8 .9-2.8 2.1-2.8s2 .9 2 2.6v4.4m0-4.2c0-1.8 .9-2.8 2.1-2.8s2 .9 2 2.6v4.4
n 5 m0-7v7m0-4c0-2 1.2-3 2.6-3s2.4 .9 2.4 2.7v4.3
o 5.5 m0-3.5a2.75 3.5 0 1 1 0 .1
p 5.5 m0-7v10m0-6.5a2.75 3.5 0 1 1 0 .1
q 5.5 m5.5-7v10m-5.5-6.5a2.75 3.5 0 1 1 0 .1
r 3.2 m0-7v7m0-3.8c.2-2.1 1.4-3.3 3.2-3.1
s 4.6 m4.4-5.9c-.8-.8-1.4-1.1-2.3-1.1c-1.2 0-2 .7-2 1.7c0 2.6 4.5 1.2 4.5 3.6\
c0 1.1-.9 1.7-2.2 1.7c-1.1 0-1.8-.4-2.4-1.1
t 3.8 m1.5-9v7.2c0 1.4 .8 1.9 2.3 1.6m-3.8-6.8h3.6
u 5 m0-7v4.3c0 1.8 1 2.7 2.4 2.7s2.6-1 2.6-3m0-4v7
v 5 m0-7l2.5 7l2.5-7
w 7.6 m0-7l1.9 7l1.9-6l1.9 6l1.9-7
x 4.8 m0-7l4.8 7m0-7l-4.8 7
y 5 m0-7l2.6 7m2.4-7l-2.7 8.2c-.6 1.5-1.2 1.8-2.3 1.7
z 4.8 m.2-7h4.4l-4.6 7h4.8
ß 5 m0 0v-7.4c0-1.7 .9-2.6 2.2-2.6c1.3 0 2.2 .8 2.2 2c0 2-1.8 1.6-1.8 3c0 1.2 2.4 1.2 2.4 3\
c0 1.3-.9 2-2 2c-.6 0-1-.1-1.4-.3
A 6.4 m0 0l3.2-10l3.2 10m-5.3-3.5h4.2
B 5.4 m0 0v-10h2.8a2.4 2.4 0 0 1 0 4.8h-2.8m2.8 0a2.6 2.6 0 0 1 0 5.2h-2.8
C 6.4 m6.4-8.1a3.6 5 0 1 0 0 6.2
D 6.4 m0 0v-10h2a4.4 5 0 0 1 0 10z
E 5.2 m5-10h-5v10h5.2m-5.2-5.2h4.4
F 5 m5-10h-5v10m0-5.2h4.4
G 6.6 m6.4-8.1a3.6 5 0 1 0 .2 6v-2.3h-2.6
H 6 m0-10v10m6-10v10m-6-5.2h6
I 1 m.5-10v10
J 4 m4-10v7c0 2-.8 3-2 3s-2-.8-2-2.4
K 6 m0-10v10m5.6-10l-5.6 6m2-2.1l4 6.1
L 4.8 m0-10v10h4.8
M 7.6 m0 0v-10l3.8 7l3.8-7v10
N 6 m0 0v-10l6 10v-10
O 7 m0-5a3.5 5 0 1 1 0 .1
P 5.5 m0 0v-10h2.8a2.7 2.7 0 0 1 0 5.4h-2.8
Q 7 m0-5a3.5 5 0 1 1 0 .1m4.4 2.6l2.6 3
R 5.8 m0 0v-10h2.8a2.7 2.7 0 0 1 0 5.4h-2.8m2.8 0l3 4.6
S 5.8 m5.4-8.4c-.7-1.1-1.6-1.6-2.7-1.6c-1.5 0-2.5 .9-2.5 2.3c0 3.6 5.6 1.8 5.6 5.1\
c0 1.6-1.1 2.6-2.8 2.6c-1.4 0-2.4-.6-3-1.8
T 6.4 m0-10h6.4m-3.2 0v10
U 6 m0-10v6.6c0 2.2 1.2 3.4 3 3.4s3-1.2 3-3.4v-6.6
V 6.4 m0-10l3.2 10l3.2-10
W 9.2 m0-10l2.3 10l2.3-8.6l2.3 8.6l2.3-10
X 6 m0-10l6 10m0-10l-6 10
Y 6.2 m0-10l3.1 5.2l3.1-5.2m-3.1 5.2v4.8
Z 6 m.2-10h5.6l-5.8 10h6
0 5.6 m0-5a2.8 5 0 1 1 0 .1
1 3 m.2-7.8l2.8-2.2v10
2 5.8 m.3-7.6c.2-1.5 1.3-2.4 2.7-2.4c1.6 0 2.6 1 2.6 2.5c0 2-1.4 3-5.4 7.5h5.6
3 5.8 m.4-8.4c.6-1 1.4-1.6 2.5-1.6c1.5 0 2.5 .9 2.5 2.3s-1 2.3-2.9 2.3c2.1 0 3.2 1 3.2 2.6\
c0 1.7-1.2 2.8-2.9 2.8c-1.3 0-2.2-.6-2.8-1.7
4 6 m4.4 0v-10l-4.4 7h6
5 5.8 m5.2-10h-4.2l-.4 4.6c.7-.7 1.4-1 2.3-1c1.7 0 2.8 1.2 2.8 3.1c0 2-1.2 3.3-2.9 3.3\
c-1.2 0-2.1-.5-2.7-1.5
6 5.6 m4.9-9.4c-2.4-1.2-4.9 .8-4.9 6m0 .2a2.8 3.2 0 1 1 0 .1
7 5.6 m0-10h5.6l-3.6 10
8 5.6 m.4-7.6a2.4 2.4 0 1 1 0 .1m-.4 5a2.8 2.6 0 1 1 0 .1
9 5.6 m.7-.6c2.4 1.2 4.9-.8 4.9-6m-5.6-.2a2.8 3.2 0 1 1 0 .1
, 1 m.8-.2v.4l-.7 1.8
: 1 m.5-5.8v.1m0 5.4v.1
  2.4
- 3.6 m0-4h3.6
"""
"""Each letter with its width, and with its strokes from the left end of its baseline."""

GLYPHS: Final = {
    line[0]: (float(wide), strokes)
    for line in _FONT.splitlines()
    for wide, _, strokes in (line[2:].partition(" "),)
}
"""The width and the strokes of each letter."""

_START: Final = re.compile(r"m(-?[\d.]+) ?(-?[\d.]+)")
_DIAERESIS: Final = "\u0308"


@lru_cache(maxsize=256)
def glyph(letter: str) -> tuple[float, tuple[str, ...]]:
    """Return the width and the strokes of a letter.

    Any letter can have a diaeresis. Other accents are left out, and unknown letters are blank.
    """
    if letter in GLYPHS:
        wide, strokes = GLYPHS[letter]
        return wide, (strokes,) if strokes else ()
    parts = normalize("NFD", letter)
    base = parts[0]
    if base not in GLYPHS:
        return GLYPHS[" "][0], ()
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
