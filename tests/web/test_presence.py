"""Who is at a seat, and the names of people, which they can change."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.web import presence
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.http.app import MAX_LOOK_SECONDS, WAIT_SECONDS
from pontedeldiavolo.web.presence import HERE_SECONDS, Presence
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import Guest, fixed_seed
from support.paths import SOURCE
from support.waiting import SettableClock

GONE = HERE_SECONDS + 1
STATIC = SOURCE / "pontedeldiavolo" / "web" / "static"


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def ada(clock: SettableClock) -> Guest:
    return Guest(Site(MemoryStore(), fixed_seed, now=clock)).seated(seat="first", name="Ada")


def sit_down(guest: Guest, **fields: object) -> Guest:
    token = guest.looking_on().post("seats", 201, seat="second", **fields)["token"]
    return Guest(guest.site, guest.game, token)


def test_people_are_present_while_their_pages_ask_for_news(
    ada: Guest, clock: SettableClock
) -> None:
    assert ada.get()["present"] == {"first": True, "second": None}
    bo = sit_down(ada)
    # Nobody sees the new person before their page asks.
    assert ada.get()["present"] == {"first": True, "second": False}
    bo.get()
    assert ada.get()["present"] == {"first": True, "second": True}
    clock.now = GONE
    assert bo.get()["present"] == {"first": False, "second": True}
    # A spectator is not a person at a seat.
    clock.now += GONE
    assert ada.looking_on().get()["present"] == {"first": False, "second": False}


def test_the_computer_is_neither_present_nor_away(clock: SettableClock) -> None:
    guest = Guest(Site(MemoryStore(), fixed_seed, now=clock))
    guest = guest.seated(seat="second", opponent="level-1")
    assert guest.get()["present"] == {"first": None, "second": True}


def test_waiting_requests_are_told_who_comes_and_goes(ada: Guest, clock: SettableClock) -> None:
    bo = sit_down(ada)
    shown = ada.get()
    path = f"/games/{ada.game}"
    seen = {
        "after": str(shown["version"]),
        "seats_taken": "2",
        "people_stamp": shown["people_stamp"],
    }
    assert ada.raw("GET", path, **seen).status == 204
    bo.get()
    news: Any = ada.raw("GET", path, **seen)
    assert (news.status, news.content["present"]["second"]) == (200, True)
    seen["people_stamp"] = news.content["people_stamp"]
    assert ada.raw("GET", path, **seen).status == 204
    clock.now = GONE
    assert ada.raw("GET", path, **seen).content["present"]["second"] is False  # type: ignore[index]


def seconds_in(script: str, name: str) -> float:
    """Return a constant of a script of the page, which is in milliseconds."""
    text = (STATIC / script).read_text("utf-8")
    found = re.search(rf"const {name} = ([0-9_]+);", text)
    assert found is not None
    return int(found[1]) / 1000


def test_people_stay_present_between_two_requests() -> None:
    assert max(MAX_LOOK_SECONDS, seconds_in("news.js", "HIDDEN_PAUSE")) < HERE_SECONDS


def test_a_page_waits_longer_than_the_server_holds_its_request() -> None:
    assert seconds_in("transport.js", "PATIENCE") > WAIT_SECONDS + MAX_LOOK_SECONDS


def test_those_not_seen_for_longest_are_forgotten(
    ada: Guest, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(presence, "MAX_SEATS", 2)
    seen = Presence(clock)
    stored = ada.site.store.load(ada.game)
    stored = evolve(stored, token_hashes=dict.fromkeys(pdd.Seat, "hash"))
    seen.note(stored.id, frozenset(pdd.Seat))
    seen.note(stored.id, frozenset([pdd.Seat.FIRST]))
    seen.note("another", frozenset([pdd.Seat.FIRST]))
    assert seen.of(stored) == {pdd.Seat.FIRST: True, pdd.Seat.SECOND: False}


def test_presence_is_not_written(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(seat="first")
    [file] = tmp_path.glob("*.pdd")
    before = file.stat().st_mtime_ns
    for _ in range(3):
        guest.get()
    assert file.stat().st_mtime_ns == before


# Names


def names(guest: Guest) -> list[str]:
    return [player["name"] for player in guest.get()["players"]]


def test_people_change_their_names_at_any_time(ada: Guest) -> None:
    bo = sit_down(ada)
    version = ada.get()["version"]
    stamp = ada.get()["people_stamp"]
    shown = bo.post("name", name=" Bo ")
    assert [player["name"] for player in shown["players"]] == ["Ada", "Bo"]
    # The version stays: Ada's next action is not refused.
    assert shown["version"] == version
    assert shown["people_stamp"] != stamp
    ada.post("actions", version=version, action="a1,b1")
    bo.post("resignation", version=version + 1)
    ada.post("name", name="A" * 50)
    assert names(bo) == ["A" * 40, "Bo"]
    assert bo.record().tags == {"First": "A" * 40, "Second": "Bo"}
    ada.post("name", name=" ")
    assert names(bo) == ["player 1", "Bo"]


INVISIBLE = ["\u202e", "\ufeff", "\u200b\u200d", "\u0301", "\u3164", "\u2800 \u00ad"]


@pytest.mark.parametrize("name", INVISIBLE, ids=ascii)
def test_a_name_has_a_character_that_can_be_seen(ada: Guest, name: str) -> None:
    assert ada.post("name", 400, name=name)["code"] == "invisible-name"
    assert ada.looking_on().post("seats", 400, seat="second", name=name)["code"] == "invisible-name"
    assert Guest().begin(400, rules="original", name=name)["code"] == "invisible-name"
    assert names(ada) == ["Ada", "player 2"]
    for visible in ("e" + name, "\u05d0", "\u2764\ufe0f", "!", "\U0001f600"):
        ada.post("name", name=visible)
        assert names(ada)[0] == visible.strip()


def test_a_new_name_is_a_small_change(ada: Guest) -> None:
    ada.play("a1,b1")
    answer: Any = ada.raw("POST", f"/games/{ada.game}/name", b'{"name": "Augusta"}').content
    assert (answer["base"], answer["version"], answer["plies"]) == (2, 2, [])
    assert "frame" not in answer


def test_only_people_at_their_seats_change_names(ada: Guest) -> None:
    assert ada.looking_on().post("name", 403, name="Eve")["code"] == "no-seat"
    assert ada.post("name", 403, name="Eve", seat="second")["code"] == "not-your-seat"
    assert ada.post("name", 400)["code"] == "bad-field"
    assert names(ada) == ["Ada", "player 2"]
    both = Guest().seated()
    both.post("name", seat="first", name="Ada")
    both.post("name", seat="second", name="Bo")
    assert names(both) == ["Ada", "Bo"]


def test_names_are_kept_in_the_folder(tmp_path: Path) -> None:
    guest = Guest(Site(FolderStore(tmp_path), fixed_seed)).seated(seat="first", name="Ada")
    guest.post("name", name="Augusta")
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), guest.game, guest.token)
    assert names(again) == ["Augusta", "player 2"]
    assert again.get()["names"] == {"first": "Augusta", "second": None}


def test_a_name_that_is_changed_during_an_action_stays(ada: Guest) -> None:
    old = ada.site.store.load(ada.game)
    ada.post("name", name="Augusta")
    ada.site.store_change(old, old.game.play("a1,b1"))
    assert ada.record().tags["First"] == "Augusta"
    old = ada.site.store.load(ada.game)
    ada.post("name", name="")
    ada.site.store_change(old, old.game.play("white"))
    assert "First" not in ada.record().tags
