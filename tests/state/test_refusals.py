"""Illegal actions, each with all its violations.

A violation is written as a short text: the code, the cells, and after a slash the bridges.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Phase, ViolationCode, messages
from pontedeldiavolo.position.pieces import Pieces
from support.checks import error_of
from support.diagrams import RED, act, faults_of, play, state_of

# Illegal actions on several boards

COAST = """
    6 . . . . . . . w
    5 w w . . . . . .
    4 w w . . w . w .
    3 . . . . . . . .
    2 . r r . . w w .
    1 . r r . w . . .
      a b c d e f g h
    bridges e4-g4
"""

ON_THE_COAST = {
    "a4,h1": ["occupied a4"],
    "b1,h1": ["occupied b1"],
    "b1,a4": ["occupied b1 a4"],
    "f4,a1": ["blocked f4 | e4-g4"],
    "a1,a1": ["same-cell a1"],
    "i1,a1": ["off-board i1"],
    "a7,i1": ["off-board i1 a7"],
    "c6,a1": ["island-touched a4 b4 a5 b5 c6"],
    "c6,c3": ["island-touched c3 a4 b4 a5 b5 c6"],
    "a6,a1": ["group-too-large a4 b4 a5 b5 a6"],
    "a6,a3": ["group-too-large a3 a4 b4 a5 b5 a6"],
    # The group of five is not an island, so the third tile near it breaks no further rule.
    "a3,c6": ["group-too-large a3 a4 b4 a5 b5"],
    "f1,g1": ["group-too-large e1 f1 g1 f2 g2"],
    "f1,h3": ["island-touched e1 f1 f2 g2 h3"],
    "a4,a4": ["occupied a4", "same-cell a4"],
    "f4,f4": ["blocked f4 | e4-g4", "same-cell f4"],
    "i1,i1": ["off-board i1", "same-cell i1"],
    "a4,c6": ["island-touched a4 b4 a5 b5 c6", "occupied a4"],
    "b1,f4": ["blocked f4 | e4-g4", "occupied b1"],
    "i1,c6": ["island-touched a4 b4 a5 b5 c6", "off-board i1"],
    "f4,a6": ["blocked f4 | e4-g4", "group-too-large a4 b4 a5 b5 a6"],
    "f3,f4": ["blocked f4 | e4-g4", "group-too-large f2 g2 f3 e4 f4 g4"],
    "c6,f1": ["island-touched a4 b4 a5 b5 c6"],
    "a3,f1": ["group-too-large a3 a4 b4 a5 b5"],
    "c6,h3": ["island-touched a4 b4 a5 b5 c6"],
    "white": ["wrong-phase"],
    "pass": ["pair-exists"],
    # Single tiles
    "a4": ["occupied a4"],
    "b1": ["occupied b1"],
    "f4": ["blocked f4 | e4-g4"],
    "i7": ["off-board i7"],
    "c6": ["island-touched a4 b4 a5 b5 c6"],
    "a6": ["group-too-large a4 b4 a5 b5 a6"],
    # Bridges
    "e1-f2": ["not-a-bridge-shape e1 f2"],
    "a4-a4": ["not-a-bridge-shape a4"],
    "b2-b4": ["not-your-tile b2"],
    "e1-g2": ["tile-beneath f2"],
    "e4-g4": ["end-used e4 g4 | e4-g4"],
    "g4-g2": ["end-used g4 | e4-g4"],
    "h6-i8": ["off-board i8"],
    "i1-k1": ["off-board i1 k1"],
    "i1-l1": ["not-a-bridge-shape i1 l1", "off-board i1 l1"],
    "a4-e4": ["end-used e4 | e4-g4", "not-a-bridge-shape a4 e4"],
    "a1-c1": ["not-your-tile a1 c1", "tile-beneath b1"],
    "f3-f5": ["crosses | e4-g4", "not-your-tile f3 f5"],
    "b1-b5": ["not-a-bridge-shape b1 b5", "not-your-tile b1"],
    "c1-d3": ["not-your-tile c1 d3", "tile-beneath c2"],
    "e4-k9": ["end-used e4 | e4-g4", "not-a-bridge-shape e4 k9", "off-board k9"],
    "e4-c2": ["end-used e4 | e4-g4", "not-your-tile c2"],
}

ON_THE_COAST_WITHOUT_TILES = {
    "a1,h1": ["no-tiles-left"],
    "a1": ["no-tiles-left"],
    "a4": ["no-tiles-left", "occupied a4"],
    "a4,a4": ["no-tiles-left", "occupied a4", "same-cell a4"],
    "i1,c6": ["island-touched a4 b4 a5 b5 c6", "no-tiles-left", "off-board i1"],
    "f3,f4": ["blocked f4 | e4-g4", "group-too-large f2 g2 f3 e4 f4 g4", "no-tiles-left"],
}

ON_THE_COAST_WITHOUT_BRIDGES = {
    "e4-g4": ["end-used e4 g4 | e4-g4", "no-bridges-left"],
    "b2-b4": ["no-bridges-left", "not-your-tile b2"],
    "e4-k9": ["end-used e4 | e4-g4", "no-bridges-left", "not-a-bridge-shape e4 k9", "off-board k9"],
}

RED_ON_THE_COAST = {
    "e4-g4": ["end-used e4 g4 | e4-g4", "not-your-tile e4 g4"],
    "d3,a1": ["group-too-large a1 b1 c1 b2 c2"],
    "d3,h1": ["island-touched b1 c1 b2 c2 d3"],
    "f4,h5": ["blocked f4 | e4-g4"],
    # Red may use cells that are closed to white by white's island, but not those near its own.
    "c6,a3": ["island-touched b1 c1 b2 c2 a3"],
}

TWO_ISLANDS = """
    5 w w . . .
    4 w w . . .
    3 . . . . .
    2 . . . w w
    1 . . . w w
      a b c d e
