"""Texts that parsers refuse: each case has the expectation and texts with a mark ‸ at the fault.

Long texts are refused at once. `tests/fuzz` has arbitrary texts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Cell, GameState, Rules, Setup
from support.checks import error_of, marked
from support.diagrams import cells, faults_of

Parser = Callable[[str], object]


class LimitedParser(Protocol):
    """A parser that takes limits."""

    def __call__(self, text: str, /, *, limits: pdd.Limits | None) -> object:
        """Return the value of a text."""


TEN_MILLION = 10_000_000

CELL = "a cell such as 'c4'"
ACTION = "a cell, 'white', 'red' or 'pass'"
COLUMN = "a column from a to bl"
ROW = "a row from 1 to 64"
WIDTH = "a width from 1 to 64"
HEIGHT = "a height from 1 to 64"
PLAIN = "{} without a leading zero"
BETWEEN = "',' or '-'"
END = "the end"
SIZE_OR_NAME = (
    "a board size such as '10x10', or one of original, boardspace, board-game-arena, "
    "brettspielnetz, your-turn-my-turn, wikipedia, abstract-play, abstract-play-8, "
    "abstract-play-12"
)
TILES = "a number of tiles or 'unlimited'"
BRIDGES = "a number of bridges or 'unlimited'"
START = "10x10 tiles=40 bridges=15 tiebreaks="
LETTER = "one of '.', 'w', 'r', 'x'"
RULES = "3x2 tiles=4 bridges=2 tiebreaks=none "
WATER = "'w', 'r' or a number of water cells from 1 to"
PHASES = "one of 'opening', 'color-choice', 'play', 'last-turn', 'over'"
EMPTY = RULES + "rows=3/3 built="
PLAYED = EMPTY + "- phase=play to-move="
STATE = pdd.format_state(GameState.initial(Rules(Board(3, 2))))

REFUSED: dict[Parser, list[tuple[str, ...]]] = {
    pdd.parse_cell: [
        (CELL, "‸", "   ‸", "‸4", "‸4c", "‸\x00", "‸\ufeffa1", "‸\U0001f309", "‸\uff411"),
        (CELL, "‸\u212a1", "‸\u01311", "‸\xe41", "‸\ud800"),
        (ROW, "c‸", "a‸0", "a‸65", "a‸100", "a‸-1", "a‸+1", "a‸ 1", "a‸\uff11"),
        (ROW, "a‸\u0661", "a‸\xb2"),
        (PLAIN.format(ROW), "a‸00", "a‸01"),
        (END, "a1 ‸b", "a1‸b", "a1‸.0", "a1‸_0", "a1‸\x00", "a1‸\x0b", "a1‸\xa0"),
        (COLUMN, "‸bm1", "‸zz1", "‸aaa1", " ‸aaa1"),
    ],
    pdd.parse_action: [
        (ACTION, "‸", " \n ‸", "‸1,2", "‸,", "‸-", "‸?", "‸\x00", "‸\U0001f309", "‸\ufeffpass"),
        (ACTION, "‸passe", "‸blue", "‸resign", "‸whit", "‸pas\u017f", "‸swap", "‸\u212a1,a1"),
        (BETWEEN, "a1‸", "a1 ‸", "a1 ‸b2", "a1‸;b2", "a1‸\u2013b2", "a1‸\uff0cb2"),
        (CELL, "a1,‸", "a1-‸", "a1,‸,b2", "a1-‸-b2", "a1,‸-b2", "a1,‸2", "a1,‸\u212a1"),
        (ROW, "a1,b‸", "a1,b‸0", "a‸0,b1", "a‸65,b1", "a1,b‸99999999999999999999", "a1,b‸\uff12"),
        (PLAIN.format(ROW), "a1,b‸01"),
        (COLUMN, "‸bm1,a1", "a1,‸bm1", "‸red1,a1"),
        (END, "a1,b2‸,c3", "a1-c1‸-e5", "a1,b2 ‸c3", "a1,b2‸x", "a1,b2‸\x00", "pass‸!"),
        (END, "pass ‸pass", "white‸,red"),
    ],
    pdd.parse_step: [
        (ACTION, "‸", "‸whiter"),
        (END, "d4‸,e5", "d4 ‸x", "pass ‸d4"),
        (CELL, "a1-‸"),
        (ROW, "a‸0"),
        (COLUMN, "‸zz1"),
    ],
    pdd.parse_rules: [
        (SIZE_OR_NAME, "‸", "  ‸", "‸chess", " ‸originals", "‸\u0661x1", "‸wi\u212aipedia"),
        (END, "original ‸10x10", START + "none‸,islands", START + "islands ‸bridges"),
        (WIDTH, "‸0x5", "‸65x1", "‸99999x99999"),
        (HEIGHT, "5x‸0", "1x‸65", "10x‸"),
        (PLAIN.format(WIDTH), "‸05x5"),
        ("'x'", "10‸", "10‸\xd710"),
        ("a blank and then 'tiles='", "10x10‸,tiles=1", "10x10‸\xa0"),
        ("'tiles='", "10x10 ‸bridges=1"),
        (TILES, "10x10 tiles=‸", "10x10 tiles=‸-1", "10x10 tiles=‸many"),
        (TILES, "10x10 tiles=‸" + "9" * 1000),
        (PLAIN.format(TILES), "10x10 tiles=‸007"),
        ("a blank and then 'bridges='", "10x10 tiles=4‸.0 bridges=1"),
        ("'bridges='", "10x10 tiles=40 ‸"),
        (BRIDGES, "10x10 tiles=40 bridges=‸x"),
        ("a blank and then 'tiebreaks='", "10x10 tiles=40 bridges=15‸"),
        ("'tiebreaks='", "10x10 tiles=40 bridges=15 ‸ties=none"),
        ("one of 'islands', 'bridges', 'none'", START + "‸", START + "‸points"),
        ("'bridges'", START + "islands,‸", START + "islands,‸islands", START + "islands,‸none"),
        ("no further tie-break", START + "islands,bridges,‸", START + "islands,bridges,‸islands"),
    ],
    pdd.parse_state: [
        (SIZE_OR_NAME, "‸"),
        ("a blank and then 'rows='", RULES[:-1] + "‸"),
        ("'rows='", RULES + "‸"),
        (f"{WATER} 3", RULES + "rows=‸", RULES + "rows=‸4/3", RULES + "rows=‸99999999999999999999"),
        (f"{WATER} 3", RULES + "rows=‸x", RULES + "rows=3/‸"),
        (f"{WATER} 2", RULES + "rows=w‸3/3"),
        (f"{WATER} 1", RULES + "rows=ww‸0", RULES + "rows=2‸"),
        (PLAIN.format(f"{WATER} 3"), RULES + "rows=‸01ww/3"),
        ("'/'", RULES + "rows=3‸", RULES + "rows=www‸3"),
        ("a blank and then 'built='", *(RULES + f"rows=3/3‸{rest}" for rest in ("", "/3", "w"))),
        ("'built='", RULES + "rows=3/3 ‸phase=play"),
        (CELL, EMPTY + "‸", EMPTY + "a1-‸", EMPTY + "a1-c1,‸"),
        ("'-'", EMPTY + "a1‸", EMPTY + "a1‸,b1"),
        (COLUMN, EMPTY + "a1-‸bm1"),
        ("a blank and then 'phase='", EMPTY + "-‸"),
        (PHASES, EMPTY + "- phase=‸", EMPTY + "- phase=‸end", EMPTY + "- phase=‸plays"),
        ("a blank and then 'to-move='", EMPTY + "- phase=play‸"),
        ("one of 'white', 'red', '-'", PLAYED + "‸", PLAYED + "‸blue"),
        ("a blank and then 'white='", PLAYED + "-‸"),
        ("one of 'first', 'second', '-'", PLAYED + "red white=‸red"),
        (END, PLAYED + "red white=first ‸x"),
        (WIDTH, "‸65x1 tiles=4", "‸99999x99999 tiles=4"),
        # The text is refused for its length before its position is checked.
        (END, STATE.replace("rows=3/3", "rows=3/w2") + " ‸placed=a1"),
    ],
    pdd.parse_node: [
        ("'placed='", STATE + " ‸second=a1"),
        (CELL, STATE + " placed=‸", STATE.replace("rows=3/3", "rows=3/w2") + " placed=‸"),
        (END, STATE + " placed=a1 ‸b1"),
    ],
    pdd.parse_setup: [
        ("a row of cells", "‸", "\n \n‸", "bridges a1-c1‸", "white a1\nred b1‸", "1‸", "1 .\n2‸\n"),
        ("the end of the line", "a ‸b", ". .\na b ‸c", ". .\na b ‸."),
        (LETTER, "‸?", "..‸o", ". .\n. ‸b", "w‸\uff57", "w‸\u00a0w", "‸\ufeffw", ".\n‸black a1"),
        (ROW, "‸0 .", "‸65 .", ".\nbridges a1-a‸0", ".\nwhite a‸"),
        (PLAIN.format(ROW), "‸01 ."),
        ("row number 1", "‸2 .", "2 .\n‸2 .", "1 .\n‸2 ."),
        ("row number 2", "‸1 .\n."),
        ("a row of 2 cells", ". .\n‸."),
        ("a row of 1 cell", ".\n‸. ."),
        ("at most 64 cells in a row", "." * 65 + "‸"),
        ("at most 64 rows", ".\n" * 64 + "‸.\n"),
        ("the column letter 'b'", ". .\na ‸c", ". .\na‸"),
        ("'-'", ".\nbridges a1‸", ".\nbridges a1‸,a3"),
        (CELL, ".\nbridges a1-‸", ".\nwhite ‸3", ".\nred a1‸,b1"),
        (COLUMN, ".\nwhite ‸bm1"),
    ],
}


def check(parse: Parser, text: str, expected: str) -> None:
    """Check that a text is refused at its mark, with the expectation."""
    text, offset = marked(text)
    error = error_of(pdd.NotationError, parse, text)
    assert (error.text, error.offset, error.expected) == (text, offset, expected)


@pytest.mark.parametrize(
    ("parse", "expected", "texts"),
    [(parse, row[0], row[1:]) for parse, rows in REFUSED.items() for row in rows],
)
def test_refused_texts(parse: Parser, expected: str, texts: tuple[str, ...]) -> None:
    for text in texts:
        check(parse, text, expected)


@pytest.mark.parametrize("side", ["65", "100", "99999", "9" * 1000])
def test_boards_too_large_are_refused_before_anything_is_made(side: str) -> None:
    rest = "tiles=1 bridges=1 tiebreaks=none rows=1 built=- phase=play to-move=red white=first"
    check(pdd.parse_rules, f"‸{side}x{side} {rest}", WIDTH)
    check(pdd.parse_state, f"‸{side}x{side} {rest}", WIDTH)
    check(pdd.parse_state, f"1x‸{side} {rest}", HEIGHT)


def test_a_state_with_more_bridges_than_could_ever_stand_is_refused() -> None:
    built = [*map(str, Board(40, 40).bridges)]
    most = ",".join(built[:800])
    more = ",".join(built[800:])
    text = f"40x40 tiles=unlimited bridges=unlimited tiebreaks=none rows={'/'.join(['40'] * 40)}"
    text += " built={} phase=play to-move=red white=first"
    check(pdd.parse_state, text.format(f"{most},‸{more}"), "at most 800 bridges on this board")
    with pytest.raises(pdd.InvalidPositionError):
        pdd.parse_state(text.format(most))


def test_cells_beyond_any_board_are_written_and_not_read() -> None:
    far = Cell(99, 99)
    (a1,) = cells("a1")
    check(pdd.parse_cell, "‸" + str(far), COLUMN)
    check(pdd.parse_action, "a1,‸cv100", COLUMN)
    assert pdd.format_action(pdd.PlaceTiles(a1, far)) == "a1,cv100"
    check(pdd.parse_setup, ".\nwhite ‸cv100", COLUMN)
    assert pdd.format_setup(Setup(Board(1, 1), white=[far])).endswith("white cv100")


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
def test_actions_are_read_whether_legal_or_not(text: str, faults: list[str]) -> None:
    assert faults_of(GameState.initial().violations(pdd.parse_action(text))) == faults


def test_positions_against_the_rules_are_well_formed_texts() -> None:
    text = RULES + "rows=www/wwr built=a1-c1 phase=over to-move=red white=-"
    faults = error_of(pdd.InvalidPositionError, pdd.parse_state, text).violations
    assert sorted(fault.code.value for fault in faults) == [
        *("ends-differ", "group-too-large", "tile-beneath", "tiles-exceed-supply"),
        *("wrong-owners", "wrong-turn"),
    ]
    for read in (pdd.parse_node, pdd.parse_state):
        with pytest.raises(pdd.InvalidPositionError, match="The opening is played on an empty"):
            read(STATE.replace("rows=3/3", "rows=3/w2"))
    with pytest.raises(pdd.IllegalActionError, match="Off the 3×2 board: d1"):
        pdd.parse_node(STATE + " placed=d1")


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
    "tie-breaks": lambda: "10x10 tiles=40 bridges=15 tiebreaks=" + "islands," * (TEN_MILLION // 8),
    "rows": lambda: ".\n" * (TEN_MILLION // 2),
    "a row": lambda: "." * TEN_MILLION,
    "lists of nothing": lambda: ".\n" + "white\n" * 100_000 + "black",
    "emoji": lambda: "\U0001f309" * (TEN_MILLION // 4),
    "nul": lambda: "\x00" * TEN_MILLION,
}


@pytest.mark.parametrize("name", LONG)
def test_long_texts_are_refused_at_once(name: str) -> None:
    text = LONG[name]()
    for parse in REFUSED:
        assert len(str(error_of(pdd.NotationError, parse, text))) < 1000
    for read in LIMITED:
        unlimited = partial(read, limits=pdd.Limits.NONE)
        assert len(str(error_of(pdd.NotationError, unlimited, text))) < 1000


# Limits

HALF = STATE + " placed=a1"
LIMITED: dict[LimitedParser, str] = {
    pdd.parse_rules: "3x2 tiles=1 bridges=0 tiebreaks=none",
    pdd.parse_state: STATE,
    pdd.parse_node: HALF,
    pdd.parse_setup: ". . w\n. . .",
}


@pytest.mark.parametrize("read", LIMITED)
def test_a_board_beyond_the_limit_is_refused(read: LimitedParser) -> None:
    text = LIMITED[read]
    value = read(text, limits=None)
    assert read(text, limits=pdd.Limits(side=3, characters=len(text), games=0)) == value
    assert read(text, limits=pdd.Limits.NONE) == value
    error = error_of(pdd.NotationError, partial(read, limits=pdd.Limits(side=2)), f" {text}")
    assert (error.code, dict(error.values)["max"], error.offset) == ("limit-side", 2, 1)


@pytest.mark.parametrize("read", LIMITED)
def test_a_text_beyond_the_limit_is_refused(read: LimitedParser) -> None:
    text = LIMITED[read]
    limits = pdd.Limits(characters=len(text) - 1)
    error = error_of(pdd.NotationError, partial(read, limits=limits), text)
    assert (error.code, error.offset) == ("limit-text", len(text) - 1)
    assert error.expected == f"a text of at most {len(text) - 1} characters"
    assert error_of(pdd.NotationError, read, text + " " * 1_000_000).code == "limit-text"


def test_the_board_of_a_preset_is_limited_and_so_are_the_rows_of_a_diagram() -> None:
    limits = pdd.Limits(side=8)
    for name, offset in (("brettspielnetz", 0), (" 9x8", 1), ("8x9 tiles=", 0)):
        error = error_of(pdd.NotationError, partial(pdd.parse_rules, limits=limits), name)
        assert (error.code, error.offset) == ("limit-side", offset)
    error = error_of(pdd.NotationError, partial(pdd.parse_setup, limits=limits), ".\n" * 9)
    assert (error.code, error.offset) == ("limit-side", 16)
