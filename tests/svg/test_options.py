"""Options for additional parts of pictures, and refused options."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Any
from xml.etree import ElementTree as ET

import attrs
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import svg
from support.diagrams import cells
from support.pictures import EXAMPLE, FAULTY, SPACE, example_state, names, parse, parts, title

A1, B3, C4 = cells("a1 b3 c4")
Z9 = pdd.parse_cell("z9")
MOVE = re.compile(r"M(-?[\d.]+) ?(-?[\d.]+)")


def start_of(element: ET.Element) -> tuple[float, float]:
    path = element if "d" in element.attrib else element.find(f"{SPACE}path")
    assert path is not None
    found = MOVE.match(path.attrib["d"])
    assert found is not None
    return float(found[1]), float(found[2])


@pytest.mark.parametrize(
    ("last", "marked"),
    [
        (pdd.parse_action("c4,b3"), ["b3", "c4"]),
        (pdd.parse_action("a1-c1"), ["a1", "c1"]),
        (pdd.parse_action("a1,z9"), ["a1"]),
        (pdd.PlaceTile(C4), ["c4"]),
        (pdd.PlaceTile(Z9), []),
        (pdd.Pass(), []),
        (pdd.ChooseColor(pdd.Color.RED), []),
        (None, []),
    ],
)
def test_the_last_action_is_in_brackets(last: pdd.Action | None, marked: list[str]) -> None:
    root = parse(svg.render(EXAMPLE, last=last))
    assert names(parts(root, "last")) == marked


def test_highlights_come_once_each() -> None:
    root = parse(svg.render(EXAMPLE, highlights=iter([C4, A1, C4])))
    assert names(parts(root, "highlight")) == ["c4", "a1"]
    assert [*map(title, parts(root, "highlight"))] == ["c4: highlight", "a1: highlight"]


def test_targets_of_a_game_are_those_of_its_end() -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(3, 3))).play("a1,c1").play("red")
    root = parse(svg.render(game, targets=True))
    assert names(parts(root, "target")) == [*map(str, game.state.legal_actions.first_tiles)]


def test_arrows() -> None:
    arrows = iter([svg.Arrow(A1, C4), svg.Arrow(B3, B3, "#ABCDEF")])
    one, ring = parts(parse(svg.render(EXAMPLE, arrows=arrows)), "arrow")
    assert (one.attrib["data-cell"], one.attrib["data-to"]) == ("a1", "c4")
    assert (title(one), title(ring)) == ("a1 to c4", "b3 to b3")
    assert one.attrib["fill"] == svg.LIGHT.arrow
    assert ring.attrib["fill"] == "#abcdef"
    # The head ends in the middle of its cell.
    assert "L126 106" in one.attrib["d"]
    assert "a16 16" in ring.attrib["d"]


def heat_of(**values: float) -> dict[str, str]:
    heat = {pdd.parse_cell(name): value for name, value in values.items()}
    root = parse(svg.render(pdd.Position.from_pieces(pdd.Board(5, 5)), heat=heat))
    return {each.attrib["data-cell"]: each.attrib["fill"] for each in parts(root, "heat")}


def test_heat_is_in_proportion_to_the_hottest() -> None:
    fills = heat_of(a1=0, a2=1, a3=2, a4=-2)
    theme = svg.LIGHT
    assert fills["a1"] == theme.water
    assert fills["a3"] == theme.heat
    assert fills["a4"] == theme.cold
    assert len({*fills.values()}) == 4
    assert heat_of(a2=50, a3=100)["a2"] == fills["a2"]
    assert heat_of(a1=0) == {"a1": theme.water}
    assert heat_of(a1=5e-324, a2=-5e-324) == {"a1": theme.heat, "a2": theme.cold}


def test_heat_has_its_numbers_as_text() -> None:
    heat: dict[pdd.Cell, Any] = {A1: Fraction(1, 3), B3: 2}
    root = parse(svg.render(EXAMPLE, heat=heat))
    assert [*map(title, parts(root, "heat"))] == ["a1: 0.333333", "b3: 2"]
    assert [each.attrib["data-heat"] for each in parts(root, "heat")] == ["0.333333", "2"]


def middle_of(root: ET.Element, name: str) -> tuple[float, float]:
    (cell,) = (each for each in parts(root, "cell") if each.attrib["data-cell"] == name)
    x, y = start_of(cell)
    return x + 20, y


@pytest.mark.parametrize("size", [(4, 4), (5, 2)])
def test_every_orientation_turns_the_board_and_keeps_the_names(size: tuple[int, int]) -> None:
    board = pdd.Board(*size)
    empty = pdd.Position.from_pieces(board)
    plain = parse(svg.render(empty))
    for symmetry in board.symmetries:
        root = parse(svg.render(empty, symmetry=symmetry))
        for cell in board:
            # The symmetry moves the cell to the place of another.
            assert middle_of(root, str(cell)) == middle_of(plain, str(cell.transform(symmetry)))


@pytest.mark.parametrize("index", range(8))
def test_coordinates_follow_the_board(index: int) -> None:
    board = pdd.Board(4, 4)
    empty = pdd.Position.from_pieces(board)
    symmetry = board.symmetries[index]
    root = parse(svg.render(empty, symmetry=symmetry))
    for kind, named in (("columns", "abcd"), ("rows", "1234")):
        (element,) = parts(root, kind)
        starts = [(float(x), float(y)) for x, y in MOVE.findall(element.attrib["d"])]
        assert len(starts) == 4
        sideways = starts[0][0] < starts[-1][0] - 20 or starts[0][0] > starts[-1][0] + 20
        assert sideways == ((kind == "columns") != symmetry.transposes)
        # Each label stands beside the cells of its column or row.
        axis = 0 if sideways else 1
        cell_of = {name: f"{name}1" if kind == "columns" else f"a{name}" for name in named}
        places = sorted(middle_of(root, cell)[axis] for cell in cell_of.values())
        near = [min(places, key=lambda place: abs(place - start[axis])) for start in starts]
        assert sorted(near) == places


def test_coordinates_say_which_column_is_where() -> None:
    board = pdd.Board(3, 2)
    empty = pdd.Position.from_pieces(board)
    plain, mirrored = (
        parts(parse(svg.render(empty, symmetry=symmetry)), "columns")[0].attrib["d"]
        for symmetry in (board.symmetries[0], pdd.Symmetry(3, 2, flips_columns=True))
    )
    shapes = [MOVE.sub("|", path).split("|")[1:] for path in (plain, mirrored)]
    assert len(shapes[0]) == 3
    assert shapes[0] != shapes[1]
    assert [*reversed(shapes[0])] == shapes[1]


def test_coordinates_that_cannot_be_read_are_left_out() -> None:
    state = pdd.GameState.initial()
    assert svg.render(state, size=260) == svg.render(state, size=260, coordinates=True)
    assert svg.render(state, size=258) == svg.render(state, size=258, coordinates=False)
    assert svg.render(state) == svg.render(state, coordinates=True)


@pytest.mark.parametrize(
    ("width", "coordinates", "times", "box"),
    [
        (6, True, 1, "0 0 272 72"),
        (6, False, 0, "0 0 252 52"),
        (26, True, 1, "0 0 1072 72"),
        # Large boards have labels on all sides.
        (27, True, 2, "0 0 1132 92"),
        (27, False, 0, "0 0 1092 52"),
    ],
)
def test_coordinates_need_margins(width: int, times: int, box: str, *, coordinates: bool) -> None:
    board = pdd.Board(width, 1)
    root = parse(svg.render(pdd.Position.from_pieces(board), coordinates=coordinates))
    letters = sum(len(str(cell)) - 1 for cell in board)
    for kind, count in (("columns", letters), ("rows", 1)):
        drawn = "".join(each.attrib["d"] for each in parts(root, kind))
        assert len(MOVE.findall(drawn)) == times * count
    assert root.attrib["viewBox"] == box


@pytest.mark.parametrize(
    ("board", "size", "found"),
    [
        ((6, 6), 300, ("300", "300")),
        ((10, 2), 432, ("432", "112")),
        ((2, 10), 432, ("112", "432")),
        ((64, 1), 1, ("1", "1")),
        ((6, 6), None, (None, None)),
        ((6, 6), 100_000, ("100000", "100000")),
    ],
)
def test_size_is_that_of_the_longer_side(
    board: tuple[int, int], size: int | None, found: tuple[str | None, str | None]
) -> None:
    root = parse(svg.render(pdd.Position.from_pieces(pdd.Board(*board)), size=size))
    assert (root.get("width"), root.get("height")) == found


def test_faults_say_what_is_wrong() -> None:
    root = parse(svg.render(FAULTY))
    said = {each.get("data-cell"): title(each) for each in parts(root, "fault")}
    sentences = {each: pdd.messages.explain(each) for each in FAULTY.violations()}
    for cell in FAULTY.board:
        about = [text for fault, text in sentences.items() if cell in fault.cells]
        assert said.get(str(cell), "") == " ".join(about)
    # Each violation has a number on the board, and a line below the board.
    numbered = " ".join(f"{at} {text}" for at, text in enumerate(sentences.values(), 1))
    assert " ".join(map(title, parts(root, "note"))) == numbered


def test_faults_of_bridges_alone() -> None:
    root = parse(svg.render(pdd.parse_setup("3 w . w\n2 . . .\n1 w . w\nbridges a1-c3 a3-c1")))
    assert names(parts(root, "fault")) == ["a1-c3", "c1-a3"]


def test_many_faults_have_a_short_legend() -> None:
    setup = pdd.Setup(pdd.Board(9, 3), white=[pdd.Cell(column, 70) for column in range(9)] * 2)
    bridges = [pdd.Bridge(cell, cell) for cell in setup.board.cells]
    setup = attrs.evolve(setup, bridges=bridges)
    root = parse(svg.render(setup))
    (note,) = parts(root, "note")
    assert title(note).endswith(f" And {len(setup.violations()) - 20} more.")
    lowest = max(float(y) for _, y in MOVE.findall(note.attrib["d"]))
    height = float(root.attrib["viewBox"].split()[3])
    assert height - 16 < 0.9 * lowest < height


def test_a_cell_of_both_colours_shows_both() -> None:
    root = parse(svg.render(pdd.parse_setup("x r")))
    both, alone = parts(root, "tile", "red")
    assert names(parts(root, "tile", "white")) == ["a1"]
    assert names([both, alone]) == ["a1", "b1"]
    assert "h" in alone.attrib["d"]
    assert "h" not in both.attrib["d"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"highlights": [Z9]}, "z9 is off the 6×6 board"),
        ({"arrows": [svg.Arrow(A1, Z9)]}, "z9 is off the 6×6 board"),
        ({"heat": {Z9: 1}}, "z9 is off the 6×6 board"),
        ({"symmetry": pdd.Symmetry(5, 6)}, "a symmetry of 5×6 does not fit 6×6"),
        ({"size": 0}, "a picture has 1 to 100,000 pixels, not 0"),
        ({"size": 100_001}, "a picture has 1 to 100,000 pixels, not 100,001"),
        ({"heat": {A1: float("inf")}}, "the heat of a1 is not a finite number: inf"),
        ({"heat": {A1: float("nan")}}, "the heat of a1 is not a finite number: nan"),
        ({"heat": {A1: -(10**400)}}, "the heat of a1 is not a finite number: "),
        ({"targets": True}, "nobody has a turn in a position or a set-up: there are no targets"),
    ],
)
def test_bad_values_are_refused(options: dict[str, Any], said: str) -> None:
    for drawable in (EXAMPLE, EXAMPLE.setup()):
        with pytest.raises(pdd.PonteError, match=f"^{re.escape(said)}"):
            svg.render(drawable, **options)


def test_empty_options_draw_nothing() -> None:
    plain = str(svg.render(example_state()))
    assert str(svg.render(example_state(), heat={}, highlights=(), arrows=())) == plain
