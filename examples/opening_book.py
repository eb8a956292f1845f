# python examples/opening_book.py [FILE...]
"""An opening book: the actions played in each position, with their results.

The games come from records or, without a file, from self-play of a greedy player. Positions that
are equal under a symmetry share an entry; the inverse symmetry maps its actions back. The program
also prints the main line of the library's own book, which comes from long searches, and how far
each game with its rules has followed that book.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import takewhile
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import Book, GreedyPlayer

DEPTH = 6
GAMES = 500
RULES = pdd.Rules(pdd.Board(4, 4))

Entry = dict[pdd.Action, Counter[int]]
Statistics = defaultdict[tuple[pdd.Rules, bytes], Entry]


def build_book(games: Iterable[pdd.Game]) -> Statistics:
    """Return how often the first actions of games won (1), drew (0) and lost (-1)."""
    book: Statistics = defaultdict(dict)
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
    symmetries = state.rules.board.symmetries
    fitting = (each for each in symmetries if state.transform(each) == canonical)
    return min(action.transform(symmetry) for symmetry in fitting)


def look_up(book: Statistics, state: pdd.GameState) -> Entry:
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


def main_line(book: Book) -> list[str]:
    """Return the line of the best actions of the library's book, each with its value.

    Actions with less than half of the visits of another one are left out.
    """
    state = pdd.GameState.initial(book.rules)
    line = []
    while found := book.lookup(state):
        most = max(each.visits for each in found)
        best = next(each for each in found if 2 * each.visits >= most)
        line.append(f"{pdd.format_action(best.action)} {best.value:+.2f}")
        state = state.apply(best.action)
    return line


def known_plies(book: Book, game: pdd.Game) -> int:
    """Return how many plies at the beginning of a game lead from one state of a book to another."""
    return len([*takewhile(book.lookup, game.states())]) - 1


def main(paths: list[str]) -> None:
    """Print entries of the start, of a later position and its mirror image, and the main line."""
    results = [game for path in paths for game in pdd.records.read(Path(path))]
    games = [game for game in results if isinstance(game, pdd.Game)]
    games = games or [greedy_game(seed) for seed in range(GAMES)]
    book = build_book(games)
    print(f"{len(book)} positions of {len(games)} games")
    show(look_up(book, games[0].start))
    state = games[0].start
    for action in games[0].actions[:2]:
        state = state.apply(action)
    for symmetry in state.rules.board.symmetries[:2]:
        transformed = state.transform(symmetry)
        print("", pdd.format_setup(transformed.position.setup()), sep="\n")
        show(look_up(book, transformed))
    bundled = Book.bundled(pdd.Rules())
    print("", "the library's book: " + ", ".join(main_line(bundled)), sep="\n")
    for game in games:
        if game.start == pdd.GameState.initial(bundled.rules):
            followed = known_plies(bundled, game)
            print(f"a game of {len(game.plies)} plies has followed it for {followed}")


if __name__ == "__main__":
    main(sys.argv[1:])
