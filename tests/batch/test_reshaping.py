"""Batches made of others: joined, with rows replaced, restarted, copied and picked."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from support.batch_rows import ODD_RULES, SMALL, mixed
from support.batches import arrays_of, require_equal_rows_but_for_none, same_arrays
from support.checks import wrong_type

START = pdd.GameState.initial(SMALL)


def require_unchanged(games: GameBatch, rows: list[pdd.Node]) -> None:
    """Require that a batch is as it was, and that nothing can be written to it."""
    assert games.states() == tuple(rows)
    assert not any(array.flags.writeable for array in arrays_of(games))


def apart(one: GameBatch, other: GameBatch) -> bool:
    """Tell whether two batches have no array in common."""
    return not any(np.shares_memory(a, b) for a, b in product(arrays_of(one), arrays_of(other)))


# Joined


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_batches_are_joined_in_their_order(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    parts = [rows[:3], rows[3:4], [], rows[4:]]
    batches = [
        GameBatch.from_states(part) if part else GameBatch.initial(rules, 0) for part in parts
    ]
    joined = GameBatch.concat(batches)
    require_equal_rows_but_for_none(joined, rows)
    assert all(apart(joined, each) for each in batches)
    assert GameBatch.concat(each for each in batches[::-1]).states() == (
        *rows[4:],
        *rows[3:4],
        *rows[:3],
    )
    alone = GameBatch.concat([joined])
    assert same_arrays(arrays_of(alone), arrays_of(joined))
    assert apart(alone, joined)
    none = GameBatch.concat([batches[2]] * 2)
    assert (none.size, none.rules) == (0, rules)


def test_joined_batches_have_one_set_of_rules() -> None:
    with pytest.raises(pdd.PonteError, match=r"use GameBatch\.initial\(rules, 0\)"):
        GameBatch.concat([])
    small, other = GameBatch.initial(SMALL), GameBatch.initial(pdd.Rules(SMALL.board, 9))
    with pytest.raises(pdd.PonteError, match="batches: number 2 has other rules than number 0"):
        GameBatch.concat([small, small, other, small])
    with pytest.raises(pdd.PonteError, match="batches: number 1 has other rules than number 0"):
        GameBatch.concat([GameBatch.initial(other.rules, 0), GameBatch.initial(SMALL, 0)])
    for wrong in (None, START, [small]):
        with wrong_type("batch 1"):
            GameBatch.concat([small, wrong])  # type: ignore[list-item]
    with wrong_type("batches"):
        GameBatch.concat(3)  # type: ignore[arg-type]


# Replaced and restarted


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
@pytest.mark.parametrize("wanted", [[0, 3], [-1, 0, 2], [], np.array([1, 4], np.uint64)], ids=str)
def test_rows_are_replaced(rules: pdd.Rules, wanted: npt.ArrayLike) -> None:
    rows = mixed(rules)
    new = mixed(rules, 17)[5:][: len(np.asarray(wanted))]
    games = GameBatch.from_states(rows)
    other = GameBatch.from_states(new) if new else GameBatch.initial(rules, 0)
    expected = list(rows)
    for place, row in zip(np.asarray(wanted).tolist(), new, strict=True):
        expected[int(place)] = row
    replaced = games.replaced(wanted, other)
    require_equal_rows_but_for_none(replaced, expected)
    require_unchanged(games, rows)
    assert apart(replaced, games)
    assert apart(replaced, other)
    marks = [False] * len(rows)
    for place in np.asarray(wanted).tolist():
        marks[int(place)] = True
    in_order = other.take(np.argsort(np.asarray(wanted, np.int64) % len(rows)))
    assert games.replaced(marks, in_order).states() == tuple(expected)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_rows_begin_anew(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games, start = GameBatch.from_states(rows), pdd.GameState.initial(rules)
    again = games.restarted(games.is_over)
    assert games.is_over.any()
    require_equal_rows_but_for_none(again, [start if row.is_over else row for row in rows])
    assert apart(again, games)
    twice = games.restarted([-1, 1, 1])
    require_equal_rows_but_for_none(twice, [rows[0], start, *rows[2:-1], start])
    assert games.restarted([]).states() == tuple(rows)
    assert games.restarted(range(len(rows))).states() == (start,) * len(rows)
    require_unchanged(games, rows)


def test_only_rows_that_exist_are_replaced() -> None:
    games = GameBatch.initial(SMALL, 3)
    for call in (games.restarted, lambda rows: games.replaced(rows, games.take([0]))):
        for wrong in (3, -4, 2**40):
            with pytest.raises(pdd.PonteError, match=f"there is no row {wrong} in a batch of 3"):
                call([wrong])
        with pytest.raises(pdd.PonteError, match=r"marks must have shape \(3,\), not \(2,\)"):
            call([True, False])
        with pytest.raises(pdd.PonteError, match="rows must have one dimension, not 2"):
            call([[0]])
        no_rows: list[Any] = [None, "0", [0.0], {0}]
        for wrong_kind in no_rows:
            with wrong_type("rows"):
                call(wrong_kind)


def test_what_replaces_rows_fits() -> None:
    games = GameBatch.initial(SMALL, 3)
    for rows, count in (([0], 2), ([0, 1], 1), ([True, False, True], 3), ([], 1)):
        with pytest.raises(pdd.PonteError, match=r"other must have \d games for the rows, not"):
            games.replaced(rows, GameBatch.initial(SMALL, count))
    for rules in (pdd.Rules(pdd.Board(4, 5)), pdd.Rules(SMALL.board, 9)):
        with pytest.raises(pdd.PonteError, match="other has other rules than the batch"):
            games.replaced([0], GameBatch.initial(rules, 1))
    for twice in ([1, 0, 1], [1, 0, -2]):
        with pytest.raises(pdd.PonteError, match="row 1 comes more than once"):
            games.replaced(twice, games)
    for wrong in (None, [START], START):
        with wrong_type("other"):
            games.replaced([0], wrong)  # type: ignore[arg-type]


# Copied


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
@pytest.mark.parametrize("number", [0, 1, 3, np.uint8(2)])
def test_every_game_is_copied(rules: pdd.Rules, number: int) -> None:
    rows = mixed(rules, 4)
    games = GameBatch.from_states(rows)
    copies = games.copies(number)
    require_equal_rows_but_for_none(copies, [row for row in rows for _ in range(number)])
    assert apart(copies, games)


def test_copies_are_in_proportion() -> None:
    games = GameBatch.initial(SMALL, 3)
    for wrong in (-1, 2**31 // 3 + 1, 10**30):
        with pytest.raises(pdd.PonteError, match=f"k must be from 0 to 715827882, not {wrong}"):
            games.copies(wrong)
    none = GameBatch.initial(SMALL, 0)
    assert none.copies(2**31).size == 0
    with pytest.raises(pdd.PonteError, match="k must be from 0 to 2147483648"):
        none.copies(2**31 + 1)
    for no_number in (True, 1.0, "1", None, [1]):
        with wrong_type("k"):
            games.copies(no_number)  # type: ignore[arg-type]


# Picked


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_a_row_is_a_node_and_a_slice_a_batch(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    for place in (0, 3, -1, -len(rows), np.int64(2), np.uint8(1)):
        assert games[place] == rows[place]
        assert type(games[place]) is type(rows[place])
    for part in (
        *(slice(None), slice(2, 5), slice(-3, None), slice(5, 2), slice(0, 100), slice(4, 4)),
        *(slice(None, None, 2), slice(None, None, -1), slice(7, 1, -3)),
    ):
        picked = games[part]
        require_equal_rows_but_for_none(picked, rows[part])
        assert picked.rules == rules
        assert apart(picked, games)
        assert all(array.flags.c_contiguous for array in arrays_of(picked))
    assert list(games) == rows
    assert [*reversed(games)] == rows[::-1]
    assert rows[4] in games
    assert list(GameBatch.initial(rules, 0)) == []


def test_rows_that_are_not_there_are_index_errors() -> None:
    games = GameBatch.initial(SMALL, 3)
    for wrong in (3, -4, 2**70):
        with pytest.raises(IndexError, match=f"there is no row {wrong} in a batch of 3"):
            games[wrong]
    with pytest.raises(IndexError, match="there is no row 0 in a batch of 0"):
        GameBatch.initial(SMALL, 0)[0]
    no_indices: list[Any] = [True, 1.0, "0", None, (0, 1), [0], np.array([0, 1])]
    for wrong_kind in no_indices:
        with wrong_type("index"):
            games[wrong_kind]
