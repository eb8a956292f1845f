"""The sentences that explain errors, in English and German."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import partial
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, GameState, Phase, Rules, Violation, ViolationCode, messages
from pontedeldiavolo.base.errors import reason
from pontedeldiavolo.base.messages import Catalog
from support.checks import error_of, wrong_type
from support.diagrams import act, draw, state_of


def only(violations: tuple[Violation, ...]) -> Violation:
    (violation,) = violations
    return violation


def fault_of(diagram: str, **arguments: Any) -> Violation:
    """Return the only violation of a state with the position of a diagram."""
    make = partial(GameState.from_position, draw(diagram), **arguments)
    return only(error_of(pdd.InvalidPositionError, make).violations)


def setup_fault(diagram: str) -> Violation:
    return only(pdd.parse_setup(diagram).violations())


START = GameState.initial(Rules(pdd.Board(4, 1)))
RIVER = "w w . w w . r"
BOARD_7 = pdd.Board(7, 1)

EXAMPLES: dict[ViolationCode, Violation] = {
    ViolationCode.GAME_OVER: only(state_of("r r r r", phase=Phase.OVER).violations(pdd.Pass())),
    ViolationCode.WRONG_PHASE: only(START.violations(act("red"))),
    ViolationCode.OFF_BOARD: only(START.violations(act("a1,e7"))),
    ViolationCode.SAME_CELL: only(START.violations(act("c1,c1"))),
    ViolationCode.OCCUPIED: only(state_of(RIVER).violations(act("f1,g1"))),
    ViolationCode.BLOCKED: only(state_of(". . w . w\nbridges c1-e1").violations(act("a1,d1"))),
    ViolationCode.GROUP_TOO_LARGE: only(state_of(RIVER).violations(act("c1,f1"))),
    ViolationCode.ISLAND_TOUCHED: only(
        state_of("5 . . .\n4 . w .\n3 . w w\n2 . w .\n1 . . .").violations(act("a1,c1"))
    ),
    ViolationCode.NO_PARTNER: only(state_of(". r r").violations(act("a1"))),
    ViolationCode.NOT_A_BRIDGE_SHAPE: only(state_of(RIVER).violations(act("a1-e1"))),
    ViolationCode.NOT_YOUR_TILE: only(state_of(RIVER).violations(act("e1-g1"))),
    ViolationCode.END_USED: only(state_of(RIVER + "\nbridges b1-d1").violations(act("d1-b1"))),
    ViolationCode.TILE_BENEATH: only(state_of("w r w").violations(act("a1-c1"))),
    ViolationCode.CROSSES: only(
        state_of("3 r . w\n2 . . .\n1 w . r\nbridges a1-c3", Color.RED).violations(act("a3-c1"))
    ),
    ViolationCode.NO_TILES_LEFT: only(state_of(". . w w", tiles=3).violations(act("a1,b1"))),
    ViolationCode.NO_BRIDGES_LEFT: only(state_of("w . w", bridges=0).violations(act("a1-c1"))),
    ViolationCode.PAIR_EXISTS: only(START.violations(act("pass"))),
    ViolationCode.ENDS_DIFFER: setup_fault("w . r\nbridges a1-c1"),
    ViolationCode.BOARD_MISMATCH: fault_of("w . r", rules=Rules()),
    ViolationCode.TILES_EXCEED_SUPPLY: fault_of("w w . r", rules=Rules(pdd.Board(4, 1), 1)),
    ViolationCode.BRIDGES_EXCEED_SUPPLY: fault_of(
        RIVER + "\nbridges b1-d1", rules=Rules(BOARD_7, bridges=0)
    ),
    ViolationCode.NOT_AN_OPENING: fault_of("w . . .", phase=Phase.OPENING),
    ViolationCode.NOT_A_COLOR_CHOICE: fault_of("w . . .", phase=Phase.COLOR_CHOICE),
    ViolationCode.NOT_A_LAST_TURN: fault_of("w . . .", phase=Phase.LAST_TURN, to_move=Color.RED),
    ViolationCode.NOT_OVER: fault_of("w . . .", phase=Phase.OVER),
    ViolationCode.WRONG_TURN: fault_of("w r w r", phase=Phase.LAST_TURN, to_move=Color.WHITE),
    ViolationCode.WRONG_OWNERS: fault_of("w r", white_owner=None),
}

ENGLISH = {
    ViolationCode.GAME_OVER: "The game is over.",
    ViolationCode.OFF_BOARD: "Off the 4×1 board: e7.",
    ViolationCode.SAME_CELL: "A pair needs two different cells, not c1 twice.",
    ViolationCode.OCCUPIED: "Already taken by a tile: g1.",
    ViolationCode.BLOCKED: "Blocked, because a bridge passes over it: d1 (under c1-e1).",
    ViolationCode.GROUP_TOO_LARGE: "This would make a group of 6 tiles; 4 is the limit: "
    "a1, b1, c1, d1, e1, f1.",
    ViolationCode.ISLAND_TOUCHED: "The island b2, b3, c3, b4 would be touched by tiles "
    "of its own colour: a1, c1.",
    ViolationCode.CROSSES: "Bridges must not cross; in the way: a1-c3.",
    ViolationCode.NO_TILES_LEFT: "A pair takes 2 tiles from the supply; left: 1.",
    ViolationCode.BOARD_MISMATCH: "The position is on 3×1, the rules are for 10×10.",
    ViolationCode.TILES_EXCEED_SUPPLY: "2 tiles of one colour lie on the board; the supply is 1.",
}

GERMAN = {
    ViolationCode.GAME_OVER: "Die Partie ist zu Ende.",
    ViolationCode.OFF_BOARD: "Nicht auf dem 4×1-Brett: e7.",
    ViolationCode.BLOCKED: "Blockiert, weil eine Brücke darüber führt: d1 (unter c1-e1).",
    ViolationCode.CROSSES: "Brücken dürfen sich nicht kreuzen; im Weg: a1-c3.",
    ViolationCode.TILES_EXCEED_SUPPLY: "2 Steine einer Farbe liegen auf dem Brett; "
    "im Vorrat ist nur 1.",
}


@pytest.mark.parametrize("rule", ViolationCode)
@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_every_rule_has_a_sentence(language: str, rule: ViolationCode) -> None:
    assert EXAMPLES[rule].code is rule
    sentence = messages.explain(EXAMPLES[rule], messages.LANGUAGES[language])
    assert not set("{}") & set(sentence)
    assert not sentence[0].islower()
    assert sentence.endswith(".")
    for item in EXAMPLES[rule].cells or EXAMPLES[rule].bridges:
        assert str(item) in sentence


def test_sentences() -> None:
    assert {rule: messages.explain(EXAMPLES[rule]) for rule in ENGLISH} == ENGLISH
    found = {rule: messages.explain(EXAMPLES[rule], "de") for rule in GERMAN}
    assert found == GERMAN


def test_a_custom_catalogue() -> None:
    catalog: Catalog = {ViolationCode.OFF_BOARD: "{cells} is not on {width} by {height}{bridges}"}
    assert messages.explain(EXAMPLES[ViolationCode.OFF_BOARD], catalog) == "e7 is not on 4 by 1"


@pytest.mark.parametrize(
    "catalog",
    [
        {},
        {ViolationCode.OFF_BOARD: "{colour}"},
        {ViolationCode.OFF_BOARD: "{0}"},
        {ViolationCode.OFF_BOARD: "{cells.first}"},
        {ViolationCode.OFF_BOARD: "{cells[first]}"},
        {ViolationCode.OFF_BOARD: "{cells:d}"},
        {ViolationCode.OFF_BOARD: "{cells"},
        {ViolationCode.OFF_BOARD: None},
        {ViolationCode.OFF_BOARD: "{width:c}{cells:d}"},
    ],
)
def test_a_catalogue_that_cannot_explain(catalog: Mapping[Hashable, str]) -> None:
    for width in (4, -1, 0x110000):
        # No character has the number -1 or that after the last one.
        violation = pdd.Violation(ViolationCode.OFF_BOARD, values={"width": width})
        error = error_of(pdd.PonteError, messages.explain, violation, catalog)
        assert str(error).startswith("the catalogue cannot explain off-board")
        assert error.__cause__ is not None


@pytest.mark.parametrize("violation", [None, ViolationCode.OFF_BOARD, "off-board"])
def test_only_violations_are_explained(violation: object) -> None:
    with wrong_type("violations"):
        messages.explain(violation)  # type: ignore[arg-type]
    with wrong_type("violations[0]"):
        messages.explain([violation])  # type: ignore[list-item]


def test_an_error_without_the_values_of_its_sentence_names_the_rule() -> None:
    assert (
        str(pdd.IllegalActionError([Violation(ViolationCode.OFF_BOARD)], 3)) == "row 3: off-board"
    )
    assert str(pdd.InvalidPositionError([Violation(ViolationCode.OFF_BOARD)])) == "off-board"


def test_names_of_files_keep_their_small_letters() -> None:
    error = pdd.PonteError(reason("append-moves", file="games.txt"))
    for catalog in (messages.LANGUAGES["en"], messages.LANGUAGES["de"]):
        assert messages.explain(error, catalog).startswith("games.txt: ")
