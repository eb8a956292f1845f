# python examples/alpha_beta.py [BOARD]
"""Alpha-beta with a table: who wins after every opening of a small board, such as 4x3.

States that differ in a symmetry, or in who owns which colour, have the same key in the table.
"""

import sys
from typing import NamedTuple

import pontedeldiavolo as pdd

RESULTS = {1: "white wins", 0: "draw", -1: "red wins"}
WORTH = {pdd.Color.WHITE: 1, None: 0, pdd.Color.RED: -1}


class Bounds(NamedTuple):
    """Bounds of a value: not less than one and not more than the other."""

    least: int = -1
    most: int = 1


def lead(state: pdd.GameState) -> int:
    """Return by how many points white is ahead."""
    return state.score(pdd.Color.WHITE).points - state.score(pdd.Color.RED).points


def value(state: pdd.GameState, low: int, high: int, table: dict[bytes, Bounds]) -> int:
    """Return the value for white: exact from *low* to *high*, otherwise on the right side of it."""
    if state.outcome is not None:
        return WORTH[state.outcome.winner]
    key = state.canonical_packed(owners=False)
    known = table.get(key, Bounds())
    low, high = max(low, known.least), min(high, known.most)
    if low >= high:
        return known.least if low == known.least else known.most
    is_white = state.to_move is pdd.Color.WHITE
    better = max if is_white else min
    best, alpha, beta = (-1 if is_white else 1), low, high
    # What gives most at once comes first: the sooner a bound is met, the less has to be looked at.
    after = map(state.apply_unchecked, state.legal_actions)
    for child in sorted(after, key=lead, reverse=is_white):
        best = better(best, value(child, alpha, beta, table))
        alpha, beta = (max(alpha, best), beta) if is_white else (alpha, min(beta, best))
        if alpha >= beta:
            break
    table[key] = Bounds(
        known.least if best <= low else max(known.least, best),
        known.most if best >= high else min(known.most, best),
    )
    return best


def main(board: pdd.Board) -> None:
    """Print what every opening is worth, equal ones once."""
    table: dict[bytes, Bounds] = {}
    openings: dict[bytes, str] = {}
    state = pdd.GameState.initial(pdd.Rules(board))
    for opening in state.legal_actions:
        begun = state.apply(opening).apply(pdd.ChooseColor(pdd.Color.RED))
        key = begun.canonical_packed(owners=False)
        if key not in openings:
            openings[key] = pdd.format_action(opening)
            print(f"{openings[key]:8} {RESULTS[value(begun, -1, 1, table)]}")
    print(f"{len(openings)} openings, {len(table)} positions looked at")


if __name__ == "__main__":
    width, height = map(int, (sys.argv[1] if len(sys.argv) > 1 else "3x3").split("x"))
    main(pdd.Board(width, height))
