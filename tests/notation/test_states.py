"""Texts of states: what is read, written and refused."""

from __future__ import annotations

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import GameState
from support.notation import CELL, COLUMN, END, SIZE_OR_NAME, STATES, WIDTH, check


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
PHASES = "one of 'opening', 'color-choice', 'play', 'last-turn', 'over'"


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
        (RULES + "rows=3/3 built=- phase=play to-move=", 73, "one of 'white', 'red', '-'"),
        (RULES + "rows=3/3 built=- phase=play to-move=blue", 73, "one of 'white', 'red', '-'"),
        (RULES + "rows=3/3 built=- phase=play to-move=-", 74, "a blank and then 'white='"),
        (
            RULES + "rows=3/3 built=- phase=play to-move=red white=red",
            83,
            "one of 'first', 'second', '-'",
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
