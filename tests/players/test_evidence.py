"""Copies of pairs count as no evidence in intervals, in the likelihood of superiority, in tests."""

from __future__ import annotations

from contextlib import nullcontext as nothing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo import messages, players
from pontedeldiavolo.players.matches import mean_score, scaled
from support.stub_players import FirstLegal, LastLegal

RULES = pdd.Rules(pdd.Board(4, 4))
COUNTS = st.tuples(*[st.integers(0, 40)] * 5).filter(any)
WIDEST = 0.01


def match_of(counts: tuple[int, ...], **more: Any) -> players.Match:
    """Return a match with these pairs and as many draws as possible."""
    halves = sum(place * count for place, count in enumerate(counts))
    games = 2 * sum(counts)
    draws = halves % 2
    wins = halves // 2
    return players.Match("a", "b", wins, draws, games - wins - draws, counts, **more)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, data=st.data())
def test_copies_keep_the_mean_and_widen_the_interval(
    counts: tuple[int, ...], data: st.DataObject
) -> None:
    pairs = sum(counts)
    distinct = data.draw(st.integers(1, pairs))
    evidence = scaled(counts, distinct)
    assert sum(evidence) == pytest.approx(distinct)
    assert mean_score(evidence) == pytest.approx(mean_score(counts))
    whole = match_of(counts)
    copied = match_of(counts, distinct=distinct)
    assert whole.distinct == pairs
    assert copied.score == whole.score
    assert copied.elo == whole.elo
    low, high = whole.score_interval
    wider_low, wider_high = copied.score_interval
    assert wider_low <= low + 1e-9
    assert wider_high >= high - 1e-9
    assert (wider_high - wider_low > high - low) == (distinct < pairs)
    assert abs(copied.los - 0.5) <= abs(whole.los - 0.5) + 1e-9
    test = players.SequentialTest(0, 100)
    assert abs(test.after(counts, distinct).llr) <= abs(test.after(counts).llr) + 1e-9
    assert test.after(counts, pairs) == test.after(counts)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(counts=COUNTS, copies=st.integers(2, 9))
def test_every_pair_many_times_is_every_pair_once(counts: tuple[int, ...], copies: int) -> None:
    once = match_of(counts)
    often = match_of(tuple(copies * each for each in counts), distinct=sum(counts))
    assert often.games == copies * once.games
    assert often.score_interval == pytest.approx(once.score_interval)
    assert often.los == pytest.approx(once.los)
    test = players.SequentialTest(-20, 60)
    assert test.after(often.pairs, often.distinct).llr == pytest.approx(test.after(counts).llr)


def test_copies_of_a_match() -> None:
    once = match_of((1, 0, 4, 2, 3))
    often = match_of((5, 0, 20, 10, 15), distinct=10)
    assert often.games == 5 * once.games
    assert often.score == once.score
    assert often.score_interval == pytest.approx(once.score_interval)
    assert often.los == pytest.approx(once.los)
    test = players.SequentialTest(0, 100)
    assert test.after(often.pairs, 10).llr == pytest.approx(test.after(once.pairs).llr)
    # By default all pairs are different.
    assert match_of((5, 0, 20, 10, 15)).distinct == 50
    assert match_of((5, 0, 20, 10, 15)).score_interval[0] > once.score_interval[0]


@pytest.mark.parametrize("distinct", [0, -1, 6, 10**30])
def test_impossible_numbers_of_pairs_are_refused(distinct: int) -> None:
    said = f"from 1 to 5, the number of pairs, not {distinct}"
    with pytest.raises(pdd.PonteError, match=said):
        match_of((1, 0, 2, 0, 2), distinct=distinct)
    with pytest.raises(pdd.PonteError, match=said):
        players.SequentialTest(0, 50).after((1, 0, 2, 0, 2), distinct)


def test_a_number_of_pairs_is_a_whole_number() -> None:
    for wrong in (2.0, "2", True):
        with pytest.raises(TypeError, match="distinct must be a whole number"):
            match_of((1, 0, 2, 0, 2), distinct=wrong)
        with pytest.raises(TypeError, match="distinct must be a whole number"):
            players.SequentialTest(0, 50).after((1, 0, 2, 0, 2), wrong)  # type: ignore[arg-type]
    assert match_of((1, 0, 2, 0, 2), distinct=None) == match_of((1, 0, 2, 0, 2), distinct=5)


REPEATING: tuple[players.Player, players.Player] = FirstLegal(), LastLegal()


@pytest.mark.parametrize(("a", "b"), [REPEATING, REPEATING[::-1]])
def test_a_test_has_no_verdict_on_copies(a: players.Player, b: players.Player) -> None:
    stood: list[players.Match] = []
    options: dict[str, Any] = {"rules": RULES, "openings": 0, "on_pair": stood.append}
    with pytest.warns(players.MatchWarning) as caught:
        match = players.match(a, b, 60, sprt=(0, 100), **options)
    assert (match.games, match.distinct) == (60, 1)
    assert match.sprt is not None
    assert match.sprt.accepted is None
    # One pair is as much evidence as all copies.
    assert match.sprt.llr == pytest.approx(stood[0].sprt.llr if stood[0].sprt else 0)
    assert match.elo_interval == pytest.approx(stood[0].elo_interval)
    assert match.score_interval[1] - match.score_interval[0] > WIDEST
    assert len(caught) == 1


