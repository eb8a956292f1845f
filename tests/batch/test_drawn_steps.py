"""Steps drawn at random, by batches and by pools, held against what chance gives."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool, RowError
from support.batch_rows import SMALL, mixed
from support.batches import NONE, Row, fits, share_all, sized, state_behind

Codes = npt.NDArray[np.int32]
Draw = Callable[..., Codes]
"""Draws a step for each game, by the weights that are given."""


def draw_from_batch(games: GameBatch, seed: int, threads: int = 1) -> Draw:
    return lambda weights=None: games.sample_steps(seed, weights, threads)


def draw_from_pool(games: GameBatch, seed: int, threads: int = 1) -> Draw:
    return GamePool.from_games(games, seed=seed, threads=threads).sample


BOTH = pytest.mark.parametrize("make", [draw_from_batch, draw_from_pool])
DRAWN = [SMALL, pdd.Rules(pdd.Board(17, 3)), pdd.Rules(pdd.Board(2, 34))][: sized(3, 1)]


def phases(rules: pdd.Rules) -> list[Row]:
    """Return rows with few and with many legal steps, of every phase that goes on."""
    rows = [row for row in mixed(rules, 40) if not row.is_over]
    kinds = {(type(row), state_behind(row).phase): row for row in rows}
    return [*kinds.values(), *rows[:3]]


@BOTH
@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_all_legal_steps_are_drawn_alike(make: Callable[..., Draw], rules: pdd.Rules) -> None:
    for row in phases(rules):
        legal = np.flatnonzero(np.frombuffer(pdd.StepSpace(rules.board).mask(row), np.uint8))
        size = len(legal) * sized(60, 8)
        draw = make(GameBatch.from_states([row]).copies(size), len(legal))
        codes = draw()
        assert (codes.shape, codes.dtype.name) == ((size,), "int32")
        assert fits(Counter(codes.tolist()), dict.fromkeys(legal.tolist(), 1 / len(legal)))


@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_one_draw_of_a_pool_does_not_tell_the_next(rules: pdd.Rules) -> None:
    for row in phases(rules):
        legal = np.flatnonzero(np.frombuffer(pdd.StepSpace(rules.board).mask(row), np.uint8))
        games = GameBatch.from_states([row]).copies(len(legal) * sized(60, 8))
        pool = GamePool.from_games(games, seed=len(legal))
        lower = np.isin((pool.sample(), pool.sample()), legal[: len(legal) // 2])
        part = len(legal) // 2 / len(legal)
        shares = {False: 1 - part, True: part}
        chances = {(a, b): shares[a] * shares[b] for a, b in product(shares, shares)}
        assert fits(
            Counter(zip(*lower.tolist(), strict=True)),
            {each: chance for each, chance in chances.items() if chance},
        )


@BOTH
@pytest.mark.parametrize("rules", DRAWN, ids=pdd.format_rules)
def test_steps_are_drawn_by_weights(make: Callable[..., Draw], rules: pdd.Rules) -> None:
    rng = np.random.default_rng(8)
    for row in phases(rules):
        mask = np.frombuffer(pdd.StepSpace(rules.board).mask(row), np.uint8) != 0
        weights = rng.exponential(3.0, len(mask)) * (rng.random(len(mask)) < 0.6)
        weights[mask.argmax()] = 1.0
        size = int(mask.sum()) * sized(60, 8)
        chances = {
            code: weights[code] / weights[mask].sum()
            for code in np.flatnonzero(mask & (weights > 0)).tolist()
        }
        # What is given for illegal steps does not matter.
        wild = np.where(mask, weights, rng.choice([np.nan, np.inf, -np.inf, -1.0], len(mask)))
        draw = make(GameBatch.from_states([row]).copies(size), 3)
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
    make: Callable[..., Draw],
    wrong: float | str,
    threads: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    share_all(monkeypatch, 8)
    rows = [*phases(SMALL), *[row for row in mixed(SMALL, 40) if row.is_over]]
    games = GameBatch.from_states(rows)
    draw, mask = make(games, 1, threads), games.legal_mask() != 0
    for row, over in enumerate(games.is_over.tolist()):
        weights = np.ones(mask.shape)
        for spoilt in range(row, len(rows)):
            legal = np.flatnonzero(mask[spoilt])[: None if isinstance(wrong, str) else 1]
            weights[spoilt, legal] = float(SPOILT.get(wrong, wrong))
        # Of games that are over nothing is asked, and a single weight may be as large as that.
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
def test_every_draw_is_a_legal_step(rules: pdd.Rules) -> None:
    size = sized(50, 4)
    pool = GamePool(rules, size, seed=2)
    weights = np.random.default_rng(2).random((size, len(pool.space)))
    found = set()
    for step in range(sized(100, 12)):
        codes = pool.sample(weights if step % 2 else None)
        assert (pool.mask[np.arange(size), codes] == 1).all()
        found.update(codes.tolist())
        pool.step(codes)
    # On all sides of the board.
    rows, columns = zip(
        *(divmod(code, rules.board.width) for code in found if code < len(rules.board)), strict=True
    )
    assert max(rows) >= rules.board.height // 2 >= min(rows)
    assert max(columns) >= rules.board.width // 2 >= min(columns)


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


def test_a_seed_keeps_its_steps_within_a_version() -> None:
    # A change of these numbers breaks the promise of equal draws within a version. Between
    # versions it is allowed.
    pool = GamePool(pdd.Rules(pdd.Board(10, 10)), 5, seed=3)
    found = []
    for _ in range(3):
        codes = pool.sample()
        pool.step(codes)
        found.append(codes.tolist())
    assert found == [[35, 45, 99, 66, 33], [31, 66, 46, 77, 86], [677, 676, 676, 676, 677]]


def test_a_refused_draw_takes_no_random_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    share_all(monkeypatch, 8)
    drawn = GamePool(SMALL, 20, seed=1).sample()
    for threads in (1, 3):
        pool = GamePool(SMALL, 20, seed=1, threads=threads)
        weights = np.ones((20, len(pool.space)))
        weights[7] = -1
        with pytest.raises(RowError):
            pool.sample(weights)
        assert np.array_equal(pool.sample(), drawn)


def test_finished_games_have_no_step_to_draw() -> None:
    pool = GamePool(pdd.Rules(pdd.Board(1, 1), tiebreaks=()), 3, restart=False)
    weights = np.ones((3, len(pool.space)))
    while (pool.seat_to_move != NONE).any():
        pool.step(pool.sample())
    assert pool.is_over.all()
    assert not pool.rewards.any()
    assert pool.sample().tolist() == pool.sample(weights).tolist() == [NONE] * 3
    assert pool.games.winner.tolist() == [NONE] * 3
