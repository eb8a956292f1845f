"""Every code block of the pages is executed, or gives a reason why not."""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from support.paths import ROOT

pytest.importorskip("click", reason="not installed: extra cli")
pytest.importorskip("rich", reason="not installed: extra cli")

import click

import pontedeldiavolo as pdd
from pontedeldiavolo.cli.main import COMMANDS as MODULES
from pontedeldiavolo.cli.main import main

REASONS = {
    "network": "it needs the network",
    "torch": "it needs PyTorch",
    "cluster": "it needs a cluster",
    "compiler": "it needs a compiler",
    "minutes": "it takes minutes",
}
"""Accepted reasons not to run a block, with the words of captions."""
DATA = {"text", "abnf", "bibtex", "nginx"}
"""Kinds of blocks that are not code."""
FILES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAGES = [path for path in FILES if "_build" not in path.parts]
BLOCK = re.compile(r"^( *)```(?:\{code-block\} )?(\w+)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
MARK = re.compile(r"^(?:% not run: (\w+)|<!-- not run: (\w+) -->)\n+$")
CAPTION = re.compile(r"^:caption: Not run with this documentation, because (.*)$", re.MULTILINE)
OPTION = re.compile(r"^:\w+:.*\n", re.MULTILINE)
ELSEWHERE = {
    ("README.md", "python"): "tests/docs/test_documents.py",
    ("docs/howto/javascript.md", "javascript"): "tests/docs/test_javascript.py",
    ("docs/howto/reimplement.md", "javascript"): "tests/examples/test_conformance.py",
    ("docs/howto/javascript.md", "html"): "tests/browser/test_browser.py",
    ("docs/howto/show.md", "javascript"): "tests/docs/test_javascript.py",
    ("docs/reference/json.md", "javascript"): "tests/docs/test_javascript.py",
    ("docs/reference/cli.md", "console"): "tests/docs/test_blocks.py",
}
"""Kinds of blocks that other tests execute."""
SERVERS = {
    "pontedeldiavolo serve": "tests/cli/test_serve.py",
    "pontedeldiavolo serve --host 0.0.0.0 --expose": "tests/cli/test_serve.py",
    "python web_game.py": "tests/examples/test_web_game.py",
    "python -m uvicorn --app-dir examples --factory server:create_app": "tests/support/site.py",
}
"""Commands that run until somebody stops them, each with a file that starts it."""
SESSIONS = re.compile(
    r"python3? -m pip install |pip install |pip uninstall |python3 -m venv |\. \.venv/bin/activate$"
    r"|\.venv/bin/|nox -s |python -m pytest |echo \"Installing into \.venv"
)
"""Commands that sessions of the noxfile run: ``wheel`` checks the install commands of the pages,
``docs`` builds the pages, and CI runs all tests."""
COMMAND = re.compile(r"^\$ (.*<<'END'\n(?:.*\n)*?END|.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)


@frozen
class Block:
    """A code block, with the reason if it is not executed."""

    page: str
    line: int
    kind: str
    text: str
    reason: str | None

    @property
    def commands(self) -> list[str]:
        """The commands of a block of shell code."""
        lines = OPTION.sub("", self.text).strip().splitlines()
        if self.kind == "console":
            return [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        return lines


def blocks_of(page: str, text: str) -> Iterator[Block]:
    """Yield the blocks of a page that are neither doctests nor directives."""
    for found in BLOCK.finditer(text):
        before = text[: found.start()]
        paragraph = before.rstrip("\n").rpartition("\n")[2] + "\n"
        mark = MARK.match(paragraph)
        caption = CAPTION.search(found[3])
        reason = (mark[1] or mark[2]) if mark else caption[1] if caption else None
        yield Block(page, before.count("\n") + 1, found[2], found[3], reason)


def is_known(command: str) -> bool:
    """Return whether another test or session runs a command."""
    return command in SERVERS or bool(SESSIONS.match(command))


TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in PAGES}
EVERY = [block for page, text in TEXTS.items() for block in blocks_of(page, text)]
BLOCKS = [each for each in EVERY if each.kind not in DATA]
FOR_SHELLS = [each for each in BLOCKS if each.kind in {"bash", "console"} and each.reason is None]
COMMANDS = [each for each in FOR_SHELLS if (each.page, each.kind) not in ELSEWHERE]
RUN = [each for each in COMMANDS if not all(map(is_known, each.commands))]


def test_blocks_that_are_not_run_have_a_reason_of_the_list() -> None:
    allowed = {None, *REASONS, *REASONS.values()}
    assert [each for each in BLOCKS if each.reason not in allowed] == []


def test_every_other_block_is_run() -> None:
    known = {*COMMANDS, *(each for each in BLOCKS if each.reason is not None)}
    others = [each for each in BLOCKS if each not in known]
    assert [each for each in others if (each.page, each.kind) not in ELSEWHERE] == []
    assert all((ROOT / path).exists() for path in (*ELSEWHERE.values(), *SERVERS.values()))


def test_no_doctest_is_skipped_without_a_condition() -> None:
    for path in PAGES:
        text = path.read_text("utf-8")
        assert "+SKIP" not in text
        conditions = re.findall(r"^:skipif: (.*)$", text, re.MULTILINE)
        assert all("find_spec(" in each for each in conditions)


def matches(pattern: str, text: str) -> bool:
    """Return whether a text matches a pattern, in which ``...`` stands for any text."""
    parts = map(re.escape, pattern.split("..."))
    return re.fullmatch(".*?".join(parts), text, re.DOTALL) is not None


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Environment variables with which a shell finds the command ``pontedeldiavolo``."""
    if sys.platform == "win32" or shutil.which("bash") is None:
        pytest.skip("the examples are for a Unix shell")
    commands = tmp_path / "bin"
    commands.mkdir()
    for name, arguments in (("pontedeldiavolo", " -m pontedeldiavolo"), ("python", "")):
        program = commands / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}"{arguments} "$@"\n', "utf-8")
        program.chmod(0o755)
    package = str(Path(pdd.__file__).parents[1])
    places = os.pathsep.join([str(commands), os.environ["PATH"]])
    env = {**os.environ, "PATH": places, "PYTHONPATH": package, "LC_ALL": "C.UTF-8"}
    env["PYTHONIOENCODING"] = "utf-8"
    for name in ("COLUMNS", "FORCE_COLOR", "NO_COLOR", "NUMBA_DISABLE_JIT", "TTY_COMPATIBLE"):
        env.pop(name, None)
    return env


def run(block: str, folder: Path, env: dict[str, str]) -> None:
    """Run the commands of a block one after the other, and compare their output."""
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
        # Old versions of click name the shorter of two options.
        printed = done.stdout.rstrip("\n").replace(" -h' for help", " --help' for help")
        assert matches(expected.rstrip("\n"), printed), (command, done.stdout)
        status = done.returncode


def marked(block: Block) -> Any:
    """Return a block as a parameter; learning on a cluster is left to the night."""
    marks = [pytest.mark.nightly] if block.page == "docs/howto/cluster.md" else []
    return pytest.param(block, id=f"{block.page}:{block.line}", marks=marks)


@pytest.mark.slow
@pytest.mark.parametrize("block", [marked(block) for block in RUN])
def test_commands_run(block: Block, tmp_path: Path, environment: dict[str, str]) -> None:
    for name in ("numba", "starlette", "PIL", "resvg_py", "click", "rich"):
        pytest.importorskip(name, reason=f"not installed: {name}")
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "examples").symlink_to(ROOT / "examples")
    shutil.copy(ROOT / "examples" / "games" / "original.pdd", folder / "game.pdd")
    for command in block.commands:
        if not is_known(command):
            run(f"$ {command}\n...\n$ echo $?\n0\n", folder, environment)


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: f"{block.page}:{block.line}")
def test_commands_name_files_that_exist(block: Block) -> None:
    if block.kind not in {"bash", "console"} or block.page == "docs/reference/cli.md":
        return
    for command in block.commands:
        for word in shlex.split(command):
            is_ours = word.startswith(("tests/", "examples/", "benchmarks/", "tools/", "docs/"))
            if is_ours and "_build" not in word:
                assert (ROOT / word).exists(), word


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("% not run: minutes\n\n```bash\na\n```\n", "minutes"),
        ("% not run: minutes\n```bash\na\n```\n", "minutes"),
        ("<!-- not run: network -->\n```bash\na\n```\n", "network"),
        ("% not run: minutes\n\nText.\n\n```bash\na\n```\n", None),
        ("```{code-block} bash\n:caption: Not run with this documentation, because X\n```\n", "X"),
    ],
)
def test_marks_are_found(text: str, reason: str | None) -> None:
    [block] = blocks_of("a.md", text)
    assert block.reason == reason


PAGE = (ROOT / "docs" / "reference" / "cli.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## `([\w-]+)`$(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE))
CONSOLE = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)
NEEDS = {"serve": "starlette", "analyse": "numba"}
"""A package that a command needs besides the extra ``cli``."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        # The command compiles everything again.
        pytest.param(name, marks=[pytest.mark.nightly] if name == "warm-up" else [])
        for name in ("", *SECTIONS)
    ],
)
def test_examples_print_the_same(name: str, tmp_path: Path, environment: dict[str, str]) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name], reason=f"not installed: {NEEDS[name]}")
    folder = tmp_path / "folder"
    folder.mkdir()
    record, *others = CONSOLE.findall(PAGE.partition("## `")[0])
    for block in (record, *(CONSOLE.findall(SECTIONS[name]) if name else others)):
        run(block, folder, environment)


