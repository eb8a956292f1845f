"""The command in other processes: as it is installed, and without standard streams."""

from __future__ import annotations

import io
import os
import runpy
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import cli
from pontedeldiavolo.base.install import install_command
from support.commands import TINY, invoke
from support.paths import SOURCE

PROGRAM = (sys.executable, "-W", "error", "-m", "pontedeldiavolo")


def ended(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[list[object], object]:
    """Return the signals that the command would send to itself, and its status otherwise."""
    sent: list[object] = []
    # Keep the signal handlers of this process; tests of signals use other processes.
    monkeypatch.setattr(cli.signals, "begin", lambda: None)
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", *words])
    monkeypatch.setattr(os, "kill", lambda process, number: sent.extend((process, number)))
    monkeypatch.setattr(signal, "signal", lambda number, how: sent.extend((number, how)))
    with pytest.raises(SystemExit) as caught:
        cli.run()
    return sent, caught.value.code


def test_run_without_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("stdin", "stderr"):
        monkeypatch.setattr(sys, name, None)
    assert ended(monkeypatch, "show", "--rules", TINY)[1] == 0
    monkeypatch.setattr(sys, "stdin", None)
    assert ended(monkeypatch, "play")[1] == 0
    monkeypatch.setattr(sys, "stderr", None)
    monkeypatch.setitem(sys.modules, "click", None)
    assert ended(monkeypatch, "play")[1] == 2


@pytest.mark.parametrize("size", ["", "0", "-5", "²", "wide", "9" * 5000])
def test_sizes_of_terminals_that_are_not_sizes_are_ignored(
    size: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(monkeypatch, "rules")[1] == 0
    expected = capsys.readouterr()
    for name in ("COLUMNS", "LINES"):
        monkeypatch.setenv(name, size)
    assert ended(monkeypatch, "rules")[1] == 0
    assert capsys.readouterr() == expected
    monkeypatch.setenv("COLUMNS", "20")
    assert ended(monkeypatch, "rules")[1] == 0


@pytest.mark.parametrize(("file", "name"), [(None, "standard output"), ("a.pdd", "a.pdd")])
def test_run_on_a_full_disk(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], file: str | None, name: str
) -> None:
    class Full(io.StringIO):
        def write(self, _text: str, /) -> int:
            raise OSError(28, "No space left on device", file)

    monkeypatch.setattr(sys, "stdout", Full())
    for word in ("--version", "show"):
        assert ended(monkeypatch, word)[1] == 2
        assert capsys.readouterr().err == f"Error: {name}: No space left on device\n"


@pytest.mark.parametrize("missing", ["click", "rich"])
def test_run_without_the_extra(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], missing: str
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    assert ended(monkeypatch, "-V")[1] == 0
    assert capsys.readouterr().out == f"pontedeldiavolo, version {pdd.__version__}\n"
    assert ended(monkeypatch, "show")[1] == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == [cli.MISSING]
    assert install_command("cli") in captured.err


def test_run_as_module(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["pontedeldiavolo", "--version"])
    monkeypatch.setattr(cli.signals, "begin", lambda: None)
    with pytest.raises(SystemExit, match="0"):
        runpy.run_module("pontedeldiavolo", run_name="__main__")
    assert pdd.__version__ in capsys.readouterr().out
    # Importing the module, as tools for documentation do, must not run the command.
    runpy.run_module("pontedeldiavolo.__main__", run_name="looked_at")
    assert capsys.readouterr().out == ""


def run(*words: str, **environment: str) -> tuple[str, str, int]:
    """Run a program; return its output, what is on standard error, and its status."""
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8", **environment}
    options: Any = {"input": "", "capture_output": True, "encoding": "utf-8", "timeout": 60}
    done = subprocess.run(words, env=env, check=False, **options)
    return done.stdout, done.stderr, done.returncode


def test_the_command_in_a_separate_process(record: Path) -> None:
    output, complaints, status = run(*PROGRAM, "replay", str(record), "--only-end")
    assert (complaints, status) == ("", 0)
    assert output == invoke("replay", record, "--only-end").stdout


@pytest.mark.slow
def test_a_terminal_that_writes_ascii_only(tmp_path: Path) -> None:
    path = tmp_path / "zoë.pdd"
    path.write_text('[First "Zoë"]\n\n*\n', encoding="utf-8")
    output, complaints, status = run(*PROGRAM, "replay", str(path), PYTHONIOENCODING="ascii")
    assert (complaints, status) == ("", 0)
    assert output.startswith("First: Zo?\n")


BASH = shutil.which("bash") or "bash"
MANY = '[Event "a"]\n\n1. a1,b1 white *\n\n' * 3000


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A file with more games than a pipe holds."""
    path = tmp_path / "games.pdd"
    path.write_text(MANY)
    return path


def shell(script: str, *arguments: Path) -> tuple[str, str, int]:
    """Run a line of shell script, in which ``$0`` is the command."""
    line = f"set -o pipefail; {script.replace('$0', shlex.join(PROGRAM))}"
    # The first argument would be the name of the shell.
    return run(BASH, "-c", line, "bash", *map(str, arguments))


CLOSED = f"Error: standard output: {os.strerror(9)}\n"


@pytest.mark.slow
@pytest.mark.parametrize("command", ["convert $1 --to json", "stats $1", "show", "--help", "moves"])
def test_a_closed_standard_output_is_no_success(command: str, archive: Path) -> None:
    assert shell(f"$0 {command} >&-", archive) == ("", CLOSED, 2)


@pytest.mark.slow
def test_a_command_that_writes_nothing_needs_no_output(archive: Path) -> None:
    assert shell("$0 validate -q $1 >&-", archive) == ("", "", 0)


@pytest.mark.slow
def test_a_closed_standard_input_is_empty() -> None:
    output, complaint, status = shell("$0 convert - --to pdd <&-")
    assert (output, complaint, status) == ("", "standard input:1:1: expected a game\n", 1)
    assert shell("$0 show --rules '1x1 tiles=1 bridges=1 tiebreaks=none' <&- 2>&-")[2] == 0


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
@pytest.mark.parametrize("command", ["convert $1 --to pdd", "moves --all", "--help", "stats $1"])
def test_a_broken_pipe_ends_the_process_by_its_signal(command: str, archive: Path) -> None:
    # Nobody reads from the beginning, because a fast program could end before a reader stops.
    script = f"$0 {command} | (exec <&-; sleep 0); echo ${{PIPESTATUS[0]}}"
    output, complaint, _ = shell(script, archive)
    assert complaint == ""
    assert output == f"{128 + signal.SIGPIPE}\n"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
def test_a_broken_pipe_leaves_nothing_undone(archive: Path) -> None:
    target = archive.with_suffix(".sgf")
    saved = archive.with_name("saved.pdd")
    script = "$0 convert $1 -o $2 | (exec <&-); $0 play --save $3 </dev/null | (exec <&-)"
    _, complaint, status = shell(script, archive, target, saved)
    assert (complaint, status) == ("", 128 + signal.SIGPIPE)
    with target.open() as file:
        assert len(list(pdd.records.sgf.iter_games(file))) == MANY.count("1.")
    assert pdd.records.loads(saved.read_text("utf-8")).tags["First"] == "Person"
    assert sorted(archive.parent.iterdir()) == sorted([archive, target, saved])


class Deaf(io.StringIO):
    """An output stream whose reader has gone."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def write(self, _text: str, /) -> int:
        raise BrokenPipeError

    def fileno(self) -> int:
        return self.number


@pytest.fixture
def deaf() -> Iterator[Deaf]:
    number = os.open(os.devnull, os.O_WRONLY)
    yield Deaf(number)
    os.close(number)


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="there is no such signal")
@pytest.mark.parametrize("words", [("--version",), ("show",), ("moves", "--all")])
def test_end_by_signal(monkeypatch: pytest.MonkeyPatch, deaf: Deaf, words: tuple[str, ...]) -> None:
    monkeypatch.setattr(sys, "stdout", deaf)
    pipe = signal.SIGPIPE
    assert ended(monkeypatch, *words) == ([pipe, signal.SIG_DFL, os.getpid(), pipe], 1)


