"""Playouts, held against what chance gives."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import sqrt
from random import Random
from statistics import fmean, variance

import numpy as np
import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GameBatch
from support.batch_rows import FOUR_BY_TWO, few_turns_left
from support.batches import Row, fits, sized, visited, winner_of
from support.diagrams import play
from support.sparse_states import DRAWN
from support.strategies import TIEBREAKS

End = tuple[int, int, int, int]
"""Turns, white's and red's points, and who has won."""


def chances_of(row: Row, known: dict[pdd.GameState, dict[End, float]]) -> dict[End, float]:
    """Return the chances of all ends when every action is equally likely."""
    found: defaultdict[End, float] = defaultdict(float)
    if isinstance(row, pdd.HalfTurn):
        for second in row.second_tiles:
            after = row.step(pdd.PlaceTile(second))
            for (turns, *rest), chance in chances_of(after, known).items():
                found[turns + 1, rest[0], rest[1], rest[2]] += chance / len(row.second_tiles)
        return found
    state = row.canonical()
    if state.is_over:
        points = [state.score(color).points for color in pdd.Color]
        return {(0, points[0], points[1], winner_of(state)): 1.0}
    if state not in known:
        for action in state.legal_actions:
            new = not isinstance(action, pdd.ChooseColor)
            for (turns, *rest), chance in chances_of(state.apply_unchecked(action), known).items():
                end = (turns + new, rest[0], rest[1], rest[2])
                found[end] += chance / len(state.legal_actions)
        known[state] = found
    return known[state]


COUNTED: dict[str, Row] = {
    "start": pdd.GameState.initial(FOUR_BY_TWO),
    "short of tiles": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, 3, 1)),
    "no tie-breaks": pdd.GameState.initial(pdd.Rules(FOUR_BY_TWO.board, tiebreaks=())),
    "half turn": pdd.GameState.initial(FOUR_BY_TWO).step(pdd.PlaceTile(pdd.Cell(1, 0))),
    "colour choice": play(pdd.GameState.initial(pdd.Rules(pdd.Board(3, 3))), "a1,c1"),
    "late on 5x5": few_turns_left(pdd.Rules(pdd.Board(5, 5)), 5),
    "late on 9x3": few_turns_left(pdd.Rules(pdd.Board(9, 3)), 6),
    "late, bridges first": few_turns_left(pdd.Rules(pdd.Board(5, 5), tiebreaks=TIEBREAKS[4]), 11),
    "late on 33x2": few_turns_left(pdd.Rules(pdd.Board(33, 2)), 1),
    "no pair": DRAWN["no pair"],
    "one pair": DRAWN["one pair, no bridges"],
    "one tile left": DRAWN["one tile left"],
    "last turn": DRAWN["last turn"],
    "over": visited(FOUR_BY_TWO, Random(1))[-1],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", COUNTED)
def test_playouts_end_as_often_as_they_should(name: str) -> None:
    row = COUNTED[name]
    chances = chances_of(row, {})
    assert abs(sum(chances.values()) - 1) < 1e-9
    number = sized(20_000, 40)
    found = (
        GameBatch.from_states([row])
        .take(np.zeros(number, int))
        .playout(Random(name).getrandbits(32))
    )
    ends = zip(found.turns.tolist(), *found.points.T.tolist(), found.winner.tolist(), strict=True)
    assert fits(Counter(ends), chances)


def test_playouts_are_as_long_and_as_good_as_random_games_of_the_core() -> None:
    rules, rng = pdd.Rules(pdd.Board(6, 6)), Random(6)
    turns, points = [], []
    for _ in range(300):
        state = pdd.GameState.initial(rules)
        while not state.is_over:
            state = state.apply_unchecked(state.legal_actions.sample(rng))
        turns.append(state.turn)
        points.append(state.score(pdd.Color.RED).points)
    found = GameBatch.initial(rules, sized(20_000, 100)).playout(6)
    for one, other in ((turns, found.turns.tolist()), (points, found.points[:, 1].tolist())):
        error = sqrt(variance(one) / len(one) + variance(other) / len(other))
        assert abs(fmean(one) - fmean(other)) < 4 * error
    # What comes of islands and of the order of turns.
    assert (found.turns % 2 == 0).all()
    assert (found.points >= 0).all()
