"""The release refuses texts that are wrong on PyPI."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from support.paths import ROOT

PROGRAM = ROOT / "tools" / "release_text.py"
PROGRAM_NAMES = runpy.run_path(str(PROGRAM))
URLS = """\
Project-URL: Repository, https://example.invalid/code
Project-URL: Documentation, https://example.invalid/docs
Project-URL: Issues, https://example.invalid/issues
"""
GOOD = f"""\
Metadata-Version: 2.4
{URLS}
`pip install pontedeldiavolo` installs it.

<img src="https://example.invalid/board.svg" alt="A board">

[Rules](https://example.invalid/rules)
"""


def faults(text: str, *, pictures: bool = True) -> Iterator[str]:
    metadata: Message = Parser().parsestr(text)
    found: Any = PROGRAM_NAMES["faults"]
    yield from found(metadata, lambda _url: pictures)


def test_a_text_for_pypi_has_no_faults() -> None:
    assert [*faults(GOOD)] == []


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("installs it", "will: there is no\nrelease on PyPI yet", "the readme says 'no release'"),
        ("installs it", "will, from the first\none on", "the readme says 'first one on'"),
        ("https://example.invalid/code", "", "[project.urls] has no address for Repository"),
        (URLS, "", "[project.urls] has no address for Documentation"),
        ("https://example.invalid/board.svg", "docs/board.svg", "a picture has no address"),
        ('<img src="https://example.invalid/board.svg" alt="A board">', "", "no picture"),
        ("https://example.invalid/rules", "docs/rules.md", "a link leads nowhere on PyPI"),
    ],
)
def test_faults_are_found(old: str, new: str, fault: str) -> None:
    assert old in GOOD
    assert any(fault in each for each in faults(GOOD.replace(old, new)))


def test_pictures_must_be_there() -> None:
    assert [*faults(GOOD, pictures=False)] == [
        "a picture cannot be loaded: https://example.invalid/board.svg"
    ]


@pytest.mark.parametrize("strict", [True, False])
def test_only_a_dated_version_fails(
    strict: bool,  # noqa: FBT001 - a parameter of a test
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    wheel = tmp_path / "some.whl"
    with ZipFile(wheel, "w") as file:
        file.writestr("some-1.dist-info/METADATA", "Metadata-Version: 2.4\n\nNo release yet.\n")
    monkeypatch.setattr(sys, "argv", ["", str(wheel), *(["--strict"] if strict else [])])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(PROGRAM), run_name="__main__")
    assert ended.value.code == int(strict)
    assert "not fit for PyPI: the readme says 'No release'" in capsys.readouterr().out
