"""The trees of a search: one for each thread, and what they found out together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random

from pontedeldiavolo.batch.sharing import share
from pontedeldiavolo.batch.tree_search import TreeSearch, Tried
from pontedeldiavolo.players.analysis import Analysis, Choice
from pontedeldiavolo.rules.actions import Action, PlaceTile, PlaceTiles
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState

SEED_BITS = 63
WIN = 2
"""What a game gives that is won; half of it for a draw."""


class Tally:
    """How many games were played, and what they came to."""

    def __init__(self) -> None:
        self.visits: int = 0
        self.gained: int = 0

    def add(self, tried: Tried) -> None:
        """Add what a tree knows."""
        self.visits += tried.visits
        self.gained += tried.gained

    @property
    def value(self) -> float:
        """From -1, all lost, to 1, all won."""
        return 2 * self.gained / (WIN * self.visits) - 1 if self.visits else 0.0


class Forest:
    """Trees that grow from one state.

    Args:
        state: Where they begin; the game must not be over.
        size: How many they are.
        dice: What their random numbers come from.
    """

    def __init__(self, state: GameState, size: int, dice: Random) -> None:
        self.state: GameState = state
        self._dice = dice
        self._space = StepSpace(state.rules.board)
        self._trees = [TreeSearch(state, self._seed()) for _ in range(size)]

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
                self._trees[place] = TreeSearch(state, self._seed())
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

    def analysis(self) -> Analysis:
        """Return what was found out."""
        steps: defaultdict[int, Tally] = defaultdict(Tally)
        actions: defaultdict[Action, Tally] = defaultdict(Tally)
        for tree in self._trees:
            for first in tree.tried():
                steps[first.code].add(first)
                for action, last in self._begun_by(tree, first):
                    actions[action].add(last)
        best = self._best(steps, actions)
        choices = [Choice(action, each.visits, each.value) for action, each in actions.items()]
        choices.sort(key=lambda choice: -choice.visits)
        return Analysis(best, actions[best].value, tuple(choices), self._line(best))

    def _begun_by(self, tree: TreeSearch, first: Tried) -> Iterator[tuple[Action, Tried]]:
        """Iterate over the actions that begin with a step: it alone, or pairs of tiles."""
        step = self._space.decode(first.code)
        if isinstance(step, PlaceTile):
            cells = self._space.board.cells
            for second in tree.tried(first.place):
                yield PlaceTiles(step.cell, cells[second.code]), second
        else:
            yield step, first

    def _best(self, steps: Mapping[int, Tally], actions: Mapping[Action, Tally]) -> Action:
        """Return the action that most games went through, found tile by tile."""
        code = max(steps, key=lambda code: steps[code].visits)
        step = self._space.decode(code)
        if not isinstance(step, PlaceTile):
            return step
        seconds = self.state.legal_actions.second_tiles(step.cell)
        pairs = [PlaceTiles(step.cell, cell) for cell in seconds]
        return max(pairs, key=lambda pair: actions[pair].visits)

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
