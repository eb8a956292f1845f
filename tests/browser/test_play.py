"""The page for playing, with clicks, keys, two windows, phones and both themes."""

from __future__ import annotations

import os
import re
from pathlib import Path
from random import Random
from threading import Event
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import players
from pontedeldiavolo.base.messages import Catalog
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.players import Player
from pontedeldiavolo.web.folder import FolderStore
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import AnalysisJob, Thinkers
from support.http_client import AT_THE_ISLAND, BY_AN_ISLAND, SMALL, fixed_seed, new_site
from support.http_server import in_thread, stripping_proxy
from support.screens import TINY, Screen, middle, on_board, press, reach, said, violations, walk

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

if TYPE_CHECKING:
    from playwright.sync_api import APIResponse, BrowserContext, Page, Route


def site_in(folder: Path) -> Site:
    return Site(FolderStore(folder), fixed_seed)


def record_of(screen: Screen) -> pdd.Game:
    """Return the game that the page saves, without the date on which it was begun."""
    screen.page.click("#show-menu")
    screen.page.click("#open-share")
    with screen.page.expect_download() as saved:
        screen.page.click("#share-record")
    screen.page.click("#share .bar button")
    found = pdd.records.loads(Path(saved.value.path()).read_text("utf-8"))
    return found.with_tags({tag: text for tag, text in found.tags.items() if tag != "Date"})


def play_all(screen: Screen, seed: int) -> pdd.Game:
    """Play a random game by clicks, preferring bridges, and check every sentence."""
    game = pdd.Game.new(pdd.parse_rules(TINY))
    rng = Random(seed)
    while game.ending is None:
        legal = game.state.legal_actions
        action: pdd.Action = rng.choice(legal.bridges or legal)
        screen.play(action)
        game = game.play(action)
        screen.shows(game)
        assert screen.text("refusal") == ""
    return game


@pytest.mark.parametrize("seed", [1, 2])
def test_a_whole_game(screen: Screen, seed: int, keep: Path) -> None:
    screen.begin()
    game = play_all(screen, seed)
    kinds = {type(action) for action in game.actions}
    assert kinds >= {pdd.PlaceTiles, pdd.ChooseColor, pdd.BuildBridge}
    assert record_of(screen) == game
    cards = screen.page.locator("#cards .card")
    # White's card is the left one.
    for card, color in zip(cards.all(), pdd.Color, strict=True):
        seat = next(each for each in pdd.Seat if game.state.color_of(each) is color)
        assert card.locator(".name").inner_text() == pdd.messages.word(seat).capitalize()
        networks = [each.inner_text() for each in card.locator(".nets b").all()]
        assert sum(map(int, networks)) == game.state.score(color).points
    assert screen.page.is_hidden("#resign")
    screen.page.screenshot(path=keep, full_page=True)


def play_texts(screen: Screen, *actions: str, catalog: Catalog = ENGLISH) -> pdd.Game:
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    for text in actions:
        screen.play(pdd.parse_action(text))
        game = game.play(text)
        screen.shows(game, catalog)
    return game


@pytest.mark.parametrize("language", ["en", "de"])
def test_an_illegal_click_is_refused_in_words(screen: Screen, language: str, keep: Path) -> None:
    game = play_texts(screen.begin(SMALL), *BY_AN_ISLAND)
    catalog = LANGUAGES[language]
    screen.page.select_option("#language", language)
    screen.shows(game, catalog)
    assert screen.page.evaluate("document.documentElement.lang") == language
    screen.click("c3")
    short = str(catalog["page.refused-island-touched"])
    screen.waits_for("refusal", short)
    screen.page.screenshot(path=keep, full_page=True)
    assert screen.page.get_attribute("#refusal", "role") == "alert"
    # The cell is also refused as a second click, and the first click stays.
    screen.click("d1")
    assert screen.text("refusal") == ""
    screen.click("c3")
    screen.waits_for("refusal", short)
    # The whole reason is there for those who ask.
    assert screen.text("why") == catalog["page.why"]
    screen.page.click("#why")
    screen.waits_for("refusal", AT_THE_ISLAND[language])
    assert not screen.page.is_visible("#why")
    assert screen.page.evaluate("document.activeElement.closest('#cells') !== null")
    assert screen.cell("d1").get_attribute("aria-pressed") == "true"
    screen.click("e3")
    screen.shows(game.play("d1,e3"), catalog)


def test_half_a_turn_is_taken_back(screen: Screen) -> None:
    screen.begin(SMALL)
    opening = screen.text("headline")
    assert screen.page.is_disabled("#undo")
    targets = screen.page.locator("#cells .target")
    ghosts = screen.page.locator("#ghosts .shown")
    assert (targets.count(), ghosts.count()) == (30, 0)
    for undo in ("click", "Escape"):
        screen.click("c2")
        assert screen.text("headline") == "And the second tile?"
        assert screen.text("state").startswith("The first is on c2.")
        assert screen.cell("c2").get_attribute("aria-pressed") == "true"
        assert targets.count() == 29
        assert ghosts.count() == 1
        if undo == "click":
            screen.click("c2")
        else:
            screen.page.keyboard.press("Escape")
        screen.waits_for("headline", opening)
        assert screen.cell("c2").get_attribute("aria-pressed") == "false"
        assert targets.count() == 30


