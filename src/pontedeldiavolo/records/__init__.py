"""Game records: a text format that people can read and write, after the manner of PGN."""

from pontedeldiavolo.records.header import Header
from pontedeldiavolo.records.reader import (
    iter_games,
    iter_headers,
    iter_records,
    load,
    loads,
)
from pontedeldiavolo.records.record import Record
from pontedeldiavolo.records.writer import dump, dumps

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