def test_each_command_has_a_section_with_an_example() -> None:
    assert SECTIONS.keys() == MODULES.keys()
    for name, text in SECTIONS.items():
        examples = "".join(CONSOLE.findall(text))
        assert f"pontedeldiavolo {name} " in examples


@pytest.mark.parametrize("name", MODULES)
def test_tables_have_all_options_and_their_defaults(name: str) -> None:
    rows = re.findall(r"^\| (`-.*?) \| (.*) \|$", SECTIONS[name], re.MULTILINE)
    table = {flag: meaning for cell, meaning in rows for flag in re.findall(r"`(-[-\w]+)", cell)}
    command = main.get_command(click.Context(main), name)
    assert command is not None
    options = [each for each in command.params if isinstance(each, click.Option)]
    assert table.keys() == {name for each in options for name in each.opts}
    for option in options:
        meaning = table[option.opts[0]]
        if option.show_default and "see above" not in meaning:
            default = option.default
            shown = f"{default:,}" if isinstance(default, int) and default > 9999 else str(default)
            assert shown in meaning.replace("`", ""), option.opts


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_blocks_for_the_prompt_can_be_pasted_into_one(path: Path) -> None:
    """A prompt needs a line that says that a loop, or another compound statement, has ended."""
    lines = path.read_text().splitlines()
    for number, (line, following) in enumerate(pairwise(lines)):
        text = line.lstrip()
        if not text.startswith("... ") or not following.lstrip().startswith(">>> "):
            continue
        statement = [text[4:]]
        before = number
        while not lines[before].lstrip().startswith(">>> "):
            before -= 1
            statement.insert(0, lines[before].lstrip()[4:])
        last = ast.parse("\n".join(statement)).body[-1]
        assert not hasattr(last, "body"), f"{path}:{number + 1}: no line with '...' after it"
