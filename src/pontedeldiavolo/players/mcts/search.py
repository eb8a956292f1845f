"""Search trees: one tree in arrays, several trees in threads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from time import perf_counter
from typing import Final, NamedTuple

import numpy as np

from pontedeldiavolo.batch.kernels.game import game_type, new_records
from pontedeldiavolo.batch.kernels.tables import tables
from pontedeldiavolo.batch.randomness import random_seed
from pontedeldiavolo.batch.rows import rows_of
from pontedeldiavolo.batch.sharing import share
from pontedeldiavolo.players.analysis import Analysis, Choice
from pontedeldiavolo.players.mcts.kernels import Nodes, begin_search, keep_below, new_nodes, search
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.state.spaces import StepSpace
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


SEED_BITS = 63
WIN = 2
"""What a game gives that is won; half of it for a draw."""


class Tally:
    """What several trees know of a step or an action."""

    def __init__(self) -> None:
        self.visits: int = 0
        self.gained: int = 0
        self.later_visits: int = 0
        self.later_gained: int = 0

    def add(self, tried: Tried) -> None:
        """Add what a tree knows."""
        self.visits += tried.visits
        self.gained += tried.gained
        self.later_visits += tried.later_visits
        self.later_gained += tried.later_gained

    @property
    def value(self) -> float:
        """From -1, all lost, to 1, all won."""
        return 2 * self.gained / (WIN * self.visits) - 1 if self.visits else 0.0

    @property
    def rank(self) -> tuple[int, float]:
        """What is larger for what is better: games, and where they are as many, later ones."""
        return self.visits, self.later_gained / self.later_visits if self.later_visits else 0.0


class Forest:
    """Trees that grow from one state.

    Args:
        state: Where they begin; the game must not be over.
        size: How many they are.
        dice: What their random numbers come from.
        guided: Whether games beyond them are played with some sense, or uniformly.
    """

    def __init__(self, state: GameState, size: int, dice: Random, *, guided: bool) -> None:
        self.state: GameState = state
        self._dice = dice
        self._guided = guided
        self._space = StepSpace(state.rules.board)
        self._trees = [self._tree() for _ in range(size)]

    def _tree(self) -> TreeSearch:
        return TreeSearch(self.state, self._seed(), guided=self._guided)

    def _seed(self) -> int:
        return self._dice.getrandbits(SEED_BITS)

    def play(self, simulations: int) -> None:
        """Play so many games, shared by all trees."""
        size = len(self._trees)
        shares = [(simulations + place) // size for place in range(size)]
        self._work(lambda place: self._trees[place].play(shares[place]))

    def play_until(self, end: float) -> None:
        """Play games until a moment that ``perf_counter`` tells."""
        self._work(lambda place: self._trees[place].play_until(end))

    def _work(self, work: Callable[[int], None]) -> None:
        def some(begin: int, end: int) -> None:
            for place in range(begin, end):
                work(place)

        share(some, len(self._trees), len(self._trees))

    def follow(self, actions: list[Action], state: GameState) -> None:
        """Go on from the state after some actions."""
        self.state = state
        for place, tree in enumerate(self._trees):
            found = self._find(tree, actions)
            if found is None:
                self._trees[place] = self._tree()
            else:
                tree.go_on(found.place, state, self._seed())

    def _find(self, tree: TreeSearch, actions: list[Action]) -> Tried | None:
        """Return where actions lead in a tree, if it knows."""
        found = None
        for action in actions:
            place = 0 if found is None else found.place
            ways = [tree.find(codes, place) for codes in self._ways(action)]
            found = max((way for way in ways if way), key=lambda way: way.visits, default=None)
            if found is None:
                return None
        return found

    def _ways(self, action: Action) -> list[list[int]]:
        """Return the orders of steps that make an action."""
        if not isinstance(action, PlaceTiles):
            return [[self._space.encode(action)]]
        codes = [self._space.encode(PlaceTile(cell)) for cell in (action.a, action.b)]
        return [codes, codes[::-1]]

    def best(self) -> Action:
        """Return the action that most games went through, found tile by tile."""
        return self._begun_best(_most_tried(self._steps()))

    def analysis(self) -> Analysis:
        """Return what was found out."""
        steps = self._steps()
        first_step = _most_tried(steps)
        best = self._begun_best(first_step)
        actions: defaultdict[Action, Tally] = defaultdict(Tally)
        for tree in self._trees:
            for first in tree.tried():
                for action, last in self._begun_by(tree, first):
                    if last.visits:
                        actions[action].add(last)
        choices = [Choice(action, each.visits, each.value) for action, each in actions.items()]
        choices.sort(key=lambda choice: -choice.visits)
        # Of a pair, many more games tell about its first tile than about both.
        value = steps[first_step].value
        return Analysis(best, value, tuple(choices), self._line(best))

    def _steps(self) -> Mapping[int, Tally]:
        """Return what is known of the first steps, by their codes."""
        found: defaultdict[int, Tally] = defaultdict(Tally)
        for tree in self._trees:
            for first in tree.tried():
                found[first.code].add(first)
        return found

    def _begun_best(self, code: int) -> Action:
        """Return the action that most games went through, of those that begin with a step."""
        step = self._space.decode(code)
        if not isinstance(step, PlaceTile):
            return step
        pairs = {
            PlaceTiles(step.cell, cell): Tally()
            for cell in self.state.legal_actions.second_tiles(step.cell)
        }
        for pair, tally in pairs.items():
            for tree in self._trees:
                for way in self._ways(pair):
                    if (found := tree.find(way)) is not None:
                        tally.add(found)
        return max(pairs, key=lambda pair: pairs[pair].rank)

    def _begun_by(self, tree: TreeSearch, first: Tried) -> Iterator[tuple[Action, Tried]]:
        """Iterate over the actions that begin with a step: it alone, or pairs of tiles."""
        step = self._space.decode(first.code)
        if isinstance(step, PlaceTile):
            cells = self._space.board.cells
            for second in tree.tried(first.place):
                yield PlaceTiles(step.cell, cells[second.code]), second
        else:
            yield step, first

    def _line(self, best: Action) -> tuple[Action, ...]:
        """Return the actions that most games went through, in the largest tree."""
        tree = max(self._trees, key=lambda tree: tree.visits)
        line, node = [best], self._find(tree, [best])
        while node is not None:
            action, node = self._most_visited(tree, node)
            if action is not None:
                line.append(action)
        return tuple(line)

    def _most_visited(self, tree: TreeSearch, node: Tried) -> tuple[Action | None, Tried | None]:
        """Return the action that most games went on with, and where it leads."""
        first = max(tree.tried(node.place), key=lambda tried: tried.visits, default=None)
        if first is None:
            return None, None
        begun = self._begun_by(tree, first)
        action, last = max(begun, key=lambda found: found[1].visits, default=(None, None))
        return (action, last) if last is not None and last.visits else (None, None)


def _most_tried(steps: Mapping[int, Tally]) -> int:
    return max(steps, key=lambda code: steps[code].rank)
