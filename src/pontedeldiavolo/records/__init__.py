"""Game records: a text format that people can read and write, after the manner of PGN.

What is not of one format, ``read``, ``write``, ``detect`` and ``losses``, is here for all of them.
The formats themselves, ``pdd``, ``sgf``, ``boardspace`` and ``abstract_play``, have modules with
the same verbs; this package has those of its own format.
"""

from typing import TYPE_CHECKING

from pontedeldiavolo.base.lazy import lazy_attach
from pontedeldiavolo.game.record import Record
from pontedeldiavolo.records.pdd import (
    dump,
    dumps,
    iter_games,
    iter_headers,
    iter_records,
    iter_results,
    load,
    loads,
)
from pontedeldiavolo.records.pdd.reader import Header

__all__ = [
    "Format",
    "Header",
    "Record",
    "abstract_play",
    "boardspace",
    "detect",
    "dump",
    "dumps",
    "iter_games",
    "iter_headers",
    "iter_records",
    "iter_results",
    "load",
    "loads",
    "losses",
    "pdd",
    "read",
    "sgf",
    "write",
]

if TYPE_CHECKING:
    # Imports for type checkers only: at run time these are loaded when they are first touched.
    from pontedeldiavolo.records import abstract_play, boardspace, pdd, sgf
    from pontedeldiavolo.records.formats import Format, detect, losses, read, write
else:
    __getattr__, __dir__ = lazy_attach(
        __name__,
        __all__,
        {"abstract_play": (), "boardspace": (), "pdd": (), "sgf": ()},
        {
            "Format": "formats",
            "detect": "formats",
            "losses": "formats",
            "read": "formats",
            "write": "formats",
        },
    )
