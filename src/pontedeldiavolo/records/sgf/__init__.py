"""Whole games with comments and variations in the Smart Game Format FF[4].

SGF has no properties for Ponte del Diavolo: actions, and everything else without a standard
property, are in properties that begin with ``PD``. Other programs keep those when they save a
file. Nothing in a game is lost. The property ``CA`` of each game names its encoding.

>>> game = pdd.records.sgf.loads("(;FF[4]PB[Bo];PD[d4,g7];PD[red])")
>>> print(pdd.records.sgf.dumps(game).split("AP")[0])
(;FF[4]CA[UTF-8]
>>> pdd.records.sgf.loads(pdd.records.sgf.dumps(game)) == game
True
"""

from typing import Final

from .games import READER, WRITER

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
