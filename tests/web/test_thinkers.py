"""Search trees that are kept, and what the page is told while the computer thinks."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import AnalysisLine, RandomPlayer
from pontedeldiavolo.web import thinkers
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import AnalysisJob, KeptPlayers, Thinkers
from support.http_client import Guest, fixed_seed
from support.paths import ROOT
from support.processes import PATIENCE
from support.waiting import assert_soon


class Searcher:
    """A player that counts how often a game begins, and that can be made to wait."""

    name = "searcher"
    made = 0
    free = Event()

    def for_game(self, _seed: object) -> Searcher:
        Searcher.made += 1
        return Searcher()

    def choose(self, state: pdd.GameState) -> pdd.Action:
        Searcher.free.wait(PATIENCE)
        return state.legal_actions[0]


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Site:
    """Return a site whose level level-5 needs no package, with one thread."""
    level = thinkers.Level("searcher", simulations=200)
    monkeypatch.setitem(thinkers.LEVELS, "level-5", level)
    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", lambda _name: Searcher())
    monkeypatch.setattr(Searcher, "made", 0)
    monkeypatch.setattr(Searcher, "free", Event())
    return Site(MemoryStore(), fixed_seed, thinkers=Thinkers(1))


def answered(guest: Guest) -> Any:
    """Return the view when the computer has answered."""
    assert_soon(lambda: not guest.get()["is_thinking"])
    return guest.get()


def play(guest: Guest, shown: Any) -> Any:
    """Play any action, and return the view after the computer's answer."""
    action = guest.record().state.legal_actions[0]
    guest.post("actions", version=shown["version"], action=pdd.format_action(action))
    return answered(guest)


def test_a_game_keeps_its_player_until_it_ends(site: Site) -> None:
    Searcher.free.set()
    guest = Guest(site).seated(opponent="level-5", seat="second")
    shown = answered(guest)
    for _ in range(3):
        shown = play(guest, shown)
    assert (Searcher.made, len(site.players)) == (1, 1)
    # A player finds by itself whether its tree has the state.
    shown = guest.post("undo", version=shown["version"])
    shown = play(guest, shown)
    assert Searcher.made == 1
    guest.post("resignation", version=shown["version"])
    assert len(site.players) == 0


def test_another_level_begins_with_a_new_player() -> None:
    kept = KeptPlayers()
    player = RandomPlayer()
    kept.keep("a", "level-5", player)
    assert kept.take("a", "level-7") is None
    kept.keep("a", "level-5", player)
    assert kept.take("a", "level-5") is player
    # While it is out, another thread gets none.
    assert kept.take("a", "level-5") is None


def test_the_players_that_are_kept_are_bounded() -> None:
    two = 2 * thinkers.LEVELS["level-9"].simulations
    kept = KeptPlayers(max_simulations=two, max_players=3)
    for game in ("a", "b"):
        kept.keep(game, "level-9", RandomPlayer())
    assert len(kept) == 2
    kept.keep("c", "level-9", RandomPlayer())
    assert [kept.take(game, "level-9") is None for game in "abc"] == [True, False, False]
    for game in "abcd":
        kept.keep(game, "level-5", RandomPlayer())
    assert len(kept) == 3
    kept.forget("d")
    kept.forget("nothing")
    # A player without a search has nothing to keep.
    kept.keep("e", "level-4", RandomPlayer())
    assert len(kept) == 2


class Stoppable(Searcher):
    """A player whose search goes on until it is stopped."""

    begun = Event()
    over = Event()

    def for_game(self, _seed: object) -> Stoppable:
        Searcher.made += 1
        return self

    def search(self, node: pdd.GameState, stop: Callable[[], bool]) -> AnalysisLine:
        Stoppable.begun.set()
        while not stop():
            time.sleep(0.001)
        Stoppable.over.set()
        return AnalysisLine((node.legal_actions[0],), 0, 0, visits=1, depth=1, proven=False)


