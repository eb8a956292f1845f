"""Catalogues: the words and sentences of each language, in a file named by the language's code.

A further language is one further file here, with ``TEXTS`` for all keys that the others have.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from functools import cache, cached_property
from importlib import import_module
from pkgutil import iter_modules
from typing import Final, cast, final

from pontedeldiavolo.base.refusals import REFUSALS


@final
class LazyCatalog(Mapping[Hashable, str]):
    """The texts of one language, imported when a text is needed that is not loaded yet."""

    def __init__(self, code: str, at_hand: Mapping[Hashable, str]) -> None:
        self._code = code
        self._at_hand = at_hand

    @cached_property
    def _texts(self) -> Mapping[Hashable, str]:
        module = import_module(f"{__name__}.{self._code}")
        return cast(Mapping[Hashable, str], module.TEXTS)

    def __getitem__(self, key: Hashable) -> str:
        found = self._at_hand.get(key)
        return self._texts[key] if found is None else found

    def __iter__(self) -> Iterator[Hashable]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def __repr__(self) -> str:
        return f"<catalogue {self._code}>"


@cache
def catalog_of(code: str) -> LazyCatalog:
    """Return the catalogue of a language, which is imported when a text of it is asked for."""
    return LazyCatalog(code, REFUSALS if code == "en" else {})


def language_codes() -> list[str]:
    """Return the codes of all languages, English first."""
    codes = (module.name for module in iter_modules(__path__))
    return sorted(codes, key=lambda code: (code != "en", code))


ENGLISH: Final[Mapping[Hashable, str]] = catalog_of("en")
"""All words and sentences in English."""
