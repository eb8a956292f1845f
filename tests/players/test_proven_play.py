"""Actions that keep a proven result: points, turns and results."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import cast

import numpy as np
import pytest
from tools.proven_choices import Position, positions

import pontedeldiavolo as pdd
from pontedeldiavolo.batch.kernels.jit import JIT_DISABLED
from pontedeldiavolo.players import GreedyPlayer, MctsPlayer, RandomPlayer
from pontedeldiavolo.players.mcts import alpha_beta, proven_play
from pontedeldiavolo.players.mcts.proven_kernels import RESULT_STEP, UNKNOWN_SCORE
from pontedeldiavolo.players.mcts.proven_play import (
    Effort,
    Estimate,
    ProvenNode,
    ProvenPlay,
    best_first,
    margin_and_length,
)
from support.batches import sized

MOST = 1_000_000


def late_state(rules: pdd.Rules, rng: Random, most_actions: int) -> pdd.GameState:
    """Return a state of a random game with few legal actions."""
    while True:
        state = pdd.GameState.initial(rules)
        while not state.is_over:
            if state.to_move is not None and 1 < len(state.legal_actions) <= most_actions:
                return state
            state = state.apply_unchecked(state.legal_actions.sample(rng))


def worth(state: pdd.GameState, color: pdd.Color, *, wins: bool) -> tuple[int, int, int]:
    """Return result, margin and turns in the order that counts, for a colour with perfect play."""
    if state.outcome is not None:
        result = state.outcome.value(cast(pdd.Seat, state.owner(color)))
        margin = state.score(color).points - state.score(color.opponent).points
        return (result, margin, 0) if wins else (result, 0, margin)
    best = max if state.to_move is color else min
    found = best(
        worth(state.apply_unchecked(each), color, wins=wins) for each in state.legal_actions
    )
    return (found[0], found[1], found[2] - 1) if wins else (found[0], found[1] + 1, found[2])


@pytest.mark.parametrize("wins", [True, False])
def test_exact_scores_find_the_best_margin_and_length(*, wins: bool) -> None:
    rng = Random(7)
    for size in ((4, 3), (4, 4), (5, 3)):
        rules = pdd.Rules(pdd.Board(*size), bridges=2)
        play = ProvenPlay(rules, heuristic=True)
        for _ in range(sized(12, 2)):
            state = late_state(rules, rng, 8)
            color = cast(pdd.Color, state.to_move)
            for action in state.legal_actions:
                score, _ = play.exact_score(state, action, Effort(MOST), wins=wins)
                result = round(score / RESULT_STEP)
                margin, length = margin_and_length(score, wins=wins)
                expected = worth(state.apply(action), color, wins=wins)
                first, second = (1, 2) if wins else (2, 1)
                sign = -1 if wins else 1
                assert result == expected[0]
                assert margin == expected[first]
                assert length == sign * expected[second]


def forced_turns(state: pdd.GameState) -> int | None:
    """Return the number of turns to the end, if only one line leads there."""
    turns = 0
    while not state.is_over:
        if len(state.legal_actions) > 1:
            return None
        state = state.apply(state.legal_actions[0])
        turns += 1
    return turns


def test_exact_scores_and_rollouts_count_the_same_turns() -> None:
    rng = Random(3)
    rules = pdd.Rules(pdd.Board(4, 4), bridges=2)
    play = ProvenPlay(rules, heuristic=True)
    lengths = set()
    for _ in range(60):
        state = late_state(rules, rng, 8)
        for action in state.legal_actions:
            turns = forced_turns(state.apply(action))
            if turns is None:
                continue
            proven = ProvenNode(state, wins=False, known=(action,), others=())
            _, exact, _ = play._by_exact_scores(proven, [action], Effort(MOST))
            _, (estimate,) = play._by_rollouts(proven, Effort(20))
            assert exact.length == estimate.length == turns + 1
            assert exact.margin == estimate.margin
            lengths.add(turns + 1)
    assert len(lengths) > 1


def test_the_search_for_an_exact_score_has_a_limit() -> None:
    rules = pdd.Rules(pdd.Board(5, 5))
    play = ProvenPlay(rules, heuristic=True)
    state = pdd.GameState.initial(rules).apply(pdd.parse_action("a1,c3"))
    state = state.apply(pdd.ChooseColor(pdd.Color.RED))
    action = state.legal_actions[0]
    assert play.exact_score(state, action, Effort(30), wins=True) == (UNKNOWN_SCORE, 30)
    assert play.exact_score(state, action, Effort(0), wins=True) == (UNKNOWN_SCORE, 0)
    # Without time, or after a stop, a search ends when it pauses.
    for effort in (Effort(MOST, end=0), Effort(MOST, stop=lambda: True)):
        score, nodes = play.exact_score(state, action, effort, wins=True)
        assert score == UNKNOWN_SCORE
        assert 0 < nodes < alpha_beta.PAUSE_ACTIONS
        # No search of another action begins.
        proven = ProvenNode(state, wins=True, known=(action,), others=())
        best, _, unknown = play._by_exact_scores(proven, [action], effort)
        assert (best, unknown) == (None, [action])


def test_pauses_do_not_change_exact_scores_and_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = Random(5)
    rules = pdd.Rules(pdd.Board(5, 4), bridges=2)
    states = [late_state(rules, rng, 60) for _ in range(sized(12, 2))]
    found = []
    for number in (1, 40, 1 << 40):
        monkeypatch.setattr(proven_play, "PAUSE_ACTIONS", number)
        monkeypatch.setattr(proven_play, "CHUNK_ROLLOUTS", number)
        play = ProvenPlay(rules, heuristic=True)
        results: list[object] = []
        for wins in (True, False):
            for state in states:
                actions = tuple(state.legal_actions)
                proven = ProvenNode(state, wins=wins, known=actions, others=())
                results.append(play._by_exact_scores(proven, actions, Effort(300)))
                results.append(play.choose(proven, Effort(300), seed=3))
        found.append(results)
    assert found[0] == found[1] == found[2]


def test_rollouts_end_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proven_play, "CHUNK_ROLLOUTS", 4)
    state = late_state(pdd.Rules(pdd.Board(5, 5)), Random(5), 60)
    actions = [*state.legal_actions]
    play = ProvenPlay(state.rules, heuristic=True)
    for number in (1_000_000, 10):
        sums = np.zeros((len(actions), 3), np.int64)
        effort = Effort(number, end=0)
        play._play_rollouts(state, actions, range(len(actions)), effort, sums)
        assert sums[:, 0].sum() == 4


def test_equal_margins_are_decided_by_length_and_the_reverse() -> None:
    found = [Estimate(0, 3.0, 9.0), Estimate(1, 3.4, 9.2), Estimate(2, 3.3, 4.0), Estimate(3, 1, 1)]
    assert [each.place for each in best_first(found, wins=True)] == [2, 0, 1, 3]
    assert [each.place for each in best_first(found, wins=False)] == [1, 0, 2, 3]


def loss_of_choice(position: Position, simulations: int, temperature: float) -> int | None:
    """Return what a choice of the player loses against the best action."""
    player = MctsPlayer(simulations=simulations, seed=3, temperature=temperature)
    return position.loss(player.choose(position.state))


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_proven_results_are_played_well(temperature: float) -> None:
    losses = [loss_of_choice(position, 10_000, temperature) for position in positions()]
    assert len(losses) == 50
    # No choice gives the result up or is 3 points (or turns) worse than the best one.
    assert all(loss is not None and loss < 3 for loss in losses)
    assert losses.count(0) >= 48


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_a_proven_win_is_never_given_up(temperature: float) -> None:
    for number, position in enumerate(each for each in positions() if each.wins):
        player = MctsPlayer(simulations=2_000, seed=number, temperature=temperature)
        opponent = (GreedyPlayer(number), RandomPlayer(number))[number % 2]
        state = position.state
        winner = state.seat_to_move
        assert winner is not None
        while state.outcome is None:
            mover = player if state.seat_to_move is winner else opponent
            state = state.apply(mover.choose(state))
        assert state.outcome.winning_seat is winner


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_small_budget_keeps_a_win_of_the_last_turn() -> None:
    kept = 0
    forgotten = 0
    wins = [position for position in positions() if position.wins]
    for number, position in enumerate(wins[::3]):
        player = MctsPlayer(simulations=2_000, seed=number)
        line = player.search(position.state)
        state = position.state.apply(line.actions[0])
        state = state.apply(GreedyPlayer(number).choose(state))
        if not line.proven or state.is_over or len(state.legal_actions) < 2:
            continue
        line = player.search(state, simulations=20)
        assert (line.value, line.proven) == (1, True)
        kept += 1
        search = player._search
        assert search is not None
        search.proven_choice = None
        forgotten += not search.root_stats().is_proven
    # In most of these states, so few simulations do not prove the win again.
    assert kept > 5
    assert forgotten > kept / 2


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_the_next_proof_of_a_win_has_limits() -> None:
    position = min(
        (each for each in positions() if each.wins and None in each.worths),
        key=lambda each: len(each.worths),
    )
    state = position.state
    actions = state.legal_actions
    play = ProvenPlay(state.rules, heuristic=True)
    losing = [each for each, worth in zip(actions, position.worths, strict=True) if worth is None]
    winning = [each for each, worth in zip(actions, position.worths, strict=True) if worth]
    tried: list[pdd.Action] = []

    def counted() -> Iterator[pdd.Action]:
        for action in (*losing[:1], *winning):
            tried.append(action)
            yield action

    assert play.first_proven_win(state, losing, Effort(MOST)) is None
    assert play.first_proven_win(state, counted(), Effort(MOST)) == winning[0]
    # Without time, or after a stop, only the first action is tried.
    for effort in (Effort(MOST, end=0), Effort(MOST, stop=lambda: True)):
        tried.clear()
        assert play.first_proven_win(state, counted(), effort) is None
        assert tried == losing[:1]


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_analyses_show_the_proven_choice() -> None:
    for position in [*positions()][::10]:
        player = MctsPlayer(simulations=2_000, seed=3)
        found = player.for_game(3).analyse(position.state, multi_pv=1)
        assert found.best == player.choose(position.state)
        assert found.value == found.lines[0].value == (1 if position.wins else -1)
        assert found.lines[0].proven
        values = {each.action: each.value for each in found.actions}
        assert values[found.best] == found.value
        line = player.for_game(3).search(position.state)
        assert (line.actions[0], line.value, line.proven) == (found.best, found.value, True)


@pytest.mark.skipif(JIT_DISABLED, reason="takes minutes")
def test_a_choice_gets_what_is_left_of_the_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    efforts: list[Effort] = []
    choose = ProvenPlay.choose

    def noted(play: ProvenPlay, proven: ProvenNode, effort: Effort, seed: int) -> pdd.Action:
        efforts.append(effort)
        return choose(play, proven, effort, seed)

    monkeypatch.setattr(ProvenPlay, "choose", noted)
    state = next(positions()).state
    player = MctsPlayer(simulations=5_000)
    player.choose(state)
    # The tree is kept, so a second choice costs no simulations.
    player.choose(state)
    first, second = efforts
    assert 500 <= first.max_count < second.max_count == 5_000
    MctsPlayer(seconds=0.5).choose(state)
    assert efforts[2].max_count <= 10_000
    assert efforts[2].end < float("inf")


@pytest.mark.parametrize("rollout", ["heuristic", "uniform"])
@pytest.mark.parametrize("solver", [True, False])
def test_half_turns_are_played_well(rollout: str, *, solver: bool) -> None:
    rules = pdd.Rules(pdd.Board(4, 3))
    rng = Random(3)
    found = 0
    for _ in range(sized(12, 3)):
        state = late_state(rules, rng, 20)
        for cell in state.legal_actions.first_tiles:
            half = state.step(pdd.PlaceTile(cell))
            player = MctsPlayer(
                simulations=sized(400, 100),
                rollout="uniform" if rollout == "uniform" else "heuristic",
                solver=solver,
            )
            line = player.search(half)
            if line.proven:
                found += 1
                assert player.choose(half) in half.legal_steps
                assert line.value in {-1, 0, 1}
    assert found > 2
