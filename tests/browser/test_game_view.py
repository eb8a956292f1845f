"""The game view: layout, the line that speaks, cards, tools, confirmation, result and review."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import ENGLISH, LANGUAGES
from pontedeldiavolo.svg.svgpath import font
from pontedeldiavolo.web.pages import page_files
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import BY_AN_ISLAND, SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import PATIENCE, TINY, Screen, press, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WITH_A_BRIDGE = (*BY_AN_ISLAND, "d1,e3", "a5,d3")
"""After these, white can build a bridge from b1."""
ORDER = ("#board", "#cards", "#line", "#tools", "#moves")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with in_thread(Site(MemoryStore(), fixed_seed)) as found:
        yield found


@pytest.fixture
def screen(page: Page, address: str) -> Screen:
    return Screen(page, address)


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[Screen]:
    """Open a page on a phone: a small window, and fingers instead of a pointer."""
    context = browser.new_context(
        viewport={"width": 375, "height": 667}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), address)
    context.close()


@pytest.fixture
def elsewhere(browser: Browser, address: str) -> Iterator[Screen]:
    """Open another browser, with a storage of its own."""
    context = browser.new_context(viewport={"width": 1000, "height": 800})
    context.set_default_timeout(PATIENCE)
    yield Screen(context.new_page(), address)
    context.close()


def play(screen: Screen, *actions: str) -> None:
    for action in actions:
        screen.play(pdd.parse_action(action))


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
        screen.waits_for("headline", LANGUAGES[language].catalog["page.turn-white"])


@pytest.mark.parametrize("size", [(1280, 800), (1024, 768), (667, 375), (375, 667), (320, 568)])
def test_the_order_is_the_same_at_every_size(screen: Screen, size: Any, keep: Path) -> None:
    page = screen.page
    page.set_viewport_size({"width": size[0], "height": size[1]})
    screen.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none")
    play(screen, "c3,i8", "red", "e6,e8")
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


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_line_speaks(screen: Screen, language: str, theme: Any, keep: Path) -> None:
    """Each state of the line has its look, its sentence, its buttons, and no barrier."""
    page = screen.page
    words = dict(LANGUAGES[language].catalog.items())
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
    play(screen, "red", *WITH_A_BRIDGE[2:])
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
    play(screen, "red", *WITH_A_BRIDGE[2:])
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
    play(screen, *WITH_A_BRIDGE)
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
        play(screen, action)
        now = screen.page.locator("#cards .card").nth(side)
        assert "now" in (now.get_attribute("class") or "")
        assert screen.page.locator("#line.of-right").count() == side


def test_white_is_left_and_red_is_right(screen: Screen) -> None:
    """The second player takes white, and so gets the left card; the points follow the moment."""
    screen.begin(SMALL)
    cards = screen.page.locator("#cards .card")
    assert [card.get_attribute("data-seat") for card in cards.all()] == ["first", "second"]
    assert screen.page.locator("#cards .tile.both").count() == 2
    play(screen, "a1,b1", "white", "f1,f5", "a2,b2")
    assert [card.get_attribute("data-seat") for card in cards.all()] == ["second", "first"]
    assert cards.first.locator(".tile.white").count() == 1
    assert [card.locator(".points").inner_text() for card in cards.all()] == ["1", "0"]
    press(screen, "Comma")
    assert [card.locator(".points").inner_text() for card in cards.all()] == ["0", "0"]


def test_another_first_click_replaces_the_first(screen: Screen) -> None:
    """A tile of one's own, or another end of a bridge, can be clicked instead."""
    screen.begin(SMALL)
    play(screen, *WITH_A_BRIDGE)
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
    page.click("[data-act=forget]")
    phone.waits_for("headline", ENGLISH["page.turn-white"])
    assert page.locator("#cells [aria-pressed=true]").count() == 0
    tap(phone, "c3", "i8")
    page.click("[data-act=place]")
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
    play(screen, *WITH_A_BRIDGE, "b1-d1")
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
    play(screen, "a1,b1")
    play(other, "white")
    other.menu("#draw")
    screen.waits_for("headline", "Player 2 offers a draw")
    assert violations(screen.page) == []
    screen.page.click("[data-act=accept]")
    for each in (screen, other):
        each.waits_for("outcome", "A draw")
        assert each.page.get_attribute("#result", "class") == "draw"
        assert each.page.title() == "A draw"
    screen.page.click("#rematch")
    other.waits_for("rematch", "To the rematch")
    other.page.click("#rematch")
    screen.page.wait_for_selector("#line:not([hidden])")
    other.page.wait_for_selector("#line:not([hidden])")
    play(other, "a1,b1")
    play(screen, "white")
    screen.page.click("#resign")
    screen.page.click("#sure button[value='yes']")
    # Player 1, who is red, has won.
    for each, outcome, title, look in (
        (screen, "You lose", "You lost", "lost"),
        (other, "You win", "You won", "red"),
    ):
        each.waits_for("outcome", outcome)
        assert each.page.get_attribute("#result", "class") == look
        assert each.page.title() == title
        assert violations(each.page) == []
        each.page.screenshot(path=keep.with_stem(f"{keep.stem}-{title}"))


