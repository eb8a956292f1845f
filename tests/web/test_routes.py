"""The routes without HTTP: actions, views and refusals."""

from __future__ import annotations

import random
import zlib
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from threading import Event
from typing import Any, cast

import pytest
from attrs import evolve

import pontedeldiavolo as pdd
from pontedeldiavolo.base.catalogs import rules_summary
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.players import ActionStats, Analysis, AnalysisLine, RandomPlayer
from pontedeldiavolo.web import routes, thinkers
from pontedeldiavolo.web.requests import MAX_BODY_BYTES, Request, Response, SiteError
from pontedeldiavolo.web.rules_page import BOARDS, LAST
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore, StoredGame
from pontedeldiavolo.web.thinkers import LEVELS, Thinkers
from support.games import random_game
from support.http_client import BY_AN_ISLAND, SMALL, Guest, at_the_island, fixed_seed, snapshot
from support.processes import PATIENCE
from support.waiting import assert_soon

PURE = {
    f"level-{number}": f"Computer {number} ({LEVELS[f'level-{number}'].player})"
    for number in range(1, 5)
}
"""The levels that need no extra, and their names in records."""


CHOICES = ("targets", "conflicts", "buildable")
"""The fields of a snapshot from which a view has its choices, for those who may click now."""


def require_table(
    shown: dict[str, Any], game: pdd.Game, catalog: Catalog = pdd.messages.LANGUAGES["en"]
) -> None:
    """Require that a view says of the turn and of the next clicks what a snapshot says."""
    expected = cast(dict[str, Any], snapshot(game, catalog))
    assert shown["snapshot"] == {name: expected[name] for name in shown["snapshot"]}
    empty = {name: type(expected[name])() for name in CHOICES}
    choices = shown["choices"] or empty
    may_click = bool(shown["yours"])
    assert {name: choices[name] for name in CHOICES} == {
        name: expected[name] if may_click else empty[name] for name in CHOICES
    }
    assert shown["other_actions"] == (expected["other_actions"] if may_click else [])


def require_shown(shown: dict[str, Any], game: pdd.Game, *, is_live: bool = True) -> None:
    """Require that the view shows a game, to a user who may click now."""
    assert shown["version"] == 1 + len(game.actions)
    assert shown["result"] == game.result
    assert shown["ending"] == (game.ending and game.ending.value)
    assert shown["sentence"] == pdd.messages.result(game)
    require_table(shown, game)
    assert shown["movesHtml"].count("<li ") == 1 + len(game.actions)
    tiles = sum(len(game.state.position.tiles(color)) for color in pdd.Color)
    assert shown["svg"].count('class="tile ') == tiles
    if not is_live or game.state.to_move is None:
        assert shown["choices"] is None
        return
    legal = game.state.legal_actions
    choices = shown["choices"]
    ends = {str(end) for each in legal.bridges for end in (each.a, each.b)}
    assert {*choices["firstCells"]} == {*map(str, legal.first_tiles)} | ends
    ghosts = [f'data-ghost="{name}"' for name in ("tile", *map(pdd.format_action, legal.bridges))]
    assert choices["ghosts"].count("data-ghost") == len(ghosts)
    assert all(ghost in choices["ghosts"] for ghost in ghosts)


def click_twice(guest: Guest, game: pdd.Game, first: pdd.Cell, second: pdd.Cell) -> Any:
    """Click on two cells."""
    version = 1 + len(game.actions)
    shown = guest.post("actions", version=version, cells=[str(first)])
    bridges = game.state.legal_actions.bridges_from(first)
    ends = [each.b if each.a == first else each.a for each in bridges]
    expected = ends or [*game.state.legal_actions.second_tiles(first)]
    assert shown == {"second": [str(cell) for cell in expected]}
    return guest.post("actions", version=version, cells=[str(first), str(second)])


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game_click_by_click(seed: int) -> None:
    rng = random.Random(seed)
    guest = Guest().seated()
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    kinds = set()
    while game.ending is None:
        require_shown(guest.get(), game)
        legal = game.state.legal_actions
        action: pdd.Action = rng.choice(legal.bridges or legal)
        if isinstance(action, pdd.PlaceTiles | pdd.BuildBridge) and game.actions:
            shown = click_twice(guest, game, action.a, action.b)
        else:
            text = pdd.format_action(action)
            shown = guest.post("actions", version=1 + len(game.actions), action=text)
        game = game.play(action)
        kinds.add(type(action))
        require_shown(shown, game, is_live=game.ending is None)
    assert kinds >= {pdd.PlaceTiles, pdd.ChooseColor, pdd.BuildBridge}
    record = guest.raw("GET", f"/games/{guest.game}/record")
    assert record.headers["Content-Disposition"] == f'attachment; filename="{guest.game}.pdd"'
    assert guest.record() == game
    german = Guest(guest.site, guest.game, guest.token, {"lang": "de"}).get()
    require_table(german, game, pdd.messages.LANGUAGES["de"])
    assert german["sentence"] == pdd.messages.result(game, "de")
    assert "Spieler 2 nimmt " in german["movesHtml"]


def test_choices_are_offered_to_the_seat_to_move() -> None:
    guest = Guest().seated()
    assert guest.get()["other_actions"] == []
    assert guest.play("a1,b1")["other_actions"] == ["white", "red"]
    assert guest.looking_on().get()["other_actions"] == []
    assert guest.play("red")["other_actions"] == []
    tiny = Guest().seated(rules="1x1 tiles=unlimited bridges=unlimited tiebreaks=none")
    assert tiny.get()["other_actions"] == ["pass"]


def names(shown: dict[str, Any]) -> dict[str, str]:
    return {each["cell"]: each["name"] for row in shown["cells"] for each in row}


