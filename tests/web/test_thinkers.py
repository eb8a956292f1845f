"""Search trees that are kept, and what the page is told while the computer thinks."""

from __future__ import annotations

import time
from threading import Event
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.players import RandomPlayer
from pontedeldiavolo.web import thinkers
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import AnalysisJob, KeptPlayers, Thinkers
from support.http_client import Guest, fixed_seed
from support.paths import ROOT
from support.processes import PATIENCE


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
    """Return a site whose level mcts-200 needs no package, with one thread."""
    level = thinkers.Level("searcher", 256, (), 200)
    monkeypatch.setitem(thinkers.LEVELS, "mcts-200", level)
    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", lambda _name: Searcher())
    monkeypatch.setattr(Searcher, "made", 0)
    monkeypatch.setattr(Searcher, "free", Event())
    return Site(MemoryStore(), fixed_seed, thinkers=Thinkers(1))


def answered(guest: Guest) -> Any:
    """Return the view when the computer has answered."""
    until = time.monotonic() + PATIENCE
    while (shown := guest.get())["is_thinking"]:
        assert time.monotonic() < until
        time.sleep(0.002)
    return shown


def play(guest: Guest, shown: Any) -> Any:
    """Play any action, and return the view after the computer's answer."""
    action = guest.record().state.legal_actions[0]
    guest.post("actions", version=shown["version"], action=pdd.format_action(action))
    return answered(guest)


def test_a_game_keeps_its_player_until_it_ends(site: Site) -> None:
    Searcher.free.set()
    guest = Guest(site).seated(opponent="mcts-200", seat="second")
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
    kept.keep("a", "mcts-200", player)
    assert kept.take("a", "mcts-2000") is None
    kept.keep("a", "mcts-200", player)
    assert kept.take("a", "mcts-200") is player
    # While it is out, another thread gets none.
    assert kept.take("a", "mcts-200") is None


def test_the_players_that_are_kept_are_bounded() -> None:
    kept = KeptPlayers(max_simulations=450_000, max_players=3)
    for game in ("a", "b"):
        kept.keep(game, "mcts-200000", RandomPlayer())
    assert len(kept) == 2
    kept.keep("c", "mcts-200000", RandomPlayer())
    assert [kept.take(game, "mcts-200000") is None for game in "abc"] == [True, False, False]
    for game in "abcd":
        kept.keep(game, "mcts-200", RandomPlayer())
    assert len(kept) == 3
    kept.forget("d")
    kept.forget("nothing")
    # A player without a search has nothing to keep.
    kept.keep("e", "greedy", RandomPlayer())
    assert len(kept) == 2


def test_the_view_tells_who_is_thinking_and_for_how_long(site: Site) -> None:
    guest = Guest(site).seated(opponent="mcts-200", seat="second")
    first = guest.get()["thinking"]
    assert (first["level"], first["expected_seconds"]) == ("mcts-200", None)
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
        opponent="mcts-200", seat="second", rules="5x5 tiles=unlimited bridges=2 tiebreaks=none"
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
    until = time.monotonic() + PATIENCE
    while not told:
        assert time.monotonic() < until
        time.sleep(0.002)
    assert guest.get("/analysis", done="0") == {"done": 1, "total": 2}
    assert guest.get("/analysis", done="1", status=204) is None
    guest.get("/analysis", status=204)
    steps[1].set()
    while not site.analyses[guest.game].is_over:
        assert time.monotonic() < until
        time.sleep(0.002)
    assert guest.get("/analysis", done="2").keys() >= {"svg", "moves"}


def test_an_analysis_of_a_state_has_one_step() -> None:
    game = pdd.Game.new().play("d4,g7")
    assert AnalysisJob(game, 0, pdd.messages.ENGLISH).total == 1
    assert AnalysisJob(game, None, pdd.messages.ENGLISH).total == 1


def test_the_guide_has_the_bounds_of_the_trees_that_are_kept() -> None:
    guide = (ROOT / "docs" / "howto" / "play.md").read_text("utf-8")
    bounds = (thinkers.MAX_KEPT_PLAYERS, thinkers.MAX_KEPT_SIMULATIONS)
    said = "of {:,} games at most, whose levels have {:,} simulations together"
    assert said.format(*bounds) in guide
