"""What seldom happens in a game: nothing left to draw, to build or to tell apart."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch, GamePool, RowError
from pontedeldiavolo.batch.kernels.sampling import play_counted
from support.batches import NONE, laid_out, played, table_of
from support.sparse_states import DRAWN

TINY = pdd.Rules(pdd.Board(1, 1), tiebreaks=())
"""Nobody can place anything: three steps, and a draw that no tie-break decides."""


def test_games_that_are_over_have_nothing_to_draw() -> None:
    pool = GamePool(TINY, 3, restart=False)
    weights = np.ones((3, len(pool.space)))
    while (pool.seat_to_move != NONE).any():
        pool.step(pool.sample())
    assert pool.is_over.all()
    assert not pool.rewards.any()
    assert pool.sample().tolist() == pool.sample(weights).tolist() == [NONE] * 3
    assert pool.games.winner.tolist() == [NONE] * 3


def test_without_any_weight_nothing_is_drawn() -> None:
    games = GameBatch.initial(TINY, 2)
    with pytest.raises(RowError, match="row 1") as caught:
        games.sample_steps(1, [[1] * len(games.space), [0] * len(games.space)])
    assert caught.value.row == 1
    assert caught.value.values["row"] == 1
    assert pdd.messages.explain(caught.value).startswith("Row 1: the weights of legal steps")


def test_the_opening_builds_no_bridge() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(3, 3)))
    with pytest.raises(pdd.IllegalActionError) as caught:
        games.step([9])
    assert caught.value.row == 0


def test_half_a_turn_is_not_a_time_to_pass() -> None:
    games = GameBatch.initial(pdd.Rules(pdd.Board(3, 3))).step([0])
    for code in (9, len(games.space) - 1):
        with pytest.raises(pdd.IllegalActionError):
            games.step([code])


def test_pairs_are_counted_where_no_bridge_is_left() -> None:
    state = DRAWN["one pair, no bridges"]
    before = laid_out(state)
    after = before.copy()
    after.random = Random(1).getrandbits(64)
    play_counted(table_of(state.rules), after, after.to_move)
    assert played(state.rules, before, after) in state.legal_actions
