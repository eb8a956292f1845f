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
from support.http_client import SMALL, Guest, fixed_seed
from support.paths import ROOT, SOURCE
from support.processes import PATIENCE, run_python

PATHS = (str(SOURCE), str(ROOT / "tests"))

CHANGES: dict[str, Callable[[Guest, Guest, int], Any]] = {
    "an action": lambda one, _, version: one.post("actions", version=version, action="red"),
    "undo": lambda _, two, version: two.post("undo", version=version),
    "a resignation": lambda one, _, version: one.post("resignation", version=version),
}
"""Requests of a person that change the game; the second person has played the last action."""


def two_people(site: Site | None = None, **fields: object) -> tuple[Guest, Guest]:
    first = Guest(site or Site(MemoryStore(), fixed_seed)).seated(seat="first", **fields)
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
    guest = Guest().seated(opponent="random", seat="first")
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
        seats={pdd.Seat.FIRST: hash_token("secret")},
        computer={pdd.Seat.SECOND: "mcts-200"},
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
    computer = {pdd.Seat.SECOND: "mcts-200"}
    site.store.create(StoredGame("0" * 32, 1, pdd.Game.new(), seats=seats, computer=computer))
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
    assert first.post("draw", version=3)["declined"] is None
    assert second.post("draw", version=4)["ending"] == "agreement"


def test_two_people_agree_to_undo(tmp_path: Path) -> None:
    first, second = two_people(Site(FolderStore(tmp_path), fixed_seed), clock="60+5")
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
    assert second.get()["undo_request"] == "first"
    shown = second.post("undo", version=4, answer="decline")
    assert (shown["undo_request"], shown["table"]["turn"]) == (None, 1)
    assert first.get()["declined"] == {"what": "undo", "seat": "second"}
    first.post("undo", version=5, answer="ask")
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
    assert again.get()["undo_request"] == "first"
    shown = again.post("undo", version=6, answer="accept")
    assert (shown["version"], shown["table"]["phase"], shown["undo_request"]) == (
        7,
        "opening",
        None,
    )
    # The clocks show what they showed before.
    assert shown["clocks"] == {"first": 60.0, "second": 60.0}


class Clock:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_player_gives_the_other_one_time(tmp_path: Path) -> None:
    now = Clock()
    site = Site(FolderStore(tmp_path), fixed_seed, now=now)
    first, second = two_people(site, clock="60+5")
    first.play("a1,b1")
    shown = first.get()
    assert shown["can_give_time"]
    now.seconds = 10.0
    shown = first.post("time", version=2)
    assert (shown["version"], shown["clocks"]) == (2, {"first": 65.0, "second": 65.0})
    shown = first.post("time", version=2)
    assert shown["clocks"]["second"] == 80.0
    # The time runs on, and a new process knows what was given.
    now.seconds = 15.0
    assert second.get()["clocks"]["second"] == 75.0
    assert Guest(Site(FolderStore(tmp_path), fixed_seed), first.game).get()["clocks"]["second"] > 79
    # The version is the one that the receiver has seen before.
    second.post("actions", version=2, action="red")
    now.seconds = 16.0
    # It was counted once.
    assert second.get()["clocks"] == {"first": 65.0, "second": 80.0 - 1.0}
    second.post("resignation", version=3)
    assert second.post("time", 409, version=4)["code"] == "game-ended"


def test_a_gift_of_time_is_news_and_no_new_version() -> None:
    first, second = two_people(clock="60+5")
    shown = second.get()
    path = f"/games/{second.game}"
    seen = {"after": "1", "taken": "2", "people": shown["people"]}
    assert second.raw("GET", path, **seen).status == 204
    first.post("time", version=1)
    news = cast(dict[str, Any], second.raw("GET", path, **seen).content)
    assert (news["version"], news["base"], news["plies"]) == (1, 1, [])
    assert news["clocks"] == {"first": 60.0, "second": 75.0}
    seen["people"] = news["people"]
    assert second.raw("GET", path, **seen).status == 204
    # A gift for a version that is over is refused.
    first.play("a1,b1")
    assert second.post("time", 409, version=1)["code"] == "outdated"


