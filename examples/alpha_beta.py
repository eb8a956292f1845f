# python examples/alpha_beta.py [BOARD]
"""Solve the openings of a small board, such as 4x3, by alpha-beta with a transposition table.

States that differ only by a symmetry or by the owners of the colours have the same key.
"""

import sys
from typing import NamedTuple

import pontedeldiavolo as pdd

RESULTS = {1: "white wins", 0: "draw", -1: "red wins"}
VALUES = {pdd.Color.WHITE: 1, None: 0, pdd.Color.RED: -1}


class Bounds(NamedTuple):
    """An entry of the transposition table: bounds of a value."""

    lower: int = -1
    upper: int = 1


def lead(state: pdd.GameState) -> int:
    """Return white's lead in points."""
    return state.score(pdd.Color.WHITE).points - state.score(pdd.Color.RED).points


def value(state: pdd.GameState, alpha: int, beta: int, table: dict[bytes, Bounds]) -> int:
    """Return the value for white: exact from *alpha* to *beta*, otherwise a bound (fail-soft)."""
    if state.outcome is not None:
        return VALUES[state.outcome.winner]
    key = state.canonical_packed(owners=False)
    entry = table.get(key, Bounds())
    low = max(alpha, entry.lower)
    high = min(beta, entry.upper)
    if low >= high:
        return entry.lower if low == entry.lower else entry.upper
    is_white = state.to_move is pdd.Color.WHITE
    better = max if is_white else min
    best = -1 if is_white else 1
    alpha = low
    beta = high
    # Move ordering: searching the best moves first gives earlier cutoffs.
    children = map(state.apply_unchecked, state.legal_actions)
    for child in sorted(children, key=lead, reverse=is_white):
        best = better(best, value(child, alpha, beta, table))
        alpha, beta = (max(alpha, best), beta) if is_white else (alpha, min(beta, best))
        if alpha >= beta:
            break
    table[key] = Bounds(
        entry.lower if best <= low else max(entry.lower, best),
        entry.upper if best >= high else min(entry.upper, best),
    )
    return best


def main(board: pdd.Board) -> None:
    """Print the result of each opening, once for those that are equal under a symmetry."""
    table: dict[bytes, Bounds] = {}
    openings: dict[bytes, str] = {}
    state = pdd.GameState.initial(pdd.Rules(board))
    for opening in state.legal_actions:
        after = state.apply(opening).apply(pdd.ChooseColor(pdd.Color.RED))
        key = after.canonical_packed(owners=False)
        if key not in openings:
            openings[key] = pdd.format_action(opening)
            print(f"{openings[key]:8} {RESULTS[value(after, -1, 1, table)]}")
    print(f"{len(openings)} openings, {len(table)} positions looked at")


if __name__ == "__main__":
    width, height = map(int, (sys.argv[1] if len(sys.argv) > 1 else "3x3").split("x"))
    main(pdd.Board(width, height))
