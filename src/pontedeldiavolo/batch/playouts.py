"""What random games came to."""

from __future__ import annotations

from typing import final

import numpy as np
import numpy.typing as npt
from attrs import frozen

from pontedeldiavolo.base.sealed import Closed


@final
@frozen(eq=False)
class Playouts(Closed):
    """The ends of random games, in the order of the batch that they began from.

    Attributes:
        turns: Shape (n,), int32: the pairs, bridges and passes played; a pair that was half
            placed in the beginning is one.
        points: Shape (n, 2), int32: white's and red's.
        winner: Shape (n,), int8: 0 if white has won, 1 if red has, -1 if it is a draw.
    """

    turns: npt.NDArray[np.int32]
    points: npt.NDArray[np.int32]
    winner: npt.NDArray[np.int8]
