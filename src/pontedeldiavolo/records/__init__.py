"""Game records: a text format that people can read and write, after the manner of PGN."""

from pontedeldiavolo.records.pdd.header import Header
from pontedeldiavolo.records.pdd.reader import (
    iter_games,
    iter_headers,
    iter_records,
    load,
    loads,
)
from pontedeldiavolo.records.pdd.writer import dump, dumps
from pontedeldiavolo.records.record import Record

__all__ = [
    "Header",
    "Record",
    "dump",
    "dumps",
    "iter_games",
    "iter_headers",
    "iter_records",
    "load",
    "loads",
]