def test_cells_have_names() -> None:
    guest = Guest().seated(rules="6x5 tiles=unlimited bridges=6 tiebreaks=none")
    shown = guest.play(*BY_AN_ISLAND, "d1,e3", "a5,d3", "b1-d1")
    assert [each["cell"] for each in shown["cells"][0]] == ["a5", "b5", "c5", "d5", "e5", "f5"]
    assert [each["cell"] for each in shown["cells"][-1]][:2] == ["a1", "b1"]
    named = names(shown)
    assert named["a1"] == "a1, white tile, island"
    assert named["b1"] == "b1, white tile, island, bridge to d1"
    assert named["c1"] == "c1, blocked water"
    assert named["a5"] == "a5, red tile, sandbank"
    assert named["f4"] == "f4, water"
    in_german = Guest(guest.site, guest.game, guest.token, {"lang": "de"}).get()
    assert names(in_german)["b1"] == "b1, Stein in Weiß, Insel, Brücke nach d1"
    assert names(in_german)["c1"] == "c1, blockiertes Wasser"


def test_the_grid_of_cells_in_the_picture() -> None:
    shown = Guest().seated(rules="4x2 tiles=unlimited bridges=6 tiebreaks=none").get()
    width, height = map(int, shown["svg"].partition('viewBox="0 0 ')[2].partition('"')[0].split())
    sizes = {"width": 160 / width, "height": 80 / height}
    places = {"left": (width - 166) / width, "top": 6 / height, "ratio": width / height}
    assert shown["grid"] == pytest.approx({"columns": 4, "rows": 2, **sizes, **places})


@pytest.mark.parametrize("lang", ["en", "de", "fr"])
def test_why_not(lang: str) -> None:
    begun = Guest().seated()
    guest = Guest(begun.site, begun.game, begun.token, {"lang": lang})
    version = guest.play(*BY_AN_ISLAND)["version"]
    island = at_the_island(lang)
    for fields in ({"cells": ["c3"]}, {"cells": ["d1", "c3"]}, {"action": "d1,c3"}):
        said = guest.refused_action(version=version, **fields)
        assert said == {"error": island["text"], "code": "illegal-action", "violations": [island]}
    assert guest.get()["version"] == version


def test_an_error_about_a_cell_names_the_columns_of_the_board() -> None:
    guest = Guest().seated()
    version = guest.get()["version"]
    last = pdd.Cell(guest.site.store.load(guest.game).game.rules.board.width - 1, 0)
    expected = f"from a to {str(last)[:-1]}"
    for said in (
        guest.post("actions", 400, version=version, cells=["zz1"]),
        guest.post("actions", 400, version=version, cells=["d1", "zz1"]),
        guest.post("actions", 400, version=version, action="zz1,d1"),
    ):
        assert expected in said["error"]


def test_two_people_sit_down_one_after_the_other() -> None:
    first = Guest().seated(seat="first")
    assert first.get()["seats"] == {"first": "person", "second": "free"}
    assert first.get()["yours"] == ["first"]
    stranger = first.looking_on()
    assert stranger.get()["yours"] == []
    said = stranger.refused("actions", 403, version=1, action="a1,b1")
    assert said == "You have no seat in this game."
    second = stranger.at(stranger.post("seats", 201, seat="second"))
    assert second.token not in ("", first.token)
    assert second.get()["yours"] == ["second"]
    assert second.refused("actions", 200, version=1, action="a1,b1") == "It is not your turn."
    assert stranger.refused("seats", 409, seat="second") == "This seat is taken."
    first.play("a1,b1")
    assert first.refused("actions", 200, version=2, action="red") == "It is not your turn."
    second.play("red")
    assert first.get()["players"][0]["color"] == "white"


def test_one_client_can_take_both_seats() -> None:
    first = Guest().seated(seat="first")
    both = first.at(first.post("seats", 201, seat="second"))
    assert both.token == first.token
    assert both.get()["yours"] == ["first", "second"]


def test_tokens_of_other_games_are_nothing_here() -> None:
    one = Guest().seated()
    other = one.seated()
    stranger = Guest(one.site, one.game, other.token)
    assert stranger.refused("resignation", 403, version=1) == "You have no seat in this game."
    odd = Guest(one.site, one.game, "\udcff")
    assert odd.refused("undo", 403, version=1) == "You have no seat in this game."


@pytest.mark.parametrize(("opponent", "name"), PURE.items())
def test_players_of_the_library_answer_at_once(opponent: str, name: str) -> None:
    guest = Guest().seated(opponent=opponent, seat="second")
    shown = guest.get()
    assert shown["version"] == 1
    assert shown["seats"] == {"first": opponent, "second": "person"}
    assert shown["snapshot"]["phase"] == "color-choice"
    shown = guest.play("white")
    # The computer has red, and has played before the person gets the response.
    assert shown["version"] == 2
    assert shown["snapshot"]["to_move"] == "white"
    assert len(guest.record().state.position.tiles(pdd.Color.RED)) == 2
    assert guest.looking_on().refused("seats", 409, seat="first") == "This seat is taken."
    record = guest.record()
    assert record.tags == {"First": name}


def test_players_of_the_library_do_not_always_do_the_same() -> None:
    guest = Guest(Site(MemoryStore()))
    begun = [guest.begin(rules=SMALL, opponent="level-1", seat="second") for _ in range(20)]
    assert len({shown["snapshot"]["last"] for shown in begun}) > 1


def test_games_against_the_library_come_to_an_end() -> None:
    rules = "5x5 tiles=unlimited bridges=unlimited tiebreaks=none"
    guest = Guest().seated(opponent="level-4", seat="first", rules=rules)
    shown = guest.get()
    rng = random.Random(3)
    while shown["ending"] is None:
        action = guest.record().state.legal_actions.sample(rng)
        shown = guest.play(pdd.format_action(action))
    assert shown["ending"] == "scored"
    assert shown["choices"] is None
    said = guest.refused("actions", 200, version=shown["version"], action="pass")
    assert said == "The game has ended."


def test_the_greedy_player_refuses_large_boards() -> None:
    large = "17x16 tiles=unlimited bridges=unlimited tiebreaks=none"
    guest = Guest()
    said = guest.begin(422, rules=large, opponent="level-4", seat="first")["error"]
    assert said == "On a board of more than 256 cells this opponent takes too long."
    assert guest.begin(rules=large, opponent="level-1", seat="second")["version"] == 1


def test_no_request_starts_a_program_or_reads_a_file(tmp_path: Path) -> None:
    for opponent in (f"external:touch {tmp_path / 'file'}", "learned:net.npz"):
        Guest().begin(400, rules=SMALL, opponent=opponent, seat="first")
    assert not [*tmp_path.iterdir()]


