"""Dates as tags have them, ``2007.10.23`` with ``?`` for what is unknown, and as others do."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import Final

_TAG = re.compile(r"([0-9]{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
_ISO = re.compile(r"([0-9]{4})(?:[-/.]([0-9]{2})(?:[-/.]([0-9]{2}))?)?(?![0-9])")
_WRITTEN = re.compile(
    r"\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) "
    r"([0-9]{1,2})\b(?:[^0-9]|[0-9]{1,2}(?![0-9])){0,40}+\b([0-9]{4})(?![0-9])"
)
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
)
_MONTHS: Final = "JanFebMarAprMayJunJulAugSepOctNovDec"


def from_iso(text: str) -> str | None:
    """Return the tag for a text that begins with ``2007-10-23``, ``2007-10`` or ``2007``."""
    found = _ISO.match(text)
    return found and _tag(found.group(1), found.group(2) or "??", found.group(3) or "??")


def from_words(text: str) -> str | None:
    """Return the tag for a text with a date such as ``Tue Oct 23 20:15:00 PDT 2007``."""
    found = _WRITTEN.search(text)
    if not found:
        return None
    month, day, year = found.groups()
    return _tag(year, f"{1 + _MONTHS.index(month) // 3:02}", f"{int(day):02}")


def to_iso(tag: str) -> str | None:
    """Return ``2007-10-23``, ``2007-10`` or ``2007`` for a tag, ``None`` if it is no date."""
    found = _TAG.fullmatch(tag)
    if not found or _tag(*found.groups()) != tag:
        return None
    return "-".join(part for part in found.groups() if part != "??")


def is_time(text: str) -> bool:
    """Tell whether *text* is a moment such as ``2007-10-23T20:15:00Z``."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _tag(year: str, month: str, day: str) -> str | None:
    """Return the tag of a date, ``None`` if there is no such day."""
    if month == "??" and day != "??":
        return None
    try:
        date(int(year), 1 if month == "??" else int(month), 1 if day == "??" else int(day))
    except ValueError:
        return None
    return f"{year}.{month}.{day}"
