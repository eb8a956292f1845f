"""The start page: three ways to begin, chips and further options, and the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from support.http_client import SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import Screen, press, reach, violations

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Request

CATALOGS = {"en": ENGLISH, "de": GERMAN}
WINDOWS = {"desktop": (1280, 800), "phone": (375, 667), "small": (320, 568), "flat": (667, 375)}


@pytest.fixture
def screen(page: Page, address: str) -> Screen:
    screen = Screen(page, address).arrive()
    screen.waits_for("begin", "Play against level 2")
    return screen


def begun(screen: Screen) -> dict[str, Any]:
    """Press the button that begins, and return what the page has asked for."""

    def is_new_game(request: Request) -> bool:
        return request.method == "POST"

    with screen.page.expect_request(is_new_game) as sent:
        screen.page.click("#begin")
    screen.page.wait_for_selector("#game:not([hidden])")
    wish: dict[str, Any] = json.loads(sent.value.post_data or "")
    assert len(wish.pop("key")) == 32
    return wish


def chip(screen: Screen, name: str, value: str) -> None:
    screen.page.click(f"#{name}-chips label:has([value='{value}'])")


def chosen(screen: Screen, name: str) -> str:
    return screen.page.locator(f"#{name}-chips :checked + span").inner_text()


DEFAULTS = {
    "rules": "board-game-arena",
    "start": "",
    "to_move": "white",
    "opponent": "level-2",
    "name": "",
    "seat": "first",
}


def test_one_press_begins_against_the_second_level(screen: Screen) -> None:
    assert begun(screen) == DEFAULTS


def test_two_at_one_screen(screen: Screen) -> None:
    screen.choose()
    assert screen.text("begin") == "Begin at this screen"
    # Both are asked for nothing that only one of them has.
    for part in ("#begins-row", "#level-chips", "#name"):
        assert not screen.page.is_visible(part)
    assert begun(screen) == {**DEFAULTS, "opponent": "none", "seat": "both"}


def test_an_invitation_asks_for_the_name_of_its_sender(screen: Screen) -> None:
    screen.page.click("label[for=way-link]")
    assert screen.text("begin") == "Make the link"
    screen.page.fill(".way #name", "Ada")
    chip(screen, "begins", "second")
    chip(screen, "clock", "10+5")
    chip(screen, "board", "original")
    wish = {"opponent": "none", "name": "Ada", "seat": "second"}
    assert begun(screen) == {**DEFAULTS, **wish, "time_control": "600+5", "rules": "original"}
    screen.arrive()
    assert screen.page.input_value("#name") == "Ada"


def test_the_button_names_the_level_and_the_page_remembers_it(screen: Screen) -> None:
    chip(screen, "level", "level-3")
    assert screen.text("begin") == "Play against level 3"
    assert screen.text("level-about").startswith("Level 3 · fairly easy")
    assert begun(screen)["opponent"] == "level-3"
    screen.arrive()
    screen.waits_for("begin", "Play against level 3")


@pytest.mark.parametrize("language", CATALOGS)
def test_each_level_is_said_in_one_line_on_a_phone(screen: Screen, language: str) -> None:
    page = screen.page
    page.set_viewport_size({"width": 375, "height": 667})
    words = CATALOGS[language]
    levels = page.eval_on_selector_all("[name=level]", "found => found.map((e) => e.value)")
    assert len(levels) == 9
    for number, level in enumerate(levels, 1):
        about = words[f"page.opponent-{level}"].partition(": ")[2]
        assert about
        said = words["page.level-about"].format(number=number, about=about)
        height = page.eval_on_selector(
            "#level-about", "(e, said) => (e.textContent = said, e.getClientRects().length)", said
        )
        assert height == 1, said


def test_a_random_seat_is_one_of_both(screen: Screen) -> None:
    seats: set[str] = set()
    while seats != {"first", "second"}:
        chip(screen, "begins", "random")
        seats.add(begun(screen)["seat"])
        screen.page.click("h1 a")
        screen.page.wait_for_selector("#begin:visible")
    assert seats == {"first", "second"}


def test_what_has_no_chip_is_shown_as_one_while_it_is_chosen(screen: Screen) -> None:
    page = screen.page
    page.click("#more summary")
    page.fill("#minutes", "7")
    page.fill("#increment", "3")
    assert chosen(screen, "clock") == "7 + 3"
    page.select_option("#rules", "wikipedia")
    assert chosen(screen, "board") == "Wikipedia"
    page.select_option("#rules", "")
    page.fill("#columns", "6")
    page.fill("#rows", "5")
    page.fill("#bridges", "6")
    assert chosen(screen, "board") == "6 × 5"
    assert page.input_value("#rules-text") == SMALL
    assert begun(screen) == {**DEFAULTS, "rules": SMALL, "time_control": "420+3"}
    screen.arrive()
    page.click("#more summary")
    page.fill("#minutes", "7")
    chip(screen, "clock", "5+5")
    assert (page.input_value("#minutes"), page.input_value("#increment")) == ("5", "5")
    assert page.locator("#clock-chips label").count() == 4
    page.select_option("#rules", "wikipedia")
    chip(screen, "board", "abstract-play-8")
    assert page.input_value("#rules") == "abstract-play-8"
    assert page.locator("#board-chips label").count() == 4


def test_a_refusal_stands_beside_the_button(screen: Screen) -> None:
    page = screen.page
    screen.choose()
    page.click("#more summary")
    page.fill("#setup", "hello world")
    page.click("#more summary")
    page.click("#begin")
    page.wait_for_selector("#setup[aria-invalid='true']:focus")
    assert screen.text("start-refusal") == ENGLISH["unknown-start"]
    page.fill("#setup", "")
    begun(screen)


def test_the_keyboard_alone_begins(screen: Screen) -> None:
    reach(screen, "#way-computer")
    press(screen, "Tab", "ArrowRight")
    assert screen.text("begin") == "Play against level 3"
    reach(screen, "#clock-chips [value='']")
    press(screen, "ArrowRight", "Enter")
    screen.page.wait_for_selector("[data-clock]:not([hidden])")


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("look", ["en light", "de dark"])
def test_how_it_looks(browser: Browser, address: str, keep: Path, window: str, look: str) -> None:
    language, scheme = look.split()
    width, height = WINDOWS[window]
    size: Any = {"width": width, "height": height}
    with browser.new_context(viewport=size, color_scheme=scheme, locale=language) as context:  # type: ignore[arg-type]
        page = context.new_page()
        screen = Screen(page, address).arrive()
        number = CATALOGS[language]["page.begin-computer"].format(number=2)
        screen.waits_for("begin", number)
        page.wait_for_function("document.querySelector('.hero img').complete")
        page.screenshot(path=keep)
        # The button that begins is in view at once; nothing is wider than the window.
        box = page.locator("#begin").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= height
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        header = page.locator("header").bounding_box()
        assert header is not None
        assert header["height"] <= 48
        assert violations(page) == []
        page.click("label[for=way-link]")
        page.click("#more summary")
        page.select_option("#rules", "")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        assert violations(page) == []


def test_forced_colours_show_what_is_chosen(browser: Browser, address: str, keep: Path) -> None:
    with browser.new_context(forced_colors="active") as context:
        page = context.new_page()
        Screen(page, address).arrive().waits_for("begin", "Play against level 2")
        page.screenshot(path=keep)
        style = "e => getComputedStyle(e)[{0}]"

        def look(selector: str, name: str) -> str:
            found: str = page.eval_on_selector(selector, style.replace("{0}", f"'{name}'"))
            return found

        fill = "#level-chips {} + span"
        assert look(fill.format(":checked"), "backgroundColor") != look(
            fill.format("[value=level-1]"), "backgroundColor"
        )
        assert look(".way:has(#way-computer)", "outlineStyle") == "solid"
        assert look(".way:has(#way-both)", "outlineStyle") == "none"


@pytest.mark.parametrize("language", CATALOGS)
def test_the_rules_have_pictures_and_a_button_that_stays(
    screen: Screen, language: str, keep: Path
) -> None:
    page = screen.page
    page.select_option("#language", language)
    page.click("[data-opens=rules]")
    page.wait_for_selector("#how[open]")
    sections = page.locator("#how-text section")
    assert sections.count() == 6
    assert page.locator("#how-text section:has(svg)").count() == 6
    # Each sign of the list stands in the picture too.
    for kind, count in (("legal", 5), ("illegal", 5)):
        assert page.locator(f"#how-text li.{kind}").count() == count
        assert page.locator(f"#how-text svg :is(.arrow, .highlight).{kind}").count() == count
        assert page.locator(f"#how-text svg .verdict.{kind}:visible").count() == count
    assert violations(page) == []
    close = page.locator("#how .bar button")
    before = close.bounding_box()
    sections.last.scroll_into_view_if_needed()
    page.screenshot(path=keep)
    assert close.bounding_box() == before
    # Beside each other, not below.
    words = sections.first.locator("p").bounding_box()
    picture = sections.first.locator("svg").bounding_box()
    assert words is not None
    assert picture is not None
    assert words["x"] + words["width"] <= picture["x"]
    close.click()
    page.wait_for_selector("#how", state="hidden")
    assert page.evaluate("document.activeElement.matches('[data-opens=rules]')")


def test_an_empty_page_says_that_the_server_is_gone(page: Page) -> None:
    with in_thread(Site(MemoryStore(), fixed_seed)) as address:
        screen = Screen(page, address).arrive()
        screen.waits_for("begin", "Play against level 2")
    page.click("#begin")
    screen.waits_for("start-refusal", ENGLISH["page.no-response"])


@pytest.mark.parametrize(("width", "rows"), [(1280, 1), (375, 2)])
def test_the_levels_fill_their_rows(screen: Screen, width: int, rows: int) -> None:
    page = screen.page
    page.set_viewport_size({"width": width, "height": 800})
    screen.arrive()
    page.wait_for_selector("#level-chips label")
    levels = page.locator("#level-chips label").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().toJSON())"
    )
    assert len({each["y"] for each in levels}) == (rows if len(levels) > 5 else 1)
    assert min(each["width"] for each in levels) >= 34


def test_the_start_page_names_the_other_language(screen: Screen) -> None:
    page = screen.arrive().page
    page.get_by_role("button", name="Deutsch").click()
    screen.waits_for("begin", "Gegen Stufe 2 spielen")
    assert page.input_value("#language") == "de"
    assert page.evaluate("document.activeElement.id") == "language"
    page.get_by_role("button", name="English").click()
    screen.waits_for("begin", "Play against level 2")
