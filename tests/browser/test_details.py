"""Details of the page that people meet in a game: keys, messages, names, and earlier moments."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import PATIENCE, TINY, Screen, press, reach, said, violations

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

OPENING = ("a1,b1", "white", "f1,f5")


def game_of(*actions: str) -> pdd.Game:
    return pdd.Game.from_actions(pdd.parse_rules(SMALL), actions)


def test_keys_step_wherever_the_focus_is(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts(*OPENING)
    page = screen.page
    now = screen.text("state")
    page.reload()
    screen.shows(game_of(*OPENING))
    assert page.evaluate("document.activeElement === document.body")
    for back, forth in (("Comma", "Period"), ("ArrowLeft", "ArrowRight")):
        press(screen, back)
        assert screen.text("state") != now
        press(screen, forth)
        assert screen.text("state") == now
    # In a grid that was reached by keys the arrows go from cell to cell.
    reach(screen, "#cells button")
    press(screen, "ArrowUp", "ArrowRight", "ArrowLeft")
    assert screen.text("state") == now
    press(screen, "Comma")
    assert screen.text("state") != now
    press(screen, "Period")
    # In fields and dialogs keys have their own meaning.
    page.click("#resign")
    press(screen, "Comma", "ArrowLeft")
    page.click("#sure button[value='']")
    page.focus("#language")
    press(screen, "Comma")
    assert screen.text("state") == now


@pytest.mark.parametrize("cell", ["b3", "f4"])
def test_the_arrows_step_through_the_game_after_a_click(screen: Screen, cell: str) -> None:
    """A cell keeps the focus after a click, but only keys that have led there move it."""
    screen.begin(SMALL)
    screen.play_texts(*OPENING)
    page = screen.page
    now = screen.text("at")
    place = "document.activeElement.dataset.cell"
    ring = "getComputedStyle(document.activeElement).outlineStyle"
    for _ in range(2):
        # The second click takes the first one back.
        screen.click(cell, cell)
        assert page.evaluate(place) == cell
        press(screen, "ArrowLeft", "ArrowLeft")
        assert screen.text("at") != now
        press(screen, "ArrowUp", "ArrowRight", "ArrowRight")
        assert screen.text("at") == now
        assert (page.evaluate(place), page.evaluate(ring)) == (cell, "none")
        # The Tab key leads out of the grid and back to the cell. There is a ring now.
        press(screen, "Tab", "Shift+Tab")
        assert (page.evaluate(place), page.evaluate(ring)) == (cell, "solid")
        press(screen, "ArrowLeft", "ArrowDown")
        assert screen.text("at") == now
        assert page.evaluate(place) != cell
        press(screen, "ArrowRight", "ArrowUp")
        assert page.evaluate(place) == cell


def test_escape_takes_a_click_back_without_the_focus(screen: Screen) -> None:
    screen.begin(SMALL).click("c2")
    screen.page.evaluate("document.activeElement.blur()")
    press(screen, "Escape")
    assert screen.cell("c2").get_attribute("aria-pressed") == "false"


def test_a_message_disappears_when_it_is_no_longer_true(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    other = elsewhere
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    other.page.wait_for_selector("button[data-seat='second']", state="hidden")
    other.click("a1")
    other.waits_for("refusal", "It is not your turn.")
    screen.play_texts("a1,b1")
    other.page.wait_for_selector("button[data-action='white']")
    assert other.text("refusal") == ""
    # The buttons of a player's own action clear it as well.
    other.click("c3")
    assert other.text("refusal") == ENGLISH["page.choose-first"]
    other.page.click("button[data-action='white']")
    other.page.wait_for_selector("button[data-action='white']", state="hidden")
    assert other.text("refusal") == ""


def test_a_colour_is_to_be_chosen_first(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts("a1,b1")
    screen.click("c3")
    assert screen.text("refusal") == ENGLISH["page.choose-first"]
    screen.page.wait_for_selector("#choices.asked")
    screen.page.select_option("#language", "de")
    screen.shows(game_of("a1,b1"), GERMAN)
    screen.click("c3")
    assert screen.text("refusal") == GERMAN["page.choose-first"]


def test_a_third_quick_click_does_not_count_for_the_other_player(screen: Screen) -> None:
    screen.begin(SMALL)
    screen.play_texts(*OPENING)
    screen.page.evaluate(
        "for (const cell of ['a3', 'c5', 'e3']) {"
        "  document.querySelector(`#cells button[data-cell=${cell}]`).click();"
        "}"
    )
    screen.shows(game_of(*OPENING, "a3,c5"))
    screen.wait()
    assert screen.page.locator("#cells [aria-pressed='true']").count() == 0


def test_an_earlier_moment_is_named_over_the_board(screen: Screen, keep: Path) -> None:
    screen.begin(SMALL)
    screen.play_texts(*OPENING)
    back = screen.page.locator("#back")
    assert not back.is_visible()
    press(screen, "Comma", "Comma")
    assert back.inner_text() == "Turn 1 · to the game"
    assert violations(screen.page) == []
    # There is one way back: on a phone the line has it, so that nothing covers the page's head.
    button = screen.page.locator("[data-command=now]")
    assert not button.is_visible()
    screen.page.set_viewport_size({"width": 375, "height": 667})
    screen.page.screenshot(path=keep)
    assert not back.is_visible()
    assert violations(screen.page) == []
    button.click()
    screen.shows(game_of(*OPENING))
    assert not button.is_visible()
    screen.page.set_viewport_size({"width": 1000, "height": 800})
    press(screen, "Comma")
    back.click()
    screen.shows(game_of(*OPENING))
    assert not back.is_visible()


def test_news_do_not_end_the_look_at_an_earlier_moment(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    other = elsewhere
    other.page.goto(screen.page.url)
    other.page.click("button[data-seat='second']")
    screen.play_texts("a1,b1")
    press(screen, "Comma")
    other.page.click("button[data-action='white']")
    back = screen.page.locator("#back")
    screen.waits_for("state", said(game_of("a1,b1", "white")))
    assert (screen.text("headline"), screen.text("at")) == ("Your turn", "0/1")
    back.click()
    screen.shows(game_of("a1,b1", "white"))


def test_a_visitor_enters_a_name(screen: Screen, elsewhere: Screen) -> None:
    screen.begin(SMALL, seat="first")
    assert not screen.page.is_visible("#visitor")
    other = elsewhere
    other.page.goto(screen.page.url)
    other.page.fill("#visitor", "Bo")
    other.page.click("button[data-seat='second']")
    other.page.wait_for_selector(".card:has(.name:text-is('Bo')) .role:text-is('you')")
    assert not other.page.is_visible("#visitor")
    screen.page.wait_for_selector("#cards >> text=Bo")
    # The name is known the next time.
    other.arrive()
    from playwright.sync_api import expect  # noqa: PLC0415 - may not be there

    expect(other.page.locator("#name")).to_have_value("Bo", timeout=PATIENCE)


def test_the_page_says_that_it_needs_javascript(browser: Browser, address: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}/")
    assert "This page needs JavaScript." in page.inner_text("main")
    context.close()


@pytest.mark.parametrize(
    ("text", "said_of_it"),
    [
        (
            "1. d4,g7 weiß 2. e5,f6",
            "Game 1, line 1, column 10: expected a cell, 'white', 'red' or 'pass'.",
        ),
        ("hello world", ENGLISH["unknown-start"]),
        ("2 w . ß\n1 . . .", "ß"),
    ],
)
def test_a_start_that_cannot_be_read(screen: Screen, text: str, said_of_it: str) -> None:
    screen.arrive()
    page = screen.page
    page.click("#more summary")
    page.fill("#setup", text)
    page.click("#start button")
    page.wait_for_selector("#setup[aria-invalid='true']:focus")
    message = screen.text("start-refusal")
    assert said_of_it in message
    assert "\\x" not in message
    page.fill("#setup", "2 w . r\n1 . . .")
    page.click("#start button")
    page.wait_for_selector("#game")


ENGLISH_WORDS = re.compile(r"\b(white|red|pass|first|second)\b")


def test_lists_of_moves_are_in_one_language(screen: Screen) -> None:
    screen.begin("1x1 tiles=unlimited bridges=unlimited tiebreaks=none")
    screen.play_texts("pass", "red", "pass")
    screen.page.select_option("#language", "de")
    screen.page.wait_for_selector("#moves >> text=Weiß passt")
    items = screen.page.locator("#moves li a").all_text_contents()
    assert items == ["Anfang", "1. Weiß passt", "Spieler 2 nimmt Rot", "2. Rot passt"]


def test_a_review_has_one_sign_and_one_form_of_numbers(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.ANALYSIS_PLAYER", "mcts:simulations=50")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=50")
    pytest.importorskip("numba")
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(TINY)
        screen.play_texts("a1,b1", "white", "d1,e3")
        page.select_option("#language", "de")
        page.wait_for_selector("#moves >> text=Anfang")
        page.click("#review")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)
        moves = page.inner_text("#moves")
        worst = page.inner_text("#lapses")
        # The curve and the rows say what the values are.
        assert page.locator("#moves .comment").count() == 0
    for text in (moves, worst):
        assert not ENGLISH_WORDS.search(text), text
        assert not re.search(r"-\d|\d\.\d", text), text
        assert not re.search(r"[a-z]\d[,-][a-z]\d", text), text
