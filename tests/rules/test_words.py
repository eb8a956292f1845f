"""The words of the game and the sentences about results, in English and German."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Hashable, Iterator
from enum import Enum
from pathlib import Path
from string import Formatter
from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, DecidedBy, Ending, Outcome, Score, Seat, ViolationCode, messages
from pontedeldiavolo.base import catalogs
from pontedeldiavolo.base.catalogs import languages_folder, tables_of
from pontedeldiavolo.base.messages import Word
from pontedeldiavolo.messages import LANGUAGES
from support.checks import fields, wrong_type
from support.diagrams import state_of
from support.games import game_of
from support.paths import ROOT

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

CATALOGS = dict(LANGUAGES)
WORDS = [member for enum in get_args(Word) for member in enum]

START = pdd.Game.new()
CHOSEN = START.play("a1,b2").play("red")


def outcome(winner: Color | None, by: DecidedBy, white: Score, red: Score) -> Outcome:
    """Return an outcome in which the first seat owns white."""
    seat = None if winner is None else Seat.FIRST if winner is Color.WHITE else Seat.SECOND
    return Outcome(winner, seat, by, white, red)


BY_POINTS = outcome(Color.RED, DecidedBy.POINTS, Score(3, 2, 5), Score(6, 3, 4))
BY_ISLANDS = outcome(Color.WHITE, DecidedBy.ISLANDS, Score(3, 3, 0), Score(3, 2, 1))
BY_BRIDGES = outcome(Color.RED, DecidedBy.BRIDGES, Score(1, 1, 0), Score(1, 1, 2))
DRAWN = outcome(None, DecidedBy.NOTHING, Score(1, 1, 2), Score(1, 1, 2))

EQUAL = "with equal points"
GLEICH = "gleich vielen Punkten"
RESIGNED = START.resign(Seat.FIRST)
TIMED = CHOSEN.lose_on_time(Seat.FIRST)
AGREED = Ending.AGREEMENT
JUDGED = CHOSEN.end(Ending.ADJUDICATION, Seat.FIRST)
RESULTS: list[tuple[pdd.Game | Outcome, str, str]] = [
    (START, "The game goes on.", "Die Partie läuft noch."),
    (BY_POINTS, "Red wins by points, 6 to 3.", "Rot gewinnt nach Punkten, 6 zu 3."),
    (
        *(BY_ISLANDS, f"White wins by islands, 3 to 2, {EQUAL} (3)."),
        f"Weiß gewinnt nach Inseln, 3 zu 2, bei {GLEICH} (3).",
    ),
    (
        *(BY_BRIDGES, f"Red wins by bridges, 2 to 0, {EQUAL} (1)."),
        f"Rot gewinnt nach Brücken, 2 zu 0, bei {GLEICH} (1).",
    ),
    (
        DRAWN,
        f"The game is a draw {EQUAL} (1).",
        f"Die Partie endet unentschieden, mit {GLEICH} (1).",
    ),
    (RESIGNED, "Player 2 wins by resignation.", "Spieler 2 gewinnt durch Aufgabe."),
    (CHOSEN.resign(Seat.SECOND), "White wins by resignation.", "Weiß gewinnt durch Aufgabe."),
    (TIMED, "Red wins on time.", "Rot gewinnt durch Zeitüberschreitung."),
    (CHOSEN.end(AGREED, Seat.SECOND), "Red wins by agreement.", "Rot gewinnt durch Einigung."),
    (JUDGED, "White wins by adjudication.", "Weiß gewinnt durch Schiedsspruch."),
    (
        *(CHOSEN.end(AGREED), "The game is a draw (agreement)."),
        "Die Partie endet unentschieden (Einigung).",
    ),
]


@pytest.mark.parametrize("language", CATALOGS)
@pytest.mark.parametrize("member", WORDS)
def test_every_member_has_a_word(language: str, member: Word) -> None:
    found = messages.word(member, CATALOGS[language])
    assert found == CATALOGS[language][member]
    assert found.strip() == found != ""
    assert not set("{}.") & set(found)


def test_words_are_english_unless_said_otherwise() -> None:
    assert messages.word(Color.WHITE) == "white"
    assert messages.word(Color.WHITE, GERMAN) == "Weiß"
    assert messages.word(pdd.Phase.LAST_TURN, {pdd.Phase.LAST_TURN: "dernier tour"}) == (
        "dernier tour"
    )


@pytest.mark.parametrize("catalog", [{}, {"occupied": "Taken."}, {Color.RED: 5}])
def test_a_catalogue_without_the_word(catalog: Any) -> None:
    with pytest.raises(pdd.PonteError, match=r"the catalogue has no word for Color\.RED"):
        messages.word(Color.RED, catalog)


@pytest.mark.parametrize(("game", "english", "german"), RESULTS)
def test_results(game: pdd.Game | Outcome, english: str, german: str) -> None:
    assert messages.result(game) == english
    assert messages.result(game, GERMAN) == german


def test_a_game_that_was_played_out_has_the_result_of_its_outcome() -> None:
    game = game_of("a1,b2", "red", "b1,a2", "pass", "pass", rules="2x2")
    assert game.state.outcome is not None
    assert messages.result(game) == messages.result(game.state.outcome)
    assert messages.result(game) == "The game is a draw with equal points (0)."


@pytest.mark.parametrize("game", [None, "draw", pdd.GameState.initial(), Ending.TIME])
def test_only_games_and_outcomes_have_results(game: object) -> None:
    with wrong_type("game"):
        messages.result(game)  # type: ignore[arg-type]


@pytest.mark.parametrize("catalog", [{}, {"won-points": "{looser} lost"}, {"won-points": None}])
def test_a_catalogue_without_the_sentence(catalog: dict[Any, Any]) -> None:
    with pytest.raises(pdd.PonteError, match="cannot explain won-points"):
        messages.result(BY_POINTS, {Color.RED: "red", **catalog})


def test_a_catalogue_without_a_word_of_the_sentence() -> None:
    with pytest.raises(pdd.PonteError, match=r"no word for Color\.RED"):
        messages.result(BY_POINTS, {"won-points": "{winner} won"})


def test_all_violations_in_any_language() -> None:
    violations = state_of("w w . w w . r", tiles=5).violations(pdd.parse_action("c1,g1"))
    assert len(violations) > 1
    for catalog in CATALOGS.values():
        sentences = [messages.explain(violation, catalog) for violation in violations]
        assert messages.explain(violations, catalog) == " ".join(sentences)
    assert messages.explain(violations) == messages.explain(violations, ENGLISH)
    assert messages.explain((), GERMAN) == ""
    with pytest.raises(pdd.PonteError, match="cannot explain"):
        messages.explain(violations, {})


def test_all_words_are_members() -> None:
    assert all(issubclass(enum, Enum) for enum in get_args(Word))
    assert len(WORDS) == len(set(WORDS)) == 20


def test_the_reference_has_every_code_with_its_values() -> None:
    page = (ROOT / "docs/reference/api/violations.md").read_text("utf-8")
    page = page.partition("## Codes of sentences")[2]
    listed: dict[str, set[str]] = {}
    for codes, values in re.findall(r"^\| (`.+?) \| .* \| (.*?) ?\|$", page, re.MULTILINE):
        for code in re.findall(r"[\w-]+", codes):
            listed[code] = {*re.findall(r"\w+", values)}
    errors = tables_of("en")["errors"]
    elsewhere = {*errors, *ViolationCode}
    templates = {
        key: text
        for key, text in ENGLISH.items()
        if isinstance(key, str) and key not in elsewhere and not key.startswith(("page.", "cli."))
    }
    assert listed.keys() == templates.keys()
    for code, template in templates.items():
        assert fields(template) <= listed[code], code


# Languages: each has all texts, and adding one takes one file

FOREIGN = [code for code in LANGUAGES if code != "en"]


def named(keys: set[Hashable]) -> list[str]:
    return sorted(map(str, keys))


def test_the_languages() -> None:
    named = {code: (each.code, each["language-name"]) for code, each in LANGUAGES.items()}
    assert named == {"en": ("en", "English"), "de": ("de", "Deutsch")}
    assert (len(LANGUAGES), [*LANGUAGES]) == (2, ["en", "de"])
    for catalog in LANGUAGES.values():
        # A catalogue is not copied, however it travels.
        assert copy.deepcopy(catalog) is pickle.loads(pickle.dumps(catalog)) is catalog
    assert repr(LANGUAGES) == "<languages en, de>"
    assert repr(GERMAN) == "<catalogue de>"
    for code in ("fr", "", "..messages"):
        assert code not in LANGUAGES


@pytest.mark.parametrize("code", FOREIGN)
def test_every_language_has_all_texts(code: str) -> None:
    texts = {*LANGUAGES[code]}
    english = {*ENGLISH}
    assert (named(english - texts), named(texts - english)) == ([], [])


def test_violations_and_words_have_texts() -> None:
    assert tables_of("en")["violations"].keys() == {*ViolationCode}
    assert {key for key in ENGLISH if not isinstance(key, str)} == {*WORDS}


def test_no_code_has_two_texts() -> None:
    """Violations, errors and other sentences share the keys of a catalogue."""
    tables = tables_of("en")
    codes = [*tables["violations"], *tables["errors"], *tables["sentences"]]
    assert sorted(codes) == sorted({*codes})


@pytest.mark.parametrize("code", FOREIGN)
def test_texts_use_the_same_values(code: str) -> None:
    catalog = LANGUAGES[code]
    assert [key for key in catalog if fields(catalog[key]) != fields(ENGLISH.get(key, ""))] == []


def grouped(template: object) -> set[str | None]:
    """Return the names of the values that a template writes with thousands marks."""
    parts = Formatter().parse(str(template))
    return {name for _, name, specification, _ in parts if specification == ","}


@pytest.mark.parametrize("code", FOREIGN)
def test_texts_group_the_digits_of_the_same_values(code: str) -> None:
    catalog = LANGUAGES[code]
    assert any(grouped(text) for text in ENGLISH.values())
    assert [key for key in catalog if grouped(catalog[key]) != grouped(ENGLISH.get(key, ""))] == []


def test_thousands_have_the_mark_of_the_language() -> None:
    reason = pdd.Reason("svg-size", {"max": 1_000_000, "size": 12_345_678})
    said = {code: messages.explain(reason, code) for code in LANGUAGES}
    assert "1,000,000 pixels, not 12,345,678." in said["en"]
    assert "1.000.000 Pixel, nicht 12.345.678." in said["de"]
    own = {"svg-size": "no more than {max:,}"}
    assert messages.explain(reason, own) == "No more than 1,000,000."
    assert messages.explain(reason, {**own, "thousands-mark": "_"}) == "No more than 1_000_000."


def nouns_of(template: str) -> Iterator[tuple[str, str]]:
    """Yield the two words for one and for many that a template chooses from."""
    for _, _, choice, _ in Formatter().parse(template):
        one, is_choice, many = (choice or "").partition("|")
        if is_choice:
            yield one, many


def texts_of(code: str) -> dict[Hashable, str]:
    """Return the templates of a language, without those that the page's script fills in."""
    catalog = LANGUAGES[code]
    return {key: text for key, text in catalog.items() if not str(key).startswith("page.")}