@pytest.mark.parametrize(("stream", "word"), [("stdout", "--version"), ("stderr", "unknown")])
def test_end_by_status(monkeypatch: pytest.MonkeyPatch, deaf: Deaf, stream: str, word: str) -> None:
    monkeypatch.delattr(signal, "SIGPIPE", raising=False)
    monkeypatch.setattr(sys, stream, deaf)
    assert ended(monkeypatch, word) == ([], 1)


def test_notes_to_closed_error(monkeypatch: pytest.MonkeyPatch, deaf: Deaf, tmp_path: Path) -> None:
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    monkeypatch.delattr(signal, "SIGPIPE", raising=False)
    monkeypatch.setattr(sys, "stderr", deaf)
    assert ended(monkeypatch, "convert", str(bad), "-o", str(tmp_path / "x.sgf")) == ([], 1)
    assert list(tmp_path.iterdir()) == [bad]


def test_a_broken_pipe_with_old_and_new_rich(monkeypatch: pytest.MonkeyPatch, deaf: Deaf) -> None:
    # New versions of rich end the process themselves; old ones raise an error.
    def invoke(*_arguments: object) -> None:
        try:
            deaf.write("")
        except BrokenPipeError:
            raise SystemExit(1)  # noqa: B904 - as rich does it

    monkeypatch.setattr(signal, "SIGPIPE", 13, raising=False)
    monkeypatch.setattr("click.Group.invoke", invoke)
    assert ended(monkeypatch, "show") == ([13, signal.SIG_DFL, os.getpid(), 13], 1)

    def leave(*_arguments: object) -> None:
        raise SystemExit(3)

    monkeypatch.setattr("click.Group.invoke", leave)
    assert ended(monkeypatch, "show") == ([], 3)


