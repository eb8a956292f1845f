"""The choice between actions that keep a proven result, and a proof that an action wins.

Wins and losses say nothing about points. So once the result is proven, a winner takes the largest
mean margin of points, and of equal margins the shortest line; a loser takes the longest line, and
of equal lengths the smallest margin. *Rollouts* after each action estimate margin and length.
Sequential halving repeatedly drops the worse half of the actions and doubles the rollouts of the
others. Late in the game, alpha-beta then finds the exact scores of the actions.

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
from pontedeldiavolo.players.player import never
from pontedeldiavolo.rules.actions import Action, PlaceTiles
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.spaces import StepSpace
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from .alpha_beta import (
    ACTIONS_LEFT,
    CODE_BITS,
    CODE_MASK,
    NO,
    NODES_SEARCHED,
    PAUSE_ACTIONS,
    RESUME_DEPTH,
    SLOTS,
    UNKNOWN,
    YES,
    Int64s,
    fits_stack,
    new_stack,
    prove,
)
from .proven_kernels import (
    LOSER,
    NO_BOUND,
    RESULT_STEP,
    SCORE_STEP,
    UNKNOWN_SCORE,
    WINNER,
    play_rollouts,
    seed_rollouts,
    solve_score,
)
from .rollout_kernels import OPEN_CELLS_PER_DOUBLING
from .search import state_at_turn_start
from .solver import BUCKET_BYTES

# The choice

FEW_PAIRS: Final = 24
"""The number of pairs of tiles that get rollouts of their own."""
FIRST_SHARE: Final = 0.25
"""The share of the rollouts that finds them."""
EXACT_SHARE: Final = 0.5
"""The share of the budget for exact scores."""
ACTION_SHARE: Final = 0.5
"""The share of the nodes left that the exact score of one action may take."""
EQUAL_DIFFERENCE: Final = 0.5
"""Means of margins (in points) and of lengths (in turns) count as equal up to this difference."""
TABLE_POSITIONS: Final = 1 << 15
"""The number of positions in the table for exact scores: 1 MiB."""
PROOF_NODES: Final = 1_000
"""The maximum number of nodes in which alpha-beta proves that an action keeps the result."""
MAX_PROOF_ATTEMPTS: Final = 4
"""The maximum number of actions for which this is tried."""
MAX_WIN_ATTEMPTS: Final = 32
"""The same, for a win that was proven in an earlier turn."""
PROOF_BYTES: Final = 1 << 20
"""The memory of the table of proofs."""
CHUNK_ROLLOUTS: Final = 512
"""The maximum number of rollouts in a compiled call, between two looks at the clock."""
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

    max_count: int
    """The maximum number of rollouts and nodes."""
    end: float = inf
    """The time at which rollouts, exact scores and proofs end."""
    stop: Callable[[], bool] = never
    """Called from time to time; a true result ends them, too."""

    def is_over(self) -> bool:
        """Return whether nothing more may be computed, whatever is left of the number."""
        return perf_counter() >= self.end or self.stop()

    def part(self, share: float) -> Effort:
        """Return a share of the maximum number."""
        return self._replace(max_count=max(1, int(share * self.max_count)))


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
    lowest_equal = found[0].rating(wins=wins)[0] - EQUAL_DIFFERENCE
    equal = sum(each.rating(wins=wins)[0] >= lowest_equal for each in found)
    head = sorted(found[:equal], key=lambda each: each.rating(wins=wins)[::-1], reverse=True)
    return [*head, *found[equal:]]


def margin_and_length(score: int, *, wins: bool) -> tuple[int, int]:
    """Return the margin and the length for which an exact score stands.

    The length is the number of turns after the action that has the score.
    """
    rest = score - RESULT_STEP * round(score / RESULT_STEP)
    first = round(rest / SCORE_STEP)
    second = rest - SCORE_STEP * first
    return (first, -second) if wins else (second, first)


def estimates_of(node: Node, sums: Int64s) -> list[Estimate]:
    """Return the means of rows of sums for the seat to move; rows without rollouts rate lowest."""
    sign = 1 if node.to_move is Color.WHITE else -1
    found = []
    for place, (number, margin, length) in enumerate(sums.tolist()):
        if number:
            found.append(Estimate(place, sign * margin / number, length / number))
        else:
            found.append(Estimate(place, -inf, 0))
    return found


def is_after_color_choice(node: Node) -> bool:
    """Return whether the owners of the colours are known, and the game is not over."""
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
        play_rollouts(self._tables, self._games, start, nothing, 0, heuristic, sums, sums)
        prove(self._stack, self._proofs, start, 0, 0, 0)
        solve_score(self._stack, self._windows, self._entries, start, 0, WINNER, 0, 0, 0)

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
        actions, estimates = self._by_rollouts(proven, effort.part(1 - EXACT_SHARE))
        order = [actions[each.place] for each in estimates]
        rest = effort.part(EXACT_SHARE)
        if not effort.is_over() and self.may_search_to_end(proven.node, rest.max_count):
            best, exact, unknown = self._by_exact_scores(proven, order, rest)
            order = [action for action in order if action in unknown]
            others = [each for each in estimates if actions[each.place] in order[:1]]
            if best is not None and best_first([exact, *others], wins=proven.wins)[0] is exact:
                return best
            order += [] if best is None else [best]
        return self._first_proven(proven, order, effort)

    # Rollouts

    def _by_rollouts(
        self, proven: ProvenNode, effort: Effort
    ) -> tuple[list[Action], list[Estimate]]:
        """Return promising actions, the best first, with their estimates by sequential halving."""
        actions = self._promising(proven, effort.part(FIRST_SHARE))
        rounds = max(1, ceil(log2(len(actions))))
        number = effort.part(1 - FIRST_SHARE).max_count // rounds
        sums = np.zeros((len(actions), 3), np.int64)
        order = [*range(len(actions))]
        left = len(order)
        for _ in range(rounds):
            each_effort = effort._replace(max_count=number)
            self._play_rollouts(proven.node, actions, order[:left], each_effort, sums)
            estimates = estimates_of(proven.node, sums)
            best = best_first((estimates[place] for place in order[:left]), wins=proven.wins)
            order[:left] = [each.place for each in best]
            left = ceil(left / 2)
            if effort.is_over():
                break
        estimates = estimates_of(proven.node, sums)
        return actions, [estimates[place] for place in order]

    def _promising(self, proven: ProvenNode, effort: Effort) -> list[Action]:
        """Return all actions of one step, and the pairs whose tiles do best in rollouts (AMAF)."""
        actions = [*proven.known, *proven.others]
        pairs = [action for action in actions if isinstance(action, PlaceTiles)]
        if len(pairs) <= FEW_PAIRS:
            return actions
        sampled = [*range(0, len(pairs), ceil(len(pairs) / effort.max_count))]
        sums = np.zeros((len(pairs), 3), np.int64)
        tile_sums = self._play_rollouts(proven.node, pairs, sampled, effort, sums)
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

    def _play_rollouts(
        self,
        node: Node,
        actions: Sequence[Action],
        places: Sequence[int],
        effort: Effort,
        sums: Int64s,
    ) -> Int64s:
        """Play rollouts, as many after each of some actions; return sums of cells.

        A first chunk of rollouts is played even if the effort is over.
        """
        some = np.array([self._code_of(node, actions[place]) for place in places], np.int64)
        found = np.zeros((len(some), 3), np.int64)
        cells_found = np.zeros((len(self.rules.board), 3), np.int64)
        rows = rows_of(self.rules, [node])
        rollouts = max(1, effort.max_count // len(some))
        actions_per_chunk = max(1, CHUNK_ROLLOUTS // rollouts)
        for first in range(0, len(some), actions_per_chunk):
            chunk = slice(first, first + actions_per_chunk)
            for played in range(0, rollouts, CHUNK_ROLLOUTS):
                if played + first > 0 and effort.is_over():
                    break
                play_rollouts(
                    self._tables,
                    self._games,
                    rows,
                    some[chunk],
                    min(CHUNK_ROLLOUTS, rollouts - played),
                    self._heuristic,
                    found[chunk],
                    cells_found,
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

    # Exact scores

    def may_search_to_end(self, node: Node, nodes: int) -> bool:
        """Return whether a search to the end of the game may succeed with a number of nodes."""
        if not fits_stack(self._stack, node):
            return False
        position = node.position
        open_cells = sum(len(position.open_cells(color)) for color in Color)
        return open_cells <= OPEN_CELLS_PER_DOUBLING * log2(nodes + 1)

    def _by_exact_scores(
        self, proven: ProvenNode, order: Sequence[Action], effort: Effort
    ) -> tuple[Action | None, Estimate, list[Action]]:
        """Find the exact scores of all actions, in an order.

        Return the best of those for which the effort is enough, its exact result, and the others.
        """
        left = effort.max_count
        best_score = 0 if proven.wins else -NO_BOUND
        best: Action | None = None
        unknown: list[Action] = []
        for action in dict.fromkeys([*order, *proven.known, *proven.others]):
            if effort.is_over():
                unknown.append(action)
                continue
            # An action that takes too long leaves enough for the others.
            part = effort._replace(max_count=ceil(ACTION_SHARE * left))
            found, nodes = self.exact_score(
                proven.node, action, part, wins=proven.wins, alpha=best_score
            )
            left -= nodes
            if found == UNKNOWN_SCORE:
                unknown.append(action)
            elif found > best_score:
                best_score = found
                best = action
        margin, turns_after = margin_and_length(best_score, wins=proven.wins)
        # Rollouts count the turn of the action, too.
        return best, Estimate(0, margin, turns_after + 1), unknown

    def exact_score(
        self, node: Node, action: Action, effort: Effort, *, wins: bool, alpha: int = -NO_BOUND
    ) -> tuple[int, int]:
        """Return the score of an action for the seat to move, and the number of nodes searched.

        Args:
            node: The node before the action.
            action: The action.
            effort: The limits, in nodes; beyond them the score is UNKNOWN_SCORE.
            wins: Whether the seat to move counts margins first; otherwise it counts lengths first.
            alpha: Lower scores make no difference.
        """
        color = cast(Color, node.to_move)
        weights = WINNER if wins else LOSER
        after = state_at_turn_start(node).apply_unchecked(action)
        if after.outcome is not None:
            result = after.outcome.value(cast(Seat, node.seat_to_move))
            margin = after.score(color).points - after.score(color.opponent).points
            return RESULT_STEP * result + weights.margin * margin, 0
        rows = rows_of(self.rules, [after])
        self._stack.counters[RESUME_DEPTH] = NONE
        nodes = 0
        while True:
            self._stack.counters[ACTIONS_LEFT] = PAUSE_ACTIONS
            found, more_nodes = solve_score(
                self._stack,
                self._windows,
                self._entries,
                rows,
                color.index,
                weights,
                alpha,
                NO_BOUND,
                effort.max_count - nodes,
            )
            nodes += more_nodes
            if found != UNKNOWN_SCORE or nodes >= effort.max_count or effort.is_over():
                return found, nodes

    # Proofs

    def prove_win(self, node: Node, action: Action, effort: Effort) -> tuple[bool, int]:
        """Return whether an action is proven to win, and the number of nodes searched.

        Args:
            node: The node before the action, in which a colour moves.
            action: The action.
            effort: The limits, in nodes.
        """
        after = state_at_turn_start(node).apply_unchecked(action)
        if after.outcome is not None:
            return after.outcome.value(cast(Seat, node.seat_to_move)) > 0, 0
        if not fits_stack(self._stack, node):
            return False, 0
        # White wins if it reaches 1. Red wins if white does not even reach 0.
        is_white = node.to_move is Color.WHITE
        stack = self._stack
        begin = int(stack.counters[NODES_SEARCHED])
        stack.counters[RESUME_DEPTH] = NONE
        rows = rows_of(self.rules, [after])
        goal = 1 if is_white else 0
        limit = begin + effort.max_count
        while True:
            stack.counters[ACTIONS_LEFT] = PAUSE_ACTIONS
            answer = prove(stack, self._proofs, rows, 0, goal, limit)
            searched = int(stack.counters[NODES_SEARCHED])
            if answer != UNKNOWN or searched >= limit or effort.is_over():
                break
        return bool(answer == (YES if is_white else NO)), searched - begin

    def _first_proven(self, proven: ProvenNode, order: Sequence[Action], effort: Effort) -> Action:
        """Return the first of some actions that is known, or can be proven, to keep the result."""
        known = {*proven.known}
        unproven = 0
        part = effort._replace(max_count=PROOF_NODES)
        for action in order:
            if action in known:
                return action
            if unproven < MAX_PROOF_ATTEMPTS:
                unproven += 1
                if self.prove_win(proven.node, action, part)[0]:
                    return action
        return proven.known[0]

    def first_proven_win(
        self, node: Node, actions: Iterable[Action], effort: Effort
    ) -> Action | None:
        """Return the first of some actions that can be proven to win.

        Args:
            node: The node before the actions, in which a colour moves.
            actions: The actions, the most promising ones first; the others are not tried.
            effort: The limits. Even if it is small, there are enough nodes for one proof.
        """
        left = max(PROOF_NODES, effort.max_count)
        for action in islice(actions, MAX_WIN_ATTEMPTS):
            # An action that takes too long leaves enough for the others.
            part = effort._replace(max_count=min(PROOF_NODES, ceil(ACTION_SHARE * left)))
            wins, nodes = self.prove_win(node, action, part)
            if wins:
                return action
            left -= nodes
            if left <= 0 or effort.is_over():
                break
        return None
