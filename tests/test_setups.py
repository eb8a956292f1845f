"""Diagrams and what is wrong with them, positions, and which states a position can be part of."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Any

import pytest

import pontedeldiavolo as pdd
from diagrams import bridge, cells, draw, faults_of, names
from pontedeldiavolo import (
    Board,
    Bridge,
    Cell,
    Color,
    GameState,
    Phase,
    Position,
    Rule,
    Rules,
    Score,
    Seat,
    Setup,
)

WHITE, RED = Color.WHITE, Color.RED

# Faults of diagrams

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
    "island and sandbank": (
        "3 . . . w\n2 . . w .\n1 w w w .",
        ["island-touched a1 b1 c1 c2 d3"],
    ),
    "two islands": (
        "4 . . r r\n3 . . r r\n2 r r . .\n1 r r . .",
        [
            "island-touched a1 b1 a2 b2 c3",
            "island-touched b2 c3 d3 c4 d4",
        ],
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
    "two tiles beneath": (
        "3 . w\n2 r w\n1 w .\nbridges a1-b3",
        ["tile-beneath a2 b2 | a1-b3"],
    ),
    "two bridges on a tile": (
        "w . w . w\nbridges a1-c1 c1-e1",
        ["end-used c1 | a1-c1 c1-e1"],
    ),
    "three bridges on a tile": (
        "3 . . w . .\n2 . . . . .\n1 w . w . w\nbridges a1-c1 c1-e1 c1-c3",
        [
            "end-used c1 | a1-c1 c1-e1 c1-c3",
        ],
    ),
    "crossing": (
        "3 w . r\n2 . . .\n1 r . w\nbridges a1-c3 a3-c1",
        ["crosses | a1-c3 c1-a3"],
    ),
    "crossing between cells": (
        "4 w . .\n3 . . w\n2 . . w\n1 w . .\nbridges a1-c3 a4-c2",
        ["crosses | a1-c3 c2-a4"],
    ),
    "overlapping": (
        "w w w w\nbridges a1-c1 b1-d1",
        ["crosses | a1-c1 b1-d1", "tile-beneath b1 | a1-c1", "tile-beneath c1 | b1-d1"],
    ),
    "parallel knights": (
        "3 . w r\n2 . . .\n1 w r .\nbridges a1-b3 b1-c3",
        [],
    ),
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

SETUP_RULES = {
    Rule.OFF_BOARD,
    Rule.OCCUPIED,
    Rule.GROUP_TOO_LARGE,
    Rule.ISLAND_TOUCHED,
    Rule.NOT_A_BRIDGE_SHAPE,
    Rule.ENDS_DIFFER,
    Rule.TILE_BENEATH,
    Rule.END_USED,
    Rule.CROSSES,
}


@pytest.mark.parametrize("name", FAULTY)
def test_the_faults_of_diagrams(name: str) -> None:
    diagram, expected = FAULTY[name]
    setup = pdd.parse_setup(diagram)
    assert faults_of(setup.faults()) == expected
    if expected:
        with pytest.raises(pdd.InvalidPositionError) as caught:
            setup.position()
        assert caught.value.faults == setup.faults()
        with pytest.raises(pdd.InvalidPositionError):
            Position.from_pieces(setup.board, setup.white, setup.red, setup.bridges)
    else:
        assert setup.position().setup() == setup


def test_every_fault_of_diagrams_is_in_the_table() -> None:
    seen = {
        fault.rule for diagram, _ in FAULTY.values() for fault in pdd.parse_setup(diagram).faults()
    }
    assert seen == SETUP_RULES


@pytest.mark.parametrize("name", FAULTY)
def test_faulty_diagrams_survive_as_text(name: str) -> None:
    setup = pdd.parse_setup(FAULTY[name][0])
    text = pdd.format_setup(setup)
    assert pdd.parse_setup(text) == setup
    assert pdd.format_setup(pdd.parse_setup(text)) == text


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


# Set-ups as text

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


# Positions

LAGOON = """
    5 w w . w . .
    4 w w . . . r
    3 . . . w . .
    2 r . . w . w
    1 r r . w . w
      a b c d e f
    bridges b5-d3 d2-f2
