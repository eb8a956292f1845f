"""Searching for the best step: games are played, and a tree grows where they go well."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.compiled import compiled, inlined
from pontedeldiavolo.batch.kernels.drawing import play_out
from pontedeldiavolo.batch.kernels.game import RED, WHITE
from pontedeldiavolo.batch.kernels.guiding import play_sensibly
from pontedeldiavolo.batch.kernels.layout import Rows, lay_out
from pontedeldiavolo.batch.kernels.playing import play
from pontedeldiavolo.batch.kernels.random import begin_random
from pontedeldiavolo.batch.kernels.runs import Records
from pontedeldiavolo.batch.kernels.scoring import owner, points, winner
from pontedeldiavolo.batch.kernels.tree import Nodes, back_up, expand, most_promising
from pontedeldiavolo.batch.members import NONE, OVER

ROOT, PLAYED = 0, 1
"""The game where the search begins, and the one that is played from there."""
PATIENCE = 8
"""So many games through a node make it worth its children."""


@compiled
def begin_search(
    tables: Records, games: Records, nodes: Nodes, batch: Rows, seed: np.uint64
) -> None:
    """Lay out the row that is searched from, as the only node."""
    lay_out(tables[0], games[ROOT], batch, 0)
    begin_random(games[PLAYED], seed, 0)
    nodes[0].code = nodes[0].seat = nodes[0].color = NONE
    nodes[0].visits = nodes[0].gained = 0
    nodes[0].first_child = nodes[0].children = 0


@inlined
def descend(
    table: np.record,
    game: np.record,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    used: int,
    has_room: bool,
) -> tuple[int, int, bool]:
    """Play from the root to where the tree ends, which may grow there.

    Return how many steps that were, how many nodes there are then, and whether there was room.
    """
    node, depth = 0, 0
    path[0] = 0
    while game.phase != OVER:
        if nodes[node].children == 0:
            if depth > 0 and (nodes[node].visits < PATIENCE or not has_room):
                break
            end = expand(table, game, nodes, node, used)
            if end == NONE:
                has_room = False
                break
            used = end
        node = most_promising(nodes, node)
        play(table, game, np.int64(nodes[node].code))
        depth += 1
        path[depth] = node
    return depth, used, has_room


@compiled
def search(
    tables: Records,
    games: Records,
    nodes: Nodes,
    path: npt.NDArray[np.int32],
    used: int,
    simulations: int,
    may_fill: bool,
    guided: bool,
) -> tuple[int, int]:
    """Play so many games, or until there is no room for more nodes, unless that does not matter.

    What is beyond the tree is played with some sense, if they are guided, or else uniformly.
    Return how many were played, and how many nodes there are then.
    """
    table, game = tables[0], games[PLAYED]
    has_room = True
    for done in range(simulations):
        random = game.random
        games[PLAYED] = games[ROOT]
        game.random = random
        depth, used, has_room = descend(table, game, nodes, path, used, has_room)
        if not has_room and not may_fill:
            return done, used
        if guided:
            play_sensibly(table, game)
        else:
            play_out(table, game)
        note_winner(table, game, nodes, path[: depth + 1])
    return simulations, used


@compiled
def note_winner(
    table: np.record, game: np.record, nodes: Nodes, path: npt.NDArray[np.int32]
) -> None:
    """Note on the path of a game who has won it."""
    white, red = points(table, game, WHITE), points(table, game, RED)
    back_up(table, game, nodes, path, owner(game, winner(table, game, white, red)))
