# python examples/opening_book.py [FILE...]
"""An opening book: the actions played in each position, with their results.

The games come from records or, without a file, from self-play of a greedy player. Positions that
are equal under a symmetry share an entry; the inverse symmetry maps its actions back.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import GreedyPlayer

DEPTH = 6
GAMES = 500
RULES = pdd.Rules(pdd.Board(4, 4))

Entry = dict[pdd.Action, Counter[int]]
Book = defaultdict[tuple[pdd.Rules, bytes], Entry]


def build_book(games: Iterable[pdd.Game]) -> Book:
    """Return how often the first actions of games won (1), drew (0) and lost (-1)."""
    book: Book = defaultdict(dict)
    for game in games:
        for state, ply in zip(game.states(), game.plies[:DEPTH], strict=False):
            entry = book[state.rules, state.canonical_packed()]
            results = entry.setdefault(canonical_action(state, ply.action), Counter())
            if game.state.outcome is not None:
                results[game.state.outcome.value(ply.seat)] += 1
    return book


def canonical_action(state: pdd.GameState, action: pdd.Action) -> pdd.Action:
    """Return an action on the canonical board: the least among symmetric ones."""
    canonical = state.canonical()
    symmetries = pdd.symmetries(state.rules.board)
    fitting = (each for each in symmetries if state.transform(each) == canonical)
    return min(action.transform(symmetry) for symmetry in fitting)


def look_up(book: Book, state: pdd.GameState) -> Entry:
    """Return the book's entry for a state, with its actions on the state's board."""
    inverse = state.canonical_symmetry().inverse
    entry = book.get((state.rules, state.canonical_packed()), {})
    return {action.transform(inverse): results for action, results in entry.items()}


def greedy_game(seed: int) -> pdd.Game:
    """Play a game of a greedy player against itself."""
    player = GreedyPlayer(seed)
    game = pdd.Game.new(RULES)
    while not game.state.is_over:
        game = game.play(player.choose(game.state))
    return game


def show(entry: Entry) -> None:
    """Print the most frequent actions of an entry."""
    for action, results in sorted(entry.items(), key=lambda item: -item[1].total())[:3]:
        score = (results[1] + results[0] / 2) / max(results.total(), 1)
        played = f"played {results.total()}, {score:.0%} for the mover"
        print(f"{pdd.format_action(action):7} {played}")


def main(paths: list[str]) -> None:
    """Print the entries of the start, of a later position, and of its mirror image."""
    results = [game for path in paths for game in pdd.records.read(Path(path))]
    games = [game for game in results if isinstance(game, pdd.Game)]
    games = games or [greedy_game(seed) for seed in range(GAMES)]
    book = build_book(games)
    print(f"{len(book)} positions of {len(games)} games")
    show(look_up(book, games[0].start))
    state = games[0].start
    for action in games[0].actions[:2]:
        state = state.apply(action)
    for symmetry in pdd.symmetries(state.rules.board)[:2]:
        transformed = state.transform(symmetry)
        print("", pdd.format_setup(transformed.position.setup()), sep="\n")
        show(look_up(book, transformed))


if __name__ == "__main__":
    main(sys.argv[1:])
