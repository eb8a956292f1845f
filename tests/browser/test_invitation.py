"""Invitations: the link, what a visitor sees, names, and who is there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.messages import ENGLISH, GERMAN
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import PATIENCE, Screen, violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

CATALOGS = {"en": ENGLISH, "de": GERMAN}


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with in_thread(Site(MemoryStore(), fixed_seed)) as found:
        yield found


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
    Screen(page, address).begin(SMALL, "random", "first")
    page.click("#show-menu")
    page.click("#rename")
    assert page.is_visible("#name-first")
    assert not page.is_visible("#name-second")
