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
