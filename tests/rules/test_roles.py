"""The roles of cells in violations; each rule has fixed names for them."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import Bridge, Cell, GameState, Position, Setup, Violation, ViolationCode, json
from pontedeldiavolo.testing.strategies import setups, states
from support.checks import error_of
from support.diagrams import names, state_of
from support.paths import ROOT
from support.strategies import attempts

OF_ACTIONS: dict[ViolationCode, set[str]] = {
    ViolationCode.OFF_BOARD: {"off"},
    ViolationCode.SAME_CELL: {"new"},
    ViolationCode.OCCUPIED: {"new"},
    ViolationCode.BLOCKED: {"new"},
    ViolationCode.GROUP_TOO_LARGE: {"group", "new"},
    ViolationCode.ISLAND_TOUCHED: {"island", "touching", "new"},
    ViolationCode.NO_PARTNER: {"new"},
    ViolationCode.NOT_A_BRIDGE_SHAPE: {"end"},
    ViolationCode.NOT_YOUR_TILE: {"end"},
    ViolationCode.END_USED: {"end"},
    ViolationCode.TILE_BENEATH: {"beneath"},
}
OF_SETUPS: dict[ViolationCode, set[str]] = {
    **OF_ACTIONS,
    ViolationCode.OCCUPIED: {"tile"},
    ViolationCode.GROUP_TOO_LARGE: {"group"},
    ViolationCode.ISLAND_TOUCHED: {"island", "touching"},
    ViolationCode.ENDS_DIFFER: {"end"},
}


def check(violation: Violation, known: dict[ViolationCode, set[str]]) -> None:
    """Check that every cell has a role, and that no role has another name or cell."""
    assert {*violation.roles} <= known.get(violation.code, set())
    for cells in violation.roles.values():
        assert cells
        assert list(cells) == sorted(set(cells))
    assert {cell for cells in violation.roles.values() for cell in cells} == {*violation.cells}


@given(states(), st.data())
def test_every_cell_at_fault_has_a_role(state: GameState, data: st.DataObject) -> None:
    action = data.draw(attempts(state))
    placed: set[Cell] = set()
    if isinstance(action, pdd.PlaceTiles):
        placed = {action.a, action.b}
    if isinstance(action, pdd.PlaceTile):
        placed = {action.cell}
    for violation in state.violations(action):
        check(violation, OF_ACTIONS)
        assert {*violation.roles.get("new", ())} == placed & {*violation.cells} or (
            violation.code is ViolationCode.OFF_BOARD
        )


@given(setups())
def test_every_cell_at_fault_in_a_diagram_has_a_role(setup: Setup) -> None:
    for fault in setup.violations():
        check(fault, OF_SETUPS)


def test_the_new_tile_and_the_touched_island_have_different_roles() -> None:
    state = state_of("5 . . . . .\n4 . . . . .\n3 . . . . .\n2 w w . . .\n1 w w . . .")
    island = "a1 b1 a2 b2"
    for pair, rule, roles in (
        ("c3,e5", ViolationCode.ISLAND_TOUCHED, {"island": island, "touching": "c3", "new": "c3"}),
        ("c1,e5", ViolationCode.GROUP_TOO_LARGE, {"group": island, "new": "c1"}),
    ):
        (fault,) = state.violations(pdd.parse_action(pair))
        assert fault.code is rule
        assert {role: names(cells) for role, cells in fault.roles.items()} == roles


def test_roles_do_not_tell_violations_apart() -> None:
    a1 = Cell(0, 0)
    bare = Violation(ViolationCode.OCCUPIED, (a1,))
    assert bare.roles == {}
    assert bare == Violation(ViolationCode.OCCUPIED, (a1,), roles={"new": [a1]})
    assert "roles" not in repr(bare)


@given(states(), st.data())
def test_documents_keep_roles(state: GameState, data: st.DataObject) -> None:
    for violation in state.violations(data.draw(attempts(state))):
        read = json.loads(json.dumps(violation), Violation)
        assert read == violation
        assert read.roles == violation.roles


def test_documents_of_violations_without_roles_are_still_read() -> None:
    plain = json.to_json(Violation(ViolationCode.GAME_OVER))
    assert "roles" not in str(plain)
    assert json.from_json(plain, Violation).roles == {}
    document = json.to_json(
        Violation(ViolationCode.OCCUPIED, (Cell(0, 0),), roles={"new": [Cell(0, 0)]})
    )
    assert document["value"]["roles"] == {"new": ["a1"]}  # type: ignore[index, call-overload]
    document["value"]["roles"] = {"new": ["a1", "zz"]}  # type: ignore[index, call-overload]
    assert error_of(json.JsonError, json.from_json, document).path == "value.roles.new[1]"


def test_bridges_off_the_board_have_ends() -> None:
    far = Bridge(Cell(0, 0), Cell(4, 4))
    faults = Setup(pdd.Board(5, 5), bridges=[far]).violations()
    assert {fault.code: names(fault.roles["end"]) for fault in faults} == {
        ViolationCode.NOT_A_BRIDGE_SHAPE: "a1 e5",
        ViolationCode.ENDS_DIFFER: "a1 e5",
    }
    assert Position.from_pieces(pdd.Board(5, 5)).setup().violations() == ()


def test_the_reference_lists_the_roles() -> None:
    page = Path(ROOT / "docs" / "reference" / "api" / "violations.md").read_text("utf-8")
    page = page.partition("## Roles")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([\w-]+)` \|(.*?)\|(.*?)\|$", page, re.MULTILINE)
    listed = {
        ViolationCode(rule): tuple({*re.findall(r"`(\w+)`", cell)} for cell in (actions, diagrams))
        for rule, actions, diagrams in rows
    }
    wanted = {
        rule: (OF_ACTIONS.get(rule, set()), OF_SETUPS.get(rule, set()) - LATER.get(rule, set()))
        for rule in OF_SETUPS
    }
    assert listed == wanted


LATER: dict[ViolationCode, set[str]] = {
    ViolationCode.SAME_CELL: {"new"},
    ViolationCode.BLOCKED: {"new"},
    ViolationCode.NO_PARTNER: {"new"},
    ViolationCode.NOT_YOUR_TILE: {"end"},
}
"""Rules that only actions can break, not set-ups."""
