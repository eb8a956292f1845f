"""Game records in this library's own format, which resembles PGN.

Nothing in a game is lost. Beyond the functions of all formats, records can be read leniently,
parsed without being replayed, and searched by their tags alone.

>>> game = pdd.records.pdd.loads("1. d4,g7 red 2. c3,c5 *")
>>> pdd.records.pdd.loads(pdd.records.pdd.dumps(game)) == game
True
"""

from typing import Final

from .records import READER, WRITER, iter_headers, iter_records

__all__ = [
    "dump",
    "dumps",
    "iter_games",
    "iter_headers",
    "iter_records",
    "iter_results",
    "load",
    "loads",
    "losses",
]

load: Final = READER.load
loads: Final = READER.loads
iter_games: Final = READER.iter_games
iter_results: Final = READER.iter_results
dump: Final = WRITER.dump
dumps: Final = WRITER.dumps
losses: Final = WRITER.losses


def __dir__() -> list[str]:
    return __all__