def test_quick_clicks_are_a_pair(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.page.evaluate(
        "for (const cell of ['a1', 'b1']) {"
        "  document.querySelector(`#cells button[data-cell=${cell}]`).click();"
        "}"
    )
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"))


def test_going_back_returns_to_the_game(screen: Screen) -> None:
    game = play_texts(screen.begin(SMALL), "a1,b1")
    screen.menu("#other-game")
    screen.page.wait_for_selector("#start")
    screen.page.select_option("#rules", "")
    screen.page.select_option("#language", "de")
    screen.waits_for("begin", GERMAN["page.begin-both"])
    assert screen.page.input_value("#rules") == ""
    screen.page.go_back()
    screen.shows(game, GERMAN)
    assert not screen.page.is_visible("#start")


def test_a_bridge_shows_where_it_may_end(screen: Screen, keep: Path) -> None:
    game = play_texts(screen.begin(SMALL), *BY_AN_ISLAND, "d1,e3", "a5,d3")
    screen.click("b1")
    ends = ["d1", "d2"] if "b1-d2" in map(str, game.state.legal_actions.bridges) else ["d1"]
    marked = screen.page.locator("#cells button.target")
    assert [each.get_attribute("data-cell") for each in marked.all()] == ends
    screen.page.screenshot(path=keep, full_page=True)
    screen.click("d1")
    screen.shows(game.play("b1-d1"))
    name = screen.cell("b1").get_attribute("aria-label")
    assert name == "b1, white tile, island, bridge to d1"


def test_giving_up_is_asked_twice(screen: Screen) -> None:
    screen.begin(SMALL)
    play_texts(screen, "a1,b1", "red")
    screen.page.click("#resign")
    assert screen.text("sure-title") == "Who gives up?"
    screen.page.click("#sure button[value='']")
    assert not screen.page.is_visible("#sure")
    assert not screen.page.is_disabled("#resign")
    screen.page.click("#resign")
    screen.page.click("#sure button[value='second']")
    screen.waits_for("reason", "White wins by resignation.")
    assert screen.page.locator("#cells .target").count() == 0
    # The result is not thrown away by one click.
    assert screen.page.is_hidden("#undo")
    for answer in ("", "yes"):
        screen.page.click("#show-menu")
        assert screen.page.inner_text("#undo-ended") == "Undo and play on"
        screen.page.click("#undo-ended")
        assert screen.page.is_hidden("#resign")
        screen.page.click(f"#question button[value='{answer}']")
    screen.page.wait_for_selector("#resign:enabled")
    assert screen.page.get_attribute("#undo", "aria-label") == "Undo"


def test_the_server_starts_again(page: Page, tmp_path: Path) -> None:
    with in_thread(site_in(tmp_path)) as address:
        screen = Screen(page, address).begin(SMALL, "level-1", "second", minutes="2")
        screen.play(pdd.ChooseColor(pdd.Color.WHITE))
        before = screen.text("state")
        page.reload()
        screen.waits_for("state", before)
    screen.waits_for("state", ENGLISH["page.unreachable"])
    assert screen.text("headline") == "No connection"
    clock = page.locator(".clock.running")
    stood = clock.inner_text()
    screen.click("a1", "b1")
    page.wait_for_timeout(1100)
    assert clock.inner_text() == stood
    assert screen.text("refusal") == ENGLISH["page.no-response"]
    with in_thread(site_in(tmp_path), urlsplit(address).port or 0) as again:
        assert again == address
        # The first click is still there.
        screen.waits_for("headline", ENGLISH["page.second-tile"])
        assert screen.text("refusal") == ""
        # The time of the turn is measured from its beginning again.
        page.wait_for_selector(".clock >> text=2:0")
        page.reload()
        screen.waits_for("state", before)
        assert screen.text("you").startswith("You are player 2.")
        page.click("#undo")
        page.wait_for_selector("button[data-action='white']")


def test_two_windows(screen: Screen, context: BrowserContext, address: str, keep: Path) -> None:
    screen.begin(SMALL, seat="first")
    link = screen.page.input_value("#link")
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    browser = context.browser
    assert browser is not None
    with browser.new_context() as elsewhere:
        other = Screen(elsewhere.new_page(), address)
        other.page.goto(link)
        other.shows(game)
        assert other.text("you").startswith("You are watching.")
        other.click("a1")
        assert other.text("refusal") == "You have no seat in this game."
        other.page.click("button[data-seat='second']")
        screen.page.wait_for_selector("#invitation", state="hidden")
        other.click("a1")
        assert other.text("refusal") == "It is not your turn."
        for text in BY_AN_ISLAND:
            mover = other if game.state.seat_to_move is pdd.Seat.SECOND else screen
            mover.play(pdd.parse_action(text))
            game = game.play(text)
            for each in (screen, other):
                each.shows(game)
        other.page.screenshot(path=keep, full_page=True)
        # The player of the last action may undo it, and both pages show that.
        assert screen.page.get_attribute("#undo", "aria-label") == "Ask to undo"
        other.page.click("#undo")
        undone = game.undo()
        other.shows(undone)
        screen.waits_for("state", f"{said(undone)} Player 2 has undone a turn.")
        other.menu("#draw")
        screen.waits_for("headline", "Player 2 offers a draw")
        assert other.text("headline") == "You have offered a draw"
        assert other.page.is_disabled("#draw")
        screen.page.click("[data-command=decline]")
        screen.page.wait_for_selector("[data-command=accept]", state="hidden")
        other.page.wait_for_selector("text=Player 1 has declined the draw.")
        screen.page.click("#resign")
        screen.page.click("#sure button[value='yes']")
        for each, ended in ((screen, "You lose"), (other, "You win")):
            each.waits_for("outcome", ended)
            each.waits_for("reason", "Red wins by resignation.")
        other.page.click("#rematch")
        screen.waits_for("rematch", "Accept the rematch")
        screen.page.click("#rematch")
        other.shows(pdd.Game.new(pdd.parse_rules(SMALL)))
        assert other.text("you").startswith("You are player 1.")
        screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)))
        assert screen.text("you").startswith("You are player 2.")