def thoughtful(max_jobs: int = 9) -> Site:
    """Return a site with one thread for players."""
    return Site(MemoryStore(), fixed_seed, thinkers=Thinkers(1, max_jobs))


def blocked(site: Site, key: object = "blocked") -> Event:
    """Keep the thread busy until the returned event is set."""
    free = Event()
    begun = Event()

    def wait() -> None:
        begun.set()
        free.wait(PATIENCE)

    assert site.thinkers is not None
    site.thinkers.submit(key, wait)
    begun.wait(PATIENCE)
    return free


def test_a_thread_finds_the_answer_of_the_computer() -> None:
    site = thoughtful()
    guest = Guest(site).seated(opponent="level-4", seat="first")
    assert not guest.get()["is_thinking"]
    free = blocked(site)
    shown = guest.play("a1,b1")
    assert (shown["version"], shown["is_thinking"], shown["choices"]) == (2, True, None)
    assert shown["can_undo"]
    # Viewing the game does not start a second search.
    assert guest.get()["is_thinking"]
    free.set()
    assert_soon(lambda: not guest.get()["is_thinking"])
    assert guest.get()["version"] == 3
    assert guest.record().tags == {"Second": "Computer 4 (greedy)"}


def test_an_answer_to_an_action_that_was_taken_back_is_dropped() -> None:
    site = thoughtful()
    guest = Guest(site).seated(opponent="level-1", seat="first")
    free = blocked(site)
    guest.play("a1,b1")
    assert guest.post("undo", version=2)["version"] == 3
    free.set()
    # When this job begins, the thread has finished all earlier jobs.
    again = blocked(site, "again")
    assert guest.get()["version"] == 3
    again.set()


def test_a_full_queue_refuses_actions() -> None:
    site = thoughtful(1)
    guest, other = (Guest(site).seated(opponent="level-1", seat="first") for _ in range(2))
    free = blocked(site)
    guest.play("a1,b1")
    assert other.post("actions", 503, version=1, action="a1,b1")["code"] == "thinkers-busy"
    assert site.thinkers is not None
    # Viewing another game that waits finds no place in the queue either.
    site.thinkers.submit("more", free.wait)
    assert Guest(site).begin(503, rules=SMALL, opponent="level-1", seat="second")
    assert other.get()["version"] == 1
    free.set()


def test_a_repeated_request_for_a_new_game_is_not_refused_by_a_full_queue() -> None:
    """The game exists, because only the first response was lost."""
    site = thoughtful(1)
    free = blocked(site)
    fields: dict[str, Any] = {"rules": SMALL, "opponent": "level-1", "seat": "second"}
    begun = Guest(site).begin(key="k" * 32, **fields)
    assert Guest(site).begin(503, key="l" * 32, **fields)["code"] == "thinkers-busy"
    assert Guest(site).begin(key="k" * 32, **fields)["id"] == begun["id"]
    free.set()


