"""Detection of a file's name where its content is expected: a common mistake of callers."""

from __future__ import annotations

import re
from typing import Final

_LONGEST = 4096
# No text of a game has this form: a game has a tag, a bracket, a comment or a result.
_NAME: Final = re.compile(r'[^\r\n"{}\[\];*]+\.(?:pdd|sgf|jsonl?|txt)', re.IGNORECASE)


def is_file_name(text: str) -> bool:
    """Return whether a text is the name of a file of games: one line that ends in its suffix.

    >>> [is_file_name(text) for text in ("game.sgf", "(;FF[4])", "1. a1,b1 * ; see game.sgf")]
    [True, False, False]
    """
    return len(text) <= _LONGEST and _NAME.fullmatch(text.strip()) is not None
