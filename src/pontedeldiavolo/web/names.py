"""The names of players, which are the same in every sentence, list and record."""

from __future__ import annotations

import unicodedata
from collections.abc import Hashable, Iterator, Mapping
from typing import Final, final

from pontedeldiavolo.base import messages
from pontedeldiavolo.base.catalogs import ENGLISH, LanguageCatalog
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.messages import Catalog

from .store import StoredGame, name_tag

RIGHT_TO_LEFT: Final = frozenset(["R", "AL"])
"""The bidirectional classes of letters that are written from right to left."""
PLACEHOLDERS: Final = {Seat.FIRST: "\ue001", Seat.SECOND: "\ue002"}
"""Characters without a meaning, which stand for the names where a page fills them in."""


def level_name(level: str, language: Catalog = ENGLISH) -> str:
    """Return the name of a level of the computer, such as *Computer 9*."""
    # The label of the level without the explanation.
    name = language[f"page.opponent-{level}"].partition(":")[0]
    return name[:1].upper() + name[1:]


def player_name(stored: StoredGame, seat: Seat, language: LanguageCatalog) -> str:
    """Return the name of a person or of a level; for a person without a name, that of the seat."""
    if seat in stored.levels:
        return level_name(stored.levels[seat], language)
    return stored.game.tags.get(name_tag(seat), messages.word(seat, language))


@final
class NamedCatalog(Mapping[Hashable, str]):
    """The texts of a language, in which other texts stand for the words for the seats."""

    def __init__(self, language: Catalog, names: Mapping[Seat, str]) -> None:
        self._language = language
        self._names: dict[Hashable, str] = {}
        self._names.update((seat, name) for seat, name in names.items())

    def __getitem__(self, key: Hashable) -> str:
        return self._names[key] if key in self._names else self._language[key]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._language)

    def __len__(self) -> int:
        return len(self._language)


def with_names(stored: StoredGame, language: LanguageCatalog) -> Catalog:
    """Return the texts of a language, in which the players of a game have their names."""
    names = {seat: _isolated(player_name(stored, seat, language)) for seat in Seat}
    return NamedCatalog(language, names)


def _isolated(name: str) -> str:
    """Return a name for the middle of a sentence.

    One that is written from right to left is isolated, so that it does not turn the signs around.
    """
    if RIGHT_TO_LEFT.isdisjoint(map(unicodedata.bidirectional, name)):
        return name
    return f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