"""

AROUND_TWO_ISLANDS = {
    "c3,e5": ["island-touched c3 a4 b4 a5 b5", "island-touched d1 e1 d2 e2 c3"],
    "c3": ["island-touched c3 a4 b4 a5 b5", "island-touched d1 e1 d2 e2 c3"],
    "a3,e3": ["group-too-large a3 a4 b4 a5 b5", "group-too-large d1 e1 d2 e2 e3"],
    "a3,c3": ["group-too-large a3 a4 b4 a5 b5", "island-touched d1 e1 d2 e2 c3"],
    # c3 of the group of six touches the other island.
    "b3,c3": ["group-too-large b3 c3 a4 b4 a5 b5", "island-touched d1 e1 d2 e2 c3"],
}

TWO_IN_THE_WAY = """
    3 r . w
    2 r . r
    1 w . r
      a b c
    bridges c1-a2 c2-a3
"""

OVERLAPPING = """
    4 w . . .
    3 . w . .
    2 . . . .
    1 . . . w
      a b c d
    bridges d1-b3
"""

ALL_KINDS_OF_CROSSINGS = """
    5 r r w .
    4 . . . .
    3 w r r .
    2 . . . .
    1 . . . .
      a b c d
    bridges a3-c5
"""

UNDER_A_KNIGHT = """
    3 . w . . .
    2 w r . . .
    1 w . . . .
      a b c d e
