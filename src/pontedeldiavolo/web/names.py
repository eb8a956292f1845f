"""The names of players, which are the same in every sentence, list and record."""

from __future__ import annotations

from typing import Final

from pontedeldiavolo.base import messages
from pontedeldiavolo.base.catalogs import ENGLISH, LanguageCatalog
from pontedeldiavolo.base.enums import Seat
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.html.names import NamedCatalog, isolated

from .store import StoredGame, name_tag

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


def with_names(stored: StoredGame, language: LanguageCatalog) -> Catalog:
    """Return the texts of a language, in which the players of a game have their names."""
    names = {seat: isolated(player_name(stored, seat, language)) for seat in Seat}
    return NamedCatalog(language, names)
