"""Game records in this library's own format, after the manner of PGN: reading and writing.

Nothing of a game is lost. Besides what all formats can do, records are read leniently, parsed
without being replayed, and searched by their tags alone.
"""

from pontedeldiavolo.records.codec import Dump, Losses
from pontedeldiavolo.records.pdd.reader import (
    iter_games,
    iter_headers,
    iter_records,
    iter_results,
    load,
    loads,
)
from pontedeldiavolo.records.pdd.writer import RECORDS, dumps

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

dump: Dump = RECORDS.dump
losses: Losses = RECORDS.losses


def __dir__() -> list[str]:
    return __all__