def test_a_failed_player_is_logged_and_not_asked_again(caplog: pytest.LogCaptureFixture) -> None:
    thinkers = Thinkers()
    thinkers.submit("a", lambda: 1 // 0)
    failed = Event()
    thinkers.submit("after it", failed.set)
    assert failed.wait(PATIENCE)
    assert "has failed" in caplog.text
    calls: list[int] = []
    done = Event()
    assert not thinkers.submit("a", lambda: calls.append(1))
    assert thinkers.submit("b", done.set)
    assert done.wait(PATIENCE)
    assert calls == []


def test_the_search_is_compiled_when_the_page_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    site = thoughtful()
    done = Event()
    asked = list[str]()

    def by_name(name: str) -> RandomPlayer:
        asked.append(name)
        done.set()
        return RandomPlayer()

    for place in ("thinkers", "site"):
        monkeypatch.setattr(f"pontedeldiavolo.web.{place}.by_name", by_name)
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    for _ in range(2):
        Guest(site).raw("GET", "/words")
    assert done.wait(PATIENCE)
    assert asked == [thinkers.SMALLEST_SEARCH.player]
    begun = Guest(Site(MemoryStore())).begin(rules=SMALL, opponent="level-7", seat="second")
    assert asked[1:] == [LEVELS["level-7"].player]
    assert begun["seats"]["first"] == "level-7"


def test_without_its_packages_a_level_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    guest = Guest()
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", lambda _name: None)
    known: Any = guest.raw("GET", "/words").content
    assert [*known["levels"]] == [*LEVELS]
    assert Guest(thoughtful()).raw("GET", "/words").content == known
    assert [name for name, there in known["levels"].items() if there] == [*PURE]
    refused = guest.begin(422, rules=SMALL, opponent="level-5", seat="first")
    assert refused["code"] == "opponent-unavailable"


def test_a_player_of_both_seats_takes_back_step_by_step() -> None:
    guest = Guest().seated()
    assert not guest.get()["can_undo"]
    guest.play("a1,b1", "red")
    for version, phase in ((3, "color-choice"), (4, "opening")):
        shown = guest.post("undo", version=version)
        assert (shown["version"], shown["snapshot"]["phase"]) == (version + 1, phase)
    assert not guest.get()["can_undo"]


def test_undo_after_a_resignation_removes_only_the_resignation() -> None:
    guest = Guest().seated()
    version = guest.play("a1,b1")["version"]
    shown = guest.post("resignation", version=version, seat="second")
    assert (shown["ending"], shown["result"], shown["choices"]) == ("resignation", "first", None)
    assert shown["can_undo"]
    shown = guest.post("undo", version=version + 1)
    assert (shown["ending"], shown["snapshot"]["phase"]) == (None, "color-choice")


def test_against_the_library_one_goes_back_to_the_own_last_action() -> None:
    guest = Guest().seated(opponent="level-1", seat="second")
    assert not guest.get()["can_undo"]
    shown = guest.play("white")
    assert shown["can_undo"]
    shown = guest.post("undo", version=2)
    assert (shown["version"], shown["snapshot"]["phase"]) == (3, "color-choice")
    assert not shown["can_undo"]


def test_only_the_player_of_the_last_action_may_undo_it() -> None:
    first = Guest().seated(seat="first")
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    first.play("a1,b1")
    assert not second.get()["can_undo"]
    assert first.get()["can_undo"]
    assert second.refused("undo", 409, version=2).startswith("There is nothing")
    first.post("undo", version=2)
    first.play("c1,d1")
    second.play("red")
    assert not first.get()["can_undo"]
    assert first.refused("undo", 409, version=5).startswith("There is nothing")
    assert not first.looking_on().get()["can_undo"]
    second.post("resignation", version=5)
    assert not second.get()["can_undo"]


def test_each_of_two_people_resigns_for_their_own_seat() -> None:
    first = Guest().seated(seat="first")
    shown = first.post("resignation", version=1)
    assert (shown["ending"], shown["result"]) == ("resignation", "second")
    assert first.refused("resignation", 409, version=2) == "The game has ended."


def test_a_game_of_two_people_is_aborted_before_it_has_begun() -> None:
    first = Guest().seated(seat="first")
    assert first.get()["can_abort"]
    assert not first.looking_on().get()["can_abort"]
    assert first.looking_on().post("abort", 403, version=1)["code"] == "no-seat"
    # Nobody has joined: the first player may have moved.
    first.play("a1,b1")
    assert first.post("abort", 409, version=7)["code"] == "outdated"
    first.post("abort", 204, version=2)
    first.get(status=404)
    assert first.looking_on().post("seats", 404, seat="second")["code"] == "no-such-game"
    # Both are there: either of them, until two actions were played.
    first = Guest().seated(seat="first")
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    first.play("a1,b1")
    assert first.get()["can_abort"]
    second.play("red")
    assert not first.get()["can_abort"]
    refused = second.post("abort", 409, version=second.get()["version"])
    assert refused["code"] == "abort-too-late"
    assert second.get()["ending"] is None


def test_nobody_aborts_a_game_alone_or_after_its_end() -> None:
    for fields in ({}, {"opponent": "level-1", "seat": "first"}):
        guest = Guest().seated(**fields)
        assert not guest.get()["can_abort"]
        assert guest.post("abort", 409, version=1)["code"] == "abort-too-late"
    first = Guest().seated(seat="first")
    shown = first.post("resignation", version=1)
    assert not shown["can_abort"]
    assert first.post("abort", 409, version=2)["code"] == "abort-too-late"


def test_a_draw_is_offered_and_accepted() -> None:
    first = Guest().seated(seat="first")
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    first.play("a1,b1")
    assert first.post("draw", version=2)["draw_offer"] == "first"
    # The next action declines the offer.
    assert second.post("actions", version=3, action="red")["draw_offer"] is None
    assert first.post("draw", version=4)["ending"] is None
    assert "DrawOffer" not in str(first.raw("GET", f"/games/{first.game}/record").content)
    shown = second.post("draw", version=5)
    assert (shown["ending"], shown["result"]) == ("agreement", "draw")
    assert first.refused("draw", 409, version=6) == "The game has ended."
    both = Guest().seated()
    assert both.post("draw", version=1)["ending"] == "agreement"


def test_a_rematch_has_the_seats_exchanged() -> None:
    first = Guest().seated(seat="first", name="Ada")
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    assert first.post("rematch", 409, version=1)["code"] == "game-not-ended"
    first.post("resignation", version=1)
    assert first.post("rematch", 409, version=1)["code"] == "outdated"
    assert first.post("rematch", version=2)["rematch_request"] == "first"
    name = second.post("rematch", 201, version=3)["id"]
    assert first.get()["rematch_id"] == name
    # A person who presses the button again sends an earlier version.
    for version in (3, 4):
        assert second.post("rematch", 201, version=version) == {"id": name}
    for guest, seat in ((first, "second"), (second, "first")):
        assert Guest(guest.site, name, guest.token).get()["yours"] == [seat]
    assert Guest(first.site, name).record().tags == {"Second": "Ada"}
    alone = Guest().seated(opponent="level-1", seat="first")
    alone.post("resignation", version=1)
    name = alone.post("rematch", 201, version=2)["id"]
    seats = Guest(alone.site, name, alone.token).get()["seats"]
    assert seats == {"first": "level-1", "second": "person"}


class Prompter:
    """An analyst for which the first legal action is the best, and red on f1 a mistake."""

    def __init__(self, free: Event, begun: Event) -> None:
        self.free = free
        self.begun = begun

    def analyse(self, state: pdd.GameState, stop: Callable[[], bool] = bool) -> Analysis:
        self.begun.set()
        while stop is not bool and not stop() and not self.free.wait(0.001):
            pass
        best = state.legal_actions[0]
        value = 0.5 if pdd.Cell(5, 0) in state.position.tiles(pdd.Color.RED) else 0.25
        line = AnalysisLine((best,), value, 0, visits=3, depth=1, proven=False)
        return Analysis(best, value, (ActionStats(best, 3, value),), (best,), (line,))


Analysed = tuple[Guest, Event]


@pytest.fixture
def begun() -> Event:
    """Return the event that is set when an analysis begins."""
    return Event()


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch, begun: Event) -> Iterator[Analysed]:
    """Return a game with an analyst that searches until it is stopped or the event is set."""
    site = thoughtful()
    free = Event()
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.by_name", lambda _name: Prompter(free, begun))
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    guest = Guest(site).seated()
    guest.play(*BY_AN_ISLAND)
    yield guest, free
    free.set()


def found(guest: Guest, language: str = "en") -> Any:
    """Return the result of an analysis after its end."""
    while guest.raw("GET", f"/games/{guest.game}/analysis").status == 204:
        pass
    while "total" in (shown := guest.get("/analysis", lang=language)):
        pass
    return shown


def test_a_full_queue_analyses_nothing(analysed: Analysed, monkeypatch: pytest.MonkeyPatch) -> None:
    guest, _ = analysed
    monkeypatch.setattr(Thinkers, "submit_analysis", lambda *_: False)
    assert guest.post("analyses", 503, ply=0)["code"] == "thinkers-busy"
    guest.get("/analysis", 404)