def test_offers_and_requests_are_answered_in_the_line(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    other = elsewhere
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    play(screen, "a1,b1")
    play(other, "white")
    # An offer leaves the first click where it is.
    screen.click("c3")
    other.menu("#draw")
    screen.waits_for("draw", ENGLISH["page.draw-accept"])
    assert screen.cell("c3").get_attribute("aria-pressed") == "true"
    press(screen, "Escape")
    screen.waits_for("headline", "Player 2 offers a draw")
    screen.page.click("[data-act=decline]")
    other.waits_for("state", "Player 2 chose white. Player 1 has declined the draw.")
    # Red's action can be taken back at once, and after white's answer only if white agrees.
    play(screen, "f1,f5")
    other.waits_for("headline", ENGLISH["page.your-turn"])
    play(other, "a2,b2")
    screen.page.click(f"#undo[aria-label='{ENGLISH['page.ask-undo']}']")
    other.waits_for("headline", "Player 1 asks to undo the last action")
    assert screen.text("state").endswith("You have asked to undo.")
    other.page.click("[data-act=accept]")
    screen.waits_for("state", "Player 2 chose white.")


@pytest.mark.parametrize("language", ["en", "de"])
def test_points_decide(screen: Screen, language: str, keep: Path) -> None:
    """White wins by points: the result has them, with white's on the left."""
    screen.page.emulate_media(reduced_motion="reduce")
    screen.begin("5x2 tiles=4 bridges=unlimited tiebreaks=islands,bridges")
    speak(screen, language)
    play(screen, "a1,b1", "red", "e1,e2", "a2,b2", "c1,c2")
    page = screen.page
    while page.is_hidden("#result"):
        if page.is_visible("[data-action=pass]"):
            play(screen, "pass")
        else:
            screen.click(
                *page.locator("#cells .target").evaluate_all("all => [all[0].dataset.cell]")
            )
    assert page.get_attribute("#result", "class") == "white"
    assert "".join(screen.text("score").split()).startswith("1–0")
    texts = LANGUAGES[language].catalog
    assert page.title() == f"{texts['page.title-white']} 1 : 0"
    assert page.get_attribute("#networks", "aria-pressed") == "true"
    assert page.locator(".nets li").count() == 1
    assert violations(page) == []
    page.screenshot(path=keep)
    press(screen, "Comma")
    assert page.is_hidden("#result")
    assert page.is_visible("#line")


def test_points_hide_no_bridge(screen: Screen) -> None:
    screen.begin(SMALL)
    play(screen, *WITH_A_BRIDGE, "b1-d1")
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


def test_taking_back_needs_the_consent_of_the_other_player(
    screen: Screen, elsewhere: Screen
) -> None:
    """A player who has got a reply asks; the other one declines, and then allows it."""
    screen.begin(SMALL, seat="first")
    elsewhere.page.goto(screen.page.url)
    elsewhere.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    for text in ("a1,b1", "white", "d4,e4"):
        mover = elsewhere if game.state.seat_to_move is pdd.Seat.SECOND else screen
        mover.play(pdd.parse_action(text))
        game = game.play(text)
        for each in (screen, elsewhere):
            each.shows(game)
    asker, other = elsewhere, screen
    button = asker.page.locator("#undo")
    assert button.get_attribute("aria-label") == "Ask to undo"
    for answer in ("decline", "accept"):
        button.click()
        other.waits_for("headline", "Player 2 asks to undo the last action")
        assert asker.text("state").endswith("You have asked to undo.")
        assert button.is_disabled()
        assert violations(other.page) == []
        other.page.click(f"[data-act={answer}]")
        if answer == "decline":
            asker.page.wait_for_selector("text=Player 1 does not allow the undo.")
            assert asker.page.locator("#board .tile:visible").count() == 4
    taken_back = game.undo(2)
    for each in (asker, other):
        each.shows(taken_back)


def test_a_rematch_is_declined(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    elsewhere.page.goto(screen.page.url)
    elsewhere.page.click("button[data-seat='second']")
    screen.page.wait_for_selector("#invitation", state="hidden")
    screen.page.click("#resign")
    screen.page.click("#sure button[value='yes']")
    elsewhere.page.click("#rematch")
    screen.page.click("#decline-rematch")
    screen.page.wait_for_selector("#reason >> text=Player 1 has declined the rematch.")
    assert screen.page.is_hidden("#decline-rematch")
    # In the rematch, the person who has declined has the other seat.
    elsewhere.page.wait_for_selector("#state >> text=Player 2 has declined the rematch.")


def test_spectators_are_told_that_they_watch(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL)
    play(screen, "a1,b1")
    elsewhere.page.goto(screen.page.url)
    elsewhere.waits_for("watching", ENGLISH["page.watching"])
    assert screen.page.is_hidden("#watching")
    assert elsewhere.page.is_hidden("#undo")
    assert elsewhere.page.locator("#choices button:visible").count() == 0


MOVING = "document.getElementById('picture').getAnimations({subtree: true}).length"


def test_pieces_arrive_but_steps_do_not_move(screen: Screen) -> None:
    page = screen.page
    screen.begin(SMALL)
    play(screen, "a1,b1")
    assert page.evaluate(MOVING) > 0
    page.wait_for_function(f"() => {MOVING} === 0")
    press(screen, "Comma", "Period")
    assert page.evaluate(MOVING) == 0
    page.emulate_media(reduced_motion="reduce")
    play(screen, "red", "f1,f5")
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
    play(screen, "a1,b1")
    assert page.evaluate("window.tones") == []
    screen.menu("#sounds")
    counts = []
    for action in ("red", "f1,f5", "a2,b2", "f2,d5", "d1,e3", "a5,d3", "b1-d1"):
        page.evaluate("window.tones = []")
        play(screen, action)
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
    texts = LANGUAGES[language].catalog
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(TINY)
        speak(screen, language)
        play(screen, "a1,e4", "white", "a4,c3", "e1,c2")
        page.click("#resign")
        page.click("#sure button[value=first]")
        page.click("#look-back")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)
        assert page.is_hidden("#moves")
        rows = page.locator("#lapses .lapse")
        counts = {}
        for tab in ("yours", "theirs", "all"):
            page.click(f"#tabs [value={tab}]")
            counts[tab] = rows.count()
            assert page.inner_text(f"#tabs [value={tab}] small") == str(counts[tab])
        assert counts["yours"] + counts["theirs"] == counts["all"] > 0
        said = str(texts["page.mistake"]).format(
            turn=r"\d+", action=r"[^,]+", sign=r"[?!]+", before=r"(\d+)", after=r"(\d+)"
        )
        for row in rows.all():
            found = re.match(said, row.inner_text())
            assert found, row.inner_text()
            assert 100 >= int(found[1]) >= int(found[2]) >= 0
        assert page.locator("#graph .mark").count() == min(8, counts["all"])
        page.locator("#graph .mark").first.click()
        assert page.locator(".lapse[aria-pressed=true]").count() == 1
        assert page.locator("#cells .was").count() in (0, 2)
        page.wait_for_selector("#board.past")
        assert violations(page) == []
        page.screenshot(path=keep)
        # Cells have no names that the pointer shows.
        assert page.locator("#cells button[title]").count() == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_forced_colours_keep_what_is_chosen(screen: Screen, theme: Any, keep: Path) -> None:
    page = screen.page
    page.emulate_media(forced_colors="active", color_scheme=theme)
    screen.begin(SMALL, minutes="5")
    play(screen, "a1,b1", "red")
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


def test_the_page_has_the_letters_of_pictures() -> None:
    script = page_files()["letters.js"].decode()
    found = re.findall(r'^  ("(?:[^"\\]|\\.)"): \[([\d.]+), "([^"]*)"\],$', script, re.MULTILINE)
    assert {name[1:-1]: (float(width), path) for name, width, path in found} == font()


def test_results_need_only_letters_that_there_are() -> None:
    letters = set(font())
    for language in LANGUAGES.values():
        for key, text in language.catalog.items():
            if str(key).startswith("page.result-"):
                assert set(text) <= letters, text
