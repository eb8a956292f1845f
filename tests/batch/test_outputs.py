"""Output arrays of callers, packed masks, threads, and steps sampled by weights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool, RowError
from support.batch_rows import PLANE_RULES, SIDES, SMALL, mixed, parts
from support.batches import NONE, arrays_of, fits, same_arrays, share_all, sized, state_behind

BOARDS = [pdd.Rules(pdd.Board(*sides)) for sides in (*SIDES, (16, 16), (17, 17), (16, 1), (32, 2))]
CANARY = 0xA5
AROUND = 192
"""The number of bytes before and after an array, more than a row of any board has."""

Write = Callable[[GameBatch, npt.NDArray[np.uint8]], npt.NDArray[np.uint8]]
WRITES: dict[str, Write] = {
    "masks": lambda games, out: games.legal_mask(out=out),
    "packed masks": lambda games, out: games.legal_mask(out=out, packed=True),
    "planes": lambda games, out: games.planes(out=out),
}


def expected(games: GameBatch, name: str) -> npt.NDArray[np.uint8]:
    """Return the arrays without an output array."""
    if name == "planes":
        return games.planes()
    return games.legal_mask(packed=name == "packed masks")


def within(shape: tuple[int, ...], slack: int = 0) -> tuple[npt.NDArray[Any], npt.NDArray[Any]]:
    """Return marked memory and an array inside it, which begins after *slack* more bytes."""
    size = int(np.prod(shape))
    memory = np.full(2 * AROUND + slack + size, CANARY, np.uint8)
    begin = AROUND + slack
    return memory, memory[begin : begin + size].reshape(shape)


@pytest.mark.parametrize("name", WRITES)
@pytest.mark.parametrize("rules", BOARDS, ids=pdd.format_rules)
def test_nothing_is_written_beyond_an_array(rules: pdd.Rules, name: str) -> None:
    rows = mixed(rules, sized(4, 2))
    games = GameBatch.from_states(rows)
    # Use all rows, only the last one, and only the first one, because later rows hide its errors.
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
    flawed = (gaps[::2], gaps[: shape[0]][::-1], read_only, gaps[:4, ..., ::-1])
    for out in (*flawed, np.asfortranarray(read_only.copy())):
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


@pytest.mark.parametrize("rules", PLANE_RULES, ids=pdd.format_rules)
def test_packed_masks_hold_the_same_bits(rules: pdd.Rules) -> None:
    # These are more rows than one call packs at a time.
    games = GameBatch.from_states(mixed(rules, sized(60, 6))).repeat(sized(40, 1))
    codes = len(games.space)
    found = games.legal_mask(packed=True)
    assert found.shape == (games.size, (codes + 7) // 8)
    assert found.dtype == np.uint8
    bits = np.unpackbits(found, axis=1, count=codes, bitorder="little")
    assert np.array_equal(bits, games.legal_mask())
    # The unused bits of the last byte are zero.
    assert not np.unpackbits(found, axis=1, bitorder="little")[:, codes:].any()
    assert same_arrays((games.legal_mask(packed=True, threads=3),), (found,))


@pytest.mark.parametrize("processors", [1, 3, 64])
def test_nothing_depends_on_threads(processors: int, monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, processors)
    rows = mixed(SMALL, sized(40, 10))
    games = GameBatch.from_states(rows)
    weights = np.random.default_rng(1).random((games.size, len(games.space)))
    codes = games.sample_steps(3)
    wanted: tuple[Any, ...] = (
        *(games.legal_mask(), games.legal_mask(packed=True), games.planes()),
        *(codes, games.sample_steps(5, weights), *arrays_of(games.step(codes))),
        *parts(games.playout(seed=np.uint64(17))),
    )
    for threads in (1, 2, 7, games.size, games.size + 1, 10**9, np.int8(2)):
        again: tuple[Any, ...] = (
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


def test_threads_name_the_first_row_that_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
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


Codes = npt.NDArray[np.int32]
Draw = Callable[..., Codes]
"""Samples a step for each game by weights."""


def draw_from_batch(games: GameBatch, seed: int, threads: int = 1) -> Draw:
    return lambda weights=None: games.sample_steps(seed, weights, threads)


def draw_from_pool(games: GameBatch, seed: int, threads: int = 1) -> Draw:
    return GamePool.from_games(games, seed=seed, threads=threads).sample_steps


BOTH = pytest.mark.parametrize("make", [draw_from_batch, draw_from_pool])
DRAWN = [SMALL, pdd.Rules(pdd.Board(17, 3)), pdd.Rules(pdd.Board(2, 34))][: sized(3, 1)]


def phases(rules: pdd.Rules) -> list[pdd.Node]:
    """Return rows with few and with many legal steps, in every phase before the end."""
    rows = [row for row in mixed(rules, 40) if not row.is_over]
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[:3]]


@BOTH
@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_all_legal_steps_are_drawn_alike(make: Callable[..., Draw], rules: pdd.Rules) -> None:
    for row in phases(rules):
        legal = np.flatnonzero(np.frombuffer(pdd.StepSpace(rules.board).legal_mask(row), np.uint8))
        size = len(legal) * sized(60, 8)
        draw = make(GameBatch.from_states([row]).repeat(size), len(legal))
        codes = draw()
        assert (codes.shape, codes.dtype.name) == ((size,), "int32")
        assert fits(Counter(codes.tolist()), dict.fromkeys(legal.tolist(), 1 / len(legal)))


@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_samples_of_a_pool_are_independent(rules: pdd.Rules) -> None:
    for row in phases(rules):
        legal = np.flatnonzero(np.frombuffer(pdd.StepSpace(rules.board).legal_mask(row), np.uint8))
        games = GameBatch.from_states([row]).repeat(len(legal) * sized(60, 8))
        pool = GamePool.from_games(games, seed=len(legal))
        lower = np.isin((pool.sample_steps(), pool.sample_steps()), legal[: len(legal) // 2])
        part = len(legal) // 2 / len(legal)
        shares = {False: 1 - part, True: part} if part else {False: 1.0}
        chances = {(a, b): shares[a] * shares[b] for a, b in product(shares, shares)}
        assert fits(Counter(zip(*lower.tolist(), strict=True)), chances)


@BOTH
@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_steps_are_drawn_by_weights(make: Callable[..., Draw], rules: pdd.Rules) -> None:
    rng = np.random.default_rng(8)
    for row in phases(rules):
        mask = np.frombuffer(pdd.StepSpace(rules.board).legal_mask(row), np.uint8) != 0
        weights = rng.exponential(3.0, len(mask)) * (rng.random(len(mask)) < 0.6)
        weights[mask.argmax()] = 1.0
        size = int(mask.sum()) * sized(60, 8)
        codes = np.flatnonzero(mask & (weights > 0)).tolist()
        chances = {code: weights[code] / weights[mask].sum() for code in codes}
        # Weights of illegal steps do not matter.
        wild = np.where(mask, weights, rng.choice([np.nan, np.inf, -np.inf, -1.0], len(mask)))
        draw = make(GameBatch.from_states([row]).repeat(size), 3)
        for given in (weights, wild, 1e-300 * weights):
            assert fits(Counter(draw(np.tile(given, (size, 1))).tolist()), chances)


@BOTH
def test_weights_are_real_numbers_of_any_type(make: Callable[..., Draw]) -> None:
    draw = make(GameBatch.initial(SMALL, 2), 1)
    for kind in (np.bool_, np.int8, np.uint64, np.float16, np.float32, np.longdouble):
        weights = np.zeros((2, len(pdd.StepSpace(SMALL.board))), kind)
        weights[:, [3, 4]] = [[1, 0], [0, 1]]
        assert draw(weights).tolist() == [3, 4]
        assert draw(weights[::-1]).tolist() == [4, 3]
        assert draw(np.asfortranarray(weights)).tolist() == [3, 4]


SPOILT: dict[float | str, float] = {"all zero": 0.0, "too much": 1.7e308}
PROBLEM = "the weights of legal steps must be 0 or more, with a finite sum that is not 0"


@BOTH
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("wrong", [-1.0, -1e-300, np.nan, np.inf, -np.inf, "all zero", "too much"])
def test_weights_without_a_finite_positive_sum_are_refused(
    make: Callable[..., Draw], wrong: float | str, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    share_all(monkeypatch, 8)
    rows = [*phases(SMALL), *[row for row in mixed(SMALL, 40) if row.is_over]]
    games = GameBatch.from_states(rows)
    draw = make(games, 1, threads)
    mask = games.legal_mask() != 0
    for row, over in enumerate(games.is_over.tolist()):
        weights = np.ones(mask.shape)
        for spoilt in range(row, len(rows)):
            legal = np.flatnonzero(mask[spoilt])[: None if isinstance(wrong, str) else 1]
            weights[spoilt, legal] = float(SPOILT.get(wrong, wrong))
        # Games that are over need no weights, and a single weight may be so large.
        if over or (wrong == "too much" and mask[row].sum() == 1):
            continue
        with pytest.raises(RowError) as caught:
            draw(weights)
        assert (caught.value.row, caught.value.problem) == (row, PROBLEM)
        assert str(caught.value) == f"row {row}: {PROBLEM}"
        assert caught.value.values["row"] == row
        assert pdd.messages.explain(caught.value).startswith(f"Row {row}: the weights of legal")
    weights = np.ones(mask.shape)
    weights[games.is_over] = np.nan
    codes = draw(weights)
    assert np.array_equal(codes == NONE, games.is_over)
    assert games.is_over.any()


@pytest.mark.parametrize(
    "rules",
    [pdd.Rules(pdd.Board(*sides)) for sides in ((2, 34), (34, 2), (17, 18), (2, 63))],
    ids=pdd.format_rules,
)
def test_every_sample_is_a_legal_step(rules: pdd.Rules) -> None:
    size = sized(50, 4)
    pool = GamePool(rules, size, seed=2)
    weights = np.random.default_rng(2).random((size, len(pool.space)))
    found = set()
    for step in range(sized(100, 12)):
        codes = pool.sample_steps(weights if step % 2 else None)
        assert (pool.legal_mask[np.arange(size), codes] == 1).all()
        found.update(codes.tolist())
        pool.step(codes)
    # The steps lie on all sides of the board.
    places = [divmod(code, rules.board.width) for code in found if code < len(rules.board)]
    rows, columns = zip(*places, strict=True)
    assert max(rows) >= rules.board.height // 2 >= min(rows)
    assert max(columns) >= rules.board.width // 2 >= min(columns)


def test_the_same_seed_draws_the_same_steps() -> None:
    games = GameBatch.from_states(mixed(SMALL, 40))
    drawn = games.sample_steps(7)
    assert np.array_equal(games.sample_steps(np.uint64(7)), drawn)
    assert np.array_equal(drawn == NONE, games.is_over)
    assert games.is_over.any()
    assert not np.array_equal(games.sample_steps(8), drawn)
    # The other steps stay the same, and every step is legal.
    assert games.step(drawn).size == games.size
    assert games.sample_steps(1, np.ones((games.size, len(games.space)))).min() == NONE
    assert games.take([]).sample_steps(1).shape == (0,)


def test_a_seed_keeps_its_steps_within_a_version() -> None:
    # These numbers may change between versions, but not within one, which promises equal
    # samples.
    pool = GamePool(pdd.Rules(pdd.Board(10, 10)), 5, seed=3)
    found = []
    for _ in range(3):
        codes = pool.sample_steps()
        pool.step(codes)
        found.append(codes.tolist())
    assert found == [[35, 45, 99, 66, 33], [31, 66, 46, 77, 86], [677, 676, 676, 676, 677]]


def test_a_refused_sample_uses_no_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 8)
    drawn = GamePool(SMALL, 20, seed=1).sample_steps()
    for threads in (1, 3):
        pool = GamePool(SMALL, 20, seed=1, threads=threads)
        weights = np.ones((20, len(pool.space)))
        weights[7] = -1
        with pytest.raises(RowError):
            pool.sample_steps(weights)
        assert np.array_equal(pool.sample_steps(), drawn)


def test_finished_games_have_no_step_to_draw() -> None:
    pool = GamePool(pdd.Rules(pdd.Board(1, 1), tiebreaks=()), 3, autoreset=False)
    weights = np.ones((3, len(pool.space)))
    while (pool.seat_to_move != NONE).any():
        pool.step(pool.sample_steps())
    assert pool.is_over.all()
    assert not pool.rewards.any()
    assert pool.sample_steps().tolist() == pool.sample_steps(weights).tolist() == [NONE] * 3
    assert pool.games.winner.tolist() == [NONE] * 3
