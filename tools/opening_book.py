"""Make the opening book of the package, or search more positions for it.

``python -m tools.opening_book --minutes 60`` goes on where the last run ended. It writes the file
after every few searches, so it can be stopped at any time. First it searches the position after
every opening, with red to move; openings that are equal under a symmetry count as one. Then it
makes long searches, in the order of the costs of the positions. The cost is what both seats lose on
the way to a position, by the values that are known so far, and a little for each turn: balanced
openings come first, then the best answers, and so on.

It runs in one process, with the lowest priority. The seed of a search depends on its position
alone, and the order of the searches on the book alone. So ``--anew --searches N`` makes the same
file again, byte for byte, where N is the number of searches that the last run has printed.
``--check 10`` repeats ten searches of the book, and exits with 1 if one has another result.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import islice
from math import inf
from pathlib import Path
from random import Random
from time import monotonic
from typing import Final
from zlib import crc32

import pontedeldiavolo as pdd
from pontedeldiavolo.players import ActionStats, Book, MctsPlayer
from pontedeldiavolo.players import book as books
from pontedeldiavolo.players.book import DECIMALS, RED, Line, Search
from pontedeldiavolo.records.atomic_file import atomic_write

FILE: Final = Path(str(books.bundled_file(pdd.Rules())))
FIRST_SIMULATIONS: Final = 10_000
"""The simulations of the first search of each opening."""
SIMULATIONS: Final = 100_000
"""The simulations of all other searches."""
FIRST_DEFICIT: Final = 0.03
"""A first search explores more, so its value for red is about this much below that of a longer one.
It is only used to find the openings that deserve a long search."""
KEPT_ACTIONS: Final = 4
"""The number of actions that are stored for each position."""
TURN_COST: Final = 0.001
"""The cost of each turn after the opening."""
BATCH: Final = 8
"""The number of searches that are chosen together, before the file is written."""


class Maker:
    """Makes a book.

    Args:
        rules: The rules.
        searches: The searches so far.
        first: The simulations of the first search of each opening.
        others: The simulations of all other searches.
    """

    def __init__(
        self,
        rules: pdd.Rules,
        searches: tuple[Search, ...] = (),
        first: int = FIRST_SIMULATIONS,
        others: int = SIMULATIONS,
    ) -> None:
        self.rules = rules
        self.searches = {search.line: search for search in searches}
        self.first = first
        self.others = others
        self._openings = [*openings(rules)]

    @property
    def count(self) -> int:
        """The number of searches, those that longer ones have replaced among them."""
        long = [each for each in self.searches.values() if each.simulations == self.others]
        return len(self._openings) + len(long) if long else len(self.searches)

    def run_batch(self) -> bool:
        """Make some searches; return whether there were any to make."""
        missing = [(*opening, RED) for opening in self._openings]
        lines = [line for line in missing if line not in self.searches][:BATCH]
        simulations = self.first
        if not lines:
            lines = [*islice(self.cheapest(), BATCH)]
            simulations = self.others
        for line in lines:
            self.searches[line] = searched(self.rules, line, simulations)
        return bool(lines)

    def book(self) -> Book:
        """Return the book so far."""
        return Book(self.rules, books.entries_of(self.rules, self.searches.values()))

    def cheapest(self) -> Iterator[Line]:
        """Yield the lines to positions that have no long search, the one with the least cost first.

        A position after which the game is over needs none.
        """
        book = self.book()
        seen = set[bytes]()
        queue: list[tuple[float, int, str, Line]] = [(0.0, 0, "", ())]
        while queue:
            cost, _, _, line = heappop(queue)
            state = state_after(self.rules, line)
            key = books.key_of(state)
            if key in seen or state.is_over:
                continue
            seen.add(key)
            entry = books.entry_of(book, state)
            if line and (entry is None or entry.simulations < self.others):
                yield line
                continue
            for loss, after in self._continuations(book, state, line):
                text = " ".join(map(pdd.format_action, after))
                heappush(queue, (round(cost + loss, DECIMALS), len(after), text, after))

    def _continuations(
        self, book: Book, state: pdd.GameState, line: Line
    ) -> Iterator[tuple[float, Line]]:
        """Yield the lines that go on after a line, each with its additional cost."""
        actions = book.lookup(state)
        for each in actions:
            if line:
                yield actions[0].value - each.value + TURN_COST, (*line, each.action)
                continue
            after = (each.action, RED)
            after_opening = state.apply(each.action)
            entry = books.entry_of(book, after_opening)
            is_first = entry is not None and entry.simulations < self.others
            values = {choice.action: choice.value for choice in book.lookup(after_opening)}
            yield abs(values[RED] + FIRST_DEFICIT * is_first), after


def openings(rules: pdd.Rules) -> Iterator[Line]:
    """Yield each opening, once for those that are equal under a symmetry."""
    start = pdd.GameState.initial(rules)
    seen = set[bytes]()
    for action in start.legal_actions:
        key = books.key_of(start.apply(action))
        if key not in seen:
            seen.add(key)
            yield (action,)


def state_after(rules: pdd.Rules, line: Line) -> pdd.GameState:
    """Return the state after some actions."""
    state = pdd.GameState.initial(rules)
    for action in line:
        state = state.apply(action)
    return state


def searched(rules: pdd.Rules, line: Line, simulations: int) -> Search:
    """Search the position after a line; actions that are equal under a symmetry count as one."""
    state = state_after(rules, line)
    seed = crc32(" ".join(map(pdd.format_action, line)).encode())
    player = MctsPlayer(simulations=simulations, seed=seed)
    analysis = player.analyse(state, multi_pv=KEPT_ACTIONS)
    symmetries = [each for each in rules.board.symmetries if state.transform(each) == state]
    visits: dict[pdd.Action, int] = {}
    rewards: dict[pdd.Action, float] = {}
    for each in analysis.actions:
        action = min(each.action.transform(symmetry) for symmetry in symmetries)
        visits[action] = visits.get(action, 0) + each.visits
        rewards[action] = rewards.get(action, 0.0) + each.visits * each.value
    best = min(analysis.best.transform(symmetry) for symmetry in symmetries)
    others = sorted(visits.keys() - {best}, key=lambda each: (-visits[each], each))
    stats = (
        ActionStats(each, visits[each], rounded(rewards[each] / max(visits[each], 1)))
        for each in (best, *others[: KEPT_ACTIONS - 1])
    )
    return Search(line, simulations, rounded(analysis.value), tuple(stats))


def rounded(value: float) -> float:
    """Return a value as it is stored: never a negative zero."""
    return round(value, DECIMALS) + 0.0


def different(searches: tuple[Search, ...], rules: pdd.Rules, number: int) -> list[Search]:
    """Repeat some searches, and return those of which the result is another one now."""
    some = Random(0).sample(searches, min(number, len(searches)))
    return [each for each in some if searched(rules, each.line, each.simulations) != each]


def main() -> int:
    """Go on with the book, make it anew, or check it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=inf, help="the time for more searches")
    parser.add_argument("--searches", type=int, default=None, help="the number of all searches")
    parser.add_argument("--anew", action="store_true", help="forget the searches in the file")
    parser.add_argument("--check", type=int, metavar="N", help="only repeat N searches")
    parser.add_argument("--file", type=Path, default=FILE)
    asked = parser.parse_args()
    os.nice(19)
    rules = pdd.Rules()
    searches = books.read(asked.file).searches if asked.file.exists() and not asked.anew else ()
    if asked.check is not None:
        found = different(searches, rules, asked.check)
        print(*(" ".join(map(pdd.format_action, each.line)) for each in found), sep="\n")
        return int(bool(found))
    maker = Maker(rules, searches)
    end = monotonic() + 60 * asked.minutes
    most = inf if asked.searches is None else asked.searches
    while monotonic() < end and maker.count < most and maker.run_batch():
        with atomic_write(asked.file) as file:
            file.write(books.written(rules, maker.searches.values()).decode())
        print(f"{maker.count} searches, {asked.file.stat().st_size:,} bytes", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