def test_time_that_is_given_during_an_action_is_kept() -> None:
    first, second = two_people(clock="60+5")
    store = first.site.store
    old = store.load(first.game)
    second.post("time", version=1)
    first.post("time", version=1)
    first.site.change(old, old.game.play("a1,b1", clock=65.0))
    # The reading of the first clock was made without the gift, so it is added.
    assert first.get()["clocks"] == {"first": 80.0, "second": 75.0}


def test_the_bound_of_given_time_holds_for_gifts_at_once() -> None:
    first, second = two_people(clock="60+5")
    store = first.site.store
    old = store.load(first.game)
    own = old.seats_of(first.token)
    while store.load(first.game).can_give_time(own):
        store.give_time(old, own)
    with pytest.raises(SiteError, match="no clock"):
        store.give_time(old, own)
    assert second.get()["clocks"] == {"first": 60.0, "second": 3660.0}


@pytest.mark.parametrize(
    ("fields", "seats"),
    [({}, 2), ({"clock": "60+5"}, 1), ({"clock": "60+5", "seat": "both"}, 2)],
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
    first, _second = two_people(clock="60+5")
    while first.get()["can_give_time"]:
        first.post("time", version=1)
    assert first.get()["clocks"] == {"first": 60.0, "second": 3660.0}
    assert first.post("time", 409, version=1)["code"] == "no-clock"


def test_an_offer_stays_when_time_is_given() -> None:
    first, second = two_people(clock="60+5")
    second.post("draw", version=1)
    assert first.post("time", version=2)["draw_offer"] == "second"
    declined = first.post("draw", version=2, answer="decline")["declined"]
    assert first.post("time", version=3)["declined"] == declined
    second.post("draw", version=3)
    second.post("time", version=4)
    assert first.post("draw", version=4)["ending"] == "agreement"


def test_a_request_to_undo_ends_with_the_next_action() -> None:
    first, second = two_people()
    first.play("a1,b1")
    second.play("white")
    second.post("undo", version=3, answer="ask")
    shown = first.post("actions", version=4, action="c3,e5")
    assert shown["undo_request"] is None
    assert first.post("undo", 409, version=5, answer="accept")["code"] == "nothing-offered"


@pytest.mark.parametrize("fields", [{}, {"opponent": "random", "seat": "first"}])
def test_nobody_asks_themselves_or_the_computer_to_undo(fields: dict[str, object]) -> None:
    guest = Guest().seated(**fields)
    shown = guest.play("a1,b1")
    assert not shown["can_request_undo"]
    refused = guest.post("undo", 409, version=shown["version"], answer="ask")
    assert refused["code"] == "nothing-to-undo"


def test_a_rematch_is_declined_in_both_games(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    refused = second.post("rematch", 409, version=2, answer="decline")
    assert refused["code"] == "nothing-offered"
    name = first.post("rematch", 201, version=2)["id"]
    shown = second.post("rematch", version=3, answer="decline")
    assert (shown["version"], shown["declined"]) == (4, {"what": "rematch", "seat": "second"})
    for game, seat in ((first.game, "second"), (name, "first")):
        told = Guest(first.site, game, first.token).get()
        assert told["declined"] == {"what": "rematch", "seat": seat}
    # It was declined, and stays declined.
    for guest in (first, second):
        again = guest.post("rematch", 409, version=4, answer="decline")
        assert again["code"] == "nothing-offered"
    # Where somebody has acted, the rematch goes on.
    other_first, other_second = ended(first.site)
    rematch = other_first.post("rematch", 201, version=2)["id"]
    Guest(first.site, rematch, other_second.token).play("a1,b1")
    refused = other_second.post("rematch", 409, version=3, answer="decline")
    assert refused["code"] == "nothing-offered"


def test_nobody_declines_their_own_rematch(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    first.post("rematch", 201, version=2)
    # Another process knows who has asked for it.
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), first.game, first.token)
    for guest in (first, again):
        refused = guest.post("rematch", 409, version=3, answer="decline")
        assert refused["code"] == "nothing-offered"
    assert second.post("rematch", version=3, answer="decline")["declined"]["seat"] == "second"
    alone = Guest().seated()
    alone.post("resignation", version=1, seat="first")
    alone.post("rematch", 201, version=2)
    refused = alone.post("rematch", 409, version=3, answer="decline")
    assert refused["code"] == "nothing-offered"


def test_a_refusal_that_cannot_be_stored_changes_neither_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, second = ended(Site(MemoryStore(), fixed_seed))
    store = first.site.store
    name = first.post("rematch", 201, version=2)["id"]
    before = store.load(name)
    write = MemoryStore._write

    def full(self: MemoryStore, stored: StoredGame) -> StoredGame:
        if stored.id == first.game:
            raise SiteError("store-unwritable", 503)
        return write(self, stored)

    monkeypatch.setattr(MemoryStore, "_write", full)
    second.post("rematch", 503, version=3, answer="decline")
    assert store.load(name) == before
    monkeypatch.undo()
    assert second.post("rematch", version=3, answer="decline")["version"] == 4


@pytest.mark.parametrize("opponent", ["none", "random"])
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
    assert (shown["next"], shown["ending"]) == (None, None)
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
    for tag in ('ServeDeclined "draw third"', 'ServeDeclined "tea first"', 'ServeUndoRequest "x"'):
        file.write_text(f"[{tag}]\n{text}", "utf-8")
        assert first.get(status=503)["code"] == "game-damaged"
    # Nothing has been played that could be undone.
    file.write_text(f'[ServeUndoRequest "first"]\n{text}', "utf-8")
    assert first.get(status=503)["code"] == "game-damaged"


def ended(site: Site) -> tuple[Guest, Guest]:
    first, second = two_people(site)
    first.post("resignation", version=1)
    return first, second


def test_rematches_at_once_are_one_game(tmp_path: Path) -> None:
    """Simultaneous requests for a rematch come to several servers with one folder."""
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    sites = [Site(FolderStore(tmp_path), fixed_seed) for _ in range(4)]
    guests = [
        Guest(site, first.game, (first, second)[number % 2].token)
        for number, site in enumerate(sites)
    ]
    barrier = Barrier(len(guests))

    def ask(guest: Guest) -> Any:
        barrier.wait(PATIENCE)
        return guest.post("rematch", 201, version=2)["id"]

    with ThreadPoolExecutor(len(guests)) as threads:
        [name] = {*threads.map(ask, guests)}
    assert {path.stem for path in tmp_path.glob("*.pdd")} == {first.game, name}
    assert first.get()["next"] == second.get()["next"] == name


@pytest.mark.parametrize("fails", [1, 2, 3])
def test_a_rematch_that_cannot_be_stored_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int
) -> None:
    """The disk is full at one write: the claim, the rematch, or the release of the claim."""
    store = FolderStore(tmp_path)
    first, _ = ended(Site(store, fixed_seed))
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
    assert first.post("rematch", 503, version=2)["code"] == "store-unwritable"
    monkeypatch.undo()
    shown = first.get()
    assert shown["next"] is None
    assert len([*tmp_path.glob("*.pdd")]) == 1
    # This also holds after a restart.
    again = Guest(Site(FolderStore(tmp_path), fixed_seed), first.game, first.token)
    name = again.post("rematch", 201, version=shown["version"])["id"]
    assert {path.stem for path in tmp_path.glob("*.pdd")} == {first.game, name}


