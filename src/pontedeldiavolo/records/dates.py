"""Dates of tags, ``2007.10.23`` with ``?`` for unknown parts, and of other formats."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, datetime

_TAG = re.compile(r"([0-9]{4})\.([0-9]{2}|\?\?)\.([0-9]{2}|\?\?)")
_ISO = re.compile(r"([0-9]{4})(?:[-/.]([0-9]{2})(?:[-/.]([0-9]{2}))?)?(?![0-9])")
_SGF_LIST = re.compile(r"[0-9]{4}(?:-[0-9]{2}){0,2}(?:,(?:[0-9]{4}-)?(?:[0-9]{2}-)?[0-9]{2})+")
_TIME = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,6})?"
    r"(?:Z|[+-][0-9]{2}:[0-9]{2})"
)


def from_iso(text: str) -> str | None:
    """Return the tag for a text that begins with ``2007-10-23``, ``2007-10`` or ``2007``."""
    return _tag_of(_ISO.match(text))


def to_iso(tag: str) -> str | None:
    """Return ``2007-10-23``, ``2007-10`` or ``2007`` for a tag, ``None`` if it is not a date."""
    found = _TAG.fullmatch(tag)
    if not found or _tag(*found.groups()) != tag:
        return None
    return "-".join(part for part in found.groups() if part != "??")


def from_sgf(text: str) -> str:
    """Return the tag for the value of DT in SGF: its only date as a tag, else the text itself.

    A value with several dates, such as ``2007-10-23,24``, stays a text, and so does any other value
    that says more than one date.
    """
    return _tag_of(_ISO.fullmatch(text)) or text


def to_sgf(tag: str) -> str | None:
    """Return the value of DT in SGF for a tag; ``None`` if :func:`from_sgf` would not restore it.

    Only dates and lists of dates in the form of SGF are allowed in this property.
    """
    date = to_iso(tag)
    if date is not None:
        return date
    return tag if _SGF_LIST.fullmatch(tag) else None


def is_time(text: str) -> bool:
    """Return whether *text* is a timestamp such as ``2007-10-23T20:15:00Z``."""
    with suppress(ValueError):
        return _TIME.fullmatch(text) is not None and bool(datetime.fromisoformat(text))
    return False


def _tag_of(found: re.Match[str] | None) -> str | None:
    return None if found is None else _tag(*found.groups("??"))


def _tag(year: str, month: str, day: str) -> str | None:
    """Return the tag of a date, ``None`` if there is no such day."""
    if month == "??" and day != "??":
        return None
    with suppress(ValueError):
        date.fromisoformat(f"{year}-{month}-{day}".replace("??", "01"))
        return f"{year}.{month}.{day}"
    return None
