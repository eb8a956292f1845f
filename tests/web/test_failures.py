"""Failures in the background: the view reports them, nothing repeats, and the game can continue."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Barrier, BrokenBarrierError, Event
from typing import Any, cast

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.players import RandomPlayer
from pontedeldiavolo.web import computer_moves, thinkers
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.requests import Request, SiteError
from pontedeldiavolo.web.routes import dispatch
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore, Store, StoredGame
from pontedeldiavolo.web.thinkers import LEVELS, Thinkers
from support.http_client import SMALL, Guest, fixed_seed
from support.processes import PATIENCE
from support.waiting import assert_soon


class Faulty:
    """A player that fails when a test wants it, and counts its calls."""

    name = "faulty"

    def __init__(self) -> None:
        self.asked = 0
        self.fault: Callable[[], BaseException] | None = None
        self.where = "choose"
        self.chosen: Any = None

    def _fail(self, where: str) -> None:
        if self.where == where:
            self.asked += 1
            if self.fault is not None:
                raise self.fault()

    def by_name(self, name: str) -> Any:
        if name == LEVELS["level-1"].player:
            return RandomPlayer()
        self._fail("by_name")
        return self

    def for_game(self, _seed: int) -> Faulty:
        self._fail("for_game")
        return self

    def choose(self, state: pdd.GameState) -> Any:
        self._fail("choose")
        return state.legal_actions[0] if self.chosen is None else self.chosen

    def analyse(self, _state: pdd.GameState, **_: object) -> Any:
        self._fail("analyse")
        return None


@pytest.fixture
def player(monkeypatch: pytest.MonkeyPatch) -> Faulty:
    found = Faulty()
    for place in ("thinkers", "site"):
        monkeypatch.setattr(f"pontedeldiavolo.web.{place}.by_name", found.by_name)
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    return found


def site_of(store: Store | None = None) -> Site:
    return Site(store or MemoryStore(), fixed_seed, thinkers=Thinkers())


def until(guest: Guest, is_so: Callable[[Any], bool]) -> Any:
    """Return the view of a game as soon as a condition is true."""
    deadline = time.monotonic() + PATIENCE
    while not is_so(shown := guest.get()):
        assert time.monotonic() < deadline, shown["failure"]
        time.sleep(0.002)
    return shown


def failed(guest: Guest) -> Any:
    return until(guest, lambda shown: shown["failure"] is not None)


def answered(guest: Guest) -> Any:
    return until(guest, lambda shown: shown["snapshot"]["seat_to_move"] == "first")


FAULTS: dict[str, Callable[[], BaseException]] = {
    "an error": EOFError,
    "an error of the package": lambda: pdd.PonteError("no"),
    "an end": SystemExit,
    "an interruption": KeyboardInterrupt,
    "no memory": MemoryError,
    "too deep": RecursionError,
}
TINY = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"


def waiting_for(
    player: Faulty, fault: Callable[[], BaseException] = EOFError, where: str = "choose"
) -> Guest:
    """Return a person whose computer opponent has failed."""
    guest = Guest(site_of()).seated(rules=TINY, opponent="level-7", seat="first")
    player.fault = fault
    player.where = where
    guest.play("a1,b1")
    return guest


@pytest.mark.parametrize(
    ("fault", "where"),
    [*((fault, "choose") for fault in FAULTS), ("an error", "by_name"), ("an end", "for_game")],
)
def test_a_failure_of_a_player_is_shown(
    player: Faulty, caplog: pytest.LogCaptureFixture, fault: str, where: str
) -> None:
    guest = waiting_for(player, FAULTS[fault], where)
    shown = failed(guest)
    assert (shown["is_thinking"], shown["failure"]["code"]) == (False, "computer-failed")
    assert shown["failure"]["error"].startswith("The computer could not choose an action;")
    in_german = Guest(guest.site, guest.game, guest.token, {"lang": "de"}).get()
    assert in_german["failure"]["error"].startswith("Der Computer konnte keinen Zug wählen;")
    # Viewing the game does not ask the player again, and the failure is logged once.
    for _ in range(3):
        guest.get()
        guest.raw("GET", f"/games/{guest.game}", after="2", failure_seen="")
    assert player.asked == 1
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1
    # A page that knows the failure waits for news; another page gets it.
    path = f"/games/{guest.game}"
    number = str(shown["failure"]["number"])
    assert guest.raw("GET", path, after="2", seats_taken="1", failure_seen=number).status == 204
    assert guest.raw("GET", path, after="2", seats_taken="1", failure_seen="").status == 200
    # A client that names no version gets the failure at the end of its wait.
    assert guest.raw("GET", path, after="2", seats_taken="1").status == 200
    waiting = Request({"after": "2", "seats_taken": "1"}, game=guest.game, is_waiting=True)
    assert dispatch(guest.site, "GET", path, waiting).status == 204
    player.fault = None
    guest.post("answer", version=2)
    assert answered(guest)["failure"] is None


@pytest.mark.parametrize("chosen", ["pass", 7, pdd.parse_action("a1,b1")])
def test_an_illegal_choice_of_a_player_is_shown(player: Faulty, chosen: Any) -> None:
    player.chosen = chosen
    guest = Guest(site_of()).seated(rules=TINY, opponent="level-7", seat="first")
    guest.play("a1,b1")
    assert failed(guest)["failure"]["code"] == "computer-failed"


def test_a_failed_retry_is_shown_again(player: Faulty) -> None:
    guest = waiting_for(player)
    numbers = set()
    for count in range(1, 4):
        numbers.add(failed(guest)["failure"]["number"])
        # A page that knows only the last failure must get this one.
        assert len(numbers) == player.asked == count
        guest.post("answer", version=2)
        until(guest, lambda _, count=count: player.asked > count)  # type: ignore[misc]


def test_a_request_that_comes_first_after_a_change_asks_the_player_once(player: Faulty) -> None:
    """News of an action may be fetched before the request that has played it goes on."""
    site = site_of()
    guest = Guest(site).seated(rules=TINY, opponent="level-7", seat="first")
    player.fault = EOFError

    def fetch_news(game: str) -> None:
        site.store.on_change = lambda _game: None
        failed(Guest(site, game, guest.token))

    site.store.on_change = fetch_news
    guest.play("a1,b1")
    failed(guest)
    assert player.asked == 1


def test_a_player_is_asked_again_before_the_failed_job_has_ended(player: Faulty) -> None:
    guest = Guest(site_of()).seated(rules=TINY, opponent="level-7", seat="first")
    here = threading.current_thread()
    is_asked_again = threading.Event()

    def try_again(_game: str) -> None:
        if threading.current_thread() is here:
            # The action has been stored; the player has not been asked yet.
            return
        guest.site.store.on_change = lambda _game: None
        player.fault = None
        guest.post("answer", version=2)
        is_asked_again.set()

    guest.site.store.on_change = try_again
    player.fault = EOFError
    guest.play("a1,b1")
    assert is_asked_again.wait(PATIENCE)
    # No request for the game may be needed.
    assert_soon(lambda: player.asked >= 2)
    answered(guest)


def test_after_a_failure_another_level_plays(player: Faulty) -> None:
    guest = waiting_for(player)
    failed(guest)
    for opponent, code in (("strong", "bad-choice"), (7, "bad-field"), ("none", "bad-choice")):
        assert guest.post("answer", 400, version=2, opponent=opponent)["code"] == code
    assert guest.looking_on().post("answer", 403, version=2)["code"] == "no-seat"
    assert guest.post("answer", version=2, opponent="level-1")["version"] == 3
    shown = answered(guest)
    assert (shown["failure"], shown["seats"]["second"]) == (None, "level-1")
    assert guest.record().tags == {"Second": f"Computer 1 ({LEVELS['level-1'].player})"}
    version = shown["version"]
    assert guest.post("answer", 409, version=version)["code"] == "not-computers-turn"
    guest.play(pdd.format_action(guest.record().state.legal_actions[0]))


def test_after_a_failure_an_action_is_taken_back(player: Faulty) -> None:
    guest = waiting_for(player)
    assert failed(guest)["can_undo"]
    assert guest.post("undo", version=2)["failure"] is None
    player.fault = None
    guest.play("a1,b1")
    answered(guest)


def test_after_a_failure_others_are_answered(player: Faulty) -> None:
    """The thread continues after any failure."""
    guests = [waiting_for(player, fault) for fault in FAULTS.values()]
    site = guests[0].site
    for guest in guests:
        failed(guest)
    player.fault = None
    other = Guest(site).seated(rules=TINY, opponent="level-5", seat="first")
    other.play("a1,b1")
    answered(other)


def test_a_failed_player_without_threads_is_a_refusal(
    player: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    guest = Guest(Site(MemoryStore(), fixed_seed)).seated(
        rules=TINY, opponent="level-7", seat="first"
    )
    player.fault = EOFError
    refused = guest.post("actions", 500, version=1, action="a1,b1")
    assert refused["code"] == "computer-failed"
    assert len(caplog.records) == 1
    player.fault = None
    assert guest.play("a1,b1")["version"] == 2


@pytest.mark.parametrize(("fault", "ply"), [*((fault, 0) for fault in FAULTS), ("an error", -1)])
def test_a_failed_analysis_is_shown(
    player: Faulty, caplog: pytest.LogCaptureFixture, fault: str, ply: int
) -> None:
    guest = Guest(site_of()).seated(rules=TINY)
    guest.play("a1,b1")
    player.fault = FAULTS[fault]
    player.where = "analyse"
    guest.post("analyses", 202, ply=ply)
    while guest.raw("GET", f"/games/{guest.game}/analysis").status == 204:
        pass
    assert guest.get("/analysis", 500)["code"] == "analysis-failed"
    assert len(caplog.records) == 1
    # The same thread completes another analysis.
    player.fault = None
    guest.post("analyses", 202, ply=ply)
    while guest.raw("GET", f"/games/{guest.game}/analysis").status == 204:
        pass
    # The player of this test finds no line, which is not a failure.
    assert guest.raw("GET", f"/games/{guest.game}/analysis").status in (200, 500)
    assert player.asked > 1


def test_a_search_that_cannot_be_prepared_is_named(
    player: Faulty, caplog: pytest.LogCaptureFixture
) -> None:
    player.fault = EOFError
    site = site_of()
    guest = Guest(site)
    guest.raw("GET", "/words")
    found = site.thinkers
    assert found is not None
    assert_soon(lambda: not found.is_preparing)
    for _ in range(3):
        words: Any = guest.raw("GET", "/words").content
        assert words["failure"]["code"] == "search-not-prepared"
    assert (player.asked, len(caplog.records)) == (1, 1)


@pytest.mark.usefixtures("player")
def test_a_search_whose_thread_cannot_start_is_named(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    class Unstartable(threading.Thread):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    found = Thinkers()
    monkeypatch.setattr(thinkers, "Thread", Unstartable)
    found.warm_up()
    assert not found.is_preparing
    assert found.failure is not None
    assert found.failure.code == "search-not-prepared"
    assert len(caplog.records) == 1


@pytest.mark.usefixtures("player")
def test_a_search_that_is_being_prepared_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    free = Event()
    monkeypatch.setattr(thinkers, "_choose_once", lambda: free.wait(PATIENCE))
    site = site_of()
    Guest(site).raw("GET", "/words")
    assert site.thinkers is not None
    site.thinkers.submit("blocked", lambda: free.wait(PATIENCE))
    shown = [
        Guest(site).begin(rules=SMALL, opponent=opponent, seat="second")
        for opponent in ("level-5", "level-4")
    ]
    assert [each["is_preparing"] for each in shown] == [True, False]
    assert [each["is_thinking"] for each in shown] == [True, True]
    free.set()


@pytest.mark.parametrize("fault", [None, EOFError])
@pytest.mark.usefixtures("player")
def test_the_end_of_the_preparation_is_news(
    monkeypatch: pytest.MonkeyPatch, fault: type[Exception] | None
) -> None:
    free = Event()

    def prepare() -> None:
        free.wait(PATIENCE)
        if fault is not None:
            raise fault

    monkeypatch.setattr(thinkers, "_choose_once", prepare)
    site = site_of()
    Guest(site).raw("GET", "/words")
    assert site.thinkers is not None
    is_over = Event()
    site.thinkers.submit("blocked", lambda: is_over.wait(PATIENCE))
    guest = Guest(site).seated(rules=SMALL, opponent="level-5", seat="second")
    shown = guest.get()
    seen = {"after": "1", "people_stamp": shown["people_stamp"]}
    assert shown["is_preparing"]
    guest.get("", 204, **seen)
    free.set()
    assert_soon(lambda: not cast(Thinkers, site.thinkers).is_preparing)
    assert not guest.get("", **seen)["is_preparing"]
    is_over.set()


@pytest.mark.usefixtures("player")
def test_the_begin_of_a_search_is_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue of the threads was full when the action was played."""
    site = site_of()
    guest = Guest(site).seated(rules=TINY, opponent="level-7", seat="first")
    with monkeypatch.context() as full:
        full.setattr(Thinkers, "submit", lambda *_: False)
        guest.play("a1,b1")
        shown = guest.get()
        seen = {"after": "2", "people_stamp": shown["people_stamp"]}
        assert shown["thinking"] is None
        guest.get("", 204, **seen)
    is_over = Event()
    assert site.thinkers is not None
    site.thinkers.submit("blocked", lambda: is_over.wait(PATIENCE))
    assert guest.get("", **seen)["thinking"]["level"] == "level-7"
    is_over.set()


