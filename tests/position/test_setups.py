"""Set-ups as diagrams and as texts, and their violations."""

from __future__ import annotations

from itertools import combinations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Bridge, Position, Setup, ViolationCode
from support.checks import error_of
from support.diagrams import bridge, cells, faults_of
from support.oracle_geometry import inner_point_in_common, point

FAULTY: dict[str, tuple[str, list[str]]] = {
    "nothing": (". . .", []),
    "a bridge": ("w . w\nbridges a1-c1", []),
    "a red bridge": ("r . r\nbridges a1-c1", []),
    "touching sandbanks": ("2 w . w\n1 . w .", []),
    "touching colours": ("w w w w r r r r", []),
    "tile off the board": ("w .\nwhite c1", ["off-board c1"]),
    "tiles of both colours off the board": ("w .\nwhite c1\nred a9", ["off-board c1 a9"]),
    "two tiles on a cell": ("w x", ["occupied b1"]),
    "tiles on two cells each": ("x . x", ["occupied a1 c1"]),
    "two tiles on a cell off the board": (".\nwhite b1\nred b1", ["occupied b1", "off-board b1"]),
    "group of five": ("w w w w w r", ["group-too-large a1 b1 c1 d1 e1"]),
    "two groups of five": (
        "2 r r r r r\n1 w w w w w",
        ["group-too-large a1 b1 c1 d1 e1", "group-too-large a2 b2 c2 d2 e2"],
    ),
    "island and sandbank": ("3 . . . w\n2 . . w .\n1 w w w .", ["island-touched a1 b1 c1 c2 d3"]),
    "two islands": (
        "4 . . r r\n3 . . r r\n2 r r . .\n1 r r . .",
        ["island-touched a1 b1 a2 b2 c3", "island-touched b2 c3 d3 c4 d4"],
    ),
    "bridge too short": ("w . w w\nbridges c1-d1", ["not-a-bridge-shape c1 d1 | c1-d1"]),
    "bridge too long": ("w . . w\nbridges a1-d1", ["not-a-bridge-shape a1 d1 | a1-d1"]),
    "bridge to itself": ("w\nbridges a1-a1", ["not-a-bridge-shape a1 | a1-a1"]),
    "bridge between colours": ("w . r\nbridges a1-c1", ["ends-differ a1 c1 | a1-c1"]),
    "bridge to water": ("w . .\nbridges a1-c1", ["ends-differ a1 c1 | a1-c1"]),
    "bridge over water alone": (". . .\nbridges a1-c1", ["ends-differ a1 c1 | a1-c1"]),
    "bridge off the board": (
        "w .\nbridges a1-c1",
        ["ends-differ a1 c1 | a1-c1", "off-board c1 | a1-c1"],
    ),
    "bridge to a tile off the board": (
        "w .\nwhite c1\nbridges a1-c1",
        ["off-board c1", "off-board c1 | a1-c1"],
    ),
    "bridge from a doubled tile": ("x . r\nbridges a1-c1", ["occupied a1"]),
    "tile beneath": ("w r w\nbridges a1-c1", ["tile-beneath b1 | a1-c1"]),
    "own tile beneath": ("w w w\nbridges a1-c1", ["tile-beneath b1 | a1-c1"]),
    "two tiles beneath": ("3 . w\n2 r w\n1 w .\nbridges a1-b3", ["tile-beneath a2 b2 | a1-b3"]),
    "two bridges on a tile": ("w . w . w\nbridges a1-c1 c1-e1", ["end-used c1 | a1-c1 c1-e1"]),
    "three bridges on a tile": (
        "3 . . w . .\n2 . . . . .\n1 w . w . w\nbridges a1-c1 c1-e1 c1-c3",
        ["end-used c1 | a1-c1 c1-e1 c1-c3"],
    ),
    "crossing": ("3 w . r\n2 . . .\n1 r . w\nbridges a1-c3 a3-c1", ["crosses | a1-c3 c1-a3"]),
    "crossing between cells": (
        "4 w . .\n3 . . w\n2 . . w\n1 w . .\nbridges a1-c3 a4-c2",
        ["crosses | a1-c3 c2-a4"],
    ),
    "overlapping": (
        "w w w w\nbridges a1-c1 b1-d1",
        ["crosses | a1-c1 b1-d1", "tile-beneath b1 | a1-c1", "tile-beneath c1 | b1-d1"],
    ),
    "parallel knights": ("3 . w r\n2 . . .\n1 w r .\nbridges a1-b3 b1-c3", []),
    "shapeless bridges do not cross": (
        "3 . w . .\n2 w . . w\n1 . w . .\nbridges a2-d2 b1-b3",
        ["not-a-bridge-shape a2 d2 | a2-d2"],
    ),
    "many at once": (
        "2 . . . . x\n1 w w w w w\nbridges a1-c1 c1-e1 a2-b2\nred z9",
        [
            "end-used c1 | a1-c1 c1-e1",
            "ends-differ a2 b2 | a2-b2",
            "group-too-large a1 b1 c1 d1 e1 e2",
            "not-a-bridge-shape a2 b2 | a2-b2",
            "occupied e2",
            "off-board z9",
            "tile-beneath b1 | a1-c1",
            "tile-beneath d1 | c1-e1",
        ],
    ),
}