def test_a_moment_is_analysed_until_somebody_stops_it(analysed: Analysed, begun: Event) -> None:
    guest, free = analysed
    assert guest.get()["can_analyse"]
    assert guest.get("/analysis", 404)["code"] == "no-such-analysis"
    guest.post("analyses", 202)
    guest.post("analyses", 202, ply=0)
    assert guest.raw("GET", f"/games/{guest.game}/analysis").status == 204
    assert begun.wait(PATIENCE)
    guest.post("analyses", 202)
    shown = found(guest)
    assert (shown["ply"], shown["value"]) == (0, 0.25)
    assert shown["lines"] == [{"value": 0.25, "actions": ["a1,b1"]}]
    assert shown["svg"].count('class="tile white"') == 2
    assert shown["svg"].count('class="heat"') == 2
    # Another analysis also ends it; values are for the first player.
    guest.post("analyses", 202, ply=0)
    guest.post("analyses", 202, ply=3)
    free.set()
    assert (found(guest)["ply"], found(guest)["value"]) == (3, 0.5)
    guest.post("analyses", 202, ply=1)
    assert 'class="heat"' not in found(guest)["svg"]
    for ply in (-2, 6, "1", None):
        assert guest.post("analyses", 400, ply=ply)["error"] == "The body needs 'ply'."


def test_a_whole_game_is_analysed(analysed: Analysed) -> None:
    guest, _ = analysed
    free = blocked(guest.site)
    guest.post("analyses", 202, ply=-1)
    guest.post("analyses", 202)
    free.set()
    assert found(guest) == {}
    guest.post("analyses", 202, ply=-1)
    shown = found(guest)
    [mistake] = shown["mistakes"]
    assert (mistake["ply"], mistake["turn"], mistake["side"]) == (3, 2, "red")
    # Values of 0.25 and 0.5 for the first player are 62 and 75 % for it: 38 and 25 % for red.
    assert (mistake["before"], mistake["after"], mistake["sign"]) == (38, 25, "?!")
    assert mistake["action"] == "f1,f5"
    assert mistake["better"] == ["c1,d1", "e1,f1"]
    assert mistake["variation"] == 0
    assert len(shown["values"]) == 5
    assert shown["moves"].count('class="variation"') == 1


