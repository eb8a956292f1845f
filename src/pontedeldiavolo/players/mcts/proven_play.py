"""Proofs for single actions late in a game, and the choice between those that keep a proven result.

Alpha-beta can prove that an action loses, before the player chooses it, or that it wins.

Wins and losses say nothing about points. So once the result is proven, a winner takes the largest
mean margin of points, and of equal margins the shortest line; a loser takes the longest line, and
of equal lengths the smallest margin. *Rollouts* after each action estimate margin and length:
sequential halving gives the better half of the actions twice as many, again and again. Late in the
game, alpha-beta then *examines* the actions to the end.

- Sequential halving: Z. Karnin, T. Koren, O. Somekh, *Almost optimal exploration in multi-armed
  bandits*, ICML 2013.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from math import ceil, inf, log2
from time import perf_counter
from typing import Final, NamedTuple, cast

import numpy as np

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.batch.kernels.game import game_type, new_records, rules_table
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.rules.actions import Action, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .alpha_beta import (
    CODE_BITS,
    CODE_MASK,
    DEPTH,
    NO,
    NODES_SEARCHED,
    SLOTS,
    YES,
    Numbers,
    new_stack,
    prove,
    stack_size,
)
from .proven_kernels import (
    LOSER,
    NO_BOUND,
    RESULT_STEP,
    SCORE_STEP,
    UNKNOWN_SCORE,
    WINNER,
    examine,
    play_out,
    seed_rollouts,
)
from .rollout_kernels import PROOF_CELLS
from .solver import BUCKET_BYTES

# The choice

FEW_PAIRS: Final = 24
"""The number of pairs of tiles that get rollouts of their own."""
FIRST_SHARE: Final = 0.25
"""The share of the rollouts that finds them."""
EXAMINED_SHARE: Final = 0.5
"""The share of the budget for the examination."""
ONE_SHARE: Final = 0.5
"""The share of the nodes left that the examination of one action may take."""
EQUAL: Final = 0.5
"""Means of margins (in points) and of lengths (in turns) count as equal up to this difference."""
TABLE_POSITIONS: Final = 1 << 15
"""The number of positions in the table of the examination: 1 MiB."""
PROOF_NODES: Final = 1_000
"""The maximum number of nodes in which alpha-beta proves that an action keeps the result."""
MAX_PROOF_ATTEMPTS: Final = 4
"""The maximum number of actions for which this is tried."""
MAX_WIN_ATTEMPTS: Final = 32
"""The same, for a win that was proven in an earlier turn."""
PROOF_BYTES: Final = 1 << 20
"""The memory of the table of proofs."""
EFFORT_PER_SECOND: Final = 20_000
"""The number of rollouts, or of nodes, for which a second is enough."""


class ProvenNode(NamedTuple):
    """A node with a proven result, in which a colour moves."""

    node: Node
    wins: bool
    """Whether the seat to move wins; otherwise it loses."""
    known: tuple[Action, ...]
    """The actions that are proven to keep the result, at least one."""
    others: tuple[Action, ...]
    """Actions that may keep it, too."""


class Effort(NamedTuple):
    """The limits of a choice."""

    most: int
    """The maximum number of rollouts and nodes."""
    end: float = inf
    """The time after which no more rollouts begin."""
    stop: Callable[[], bool] = bool
    """Called between rounds of rollouts, and before the examination; a true result ends both."""

    def part(self, share: float) -> Effort:
        """Return a share of the maximum number."""
        return self._replace(most=max(1, int(share * self.most)))


class Estimate(NamedTuple):
    """The mean result after an action, or of the rollouts with a tile on a cell."""

    place: int
    """The index of the action, or of the cell."""
    margin: float
    """The points of the seat to move, less those of the other."""
    length: float
    """The number of turns to the end of the game."""

    def rating(self, *, wins: bool) -> tuple[float, float]:
        """Return the sort key of a winner or a loser: the higher, the better."""
        return (self.margin, -self.length) if wins else (self.length, self.margin)


def best_first(estimates: Iterable[Estimate], *, wins: bool) -> list[Estimate]:
    """Return estimates, the best first; where the first ones are equal, the second part decides."""
    found = sorted(estimates, key=lambda each: each.rating(wins=wins), reverse=True)
    least = found[0].rating(wins=wins)[0] - EQUAL
    equal = sum(each.rating(wins=wins)[0] >= least for each in found)
    head = sorted(found[:equal], key=lambda each: each.rating(wins=wins)[::-1], reverse=True)
    return [*head, *found[equal:]]


def margin_and_length(score: int, *, wins: bool) -> tuple[int, int]:
    """Return the margin and the number of turns that a score of an examination stands for."""
    rest = score - RESULT_STEP * round(score / RESULT_STEP)
    first = round(rest / SCORE_STEP)
    second = rest - SCORE_STEP * first
    return (first, -second) if wins else (second, first)


def estimates_of(node: Node, sums: Numbers) -> list[Estimate]:
    """Return the means of rows of sums for the seat to move; rows without rollouts rate lowest."""
    sign = 1 if node.to_move is Color.WHITE else -1
    found = []
    for place, (number, margin, length) in enumerate(sums.tolist()):
        if number:
            found.append(Estimate(place, sign * margin / number, length / number))
        else:
            found.append(Estimate(place, -inf, 0))
    return found


def has_points(node: Node) -> bool:
    """Return whether a colour moves, so that the points of the seats differ."""
    return node.phase in (Phase.PLAY, Phase.LAST_TURN)


class ProvenPlay:
    """The proofs of single actions, and the choice between those that keep a proven result.

    Args:
        rules: The rules of the game.
        heuristic: Whether rollouts are heuristic; otherwise they are uniform.
    """

    def __init__(self, rules: Rules, *, heuristic: bool) -> None:
        board = rules.board
        self.rules: Rules = rules
        self._heuristic = heuristic
        self._space = StepSpace(board)
        self._tables = rules_table(rules)
        self._games = new_records(2, game_type(board.width, board.height))
        self._stack = new_stack(rules)
        self._windows = np.zeros((len(self._stack.games), 4), np.int64)
        self._entries = np.zeros((TABLE_POSITIONS, 4), np.int64)
        self._proofs = np.zeros((PROOF_BYTES // BUCKET_BYTES, SLOTS, 2), np.int64)
        # Compile now, before any clock runs.
        start = rows_of(rules, [GameState.initial(rules)])
        seed_rollouts(self._games, np.uint64(0))
        nothing = np.zeros(0, np.int64)
        sums = np.zeros((len(board), 3), np.int64)
        play_out(self._tables, self._games, start, nothing, 0, heuristic, sums, sums)
        prove(self._stack, self._proofs, start, 0, 0, 0)
        examine(self._stack, self._windows, self._entries, start, 0, WINNER, 0, 0, 0)

    def choose(self, proven: ProvenNode, effort: Effort, seed: int) -> Action:
        """Return the best action that keeps the result.

        Args:
            proven: The node and its actions.
            effort: The limits of the choice.
            seed: The seed of the rollouts.
        """
        if len(proven.known) + len(proven.others) == 1:
            return proven.known[0]
        seed_rollouts(self._games, np.uint64(seed))
        actions, estimates = self._by_rollouts(proven, effort.part(1 - EXAMINED_SHARE))
        order = [actions[each.place] for each in estimates]
        rest = effort.part(EXAMINED_SHARE)
        if not effort.stop() and self.is_late(proven.node, rest.most):
            best, exact, unknown = self._by_examination(proven, order, rest)
            order = [action for action in order if action in unknown]
            others = [each for each in estimates if actions[each.place] in order[:1]]
            if best is not None and best_first([exact, *others], wins=proven.wins)[0] is exact:
                return best
            order += [] if best is None else [best]
        return self._first_proven(proven, order)

    # Rollouts

    def _by_rollouts(
        self, proven: ProvenNode, effort: Effort
    ) -> tuple[list[Action], list[Estimate]]:
        """Return promising actions, the best first, with their estimates by sequential halving."""
        actions = self._promising(proven, effort.part(FIRST_SHARE))
        rounds = max(1, ceil(log2(len(actions))))
        number = effort.part(1 - FIRST_SHARE).most // rounds
        sums = np.zeros((len(actions), 3), np.int64)
        order = [*range(len(actions))]
        left = len(order)
        for _ in range(rounds):
            self._play_out(proven.node, actions, order[:left], number, sums)
            estimates = estimates_of(proven.node, sums)
            best = best_first((estimates[place] for place in order[:left]), wins=proven.wins)
            order[:left] = [each.place for each in best]
            left = ceil(left / 2)
            if perf_counter() >= effort.end or effort.stop():
                break
        estimates = estimates_of(proven.node, sums)
        return actions, [estimates[place] for place in order]

    def _promising(self, proven: ProvenNode, effort: Effort) -> list[Action]:
        """Return all actions of one step, and the pairs whose tiles do best in rollouts (AMAF)."""
        actions = [*proven.known, *proven.others]
        pairs = [action for action in actions if isinstance(action, PlaceTiles)]
        if len(pairs) <= FEW_PAIRS:
            return actions
        sampled = [*range(0, len(pairs), ceil(len(pairs) / effort.most))]
        sums = np.zeros((len(pairs), 3), np.int64)
        tile_sums = self._play_out(proven.node, pairs, sampled, effort.most, sums)
        tiles = estimates_of(proven.node, tile_sums)
        ratings = [each.rating(wins=proven.wins)[0] for each in tiles]
        index = self.rules.board.index

        def rating(pair: PlaceTiles) -> float:
            return ratings[index(pair.a)] + ratings[index(pair.b)]

        pairs.sort(key=rating, reverse=True)
        kept = {*proven.known}
        known = [pair for pair in pairs if pair in kept][:1]
        chosen = dict.fromkeys([*pairs[:FEW_PAIRS], *known])
        return [*(action for action in actions if not isinstance(action, PlaceTiles)), *chosen]

    def _play_out(
        self,
        node: Node,
        actions: Sequence[Action],
        places: Sequence[int],
        number: int,
        sums: Numbers,
    ) -> Numbers:
        """Play a number of rollouts, as many after each of some actions; return sums of cells."""
        some = np.array([self._code_of(node, actions[place]) for place in places], np.int64)
        found = np.zeros((len(some), 3), np.int64)
        cells_found = np.zeros((len(self.rules.board), 3), np.int64)
        rows = rows_of(self.rules, [node])
        rollouts = max(1, number // len(some))
        play_out(
            *(self._tables, self._games, rows, some, rollouts, self._heuristic),
            *(found, cells_found),
        )
        sums[[*places]] += found
        return cells_found

    def _code_of(self, node: Node, action: Action) -> int:
        """Return an action as on the stack of alpha-beta; in a half turn, its second tile."""
        if not isinstance(action, PlaceTiles):
            return self._space.encode(action) << int(CODE_BITS) | int(CODE_MASK)
        index = self.rules.board.index
        if isinstance(node, HalfTurn):
            second = action.b if action.a == node.placed_tile else action.a
            return index(second) << int(CODE_BITS) | int(CODE_MASK)
        return index(action.a) << int(CODE_BITS) | index(action.b)

    # The examination

    def is_late(self, node: Node, nodes: int) -> bool:
        """Return whether a search to the end of the game may succeed with a number of nodes."""
        if not self._has_room(node):
            return False
        position = node.position
        open_cells = sum(len(position.open_cells(color)) for color in Color)
        return open_cells <= PROOF_CELLS * log2(nodes + 1)

    def _by_examination(
        self, proven: ProvenNode, order: Sequence[Action], effort: Effort
    ) -> tuple[Action | None, Estimate, list[Action]]:
        """Examine all actions, in an order.

        Return the best of those for which the effort is enough, its exact result, and the others.
        """
        left = effort.most
        least = 0 if proven.wins else -NO_BOUND
        best: Action | None = None
        unknown: list[Action] = []
        for action in dict.fromkeys([*order, *proven.known, *proven.others]):
            # An action that takes too long leaves enough for the others.
            most = ceil(ONE_SHARE * left)
            found, nodes = self.examined(
                proven.node, action, wins=proven.wins, least=least, most=most
            )
            left -= nodes
            if found == UNKNOWN_SCORE:
                unknown.append(action)
            elif found > least:
                least = found
                best = action
        return best, Estimate(0, *margin_and_length(least, wins=proven.wins)), unknown

    def examined(
        self, node: Node, action: Action, *, wins: bool, least: int = -NO_BOUND, most: int
    ) -> tuple[int, int]:
        """Return the score of an action for the seat to move, and the number of nodes searched.

        Args:
            node: The node before the action.
            action: The action.
            wins: Whether the seat to move counts margins first; otherwise it counts lengths first.
            least: Lower scores make no difference.
            most: The maximum number of nodes; beyond them the score is UNKNOWN_SCORE.
        """
        color = cast(Color, node.to_move)
        weights = WINNER if wins else LOSER
        after = _after(node, action)
        if after.outcome is not None:
            result = after.outcome.value(cast(Seat, node.seat_to_move))
            margin = after.score(color).points - after.score(color.opponent).points
            return RESULT_STEP * result + weights.margin * margin, 0
        rows = rows_of(self.rules, [after])
        return examine(
            *(self._stack, self._windows, self._entries, rows, color.index, weights),
            *(least, NO_BOUND, most),
        )

    # Proofs

    def loses(self, node: Node, action: Action, most: int) -> tuple[bool, int]:
        """Return whether an action is proven to lose, and the number of nodes searched.

        Args:
            node: The node before the action, in which a colour moves.
            action: The action.
            most: The maximum number of nodes.
        """
        return self._proves(node, action, -1, most)

    def wins(self, node: Node, action: Action, most: int) -> tuple[bool, int]:
        """Return whether an action is proven to win, and the number of nodes searched, as above."""
        return self._proves(node, action, 1, most)

    def _proves(self, node: Node, action: Action, value: int, most: int) -> tuple[bool, int]:
        """Return whether an action is proven to win (1) or to lose (-1), and the nodes searched."""
        after = _after(node, action)
        if after.outcome is not None:
            return after.outcome.value(cast(Seat, node.seat_to_move)) == value, 0
        if not self._has_room(node):
            return False, 0
        # White wins if it reaches 1. Red wins if white does not even reach 0.
        is_white = (node.to_move is Color.WHITE) is (value > 0)
        stack = self._stack
        begin = int(stack.counters[NODES_SEARCHED])
        stack.counters[DEPTH] = NONE
        rows = rows_of(self.rules, [after])
        answer = prove(stack, self._proofs, rows, 0, 1 if is_white else 0, begin + most)
        nodes = int(stack.counters[NODES_SEARCHED]) - begin
        return bool(answer == (YES if is_white else NO)), nodes

    def _has_room(self, node: Node) -> bool:
        """Return whether the stack is large enough for a search of a node."""
        position = node.position
        water = len(self.rules.board) - sum(len(position.tiles(color)) for color in Color)
        return stack_size(self.rules, water) <= len(self._stack.actions)

    def _first_proven(self, proven: ProvenNode, order: Sequence[Action]) -> Action:
        """Return the first of some actions that is known, or can be proven, to keep the result."""
        known = {*proven.known}
        unproven = 0
        for action in order:
            if action in known:
                return action
            if unproven < MAX_PROOF_ATTEMPTS:
                unproven += 1
                if self.wins(proven.node, action, PROOF_NODES)[0]:
                    return action
        return proven.known[0]

    def winning(self, node: Node, actions: Iterable[Action], effort: Effort) -> Action | None:
        """Return the first of some actions that can be proven to win.

        Args:
            node: The node before the actions, in which a colour moves.
            actions: The actions, the most promising ones first; the others are not tried.
            effort: The limits. Even if it is small, there are enough nodes for one proof.
        """
        left = max(PROOF_NODES, effort.most)
        for action in islice(actions, MAX_WIN_ATTEMPTS):
            # An action that takes too long leaves enough for the others.
            most = min(PROOF_NODES, ceil(ONE_SHARE * left))
            wins, nodes = self.wins(node, action, most)
            if wins:
                return action
            left -= nodes
            if left <= 0 or perf_counter() >= effort.end or effort.stop():
                break
        return None


def _after(node: Node, action: Action) -> GameState:
    """Return the state after an action."""
    state = node.state if isinstance(node, HalfTurn) else node
    return state.apply_unchecked(action)
