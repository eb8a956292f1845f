"""States made from a position."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Board, Bridge, Cell, GameState, Phase, Rules, Seat, Setup, ViolationCode
from support.checks import error_of
from support.diagrams import RED, WHITE, draw, faults_of

BOARD_10 = "\n".join(["." * 10] * 10)
OPENING, CHOICE, LAST_TURN, OVER = (
    dict[str, Any](phase=phase) for phase in Phase if phase is not Phase.PLAY
)
RED_LAST = {**LAST_TURN, "to_move": RED}
STUCK = "w r w r"
RED_STUCK = "2 . . . . .\n1 r r r r ."

VALID: dict[str, tuple[str, dict[str, Any]]] = {
    "opening": (BOARD_10, OPENING),
    "opening, no supply": (BOARD_10, {**OPENING, "tiles": 0}),
    "opening, one cell": (".", OPENING),
    "choice": ("w . w", CHOICE),
    "choice, one cell": (".", CHOICE),
    "choice, no supply": (BOARD_10, {**CHOICE, "tiles": 1}),
    "play": ("w w . r", {}),
    "play, red to move": ("w w . r", {"to_move": RED}),
    "play on an empty board": (BOARD_10, {"to_move": RED}),
    "play, one colour": ("w w w .", {"white_owner": Seat.SECOND}),
    "play, stuck": (STUCK, {}),
    "play, supply used up": ("w w . r r", {"tiles": 2}),
    "play, bridges used up": ("w . w\nbridges a1-c1", {"bridges": 1}),
    "last turn": (STUCK, RED_LAST),
    "last turn by supply": ("w w . . r", {**RED_LAST, "tiles": 3}),
    "last turn, one cell": (".", RED_LAST),
    "over": (STUCK, OVER),
    "over, red stuck": (RED_STUCK, OVER),
    "over by white's supply": ("w w . . r", {**OVER, "tiles": 3}),
    "over by red's supply": ("w . . r r", {**OVER, "tiles": 3}),
}

INVALID: dict[str, tuple[str, dict[str, Any], list[str]]] = {
    "too many white tiles": ("w w w . r", {"tiles": 2}, ["tiles-exceed-supply"]),
    "too many red tiles": ("w . r r r", {"tiles": 2}, ["tiles-exceed-supply"]),
    "too many of both": ("w w w . r r r", {"tiles": 2}, ["tiles-exceed-supply"] * 2),
    "too many bridges": ("w . w\nbridges a1-c1", {"bridges": 0}, ["bridges-exceed-supply"]),
    "opening with a tile": ("w . .", OPENING, ["not-an-opening"]),
    "opening with red": ("r . .", OPENING, ["not-an-opening"]),
    "opening for red": (BOARD_10, {**OPENING, "to_move": RED}, ["wrong-turn"]),
    "opening for nobody": (BOARD_10, {**OPENING, "to_move": None}, ["wrong-turn"]),
    "choice over one tile": ("w . .", CHOICE, ["not-a-color-choice"]),
    "choice over three": ("w w w .", CHOICE, ["not-a-color-choice"]),
    "choice over red": ("w w . r", CHOICE, ["not-a-color-choice"]),
    "choice over red alone": ("r . r", CHOICE, ["not-a-color-choice"]),
    "choice over a bridge": ("w . w\nbridges a1-c1", CHOICE, ["not-a-color-choice"]),
    "choice over nothing": (BOARD_10, CHOICE, ["not-a-color-choice"]),
    "play of nobody": ("w w . r", {"to_move": None}, ["wrong-turn"]),
    "play without owners": ("w w . r", {"white_owner": None}, ["wrong-owners"]),
    "last turn too early": ("w w . . r", RED_LAST, ["not-a-last-turn"]),
    "last turn when red is stuck": (RED_STUCK, RED_LAST, ["not-a-last-turn"]),
    "last turn for white": (STUCK, LAST_TURN, ["wrong-turn"]),
    "last turn for nobody": (STUCK, {**LAST_TURN, "to_move": None}, ["wrong-turn"]),
    "last turn without owners": (STUCK, {**RED_LAST, "white_owner": None}, ["wrong-owners"]),
    "over too early": ("w w . . r", OVER, ["not-over"]),
    "over without owners": (STUCK, {**OVER, "white_owner": None}, ["wrong-owners"]),
    "everything": (
        "w w w . w . w . . r r r\nbridges c1-e1",
        {**LAST_TURN, "to_move": WHITE, "white_owner": None, "tiles": 2, "bridges": 0},
        ["bridges-exceed-supply", *["tiles-exceed-supply"] * 2, "wrong-owners", "wrong-turn"],
    ),
}


invalid = partial(error_of, pdd.InvalidPositionError)


def state_from(diagram: str, arguments: dict[str, Any]) -> GameState:
    """Return the state of a diagram with other attributes."""
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
    mover = f"to-move={to_move.value if to_move else '-'} white={owner.value if owner else '-'}"
    return f"{pdd.format_rules(rules)} {' '.join(pieces)} phase={phase.value} {mover}"


@pytest.mark.parametrize("name", VALID)
def test_valid_states_are_accepted(name: str) -> None:
    diagram, arguments = VALID[name]
    state = state_from(diagram, arguments)
    assert state.position == draw(diagram)
    assert state.phase is arguments.get("phase", Phase.PLAY)
    assert pdd.format_state(state) == text_from(diagram, arguments)
    assert pdd.parse_state(pdd.format_state(state)) == state


@pytest.mark.parametrize("name", INVALID)
def test_impossible_states_are_refused(name: str) -> None:
    diagram, arguments, expected = INVALID[name]
    faults = invalid(state_from, diagram, arguments).violations
    assert faults_of(faults) == expected
    assert invalid(pdd.parse_state, text_from(diagram, arguments)).violations == faults


def test_a_position_on_another_board_than_the_rules() -> None:
    (fault,) = invalid(GameState.from_position, draw("w . w"), rules=Rules()).violations
    assert fault.code is ViolationCode.BOARD_MISMATCH
    sizes = {"width": 3, "height": 1, "rules_width": 10, "rules_height": 10}
    assert fault.values == {**sizes, "cells": "", "bridges": ""}


def test_every_fault_of_states_is_in_the_table() -> None:
    seen = {fault for *_, faults in INVALID.values() for fault in faults}
    of_states = list(ViolationCode)[list(ViolationCode).index(ViolationCode.BOARD_MISMATCH) + 1 :]
    assert seen == {rule.value for rule in of_states}


def test_what_phases_leave_open_is_ignored() -> None:
    # Nobody is to move or owns a colour, whatever the defaults of the arguments are.
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
    assert faults_of(invalid(pdd.parse_state, text).violations) == [expected]


def test_bridges_between_any_two_cells_can_be_drawn() -> None:
    far = Bridge(Cell(0, 0), Cell(40, 40))
    setup = Setup(Board(2, 2), bridges=[far])
    assert faults_of(setup.violations()) == [
        "ends-differ a1 ao41 | a1-ao41",
        "not-a-bridge-shape a1 ao41 | a1-ao41",
        "off-board ao41 | a1-ao41",
    ]
    assert pdd.parse_setup(pdd.format_setup(setup)) == setup
