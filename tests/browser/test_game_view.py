"""The game view: layout, the line that speaks, cards, tools, confirmation, result and review."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.svg.svgpath import font
from pontedeldiavolo.web.pages import page_files
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import BY_AN_ISLAND, SMALL, Guest, fixed_seed
from support.http_server import in_thread
from support.paths import ROOT
from support.screens import PATIENCE, TINY, Screen, prefer_language, press, violations

ENGLISH = LANGUAGES["en"]

if TYPE_CHECKING:
    from playwright.sync_api import Page

WITH_A_BRIDGE = (*BY_AN_ISLAND, "d1,e3", "a5,d3")
"""After these, white can build a bridge from b1."""
SOURCE_OF_IMAGE = """selector => {
    const image = document.querySelector(selector);
    image?.scrollIntoView();
    return image?.complete && image.currentSrc;
}"""
"""Scrolls to an image and returns its address once it has loaded.

The list of games may draw its images again at any time, so each attempt looks for the image anew.
"""
ORDER = ("#board", "#cards", "#line", "#tools", "#moves")


def box(screen: Screen, selector: str) -> dict[str, float]:
    found: dict[str, float] = screen.page.eval_on_selector(
        selector, "each => each.getBoundingClientRect().toJSON()"
    )
    return found


def speak(screen: Screen, language: str) -> None:
    if screen.page.input_value("#language") != language:
        screen.page.select_option("#language", language)
        screen.page.wait_for_function(
            "code => document.documentElement.lang === code", arg=language
        )
        screen.waits_for("headline", LANGUAGES[language]["page.turn-white"])


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (667, 375), (375, 667), (320, 568)])
def test_the_order_is_the_same_at_every_size(screen: Screen, size: Any, keep: Path) -> None:
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none")
    screen.play_texts("c3,i8", "red", "e6,e8")
    page.evaluate("scrollTo(0, 0)")
    board = box(screen, "#board")
    boxes = [box(screen, selector) for selector in ORDER]
    for selector, each in zip(ORDER[:-1], boxes, strict=False):
        # All that is needed for a move is visible without scrolling.
        assert each["y"] >= 0, selector
        assert each["y"] + each["height"] <= size[1], selector
        assert each["x"] + each["width"] <= size[0], selector
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    if size[0] > size[1]:
        assert all(each["x"] >= board["x"] + board["width"] for each in boxes[1:])
        boxes = boxes[1:]
    tops = [each["y"] for each in boxes]
    assert tops == sorted(tops)
    in_document = page.evaluate(
        "all => [...document.querySelectorAll(all.join())].map(each => '#' + each.id)", [*ORDER]
    )
    assert in_document == [*ORDER]
    # Whatever the line says, the board does not move.
    for cell in ("a1", "c3"):
        screen.click(cell)
        assert box(screen, "#board") == board
    assert page.locator("#line.refused").count() == 1
    page.screenshot(path=keep)


def test_a_long_name_has_two_lines(screen: Screen, keep: Path) -> None:
    """On a desktop it is not cut; the card is as high as others."""
    page = screen.page
    page.set_viewport_size({"width": 1280, "height": 800})
    screen.begin(SMALL)
    height = box(screen, ".card")["height"]
    page.click("#show-menu")
    page.click("#rename")
    page.fill("#name-first", "Maximilian Schneider")
    page.click("#people button.main")
    name = page.locator("#cards .name", has_text="Maximilian Schneider")
    name.wait_for()
    # Letters are higher than their line; a third line would be much higher.
    assert name.evaluate("each => each.scrollHeight < each.clientHeight + 8")
    assert name.evaluate("each => each.scrollWidth <= each.clientWidth")
    screen.play_texts(*BY_AN_ISLAND)
    assert abs(box(screen, ".card")["height"] - height) < 1
    page.screenshot(path=keep)


@pytest.mark.parametrize("width", [320, 360])
@pytest.mark.parametrize("actions_left", [0, 1])
def test_the_tools_fit_a_narrow_screen(
    screen: Screen, width: int, actions_left: int, keep: Path
) -> None:
    """At an earlier turn of a long game as well; and no tool moves from turn to turn."""
    page = screen.page
    page.set_viewport_size({"width": width, "height": 640})
    record = pdd.records.loads((ROOT / "examples/games/board-game-arena.pdd").read_text())
    actions = record.actions[: len(record.actions) - actions_left]
    game = pdd.Game.from_actions(record.rules, actions)
    screen.begin(start=pdd.records.dumps(game))
    places = set()
    for steps in range(3):
        assert screen.text("at").count("/") == min(steps, 1)
        tools = box(screen, "#tools")
        shown = page.locator("#tools button:visible")
        boxes = shown.evaluate_all("all => all.map(each => each.getBoundingClientRect().toJSON())")
        assert boxes[-1]["right"] <= tools["right"] + 0.5
        assert min(each["width"] for each in boxes) >= 24
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        places.add(tuple(round(each["x"]) for each in boxes))
        press(screen, "Comma")
    assert len(places) == 1
    page.screenshot(path=keep)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_line_speaks(screen: Screen, language: str, theme: Any, keep: Path) -> None:
    """Each state of the line has its look, its sentence, its buttons, and no barrier."""
    page = screen.page
    words = dict(LANGUAGES[language].items())
    # Colours that are on their way have less contrast.
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    screen.begin(SMALL)
    speak(screen, language)

    def says(key: str, look: str, *acts: str, **values: str) -> None:
        head = str(words[f"page.{key}"]).format(**values)
        screen.waits_for("refusal" if look == "refused" else "headline", head)
        assert look in (page.get_attribute("#line", "class") or "").split() or not look
        shown = page.locator("#choices button:visible").all_inner_texts()
        assert shown == [str(words[f"page.{act}"]) for act in acts]
        assert violations(page) == []
        page.screenshot(path=keep.with_stem(f"{keep.stem}-{key}"))

    says("turn-white", "")
    screen.click("a1")
    says("second-tile", "")
    screen.click("b1")
    says("ask-color", "", "white", "red")
    screen.click("c3")
    says("choose-first", "refused", "white", "red")
    screen.play_texts("red", *WITH_A_BRIDGE[2:])
    says("turn-white", "")
    screen.click("b1")
    says("second-bridge", "")
    press(screen, "Comma")
    says("earlier", "then", turn="5", last="6")
    assert page.locator("#back").is_visible()


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(1000, 800), (1280, 800), (375, 667)])
def test_tools_stay_where_they_are(screen: Screen, size: Any, language: str, keep: Path) -> None:
    """Whatever the line says, a second click on a tool hits the same tool."""
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.begin(SMALL)
    speak(screen, language)
    places = {}

    def note(state: str) -> None:
        page.evaluate("scrollTo(0, 0)")
        places[state] = box(screen, "#tools")["y"]
        page.screenshot(path=keep.with_stem(f"{keep.stem}-{state}"))

    note("turn")
    screen.click("a1")
    note("second tile")
    screen.click("b1")
    note("colour")
    screen.click("c3")
    note("colour refused")
    screen.play_texts("red", *WITH_A_BRIDGE[2:])
    note("later turn")
    screen.click("b1")
    note("bridge")
    press(screen, "Escape")
    screen.click("c1")
    assert screen.page.locator("#line.refused").count() == 1
    note("refused")
    press(screen, "Comma")
    note("earlier")
    press(screen, "Comma", "Comma", "Comma", "Comma", "Comma")
    note("much earlier")
    moved = {state: at - places["turn"] for state, at in places.items() if at != places["turn"]}
    assert moved == {}


def test_cards_follow_the_moment_that_is_shown(screen: Screen) -> None:
    """The card, the notch and the sentence speak of the same player."""
    screen.begin(SMALL, minutes="5")
    screen.play_texts(*WITH_A_BRIDGE)
    clock = screen.page.locator("#cards .live .clock")
    live = clock.get_attribute("data-clock")
    turns = []
    for back in range(len(WITH_A_BRIDGE) + 1):
        if back:
            press(screen, "Comma")
            assert not re.search(r"White \d", screen.text("state"))
        now = screen.page.locator("#cards .now")
        right = screen.page.locator("#cards .card").nth(1).get_attribute("class") or ""
        assert ("now" in right.split()) == (screen.page.locator("#line.of-right").count() == 1)
        turns.append(now.get_attribute("data-seat"))
        assert clock.get_attribute("data-clock") == live
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), WITH_A_BRIDGE)
    seats = [game.undo(count).state.seat_to_move for count in range(len(WITH_A_BRIDGE) + 1)]
    assert turns == [seat.value for seat in seats if seat is not None]


def test_the_notch_points_at_the_player_to_move(screen: Screen) -> None:
    screen.begin(SMALL)
    for action, side in (("a1,b1", 1), ("white", 1), ("f1,f5", 0)):
        screen.play_texts(action)
        now = screen.page.locator("#cards .card").nth(side)
        assert "now" in (now.get_attribute("class") or "")
        assert screen.page.locator("#line.of-right").count() == side


def test_white_is_left_and_red_is_right(screen: Screen) -> None:
    """The second player takes white, and so gets the left card; the points follow the moment."""
    screen.begin(SMALL)
    cards = screen.page.locator("#cards .card")
    assert [card.get_attribute("data-seat") for card in cards.all()] == ["first", "second"]
    assert screen.page.locator("#cards .tile.both").count() == 2
    screen.play_texts("a1,b1", "white", "f1,f5", "a2,b2")
    assert [card.get_attribute("data-seat") for card in cards.all()] == ["second", "first"]
    assert cards.first.locator(".tile.white").count() == 1
    assert [card.locator(".points").inner_text() for card in cards.all()] == ["1", "0"]
    press(screen, "Comma")
    assert [card.locator(".points").inner_text() for card in cards.all()] == ["0", "0"]


def test_another_first_click_replaces_the_first(screen: Screen) -> None:
    """Another tile of the player, or another end of a bridge, can be clicked instead."""
    screen.begin(SMALL)
    screen.play_texts(*WITH_A_BRIDGE)
    screen.click("f4")
    assert screen.text("headline") == ENGLISH["page.second-tile"]
    assert screen.page.locator("#cells.bridging").count() == 0
    screen.click("b1")
    assert screen.cell("b1").get_attribute("aria-pressed") == "true"
    assert screen.text("headline") == ENGLISH["page.second-bridge"]
    assert screen.page.locator("#cells.bridging").count() == 1
    assert screen.text("refusal") == ""
    # Discs lie only where a click is possible, and none under the ghost of a piece.
    marks = screen.page.evaluate(
        "[...document.querySelectorAll('#cells button')]"
        ".filter(each => getComputedStyle(each, '::after').content !== 'none'"
        "  && getComputedStyle(each, '::after').display !== 'none'"
        "  && each.ariaPressed !== 'true').map(each => each.dataset.cell)"
    )
    assert set(marks) <= {"d1", "d2"}


def tap(screen: Screen, *cells: str) -> None:
    for cell in cells:
        screen.cell(cell).tap()
        screen.wait()


def test_a_finger_is_asked_before_a_move(phone: Screen, keep: Path) -> None:
    phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none")
    page = phone.page
    moves = page.locator("#moves li")
    tap(phone, "c3", "i8")
    assert phone.text("headline") == "Place c3 and i8?"
    assert moves.count() == 1
    page.screenshot(path=keep)
    assert violations(page) == []
    # Another second cell, back again, and both ways to confirm.
    tap(phone, "h2")
    assert phone.text("headline") == "Place c3 and h2?"
    page.click("[data-command=forget]")
    phone.waits_for("headline", ENGLISH["page.turn-white"])
    assert page.locator("#cells [aria-pressed=true]").count() == 0
    tap(phone, "c3", "i8")
    page.click("[data-command=place]")
    phone.waits_for("headline", ENGLISH["page.ask-color"])
    page.click("[data-action=red]")
    phone.waits_for("headline", ENGLISH["page.turn-red"])
    tap(phone, "e6", "e8", "e8")
    phone.waits_for("headline", ENGLISH["page.turn-white"])
    assert moves.count() == 4
    # It can be turned off.
    phone.menu("#confirm")
    tap(phone, "g10", "i10")
    phone.waits_for("headline", ENGLISH["page.turn-red"])


def test_a_question_ends_with_its_board(phone: Screen) -> None:
    rules = "10x10 tiles=unlimited bridges=unlimited tiebreaks=none"
    page = phone.begin(rules).page
    tap(phone, "c3", "i8")
    page.click("[data-command=place]")
    phone.waits_for("headline", ENGLISH["page.ask-color"])
    page.click("[data-action=red]")
    phone.wait()
    tap(phone, "a1", "j10")
    assert phone.text("headline") == "Place a1 and j10?"
    page.click("#undo")
    phone.waits_for("headline", ENGLISH["page.ask-color"])
    assert page.is_hidden("[data-command=place]")
    page.click("[data-action=red]")
    phone.wait()
    tap(phone, "a1", "j10")
    assert phone.text("headline") == "Place a1 and j10?"
    # Nor does it go over to another game.
    page.evaluate("location.hash = ''")
    page.wait_for_selector("#begin")
    phone.begin(rules)
    phone.waits_for("headline", ENGLISH["page.turn-white"])
    assert page.is_hidden("[data-command=place]")


def test_a_question_also_tells_an_offer(phone: Screen, elsewhere: Screen) -> None:
    phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none", seat="first")
    elsewhere.page.goto(phone.page.url)
    elsewhere.page.click("button[data-seat='second']")
    phone.page.wait_for_selector("#invitation", state="hidden")
    tap(phone, "c3", "i8")
    phone.page.click("[data-command=place]")
    elsewhere.play_texts("white")
    phone.waits_for("headline", ENGLISH["page.your-turn"])
    tap(phone, "c1", "j3")
    elsewhere.menu("#draw")
    phone.waits_for("state", "Player 2 offers a draw")
    assert phone.text("headline") == "Place c1 and j3?"


def test_a_pointer_is_not_asked(screen: Screen) -> None:
    screen.page.set_viewport_size({"width": 375, "height": 667})
    screen.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none").click("c3", "i8")
    screen.waits_for("headline", ENGLISH["page.ask-color"])


def test_tools_are_large_enough_for_fingers(phone: Screen) -> None:
    phone.begin(SMALL)
    for tool in phone.page.locator("#tools button:visible").all():
        found = tool.bounding_box()
        assert found is not None
        assert found["height"] >= 44
        assert found["width"] >= 34
        assert tool.get_attribute("aria-label") == tool.get_attribute("title") != ""
    # The moves are one row that scrolls by itself.
    assert box(phone, ".moves")["height"] < 60


def test_moves_stand_in_pairs(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts(*WITH_A_BRIDGE, "b1-d1")
    page = screen.page
    links = page.locator("#moves a")
    tops = links.evaluate_all("all => all.map(each => Math.round(each.getBoundingClientRect().y))")
    # The choice of colour has a row between the moves before and after it; pairs share theirs.
    assert tops[:4] == sorted({*tops[:4]})
    assert tops[4] == tops[5]
    turns = page.locator("#moves .opens").evaluate_all("all => all.map(each => each.dataset.turns)")
    assert turns == ["1", "2", "3–4", "5–6", "7"]
    assert links.nth(1).locator("b").inner_text() == "a1 b1"
    assert links.last.locator("b").inner_text() == "b1–d1"
    assert links.last.locator(".arc").count() == 1
    assert page.locator("#moves a[tabindex='0']").count() == 1
    press(screen, "Comma")
    assert screen.text("at") == "6/7"
    page.click("#tools [data-do=first]")
    assert screen.text("at") == "0/7"


def test_the_result_is_told_to_each_reader(screen: Screen, elsewhere: Screen, keep: Path) -> None:
    screen.begin(SMALL, seat="first")
    other = elsewhere
    for each in (screen, other):
        each.page.emulate_media(reduced_motion="reduce")
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    # The seat of the reader has no sign of presence, the other one has.
    screen.page.wait_for_selector(".card[data-seat=second] .here:not(.away)")
    assert screen.page.locator(".card[data-seat=first] .here").count() == 0
    screen.play_texts("a1,b1")
    other.play_texts("white")
    other.menu("#draw")
    screen.waits_for("headline", "Player 2 offers a draw")
    assert violations(screen.page) == []
    screen.page.click("[data-command=accept]")
    for each in (screen, other):
        each.waits_for("outcome", "A draw")
        assert each.page.get_attribute("#result", "class") == "result draw"
        assert each.page.title() == "A draw"
    screen.page.click("#rematch")
    other.waits_for("rematch", "Accept the rematch")
    other.page.click("#rematch")
    screen.page.wait_for_selector("#line:not([hidden])")
    other.page.wait_for_selector("#line:not([hidden])")
    other.play_texts("a1,b1")
    screen.play_texts("white")
    screen.page.click("#resign")
    screen.page.click("#sure button[value='yes']")
    # Player 1, who is red, has won.
    for each, outcome, title, look in (
        (screen, "You lose", "You lose", "lost"),
        (other, "You win", "You win", "red"),
    ):
        each.waits_for("outcome", outcome)
        assert each.page.get_attribute("#result", "class") == f"result {look}"
        assert each.page.title() == title
        assert violations(each.page) == []
        each.page.screenshot(path=keep.with_stem(f"{keep.stem}-{title}"))


def test_offers_and_requests_are_answered_in_the_line(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    other = elsewhere
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    screen.play_texts("a1,b1")
    other.play_texts("white")
    # An offer leaves the first click where it is, and is seen before a second one declines it.
    screen.click("c3")
    other.menu("#draw")
    screen.waits_for("draw", ENGLISH["page.draw-accept"])
    assert screen.cell("c3").get_attribute("aria-pressed") == "true"
    assert screen.text("headline") == "Player 2 offers a draw"
    assert screen.text("state") == ENGLISH["page.second-tile-hint"].format(cell="c3")
    assert screen.page.is_visible("[data-command=accept]")
    press(screen, "Escape")
    screen.waits_for("headline", "Player 2 offers a draw")
    screen.page.click("[data-command=decline]")
    other.waits_for("state", "Player 2 chose white. Player 1 has declined the draw.")
    # Red's action can be taken back at once, and after white's answer only if white agrees.
    screen.play_texts("f1,f5")
    other.waits_for("headline", ENGLISH["page.your-turn"])
    other.play_texts("a2,b2")
    screen.page.click(f"#undo[aria-label='{ENGLISH['page.ask-undo']}']")
    other.waits_for("headline", "Player 1 asks to undo their last turn, and yours after it")
    assert screen.text("headline") == "You have asked to undo"
    other.page.click("[data-command=accept]")
    screen.waits_for("state", "Player 2 chose white. Player 2 allows the undo.")


def test_only_what_is_new_is_news_in_the_past(screen: Screen, elsewhere: Screen) -> None:
    """An earlier moment says what happened then, and what the other player does meanwhile."""
    other = elsewhere
    screen.begin(SMALL, seat="first")
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    screen.play_texts("a1,b1")
    other.play_texts("red")
    other.play_texts("f1,f5")
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    screen.menu("#draw")
    other.waits_for("headline", "Player 1 offers a draw")
    other.page.click("[data-command=decline]")
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    # The board was there when the offer came and went.
    press(screen, "Comma")
    assert screen.text("state").startswith("Player 2 chose red.")
    assert screen.page.locator("#line.news").count() == 0
    other.menu("#draw")
    screen.waits_for("headline", "Player 2 offers a draw")
    screen.page.wait_for_selector("#line.news")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(1280, 800), (375, 667)])
def test_an_offer_moves_no_tools(
    screen: Screen, elsewhere: Screen, size: Any, language: str, keep: Path
) -> None:
    page, other = screen.page, elsewhere
    page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.begin(SMALL, seat="first")
    other.page.goto(page.url)
    other.page.fill("#visitor", "Maximilian Alexander")
    other.page.click("button[data-seat='second']")
    page.wait_for_selector("#invitation", state="hidden")
    screen.play_texts("a1,b1")
    other.play_texts("red", "f1,f5")
    page.select_option("#language", language)
    texts = LANGUAGES[language]
    screen.waits_for("headline", str(texts["page.your-turn"]))
    before = box(screen, "#tools")["y"]
    other.menu("#draw")
    head = str(texts["page.draw-offered"]).format(name="Maximilian Alexander")
    page.wait_for_selector("#line.offer")
    assert screen.text("headline").replace("\u2068", "").replace("\u2069", "") == head
    page.screenshot(path=keep)
    assert box(screen, "#tools")["y"] == before
    # Nothing of it is cut off.
    assert page.eval_on_selector("#headline", "each => each.scrollHeight <= each.clientHeight + 1")
    assert violations(page) == []


@pytest.mark.parametrize("language", ["en", "de"])
def test_points_decide(screen: Screen, language: str, keep: Path) -> None:
    """White wins by points: the result has them, with white's on the left."""
    screen.page.emulate_media(reduced_motion="reduce")
    screen.begin("5x2 tiles=4 bridges=unlimited tiebreaks=islands,bridges")
    speak(screen, language)
    screen.play_texts("a1,b1", "red", "e1,e2", "a2,b2", "c1,c2")
    page = screen.page
    while page.is_hidden("#result"):
        if page.is_visible("[data-action=pass]"):
            screen.play_texts("pass")
        else:
            screen.click(
                *page.locator("#cells .target").evaluate_all("all => [all[0].dataset.cell]")
            )
    assert page.get_attribute("#result", "class") == "result white"
    assert "".join(screen.text("score").split()).startswith("1–0")
    texts = LANGUAGES[language]
    assert page.title() == f"{texts['page.result-white']} 1 : 0"
    assert page.get_attribute("#networks", "aria-pressed") == "true"
    assert page.locator(".nets li").count() == 1
    assert violations(page) == []
    page.screenshot(path=keep)
    press(screen, "Comma")
    assert page.is_hidden("#result")
    assert page.is_visible("#line")