HERE = """import { Page } from "./page.js"; import { overHttp } from "./transport.js";
const ask = overHttp("");
const never = new Promise(() => {});
const here = (method, path, more) => (more.query.after ? never : ask(method, path, more));
await new Page(here, false).open();"""


def test_clocks_of_a_page_without_news(page: Page) -> None:
    """Without news from the server, the page itself asks whether the time is up."""
    page.route("**/main.js", lambda route: route.fulfill(body=HERE, content_type="text/javascript"))
    now = [0.0]
    with in_thread(Site(MemoryStore(), fixed_seed, now=lambda: now[0])) as address:
        screen = Screen(page, address).begin(SMALL, minutes="1").click("a1", "b1")
        now[0] = 59.5
        page.select_option("#language", "de")
        page.wait_for_selector("[data-clock=second].short >> text=0:01")
        now[0] = 60.5
        screen.waits_for("reason", "Spieler 1 gewinnt durch Zeitüberschreitung.")


def test_a_game_is_lost_on_time(page: Page, keep: Path) -> None:
    now = [0.0]
    with in_thread(Site(MemoryStore(), fixed_seed, now=lambda: now[0])) as address:
        screen = Screen(page, address).begin(SMALL)
        assert page.locator(".clock:visible").all_inner_texts() == []
        play_texts(screen.begin(SMALL, minutes="2"), "a1,b1")
        assert page.locator("[data-clock=first]").inner_text() == "2:05"
        page.wait_for_selector("[data-clock=second].running >> text=1:59")
        now[0] = 119
        page.select_option("#language", "de")
        page.wait_for_selector("[data-clock=second].short >> text=0:01")
        page.screenshot(path=keep, full_page=True)
        now[0] = 121
        screen.waits_for("reason", "Spieler 1 gewinnt durch Zeitüberschreitung.")
        assert page.locator("[data-clock=second]:not(.running)").inner_text() == "0:00"


def test_the_keyboard_alone_plays_a_game(screen: Screen, keep: Path) -> None:
    screen.arrive()
    screen.page.wait_for_selector("#rules option[value='']", state="attached")
    reach(screen, "[name=way]")
    press(screen, "ArrowDown")
    assert screen.text("begin") == ENGLISH["page.begin-both"]
    reach(screen, "#more summary")
    press(screen, "Enter")
    reach(screen, "#rules")
    press(screen, "End")
    reach(screen, "#rules-text")
    press(screen, "Control+a")
    screen.page.keyboard.insert_text(TINY)
    reach(screen, "#start button")
    press(screen, "Enter")
    screen.page.wait_for_selector("#game")
    game = pdd.Game.new(pdd.parse_rules(TINY))
    rng = Random(5)
    # The focused element has disappeared, so the focus is on the board.
    assert on_board(screen)
    while game.ending is None:
        legal = game.state.legal_actions
        action: pdd.Action = rng.choice(legal.bridges or legal)
        match action:
            case pdd.PlaceTiles(a, b) | pdd.BuildBridge(a, b):
                walk(screen, a)
                press(screen, "Enter")
                walk(screen, b)
                press(screen, " ")
            case _:
                reach(screen, f"[data-action='{pdd.format_action(action)}']")
                press(screen, "Enter")
        game = game.play(action)
        screen.shows(game)
        # After a pass the button may disappear; it must not keep the focus.
        assert on_board(screen) or screen.page.is_visible("button[data-action]:focus")
    screen.page.screenshot(path=keep, full_page=True)
    assert screen.page.locator("#cells button[tabindex='0']").count() == 1
    reach(screen, "#another")
    press(screen, "Enter")
    screen.page.wait_for_selector("[name=way]:focus")


