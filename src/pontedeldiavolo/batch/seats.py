"""Which seats win, and what that is worth to each."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def rewards_of(winning_seat: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Return for both seats 1 where they win, -1 where the other does, else 0."""
    wins = (winning_seat[:, np.newaxis] == np.arange(2)).astype(np.int8)
    found: npt.NDArray[np.int8] = wins - wins[:, ::-1]
    return found
