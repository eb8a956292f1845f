"""Batches as values: their arrays, copies and shared memory."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest
from attrs.exceptions import FrozenInstanceError

import pontedeldiavolo as pdd
from pontedeldiavolo import batch
from pontedeldiavolo.batch import PLANES, GameBatch, Playouts, Replays, replay
from support.batch_rows import SMALL, answers, mixed
from support.batches import arrays_of, same_arrays


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
    for array in (games.phase, games.to_move, games.first, games.white_owner, games.tiles):
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)


def test_callers_own_the_arrays_of_a_batch() -> None:
    games = GameBatch.from_states(mixed())
    before, kept = answers(games), tuple(each.copy() for each in arrays_of(games))
    for array in answers(games):
        if array.flags.writeable:
            array[...] = 1
    own = [each.flags.writeable for each in answers(games)]
    # The tiles; then phases, first tiles, owners of white and colours to move.
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
    assert len({games, copy.copy(games), GameBatch.initial(SMALL, 2)}) == 2


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
        assert [(array.dtype.name, array.shape) for array in found] == [
            (kind, (size, *shape)) for kind, shape in expected
        ]
