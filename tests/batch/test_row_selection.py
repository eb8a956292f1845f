"""Taking rows of a batch, and what counts as a row or a step."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from support.batch_rows import SMALL, mixed
from support.batches import arrays_of, require_equal_rows_but_for_none, same_arrays
from support.checks import wrong_type


def test_taken_rows_come_in_the_order_asked_for() -> None:
    rows = mixed()
    games = GameBatch.from_states(rows)
    size = len(rows)
    for wanted in (
        [0],
        [-1, 0],
        [3, 3, 1, 3],
        list(range(size)),
        [-size, size - 1],
        [],
        (2, 1),
        range(3),
        np.array([1, 0], np.uint8),
        np.array([1, 0], np.uint64),
        np.array([-1, 0], np.int8),
        np.array([2, 1], ">i4"),
        np.array([5, 4, 3, 2])[::2],
        np.array([], object),
        np.array([], np.uint16),
    ):
        taken = games.take(wanted)
        assert taken.rules == games.rules
        require_equal_rows_but_for_none(taken, [rows[place] for place in wanted])
    for kept in ([True] * size, [False] * size, [place % 3 == 0 for place in range(size)]):
        expected = [row for row, keep in zip(rows, kept, strict=True) if keep]
        require_equal_rows_but_for_none(games.take(kept), expected)
        assert games.take(np.array(kept)).states() == tuple(expected)
    assert games.states() == tuple(rows)


def test_a_row_is_repeated_as_often_as_one_likes() -> None:
    games = GameBatch.from_states(mixed()).take(np.repeat([1, -1], 500))
    assert games.size == 1000
    assert len(set(games.take(range(500)).states())) == 1


def test_rows_taken_from_none() -> None:
    none = GameBatch.initial(SMALL, 0)
    for wanted in ([0], [-1]):
        with pytest.raises(pdd.PonteError, match=f"there is no row {wanted[0]} in a batch of 0"):
            none.take(wanted)


def test_rows_exist() -> None:
    games = GameBatch.initial(SMALL, 3)
    for wrong in (3, -4, 2**31, 2**63 - 1, -(2**63), 2**63):
        with pytest.raises(pdd.PonteError, match=f"there is no row {wrong} in a batch of 3"):
            games.take([0, wrong] if wrong != 2**63 else [wrong])
    for array in (np.array([200], np.uint8), np.array([-100], np.int8)):
        with pytest.raises(pdd.PonteError, match="there is no row"):
            games.take(array)


@pytest.mark.parametrize(
    "wrong", [0, np.array(0), [[0]], [[0, 1], [1, 2]], [[]], [[], []]], ids=repr
)
def test_rows_have_one_dimension(wrong: npt.ArrayLike) -> None:
    with pytest.raises(pdd.PonteError, match="rows must have one dimension"):
        GameBatch.initial(SMALL, 3).take(wrong)


NO_WHOLE_NUMBERS = [
    *(
        [0.0],
        [1.5],
        ["0"],
        "0",
        [None],
        None,
        [b"0"],
        [1j],
        {0, 1},
        {0: 1},
        float("nan"),
    ),
    *(np.array([0.0], object), np.array([0], "M8[s]"), np.array([0], np.float32)),
]


@pytest.mark.parametrize("wrong", NO_WHOLE_NUMBERS, ids=repr)
def test_rows_and_steps_are_whole_numbers(wrong: npt.ArrayLike) -> None:
    games = GameBatch.initial(SMALL)
    with pytest.raises(TypeError, match="rows must be whole numbers, not"):
        games.take(wrong)
    with pytest.raises(TypeError, match="steps must be whole numbers, not"):
        games.step(wrong)


def test_objects_that_are_whole_numbers_are_taken() -> None:
    games = GameBatch.initial(SMALL, 3)
    assert games.take(np.array([0, 2, -1], object)).size == 3
    assert games.step(np.array([4, 4, 4], object)).states() == games.step([4] * 3).states()


def test_steps_are_not_bool() -> None:
    with pytest.raises(TypeError, match="steps must be whole numbers, not bool"):
        GameBatch.initial(SMALL, 2).step([True, False])
    # Nor are they where other numbers are.
    mixed_up: list[npt.ArrayLike] = [[3, True], (True, 3)]
    for wrong in mixed_up:
        with pytest.raises(TypeError, match="steps must be whole numbers, not bool"):
            GameBatch.initial(SMALL, 2).step(wrong)
        with pytest.raises(TypeError, match="rows must be whole numbers, not bool"):
            GameBatch.initial(SMALL, 2).take(wrong)


@pytest.mark.parametrize(
    "wrong", [[], 0, [0], [0, 1, 2, 3], [[0, 1, 2]], [[0], [1], [2]]], ids=repr
)
def test_there_is_one_step_for_each_game(wrong: npt.ArrayLike) -> None:
    with pytest.raises(pdd.PonteError, match=r"steps must have shape \(3,\)"):
        GameBatch.initial(SMALL, 3).step(wrong)
    with pytest.raises(pdd.PonteError, match=r"steps must have shape \(0,\)"):
        GameBatch.initial(SMALL, 0).step([0])


@pytest.mark.parametrize("kind", "bBhHiIlLqQ")
def test_steps_of_any_type_of_whole_numbers(kind: str) -> None:
    games = GameBatch.initial(SMALL, 3)
    expected = games.step([0, 7, 19])
    for codes in (
        np.array([0, 7, 19], kind),
        np.array([0, 7, 19], np.dtype(kind).newbyteorder(">")),
        np.array([0, 1, 7, 1, 19, 1], kind)[::2],
        np.ma.MaskedArray(np.array([0, 7, 19], kind)),
    ):
        codes.setflags(write=False)
        assert same_arrays(arrays_of(games.step(codes)), arrays_of(expected))


@pytest.mark.parametrize("wrong", [[True], [True] * 4, [[True, False, True]], True], ids=repr)
def test_marks_have_the_shape_of_the_batch(wrong: npt.ArrayLike) -> None:
    with pytest.raises(pdd.PonteError):
        GameBatch.initial(SMALL, 3).take(wrong)


@pytest.mark.parametrize("wrong", [2**64, -(2**63) - 1, 10**30])
def test_large_numbers_are_whole_numbers(wrong: int) -> None:
    games = GameBatch.initial(SMALL)
    with pytest.raises(pdd.PonteError):
        games.take([wrong])
    with pytest.raises(pdd.PonteError):
        games.step([wrong])


def test_ragged_lists_have_no_shape() -> None:
    games = GameBatch.initial(SMALL, 3)
    for call in (games.take, games.step):
        with pytest.raises(pdd.PonteError):
            call([[0], [1, 2], [3]])


def test_times_are_no_rows() -> None:
    with wrong_type("rows"):
        GameBatch.initial(SMALL, 3).take(np.array([0, 1], "m8[s]"))


def test_times_are_no_steps() -> None:
    with wrong_type("steps"):
        GameBatch.initial(SMALL, 2).step(np.array([0, 1], "m8[s]"))
