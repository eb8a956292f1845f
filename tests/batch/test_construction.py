"""Batches: creation, replacement, bytes, hashes, arrays and copies."""

from __future__ import annotations

import copy
import pickle
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from attrs.exceptions import FrozenInstanceError
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from pontedeldiavolo.batch import PLANES, GameBatch, GamePool, Playouts, Replays, replay
from support.batch_rows import ODD_RULES, RULES, SHAPES, SMALL, answers, mixed, set_ups
from support.batches import Row, arrays_of, require_equal_rows_but_for_none, same_arrays, splitmix


def test_a_batch_is_made_by_its_class_methods_only() -> None:
    with pytest.raises(TypeError, match=r"GameBatch\.initial\(\) or GameBatch\.from_states\(\)"):
        GameBatch()


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
def test_an_empty_batch(rules: pdd.Rules) -> None:
    none = GameBatch.initial(rules, 0)
    shapes = [(0, *array.shape[1:]) for array in answers(GameBatch.initial(rules))]
    assert [array.shape for array in answers(none)] == shapes
    assert none.packed().shape == (0, 1 + 2 * ((len(rules.board) + 7) // 8))
    assert none.packed().dtype == np.uint8
    assert none.states() == ()
    assert none.step([]).size == none.take([]).size == none.take(np.array([], bool)).size == 0
    assert none.playout(1, threads=4).turns.shape == (0,)
    assert not none
    for other in (none.step(np.array([], np.uint8)), pickle.loads(pickle.dumps(none))):
        assert (other.rules, other.size) == (rules, 0)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_states_of_any_kind_go_in_and_come_out(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    assert games.rules == rules
    assert games.states() == tuple(rows)
    assert [type(row) for row in games.states()] == [type(row) for row in rows]
    # Any iterable is accepted, and later changes to it have no effect.
    assert GameBatch.from_states(row for row in rows).states() == tuple(rows)
    before = list(rows)
    rows.clear()
    assert games.states() == tuple(before)
    assert games.states() == GameBatch.from_states(games.states()).states()


def test_states_have_one_set_of_rules() -> None:
    usual = pdd.GameState.initial()
    supplies = (pdd.Rules(tiles_per_color=40), pdd.Rules(bridges=15), pdd.Rules(tiebreaks=()))
    for other in (pdd.Rules(pdd.Board(10, 11)), *supplies):
        with pytest.raises(pdd.PonteError, match="states: number 2 has other rules than number 0"):
            GameBatch.from_states([usual, usual, pdd.GameState.initial(other), usual])
    equal = pdd.GameState.initial(pdd.Rules(pdd.Board(10, 10)))
    assert GameBatch.from_states([usual, equal]).size == 2


def test_taken_rows_come_in_the_order_asked_for() -> None:
    rows = mixed()
    games = GameBatch.from_states(rows)
    size = len(rows)
    many: list[Any] = [
        *([0], [-1, 0], [3, 3, 1, 3], list(range(size)), [-size, size - 1], [], (2, 1), range(3)),
        *(np.array([1, 0], kind) for kind in (np.uint8, np.uint64, ">i4", object)),
        *(np.array([-1, 0], np.int8), np.array([5, 4, 3, 2])[::2]),
        *(np.array([], object), np.array([], np.uint16), np.repeat([1, -1], 50)),
    ]
    for wanted in many:
        taken = games.take(wanted)
        assert taken.rules == games.rules
        require_equal_rows_but_for_none(taken, [rows[place] for place in wanted])
    for kept in ([True] * size, [False] * size, [place % 3 == 0 for place in range(size)]):
        expected = [row for row, keep in zip(rows, kept, strict=True) if keep]
        require_equal_rows_but_for_none(games.take(kept), expected)
        assert games.take(np.array(kept)).states() == tuple(expected)
    assert games.states() == tuple(rows)


@pytest.mark.parametrize("kind", "bBhHiIlLqQO")
def test_steps_are_whole_numbers_of_any_type(kind: str) -> None:
    games = GameBatch.initial(SMALL, 3)
    pool = GamePool(SMALL, 3)
    expected = games.step([0, 7, 19])
    usual = np.array([0, 7, 19], kind)
    spread = np.array([0, 1, 7, 1, 19, 1], kind)[::2]
    turned = usual.astype(np.dtype(kind).newbyteorder(">"))
    for codes in (usual, spread, turned, np.ma.MaskedArray(usual.copy())):
        codes.setflags(write=False)
        assert same_arrays(arrays_of(games.step(codes)), arrays_of(expected))
        pool.reset(range(3))
        pool.step(codes)
        assert same_arrays(arrays_of(pool.games), arrays_of(expected))


def require_unchanged(games: GameBatch, rows: list[pdd.Node]) -> None:
    """Require that a batch has not changed, and that its arrays are read-only."""
    assert games.states() == tuple(rows)
    assert not any(array.flags.writeable for array in arrays_of(games))


def apart(one: GameBatch, other: GameBatch) -> bool:
    """Return whether two batches share no memory."""
    return not any(np.shares_memory(a, b) for a, b in product(arrays_of(one), arrays_of(other)))


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_batches_are_joined_in_their_order(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    parts = [rows[:3], rows[3:4], [], rows[4:]]
    empty = GameBatch.initial(rules, 0)
    batches = [GameBatch.from_states(part) if part else empty for part in parts]
    joined = GameBatch.concat(batches)
    require_equal_rows_but_for_none(joined, rows)
    assert all(apart(joined, each) for each in batches)
    backwards = (*rows[4:], *rows[3:4], *rows[:3])
    assert GameBatch.concat(each for each in batches[::-1]).states() == backwards
    alone = GameBatch.concat([joined])
    assert same_arrays(arrays_of(alone), arrays_of(joined))
    assert apart(alone, joined)
    none = GameBatch.concat([empty] * 2)
    assert (none.size, none.rules) == (0, rules)


def test_joined_batches_have_one_set_of_rules() -> None:
    small = GameBatch.initial(SMALL)
    other = GameBatch.initial(pdd.Rules(SMALL.board, 9))
    with pytest.raises(pdd.PonteError, match="batches: number 2 has other rules than number 0"):
        GameBatch.concat([small, small, other, small])
    with pytest.raises(pdd.PonteError, match="batches: number 1 has other rules than number 0"):
        GameBatch.concat([GameBatch.initial(other.rules, 0), GameBatch.initial(SMALL, 0)])


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
    replaced = games.replace(wanted, other)
    require_equal_rows_but_for_none(replaced, expected)
    require_unchanged(games, rows)
    assert apart(replaced, games)
    assert apart(replaced, other)
    marks = [False] * len(rows)
    for place in np.asarray(wanted).tolist():
        marks[int(place)] = True
    in_order = other.take(np.argsort(np.asarray(wanted, np.int64) % len(rows)))
    assert games.replace(marks, in_order).states() == tuple(expected)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_rows_are_reset(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    start = pdd.GameState.initial(rules)
    again = games.reset(games.is_over)
    assert games.is_over.any()
    require_equal_rows_but_for_none(again, [start if row.is_over else row for row in rows])
    assert apart(again, games)
    twice = games.reset([-1, 1, 1])
    require_equal_rows_but_for_none(twice, [rows[0], start, *rows[2:-1], start])
    assert games.reset([]).states() == tuple(rows)
    assert games.reset(range(len(rows))).states() == (start,) * len(rows)
    require_unchanged(games, rows)


def test_replacement_games_must_fit_the_number_of_rows() -> None:
    games = GameBatch.initial(SMALL, 3)
    for rows, count in (([0], 2), ([0, 1], 1), ([True, False, True], 3), ([], 1)):
        with pytest.raises(pdd.PonteError, match=r"other must have \d games for the rows, not"):
            games.replace(rows, GameBatch.initial(SMALL, count))
    for twice in ([1, 0, 1], [1, 0, -2]):
        with pytest.raises(pdd.PonteError, match="row 1 comes more than once"):
            games.replace(twice, games)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
@pytest.mark.parametrize("number", [0, 1, 3, np.uint8(2)])
def test_every_game_is_copied(rules: pdd.Rules, number: int) -> None:
    rows = mixed(rules, 4)
    games = GameBatch.from_states(rows)
    copies = games.repeat(number)
    require_equal_rows_but_for_none(copies, [row for row in rows for _ in range(number)])
    assert apart(copies, games)


@pytest.mark.parametrize("rules", ODD_RULES, ids=pdd.format_rules)
def test_an_index_gives_a_node_and_a_slice_a_batch(rules: pdd.Rules) -> None:
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


def require_packed(rows: list[Row], found: npt.NDArray[np.uint8]) -> None:
    """Require the bytes of the core with zeros appended; the core must read both."""
    longest = max(len(row.packed()) for row in rows)
    assert found.dtype == np.uint8
    assert found.shape == (len(rows), longest)
    for row, each in zip(rows, found, strict=True):
        assert each.tobytes() == row.packed().ljust(longest, b"\0")
        assert type(row).unpack(row.rules, each.tobytes()) == row


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_bytes_are_those_of_the_core(rules: pdd.Rules) -> None:
    rows = mixed(rules, 20)
    games = GameBatch.from_states(rows)
    require_packed(rows, games.packed())
    # The other rows do not matter, though half turns and bridges make their bytes longer.
    for row in rows:
        require_packed([row], GameBatch.from_states([row]).packed())


@given(set_ups(), st.data())
def test_bytes_of_set_ups(state: pdd.GameState, data: st.DataObject) -> None:
    cells = list(state.legal_actions.first_tiles)
    rows: list[Row] = [pdd.GameState.initial(state.rules), state]
    if cells:
        rows.append(state.step(pdd.PlaceTile(data.draw(st.sampled_from(cells)))))
    require_packed(rows, GameBatch.from_states(rows).packed())


def hashed(row: Row) -> int:
    """Compute the hash of a row as the documentation describes it."""
    found = 0
    for data in (pdd.format_rules(row.rules).encode(), row.packed().rstrip(b"\0")):
        for at in range(0, len(data), 8):
            _, found = splitmix(found ^ int.from_bytes(data[at : at + 8], "little"))
    return found


@pytest.mark.parametrize("rules", RULES, ids=pdd.format_rules)
def test_hashes_are_what_is_documented(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    found = games.hashes()
    assert found.dtype == np.uint64
    assert found.shape == (len(rows),)
    assert found.tolist() == [hashed(row) for row in rows]
    assert [int(GameBatch.from_states([row]).hashes()[0]) for row in rows] == found.tolist()
    assert games.take([2, 0, 2]).hashes().tolist() == found[[2, 0, 2]].tolist()


@pytest.mark.slow
def test_different_games_have_different_hashes() -> None:
    # Among 100,000 rows, a collision has a probability of one in four thousand million.
    numbers = set[int]()
    keys = set[int]()
    nodes = set[tuple[pdd.Rules, bytes]]()
    for rules in RULES:
        # Larger boards would compile other kernels.
        if max(rules.board.width, rules.board.height) > 16:
            continue
        rows = mixed(rules, 200)
        nodes |= {(rules, row.packed()) for row in rows}
        games = GameBatch.from_states(rows)
        numbers |= {*games.hashes().tolist()}
        keys |= {*games.keys.tolist()}
    assert len(keys) == len(numbers) == len(nodes) > 3000


@pytest.mark.parametrize("rules", SHAPES, ids=pdd.format_rules)
def test_keys_are_equal_for_equal_games(rules: pdd.Rules) -> None:
    rows = mixed(rules)
    games = GameBatch.from_states(rows)
    assert games.keys.dtype == np.uint64
    assert games.take([2, 0, 2]).keys.tolist() == games.keys[[2, 0, 2]].tolist()
    again = GameBatch.from_states(type(row).unpack(row.rules, row.packed()) for row in rows)
    assert games[1:].keys.tolist() == again.keys[1:].tolist()


def test_every_bit_of_a_hash_is_used() -> None:
    cells = [pdd.PlaceTile(cell) for cell in pdd.Board()]
    start = pdd.GameState.initial()
    rows = [start.step(a).step(b) for a, b in product(cells, cells[:40]) if a != b]
    found = np.unique(GameBatch.from_states(rows).hashes())
    ones = np.unpackbits(found.view(np.uint8).reshape(-1, 8), axis=1).mean(axis=0)
    assert len(found) > 3000
    assert ((ones > 0.45) & (ones < 0.55)).all()


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
    for array in (games.phase, games.to_move, games.placed_tile, games.white_owner, games.tiles):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)


def test_callers_own_the_arrays_of_a_batch() -> None:
    games = GameBatch.from_states(mixed())
    before = answers(games)
    kept = tuple(each.copy() for each in arrays_of(games))
    for array in answers(games):
        if array.flags.writeable:
            array[...] = 1
    own = [each.flags.writeable for each in answers(games)]
    # The tiles come first; then phases, placed tiles, owners of white, and colours to move.
    assert own == [False, True, *[False] * 4, *[True] * 14]
    assert same_arrays(arrays_of(games), kept)
    assert same_arrays(answers(games), before)


def test_a_step_and_its_codes_are_left_alone() -> None:
    games = GameBatch.initial(SMALL, 3)
    kept = tuple(each.copy() for each in arrays_of(games))
    codes = np.array([1, 2, 3])
    after = games.step(codes)
    assert codes.tolist() == [1, 2, 3]
    codes[:] = 0
    tiles = map(pdd.PlaceTile, SMALL.board.cells[1:4])
    assert after.states() == tuple(map(pdd.GameState.initial(SMALL).step, tiles))
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
    protocols = range(pickle.HIGHEST_PROTOCOL + 1)
    copies += [pickle.loads(pickle.dumps(games, protocol)) for protocol in protocols]
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
    assert len({games, copy.copy(games), GameBatch.initial(SMALL, 2)}) == 2


@pytest.mark.parametrize("kind", [GameBatch, Playouts, Replays])
def test_classes_are_final(kind: type) -> None:
    assert getattr(kind, "__final__", False)


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


def test_the_repr_of_a_batch() -> None:
    assert repr(GameBatch.initial(pdd.Rules(pdd.Board(12, 7)), 3)) == "<GameBatch of 3 on 12×7>"
    assert repr(GameBatch.initial(SMALL, 0)) == "<GameBatch of 0 on 5×4>"


def test_dir_shows_the_public_names() -> None:
    assert dir(batch) == sorted(batch.__all__)


def test_types_and_shapes() -> None:
    games = GameBatch.from_states(mixed())
    plane = (SMALL.board.height, SMALL.board.width)
    expected: list[tuple[str, tuple[int, ...]]] = [
        *(("int8", plane), ("bool", ()), ("int8", ()), ("int16", ()), *[("int8", ())] * 3),
        *(("int32", (2, 3)), ("int32", (2,)), *[("int8", ())] * 2, ("int8", (2,))),
        *(("uint8", (len(PLANES), *plane)), ("uint8", (len(games.space),)), ("uint64", ())),
        *(("int32", ()), ("int32", (2,)), *[("int8", ())] * 2, ("int8", (2,))),
    ]
    for size in (games.size, 0):
        found = answers(games.take(range(size)))
        wanted = [(kind, (size, *shape)) for kind, shape in expected]
        assert [(array.dtype.name, array.shape) for array in found] == wanted
