"""Languages: each has all texts, and a further one is one file."""

from __future__ import annotations

import re
from collections.abc import Hashable
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Rule, messages
from pontedeldiavolo.base import language_files
from pontedeldiavolo.base.language_files import FOLDER
from pontedeldiavolo.messages import ENGLISH, GERMAN, LANGUAGES

FOREIGN = [code for code in LANGUAGES if code != "en"]
WORDS = [member for enum in get_args(messages.Word) for member in enum]


def fields(template: str) -> set[str]:
    """Return the names of the values that a template asks for."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def named(keys: set[Hashable]) -> list[str]:
    return sorted(map(str, keys))


def test_the_languages() -> None:
    assert [(code, each.code, each.name) for code, each in LANGUAGES.items()] == [
        ("en", "en", "English"),
        ("de", "de", "Deutsch"),
    ]
    assert len(LANGUAGES) == 2
    assert LANGUAGES["en"].catalog is ENGLISH
    assert LANGUAGES["de"].catalog is GERMAN
    assert repr(LANGUAGES) == "<languages en, de>"
    assert repr(GERMAN) == "<catalogue de>"
    for code in ("fr", "", "..messages"):
        assert code not in LANGUAGES


@pytest.mark.parametrize("code", FOREIGN)
def test_every_language_has_all_texts(code: str) -> None:
    texts, english = {*LANGUAGES[code].catalog}, {*ENGLISH}
    assert (named(english - texts), named(texts - english)) == ([], [])


def test_rules_and_words_have_texts() -> None:
    assert {key for key in ENGLISH if not isinstance(key, str)} == {*Rule, *WORDS}


@pytest.mark.parametrize("code", FOREIGN)
def test_texts_use_the_same_values(code: str) -> None:
    catalog = LANGUAGES[code].catalog
    assert [key for key in catalog if fields(catalog[key]) != fields(ENGLISH.get(key, ""))] == []


@pytest.mark.parametrize("code", FOREIGN)
def test_texts_are_translated(code: str) -> None:
    same = [text for key, text in LANGUAGES[code].catalog.items() if text == ENGLISH.get(key)]
    # Names in quotes, in capitals, and values alone are no matter of language.
    rest = [re.sub(r"\{\w+\}|'[^']*'|[A-Z]\w*\[\w+\]|JSON", "", text) for text in same]
    assert [text for text in rest if re.search("[a-z]", text)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_catalogues_cannot_change(code: str) -> None:
    catalog: Any = LANGUAGES[code].catalog
    assert len(catalog) == len({*catalog})
    with pytest.raises(TypeError, match="does not support item assignment"):
        catalog[Rule.GAME_OVER] = "Done."


def test_a_further_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for code in LANGUAGES:
        (tmp_path / f"{code}.toml").write_bytes((FOLDER / f"{code}.toml").read_bytes())
    english = (tmp_path / "en.toml").read_text("utf-8")
    text = english.replace('name = "English"', 'name = "Esperanto"').replace(
        'unfinished = "The game goes on."', 'unfinished = "la ludo daŭras"'
    )
    (tmp_path / "eo.toml").write_text(text, "utf-8")
    (tmp_path / "README").touch()
    monkeypatch.setattr(language_files, "FOLDER", tmp_path)
    assert [*LANGUAGES] == ["en", "de", "eo"]
    assert LANGUAGES["eo"].name == "Esperanto"
    catalog = LANGUAGES["eo"].catalog
    assert messages.result(pdd.Game.new(), catalog) == "La ludo daŭras"
