"""Elo, intervals and sequential tests, against closed forms and against simulated matches."""

from __future__ import annotations

from collections import Counter
from math import comb, inf, log, log10, sqrt
from random import Random
from statistics import NormalDist

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.players.matches import (
    SCORES,
    elo_from_score,
    fitted_probabilities,
    likelihood_of_superiority,
    log_likelihood,
    mean_score,
    score_from_elo,
    score_interval,
    z_score,
)

Z = NormalDist().inv_cdf(0.975)

COUNTS = st.tuples(*[st.integers(0, 50)] * 5).filter(any)
SCORE = st.floats(0.01, 0.99)


def drawn(chances: tuple[float, ...], pairs: int, rng: Random) -> tuple[int, ...]:
    """Return random results of the pairs of a match."""
    found = Counter(rng.choices(range(5), chances, k=pairs))
    return tuple(found[each] for each in range(5))


def independent(win: float, draw: float) -> tuple[float, ...]:
    """Return the probabilities of pairs with independent games."""
    loss = 1 - win - draw
    return (loss * loss, 2 * loss * draw, 2 * win * loss + draw * draw, 2 * win * draw, win * win)


def expected(chances: tuple[float, ...]) -> float:
    return sum(map(float.__mul__, chances, SCORES))


def test_elo_has_its_usual_scale() -> None:
    # By the definition of Elo, 400 points more mean ten times as many wins.
    assert score_from_elo(400) == pytest.approx(10 / 11)
    assert score_from_elo(-400) == pytest.approx(1 / 11)
    assert score_from_elo(0) == 0.5
    assert elo_from_score(0.75) == pytest.approx(400 * log10(3))
    assert [elo_from_score(0), elo_from_score(1)] == [-inf, inf]
    assert str(elo_from_score(0.5)) == "0.0"


