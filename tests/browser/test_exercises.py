"""The exercises of the rules in a browser: by mouse and by keyboard, in both languages.

``sphinx-build`` must have built the pages; ``PONTE_SITE`` names their folder. The pages are opened
as files, without a server. Without pages the tests are skipped.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from support.paths import ROOT
from support.screens import violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
PAGES = {"en": "game/rules", "de": "de/regeln"}
LEGAL = {"en": "legal.", "de": "erlaubt."}
FOUND = {"en": "{found} of {all} found", "de": "{found} von {all} gefunden"}
SOLVED = {"en": "Solved", "de": "Gelöst"}


@pytest.fixture(params=PAGES)
def language(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture
def rules(page: Page, language: str) -> Page:
    """Open the rules as a file."""
    path = SITE / f"{PAGES[language]}.html"
    if not path.exists():
        if "PONTE_SITE" in os.environ:
            pytest.fail(f"no pages in {SITE}")
        pytest.skip("the documentation is not built: nox -s docs")
    page.goto(path.as_uri())
    return page


def exercise(page: Page, number: int) -> Locator:
    """Return an exercise by its number in the page."""
    return page.locator(".exercise").nth(number - 1)


def said(task: Locator) -> str:
    return task.locator(".exercise-said").inner_text()


def verdicts(task: Locator) -> dict[str, str]:
    """Return the verdicts that an exercise shows, by answer."""
    found: dict[str, str] = task.evaluate(
        "(root) => Object.fromEntries([...root.querySelectorAll('[data-verdict][data-answer]')]"
        ".map((each) => [each.dataset.answer, each.dataset.verdict]))"
    )
    return found


def test_cells_are_answered_with_the_mouse(rules: Page, language: str, keep: Path) -> None:
    task = exercise(rules, 4)
    task.locator("[data-answer=c4]").click()
    assert said(task).startswith("✗ c4: ")
    assert "c4" in said(task)[5:]
    for number, cell in enumerate(("d4", "e4", "e3", "e2", "d1", "e1"), start=1):
        progress = task.locator(".exercise-progress").inner_text()
        assert FOUND[language].format(found=number - 1, all=6) in progress
        task.locator(f"[data-answer={cell}]").click()
        assert said(task).startswith(f"✓ {cell}: {LEGAL[language]}")
    assert SOLVED[language] in said(task)
    assert verdicts(task) == {
        "c4": "wrong",
        **dict.fromkeys(("d4", "e4", "e3", "e2", "d1", "e1"), "right"),
    }
    task.screenshot(path=keep)


def test_cells_are_answered_with_the_keyboard(rules: Page, language: str) -> None:
    task = exercise(rules, 5)
    task.locator("[data-answer=a3]").focus()
    keys = rules.keyboard
    keys.press("Enter")
    assert said(task).startswith(f"✓ a3: {LEGAL[language]}")
    keys.press("ArrowDown")
    keys.press("Space")
    assert said(task).startswith("✗ a2: ")
    keys.press("ArrowUp")
    for _ in range(3):
        keys.press("ArrowRight")
        keys.press("Enter")
    keys.press("ArrowRight")
    keys.press("ArrowDown")
    keys.press("Enter")
    keys.press("ArrowDown")
    keys.press("ArrowLeft")
    keys.press("Enter")
    assert SOLVED[language] in said(task)
    # The board is one stop of the Tab key.
    assert task.locator(".exercise-cells [tabindex='0']").count() == 1
    keys.press("Tab")
    assert rules.evaluate("document.activeElement.className") == "exercise-tool"


def test_bridges_are_answered_with_the_mouse(rules: Page, language: str, keep: Path) -> None:
    task = exercise(rules, 11)
    task.locator("[data-answer=b1-a3]").click()
    assert said(task).startswith("✗ b1-a3: ")
    assert said(task).endswith("a1-b3.")
    task.locator("[data-answer=b1-c3]").click()
    task.locator("[data-answer=c1-c3]").click()
    assert SOLVED[language] in said(task)
    assert task.locator("line[data-verdict=right]").count() == 2
    task.screenshot(path=keep)


def test_actions_are_answered_with_the_keyboard(rules: Page) -> None:
    task = exercise(rules, 15)
    task.locator(".exercise-answer").first.focus()
    answers = task.locator(".exercise-answer").count()
    signs = ""
    for _ in range(answers):
        rules.keyboard.press("Enter")
        signs += said(task)[0]
        rules.keyboard.press("Tab")
    assert signs == "✓✓✗✗"
    assert task.get_attribute("data-state") == "solved"


def test_points_are_answered_and_begun_again(rules: Page, language: str) -> None:
    task = exercise(rules, 17)
    task.locator("[data-answer='3']").click()
    assert said(task).startswith("✗ 3: ")
    assert task.get_attribute("data-state") == "open"
    task.locator("[data-answer='6']").click()
    assert SOLVED[language] in said(task)
    task.locator(".exercise-tool").last.click()
    assert verdicts(task) == {}
    assert said(task) == ""


def test_a_solution_shows_every_verdict(rules: Page) -> None:
    task = exercise(rules, 19)
    task.locator(".exercise-tool").first.click()
    shown = verdicts(task)
    assert len(shown) == 6 * 4
    assert {cell for cell, verdict in shown.items() if verdict == "right"} == {
        f"{column}4" for column in "abcdef"
    }
    # After that every cell still gives its reason.
    task.locator("[data-answer=a3]").click()
    assert said(task).startswith("✗ a3: ")
    names = task.locator(".exercise-answer").evaluate_all(
        "(all) => all.map((each) => each.getAttribute('aria-label'))"
    )
    assert all(name.partition(": ")[2] for name in names)
    assert task.locator("[role=status][aria-live=polite]").count() == 1


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_exercises_are_accessible(rules: Page, theme: Any, keep: Path) -> None:
    rules.emulate_media(color_scheme=theme)
    tasks = rules.locator(".exercise")
    for number in range(0, tasks.count(), 2):
        tasks.nth(number).locator(".exercise-tool").first.click()
        tasks.nth(number).locator(".exercise-answer").first.click()
    # Further down, the theme shows a link to the top that is in no landmark.
    rules.evaluate("scrollTo(0, 0)")
    rules.wait_for_selector("html:not(.show-back-to-top)", state="attached")
    assert violations(rules) == []
    rules.set_viewport_size({"width": 390, "height": 844})
    tasks.nth(3).screenshot(path=keep)
