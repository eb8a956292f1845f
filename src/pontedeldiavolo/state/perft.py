"""Counting action sequences: the classic test of a move generator."""

from __future__ import annotations

from typing import SupportsIndex

from pontedeldiavolo.base.checks import whole_number
from pontedeldiavolo.base.errors import PonteError, reason
from pontedeldiavolo.state.state import GameState


def perft(state: GameState, depth: SupportsIndex) -> int:
    """Return how many sequences of exactly *depth* legal actions start in *state*.

    The choice of a colour is one action. Depth 0 gives 1; a finished game gives 0 at any other
    depth. The states of the last level are counted but not made.

    >>> [pdd.perft(pdd.GameState.initial(), depth) for depth in range(3)]
    [1, 4950, 9900]

    Raises:
        PonteError: If *depth* is negative.
    """
    levels = whole_number(depth, "depth")
    if levels < 0:
        raise PonteError(reason("negative-depth", depth=levels))
    return _count(state, levels)


def _count(state: GameState, depth: int) -> int:
    if depth == 0:
        return 1
    legal = state.legal_actions
    if depth == 1:
        return len(legal)
    return sum(_count(state.apply_unchecked(action), depth - 1) for action in legal)
