"""What a record says about a game besides its actions: players, date, event."""

# Annotations are objects here, not texts: attrs copies those of converters into other modules.
import re
from collections.abc import Mapping
from typing import Final

from pontedeldiavolo.base.frozen_mapping import FrozenMapping
from pontedeldiavolo.checks import require_type
from pontedeldiavolo.errors import NotationError, PonteError
from pontedeldiavolo.reason import reason

ROSTER: Final = ("Event", "Site", "Date", "Round", "First", "Second")
"""The tags that come first in a record, in this order."""

DERIVED: Final = ("Rules", "Start", "Result", "Termination")
"""The tags that a game's own content determines; nobody sets them."""

MAX_NAME = 255
MAX_TEXT: Final = 1_000_000
"""How many characters a tag or a comment has at most."""

# Unicode's control characters and surrogates, and its separators of lines and of paragraphs.
UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]")

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def checked_tags(tags: Mapping[str, str]) -> FrozenMapping[str]:
    """Return *tags* as an immutable mapping.

    Raises:
        TypeError: If *tags* is not a mapping from strings to strings.
        NotationError: If a name is not ASCII letters, digits and underscores after a letter, or a
            value has a control character.
        PonteError: If a tag is one of those that the game's own content determines, or a value
            has over 1,000,000 characters.
    """
    require_type(tags, Mapping, "tags")
    for name, value in tags.items():
        require_type(name, str, "a tag's name")
        require_type(value, str, f"the tag {name}")
        if not is_tag_name(name):
            raise NotationError(name, 0, reason("tag-name"))
        if name in DERIVED:
            raise PonteError(reason("derived-tag", name=name))
        require_short(value, f"the tag {name}")
        bad = first_unprintable(value)
        if bad >= 0:
            raise NotationError(value, bad, reason("one-line-character"))
    # Subclasses of str may lie about themselves: what is kept is plain text.
    return FrozenMapping({str.__str__(name): str.__str__(tags[name]) for name in tags})


def require_short(text: str, name: str) -> None:
    """Refuse a text that is too long to be read back by anybody.

    Raises:
        PonteError: If it is.
    """
    if len(text) > MAX_TEXT:
        raise PonteError(f"{name} has {len(text):,} characters, and {MAX_TEXT:,} are the most")


def is_tag_name(name: str) -> bool:
    """Tell whether *name* is a letter and then letters, digits and underscores, all ASCII."""
    return len(name) <= MAX_NAME and _NAME.fullmatch(name) is not None


def first_unprintable(value: str) -> int:
    """Return the place of the first character that no line of text can hold, or -1.

    Those are the control characters, the separators of lines and paragraphs, and lone surrogates.
    """
    found = UNPRINTABLE.search(value)
    return found.start() if found else -1