def test_keys_go_no_further_than_the_board(screen: Screen) -> None:
    screen.begin(SMALL)
    # After the click that began the game, the arrows step through it.
    press(screen, "Tab", "Shift+Tab")
    keys = ("ArrowLeft", "ArrowDown", "End", "ArrowRight", "PageUp", "ArrowUp", "Home", "PageDown")
    for key, cell in zip(keys, ("a1", "a1", "f1", "f1", "f5", "f5", "a5", "a1"), strict=True):
        press(screen, key)
        assert screen.page.evaluate("document.activeElement.dataset.cell") == cell


def test_a_game_against_the_greedy_one(screen: Screen) -> None:
    screen.begin(TINY, "level-4", "second")
    rng = Random(4)
    game = record_of(screen)
    assert game.tags == {"First": "Computer 4 (greedy)"}
    while game.ending is None:
        assert game.state.seat_to_move is pdd.Seat.SECOND
        screen.play(rng.choice([*game.state.legal_actions]))
        before, game = game, record_of(screen)
        assert len(game.actions) > len(before.actions)
    assert (screen.text("outcome"), screen.text("reason")) == ("You lose", said(game))
    assert screen.page.title() == "You lose 0 : 1"
    assert screen.page.get_attribute("#networks", "aria-pressed") == "true"


def test_the_site_is_behind_a_proxy_under_a_path(page: Page) -> None:
    with in_thread(new_site(), behind=stripping_proxy("/games/ponte")) as address:
        screen = Screen(page, f"{address}/games/ponte").begin(TINY)
        screen.play(pdd.parse_action("a1,b2"))
        screen.shows(pdd.Game.new(pdd.parse_rules(TINY)).play("a1,b2"))
        page.reload()
        screen.shows(pdd.Game.new(pdd.parse_rules(TINY)).play("a1,b2"))


def test_the_computer_thinks_in_another_thread(
    page: Page, keep: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # No code is compiled.
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", lambda _name: None)
    free = Event()
    thinkers = Thinkers()
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address).begin(TINY, "level-4", "first")
        thinkers.submit("busy", free.wait)
        screen.play(pdd.parse_action("a1,b2"))
        opened = pdd.Game.new(pdd.parse_rules(TINY)).play("a1,b2")
        screen.shows(opened)
        assert screen.text("headline") == "Computer 4 is thinking"
        assert page.get_attribute("#undo", "aria-label") == "Stop and undo"
        page.screenshot(path=keep)
        assert page.title() == "Ponte del Diavolo"
        free.set()
        page.wait_for_selector("#cells .target")
        assert page.title().startswith("● Your turn")
        assert page.locator("#moves li").count() > 2


def test_moments_are_analysed(page: Page, keep: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.ANALYSIS_PLAYER", "mcts:seconds=999")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=50")
    asked: list[bool] = []
    is_unwanted = AnalysisJob._is_unwanted

    def ask(job: AnalysisJob) -> bool:
        asked.append(is_unwanted(job))
        return asked[-1]

    monkeypatch.setattr(AnalysisJob, "_is_unwanted", ask)
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(SMALL)
        game = play_texts(screen, *BY_AN_ISLAND)
        page.select_option("#language", "de")
        screen.shows(game, GERMAN)
        page.click("[data-do=previous]")
        page.click("#analyse")
        screen.waits_for("found", GERMAN["page.analysing"])
        # The analysis was stopped at once, so it has no result.
        while len(asked) < 4:
            page.wait_for_timeout(50)
        # The button ends an analysis without a limit.
        page.click("#stop-analysis")
        page.wait_for_selector("#lines [aria-pressed=true]")
        assert re.fullmatch(r"Gewinnchance von Spieler 1: \d+ %", screen.text("found"))
        # The lines have the same unit.
        for chance in page.locator("#lines b").all_inner_texts():
            assert re.fullmatch(r"\d+ %", chance)
        assert page.locator("#bar").is_visible()
        assert page.locator("#expected .heat").count() > 0
        assert page.locator("#expected .line.shown .tile").count() >= 2
        page.locator("#lines button").last.click()
        assert page.locator("#expected .line").last.is_visible()
        page.screenshot(path=keep, full_page=True)
        assert violations(page) == []
        page.click("[data-do=next]")
        assert page.is_hidden("#expected")
        page.click("#review")
        page.wait_for_selector("#reviewed:not([hidden])")
        assert screen.text("found") in (GERMAN["page.worst"], GERMAN["page.nothing-worse"])
        for button in page.locator("#lapses .lapse").all():
            button.click()
            page.wait_for_selector("#moves .variation [aria-current]", state="attached")
        page.screenshot(path=keep.with_stem(f"{keep.stem}-review"), full_page=True)
        screen.click("a1")
        screen.play(pdd.parse_action("d1,e3"))
        page.wait_for_selector("#reviewed", state="hidden")
        assert screen.text("found") == ""


