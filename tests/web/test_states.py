"""Offers, rematches, clocks and analyses end with the state of the game that they belong to."""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Event
from typing import Any, cast

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.base.folder_lock import LOCK_FILE
from pontedeldiavolo.web import clocks, thinkers
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.requests import SiteError
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore, Store, StoredGame, hash_token
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import SMALL, Guest, fixed_seed, new_site
from support.paths import ROOT, SOURCE
from support.processes import PATIENCE, run_python
from support.waiting import SettableClock

PATHS = (str(SOURCE), str(ROOT / "tests"))

CHANGES: dict[str, Callable[[Guest, Guest, int], Any]] = {
    "an action": lambda one, _, version: one.post("actions", version=version, action="red"),
    "undo": lambda _, two, version: two.post("undo", version=version),
    "a resignation": lambda one, _, version: one.post("resignation", version=version),
}
"""Requests of a person that change the game; the second person has played the last action."""


def two_people(site: Site | None = None, **fields: object) -> tuple[Guest, Guest]:
    """Return two people in a new game. Its clocks stand still unless the site is given."""
    standing = Site(MemoryStore(), fixed_seed, now=SettableClock())
    first = Guest(site or standing).seated(seat="first", **fields)
    return first, first.at(first.looking_on().post("seats", 201, seat="second"))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("offers", [0, 1])
def test_an_offer_ends_with_its_position(change: str, offers: int) -> None:
    first, second = two_people()
    first.play("a1,b1")
    people = (second, first)
    shown = people[offers].post("draw", version=2)
    assert shown["draw_offer"] == ("second", "first")[offers]
    shown = CHANGES[change](*people, shown["version"])
    assert first.get()["draw_offer"] is second.get()["draw_offer"] is None
    accepts = people[1 - offers]
    if shown["ending"] is not None:
        assert accepts.post("draw", 409, version=shown["version"])["code"] == "game-ended"
    else:
        # This is a new offer: the old one cannot be accepted.
        answer = accepts.post("draw", version=shown["version"])
        assert (answer["ending"], answer["draw_offer"]) == (None, ("first", "second")[offers])


def test_a_level_without_a_search_declines_a_draw() -> None:
    guest = Guest().seated(opponent="level-1", seat="first")
    shown = guest.post("draw", version=1)
    assert (shown["version"], shown["ending"], shown["draw_offer"]) == (2, None, None)
    assert shown["declined"] == {"what": "draw", "seat": "second"}
    shown = guest.post("actions", version=2, action="a1,b1")
    assert shown["declined"] is None


class Judge:
    """A player that always expects the same for the player to move."""

    def __init__(self, value: float) -> None:
        self.value = value

    def for_game(self, _seed: int) -> Judge:
        return self

    def analyse(self, _state: pdd.GameState) -> Judge:
        return self


