"""Tags of a game and annotations of its moves."""

# No "from __future__ import annotations": attrs copies the annotations of converters elsewhere.

import re
from collections.abc import Mapping
from typing import Final, SupportsFloat

from pontedeldiavolo.base.errors import (
    NotationError,
    PonteError,
    Reason,
    real_number,
    reason,
    require_mapping,
)
from pontedeldiavolo.base.values import FrozenMapping
from pontedeldiavolo.rules.limits import MAX_TEXT

ROSTER: Final = ("Event", "Site", "Date", "Round", "First", "Second")
"""The tags that come first in a record, in this order."""

DERIVED_TAGS: Final = ("Rules", "Start", "Result", "Termination")
"""The tags that are derived from a game's own content; callers cannot set them."""

MAX_NAME = 255

# Unicode's control characters and surrogates, and its separators of lines and of paragraphs.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def checked_tags(tags: Mapping[str, str]) -> FrozenMapping[str]:
    """Return *tags* as an immutable mapping.

    Raises:
        NotationError: If a name is not ASCII letters, digits and underscores after a letter, or a
            value has a control character.
        PonteError: If a tag is derived from the game's own content, or a value has over 1,000,000
            characters.
    """
    require_mapping(tags, str, "tags")
    for name, value in tags.items():
        if not is_tag_name(name):
            raise NotationError(name, 0, reason("tag-name"))
        if name in DERIVED_TAGS:
            raise PonteError(reason("derived-tag", name=name))
        require_short(value, "tag", name)
        bad = first_unprintable(value)
        if bad >= 0:
            raise NotationError(value, bad, reason("one-line-character"))
    # Copied to a plain str: a subclass may override its methods.
    return FrozenMapping({str.__str__(name): str.__str__(tags[name]) for name in tags})


def names_in_order(tags: Mapping[str, object]) -> list[str]:
    """Return the names of tags as records have them: the roster, and then the others by alphabet.

    >>> names_in_order({"Second": "Bo", "Variant": "8x8", "First": "Ada"})
    ['First', 'Second', 'Variant']
    """
    return [*(name for name in ROSTER if name in tags), *sorted(tags.keys() - {*ROSTER})]


def require_short(text: str, what: str, name: str = "") -> None:
    """Refuse a *tag*, *comment* or *annotation* that is longer than readers accept.

    Raises:
        PonteError: If it is too long.
    """
    found = length_fault(len(text), what, name)
    if found is not None:
        raise PonteError(found)


def length_fault(count: int, what: str, name: str = "") -> Reason | None:
    """Return why a *tag*, *comment* or *annotation* has too many characters, ``None`` if not."""
    if count <= MAX_TEXT:
        return None
    return reason(f"long-{what}", name=name, count=count, max=MAX_TEXT)


def is_tag_name(name: str) -> bool:
    """Return whether *name* is a letter followed by letters, digits or underscores, all ASCII."""
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def first_unprintable(value: str) -> int:
    """Return the index of the first character that a line of text cannot contain, or -1.

    These are control characters, separators of lines and paragraphs, and lone surrogates.
    """
    found = UNPRINTABLE.search(value)
    return found.start() if found else -1


CLOCK: Final = "clk"
"""The name of the reading of the mover's clock after the move."""

ELAPSED: Final = "emt"
"""The name of the time that the move took."""

MAX_SECONDS: Final = 10**9
"""The maximum of a time: over thirty years."""

NO_ANNOTATIONS: Final[FrozenMapping[str]] = FrozenMapping()

_ANNOTATION_NAME = re.compile("[a-z]+")
_TIME = re.compile(r"([0-9]{1,6}):([0-9]{1,2}):([0-9]{1,2})(\.[0-9]{1,9})?")
_MINUTE = 60
_HOUR = 60 * _MINUTE


def checked_annotations(annotations: Mapping[str, str]) -> FrozenMapping[str]:
    """Return *annotations* as they are stored: immutable, with blanks stripped from the values.

    Raises:
        NotationError: If a name has other characters than letters from a to z, or a value has a
            ``]`` or a control character.
        PonteError: If a value has over 1,000,000 characters.
    """
    # Most moves have none.
    if annotations is NO_ANNOTATIONS or (type(annotations) is dict and not annotations):
        return NO_ANNOTATIONS
    require_mapping(annotations, str, "annotations")
    found = {}
    for name, value in annotations.items():
        if not _ANNOTATION_NAME.fullmatch(name):
            raise NotationError(name, 0, reason("annotation-name"))
        require_short(value, "annotation", name)
        bad = first_unfit(value)
        if bad >= 0:
            raise NotationError(value, bad, reason("annotation-character"))
        # Copied to a plain str: a subclass may override its methods.
        found[str.__str__(name)] = str.__str__(value).strip(" ")
    return FrozenMapping(found)


def first_unfit(value: str) -> int:
    """Return the index of the first character that an annotation cannot contain, or -1."""
    found = [index for index in (value.find("]"), first_unprintable(value)) if index >= 0]
    return min(found, default=-1)


def times(clock: SupportsFloat | None, elapsed: SupportsFloat | None) -> FrozenMapping[str]:
    """Return the annotations for the reading of a clock and the time that a move took.

    Raises:
        PonteError: If one of them is not from 0 to :data:`MAX_SECONDS`.
    """
    if clock is None and elapsed is None:
        return NO_ANNOTATIONS
    found = {}
    if clock is not None:
        found[CLOCK] = time_text(checked_seconds(clock, "clock"))
    if elapsed is not None:
        found[ELAPSED] = time_text(checked_seconds(elapsed, "elapsed"))
    return FrozenMapping(found)


def checked_seconds(value: SupportsFloat, name: str) -> float:
    """Return a number of seconds as a ``float``.

    Raises:
        PonteError: If it is not from 0 to :data:`MAX_SECONDS`.
    """
    seconds = real_number(value, name)
    if not 0 <= seconds <= MAX_SECONDS:
        shown = str(seconds)
        raise PonteError(reason("seconds-out-of-range", name=name, max=MAX_SECONDS, seconds=shown))
    return seconds


def time_text(seconds: float) -> str:
    """Return a time as hours, minutes and seconds, to the millisecond: ``0:09:58.5``."""
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    fraction = f".{milliseconds:03}".rstrip("0").rstrip(".")
    hours, rest = divmod(whole, _HOUR)
    return f"{hours}:{rest // _MINUTE:02}:{rest % _MINUTE:02}{fraction}"


def seconds_of(text: str | None) -> float | None:
    """Return the seconds of a time as :func:`time_text` writes it; ``None`` if it is not one."""
    found = None if text is None else _TIME.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds = map(int, found.groups()[:3])
    if minutes >= _MINUTE or seconds >= _MINUTE:
        return None
    # Converted from one text, so that the result is the float nearest to the written time.
    return float(f"{hours * _HOUR + minutes * _MINUTE + seconds}{found[4] or ''}")