def test_set_ups_are_played_from(screen: Screen) -> None:
    screen.begin(start="2 w . . r\n1 w . . r")
    screen.waits_for("state", "White to move (player 1).")
    assert screen.page.locator("#cells tr").count() == 2
    screen.menu("#other-game")
    screen.page.wait_for_selector("#start")
    screen.page.select_option("#to-move", "red")
    screen.page.click("#start button")
    screen.waits_for("state", "Red to move (player 2).")
    screen.menu("#other-game")
    screen.page.wait_for_selector("#start")
    assert screen.page.is_visible("#to-move")
    for text in ("", " ", pdd.format_state(pdd.GameState.initial())):
        screen.page.fill("#setup", text)
        assert not screen.page.is_visible("#to-move")
    screen.page.fill("#setup", "2 x .\n1 . .")
    assert screen.page.is_visible("#to-move")
    screen.page.click("#start button")
    screen.waits_for("start-refusal", "Already taken by a tile: a2.")


def test_games_are_found_again(screen: Screen, tmp_path: Path, keep: Path) -> None:
    """List the games of this browser, drop those that are gone, open a record from a file."""
    page = screen.page
    play_texts(screen.begin(SMALL), "a1,b1")
    page.click("h1 a")
    page.wait_for_selector("#start")
    screen.waits_for("my-games", "Player 1 – Player 2Turn 1 · now")
    page.screenshot(path=keep, full_page=True)
    assert violations(page) == []
    page.click("#my-games a")
    page.wait_for_selector("#game")
    page.evaluate("""localStorage.setItem("ponte-games", '[{"id":"0","text":"gone","at":0}]')""")
    screen.page.goto("about:blank")
    screen.arrive("/#0")
    screen.waits_for("message", "There is no such game.")
    assert not page.is_visible("#game")
    assert page.is_visible("#start")
    assert not page.is_visible("#mine")
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), BY_AN_ISLAND).resign(pdd.Seat.FIRST)
    (tmp_path / "game.sgf").write_text(pdd.records.sgf.dumps(game), "utf-8")
    page.set_input_files("#file", tmp_path / "game.sgf")
    page.wait_for_function("() => document.getElementById('setup').value.startsWith('(')")
    assert not page.is_visible("#to-move")
    screen.choose()
    page.click("#start button")
    screen.shows(game)
    assert page.locator("#moves li").count() == 6


def test_rules_are_chosen_and_explained(screen: Screen, keep: Path) -> None:
    """Choose a size by numbers, read its sentence, and read the rules of the game."""
    page = screen.arrive().page
    screen.choose(seat="first")
    page.click("#more summary")
    assert page.locator("#rules option").first.inner_text().startswith("Original: 10×10, 40 tiles")
    page.select_option("#rules", "")
    page.fill("#columns", "6")
    page.fill("#rows", "5")
    page.fill("#bridges", "6")
    assert page.input_value("#rules-text") == SMALL
    page.fill("#name", "Ada")
    page.click("#start button")
    page.wait_for_selector("#game")
    assert screen.text("you") == (
        "You are player 1. 6×5 cells; tiles of each colour: unlimited; bridges for both: 6;"
        " with equal points: islands, bridges."
    )
    assert page.locator("#cards .name").first.text_content() == "Ada"
    assert page.locator("#cards .role").first.text_content() == ENGLISH["page.you"]
    page.click("#show-rules")
    page.wait_for_selector("#how[open]")
    assert screen.text("how-title") == screen.text("show-rules") == "How to play"
    assert page.locator("#how-text svg").count() == 6
    assert violations(page) == []
    page.screenshot(path=keep)
    press(screen, "Escape")
    page.wait_for_selector("#how", state="hidden")
    page.click("h1 a")
    page.reload()
    page.wait_for_function("() => document.getElementById('name').value === 'Ada'")


