"""The documentation in Firefox: its board, its exercises, its Run buttons and its search."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from support.firefox import Firefox

from .conftest import SITE

pytestmark = [pytest.mark.nightly, pytest.mark.timeout(900)]

RUNS = 10
START = 240.0
"""The maximum number of seconds in which Python starts in the browser."""


def exercise(fox: Firefox, number: int) -> Any:
    """Return an exercise by its number in the page."""
    return fox.all(".exercise")[number - 1]


def answer(fox: Firefox, number: int, *answers: str) -> str:
    """Give answers to an exercise with the mouse, and return what it says to the last."""
    task = exercise(fox, number)
    for each in answers:
        task.find_element("css selector", f"[data-answer='{each}']").click()
    return str(task.find_element("css selector", ".exercise-said").text)


@pytest.mark.parametrize(
    ("number", "wrong", "right"),
    [
        (4, "c4", ("d4", "e4", "e3", "e2", "d1", "e1")),
        (5, "a2", ("a3", "b3", "c3", "d3", "d2", "c1")),
        (11, "b1-a3", ("b1-c3", "c1-c3")),
        (17, "3", ("6",)),
        (19, "a3", ("a4", "b4", "c4", "d4", "e4", "f4")),
    ],
)
def test_exercises_are_answered(
    fox: Firefox, documentation: str, number: int, wrong: str, right: tuple[str, ...], keep: Path
) -> None:
    fox.goes(f"{documentation}/game/rules.html")
    assert answer(fox, number, wrong).startswith(f"✗ {wrong}: ")
    assert "Solved" in answer(fox, number, *right)
    assert exercise(fox, number).get_attribute("data-state") == "solved"
    fox.look(keep)


def test_exercises_are_answered_with_keys(fox: Firefox, documentation: str) -> None:
    fox.goes(f"{documentation}/de/regeln.html")
    fox.script(
        "document.querySelectorAll('.exercise')[4].querySelector('[data-answer=a3]').focus()"
    )
    fox.presses("ENTER")
    fox.waits(lambda: "✓ a3: erlaubt." in exercise(fox, 5).text)
    fox.presses("ARROW_DOWN", "SPACE")
    fox.waits(lambda: "✗ a2: " in exercise(fox, 5).text)


def is_done(task: Any) -> bool:
    """Return whether the code of an example has run."""
    return "Done" in task.find_element("css selector", ".runs-said").text


def test_examples_run(fox: Firefox, documentation: str, keep: Path) -> None:
    fox.goes(f"{documentation}/start/first-game.html")
    for task in fox.all("div.runs")[:RUNS]:
        code = task.find_element("css selector", "pre").get_property("textContent").splitlines()
        wanted = "\n".join(each for each in code if not each.startswith((">>>", "...")))
        buttons = task.find_elements("css selector", "button")
        next(each for each in buttons if each.text == "Run").click()
        fox.waits(partial(is_done, task), START)
        output = task.find_element("css selector", ".runs-output").get_property("textContent")
        if "Traceback" in wanted:
            assert wanted.splitlines()[-1] in output
        else:
            assert output.split() == wanted.replace("<BLANKLINE>", "").split()
    assert len(fox.all("div.runs")) >= RUNS
    fox.look(keep)


def test_the_board_of_the_documentation(fox: Firefox, documentation: str, keep: Path) -> None:
    """The page loads Python and plays against the computer; its game ends with the page."""
    fox.goes(f"{documentation}/_static/play/index.html")
    fox.waits_for("#start, #picture svg", START)
    fox.look(keep.with_stem(f"{keep.stem}-loading"))
    fox.waits_for("#begin", START)
    fox.clicks("label[for='way-computer']")
    fox.clicks("#begins-chips label:has([value='first'])")
    fox.clicks("#begin")
    fox.waits_for("#cells button.target", START)
    before = len(fox.all("#moves li"))
    for cell in ("e5", "e7"):
        fox.clicks(f"#cells button[data-cell='{cell}']")
    # The computer takes a colour and answers.
    fox.waits(lambda: len(fox.all("#moves li")) > before + 1, START)
    fox.look(keep)
    fox.driver.refresh()
    fox.waits_for_text("#message", "This game is gone", START)


def test_the_board_from_a_file_says_what_to_do(fox: Firefox, documentation: str) -> None:
    assert documentation
    fox.goes((SITE / "_static" / "play" / "index.html").as_uri())
    fox.waits(lambda: "http.server" in fox.text("body"))
    # Firefox refuses to load modules from files.
    fox.errors()


def test_the_search_finds_pages(fox: Firefox, documentation: str) -> None:
    fox.goes(f"{documentation}/search.html?q=sandbank")
    fox.waits(lambda: len(fox.all("ul.search li")) > 3)
