"""The page about the command line: its examples are executed, its tables have all options."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from support.paths import ROOT

pytest.importorskip("click", reason="not installed: extra cli")
pytest.importorskip("rich", reason="not installed: extra cli")

import click

import pontedeldiavolo as pdd
from pontedeldiavolo.cli.main import main

PAGE = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `(\w+)`$(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
BLOCK = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (.*<<'END'\n(?:.*\n)*?END|.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
NEEDS = {"serve": "starlette", "analyse": "numba"}
"""What some commands need besides the extra ``cli``."""


def matches(pattern: str, text: str) -> bool:
    """Tell whether a text is as expected, where ``...`` stands for anything."""
    parts = map(re.escape, pattern.split("..."))
    return re.fullmatch(".*?".join(parts), text, re.DOTALL) is not None


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of a shell that finds the command."""
    if sys.platform == "win32" or shutil.which("bash") is None:
        pytest.skip("the examples are for a Unix shell")
    commands = tmp_path / "bin"
    commands.mkdir()
    program = commands / "pontedeldiavolo"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m pontedeldiavolo "$@"\n', "utf-8")
    program.chmod(0o755)
    package = str(Path(pdd.__file__).parents[1])
    places = os.pathsep.join([str(commands), os.environ["PATH"]])
    env = {**os.environ, "PATH": places, "PYTHONPATH": package, "LC_ALL": "C.UTF-8"}
    env["PYTHONIOENCODING"] = "utf-8"
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "NUMBA_DISABLE_JIT", "TTY_COMPATIBLE"):
        env.pop(name, None)
    return env


def run(block: str, folder: Path, env: dict[str, str]) -> None:
    """Run the commands of a block one after the other, and compare what they print."""
    status = 0
    for command, expected in COMMAND.findall(block):
        done = subprocess.run(
            [str(shutil.which("bash")), "-c", f"(exit {status})\n{command}"],
            check=False,
            cwd=folder,
            encoding="utf-8",
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=100,
        )
        printed = done.stdout.rstrip("\n")
        assert matches(expected.rstrip("\n"), printed), (command, done.stdout)
        status = done.returncode


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
