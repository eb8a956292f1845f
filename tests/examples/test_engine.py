"""The engine in C++ follows the rules, and the script that tests engines detects errors."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

import pontedeldiavolo as pdd
from support.paths import ROOT, SOURCE, TESTS

COMPILER = shutil.which("g++")
CHECK = [sys.executable, "-W", "error", str(ROOT / "examples" / "check_engine.py")]
SOURCE_FILE = ROOT / "examples" / "engine.cpp"

ORPHAN = """
import subprocess, sys
child = [sys.executable, "-IS", "-c", "import time; time.sleep(30)"]
subprocess.Popen(child, stderr=subprocess.DEVNULL)
"""
ONLY_RED = r"""
said = {"ponte": "ponte 1\nname x\nready\n", "newga": "ready\n", "go no": "best red\n"}
for line in __import__("sys").stdin:
    print(said.get(line[:5], ""), end="", flush=True)
"""


def checked(*command: str) -> tuple[int, list[str]]:
    """Return the exit status and the output of the script."""
    done = subprocess.run(
        [*CHECK, *command],
        env={"PYTHONPATH": str(SOURCE)},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert done.stderr == ""
    return done.returncode, done.stdout.splitlines()


@pytest.mark.skipif(COMPILER is None, reason="there is no g++ here")
def test_the_engine_plays(tmp_path: Path) -> None:
    engine = str(tmp_path / "engine")
    folder = tmp_path / "games"
    options = ["-std=c++17", "-O2", "-Wall", "-Wextra", "-Werror", "-o", engine]
    subprocess.run([str(COMPILER), *options, str(SOURCE_FILE)], check=True)
    rules = pdd.Rules(pdd.Board(7, 6), tiles_per_color=15, bridges=4)
    with pdd.players.ExternalPlayer([engine]) as player:
        pair = (player, pdd.players.GreedyPlayer())
        match = pdd.players.match(*pair, 20, rules=rules, folder=folder, clock=(60, 0))
    assert match.games == 20
    games = [game for path in folder.glob("*.pdd") for game in pdd.records.iter_games(path)]
    assert {game.ending for game in games} == {pdd.Ending.SCORED}
    assert any(isinstance(action, pdd.BuildBridge) for game in games for action in game.actions)
    status, lines = checked(engine)
    assert (status, {line.rpartition(": ")[2] for line in lines}) == (0, {"good"})
    assert len(lines) == 11


@pytest.mark.slow
def test_an_engine_whose_child_keeps_the_pipe_open_has_ended() -> None:
    begin = time.monotonic()
    status, lines = checked(sys.executable, "-c", ORPHAN)
    assert status == 1
    assert "expected a message, but the engine has ended" in "\n".join(lines)
    assert time.monotonic() - begin < 25


def test_the_engine_has_less_than_150_lines() -> None:
    lines = SOURCE_FILE.read_text("utf-8").splitlines()
    assert len(lines) < 150
    assert max(map(len, lines)) <= 100


@pytest.mark.parametrize(
    ("engine", "said"),
    [
        (["-c", ""], "expected a message, but the engine has ended"),
        (["-c", "print('ponte 2')"], "expected ponte 1"),
        ([str(TESTS / "support" / "stub_engine.py")], "expected a value from -1 to 1"),
        (
            ["-c", ONLY_RED],
            "expected a legal action. This cannot be done at this point of the game.",
        ),
        ([str(TESTS / "support" / "stub_engine.py"), "newgame", "unsupported"], "unsupported"),
    ],
)
def test_other_engines_fail(engine: list[str], said: str) -> None:
    status, lines = checked(sys.executable, "-IS", *engine)
    assert status == 1
    assert lines[0].endswith(f": {said}")