class Uncertain:
    """An analyst whose values seem random, but are the same for the same state."""

    def analyse(self, state: pdd.GameState, **_stop: object) -> Analysis:
        best = state.legal_actions[0]
        value = (zlib.crc32(pdd.format_state(state).encode()) % 2001 - 1000) / 1000
        line = AnalysisLine((best,), value, 0, visits=3, depth=1, proven=False)
        return Analysis(best, value, (ActionStats(best, 3, value),), (best,), (line,))


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_chances_of_a_review_give_its_order_and_its_signs(
    monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.by_name", lambda _name: Uncertain())
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    site = thoughtful()
    signs = set()
    for seed in range(3):
        guest = Guest(site).seated(rules=SMALL)
        game = random_game(SMALL, seed)
        guest.play(*map(pdd.format_action, game.actions))
        guest.post("analyses", 202, ply=-1)
        shown = found(guest, language)
        losses = [each["before"] - each["after"] for each in shown["mistakes"]]
        assert losses == sorted(losses, reverse=True)
        expected = ["??" if loss >= 30 else "?" if loss >= 20 else "?!" for loss in losses]
        assert [each["sign"] for each in shown["mistakes"]] == expected
        assert min(losses) >= 10
        signs |= {*expected}
    assert signs == {"?!", "?", "??"}


def test_a_review_has_the_variations_that_were_kept_after_it(analysed: Analysed) -> None:
    guest, _ = analysed
    guest.post("analyses", 202, ply=-1)
    before = found(guest)
    version = guest.get()["version"]
    # One of them begins at the mistake, the other one at a good move.
    for ply, action in ((2, "e3,f3"), (4, "d3,e3")):
        shown = guest.post("variations", version=version, ply=ply, tried=[action])
        version = shown["version"]
    after = guest.get("/analysis")
    assert after["moves"].count('class="variation"') == 3
    assert after["values"] == before["values"]
    # The better line keeps its number among the variations of the mistake.
    assert after["mistakes"] == before["mistakes"]
    places = [after["moves"].index(text) for text in ("c1,d1", "e3,f3", "d3,e3")]
    assert places == sorted(places)


def test_no_analysis_against_others(analysed: Analysed, monkeypatch: pytest.MonkeyPatch) -> None:
    site = analysed[0].site
    first = Guest(site).seated(seat="first", opponent="level-1")
    assert not first.get()["can_analyse"]
    assert first.post("analyses", 403, ply=0)["code"] == "no-analysis"
    first.post("resignation", version=first.get()["version"])
    assert first.get()["can_analyse"]
    assert not first.looking_on().get()["can_analyse"]
    monkeypatch.setattr("pontedeldiavolo.web.analyses.MAX_ANALYSES", 1)
    for guest in (first, analysed[0]):
        guest.post("analyses", 202, ply=0)
        guest.post("analyses", 202)
    assert [*site.analyses] == [analysed[0].game]


def clocked(times: list[float]) -> Site:
    """Return a site whose time is the last item of a list."""
    return Site(MemoryStore(), fixed_seed, now=lambda: times[-1])


def test_clocks_run_from_the_first_action_on_and_end_the_game() -> None:
    times = [100.0]
    first = Guest(clocked(times)).seated(seat="first", time_control="60+5")
    times.append(150)
    assert first.get()["seconds_left"] == {"first": 60, "second": 60}
    # No clock runs while a seat is free.
    first.play("a1,b1")
    times.append(400)
    assert (first.get()["seconds_left"], first.get()["seat_on_clock"]) == (
        {"first": 65, "second": 60},
        None,
    )
    second = first.at(first.looking_on().post("seats", 201, seat="second"))
    times.append(410)
    assert (second.get()["seconds_left"]["second"], second.get()["seat_on_clock"]) == (50, "second")
    shown = second.play("red")
    assert shown["seconds_left"] == {"first": 65, "second": 55}
    # Otherwise undo would restore the time.
    second.refused("undo", 409, version=shown["version"])
    times.append(430)
    offered = second.post("draw", version=shown["version"])
    assert offered["seconds_left"] == {"first": 65, "second": 35}
    assert second.post("draw", version=offered["version"])["version"] == offered["version"]
    times.append(520)
    shown = first.get()
    assert (shown["ending"], shown["sentence"]) == ("time", "White wins on time.")
    assert (shown["seconds_left"], shown["seat_on_clock"]) == ({"first": 65, "second": 0}, None)
    record = first.record()
    assert record.ending is pdd.Ending.TIME
    assert [move.clock for move in record.line.moves] == [65, 55]
    refused = Guest().begin(400, rules=SMALL, time_control="5+5", start=pdd.records.dumps(record))
    assert refused["code"] == "bad-field"
    assert not [name for name in record.tags if name.startswith("Serve")]
    asked = first.post("rematch", version=shown["version"])
    name = second.post("rematch", 201, version=asked["version"])["id"]
    assert Guest(first.site, name).get()["seconds_left"] == {"first": 60, "second": 60}


def test_a_clock_stops_while_no_server_runs() -> None:
    times = [100.0]
    guest = Guest(clocked(times)).seated(seat="both", time_control="60+0")
    guest.play("a1,b1")
    times.append(1000)
    again = Guest(Site(guest.site.store, now=lambda: times[-1]), guest.game, guest.token)
    times.append(1010)
    assert again.get()["seconds_left"] == {"first": 60, "second": 50}
    times.append(900)
    assert again.get()["seconds_left"]["second"] == 60
    stored = guest.site.store.load(guest.game)
    # Another process has begun a turn that this process does not know.
    begun = evolve(stored, version=3, turn_version=3, seconds_used=0.0)
    guest.site.store.replace(begun)
    assert again.get()["seconds_left"]["second"] == 60


@pytest.mark.parametrize("path", ["resignation", "draw"])
def test_clocks_stay_as_they_are_at_the_end(path: str) -> None:
    times = [100.0]
    guest = Guest(clocked(times)).seated(seat="both", time_control="60+0")
    guest.play("a1,b1")
    times.append(110)
    who: dict[str, Any] = {"seat": "first"} if path == "resignation" else {}
    ended = guest.post(path, version=2, **who)
    times.append(120)
    assert ended["seconds_left"] == guest.get()["seconds_left"] == {"first": 60, "second": 50}
    assert guest.post("undo", version=3)["seconds_left"] == {"first": 60, "second": 60}
    times.append(125)
    assert guest.get()["seconds_left"]["second"] == 55


def test_clocks_of_a_game_that_is_played_out() -> None:
    rules = "2x1 tiles=unlimited bridges=unlimited tiebreaks=none"
    guest = Guest(clocked([100.0])).seated(rules=rules, time_control="60+0")
    shown = guest.play("a1,b1", "red", "pass")
    assert (shown["ending"], shown["seconds_left"]) == ("scored", {"first": 60, "second": 60})


def test_the_computer_has_no_clock() -> None:
    times = [100.0]
    guest = Guest(clocked(times)).seated(opponent="level-1", seat="second", time_control="10+1")
    assert (guest.get()["seconds_left"], guest.get()["seat_on_clock"]) == ({"second": 10}, "second")
    guest.play("white")
    times.append(104)
    assert guest.get()["seconds_left"] == {"second": 7}
    assert guest.post("undo", version=guest.get()["version"])["seconds_left"] == {"second": 10}
    refused = Guest().begin(400, rules=SMALL, time_control="5 minutes")
    assert refused["error"] == "The body needs 'time_control'."


def test_a_loss_on_time_is_stored_once_or_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    times = [100.0]
    replace = MemoryStore.replace
    guest = Guest(clocked(times)).seated(time_control="10+0")
    guest.play("a1,b1")

    def full(*_: object) -> StoredGame:
        raise SiteError("store-unwritable", 503)

    def twice(store: MemoryStore, new: StoredGame, old: StoredGame) -> StoredGame:
        replace(store, new, old)
        return replace(store, new, old)

    times.append(111)
    monkeypatch.setattr(MemoryStore, "replace", full)
    assert guest.get("", 503)["code"] == "store-unwritable"
    # Two clients notice at the same time that the time is over.
    monkeypatch.setattr(MemoryStore, "replace", twice)
    assert (guest.get()["ending"], guest.get()["version"]) == ("time", 3)


def test_failed_analyses(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(thinkers, "ANALYSIS_PLAYER", "no-such-player")
    guest = Guest().seated()
    job = thinkers.AnalysisJob(guest.record(), 0, pdd.messages.LANGUAGES["en"])
    job.run()
    assert (job.is_over, job.found) == (True, None)
    guest.site.analyses[guest.game] = job
    assert guest.get("/analysis", 500)["code"] == "analysis-failed"
    assert "An analysis has failed." in caplog.text


@pytest.mark.parametrize("ply", [None, 0])
def test_an_analysis_ends_when_its_page_is_left(ply: int | None, analysed: Analysed) -> None:
    guest, _ = analysed
    job = thinkers.AnalysisJob(guest.record(), ply, pdd.messages.LANGUAGES["en"])
    job.asked_at -= thinkers.PATIENCE_SECONDS
    guest.site.analyses[guest.game] = job
    job.run()
    assert (job.is_over, job.found) == (True, None)
    guest.get("/analysis")
    assert not job._is_unwanted()


def test_an_analysis_ends_when_its_state_is_undone(analysed: Analysed, begun: Event) -> None:
    """No request for the analysis is needed."""
    guest, _ = analysed
    shown = guest.get()
    guest.post("analyses", 202, ply=len(guest.record().actions))
    assert begun.wait(PATIENCE)
    guest.post("undo", version=shown["version"])
    job = guest.site.analyses[guest.game]
    assert job.is_stopped
    assert_soon(lambda: job.is_over)


@pytest.mark.parametrize("ply", [None, 0])
def test_an_analysis_that_was_stopped_while_it_waited_does_not_begin(
    ply: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Starting the search would waste time that other games need."""
    asked: list[str] = []
    monkeypatch.setattr(thinkers, "by_name", asked.append)
    guest = Guest().seated()
    job = thinkers.AnalysisJob(guest.record(), ply, pdd.messages.LANGUAGES["en"], is_stopped=True)
    guest.site.analyses[guest.game] = job
    job.run()
    assert (asked, job.is_over, job.has_failed) == ([], True, False)
    assert guest.get("/analysis") == {}


SETUP = "2 w . . r\n1 w . . r\n  a b c d\n"


def test_games_begin_with_set_ups_and_states() -> None:
    guest = Guest()
    shown = guest.begin(rules="original", start=SETUP)
    assert shown["rules"] == "4x2 tiles=40 bridges=15 tiebreaks=islands,bridges"
    assert shown["svg"].count('class="tile white"') == 2
    assert shown["snapshot"]["to_move"] == "white"
    for mover, seats in (("white", "first"), ("red", "second")):
        shown = guest.begin(rules="original", start=SETUP, to_move=mover)
        assert shown["snapshot"]["to_move"] == mover
        assert shown["snapshot"]["seat_to_move"] == seats
        assert shown["choices"]["firstCells"]
    state = pdd.format_state(pdd.GameState.initial(pdd.presets.ORIGINAL))
    shown = guest.begin(start=state, to_move="red")
    assert shown["snapshot"]["to_move"] == "white"
    shown = guest.begin(start=state)
    assert shown["rules"] == pdd.format_rules(pdd.presets.ORIGINAL)
    shown = guest.begin(rules="wikipedia", start="  ")
    assert shown["rules"] == pdd.format_rules(pdd.presets.WIKIPEDIA)


@pytest.mark.parametrize("name", ["pdd", "sgf", "json"])
def test_records_of_any_format_are_opened(name: str) -> None:
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), BY_AN_ISLAND)
    file = StringIO()
    tags = {"First": "Ada", "ServeSecond": "0" * 64, "ServeVersion": "7"}
    pdd.records.write([game.with_tags(tags)], file, pdd.records.Format(name))
    guest = Guest().seated(start=file.getvalue(), opponent="level-1", seat="second")
    record = guest.record()
    assert record.actions[: len(BY_AN_ISLAND)] == game.actions
    assert record.state.to_move is pdd.Color.RED
    assert record.tags == {"First": PURE["level-1"]}
    refused = Guest().begin(422, start="1. d4,g7 red 2. d5,d5")
    assert refused["code"] == "legal-action"


def test_a_server_has_no_more_games_than_it_may() -> None:
    guest = Guest(Site(MemoryStore(2)))
    shown = [guest.begin(rules="original") for _ in range(2)]
    said = guest.begin(403, rules="original")
    assert said["code"] == "too-many-games"
    assert said["error"] == "This server is full: no more games can be started."
    in_german = Guest(guest.site, query={"lang": "de"}).begin(403, rules="original")
    assert in_german["error"].startswith("Hier kann keine Partie mehr begonnen werden")
    guest.at(shown[0]).play("a1,b1")


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({}, 400, "bad-field"),
        ({"rules": 7}, 400, "bad-field"),
        ({"rules": "draughts"}, 400, "size-or-preset"),
        ({"rules": "\ud800"}, 400, "size-or-preset"),
        ({"rules": "original", "start": "?"}, 400, None),
        ({"rules": "original", "start": None}, 400, "bad-field"),
        ({"rules": "original", "start": "2 x .\n1 . ."}, 422, "invalid-position"),
        ({"start": "2x1 rows=9"}, 400, None),
        ({"rules": "original", "start": SETUP, "to_move": "blue"}, 400, "bad-choice"),
        ({"rules": "original", "to_move": None}, 400, "bad-field"),
        ({"rules": "original", "opponent": "strong"}, 400, "bad-choice"),
        ({"rules": "original", "opponent": "level-4"}, 400, "bad-field"),
        ({"rules": "original", "opponent": "level-4", "seat": "both"}, 400, "bad-choice"),
        ({"rules": "original", "seat": "third"}, 400, "bad-choice"),
        ({"rules": f"2x2 tiles={2**60} bridges=9 tiebreaks=none"}, 400, "at-most"),
    ],
)
def test_games_that_cannot_begin(fields: dict[str, object], status: int, code: str | None) -> None:
    said = Guest().begin(status, **fields)
    assert said["error"]
    assert code is None or said["code"] == code
    in_german = Guest(query={"lang": "de"}).begin(status, **fields)
    assert in_german["code"] == said["code"]
    assert in_german["error"] != said["error"]


WRONG_CLICKS: list[Any] = [
    *({"version": version, "cells": ["a1"]} for version in ("1", True, 1.0)),
    *({"cells": cells} for cells in (None, "a1", [], [4], ["4d"], ["a1", "?"], ["a1", None])),
    {"cells": ["a1", "b1", "c1"]},
]

# Each case: a seat, actions before, a path, fields, the status, and the beginning of the sentence.
REFUSED: list[tuple[str, tuple[str, ...], str, dict[str, object], int, str]] = [
    ("both", (), "undo", {}, 409, "There is nothing that you may undo now."),
    ("both", (), "resignation", {}, 400, "The body needs 'seat'."),
    ("both", (), "resignation", {"seat": "third"}, 400, "'seat' must be one of: first, second."),
    ("first", (), "resignation", {"seat": "second"}, 403, "You do not sit there."),
    ("both", (), "actions", {}, 400, "The body needs 'action'."),
    ("both", (), "actions", {"action": "a1;b1"}, 400, "Expected ','"),
    (
        "both",
        BY_AN_ISLAND,
        "actions",
        {"cells": ["a1"]},
        200,
        "No bridge can be built from a1",
    ),
    ("both", BY_AN_ISLAND, "actions", {"cells": ["f1"]}, 200, "Already taken by a tile: f1."),
    # A tile is one end of a bridge, whatever is clicked next.
    ("both", BY_AN_ISLAND, "actions", {"cells": ["a1", "f4"]}, 200, "A bridge spans"),
    ("both", (), "actions", {"cells": ["a1", "a1"]}, 200, ""),
    *(("both", (), "actions", fields, 400, "") for fields in WRONG_CLICKS),
]


@pytest.mark.parametrize("refused", REFUSED)
def test_refused_requests_change_nothing(refused: tuple[Any, ...]) -> None:
    seat, played, path, fields, status, sentence = refused
    guest = Guest().seated(seat=seat)
    before = guest.play(*played)
    said = guest.refused(path, status, **{"version": before["version"], **fields})
    assert said.startswith(sentence)
    without = {name: value for name, value in fields.items() if name != "version"}
    assert guest.refused(path, 400, **without) == "The body needs 'version'."
    assert guest.get() == before


@pytest.mark.parametrize(
    ("body", "status"),
    [
        *((body, 400) for body in (b"", b"{", b"[]", b"null", b"\xff", b"[" * 9_000)),
        (b'{"version": 1' + b"0" * 9_000 + b"}", 400),
        *((b" " * MAX_BODY_BYTES, 400), (b" " * MAX_BODY_BYTES + b" ", 413)),
    ],
)
def test_bodies_that_say_nothing(body: bytes, status: int) -> None:
    guest = Guest().seated()
    before = guest.get()
    for path in ("seats", "actions", "undo", "resignation", "draw", "rematch"):
        answer: Any = guest.raw("POST", f"/games/{guest.game}/{path}", body)
        assert (answer.status, answer.content.keys()) == (status, {"error", "code"})
    assert guest.raw("POST", "/games", body).status == status
    assert guest.get() == before


@pytest.mark.parametrize("version", [0, 2, -1, 10**9])
def test_outdated_versions_are_refused(version: int) -> None:
    guest = Guest().seated()
    for path in ("actions", "undo", "resignation"):
        said = guest.post(path, 409, version=version, action="a1,b1", seat="first")
        assert said["code"] == "outdated"
    assert guest.get()["version"] == 1


def test_unknown_games_and_pages() -> None:
    guest = Guest()
    for path in ("/games/nothing", "/games/..", "/games/" + "0" * 32, "/games/a%2fb"):
        assert guest.raw("GET", path).status == 404
    for path in ("/", "", "/elsewhere", "/games/", "/games/a/b", "/games/a/seats/c"):
        answer: Any = guest.raw("GET", path)
        assert (answer.status, answer.content["code"]) == (404, "no-such-page")
    for path in ("seats", "actions", "undo", "resignation"):
        body = b'{"version": 1, "seat": "first", "action": "a1,b1"}'
        assert guest.raw("POST", f"/games/{'0' * 32}/{path}", body).status == 404


def test_a_path_can_have_several_methods(monkeypatch: pytest.MonkeyPatch) -> None:
    def remove(_site: Site, request: Request) -> Response:
        return Response({"removed": request.game})

    extended = (*routes.ROUTES, routes.Route("DELETE", "/games/{game}", remove))
    monkeypatch.setattr(routes, "ROUTES", extended)
    guest = Guest().seated()
    path = f"/games/{guest.game}"
    assert guest.raw("GET", path).status == 200
    assert guest.raw("DELETE", path).content == {"removed": guest.game}
    refused: Any = guest.raw("PUT", path)
    assert (refused.status, refused.content["code"]) == (405, "no-such-method")


def test_unchanged_games_have_no_content() -> None:
    first = Guest().seated(seat="first")
    path = f"/games/{first.game}"
    unchanged = first.raw("GET", path, after="1", seats_taken="1")
    assert (unchanged.status, unchanged.content) == (204, None)
    assert first.raw("GET", path, after="1").status == 204
    assert first.raw("GET", path, after="x").status == 200
    first.looking_on().post("seats", 201, seat="second")
    assert first.raw("GET", path, after="1", seats_taken="1").status == 200
    assert first.raw("GET", path, after="1", seats_taken="2").status == 204
    first.play("a1,b1")
    assert first.raw("GET", path, after="1", seats_taken="2").status == 200


def test_names_of_people_are_tags() -> None:
    first = Guest().seated(seat="first", name=" Ada ")
    first.looking_on().post("seats", 201, seat="second", name="B" * 50)
    assert first.record().tags == {"First": "Ada", "Second": "B" * 40}
    assert [player["name"] for player in first.get()["players"]] == ["Ada", "B" * 40]
    nameless = Guest().seated(seat="first", name=" ")
    assert nameless.record().tags == {}
    assert Guest().begin(400, rules=SMALL, name="\ud800")["code"] == "one-line-character"


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_rules_on_one_page(lang: str) -> None:
    answer: Any = Guest(query={"lang": lang}).raw("GET", "/rules").content
    title, sections = rules_summary(lang)
    assert answer["title"] == title
    for found, section in zip(answer["sections"], sections, strict=True):
        assert (found["heading"], found["text"]) == (section.heading, section.text)
        assert all(board["svg"].startswith("<svg") for board in found["boards"])
        asked = [
            note["action"].replace("–", "-") for each in found["boards"] for note in each["notes"]
        ]
        boards = section.boards or [BOARDS[section.key]]
        assert asked == [action for board in boards for action in board.actions]
    islands, bridges, end = (answer["sections"][place]["boards"][0]["notes"] for place in (2, 3, 4))
    assert [note["is_legal"] for note in islands] == [True, False, False]
    assert [note["is_legal"] for note in bridges] == [True, True, True, False, False]
    assert [note["is_legal"] for note in end] == [True, False]
    assert all(note["is_legal"] or note["reasons"] for note in (*islands, *bridges, *end))
    dark: Any = Guest(query={"lang": lang, "theme": "dark"}).raw("GET", "/rules").content
    assert pdd.svg.DARK.water in dark["sections"][0]["boards"][0]["svg"]


def test_the_pictures_of_the_rules_are_states_after_their_last_actions() -> None:
    game = pdd.Game.new(
        pdd.parse_rules("7x4 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges")
    )
    game = game.play("b2,f3")
    assert pdd.format_state(game.state) == BOARDS["start"].state
    game = game.play("white").play(LAST["turn"])
    assert pdd.format_state(game.state) == BOARDS["turn"].state
    # White may pass, although a bridge is possible.
    assert [*map(pdd.format_action, pdd.parse_state(BOARDS["end"].state).legal_actions)] == [
        "d2-d4",
        "pass",
    ]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_words_of_the_page(lang: str) -> None:
    answer: Any = Guest(query={"lang": lang}).raw("GET", "/words").content
    catalog = pdd.messages.LANGUAGES[lang]
    assert {f"page.{key}": text for key, text in answer["words"].items()} == {
        key: text for key, text in catalog.items() if str(key).startswith("page.")
    }
    assert answer["languages"] == {"en": "English", "de": "Deutsch"}
    assert answer["rules"] == [*pdd.presets.names()]
