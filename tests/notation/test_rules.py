"""Texts of rules: what is read, written and refused."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Rules, Tiebreak
from support.notation import END, HEIGHT, SIZE_OR_NAME, START, WIDTH, check


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


TILES = "a number of tiles or 'unlimited'"
BRIDGES = "a number of bridges or 'unlimited'"


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
        (START, 36, "one of 'islands', 'bridges', 'none'"),
        (START + "points", 36, "one of 'islands', 'bridges', 'none'"),
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