UNCOUNTED = {None, "folder", "color", "said", "height"}
"""Values before a noun for many that are not its number; a height follows a width."""


@pytest.mark.parametrize("code", LANGUAGES)
def test_nouns_go_with_their_numbers(code: str) -> None:
    texts = texts_of(code)
    words = " ".join(many for text in texts.values() for _, many in nouns_of(text))
    # Verbs and adjectives of some nouns are chosen with them.
    plurals = {*re.findall(r"\b[A-Z]\w+" if code == "de" else r"\b\w+s\b", words)}
    assert len(plurals) > 15
    faults = []
    for key, text in texts.items():
        parts = [*Formatter().parse(text)]
        for place, (_, name, choice, _) in enumerate(parts[:-1], 1):
            after = str(parts[place][0])
            counted = {*re.findall(r"\w+", after.partition(",")[0])[:2]}
            is_alone = name not in UNCOUNTED and "|" not in (choice or "")
            if is_alone and after.startswith(" ") and counted & plurals:
                faults.append((key, name, after))
    assert faults == []


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("en", ["at most 1 character", "at most 2 characters", "at most 1,000 characters"]),
        ("de", ["mit 1 Feld", "mit 2 Feldern", "mit 1000 Feldern"]),
    ],
)
def test_a_text_has_the_noun_for_its_number(code: str, said: list[str]) -> None:
    for number, words in zip((1, 2, 1000), said, strict=True):
        many = pdd.Reason("limit-text", {"max": number})
        row = pdd.Reason("row-width", {"width": number})
        found = messages.explain(many if code == "en" else row, code)
        assert found.endswith(f"{words}.")
    assert str(pdd.Reason("row-width", {"width": 1})) == "a row of 1 cell"


