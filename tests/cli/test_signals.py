"""Signals end commands at any moment with at most one line, and leave no processes."""

from __future__ import annotations

import _thread
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from types import FrameType, ModuleType
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo import _start
from pontedeldiavolo.cli import signals
from support.commands import TINY, invoke
from support.paths import SOURCE
from support.processes import PATIENCE, is_soon, members, run_python

COMMAND = [sys.executable, "-m", "pontedeldiavolo"]
POSIX = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
MOMENTS = 3
"""The number of moments at which each command gets a signal."""
RECORD = (
    '[Rules "4x3 tiles=unlimited bridges=unlimited tiebreaks=none"]\n\n1. c2,d3 red 2. a2,a3 *\n'
)
ENGINE = f"external:{sys.executable} -m pontedeldiavolo engine greedy"

LONG = {
    "analyse --seconds 1 game.pdd": 4.0,
    "convert many.pdd --to sgf -o new.sgf --force": 3.0,
    "engine mcts": 2.5,
    f"match greedy|{ENGINE}|--games|10000|--rules|4x4|--folder|kept": 4.0,
    "match greedy greedy --games 10000 --processes 2 --folder kept": 4.0,
    "match mcts:threads=2 greedy --games 10000 --processes 2": 6.0,
    "perft --depth 5": 3.0,
    "play --opponent mcts --save saved.pdd": 3.0,
    "play --opponent person --save saved.pdd": 2.0,
    "replay --delay 1 game.pdd": 2.0,
    "serve --no-open --port 0 --folder served": 4.0,
    "stats many.pdd": 3.0,
    "validate many.pdd": 3.0,
    "warm-up": 6.0,
}
"""Long commands, and the seconds within which they get a signal."""
SHORT = ("moves", "rules", "show", "render game.pdd --format gif -o new.gif --force", "--help")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the files that the commands read."""
    (tmp_path / "game.pdd").write_text(RECORD, encoding="utf-8")
    (tmp_path / "many.pdd").write_text("\n".join([RECORD] * 5000), encoding="utf-8")
    return tmp_path


@contextmanager
def started(folder: Path, command: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start a command as the leader of a group of processes."""
    words = command.split("|") if "|" in command else command.split()
    if "|" in command:
        words[:1] = words[0].split()
    pipe: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    environment = {
        **os.environ,
        "PYTHONPATH": str(SOURCE),
        "NUMBA_CACHE_DIR": str(folder / "cache"),
    }
    if "warm-up" not in words:
        # Only one of these tests waits for the compiler.
        del environment["NUMBA_CACHE_DIR"]
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=folder, env=environment, start_new_session=True, **pipe
    )
    try:
        yield process
    finally:
        for left in members(process.pid):
            os.kill(int(left.split()[0]), signal.SIGKILL)
        process.communicate()


def require_no_trace(process: subprocess.Popen[bytes], statuses: set[int]) -> str | None:
    """Require a command to end without a traceback; return its output.

    Return ``None`` if the signal came before Python ran any code of the package.
    """
    output, text = process.communicate(timeout=PATIENCE)
    errors = text.decode()
    if "Traceback" in errors and str(SOURCE) not in errors:
        # The signal came while the interpreter started.
        return None
    assert "Traceback" not in errors
    # A line about compilation is allowed.
    assert len([line for line in errors.splitlines() if "ompil" not in line]) <= 1, errors
    assert process.returncode in statuses, (process.returncode, errors)
    assert is_soon(lambda: not members(process.pid)), members(process.pid)
    return output.decode()


@POSIX
@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("command", [*LONG, *SHORT])
def test_ctrl_c_at_any_moment(command: str, folder: Path) -> None:
    rng = Random(command)
    for _ in range(MOMENTS):
        with started(folder, command) as process:
            time.sleep(rng.uniform(0.15, LONG.get(command, 1.5)))
            for _ in range(rng.choice((1, 1, 2))):
                # A terminal sends the signal to all processes of the group.
                os.killpg(process.pid, signal.SIGINT)
                time.sleep(rng.uniform(0, 0.05))
            require_no_trace(process, {0, signals.INTERRUPTED})
    # Finished files are valid, and no unfinished file is left.
    assert not [*folder.rglob("*.tmp")]
    for path in [*folder.glob("kept/*.pdd"), *folder.glob("saved.pdd"), *folder.glob("new.sgf")]:
        assert all(isinstance(game, pdd.Game) for game in pdd.records.read(path))


