"""Own moves, tried on the board beside a game, by mouse, finger and keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import Thinkers
from support.http_client import AT_THE_ISLAND, BY_AN_ISLAND, SMALL, Guest, fixed_seed
from support.http_server import in_thread
from support.screens import PATIENCE, TINY, Screen, prefer_language, press, reach, violations, walk

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

WORDS = dict(LANGUAGES)


def stored(site: Site, screen: Screen) -> pdd.Game:
    return site.store.load(screen.page.url.partition("#")[2]).game


def word(screen: Screen, key: str, **values: object) -> str:
    language = screen.page.evaluate("document.documentElement.lang")
    return str(WORDS[language][f"page.{key}"]).format(**values)


def is_trial(screen: Screen) -> bool:
    """Return whether every part of the page says that the board does not show the game."""
    page = screen.page
    label = word(screen, "trial")
    signs = [
        page.locator("#board.trial").count() == 1,
        page.is_visible("#trial"),
        page.locator("#line.trial").count() == 1,
        page.title().startswith(label),
        str(page.get_attribute("#cells", "aria-label")).startswith(label),
    ]
    assert len(set(signs)) == 1, signs
    return signs[0]


def begin_trial(screen: Screen) -> None:
    screen.page.click("#show-menu")
    screen.page.click("#menu-try")
    screen.page.wait_for_selector("#board.trial")
    screen.wait()


def keep_a_variation(screen: Screen) -> None:
    """Keep other tiles in place of the last action as a variation, and return to the game."""
    page = screen.page
    page.click("[data-do='previous']")
    begin_trial(screen)
    screen.click("c4", "d4")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    page.click("[data-command='leave']")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_moves_are_tried_beside_the_game(
    screen: Screen, site: Site, language: str, theme: str, keep: Path
) -> None:
    page = screen.page
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light", reduced_motion="reduce")
    prefer_language(page, language)
    screen.begin_by_an_island()
    before = stored(site, screen)
    assert not is_trial(screen)
    # From an earlier moment, with the moves of both sides.
    page.click("[data-do='previous']")
    screen.wait()
    page.click("[data-do='previous']")
    screen.wait()
    begin_trial(screen)
    screen.waits_for("headline", word(screen, "trial-from", turn=2))
    screen.waits_for("state", word(screen, "trial-about"))
    assert is_trial(screen)
    screen.click("c4", "d4")
    screen.click("b2", "c2")
    screen.waits_for("at", "4")
    assert page.locator("#moves .tried").count() == 2
    assert page.locator("#picture .tile:not([display])").count() == 8
    assert is_trial(screen)
    # Refusals are those of the game.
    screen.click("d4")
    assert screen.text("refusal")
    page.screenshot(path=keep)
    assert violations(page) == []
    page.click("#undo")
    screen.waits_for("at", "3")
    assert page.locator("#moves .tried").count() == 1
    # An earlier moment of the trial leads back to it.
    page.click("[data-do='first']")
    assert page.inner_text("#back").strip() == word(screen, "back-to-trial", turn=0)
    page.click("#back")
    screen.waits_for("at", "3")
    page.click("[data-command='leave']")
    screen.waits_for("at", "2/4")
    assert not is_trial(screen)
    assert page.locator("#moves .tried").count() == 0
    assert stored(site, screen) == before
    page.click("#back")
    screen.waits_for("at", "4")
    assert is_trial(screen) is False


def test_the_game_goes_on_after_a_trial(screen: Screen, site: Site) -> None:
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c4", "d4")
    screen.waits_for("at", "5")
    screen.page.click("[data-command='leave']")
    screen.waits_for("at", "4")
    screen.click("c3")
    screen.waits_for("refusal", WORDS["en"]["page.refused-island-touched"])
    screen.page.click("#why")
    screen.waits_for("refusal", AT_THE_ISLAND["en"])
    screen.click("d1", "e3")
    screen.waits_for("at", "5")
    assert len(stored(site, screen).actions) == 1 + len(BY_AN_ISLAND)


def test_an_illegal_move_is_explained(screen: Screen) -> None:
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c3")
    screen.waits_for("refusal", WORDS["en"]["page.refused-island-touched"])
    screen.page.click("#why")
    screen.waits_for("refusal", AT_THE_ISLAND["en"])
    assert screen.page.locator("#cells [data-roles]").count() > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_variation_is_kept(screen: Screen, site: Site, language: str, keep: Path) -> None:
    page = screen.page
    prefer_language(page, language)
    screen.begin_by_an_island()
    page.click("[data-do='previous']")
    begin_trial(screen)
    assert not page.is_visible("[data-command='keep']")
    screen.click("c4", "d4")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    [variation] = stored(site, screen).line.moves[4].variations
    assert variation.actions == (pdd.parse_action("c4,d4"),)
    page.click("[data-command='leave']")
    page.wait_for_selector("#moves .variation")
    assert page.inner_text("#moves .variation b") == "c4 d4"
    page.click("#moves .variation a")
    assert page.locator("#picture .tile:not([display])").count() == 8
    page.screenshot(path=keep)
    assert violations(page) == []


def test_another_language_keeps_the_trial(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c4", "d4")
    page.select_option("#language", "de")
    page.wait_for_function("code => document.documentElement.lang === code", arg="de")
    screen.waits_for("headline", str(WORDS["de"]["page.trial-from"]).format(turn=4))
    screen.waits_for("at", "5")
    assert is_trial(screen)


def test_another_address_ends_the_trial(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c4", "d4")
    page.evaluate("location.hash = ''")
    page.wait_for_selector("#start", state="visible")
    page.go_back()
    screen.waits_for("at", "4")
    assert not is_trial(screen)
    page.click("#show-menu")
    assert page.is_visible("#open-share")


def test_a_trial_reaches_the_end_of_the_game(screen: Screen) -> None:
    page = screen.page
    screen.begin("3x1 tiles=unlimited bridges=unlimited tiebreaks=none")
    begin_trial(screen)
    for _ in range(5):
        if page.is_visible("button[data-action='red']"):
            page.click("button[data-action='red']")
        elif page.is_visible("button[data-action='pass']"):
            page.click("button[data-action='pass']")
        elif page.locator("#cells .target").count() > 1:
            screen.click("a1", "c1")
        screen.wait()
    # Nobody has won: the page shows no result.
    assert not page.is_visible("#result")
    assert is_trial(screen)
    page.click("[data-command='leave']")
    screen.waits_for("at", "0")
    assert page.is_visible("#resign")


def test_after_the_end_a_tool_begins_it(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    assert not page.is_visible("#try")
    page.click("#resign")
    page.click("#sure button[value='first']")
    page.wait_for_selector("#result", state="visible")
    page.click("#try")
    page.wait_for_selector("#board.trial")
    assert not page.is_visible("#result")
    screen.click("c4", "d4")
    screen.waits_for("at", "5")
    page.click("[data-command='leave']")
    page.wait_for_selector("#result", state="visible")


def test_not_against_another_person(screen: Screen) -> None:
    page = screen.page
    screen.arrive()
    screen.choose(seat="first")
    page.click("#begin")
    page.wait_for_selector("#invitation", state="visible")
    page.click("#show-menu")
    assert page.is_visible("#open-share")
    assert not page.is_visible("#menu-try")


def test_with_the_keyboard(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    page.focus("#show-menu")
    press(screen, "Enter")
    reach(screen, "#menu-try")
    press(screen, "Enter")
    page.wait_for_selector("#board.trial")
    # The focus moves to the board at once.
    for cell in ("c4", "d4"):
        walk(screen, pdd.parse_cell(cell))
        press(screen, "Enter")
    screen.waits_for("at", "5")
    reach(screen, "[data-command='leave']")
    press(screen, "Enter")
    screen.waits_for("at", "4")
    assert page.evaluate("document.activeElement.closest('#cells') !== null")


@pytest.mark.parametrize("language", LANGUAGES)
def test_with_a_finger(browser: Browser, address: str, language: str, keep: Path) -> None:
    context = browser.new_context(
        viewport={"width": 320, "height": 568}, has_touch=True, is_mobile=True
    )
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    prefer_language(page, language)
    screen = Screen(page, address)
    screen.begin_by_an_island()
    page.tap("#show-menu")
    page.tap("#menu-try")
    page.wait_for_selector("#board.trial")
    screen.wait()
    tools = page.locator("#tools").bounding_box()
    for cell in ("c4", "d4"):
        screen.cell(cell).tap()
        screen.wait()
    screen.waits_for("at", "5")
    assert is_trial(screen)
    # The buttons stand side by side, and the tools stay.
    tops = page.locator("#choices button:visible").evaluate_all(
        "all => all.map(each => each.getBoundingClientRect().y)"
    )
    assert len(tops) > 1
    assert len({round(top) for top in tops}) == 1
    now = page.locator("#tools").bounding_box()
    assert tools is not None
    assert now is not None
    assert abs(now["y"] - tools["y"]) < 1
    # The sign covers no cell.
    sign, cells = page.locator("#trial").bounding_box(), page.locator("#cells").bounding_box()
    assert sign is not None
    assert cells is not None
    assert sign["y"] + sign["height"] <= cells["y"] + 1
    page.screenshot(path=keep)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    assert violations(page) == []
    page.tap("[data-command='leave']")
    screen.waits_for("at", "4")
    context.close()


# News of the game, and reviews


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_move_of_the_computer_is_told_without_leaving_the_trial(
    page: Page, language: str, keep: Path
) -> None:
    prefer_language(page, language)
    thinkers = Thinkers()
    free = Event()
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address).begin(SMALL, "level-1", "first")
        thinkers.submit("busy", free.wait)
        screen.click("a1", "b1")
        begin_trial(screen)
        screen.waits_for("headline", word(screen, "trial-from", turn=1))
        free.set()
        news = word(screen, "trial-news", news=word(screen, "your-turn"))
        screen.waits_for("headline", news)
        assert is_trial(screen)
        page.screenshot(path=keep)
        assert violations(page) == []
        # The tried moves stay, and the news does as well.
        page.click("button[data-action='red']")
        screen.waits_for("headline", word(screen, "trial-from", turn=1))
        assert news in screen.text("state")
        # The name of the computer is never cut, in the trial neither.
        assert page.locator("#cards .name.whole").count() == 1
        screen.click("c3", "d3")
        screen.waits_for("at", "2")
        page.click("[data-command='leave']")
        screen.waits_for("headline", word(screen, "your-turn"))
        assert not is_trial(screen)
        assert page.locator("#cells .target").count() > 0
        assert page.is_hidden("#back")


def test_news_of_another_window_is_told(screen: Screen, site: Site) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    token = page.evaluate("localStorage.getItem(`ponte-${location.hash.slice(1)}`)")
    other = Guest(site, page.url.partition("#")[2], token)
    other.play("d1,e3")
    news = word(screen, "trial-news", news=word(screen, "turn-red"))
    screen.waits_for("headline", news)
    assert is_trial(screen)
    other.post("resignation", version=other.get()["version"], seat="first")
    result = pdd.messages.result(stored(site, screen))
    screen.waits_for("headline", word(screen, "trial-news", news=result))
    assert is_trial(screen)
    page.click("[data-command='leave']")
    page.wait_for_selector("#result", state="visible")


def test_a_variation_that_the_reader_keeps_is_no_news(screen: Screen, site: Site) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c4", "d4")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    page.wait_for_timeout(500)
    screen.waits_for("state", word(screen, "trial-kept"))
    # The next one needs no reload: the version is known.
    page.click("#undo")
    screen.waits_for("at", "4")
    screen.click("c4", "e4")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    assert sum(len(move.variations) for move in stored(site, screen).line.moves) == 2


def test_another_language_stays_after_a_trial(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    page.select_option("#language", "de")
    page.wait_for_function("code => document.documentElement.lang === code", arg="de")
    screen.waits_for("headline", str(WORDS["de"]["page.trial-from"]).format(turn=4))
    page.click("[data-command='leave']")
    screen.waits_for("headline", str(WORDS["de"]["page.turn-white"]))
    assert "Anfang" in page.inner_text("#moves")


@pytest.fixture
def reviewed(page: Page, monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """Return a page that shows the review of a game."""
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=200")
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address).begin(TINY)
        screen.play_texts("a1,e4", "white", "a4,c3", "e1,c2")
        page.click("#resign")
        page.click("#sure button[value='first']")
        page.click("#look-back")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)
        assert page.locator("#lapses .lapse").count() > 0
        yield screen


def curve(page: Page) -> str | None:
    return page.get_attribute("#graph .values", "d")


def test_a_review_stays_after_a_trial(reviewed: Screen, keep: Path) -> None:
    page = reviewed.page
    before = curve(page)
    rows = page.locator("#lapses .lapse").all_inner_texts()
    # From a moment of the game.
    page.click("[data-do='previous']")
    at = reviewed.text("at")
    page.click("#try")
    page.wait_for_selector("#board.trial")
    assert page.is_hidden("#analysis")
    page.click("[data-command='leave']")
    page.wait_for_selector("#reviewed:not([hidden])")
    reviewed.waits_for("at", at)
    assert curve(page) == before
    assert page.locator("#lapses .lapse").all_inner_texts() == rows
    # From the line that was better: back to it, with the mistake chosen.
    page.locator("#lapses .lapse").first.click()
    page.wait_for_selector("#moves .variation [aria-current]", state="attached")
    marks = page.locator("#cells [data-number]").count()
    page.click("#try")
    page.wait_for_selector("#board.trial")
    reviewed.wait()
    page.screenshot(path=keep)
    page.click("[data-command='leave']")
    page.wait_for_selector("#lapses .lapse[aria-pressed='true']")
    page.wait_for_selector("#moves .variation [aria-current]", state="attached")
    assert page.locator("#cells [data-number]").count() == marks
    assert curve(page) == before
    assert violations(page) == []


def rows(screen: Screen) -> list[dict[str, object]]:
    """Return the moves of the game in the list: where they are, and what they say."""
    found: list[dict[str, object]] = screen.page.evaluate(
        """[...document.querySelectorAll("#moves ol[data-line='0'] > li")].map(item => {
            const link = item.querySelector("a");
            const { x, width } = link.getBoundingClientRect();
            const score = item.querySelector(":scope > .score");
            return { x, width, text: link.innerText, points: score?.innerText };
        })"""
    )
    return found


@pytest.mark.parametrize("turns", [1, 2])
def test_a_variation_changes_no_move_of_the_game(screen: Screen, turns: int) -> None:
    """The game keeps its columns, and the variation stands below the move that it replaces."""
    page = screen.page
    screen.begin_by_an_island()
    # A list without a scroll bar, before and after.
    page.set_viewport_size({"width": 1000, "height": 1000})
    before = rows(screen)
    for _ in range(turns):
        keep_a_variation(screen)
    page.wait_for_selector("#moves .variation")
    assert page.is_visible("#moves .heads")
    after = rows(screen)
    for old, new in zip(before, after, strict=True):
        # A move after which the row ends has its own points, as the last one of each row.
        assert {**new, "points": old["points"]} == old
        assert new["points"] in (old["points"], "0–0", "1–0")
    tops = page.evaluate(
        "[...document.querySelectorAll('#moves a')].map(each => each.getBoundingClientRect().y)"
    )
    links = page.locator("#moves a").all_inner_texts()
    at = next(number for number, text in enumerate(links) if "c4 d4" in text)
    assert tops[at - 1] < tops[at]
    assert all(top > tops[at] for top in tops[at + 1 :])


def test_a_variation_stands_in_the_row_of_a_phone(phone: Screen, keep: Path) -> None:
    page = phone.page
    phone.begin_by_an_island()
    keep_a_variation(phone)
    page.wait_for_selector("#moves .variation")
    assert page.eval_on_selector(".moves", "box => box.offsetHeight") < 60
    page.click("#moves .variation a")
    assert violations(page) == []
    # The current move has come into view.
    inside, current = (
        page.eval_on_selector(selector, "each => each.getBoundingClientRect().toJSON()")
        for selector in (".moves", "#moves [aria-current]")
    )
    assert inside["left"] <= current["left"]
    assert current["right"] <= inside["right"]
    # What goes on beyond an end fades out there.
    ends = page.eval_on_selector(
        ".moves",
        "box => [box.scrollLeft > 0, box.scrollLeft + box.clientWidth + 1 < box.scrollWidth]",
    )
    assert any(ends)
    classes = (page.get_attribute(".moves", "class") or "").split()
    assert [name in classes for name in ("goes-before", "goes-after")] == ends
    page.screenshot(path=keep)


def test_a_variation_that_is_kept_stands_in_the_review(reviewed: Screen) -> None:
    page = reviewed.page
    variations = page.locator("#moves .variation").count()
    better = page.locator("#lapses .lapse").first.inner_text()
    page.click("[data-do='first']")
    page.click("#try")
    page.wait_for_selector("#board.trial")
    reviewed.click("b2", "d3")
    page.click("[data-command='keep']")
    reviewed.waits_for("state", word(reviewed, "trial-kept"))
    page.click("[data-command='leave']")
    page.wait_for_selector("#reviewed:not([hidden])")
    assert page.locator("#moves .variation").count() == variations + 1
    assert page.locator("#lapses .lapse").first.inner_text() == better


def test_a_review_that_runs_goes_on_during_a_trial(
    page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=200")
    free = Event()
    thinkers = Thinkers()
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address)
        screen.begin_by_an_island()
        thinkers.submit_analysis("busy", free.wait)
        page.click("#review")
        screen.waits_for("found", word(screen, "reviewing"))
        begin_trial(screen)
        screen.click("c4", "d4")
        pieces = page.locator("#picture .tile").count()
        free.set()
        with page.expect_response(lambda each: "analysis" in each.url and each.status == 200):
            pass
        page.wait_for_timeout(3_000)
        # The result does not replace the board of the trial.
        assert is_trial(screen)
        assert page.locator("#picture .tile").count() == pieces
        screen.waits_for("at", "5")
        page.click("[data-command='leave']")
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_stays_while_moments_are_analysed(
    reviewed: Screen, monkeypatch: pytest.MonkeyPatch, language: str, keep: Path
) -> None:
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.ANALYSIS_PLAYER", "mcts:simulations=200")
    page = reviewed.page
    before, count = curve(page), page.locator("#lapses .lapse").count()
    page.click("[data-do='previous']")
    page.click("#analyse")
    page.wait_for_selector("#lines [aria-pressed='true']", timeout=6 * PATIENCE)
    assert page.is_visible("#found")
    assert page.is_visible("#reviewed")
    assert page.locator("#lapses .lapse").count() == count
    # In another language both are there, and so they are after a trial.
    if language != "en":
        page.select_option("#language", language)
        page.wait_for_function("code => document.documentElement.lang === code", arg=language)
    page.wait_for_selector("#lines [aria-pressed='true']")
    chance = word(reviewed, "value", name="", value="").strip(": ").split(" ")[0]
    page.wait_for_function(
        "word => document.getElementById('found').textContent.startsWith(word)", arg=chance
    )
    page.click("#try")
    page.wait_for_selector("#board.trial")
    page.click("[data-command='leave']")
    page.wait_for_selector("#lines [aria-pressed='true']")
    assert curve(page) == before
    assert page.locator("#lapses .lapse").count() == count
    page.screenshot(path=keep)
    assert violations(page) == []
    # A mistake is still shown with what was better.
    page.locator("#lapses .lapse").first.click()
    page.wait_for_selector("#moves .variation [aria-current]", state="attached")
    # What the review has found is no variation of the record.
    assert page.is_hidden("[data-command='drop']")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_analysed_does_not_lie_over_tried_moves(
    page: Page, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.ANALYSIS_PLAYER", "mcts:simulations=200")
    prefer_language(page, language)
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address)
        screen.begin_by_an_island()
        page.click("#analyse")
        page.wait_for_selector("#expected .line.shown", timeout=6 * PATIENCE)
        begin_trial(screen)
        assert page.is_hidden("#expected")
        page.click("[data-command='leave']")
        page.wait_for_selector("#expected .line.shown")
        assert page.locator("#lines [aria-pressed='true']").count() == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_own_moves_go_on_after_a_variation(screen: Screen, site: Site, language: str) -> None:
    page = screen.page
    prefer_language(page, language)
    screen.begin_by_an_island()
    keep_a_variation(screen)
    page.click("#moves .variation a")
    begin_trial(screen)
    screen.waits_for("at", "4")
    assert page.locator("#moves .tried b").all_inner_texts() == ["c4 d4"]
    assert page.locator("#picture .tile:not([display])").count() == 8
    screen.click("d1", "e3")
    page.click("[data-command='keep']")
    screen.waits_for("state", word(screen, "trial-kept"))
    # The variation is longer now, and no second one.
    [variation] = stored(site, screen).line.moves[4].variations
    assert variation.actions == tuple(map(pdd.parse_action, ("c4,d4", "d1,e3")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_click_on_an_earlier_own_move_plays_from_there(screen: Screen, language: str) -> None:
    page = screen.page
    prefer_language(page, language)
    screen.begin_by_an_island()
    page.click("[data-do='previous']")
    begin_trial(screen)
    screen.click("c4", "d4")
    screen.click("d1", "e3")
    screen.waits_for("at", "5")
    page.click("[data-do='previous']")
    page.wait_for_selector("[data-command='keep']", state="visible")
    screen.click("d2", "e4")
    screen.waits_for("at", "5")
    assert page.locator("#moves .tried > a b").all_inner_texts() == ["c4 d4", "d2 e4"]
    # What followed is a variation.
    assert page.locator("#moves .variation b").all_inner_texts() == ["d1 e3"]
    # The same before the first own move, where the game goes on otherwise.
    page.click("[data-do='first']")
    screen.click("a1", "c1")
    screen.waits_for("at", "1")
    assert page.locator("#moves .tried > a b").all_inner_texts() == ["a1 c1"]
    assert is_trial(screen)
