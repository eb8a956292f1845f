# python examples/opening_book.py [FILE...]
"""A book of openings: what was played in each position, and how well that went.

It is made of records; without a file, of games that a greedy player has against itself. Positions
that are equal under a symmetry share a page, and what is found there is turned back.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

import pontedeldiavolo as pdd
from pontedeldiavolo.players import GreedyPlayer

DEPTH, GAMES = 6, 500
RULES = pdd.Rules(pdd.Board(4, 4))

Page = dict[pdd.Action, Counter[int]]
Book = defaultdict[tuple[pdd.Rules, bytes], Page]


def book_of(games: Iterable[pdd.Game]) -> Book:
    """Return for the first actions of games how often they won (1), drew (0) and lost (-1)."""
    book: Book = defaultdict(dict)
    for game in games:
        for state, turn in zip(game.states(), game.turns[:DEPTH], strict=False):
            page = book[state.rules, state.canonical_packed()]
            results = page.setdefault(on_page(state, turn.action), Counter())
            if game.state.outcome is not None:
                results[game.state.outcome.value(turn.seat)] += 1
    return book


def on_page(state: pdd.GameState, action: pdd.Action) -> pdd.Action:
    """Return an action as the page of its state has it: the first of all that are equal there."""
    form = state.canonical()
    ways = (each for each in pdd.symmetries(state.rules.board) if state.transform(each) == form)
    return min(action.transform(way) for way in ways)


def look_up(book: Book, state: pdd.GameState) -> Page:
    """Return what the book has on a state, turned back to the state's own board."""
    back = state.canonical_symmetry().inverse
    page = book.get((state.rules, state.canonical_packed()), {})
    return {action.transform(back): results for action, results in page.items()}


def greedy_game(seed: int) -> pdd.Game:
    """Return a game of a greedy player with itself."""
    player, game = GreedyPlayer(seed), pdd.Game.new(RULES)
    while not game.state.is_over:
        game = game.play(player.choose(game.state))
    return game


def show(page: Page) -> None:
    """Print the actions of a page that were played most often."""
    for action, results in sorted(page.items(), key=lambda item: -item[1].total())[:3]:
        score = (results[1] + results[0] / 2) / max(results.total(), 1)
        played = f"played {results.total()}, {score:.0%} for the mover"
        print(f"{pdd.format_action(action):7} {played}")


def main(paths: list[str]) -> None:
    """Print the first page, and one more for a board as it is and mirrored."""
    found = [game for path in paths for game in pdd.records.read(Path(path))]
    games = [game for game in found if isinstance(game, pdd.Game)]
    games = games or [greedy_game(seed) for seed in range(GAMES)]
    book = book_of(games)
    print(f"{len(book)} positions of {len(games)} games")
    show(look_up(book, games[0].start))
    state = games[0].start
    for action in games[0].actions[:2]:
        state = state.apply(action)
    for symmetry in pdd.symmetries(state.rules.board)[:2]:
        turned = state.transform(symmetry)
        print("", pdd.format_setup(turned.position.setup()), sep="\n")
        show(look_up(book, turned))


if __name__ == "__main__":
    main(sys.argv[1:])