def test_a_rematch_that_is_just_being_stored_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other player asks when the rematch is claimed but not yet stored."""
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    other = Guest(Site(FolderStore(tmp_path), fixed_seed), second.game, second.token)
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
        one = threads.submit(first.post, "rematch", 201, version=2)
        assert claimed.wait(PATIENCE)
        two = threads.submit(other.post, "rematch", 201, version=2)
        time.sleep(0.05)
        stored.set()
        assert one.result() == two.result()


def test_a_rematch_that_was_deleted_can_begin_again(tmp_path: Path) -> None:
    first, second = ended(Site(FolderStore(tmp_path), fixed_seed))
    name = first.post("rematch", 201, version=2)["id"]
    (tmp_path / f"{name}.pdd").unlink()
    assert second.get()["next"] is None
    assert second.post("rematch", 201, version=3)["id"] != name


def test_a_game_that_goes_on_has_no_rematch() -> None:
    guest = Guest().seated(seat="first", opponent="random")
    guest.post("resignation", version=1)
    name = guest.post("rematch", 201, version=2)["id"]
    assert guest.get()["next"] == name
    assert guest.post("undo", version=3)["next"] is None
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
            guest.record(), ply, pdd.messages.ENGLISH
        )
        assert guest.raw("GET", f"/games/{guest.game}/analysis").status == 204
    whole = thinkers.AnalysisJob(guest.record(), None, pdd.messages.ENGLISH)
    guest.post("undo", version=3)
    # The position after two actions and the whole game are deleted.
    for job in (guest.site.analyses[guest.game], whole):
        guest.site.analyses[guest.game] = job
        assert guest.get("/analysis", 409)["code"] == "analysis-outdated"
        assert job.is_stopped
    job = thinkers.AnalysisJob(guest.record(), 1, pdd.messages.ENGLISH)
    guest.site.analyses[guest.game] = job
    guest.play("white")
    assert guest.raw("GET", f"/games/{guest.game}/analysis").status == 204


# Clocks


class Times:
    """A monotonic clock that a test sets, and a time of day that jumps."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def times() -> Times:
    return Times()