@given(elo=st.floats(-2000, 2000))
def test_scores_and_elo_go_to_and_fro(elo: float) -> None:
    assert elo_from_score(score_from_elo(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_from_elo(elo) + score_from_elo(-elo) == pytest.approx(1)


@given(counts=COUNTS, score=SCORE, seed=st.integers(0, 999))
def test_no_other_probabilities_are_more_likely(
    counts: tuple[int, ...], score: float, seed: int
) -> None:
    chances = fitted_probabilities(counts, score)
    assert sum(chances) == pytest.approx(1)
    assert expected(chances) == pytest.approx(score)
    assert min(chances) >= 0
    best = log_likelihood(counts, score)
    rng = Random(seed)
    for _ in range(20):
        # These small shifts of probability from one result to two others keep the mean.
        i, j, k = sorted(rng.sample(range(5), 3))
        share = rng.uniform(-0.2, 0.2)
        other = [*chances]
        other[j] -= share
        other[i] += share * (k - j) / (k - i)
        other[k] += share * (j - i) / (k - i)
        if min(other) >= 0 and all(other[n] > 0 for n in range(5) if counts[n]):
            found = sum(counts[n] * log(other[n]) for n in range(5) if counts[n])
            assert found <= best + 1e-6 * sum(counts)


def test_without_draws_the_likelihood_is_binomial() -> None:
    assert log_likelihood((30, 0, 0, 0, 70), 0.6) == pytest.approx(70 * log(0.6) + 30 * log(0.4))
    # A result that never occurred has a probability if the mean is impossible without it.
    assert log_likelihood((0, 0, 0, 0, 10), 0.8) == pytest.approx(10 * log(0.8))
    assert log_likelihood((0, 0, 10, 0, 0), 0.6) == pytest.approx(10 * log(0.8))


@pytest.mark.parametrize(("lost", "won"), [(0, 10), (1, 9), (5, 5), (40, 60), (10, 0), (3, 997)])
def test_without_draws_the_interval_is_wilson_s(lost: int, won: int) -> None:
    pairs = lost + won
    share = won / (lost + won)
    middle = (share + Z * Z / (2 * pairs)) / (1 + Z * Z / pairs)
    reach = Z * sqrt(share * (1 - share) / pairs + (Z / pairs / 2) ** 2) / (1 + Z * Z / pairs)
    low, high = score_interval((lost, 0, 0, 0, won))
    assert low == pytest.approx(middle - reach, abs=1e-9)
    assert high == pytest.approx(middle + reach, abs=1e-9)


def test_in_long_matches_the_interval_is_the_usual_one() -> None:
    counts = (1000, 1500, 4000, 2200, 1300)
    found = mean_score(counts)
    variance = sum(n * (x - found) ** 2 for n, x in zip(counts, SCORES, strict=True)) / 10_000
    low, high = score_interval(counts)
    assert low == pytest.approx(found - Z * sqrt(variance / 10_000), abs=1e-4)
    assert high == pytest.approx(found + Z * sqrt(variance / 10_000), abs=1e-4)


@settings(max_examples=30)
@given(counts=COUNTS)
def test_intervals_are_around_what_was_found(counts: tuple[int, ...]) -> None:
    low, high = score_interval(counts)
    assert 0 <= low <= mean_score(counts) <= high <= 1
    assert low < high
    mirrored = score_interval(counts[::-1])
    assert mirrored == pytest.approx((1 - high, 1 - low), abs=1e-9)
    twice = score_interval(tuple(2 * count for count in counts))
    assert twice[1] - twice[0] < high - low
    los, other = map(likelihood_of_superiority, (counts, counts[::-1]))
    assert 0 < los < 1 or abs(z_score(counts, 0.5)) > 5
    assert los == pytest.approx(1 - other)


@pytest.mark.parametrize(
    ("chances", "pairs"),
    [
        (independent(0.4, 0.2), 50),
        (independent(0.75, 0.05), 50),
        (independent(0.95, 0.0), 100),
        (independent(0.98, 0.01), 100),
        # The first seat wins almost always, so pairs give more evidence than games.
        ((0.02, 0.02, 0.9, 0.03, 0.03), 100),
        # The winner of one game of a pair also wins the other, so pairs give less evidence.
        ((0.3, 0.0, 0.05, 0.0, 0.65), 50),
    ],
)
def test_intervals_contain_the_true_value_in_95_of_100_matches(
    chances: tuple[float, ...], pairs: int
) -> None:
    rng = Random(1)
    truth = expected(chances)
    matches = 600
    inside = sum(abs(z_score(drawn(chances, pairs, rng), truth)) <= Z for _ in range(matches))
    assert 0.93 <= inside / matches <= 0.99


def test_a_test_of_5_percent_and_the_interval_say_the_same() -> None:
    rng = Random(2)
    for _ in range(20):
        counts = drawn(independent(0.6, 0.1), 30, rng)
        low, high = score_interval(counts)
        for score in (0.4, 0.5, 0.6, 0.7, 0.8):
            assert (low <= score <= high) == (abs(z_score(counts, score)) <= Z)


def test_superiority_is_nearly_that_of_the_sign_test() -> None:
    # By the binomial distribution: the probability that an equal player wins fewer pairs.
    won = 60
    pairs = 100
    fewer = sum(comb(pairs, each) for each in range(won)) + comb(pairs, won) / 2
    found = likelihood_of_superiority((40, 0, 0, 0, 60))
    assert found == pytest.approx(fewer / 2**pairs, abs=0.001)


def test_the_likelihood_ratio_of_a_fair_coin() -> None:
    test = players.SequentialTest(0, 100).after((20, 0, 0, 0, 40))
    high = score_from_elo(100)
    assert test.llr == pytest.approx(40 * log(high / 0.5) + 20 * log((1 - high) / 0.5))
    assert test.accepted is None or abs(test.llr) > log(19)


def test_hypotheses_are_accepted_at_the_bounds_of_wald() -> None:
    bound = log(0.95 / 0.05)
    for llr, accepted in ((bound - 0.01, None), (bound, 50), (0.01 - bound, None), (-bound, -10)):
        assert players.SequentialTest(-10, 50, llr).accepted == accepted


@pytest.mark.slow
@pytest.mark.parametrize("draw", [0.0, 0.3])
@pytest.mark.parametrize("is_better", [False, True])
def test_errors_are_made_in_5_of_100_matches(draw: float, *, is_better: bool) -> None:
    begun = players.SequentialTest(0, 120)
    score = score_from_elo(begun.elo1 if is_better else begun.elo0)
    chances = independent(score - draw / 2, draw)
    rng = Random(3)
    matches = 120
    errors = 0
    lengths = 0
    for _ in range(matches):
        test = begun
        counts = [0] * 5
        while test.accepted is None:
            counts[rng.choices(range(5), chances)[0]] += 1
            test = test.after(tuple(counts))
        errors += test.accepted != (begun.elo1 if is_better else begun.elo0)
        lengths += sum(counts)
    # Of 120 tests, 6 should fail; more than 14 have a probability of one in a thousand.
    assert errors <= 14
    # A test of fixed length with these errors needs as many pairs.
    variance = sum(c * (x - score) ** 2 for c, x in zip(chances, SCORES, strict=True))
    fixed = (2 * NormalDist().inv_cdf(0.95) / (score_from_elo(120) - 0.5)) ** 2 * variance
    assert lengths / matches < fixed


def test_a_match_counts_its_pairs() -> None:
    match = players.Match("a", "b", wins=5, draws=2, losses=1, pairs=(0, 0, 1, 2, 1))
    assert match.games == 8
    assert match.score == 0.75
    assert match.elo == elo_from_score(0.75)
    assert match.score_interval == score_interval(match.pairs)
    assert match.elo_interval == tuple(map(elo_from_score, match.score_interval))
    assert match.los == likelihood_of_superiority(match.pairs)
    assert match.sprt is None


def test_one_sided_matches_have_an_open_interval() -> None:
    match = players.Match("a", "b", 200, 0, 0, (0, 0, 0, 0, 100))
    assert match.elo == inf
    low, high = match.elo_interval
    assert high == inf
    assert low == pytest.approx(elo_from_score(100 / (100 + Z * Z)))
    mirrored = players.Match("b", "a", 0, 0, 200, (100, 0, 0, 0, 0))
    assert mirrored.elo_interval == pytest.approx((-inf, -low))


@pytest.mark.parametrize(
    ("counts", "pairs"),
    [
        ((0, 0, 0), (0, 0, 0, 0, 0)),
        ((2, 0, 0), (0, 0, 0, 1)),
        ((-1, 2, 1), (0, 1, 0, 0, 0)),
        ((3, 0, 1), (1, 0, 0, 1, 0)),
        ((1, 0, 0), (0, 0, 0, 0, 1)),
        ((4, 0, 0), (0, 0, 0, 0, 1)),
        ((2, 0, 0), (-1, 0, 1, 0, 1)),
    ],
)
def test_wrong_counts_are_refused(counts: tuple[int, int, int], pairs: tuple[int, ...]) -> None:
    with pytest.raises(pdd.PonteError, match=r"five numbers|not those of the pairs"):
        players.Match("a", "b", *counts, pairs)


def test_impossible_hypotheses_are_refused() -> None:
    for elos, said in (
        ((5, 5), "elo0 is below elo1, unlike 5 and 5"),
        ((0, inf), "elo1 must be finite, not inf"),
        ((-5000, 0), "elo0 is from -4000 to 4000, not -5000"),
    ):
        with pytest.raises(pdd.PonteError, match=said):
            players.SequentialTest(*elos)
