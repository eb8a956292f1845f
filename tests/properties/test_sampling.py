"""Properties of the rules in every reachable state: legal actions drawn at random."""

from __future__ import annotations

from collections import Counter
from math import sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pontedeldiavolo as pdd
from pontedeldiavolo.testing.strategies import states
from support.diagrams import RED, WHITE


@given(states(), st.integers(0, 2**32))
def test_a_sample_is_legal(state: pdd.GameState, seed: int) -> None:
    legal = state.legal_actions
    rng = Random(seed)
    if legal:
        assert all(legal.sample(rng) in legal for _ in range(10))
        assert legal.sample(Random(seed)) == legal.sample(Random(seed))
    for view in (legal, legal.pairs, state.legal_steps):
        if view:
            assert view.sample(rng) in view
        else:
            with pytest.raises(IndexError):
                view.sample(rng)


# Red to move; of 45 pairs of open cells 23 exclude each other, and there are three bridges.
CROWDED = """
    4 . . . r .
    3 . r . . .
    2 w r r . w
    1 . . w . w
      a b c d e
    bridges c1-e1
"""
# Red to move; of 36 pairs of open cells seven are legal, and there are two bridges.
CRAMPED = """
    4 w . r . .
    3 w . r . w
    2 w . r . w
    1 r . . . w
      a b c d e
"""


# White to move; three cells are open and each excludes the others: four bridges and the pass.
STUCK = """
    5 w w r r r
    4 . w . w w
    3 . w . . w
    2 r . . . .
    1 r r w r r
      a b c d e
"""
# Red to move; of a hundred cells five are open, with six legal pairs, and there are 16 bridges.
LATE = """
    10 . r r r w w w r . w
     9 r w w . w r . r r r
     8 w r r . r r w . w w
     7 w r w w . . . r w w
     6 w . w w r w . . r r
     5 r r . . r w . . w .
     4 w w r r . w r w w r
     3 w . . r . r w . r r
     2 r r w w w . w w r w
     1 r r w r r r r . w w
       a b c d e f g h i j
    bridges c7-e9
"""


@pytest.mark.parametrize(
    ("diagram", "mover", "open_cells", "pairs", "bridges"),
    [
        pytest.param(CROWDED, RED, 10, 22, 3, id="crowded"),
        pytest.param(CRAMPED, RED, 9, 7, 2, id="cramped"),
        pytest.param(STUCK, WHITE, 3, 0, 4, id="stuck"),
        pytest.param(LATE, RED, 5, 6, 16, id="late"),
    ],
)
def test_samples_are_uniform(
    diagram: str, mover: pdd.Color, open_cells: int, pairs: int, bridges: int
) -> None:
    position = pdd.parse_setup(diagram).position()
    state = pdd.GameState.from_position(position, to_move=mover)
    legal = state.legal_actions
    assert len(position.open_cells(mover)) == open_cells
    assert (len(list(legal.pairs)), len(legal.bridges)) == (pairs, bridges)
    for view in (legal, legal.pairs, state.legal_steps):
        rng = Random(2002)
        expected = 400
        counts = Counter(view.sample(rng) for _ in range(expected * len(view)))
        assert set(counts) == set(view)
        chi_square = sum((counts[item] - expected) ** 2 / expected for item in view)
        freedom = max(0, len(view) - 1)
        # Five standard deviations: true of a fair draw in all but one of a million seeds.
        assert chi_square < freedom + 5 * sqrt(2 * freedom) + 5
