"""The tree search player with an evaluation in place of rollouts."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from pontedeldiavolo.players import MctsPlayer
from support.batches import sized
from support.diagrams import state_of

SMALL = pdd.Rules(pdd.Board(4, 4))
START = pdd.GameState.initial(SMALL)
WON = """
    4 w w . r
    3 . w . r
    2 . . . .
    1 w w . r
"""
"""White wins with a1-b3, and with some pairs."""
Arrays = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]


def flat(games: GameBatch) -> Arrays:
    """Return the evaluation of a network that knows nothing."""
    return np.ones((games.size, len(games.space))), np.zeros(games.size)


def test_a_win_is_found_with_batches_of_leaves() -> None:
    sizes = Counter[int]()

    def counted(games: GameBatch) -> Arrays:
        sizes[games.size] += 1
        return flat(games)

    player = MctsPlayer(simulations=sized(2000, 300), evaluate=counted)
    analysis = player.analyse(state_of(WON))
    assert pdd.format_action(analysis.best) in ("a1-b3", "c1,c3", "d2,a3", "d2,c4")
    assert analysis.value >= 0
    assert analysis.lines[0].actions[0] == analysis.best
    assert set(sizes) == {8}
    assert 8 * sizes[8] >= sized(2000, 300)
    again = player.analyse(state_of(WON))
    assert sum(each.visits for each in again.actions) > sum(
        each.visits for each in analysis.actions
    )


def test_whole_games_and_half_turns() -> None:
    state, player = START, MctsPlayer(simulations=sized(60, 20), evaluate=flat)
    while not state.is_over:
        action = player.choose(state)
        state = state.apply(action)
        # The tree has followed the game.
        if not state.is_over:
            assert len(player.analyse(state).actions) > 0
    half = START.step(pdd.PlaceTile(SMALL.board.cells[5]))
    assert isinstance(half, pdd.HalfTurn)
    assert half.is_legal(player.choose(half))


def test_a_search_that_is_stopped_at_once_has_a_line() -> None:
    player = MctsPlayer(simulations=50, evaluate=flat)
    assert player.search(START, lambda: True).actions[0] in START.legal_actions


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failure_while_pondering_leaves_no_tree_behind() -> None:
    failing = False

    def evaluate(games: GameBatch) -> Arrays:
        if failing:
            raise SystemExit
        return flat(games)

    player = MctsPlayer(simulations=20, evaluate=evaluate)
    state = START.apply(player.choose(START))
    failing = True
    player.start(state)
    assert player._pondering is not None
    player._pondering.join()
    failing = False
    assert player.choose(state) in state.legal_actions


def test_priors_steer_the_search() -> None:
    def biased(games: GameBatch) -> Arrays:
        priors, values = flat(games)
        priors[:, [3, 9]] = 1000
        return priors, values

    best = MctsPlayer(simulations=sized(200, 40), evaluate=biased).choose(START)
    cells = SMALL.board.cells
    assert best == pdd.PlaceTiles(cells[3], cells[9])


def test_temperature_samples_by_visits() -> None:
    def chosen(temperature: float) -> set[pdd.Action]:
        player = MctsPlayer(simulations=sized(60, 20), evaluate=flat, temperature=temperature)
        return {player.for_game(seed).choose(START) for seed in range(6)}

    assert len(chosen(0.0)) == 1
    assert len(chosen(1.0)) > 1
    # Where no pair has been visited there is nothing to sample by.
    player = MctsPlayer(simulations=1, evaluate=flat, temperature=1.0)
    assert START.is_legal(player.choose(START))


def test_memory_bounds_the_tree() -> None:
    player = MctsPlayer(simulations=10_000, evaluate=flat, memory=200_000)
    assert 0 < sum(each.visits for each in player.analyse(START).actions) < 1000
    timed = MctsPlayer(seconds=0.01, evaluate=flat, memory=200_000)
    assert START.is_legal(timed.choose(START))
    with pytest.raises(pdd.PonteError) as caught:
        MctsPlayer(simulations=10, evaluate=flat, memory=100).choose(START)
    assert caught.value.code == "search-memory"


def test_options_are_kept() -> None:
    player = MctsPlayer(simulations=50, evaluate=flat, temperature=0.5, exploration=2.0)
    assert player.name == "mcts 50 evaluated temperature 0.5"
    kept = [pickle.loads(pickle.dumps(player)), player.for_game(0)]
    assert [each.name for each in kept] == [player.name] * 2
    assert [each.choose(START) for each in kept] == [player.choose(START)] * 2


def test_wrong_arguments_and_evaluations() -> None:
    wrong: list[dict[str, Any]] = [{"exploration": 0}, {"temperature": -1}, {"memory": 0}]
    for options in wrong:
        with pytest.raises(pdd.PonteError, match=next(iter(options))):
            MctsPlayer(evaluate=flat, **options)
    with pytest.raises(TypeError, match="evaluate must be callable"):
        MctsPlayer(evaluate=cast(Any, 3))
    with pytest.raises(pdd.PonteError, match="priors must have shape"):
        MctsPlayer(evaluate=lambda games: (np.ones(3), np.zeros(games.size))).choose(START)


def test_an_evaluation_is_called_by_one_thread() -> None:
    with pytest.raises(pdd.PonteError, match="threads must be from 1 to 1, not 2"):
        MctsPlayer(threads=2, evaluate=flat)