"""


def test_a_position_attribute_by_attribute() -> None:
    position = draw(LAGOON)
    assert position.board == Board(6, 5)
    assert names(position.tiles(WHITE)) == "d1 f1 d2 f2 d3 a4 b4 a5 b5 d5"
    assert names(position.tiles(RED)) == "a1 b1 a2 f4"
    assert position.bridges(WHITE) == (bridge("d2-f2"), bridge("d3-b5"))
    assert position.bridges(RED) == ()
    assert names(position.blocked) == "e2 c4"
    colors = {str(cell): position.color_at(cell) for cell in cells("a1 f4 a4 d5 e2 c3")}
    assert colors == {"a1": RED, "f4": RED, "a4": WHITE, "d5": WHITE, "e2": None, "c3": None}


def test_the_groups_of_a_position() -> None:
    position = draw(LAGOON)
    groups = position.groups(WHITE)
    assert [names(group.cells) for group in groups] == [
        "d1 d2 d3",
        "f1 f2",
        "a4 b4 a5 b5",
        "d5",
    ]
    assert [group.is_island for group in groups] == [False, False, True, False]
    assert position.islands(WHITE) == (groups[2],)
    assert position.islands(RED) == ()
    for cell in cells("d1 d2 d3"):
        assert position.group_at(cell) == groups[0]
    assert position.group_at(cells("e2")[0]) is None
    red = position.group_at(cells("b1")[0])
    assert red is not None
    assert (red.color, names(red.cells)) == (RED, "a1 b1 a2")


def test_the_networks_of_a_position() -> None:
    position = draw(LAGOON)
    joined, alone = position.networks(WHITE)
    assert [names(group.cells) for group in joined.groups] == ["d1 d2 d3", "f1 f2", "a4 b4 a5 b5"]
    assert joined.bridges == (bridge("d2-f2"), bridge("d3-b5"))
    assert (names(chain(*(each.cells for each in joined.islands))), joined.points) == (
        "a4 b4 a5 b5",
        1,
    )
    assert (len(alone.groups), alone.bridges, alone.islands, alone.points) == (1, (), (), 0)
    assert len(position.networks(RED)) == 2
    assert position.score(WHITE) == Score(points=1, islands=1, bridges=2)
    assert position.score(RED) == Score(points=0, islands=0, bridges=0)


def test_what_is_open_in_a_position() -> None:
    position = draw(LAGOON)
    # Closed are the cells around the island, blocked ones, and e1, e3 and d4, which join groups.
    assert names(position.open_cells(WHITE)) == "c1 b2 c2 f3 e4 e5 f5"
    assert names(position.open_bridges(WHITE)) == "d1-f1"
    assert names(position.open_bridges(RED)) == ""


def test_networks_are_in_the_order_of_their_first_cells() -> None:
    position = draw("2 . . . . . .\n1 w w . w . w\nbridges d1-f1")
    assert [names(network.groups[0].cells) for network in position.networks(WHITE)] == [
        "a1 b1",
        "d1",
    ]
    late = draw("5 w . w\n4 . . .\n3 w . w\n2 . . .\n1 w . w\nbridges a5-c5 a1-c1 a3-c3")
    assert [names(network.bridges) for network in late.networks(WHITE)] == [
        "a1-c1",
        "a3-c3",
        "a5-c5",
    ]


def test_positions_are_equal_however_they_got_there() -> None:
    drawn = draw("w . w . r\nbridges a1-c1")
    board = Board(5, 1)
    built = Position.from_pieces(board, cells("c1 a1"), cells("e1"), [bridge("c1-a1")])
    played = GameState.from_position(draw("w . w . r")).apply(pdd.parse_action("a1-c1")).position
    assert drawn == built == played
    assert len({drawn, built, played}) == 1
    assert drawn != draw("w . w . r")
    assert drawn != draw("2 . . . . .\n1 w . w . r\nbridges a1-c1")
    assert drawn != pdd.parse_setup("w . w . r\nbridges a1-c1")
    assert repr(drawn) == "<Position 5x1 white=['a1', 'c1'] red=['e1'] bridges=['a1-c1']>"


def test_empty_positions() -> None:
    position = Position.from_pieces(Board(2, 2))
    assert names(position.open_cells(RED)) == "a1 b1 a2 b2"
    assert (position.groups(WHITE), position.networks(RED)) == ((), ())
    assert position.open_bridges(RED) == ()
    assert position.setup() == Setup(Board(2, 2))


POSITION = draw(LAGOON)


@pytest.mark.parametrize(
    "ask",
    [
        POSITION.tiles,
        POSITION.bridges,
        POSITION.groups,
        POSITION.islands,
        POSITION.networks,
        POSITION.open_cells,
        POSITION.open_bridges,
        POSITION.score,
        POSITION.color_at,
        POSITION.group_at,
    ],
    ids=lambda ask: ask.__name__,
)
def test_positions_are_asked_with_the_right_types(ask: Callable[[Any], object]) -> None:
    for wrong in ("white", "a1", 0, None, Seat.FIRST):
        with pytest.raises(TypeError):
            ask(wrong)


@pytest.mark.parametrize("ask", [POSITION.color_at, POSITION.group_at])
def test_cells_off_the_board_have_no_colour(ask: Callable[[Cell], object]) -> None:
    with pytest.raises(pdd.PonteError, match="g1 is off the 6×5 board"):
        ask(cells("g1")[0])


# States made of positions

BOARD_10 = "\n".join(["." * 10] * 10)
STUCK = "w r w r"
RED_STUCK = "2 . . . . .\n1 r r r r ."

VALID: dict[str, tuple[str, dict[str, Any]]] = {
    "opening": (BOARD_10, {"phase": Phase.OPENING}),
    "opening, no supply": (BOARD_10, {"phase": Phase.OPENING, "tiles": 0}),
    "opening, one cell": (".", {"phase": Phase.OPENING}),
    "choice": ("w . w", {"phase": Phase.COLOR_CHOICE}),
    "choice, one cell": (".", {"phase": Phase.COLOR_CHOICE}),
    "choice, no supply": (BOARD_10, {"phase": Phase.COLOR_CHOICE, "tiles": 1}),
    "play": ("w w . r", {}),
    "play, red to move": ("w w . r", {"to_move": RED}),
    "play on an empty board": (BOARD_10, {"to_move": RED}),
    "play, one colour": ("w w w .", {"white_owner": Seat.SECOND}),
    "play, stuck": (STUCK, {}),
    "play, supply used up": ("w w . r r", {"tiles": 2}),
    "play, bridges used up": ("w . w\nbridges a1-c1", {"bridges": 1}),
    "last turn": (STUCK, {"phase": Phase.LAST_TURN, "to_move": RED}),
    "last turn by supply": ("w w . . r", {"phase": Phase.LAST_TURN, "to_move": RED, "tiles": 3}),
    "last turn, one cell": (".", {"phase": Phase.LAST_TURN, "to_move": RED}),
    "over": (STUCK, {"phase": Phase.OVER}),
    "over, red stuck": (RED_STUCK, {"phase": Phase.OVER}),
    "over by white's supply": ("w w . . r", {"phase": Phase.OVER, "tiles": 3}),
    "over by red's supply": ("w . . r r", {"phase": Phase.OVER, "tiles": 3}),
}

INVALID: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "too many white tiles": ("w w w . r", {"tiles": 2}, ["tiles-exceed-supply"]),
    "too many red tiles": ("w . r r r", {"tiles": 2}, ["tiles-exceed-supply"]),
    "too many of both": (
        "w w w . r r r",
        {"tiles": 2},
        ["tiles-exceed-supply", "tiles-exceed-supply"],
    ),
    "too many bridges": ("w . w\nbridges a1-c1", {"bridges": 0}, ["bridges-exceed-supply"]),
    "opening with a tile": ("w . .", {"phase": Phase.OPENING}, ["not-an-opening"]),
    "opening with red": ("r . .", {"phase": Phase.OPENING}, ["not-an-opening"]),
    "opening for red": (BOARD_10, {"phase": Phase.OPENING, "to_move": RED}, ["wrong-turn"]),
    "opening for nobody": (BOARD_10, {"phase": Phase.OPENING, "to_move": None}, ["wrong-turn"]),
    "choice over one tile": ("w . .", {"phase": Phase.COLOR_CHOICE}, ["not-a-color-choice"]),
    "choice over three": ("w w w .", {"phase": Phase.COLOR_CHOICE}, ["not-a-color-choice"]),
    "choice over red": ("w w . r", {"phase": Phase.COLOR_CHOICE}, ["not-a-color-choice"]),
    "choice over red alone": ("r . r", {"phase": Phase.COLOR_CHOICE}, ["not-a-color-choice"]),
    "choice over a bridge": (
        "w . w\nbridges a1-c1",
        {"phase": Phase.COLOR_CHOICE},
        ["not-a-color-choice"],
    ),
    "choice over nothing": (BOARD_10, {"phase": Phase.COLOR_CHOICE}, ["not-a-color-choice"]),
    "play of nobody": ("w w . r", {"to_move": None}, ["wrong-turn"]),
    "play without owners": ("w w . r", {"white_owner": None}, ["wrong-owners"]),
    "last turn too early": (
        "w w . . r",
        {"phase": Phase.LAST_TURN, "to_move": RED},
        ["not-a-last-turn"],
    ),
    "last turn when red is stuck": (
        RED_STUCK,
        {"phase": Phase.LAST_TURN, "to_move": RED},
        ["not-a-last-turn"],
    ),
    "last turn for white": (STUCK, {"phase": Phase.LAST_TURN}, ["wrong-turn"]),
    "last turn for nobody": (STUCK, {"phase": Phase.LAST_TURN, "to_move": None}, ["wrong-turn"]),
    "last turn without owners": (
        STUCK,
        {"phase": Phase.LAST_TURN, "to_move": RED, "white_owner": None},
        ["wrong-owners"],
    ),
    "over too early": ("w w . . r", {"phase": Phase.OVER}, ["not-over"]),
    "over without owners": (STUCK, {"phase": Phase.OVER, "white_owner": None}, ["wrong-owners"]),
    "everything": (
        "w w w . w . w . . r r r\nbridges c1-e1",
        {
            "phase": Phase.LAST_TURN,
            "to_move": WHITE,
            "white_owner": None,
            "tiles": 2,
            "bridges": 0,
        },
        [
            "bridges-exceed-supply",
            "tiles-exceed-supply",
            "tiles-exceed-supply",
            "wrong-owners",
            "wrong-turn",
        ],
    ),
}


def state_from(diagram: str, arguments: dict[str, Any]) -> GameState:
    """Return the state of a diagram, given what else is known of it."""
    position = draw(diagram)
    rest = {key: value for key, value in arguments.items() if key not in ("tiles", "bridges")}
    rules = Rules(position.board, arguments.get("tiles"), arguments.get("bridges"))
    return GameState.from_position(position, rules=rules, **rest)


def text_from(diagram: str, arguments: dict[str, Any]) -> str:
    """Return the same state as text, valid or not."""
    position = draw(diagram)
    pieces = pdd.format_state(GameState.from_position(position)).split()[4:6]
    rules = Rules(position.board, arguments.get("tiles"), arguments.get("bridges"))
    phase = arguments.get("phase", Phase.PLAY)
    nobody = phase in (Phase.COLOR_CHOICE, Phase.OVER)
    to_move = None if nobody else arguments.get("to_move", WHITE)
    owner = arguments.get("white_owner", Seat.FIRST)
    if phase in (Phase.OPENING, Phase.COLOR_CHOICE):
        owner = None
    return " ".join(
        [
            pdd.format_rules(rules),
            *pieces,
            f"phase={phase.value}",
            f"to-move={to_move.value if to_move else '-'}",
            f"white={owner.value if owner else '-'}",
        ]
    )


@pytest.mark.parametrize("name", VALID)
def test_states_that_can_be(name: str) -> None:
    diagram, arguments = VALID[name]
    state = state_from(diagram, arguments)
    assert state.position == draw(diagram)
    assert state.phase is arguments.get("phase", Phase.PLAY)
    assert pdd.format_state(state) == text_from(diagram, arguments)
    assert pdd.parse_state(pdd.format_state(state)) == state


@pytest.mark.parametrize("name", INVALID)
def test_states_that_cannot_be(name: str) -> None:
    diagram, arguments, expected = INVALID[name]
    with pytest.raises(pdd.InvalidPositionError) as caught:
        state_from(diagram, arguments)
    assert faults_of(caught.value.faults) == expected
    with pytest.raises(pdd.InvalidPositionError) as parsed:
        pdd.parse_state(text_from(diagram, arguments))
    assert parsed.value.faults == caught.value.faults


def test_a_position_on_another_board_than_the_rules() -> None:
    with pytest.raises(pdd.InvalidPositionError) as caught:
        GameState.from_position(draw("w . w"), rules=Rules())
    assert faults_of(caught.value.faults) == ["board-mismatch"]
    assert dict(caught.value.faults[0].values) == {
        "width": 3,
        "height": 1,
        "rules_width": 10,
        "rules_height": 10,
    }


def test_every_fault_of_states_is_in_the_table() -> None:
    seen = {fault for *_, faults in INVALID.values() for fault in faults}
    of_states = list(Rule)[list(Rule).index(Rule.BOARD_MISMATCH) + 1 :]
    assert seen == {rule.value for rule in of_states}


def test_what_phases_leave_open_is_ignored() -> None:
    # Nobody is to move, or owns a colour, whatever the defaults of the arguments are.
    choice = GameState.from_position(draw("w . w"), phase=Phase.COLOR_CHOICE)
    assert (choice.to_move, choice.owner(WHITE), choice.owner(RED)) == (None, None, None)
    over = GameState.from_position(draw(STUCK), phase=Phase.OVER, to_move=RED)
    assert over.to_move is None


@pytest.mark.parametrize(
    ("phase", "to_move", "owner", "expected"),
    [
        ("opening", "white", "first", "wrong-owners"),
        ("opening", "-", "-", "wrong-turn"),
        ("play", "-", "first", "wrong-turn"),
        ("over", "red", "first", "wrong-turn"),
        ("color-choice", "white", "-", "wrong-turn"),
        ("color-choice", "-", "first", "wrong-owners"),
        ("last-turn", "white", "first", "wrong-turn"),
    ],
)
def test_texts_say_whose_turn_it_is_rightly(
    phase: str, to_move: str, owner: str, expected: str
) -> None:
    text = (
        "1x1 tiles=unlimited bridges=unlimited tiebreaks=none rows=1 built=-"
        f" phase={phase} to-move={to_move} white={owner}"
    )
    with pytest.raises(pdd.InvalidPositionError) as caught:
        pdd.parse_state(text)
    assert faults_of(caught.value.faults) == [expected]


@pytest.mark.parametrize(
    "arguments",
    [
        {"position": "w . w"},
        {"position": Setup(Board(2, 2))},
        {"rules": "original"},
        {"rules": Board()},
        {"to_move": "white"},
        {"to_move": Seat.FIRST},
        {"white_owner": "first"},
        {"white_owner": WHITE},
        {"phase": "play"},
        {"phase": None},
    ],
)
def test_states_are_made_of_the_right_types(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        GameState.from_position(**{"position": Position.from_pieces(Board()), **arguments})


def test_bridges_between_any_two_cells_can_be_drawn() -> None:
    far = Bridge(Cell(0, 0), Cell(40, 40))
    setup = Setup(Board(2, 2), bridges=[far])
    assert faults_of(setup.faults()) == [
        "ends-differ a1 ao41 | a1-ao41",
        "not-a-bridge-shape a1 ao41 | a1-ao41",
        "off-board ao41 | a1-ao41",
    ]
    assert pdd.parse_setup(pdd.format_setup(setup)) == setup


def test_a_state_s_text_is_judged_as_a_whole() -> None:
    text = "3x1 tiles=1 bridges=0 tiebreaks=none rows=ww1 built=a1-c1 phase=play to-move=- white=-"
    with pytest.raises(pdd.InvalidPositionError) as caught:
        pdd.parse_state(text)
    assert [fault.rule for fault in caught.value.faults] == [
        Rule.ENDS_DIFFER,
        Rule.TILE_BENEATH,
        Rule.TILES_EXCEED_SUPPLY,
        Rule.BRIDGES_EXCEED_SUPPLY,
        Rule.WRONG_TURN,
        Rule.WRONG_OWNERS,
    ]
