"""A player has one name, in every sentence, list and record."""

from __future__ import annotations

import json
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from support.http_client import SMALL, Guest

ACTIONS = ("a1,b1", "red", "f1,f5", "a2,b2")


def texts_of(view: Any) -> str:
    """Return all texts of a view that name players."""
    names = ("sentence", "players", "movesHtml")
    sentences = view["snapshot"]["sentences"]
    return json.dumps([*(view[name] for name in names), sentences], ensure_ascii=False)


@pytest.mark.parametrize("language", LANGUAGES)
def test_people_have_the_names_that_they_have_entered(language: str) -> None:
    ada = Guest(query={"lang": language}).seated(seat="first", name="Ada")
    bo = ada.at(ada.looking_on().post("seats", 201, seat="second", name="Bo <b>"))
    words = [pdd.messages.word(seat, language).lower() for seat in pdd.Seat]
    seen = set()
    for action in (*ACTIONS, None):
        for guest in (ada, bo, Guest(ada.site, ada.game, query=ada.query)):
            text = texts_of(guest.get()).lower()
            assert [word for word in words if word in text] == []
            seen |= {name for name in ("ada", "bo <b>", "bo &lt;b&gt;") if name in text}
        mover = ada if ada.get()["snapshot"]["seat_to_move"] == "first" else bo
        if action is not None:
            mover.play(action)
    assert seen == {"ada", "bo <b>", "bo &lt;b&gt;"}
    assert bo.get()["movesHtml"].count("Bo &lt;b&gt;") >= 2


def test_a_resignation_before_the_choice_of_colours_names_the_winner() -> None:
    ada = Guest().seated(seat="first", name="Ada")
    bo = ada.at(ada.looking_on().post("seats", 201, seat="second", name="Bo"))
    assert ada.post("resignation", version=1)["sentence"] == "Bo wins by resignation."
    assert bo.get()["snapshot"]["sentences"]["result"] == "Bo wins by resignation."


def test_a_new_name_is_written_into_the_list_of_moves() -> None:
    """The version and the plies stay, and the page fills the name in."""
    ada = Guest().seated(seat="first", name="Ada")
    bo = ada.at(ada.looking_on().post("seats", 201, seat="second", name="Bo"))
    ada.play("a1,b1")
    bo.play("red")
    before = ada.get()
    assert "Bo chose red." in before["movesHtml"]
    bo.post("name", name="Cy")
    known = {"after": str(before["version"]), "people_stamp": before["people_stamp"]}
    after = ada.get(**known)
    assert after["version"] == before["version"]
    assert "Cy chose red." in after["movesHtml"]
    assert "Bo" not in texts_of(after)


def test_a_name_is_not_taken_for_a_place_of_a_name() -> None:
    ada = Guest().seated(seat="first", name="&second; {cell}")
    assert "&amp;second; {cell} opens the game" in ada.get()["movesHtml"]


def test_a_name_from_right_to_left_is_isolated() -> None:
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"
    ada = Guest().seated(seat="first", name=name)
    sentence = ada.get()["snapshot"]["sentences"]["state"]
    assert sentence.startswith(f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE} opens")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_computer_has_one_name(language: str) -> None:
    guest = Guest(query={"lang": language}).seated(seat="first", opponent="level-3")
    shown = guest.play("a1,b1")
    assert shown["players"][1]["name"] == "Computer 3"
    assert pdd.messages.word(pdd.Seat.SECOND, language) not in texts_of(shown)
    assert f"Computer 3 {'chose' if language == 'en' else 'hat'}" in shown["movesHtml"]
    summary: Any = guest.raw("GET", "/summaries", games=guest.game).content
    assert "Computer 3" in summary["games"][0]["names"]
    stored = guest.site.store.load(guest.game)
    assert stored.game.tags["Second"] == "Computer 3"
    assert guest.record().tags["Second"].startswith("Computer 3 (")


def test_the_parts_of_a_page_have_places_for_the_names() -> None:
    view = Guest().begin(201, rules=SMALL, name="Ada")
    assert "&first; opens" in view["drawn"]["plies"][0]["move"]