def test_closed_stdout(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdout", None)
    assert ended(monkeypatch, "show") == ([], 2)
    assert capsys.readouterr().err == CLOSED


COMMANDS = (
    "analyse $1 --simulations 20",
    "convert $1 --to sgf",
    "engine greedy",
    "match greedy random --games 2 --rules 3x3",
    "moves",
    "perft --depth 1",
    "play --opponent person",
    "render $1 --format svg",
    "replay $1",
    "rules",
    "show --json",
    "stats $1",
    "validate $1",
    "--help",
    "--version",
)
"""All commands that end by themselves, except for ``warm-up``."""
LINES = "printf 'ponte 1\\nd4,g7\\n' |"


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_without_room_for_their_output(command: str, record: Path) -> None:
    full = f"Error: standard output: {os.strerror(28)}\n"
    assert shell(f"{LINES} $0 {command} > /dev/full", record) == ("", full, 2)
    assert shell(f"{LINES} $0 {command} >&-", record) == ("", CLOSED, 2)
    # An error that cannot be printed does not change the exit status.
    assert shell(f"{LINES} $0 {command} > /dev/full 2> /dev/full", record)[2] == 2
    assert shell(f"{LINES} $0 {command} --nonsense 2> /dev/full", record)[2] == 2


@pytest.mark.nightly
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_in_odd_environments(command: str, record: Path) -> None:
    for odd in (
        f"$0 {command} <&-",
        f"{LINES} env -u HOME $0 {command}",
        f"{LINES} COLUMNS=20 $0 {command}",
        f"{LINES} COLUMNS=² LINES=0 $0 {command}",
        f"{LINES} PYTHONOPTIMIZE=2 $0 {command}",
        f"{LINES} LC_ALL=C PYTHONUTF8=0 PYTHONCOERCECLOCALE=0 PYTHONIOENCODING= $0 {command}",
        f"{LINES} TERM=dumb NO_COLOR=1 $0 {command}",
        f"{LINES} $0 {command} 2>&-",
    ):
        _, complaint, status = shell(odd, record)
        assert (complaint, status) == ("", 0), odd
