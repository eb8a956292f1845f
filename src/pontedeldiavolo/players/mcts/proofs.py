"""Proofs inside a tree search: using alpha-beta, points, and proofs of equal positions."""

from __future__ import annotations

from math import log
from typing import NamedTuple

import numpy as np

from pontedeldiavolo.batch.kernels.cells import count_on_board
from pontedeldiavolo.batch.kernels.game import OPEN_OF, RED, WHITE
from pontedeldiavolo.batch.kernels.jit import njit_inline, njit_internal
from pontedeldiavolo.batch.kernels.steps import owner
from pontedeldiavolo.batch.rows import LAST_TURN, NONE, PLAY

from .alpha_beta import (
    DEPTH,
    NO,
    NODES_SEARCHED,
    YES,
    Numbers,
    Stack,
    hash_root,
    judge,
    probe,
    store,
)
from .alpha_beta import search as alpha_beta

WIN = 2
DRAW = 1
"""Rewards, in halves of a win."""
EXPAND_AFTER_VISITS = 8
"""Expansion threshold: visits before a leaf gets children, or alpha-beta searches it."""
SMALL_BOARD = 20
"""The maximum number of cells of a board that can be solved from nearly the beginning. On such
boards, without alpha-beta, a leaf gets children at once, and equal positions share proven bounds.
With alpha-beta, rollouts do not extend groups of two: so the player keeps the value slightly more
often."""

LOG_2 = log(2)


class Prover(NamedTuple):
    """The alpha-beta search inside a tree search."""

    stack: Stack
    entries: Numbers
    nodes_per_visit: int
    """The number of nodes that it searches for each visit of a tree node; 0 turns it off."""
    waste: float
    """The maximum number of nodes per simulation in searches that prove nothing."""
    wasted: Numbers
    """(1,): the number of nodes in such searches."""
    most: Numbers
    """(1,): the number of nodes that there is time for."""
    path_keys: Numbers
    """(depths, 2): the keys of the positions on a path; 0 for those that are not looked up."""


PROOF_CELLS = 3
"""Alpha-beta may search *n* nodes if there are at most this times log2(*n*) open cells."""


@njit_inline
def effort_for(node: np.record, prover: Prover) -> int:
    """Return the number of nodes that alpha-beta may search below a node of the tree."""
    return max(0, min(prover.nodes_per_visit * np.int64(node.visits), prover.most[0]))


@njit_inline
def is_proof_due(game: np.record, node: np.record, prover: Prover, simulations: int) -> bool:
    """Return whether alpha-beta searches a node: at 8, 16, 32, … visits, late in the game."""
    if prover.nodes_per_visit == 0 or prover.wasted[0] > prover.waste * simulations:
        return False
    if node.visits < EXPAND_AFTER_VISITS or node.visits & (node.visits - 1) != 0:
        return False
    if game.first != NONE or game.phase not in (PLAY, LAST_TURN):
        return False
    cells = count_on_board(game, OPEN_OF + WHITE) + count_on_board(game, OPEN_OF + RED)
    return cells <= PROOF_CELLS * log(effort_for(node, prover) + 1.0) / LOG_2


@njit_inline
def narrow_by_answer(game: np.record, node: np.record, goal: int, answer: int) -> None:
    """Narrow the bounds of a node, given the answer to whether white reaches a goal."""
    is_white = node.seat == owner(game, WHITE)
    if answer == YES:
        narrow(node, goal + 1 if is_white else 0, WIN if is_white else DRAW - goal)
    elif answer == NO:
        narrow(node, 0 if is_white else WIN - goal, goal if is_white else WIN)


@njit_internal
def look_up(table: np.record, game: np.record, node: np.record, prover: Prover, depth: int) -> None:
    """Narrow the bounds of a node using the points and the stored bounds of equal positions."""
    stack = prover.stack
    prover.path_keys[depth, 0] = 0
    if game.first != NONE or game.phase not in (PLAY, LAST_TURN):
        return
    stack.games[0] = game
    key = hash_root(table, stack)
    prover.path_keys[depth, 0], prover.path_keys[depth, 1] = key
    for goal in range(DRAW + 1):
        narrow_by_answer(game, node, goal, judge(table, game, goal)[0])
        narrow_by_answer(game, node, goal, probe(prover.entries, key, goal))


@njit_internal
def store_bounds(game: np.record, node: np.record, prover: Prover, depth: int) -> None:
    """Store the bounds of a node on a path for equal positions."""
    lower = node.lower
    upper = node.upper
    key = prover.path_keys[depth, 0], prover.path_keys[depth, 1]
    if node.seat != owner(game, WHITE):
        lower, upper = WIN - upper, WIN - lower
    if lower > 0:
        store(prover.entries, key, int(lower) - 1, int(YES))
    if upper < WIN:
        store(prover.entries, key, int(upper), int(NO))


@njit_internal
def prove(table: np.record, game: np.record, node: np.record, prover: Prover) -> None:
    """Search the game at a node with alpha-beta, and narrow the node's bounds by the answers."""
    stack = prover.stack
    effort = effort_for(node, prover)
    begin = stack.counters[NODES_SEARCHED]
    for goal in range(DRAW + 1):
        stack.games[0] = game
        stack.counters[DEPTH] = NONE
        answer = alpha_beta(table, stack, prover.entries, goal, begin + effort)
        narrow_by_answer(game, node, goal, answer)
        if answer != YES:
            break
    prover.most[0] -= stack.counters[NODES_SEARCHED] - begin
    if node.lower < node.upper:
        prover.wasted[0] += effort


@njit_inline
def narrow(node: np.record, lower: int, upper: int) -> bool:
    """Narrow the bounds of a node; return whether they have changed."""
    changed = lower > node.lower or upper < node.upper
    node.lower = max(lower, node.lower)
    node.upper = min(upper, node.upper)
    return changed


@njit_inline
def is_proven(node: np.record) -> bool:
    """Return whether the exact value of a node is known."""
    return bool(node.lower == node.upper)
