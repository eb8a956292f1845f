"""How batches are made, and of what."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import PLANES, GameBatch
from support.batch_rows import ODD_RULES, SMALL, answers, mixed
from support.batches import require_equal_rows_but_for_none


def test_a_batch_is_made_by_its_class_methods_only() -> None:
    with pytest.raises(TypeError, match=r"GameBatch\.initial\(\) or GameBatch\.from_states\(\)"):
        GameBatch()
    with pytest.raises(TypeError, match="takes 1 positional argument"):
        GameBatch(pdd.Rules(), 3)  # type: ignore[call-arg]  # the point of the test


def test_the_usual_game_and_one_of_it_is_the_default() -> None:
    games = GameBatch.initial()
    assert (games.rules, games.size, len(games)) == (pdd.Rules(), 1, 1)
    assert games.space == pdd.StepSpace(pdd.Board())
    assert games.states() == (pdd.GameState.initial(),)
    assert GameBatch.initial(None, size=2).states() == (pdd.GameState.initial(),) * 2


@pytest.mark.parametrize("size", [0, 1, 7, np.int64(7), np.uint8(7), np.array(7)])
def test_any_number_of_games(size: int) -> None:
    games = GameBatch.initial(SMALL, size)
    require_equal_rows_but_for_none(games, [pdd.GameState.initial(SMALL)] * int(size))
    assert games.tiles.shape == (int(size), 4, 5)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_a_batch_of_none(rules: pdd.Rules) -> None:
    none = GameBatch.initial(rules, 0)
    width, height = rules.board.width, rules.board.height
    shapes = [
        *((0, height, width), (0,), (0,), (0,), (0,), (0,), (0,), (0, 2, 3), (0, 2)),
        *((0,), (0,), (0, 2), (0, len(PLANES), height, width), (0, len(none.space)), (0,)),
        *((0,), (0, 2), (0,), (0,), (0, 2)),
    ]
    assert [each.shape for each in answers(none)] == shapes
    assert [each.dtype for each in answers(none)] == [
        each.dtype for each in answers(GameBatch.initial(rules))
    ]
    assert none.states() == ()
    assert none.step([]).size == none.take([]).size == none.take(np.array([], bool)).size == 0
    assert none.playout(1, threads=4).turns.shape == (0,)
    assert not none
    for other in (none.step(np.array([], np.uint8)), pickle.loads(pickle.dumps(none))):
        assert (other.rules, other.size) == (rules, 0)


@pytest.mark.parametrize("wrong", ["10x10", pdd.Board(), 10, pdd.GameState.initial(), {}])
def test_rules_are_rules(wrong: object) -> None:
    with pytest.raises(TypeError, match="rules must be Rules"):
        GameBatch.initial(wrong)  # type: ignore[arg-type]  # the point of the test


NO_NUMBERS = [True, 1.0, "1", None, [1], b"1", np.float64(1), np.True_, np.array([1, 2]), 1j]


@pytest.mark.parametrize("wrong", NO_NUMBERS, ids=repr)
def test_numbers_are_whole_numbers(wrong: int) -> None:
    games = GameBatch.initial(SMALL)
    with pytest.raises(TypeError, match="size must be a whole number"):
        GameBatch.initial(SMALL, wrong)
    with pytest.raises(TypeError, match="seed must be a whole number"):
        games.playout(wrong)
    with pytest.raises(TypeError, match="threads must be a whole number"):
        games.playout(1, wrong)


def test_numbers_are_in_proportion() -> None:
    games = GameBatch.initial(SMALL)
    for wrong in (-1, -(10**30)):
        with pytest.raises(pdd.PonteError, match=f"size must be from 0 to .*, not {wrong}"):
            GameBatch.initial(SMALL, wrong)
        with pytest.raises(pdd.PonteError, match=f"seed must not be negative: {wrong}"):
            games.playout(wrong)
        with pytest.raises(pdd.PonteError, match=f"threads must be positive: {wrong}"):
            games.playout(1, wrong)
    with pytest.raises(pdd.PonteError, match="threads must be positive: 0"):
        games.playout(1, 0)
    for large in (2**31 + 1, 2**63, 10**30):
        with pytest.raises(pdd.PonteError, match=f"size must be from 0 to 2147483648, not {large}"):
            GameBatch.initial(SMALL, large)
    for call in (
        lambda: GameBatch.initial(SMALL, 10**101),
        lambda: games.playout(10**101),
        lambda: games.playout(1, 10**101),
    ):
        with pytest.raises(pdd.PonteError, match="too large"):
            call()


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_states_of_any_kind_go_in_and_come_out(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    assert games.rules == rules
    assert games.states() == tuple(rows)
    assert [type(row) for row in games.states()] == [type(row) for row in rows]
    # Any iterable will do, and what becomes of it later does not matter.
    assert GameBatch.from_states(row for row in rows).states() == tuple(rows)
    before = list(rows)
    rows.clear()
    assert games.states() == tuple(before)
    assert games.states() == GameBatch.from_states(games.states()).states()


def test_states_have_one_set_of_rules() -> None:
    with pytest.raises(pdd.PonteError, match=r"use GameBatch\.initial\(rules, 0\)"):
        GameBatch.from_states([])
    usual = pdd.GameState.initial()
    for other in (
        pdd.Rules(pdd.Board(10, 11)),
        pdd.Rules(tiles_per_color=40),
        pdd.Rules(bridges=15),
        pdd.Rules(tiebreaks=()),
    ):
        with pytest.raises(pdd.PonteError, match="states: number 2 has other rules than number 0"):
            GameBatch.from_states([usual, usual, pdd.GameState.initial(other), usual])
    equal = pdd.GameState.initial(pdd.Rules(pdd.Board(10, 10)))
    assert GameBatch.from_states([usual, equal]).size == 2


@pytest.mark.parametrize("wrong", ["state", None, 1, pdd.GameState.initial().position, pdd.Rules()])
def test_states_are_states(wrong: object) -> None:
    with pytest.raises(TypeError, match="state 1 must be GameState or HalfTurn"):
        GameBatch.from_states([pdd.GameState.initial(), wrong])  # type: ignore[list-item]  # the point of the test
    said = "state 0 must be GameState" if isinstance(wrong, str) else "must be Iterable"
    with pytest.raises(TypeError, match=said):
        GameBatch.from_states(wrong)  # type: ignore[arg-type]  # as above