def clocked(store: Store, times: Times) -> Site:
    return Site(store, fixed_seed, now=times)


def left(guest: Guest) -> float:
    seconds: float = guest.get()["clocks"]["second"]
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
guest = Guest(Site(FolderStore(folder))).seated(clock="300+0")
guest.play("a1,b1")
for jump in (-3600.0, 86_400.0):
    before = guest.get()["clocks"]["second"]
    time.sleep(0.1)
    after = guest.get()["clocks"]["second"]
    assert before - 60 < after <= before - 0.1, (before, after)
    assert guest.get()["ending"] is None
    # After a restart the clock goes on.
    guest = Guest(Site(FolderStore(folder)), guest.game, guest.token)
    assert 200 < guest.get()["clocks"]["second"] <= 300
"""


@pytest.mark.slow
def test_clocks_do_not_follow_the_time_of_day(tmp_path: Path) -> None:
    """The time of day is set back by an hour, and forward by a day."""
    done = run_python(JUMPS.format(str(tmp_path)), PYTHONPATH=os.pathsep.join(PATHS))
    assert (done.returncode, done.stderr) == (0, "")


def test_a_clock_goes_on_after_a_restart(tmp_path: Path, times: Times) -> None:
    site = clocked(FolderStore(tmp_path), times)
    first, second = two_people(site, clock="300+0")
    first.play("a1,b1")
    times.now += 40
    site.clocks.save_all()
    # The clock of another process, perhaps on another machine, starts at another number.
    later = Times()
    later.now = 5.0
    again = Guest(clocked(FolderStore(tmp_path), later), second.game, second.token)
    later.now += 30
    assert left(again) == 230
    # Nobody has requested the game in the meantime; then somebody plays.
    later.now += 30
    assert again.play("red")["clocks"] == {"first": 300, "second": 200}


def test_the_seconds_of_a_turn_are_stored_while_somebody_looks(
    tmp_path: Path, times: Times
) -> None:
    first, second = two_people(clocked(FolderStore(tmp_path), times), clock="300+0")
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


def test_a_turn_takes_no_more_time_than_there_is(tmp_path: Path, times: Times) -> None:
    """Nobody has requested the game until the server ends; its file can still be read."""
    site = clocked(FolderStore(tmp_path), times)
    first, second = two_people(site, clock="300+0")
    first.play("a1,b1")
    times.now += 10_000
    site.clocks.save_all()
    store = FolderStore(tmp_path)
    assert [*store.damaged()] == []
    shown = Guest(clocked(store, times), second.game, second.token).get()
    assert (shown["ending"], shown["clocks"]) == ("time", {"first": 300, "second": 0})


def test_a_clock_begins_when_a_turn_begins(tmp_path: Path, times: Times) -> None:
    """The clock does not begin with a view, because a hidden page would gain time."""
    first, second = two_people(clocked(FolderStore(tmp_path), times), clock="300+0")
    first.play("a1,b1")
    times.now += 100
    assert left(second) == 200


def test_an_offer_does_not_stop_the_clock(times: Times) -> None:
    first, second = two_people(clocked(MemoryStore(), times), clock="300+0")
    shown = first.play("a1,b1")
    times.now += 10
    shown = second.post("draw", version=shown["version"])
    assert shown["clocks"]["second"] == 290
    restarted = Guest(clocked(first.site.store, times), second.game, second.token)
    times.now += 10
    assert left(second) == left(restarted) == 280


def test_another_server_with_the_same_folder_takes_no_time_away(
    tmp_path: Path, times: Times
) -> None:
    other = clocked(FolderStore(tmp_path), times)
    times.now += 3600
    first, second = two_people(clocked(FolderStore(tmp_path), times), clock="300+0")
    first.play("a1,b1")
    assert left(Guest(other, second.game, second.token)) == 300


def test_a_store_that_cannot_keep_the_seconds_stops_no_game(
    monkeypatch: pytest.MonkeyPatch, times: Times
) -> None:
    first, second = two_people(clocked(MemoryStore(), times), clock="300+0")
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
    tmp_path: Path, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server waits once in all, not once for each running clock."""
    site = clocked(FolderStore(tmp_path, lock_seconds=0.01), times)
    for _ in range(10):
        first, _ = two_people(site, clock="300+0")
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
    tmp_path: Path, times: Times, caplog: pytest.LogCaptureFixture
) -> None:
    """The view is answered at once, and the clock is stored later."""
    site = clocked(FolderStore(tmp_path, lock_seconds=PATIENCE), times)
    first, second = two_people(site, clock="300+0")
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
    tmp_path: Path, times: Times
) -> None:
    site = clocked(FolderStore(tmp_path), times)
    games = []
    for _ in range(3):
        first, _ = two_people(site, clock="300+0")
        first.play("a1,b1")
        games.append(first.game)
    times.now += 40
    (tmp_path / f"{games[0]}.pdd").write_text("damaged", "utf-8")
    (tmp_path / f"{games[1]}.pdd").unlink()
    site.clocks.save_all()
    kept = pdd.records.loads((tmp_path / f"{games[2]}.pdd").read_text("utf-8"))
    assert kept.tags["ServeTurnTook"] == "40.000"


def test_a_slow_thread_does_not_set_a_clock_back(times: Times) -> None:
    first, second = two_people(clocked(MemoryStore(), times), clock="300+0")
    first.play("a1,b1")
    old = first.site.store.load(first.game)
    second.play("white")
    times.now += 10
    first.site.clocks.seconds_used(old)
    assert first.get()["clocks"]["first"] == 290


def games_of(folder: Path) -> Iterator[dict[str, str]]:
    for path in folder.glob("*.pdd"):
        yield dict(pdd.records.loads(path.read_text("utf-8")).tags)


def test_no_time_of_day_is_stored(tmp_path: Path) -> None:
    first, _ = two_people(Site(FolderStore(tmp_path), fixed_seed), clock="300+0")
    first.play("a1,b1")
    [tags] = games_of(tmp_path)
    assert tags["ServeTurnBegan"] == "2"
    assert not any(value.startswith(str(int(time.time()))[:6]) for value in tags.values())
