"""The command as it is installed, in this process and in others."""

from __future__ import annotations

import io
import os
import runpy
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import Ending, cli
from support.commands import TINY, invoke
from support.games import SMALL
from support.paths import SOURCE


def run_in_process(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """Run what the installed command runs, and return its exit status."""
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", *arguments])
    with pytest.raises(SystemExit) as caught:
        cli.run()
    assert isinstance(caught.value.code, int)
    return caught.value.code


def test_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_in_process(monkeypatch, "show", "--rules", TINY) == 0
    assert capsys.readouterr().out.startswith("1  ·\n   a\n")


def test_run_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert run_in_process(monkeypatch, "show", "--rules", TINY) == 0
    monkeypatch.setattr(sys, "stdin", None)
    assert run_in_process(monkeypatch, "play") == 0
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setitem(sys.modules, "click", None)
    assert run_in_process(monkeypatch, "play") == 2


def test_run_on_a_full_disk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Full(io.StringIO):
        def write(self, text: str, /) -> int:
            raise OSError(28, "No space left on device", text)

    monkeypatch.setattr(sys, "stdout", Full())
    assert run_in_process(monkeypatch, "--version") == 2
    assert capsys.readouterr().err == "Error: standard output: No space left on device\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_run_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert run_in_process(monkeypatch, "--version") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [cli.MISSING]
    assert "pip install 'pontedeldiavolo[cli]'" in captured.err


def test_the_package_runs_as_a_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", "--version"])
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("pontedeldiavolo", run_name="__main__")
    assert pdd.__version__ in capsys.readouterr().out
    # Importing that module, as tools for documentation do, runs nothing.
    runpy.run_module("pontedeldiavolo.__main__", run_name="looked_at")
    assert capsys.readouterr().out == ""


def start(
    *arguments: str | Path, code: str | None = None, **environment: str
) -> subprocess.Popen[str]:
    """Start the command, or other code, in a process of its own."""
    how = ["-m", "pontedeldiavolo"] if code is None else ["-c", code]
    words = [sys.executable, "-W", "error", *how, *map(str, arguments)]
    return subprocess.Popen(
        words,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", **environment},
    )


def finish(process: subprocess.Popen[str], keys: str = "") -> tuple[str, str, int]:
    output, complaints = process.communicate(keys, timeout=30)
    return output, complaints, process.returncode


def test_a_process_of_its_own(record: Path) -> None:
    output, complaints, status = finish(start("replay", record, "--only-end"))
    assert (complaints, status) == ("", 0)
    assert output == invoke("replay", record, "--only-end").stdout


@pytest.mark.slow
def test_a_terminal_that_writes_ascii_only(tmp_path: Path) -> None:
    path = tmp_path / "zoë.pdd"
    path.write_text('[First "Zoë"]\n\n*\n', encoding="utf-8")
    output, complaints, status = finish(start("replay", path, PYTHONIOENCODING="ascii"))
    assert (complaints, status) == ("", 0)
    assert output.startswith("First: Zo?\n")


@pytest.mark.slow
def test_nobody_reads_to_the_end() -> None:
    process = start("moves", "--rules", "abstract-play-12", "--all")
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdin is not None
    with process.stdin, process.stderr:
        assert process.stdout.readline() == "Turn 1: white (first seat) to move.\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.wait(timeout=30) == -signal.SIGPIPE


BLOCKED = """
import runpy, sys

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("click", "rich"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
sys.argv = ["pontedeldiavolo", "show"]
runpy.run_module("pontedeldiavolo", run_name="__main__")
"""


@pytest.mark.slow
def test_a_process_without_the_extra() -> None:
    output, complaints, status = finish(start(code=BLOCKED))
    assert (output, complaints, status) == ("", f"{cli.MISSING}\n", 2)


@pytest.mark.slow
def test_the_package_does_not_need_the_extra() -> None:
    code = (
        "import sys, pontedeldiavolo, pontedeldiavolo.text, pontedeldiavolo.cli\n"
        "print(sorted({'click', 'rich'} & set(sys.modules)))"
    )
    assert finish(start(code=code)) == ("[]\n", "", 0)


@pytest.mark.slow
def test_play_in_a_process_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "played.pdd"
    output, complaints, status = finish(
        start("play", "--rules", SMALL, "--seed", "3", "--save", path), "a1,b1\nresign\n"
    )
    assert (complaints, status) == ("", 0)
    assert "wins by resignation." in output
    assert pdd.records.loads(path.read_text(encoding="utf-8")).ending is Ending.RESIGNATION
