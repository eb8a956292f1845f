"""Game records of Boardspace (boardspace.net): a dialect of SGF, read and not written.

A record tells what the players did click by click. Only the site itself makes such records: a
game that was played elsewhere is better kept in another format, so there is no ``dumps`` here.
"""

from pontedeldiavolo.records.boardspace.reader import find
from pontedeldiavolo.records.codec import IterGames, IterResults, Load, Loads, Reading

__all__ = ["iter_games", "iter_results", "load", "loads"]

_READING = Reading(find)

load: Load = _READING.load
loads: Loads = _READING.loads
iter_games: IterGames = _READING.iter_games
iter_results: IterResults = _READING.iter_results


def __dir__() -> list[str]:
    return __all__
