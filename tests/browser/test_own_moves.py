"""Lines of own moves: nothing that was tried is lost, and what was kept can be deleted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from support.screens import Screen, prefer_language, press, reach, violations, walk

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Page

WORDS = dict(LANGUAGES)


def word(screen: Screen, key: str, **values: object) -> str:
    language = screen.page.evaluate("document.documentElement.lang")
    return str(WORDS[language][f"page.{key}"]).format(**values)


def begin_trial(screen: Screen) -> None:
    screen.page.click("#show-menu")
    screen.page.click("#menu-try")
    screen.page.wait_for_selector("#board.trial")
    screen.wait()


def main_line(page: Page) -> list[str]:
    return page.locator("#moves .tried > a b").all_inner_texts()


def other_lines(page: Page) -> list[str]:
    return page.locator("#moves .variation b").all_inner_texts()


def variations(site: Site, screen: Screen) -> list[list[str]]:
    """Return the variations of the last action in the record of the game."""
    game = site.store.load(screen.page.url.partition("#")[2]).game
    lines = game.line.moves[-1].variations
    return [[pdd.format_action(action) for action in line.actions] for line in lines]


def try_two_lines(screen: Screen) -> None:
    """Try two lines of two moves that begin with the same one, before the last action."""
    screen.begin_by_an_island()
    screen.page.click("[data-do='previous']")
    begin_trial(screen)
    screen.click("c4", "d4", "d1", "e3")
    screen.waits_for("at", "5")
    screen.page.click("[data-do='previous']")
    screen.click("d2", "e4")
    screen.waits_for("at", "5")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_at_an_earlier_one_begins_a_variation(
    screen: Screen, site: Site, language: str, keep: Path
) -> None:
    page = screen.page
    prefer_language(page, language)
    try_two_lines(screen)
    assert main_line(page) == ["c4 d4", "d2 e4"]
    assert other_lines(page) == ["d1 e3"]
    page.screenshot(path=keep)
    assert violations(page) == []
    # A click in the other line goes on there.
    page.click("#moves .variation a")
    screen.waits_for("headline", word(screen, "in-variation", turn=5))
    assert not screen.text("state").startswith("Variation")
    # Undoing brings back what was shown before, step by step.
    page.click("#undo")
    screen.waits_for("at", "5")
    assert main_line(page) == ["c4 d4", "d1 e3"]
    assert other_lines(page) == []
    page.click("#undo")
    screen.waits_for("at", "4")
    # All lines are kept together.
    screen.click("d1", "e3")
    page.click("[data-do='previous']")
    screen.click("d2", "e4")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    assert sorted(variations(site, screen)) == [["c4,d4", "d1,e3"], ["c4,d4", "d2,e4"]]


def test_a_first_click_at_an_earlier_move_loses_nothing(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    page.click("[data-do='previous']")
    begin_trial(screen)
    screen.click("c4", "d4", "d1", "e3")
    screen.waits_for("at", "5")
    page.click("[data-do='previous']")
    screen.click("d2")
    # What followed stands beside the move, and undoing brings it back.
    assert other_lines(page)[-1] == "d1 e3"
    page.click("#undo")
    screen.waits_for("at", "5")
    assert main_line(page) == ["c4 d4", "d1 e3"]
    assert other_lines(page) == []


@pytest.mark.parametrize("way", ["leave", "reload", "elsewhere"])
def test_own_moves_come_back(screen: Screen, way: str) -> None:
    page = screen.page
    try_two_lines(screen)
    if way == "leave":
        page.click("[data-command='leave']")
    elif way == "reload":
        page.reload()
        page.wait_for_selector("#game:not([hidden])")
    else:
        page.evaluate("location.hash = ''")
        page.wait_for_selector("#start", state="visible")
        page.go_back()
    page.wait_for_selector("#board:not(.trial)")
    screen.wait()
    page.click("[data-do='first']")
    page.click("[data-do='next']")
    begin_trial(screen)
    screen.waits_for("state", word(screen, "trial-resumed"))
    screen.waits_for("at", "5")
    assert main_line(page) == ["c4 d4", "d2 e4"]
    assert other_lines(page) == ["d1 e3"]
    # The next move ends the message, and all goes on as before.
    page.click("#undo")
    screen.waits_for("at", "4")
    assert main_line(page) == ["c4 d4"]


def test_what_was_kept_does_not_come_back(screen: Screen, site: Site) -> None:
    page = screen.page
    try_two_lines(screen)
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    page.click("[data-command='leave']")
    page.wait_for_selector("#board:not(.trial)")
    assert len(variations(site, screen)) == 2
    begin_trial(screen)
    screen.waits_for("state", word(screen, "trial-about"))
    assert main_line(page) == []


def test_an_own_line_is_deleted_and_brought_back(screen: Screen) -> None:
    page = screen.page
    try_two_lines(screen)
    page.click("#moves .variation a")
    page.click("[data-command='drop']")
    page.wait_for_selector("#moves .variation", state="detached")
    screen.wait()
    assert main_line(page) == ["c4 d4", "d2 e4"]
    page.click("#undo")
    page.wait_for_selector("#moves .variation")
    assert other_lines(page) == ["d1 e3"]


def keep_a_line(screen: Screen) -> None:
    """Keep two moves in place of the last action as a variation, and show its end."""
    page = screen.page
    screen.begin_by_an_island()
    page.click("[data-do='previous']")
    begin_trial(screen)
    screen.click("c4", "d4", "d1", "e3")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    page.click("[data-command='leave']")
    page.locator("#moves .variation a").first.click()
    page.wait_for_selector("[data-command='drop']", state="visible")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_variation_of_the_record_is_deleted(
    screen: Screen, site: Site, language: str, keep: Path
) -> None:
    page = screen.page
    prefer_language(page, language)
    keep_a_line(screen)
    screen.waits_for("headline", word(screen, "in-variation", turn=4))
    page.click("[data-command='drop']")
    screen.waits_for("question-title", word(screen, "drop-sure"))
    page.screenshot(path=keep)
    assert violations(page) == []
    page.click("#question button[value='']")
    assert len(variations(site, screen)) == 1
    page.click("[data-command='drop']")
    page.click("#question button[value='yes']")
    page.wait_for_selector("#moves .variation", state="detached")
    assert variations(site, screen) == []
    # The board shows where it began.
    screen.waits_for("at", "3/4")


def test_a_variation_is_deleted_with_the_keyboard(screen: Screen, site: Site) -> None:
    keep_a_line(screen)
    screen.page.focus("#show-menu")
    screen.page.keyboard.press("Shift+Tab")
    for _ in range(40):
        if screen.page.evaluate("document.activeElement.matches('[data-command=drop]')"):
            break
        screen.page.keyboard.press("Shift+Tab")
    press(screen, "Enter")
    screen.page.wait_for_selector("#question[open]")
    reach(screen, "#question button[value='yes']")
    press(screen, "Enter")
    screen.page.wait_for_selector("#moves .variation", state="detached")
    assert variations(site, screen) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_finger_deletes_an_own_line(phone: Screen, language: str, keep: Path) -> None:
    page = phone.page
    prefer_language(page, language)
    phone.begin_by_an_island()
    page.tap("[data-do='previous']")
    page.tap("#show-menu")
    page.tap("#menu-try")
    page.wait_for_selector("#board.trial")
    phone.wait()
    page.evaluate("document.getElementById('confirm').checked = false")
    for cell in ("c4", "d4", "d1", "e3"):
        phone.cell(cell).tap()
        phone.wait()
    phone.waits_for("at", "5")
    page.tap("[data-do='previous']")
    for cell in ("d2", "e4"):
        phone.cell(cell).tap()
        phone.wait()
    phone.waits_for("at", "5")
    assert other_lines(page) == ["d1 e3"]
    page.tap("#moves .variation a")
    page.wait_for_selector("[data-command='drop']", state="visible")
    page.screenshot(path=keep)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.tap("[data-command='drop']")
    page.wait_for_selector("#moves .variation", state="detached")


# The keyboard after a click


@pytest.mark.parametrize("key", ["Enter", " "])
def test_a_key_clicks_no_cell_whose_focus_is_not_shown(screen: Screen, key: str) -> None:
    page = screen.page
    screen.begin_by_an_island()
    screen.click("d1")
    page.wait_for_selector("#cells [aria-pressed='true']", state="attached")
    # The focus is on the cell, out of sight: the key must not take the first click back.
    press(screen, key)
    page.wait_for_timeout(200)
    assert page.locator("#cells [aria-pressed='true']").count() == 1
    screen.click("e3")
    screen.waits_for("at", "5")
    # Those who go there with keys see the focus, and click.
    page.focus("#show-menu")
    page.keyboard.press("Shift+Tab")
    reach(screen, "#cells button")
    walk(screen, pdd.parse_cell("a5"))
    press(screen, key)
    assert page.get_attribute("#cells [data-cell='a5']", "aria-pressed") == "true"
