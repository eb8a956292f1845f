"""How batches behave as values: what is taken and refused, what is kept, given away and shared."""

from __future__ import annotations

import copy
import importlib
import os
import pickle
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import chain, product
from random import Random

import numpy as np
import numpy.typing as npt
import pytest
from attrs.exceptions import FrozenInstanceError

import pontedeldiavolo as pdd
from batches import (
    NONE,
    Arrays,
    Row,
    arrays_of,
    beginnings,
    require_equal_rows,
    require_equal_values,
    same_arrays,
    sized,
    state_behind,
    visited,
    winner_of,
)
from diagrams import state_of
from pontedeldiavolo import batch
from pontedeldiavolo.batch import PLANES, GameBatch, Playouts, Replays, replay
from pontedeldiavolo.records import Record
from strategies import TIEBREAKS

SMALL = pdd.Rules(pdd.Board(5, 4))
ODD_RULES = [
    pdd.Rules(pdd.Board(1, 1)),
    pdd.Rules(pdd.Board(5, 4)),
    pdd.Rules(pdd.Board(4, 4), tiles_per_color=5, bridges=1, tiebreaks=TIEBREAKS[4]),
    pdd.Rules(pdd.Board(33, 2)),
]


def mixed(rules: pdd.Rules = SMALL, number: int = 12) -> list[Row]:
    """Return rows of every phase and kind that random games show."""
    rng = Random(number)
    rows = [row for _ in range(5) for row in visited(rules, rng)]
    rng.shuffle(rows)
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows][:number]


def answers(games: GameBatch) -> Arrays:
    """Return all that a batch says of its games in arrays."""
    return (
        games.tiles,
        games.is_over,
        games.to_move,
        games.seat_to_move,
        games.scores,
        games.points,
        games.winner,
        games.planes(),
        games.legal_mask(),
        *parts(games.playout(5)),
    )


def parts(result: Playouts) -> Arrays:
    """Return the arrays of playouts."""
    return (result.turns, result.points, result.winner)


# Beginnings


def test_a_batch_is_made_by_its_class_methods_only() -> None:
    with pytest.raises(TypeError, match=r"GameBatch\.initial\(\) or GameBatch\.from_states\(\)"):
        GameBatch()
    with pytest.raises(TypeError):
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