"""

COASTLINE = state_of(COAST)
TABLES: dict[str, tuple[pdd.GameState, dict[str, list[str]]]] = {
    "coast": (COASTLINE, ON_THE_COAST),
    "coast, one tile left": (state_of(COAST, tiles=11), ON_THE_COAST_WITHOUT_TILES),
    "coast, no tile left": (state_of(COAST, tiles=10), ON_THE_COAST_WITHOUT_TILES),
    "coast, no bridge left": (state_of(COAST, bridges=1), ON_THE_COAST_WITHOUT_BRIDGES),
    "coast, red": (COASTLINE.with_to_move(RED), RED_ON_THE_COAST),
    "two islands": (state_of(TWO_ISLANDS), AROUND_TWO_ISLANDS),
    "two in the way": (state_of(TWO_IN_THE_WAY), {"a1-c3": ["crosses | c1-a2 c2-a3"]}),
    "overlapping": (
        state_of(OVERLAPPING),
        {"a4-c2": ["crosses | d1-b3", "not-your-tile c2", "tile-beneath b3"]},
    ),
    "all kinds of crossings": (
        state_of(ALL_KINDS_OF_CROSSINGS, RED),
        {text: ["crosses | a3-c5"] for text in ("a5-c3", "b3-b5", "b3-a5", "c3-b5")},
    ),
    "under a knight": (
        state_of(UNDER_A_KNIGHT),
        {"a1-b3": ["tile-beneath a2 b2"], "a1-c1": ["not-your-tile c1"]},
    ),
    "no bridge left": (state_of("w . w", bridges=0), {"a1-c1": ["no-bridges-left"]}),
    "a single cell": (
        pdd.GameState.initial(pdd.Rules(pdd.Board(1, 1))),
        {
            "a1": ["no-partner a1"],
            "a1,a1": ["same-cell a1"],
            "a1,b1": ["off-board b1"],
            "a1-a3": ["not-your-tile a1", "off-board a3"],
            "red": ["wrong-phase"],
        },
    ),
    "opening": (
        pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3))),
        {
            "pass": ["pair-exists"],
            "white": ["wrong-phase"],
            "red": ["wrong-phase"],
            "a1-c1": ["not-your-tile a1 c1"],
            "a1,a1": ["same-cell a1"],
            "a1,e4": ["off-board e4"],
        },
    ),
    "choice": (
        state_of("3 . . . .\n2 . w . .\n1 w . . .", phase=Phase.COLOR_CHOICE),
        {text: ["wrong-phase"] for text in ("c1,d1", "a1,a1", "a1-b2", "pass", "c1", "z9")},
    ),
    "last turn": (
        play(state_of("w w . r . . .", tiles=3), "pass"),
        {
            "pass": ["pair-exists"],
            "red": ["wrong-phase"],
            "a1,c1": ["occupied a1"],
            "a1-c1": ["not-your-tile a1 c1", "tile-beneath b1"],
        },
    ),
    "over": (
        play(state_of("r r r r", RED), "pass"),
        {text: ["game-over"] for text in ("a1,b1", "a1-a3", "a1", "z9,z9", "pass", "white")},
    ),
}
"""States, attempts, and all violations of each attempt."""
REFUSALS = [
    (board, state, text, faults)
    for board, (state, table) in TABLES.items()
    for text, faults in table.items()
]


@pytest.mark.parametrize(
    ("state", "text", "faults"),
    [pytest.param(*rest, id=f"{board}: {rest[1]}") for board, *rest in REFUSALS],
)
def test_a_refused_action_names_every_broken_rule(
    state: pdd.GameState, text: str, faults: list[str]
) -> None:
    action = act(text)
    violations = state.violations(action)
    assert faults_of(violations) == faults
    assert not state.is_legal(action)
    tries: list[Callable[[], object]]
    if isinstance(action, pdd.PlaceTile):
        assert action not in state.legal_steps
        tries = [lambda: state.step(action), lambda: pdd.HalfTurn(state, action.cell)]
    else:
        assert action not in state.legal_actions
        tries = [lambda: state.apply(action)]
    for attempt in tries:
        error = error_of(pdd.IllegalActionError, attempt)
        assert error.violations == violations
        assert str(error) == " ".join(map(messages.explain, violations))


def test_every_rule_that_an_action_can_break_is_in_the_table() -> None:
    seen = {fault.code for _, state, text, _ in REFUSALS for fault in state.violations(act(text))}
    # Only set-ups can break the rules from ENDS_DIFFER on.
    rules = list(ViolationCode)
    assert seen == {*rules[: rules.index(ViolationCode.ENDS_DIFFER)]}
    assert len(REFUSALS) >= 45


def test_building_asks_for_no_tiles_and_placing_for_no_bridges() -> None:
    assert state_of("w . w", tiles=2).violations(act("a1-c1")) == ()
    assert state_of("w . w . .", bridges=0).violations(act("d1,e1")) == ()


CELLS_AND_BRIDGES = ("cells", "bridges")


def test_every_violation_has_its_cells_and_bridges_as_texts() -> None:
    state = state_of(". . w . w\nbridges c1-e1")
    (violation,) = state.violations(act("a1,d1"))
    assert violation.values == {"cells": "d1", "bridges": "c1-e1"}
    # These values cannot contradict the attributes.
    assert pdd.Violation(violation.code, values=violation.values).values["cells"] == ""


def test_the_numbers_in_violations() -> None:
    def values(state: pdd.GameState, text: str) -> dict[str, int | str]:
        (violation,) = state.violations(act(text))
        return {
            name: violation.values[name]
            for name in violation.values
            if name not in CELLS_AND_BRIDGES
        }

    coast = state_of(COAST, tiles=11, bridges=1)
    assert values(coast, "a1,h1") == {"left": 1, "needed": 2}
    assert values(state_of("w . w", bridges=0), "a1-c1") == {"left": 0}
    assert values(state_of(COAST), "a1,i1") == {"width": 8, "height": 6}
    assert values(state_of(COAST), "a6,a3") == {"size": 6, "limit": 4}
    assert values(state_of(COAST), "c3,c6") == {"island": "a4, b4, a5, b5", "touching": "c3, c6"}


def test_only_a_second_tile_follows_a_first_one() -> None:
    half = state_of(COAST).step(pdd.PlaceTile(pdd.parse_cell("f1")))
    assert isinstance(half, pdd.HalfTurn)
    for text in ("pass", "e4-g4", "white"):
        step = act(text)
        assert not isinstance(step, pdd.PlaceTiles)
        assert faults_of(half.violations(step)) == ["wrong-phase"]
        assert not half.is_legal(step)
        with pytest.raises(pdd.IllegalActionError, match="this point"):
            half.step(step)


def test_refusals_do_not_look_at_legal_actions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The two implementations of legality share no sets, so that they can verify each other."""

    def refuse(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(pdd.GameState, "legal_actions", property(refuse))
    for name in ("open_cells", "open_bridges"):
        monkeypatch.setattr(Pieces, name, refuse)
    for _, state, text, faults in REFUSALS:
        assert faults_of(state.violations(act(text))) == faults


def test_partners_are_found_soon_on_the_largest_board() -> None:
    start = pdd.GameState.initial(pdd.Rules(pdd.Board(64)))
    started = time.process_time()
    assert faults_of(start.violations(pdd.Pass())) == ["pair-exists"]
    assert start.violations(pdd.PlaceTile(pdd.Cell(0, 0))) == ()
    assert time.process_time() - started < 20
