"""Dates of tags, ``2007.10.23`` with ``?`` for unknown parts, and of other formats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, datetime
from typing import Final
from unicodedata import normalize

_TAG = re.compile(r"([0-9]{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
_ISO = re.compile(r"([0-9]{4})(?:[-/.]([0-9]{2})(?:[-/.]([0-9]{2}))?)?(?![0-9])")
_DAY = "(?P<day>[0-9]{1,2})"
_YEAR = "(?P<year>[0-9]{4})"
_NAME = r"(?P<month>[^\W\d_]{3,12})\.?"
_NUMBER = "(?P<month>[0-9]{1,2})"
_PATTERNS: Final = (
    re.compile(
        rf"(?<![0-9]){_YEAR} ?[\u5e74\ub144] ?{_NUMBER} ?[\u6708\uc6d4] ?{_DAY} ?[\u65e5\uc77c]"
    ),
    re.compile(
        rf"(?<![0-9]){_YEAR}(?:(?P<mark>[-/])|\. ?){_NUMBER}"
        rf"(?:(?(mark)(?P=mark)|\. ?)){_DAY}(?![0-9])"
    ),
    re.compile(rf"(?<![0-9.]){_DAY}\.{_NUMBER}\.{_YEAR}(?![0-9])"),
    re.compile(
        rf"(?<![0-9]){_DAY}(?:er|\u00ba)?(?: de | of |\. ?|[ /-])"
        rf"{_NAME}(?: de | del |, ?|[ /-]){_YEAR}(?![0-9])",
        re.IGNORECASE,
    ),
    re.compile(rf"(?<!\w){_NAME} {_DAY}(?:, ?| ){_YEAR}(?![0-9])"),
    re.compile(
        r"\b(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
        rf"{_DAY}\b(?:[^0-9]|[0-9]{{1,2}}(?![0-9])){{0,40}}\b{_YEAR}(?![0-9])"
    ),
)
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january januar januari janvier enero gennaio janeiro janner jan janv ene gen",
            "february februar februari fevrier febrero febbraio fevereiro feb febr fev fevr",
            "march marz maart mars marzo marco mar mrz mrt",
            "april avril abril aprile apr avr abr",
            "may mai mei mayo maggio maio mag",
            "june juni juin junio giugno junho jun giu",
            "july juli juillet julio luglio julho jul juil juill lug",
            "august augustus aout agosto aug ago",
            "september septembre septiembre setiembre settembre setembro sep sept set",
            "october oktober octobre octubre ottobre outubro oct okt ott out",
            "november novembre noviembre novembro nov",
            "december dezember decembre diciembre dicembre dezembro dec dez dic",
        ),
        1,
    )
    for name in names.split()
}
"""Months in the languages of sites, without accents; no name means two different months."""
_LONGEST: Final = 200
"""A longer text is not searched for a date, because that could take long."""


def from_iso(text: str) -> str | None:
    """Return the tag for a text that begins with ``2007-10-23``, ``2007-10`` or ``2007``."""
    found = _ISO.match(text)
    return found and _tag(*found.groups("??"))


def from_text(text: str) -> str | None:
    """Return the tag for the date in a text written by people or programs.

    A whole date takes precedence over a year alone. Months can be words in ten languages. If all
    parts are numbers, the year must come first, or dots must separate day and month:
    ``05/04/2016`` is ambiguous, so it is not a date.
    """
    if len(text) <= _LONGEST:
        # Some languages put special blanks between the parts.
        for year, month, day in _written(normalize("NFC", " ".join(text.split()))):
            return _tag(year, f"{month:02}", f"{int(day):02}")
    return from_iso(text)


def _written(text: str) -> Iterator[tuple[str, int, str]]:
    """Iterate over the possible dates in a text, as year, month and day."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(text):
            word = found["month"]
            number = int(word) if word.isdecimal() else _MONTHS.get(_unaccented(word))
            if number is not None:
                yield found["year"], number, found["day"]


def _unaccented(word: str) -> str:
    return "".join(letter for letter in normalize("NFD", word.casefold()) if letter.isalpha())


def to_iso(tag: str) -> str | None:
    """Return ``2007-10-23``, ``2007-10`` or ``2007`` for a tag, ``None`` if it is not a date."""
    found = _TAG.fullmatch(tag)
    if not found or _tag(*found.groups()) != tag:
        return None
    return "-".join(part for part in found.groups() if part != "??")


def is_time(text: str) -> bool:
    """Return whether *text* is a timestamp such as ``2007-10-23T20:15:00Z``."""
    with suppress(ValueError):
        return _TIME.fullmatch(text) is not None and bool(datetime.fromisoformat(text))
    return False


def _tag(year: str, month: str, day: str) -> str | None:
    """Return the tag of a date, ``None`` if there is no such day."""
    if month == "??" and day != "??":
        return None
    with suppress(ValueError):
        date.fromisoformat(f"{year}-{month}-{day}".replace("??", "01"))
        return f"{year}.{month}.{day}"
    return None
