"""Texts of cells, actions, rules, states and set-ups: what is read, written and refused."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import product
from string import ascii_lowercase
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from diagrams import bridge, cells, faults_of, state_of
from pontedeldiavolo import (
    Board,
    BuildBridge,
    Cell,
    ChooseColor,
    Color,
    GameState,
    Pass,
    PlaceTiles,
    Rules,
    Setup,
    Tiebreak,
)

Parser = Callable[[str], object]

A1, B2, C2 = cells("a1 b2 c2")

# Where and what: fragments that come back in many expectations

CELL = "a cell such as 'c4'"
COLUMN = "a column from a to bl"
ROW = "a row from 1 to 64"
ROW_ZERO = f"{ROW} without a leading zero"
ACTION = "a cell, 'white', 'red' or 'pass'"
BETWEEN = "',' or '-'"
END = "the end"


def check(parse: Parser, text: str, offset: int, expected: str) -> None:
    """Check that a text is refused, and how."""
    with pytest.raises(pdd.NotationError) as caught:
        parse(text)
    error = caught.value
    assert (error.text, error.offset, error.expected) == (text, offset, expected)


# Cells


@pytest.mark.parametrize(
    ("text", "column", "row"),
    [
        ("c4", 2, 3),
        ("C4", 2, 3),
        (" \tc4\r\n", 2, 3),
        ("z64", 25, 63),
        ("aa1", 26, 0),
        ("AA1", 26, 0),
        ("az9", 51, 8),
        ("ba10", 52, 9),
        ("bl64", 63, 63),
    ],
)
def test_cells(text: str, column: int, row: int) -> None:
    assert pdd.parse_cell(text) == Cell(column, row)


def test_the_names_of_all_columns() -> None:
    pairs = map("".join, product(ascii_lowercase, repeat=2))
    names = [*ascii_lowercase, *pairs][: Board.MAX_SIDE]
    assert names[-1] == "bl"
    for column, name in enumerate(names):
        cell = Cell(column, 0)
        assert pdd.format_cell(cell) == f"{name}1"
        assert pdd.parse_cell(f"{name}1") == cell


def test_the_names_of_all_rows() -> None:
    for row in range(Board.MAX_SIDE):
        assert pdd.format_cell(Cell(0, row)) == f"a{row + 1}"
        assert pdd.parse_cell(f"a{row + 1}") == Cell(0, row)


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, CELL),
        ("   ", 3, CELL),
        ("4", 0, CELL),
        ("4c", 0, CELL),
        ("c", 1, ROW),
        ("a0", 1, ROW),
        ("a00", 1, ROW_ZERO),
        ("a01", 1, ROW_ZERO),
        ("a65", 1, ROW),
        ("a100", 1, ROW),
        ("a-1", 1, ROW),
        ("a+1", 1, ROW),
        ("a 1", 1, ROW),
        ("a1 b", 3, END),
        ("a1b", 2, END),
        ("a1.0", 2, END),
        ("a1_0", 2, END),
        ("bm1", 0, COLUMN),
        ("zz1", 0, COLUMN),
        ("aaa1", 0, COLUMN),
        (" aaa1", 1, COLUMN),
        ("\x00", 0, CELL),
        ("a1\x00", 2, END),
        ("a1\x0b", 2, END),
        ("a1\u00a0", 2, END),
        ("\ufeffa1", 0, CELL),
        ("\U0001f309", 0, CELL),
        ("a\uff11", 1, ROW),
        ("a\u0661", 1, ROW),
        ("a\u00b2", 1, ROW),
        ("\uff41" + "1", 0, CELL),
        ("\u212a1", 0, CELL),
        ("\u0131" + "1", 0, CELL),
        ("\u00e41", 0, CELL),
        ("\ud800", 0, CELL),
    ],
)
def test_texts_that_are_no_cell(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_cell, text, offset, expected)


# Actions


@pytest.mark.parametrize(
    ("text", "action", "canonical"),
    [
        ("a1,b2", PlaceTiles(A1, B2), "a1,b2"),
        ("b2,a1", PlaceTiles(A1, B2), "a1,b2"),
        ("A1,B2", PlaceTiles(A1, B2), "a1,b2"),
        (" a1 , b2 ", PlaceTiles(A1, B2), "a1,b2"),
        ("\ta1,\n\r\nb2\n", PlaceTiles(A1, B2), "a1,b2"),
        ("b1,a2", PlaceTiles(Cell(1, 0), Cell(0, 1)), "b1,a2"),
        ("a2,b1", PlaceTiles(Cell(1, 0), Cell(0, 1)), "b1,a2"),
        ("a1-c2", BuildBridge(A1, C2), "a1-c2"),
        ("c2-a1", BuildBridge(A1, C2), "a1-c2"),
        ("C2 - a1", BuildBridge(A1, C2), "a1-c2"),
        ("white", ChooseColor(Color.WHITE), "white"),
        ("WHITE ", ChooseColor(Color.WHITE), "white"),
        (" Red", ChooseColor(Color.RED), "red"),
        ("pass", Pass(), "pass"),
        ("pASS\n", Pass(), "pass"),
        ("bl64,a1", PlaceTiles(A1, Cell(63, 63)), "a1,bl64"),
    ],
)
def test_actions(text: str, action: pdd.Action, canonical: str) -> None:
    assert pdd.parse_action(text) == action
    assert pdd.format_action(action) == canonical
    assert pdd.parse_action(canonical) == action


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, ACTION),
        (" \n ", 3, ACTION),
        ("1,2", 0, ACTION),
        (",", 0, ACTION),
        ("-", 0, ACTION),
        ("?", 0, ACTION),
        ("\x00", 0, ACTION),
        ("\U0001f309", 0, ACTION),
        ("\ufeffpass", 0, ACTION),
        ("a1", 2, BETWEEN),
        ("a1 ", 3, BETWEEN),
        ("a1 b2", 3, BETWEEN),
        ("a1;b2", 2, BETWEEN),
        ("a1\u2013b2", 2, BETWEEN),
        ("a1\uff0cb2", 2, BETWEEN),
        ("a1,", 3, CELL),
        ("a1-", 3, CELL),
        ("a1,,b2", 3, CELL),
        ("a1--b2", 3, CELL),
        ("a1,-b2", 3, CELL),
        ("a1,2", 3, CELL),
        ("a1,b", 4, ROW),
        ("a1,b0", 4, ROW),
        ("a1,b01", 4, ROW_ZERO),
        ("a0,b1", 1, ROW),
        ("a65,b1", 1, ROW),
        ("a1,b99999999999999999999", 4, ROW),
        ("a1,b\uff12", 4, ROW),
        ("\u212a1,a1", 0, ACTION),
        ("a1,\u212a1", 3, CELL),
        ("bm1,a1", 0, COLUMN),
        ("a1,bm1", 3, COLUMN),
        ("a1,b2,c3", 5, END),
        ("a1-c1-e5", 5, END),
        ("a1,b2 c3", 6, END),
        ("a1,b2x", 5, END),
        ("a1,b2\x00", 5, END),
        ("pass!", 4, END),
        ("pass pass", 5, END),
        ("white,red", 5, END),
        ("red1,a1", 0, COLUMN),
        ("passe", 0, ACTION),
        ("blue", 0, ACTION),
        ("resign", 0, ACTION),
        ("whit", 0, ACTION),
        ("pas\u017f", 0, ACTION),
        ("swap", 0, ACTION),
    ],
)
def test_texts_that_are_no_action(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_action, text, offset, expected)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("a1,a1", ["same-cell a1"]),
        ("a1-b1", ["not-a-bridge-shape a1 b1", "not-your-tile a1 b1"]),
        ("a1-a1", ["not-a-bridge-shape a1", "not-your-tile a1"]),
        ("k1,a1", ["off-board k1"]),
        ("bl64-bl62", ["off-board bl62 bl64"]),
        ("white", ["wrong-phase"]),
    ],
)
def test_well_formed_texts_are_read_whether_legal_or_not(text: str, faults: list[str]) -> None:
    action = pdd.parse_action(text)
    assert faults_of(GameState.initial().violations(action)) == faults


# Rules


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("10x10 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges", Rules()),
        (
            "10x10 tiles=40 bridges=15 tiebreaks=islands,bridges",
            Rules(tiles_per_color=40, bridges=15),
        ),
        ("1x64 tiles=0 bridges=0 tiebreaks=none", Rules(Board(1, 64), 0, 0, ())),
        (
            "7x5 tiles=3 bridges=unlimited tiebreaks=bridges",
            Rules(Board(7, 5), 3, None, (Tiebreak.BRIDGES,)),
        ),
        (
            "3x3 tiles=1000000000 bridges=1 tiebreaks=bridges,islands",
            Rules(Board(3, 3), 10**9, 1, (Tiebreak.BRIDGES, Tiebreak.ISLANDS)),
        ),
    ],
)
def test_rules(text: str, rules: Rules) -> None:
    assert pdd.parse_rules(text) == rules
    assert pdd.format_rules(rules) == text
    assert pdd.parse_rules(f"  {text.upper()}\r\n") == rules
    assert pdd.parse_rules(text.replace(" ", " \t\n ")) == rules


def test_rules_by_the_name_of_a_preset() -> None:
    assert pdd.parse_rules(" Board_Game_Arena\n") == Rules()


SIZE_OR_NAME = (
    "a board size such as '10x10', or one of original, boardspace, board-game-arena, "
    "brettspielnetz, your-turn-my-turn, wikipedia, abstract-play, abstract-play-8, "
    "abstract-play-12"
)
WIDTH, HEIGHT = "a width from 1 to 64", "a height from 1 to 64"
TILES = "a number of tiles or 'unlimited'"
BRIDGES = "a number of bridges or 'unlimited'"
START = "10x10 tiles=40 bridges=15 tiebreaks="
TEN_MILLION = 10_000_000


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, SIZE_OR_NAME),
        ("  ", 2, SIZE_OR_NAME),
        ("chess", 0, SIZE_OR_NAME),
        (" originals", 1, SIZE_OR_NAME),
        ("\u0661x1", 0, SIZE_OR_NAME),
        ("wi\u212aipedia", 0, SIZE_OR_NAME),
        ("original 10x10", 9, END),
        ("0x5", 0, WIDTH),
        ("5x0", 2, HEIGHT),
        ("05x5", 0, f"{WIDTH} without a leading zero"),
        ("65x1", 0, WIDTH),
        ("1x65", 2, HEIGHT),
        ("99999x99999", 0, WIDTH),
        ("10", 2, "'x'"),
        ("10\u00d710", 2, "'x'"),
        ("10x", 3, HEIGHT),
        ("10x10", 5, "a blank and then 'tiles='"),
        ("10x10,tiles=1", 5, "a blank and then 'tiles='"),
        ("10x10 ", 6, "'tiles='"),
        ("10x10 bridges=1", 6, "'tiles='"),
        ("10x10 tiles=", 12, TILES),
        ("10x10 tiles=-1", 12, TILES),
        ("10x10 tiles=many", 12, TILES),
        ("10x10 tiles=007", 12, f"{TILES} without a leading zero"),
        ("10x10 tiles=" + "9" * 1000, 12, TILES),
        ("10x10 tiles=4.0 bridges=1", 13, "a blank and then 'bridges='"),
        ("10x10 tiles=40 ", 15, "'bridges='"),
        ("10x10 tiles=40 bridges=x", 23, BRIDGES),
        ("10x10 tiles=40 bridges=15", 25, "a blank and then 'tiebreaks='"),
        ("10x10 tiles=40 bridges=15 ties=none", 26, "'tiebreaks='"),
        (START, 36, "'islands' or 'bridges' or 'none'"),
        (START + "points", 36, "'islands' or 'bridges' or 'none'"),
        (START + "islands,", 44, "'bridges'"),
        (START + "islands,islands", 44, "'bridges'"),
        (START + "islands,none", 44, "'bridges'"),
        (START + "islands,bridges,", 52, "no further tie-break"),
        (START + "islands,bridges,islands", 52, "no further tie-break"),
        (START + "none,islands", 40, END),
        (START + "islands bridges", 44, END),
    ],
)
def test_texts_that_are_no_rules(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_rules, text, offset, expected)


@pytest.mark.parametrize("digits", [9, 10, 12, 99])
def test_rules_with_any_supply_survive_as_text(digits: int) -> None:
    rules = Rules(tiles_per_color=10**digits, bridges=10**digits)
    assert pdd.parse_rules(pdd.format_rules(rules)) == rules


# States

STATES = [
    (
        GameState.initial(Rules(Board(3, 2), 4, 2)),
        (
            "3x2 tiles=4 bridges=2 tiebreaks=islands,bridges rows=3/3 built=- phase=opening"
            " to-move=white white=-"
        ),
    ),
    (
        state_of("2 w . r\n1 . . .", Color.RED, white_owner=pdd.Seat.SECOND),
        (
            "3x2 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=w1r/3 built=-"
            " phase=play to-move=red white=second"
        ),
    ),
    (
        state_of("3 w . w\n2 . . .\n1 r . r\nbridges a3-c3 a1-c1"),
        (
            "3x3 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=w1w/3/r1r"
            " built=a1-c1,a3-c3 phase=play to-move=white white=first"
        ),
    ),
    (
        state_of("w . w", phase=pdd.Phase.COLOR_CHOICE, tiebreaks=()),
        (
            "3x1 tiles=unlimited bridges=unlimited tiebreaks=none rows=w1w built=-"
            " phase=color-choice to-move=- white=-"
        ),
    ),
    (
        state_of("w r w r", phase=pdd.Phase.OVER),
        (
            "4x1 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=wrwr built=-"
            " phase=over to-move=- white=first"
        ),
    ),
    (
        state_of("w r w r", Color.RED, phase=pdd.Phase.LAST_TURN),
        (
            "4x1 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges rows=wrwr built=-"
            " phase=last-turn to-move=red white=first"
        ),
    ),
]


@pytest.mark.parametrize(("state", "text"), STATES)
def test_states(state: GameState, text: str) -> None:
    assert pdd.format_state(state) == text
    assert pdd.parse_state(text) == state
    assert pdd.parse_state(f"\n {text.upper().replace(' ', chr(10))}\t") == state


def test_states_with_the_name_of_a_preset() -> None:
    rows = "/".join(["12"] * 12)
    text = f"brettspielnetz rows={rows} built=- phase=opening to-move=white white=-"
    assert pdd.parse_state(text) == GameState.initial(pdd.presets.BRETTSPIELNETZ)


def test_bridges_of_states_in_any_order() -> None:
    text = STATES[2][1]
    assert pdd.parse_state(text.replace("a1-c1,a3-c3", "c3-a3,C1-a1")) == STATES[2][0]


RULES = "3x2 tiles=4 bridges=2 tiebreaks=none "
WATER = "'w', 'r' or a number of water cells from 1 to"
PHASES = "'opening' or 'color-choice' or 'play' or 'last-turn' or 'over'"


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, SIZE_OR_NAME),
        (RULES[:-1], 36, "a blank and then 'rows='"),
        (RULES, 37, "'rows='"),
        (RULES + "rows=", 42, f"{WATER} 3"),
        (RULES + "rows=4/3", 42, f"{WATER} 3"),
        (RULES + "rows=w3/3", 43, f"{WATER} 2"),
        (RULES + "rows=ww0", 44, f"{WATER} 1"),
        (RULES + "rows=01ww/3", 42, f"{WATER} 3 without a leading zero"),
        (RULES + "rows=99999999999999999999", 42, f"{WATER} 3"),
        (RULES + "rows=x", 42, f"{WATER} 3"),
        (RULES + "rows=2", 43, f"{WATER} 1"),
        (RULES + "rows=3", 43, "'/'"),
        (RULES + "rows=www3", 45, "'/'"),
        (RULES + "rows=3/", 44, f"{WATER} 3"),
        (RULES + "rows=3/3", 45, "a blank and then 'built='"),
        (RULES + "rows=3/3/3", 45, "a blank and then 'built='"),
        (RULES + "rows=3/3w", 45, "a blank and then 'built='"),
        (RULES + "rows=3/3 phase=play", 46, "'built='"),
        (RULES + "rows=3/3 built=", 52, CELL),
        (RULES + "rows=3/3 built=a1", 54, "'-'"),
        (RULES + "rows=3/3 built=a1-", 55, CELL),
        (RULES + "rows=3/3 built=a1,b1", 54, "'-'"),
        (RULES + "rows=3/3 built=a1-c1,", 58, CELL),
        (RULES + "rows=3/3 built=a1-bm1", 55, COLUMN),
        (RULES + "rows=3/3 built=-", 53, "a blank and then 'phase='"),
        (RULES + "rows=3/3 built=- phase=", 60, PHASES),
        (RULES + "rows=3/3 built=- phase=end", 60, PHASES),
        (RULES + "rows=3/3 built=- phase=plays", 60, PHASES),
        (RULES + "rows=3/3 built=- phase=play", 64, "a blank and then 'to-move='"),
        (RULES + "rows=3/3 built=- phase=play to-move=", 73, "'white' or 'red' or '-'"),
        (RULES + "rows=3/3 built=- phase=play to-move=blue", 73, "'white' or 'red' or '-'"),
        (RULES + "rows=3/3 built=- phase=play to-move=-", 74, "a blank and then 'white='"),
        (
            RULES + "rows=3/3 built=- phase=play to-move=red white=red",
            83,
            "'first' or 'second' or '-'",
        ),
        (RULES + "rows=3/3 built=- phase=play to-move=red white=first x", 89, END),
        ("65x1 tiles=4", 0, WIDTH),
        ("99999x99999 tiles=4", 0, WIDTH),
    ],
)
def test_texts_that_are_no_state(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_state, text, offset, expected)


def test_states_against_the_rules_are_well_formed_texts() -> None:
    text = RULES + "rows=www/wwr built=a1-c1 phase=over to-move=red white=-"
    with pytest.raises(pdd.InvalidPositionError) as caught:
        pdd.parse_state(text)
    assert sorted(fault.rule.value for fault in caught.value.faults) == [
        "ends-differ",
        "group-too-large",
        "tile-beneath",
        "tiles-exceed-supply",
        "wrong-owners",
        "wrong-turn",
    ]


# Set-ups

LETTER = "'.', 'w', 'r' or 'x'"


@pytest.mark.parametrize(
    ("text", "offset", "expected"),
    [
        ("", 0, "a row of cells"),
        ("\n \n", 3, "a row of cells"),
        ("bridges a1-c1", 13, "a row of cells"),
        ("white a1\nred b1", 15, "a row of cells"),
        ("a b", 2, "the end of the line"),
        ("?", 0, LETTER),
        ("..o", 2, LETTER),
        (". .\n. b", 6, LETTER),
        ("w\uff57", 1, LETTER),
        ("w\u00a0w", 1, LETTER),
        ("\ufeffw", 0, LETTER),
        ("1", 1, "a row of cells"),
        ("1 .\n2\n", 5, "a row of cells"),
        ("0 .", 0, ROW),
        ("01 .", 0, ROW_ZERO),
        ("65 .", 0, ROW),
        ("2 .", 0, "row number 1"),
        ("2 .\n2 .", 4, "row number 1"),
        ("1 .\n2 .", 4, "row number 1"),
        ("1 .\n.", 0, "row number 2"),
        (". .\n.", 4, "a row of 2 cells"),
        (".\n. .", 2, "a row of 1 cells"),
        ("." * 65, 65, "at most 64 cells in a row"),
        (".\n" * 65, 128, "at most 64 rows"),
        (". .\na c", 6, "the column letter 'b'"),
        (". .\na", 5, "the column letter 'b'"),
        (". .\na b c", 8, "the end of the line"),
        (". .\na b .", 8, "the end of the line"),
        (".\nbridges a1", 12, "'-'"),
        (".\nbridges a1,a3", 12, "'-'"),
        (".\nbridges a1-", 13, CELL),
        (".\nbridges a1-a0", 14, ROW),
        (".\nwhite 3", 8, CELL),
        (".\nwhite a", 9, ROW),
        (".\nred a1,b1", 8, CELL),
        (".\nblack a1", 2, LETTER),
        (".\nwhite bm1", 8, COLUMN),
    ],
)
def test_texts_that_are_no_setup(text: str, offset: int, expected: str) -> None:
    check(pdd.parse_setup, text, offset, expected)


def test_cells_beyond_any_board_are_written_and_not_read() -> None:
    far = Cell(99, 99)
    check(pdd.parse_cell, pdd.format_cell(far), 0, COLUMN)
    check(pdd.parse_action, pdd.format_action(PlaceTiles(A1, far)), 3, COLUMN)
    check(pdd.parse_setup, pdd.format_setup(Setup(Board(1, 1), white=[far])), 14, COLUMN)


# Writing


@pytest.mark.parametrize(
    "write",
    [pdd.format_cell, pdd.format_action, pdd.format_rules, pdd.format_state, pdd.format_setup],
)
def test_only_values_are_written(write: Callable[[object], str]) -> None:
    for wrong in ("a1", None, 1, (0, 0), bridge("a1-a3"), Board()):
        with pytest.raises(TypeError):
            write(wrong)


def test_a_click_is_not_an_action_to_write() -> None:
    with pytest.raises(TypeError):
        pdd.format_action(pdd.PlaceTile(A1))  # type: ignore[arg-type]


PARSERS: dict[str, Parser] = {
    "cell": pdd.parse_cell,
    "action": pdd.parse_action,
    "rules": pdd.parse_rules,
    "state": pdd.parse_state,
    "setup": pdd.parse_setup,
}


@pytest.mark.parametrize("parse", PARSERS.values(), ids=PARSERS)
def test_only_strings_are_read(parse: Callable[[object], object]) -> None:
    for wrong in (None, 1, b"a1,b2", ["a1"], A1):
        with pytest.raises(TypeError):
            parse(wrong)


# Hostile texts

LONG: dict[str, Callable[[], str]] = {
    "letters": lambda: "a" * TEN_MILLION,
    "digits": lambda: "1" * TEN_MILLION,
    "nines after a letter": lambda: "a" + "9" * TEN_MILLION,
    "zeros after a letter": lambda: "a" + "0" * TEN_MILLION,
    "blanks": lambda: " " * TEN_MILLION,
    "lines": lambda: "\n" * TEN_MILLION,
    "blanks and then a word": lambda: " " * TEN_MILLION + "nothing",
    "an action and blanks": lambda: "a1,b2" + " " * TEN_MILLION + ",",
    "actions": lambda: "a1,b2" * (TEN_MILLION // 5),
    "slashes": lambda: "1x64 tiles=1 bridges=1 tiebreaks=none rows=" + "1/" * (TEN_MILLION // 2),
    "a supply": lambda: "10x10 tiles=" + "1" * TEN_MILLION,
    "tie-breaks": lambda: START + "islands," * (TEN_MILLION // 8),
    "rows": lambda: ".\n" * (TEN_MILLION // 2),
    "a row": lambda: "." * TEN_MILLION,
    "lists of nothing": lambda: ".\n" + "white\n" * 100_000 + "black",
    "emoji": lambda: "\U0001f309" * (TEN_MILLION // 4),
    "nul": lambda: "\x00" * TEN_MILLION,
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_refused_at_once(name: str) -> None:
    text = LONG[name]()
    started = time.perf_counter()
    for parse in PARSERS.values():
        with pytest.raises(pdd.NotationError) as caught:
            parse(text)
        assert len(str(caught.value)) < 1000
    assert time.perf_counter() - started < 60


@pytest.mark.parametrize("side", ["65", "100", "99999", "9" * 1000])
def test_boards_too_large_are_refused_before_anything_is_made(side: str) -> None:
    rest = "tiles=1 bridges=1 tiebreaks=none rows=1 built=- phase=play to-move=red white=first"
    check(pdd.parse_rules, f"{side}x{side} {rest}", 0, WIDTH)
    check(pdd.parse_state, f"{side}x{side} {rest}", 0, WIDTH)
    check(pdd.parse_state, f"1x{side} {rest}", 2, HEIGHT)


def test_a_state_with_more_bridges_than_could_ever_stand_is_refused() -> None:
    built = ",".join(map(str, Board(40, 40).bridges))
    text = f"40x40 tiles=unlimited bridges=unlimited tiebreaks=none rows={'/'.join(['40'] * 40)}"
    text += f" built={built} phase=play to-move=red white=first"
    start = text.index("built=") + len("built=") + len(",".join(built.split(",")[:800])) + 1
    check(pdd.parse_state, text, start, "at most 800 bridges on this board")
    with pytest.raises(pdd.InvalidPositionError):
        pdd.parse_state(text.replace(built, ",".join(built.split(",")[:800])))


# Any text at all

ALPHABET = (
    "abcwrxz.,-=/ 0123456789\n\tABW\u212a\uff11\x00passwhiteredtilesbridgesrowsbuiltunlimited"
)

VALID = [
    "c4",
    "a1,b2",
    "a1-c2",
    "white",
    "pass",
    "10x10 tiles=40 bridges=15 tiebreaks=islands,bridges",
    *(text for _, text in STATES),
    "3 w . w\n2 . . .\n1 r . x\n  a b c\nbridges a1-c1 a3-c3\nwhite z9\nred b4",
]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """Return valid texts with a few pieces changed, doubled, dropped or swapped."""
    text = draw(st.sampled_from(VALID))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        stop = min(len(text), start + draw(st.integers(0, 4)))
        piece = draw(
            st.one_of(
                st.text(ALPHABET, max_size=3),
                st.text(max_size=2),
                st.sampled_from(VALID),
                st.just(text[start:stop] * 2),
            )
        )
        text = text[:start] + piece + text[stop:]
    return text


WRITERS: dict[str, Callable[[Any], str]] = {
    "cell": pdd.format_cell,
    "action": pdd.format_action,
    "rules": pdd.format_rules,
    "state": pdd.format_state,
    "setup": pdd.format_setup,
}


def read(parse: Parser, text: str) -> object:
    """Return what a text means, or the error that refuses it."""
    try:
        return parse(text)
    except (pdd.NotationError, pdd.InvalidPositionError) as error:
        return error


@pytest.mark.parametrize("name", PARSERS)
@given(text=st.text() | st.text(ALPHABET) | mutated())
@example(text="")
@example(text="\ud800")
def test_any_text_is_read_or_refused(name: str, text: str) -> None:
    match read(PARSERS[name], text):
        case pdd.NotationError() as error:
            assert error.text == text
            assert 0 <= error.offset <= len(text)
            assert error.expected
        case pdd.InvalidPositionError() as error:
            assert name == "state"
            assert error.faults
        case value:
            assert PARSERS[name](WRITERS[name](value)) == value