@pytest.mark.usefixtures("player")
def test_a_search_is_prepared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search is prepared once, even if two people open the page at the same moment."""
    prepared: list[int] = []
    monkeypatch.setattr(thinkers, "_choose_once", lambda: prepared.append(1))
    found = Thinkers()
    both = Barrier(2)

    class Slow:
        """A flag that two threads read at the same moment, unless a lock prevents it."""

        def __bool__(self) -> bool:
            with suppress(BrokenBarrierError):
                both.wait(0.1)
            return False

    monkeypatch.setattr(found, "_is_warm", Slow())
    with ThreadPoolExecutor(2) as threads:
        for done in [threads.submit(found.warm_up) for _ in range(2)]:
            done.result(PATIENCE)
    assert_soon(lambda: not found.is_preparing)
    assert prepared == [1]


class FullStore:
    """A store whose disk can be full; it counts attempts to write."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.is_full = False
        self.attempts = 0
        sync = os.fsync

        def fsync(descriptor: int) -> None:
            if self.is_full:
                self.attempts += 1
                raise OSError(28, "No space left on device")
            sync(descriptor)

        monkeypatch.setattr(os, "fsync", fsync)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullStore:
    return FullStore(monkeypatch)


class Waiting:
    """A timer that a test triggers."""

    def __init__(self, seconds: float, work: Callable[..., None], values: list[object]) -> None:
        self.seconds = seconds
        self.daemon = False
        self.is_over = False
        self.work = partial(work, *values)

    def start(self) -> None:
        assert self.daemon

    def cancel(self) -> None:
        self.is_over = True

    def go_off(self) -> None:
        assert not self.is_over
        self.is_over = True
        self.work()


