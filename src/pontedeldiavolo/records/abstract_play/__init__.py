"""Game reports and lists of moves of Abstract Play (abstractplay.com).

A report is a JSON object; a file has one, an array of them, or one after another as in JSON
lines. A list of moves is a text like ``d4,g7 c3,c5 d4-f5``; an empty line ends it. Both are read;
``dumps`` writes the report of a finished game.
"""

from pontedeldiavolo.records.abstract_play.reader import find_reports
from pontedeldiavolo.records.abstract_play.writer import REPORTS
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

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads", "losses"]

_READING = Reading(find_reports)

load: Load = _READING.load
loads: Loads = _READING.loads
iter_games: IterGames = _READING.iter_games
iter_results: IterResults = _READING.iter_results
dump: Dump = REPORTS.dump
dumps: Dumps = REPORTS.dumps
losses: Losses = REPORTS.losses


def __dir__() -> list[str]:
    return __all__