@pytest.fixture
def begin_searching(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Return a function; after it, searches of *site* go on until they are stopped."""
    monkeypatch.setattr(thinkers, "MAX_SECONDS", 10 * PATIENCE)
    monkeypatch.setattr(Stoppable, "begun", Event())
    monkeypatch.setattr(Stoppable, "over", Event())
    players = {"searcher": Stoppable()}

    def begin() -> None:
        monkeypatch.setattr(
            "pontedeldiavolo.web.site.by_name", lambda name: players.get(name, RandomPlayer())
        )

    return begin


MOVES_ON: dict[str, Callable[[Guest], object]] = {
    "undo": lambda guest: guest.post("undo", version=2),
    "a resignation": lambda guest: guest.post("resignation", version=2),
    "another level": lambda guest: guest.post("answer", version=2, opponent="level-1"),
}


@pytest.mark.parametrize("change", MOVES_ON)
def test_a_search_ends_when_its_game_moves_on(
    site: Site, begin_searching: Callable[[], None], change: str
) -> None:
    begin_searching()
    guest = Guest(site).seated(opponent="level-5", seat="first")
    guest.play("a1,b1")
    assert Stoppable.begun.wait(PATIENCE)
    MOVES_ON[change](guest)
    assert Stoppable.over.wait(PATIENCE)
    # The only thread is free for others.
    done = Event()
    assert site.thinkers is not None
    site.thinkers.submit("another job", done.set)
    assert done.wait(PATIENCE)
    # The tree is not kept, and the search that was stopped has no part in the estimates.
    assert len(site.players) == 0
    other = Guest(site).seated(opponent="level-5", seat="second")
    assert other.get()["thinking"]["expected_seconds"] is None
    other.post("resignation", version=1)


def test_the_search_of_a_rematch_that_was_removed_ends(
    site: Site, begin_searching: Callable[[], None]
) -> None:
    Searcher.free.set()
    guest = Guest(site).seated(opponent="level-5", seat="first")
    shown = guest.post("resignation", version=1)
    begin_searching()
    # The computer begins the rematch.
    guest.post("rematch", 201, version=shown["version"])
    assert Stoppable.begun.wait(PATIENCE)
    guest.post("undo", version=guest.get()["version"])
    assert Stoppable.over.wait(PATIENCE)


def test_an_answer_that_comes_with_the_end_keeps_no_player() -> None:
    """The game ends after its player has chosen, and before the player is kept."""
    kept = KeptPlayers()
    kept.keep("a", "level-5", RandomPlayer(), lambda: False)
    assert len(kept) == 0


def test_the_view_tells_who_is_thinking_and_for_how_long(site: Site) -> None:
    guest = Guest(site).seated(opponent="level-5", seat="second")
    first = guest.get()["thinking"]
    assert (first["level"], first["expected_seconds"]) == ("level-5", None)
    time.sleep(0.02)
    assert guest.get()["thinking"]["seconds"] > first["seconds"]
    Searcher.free.set()
    shown = answered(guest)
    assert shown["thinking"] is None
    Searcher.free.clear()
    action = pdd.format_action(guest.record().state.legal_actions[0])
    guest.post("actions", version=shown["version"], action=action)
    assert guest.get()["thinking"]["expected_seconds"] >= 0.02
    # On a board of another size nothing is known yet.
    other = Guest(site).seated(
        opponent="level-5", seat="second", rules="5x5 tiles=unlimited bridges=2 tiebreaks=none"
    )
    assert other.get()["thinking"]["expected_seconds"] is None
    Searcher.free.set()
    answered(guest)


def test_a_review_tells_its_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    steps = [Event() for _ in range(2)]

    def annotate(game: pdd.Game, _player: object, **more: Any) -> pdd.Game:
        for number, step in enumerate(steps, 1):
            step.wait(PATIENCE)
            more["on_move"](number)
        return game

    monkeypatch.setattr(thinkers, "annotate", annotate)
    monkeypatch.setattr(thinkers, "by_name", lambda _name: None)
    # The analyst of the test needs no packages.
    monkeypatch.setattr(thinkers, "find_spec", bool)
    site = Site(MemoryStore(), fixed_seed, thinkers=Thinkers())
    site.store.on_change = told.append
    guest = Guest(site).seated()
    guest.play("a1,b1", "red")
    told.clear()
    guest.post("analyses", 202, ply=-1)
    assert guest.get("/analysis", done="0", status=204) is None
    # A page that does not ask for the progress waits for the result.
    guest.get("/analysis", status=204)
    steps[0].set()
    assert_soon(lambda: bool(told))
    assert guest.get("/analysis", done="0") == {"done": 1, "total": 2}
    assert guest.get("/analysis", done="1", status=204) is None
    guest.get("/analysis", status=204)
    steps[1].set()
    assert_soon(lambda: site.analyses[guest.game].is_over)
    assert guest.get("/analysis", done="2").keys() >= {"svg", "moves"}


def test_an_analysis_of_a_state_has_one_step() -> None:
    game = pdd.Game.new().play("d4,g7")
    assert AnalysisJob(game, 0, pdd.messages.LANGUAGES["en"]).total == 1
    assert AnalysisJob(game, None, pdd.messages.LANGUAGES["en"]).total == 1


def test_the_guide_has_the_bounds_of_the_trees_that_are_kept() -> None:
    guide = " ".join((ROOT / "docs" / "reference" / "cli.md").read_text("utf-8").split())
    assert f"for at most {thinkers.MAX_KEPT_PLAYERS:,} games, and for fewer if" in guide
    assert f"add up to more than {thinkers.MAX_KEPT_SIMULATIONS:,}." in guide


def test_the_search_of_a_level_ends_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    stops = []

    class Stopped:
        name = "stopped"

        def for_game(self, _seed: object) -> Stopped:
            return self

        def choose(self, state: pdd.GameState) -> pdd.Action:
            return state.legal_actions[0]

        def search(self, node: pdd.GameState, stop: Callable[[], bool]) -> AnalysisLine:
            stops.append(stop())
            monkeypatch.setattr(thinkers, "monotonic", lambda: began + thinkers.MAX_SECONDS + 1)
            stops.append(stop())
            return AnalysisLine((node.legal_actions[1],), 0, 0, visits=1, depth=1, proven=False)

    began = time.monotonic()
    state = pdd.GameState.initial()
    assert thinkers.LEVELS["level-9"].choose(Stopped(), state) == state.legal_actions[1]
    assert stops == [False, True]