def test_the_link_is_copied(screen: Screen, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    screen.begin(SMALL, seat="first")
    screen.page.click("#copy")
    screen.waits_for("copy", "Copied.")
    screen.waits_for("copy", "Copy the link")
    assert screen.text("note") == "Copied."
    assert screen.page.evaluate("() => navigator.clipboard.readText()") == screen.page.url


def test_the_list_of_moves_shows_earlier_moments(screen: Screen, keep: Path) -> None:
    """Step by keys, links, buttons and the slider; a click on the board returns to the game."""
    actions = (*BY_AN_ISLAND, "d1,e3", "a5,d3", "b1-d1")
    game = play_texts(screen.begin(SMALL), *actions)
    page = screen.page
    shown = page.locator("#picture .tile:not([display])")
    assert (shown.count(), page.locator("#moves li").count()) == (12, 9)
    assert screen.text("supply") == "Bridges left, for both: 5."
    page.focus("#cells button[tabindex='0']")
    press(screen, ",", ",")
    assert (shown.count(), page.locator("#board.past").count()) == (10, 1)
    assert screen.text("state").startswith("White placed tiles on d1 and e3.")
    assert page.locator("#ghosts .shown").count() == 0
    press(screen, ".")
    assert shown.count() == 12
    page.click("#moves a >> nth=1")
    assert (shown.count(), screen.text("state")[:29]) == (2, "White placed tiles on a1 and ")
    page.click("[data-do=next]")
    press(screen, "ArrowRight")
    assert shown.count() == 4
    # A click on an earlier position plays nothing.
    screen.click("f4")
    screen.shows(game)
    assert page.locator("#board.past, button[aria-pressed=true]").count() == 0
    page.click("#networks")
    page.screenshot(path=keep)
    assert page.locator("#picture .points:not([display])").first.is_visible()
    page.click("#networks")
    assert not page.locator("#picture .points:not([display])").first.is_visible()


def test_previews_of_pieces_and_marks_of_violations(screen: Screen, keep: Path) -> None:
    """Hover shows a piece, a refusal marks cells by role, a first end names the other ends."""
    play_texts(screen.begin(SMALL), *BY_AN_ISLAND, "d1,e3", "a5,d3")
    page = screen.page
    ghosts = screen.page.locator("#ghosts .shown")
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.method))
    screen.cell("f4").hover()
    assert ghosts.count() == 1
    assert middle(ghosts.first) == pytest.approx(middle(screen.cell("f4")), abs=2)
    screen.cell("c1").hover()
    screen.click("b1")
    assert screen.text("headline") == "Where does the bridge end?"
    assert screen.text("state").startswith("From b1 to d1.")
    assert ghosts.count() == 1
    press(screen, "Escape")
    # None of this sent a request.
    assert "POST" not in requests
    before = screen.cell("a1").bounding_box()
    screen.click("c3")
    roles = page.locator("#cells [data-roles]")
    assert {
        each.get_attribute("data-cell"): each.get_attribute("data-roles") for each in roles.all()
    } == {**dict.fromkeys(("a1", "b1", "a2", "b2"), "island"), "c3": "touching new"}
    page.screenshot(path=keep)
    assert screen.cell("a1").bounding_box() == before
    screen.click("f4")
    assert roles.count() == 0


def test_sounds_are_off_until_somebody_wants_them(screen: Screen) -> None:
    page = screen.page
    page.add_init_script(
        "window.tones = 0; const start = OscillatorNode.prototype.start;"
        "OscillatorNode.prototype.start = function () { window.tones += 1; start.call(this); };"
    )
    screen.begin(SMALL).click("a1", "b1")
    assert page.evaluate("window.tones") == 0
    screen.menu("#sounds")
    page.click("[data-action=red]")
    screen.wait()
    assert page.evaluate("window.tones") == 1
    page.reload()
    page.wait_for_selector("#game")
    assert page.is_checked("#sounds")


def test_the_title_says_whose_turn_it_is(screen: Screen) -> None:
    screen.begin(SMALL, "level-1", "first")
    assert screen.page.title() == "● Your turn – Ponte del Diavolo"
    screen.page.click("h1 a")
    screen.page.wait_for_selector("#start")
    assert screen.page.title() == "Ponte del Diavolo"
    # The next game is against the same opponent.
    screen.page.reload()
    screen.page.wait_for_selector("[name=level][value=level-1]:checked", state="attached")
    assert screen.text("begin") == "Play against level 1"


def fits(page: Page) -> bool:
    inside: bool = page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    return inside


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible(screen: Screen, theme: Any, language: str, keep: Path) -> None:
    page = screen.page
    page.emulate_media(color_scheme=theme)
    screen.arrive()
    page.select_option("#language", language)
    screen.waits_for("start-title", LANGUAGES[language]["page.new"])
    assert violations(page) == []
    screen.begin(SMALL, seat="first")
    assert violations(page) == []
    screen.begin(SMALL)
    play_texts(screen, *BY_AN_ISLAND, catalog=LANGUAGES[language])
    screen.click("a1")
    assert screen.text("refusal") != ""
    assert violations(page) == []
    page.click("#resign")
    assert violations(page) == []
    page.screenshot(path=keep)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
        "rgb(17, 22, 26)" if theme == "dark" else "rgb(246, 241, 230)"
    )
    color = bytes.fromhex((pdd.svg.DARK if theme == "dark" else pdd.svg.LIGHT).water[1:])
    water = page.evaluate("getComputedStyle(document.querySelector('#picture .sea')).fill")
    assert water == f"rgb({', '.join(map(str, color))})"


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("rules", [SMALL, "12x12 tiles=40 bridges=15 tiebreaks=none", "26x26"])
def test_phones(screen: Screen, rules: str, language: str, keep: Path) -> None:
    page = screen.page
    page.set_viewport_size({"width": 360, "height": 640})
    screen.arrive()
    page.select_option("#language", language)
    assert fits(page)
    if rules == "26x26":
        rules += " tiles=unlimited bridges=unlimited tiebreaks=islands,bridges"
    screen.begin(rules, seat="first")
    assert fits(page)
    screen.begin(rules, minutes="5")
    screen.click("a1", "b1")
    page.click("button[data-action='red']")
    page.wait_for_selector("button[data-action='red']", state="hidden")
    assert fits(page)
    page.screenshot(path=keep, full_page=True)
    box = screen.cell("a1").bounding_box()
    assert box is not None
    assert box["width"] > 23
    assert box["height"] == pytest.approx(box["width"], abs=1)