def test_networks_of_variations_do_not_count(screen: Screen, site: Site) -> None:
    """The cards list what is on the board at the end, whatever moment was shown before."""
    game = pdd.Game.from_actions(pdd.parse_rules(SMALL), BY_AN_ISLAND)
    other = ["f2,f4", "d1,d2", "e4,e5"]
    game = game.with_variation((len(BY_AN_ISLAND) - 1,), other).resign(pdd.Seat.FIRST)
    guest = Guest(site).seated(rules=SMALL, start=pdd.records.dumps(game))
    screen.arrive(f"/#{guest.game}")
    screen.page.wait_for_selector("#result")
    networks = screen.page.locator(".nets li")
    assert networks.all_text_contents() == ["1 island 1"]
    screen.page.click("#moves .variation a >> nth=-1")
    screen.page.wait_for_selector("#result", state="hidden")
    screen.page.click("#back")
    screen.page.wait_for_selector("#result")
    assert networks.all_text_contents() == ["1 island 1"]


def test_points_hide_no_bridge(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts(*WITH_A_BRIDGE, "b1-d1")
    screen.page.click("#networks")
    badge = screen.page.locator("#picture .points:not([display])").first
    found = badge.bounding_box()
    assert found is not None
    x, y = found["x"] + found["width"] / 2, found["y"] + found["height"] / 2
    under = screen.page.evaluate(
        "([x, y]) => document.elementsFromPoint(x, y).map(each => each.dataset.cell).find(Boolean)",
        [x, y],
    )
    assert under in ("a1", "a2", "b2")


def test_a_hidden_window_says_whose_turn_it_is(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    elsewhere.page.goto(screen.page.url)
    elsewhere.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    screen.page.evaluate("""() => {
        Object.defineProperty(document, "hidden", { get: () => true });
        document.dispatchEvent(new Event("visibilitychange"));
    }""")
    # The request that waited before may bring the first news, but not the second.
    screen.click("a1", "b1")
    elsewhere.page.click("[data-action='white']")
    title = f"● {ENGLISH['page.your-turn']} – Ponte del Diavolo"
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    assert screen.page.title() == title
    screen.click("c3", "e5")
    elsewhere.waits_for("headline", ENGLISH["page.your-turn"])
    elsewhere.play(pdd.parse_action("c5,e3"))
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    assert screen.page.title() == title


def test_a_click_that_fails_is_reported_and_the_next_ones_work(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.click("a1", "b1")
    # A click on the board is refused now, which scrolls to the reason.
    screen.page.evaluate("""() => {
        window.scroll_before = Element.prototype.scrollIntoView;
        Element.prototype.scrollIntoView = () => { throw new Error("no scrolling"); };
    }""")
    screen.click("c3")
    screen.waits_for("refusal", ENGLISH["page.page-failed"].format(error="Error: no scrolling"))
    screen.page.evaluate("() => { Element.prototype.scrollIntoView = window.scroll_before; }")
    screen.page.click("[data-action='white']")
    screen.wait()
    screen.click("c3", "e5")
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1").play("white").play("c3,e5"))


def test_a_browser_with_full_storage_shows_what_others_do(
    screen: Screen, elsewhere: Screen
) -> None:
    screen.begin(SMALL, seat="first")
    elsewhere.page.goto(screen.page.url)
    elsewhere.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    # News of who is there may replace the sentence soon, so all sentences are noted.
    elsewhere.page.evaluate("""() => {
        Storage.prototype.setItem = () => { throw new Error("storage full"); };
        const refusal = document.getElementById("refusal");
        window.told = [];
        const note = () => window.told.push(refusal.textContent);
        const changes = { childList: true, characterData: true, subtree: true };
        new MutationObserver(note).observe(refusal, changes);
    }""")
    screen.click("a1", "b1")
    sentence = ENGLISH["page.page-failed"].format(error="Error: storage full")
    elsewhere.page.wait_for_function("text => window.told.includes(text)", arg=sentence)
    elsewhere.page.click("[data-action='white']")
    screen.waits_for("headline", ENGLISH["page.your-turn"])
    screen.click("c3", "e5")
    game = pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1").play("white").play("c3,e5")
    for each in (screen, elsewhere):
        each.shows(game)


def test_spectators_are_told_that_they_watch(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts("a1,b1")
    elsewhere.page.goto(screen.page.url)
    elsewhere.waits_for("watching", ENGLISH["page.watching"])
    assert screen.page.is_hidden("#watching")
    assert elsewhere.page.is_hidden("#undo")
    assert elsewhere.page.locator("#choices button:visible").count() == 0


MOVING = "document.getElementById('picture').getAnimations({subtree: true}).length"


RINGS = "document.querySelectorAll('#picture .last:not([display])').length"
WATCH_RINGS = f"""
window.rings = 0;
const seen = new MutationObserver(() => (window.rings = Math.max(window.rings, {RINGS})));
seen.observe(document.getElementById("picture"), {{ childList: true, subtree: true }});
"""
"""Stores the most rings that are on the board at a time."""
COUNTED = """([points]) => {
  window.counted = [];
  const read = () => {
    const text = document.querySelector("#score .nums > :first-child")?.textContent;
    if (text !== undefined && window.counted.at(-1) !== text) window.counted.push(text);
    if (text !== points) requestAnimationFrame(read);
  };
  new MutationObserver(read).observe(document.getElementById("score"), { childList: true });
}"""
"""Stores the first number of the score whenever it changes."""


def test_the_ring_of_the_last_move_fades(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts("a1,b1", "red")
    page = screen.page
    page.evaluate(WATCH_RINGS)
    screen.play_texts("f1,f5", "e1,a5")
    # Those of the move before are there for a moment, besides those of the new one.
    assert page.evaluate("window.rings") == 4
    page.wait_for_function(f"() => {RINGS} === 2")
    page.emulate_media(reduced_motion="reduce")
    page.evaluate("window.rings = 0")
    screen.play_texts("d4,d5")
    assert page.evaluate(f"{RINGS}") == 2
    assert page.evaluate("window.rings") == 2


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_points_count_up_at_the_end(screen: Screen, motion: Any) -> None:
    page = screen.page
    page.emulate_media(reduced_motion=motion)
    played = (ROOT / "examples" / "games" / "board-game-arena.pdd").read_text("utf-8")
    game = pdd.records.loads(played)
    assert str(game.actions[-1]) == str(pdd.Pass())
    before = pdd.Game.from_actions(game.rules, game.actions[:-1])
    screen.begin(pdd.format_rules(game.rules), start=pdd.records.dumps(before))
    points = str(game.state.score(pdd.Color.WHITE).points)
    page.evaluate(COUNTED, [points])
    page.click("button[data-action=pass]")
    page.wait_for_selector("#result")
    page.wait_for_function(f"() => window.counted.at(-1) === '{points}'")
    counted = [*map(int, page.evaluate("window.counted"))]
    assert counted == sorted(counted)
    assert (len(counted) > 1) is (motion == "no-preference")


def test_a_board_wider_than_the_screen_says_so(phone: Screen, keep: Path) -> None:
    phone.begin("26x26 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges")
    page = phone.page
    phone.waits_for("state", ENGLISH["page.wide-board"])
    page.evaluate("document.getElementById('frame').scrollLeft = 60")
    tap(phone, "c3")
    # The question is in view, above the board.
    tap(phone, "f5")
    line, frame = box(phone, "#line"), box(phone, "#frame")
    assert 0 <= line["y"] < line["y"] + line["height"] <= 667
    assert line["y"] < frame["y"] + frame["height"]
    page.screenshot(path=keep)
    page.click("[data-command=place]")
    page.wait_for_selector("#moves li:nth-child(2)")
    assert phone.text("state") != ENGLISH["page.wide-board"]
    assert violations(page) == []


def test_pieces_arrive_but_steps_do_not_move(screen: Screen) -> None:
    page = screen.page
    screen.begin(SMALL)
    screen.play_texts("a1,b1")
    assert page.evaluate(MOVING) > 0
    page.wait_for_function(f"() => {MOVING} === 0")
    press(screen, "Comma", "Period")
    assert page.evaluate(MOVING) == 0
    page.emulate_media(reduced_motion="reduce")
    screen.play_texts("red", "f1,f5")
    assert page.evaluate(MOVING) == 0


TONES = """
window.tones = [];
const {start} = OscillatorNode.prototype;
const {stop} = OscillatorNode.prototype;
OscillatorNode.prototype.start = function (at) { this.began = at; start.call(this, at); };
OscillatorNode.prototype.stop = function (at) {
  window.tones.push([this.began - this.context.currentTime, at - this.began]);
  stop.call(this, at);
};
"""


def test_sounds_are_short(screen: Screen) -> None:
    page = screen.page
    page.add_init_script(TONES)
    screen.begin(SMALL)
    screen.play_texts("a1,b1")
    assert page.evaluate("window.tones") == []
    screen.menu("#sounds")
    counts = []
    for action in ("red", "f1,f5", "a2,b2", "f2,d5", "d1,e3", "a5,d3", "b1-d1"):
        page.evaluate("window.tones = []")
        screen.play_texts(action)
        tones = page.evaluate("window.tones")
        assert all(at + lasts < 0.7 for at, lasts in tones)
        counts.append(len(tones))
    # A choice of colour is silent; a tile knocks once, an island twice, a bridge has three planks.
    assert counts[1:4] == [1, 2, 1]
    assert counts[-1] == 3
    page.evaluate("window.tones = []")
    screen.click("a1")
    assert len(page.evaluate("window.tones")) == 1


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_review_is_for_its_reader(
    page: Page, monkeypatch: pytest.MonkeyPatch, language: str, keep: Path
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=200")
    texts = LANGUAGES[language]
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(TINY)
        speak(screen, language)
        screen.play_texts("a1,e4", "white", "a4,c3", "e1,c2")
        page.click("#resign")
        page.click("#sure button[value=first]")
        page.click("#look-back")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)
        # The first mistake is in view, wherever the reader was.
        first = box(screen, ".lapse")
        assert first["y"] + first["height"] <= 800
        # The list of moves comes after the mistakes.
        mistakes, moves = box(screen, "#lapses"), box(screen, "#moves")
        assert mistakes["y"] + mistakes["height"] <= moves["y"]
        rows = page.locator("#lapses .lapse")
        counts = {}
        for tab in ("yours", "theirs", "all"):
            page.click(f"#tabs [value={tab}]")
            counts[tab] = rows.count()
            assert page.inner_text(f"#tabs [value={tab}] small") == str(counts[tab])
        assert counts["yours"] + counts["theirs"] == counts["all"] > 0
        chances_of = rf"{texts['page.chance']} (?P<before>\d+) → (?P<after>\d+) %"
        losses = []
        for row in rows.all():
            text = " ".join(row.inner_text().split())
            found = re.fullmatch(rf"\d+\. [^?!]+(?P<sign>[?!]+) .*{chances_of}", text)
            assert found, text
            assert 100 >= int(found["before"]) >= int(found["after"]) >= 0
            losses.append(int(found["before"]) - int(found["after"]))
            expected_sign = "??" if losses[-1] >= 30 else "?" if losses[-1] >= 20 else "?!"
            assert found["sign"] == expected_sign
        # A reader can check the order and the signs with the numbers of the rows.
        assert losses == sorted(losses, reverse=True)
        assert min(losses) >= 10
        assert page.locator("#graph .mark").count() == min(8, counts["all"])
        page.locator("#graph .mark").first.click()
        assert page.locator(".lapse[aria-pressed=true]").count() == 1
        assert page.locator("#cells .was").count() in (0, 2)
        # The pieces of the better line have the numbers that the row gives to its actions.
        better = page.locator(".lapse[aria-pressed=true] .numbers > span").all_inner_texts()
        expected: dict[str, str] = {}
        for number, text in enumerate(better, 1):
            for cell in re.findall(r"[a-z]\d", text):
                expected.setdefault(cell, str(number))
        numbered = page.locator("#cells [data-number]").all()
        marks = {
            each.get_attribute("data-cell"): each.get_attribute("data-number") for each in numbered
        }
        assert better == [] or marks == expected
        page.wait_for_selector("#board.past")
        # The tab that leads back is in view, and no points can be taken for those numbers.
        assert box(screen, "#back")["y"] >= 0
        assert marks == {} or not page.locator("#picture .points:visible").all()
        assert violations(page) == []
        page.screenshot(path=keep)
        # Nothing is chosen any more when the board shows something else.
        page.click("[data-do=first]")
        assert page.locator(":is(.lapse, .mark)[aria-pressed=true], .played").count() == 0
        # A sign belongs to its move, and each label of the curve has its own row.
        assert page.locator("#moves li > .nag").count() == 0
        plot, above, below = (box(screen, f"#graph .{part}") for part in ("plot", "above", "below"))
        assert above["y"] + above["height"] <= plot["y"]
        assert plot["y"] + plot["height"] <= below["y"]
        # Cells have no names that the pointer shows.
        assert page.locator("#cells button[title]").count() == 0


@pytest.mark.parametrize("size", [(1280, 800), (1440, 900)])
def test_a_review_shows_all_that_it_speaks_of(
    page: Page, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], keep: Path
) -> None:
    """Board, line, curve, mistakes and the list of moves are in view, the list at its moment."""
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=20")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    record = pdd.records.loads((ROOT / "examples/games/board-game-arena.pdd").read_text())
    game = pdd.Game.from_actions(record.rules, record.actions)
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(start=pdd.records.dumps(game))
        page.click("#look-back")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)

        def shown(selector: str) -> bool:
            found = box(screen, selector)
            return found["y"] >= 0 and found["y"] + found["height"] <= size[1]

        for chosen in (None, ".lapse >> nth=0", ".lapse >> nth=-1", "[data-do=first]"):
            if chosen:
                page.click(chosen)
                assert page.is_visible("#line")
                assert shown("#line")
            assert page.evaluate("scrollY") == 0
            assert all(map(shown, ("#board", "#graph", "#tabs", ".moves")))
            # At least three moves one below the other.
            inside, current = box(screen, ".moves"), box(screen, ".moves [aria-current]")
            assert inside["height"] > box(screen, ".heads")["height"] + 3 * 32
            assert current["y"] >= inside["y"]
            # Its frame is clear of the border.
            assert current["y"] + current["height"] <= inside["y"] + inside["height"] - 3
        page.screenshot(path=keep)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_keep_what_is_chosen(screen: Screen, theme: Any, keep: Path) -> None:
    page = screen.page
    page.emulate_media(forced_colors="active", color_scheme=theme)
    screen.begin(SMALL, minutes="5")
    screen.play_texts("a1,b1", "red")
    page.screenshot(path=keep)
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.card.now')).outlineStyle")
        == "solid"
    )
    colors = page.evaluate(
        "['#moves a[aria-current]', '#moves a:not([aria-current])'].map(each =>"
        " getComputedStyle(document.querySelector(each)).backgroundColor)"
    )
    assert colors[0] != colors[1]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_menu_of_a_phone_is_about_fingers(phone: Screen, language: str, keep: Path) -> None:
    page = phone.page
    phone.begin(SMALL)
    speak(phone, language)
    page.click("#show-menu")
    assert page.is_visible("#help-touch")
    assert page.is_hidden("#help")
    # The button that closes it is in view, wherever the menu is scrolled.
    closing = page.locator("#close-menu")
    found = closing.bounding_box()
    assert found is not None
    assert found["y"] >= 0
    assert found["y"] + found["height"] < 667
    page.screenshot(path=keep)
    assert violations(page) == []
    closing.click()
    assert page.is_hidden("#menu")


def test_the_menu_of_a_desktop_is_about_keys(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.page.click("#show-menu")
    assert screen.page.is_visible("#help")
    assert screen.page.is_hidden("#help-touch")


def test_the_page_has_the_letters_of_points_and_results() -> None:
    script = page_files()["letters.js"].decode()
    found = re.findall(r'^"(.)": \[([\d.]+), "([^"]*)"\],$', script, re.MULTILINE)
    texts = ["0123456789–-"]
    for language in LANGUAGES.values():
        texts += [text for key, text in language.items() if str(key).startswith("page.result-")]
    needed = {letter: font()[letter] for letter in "".join(texts)}
    assert {name: (float(width), path) for name, width, path in found} == needed


def test_coordinates_can_be_left_out(screen: Screen, keep: Path) -> None:
    page = screen.page
    screen.begin_by_an_island()
    labels = page.locator("#picture .labels")
    assert labels.is_visible()
    page.click("#show-menu")
    page.uncheck("#coordinates")
    page.click("#close-menu")
    assert labels.is_hidden()
    page.screenshot(path=keep)
    # The names of the cells stay for those who cannot see the picture.
    assert str(screen.cell("c3").get_attribute("aria-label")).startswith("c3")
    page.reload()
    page.wait_for_selector("#picture svg")
    assert page.locator("#picture .labels").is_hidden()
    page.click("#show-menu")
    page.check("#coordinates")
    assert page.locator("#picture .labels").is_visible()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("system", "chosen"), [("light", "dark"), ("dark", "light")])
def test_the_reader_chooses_the_colours(
    screen: Screen, system: Any, chosen: str, language: str, keep: Path
) -> None:
    page = screen.page
    prefer_language(page, language)

    def colors() -> list[str]:
        """Return the colours of the page, of the board and of the fields."""
        parts = {"body": "backgroundColor", "#picture .sea": "fill", "#link": "color"}
        return [
            page.locator(part).evaluate("(part, name) => getComputedStyle(part)[name]", name)
            for part, name in parts.items()
        ]

    page.emulate_media(color_scheme="dark" if chosen == "dark" else "light")
    screen.begin_by_an_island()
    expected = colors()
    page.emulate_media(color_scheme=system)
    before = colors()
    assert before != expected
    page.click("#show-menu")
    page.select_option("#theme", chosen)
    assert colors() == expected
    # The label stands on one line.
    label = page.locator("label:has(#theme) span").bounding_box()
    assert label is not None
    assert label["height"] < 30
    assert violations(page) == []
    page.screenshot(path=keep)
    # The rules and the pictures of the start page have the same colours.
    page.click("#close-menu")
    page.click("#show-rules")
    page.wait_for_selector("#how[open] figure")
    page.click("#how .bar button")
    page.reload()
    page.wait_for_selector("#picture .sea")
    assert colors() == expected
    screen.menu("#other-game")
    page.wait_for_selector("#my-games img")
    for picture in ("#front .hero img", "#my-games img"):
        source = page.wait_for_function(SOURCE_OF_IMAGE, arg=picture).json_value()
        assert ("dark" in source) == (chosen == "dark"), source
    page.go_back()
    page.wait_for_selector("#picture .sea")
    page.click("#show-menu")
    page.select_option("#theme", "system")
    assert colors() == before
