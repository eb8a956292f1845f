"""The results of random games, and records replayed and checked in compiled code."""

from __future__ import annotations

from collections.abc import Iterable
from typing import final

import numpy as np
import numpy.typing as npt
from attrs import field, frozen
from attrs.validators import optional

from pontedeldiavolo.base.errors import instance_of, items_of
from pontedeldiavolo.board.geometry import Geometry
from pontedeldiavolo.game.game import Game
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.rules.actions import Action, BuildBridge, ChooseColor, PlaceTiles
from pontedeldiavolo.rules.rules import Rules

from .kernels.batch_ops import batch_of, new_results, replay_rows
from .kernels.game import POINTS
from .rows import NONE, read_only, rows_of

_IS_ARRAY = instance_of(np.ndarray)


def rewards_of(winning_seat: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return for each seat 1 where it wins, -1 where the other does, else 0."""
    wins = (winning_seat[:, np.newaxis] == np.arange(2)).astype(np.int8)
    found: npt.NDArray[np.int8] = wins - wins[:, ::-1]
    return found


@final
@frozen(eq=False)
class Playouts:
    """The results of random games, in the order of the batch that they started from.

    >>> ends = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(2, 2)), size=3).playout(seed=1)
    >>> ends.turns.shape, ends.points.tolist()
    ((3,), [[0, 0], [0, 0], [0, 0]])

    Attributes:
        turns: Shape (n,), int32: the pairs, bridges and passes played; a pair that was half
            placed at the beginning counts as one.
        points: Shape (n, 2), int32: white's and red's points.
        winner: Shape (n,), int8: 0 if white has won, 1 if red has, -1 if it is a draw.
        winning_seat: Shape (n,), int8: 0 if the first seat has won, 1 if the second has, -1 if it
            is a draw.
        tiles: Shape (n, height, width), int8, like :attr:`GameBatch.tiles`: the tiles at the end,
            or ``None`` if no details were asked for.
        first_actions: Shape (n, 2), int32: the steps of the first action of each game, as
            in :func:`step_codes`; after a half turn, the second tile alone. -1 stands for no step.
            ``None`` if no details were asked for.
    """

    turns: npt.NDArray[np.int32] = field(validator=_IS_ARRAY)
    points: npt.NDArray[np.int32] = field(validator=_IS_ARRAY)
    winner: npt.NDArray[np.int8] = field(validator=_IS_ARRAY)
    winning_seat: npt.NDArray[np.int8] = field(validator=_IS_ARRAY)
    tiles: npt.NDArray[np.int8] | None = field(default=None, validator=optional(_IS_ARRAY))
    first_actions: npt.NDArray[np.int32] | None = field(default=None, validator=optional(_IS_ARRAY))

    @property
    def rewards(self) -> npt.NDArray[np.int8]:
        """Shape (n, 2), int8: for the first and second seat 1 for a win, -1 for a loss, else 0."""
        return rewards_of(self.winning_seat)


@final
@frozen(eq=False)
class Replays:
    """The outcomes of the main lines of records, in their order.

    >>> records = pdd.records.iter_records("1. d4,g7 red 2. d4,d4 *")
    >>> pdd.batch.replay(records).illegal_at.tolist()
    [2]

    Attributes:
        points: Shape (n, 2), int32: white's and red's points after the last legal action.
        winner: Shape (n,), int8: 0 if white has won on the board, 1 if red has, -1 if it is a
            draw or not played out. Other terminations, such as resignation, do not count.
        is_over: Shape (n,), bool: whether the game is played out.
        illegal_at: Shape (n,), int32: the index of the first illegal action in
            ``record.actions``, -1 if there is none.
    """

    points: npt.NDArray[np.int32] = field(validator=_IS_ARRAY)
    winner: npt.NDArray[np.int8] = field(validator=_IS_ARRAY)
    is_over: npt.NDArray[np.bool_] = field(validator=_IS_ARRAY)
    illegal_at: npt.NDArray[np.int32] = field(validator=_IS_ARRAY)


def replay(records: Iterable[Record | Game]) -> Replays:
    """Play the main lines of records, with any rules, each until an action is illegal.

    Results and terminations are not compared with the board:
    :meth:`~pontedeldiavolo.records.Record.game` does that.

    >>> game = pdd.Game.from_actions(pdd.Rules(pdd.Board(5, 5)), ["a1,c1", "red", "e5,e3"])
    >>> replays = pdd.batch.replay([game])
    >>> replays.illegal_at.tolist(), replays.is_over.tolist()
    ([-1], [False])
    """
    games = items_of(records, (Record, Game), "records")
    by_rules: dict[Rules, list[int]] = {}
    for place, record in enumerate(games):
        by_rules.setdefault(record.rules, []).append(place)
    size = len(games)
    points = np.zeros((size, 2), np.int32)
    winner = np.zeros(size, np.int8)
    is_over = np.zeros(size, np.bool_)
    illegal_at = np.zeros(size, np.int32)
    for rules, places in by_rules.items():
        lines = [games[place] for place in places]
        actions = [line.actions for line in lines]
        geometry = rules.board.geometry
        codes = [_codes(geometry, action) for each in actions for action in each]
        steps = np.array(codes, np.int32).reshape(-1, 2)
        begins = np.cumsum([0, *map(len, actions)], dtype=np.int64)
        batch = batch_of(rules, read_only(rows_of(rules, [line.start for line in lines])))
        ends = new_results(len(lines))
        over = np.zeros(len(lines), np.bool_)
        illegal = np.zeros(len(lines), np.int32)
        replay_rows(batch, steps, begins, illegal, over, ends)
        points[places] = ends.scores[:, :, POINTS]
        winner[places] = ends.winner
        is_over[places] = over
        illegal_at[places] = illegal
    return Replays(points, winner, is_over, illegal_at)


def _codes(geometry: Geometry, action: Action) -> tuple[int, int]:
    """Return the codes of the steps of an action; -1 stands for no second step."""
    index = geometry.index
    others = geometry.width * geometry.height
    match action:
        case PlaceTiles(a, b):
            return (index(a), index(b))
        case BuildBridge():
            number = geometry.number_of(action)
            return (NONE if number < 0 else others + geometry.bridge_rank(number), NONE)
        case ChooseColor(color):
            return (others + geometry.bridge_count + color.index, NONE)
        case _:
            return (others + geometry.bridge_count + 2, NONE)
