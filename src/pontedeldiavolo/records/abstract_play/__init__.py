"""Game reports and lists of moves of Abstract Play (abstractplay.com).

A report is a JSON object; a file has one report, an array of them, or a sequence as in JSON
Lines. A list of moves is a text like ``d4,g7 c3,c5 d4-f5``; an empty line ends it. The reader
accepts both; ``dumps`` writes the report of a finished game.

>>> game = pdd.records.abstract_play.loads("d4,g7 c3,c5 resign")
>>> [pdd.format_action(action) for action in game.actions]
['d4,g7', 'red', 'c3,c5']
>>> (game.ending, pdd.records.abstract_play.losses(game))
(<Ending.RESIGNATION: 'resignation'>, ())
"""

from typing import Final

from .reader import READER
from .writer import WRITER

__all__ = ["dump", "dumps", "iter_games", "iter_results", "load", "loads", "losses"]

load: Final = READER.load
loads: Final = READER.loads
iter_games: Final = READER.iter_games
iter_results: Final = READER.iter_results
dump: Final = WRITER.dump
dumps: Final = WRITER.dumps
losses: Final = WRITER.losses


def __dir__() -> list[str]:
    return __all__
