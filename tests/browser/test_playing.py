"""The page of the documentation on which readers play, with the rules in the browser."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from support.diagrams import state_of
from support.folders import served
from support.paths import ROOT
from support.screens import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

sys.path.insert(0, str(ROOT / "docs"))

import playing  # the path to it is set above

ENGLISH = LANGUAGES["en"]
PATIENCE = 60_000
"""The maximum milliseconds in which a part of the page must appear: less than a test may take."""

STATE = state_of("3 . . . . r\n2 . . . . .\n1 w w . w .")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the page."""
    try:
        archive = playing.fetched(ROOT / "build")
    except playing.MissingError as error:
        pytest.skip(f"Pyodide cannot be had: {error}")
    root = tmp_path_factory.mktemp("site")
    playing.build(root / playing.PLACE, archive)
    return root


@pytest.fixture(scope="module")
def site(folder: Path) -> Iterator[str]:
    """Serve the page, and return its address."""
    with served(folder) as address:
        yield address


@pytest.fixture
def board(page: Page, site: str) -> Page:
    """Open the page with a state on its board."""
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}/{playing.address(STATE)}")
    page.wait_for_selector("#game:not([hidden])")
    return page


def test_a_diagram_is_played_on_without_any_server(board: Page, keep: Path) -> None:
    assert board.inner_text("#state") == "White to move (player 1)."
    board.click("button[data-cell=e3]")
    board.wait_for_selector("#refusal:not(:empty)")
    assert board.inner_text("#refusal") == ENGLISH["page.refused-occupied"]
    board.click("button[data-cell=b1]")
    board.wait_for_selector("button[data-cell=b1][aria-pressed=true]")
    board.click("button[data-cell=d1]")
    board.wait_for_function("document.getElementById('state').textContent.includes('built')")
    after = STATE.apply(pdd.parse_action("b1-d1"))
    assert board.locator("#picture [data-bridge]").count() >= 1
    assert board.inner_text("#headline") == ENGLISH["page.turn-red"]
    for cell in ("a3", "c3"):
        board.click(f"button[data-cell={cell}]")
        board.wait_for_function(
            f"document.querySelector('button[data-cell={cell}]').ariaPressed === 'true'"
            " || document.getElementById('state').textContent.startsWith('Red placed')"
        )
    assert after.apply(pdd.parse_action("a3,c3")).to_move is pdd.Color.WHITE
    assert board.inner_text("#headline") == ENGLISH["page.turn-white"]
    board.click("#undo")
    board.wait_for_function("document.getElementById('state').textContent.includes('built')")
    board.screenshot(path=keep)


def test_a_game_against_the_computer(board: Page) -> None:
    board.click("#show-menu")
    board.click("#other-game")
    board.select_option("#language", "de")
    board.wait_for_function("document.documentElement.lang === 'de'")
    board.click("#more summary")
    board.select_option("#rules", "")
    board.fill("#rules-text", "4x4 tiles=unlimited bridges=unlimited tiebreaks=islands,bridges")
    board.click("#level-chips label:has([value=level-3])")
    board.click("#start button[type=submit]")
    board.wait_for_selector("button[data-cell=d4]:visible")
    for cell in ("a1", "b1"):
        board.click(f"button[data-cell={cell}]")
    board.wait_for_function(
        "document.getElementById('state').textContent.startsWith('Computer 3 hat Weiß gewählt.')"
    )
    assert board.inner_text("#headline") == "Du bist am Zug"


def test_nobody_is_asked_to_share_a_game_that_nobody_else_can_see(board: Page) -> None:
    assert board.is_hidden("#invitation")
    board.reload()
    # A game is lost with its page; then another one can begin.
    board.wait_for_selector("#start:not([hidden])")
    board.wait_for_function(
        "document.getElementById('message').textContent.startsWith('This game is gone')"
    )
    assert board.is_visible("label[for=way-both]")
    assert board.is_hidden("label[for=way-link]")
    # Levels that need other packages are not offered: nothing can be installed here.
    levels = board.locator("[name=level]").evaluate_all("all => all.map((each) => each.value)")
    assert levels == [f"level-{number}" for number in range(1, 5)]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_is_accessible(page: Page, site: str, theme: Any, keep: Path) -> None:
    page.set_default_timeout(PATIENCE)
    page.emulate_media(color_scheme=theme)
    page.goto(f"{site}/{playing.address(STATE)}")
    # The page says that loading takes a while.
    page.wait_for_selector("#message:not(:empty)")
    assert violations(page) == []
    page.wait_for_selector("#game:not([hidden])")
    assert violations(page) == []
    for language in ("de", "en"):
        page.select_option("#language", language)
        page.wait_for_function(f"document.documentElement.lang === '{language}'")
        page.click("button[data-cell=e3]")
        page.wait_for_selector("#refusal:not(:empty)")
        assert violations(page) == []
    page.click("#resign")
    assert violations(page) == []
    page.click("#sure button[value='']")
    page.screenshot(path=keep, full_page=True)
    page.click("#show-menu")
    page.click("#other-game")
    page.wait_for_selector("#start:not([hidden])")
    for language in ("de", "en"):
        page.select_option("#language", language)
        page.wait_for_function(f"document.documentElement.lang === '{language}'")
        assert violations(page) == []


