"""The page about the command line: its examples are executed, its tables have all options."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from support.console import run
from support.paths import ROOT

pytest.importorskip("click", reason="not installed: extra cli")
pytest.importorskip("rich", reason="not installed: extra cli")

import click

from pontedeldiavolo.cli.main import main

PAGE = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `([\w-]+)`$(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEEDS = {"serve": "starlette", "analyse": "numba"}
"""What some commands need besides the extra ``cli``."""


@pytest.mark.parametrize("name", ["", *SECTIONS])
def test_examples_print_what_the_page_says(
    name: str, tmp_path: Path, environment: dict[str, str]
) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"not installed: {NEEDS[name]}")
    folder = tmp_path / "folder"
    folder.mkdir()
    record, *others = BLOCK.findall(PAGE.partition("## `")[0])
    for block in (record, *(BLOCK.findall(SECTIONS[name]) if name else others)):
        run(block, folder, environment)


def test_each_command_has_a_section_with_an_example() -> None:
    assert SECTIONS.keys() == main.commands.keys()
    for name, text in SECTIONS.items():
        examples = "".join(BLOCK.findall(text))
        assert f"pontedeldiavolo {name} " in examples


@pytest.mark.parametrize("name", main.commands)
def test_tables_have_all_options_and_their_defaults(name: str) -> None:
    rows = re.findall(r"^\| (`-.*?) \| (.*) \|$", SECTIONS[name], re.MULTILINE)
    described = {
        option: meaning for cell, meaning in rows for option in re.findall(r"`(-[-\w]+)", cell)
    }
    options = [each for each in main.commands[name].params if isinstance(each, click.Option)]
    assert described.keys() == {name for each in options for name in each.opts}
    for option in options:
        meaning = described[option.opts[0]]
        if option.show_default and "see above" not in meaning:
            default = option.default
            shown = f"{default:,}" if isinstance(default, int) and default > 9999 else str(default)
            assert shown in meaning.replace("`", ""), option.opts
