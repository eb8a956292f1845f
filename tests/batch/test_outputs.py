"""What batches write to arrays of their callers, packed masks, drawn steps, and threads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import PLANES, GameBatch, RowError
from support.batch_rows import PLANE_RULES, SIDES, SMALL, mixed
from support.batches import (
    NONE,
    Arrays,
    Row,
    arrays_of,
    fits,
    same_arrays,
    share_all,
    sized,
    state_behind,
)

BOARDS = [pdd.Rules(pdd.Board(*sides)) for sides in (*SIDES, (16, 16), (17, 17), (16, 1), (32, 2))]
CANARY = 0xA5
AROUND = 192
"""So many bytes before and behind an array: more than a row of any board."""

Write = Callable[[GameBatch, npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]


def masks(games: GameBatch, out: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return games.legal_mask(out=out)


def packed(games: GameBatch, out: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return games.legal_mask(out=out, packed=True)


def pictures(games: GameBatch, out: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    return games.planes(out=out)


WRITES: dict[str, Write] = {"masks": masks, "packed masks": packed, "planes": pictures}


def expected(games: GameBatch, name: str) -> npt.NDArray[np.uint8]:
    """Return what is written when nothing is given to write to."""
    if name == "planes":
        return games.planes()
    return games.legal_mask(packed=name == "packed masks")


def within(shape: tuple[int, ...], slack: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return memory that is marked, and in its midst an array; *slack* moves its beginning."""
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


def test_what_is_returned_is_the_callers_own() -> None:
    games = GameBatch.from_states(mixed())
    for name in WRITES:
        found = expected(games, name)
        kept = found.copy()
        found[:] = CANARY
        assert np.array_equal(expected(games, name), kept)


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


def test_packed_is_a_bool() -> None:
    for wrong in (0, 1, None, "yes", np.True_):
        with pytest.raises(TypeError, match="packed must be "):
            GameBatch.initial(SMALL).legal_mask(packed=wrong)  # type: ignore[arg-type]


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
    )
    for threads in (1, 2, 7, games.size, games.size + 1, 10**9, np.int8(2)):
        again: Arrays = (
            *(games.legal_mask(threads=threads), games.legal_mask(packed=True, threads=threads)),
            *(games.planes(threads=threads), games.sample_steps(3, threads=threads)),
            games.sample_steps(5, weights, threads),
            *arrays_of(games.step(codes, threads)),
        )
        assert same_arrays(again, wanted)
    for few in range(3):
        some = games.take(range(few))
        assert same_arrays((some.legal_mask(threads=3),), (wanted[0][:few],))
        assert np.array_equal(some.sample_steps(3, threads=3), codes[:few])


def test_the_first_row_that_is_refused_is_named_whatever_the_threads(
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


def test_threads_are_a_positive_number() -> None:
    games = GameBatch.initial(SMALL, 2)
    calls: list[Callable[[Any], object]] = [
        lambda threads: games.legal_mask(threads=threads),
        lambda threads: games.legal_mask(packed=True, threads=threads),
        lambda threads: games.planes(threads=threads),
        lambda threads: games.sample_steps(1, threads=threads),
        lambda threads: games.step([0, 1], threads),
    ]
    for call in calls:
        for number in (0, -1, -(10**30)):
            with pytest.raises(pdd.PonteError, match=f"threads must be positive: {number}"):
                call(number)
        for wrong in (1.0, "2", None):
            with pytest.raises(TypeError, match="threads must be "):
                call(wrong)


# Drawn steps


def going_on(rules: pdd.Rules) -> list[Row]:
    """Return rows of every kind and phase that go on."""
    rows = [row for row in mixed(rules, 40) if not row.is_over]
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[:2]]


@pytest.mark.parametrize(
    "rules", [SMALL, pdd.Rules(pdd.Board(34, 2))][: sized(2, 1)], ids=pdd.format_rules
)
def test_steps_are_drawn_alike_or_by_weights(rules: pdd.Rules) -> None:
    rng = np.random.default_rng(2)
    for seed, row in enumerate(going_on(rules)):
        games = GameBatch.from_states([row])
        mask = games.legal_mask()[0] != 0
        legal = np.flatnonzero(mask).tolist()
        many = games.copies(len(legal) * sized(60, 8))
        drawn = many.sample_steps(seed)
        assert (drawn.shape, drawn.dtype.name) == ((many.size,), "int32")
        assert fits(Counter(drawn.tolist()), dict.fromkeys(legal, 1 / len(legal)))
        weights = np.where(mask, rng.exponential(5.0, len(mask)), np.nan)
        chances = {code: weights[code] / weights[mask].sum() for code in legal}
        found = many.sample_steps(seed, np.broadcast_to(weights, (many.size, len(mask))))
        assert fits(Counter(found.tolist()), chances)


def test_the_same_seed_draws_the_same_steps() -> None:
    games = GameBatch.from_states(mixed(SMALL, 40))
    drawn = games.sample_steps(7)
    assert np.array_equal(games.sample_steps(np.uint64(7)), drawn)
    assert np.array_equal(drawn == NONE, games.is_over)
    assert games.is_over.any()
    assert not np.array_equal(games.sample_steps(8), drawn)
    # It does not move what else is drawn, and every draw is a legal step.
    assert games.step(drawn).size == games.size
    assert games.sample_steps(1, np.ones((games.size, len(games.space)))).min() == NONE
    assert games.take([]).sample_steps(1).shape == (0,)
    for wrong, said in ((-1, "seed must not be negative: -1"), (-(10**40), "must not be negative")):
        with pytest.raises(pdd.PonteError, match=said):
            games.sample_steps(wrong)
    with pytest.raises(TypeError, match="seed must be "):
        games.sample_steps(1.0)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [-1.0, np.nan, np.inf, 0.0])
def test_weights_that_nothing_can_be_drawn_by_are_refused(wrong: float) -> None:
    games = GameBatch.from_states([row for row in mixed(SMALL, 30) if not row.is_over])
    mask = games.legal_mask() != 0
    for row in range(games.size):
        weights = np.where(mask, 1.0, -np.inf)
        weights[row:][mask[row:]] = wrong
        with pytest.raises(RowError) as caught:
            games.sample_steps(1, weights)
        assert (caught.value.row, caught.value.problem) == (
            row,
            "the weights of legal steps must be 0 or more, with a finite sum that is not 0",
        )
        assert str(caught.value) == f"row {row}: {caught.value.problem}"
        assert isinstance(caught.value, pdd.PonteError)


def test_weights_have_a_number_for_each_step() -> None:
    games = GameBatch.initial(SMALL, 2)
    number = len(games.space)
    for shape in ((number,), (2, number + 1), (3, number), ()):
        with pytest.raises(pdd.PonteError, match=rf"weights must have shape \(2, {number}\), not"):
            games.sample_steps(1, np.ones(shape))
    with pytest.raises(TypeError, match="weights must be real numbers, not complex128"):
        games.sample_steps(1, np.ones((2, number), complex))
    assert games.planes().shape[1] == len(PLANES)
