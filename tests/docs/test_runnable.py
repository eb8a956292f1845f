"""The examples that run in the pages: their list, and the console that runs them."""

from __future__ import annotations

import json
import os
import re
import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from support.paths import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import blocks  # the path to it is set above

DOCS = ROOT / "docs"
SITE = Path(os.environ.get("PONTE_SITE", DOCS / "_build" / "html"))
AGAIN = "run: python -m tools.runnable --changed"
CONSOLE: dict[str, Any] = runpy.run_path(str(DOCS / "playing" / "console.py"))
PAGES = blocks.pages()


def run(*parts: tuple[str, str]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(CONSOLE["Notebook"]().run(json.dumps(parts)))
    return found


# The list


def test_the_list_has_exactly_the_examples_of_the_pages() -> None:
    known = {name: {*reasons} for name, reasons in blocks.known().items()}
    assert known == {name: {each.digest for each in some} for name, some in PAGES.items()}, AGAIN


def test_most_examples_run_and_the_others_have_reasons() -> None:
    pytest.importorskip("sphinx", reason="not installed: nox -s docs")
    text = (DOCS / "runnable.py").read_text("utf-8")
    codes = {*re.findall(r'^    "(\w+)": "This example', text, re.MULTILINE)}
    found = [reason for reasons in blocks.known().values() for reason in reasons.values()]
    assert {*found} - {""} <= codes
    assert found.count("") >= 200


def test_a_changed_example_has_another_digest() -> None:
    [example] = blocks.blocks_of("```{doctest}\n>>> 1 + 1\n2\n```\n")
    [other] = blocks.blocks_of("```{doctest}\n>>> 1 + 1\n3\n```\n")
    assert example.digest != other.digest
    assert example.source == other.source == "1 + 1\n"


def test_code_has_its_output() -> None:
    text = "```{testcode}\n:hide:\n\na = 1\n```\n\n  ```{testcode}\n  print(a)\n  ```\n\n"
    found = blocks.blocks_of(f"{text}  ```{{testoutput}}\n  1\n  ```\n")
    assert [(each.text, each.output, each.options) for each in found] == [
        ("a = 1", "", ":hide:\n"),
        ("print(a)", "1", ""),
    ]


def test_built_pages_have_a_button_for_each_example_that_runs() -> None:
    # Another build may be older than the list.
    if "PONTE_SITE" not in os.environ:
        pytest.skip("the documentation is not built: nox -s docs")
    if not (SITE / "_static" / "play" / "worker.js").exists():
        pytest.skip("the documentation was built without Pyodide")
    known = blocks.known()
    for name, examples in PAGES.items():
        page = (SITE / f"{name}.html").read_text("utf-8")
        runs = [known[name][each.digest] == "" for each in examples]
        assert page.count(" data-runs=") == sum(runs), name
        visible = [known[name][each.digest] for each in examples if ":hide:" not in each.options]
        reasons = [code for code in visible if code and code != "earlier"]
        # One sentence explains all examples of a page that need an earlier one.
        sentences = page.count("they need an earlier one that does not")
        assert sentences == ("earlier" in visible), name
        assert page.count('class="runs-not"') == len(reasons) + sentences, name


# The console


def test_every_example_may_use_what_doctests_may_use() -> None:
    text = (DOCS / "conf.py").read_text("utf-8")
    setup = re.search(r'doctest_global_setup = """(.*?)"""', text, re.DOTALL)
    assert setup is not None
    assert CONSOLE["SETUP"] == setup[1]


def test_blocks_share_one_namespace() -> None:
    found = run(("testcode", "a = 6"), ("doctest", "a * 7\nprint(a)\nNone\n"))
    assert found == {"output": "42\n6\n", "isCut": False, "isEarlier": False}


def test_a_block_that_is_run_again_finds_the_namespace_of_the_earlier_ones() -> None:
    notebook = CONSOLE["Notebook"]()
    before = ["testcode", "seen = []\nprint('first')"]
    for text in ("seen.append(1); print(seen)", "seen.append(2); print(seen)"):
        found = json.loads(notebook.run(json.dumps([before, ["testcode", text]])))
        assert found["output"] == f"[{text[12]}]\n"


def test_earlier_blocks_run_once(capsys: pytest.CaptureFixture[str]) -> None:
    notebook = CONSOLE["Notebook"]()
    parts = [["testcode", "count = 0"], ["testcode", "count += 1"], ["doctest", "count"]]
    answers = [json.loads(notebook.run(json.dumps(parts[:number]))) for number in (1, 2, 3)]
    assert answers[-1]["output"] == "1\n"
    assert capsys.readouterr().out == ""


def test_a_doctest_goes_on_after_an_exception() -> None:
    found = run(("doctest", "1 / 0\nprint('on')\n"))
    lines = ["Traceback (most recent call last):", "  ...", "ZeroDivisionError: division by zero"]
    assert found["output"].splitlines() == [*lines, "on"]


def test_a_program_ends_with_an_exception_and_its_line() -> None:
    found = run(("testcode", "def f():\n    raise KeyError(1)\n\n\nf()\nprint('on')"))
    lines = ["Traceback (most recent call last):", "  line 5", "  line 2", "KeyError: 1"]
    assert found["output"].splitlines() == lines


def test_a_program_does_not_run_after_a_broken_one() -> None:
    found = run(("testcode", "1 / 0"), ("testcode", "print('on')"))
    assert found["isEarlier"]
    assert found["output"].endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize("text", ["a = (", "raise SystemExit(3)", "exit()"])
def test_no_block_ends_the_worker(text: str) -> None:
    assert run(("testcode", text))["output"] != ""
    assert run(("doctest", text))["output"] != ""


def test_long_outputs_are_cut() -> None:
    limit = CONSOLE["LIMIT"]
    found = run(("testcode", f"print('a' * {limit - 1})"))
    assert (len(found["output"]), found["isCut"]) == (limit, False)
    found = run(("testcode", f"print('a' * {limit})"))
    assert (len(found["output"]), found["isCut"]) == (limit, True)


def test_the_finished_file_of_the_second_tutorial_has_one_match() -> None:
    program = blocks.finished_bots()
    compile(program, "bots.py", "exec")
    assert program.count("\nmatch = ") == 1
    assert "players.GreedyPlayer()" in program
    page = (ROOT / "docs" / "start" / "first-bot.md").read_text("utf-8")
    earlier = [each.text for each in blocks.blocks_of(page) if each.text.startswith("match = ")][
        :-1
    ]
    numbers = {4: "four", 7: "seven"}
    # The page says how many lines a reader deletes.
    for block in earlier:
        assert f"{numbers[len(block.splitlines())]} lines from" in " ".join(page.split())
