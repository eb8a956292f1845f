"""Arrays that callers give to write to, packed masks, and threads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, RowError
from support.batch_rows import PLANE_RULES, SIDES, SMALL, mixed, parts
from support.batches import Arrays, arrays_of, same_arrays, share_all, sized

BOARDS = [pdd.Rules(pdd.Board(*sides)) for sides in (*SIDES, (16, 16), (17, 17), (16, 1), (32, 2))]
CANARY = 0xA5
AROUND = 192
"""The number of bytes before and behind an array: more than a row of any board."""

Write = Callable[[GameBatch, npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]
WRITES: dict[str, Write] = {
    "masks": lambda games, out: games.legal_mask(out=out),
    "packed masks": lambda games, out: games.legal_mask(out=out, packed=True),
    "planes": lambda games, out: games.planes(out=out),
}


def expected(games: GameBatch, name: str) -> npt.NDArray[np.uint8]:
    """Return what is written when nothing is given to write to."""
    if name == "planes":
        return games.planes()
    return games.legal_mask(packed=name == "packed masks")


def within(shape: tuple[int, ...], slack: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return marked memory and an array within it; *slack* moves the array's beginning."""
    size = int(np.prod(shape))
    memory = np.full(2 * AROUND + slack + size, CANARY, np.uint8)
    begin = AROUND + slack
    return memory, memory[begin : begin + size].reshape(shape)


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("rules", BOARDS, ids=pdd.format_rules)
def test_nothing_is_written_beyond_an_array(rules: pdd.Rules, name: str) -> None:
    rows = mixed(rules, sized(4, 2))
    games = GameBatch.from_states(rows)
    # All rows, the last one alone, and the first one alone: rows behind it hide what it does.
    for some in (games, games.take([-1]), games.take([0]), games.take([])):
        wanted = expected(some, name)
        for slack in (0, 1, 7):
            memory, out = within(wanted.shape, slack)
            found = WRITES[name](some, out)
            assert found is out
            assert np.array_equal(out, wanted)
            assert (memory[: AROUND + slack] == CANARY).all()
            assert (memory[len(memory) - AROUND :] == CANARY).all()


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.float16, np.float32, np.float64])
def test_planes_of_any_type_go_where_they_are_wanted(dtype: type[np.generic]) -> None:
    games = GameBatch.from_states(mixed())
    own = np.arange(games.size) % 2
    wanted = games.planes(own).astype(dtype)
    out = np.empty(wanted.shape, dtype)
    found: npt.NDArray[Any] = games.planes(own, dtype=dtype, out=out)
    assert found is out
    assert same_arrays((out,), (wanted,))
    again: npt.NDArray[Any] = games.planes(own, dtype=np.dtype(dtype), threads=2)
    assert same_arrays((again,), (wanted,))
    for other in {np.uint16, np.float32} - {dtype}:
        with pytest.raises(pdd.PonteError, match=f"out must be of type {np.dtype(dtype)}, not"):
            games.planes(own, dtype=dtype, out=out.astype(other))


@pytest.mark.parametrize("name", WRITES)
def test_only_a_fitting_array_is_written_to(name: str) -> None:
    games = GameBatch.from_states(mixed(SMALL, 4))
    wanted = expected(games, name)
    shape = wanted.shape
    shapes = [shape[:-1], (*shape, 1), (3, *shape[1:]), (5, *shape[1:]), (wanted.size,)]
    shapes.append((*shape[:-1], shape[-1] + 1))
    for wrong in shapes:
        out = np.full(wrong, CANARY, np.uint8)
        with pytest.raises(pdd.PonteError) as caught:
            WRITES[name](games, out)
        assert str(caught.value) == f"out must have shape {shape}, not {wrong}"
        assert (out == CANARY).all()
    for kind in (np.bool_, np.int8, np.uint16, np.float64):
        with pytest.raises(pdd.PonteError, match="out must be of type uint8, not"):
            WRITES[name](games, np.zeros(shape, kind))
    whole = "out must be writeable, aligned and without gaps, row after row"
    gaps = np.full((2 * shape[0], *shape[1:]), CANARY, np.uint8)
    read_only = np.full(shape, CANARY, np.uint8)
    read_only.setflags(write=False)
    for out in (
        *(gaps[::2], gaps[: shape[0]][::-1], read_only),
        *(np.asfortranarray(read_only.copy()), gaps[:4, ..., ::-1]),
    ):
        assert out.shape == shape
        with pytest.raises(pdd.PonteError, match=whole):
            WRITES[name](games, out)
        assert (out == CANARY).all()
    for none in (wanted.tolist(), bytearray(wanted.tobytes()), "out"):
        with pytest.raises(TypeError, match="out must be "):
            WRITES[name](games, none)  # type: ignore[arg-type]


