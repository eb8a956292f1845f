"""A search of one position: a tree of steps that grows while games are played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from pontedeldiavolo.batch.kernels.game import game_type, new_records
from pontedeldiavolo.batch.kernels.searching import begin_search, search
from pontedeldiavolo.batch.kernels.tables import tables
from pontedeldiavolo.batch.kernels.tree import Nodes, keep_below, new_nodes
from pontedeldiavolo.batch.randomness import random_seed
from pontedeldiavolo.batch.rows import rows_of
from pontedeldiavolo.state.state import GameState

FEWEST: Final = 1 << 14
MOST: Final = 1 << 23
"""So many nodes at most, of 36 bytes each: 300 MB."""
MOST_VISITS: Final = 1 << 30
"""So many games are counted in 32 bits, two for each that is won; no more are played."""
AT_ONCE: Final = 4096
"""So many games at most are played between two looks for whoever wants to interrupt."""
WAIT: Final = 0.005
"""So many seconds, about, pass between two looks at the clock."""


class Tried(NamedTuple):
    """What a search knows of a step."""

    code: int
    """Its number in the :class:`~pontedeldiavolo.StepSpace`."""
    visits: int
    """In how many games it was taken."""
    gained: int
    """What they came to for the seat that takes it: 2 for a win, 1 for a draw."""
    later_visits: int
    """In how many games the same colour did the same at any later time."""
    later_gained: int
    """What those came to."""
    place: int
    """The node that it leads to."""


class TreeSearch:
    """A tree that begins at a state. One thread at a time may use it.

    Args:
        state: Where it begins; the game must not be over.
        seed: From 0 up: equal seeds, equal searches.
        guided: Whether games beyond the tree are played with some sense, or uniformly.
    """

    def __init__(self, state: GameState, seed: int, *, guided: bool = True) -> None:
        self._guided = guided
        board = state.rules.board
        self._tables = tables(state.rules)
        self._games = new_records(2, game_type(board.width, board.height))
        self._path = np.zeros(state.rules.most_steps + 1, np.int32)
        self._nodes: Nodes = new_nodes(FEWEST)
        self._begin(state, seed)
        # What has to be compiled is compiled before anybody looks at the clock.
        self._play(0)

    def _begin(self, state: GameState, seed: int) -> None:
        rows = rows_of(state.rules, [state])
        begin_search(self._tables, self._games, self._nodes, rows, random_seed(seed))
        self._used = 1

    @property
    def visits(self) -> int:
        """How many games went through the root, those of earlier turns included."""
        return int(self._nodes[0]["visits"])

    def play(self, simulations: int) -> None:
        """Play so many games."""
        left = min(simulations, MOST_VISITS - self.visits)
        while left:
            done = self._play(min(left, AT_ONCE))
            left -= done
            if not done:
                more = new_nodes(2 * len(self._nodes))
                more[: self._used] = self._nodes[: self._used]
                self._nodes = more

    def _play(self, simulations: int) -> int:
        """Play so many games or fewer, for which there is memory; return how many they were."""
        may_fill = len(self._nodes) >= MOST
        memory = (self._tables, self._games, self._nodes, self._path)
        done, self._used = search(*memory, self._used, simulations, may_fill, self._guided)
        return done

    def play_until(self, end: float) -> None:
        """Play games until a moment that ``perf_counter`` tells; one at least."""
        number, begin = 1, perf_counter()
        self.play(number)
        while (now := perf_counter()) < end and self.visits < MOST_VISITS:
            speed = number / max(now - begin, WAIT / 100)
            number, begin = max(1, int(speed * min(WAIT, end - now))), now
            self.play(number)

    def tried(self, place: int = 0) -> Iterator[Tried]:
        """Iterate over the steps that follow a node; none if nobody has looked further."""
        children = self._children(place)
        columns = [self._nodes[name][children].tolist() for name in Tried._fields[:-1]]
        yield from map(Tried, *columns, range(children.start, children.stop))

    def _children(self, place: int) -> slice:
        node = self._nodes[place]
        first = int(node["first_child"])
        return slice(first, first + int(node["children"]))

    def find(self, codes: Iterable[int], place: int = 0) -> Tried | None:
        """Return where one or more steps lead from a node, or ``None``: not into the tree."""
        for code in codes:
            children = self._children(place)
            found = np.flatnonzero(self._nodes["code"][children] == code)
            if not found.size:
                return None
            place = children.start + int(found[0])
        node = self._nodes[place]
        return Tried._make([*(int(node[name]) for name in Tried._fields[:-1]), place])

    def go_on(self, place: int, state: GameState, seed: int) -> None:
        """Begin at a node of the tree, whose state this is; what is below it is kept."""
        kept = new_nodes(len(self._nodes))
        used = keep_below(self._nodes, place, kept)
        self._begin(state, seed)
        self._nodes, self._used = kept, used