@pytest.mark.parametrize("code", FOREIGN)
def test_texts_are_translated(code: str) -> None:
    same = [text for key, text in LANGUAGES[code].items() if text == ENGLISH.get(key)]
    # Quoted names, capitals, single values, units and words of both languages need no translation.
    plain = r"\{\w+\}(?: (?:min|s)\b)?|'[^']*'|[A-Z]\w*\[\w+\]|JSON|^Original$"
    rest = [re.sub(plain, "", text) for text in same]
    assert [text for text in rest if re.search("[a-z]", text)] == []


@pytest.mark.parametrize("code", LANGUAGES)
def test_catalogues_cannot_change(code: str) -> None:
    catalog: Any = LANGUAGES[code]
    assert len(catalog) == len({*catalog})
    with pytest.raises(TypeError, match="does not support item assignment"):
        catalog[ViolationCode.GAME_OVER] = "Done."


@pytest.fixture
def _listed_again() -> Iterator[None]:
    """Clear the cached list of languages."""
    catalogs.language_codes.cache_clear()
    yield
    catalogs.language_codes.cache_clear()


def test_languages_are_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that can open no more files must still find the language of an error."""
    known = [*LANGUAGES]

    def unreadable() -> Path:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(catalogs, "languages_folder", unreadable)
    assert [*LANGUAGES] == known
    assert LANGUAGES.get("de", LANGUAGES["en"])["language-name"] == "Deutsch"
    assert "xx" not in LANGUAGES


@pytest.mark.usefixtures("_listed_again")
def test_a_further_language_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for code in LANGUAGES:
        (tmp_path / f"{code}.toml").write_bytes((languages_folder() / f"{code}.toml").read_bytes())
    english = (tmp_path / "en.toml").read_text("utf-8")
    text = english.replace('name = "English"', 'name = "Esperanto"').replace(
        'unfinished = "The game goes on."', 'unfinished = "la ludo daŭras"'
    )
    (tmp_path / "eo.toml").write_text(text, "utf-8")
    (tmp_path / "README").touch()
    monkeypatch.setattr(catalogs, "languages_folder", lambda: tmp_path)
    catalogs.language_codes.cache_clear()
    assert [*LANGUAGES] == ["en", "de", "eo"]
    assert LANGUAGES["eo"]["language-name"] == "Esperanto"
    catalog = LANGUAGES["eo"]
    assert messages.result(pdd.Game.new(), catalog) == "La ludo daŭras"
