"""Invitations: the link, what a visitor sees, names, and who is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.messages import LANGUAGES
from support.http_client import SMALL
from support.late_requests import LateRequests
from support.screens import PATIENCE, Screen, prefer_language, violations

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page, Route

CATALOGS = {"en": ENGLISH, "de": GERMAN}


@pytest.fixture
def host(page: Page, address: str) -> Screen:
    """Return the page of Ada, who has made a link."""
    screen = Screen(page, address).arrive()
    screen.choose(seat="first")
    page.fill("#name", "Ada")
    page.click("#clock-chips label:has([value='10+5'])")
    page.click("#begin")
    page.wait_for_selector("#invitation:not([hidden])")
    return screen


@pytest.fixture
def guests(browser: Browser) -> Iterator[BrowserContext]:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        yield context


@pytest.fixture
def guest(guests: BrowserContext, host: Screen, address: str) -> Screen:
    """Return the page of somebody who has opened the link."""
    page = guests.new_page()
    page.goto(host.page.input_value("#link"))
    page.wait_for_selector("#invited:not([hidden])")
    return Screen(page, address)


def facts(screen: Screen) -> list[str]:
    return screen.page.locator("#facts li").all_inner_texts()


def test_a_visitor_is_told_who_invites_to_what(host: Screen, guest: Screen, keep: Path) -> None:
    assert guest.text("invited-title") == "Ada invites you to a game"
    assert guest.page.title() == "Ada invites you to a game"
    assert ENGLISH["page.about-game"] in guest.text("invited")
    expected = ["10 × 10", "10 min + 5 s"]
    assert facts(guest) == [*expected, "you choose your colour"]
    # One filled button, and nothing that speaks of the game before the visitor has answered.
    assert guest.page.locator("button.main:visible").all_inner_texts() == ["Join as player 2"]
    for part in ("#line", "#tools", "#moves", "#invitation"):
        assert not guest.page.is_visible(part)
    guest.page.screenshot(path=keep)
    assert violations(guest.page) == []
    guest.page.click("#invited .link[data-opens=rules]")
    guest.page.wait_for_selector("#how[open]")
    guest.page.keyboard.press("Escape")
    assert host.page.is_visible("#link")


def test_news_is_asked_for_with_the_seat_that_was_taken(host: Screen, guest: Screen) -> None:
    assert host.page.is_visible("#link")
    # The visitor's request for news is still under way when the visitor sits down.
    news = LateRequests(guest.page, "**/games/*?*after=*")
    guest.page.reload()
    news.wait_for_one()
    with guest.page.expect_request(
        lambda each: each.method == "GET" and "authorization" in each.headers
    ):
        guest.page.click("button[data-seat='second']")


def test_enter_in_the_field_sits_down(host: Screen, guest: Screen) -> None:
    guest.page.fill("#visitor", "Bo")
    guest.page.keyboard.press("Enter")
    guest.page.wait_for_selector("#cards >> text=Bo")
    assert not guest.page.is_visible("#invited")
    host.page.wait_for_selector("#cards >> text=Bo")
    host.page.wait_for_selector("#invitation", state="hidden")
    guest.arrive()
    guest.page.wait_for_function("() => document.getElementById('name').value === 'Bo'")


def test_a_visitor_may_only_watch_and_sit_down_later(guest: Screen) -> None:
    guest.page.click("#watch")
    guest.page.wait_for_selector("#line")
    assert guest.page.is_visible("#moves")
    assert not guest.page.is_visible("#invited")
    guest.page.click("#join")
    guest.page.wait_for_selector("#visitor:focus")
    guest.page.click("button[data-seat=second]")
    guest.page.wait_for_selector("#invited", state="hidden")
    assert not guest.page.is_visible("#join")


def test_the_seat_may_be_taken_meanwhile(host: Screen, guest: Screen, browser: Browser) -> None:
    with browser.new_context() as context:
        other = context.new_page()
        other.goto(host.page.url)
        other.click("button[data-seat=second]")
        other.wait_for_selector("#invited", state="hidden")
    guest.page.wait_for_selector("#invited", state="hidden")
    assert guest.page.is_visible("#watching")
    assert not guest.page.is_visible("#join")


@pytest.mark.parametrize(
    ("rules", "seat", "minutes", "expected"),
    [
        (SMALL, "second", "", ["6 × 5", "6 bridges for both", "no clock", "you begin"]),
        (
            "12x12 tiles=40 bridges=15 tiebreaks=none",
            *("first", "7"),
            [
                *("12 × 12", "40 tiles each", "15 bridges for both", "7 min + 5 s"),
                "you choose your colour",
            ],
        ),
    ],
)
def test_rules_are_told_as_facts(
    page: Page,
    guests: BrowserContext,
    address: str,
    rules: str,
    seat: str,
    minutes: str,
    expected: list[str],
) -> None:
    host = Screen(page, address).begin(rules, seat=seat, minutes=minutes)
    guest = guests.new_page()
    guest.goto(host.page.url)
    guest.wait_for_selector("#facts li")
    assert facts(Screen(guest, address)) == expected
    assert guest.inner_text("#invited-title") == "You are invited to a game"


def test_an_invitation_on_a_phone_in_german(browser: Browser, host: Screen, keep: Path) -> None:
    options = {"width": 375, "height": 667}
    with browser.new_context(viewport=options, locale="de", color_scheme="dark") as context:  # type: ignore[arg-type]
        page = context.new_page()
        page.goto(host.page.url)
        page.wait_for_selector("#invited")
        assert page.inner_text("#invited-title") == "Ada lädt dich zu einer Partie ein"
        page.screenshot(path=keep)
        # The sheet is above the board.
        sheet = page.locator("#invited").bounding_box()
        board = page.locator("#board").bounding_box()
        assert sheet is not None
        assert board is not None
        assert sheet["y"] + sheet["height"] <= board["y"]
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        assert violations(page) == []


@pytest.mark.parametrize("language", CATALOGS)
def test_an_invitation_warns_of_an_address_that_leads_nowhere(
    page: Page, address: str, language: str
) -> None:
    prefer_language(page, language)
    Screen(page, address).begin(SMALL, seat="first")
    assert "127.0.0.1" in address or "localhost" in address
    assert page.inner_text("#link-local") == CATALOGS[language]["page.share-local"]


def test_the_link_is_in_view_on_a_phone(phone: Screen, keep: Path) -> None:
    phone.arrive()
    phone.choose(seat="first")
    phone.page.click("#begin")
    phone.page.wait_for_selector("#invitation:not([hidden])")
    assert phone.page.evaluate("scrollY") == 0
    for part in ("#copy", "#board"):
        box = phone.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] < 667 - 100
    phone.page.screenshot(path=keep)
    assert violations(phone.page) == []


def test_the_cards_show_who_is_there(host: Screen, guest: Screen) -> None:
    guest.page.fill("#visitor", "Bo")
    guest.page.click("button[data-seat=second]")
    card = "#cards [data-seat=second]"
    host.page.wait_for_selector(f"{card} .here:not(.away)", timeout=PATIENCE)
    assert host.page.locator(f"{card} .here").get_attribute("title") == ENGLISH["page.here"]
    assert host.page.locator("#cards [data-seat=first] .here").count() == 0
    guest.page.close()
    host.page.wait_for_selector(f"{card} .here.away", timeout=PATIENCE)
    assert violations(host.page) == []


@pytest.mark.parametrize("language", CATALOGS)
def test_names_are_changed_during_the_game(host: Screen, guest: Screen, language: str) -> None:
    guest.page.click("button[data-seat=second]")
    guest.page.wait_for_selector("#invited", state="hidden")
    page = guest.page
    page.select_option("#language", language)
    page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
    page.click("#show-menu")
    page.click("#rename")
    page.wait_for_selector("#people[open]")
    assert not page.is_visible("#name-first")
    assert violations(page) == []
    page.fill("#name-second", "Bo")
    page.keyboard.press("Enter")
    page.wait_for_selector("#cards >> text=Bo")
    host.page.wait_for_selector("#cards >> text=Bo")
    page.reload()
    page.wait_for_selector("#cards >> text=Bo")


def test_two_at_one_screen_have_two_names(page: Page, address: str) -> None:
    screen = Screen(page, address).begin(SMALL)
    page.click("#show-menu")
    page.click("#rename")
    page.fill("#name-first", "Ada")
    page.fill("#name-second", "Bo")
    page.click("#people button[value=save]")
    page.wait_for_selector("#cards >> text=Bo")
    assert "Ada" in screen.text("cards")
    page.click("#show-menu")
    page.click("#rename")
    page.fill("#name-first", "Eve")
    # The button that closes changes nothing.
    page.click("#people .bar button")
    page.wait_for_selector("#people", state="hidden")
    assert "Ada" in screen.text("cards")


def test_against_the_computer_only_the_person_has_a_field(page: Page, address: str) -> None:
    Screen(page, address).begin(SMALL, "level-1", "first")
    page.click("#show-menu")
    page.click("#rename")
    assert page.is_visible("#name-first")
    assert not page.is_visible("#name-second")


BLINKS = """() => {
  window.blinked = [];
  const { animate } = Element.prototype;
  Element.prototype.animate = function (...given) {
    if (this.matches(".clock")) window.blinked.push(this.dataset.clock);
    return animate.apply(this, given);
  };
}"""
"""Stores the seats whose clocks blink."""


@pytest.mark.parametrize("language", CATALOGS)
@pytest.mark.parametrize("button", ["#tools .give-time", "#menu .give-time"])
def test_a_player_gives_the_other_one_time(
    host: Screen, guest: Screen, language: str, button: str
) -> None:
    page = guest.page
    # Nobody is there yet who could be given time.
    assert host.page.locator("#tools .give-time").is_hidden()
    page.click("button[data-seat=second]")
    page.wait_for_selector("#invited", state="hidden")
    page.select_option("#language", language)
    page.wait_for_function(f"() => document.documentElement.lang === '{language}'")
    word = CATALOGS[language]["page.give-time"]
    assert page.locator("#tools .give-time").get_attribute("aria-label") == word
    host.page.evaluate(BLINKS)
    if "menu" in button:
        page.click("#show-menu")
        assert page.inner_text(button) == word
    assert violations(page) == []
    page.click(button)
    given = "#cards [data-clock=first] >> text=/^10:1/"
    page.wait_for_selector(given)
    host.page.wait_for_selector(given)
    assert host.page.evaluate("window.blinked") == ["first"]
    # It is no action, so the game waits for the same player as before.
    host.click("d5", "e5")
    host.page.wait_for_selector("#moves li:nth-child(2)")


def test_no_time_is_given_without_a_clock_or_another_person(page: Page, address: str) -> None:
    Screen(page, address).begin(SMALL, minutes="5")
    assert page.locator("#tools .give-time").is_hidden()
    page.click("#show-menu")
    assert page.locator("#menu .give-time").is_hidden()


def test_names_are_saved_after_what_the_page_is_busy_with(page: Page, address: str) -> None:
    screen = Screen(page, address).begin(SMALL)
    waiting: list[Route] = []
    page.route("**/actions?*", lambda route: waiting.append(route))  # noqa: PLW0108 - playwright cannot call methods of lists
    screen.cell("d5").click()
    screen.cell("e5").click()
    page.wait_for_selector("#cells[aria-busy='true']")
    page.click("#show-menu")
    page.click("#rename")
    page.fill("#name-first", "Ada")
    page.click("#people button[value=save]")
    page.wait_for_selector("#people", state="hidden")
    [action] = waiting
    action.continue_()
    page.wait_for_selector("#cards >> text=Ada")
    assert page.locator("#moves li").count() == len(["the start", "the action"])


HEBREW = "\u05d3\u05e0\u05d4!"
"""A name that is written from right to left, with a sign at its end."""
LEFT = """(element) => {
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  const range = document.createRange();
  return ["!", "\\u05d3"].map((sign) => {
    const at = text.data.indexOf(sign);
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  });
}"""
"""Returns where the sign and the first letter of the name begin on the screen."""


def test_a_name_from_right_to_left_does_not_turn_the_signs_around_it(
    page: Page, guests: BrowserContext, address: str
) -> None:
    screen = Screen(page, address).arrive()
    screen.choose(seat="first")
    page.fill("#name", HEBREW)
    page.click("#begin")
    page.wait_for_selector("#invitation:not([hidden])")
    guest = guests.new_page()
    guest.goto(page.url)
    guest.wait_for_selector("#invited:not([hidden])")
    sign, letter = guest.locator("#invited-title").evaluate(LEFT)
    assert sign < letter
    guest.click("#watch")
    guest.wait_for_selector("#headline:not(:empty)")
    for selector in ("#headline", "#cards [data-seat=first] .name"):
        sign, letter = guest.locator(selector).evaluate(LEFT)
        # The sign is the end of the name, and the name is read from the right.
        assert sign < letter, selector


# Withdrawing, and aborting


@pytest.mark.parametrize("way", ["#uninvite", "#resign"])
@pytest.mark.parametrize("language", CATALOGS)
def test_an_invitation_is_withdrawn(
    host: Screen, guest: Screen, way: str, language: str, keep: Path
) -> None:
    words = CATALOGS[language]
    page = host.page
    page.select_option("#language", language)
    page.wait_for_function("code => document.documentElement.lang === code", arg=language)
    page.wait_for_selector(f"#resign[aria-label='{words['page.uninvite']}']")
    assert page.inner_text("#uninvite") == words["page.uninvite"]
    page.click(way)
    host.waits_for("question-title", str(words["page.uninvite-sure"]))
    page.screenshot(path=keep)
    assert violations(page) == []
    page.click("#question button[value='']")
    assert page.is_visible("#link")
    page.click(way)
    page.click("#question button[value='yes']")
    page.wait_for_selector("#front:not([hidden])")
    # No game is left, and nobody has lost one.
    page.reload()
    page.wait_for_selector("#start", state="visible")
    assert page.locator("#my-games li").count() == 0
    guest.waits_for("refusal", str(ENGLISH["page.game-gone"]))


@pytest.mark.parametrize("language", CATALOGS)
def test_a_game_that_has_hardly_begun_is_aborted(
    host: Screen, guest: Screen, language: str, keep: Path
) -> None:
    words = CATALOGS[language]
    for each in (host, guest):
        each.page.select_option("#language", language)
        each.page.wait_for_function("code => document.documentElement.lang === code", arg=language)
    guest.page.click("button[data-seat='second']")
    host.page.wait_for_selector("#invitation", state="hidden")
    host.page.wait_for_selector(f"#resign[aria-label='{words['page.resign']}']")
    host.play_texts("a1,b1")
    guest.page.wait_for_selector("button[data-action='red']", state="visible")
    guest.page.click("#resign")
    assert guest.page.locator("#sure button:visible").all_inner_texts() == [
        words["page.cancel"],
        words["page.abort"],
        words["page.resign"],
    ]
    guest.page.screenshot(path=keep)
    assert violations(guest.page) == []
    guest.page.click("#sure button[value='abort']")
    guest.page.wait_for_selector("#front:not([hidden])")
    host.waits_for("refusal", str(words["page.game-gone"]))


def test_a_game_that_has_begun_is_resigned(host: Screen, guest: Screen) -> None:
    guest.page.click("button[data-seat='second']")
    host.page.wait_for_selector("#invitation", state="hidden")
    host.play_texts("a1,b1")
    guest.play_texts("red")
    guest.page.click("#resign")
    assert not guest.page.is_visible("#sure button[value='abort']")