def test_planes_that_are_not_aligned_are_not_written_to() -> None:
    games = GameBatch.from_states(mixed(SMALL, 2))
    shape = games.planes().shape
    out = np.zeros(4 * int(np.prod(shape)) + 1, np.uint8)[1:].view(np.float32).reshape(shape)
    with pytest.raises(pdd.PonteError, match="out must be writeable, aligned and without gaps"):
        games.planes(dtype=np.float32, out=out)
    assert not out.any()


# Packed masks


@pytest.mark.parametrize("rules", PLANE_RULES, ids=pdd.format_rules)
def test_packed_masks_hold_the_same_bits(rules: pdd.Rules) -> None:
    # More rows than are packed at once.
    games = GameBatch.from_states(mixed(rules, sized(60, 6))).copies(sized(40, 1))
    codes = len(games.space)
    found = games.legal_mask(packed=True)
    assert found.shape == (games.size, (codes + 7) // 8)
    assert found.dtype == np.uint8
    bits = np.unpackbits(found, axis=1, count=codes, bitorder="little")
    assert np.array_equal(bits, games.legal_mask())
    # What fills up the last byte is zero.
    assert not np.unpackbits(found, axis=1, bitorder="little")[:, codes:].any()
    assert same_arrays((games.legal_mask(packed=True, threads=3),), (found,))


# Threads


@pytest.mark.parametrize("processors", [1, 3, 64])
def test_nothing_depends_on_threads(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, processors)
    rows = mixed(SMALL, sized(40, 10))
    games = GameBatch.from_states(rows)
    weights = np.random.default_rng(1).random((games.size, len(games.space)))
    codes = games.sample_steps(3)
    wanted: Arrays = (
        *(games.legal_mask(), games.legal_mask(packed=True), games.planes()),
        *(codes, games.sample_steps(5, weights), *arrays_of(games.step(codes))),
        *parts(games.playout(seed=np.uint64(17))),
    )
    for threads in (1, 2, 7, games.size, games.size + 1, 10**9, np.int8(2)):
        again: Arrays = (
            *(games.legal_mask(threads=threads), games.legal_mask(packed=True, threads=threads)),
            *(games.planes(threads=threads), games.sample_steps(3, threads=threads)),
            games.sample_steps(5, weights, threads),
            *(*arrays_of(games.step(codes, threads)), *parts(games.playout(17, threads))),
        )
        assert same_arrays(again, wanted)
    for few in range(3):
        some = games.take(range(few))
        assert same_arrays((some.legal_mask(threads=3),), (wanted[0][:few],))
        assert np.array_equal(some.sample_steps(3, threads=3), codes[:few])
        assert same_arrays(parts(some.playout(3, threads=3)), parts(some.playout(3)))


def test_threads_name_the_first_row_that_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    share_all(monkeypatch, 8)
    games = GameBatch.initial(SMALL, 20)
    passing = len(games.space) - 1
    for threads in (1, 2, 5, 20):
        for row in (0, 1, 7, 19):
            codes = np.zeros(20, np.int64)
            codes[row:] = passing
            with pytest.raises(pdd.IllegalActionError) as caught:
                games.step(codes, threads)
            assert caught.value.row == row
            weights = np.ones((20, len(games.space)))
            weights[row:, 0] = -1
            with pytest.raises(RowError) as refused:
                games.sample_steps(1, weights, threads)
            assert refused.value.row == row