def test_the_board_stays_in_view_on_phones(screen: Screen) -> None:
    page = screen.page
    page.set_viewport_size({"width": 360, "height": 640})
    play_texts(screen.begin(SMALL), "a1,b1", "red")

    def is_seen(selector: str) -> bool:
        box = page.locator(selector).bounding_box()
        assert box is not None
        return box["y"] >= 0 and box["y"] + box["height"] <= 640

    page.evaluate("scrollTo(0, 9999)")
    assert is_seen("#board")
    screen.click("a1")
    assert is_seen("#refusal")
    page.click("#resign")
    page.click("#sure button[value='second']")
    screen.waits_for("reason", "White wins by resignation.")
    assert is_seen("#reason")


def test_buttons_lie_over_their_cells(screen: Screen) -> None:
    """A click on a tile of the picture hits that tile's button."""
    # A tile that arrives is larger.
    screen.page.emulate_media(reduced_motion="reduce")
    screen.begin("7x4 tiles=unlimited bridges=unlimited tiebreaks=none")
    screen.click("b2", "g4")
    for cell in ("b2", "g4"):
        tile = screen.page.locator(f"#picture .tile[data-cell='{cell}']").first
        # The top of a tile lies a little higher than its middle.
        assert middle(screen.cell(cell)) == pytest.approx(middle(tile), abs=3)


def test_screen_readers_have_a_table(screen: Screen) -> None:
    screen.begin(SMALL)
    page = screen.page
    assert page.locator("[role=img]:visible").count() == 0
    assert page.get_attribute("#picture", "aria-hidden") == "true"
    grid = page.get_by_role("grid", name="Board 6×5")
    assert grid.get_by_role("row").count() == 5
    assert grid.get_by_role("button").count() == 30
    assert grid.get_by_role("button", name="d4, water, possible").count() == 1


class Unwilling:
    """A player that fails until a test changes it."""

    name = "unwilling"
    is_willing = False

    def for_game(self, _seed: int) -> Unwilling:
        return self

    def choose(self, state: pdd.GameState) -> pdd.Action:
        if not self.is_willing:
            raise EOFError
        return state.legal_actions[0]


@pytest.fixture
def unwilling(monkeypatch: pytest.MonkeyPatch) -> Unwilling:
    """Replace the opponent of the fourth level by a player that fails."""
    player = Unwilling()

    def by_name(name: str) -> Player:
        return player if name == "greedy" else players.by_name(name)

    monkeypatch.setattr("pontedeldiavolo.web.site.by_name", by_name)
    return player


@pytest.mark.parametrize("way", ["try again", "another level", "undo"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_computer_that_fails(
    page: Page, unwilling: Unwilling, way: str, language: str, keep: Path
) -> None:
    """If the computer fails, the page shows a sentence and three ways to continue."""
    catalog = LANGUAGES[language]
    game = pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1")
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(SMALL, "level-4", "first")
        page.select_option("#language", language)
        screen.waits_for("headline", catalog["page.your-turn"])
        screen.click("a1", "b1")
        screen.shows(game, catalog)
        screen.waits_for("headline", catalog["computer-failed"])
        assert page.is_visible("#failed")
        assert violations(page) == []
        page.set_viewport_size({"width": 360, "height": 640})
        assert fits(page)
        page.screenshot(path=keep, full_page=True)
        assert page.inner_text("#try-again") == catalog["page.try-again"]
        unwilling.is_willing = way != "another level"
        if way == "try again":
            page.click("#try-again")
        elif way == "another level":
            page.select_option("#other-level", "level-1")
        else:
            page.click("#undo")
            screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)), catalog)
            screen.click("a1", "b1")
        page.wait_for_selector("#failed", state="hidden")
        page.wait_for_selector("#moves li >> nth=2", state="attached")


def test_a_failure_is_shown_again_after_a_failed_retry(page: Page, unwilling: Unwilling) -> None:
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(SMALL, "level-4", "first").click("a1", "b1")
        for _ in range(2):
            page.wait_for_selector("#failed", state="visible")
            assert screen.text("headline") == ENGLISH["computer-failed"]
            page.click("#try-again")
            screen.wait()
        page.wait_for_selector("#failed", state="visible")
        unwilling.is_willing = True
        page.click("#try-again")
        page.wait_for_selector("#failed", state="hidden")