@pytest.mark.parametrize("name", FAULTY)
def test_the_faults_of_diagrams(name: str) -> None:
    diagram, expected = FAULTY[name]
    setup = pdd.parse_setup(diagram)
    assert pdd.parse_setup(pdd.format_setup(setup)) == setup
    assert faults_of(setup.violations()) == expected
    if expected:
        assert error_of(pdd.InvalidPositionError, setup.position).violations == setup.violations()
        with pytest.raises(pdd.InvalidPositionError):
            Position.from_pieces(setup.board, setup.white, setup.red, setup.bridges)
    else:
        assert setup.position().setup() == setup


def pairs_that_cross(board: Board) -> list[tuple[Bridge, Bridge]]:
    """Return the pairs of bridges that share an inner point but no end, computed independently."""
    return [
        (one, other)
        for one, other in combinations(board.bridges, 2)
        if not set(one.ends) & set(other.ends)
        and inner_point_in_common(*map(point, one.ends), *map(point, other.ends))
    ]


def test_all_bridges_at_once_are_at_fault_pair_by_pair() -> None:
    board = Board(6, 6)
    faults = Setup(board, bridges=board.bridges).violations()
    found = [fault.bridges for fault in faults if fault.code is ViolationCode.CROSSES]
    expected = pairs_that_cross(board)
    assert sorted(found) == sorted(expected)
    assert len(expected) == 842


@pytest.mark.parametrize("size", [(5, 4), (4, 5)])
def test_two_bridges_that_cross_make_no_position(size: tuple[int, int]) -> None:
    # On these boards, bridges of any two shapes occur in every relative position.
    board = Board(*size)
    for one, other in pairs_that_cross(board):
        setup = Setup(board, white=(*one.ends, *other.ends), bridges=[other, one])
        found = [
            fault.bridges for fault in setup.violations() if fault.code is ViolationCode.CROSSES
        ]
        assert found == [(one, other)]
        with pytest.raises(pdd.InvalidPositionError, match=f"in the way: {one}, {other}"):
            setup.position()


def test_every_fault_of_diagrams_is_in_the_table() -> None:
    seen = {
        fault.code
        for diagram, _ in FAULTY.values()
        for fault in pdd.parse_setup(diagram).violations()
    }
    assert seen == {
        *(
            ViolationCode.OFF_BOARD,
            ViolationCode.OCCUPIED,
            ViolationCode.GROUP_TOO_LARGE,
            ViolationCode.ISLAND_TOUCHED,
            ViolationCode.END_USED,
        ),
        *(
            ViolationCode.NOT_A_BRIDGE_SHAPE,
            ViolationCode.ENDS_DIFFER,
            ViolationCode.TILE_BENEATH,
            ViolationCode.CROSSES,
        ),
    }


def test_a_setup_sorts_its_pieces() -> None:
    setup = Setup(
        Board(3, 3),
        white=cells("c3 a1 a1"),
        red=cells("b2 b2"),
        bridges=[bridge("a2-c2"), bridge("c1-a1"), bridge("a1-c1")],
    )
    assert setup.white == cells("a1 c3")
    assert setup.red == cells("b2")
    assert setup.bridges == (bridge("a1-c1"), bridge("a2-c2"))
    assert Setup(Board(3, 3)) == pdd.parse_setup("...\n...\n...")


CANONICAL = [
    "1 .\n  a",
    "2 . w r\n1 x . .\n  a b c",
    "3 w . w\n2 . . .\n1 r . r\n  a b c\nbridges a1-c1 a3-c3",
    "1 w .\n  a b\nbridges a1-c1\nwhite c1\nred d1 b9",
    "\n".join(
        [f"{row:>2} . ." if row != 10 else "10 w ." for row in range(11, 0, -1)] + ["   a b"]
    ),
    "1 " + "  ".join("." * 25 + "wr") + "\n  " + "  ".join("abcdefghijklmnopqrstuvwxyz") + "  aa",
]


@pytest.mark.parametrize("text", CANONICAL)
def test_canonical_diagrams(text: str) -> None:
    setup = pdd.parse_setup(text)
    assert pdd.format_setup(setup) == text
    assert pdd.parse_setup(pdd.format_setup(setup)) == setup


@pytest.mark.parametrize(
    "text",
    [
        ".w\nr.",
        "2 . W\n1 R .",
        "\n\n  2 .w\n\n  1 r.\n  a\tb\n\n",
        ". w\r\nr .\r\na b\r\n",
        "2.w\n1r.",
        "\t.\tw\n\tr\t.",
        ". w\nr .\nwhite b2\nred a1\nwhite\nbridges\nred",
        ". w\nr .\nA B",
        "2 . .\n1 . .\nwhite B2\nRED a1",
    ],
)
def test_diagrams_in_a_lenient_layout(text: str) -> None:
    assert pdd.parse_setup(text) == Setup(Board(2, 2), white=cells("b2"), red=cells("a1"))


def test_diagrams_with_lists_in_several_lines() -> None:
    text = "w . w\n. . .\nw . w\nbridges a1-c1\nbridges c3-a3 A1-c1"
    assert pdd.parse_setup(text).bridges == (bridge("a1-c1"), bridge("a3-c3"))
