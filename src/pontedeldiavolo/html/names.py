"""The names of players in the sentences of a page."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator, Mapping
from typing import Final, final

from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.game.game import Game

MAX_NAME_CHARACTERS: Final = 40
"""The maximum length of a name in a sentence."""
RIGHT_TO_LEFT: Final = frozenset(["R", "AL"])
"""The bidirectional classes of letters that are written from right to left."""
_TAGS: Final = {Seat.FIRST: "First", Seat.SECOND: "Second"}


@final
class NamedCatalog(Mapping[Hashable, str]):
    """The texts of a catalogue, in which other texts stand for the words for the seats."""

    def __init__(self, catalog: Catalog, names: Mapping[Seat, str]) -> None:
        self._catalog = catalog
        self._names: dict[Hashable, str] = {}
        self._names.update((seat, name) for seat, name in names.items())

    def __getitem__(self, key: Hashable) -> str:
        return self._names[key] if key in self._names else self._catalog[key]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._catalog)

    def __len__(self) -> int:
        return len(self._catalog)


def with_players(game: Game, catalog: Catalog) -> Catalog:
    """Return a catalogue in which the players of a game have the names of its tags.

    A catalogue that has names already stays as it is.
    """
    if isinstance(catalog, NamedCatalog):
        return catalog
    names = {}
    for seat, tag in _TAGS.items():
        name = game.tags.get(tag, "?").strip()
        if name not in ("", "?"):
            names[seat] = isolated(shortened(name))
    return NamedCatalog(catalog, names) if names else catalog


def shortened(name: str) -> str:
    """Return a name that is short enough for a sentence."""
    if len(name) <= MAX_NAME_CHARACTERS:
        return name
    return f"{name[: MAX_NAME_CHARACTERS - 1].rstrip()}…"


def isolated(name: str) -> str:
    """Return a name for the middle of a sentence.

    One that is written from right to left is isolated, so that it does not turn the signs around.
    """
    if RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
