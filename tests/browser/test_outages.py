"""Requests that fail, hang, or are refused late: what the page says and does then."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from support.http_client import AT_THE_ISLAND, BY_AN_ISLAND, SMALL, Guest
from support.late_requests import LateRequests
from support.screens import Screen, press

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

ENGLISH = LANGUAGES["en"]
GERMAN = LANGUAGES["de"]
ACTIONS = "**/actions?*"


class Held:
    """Requests of a page that a test answers as it likes."""

    def __init__(self, page: Page, pattern: str) -> None:
        self.routes: list[Route] = []
        self._page = page

        def hold(route: Route) -> None:
            self.routes.append(route)

        page.route(pattern, hold)

    def first(self) -> Route:
        """Wait until the page has sent a request."""
        while not self.routes:
            self._page.wait_for_timeout(10)
        return self.routes[0]


def game_of(screen: Screen) -> str:
    return screen.page.url.partition("#")[2]


def guest_of(screen: Screen, site: Site) -> Guest:
    """Return the player of the page, as another client."""
    game = game_of(screen)
    token = screen.page.evaluate("(id) => localStorage.getItem(`ponte-${id}`)", game)
    return Guest(site, game, token)


def go_to(screen: Screen, address: str) -> None:
    screen.page.evaluate("(address) => (location.hash = address)", address)


def fail(route: Route, status: int) -> None:
    """Answer a request with an error; with the status 0, break the connection."""
    if status:
        sentence = str(ENGLISH["server-busy"])
        route.fulfill(status=status, json={"error": sentence, "code": "server-busy"})
    else:
        route.abort()


def is_pressed(screen: Screen, cell: str) -> bool:
    return screen.cell(cell).get_attribute("aria-pressed") == "true"


# Clicks that wait


@pytest.mark.parametrize("status", [0, 503])
def test_clicks_after_an_action_that_failed_are_dropped(screen: Screen, status: int) -> None:
    page = screen.begin(SMALL).page
    actions = Held(page, ACTIONS)
    screen.cell("a1").click()
    screen.cell("b1").click()
    lost = actions.first()
    screen.cell("d4").click()
    fail(lost, status)
    screen.waits_for("refusal", str(ENGLISH["server-busy" if status else "page.no-response"]))
    screen.wait()
    page.wait_for_timeout(300)
    # The third click was meant for the turn after that of the first two.
    assert len(actions.routes) == 1
    # What the page says of a lost connection ends with it.
    assert status == 0 or screen.text("refusal") == ENGLISH["server-busy"]
    assert is_pressed(screen, "a1")


def test_clicks_after_a_refused_action_are_dropped(screen: Screen) -> None:
    screen.begin_by_an_island()
    actions = LateRequests(screen.page, ACTIONS)
    screen.click("d1")
    # The server refuses it, because it is occupied.
    screen.cell("a1").click()
    actions.wait_for_one()
    screen.cell("a4").click()
    actions.release()
    screen.waits_for("refusal", ENGLISH["page.refused-occupied"])
    screen.wait()
    screen.page.wait_for_timeout(300)
    assert screen.text("at") == "4"
    assert is_pressed(screen, "d1")
    # Once the refusal is on the page, clicks count again.
    screen.click("a4")
    screen.waits_for("at", "5")


def test_clicks_after_a_confirmed_action_that_failed_are_dropped(phone: Screen) -> None:
    page = phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none").page
    for cell in ("c3", "i8"):
        phone.cell(cell).tap()
        phone.wait()
    actions = Held(page, ACTIONS)
    page.click("[data-command=place]")
    lost = actions.first()
    phone.cell("e5").tap()
    lost.abort()
    phone.waits_for("refusal", ENGLISH["page.no-response"])
    phone.wait()
    page.wait_for_timeout(300)
    assert page.locator("#cells .unconfirmed").count() == 0
    assert len(actions.routes) == 1


def test_a_second_click_counts_although_an_offer_is_made(screen: Screen, site: Site) -> None:
    page = screen.begin(SMALL, seat="first").page
    visitor = Guest(site, game_of(screen))
    visitor.post("seats", 201, seat="second", name="Cy")
    page.wait_for_selector("#invitation", state="hidden")
    screen.click("a1")
    draws = LateRequests(page, "**/draw?*")
    page.click("#show-menu")
    page.click("#draw")
    draws.wait_for_one()
    # The offer is a new version of the game, with the same board.
    screen.cell("b1").click()
    draws.release()
    screen.waits_for("at", "1")
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"))


# Requests that hang


def test_a_hanging_request_ends_when_the_reader_leaves_the_game(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    other = game_of(screen)
    screen.begin(SMALL)
    actions = Held(page, ACTIONS)
    screen.cell("a1").click()
    screen.cell("b1").click()
    actions.first()
    go_to(screen, other)
    page.wait_for_function("(id) => location.hash === `#${id}`", arg=other)
    page.wait_for_selector("#game:not([hidden])")
    screen.click("c3")
    assert is_pressed(screen, "c3")
    assert screen.text("refusal") == ""
    assert page.inner_text("#message") == ""


def test_a_hanging_new_game_ends_when_the_reader_opens_another_one(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    other = game_of(screen)
    go_to(screen, "")
    page.wait_for_selector("#front:not([hidden])")
    games = Held(page, "**/games?*")
    page.click("#begin")
    games.first()
    go_to(screen, other)
    page.wait_for_selector("#game:not([hidden])")
    screen.click("c3")
    assert is_pressed(screen, "c3")
    assert screen.text("refusal") == ""


def test_an_answer_in_a_dialog_is_not_carried_out_in_another_game(
    screen: Screen, site: Site
) -> None:
    page = screen.begin(SMALL).page
    other = guest_of(screen, site)
    screen.begin(SMALL)
    actions = Held(page, ACTIONS)
    screen.cell("a1").click()
    screen.cell("b1").click()
    actions.first()
    page.click("#show-menu")
    page.click("#rename")
    page.fill("#name-first", "Ada")
    page.click("#people button[value=save]")
    go_to(screen, other.game)
    page.wait_for_selector("#game:not([hidden])")
    screen.wait()
    page.wait_for_timeout(500)
    assert other.get()["names"] == {"first": None, "second": None}


def test_a_hanging_request_is_given_up(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    page.clock.install()
    actions = Held(page, ACTIONS)
    screen.cell("a1").click()
    screen.cell("b1").click()
    actions.first()
    page.clock.fast_forward(60_000)
    screen.waits_for("refusal", ENGLISH["page.no-response"])
    page.unroute(ACTIONS)
    screen.click("b1")
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"))


# Responses to what has changed meanwhile


@pytest.mark.parametrize("leaves", [False, True])
def test_a_game_that_cannot_be_loaded_is_not_called_outdated(
    screen: Screen, *, leaves: bool
) -> None:
    page = screen.begin(SMALL).page
    outdated = {"error": str(ENGLISH["outdated"]), "code": "outdated"}
    gone = {"error": str(ENGLISH["no-such-game"]), "code": "no-such-game"}
    whole = f"**/games/{game_of(screen)}?lang=en"
    page.route(ACTIONS, lambda route: route.fulfill(status=409, json=outdated))
    loading = Held(page, whole)
    screen.click("a1")
    screen.cell("b1").click()
    request = loading.first()
    if leaves:
        go_to(screen, "")
        page.wait_for_selector("#front:not([hidden])")
    request.fulfill(status=404, json=gone)
    if leaves:
        page.wait_for_timeout(300)
        assert page.inner_text("#message") == ""
    else:
        screen.waits_for("refusal", ENGLISH["no-such-game"])
        page.wait_for_timeout(300)
        assert screen.text("refusal") == ENGLISH["no-such-game"]


def check_late_refusal(screen: Screen, requests: str) -> None:
    """Check that a refusal that arrives after a step back marks nothing."""
    late = LateRequests(screen.page, requests)
    screen.cell("c3").click()
    late.wait_for_one()
    screen.page.keyboard.press("Comma")
    screen.page.wait_for_selector("#board.past")
    late.release()
    screen.wait()
    assert screen.text("refusal") == ""
    assert screen.page.locator("#cells [data-roles]").count() == 0


def test_a_late_refusal_is_not_shown_at_an_earlier_moment(screen: Screen) -> None:
    screen.begin_by_an_island()
    check_late_refusal(screen, ACTIONS)


def test_a_late_refusal_is_not_shown_at_an_earlier_moment_of_a_trial(screen: Screen) -> None:
    screen.begin_by_an_island()
    screen.page.click("#show-menu")
    screen.page.click("#menu-try")
    screen.page.wait_for_selector("#board.trial")
    screen.wait()
    check_late_refusal(screen, "**/trial?*")


def test_a_late_refusal_is_shown_in_the_new_language(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    late: list[tuple[Route, str]] = []

    def hold(route: Route) -> None:
        late.append((route, route.fetch().text()))

    page.route(ACTIONS, hold, times=1)
    screen.cell("c3").click()
    while not late:
        page.wait_for_timeout(10)
    page.select_option("#language", "de")
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    [(route, text)] = late
    assert json.loads(text)["refused"]["error"] == AT_THE_ISLAND["en"]
    route.fulfill(body=text, content_type="application/json")
    screen.waits_for("refusal", GERMAN["page.refused-island-touched"])
    page.click("#why")
    screen.waits_for("refusal", AT_THE_ISLAND["de"])


# Changes of the language


@pytest.mark.parametrize("status", [0, 503])
def test_a_change_of_the_language_is_completed_after_an_outage(screen: Screen, status: int) -> None:
    page = screen.begin(SMALL).page
    screen.play_texts("a1,b1")
    game = f"**/games/{game_of(screen)}?*lang=de*"
    page.route(game, lambda route: fail(route, status))
    page.select_option("#language", "de")
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    screen.waits_for(
        "refusal", str(ENGLISH["server-busy"] if status else GERMAN["page.no-response"])
    )
    page.unroute(game)
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)).play("a1,b1"), GERMAN)
    assert screen.text("refusal") == ""


def test_a_trial_is_shown_in_the_new_language_after_an_outage(screen: Screen) -> None:
    page = screen.page
    screen.begin_by_an_island()
    page.click("#show-menu")
    page.click("#menu-try")
    page.wait_for_selector("#board.trial")
    screen.wait()
    screen.click("c4", "d4")
    requests = f"**/games/{game_of(screen)}?*lang=de*"
    page.route(requests, lambda route: route.abort())
    page.select_option("#language", "de")
    screen.waits_for("refusal", GERMAN["page.no-response"])
    page.unroute(requests)
    screen.waits_for("headline", str(GERMAN["page.trial-from"]).format(turn=4))
    game = pdd.Game.new(pdd.parse_rules(SMALL))
    for action in (*BY_AN_ISLAND, "c4,d4"):
        game = game.play(action)
    screen.shows(game, GERMAN)
    assert page.locator("#board.trial").count() == 1


def test_a_language_whose_words_do_not_come_is_not_chosen(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    page.route("**/words?*", lambda route: route.abort())
    page.select_option("#language", "de")
    screen.waits_for("refusal", ENGLISH["page.no-response"])
    assert page.input_value("#language") == "en"
    assert page.evaluate("localStorage.getItem('ponte-language')") == "en"
    page.unroute("**/words?*")
    page.select_option("#language", "de")
    screen.shows(pdd.Game.new(pdd.parse_rules(SMALL)), GERMAN)


# Touch


OLD_CLICKS = """
document.addEventListener("click", (event) => {
  if (!event.isTrusted) return;
  event.stopImmediatePropagation();
  event.preventDefault();
  const { detail } = event;
  event.target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail }));
}, true);
"""
"""In older browsers, a click is a plain mouse event that does not name its pointer."""


def test_a_finger_is_asked_in_browsers_whose_clicks_name_no_pointer(phone: Screen) -> None:
    phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none")
    phone.page.evaluate(OLD_CLICKS)
    for cell in ("c3", "i8"):
        phone.cell(cell).tap()
        phone.wait()
    assert phone.text("headline") == "Place c3 and i8?"
    # A key needs no confirmation.
    phone.page.click("[data-command=forget]")
    phone.cell("c3").tap()
    phone.cell("i8").focus()
    # The page notices that the cell was reached by keys.
    press(phone, "Shift+Tab", "Tab", "Enter")
    phone.waits_for("headline", ENGLISH["page.ask-color"])


# Clicks in a trial, and faults of the page


def begin_trial(screen: Screen) -> None:
    screen.page.click("#show-menu")
    screen.page.click("#menu-try")
    screen.page.wait_for_selector("#board.trial")
    screen.wait()


@pytest.mark.parametrize("status", [0, 503])
def test_a_click_on_an_earlier_own_move_does_nothing_after_an_outage(
    screen: Screen, status: int
) -> None:
    page = screen.page
    screen.begin_by_an_island()
    begin_trial(screen)
    screen.click("c4", "d4")
    page.keyboard.press("Comma")
    page.wait_for_selector("#board.past")
    page.route("**/trial?*", lambda route: fail(route, status))
    screen.cell("d1").click()
    screen.waits_for("refusal", str(ENGLISH["server-busy" if status else "page.no-response"]))
    screen.wait()
    # The moment stays on the board.
    assert page.locator("#board.past").count() == 1


@pytest.mark.parametrize("method", ["beginWait", "show"])
def test_clicks_count_again_after_a_fault_of_the_status_line(screen: Screen, method: str) -> None:
    page = screen.begin(SMALL).page
    page.evaluate(
        """async (method) => {
          const { Line } = await import(new URL("line.js", document.querySelector(
            "script[type=module][src*=main]").src).href);
          const old = Line.prototype[method];
          Line.prototype[method] = () => { throw new Error("broken"); };
          window.mend = () => void (Line.prototype[method] = old);
        }""",
        method,
    )
    screen.cell("a1").click()
    page.wait_for_timeout(300)
    page.evaluate("void window.mend()")
    screen.click("c3")
    assert is_pressed(screen, "c3")


def test_a_page_between_browser_and_server_is_no_played_action(screen: Screen) -> None:
    page = screen.begin(SMALL).page
    login = "<title>Log in</title>"
    page.route(ACTIONS, lambda route: route.fulfill(body=login, content_type="text/html"))
    screen.click("a1")
    screen.cell("b1").click()
    screen.waits_for("refusal", ENGLISH["page.no-response"])
    assert is_pressed(screen, "a1")


def test_news_that_cannot_be_read_does_not_end_the_news(screen: Screen, site: Site) -> None:
    page = screen.page
    unreadable: dict[str, object] = {"base": None, "plies": [{}]}
    page.route("**/games/*?*after=*", lambda route: route.fulfill(json=unreadable), times=1)
    screen.begin(SMALL)
    screen.waits_for("refusal", "")
    guest = guest_of(screen, site)
    guest.post("actions", 200, version=guest.get()["version"], action="a1,b1")
    screen.waits_for("at", "1")


@pytest.mark.parametrize("is_news_first", [False, True])
def test_an_own_action_leads_to_the_present(screen: Screen, *, is_news_first: bool) -> None:
    page = screen.page
    if not is_news_first:
        page.route("**/games/*?*after=*", lambda _: None)
    screen.begin_by_an_island()
    late = LateRequests(page, ACTIONS)
    screen.click("c4")
    screen.cell("d4").click()
    late.wait_for_one()
    page.keyboard.press("Comma")
    page.wait_for_selector("#board.past")
    if is_news_first:
        page.wait_for_timeout(1000)
    late.release()
    page.wait_for_selector("#board:not(.past)")
    screen.waits_for("at", "5")


def test_a_confirmation_stays_in_another_language(phone: Screen) -> None:
    page = phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none").page
    for cell in ("c3", "i8"):
        phone.cell(cell).tap()
        phone.wait()
    assert page.locator("#cells .unconfirmed").count() == 1
    page.select_option("#language", "de")
    page.wait_for_function("() => document.documentElement.lang === 'de'")
    phone.wait()
    page.wait_for_timeout(300)
    assert page.locator("#cells .unconfirmed").count() == 1
    assert "c3" in phone.text("headline")


def test_a_key_after_a_touch_that_scrolls_needs_no_confirmation(phone: Screen) -> None:
    phone.begin("10x10 tiles=unlimited bridges=unlimited tiebreaks=none")
    phone.cell("c3").tap()
    phone.wait()
    for kind in ("pointerdown", "pointercancel"):
        phone.cell("i8").dispatch_event(kind, {"pointerType": "touch", "bubbles": True})
    # A key clicks without a pointer.
    phone.cell("i8").dispatch_event("click")
    phone.waits_for("headline", ENGLISH["page.ask-color"])