@POSIX
@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("command", list(LONG)[2:9:2] + list(LONG)[10:11])
def test_other_signals_at_any_moment(command: str, name: str, folder: Path) -> None:
    number = getattr(signal, name)
    rng = Random(f"{command} {name}")
    for _ in range(MOMENTS):
        with started(folder, command) as process:
            time.sleep(rng.uniform(0.15, LONG[command]))
            os.killpg(process.pid, number)
            require_no_trace(process, {0, 128 + number, -number})


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "said", "status"),
    [
        (
            "match greedy greedy --games 10000 --folder kept",
            "The match stops here, unfinished.",
            130,
        ),
        ("play --opponent person --save saved.pdd", "The record is in saved.pdd.", 0),
        ("serve --no-open --port 0 --folder served", "Ctrl-C ends the server.", 0),
    ],
)
def test_a_command_that_runs_ends_with_its_status(
    command: str, said: str, status: int, folder: Path
) -> None:
    with started(folder, command) as process:
        has_begun = {"match": "kept/*.pdd", "play": "saved.pdd", "serve": "served"}
        place = has_begun[command.split(maxsplit=1)[0]]
        assert is_soon(lambda: bool([*folder.glob(place)]), PATIENCE)
        time.sleep(1)
        os.killpg(process.pid, signal.SIGINT)
        output = require_no_trace(process, {status})
    assert output is not None
    assert said in output


@POSIX
@pytest.mark.slow
@pytest.mark.parametrize("victim", ["worker", "parent"])
def test_kill_9_in_a_match_leaves_no_process(victim: str, folder: Path) -> None:
    command = "match greedy greedy --games 10000 --processes 2 --folder kept"
    with started(folder, command) as process:
        assert is_soon(lambda: bool([*folder.glob("kept/*.pdd")]), PATIENCE)
        workers = [each for each in members(process.pid) if "spawn_main" in each]
        assert len(workers) == 2
        killed = process.pid if victim == "parent" else int(workers[0].split()[0])
        os.kill(killed, signal.SIGKILL)
        require_no_trace(process, {-signal.SIGKILL if victim == "parent" else 2})
    games = len([*folder.glob("kept/*.pdd")])
    assert games
    # The next match uses the stored games.
    done = invoke("match", "greedy", "greedy", "--games", "2", "--folder", folder / "kept")
    assert done.exit_code == 0, done.output


@POSIX
@pytest.mark.slow
def test_a_killed_worker_is_named(folder: Path) -> None:
    with started(folder, "match greedy greedy --games 10000 --processes 2") as process:

        def workers() -> list[str]:
            return [each for each in members(process.pid) if "spawn_main" in each]

        assert is_soon(lambda: len(workers()) == 2, PATIENCE)
        os.kill(int(workers()[1].split()[0]), signal.SIGKILL)
        _, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert errors.decode().startswith(
        "Error: a process that played games has ended, with exit code -9; if you gave a folder, "
    )


def test_the_command_is_known_before_its_imports(monkeypatch: pytest.MonkeyPatch) -> None:
    def is_command(argument: str, *words: str) -> bool:
        monkeypatch.setattr(sys, "argv", [argument])
        monkeypatch.setattr(sys, "orig_argv", ["python", *words])
        return _start.is_command()

    assert is_command("-m", "-W", "error", "-m", "pontedeldiavolo", "show")
    assert is_command("/usr/bin/pontedeldiavolo")
    assert is_command("C:\\pontedeldiavolo-script.py".rpartition("\\")[2])
    assert is_command("pontedeldiavolo.exe")
    assert not is_command("-m", "-m", "pytest")
    assert not is_command("-m", "-c", "-m")
    assert not is_command("program.py", "-m", "pontedeldiavolo")
    assert not is_command("")


def test_importing_the_package_changes_no_signal() -> None:
    # Background processes of a shell inherit that Ctrl-C is ignored.
    program = "import signal; signal.signal(2, signal.default_int_handler)"
    program += "; import pontedeldiavolo.cli"
    done = run_python(f"{program}; assert signal.getsignal(2) is signal.default_int_handler")
    assert (done.returncode, done.stderr) == (0, "")


class Ended(BaseException):
    """Raised in place of the end of the process."""


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> signals._Ends:
    """The state of a command whose process does not end."""
    ends = signals._Ends()

    def end(number: int, _frame: object) -> None:
        raise Ended(number)

    monkeypatch.setattr(signals, "_ends", ends)
    monkeypatch.setattr(signals, "end_at_once", end)
    return ends