@pytest.mark.parametrize(
    ("value", "is_ready", "accepts"),
    [(0.9, True, True), (0.2, True, False), (-0.9, True, False), (0.9, False, False)],
)
def test_a_level_with_a_search_accepts_a_draw_when_it_would_lose(
    value: float,
    is_ready: bool,  # noqa: FBT001 - a parameter of the test
    accepts: bool,  # noqa: FBT001 - a parameter of the test
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", lambda _name: Judge(value))
    monkeypatch.setattr(Thinkers, "is_ready", is_ready)
    site = Site(MemoryStore(), fixed_seed, thinkers=Thinkers(0))
    game = StoredGame(
        "0" * 32,
        1,
        pdd.Game.new(),
        token_hashes={pdd.Seat.FIRST: hash_token("secret")},
        levels={pdd.Seat.SECOND: "level-5"},
    )
    site.store.create(game)
    shown = Guest(site, game.id, "secret").post("draw", version=1)
    assert (shown["ending"] == "agreement", shown["declined"] is None) == (accepts, accepts)


def test_the_computer_is_asked_once_for_a_draw_and_only_on_the_turn_of_the_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    searched: list[int] = []

    def judge(_name: str) -> Judge:
        searched.append(1)
        return Judge(0.9 if len(searched) > 1 else 0.0)

    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", judge)
    monkeypatch.setattr(Thinkers, "is_ready", True)
    site = Site(MemoryStore(), fixed_seed, thinkers=Thinkers(0))
    seats = {pdd.Seat.FIRST: hash_token("secret")}
    levels = {pdd.Seat.SECOND: "level-5"}
    site.store.create(StoredGame("0" * 32, 1, pdd.Game.new(), token_hashes=seats, levels=levels))
    guest = Guest(site, "0" * 32, "secret")
    declined = {"what": "draw", "seat": "second"}
    for version in (1, 2, 2):
        shown = guest.post("draw", version=version)
        assert (shown["version"], shown["declined"]) == (2, declined)
    assert len(searched) == 1
    guest.post("actions", version=2, action="a1,b1")
    # Now the computer thinks, and it is not asked.
    assert guest.post("draw", 403, version=3)["code"] == "not-your-turn"
    assert len(searched) == 1


def test_a_draw_is_declined(tmp_path: Path) -> None:
    first, second = two_people(Site(FolderStore(tmp_path), fixed_seed))
    assert second.post("draw", 409, version=1, answer="decline")["code"] == "nothing-offered"
    first.post("draw", version=1)
    assert first.post("draw", 409, version=2, answer="decline")["code"] == "nothing-offered"
    assert first.post("draw", 400, version=2, answer="perhaps")["code"] == "bad-choice"
    second.post("draw", version=2, answer="decline")
    for guest in (first, second, Guest(Site(FolderStore(tmp_path), fixed_seed), first.game)):
        shown = guest.get()
        assert (shown["ending"], shown["draw_offer"]) == (None, None)
        assert shown["declined"] == {"what": "draw", "seat": "second"}
    assert second.post("draw", version=3)["declined"] is None
    assert first.post("draw", version=4)["ending"] == "agreement"


def test_an_offer_in_place_of_an_answer_declines() -> None:
    first, second = two_people()
    first.play("a1,b1")
    second.play("white")
    second.post("draw", version=3)
    shown = first.post("undo", version=4, answer="ask")
    assert (shown["draw_offer"], shown["undo_request"]) == (None, "first")
    assert shown["declined"] == {"what": "draw", "seat": "first"}
    shown = second.post("undo", version=5, answer="ask")
    assert (shown["draw_offer"], shown["undo_request"]) == (None, "second")
    assert shown["declined"] == {"what": "undo", "seat": "second"}
    shown = first.post("draw", version=6)
    assert (shown["draw_offer"], shown["undo_request"]) == ("first", None)
    assert shown["declined"] == {"what": "undo", "seat": "first"}


def test_two_people_agree_to_undo(tmp_path: Path) -> None:
    first, second = two_people(Site(FolderStore(tmp_path), fixed_seed), time_control="60+5")
    assert not first.get()["can_request_undo"]
    assert first.post("undo", 409, version=1, answer="ask")["code"] == "nothing-to-undo"
    first.play("a1,b1")
    second.play("red")
    assert (first.get()["can_undo"], first.get()["can_request_undo"]) == (False, True)
    shown = first.post("undo", version=3, answer="ask")
    assert (shown["version"], shown["undo_request"]) == (4, "first")
    # Asking twice changes nothing, and nobody can allow their own request.
    assert first.post("undo", version=4, answer="ask")["version"] == 4
    assert first.post("undo", 409, version=4, answer="accept")["code"] == "nothing-offered"
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
    assert again.get()["undo_request"] == "first"
    shown = again.post("undo", version=4, answer="accept")
    assert (shown["version"], shown["snapshot"]["phase"], shown["undo_request"]) == (
        5,
        "opening",
        None,
    )
    # The clocks show what they showed before.
    assert shown["seconds_left"] == {"first": 60.0, "second": 60.0}


def test_a_player_gives_the_other_one_time(tmp_path: Path) -> None:
    now = SettableClock()
    site = Site(FolderStore(tmp_path), fixed_seed, now=now)
    first, second = two_people(site, time_control="60+5")
    first.play("a1,b1")
    shown = first.get()
    assert shown["can_give_time"]
    now.now = 10.0
    shown = first.post("time", version=2)
    assert (shown["version"], shown["seconds_left"]) == (2, {"first": 65.0, "second": 65.0})
    shown = first.post("time", version=2)
    assert shown["seconds_left"]["second"] == 80.0
    assert shown["given_seconds"] == {"second": 30}
    # The time runs on, and a new process knows what was given.
    now.now = 15.0
    assert second.get()["seconds_left"]["second"] == 75.0
    assert (
        Guest(Site(FolderStore(tmp_path), fixed_seed), first.game).get()["seconds_left"]["second"]
        > 79
    )
    # The version is the one that the receiver has seen before.
    second.post("actions", version=2, action="red")
    now.now = 16.0
    # It was counted once.
    assert second.get()["seconds_left"] == {"first": 65.0, "second": 80.0 - 1.0}
    assert second.get()["given_seconds"] == {}
    second.post("resignation", version=3)
    assert second.post("time", 409, version=4)["code"] == "game-ended"


def test_an_undo_does_not_tell_an_old_gift_again(tmp_path: Path) -> None:
    now = SettableClock()
    site = Site(FolderStore(tmp_path), fixed_seed, now=now)
    first, second = two_people(site, time_control="60+5")
    first.play("a1,b1")
    first.post("time", version=2)
    second.play("red")
    asked = second.post("undo", version=3, answer="ask")
    undone = first.post("undo", version=asked["version"], answer="accept")
    reopened = Site(FolderStore(tmp_path), fixed_seed, now=now)
    for view in (undone, Guest(reopened, first.game, first.token).get()):
        assert view["seconds_left"]["second"] == 75.0
        assert view["given_seconds"] == {}
    first.post("time", version=undone["version"])
    assert first.get()["given_seconds"] == {"second": 15}
    second.play("white")
    assert first.get()["given_seconds"] == {}
    assert first.get()["seconds_left"]["second"] == 95.0


def test_an_undo_gives_the_time_back_that_was_given(tmp_path: Path) -> None:
    now = SettableClock()
    site = Site(FolderStore(tmp_path), fixed_seed, now=now)
    first, second = two_people(site, time_control="60+5")
    first.play("a1,b1")
    second.play("white")
    second.post("time", version=3)
    second.post("time", version=3)
    before = first.get()["seconds_left"]
    assert before == {"first": 95.0, "second": 65.0}
    # Twice: the time is given back each time, and never more than was given.
    for version in (3, 6):
        assert first.get()["seconds_left"] == before
        now.now += 10.0
        first.post("actions", version=version, action="c3,e5")
        assert first.get()["seconds_left"] == {"first": 90.0, "second": 65.0}
        first.post("undo", version=version + 1, answer="ask")
        again = Guest(Site(FolderStore(tmp_path), fixed_seed, now=now), second.game, second.token)
        shown = again.post("undo", version=version + 2, answer="accept")
        assert shown["seconds_left"] == before
    # Also where the other player has moved since then.
    first.post("actions", version=9, action="c3,e5")
    second.post("actions", version=10, action="c5,e3")
    first.post("undo", version=11, answer="ask")
    assert second.post("undo", version=12, answer="accept")["seconds_left"] == before


def test_a_gift_of_time_is_news_and_no_new_version() -> None:
    first, second = two_people(time_control="60+5")
    shown = second.get()
    path = f"/games/{second.game}"
    seen = {"after": "1", "seats_taken": "2", "people_stamp": shown["people_stamp"]}
    assert second.raw("GET", path, **seen).status == 204
    first.post("time", version=1)
    news = cast(dict[str, Any], second.raw("GET", path, **seen).content)
    assert (news["version"], news["base"], news["plies"]) == (1, 1, [])
    assert news["seconds_left"] == {"first": 60.0, "second": 75.0}
    seen["people_stamp"] = news["people_stamp"]
    assert second.raw("GET", path, **seen).status == 204
    # A gift for a version that is over is refused.
    first.play("a1,b1")
    assert second.post("time", 409, version=1)["code"] == "outdated"


def test_time_that_is_given_during_an_action_is_kept() -> None:
    first, second = two_people(time_control="60+5")
    store = first.site.store
    old = store.load(first.game)
    second.post("time", version=1)
    first.post("time", version=1)
    first.site.store_change(old, old.game.play("a1,b1", clock=65.0))
    # The reading of the first clock was made without the gift, so it is added.
    assert first.get()["seconds_left"] == {"first": 80.0, "second": 75.0}


def test_the_bound_of_given_time_holds_for_gifts_at_once() -> None:
    first, second = two_people(time_control="60+5")
    store = first.site.store
    old = store.load(first.game)
    own = old.seats_of(first.token)
    while store.load(first.game).can_give_time(own):
        store.give_time(old, own)
    with pytest.raises(SiteError, match="no clock"):
        store.give_time(old, own)
    assert second.get()["seconds_left"] == {"first": 60.0, "second": 3660.0}


@pytest.mark.parametrize(
    ("fields", "seats"),
    [({}, 2), ({"time_control": "60+5"}, 1), ({"time_control": "60+5", "seat": "both"}, 2)],
)
def test_nobody_gives_time_to_a_game_without_a_clock_or_an_opponent(
    fields: dict[str, object], seats: int
) -> None:
    guest = Guest().seated(**{"seat": "first", **fields})
    if seats > 1 and fields.get("seat") != "both":
        guest.looking_on().post("seats", 201, seat="second")
    assert not guest.get()["can_give_time"]
    assert guest.post("time", 409, version=1)["code"] == "no-clock"


def test_the_time_that_is_given_is_bounded() -> None:
    first, _second = two_people(time_control="60+5")
    while first.get()["can_give_time"]:
        first.post("time", version=1)
    assert first.get()["seconds_left"] == {"first": 60.0, "second": 3660.0}
    assert first.post("time", 409, version=1)["code"] == "no-clock"


def test_an_offer_stays_when_time_is_given() -> None:
    first, second = two_people(time_control="60+5")
    second.post("draw", version=1)
    assert first.post("time", version=2)["draw_offer"] == "second"
    declined = first.post("draw", version=2, answer="decline")["declined"]
    assert first.post("time", version=3)["declined"] == declined
    first.post("draw", version=3)
    first.post("time", version=4)
    assert second.post("draw", version=4)["ending"] == "agreement"


OFFERS: dict[str, tuple[str, dict[str, Any]]] = {
    "an offer of a draw": ("draw", {}),
    "a request to undo": ("undo", {"answer": "ask"}),
}
OF_A_TURN: dict[str, tuple[str, dict[str, Any]]] = {
    "an action": ("actions", {"action": "red"}),
    "a resignation": ("resignation", {}),
    "a gift of time": ("time", {}),
}
"""Requests of the player who is to move, which depend on the actions of the game only."""


@pytest.mark.parametrize("sent", OF_A_TURN)
@pytest.mark.parametrize("offer", OFFERS)
def test_an_offer_that_a_player_has_not_seen_refuses_no_action(offer: str, sent: str) -> None:
    now = SettableClock()
    first, second = two_people(Site(MemoryStore(), fixed_seed, now=now), time_control="60+5")
    first.play("a1,b1")
    seen = second.get()["version"]
    now.now = 10.0
    path, fields = OFFERS[offer]
    first.post(path, version=seen, **fields)
    now.now = 25.0
    path, fields = OF_A_TURN[sent]
    change = second.raw_post(path, {"version": seen, **fields})
    # The page gets the changes of the version that it has.
    assert (change["base"], change["version"]) == (seen, seen + 2 - (path == "time"))
    shown = second.get()
    assert shown["seconds_left"]["second"] == (40.0 if path == "actions" else 35.0)
    # As an action ends an offer, so does a resignation; a gift does not.
    is_offered = {shown["draw_offer"], shown["undo_request"]} == {"first", None}
    assert is_offered is (path == "time")


@pytest.mark.parametrize("sent", OF_A_TURN)
def test_an_offer_while_an_action_is_played_refuses_nothing(
    monkeypatch: pytest.MonkeyPatch, sent: str
) -> None:
    first, second = two_people(time_control="60+5")
    first.play("a1,b1")
    seats_of = StoredGame.seats_of

    def offer_first(stored: StoredGame, token: str) -> frozenset[pdd.Seat]:
        monkeypatch.setattr(StoredGame, "seats_of", seats_of)
        first.post("draw", version=2)
        return stored.seats_of(token)

    monkeypatch.setattr(StoredGame, "seats_of", offer_first)
    path, fields = OF_A_TURN[sent]
    second.post(path, version=2, **fields)


def test_an_undo_does_not_depend_on_offers() -> None:
    first, second = two_people()
    first.play("a1,b1")
    second.post("draw", version=2)
    assert first.post("undo", version=2)["snapshot"]["last"] is None


def test_answers_to_offers_need_the_version_that_has_them() -> None:
    """Somebody who has not seen an offer does not answer it unknowingly."""
    first, second = two_people()
    first.play("a1,b1")
    first.post("draw", version=2)
    for path, fields in OFFERS.values():
        assert second.post(path, 409, version=2, **fields)["code"] == "outdated"
    assert second.get()["draw_offer"] == "first"


@pytest.mark.parametrize("change", CHANGES)
def test_an_action_for_other_actions_is_refused(change: str) -> None:
    first, second = two_people()
    first.play("a1,b1")
    seen = CHANGES[change](second, first, 2)["version"]
    for path, fields in OF_A_TURN.values():
        refused = second.post(path, 409, version=seen - 1, **fields)
        assert refused["code"] == "outdated"


def test_a_request_to_undo_ends_with_the_next_action() -> None:
    first, second = two_people()
    first.play("a1,b1")
    second.play("white")
    second.post("undo", version=3, answer="ask")
    shown = first.post("actions", version=4, action="c3,e5")
    assert shown["undo_request"] is None
    assert first.post("undo", 409, version=5, answer="accept")["code"] == "nothing-offered"


def test_a_request_to_undo_is_declined() -> None:
    first, second, version = asking("undo")
    assert second.get()["undo_request"] == "first"
    shown = second.post("undo", version=version, answer="decline")
    assert (shown["undo_request"], shown["snapshot"]["turn"]) == (None, 1)
    assert first.get()["declined"] == {"what": "undo", "seat": "second"}


@pytest.mark.parametrize("fields", [{}, {"opponent": "level-1", "seat": "first"}])
def test_nobody_asks_themselves_or_the_computer_to_undo(fields: dict[str, object]) -> None:
    guest = Guest().seated(**fields)
    shown = guest.play("a1,b1")
    assert not shown["can_request_undo"]
    refused = guest.post("undo", 409, version=shown["version"], answer="ask")
    assert refused["code"] == "nothing-to-undo"


def test_a_rematch_begins_when_both_people_want_it(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    shown = first.post("rematch", version=2)
    assert (shown["version"], shown["rematch_request"], shown["rematch_id"]) == (3, "first", None)
    # Asking twice changes nothing, and another process knows who has asked.
    assert first.post("rematch", version=3)["version"] == 3
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
    assert again.get()["rematch_request"] == "first"
    assert len([*tmp_path.glob("*.pdd")]) == 1
    name = again.post("rematch", 201, version=3)["id"]
    shown = first.get()
    assert (shown["rematch_request"], shown["rematch_id"]) == (None, name)
    assert Guest(first.site, name, first.token).get()["yours"] == ["second"]


def test_two_people_who_ask_for_a_rematch_at_the_same_time_agree() -> None:
    first, second = ended(new_site())
    first.post("rematch", version=2)
    # The second one has not seen the request of the first one yet.
    assert second.post("rematch", 201, version=2)["id"] == first.get()["rematch_id"]


def test_nobody_is_sent_to_a_rematch_that_was_declined(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    refused = second.post("rematch", 409, version=2, answer="decline")
    assert refused["code"] == "nothing-offered"
    first.post("rematch", version=2)
    shown = second.post("rematch", version=3, answer="decline")
    assert (shown["version"], shown["declined"]) == (4, {"what": "rematch", "seat": "second"})
    for guest in (first, second, first.looking_on()):
        shown = guest.get()
        assert (shown["rematch_id"], shown["rematch_request"]) == (None, None)
        assert shown["declined"] == {"what": "rematch", "seat": "second"}
    assert len([*tmp_path.glob("*.pdd")]) == 1
    for guest in (first, second):
        again = guest.post("rematch", 409, version=4, answer="decline")
        assert again["code"] == "nothing-offered"


def test_nobody_answers_their_own_request_for_a_rematch() -> None:
    first, second = ended(new_site())
    first.post("rematch", version=2)
    for guest, answer in ((first, "decline"), (second, "withdraw")):
        refused = guest.post("rematch", 409, version=3, answer=answer)
        assert refused["code"] == "nothing-offered"
    alone = Guest().seated()
    alone.post("resignation", version=1, seat="first")
    alone.post("rematch", 201, version=2)
    for answer in ("decline", "withdraw"):
        refused = alone.post("rematch", 409, version=3, answer=answer)
        assert refused["code"] == "nothing-offered"


def test_a_rematch_that_has_begun_is_not_declined() -> None:
    first, second = ended(new_site())
    begin_rematch(first, second)
    for guest, answer in ((first, "withdraw"), (second, "decline")):
        refused = guest.post("rematch", 409, version=4, answer=answer)
        assert refused["code"] == "nothing-offered"


ASKED: dict[str, tuple[str, dict[str, Any]]] = {
    "draw": ("draw", {}),
    "undo": ("undo", {"answer": "ask"}),
    "rematch": ("rematch", {}),
}
"""The requests that ask the other player for something."""


def asking(what: str, site: Site | None = None) -> tuple[Guest, Guest, int]:
    """Return two people of whom the first one has asked for something, and the version."""
    first, second = two_people(site)
    first.play("a1,b1")
    second.play("white")
    if what == "rematch":
        second.post("resignation", version=3)
    path, fields = ASKED[what]
    version = first.get()["version"]
    shown = first.post(path, version=version, **fields)
    assert shown[{"draw": "draw_offer"}.get(what, f"{what}_request")] == "first"
    return first, second, version + 1


@pytest.mark.parametrize("what", ASKED)
def test_a_request_is_withdrawn(what: str) -> None:
    first, second, version = asking(what)
    path, _ = ASKED[what]
    field = {"draw": "draw_offer"}.get(what, f"{what}_request")
    shown = first.post(path, version=version, answer="withdraw")
    assert (shown["version"], shown[field], shown["declined"]) == (version + 1, None, None)
    # There is nothing left to answer.
    for guest, answer in ((first, "withdraw"), (second, "decline")):
        refused = guest.post(path, 409, version=version + 1, answer=answer)
        assert refused["code"] == "nothing-offered"


@pytest.mark.parametrize("answer", ["decline", "withdraw"])
@pytest.mark.parametrize("what", ASKED)
def test_nobody_asks_again_and_again(what: str, answer: str, tmp_path: Path) -> None:
    """After a decline or a withdrawal, a player may ask again only after the next turn."""
    first, second, version = asking(what, Site(FolderStore(tmp_path), fixed_seed))
    path, fields = ASKED[what]
    (second if answer == "decline" else first).post(path, version=version, answer=answer)
    # Another process knows it, too.
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), first.game, first.token)
    for guest in (first, again):
        assert guest.get()["asked_already"] == [what]
        refused = guest.post(path, 409, version=version + 1, **fields)
        assert refused["code"] == f"{'rematch-' * (what == 'rematch')}asked-already"
    # It holds for the one who has asked, not for the other one.
    assert second.get()["asked_already"] == first.looking_on().get()["asked_already"] == []
    if what == "rematch":
        second.post(path, version=version + 1)
        first.post(path, 201, version=version + 2)
        return
    second.post(path, version=version + 1, **fields)
    second.post(path, version=version + 2, answer="withdraw")
    shown = first.play("c3,e5")
    assert shown["asked_already"] == []
    first.post(path, version=shown["version"], **fields)
    assert second.get()["asked_already"] == [what]


def test_a_request_that_nobody_answers_may_be_made_again() -> None:
    first, second, _version = asking("undo")
    first.play("c3,e5")
    second.play("a3,b3")
    version = second.get()["version"]
    first.post("undo", version=version, answer="ask")
    assert second.post("undo", version=version + 1, answer="accept")["undo_request"] is None
    assert first.get()["asked_already"] == []


def test_one_request_in_place_of_another_counts_as_withdrawn() -> None:
    """Nobody evades the limit by asking for two things in turn."""
    first, _second, version = asking("draw")
    shown = first.post("undo", version=version, answer="ask")
    # Nobody declines their own offer.
    assert (shown["draw_offer"], shown["undo_request"]) == (None, "first")
    assert shown["declined"] is None
    refused = first.post("draw", 409, version=version + 1)
    assert refused["code"] == "asked-already"


@pytest.mark.parametrize("opponent", ["none", "level-1"])
@pytest.mark.parametrize("seat", ["first", "second"])
def test_the_rematch_of_a_game_that_goes_on_is_removed(
    opponent: str, seat: str, tmp_path: Path
) -> None:
    site = Site(FolderStore(tmp_path), fixed_seed)
    fields = {} if opponent == "none" else {"opponent": opponent, "seat": seat}
    guest = Guest(site).seated(**fields)
    shown = guest.get()
    version = guest.post("resignation", version=shown["version"], seat=seat)["version"]
    name = guest.post("rematch", 201, version=version)["id"]
    assert (tmp_path / f"{name}.pdd").exists()
    shown = guest.post("undo", version=version + 1)
    assert (shown["rematch_id"], shown["ending"]) == (None, None)
    assert not (tmp_path / f"{name}.pdd").exists()
    assert Guest(site, name, guest.token).get(status=404)["code"] == "no-such-game"


def test_a_rematch_in_which_somebody_has_acted_stays(tmp_path: Path) -> None:
    site = Site(FolderStore(tmp_path), fixed_seed)
    guest = Guest(site).seated()
    guest.post("resignation", version=1, seat="first")
    name = guest.post("rematch", 201, version=2)["id"]
    Guest(site, name, guest.token).play("a1,b1")
    guest.post("undo", version=3)
    assert Guest(site, name, guest.token).get()["version"] == 2


def test_damaged_offers_are_refused(tmp_path: Path) -> None:
    site = Site(FolderStore(tmp_path), fixed_seed)
    first, _second = two_people(site)
    file = tmp_path / f"{first.game}.pdd"
    text = file.read_text("utf-8")
    tags = (
        *('ServeDeclined "draw third"', 'ServeDeclined "tea first"', 'ServeUndoRequest "x"'),
        *('ServeFirstAsked "tea"', 'ServeFirstAsked "draw  undo"', 'ServeRematchRequest "first"'),
    )
    # A reading of the clock after a move that was never made.
    extra = (
        *('ServeExtraInReadings "0:15"', 'ServeExtraInReadings "15"'),
        *('ServeFirstReturned "15"', 'ServeFirstReturned "x"'),
    )
    for tag in tags + extra:
        file.write_text(f"[{tag}]\n{text}", "utf-8")
        assert first.get(status=500)["code"] == "game-damaged"
    # Nothing has been played that could be undone.
    file.write_text(f'[ServeUndoRequest "first"]\n{text}', "utf-8")
    assert first.get(status=500)["code"] == "game-damaged"


def ended(site: Site) -> tuple[Guest, Guest]:
    first, second = two_people(site)
    first.post("resignation", version=1)
    return first, second


def begin_rematch(asking: Guest, other: Guest) -> str:
    """Let one person ask for a rematch, and the other one accept; return its ID."""
    version = asking.post("rematch", version=asking.get()["version"])["version"]
    name: str = other.post("rematch", 201, version=version)["id"]
    return name


def test_rematches_at_once_are_one_game(tmp_path: Path) -> None:
    """Simultaneous requests for a rematch come to several servers with one folder."""
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    first.post("rematch", version=2)
    sites = [Site(FolderStore(tmp_path), fixed_seed) for _ in range(4)]
    guests = [Guest(site, first.game, second.token) for site in sites]
    barrier = Barrier(len(guests))

    def ask(guest: Guest) -> Any:
        barrier.wait(PATIENCE)
        return guest.post("rematch", 201, version=3)["id"]

    with ThreadPoolExecutor(len(guests)) as threads:
        [name] = {*threads.map(ask, guests)}
    assert {path.stem for path in tmp_path.glob("*.pdd")} == {first.game, name}
    assert first.get()["rematch_id"] == second.get()["rematch_id"] == name


@pytest.mark.parametrize("fails", [1, 2, 3])
def test_a_rematch_that_cannot_be_stored_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """The disk is full at one write: the claim, the rematch, or the release of the claim."""
    store = FolderStore(tmp_path)
    first, second = ended(Site(store, fixed_seed))
    first.post("rematch", version=2)
    writes = 0
    sync = os.fsync

    def full(descriptor: int) -> None:
        nonlocal writes
        writes += 1
        # The folder is synchronised after each file.
        if (fails <= 2 and writes >= 2 * fails - 1) or (fails == 3 and writes == 3):
            raise OSError(28, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    assert second.post("rematch", 503, version=3)["code"] == "store-unwritable"
    monkeypatch.undo()
    shown = second.get()
    assert shown["rematch_id"] is None
    assert len([*tmp_path.glob("*.pdd")]) == 1
    # This also holds after a restart.
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
    name = again.post("rematch", 201, version=shown["version"])["id"]
    assert {path.stem for path in tmp_path.glob("*.pdd")} == {first.game, name}


def test_a_rematch_that_is_just_being_stored_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other player asks when the rematch is claimed but not yet stored."""
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    other = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
    second.post("rematch", version=2)
    claimed = Event()
    stored = Event()
    write = FolderStore._write

    def slow(store: FolderStore, game: StoredGame) -> StoredGame:
        if game.id != first.game and store is first.site.store:
            claimed.set()
            stored.wait(PATIENCE)
        return write(store, game)

    monkeypatch.setattr(FolderStore, "_write", slow)
    with ThreadPoolExecutor(2) as threads:
        one = threads.submit(first.post, "rematch", 201, version=3)
        assert claimed.wait(PATIENCE)
        two = threads.submit(other.post, "rematch", 201, version=3)
        time.sleep(0.05)
        stored.set()
        assert one.result() == two.result()


def test_a_rematch_that_was_deleted_can_begin_again(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    name = begin_rematch(first, second)
    (tmp_path / f"{name}.pdd").unlink()
    shown = second.get()
    assert shown["rematch_id"] is None
    assert second.post("rematch", 201, version=shown["version"])["id"] != name


def test_a_game_that_goes_on_has_no_rematch() -> None:
    guest = Guest().seated(seat="first", opponent="level-1")
    guest.post("resignation", version=1)
    name = guest.post("rematch", 201, version=2)["id"]
    assert guest.get()["rematch_id"] == name
    assert guest.post("undo", version=3)["rematch_id"] is None
    guest.post("resignation", version=4)
    assert guest.post("rematch", 201, version=5)["id"] != name


KEY = "k" * 32


def test_a_repeated_request_begins_no_second_game(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    fields: dict[str, Any] = {"rules": SMALL, "seat": "first", "key": KEY}
    begun = Guest(Site(store)).begin(**fields)
    again = Guest(Site(FolderStore(tmp_path))).begin(**fields)
    assert again == begun
    assert begun["token"] == KEY
    assert Guest(Site(store)).begin(**{**fields, "key": "l" * 32})["id"] != begun["id"]
    assert len([*tmp_path.glob("*.pdd")]) == 2
    for key in ("", "k" * 31, "k" * 65, "ä" * 32, 7, None):
        assert Guest(Site(store)).begin(400, **{**fields, "key": key})["code"] == "bad-field"


def test_a_repeated_request_for_a_seat_is_granted_again() -> None:
    first = Guest().seated(seat="first")
    stranger = first.looking_on()
    taken = stranger.post("seats", 201, seat="second", key=KEY)
    assert stranger.post("seats", 201, seat="second", key=KEY) == taken
    assert taken["token"] == KEY
    assert stranger.post("seats", 409, seat="second", key="l" * 32)["code"] == "seat-taken"
    assert first.post("seats", 409, seat="second")["code"] == "seat-taken"


def test_an_analysis_ends_with_its_position() -> None:
    guest = Guest().seated()
    guest.play("a1,b1", "red")
    for ply in (None, 0, 1, 2):
        guest.site.analyses[guest.game] = thinkers.AnalysisJob(
            guest.record(), ply, pdd.messages.LANGUAGES["en"]
        )
        assert guest.raw("GET", f"/games/{guest.game}/analysis").status == 204
    whole = thinkers.AnalysisJob(guest.record(), None, pdd.messages.LANGUAGES["en"])
    guest.post("undo", version=3)
    # The position after two actions and the whole game are deleted.
    for job in (guest.site.analyses[guest.game], whole):
        guest.site.analyses[guest.game] = job
        assert guest.get("/analysis", 409)["code"] == "analysis-outdated"
        assert job.is_stopped
    job = thinkers.AnalysisJob(guest.record(), 1, pdd.messages.LANGUAGES["en"])
    guest.site.analyses[guest.game] = job
    guest.play("white")
    assert guest.raw("GET", f"/games/{guest.game}/analysis").status == 204


# Clocks


@pytest.fixture
def times() -> SettableClock:
    return SettableClock()


def clocked(store: Store, times: SettableClock) -> Site:
    return Site(store, fixed_seed, now=times)


def left(guest: Guest) -> float:
    seconds: float = guest.get()["seconds_left"]["second"]
    return seconds


JUMPS = """
import time

wall, jump = time.time, 0.0
time.time = lambda: wall() + jump

from pathlib import Path
from pontedeldiavolo.base.folder_lock import LOCK_FILE
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from support.http_client import Guest

folder = Path({!r})
guest = Guest(Site(FolderStore(folder))).seated(time_control="300+0")
guest.play("a1,b1")
for jump in (-3600.0, 86_400.0):
    before = guest.get()["seconds_left"]["second"]
    time.sleep(0.1)
    after = guest.get()["seconds_left"]["second"]
    assert before - 60 < after <= before - 0.1, (before, after)
    assert guest.get()["ending"] is None
    # After a restart the clock goes on.
    guest = Guest(Site(FolderStore(folder)), guest.game, guest.token)
    assert 200 < guest.get()["seconds_left"]["second"] <= 300
"""


@pytest.mark.slow
def test_clocks_do_not_follow_the_time_of_day(tmp_path: Path) -> None:
    """The time of day is set back by an hour, and forward by a day."""
    done = run_python(JUMPS.format(str(tmp_path)), PYTHONPATH=os.pathsep.join(PATHS))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_clock_goes_on_after_a_restart(tmp_path: Path, times: SettableClock) -> None:
    site = clocked(FolderStore(tmp_path), times)
    first, second = two_people(site, time_control="300+0")
    first.play("a1,b1")
    times.now += 40
    site.clocks.save_all()
    # The clock of another process, perhaps on another machine, starts at another number.
    later = SettableClock()
    later.now = 5.0
    again = Guest(clocked(FolderStore(tmp_path), later), second.game, second.token)
    later.now += 30
    assert left(again) == 230
    # Nobody has requested the game in the meantime; then somebody plays.
    later.now += 30
    assert again.play("red")["seconds_left"] == {"first": 300, "second": 200}


def test_the_seconds_of_a_turn_are_stored_while_somebody_looks(
    tmp_path: Path, times: SettableClock
) -> None:
    first, second = two_people(clocked(FolderStore(tmp_path), times), time_control="300+0")
    first.play("a1,b1")
    seen = first.get()["version"]
    [path] = tmp_path.glob("*.pdd")
    texts = {path.read_text("utf-8")}
    for _ in range(40):
        times.now += 1
        assert first.raw("GET", f"/games/{first.game}", after=str(seen)).status == 204
        texts.add(path.read_text("utf-8"))
    # Not every view stores the clock.
    assert len(texts) == 1 + 40 / clocks.SAVE_SECONDS
    # If the process is killed, at most ten seconds are lost.
    again = Guest(clocked(FolderStore(tmp_path), times), second.game, second.token)
    assert left(again) == 260


def test_a_turn_takes_no_more_time_than_there_is(tmp_path: Path, times: SettableClock) -> None:
    """Nobody has requested the game until the server ends; its file can still be read."""
    site = clocked(FolderStore(tmp_path), times)
    first, second = two_people(site, time_control="300+0")
    first.play("a1,b1")
    times.now += 10_000
    site.clocks.save_all()
    store = FolderStore(tmp_path)
    assert [*store.damaged()] == []
    shown = Guest(clocked(store, times), second.game, second.token).get()
    assert (shown["ending"], shown["seconds_left"]) == ("time", {"first": 300, "second": 0})


def test_a_clock_begins_when_a_turn_begins(tmp_path: Path, times: SettableClock) -> None:
    """The clock does not begin with a view, because a hidden page would gain time."""
    first, second = two_people(clocked(FolderStore(tmp_path), times), time_control="300+0")
    first.play("a1,b1")
    times.now += 100
    assert left(second) == 200


def test_an_offer_does_not_stop_the_clock(times: SettableClock) -> None:
    first, second = two_people(clocked(MemoryStore(), times), time_control="300+0")
    shown = first.play("a1,b1")
    times.now += 10
    shown = second.post("draw", version=shown["version"])
    assert shown["seconds_left"]["second"] == 290
    restarted = Guest(clocked(first.site.store, times), second.game, second.token)
    times.now += 10
    assert left(second) == left(restarted) == 280


def test_another_server_with_the_same_folder_takes_no_time_away(
    tmp_path: Path, times: SettableClock
) -> None:
    other = clocked(FolderStore(tmp_path), times)
    times.now += 3600
    first, second = two_people(clocked(FolderStore(tmp_path), times), time_control="300+0")
    first.play("a1,b1")
    assert left(Guest(other, second.game, second.token)) == 300


def test_a_store_that_cannot_keep_the_seconds_stops_no_game(
    monkeypatch: pytest.MonkeyPatch, times: SettableClock
) -> None:
    first, second = two_people(clocked(MemoryStore(), times), time_control="300+0")
    first.play("a1,b1")
    calls = 0

    def full(*_: object) -> None:
        nonlocal calls
        calls += 1
        raise SiteError("store-unwritable", 503)

    monkeypatch.setattr(MemoryStore, "save_seconds", full)
    for _ in range(30):
        times.now += 1
        second.get()
    assert (calls, left(second)) == (3, 270)


@contextmanager
def held_lock(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder, like another process that writes."""
    with closing(sqlite3.connect(folder / LOCK_FILE, isolation_level=None)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        yield


def test_the_end_of_a_server_waits_once_for_another_process(
    tmp_path: Path, times: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server waits once in all, not once for each running clock."""
    site = clocked(FolderStore(tmp_path, lock_seconds=0.01), times)
    for _ in range(10):
        first, _ = two_people(site, time_control="300+0")
        first.play("a1,b1")
    times.now += 40
    connect = sqlite3.connect
    waits = 0

    def counted(*values: Any, **options: Any) -> Any:
        nonlocal waits
        waits += 1
        return connect(*values, **options)

    with held_lock(tmp_path):
        monkeypatch.setattr(sqlite3, "connect", counted)
        site.clocks.save_all()
    assert waits == 1
    assert not any("ServeTurnTook" in tags for tags in games_of(tmp_path))
    site.clocks.save_all()
    assert [tags["ServeTurnTook"] for tags in games_of(tmp_path)] == ["40.000"] * 10


def test_a_view_does_not_wait_for_another_process(
    tmp_path: Path, times: SettableClock, caplog: pytest.LogCaptureFixture
) -> None:
    """The view is answered at once, and the clock is stored later."""
    site = clocked(FolderStore(tmp_path, lock_seconds=PATIENCE), times)
    first, second = two_people(site, time_control="300+0")
    first.play("a1,b1")
    times.now += 40
    with held_lock(tmp_path):
        began = time.monotonic()
        assert left(second) == 260
        assert time.monotonic() - began < PATIENCE / 2
    times.now += 40
    assert left(second) == 220
    assert [tags["ServeTurnTook"] for tags in games_of(tmp_path)] == ["80.000"]
    assert not caplog.records


def test_a_damaged_game_keeps_no_other_clock_from_being_stored(
    tmp_path: Path, times: SettableClock
) -> None:
    site = clocked(FolderStore(tmp_path), times)
    games = []
    for _ in range(3):
        first, _ = two_people(site, time_control="300+0")
        first.play("a1,b1")
        games.append(first.game)
    times.now += 40
    (tmp_path / f"{games[0]}.pdd").write_text("damaged", "utf-8")
    (tmp_path / f"{games[1]}.pdd").unlink()
    site.clocks.save_all()
    kept = pdd.records.loads((tmp_path / f"{games[2]}.pdd").read_text("utf-8"))
    assert kept.tags["ServeTurnTook"] == "40.000"


def test_a_slow_thread_does_not_set_a_clock_back(times: SettableClock) -> None:
    first, second = two_people(clocked(MemoryStore(), times), time_control="300+0")
    first.play("a1,b1")
    old = first.site.store.load(first.game)
    second.play("white")
    times.now += 10
    first.site.clocks.seconds_used(old)
    assert first.get()["seconds_left"]["first"] == 290


def games_of(folder: Path) -> Iterator[dict[str, str]]:
    for path in folder.glob("*.pdd"):
        yield dict(pdd.records.loads(path.read_text("utf-8")).tags)


def test_no_time_of_day_is_stored(tmp_path: Path) -> None:
    first, _ = two_people(Site(FolderStore(tmp_path), fixed_seed), time_control="300+0")
    first.play("a1,b1")
    [tags] = games_of(tmp_path)
    assert tags["ServeTurnBegan"] == "2"
    assert not any(value.startswith(str(int(time.time()))[:6]) for value in tags.values())
