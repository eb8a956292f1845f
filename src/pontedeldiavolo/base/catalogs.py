"""Catalogues: the words and sentences of each language, read when one of them is asked for."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from enum import Enum
from functools import cache, cached_property
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final, final

from pontedeldiavolo.base.enums import Color, DecidedBy, Ending, Phase, Rule, Seat, Tiebreak

_ENUMS: Final[Mapping[str, type[Enum]]] = {
    "color": Color,
    "seat": Seat,
    "phase": Phase,
    "tiebreak": Tiebreak,
    "decided-by": DecidedBy,
    "ending": Ending,
}
"""The enums whose members have words, by their names in the files."""


@final
class LazyCatalog(Mapping[Hashable, str]):
    """The texts of one language, read when one of them is asked for."""

    def __init__(self, code: str) -> None:
        self._code = code

    @cached_property
    def _texts(self) -> Mapping[Hashable, str]:
        # Importing the package imports no parser.
        reader = import_module("pontedeldiavolo.base.language_files")
        tables: Mapping[str, Any] = reader.tables_of(self._code)
        members = {
            _ENUMS[name](value): word
            for name, words in tables["words"].items()
            for value, word in words.items()
        }
        return MappingProxyType(
            {
                "language-name": tables["name"],
                **tables["errors"],
                **tables["sentences"],
                **{Rule(slug): text for slug, text in tables["rules"].items()},
                **members,
                **{f"page.{key}": text for key, text in tables["page"].items()},
                **{f"cli.{key}": text for key, text in tables["commands"].items()},
            }
        )

    def __getitem__(self, key: Hashable) -> str:
        return self._texts[key]

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"<catalogue {self._code}>"


@cache
def catalog_of(code: str) -> LazyCatalog:
    """Return the catalogue of a language."""
    return LazyCatalog(code)


ENGLISH: Final[Mapping[Hashable, str]] = catalog_of("en")
"""All words and sentences in English."""
