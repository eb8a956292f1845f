"""The results of random games."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from pontedeldiavolo.base.values import FinalClass


def rewards_of(winning_seat: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return for both seats 1 where they win, -1 where the other does, else 0."""
    wins = (winning_seat[:, np.newaxis] == np.arange(2)).astype(np.int8)
    found: npt.NDArray[np.int8] = wins - wins[:, ::-1]
    return found


@final
@frozen(eq=False)
class Playouts(FinalClass):
    """The ends of random games, in the order of the batch that they began from.

    >>> ends = pdd.batch.GameBatch.initial(pdd.Rules(pdd.Board(2, 2)), size=3).playout(seed=1)
    >>> ends.turns.shape, ends.points.tolist()
    ((3,), [[0, 0], [0, 0], [0, 0]])

    Attributes:
        turns: Shape (n,), int32: the pairs, bridges and passes played; a pair that was half
            placed in the beginning is one.
        points: Shape (n, 2), int32: white's and red's.
        winner: Shape (n,), int8: 0 if white has won, 1 if red has, -1 if it is a draw.
        winning_seat: Shape (n,), int8: 0 if the first seat has won, 1 if the second has, -1 if it
            is a draw.
        tiles: Shape (n, height, width), int8, like :attr:`GameBatch.tiles`: the tiles at the end,
            or ``None`` if no details were asked for.
        first_actions: Shape (n, 2), int32: the steps of the first action of each game, as
            :func:`step_codes` gives them, or of its second tile alone after a half turn; -1 is
            none. ``None`` if no details were asked for.
    """

    turns: npt.NDArray[np.int32]
    points: npt.NDArray[np.int32]
    winner: npt.NDArray[np.int8]
    winning_seat: npt.NDArray[np.int8]
    tiles: npt.NDArray[np.int8] | None = None
    first_actions: npt.NDArray[np.int32] | None = None

    @property
    def rewards(self) -> npt.NDArray[np.int8]:
        """Shape (n, 2), int8: of the first and second seat 1 for a win, -1 for a loss, else 0."""
        return rewards_of(self.winning_seat)