def test_phases_of_a_command(ends: signals._Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Ended):
        ends.handle(2, None)
    with pytest.raises(KeyboardInterrupt), signals.running():
        ends.handle(signal.SIGINT, None)
    # Now the command cleans up.
    ends.handle(signal.SIGINT, None)
    ends.handle(signal.SIGTERM, None)
    # A command that cleans up for a long time obeys a second signal.
    monkeypatch.setattr(signals, "QUIET_SECONDS", 0.0)
    ends.quiet_until = 0.0
    with pytest.raises(Ended):
        ends.handle(signal.SIGINT, None)
    ends.phase = signals.Phase.BEGINNING
    with signals.running():
        for _ in range(2):
            with pytest.raises(SystemExit, match="143"):
                ends.handle(15, None)
    ends.phase = signals.Phase.BEGINNING
    signals.end()
    assert ends.phase is signals.Phase.ENDING


def test_handlers_of_a_command(ends: signals._Ends, monkeypatch: pytest.MonkeyPatch) -> None:
    handlers = dict[int, object]()
    last = list[tuple[object, ...]]()
    monkeypatch.setattr(signal, "signal", handlers.__setitem__)
    monkeypatch.setattr("atexit.register", lambda *call: last.append(call[1:]))
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    # This is the situation under nohup.
    monkeypatch.setattr(
        signal, "getsignal", lambda number: [signal.SIG_DFL, signal.SIG_IGN][number == 15]
    )
    signals.begin()
    signals.end()
    signals.end()
    assert handlers.keys() >= {signal.SIGINT}
    assert signal.SIGTERM not in handlers
    assert set(handlers.values()) == {ends.handle}
    assert last == [(number, signal.SIG_IGN) for number in handlers]
    assert sys.unraisablehook is signals._on_unraisable


def test_an_import_is_not_interrupted(
    ends: signals._Ends, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sent = list[int]()
    monkeypatch.setattr(signals, "send_again", sent.append)
    seen = list[FrameType]()
    module = ModuleType("support_of_signals")
    module.__dict__["seen"] = seen
    monkeypatch.setitem(sys.modules, "support_of_signals", module)
    (tmp_path / "imported_now.py").write_text(
        "import sys, support_of_signals\nsupport_of_signals.seen.append(sys._getframe())\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    __import__("imported_now")
    with signals.running():
        ends.handle(2, seen[0])
        assert sent == [2]
        with pytest.raises(KeyboardInterrupt):
            ends.handle(2, sys._getframe())
    # The import during which the command began does not count.
    assert signals.is_importing(seen[0])
    ends.imports = signals._count_imports(seen[0])
    assert not signals.is_importing(seen[0])


@pytest.mark.parametrize(
    ("number", "raised"), [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, SystemExit)]
)
def test_a_signal_in_a_destructor_is_sent_again(
    number: int,
    raised: type[BaseException],
    ends: signals._Ends,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = list[int]()
    monkeypatch.setattr(signals, "send_again", sent.append)
    monkeypatch.setattr(sys, "unraisablehook", signals._on_unraisable)

    class Interrupted:
        def __del__(self) -> None:
            ends.handle(number, None)

    with signals.running():
        Interrupted()
        assert sent == [number]
        with pytest.raises(raised):
            ends.handle(number, None)
    reported = list[object]()
    monkeypatch.setattr(sys, "__unraisablehook__", reported.append)

    class Faulty:
        def __del__(self) -> None:
            raise ValueError

    class Exiting:
        def __del__(self) -> None:
            raise SystemExit

    Faulty()
    Exiting()
    assert len(reported) == 2


def test_signals_are_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signals, "RETRY_SECONDS", 0.001)
    received = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, _frame: received.append(number))
    try:
        signals.send_again(signal.SIGINT)
        assert is_soon(lambda: received == [2])
        # This is the situation on Windows.
        monkeypatch.setattr(sys, "platform", "win32")
        signals.send_again(signal.SIGINT)
        assert is_soon(lambda: received == [2, 2])
    finally:
        signal.signal(signal.SIGINT, before)


def test_handlers_belong_to_the_main_thread() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with signals.handled_by(print):
        assert signal.getsignal(signal.SIGTERM) is print
    assert signal.getsignal(signal.SIGTERM) is before
    seen = list[object]()

    def other() -> None:
        with signals.handled_by(print):
            seen.append(signal.getsignal(signal.SIGTERM))

    _thread.start_new_thread(other, ())
    assert is_soon(lambda: bool(seen))
    assert seen == [before]


def test_an_interrupt_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("pontedeldiavolo.cli.show.Screen.state", interrupt)
    for language, sentence in (("en", "Interrupted."), ("de", "Abgebrochen.")):
        done = invoke("show", "--rules", TINY, "--lang", language)
        assert (done.exit_code, done.stderr, done.stdout) == (130, f"{sentence}\n", "")