@pytest.fixture
def timers(monkeypatch: pytest.MonkeyPatch) -> list[Waiting]:
    """Return the timers for further attempts to store an answer."""
    found: list[Waiting] = []

    def timer(seconds: float, work: Callable[..., None], values: list[object]) -> Waiting:
        found.append(Waiting(seconds, work, values))
        return found[-1]

    monkeypatch.setattr(computer_moves, "Timer", timer)
    return found


def unsaved(folder: Path, disk: FullStore, player: Faulty) -> Guest:
    """Return a person who waits for a move that cannot be saved."""
    free = Event()
    guest = Guest(site_of(FolderStore(folder))).seated(rules=TINY, opponent="level-7", seat="first")
    assert guest.site.thinkers is not None
    guest.site.thinkers.submit("blocked", lambda: free.wait(PATIENCE))
    guest.play("a1,b1")
    disk.is_full = True
    player.asked = 0
    free.set()
    assert failed(guest)["failure"]["code"] == "computer-not-saved"
    return guest


def test_a_move_that_cannot_be_saved_is_seen_and_saved_later(
    tmp_path: Path,
    player: Faulty,
    disk: FullStore,
    timers: list[Waiting],
    caplog: pytest.LogCaptureFixture,
) -> None:
    guest = unsaved(tmp_path, disk, player)
    shown = guest.get()
    assert not shown["is_thinking"]
    assert shown["failure"]["error"].startswith("The move of the computer could not be saved.")
    in_german = Guest(guest.site, guest.game, guest.token, {"lang": "de"}).get()
    assert in_german["failure"]["error"].startswith("Der Zug des Computers konnte nicht gespeich")
    # Viewing the game does not cause an attempt before the pause is over.
    for _ in range(5):
        assert guest.get()["failure"] == shown["failure"]
    assert (disk.attempts, len(timers)) == (1, 1)
    for count in range(1, 8):
        timers[-1].go_off()
        assert (disk.attempts, len(timers)) == (count + 1, count + 1)
    assert [timer.seconds for timer in timers] == [1, 2, 4, 8, 16, 30, 30, 30]
    # The failure is the same, so waiting pages get no news.
    assert guest.get()["failure"] == shown["failure"]
    assert (player.asked, len(caplog.records)) == (1, 1)
    disk.is_full = False
    timers[-1].go_off()
    shown = guest.get()
    assert (shown["failure"], shown["version"], player.asked) == (None, 3, 1)
    assert len(guest.record().actions) == 2


