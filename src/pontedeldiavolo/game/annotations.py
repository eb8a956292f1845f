"""What programs note of a move, by name: what the clock showed, and whatever else."""

# Annotations are objects here, not texts: attrs copies those of converters into other modules.
import re
from collections.abc import Mapping
from math import isfinite
from typing import Final, SupportsFloat

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import NotationError, PonteError
from pontedeldiavolo.game.tags import first_unprintable, require_short
from pontedeldiavolo.reason import reason

CLOCK: Final = "clk"
"""The name of what the mover's clock showed after the move."""

ELAPSED: Final = "emt"
"""The name of the time that the move took."""

MAX_SECONDS: Final = 10**9
"""No time is longer: over thirty years."""

NO_ANNOTATIONS: Final[FrozenMapping[str]] = FrozenMapping()

_NAME = re.compile("[a-z]+")
_TIME = re.compile(r"([0-9]{1,6}):([0-9]{1,2}):([0-9]{1,2})(\.[0-9]{1,9})?")
_MINUTE = 60
_HOUR = 60 * _MINUTE


def checked_annotations(annotations: Mapping[str, str]) -> FrozenMapping[str]:
    """Return *annotations* as they are kept: immutable, values without blanks around them.

    Raises:
        TypeError: If *annotations* is not a mapping from strings to strings.
        NotationError: If a name is not of the letters a to z, or a value has a ``]`` or a control
            character.
        PonteError: If a value has over 1,000,000 characters.
    """
    # Most moves have none.
    if annotations is NO_ANNOTATIONS or (type(annotations) is dict and not annotations):
        return NO_ANNOTATIONS
    require_type(annotations, Mapping, "annotations")
    found = {}
    for name, value in annotations.items():
        require_type(name, str, "an annotation's name")
        require_type(value, str, f"the annotation {name}")
        if not _NAME.fullmatch(name):
            raise NotationError(name, 0, reason("annotation-name"))
        require_short(value, f"the annotation {name}")
        bad = first_unfit(value)
        if bad >= 0:
            raise NotationError(value, bad, reason("annotation-character"))
        # Subclasses of str may lie about themselves: what is kept is plain text.
        found[str.__str__(name)] = str.__str__(value).strip(" ")
    return FrozenMapping(found)


def first_unfit(value: str) -> int:
    """Return the place of the first character that no annotation can hold, or -1."""
    bracket = value.find("]")
    bad = first_unprintable(value)
    return max(bracket, bad) if min(bracket, bad) < 0 else min(bracket, bad)


def times(clock: SupportsFloat | None, elapsed: SupportsFloat | None) -> FrozenMapping[str]:
    """Return the annotations that say what a clock showed and how long a move took.

    Raises:
        TypeError: If one of them is not a number.
        PonteError: If one of them is not from 0 to :data:`MAX_SECONDS`.
    """
    if clock is None and elapsed is None:
        return NO_ANNOTATIONS
    given = ((CLOCK, "clock", clock), (ELAPSED, "elapsed", elapsed))
    return FrozenMapping(
        {name: time_text(_seconds(value, what)) for name, what, value in given if value is not None}
    )


def _seconds(value: SupportsFloat, name: str) -> float:
    # NumPy's booleans are numbers, too: none is known here but by its name.
    if type(value).__name__ in ("bool", "bool_") or not isinstance(value, SupportsFloat):
        raise TypeError(f"{name} must be a number of seconds, not {type(value).__name__}")
    try:
        seconds = float(value)
    except (OverflowError, ValueError):
        seconds = float("nan")
    if not isfinite(seconds) or not 0 <= seconds <= MAX_SECONDS:
        raise PonteError(f"{name} must be from 0 to {MAX_SECONDS:,} seconds, not {seconds}")
    return seconds


def time_text(seconds: float) -> str:
    """Return a time as hours, minutes and seconds, to the millisecond: ``0:09:58.5``."""
    whole, milliseconds = divmod(round(seconds * 1000), 1000)
    fraction = f".{milliseconds:03}".rstrip("0").rstrip(".")
    hours, rest = divmod(whole, _HOUR)
    return f"{hours}:{rest // _MINUTE:02}:{rest % _MINUTE:02}{fraction}"


def seconds_of(text: str | None) -> float | None:
    """Return the seconds that a time as in :func:`time_text` says; ``None`` if it is not one."""
    found = None if text is None else _TIME.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds = map(int, found.groups()[:3])
    if minutes >= _MINUTE or seconds >= _MINUTE:
        return None
    # As one text, so that it is the nearest number to what is written.
    return float(f"{hours * _HOUR + minutes * _MINUTE + seconds}{found[4] or ''}")
