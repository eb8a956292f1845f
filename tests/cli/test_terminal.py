"""Commands on a real terminal of a certain width, of which only Unix has a kind for tests."""

from __future__ import annotations

import os
import re
import select
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.commands import EARLY, TINY, records_in, saved
from support.games import random_game
from support.paths import SOURCE, TESTS

pty = pytest.importorskip("pty", reason="needs a pseudo-terminal")
fcntl = pytest.importorskip("fcntl", reason="needs a pseudo-terminal")
termios = pytest.importorskip("termios", reason="needs a pseudo-terminal")

PROGRAM = """
import sys
from pontedeldiavolo import cli
from pontedeldiavolo.players.registry import FACTORIES, PlayerFactory
from support.stub_players import PlayoutPlayer

FACTORIES["thinker"] = PlayerFactory(lambda: PlayoutPlayer(2), {})
cli.run()
"""
"""The command line, with a player that analyses and needs nothing else."""
PATIENCE = 15.0
"""After so many seconds a command has failed: a little less than a test may take."""
CONTROLS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\r|\x08")
"""Colours and movements of the cursor."""


class Terminal:
    """A command on a terminal.

    Attributes:
        shown: All that it has written to the terminal.
        process: Its process.
    """

    def __init__(self, keyboard: int, process: subprocess.Popen[bytes]) -> None:
        self.shown = ""
        self.process = process
        self._keyboard = keyboard
        self._read = b""

    def type(self, line: str) -> None:
        os.write(self._keyboard, f"{line}\n".encode())

    def wait_for(self, words: str) -> None:
        """Read until the words are shown."""
        deadline = time.monotonic() + PATIENCE
        while words not in self.shown:
            assert time.monotonic() < deadline, self.shown
            assert self._read_some(), self.shown

    def end(self) -> str:
        """Read to the end of the command; return what it has shown."""
        while self._read_some():
            pass
        assert self.process.wait(PATIENCE) == 0, self.shown
        return self.shown

    def _read_some(self) -> bool:
        """Read what is there; return ``False`` at the end."""
        ready, _, _ = select.select([self._keyboard], [], [], PATIENCE)
        assert ready, self.shown
        try:
            octets = os.read(self._keyboard, 65_536)
        except OSError:  # how Linux reports that the command has ended
            octets = b""
        self._read += octets
        self.shown = CONTROLS.sub("", self._read.decode(errors="replace"))
        return bool(octets)


@contextmanager
def terminal(columns: int, *words: str | Path, output: int | None = None) -> Iterator[Terminal]:
    """Run a command on a terminal; *output* is where its standard output goes instead."""
    keyboard, screen = pty.openpty()
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    paths = os.pathsep.join(map(str, (SOURCE, TESTS)))
    environment = {"TERM": "xterm-256color", "PYTHONPATH": paths, "LC_ALL": "C.UTF-8"}
    hidden = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    process = subprocess.Popen(
        [sys.executable, "-W", "error", "-c", PROGRAM, *map(str, words)],
        stdin=screen,
        stdout=screen if output is None else output,
        stderr=screen,
        env={**kept, **environment},
        start_new_session=True,
    )
    os.close(screen)
    try:
        yield Terminal(keyboard, process)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


def test_a_column_beyond_the_board_is_refused_in_lines_that_end_between_words() -> None:
    with terminal(60, "play", "--seed", "1") as found:
        found.wait_for("white> ")
        found.type("zz")
        found.wait_for("Type help")
        found.type("quit")
        shown = found.end()
    refused = shown[shown.index("Not understood") : shown.rindex("white> ")]
    assert "a column from a to j" in refused
    lines = refused.splitlines()
    assert len(lines) > 1
    # Words that are cut would be joined in a different way.
    assert "Type help for what can be typed." in " ".join(line.strip() for line in lines)
    assert all(len(line) <= 60 for line in lines)


def test_a_narrow_terminal_shows_a_diagram(tmp_path: Path) -> None:
    path = tmp_path / "early.pdd"
    path.write_text(EARLY, "utf-8")
    state = pdd.records.loads(EARLY).state
    diagram = pdd.format_setup(state.position.setup()).splitlines()
    needed = max(sum(len(span.text) for span in row) for row in pdd.text.layout(state))
    with terminal(needed - 1, "show", path) as found:
        lines = found.end().splitlines()
    assert f"a terminal of {needed} columns" in " ".join(map(str.strip, lines))
    begin = lines.index(diagram[0])
    assert lines[begin : begin + len(diagram)] == diagram
    with terminal(needed, "show", path) as found:
        lines = found.end().splitlines()
    assert "This is its diagram" not in " ".join(lines)
    assert diagram[0] not in lines


def test_the_page_shows_that_the_computer_thinks() -> None:
    rules = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"
    words = ("--opponent", "pattern", "--seat", "second", "--rules", rules)
    with terminal(80, "play", *words) as found:
        found.wait_for("is thinking …")
        found.wait_for("player 2> ")
        found.type("quit")
        found.end()


def test_progress_is_on_standard_error_if_the_output_is_a_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "games.pdd", random_game(TINY))
    output = tmp_path / "out.pdd"
    words = ("analyse", path, "--player", "thinker")
    # On a narrow terminal a long path would leave no room for the game.
    with output.open("wb") as file, terminal(250, *words, output=file.fileno()) as found:
        shown = found.end()
    assert "game 1" in shown
    assert "━" in shown
    assert records_in(output)[0].actions == random_game(TINY).actions


@pytest.mark.parametrize("command", ["stats", "validate", "convert --to pdd"])
def test_other_data_has_progress_beside_it(command: str, tmp_path: Path) -> None:
    path = tmp_path / "early.pdd"
    path.write_text(EARLY, "utf-8")
    output = tmp_path / "out"
    words: tuple[str | Path, ...] = (*command.split(), path)
    with output.open("wb") as file, terminal(100, *words, output=file.fileno()) as found:
        assert "━" in found.end()
    assert "\x1b" not in output.read_text("utf-8")
