"""The shapes in pictures: letters, shores and bridges."""

from __future__ import annotations

import re
import string
from itertools import pairwise
from math import hypot

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pontedeldiavolo.svg.outlines import CELL, INSET, arch, land_outline
from pontedeldiavolo.svg.svgpath import (
    CAP,
    GAP,
    centred_text,
    font,
    joined,
    short,
    text_path,
    text_width,
)

Point = tuple[float, float]
COMMAND = re.compile(r"([a-zA-Z])([^a-zA-Z]*)")
NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")


def paths(strokes: str, start: Point = (0, 0)) -> list[list[Point]]:
    """Return the corners of all subpaths; curves count with their ends."""
    x, y = start
    found: list[list[Point]] = [[(x, y)]]
    for command, text in COMMAND.findall(strokes):
        numbers = [float(each) for each in NUMBER.findall(text)]
        if command == "z":
            x, y = found[-1][0]
            continue
        if command == "M":
            x, y = numbers
        elif command == "h":
            x += numbers[0]
        elif command == "v":
            y += numbers[0]
        else:
            size = {"m": 2, "l": 2, "q": 4, "c": 6, "s": 4, "a": 7}[command]
            for at in range(0, len(numbers), size):
                x = x + numbers[at + size - 2]
                y = y + numbers[at + size - 1]
        if command in "mM":
            found.append([])
        found[-1].append((x, y))
    return [each for each in found if len(each) > 1]


def test_numbers_are_short() -> None:
    assert [*map(short, (1, 1.0, 0.04, -0.04, -0.0, 2.25, -3.06))] == [
        *("1", "1", "0", "0", "0", "2.2", "-3.1")
    ]
    assert joined(1, -2, 3.5, 0) == "1-2 3.5 0"


def test_there_is_a_letter_for_all_that_is_written() -> None:
    assert {*font()} == {*string.ascii_letters, *string.digits, *" ,:-ß.;()'×–"}
    drawn = {strokes for _, strokes in font().values()}
    assert len(drawn) == len(font())


@pytest.mark.parametrize("letter", [*string.ascii_letters, *string.digits, *",:-ß.;()'×–"])
def test_letters_stay_on_their_line(letter: str) -> None:
    wide, strokes = font()[letter]
    points = [point for path in paths(strokes) for point in path]
    assert points
    for x, y in points:
        assert -0.6 <= x <= wide + 0.6, (letter, x)
        assert -CAP <= y <= 3
    if letter in string.ascii_uppercase + string.digits:
        # Round letters have their ends at half height.
        assert min(y for _, y in points) <= -CAP / 2


def test_texts_begin_or_stand_in_the_middle() -> None:
    assert text_width("ab") == font()["a"][0] + GAP + font()["b"][0]
    assert text_path("a b", 10, 20).startswith("M15.5 13v7")
    assert text_path("a b", 10, 20).count("M") == 2
    left = 100 - text_width("12") / 2
    assert centred_text("12", 100, 50).startswith(f"M{short(left + 0.2)} 47.2l2.8-2.2v10")


@pytest.mark.parametrize(
    ("letter", "base", "dots"), [("ü", "u", "9v.1"), ("Ä", "A", "12v.1"), ("é", "e", "")]
)
def test_letters_with_accents(letter: str, base: str, dots: str) -> None:
    strokes = text_path(letter, 0, 0)
    assert strokes.startswith(text_path(base, 0, 0))
    assert strokes.count("M") == (2 if dots else 1)
    assert dots in strokes
    assert text_width(letter) == text_width(base)


@pytest.mark.parametrize("letter", ["水", "\u0308", "\U0001f309"])
def test_unknown_letters_are_blank(letter: str) -> None:
    assert text_path(f"a{letter}b", 0, 0) == text_path("a b", 0, 0)


def area(path: list[Point]) -> float:
    """Return the area inside a path, positive for a clockwise one."""
    closed = [*path, path[0]]
    return sum(a * d - c * b for (a, b), (c, d) in pairwise(closed)) / 2


def shores(*cells: Point) -> list[list[Point]]:
    first = min(cells)
    steps = [first, *sorted({*cells} - {first})]
    x, y, strokes = land_outline(
        tuple((int(CELL * (a - first[0])), int(CELL * (b - first[1]))) for a, b in steps)
    )
    return paths(strokes, (x, y))


def test_one_cell_has_a_round_shore() -> None:
    (shore,) = shores((0, 0))
    assert len({*shore}) == 8
    assert {x for x, _ in shore} | {y for _, y in shore} >= {INSET, CELL - INSET}
    assert min(map(min, shore)) == INSET
    assert max(map(max, shore)) == CELL - INSET


@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=12, unique=True)
)
# A lake has a shore of its own; land that touches at a corner alone stays apart, and joined
# elsewhere, too, it keeps the strait open.
@example([(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)])
@example([(0, 0), (1, 1)])
@example([(0, 0), (1, 0), (2, 0), (2, 1), (1, 2), (2, 2), (0, 1)])
def test_shores_enclose_their_cells(cells: list[tuple[int, int]]) -> None:
    found = shores(*cells)
    land = {*cells}
    joints = sum((x + 1, y) in land for x, y in land) + sum((x, y + 1) in land for x, y in land)
    # Rounded corners and insets take the same from every cell, joints give some back.
    total = sum(map(area, found))
    inner = CELL - 2 * INSET
    assert inner * inner * len(land) * 0.8 < total < CELL * CELL * len(land)
    # By Euler's formula there is a shore for each area of land and for each lake.
    squares = sum({(x + 1, y), (x, y + 1), (x + 1, y + 1)} <= land for x, y in land)
    pieces_less_lakes = len(land) - joints + squares
    turns = [area(each) > 0 for each in found]
    assert turns.count(True) - turns.count(False) == pieces_less_lakes


STEPS = [(2, 0), (0, 2), (2, 2), (-2, 2), (1, 2), (2, 1), (-1, 2), (-2, 1)]


@pytest.mark.parametrize("step", STEPS)
def test_a_bridge_rises_from_tile_to_tile(step: tuple[int, int]) -> None:
    across = CELL * step[0]
    down = CELL * step[1]
    found = arch(across, down)
    for path in (found.deck, found.shadow):
        ((start, end),) = paths(path, (found.x, found.y))
        # Each end is on its tile, which extends 14 units from the middle to all sides.
        for (x, y), middle in ((start, (0, 0)), (end, (across, down))):
            assert max(abs(x - middle[0]), abs(y - middle[1])) <= 6
    # The arc is a third of a cell above the line between its ends, or left of it.
    x = found.crown[0] - across / 2
    y = found.crown[1] - down / 2
    assert hypot(x, y) == pytest.approx(12.5, abs=1)
    assert abs(x * across + y * down) < 60
    assert y < -1 or (x < 0 and across == 0)
    # So the bridge covers only its end cells and those between.
    assert min(across, 0) - 20 < found.crown[0] - 6.3
    assert min(down, 0) - 20 < found.crown[1] - 6.3


def test_a_bridge_looks_the_same_from_both_ends() -> None:
    for x, y in STEPS:
        one = arch(CELL * x, CELL * y).crown
        other = arch(-CELL * x, -CELL * y).crown
        assert (one[0] - CELL * x, one[1] - CELL * y) == pytest.approx(other, abs=1)


@given(st.integers(-63, 63), st.integers(-63, 63))
def test_bridges_of_any_shape_have_an_outline(column: int, row: int) -> None:
    found = arch(CELL * column, CELL * row)
    assert len(paths(found.deck)) == len(paths(found.shadow)) == 1
