"""What compiled code needs for games of some rules: the table, and memory to lay games out in."""

from __future__ import annotations

from threading import local

import numpy as np
import numpy.typing as npt

from pontedeldiavolo.batch.kernels.game import game_type, new_records
from pontedeldiavolo.batch.kernels.runs import Ends
from pontedeldiavolo.rules.rules import Rules


class _Kept(local):
    """Memory that a thread keeps."""

    def __init__(self) -> None:
        self.games: dict[np.dtype[np.void], npt.NDArray[np.void]] = {}


_KEPT = _Kept()


def scratch(rules: Rules) -> npt.NDArray[np.void]:
    """Return memory for one game of some rules, which this thread alone writes to."""
    layout = game_type(rules.board.width, rules.board.height)
    games = _KEPT.games
    if layout not in games:
        games[layout] = new_records(1, layout)
    return games[layout]


def new_ends(size: int) -> Ends:
    """Return memory for what so many games come to."""
    return Ends(
        turns=np.empty(size, np.int32),
        scores=np.empty((size, 2, 3), np.int32),
        winner=np.empty(size, np.int8),
        winning_seat=np.empty(size, np.int8),
    )
