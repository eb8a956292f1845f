"""``play --save``: the files that it adds to, those that it refuses, and sudden ends."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import time
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

import pytest

import pontedeldiavolo as pdd
from pontedeldiavolo.cli.play import _Session
from support.commands import invoke, lines_of, refusal
from support.paths import SOURCE
from support.processes import PATIENCE

GAME = pdd.Game.new(tags={"First": "Ada"}).play("d4,g7").play("red").resign(pdd.Seat.FIRST)
RECORD = pdd.records.dumps(GAME).encode()
FORMATS = pdd.records.Format

ENCODING = "a record can be added to text in UTF-8 alone, and this is none"
FORMAT = "a record cannot be added to a file of the format {}"
TEXT = "a record cannot be added, because there is something else than records: "


def written_as(format_: pdd.records.Format) -> bytes:
    file = io.StringIO()
    pdd.records.write([GAME], file, format=format_)
    return file.getvalue().encode()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (written_as(FORMATS.JSON), FORMAT.format("json")),
        (written_as(FORMATS.JSON) * 2, FORMAT.format("json")),
        (written_as(FORMATS.ABSTRACT_PLAY), FORMAT.format("abstract-play")),
        (written_as(FORMATS.SGF), FORMAT.format("sgf")),
        (b"(;GM[PonteDelDiavolo]P0[1 start P0])", FORMAT.format("boardspace")),
        (b"size-8\nd4,g7\n", FORMAT.format("moves")),
        (RECORD.decode().encode("utf-16"), ENCODING),
        (RECORD.decode().encode("utf-16-le"), ENCODING),
        (RECORD.decode().encode("utf-32"), ENCODING),
        (RECORD + '[Event "Café"]'.encode("latin-1"), ENCODING),
        (RECORD + "é".encode()[:1], ENCODING),
        (b"Dear Bo,\n", TEXT),
        (b'{"name": "Bo"}\n', TEXT),
        (b"[1, 2, 3]\n", TEXT),
        (b"\x89PNG\r\n", ENCODING),
    ],
)
@pytest.mark.parametrize("suffix", [".pdd", ".json", ".txt", ""])
def test_what_a_record_would_break_is_refused(
    tmp_path: Path, content: bytes, why: str, suffix: str
) -> None:
    path = tmp_path / f"games{suffix}"
    path.write_bytes(content)
    said = refusal(invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n"), 2)
    assert said.startswith(f"{path}: {why}")
    assert path.read_bytes() == content


@pytest.mark.parametrize(
    ("content", "good", "bad"),
    [
        (b"", 1, 0),
        (b" \n\n", 1, 0),
        (RECORD, 2, 0),
        (BOM_UTF8 + RECORD, 2, 0),
        (BOM_UTF8, 1, 0),
        (RECORD.replace(b"\n", b"\r\n"), 2, 0),
        (RECORD.rstrip(), 2, 0),
        (b"1. a1,b1 *", 2, 0),
        (b"\n\n; a comment\n1. a1,b1 *", 2, 0),
        (RECORD + b'\n[Round "2"]\n1. a1,b1 {a comment without an end', 2, 1),
        (b'[First "Ada"]\n1. a1,a1 *', 1, 1),
    ],
)
def test_a_record_is_added_to_others(tmp_path: Path, content: bytes, good: int, bad: int) -> None:
    path = tmp_path / "games.pdd"
    path.write_bytes(content)
    played = invoke("play", "--opponent", "person", "--save", path, keys="d4,g7\n")
    assert (played.exit_code, path.read_bytes().startswith(content)) == (0, True)
    lines = lines_of(invoke("validate", path), 1 if bad else 0)
    assert lines[-1].startswith(f"{good} good game{'s' * (good > 1)}, {bad} bad")


# Sudden ends


def started(path: Path, **options: Any) -> subprocess.Popen[bytes]:
    """Start a game of two people, with one turn played."""
    command = [sys.executable, "-m", "pontedeldiavolo", "play", "--opponent", "person", "--save"]
    process = subprocess.Popen(
        [*command, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUNBUFFERED": "1"},
        **options,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(b"d4,g7\n")
    process.stdin.flush()
    seen, deadline = b"", time.monotonic() + PATIENCE
    while b"Points: white 0" not in seen and time.monotonic() < deadline:
        seen += os.read(process.stdout.fileno(), 4096)
    return process


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM", "SIGINT"])
def test_a_closed_terminal_saves_the_game(tmp_path: Path, name: str) -> None:
    path = tmp_path / "game.pdd"
    with started(path) as process:
        # A terminal that closes sends more than one.
        for _ in range(2 if name == "SIGHUP" else 1):
            process.send_signal(getattr(signal, name))
        out, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert b"The record is in" in out
    assert pdd.records.loads(path.read_bytes()).actions == (pdd.parse_action("d4,g7"),)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
def test_nohup_plays_on(tmp_path: Path) -> None:
    path = tmp_path / "game.pdd"

    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with started(path, preexec_fn=ignore) as process:
        process.send_signal(signal.SIGHUP)
        process.communicate(b"red\nquit\n", timeout=PATIENCE)
    assert len(pdd.records.loads(path.read_bytes()).actions) == 2


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="needs signals")
@pytest.mark.parametrize("is_ignored", [False, True])
def test_signals_are_handled_during_the_game_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_ignored: bool
) -> None:
    path, seen = tmp_path / "game.pdd", []
    before = signal.getsignal(signal.SIGHUP)

    def run(self: _Session) -> None:
        handler = signal.getsignal(signal.SIGHUP)
        seen.append(handler == self.interrupt)
        self._is_running = True
        for _ in range(2):
            try:
                self.interrupt(1, None)
            except KeyboardInterrupt:
                seen.append(True)

    monkeypatch.setattr(_Session, "run", run)
    handled = signal.SIG_IGN if is_ignored else signal.SIG_DFL
    signal.signal(signal.SIGHUP, handled)
    try:
        assert invoke("play", "--save", path).exit_code == 0
        assert signal.getsignal(signal.SIGHUP) == handled
    finally:
        signal.signal(signal.SIGHUP, before)
    # The second signal interrupts nothing.
    assert seen == [not is_ignored, True]
    assert pdd.records.loads(path.read_bytes()).actions == ()
