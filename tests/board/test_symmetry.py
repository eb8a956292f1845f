"""Symmetries of boards, states and actions, and packed states."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import states
from support.diagrams import state_of
from support.processes import run_python

SIZES = [(1, 1), (1, 9), (2, 3), (4, 4), (7, 2), (10, 10)]


def moved(setup: pdd.Setup, symmetry: pdd.Symmetry) -> pdd.Setup:
    """Transform a diagram piece by piece."""
    return pdd.Setup(
        setup.board,
        [cell.transform(symmetry) for cell in setup.white],
        [cell.transform(symmetry) for cell in setup.red],
        [bridge.transform(symmetry) for bridge in setup.bridges],
    )


@pytest.mark.parametrize("size", SIZES)
def test_symmetries_form_a_group(size: tuple[int, int]) -> None:
    board = pdd.Board(*size)
    group = board.symmetries
    assert len(group) == len(set(group)) == (8 if size[0] == size[1] else 4)
    assert group[0].is_identity
    assert [each.is_identity for each in group].count(True) == 1
    for one in group:
        assert one.then(one.inverse) == group[0] == one.inverse.then(one)
        assert sorted(cell.transform(one) for cell in board.cells) == list(board.cells)
        assert sorted(bridge.transform(one) for bridge in board.bridges) == list(board.bridges)
        for other in group:
            both = one.then(other)
            assert both in group
            for cell in board.cells:
                assert cell.transform(both) == cell.transform(one).transform(other)


def test_a_named_corner_goes_where_it_should() -> None:
    board = pdd.Board(4, 4)
    transposed = pdd.Symmetry(4, 4, transposes=True)
    quarter = pdd.Symmetry(4, 4, transposes=True, flips_columns=True)
    assert pdd.parse_cell("b1").transform(transposed) == pdd.parse_cell("a2")
    assert pdd.parse_cell("b1").transform(quarter) == pdd.parse_cell("d2")
    assert quarter.inverse == pdd.Symmetry(4, 4, transposes=True, flips_rows=True)
    assert quarter in board.symmetries


@given(states(), st.data())
def test_states_move_as_their_pieces_do(state: pdd.GameState, data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(state.rules.board.symmetries))
    other = state.transform(symmetry)
    assert other.position == moved(state.position.setup(), symmetry).position()
    assert other.transform(symmetry.inverse) == state
    assert (other.phase, other.to_move, other.turn) == (state.phase, state.to_move, state.turn)
    assert len(other.legal_actions) == len(state.legal_actions)
    if not state.is_over:
        action = data.draw(st.sampled_from(state.legal_actions))
        assert state.apply(action).transform(symmetry) == other.apply(action.transform(symmetry))
        step = data.draw(st.sampled_from(state.legal_steps))
        assert step.transform(symmetry) in other.legal_steps


@given(states(), st.data())
def test_canonical_forms(state: pdd.GameState, data: st.DataObject) -> None:
    symmetry = data.draw(st.sampled_from(state.rules.board.symmetries))
    other = state.transform(symmetry)
    assert other.canonical() == state.canonical()
    assert state.canonical().canonical() == state.canonical()
    way = state.canonical_symmetry()
    assert state.transform(way) == state.canonical()
    assert state.canonical().transform(way.inverse) == state


@given(st.data())
def test_packed_states_are_equal_exactly_when_states_are(data: st.DataObject) -> None:
    state = data.draw(states())
    others = [state, *(state.transform(each) for each in state.rules.board.symmetries)]
    if state.phase in (pdd.Phase.PLAY, pdd.Phase.LAST_TURN):
        others += [state.with_to_move(color) for color in pdd.Color]
    if not state.is_over:
        others += [state.apply(state.legal_actions[place]) for place in (0, -1)]
    for other in others:
        assert (other.packed() == state.packed()) == (other == state)
    cells = len(state.rules.board)
    assert len(state.packed()) <= 1 + 2 * ((cells + 7) // 8) + 2 * (cells // 2)


def test_packed_is_the_same_in_every_process() -> None:
    text = "4x4 tiles=9 bridges=unlimited tiebreaks=none rows=4/w1w1/4/1r2 built=a3-c3"
    text += " phase=play to-move=red white=second"
    here = pdd.parse_state(text).packed()
    program = f"import pontedeldiavolo as p; print(p.parse_state({text!r}).packed().hex())"
    there = run_python(program)
    assert (there.returncode, there.stderr, there.stdout.strip()) == (0, "", here.hex())


def test_what_does_not_fit_is_refused() -> None:
    symmetry = pdd.Symmetry(4, 5, flips_rows=True)
    with pytest.raises(pdd.PonteError, match=r"^a 4×5 board cannot be transposed"):
        pdd.Symmetry(4, 5, transposes=True)
    with pytest.raises(pdd.PonteError, match=r"^a symmetry of 4×5 does not fit 5×4"):
        symmetry.then(pdd.Symmetry(5, 4))
    with pytest.raises(pdd.PonteError, match=r"^a symmetry of 4×5 does not fit 10×10"):
        pdd.GameState.initial().transform(symmetry)
    for column, row in ((4, 0), (0, 5)):
        with pytest.raises(pdd.PonteError, match=f"column {column}, row {row} is off the 4×5"):
            pdd.Cell(column, row).transform(symmetry)
    with pytest.raises(pdd.PonteError, match=r"^no board has the size 0×4"):
        pdd.Symmetry(0, 4)


@pytest.mark.parametrize(("width", "height"), [(4, 3), (3, 4), (4, 4), (2, 4), (4, 2), (2, 2)])
@pytest.mark.parametrize("flips", ["flips_columns", "flips_rows"])
def test_symmetries_of_larger_and_smaller_boards_do_not_fit(
    width: int, height: int, flips: str
) -> None:
    state = state_of("3 . . .\n2 . w .\n1 w . .")
    symmetry = pdd.Symmetry(width, height, **{flips: True})
    with pytest.raises(pdd.PonteError, match=f"^a symmetry of {width}×{height} does not fit 3×3$"):
        state.transform(symmetry)