def test_other_openings_are_evidence() -> None:
    match = players.match(FirstLegal(), LastLegal(), 60, rules=RULES)
    assert match.distinct == sum(match.pairs) == 30


def test_the_first_repeated_pair_causes_a_warning() -> None:
    stood: list[int] = []
    with pytest.warns(players.MatchWarning) as caught:
        players.match(
            *REPEATING,
            6,
            rules=RULES,
            openings=0,
            on_pair=lambda _: stood.append(len(caught)),
        )
    assert stood == [0, 1, 1]
    (told,) = caught
    assert told.filename == __file__
    warning = told.message
    assert isinstance(warning, players.MatchWarning)
    assert warning.code == "match-repeats"
    assert dict(warning.values) == {"pair": 2, "first": 1}
    assert str(warning).startswith("pair 2 repeats pair 1 move by move")
    for advice in ("random turns", "list of openings", "temperature", "seed"):
        assert advice in str(warning)
    assert messages.explain(warning, "de").startswith("Paar 2 wiederholt Zug für Zug")


def test_repeats_can_be_errors(tmp_path: Path) -> None:
    # Warnings are errors here, as with python -W error. Both pairs are stored.
    with pytest.raises(players.MatchWarning):
        players.match(*REPEATING, 6, rules=RULES, openings=0, folder=tmp_path)
    assert len([*tmp_path.glob("*.pdd")]) == 2


def test_games_that_differ_in_one_move_are_different() -> None:
    class Sometimes:
        """Begins with a different action in games with an odd seed."""

        name = "sometimes"

        def __init__(self, seed: int = 0) -> None:
            self.is_odd = seed % 2

        def for_game(self, seed: int) -> Sometimes:
            return Sometimes(seed)

        def choose(self, state: pdd.GameState) -> pdd.Action:
            return state.legal_actions[self.is_odd if state.turn == 0 else 0]

    with pytest.warns(players.MatchWarning):
        match = players.match(Sometimes(), LastLegal(), 40, rules=RULES, openings=0)
    assert match.distinct == 2


def test_stored_games_count_as_new_ones_do(tmp_path: Path) -> None:
    options: dict[str, Any] = {"rules": RULES, "openings": 0, "sprt": (0, 100)}
    with pytest.warns(players.MatchWarning):
        whole = players.match(*REPEATING, 20, **options)
    found = players.match(*REPEATING, 2, **options, folder=tmp_path)
    for games in (4, 6, 20, 20):
        with pytest.warns(players.MatchWarning, match="pair 2 repeats pair 1"):
            found = players.match(*REPEATING, games, **options, folder=tmp_path)
    assert found == whole
    assert found.distinct == 1


@pytest.mark.slow
@pytest.mark.parametrize("openings", [0, 2])
def test_processes_count_copies_alike(openings: int) -> None:
    options: dict[str, Any] = {"rules": RULES, "openings": openings}
    found = []
    for processes in (1, 2):
        with pytest.warns(players.MatchWarning) if not openings else nothing():
            found.append(players.match(*REPEATING, 12, **options, processes=processes))
    assert found[0] == found[1]
    assert found[0].distinct == (6 if openings else 1)


def evaluation(sign: float) -> Any:
    """Return an evaluation by the lead in points, or one whose values are 0."""

    def evaluate(games: pdd.batch.GameBatch) -> Any:
        rows = np.arange(games.size)
        mover = np.maximum(np.asarray(games.to_move), 0)
        points = np.asarray(games.points)
        lead = points[rows, mover] - points[rows, 1 - mover]
        steps = len(pdd.StepSpace(games.rules.board))
        return np.ones((games.size, steps), np.float32) / steps, sign * np.tanh(lead / 3)

    return evaluate


@pytest.mark.slow
def test_deterministic_searches_do_not_decide_a_test() -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    a, b = (
        players.MctsPlayer(simulations=64, evaluate=evaluation(sign), name=name)
        for sign, name in ((1, "points"), (0, "nothing"))
    )
    options: dict[str, Any] = {"rules": rules, "seed": 2, "sprt": (0, 100)}
    with pytest.warns(players.MatchWarning, match="pair 2 repeats pair 1"):
        copied = players.match(a, b, 60, **options, openings=0)
    assert copied.distinct < 5
    assert copied.sprt is not None
    assert copied.sprt.accepted is None
    varied = players.match(a, b, 60, **options)
    assert varied.distinct == sum(varied.pairs)
    assert varied.sprt is not None
    assert varied.sprt.accepted != 0
    assert varied.score > 0.6