@pytest.mark.parametrize("button", ["analyse", "review"])
def test_an_analysis_that_fails(page: Page, monkeypatch: pytest.MonkeyPatch, button: str) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.find_spec", bool)
    for name in ("ANALYSIS_PLAYER", "REVIEW_PLAYER"):
        monkeypatch.setattr(f"pontedeldiavolo.web.thinkers.{name}", "no-such-player")
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(SMALL)
        play_texts(screen, "a1,b1")
        for _ in range(2):
            page.click(f"#{button}")
            screen.waits_for("found", ENGLISH["analysis-failed"])
            assert page.is_hidden("#stop-analysis")
        # The server may have been restarted, for example.
        page.route("**/analysis?*", lambda route: route.abort(), times=1)
        page.click(f"#{button}")
        screen.waits_for("found", ENGLISH["page.unreachable"])
        screen.waits_for("found", ENGLISH["analysis-failed"])


def test_the_message_about_a_full_disk_disappears(
    page: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The action of the computer appears as soon as the disk has space again."""
    free = Event()
    is_full = Event()
    sync = os.fsync

    def fsync(descriptor: int) -> None:
        if is_full.is_set():
            raise OSError(28, "No space left on device")
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    thinkers = Thinkers()
    thinkers.submit("blocked", lambda: free.wait(60))
    with in_thread(Site(FolderStore(tmp_path), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address).begin(SMALL, "level-1", "first").click("a1", "b1")
        assert screen.text("headline") == "Computer 1 is thinking"
        is_full.set()
        free.set()
        page.wait_for_selector("#failed", state="visible")
        assert screen.text("headline") == ENGLISH["computer-not-saved"]
        assert not page.is_visible("#other-level")
        is_full.clear()
        page.wait_for_selector("#failed", state="hidden")
        page.wait_for_selector("#moves li >> nth=2", state="attached")


def test_a_refusal_does_not_outlive_its_reason(
    screen: Screen, context: BrowserContext, address: str
) -> None:
    screen.begin(SMALL, seat="first")
    link = screen.page.input_value("#link")
    browser = context.browser
    assert browser is not None
    with browser.new_context() as elsewhere:
        other = Screen(elsewhere.new_page(), address)
        other.page.goto(link)
        other.page.click("button[data-seat='second']")
        screen.page.wait_for_selector("#invitation", state="hidden")
        other.click("c3")
        other.waits_for("refusal", ENGLISH["not-your-turn"])
        screen.click("a1", "b1")
        other.page.wait_for_selector("button[data-action='red']", state="visible")
        assert other.text("refusal") == ""


def test_a_page_that_knows_more_than_the_server_asks_slowly(screen: Screen, tmp_path: Path) -> None:
    """A file from a backup has an older version, which is no news, however often it is sent."""
    screen.begin(SMALL)
    [file] = tmp_path.glob("*.pdd")
    backup = file.read_bytes()
    screen.play(pdd.parse_action("a1,b1"))
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"))
    asked: list[str] = []
    screen.page.on("request", lambda request: asked.append(request.url))
    with screen.page.expect_response("**/games/*after=2*"):
        file.write_bytes(backup)
    asked.clear()
    screen.page.wait_for_timeout(3_000)
    # After the first ones there is a pause of a second; without one, there are hundreds.
    assert 1 <= len(asked) <= 8


def test_a_lost_response_begins_no_second_game(page: Page, tmp_path: Path, address: str) -> None:
    """If the response to a new game is lost, a second attempt starts no second game."""
    screen = Screen(page, address).arrive()
    lost: list[APIResponse] = []

    def lose(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.fetch())
            route.abort()
        else:
            route.continue_()

    page.route("**/games?*", lose)
    page.click("#start button")
    screen.waits_for("start-refusal", ENGLISH["page.no-response"])
    page.click("#start button")
    page.wait_for_selector("#game")
    assert len(lost) == 1
    assert len([*tmp_path.glob("*.pdd")]) == 1


def test_the_texts_of_the_page_are_in_the_catalogues_alone() -> None:
    page = Path(pdd.__file__).parent / "web" / "static" / "index.html"
    head, rest = page.read_text("utf-8").split("</header>")
    texts = r'data-word="([a-z0-9-]+)"[^>]*>([^<]*)<'
    # The head is seen before the words arrive.
    assert [
        (key, text) for key, text in re.findall(texts, head) if ENGLISH[f"page.{key}"] != text
    ] == []
    found = re.findall(texts, rest)
    assert len(found) > 30
    assert [key for key, text in found if text or f"page.{key}" not in ENGLISH] == []
    labels = re.findall(r'data-label="([a-z0-9-]+)"', rest)
    assert len(labels) > 5
    assert [key for key in labels if f"page.{key}" not in ENGLISH] == []
