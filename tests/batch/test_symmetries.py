"""Symmetries of batches and of step codes, compared with the core."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, permutation, step_codes
from support.batch_rows import SHAPES, SMALL, mixed, set_ups
from support.batches import Row, arrays_of, beginnings, same_arrays
from support.diagrams import state_of

BOARDS = [rules.board for rules in SHAPES if len(pdd.ActionSpace(rules.board)) < 20_000]


def rows_on(rules: pdd.Rules) -> list[Row]:
    """Return rows of every kind, with empty boards, islands and many bridges among them."""
    return [*mixed(rules), *beginnings(rules, 8, Random(3))]


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_games_are_turned_as_the_core_turns_them(rules: pdd.Rules) -> None:
    rows = rows_on(rules)
    games = GameBatch.from_states(rows)
    symmetries = rules.board.symmetries
    for symmetry in symmetries:
        turned = games.transform(symmetry)
        assert turned.rules == rules
        assert not any(array.flags.writeable for array in arrays_of(turned))
        expected = GameBatch.from_states([row.transform(symmetry) for row in rows])
        assert same_arrays(arrays_of(turned), arrays_of(expected))
        assert same_arrays(arrays_of(turned.transform(symmetry.inverse)), arrays_of(games))
    rng = Random(4)
    numbers = [rng.randrange(len(symmetries)) for _ in rows]
    each = [row.transform(symmetries[n]) for row, n in zip(rows, numbers, strict=True)]
    for given_as in (numbers, np.array(numbers, np.uint8), np.array(numbers, ">i4")):
        assert games.transform(given_as).states() == tuple(each)
    assert games.states() == tuple(rows)


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_canonical_forms_are_those_of_the_core(rules: pdd.Rules) -> None:
    rows = rows_on(rules)
    symmetries = rules.board.symmetries
    expected = GameBatch.from_states([row.canonical() for row in rows])
    for symmetry in symmetries:
        canonical = GameBatch.from_states(rows).transform(symmetry).canonical()
        assert same_arrays(arrays_of(canonical), arrays_of(expected))
    assert GameBatch.initial(rules, 0).canonical().size == 0


@given(set_ups(), st.data())
def test_canonical_forms_of_set_ups(state: pdd.GameState, data: st.DataObject) -> None:
    cells = list(state.legal_actions.first_tiles)
    rows: list[Row] = [state, state.with_to_move(pdd.Color.RED)]
    if cells:
        rows.append(state.step(pdd.PlaceTile(data.draw(st.sampled_from(cells)))))
    turned = data.draw(st.sampled_from(state.rules.board.symmetries))
    games = GameBatch.from_states(rows).transform(turned)
    assert games.states() == tuple(row.transform(turned) for row in rows)
    assert games.canonical().states() == tuple(row.canonical() for row in rows)


FOUR_ALIKE = """
    5 . . . . .
    4 . w . w .
    3 . . . . .
    2 . w . w .
    1 . . . . .
      a b c d e
"""
"""Tiles that every symmetry maps to themselves."""


def test_bridges_break_ties_of_symmetry() -> None:
    sides = ("b2-b4", "b2-d2", "b4-d4", "d2-d4")
    diagonals = ("b2-d4", "d2-b4")
    for bridges, forms in ((sides, 1), (diagonals, 1), (("b2-b4 d2-d4", "b2-d2 b4-d4"), 1)):
        rows = [state_of(f"{FOUR_ALIKE}bridges {each}") for each in bridges]
        canonical = GameBatch.from_states(rows).canonical().states()
        assert canonical == tuple(row.canonical() for row in rows)
        assert (len({*rows}), len({*canonical})) == (len(bridges), forms)


def test_the_first_tile_breaks_ties_of_symmetry() -> None:
    middle = state_of(FOUR_ALIKE)
    tiles = map(pdd.PlaceTile, middle.legal_actions.first_tiles)
    rows: list[Row] = [*map(middle.step, tiles)]
    canonical = GameBatch.from_states(rows).canonical().states()
    assert canonical == tuple(row.canonical() for row in rows)
    # Corners, middles of sides, cells between them, cells beside the middle, and the middle.
    assert (len({*rows}), len({*canonical})) == (21, 5)


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.width}x{board.height}")
@pytest.mark.parametrize("kind", [pdd.StepSpace, pdd.ActionSpace])
def test_codes_become_the_actions_of_the_core(board: pdd.Board, kind: Any) -> None:
    space = kind(board)
    rng = Random(5)
    codes = range(len(space)) if len(space) < 300 else rng.sample(range(len(space)), 300)
    for symmetry in board.symmetries:
        found = permutation(space, symmetry)
        assert found.dtype == np.int32
        assert found.shape == (len(space),)
        assert sorted(found.tolist()) == list(range(len(space)))
        wanted = [space.transform(code, symmetry) for code in codes]
        assert [int(found[code]) for code in codes] == wanted
        back = permutation(space, symmetry.inverse)
        assert np.array_equal(back[found], np.arange(len(space)))


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: f"{board.width}x{board.height}")
def test_actions_are_one_step_or_two(board: pdd.Board) -> None:
    actions = pdd.ActionSpace(board)
    steps = pdd.StepSpace(board)
    rng = Random(5)
    found = step_codes(actions)
    assert found.dtype == np.int32
    assert found.shape == (len(actions), 2)
    codes = range(len(actions)) if len(actions) < 2000 else rng.sample(range(len(actions)), 2000)
    for code in codes:
        action = actions.decode(code)
        first, second = found[code].tolist()
        if isinstance(action, pdd.PlaceTiles):
            tiles = [pdd.PlaceTile(action.a), pdd.PlaceTile(action.b)]
            assert [steps.decode(first), steps.decode(second)] == tiles
        else:
            assert (steps.decode(first), second) == (action, -1)


def test_masks_are_turned_by_the_inverse() -> None:
    for rules in (SMALL, pdd.Rules(pdd.Board(5, 5))):
        games = GameBatch.from_states(mixed(rules))
        for symmetry in rules.board.symmetries:
            expected = games.transform(symmetry).legal_mask()
            codes = permutation(games.space, symmetry.inverse)
            assert np.array_equal(games.legal_mask()[:, codes], expected)


def test_permutations_are_the_callers_own() -> None:
    symmetry = pdd.Board().symmetries[5]
    for space in (pdd.StepSpace(pdd.Board()), pdd.ActionSpace(pdd.Board())):
        first = permutation(space, symmetry)
        kept = first.copy()
        first[:] = 0
        assert np.array_equal(permutation(space, symmetry), kept)


def test_permutations_of_the_largest_board() -> None:
    # These are more actions than the cache holds.
    space = pdd.ActionSpace(pdd.Board(40, 40))
    rng = Random(6)
    for symmetry in space.board.symmetries[3::2]:
        found = permutation(space, symmetry)
        assert (np.bincount(found, minlength=len(space)) == 1).all()
        for code in rng.sample(range(len(space)), 200):
            assert found[code] == space.transform(code, symmetry)
