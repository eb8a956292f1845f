"""Commands on a real terminal of a certain width, of which only Unix has a kind for tests."""

from __future__ import annotations

import os
import re
import select
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
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
"""The seconds after which a command has failed: a little less than a test may take."""
EARLY_ACTIONS = [*map(pdd.parse_action, ("a1,b1", "white", "d4,d1", "a2,b2", "c4,d2"))]
"""The actions that give white an island on all boards of the tests."""
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

    def end(self, status: int = 0) -> str:
        """Read to the end of the command; return what it has shown."""
        while self._read_some():
            pass
        assert self.process.wait(PATIENCE) == status, self.shown
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
def terminal(
    columns: int,
    *words: str | Path,
    output: int | None = None,
    changed: Mapping[str, str] | None = None,
) -> Iterator[Terminal]:
    """Run a command on a terminal.

    Args:
        columns: The width of the terminal.
        words: The arguments of the command.
        output: The file for its standard output, instead of the terminal.
        changed: Environment variables.
    """
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
        env={**kept, **environment, **(changed or {})},
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


def test_errors_have_lines_that_end_between_words() -> None:
    with terminal(40, "play", "--rules", "bord-game-arena") as found:
        shown = found.end(2)
    lines = shown[shown.index("Error: ") :].splitlines()
    assert all(len(line) <= 40 for line in lines)
    assert " ".join(lines).endswith("'bord-game-arena'. Did you mean 'board-game-arena'?")