def test_a_disk_that_is_full_for_a_night_loses_no_answer(
    monkeypatch: pytest.MonkeyPatch, timers: list[Waiting]
) -> None:
    """After more than a thousand attempts, the pause is still finite."""
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    stored = StoredGame("a" * 32, 1, game, levels={pdd.Seat.FIRST: "level-1"})
    is_full = True
    kept: list[StoredGame] = []

    def keep(old: StoredGame, _found: pdd.Game) -> None:
        if is_full:
            raise SiteError("store-unwritable", 503)
        kept.append(old)

    def submit_here(_key: object, job: Callable[[], object], _client: str) -> bool:
        job()
        return True

    threads = Thinkers()
    monkeypatch.setattr(threads, "submit", submit_here)
    found = computer_moves.ComputerMoves(threads, lambda old, _: old.game, keep, lambda _name: None)
    found.request(stored, "")
    for _ in range(1_100):
        timers[-1].go_off()
    assert max(timer.seconds for timer in timers) == computer_moves.MAX_PAUSE_SECONDS
    is_full = False
    timers[-1].go_off()
    assert (kept, found.failure(stored)) == ([stored], None)


class Queued:
    """The moves of the computer, whose jobs a test runs; their players can fail."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.jobs: list[Callable[[], object]] = []
        self.chosen: list[int] = []
        self.kept: list[int] = []
        self.has_fault = False
        threads = Thinkers()
        monkeypatch.setattr(threads, "submit", self._submit)
        self.moves = computer_moves.ComputerMoves(
            threads, self._choose, lambda old, _: self.kept.append(old.version), lambda _name: None
        )

    def _submit(self, _key: object, job: Callable[[], object], _client: str) -> bool:
        self.jobs.append(job)
        return True

    def _choose(self, stored: StoredGame, *_: object) -> pdd.Game:
        self.chosen.append(stored.version)
        if self.has_fault:
            raise SiteError("computer-failed", 500)
        return stored.game

    def run(self) -> None:
        while self.jobs:
            self.jobs.pop(0)()


@pytest.fixture
def queued(monkeypatch: pytest.MonkeyPatch) -> Queued:
    return Queued(monkeypatch)


def in_version(version: int) -> StoredGame:
    """Return a game in which it is the turn of the computer."""
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    return StoredGame("a" * 32, version, game, levels={pdd.Seat.FIRST: "level-1"})


def test_a_slow_request_for_an_older_version_replaces_no_newer_one(queued: Queued) -> None:
    queued.moves.request(in_version(6), "")
    queued.moves.request(in_version(4), "")
    queued.moves.forget_earlier(in_version(5))
    queued.run()
    assert (queued.chosen, queued.kept) == ([6], [6])


def test_a_game_from_a_backup_is_answered_after_a_later_version_has_failed(
    queued: Queued,
) -> None:
    queued.has_fault = True
    queued.moves.request(in_version(6), "")
    queued.run()
    assert queued.moves.failure(in_version(6)) is not None
    queued.has_fault = False
    queued.moves.request(in_version(4), "")
    queued.run()
    assert (queued.chosen, queued.kept) == ([6, 4], [4])


def test_the_failures_that_are_remembered_are_bounded(
    queued: Queued, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(computer_moves, "MAX_FAILED_MOVES", 2)
    queued.has_fault = True
    games = [evolve(in_version(1), id=digit * 32) for digit in "abc"]
    for stored in games:
        queued.moves.request(stored, "")
        queued.run()
    failures = [queued.moves.failure(stored) for stored in games]
    assert [failure is not None for failure in failures] == [False, True, True]
    # The next request for the game asks its player again, and one for another game does not.
    for stored in games:
        queued.moves.request(stored, "")
    assert len(queued.jobs) == 1


def test_moves_that_will_be_stored_are_remembered(
    tmp_path: Path,
    player: Faulty,
    disk: FullStore,
    timers: list[Waiting],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(computer_moves, "MAX_FAILED_MOVES", 0)
    guest = unsaved(tmp_path, disk, player)
    disk.is_full = False
    timers[-1].go_off()
    assert guest.get()["version"] == 3
    assert player.asked == 1


def test_a_failure_is_told_even_if_no_thread_can_try_again(
    tmp_path: Path, player: Faulty, disk: FullStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    class NoThread(Waiting):
        def start(self) -> None:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr(computer_moves, "Timer", NoThread)
    guest = unsaved(tmp_path, disk, player)
    disk.is_full = False
    assert guest.post("answer", version=2)["failure"] is None


def test_a_move_that_cannot_be_saved_is_saved_on_request(
    tmp_path: Path, player: Faulty, disk: FullStore, timers: list[Waiting]
) -> None:
    guest = unsaved(tmp_path, disk, player)
    for attempts in (2, 3):
        shown = guest.post("answer", version=2)
        assert (shown["failure"]["code"], disk.attempts) == ("computer-not-saved", attempts)
    # Only one attempt is planned at a time.
    assert [timer.is_over for timer in timers] == [True, True, False]
    disk.is_full = False
    assert guest.post("answer", version=2)["version"] == 3
    assert player.asked == 1
    assert timers[-1].is_over
    # It may have gone off just before.
    timers[-1].work()
    assert guest.get()["version"] == 3


def test_a_move_that_cannot_be_saved_is_dropped_with_its_game(
    tmp_path: Path, player: Faulty, disk: FullStore, timers: list[Waiting]
) -> None:
    guest = unsaved(tmp_path, disk, player)
    assert guest.post("undo", 503, version=2)["code"] == "store-unwritable"
    disk.is_full = False
    assert guest.post("undo", version=2)["failure"] is None
    assert timers[-1].is_over
    # It may have gone off just before.
    timers[-1].work()
    assert guest.get()["version"] == 3


@pytest.mark.usefixtures("player")
def test_a_fault_of_a_store_is_shown(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guest = Guest(site_of()).seated(rules=TINY, opponent="level-7", seat="first")
    replace = MemoryStore.replace

    def broken(store: MemoryStore, new: StoredGame, old: StoredGame) -> StoredGame:
        if new.version == 3:
            raise ValueError
        return replace(store, new, old)

    monkeypatch.setattr(MemoryStore, "replace", broken)
    guest.play("a1,b1")
    assert failed(guest)["failure"]["code"] == "computer-failed"
    assert len(caplog.records) == 1
    monkeypatch.undo()


@pytest.mark.usefixtures("player")
def test_a_store_that_cannot_be_read_is_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(computer_moves, "FIRST_PAUSE_SECONDS", 0.01)
    guest = Guest(site_of()).seated(rules=TINY, opponent="level-7", seat="first")
    replace = MemoryStore.replace
    left = 3

    def unreadable(store: MemoryStore, new: StoredGame, old: StoredGame) -> StoredGame:
        nonlocal left
        if new.version == 3 and left:
            left -= 1
            raise SiteError("store-unreadable", 503)
        return replace(store, new, old)

    monkeypatch.setattr(MemoryStore, "replace", unreadable)
    guest.play("a1,b1")
    assert answered(guest)["version"] == 3
    assert left == 0


def test_faults_of_the_server_are_refusals(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    guest = Guest().seated()
    monkeypatch.setattr("pontedeldiavolo.web.site.page_view", lambda *_, **__: 1 // 0)
    answer = guest.get("", 500)
    assert answer["code"] == "internal-error"
    assert len(caplog.records) == 1