def test_the_page_loads_in_the_language_of_its_reader(browser: Browser, site: str) -> None:
    for locale, words in (("de-AT", "Python und die Regeln werden"), ("fr-FR", "Loading Python")):
        with browser.new_context(locale=locale) as window:
            page = window.new_page()
            page.goto(f"{site}/{playing.address(STATE)}")
            # The page shows a message at once, and later only in the language of the reader.
            assert page.inner_text("#message") != ""
            page.wait_for_function(
                f"document.getElementById('message').textContent.startsWith('{words}')"
            )
            assert page.evaluate("document.documentElement.lang") == (
                "de" if locale == "de-AT" else "en"
            )


def test_an_empty_board_and_megabytes_are_shown_at_once(page: Page, site: str, keep: Path) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}/{playing.address(STATE)}", wait_until="domcontentloaded")
    assert page.locator("#waiting-board [data-cell]").count() == 100
    page.wait_for_function(
        "/ \\d+\\.\\d of \\d+\\.\\d MB\\.$/.test(document.all.message.textContent)"
    )
    page.screenshot(path=keep)
    page.wait_for_selector("#game:not([hidden])")
    assert page.locator("#waiting-board").count() == 0


@pytest.mark.parametrize(("locale", "words"), [("en", "This page needs a"), ("de", "Diese Seite")])
def test_a_page_from_a_file_names_a_way_on(
    browser: Browser, folder: Path, locale: str, words: str
) -> None:
    with browser.new_context(locale=locale) as window:
        page = window.new_page()
        page.goto((folder / playing.PLACE / "index.html").as_uri())
        assert page.inner_text("#message").startswith(words)
        assert "python -m http.server" in page.inner_text("#message")
        link = page.get_attribute("#message a", "href")
        assert link == ("../../de/spielen.html" if locale == "de" else "../../howto/play.html")
        assert (ROOT / "docs" / f"{link[6:-5]}.md").exists()


def test_an_old_browser_is_told_so(page: Page, site: str) -> None:
    page.add_init_script("delete globalThis.TransformStream")
    page.goto(f"{site}/{playing.PLACE}/index.html")
    page.wait_for_selector("#message a")
    assert "too old" in page.inner_text("#message")


def test_files_that_cannot_be_loaded_are_told(browser: Browser, site: str) -> None:
    with browser.new_context() as window:
        page = window.new_page()
        page.route("**/python_stdlib.zip", lambda route: route.abort())
        page.goto(f"{site}/{playing.PLACE}/index.html")
        page.wait_for_selector("#message a")
        said = page.inner_text("#message")
        assert said.startswith("Python and the rules could not be loaded.")


def test_a_diagram_is_played_on_against_the_computer(page: Page, site: str) -> None:
    page.set_default_timeout(PATIENCE)
    page.goto(f"{site}/{playing.address(STATE, 'level-2')}")
    page.wait_for_selector("#game:not([hidden])")
    assert page.inner_text("#state").startswith("White to move")
    for cell in ("b1", "d1"):
        page.click(f"button[data-cell={cell}]")
    # The computer moves red.
    page.wait_for_function(
        "/^Red (placed|built)/.test(document.getElementById('state').textContent)"
    )


def test_the_page_of_the_guide_plays_actions(page: Page, site: str, folder: Path) -> None:
    page.set_default_timeout(PATIENCE)
    copied = folder / playing.PLACE / "pyodide.html"
    copied.write_bytes((ROOT / "examples" / "pyodide.html").read_bytes())
    page.goto(f"{site}/{playing.PLACE}/pyodide.html")
    page.wait_for_selector("#action:enabled")
    for action, answer in [("d4,g7", "Played."), ("d4,d5", "This cannot be done at this point")]:
        page.fill("#action", action)
        page.press("#action", "Enter")
        page.wait_for_function(
            "text => document.querySelector('#answer').textContent.startsWith(text)", arg=answer
        )
    assert page.locator("#board svg [data-cell=d4]").count() > 0
