"""Whole games, with all that hangs on them, in the Smart Game Format FF[4].

The format knows no Ponte del Diavolo: actions, and what else no standard property says, stand in
properties of their own that begin with ``PD``. Other programs keep those when they save a file.
Nothing of a game is lost. What bytes mean, the property ``CA`` of each game says.
"""

from pontedeldiavolo.records.codec import (
    Dump,
    Dumps,
    IterGames,
    IterResults,
    Load,
    Loads,
    Losses,
    Reading,
)
from pontedeldiavolo.records.sgf.reader import find
from pontedeldiavolo.records.sgf.writer import TREES

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads", "losses"]

_READING = Reading(find)

load: Load = _READING.load
loads: Loads = _READING.loads
iter_games: IterGames = _READING.iter_games
iter_results: IterResults = _READING.iter_results
dump: Dump = TREES.dump
dumps: Dumps = TREES.dumps
losses: Losses = TREES.losses


def __dir__() -> list[str]:
    return __all__