def require_equal_rows_but_for_none(games: GameBatch, rows: list[Row]) -> None:
    """Require that a batch holds these rows; a batch of none has no states to compare with."""
    assert games.states() == tuple(rows)
    if rows:
        require_equal_rows(games, rows)
        require_equal_values(games, rows)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_a_batch_of_none(rules: pdd.Rules) -> None:
    none = GameBatch.initial(rules, 0)
    width, height = rules.board.width, rules.board.height
    shapes = [
        *((0, height, width), (0,), (0,), (0,), (0, 2, 3), (0, 2), (0,)),
        *((0, len(PLANES), height, width), (0, len(none.space)), (0,), (0, 2), (0,)),
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
        with pytest.raises(pdd.PonteError, match="out of all proportion"):
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
        with pytest.raises(pdd.PonteError, match="state 2 has other rules than state 0"):
            GameBatch.from_states([usual, usual, pdd.GameState.initial(other), usual])
    equal = pdd.GameState.initial(pdd.Rules(pdd.Board(10, 10)))
    assert GameBatch.from_states([usual, equal]).size == 2


@pytest.mark.parametrize("wrong", ["state", None, 1, pdd.GameState.initial().position, pdd.Rules()])
def test_states_are_states(wrong: object) -> None:
    with pytest.raises(TypeError, match="state 1 must be GameState or HalfTurn"):
        GameBatch.from_states([pdd.GameState.initial(), wrong])  # type: ignore[list-item]  # the point of the test
    with pytest.raises(TypeError):
        GameBatch.from_states(wrong)  # type: ignore[arg-type]  # as above


# Taking rows


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
    with pytest.raises(TypeError):
        GameBatch.initial(SMALL, 3).take(np.array([0, 1], "m8[s]"))


def test_times_are_no_steps() -> None:
    with pytest.raises(TypeError):
        GameBatch.initial(SMALL, 2).step(np.array([0, 1], "m8[s]"))


# Values


def test_a_batch_cannot_be_changed() -> None:
    games = GameBatch.from_states(mixed())
    for name in ("rules", "space", "_rows", "size", "other"):
        with pytest.raises((FrozenInstanceError, AttributeError)):
            setattr(games, name, None)
        with pytest.raises((FrozenInstanceError, AttributeError)):
            delattr(games, name)
    for array in (*arrays_of(games), games.tiles, games.to_move):
        assert not array.flags.writeable
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_what_a_batch_gives_away_is_the_callers_own() -> None:
    games = GameBatch.from_states(mixed())
    before, kept = answers(games), tuple(each.copy() for each in arrays_of(games))
    for array in answers(games):
        if array is not games.to_move and array.flags.writeable:
            array[...] = 1
    assert [each.flags.writeable for each in answers(games)] == [False, True, False, *[True] * 9]
    assert same_arrays(arrays_of(games), kept)
    assert same_arrays(answers(games), before)


def test_a_step_and_its_codes_are_left_alone() -> None:
    games = GameBatch.initial(SMALL, 3)
    kept = tuple(each.copy() for each in arrays_of(games))
    codes = np.array([1, 2, 3])
    after = games.step(codes)
    assert codes.tolist() == [1, 2, 3]
    codes[:] = 0
    assert after.states() == tuple(
        pdd.GameState.initial(SMALL).step(pdd.PlaceTile(SMALL.board.cells[code]))
        for code in (1, 2, 3)
    )
    assert same_arrays(arrays_of(games), kept)
    for array in arrays_of(after):
        assert not array.flags.writeable
        assert not any(np.shares_memory(array, other) for other in arrays_of(games))
    rows = np.array([0, 0])
    taken = after.take(rows)
    rows[:] = 2
    assert taken.states() == after.states()[:1] * 2


def test_copies_and_pickles_are_equal_and_cannot_be_changed() -> None:
    games = GameBatch.from_states(mixed())
    copies = [copy.copy(games), copy.deepcopy(games)]
    copies += [
        pickle.loads(pickle.dumps(games, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    buffers: list[pickle.PickleBuffer] = []
    outside = pickle.dumps(games, 5, buffer_callback=buffers.append)
    copies.append(pickle.loads(outside, buffers=buffers))
    copies.append(pickle.loads(outside, buffers=[bytearray(each) for each in buffers]))
    for other in copies:
        assert type(other) is GameBatch
        assert (other.rules, other.space) == (games.rules, games.space)
        assert same_arrays(arrays_of(other), arrays_of(games))
        assert not any(each.flags.writeable for each in arrays_of(other))
        assert other.states() == games.states()
    assert same_arrays(answers(copies[-1]), answers(games))


def test_batches_are_equal_only_to_themselves() -> None:
    games = GameBatch.initial(SMALL, 2)
    assert games == games  # noqa: PLR0124  # the point of the test
    assert games != GameBatch.initial(SMALL, 2)
    assert len({games, games, copy.copy(games)}) == 2


@pytest.mark.parametrize("kind", [GameBatch, Playouts, Replays])
def test_no_class_derives_from_these(kind: type) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} is final"):
        type("Mine", (kind,), {})


def test_results_cannot_be_exchanged_but_their_arrays_are_the_callers_own() -> None:
    results = (GameBatch.initial(SMALL, 2).playout(1), replay([pdd.Game.new(SMALL)]))
    for result in results:
        with pytest.raises(FrozenInstanceError):
            setattr(result, "points", None)  # noqa: B010  # the point of the test
        for name in ("points", "winner"):
            array = getattr(result, name)
            array[...] = 9
            assert (getattr(pickle.loads(pickle.dumps(result)), name) == 9).all()
        assert result == result  # noqa: PLR0124  # and it can be asked
        assert result != copy.copy(result)


def test_a_batch_says_what_it_is() -> None:
    assert repr(GameBatch.initial(pdd.Rules(pdd.Board(12, 7)), 3)) == "<GameBatch of 3 on 12×7>"
    assert repr(GameBatch.initial(SMALL, 0)) == "<GameBatch of 0 on 5×4>"


def test_types_and_shapes() -> None:
    games = GameBatch.from_states(mixed())
    board, number = SMALL.board, games.size
    plane = (board.height, board.width)
    expected: list[tuple[type, tuple[int, ...]]] = [
        (np.int8, (number, *plane)),
        (np.bool_, (number,)),
        (np.int8, (number,)),
        (np.int8, (number,)),
        (np.int32, (number, 2, 3)),
        (np.int32, (number, 2)),
        (np.int8, (number,)),
        (np.uint8, (number, len(PLANES), *plane)),
        (np.uint8, (number, len(games.space))),
        (np.int32, (number,)),
        (np.int32, (number, 2)),
        (np.int8, (number,)),
    ]
    for array, (kind, shape) in zip(answers(games), expected, strict=True):
        assert array.dtype == kind
        assert array.shape == shape


def test_everything_public_is_named() -> None:
    assert sorted(batch.__all__) == ["GameBatch", "PLANES", "Playouts", "Replays", "replay"]
    for name in batch.__all__:
        assert hasattr(batch, name)


# The smallest boards


def test_a_game_on_one_cell() -> None:
    rules = pdd.Rules(pdd.Board(1, 1))
    games = GameBatch.initial(rules, 2)
    seats = []
    for codes in ([3, 3], [1, 2], [3, 3]):
        assert not games.is_over.any()
        seats.append(games.seat_to_move.tolist())
        games = games.step(codes)
    assert games.is_over.all()
    # Whoever has not taken red passes last.
    assert [*seats, games.seat_to_move.tolist()] == [[0, 0], [1, 1], [0, 1], [NONE, NONE]]
    assert games.winner.tolist() == [NONE, NONE]
    assert games.playout(1).turns.tolist() == [0, 0]
    assert GameBatch.initial(rules, 3).playout(1).turns.tolist() == [2, 2, 2]


# Planes

COMPASS = {
    "bridges east": (2, 0),
    "bridges west-northwest": (-2, 1),
    "bridges east-northeast": (2, 1),
    "bridges northwest": (-2, 2),
    "bridges north-northwest": (-1, 2),
    "bridges north": (0, 2),
    "bridges north-northeast": (1, 2),
    "bridges northeast": (2, 2),
}


def seen(row: Row) -> dict[str, npt.NDArray[np.uint8]]:
    """Return what each plane should show of a row."""
    state = state_behind(row)
    board, position = state.rules.board, state.position
    own = pdd.Color.WHITE if row.to_move is None else row.to_move
    marked: dict[str, list[pdd.Cell]] = {
        "own tiles": list(position.tiles(own)),
        "other tiles": list(position.tiles(own.opponent)),
        "blocked cells": list(position.blocked),
        "first tile": [row.first] if isinstance(row, pdd.HalfTurn) else [],
        "white moves": list(board) if row.to_move is pdd.Color.WHITE else [],
        "colour choice": list(board) if state.phase is pdd.Phase.COLOR_CHOICE else [],
        "last turn": list(board) if state.phase is pdd.Phase.LAST_TURN else [],
    }
    for color, (name, step) in product(pdd.Color, COMPASS.items()):
        marked.setdefault(name, []).extend(
            a
            for a, b in (bridge.ends for bridge in position.bridges(color))
            if (b.column - a.column, b.row - a.row) == step
        )
    found = {name: np.zeros((board.height, board.width), np.uint8) for name in marked}
    for name, cells in marked.items():
        for cell in cells:
            found[name][cell.row, cell.column] = 1
    return found


def test_planes_have_names() -> None:
    assert (
        *("own tiles", "other tiles", "blocked cells", "first tile"),
        *COMPASS,
        *("white moves", "colour choice", "last turn"),
    ) == PLANES


PLANE_RULES = [*ODD_RULES, pdd.Rules(pdd.Board(6, 7)), pdd.Rules(pdd.Board(64, 2))]


@pytest.mark.parametrize("rules", PLANE_RULES, ids=pdd.format_rules)
def test_planes_show_the_position(rules: pdd.Rules) -> None:
    rng = Random(2)
    rows = [*mixed(rules), *beginnings(rules, 12, rng)]
    planes = GameBatch.from_states(rows).planes()
    for row, found in zip(rows, planes, strict=True):
        expected = seen(row)
        for name, plane in zip(PLANES, found, strict=True):
            assert plane.tolist() == expected[name].tolist(), (row, name)


def test_a_position_as_planes() -> None:
    state = state_of(
        """
        4 . . . r .
        3 w . . . .
        2 . r . . .
        1 w . . w .
          a b c d e
        bridges a1-a3 d4-b2
        """,
        pdd.Color.RED,
    )
    planes = dict(zip(PLANES, GameBatch.from_states([state]).planes()[0], strict=True))
    marked = {
        name: {str(cell) for cell in state.rules.board.cells if plane[cell.row, cell.column]}
        for name, plane in planes.items()
        if plane.any()
    }
    assert marked == {
        "own tiles": {"b2", "d4"},
        "other tiles": {"a1", "a3", "d1"},
        "blocked cells": {"a2", "c3"},
        "bridges north": {"a1"},
        "bridges northeast": {"b2"},
    }


def test_planes_tell_what_the_supply_has() -> None:
    # As said of them: with the rules, tiles and bridges in sight give what is left.
    rules = ODD_RULES[2]
    rows = [row for row in mixed(rules, 40) if row.to_move is not None]
    for row, planes in zip(rows, GameBatch.from_states(rows).planes(), strict=True):
        state = state_behind(row)
        assert row.to_move is not None
        assert state.tiles_left(row.to_move) == 5 - int(planes[0].sum())
        assert state.bridges_left == 1 - int(planes[4:12].sum())


# Playouts


def test_the_same_seed_gives_the_same_games() -> None:
    # A change of these numbers breaks the promise of equal games for equal seeds within a
    # version. Between versions it is allowed.
    def turns(width: int, height: int) -> list[int]:
        found: list[int] = (
            GameBatch.initial(pdd.Rules(pdd.Board(width, height)), 5).playout(3).turns.tolist()
        )
        return found

    assert turns(10, 10) == [48, 50, 50, 52, 54]
    assert turns(5, 4) == [12, 12, 12, 10, 12]
    assert turns(40, 5) == [102, 96, 102, 102, 102]


@pytest.mark.parametrize("processors", [None, 1, 2, 3, 64])
def test_playouts_do_not_depend_on_threads(
    processors: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    # There are never more threads than processors, so that they are many has to be pretended.
    monkeypatch.setattr(os, "cpu_count", lambda: processors)
    side = sized(6, 4)
    games = GameBatch.from_states(mixed(pdd.Rules(pdd.Board(side, side)), sized(50, 8)))
    alone = games.playout(17)
    for threads in (1, 2, 3, 7, games.size, games.size + 1, 10**9, np.int8(2)):
        assert same_arrays(parts(games.playout(17, threads)), parts(alone))
    assert same_arrays(parts(games.playout(seed=np.uint64(17), threads=2)), parts(alone))
    for few in range(4):
        some = games.take(range(few))
        assert same_arrays(parts(some.playout(3, threads=3)), parts(some.playout(3)))


def test_playouts_depend_on_the_seed() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(6, 5)), sized(200, 12))
    seeds = (0, 1, 2, 2**32, 2**64, 2**64 + 1, 10**100)
    found = [parts(games.playout(seed)) for seed in seeds]
    for place, one in enumerate(found):
        assert not any(same_arrays(one, other) for other in found[:place])
    # And the games of one batch are different ones.
    assert len(set(zip(*found[0][1].T.tolist(), found[0][0].tolist(), strict=True))) > 4


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_playouts_end_where_games_end(rules: pdd.Rules) -> None:
    rows = mixed(rules, sized(60, 8))
    found = GameBatch.from_states(rows).playout(23)
    for row, turns, points, winner in zip(
        rows, found.turns.tolist(), found.points.tolist(), found.winner.tolist(), strict=True
    ):
        state = state_behind(row)
        if row.is_over:
            assert (turns, winner) == (0, winner_of(state))
            assert points == [state.score(color).points for color in pdd.Color]
            continue
        assert turns > 0
        # Both colours have had equally many turns, and what was scored stays.
        begun = 0 if state.phase is pdd.Phase.OPENING else state.turn
        assert (begun + turns) % 2 == 0
        assert all(
            after >= state.score(color).points
            for after, color in zip(points, pdd.Color, strict=True)
        )
        if points[0] != points[1]:
            assert winner == int(points[1] > points[0])
        elif not rules.tiebreaks:
            assert winner == NONE


def test_finished_games_are_not_played_on() -> None:
    rows = [row for seed in range(5) for row in visited(SMALL, Random(seed)) if row.is_over]
    games = GameBatch.from_states(rows)
    found = games.playout(4, threads=2)
    assert not found.turns.any()
    assert found.points.tolist() == games.points.tolist()
    assert found.winner.tolist() == games.winner.tolist()


def test_playouts_leave_the_batch_alone() -> None:
    games = GameBatch.from_states(mixed())
    kept = tuple(each.copy() for each in arrays_of(games))
    games.playout(1, threads=3)
    assert same_arrays(arrays_of(games), kept)


# Threads


def test_threads_can_share_batches() -> None:
    # The interpreter's lock is released, so nothing that is written to may be shared.
    many = [GameBatch.from_states(mixed(rules, sized(40, 2))) for rules in PLANE_RULES]
    alone = [everything(games) for games in many]
    tasks = list(range(len(many))) * sized(8, 2)
    with ThreadPoolExecutor(8) as pool:
        for place, found in zip(
            tasks, pool.map(lambda task: everything(many[task]), tasks), strict=True
        ):
            assert same_arrays(found, alone[place])


def everything(games: GameBatch) -> Arrays:
    """Return all that a batch says, all that comes of a step, and a replay of its states."""
    mask = games.legal_mask()
    # Where a game is over there is no legal step, and any code will do.
    after = games.step(mask.argmax(axis=1))
    again = replay([pdd.Game.new(start=state_behind(row)) for row in games.states()])
    return (*answers(games), *arrays_of(after), again.points, again.winner, again.illegal_at)


# Records: the rest is where they are held against the core


def test_no_records_at_all() -> None:
    nothing: list[pdd.Game] = []
    for none in (nothing, (), iter(nothing)):
        found = replay(none)
        assert found.points.shape == (0, 2)
        assert found.winner.shape == found.is_over.shape == found.illegal_at.shape == (0,)
        kinds = [each.dtype for each in (found.points, found.winner, found.is_over)]
        assert kinds == [np.int32, np.int8, np.bool_]


def test_records_without_actions() -> None:
    found = replay([pdd.Game.new(rules) for rules in ODD_RULES])
    assert not found.points.any()
    assert found.winner.tolist() == found.illegal_at.tolist() == [NONE] * 4
    assert not found.is_over.any()


@pytest.mark.parametrize("wrong", ["game", None, 1, pdd.GameState.initial(), pdd.Rules()])
def test_records_are_records_or_games(wrong: object) -> None:
    with pytest.raises(TypeError, match="record 1 must be Record or Game"):
        replay([pdd.Game.new(), wrong])  # type: ignore[list-item]  # the point of the test
    with pytest.raises(TypeError):
        replay(wrong)  # type: ignore[arg-type]  # as above
    with pytest.raises(TypeError):
        replay(pdd.Game.new())  # type: ignore[arg-type]  # as above


def test_archives_are_read_as_they_come() -> None:
    head = '[Rules "{} tiles=unlimited bridges=unlimited tiebreaks=none"]\n'
    text = f"{head.format('5x5')}1. a1,b2 red 2. c3,d4 *\n\n"
    text += f"{head.format('4x4')}1. a1,b2 red 2. b2,d4 *\n"
    read = pdd.records.iter_records(text.splitlines(keepends=True))
    found = replay(record for record in read if isinstance(record, Record))
    assert found.illegal_at.tolist() == [NONE, 2]
    games = list(pdd.records.iter_games(text.replace(" 2. b2,d4", "").splitlines(keepends=True)))
    assert replay(chain(games, games)).illegal_at.tolist() == [NONE] * 4


# Without NumPy or Numba


def run(program: str) -> subprocess.CompletedProcess[str]:
    """Run a program in an interpreter of its own."""
    return subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("missing", ["numba", "numpy"])
def test_what_is_missing_is_said(missing: str) -> None:
    done = run(
        f"import sys; sys.modules[{missing!r}] = None; import pontedeldiavolo\n"
        "try:\n"
        "    import pontedeldiavolo.batch\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "try:\n"
        "    from pontedeldiavolo.batch import GameBatch\n"
        "except ImportError as error:\n"
        "    print(error)\n"
        "print(pontedeldiavolo.perft(pontedeldiavolo.GameState.initial(), 1))\n"
    )
    line = "pontedeldiavolo.batch needs NumPy and Numba: pip install 'pontedeldiavolo[batch]'\n"
    assert (done.stdout, done.stderr) == (2 * line + "4950\n", "")


def test_numba_is_asked_for_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "pontedeldiavolo.batch")
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ImportError, match=r"pip install 'pontedeldiavolo\[batch\]'") as caught:
        importlib.import_module("pontedeldiavolo.batch")
    assert caught.value.name == "numba"
    assert isinstance(caught.value.__cause__, ImportError)


def test_the_package_alone_needs_neither() -> None:
    done = run(
        "import sys, pontedeldiavolo as pdd\n"
        "pdd.GameState.initial().apply(pdd.parse_action('a1,b1'))\n"
        "print(sorted({'numba', 'numpy', 'pontedeldiavolo.batch'} & set(sys.modules)))"
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")
