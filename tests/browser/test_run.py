"""The Run buttons of the examples in a browser.

``sphinx-build`` must have built the pages with Pyodide; ``PONTE_SITE`` names their folder. Without
them the tests are skipped.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pontedeldiavolo.web.thinkers import LEVELS
from support.folders import served
from support.paths import ROOT
from support.screens import violations

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SITE = Path(os.environ.get("PONTE_SITE", ROOT / "docs" / "_build" / "html"))
PAGE = "start/first-game"
COUNT = 10


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    if not (SITE / "_static" / "play" / "console.py").exists():
        pytest.skip("the documentation is not built with Pyodide: nox -s docs")
    with served(SITE) as address:
        yield address


@pytest.fixture
def example(page: Page, site: str) -> Page:
    """Open a page with examples."""
    page.set_default_timeout(120_000)
    page.goto(f"{site}/{PAGE}.html")
    return page


def block(page: Page, number: int) -> Locator:
    return page.locator("div.runs").nth(number)


def press(task: Locator, name: str) -> None:
    task.get_by_role("button", name=name, exact=True).click()


def said(task: Locator) -> str:
    return task.locator(".runs-said").inner_text()


def run(page: Page, number: int, code: str = "") -> Locator:
    """Run a block, perhaps with other code, and wait for its end."""
    task = block(page, number)
    if code:
        if task.locator("textarea").count() == 0:
            press(task, "Edit")
        task.locator("textarea").fill(code)
    press(task, "Run")
    task.locator(".runs-said", has_text="Done").wait_for()
    return task


def output(task: Locator) -> str:
    return task.locator(".runs-output").text_content() or ""


def shown(task: Locator) -> str:
    """Return the output that a doctest shows."""
    lines = (task.locator("pre").first.text_content() or "").splitlines()
    return "\n".join(line for line in lines if not line.startswith((">>>", "...")))


def test_ten_examples_give_the_shown_output(example: Page, keep: Path) -> None:
    # The last one first: the earlier ones run before it.
    for number in (COUNT - 1, *range(COUNT - 1)):
        task = run(example, number)
        wanted = shown(task).replace("<BLANKLINE>", "")
        if "Traceback" in wanted:
            assert wanted.splitlines()[-1] in output(task)
        else:
            assert output(task).split() == wanted.split()
    block(example, COUNT - 1).screenshot(path=keep)


def test_code_is_edited_run_and_reset(example: Page) -> None:
    task = run(example, 0, "print(6 * 7)\npdd.Cell(0, 0)")
    assert output(task) == "42\nCell(column=0, row=0)\n"
    assert task.locator("div.highlight").is_hidden()
    run(example, 0, "print('again')")
    assert output(task) == "again\n"
    run(example, 0, "1 / 0")
    assert output(task).endswith("ZeroDivisionError: division by zero\n")
    press(task, "Reset")
    assert task.locator("textarea").count() == 0
    assert task.locator("pre").first.is_visible()


def test_a_run_is_stopped_and_another_begins(example: Page) -> None:
    run(example, 0)
    task = block(example, 1)
    press(task, "Edit")
    task.locator("textarea").fill("while True: pass")
    task.locator("textarea").press("Control+Enter")
    press(task, "Stop")
    assert said(task).startswith("Stopped.")
    assert not task.get_by_role("button", name="Stop", exact=True).is_visible()
    run(example, 1, "print('alive')")
    assert output(task) == "alive\n"


def test_a_long_output_is_cut_with_a_sentence(example: Page) -> None:
    task = run(example, 0, "for number in range(5000): print(number)")
    assert len(output(task)) == 10_000
    assert "first 10,000 characters" in said(task)


def test_loading_is_shown_in_megabytes(example: Page) -> None:
    task = block(example, 0)
    press(task, "Run")
    task.locator(".runs-said", has_text=" MB, once.").wait_for()
    task.locator(".runs-said", has_text="Done").wait_for()


def test_a_page_from_a_file_says_what_to_do(page: Page, site: str) -> None:
    assert site
    page.goto((SITE / f"{PAGE}.html").as_uri())
    task = block(page, 0)
    press(task, "Run")
    assert "python -m http.server" in said(task)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_examples_are_accessible(example: Page, theme: Any, keep: Path) -> None:
    example.emulate_media(color_scheme=theme)
    task = run(example, 0, "print('a' * 300)")
    # Further down, the theme shows a link to the top that is in no landmark.
    example.evaluate("scrollTo(0, 0)")
    example.wait_for_selector("html:not(.show-back-to-top)", state="attached")
    assert violations(example) == []
    task.screenshot(path=keep)


def test_the_first_board_is_played_on_against_the_second_level(page: Page, site: str) -> None:
    page.set_default_timeout(120_000)
    page.goto(f"{site}/index.html")
    page.locator("a[href*='opponent=']").first.click()
    page.wait_for_selector("#game:not([hidden])")
    assert page.inner_text("#state").startswith("White to move")
    stored = page.evaluate("Object.keys(localStorage).some((key) => key.startsWith('ponte-'))")
    assert stored
    assert [name for name, level in LEVELS.items() if not level.needs][1] == "level-2"
    assert "opponent=level-2&seat=first" in (SITE / "index.html").read_text("utf-8").replace(
        "&amp;", "&"
    )
