"""The numberings of actions and steps."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from support.games import random_game

BOARDS = [pdd.Board(*size) for size in ((1, 1), (1, 9), (2, 2), (3, 3), (5, 7), (10, 10))]
Space = pdd.ActionSpace | pdd.StepSpace


def test_known_sizes() -> None:
    assert len(pdd.ActionSpace(pdd.Board())) == 4_950 + 576 + 2 + 1
    assert len(pdd.StepSpace(pdd.Board())) == 100 + 576 + 2 + 1
    assert len(pdd.ActionSpace(pdd.Board(12, 12))) == 10_296 + 880 + 3
    assert len(pdd.ActionSpace(pdd.Board(1, 1))) == 3


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("kind", [pdd.ActionSpace, pdd.StepSpace])
def test_codes_and_items_are_one_to_one_and_in_order(
    kind: type[pdd.ActionSpace | pdd.StepSpace], board: pdd.Board
) -> None:
    space = kind(board)
    items = [space.decode(code) for code in range(len(space))]
    assert [space.encode(item) for item in items] == list(range(len(space)))  # type: ignore[arg-type]  # items are of the space's own kind
    assert items == sorted(items)
    assert len(set(items)) == len(items)


@given(st.sampled_from(BOARDS), st.data())
def test_codes_follow_symmetries(board: pdd.Board, data: st.DataObject) -> None:
    spaces: list[Space] = [pdd.ActionSpace(board), pdd.StepSpace(board)]
    space = data.draw(st.sampled_from(spaces))
    code = data.draw(st.integers(0, len(space) - 1))
    symmetry = data.draw(st.sampled_from(pdd.symmetries(board)))
    moved = space.transform(code, symmetry)
    assert space.decode(moved) == space.decode(code).transform(symmetry)
    assert space.transform(moved, symmetry.inverse) == code


@pytest.mark.parametrize("board", BOARDS[:-1], ids=str)
def test_masks_mark_what_is_legal(board: pdd.Board) -> None:
    actions, steps = pdd.ActionSpace(board), pdd.StepSpace(board)
    for state in random_game(f"{board.width}x{board.height}").states():
        for space, legal in ((actions, state.legal_actions), (steps, state.legal_steps)):
            mask = space.mask(state)
            assert (len(mask), sum(mask)) == (len(space), len(legal))
            assert [space.decode(code) for code, bit in enumerate(mask) if bit] == [*legal]


def test_what_has_no_number_is_refused() -> None:
    actions, steps = pdd.ActionSpace(pdd.Board(4, 4)), pdd.StepSpace(pdd.Board(4, 4))
    for text in ("a1,a1", "a1,e1", "a1-b1", "a1-e1"):
        with pytest.raises(pdd.PonteError):
            actions.encode(pdd.parse_action(text))
    with pytest.raises(pdd.PonteError):
        steps.encode(pdd.PlaceTile(pdd.Cell(4, 0)))
    for space in (actions, steps):
        for code in (-1, len(space), 10**30):
            with pytest.raises(pdd.PonteError):
                space.decode(code)
    other = pdd.GameState.initial()
    for space in (actions, steps):
        with pytest.raises(pdd.PonteError):
            space.mask(other)
