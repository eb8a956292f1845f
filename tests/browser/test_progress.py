"""The progress that the page shows while the computer thinks, and while a review runs."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

import pytest

from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.computer_moves import ComputerMoves, Thinking
from pontedeldiavolo.web.site import Site
from pontedeldiavolo.web.store import MemoryStore
from pontedeldiavolo.web.thinkers import AnalysisJob, Thinkers
from support.http_client import BY_AN_ISLAND, SMALL, fixed_seed
from support.http_server import in_thread
from support.screens import PATIENCE, Screen, prefer_language, violations

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

WORDS = dict(LANGUAGES)


def share(page: Page, bar: str) -> float | None:
    """Return the share of a bar that is filled, as the page shows it and says it."""
    said = page.get_attribute(bar, "aria-valuenow")
    inner, outer = (page.locator(each).bounding_box() for each in (f"{bar} div", bar))
    assert inner is not None
    assert outer is not None
    if said is None:
        return None
    found = inner["width"] / outer["width"]
    assert abs(found - int(said) / 100) < 0.02
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_seconds_pass_while_the_computer_thinks(page: Page, language: str, keep: Path) -> None:
    thinkers = Thinkers()
    free = Event()
    prefer_language(page, language)
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address).begin(SMALL, "level-4", "first")
        thinkers.submit("busy", free.wait)
        line = page.locator("#line").bounding_box()
        screen.click("a1", "b1")
        for count in (1, 2):
            screen.waits_for("waited", WORDS[language]["page.seconds"].format(count=count))
        # Nobody knows how long the first move takes.
        assert page.is_visible("#wait.endless")
        assert share(page, "#wait") is None
        assert page.locator("#line").bounding_box() == line
        page.screenshot(path=keep)
        assert violations(page) == []
        # They are those of the computer, not of the page: a reload keeps counting.
        page.reload()
        page.wait_for_selector("#waited", state="visible")
        assert int(screen.text("waited").split()[0]) >= 2
        # At an earlier moment the line says something else.
        page.click("[data-do='first']")
        assert page.is_hidden("#wait")
        page.click("[data-do='last']")
        page.wait_for_selector("#wait", state="visible")
        free.set()
        page.wait_for_selector("#cells .target")
        assert page.is_hidden("#wait")
        assert page.is_hidden("#waited")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_bar_shows_how_much_of_the_usual_time_has_passed(
    page: Page, language: str, monkeypatch: pytest.MonkeyPatch, keep: Path
) -> None:
    thinkers = Thinkers()
    free = Event()
    prefer_language(page, language)
    monkeypatch.setattr(ComputerMoves, "thinking", lambda *_: Thinking("level-4", 30.0, 60.0))
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=thinkers)) as address:
        screen = Screen(page, address).begin(SMALL, "level-4", "first")
        thinkers.submit("busy", free.wait)
        screen.click("a1", "b1")
        # It is long, so it is shown at once.
        page.wait_for_selector("#wait", state="visible", timeout=900)
        found = share(page, "#wait")
        assert found is not None
        assert 0.49 < found < 0.6
        assert WORDS[language]["page.expected-seconds"].format(count=60) in screen.text("state")
        page.screenshot(path=keep)
        page.emulate_media(forced_colors="active")
        colors = [
            page.locator(part).evaluate("part => getComputedStyle(part).backgroundColor")
            for part in ("#wait", "#wait div")
        ]
        assert colors[0] != colors[1]
        free.set()
        page.wait_for_selector("#wait", state="hidden")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_shows_how_many_moves_are_done(
    page: Page, language: str, monkeypatch: pytest.MonkeyPatch, keep: Path
) -> None:
    pytest.importorskip("numba")
    monkeypatch.setattr("pontedeldiavolo.web.thinkers.REVIEW_PLAYER", "mcts:simulations=50")
    free = Event()
    require_wanted = AnalysisJob._require_wanted

    def pause(job: AnalysisJob, count: int) -> None:
        require_wanted(job, count)
        if count == 2:
            free.wait(PATIENCE / 1000)

    monkeypatch.setattr(AnalysisJob, "_require_wanted", pause)
    prefer_language(page, language)
    words = WORDS[language]
    with in_thread(Site(MemoryStore(), fixed_seed, thinkers=Thinkers())) as address:
        screen = Screen(page, address)
        screen.begin_by_an_island()
        page.click("#review")
        total = len(BY_AN_ISLAND)
        screen.waits_for("searched-moves", words["page.reviewed-moves"].format(done=2, total=total))
        found = share(page, "#searching")
        assert found is not None
        assert abs(found - 2 / total) < 0.02
        screen.waits_for("found", words["page.reviewing"])
        page.wait_for_selector("#searched", state="visible")
        page.screenshot(path=keep)
        assert violations(page) == []
        free.set()
        page.wait_for_selector("#reviewed:not([hidden])", timeout=6 * PATIENCE)
        assert page.is_hidden("#searching")
        assert screen.text("searched-moves") == ""


def test_a_response_that_takes_long_is_waited_for(screen: Screen) -> None:
    page = screen.page
    free = Event()

    def hold(route: Route) -> None:
        while not free.is_set():
            page.wait_for_timeout(100)
        route.continue_()

    screen.begin(SMALL)
    screen.click("a1")
    assert page.is_hidden("#wait")
    page.route("**/actions*", hold)
    screen.cell("b1").click()
    page.wait_for_selector("#wait.endless", state="visible")
    page.wait_for_selector("#waited", state="visible")
    free.set()
    page.wait_for_selector("#wait", state="hidden")
    screen.waits_for("at", "1")
