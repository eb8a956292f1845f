"""What random games came to."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from pontedeldiavolo.base.values import FinalClass
from pontedeldiavolo.batch.seats import rewards_of


@final
@frozen(eq=False)
class Playouts(FinalClass):
    """The ends of random games, in the order of the batch that they began from.

    Attributes:
        turns: Shape (n,), int32: the pairs, bridges and passes played; a pair that was half
            placed in the beginning is one.
        points: Shape (n, 2), int32: white's and red's.
        winner: Shape (n,), int8: 0 if white has won, 1 if red has, -1 if it is a draw.
        winning_seat: Shape (n,), int8: 0 if the first seat has won, 1 if the second has, -1 if it
            is a draw.
    """

    turns: npt.NDArray[np.int32]
    points: npt.NDArray[np.int32]
    winner: npt.NDArray[np.int8]
    winning_seat: npt.NDArray[np.int8]

    @property
    def rewards(self) -> npt.NDArray[np.int8]:
        """Shape (n, 2), int8: of the first and second seat 1 for a win, -1 for a loss, else 0."""
        return rewards_of(self.winning_seat)
