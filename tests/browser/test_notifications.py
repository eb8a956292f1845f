"""Notifications of what happens in a game while its page is hidden."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.messages import LANGUAGES
from pontedeldiavolo.web.site import Site
from support.http_client import SMALL, Guest
from support.screens import PATIENCE, Screen, prefer_language, press, reach, violations

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

WORDS = dict(LANGUAGES)
# A page cannot hide itself, and nobody can read what the system shows: both are imitated.
RECORDER = """
const state = { isHidden: false, shown: [], closed: 0, focused: 0, asked: 0, rung: 0 };
window.state = state;
Object.defineProperty(document, "hidden", { get: () => state.isHidden });
window.hide = (isHidden) => {
  state.isHidden = isHidden;
  document.dispatchEvent(new Event("visibilitychange"));
};
window.focus = () => { state.focused += 1; };
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...rest) { state.rung += 1; start.apply(this, rest); };
"""
NOTIFICATIONS = """
class Recorded extends EventTarget {
  static permission = "%(before)s";
  static async requestPermission() {
    state.asked += 1;
    Recorded.permission = "%(after)s";
    return Recorded.permission;
  }
  constructor(title, options) {
    super();
    if (%(fails)s) throw new TypeError("Illegal constructor.");
    state.shown.push({ title, ...options });
    window.last = this;
  }
  close() { state.closed += 1; }
}
window.Notification = Recorded;
"""


def record(
    context: BrowserContext, before: str = "default", after: str = "granted", *, fails: bool = False
) -> None:
    """Let the pages of a context record notifications, instead of showing them."""
    context.add_init_script(RECORDER)
    values = {"before": before, "after": after, "fails": "true" if fails else "false"}
    context.add_init_script(NOTIFICATIONS % values)


def state(page: Page, name: str) -> Any:
    return page.evaluate("name => window.state[name]", name)


def hide(page: Page) -> None:
    """Hide a page that is waiting for news, so that it need not wait for the next look."""
    page.evaluate("window.state.isHidden = true")


def see(page: Page) -> None:
    page.evaluate("window.hide(false)")


def waits_for_title(page: Page, title: str) -> None:
    from playwright.sync_api import expect  # noqa: PLC0415 - may not be there

    expect(page).to_have_title(title, timeout=PATIENCE)


def invited(screen: Screen, language: str = "en") -> Screen:
    """Begin a game with a link for another person."""
    prefer_language(screen.page, language)
    return screen.begin(SMALL, seat="first")


def turn_on(screen: Screen) -> None:
    """Ask for notifications, which the browser may refuse."""
    screen.page.click("#show-menu")
    screen.page.click("#notifications")


def close_menu(screen: Screen) -> None:
    screen.page.click("#close-menu")


def joined(screen: Screen, site: Site, name: str = "Bo") -> Guest:
    """Let another person take the free seat."""
    visitor = Guest(site, screen.page.url.partition("#")[2])
    return visitor.at(visitor.post("seats", 201, seat="second", name=name))


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_that_others_do_is_told(
    screen: Screen, site: Site, language: str, keep: Path
) -> None:
    page = screen.page
    words = WORDS[language]
    record(page.context)
    invited(screen, language)
    page.click("#show-menu")
    assert not page.is_checked("#notifications")
    screen.waits_for("notifications-note", words["page.notifications-about"])
    # Only somebody who wants notifications is asked for consent.
    assert state(page, "asked") == 0
    page.check("#notifications")
    screen.waits_for("notifications-note", words["page.notifications-granted"])
    assert state(page, "asked") == 1
    page.screenshot(path=keep)
    assert violations(page) == []
    close_menu(screen)
    told: list[str] = []

    def tells(head: str) -> None:
        """Wait until the hidden page tells something, and look at the page then."""
        waits_for_title(page, f"● {head} – Ponte del Diavolo")
        told.append(head)
        assert [each["title"] for each in state(page, "shown")] == told
        see(page)
        assert "●" not in page.title() or words["page.your-turn"] in page.title()

    hide(page)
    other = joined(screen, site)
    tells(words["page.joined"].format(name="Bo"))
    screen.click("a1", "b1")
    hide(page)
    other.play("white")
    tells(words["page.your-turn"])
    hide(page)
    other.post("draw", version=other.get()["version"])
    tells(words["page.draw-offered"].format(name="Bo"))
    page.click("[data-command='decline']")
    screen.wait()
    screen.click("c3", "d3")
    hide(page)
    other.play("e5,f5")
    tells(words["page.your-turn"])
    screen.click("a5", "b5")
    hide(page)
    other.post("undo", version=other.get()["version"], answer="ask")
    tells(words["page.undo-asked-more"].format(name="Bo"))
    page.click("[data-command='decline']")
    screen.wait()
    hide(page)
    other.post("resignation", version=other.get()["version"])
    tells(words["page.result-won"])
    last = state(page, "shown")[-1]
    game = site.store.load(other.game).game
    assert last["body"] == pdd.messages.result(game, language)
    assert last["lang"] == language
    hide(page)
    other.post("rematch", version=other.get()["version"])
    tells(words["page.rematch-asked"].format(name="Bo").rstrip("."))
    screen.waits_for(
        "reason",
        f"{pdd.messages.result(game, language)} {words['page.rematch-asked'].format(name='Bo')}",
    )
    # Each takes the place of the one before it.
    assert {each["tag"] for each in state(page, "shown")} == {f"ponte-{other.game}"}
    assert state(page, "closed") == len(told)
    assert page.is_checked("#notifications")


def test_nothing_is_told_to_somebody_who_sees_the_page(screen: Screen, site: Site) -> None:
    page = screen.page
    record(page.context)
    invited(screen)
    turn_on(screen)
    close_menu(screen)
    other = joined(screen, site)
    screen.click("a1", "b1")
    other.play("white")
    screen.waits_for("headline", WORDS["en"]["page.your-turn"])
    screen.waits_for("state", "Bo chose white.")
    assert state(page, "shown") == []
    assert state(page, "rung") == 0


def test_nothing_is_told_before_somebody_wants_it(screen: Screen, site: Site) -> None:
    page = screen.page
    record(page.context, before="granted")
    invited(screen)
    hide(page)
    joined(screen, site)
    # The title costs nobody anything.
    waits_for_title(page, "● Bo has joined the game – Ponte del Diavolo")
    assert state(page, "shown") == []
    assert state(page, "rung") == 0
    assert state(page, "asked") == 0


def test_a_withdrawn_offer_is_told_no_longer(screen: Screen, site: Site) -> None:
    page = screen.page
    record(page.context)
    invited(screen)
    turn_on(screen)
    close_menu(screen)
    page.evaluate("window.hide(true)")
    other = joined(screen, site)
    waits_for_title(page, "● Bo has joined the game – Ponte del Diavolo")
    version = other.post("draw", version=other.get()["version"])["version"]
    waits_for_title(page, "● Bo offers a draw – Ponte del Diavolo")
    other.post("draw", version=version, answer="withdraw")
    waits_for_title(page, "● Your turn – Ponte del Diavolo")
    assert state(page, "closed") > 0


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_was_undone_is_told_no_longer(
    screen: Screen, site: Site, language: str
) -> None:
    page = screen.page
    words = WORDS[language]
    record(page.context)
    invited(screen, language)
    turn_on(screen)
    close_menu(screen)
    other = joined(screen, site)
    screen.click("a1", "b1")
    page.evaluate("window.hide(true)")
    other.play("white")
    waits_for_title(page, f"● {words['page.your-turn']} – Ponte del Diavolo")
    other.post("undo", version=other.get()["version"])
    undone = words["page.undone"].format(name="Bo")
    waits_for_title(page, f"● {undone.removesuffix('.')} – Ponte del Diavolo")
    assert state(page, "shown")[-1]["title"] == undone.removesuffix(".")
    see(page)
    waits_for_title(page, "Ponte del Diavolo")
    screen.waits_for("headline", words["page.turn-of"].format(name="Bo"))
    assert undone in screen.text("state")
    # A reload does not take it away; the next version does.
    page.reload()
    screen.waits_for("headline", words["page.turn-of"].format(name="Bo"))
    assert undone in screen.text("state")
    other.play("white")
    screen.waits_for("headline", words["page.your-turn"])
    assert undone not in screen.text("state")
    page.reload()
    screen.waits_for("headline", words["page.your-turn"])
    assert undone not in screen.text("state")


def test_a_turn_that_is_over_is_told_no_longer(screen: Screen, site: Site) -> None:
    """The player moves on another page while this one is hidden."""
    page = screen.page
    record(page.context)
    invited(screen)
    turn_on(screen)
    close_menu(screen)
    other = joined(screen, site)
    screen.click("a1", "b1")
    page.evaluate("window.hide(true)")
    other.play("white")
    waits_for_title(page, "● Your turn – Ponte del Diavolo")
    closed = state(page, "closed")
    token = page.evaluate("id => localStorage.getItem(`ponte-${id}`)", other.game)
    Guest(site, other.game, token).play("c3,d3")
    waits_for_title(page, "Ponte del Diavolo")
    assert state(page, "closed") == closed + 1


def test_a_click_leads_to_the_page(screen: Screen, site: Site) -> None:
    page = screen.page
    record(page.context)
    invited(screen)
    turn_on(screen)
    close_menu(screen)
    page.evaluate("window.hide(true)")
    other = joined(screen, site)
    waits_for_title(page, "● Bo has joined the game – Ponte del Diavolo")
    # A hidden page asks for news again and again.
    other.post("draw", version=other.get()["version"])
    waits_for_title(page, "● Bo offers a draw – Ponte del Diavolo")
    assert [each["renotify"] for each in state(page, "shown")] == [True, True]
    page.evaluate("window.last.dispatchEvent(new Event('click'))")
    assert state(page, "focused") == 1
    waits_for_title(page, "● Your turn – Ponte del Diavolo")
    assert state(page, "closed") == 1


@pytest.mark.parametrize("sounds", [0, 1])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", ["denied", "default", "none"])
def test_the_option_is_off_while_the_browser_shows_none(
    screen: Screen, site: Site, language: str, why: str, sounds: int, keep: Path
) -> None:
    """The title tells what happens, and a sound for those who have turned the sounds on."""
    page = screen.page
    texts = WORDS[language]
    if why == "none":
        record(page.context, fails=True)
    else:
        record(page.context, after=why)
    invited(screen, language)
    if sounds:
        screen.menu("#sounds")
    turn_on(screen)
    # That the browser of a phone shows none is known after the first one.
    is_known = why != "none"
    expected = texts[f"page.notifications-{why if is_known else 'granted'}"]
    screen.waits_for("notifications-note", expected)
    assert page.is_checked("#notifications") is not is_known
    assert page.get_attribute("#notifications", "aria-describedby") == "notifications-note"
    page.screenshot(path=keep)
    assert violations(page) == []
    close_menu(screen)
    rung = state(page, "rung")
    hide(page)
    joined(screen, site)
    text = texts["page.joined"].format(name="Bo")
    waits_for_title(page, f"● {text} – Ponte del Diavolo")
    assert state(page, "shown") == []
    assert state(page, "rung") - rung == 2 * sounds
    see(page)
    waits_for_title(page, f"● {texts['page.your-turn']} – Ponte del Diavolo")
    page.click("#show-menu")
    screen.waits_for("notifications-note", texts[f"page.notifications-{why}"])
    assert not page.is_checked("#notifications")


def test_the_option_is_on_as_soon_as_the_browser_allows_it(screen: Screen) -> None:
    page = screen.page
    record(page.context, before="denied")
    invited(screen)
    page.click("#show-menu")
    # The obstacle is told before somebody tries in vain.
    screen.waits_for("notifications-note", WORDS["en"]["page.notifications-denied"])
    page.click("#notifications")
    assert not page.is_checked("#notifications")
    close_menu(screen)
    page.evaluate("window.Notification.permission = 'granted'")
    page.click("#show-menu")
    screen.waits_for("notifications-note", WORDS["en"]["page.notifications-granted"])
    assert page.is_checked("#notifications")
    # The player takes the consent back.
    close_menu(screen)
    page.evaluate("window.Notification.permission = 'denied'")
    page.click("#show-menu")
    assert not page.is_checked("#notifications")


def test_the_choice_is_kept(screen: Screen) -> None:
    page = screen.page
    record(page.context, before="granted")
    invited(screen)
    turn_on(screen)
    page.reload()
    page.wait_for_selector("#cards .card")
    page.click("#show-menu")
    assert page.is_checked("#notifications")
    # Loading the page is no reason to ask.
    assert state(page, "asked") == 0
    page.uncheck("#notifications")
    screen.waits_for("notifications-note", WORDS["en"]["page.notifications-about"])


def test_with_the_keyboard(screen: Screen) -> None:
    page = screen.page
    record(page.context, after="denied")
    invited(screen)
    page.focus("#show-menu")
    press(screen, "Enter")
    reach(screen, "#notifications")
    press(screen, "Space")
    screen.waits_for("notifications-note", WORDS["en"]["page.notifications-denied"])


def test_with_a_finger(phone: Screen, keep: Path) -> None:
    page = phone.page
    record(page.context, fails=True)
    invited(phone)
    page.tap("#show-menu")
    page.tap("label:has(#notifications)")
    phone.waits_for("notifications-note", WORDS["en"]["page.notifications-granted"])
    page.screenshot(path=keep)
    assert violations(page) == []


def test_the_browser_itself_shows_notifications(windowed: Screen, site: Site) -> None:
    page = windowed.page
    page.context.grant_permissions(["notifications"], origin=windowed.address)
    page.context.add_init_script(RECORDER)
    failed: list[str] = []
    page.on("console", lambda message: failed.append(message.text))
    invited(windowed)
    turn_on(windowed)
    windowed.waits_for("notifications-note", WORDS["en"]["page.notifications-granted"])
    close_menu(windowed)
    page.evaluate(
        """() => {
          const Real = window.Notification;
          window.Notification = class extends Real {
            constructor(...parts) {
              super(...parts);
              this.addEventListener("show", () => window.state.shown.push(this.title));
              this.addEventListener("error", () => window.state.shown.push("error"));
            }
          };
        }"""
    )
    hide(page)
    joined(windowed, site)
    waits_for_title(page, "● Bo has joined the game – Ponte del Diavolo")
    assert state(page, "shown") in (["Bo has joined the game"], [])
    assert state(page, "rung") == 0
    assert failed == []


def test_against_the_computer(screen: Screen) -> None:
    page = screen.page
    record(page.context)
    screen.begin(SMALL, opponent="level-1", seat="first")
    turn_on(screen)
    close_menu(screen)
    hide(page)
    # The answer of this site comes with the response to the action.
    page.evaluate(
        "for (const cell of ['a1', 'b1'])"
        " document.querySelector(`button[data-cell=${cell}]`).click()"
    )
    page.wait_for_function("() => window.state.shown.length > 0")
    [shown] = state(page, "shown")
    assert shown["title"] == "Your turn"
    assert shown["body"] == screen.text("state")