ENVIRONMENTS: dict[str, dict[str, str]] = {
    "without colours": {"NO_COLOR": "1"},
    "dumb": {"TERM": "dumb"},
    "unknown": {"TERM": "xyzzy"},
    "POSIX locale": {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    "unknown locale": {"LC_ALL": "de_XX.ISO-8859-1", "PYTHONUTF8": "0"},
    "Latin 1": {"PYTHONIOENCODING": "latin-1"},
    "ASCII": {"PYTHONIOENCODING": "ascii"},
    "very narrow": {"COLUMNS": "20"},
    "one column": {"COLUMNS": "1"},
    "no columns": {"COLUMNS": "0"},
    "odd columns": {"COLUMNS": "²"},
    "no lines": {"LINES": "0"},
    "optimized": {"PYTHONOPTIMIZE": "2"},
}


@pytest.mark.slow
@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_terminals_of_every_kind(name: str, tmp_path: Path) -> None:
    game = pdd.Game.from_actions(None, EARLY_ACTIONS, tags={"First": "Zoë", "Second": "Łukasz"})
    path = saved(tmp_path / "zoë.pdd", game)
    changed = ENVIRONMENTS[name]
    for command, status in (
        ("show", 0),
        ("replay --delay 0", 0),
        ("stats", 0),
        ("validate nothere.pdd", 2),
        ("show --lang de --rules ünï", 2),
    ):
        with terminal(80, *command.split(), path, changed=changed) as found:
            shown = found.end(status)
        assert "Traceback" not in shown
        assert shown.strip()
    with terminal(80, "play", "--opponent", "person", changed=changed) as found:
        found.wait_for("white> ")
        found.type("zz")
        found.wait_for("understood" if changed.get("COLUMNS") != "1" else "n")
        os.kill(found.process.pid, signal.SIGINT)
        assert "Traceback" not in found.end()


def columns_of(state: pdd.GameState, *, compact: bool) -> int:
    rows = pdd.text.layout(state, compact=compact)
    return max(sum(len(span.text) for span in row) for row in rows)


def rows_of(game: pdd.Game, *, compact: bool) -> list[str]:
    """Return the lines of the board at the end of a game, as a terminal with colours shows them."""
    drawn = pdd.text.render(game.state, last=game.actions[-1], compact=compact)
    lines = drawn.replace("░", " ").replace("▒", " ").splitlines()
    return [line.rstrip() for line in lines]


def lines_with(rows: list[str], lines: list[str]) -> list[int]:
    """Return the numbers of the lines that begin with the rows of a board."""
    return [next(n for n, line in enumerate(lines) if line.startswith(row)) for row in rows]


@pytest.mark.parametrize(
    ("command", "rules", "columns", "compact"),
    [
        ("show", "board-game-arena", 80, False),
        ("replay --only-end", "abstract-play-12", 80, True),
        ("show", "board-game-arena", 60, True),
        ("show", "26x26", 100, True),
    ],
)
def test_the_scores_are_beside_a_tall_board(
    command: str, rules: str, columns: int, *, compact: bool, tmp_path: Path
) -> None:
    game = pdd.Game.from_actions(pdd.parse_rules(rules), EARLY_ACTIONS)
    path = saved(tmp_path / "tall.pdd", game)
    with terminal(columns, *command.split(), path) as found:
        lines = found.end().splitlines()
    rows = rows_of(game, compact=compact)
    numbers = lines_with(rows[: -1 if compact else None : 1 if compact else 2], lines)
    assert numbers == sorted(set(numbers))
    shown = lines[numbers[0] :]
    # The legend, the next turn and the prompt follow the board.
    assert len(shown) < 24 or len(rows) > 24
    text = " ".join(" ".join(line.split()) for line in shown)
    for words in ("White (player 2): 1 point,", "a1 b1 a2 b2", "Red (player 1): 0 points", "Turn"):
        assert words in text
    assert all(len(line) <= columns for line in lines)


def test_a_replay_ends_with_the_scores_beside_the_board(tmp_path: Path) -> None:
    path = saved(tmp_path / "tall.pdd", pdd.Game.from_actions(pdd.Rules(), EARLY_ACTIONS))
    with terminal(80, "replay", "--delay", "0", path) as found:
        shown = found.end()
    end = shown[shown.rindex("Turn 4: Red (player 1) placed") :]
    (line,) = [line for line in end.splitlines() if "White (player 2): 1 point," in line]
    assert "10  ·" in line


def test_the_scores_are_below_the_board_where_there_are_enough_lines(tmp_path: Path) -> None:
    game = pdd.Game.from_actions(pdd.parse_rules("4x4"), EARLY_ACTIONS[:4])
    path = saved(tmp_path / "small.pdd", game)
    with terminal(80, "show", path) as found:
        lines = [line.rstrip() for line in found.end().splitlines()]
    rows = rows_of(game, compact=False)
    assert lines[: len(rows)] == rows
    assert any(line.startswith("White (player 2)") for line in lines[len(rows) :])


def test_a_narrow_terminal_shows_a_compact_board_last(tmp_path: Path) -> None:
    game = pdd.Game.from_actions(pdd.Rules(), EARLY_ACTIONS)
    path = saved(tmp_path / "early.pdd", game)
    with terminal(columns_of(game.state, compact=True), "show", path) as found:
        lines = [line.rstrip() for line in found.end().splitlines()]
    numbers = lines_with(rows_of(game, compact=True), lines)
    assert numbers == [*range(numbers[0], numbers[0] + 11)]
    text = " ".join(lines[: numbers[0]])
    assert "White (player 2): 1 point" in text
    assert "a1 b1 a2 b2" in text
    assert len(lines[numbers[0] :]) < 24


@pytest.mark.parametrize("command", ["show", "replay --delay 0", "play --rules board-game-arena"])
def test_a_terminal_that_is_too_narrow_says_how_many_columns_are_needed(
    command: str, tmp_path: Path
) -> None:
    game = pdd.Game.from_actions(pdd.Rules(), EARLY_ACTIONS)
    path = saved(tmp_path / "early.pdd", game)
    needed = columns_of(game.state, compact=True)
    words: tuple[str | Path, ...] = (*command.split(), *(() if "play " in command[:5] else (path,)))
    with terminal(needed - 1, *words) as found:
        if "play " in command[:5]:
            found.wait_for("white> ")
            found.type("quit")
        text = " ".join(found.end().split())
    assert f"The board needs a terminal of {needed} columns." in text
    assert "a b c d e" not in text


def test_a_board_of_a_game_leaves_lines_for_the_prompt() -> None:
    for rules, compact in (("10x10", False), ("12x12", True)):
        with terminal(80, "play", "--rules", rules) as found:
            found.wait_for("white> ")
            found.type("quit")
            lines = found.end().splitlines()
        begin = next(n for n, line in enumerate(lines) if line.startswith(rules[:2]))
        end = next(n for n, line in enumerate(lines) if line.startswith("white> "))
        assert end - begin < 24
        assert (" a b c" in "".join(lines)) is compact


def test_the_page_shows_that_the_computer_thinks() -> None:
    rules = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"
    words = ("--opponent", "greedy", "--seat", "second", "--rules", rules)
    with terminal(80, "play", *words) as found:
        found.wait_for("is thinking …")
        found.wait_for("player 2> ")
        found.type("quit")
        found.end()


def test_a_player_thinks_on_standard_error_if_the_output_is_a_file(tmp_path: Path) -> None:
    output = tmp_path / "game.txt"
    rules = "3x3 tiles=unlimited bridges=unlimited tiebreaks=none"
    words = ("play", "--opponent", "greedy", "--seat", "second", "--rules", rules)
    with output.open("wb") as file, terminal(80, *words, output=file.fileno()) as found:
        found.wait_for("is thinking …")
        found.type("quit")
        found.end()
    assert "is thinking" not in output.read_text("utf-8")


def test_drawing_is_announced_on_standard_error(tmp_path: Path) -> None:
    output = tmp_path / "board.svg"
    with (
        output.open("wb") as file,
        terminal(80, "render", "--format", "svg", output=file.fileno()) as found,
    ):
        assert "drawing …" in found.end()
    assert output.read_text("utf-8").startswith("<svg")


def test_a_bar_has_columns_beside_a_long_name(tmp_path: Path) -> None:
    path = saved(tmp_path / f"{'long' * 20}.pdd", random_game(TINY))
    output = tmp_path / "out.pdd"
    words = ("analyse", path, "--player", "thinker")
    with output.open("wb") as file, terminal(40, *words, output=file.fileno()) as found:
        shown = found.end()
    assert "…g.pdd: game 1 ━━━━━" in shown


def test_progress_is_on_standard_error_if_the_output_is_a_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "games.pdd", random_game(TINY))
    output = tmp_path / "out.pdd"
    words = ("analyse", path, "--player", "thinker")
    with output.open("wb") as file, terminal(80, *words, output=file.fileno()) as found:
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
