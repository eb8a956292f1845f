"""Raw histories: what the site itself noted of a game, behind its record in the same file.

They tell the game once more, with everything that was undone, and have turns of a player P-1, who
is the site.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from pontedeldiavolo.records.splitting import Part, Piece

_TOKEN = re.compile(
    r"(?P<value>\[(?:[^\\\]]++|\\.)*+\]?)|(?P<name>[A-Za-z0-9-]++)|;|[^A-Za-z0-9\[;-]++", re.DOTALL
)
_SITE = "P-1"
_NAME = "GN"
_NODE = ("", "")
"""Stands for the beginning of a node where names and values are listed."""


def without_histories(parts: Iterable[Part]) -> Iterator[Part]:
    """Iterate over the parts of a file, without the raw histories of the games before them."""
    name: str | None = None
    for part in parts:
        if not isinstance(part, Piece):
            name = None
        elif name == (own := _game_name(part.text)) and _is_history(part.text):
            continue
        else:
            name = own
        yield part


def _is_history(text: str) -> bool:
    # Few texts have this anywhere: the others are not looked through.
    return _SITE in text.upper() and any(name.upper() == _SITE for name, _ in _properties(text))


def _game_name(text: str) -> str:
    """Return the name of a game as its root has it; an empty text without one."""
    root = takewhile(_NODE.__ne__, islice(_properties(text), 1, None))
    return next((value for name, value in root if name == _NAME), "")


def _properties(text: str) -> Iterator[tuple[str, str]]:
    """Iterate over names and values as they stand there, and over the beginnings of nodes."""
    name = ""
    for token in _TOKEN.finditer(text):
        if token["value"]:
            yield name, token["value"]
        elif token["name"]:
            name = token["name"]
        elif token.group() == ";":
            yield _NODE
