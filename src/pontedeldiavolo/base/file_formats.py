"""The formats of files of games: their names, suffixes and descriptions.

The readers and writers of the formats are in ``records``, where each has a row in ``FORMATS``.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class FileFormat(NamedTuple):
    """A format of files of games.

    Attributes:
        suffixes: The suffixes of its files.
        description: What such a file contains, for the help of commands.
    """

    suffixes: tuple[str, ...]
    description: str


FILE_FORMATS: Final = {
    "pdd": FileFormat((".pdd",), "records, as this library writes them"),
    "json": FileFormat(
        (".json", ".jsonl"), "documents of this library: one, a list of them, or one per line"
    ),
    "abstract-play": FileFormat((".json", ".jsonl"), "reports of Abstract Play"),
    "moves": FileFormat((".txt",), "lists of moves, with empty lines between games"),
    "sgf": FileFormat((".sgf",), "Smart Game Format FF[4]"),
    "boardspace": FileFormat((".sgf",), "records of Boardspace; they are read only"),
}
"""The formats by their names, the values of ``records.Format``."""

_LONGEST_NAME = 4096
_SUFFIXES = {suffix for each in FILE_FORMATS.values() for suffix in each.suffixes}
# No text of a game has this form: a game has a tag, a bracket, a comment or a result.
_FILE_NAME: Final = re.compile(
    rf'[^\r\n"{{}}\[\];*]+(?:{"|".join(map(re.escape, sorted(_SUFFIXES)))})', re.IGNORECASE
)


def is_file_name(text: str) -> bool:
    """Return whether a text is the name of a file of games, which callers pass by mistake.

    It is one line that ends in the suffix of a format.

    >>> [is_file_name(text) for text in ("game.sgf", "(;FF[4])", "1. a1,b1 * ; see game.sgf")]
    [True, False, False]
    """
    return len(text) <= _LONGEST_NAME and _FILE_NAME.fullmatch(text.strip()) is not None
