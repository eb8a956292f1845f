"""Play random games and count their results.

Run with: python examples/random_games.py [GAMES]
"""

import random
import sys
from collections import Counter

import pontedeldiavolo as pdd


def play(rules: pdd.Rules, rng: random.Random) -> pdd.GameState:
    """Play a game of uniformly random legal actions."""
    state = pdd.GameState.initial(rules)
    while not state.is_over:
        # A sampled action is legal, so it needs no second check.
        state = state.apply_unchecked(state.legal_actions.sample(rng))
    return state


def main(games: int) -> None:
    """Play games with the rules of the original edition and print a summary."""
    rng = random.Random(1)
    reasons: Counter[str] = Counter()
    turns = 0
    for _ in range(games):
        state = play(pdd.presets.ORIGINAL, rng)
        turns += state.turn
        outcome = state.outcome
        if outcome is not None:
            winner = outcome.winner.value if outcome.winner else "nobody"
            reasons[f"{winner} wins by {outcome.decided_by.value}"] += 1
    print(f"{games} games, {turns / games:.1f} turns on average")
    for reason, count in reasons.most_common():
        print(f"{count:6} {reason}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
