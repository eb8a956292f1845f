"""Exact values using alpha-beta search, within limits of time and memory."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import inf
from threading import Lock
from time import perf_counter
from typing import Final, SupportsFloat, SupportsIndex, final

import numpy as np
from attrs import field, frozen

from pontedeldiavolo.base.enums import Color, Phase, Seat
from pontedeldiavolo.base.errors import tuple_of, whole_number
from pontedeldiavolo.base.values import ImmutableValue
from pontedeldiavolo.batch.rows import NONE, rows_of
from pontedeldiavolo.players.player import (
    require_in_range,
    require_positive,
    require_unfinished,
)
from pontedeldiavolo.rules.actions import Action, Step
from pontedeldiavolo.rules.rules import Rules
from pontedeldiavolo.state.state import GameState, HalfTurn, Node

from . import alpha_beta

CHUNK_NODES: Final = 1 << 14
"""The number of nodes after which the table may grow. The search pauses more often, to look at the
clock and at Ctrl-C."""
BUCKET_BYTES: Final = 64
FIRST_BUCKETS: Final = 1 << 14
"""The initial number of buckets of a table: 1 MiB."""
MAX_NODES_PER_CALL: Final = 1 << 53


def _value(value: SupportsIndex | None) -> int | None:
    return None if value is None else whole_number(value, "value")


def _nodes(nodes: SupportsIndex) -> int:
    return whole_number(nodes, "nodes")


@final
@frozen(order=False)
class Solution(ImmutableValue):
    """The exact result of a state or half turn, if it was found.

    >>> state = pdd.GameState.initial(pdd.Rules(pdd.Board(3, 2)))
    >>> solution = pdd.players.Solver().solve(state.apply(pdd.parse_action("b1,b2")))
    >>> solution.value, solution.best
    (1, (ChooseColor(color=<Color.WHITE: 'white'>),))

    Attributes:
        value: The result for the seat to move with perfect play by both: 1 (win), 0 (draw), -1
            (loss); ``None`` if it was not found.
        best: All actions that keep the value, in the order of ``legal_actions``, or the steps in
            the order of ``legal_steps`` for a half turn; empty if not all were found.
        nodes: The number of nodes searched: positions of which the actions were listed.
    """

    value: int | None = field(converter=_value)
    best: tuple[Action | Step, ...] = field(validator=tuple_of(Action | Step))
    nodes: int = field(converter=_nodes)


def mover_sign(node: Node) -> int:
    """Return 1 if the first seat is to move, -1 if the second is.

    Raises:
        PonteError: If the game is over.
    """
    require_unfinished(node, (GameState, HalfTurn), "node")
    return 1 if node.seat_to_move is Seat.FIRST else -1


def following(node: Node) -> Iterator[tuple[Action | Step, Node]]:
    """Iterate over the actions of a state, or the steps of a half turn, with the next nodes."""
    if isinstance(node, HalfTurn):
        yield from ((step, node.step(step)) for step in node.legal_steps)
    else:
        yield from ((action, node.apply_unchecked(action)) for action in node.legal_actions)


@final
class Solver:
    """Exact values using compiled alpha-beta with a null window and a transposition table.

    Needs the extra ``batch``. All rules count: supplies, tie-breaks and the choice of colour. The
    search orders actions by points and mobility, first looks up the positions after all of them in
    the table, and stops where one colour cannot catch up with the other. The table is kept for
    later calls with the same rules. With *max_nodes*, equal calls in the same order give equal
    results; with *seconds*, the machine decides whether a value is found.

    The table compares 124 bits of the keys of positions, not the positions themselves.

    Any number of threads may use a solver: they take turns, and a call waits for those before it. A
    copy, or a solver that was pickled, has the same limits and an empty table.

    >>> solver = pdd.players.Solver(max_nodes=100_000)
    >>> solver.value(pdd.GameState.initial(pdd.Rules(pdd.Board(4, 3))))
    0
    >>> print(solver.value(pdd.GameState.initial()))
    None

    Args:
        seconds: The time for each call.
        max_nodes: The maximum number of nodes for each call, in place of a time.
        memory: The maximum number of bytes for the table, rounded down to a power of two: 16 for
            each position. A full table forgets old positions.

    Raises:
        ImportError: If NumPy or Numba is not installed.
        PonteError: If a number is out of range.
    """

    def __init__(
        self,
        seconds: SupportsFloat = 60.0,
        max_nodes: SupportsIndex | None = None,
        *,
        memory: SupportsIndex = 1 << 28,
    ) -> None:
        self._seconds = require_positive(seconds, "seconds")
        self._max_nodes = (
            None
            if max_nodes is None
            else require_in_range(max_nodes, "max_nodes", MAX_NODES_PER_CALL)
        )
        self._memory = require_in_range(memory, "memory", 1 << 44)
        self._lock = Lock()
        self._rules: Rules | None = None

    def __reduce__(self) -> tuple[object, ...]:
        # A copy, or a solver in another process, starts with an empty table.
        return partial(Solver, memory=self._memory), (self._seconds, self._max_nodes)

    @property
    def nodes_searched(self) -> int:
        """The number of nodes searched by all calls since the rules last changed."""
        return 0 if self._rules is None else int(self._stack.counters[alpha_beta.NODES_SEARCHED])

    def value(self, node: Node) -> int | None:
        """Return the value for the seat to move: 1, 0 or -1; ``None`` if it was not found.

        This is cheaper than :meth:`solve`.

        Raises:
            PonteError: If the game is over.
        """
        return self._solution(node, with_best=False).value

    def solve(self, node: Node) -> Solution:
        """Return the value for the seat to move, and all actions or steps that keep it.

        Raises:
            PonteError: If the game is over.
        """
        return self._solution(node, with_best=True)

    def _solution(self, node: Node, *, with_best: bool) -> Solution:
        sign = mover_sign(node)
        with self._lock:
            begin = self._begin(node.rules)
            first = self._first_value(node)
            best = self._best(node, sign, first) if with_best and first is not None else ()
            searched = self.nodes_searched - begin
        return Solution(None if first is None else sign * first, best, searched)

    def _begin(self, rules: Rules) -> int:
        """Set the limits of a call, and return the number of nodes searched before it."""
        if rules != self._rules:
            # If this is interrupted, the next call must begin again.
            self._rules = None
            # Unused pages take no memory: the table grows inside the array.
            buckets = 1 << max(self._memory // BUCKET_BYTES, 1).bit_length() - 1
            self._table = np.zeros((buckets, alpha_beta.SLOTS, 2), np.int64)
            self._buckets = min(FIRST_BUCKETS, buckets)
            self._stack = alpha_beta.new_stack(rules)
            # Compile now, before the clock runs; with a limit of 0 nodes nothing is searched.
            start = rows_of(rules, [GameState.initial(rules)])
            alpha_beta.prove(self._stack, self._table, start, 0, 0, 0)
            self._rules = rules
        begin = self.nodes_searched
        self._end = perf_counter() + self._seconds if self._max_nodes is None else inf
        self._limit = begin + (MAX_NODES_PER_CALL if self._max_nodes is None else self._max_nodes)
        return begin

    def _first_value(self, node: Node) -> int | None:
        """Return the value for the first seat."""
        draws = self._reaches(node, 0)
        wins = self._reaches(node, 1) if draws else draws
        return None if draws is None or wins is None else draws + wins - 1

    def _best(self, node: Node, sign: int, first: int) -> tuple[Action | Step, ...]:
        """Return the actions that keep the value for the first seat."""
        goal = first if sign > 0 else first + 1
        found = []
        for action, after in following(node):
            reaches = self._reaches(after, goal)
            if reaches is None:
                return ()
            if reaches is (sign > 0):
                found.append(action)
        return tuple(found)

    def _reaches(self, node: Node, goal: int) -> bool | None:
        """Return whether the value for the first seat is at least *goal*."""
        if not 0 <= goal <= 1:
            return goal < 0
        if isinstance(node, GameState):
            if node.outcome is not None:
                return node.outcome.value(Seat.FIRST) >= goal
            if node.phase in (Phase.PLAY, Phase.LAST_TURN):
                return self._proves(node, goal)
        wanted = node.seat_to_move is Seat.FIRST
        for _, after in following(node):
            reaches = self._reaches(after, goal)
            if reaches is None or reaches is wanted:
                return reaches
        return not wanted

    def _proves(self, state: GameState, goal: int) -> bool | None:
        """Return the answer of :meth:`_reaches` for a state in which a colour moves.

        The search asks about white's value, so the goal is converted if white has the second seat.
        """
        stack = self._stack
        is_white = state.owner(Color.WHITE) is Seat.FIRST
        if not alpha_beta.fits_stack(stack, state):
            return None
        rows = rows_of(state.rules, [state])
        stack.counters[alpha_beta.RESUME_DEPTH] = NONE
        limit = 0
        while (done := self.nodes_searched) < self._limit and perf_counter() < self._end:
            if done >= limit:
                limit = min(done + CHUNK_NODES, self._limit)
                if self._buckets < min(done, len(self._table)):
                    self._grow()
            table = self._table[: self._buckets]
            stack.counters[alpha_beta.ACTIONS_LEFT] = alpha_beta.PAUSE_ACTIONS
            answer = alpha_beta.prove(stack, table, rows, 0, goal if is_white else 1 - goal, limit)
            if answer != alpha_beta.UNKNOWN:
                return bool(answer != alpha_beta.NO) is is_white
        return None

    def _grow(self) -> None:
        """Double the used part of the table: about half of each bucket moves to the new part."""
        for begin in range(0, self._buckets, FIRST_BUCKETS):
            low = self._table[begin : min(begin + FIRST_BUCKETS, self._buckets)]
            high = self._table[self._buckets + begin :][: len(low)]
            leaving = (low[:, :, 1] >> alpha_beta.BUCKET_SHIFT & self._buckets) != 0
            high[leaving] = low[leaving]
            low[leaving] = 0
        self._buckets *= 2
