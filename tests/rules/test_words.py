"""The words of the game and the sentences on how it came out, in English and in German."""

from __future__ import annotations

import re
from enum import Enum
from string import Formatter
from typing import Any, get_args

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Color, DecidedBy, Ending, Outcome, Score, Seat, messages
from pontedeldiavolo.base.language_files import tables_of
from support.checks import wrong_type
from support.diagrams import state_of
from support.paths import ROOT

CATALOGS = {code: language.catalog for code, language in messages.LANGUAGES.items()}
WORDS = [member for enum in get_args(messages.Word) for member in enum]

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

RESULTS: list[tuple[pdd.Game | Outcome, str, str]] = [
    (START, "The game goes on.", "Die Partie läuft noch."),
    (BY_POINTS, "Red wins by points, 6 to 3.", "Rot gewinnt nach Punkten, 6 zu 3."),
    (
        BY_ISLANDS,
        "White wins by islands, 3 to 2, with equal points (3).",
        "Weiß gewinnt nach Inseln, 3 zu 2, bei gleich vielen Punkten (3).",
    ),
    (
        BY_BRIDGES,
        "Red wins by bridges, 2 to 0, with equal points (1).",
        "Rot gewinnt nach Brücken, 2 zu 0, bei gleich vielen Punkten (1).",
    ),
    (
        DRAWN,
        "The game is a draw with equal points (1).",
        "Die Partie endet unentschieden, mit gleich vielen Punkten (1).",
    ),
    (
        START.end(Ending.RESIGNATION, Seat.SECOND),
        "Player 2 wins by resignation.",
        "Spieler 2 gewinnt durch Aufgabe.",
    ),
    (
        CHOSEN.end(Ending.RESIGNATION, Seat.FIRST),
        "White wins by resignation.",
        "Weiß gewinnt durch Aufgabe.",
    ),
    (
        CHOSEN.end(Ending.TIME, Seat.SECOND),
        "Red wins on time.",
        "Rot gewinnt durch Zeitüberschreitung.",
    ),
    (
        CHOSEN.end(Ending.AGREEMENT, Seat.SECOND),
        "Red wins by agreement.",
        "Rot gewinnt durch Einigung.",
    ),
    (
        CHOSEN.end(Ending.ADJUDICATION, Seat.FIRST),
        "White wins by adjudication.",
        "Weiß gewinnt durch Schiedsspruch.",
    ),
    (
        CHOSEN.end(Ending.AGREEMENT),
        "The game is a draw (agreement).",
        "Die Partie endet unentschieden (Einigung).",
    ),
]


@pytest.mark.parametrize("language", CATALOGS)
@pytest.mark.parametrize("member", WORDS)
def test_every_member_has_a_word(language: str, member: messages.Word) -> None:
    found = messages.word(member, CATALOGS[language])
    assert found == CATALOGS[language][member]
    assert found.strip() == found != ""
    assert not set("{}.") & set(found)


def test_words_are_english_unless_said_otherwise() -> None:
    assert messages.word(Color.WHITE) == "white"
    assert messages.word(Color.WHITE, messages.GERMAN) == "Weiß"
    assert messages.word(pdd.Phase.LAST_TURN, {pdd.Phase.LAST_TURN: "dernier tour"}) == (
        "dernier tour"
    )


@pytest.mark.parametrize("catalog", [{}, {pdd.Rule.OCCUPIED: "Taken."}, {Color.RED: 5}])
def test_a_catalogue_without_the_word(catalog: Any) -> None:
    with pytest.raises(pdd.PonteError, match=r"the catalogue has no word for Color\.RED"):
        messages.word(Color.RED, catalog)


@pytest.mark.parametrize(("game", "english", "german"), RESULTS)
def test_results(game: pdd.Game | Outcome, english: str, german: str) -> None:
    assert messages.result(game) == english
    assert messages.result(game, messages.GERMAN) == german


def test_a_game_that_was_played_out_has_the_result_of_its_outcome() -> None:
    game = pdd.Game.new(pdd.Rules(pdd.Board(2, 2)))
    for action in ("a1,b2", "red", "b1,a2", "pass", "pass"):
        game = game.play(action)
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
        assert messages.explain_all(violations, catalog) == " ".join(sentences)
    assert messages.explain_all(violations) == messages.explain_all(violations, messages.ENGLISH)
    assert messages.explain_all((), messages.GERMAN) == ""
    with pytest.raises(pdd.PonteError, match="cannot explain"):
        messages.explain_all(violations, {})


def test_all_words_are_members() -> None:
    assert all(issubclass(enum, Enum) for enum in get_args(messages.Word))
    assert len(WORDS) == len(set(WORDS)) == 20


def test_the_reference_has_every_code_with_its_values() -> None:
    page = (ROOT / "docs/reference/api/violations.md").read_text("utf-8")
    page = page.partition("## Codes of sentences")[2]
    listed: dict[str, set[str]] = {}
    for codes, values in re.findall(r"^\| (`.+?) \| .* \| (.*?) ?\|$", page, re.MULTILINE):
        for code in re.findall(r"[\w-]+", codes):
            listed[code] = {*re.findall(r"\w+", values)}
    codes = {key: text for key, text in messages.ENGLISH.items() if isinstance(key, str)}
    templates = {
        key: text
        for key, text in codes.items()
        if key not in tables_of("en")["errors"] and not key.startswith("page.")
    }
    assert listed.keys() == templates.keys()
    for code, template in templates.items():
        fields = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
        assert fields <= listed[code], code
