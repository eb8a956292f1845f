"""Text as XML has it."""

from __future__ import annotations

import re
from typing import Final

_NO_XML: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SIGNS: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})


def escaped(text: str) -> str:
    """Return a text as it stands in elements and attributes; what XML cannot hold is replaced."""
    return _NO_XML.sub("\ufffd", text).translate(_SIGNS)


def period(since: int | None, until: int | None) -> str:
    """Return the attributes of what is there during a part of a game; what is over is hidden."""
    if since is None:
        return ""
    if until is None:
        return f' data-from="{since}"'
    return f' data-from="{since}" data-until="{until}" display="none"'
