"""The files of the languages, ``languages/CODE.toml``.

A further language is one further file, with all keys that ``en.toml`` has.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Any, Final

FOLDER: Final = files("pontedeldiavolo.base") / "languages"


def tables_of(code: str) -> dict[str, Any]:
    """Return the tables of a language's file: ``errors``, ``rules``, ``words`` and so on."""
    text = (FOLDER / f"{code}.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def language_codes() -> list[str]:
    """Return the codes of all languages, English first."""
    found = (each.name.partition(".") for each in FOLDER.iterdir())
    codes = (code for code, _, ending in found if ending == "toml")
    return sorted(codes, key=lambda code: (code != "en", code))
