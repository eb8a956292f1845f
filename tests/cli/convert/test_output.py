"""``convert``: hostile input, and the files for output."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from pontedeldiavolo.cli import scan
from pontedeldiavolo.cli.scan import entries
from support.commands import ROUND_TRIPS, complaints, invoke, records_in, saved
from support.games import game_of
from support.paths import SOURCE


@pytest.mark.parametrize("name", [*ROUND_TRIPS, "boardspace"])
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b" \n\t\r\n",
        b"\x00\x01\x02",
        b"(;A[" * 5000,
        b'{"header":' * 5000,
        b'[{"header": 1, "moves": 2}, null, {"format": [[]]}]',
        b"(;GM[PonteDelDiavolo]P0[1 start P0];P0[2 pickb z 99])",
        "(;FF[4]PW[\u202e\x1b[31m]PD[a1,a1])".encode(),
    ],
)
def test_hostile_content_gives_lines(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / "ho\x1bstile"
    path.write_bytes(content)
    result = invoke("convert", "--from", name, "--to", "pdd", path)
    assert (result.exit_code, result.stdout) == (1, "")
    shown = str(path).replace("\x1b", r"\x1b")
    for line in result.stderr.splitlines():
        assert line.startswith(f"{shown}:")
        assert " expected " in line
        assert line.isprintable()
        assert len(line) < 500
    again = complaints("convert", "--from", name, "--to", "pdd", "-", keys=content, status=1)
    assert [line.replace("standard input", shown) for line in again] == result.stderr.splitlines()


@pytest.mark.parametrize("suffix", [".pdd", ".json", ".jsonl", ".txt"])
def test_bytes_that_are_not_text(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"binary{suffix}"
    path.write_bytes(b"\n\n\xff\xfe")
    (line,) = complaints("convert", path, "--to", "pdd", status=2)
    assert line == f"Error: {path}:3: not UTF-8 text"


def test_game_trees_may_be_in_latin_1(tmp_path: Path) -> None:
    path = tmp_path / "latin.sgf"
    path.write_bytes("(;FF[4]PW[Zo\xeb]\nPC[K\xf6ln])\n".encode("latin-1") * 2)
    tags = {"Site": "Köln", "First": "Zoë"}
    assert [game.tags for game in records_in(_converted(path))] == [tags, tags]
    path.write_bytes("(;FF[4]PW[Zoë]\nPC[Köln])".encode())
    assert [game.tags for game in records_in(_converted(path))] == [tags]


def _converted(path: Path) -> Path:
    target = path.with_suffix(".pdd")
    invoke("convert", path, "--force", "-o", target)
    return target


def test_unreadable_files_do_not_stop_the_others(tmp_path: Path, archive: Path) -> None:
    missing = tmp_path / "no\x1bwhere.sgf"
    target = tmp_path / "games.sgf"
    result = invoke("convert", missing, tmp_path, archive, "-o", target)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path}/no\\x1bwhere.sgf: no such file or directory",
        f"Error: {tmp_path}: is a directory",
    ]
    assert result.stdout == f"3 games written to {target}, 0 left out.\n"
    lines = invoke("validate", missing, target, "-q")
    assert (lines.exit_code, lines.stdout) == (2, "")


def test_nothing_is_left(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "bad.sgf"
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    result = invoke("convert", bad, "-o", target)
    assert (result.exit_code, result.stdout) == (1, "Nothing written, 1 left out.\n")
    assert sorted(tmp_path.iterdir()) == [bad, archive]

    def interrupted(*_: object) -> Iterator[object]:
        yield from entries(str(archive), None, lambda _amount: None)
        assert len(list(tmp_path.iterdir())) == 3
        raise KeyboardInterrupt

    monkeypatch.setattr(scan, "entries", interrupted)
    assert invoke("convert", archive, "-o", target).exit_code == 130
    assert sorted(tmp_path.iterdir()) == [bad, archive]


def test_new_files_are_kept(tmp_path: Path, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "games.sgf"

    def meanwhile(*_: object) -> Iterator[object]:
        target.write_text("precious")
        yield from entries(str(archive), None, lambda _amount: None)

    monkeypatch.setattr(scan, "entries", meanwhile)
    (line,) = complaints("convert", archive, "-o", target, status=2)
    assert line == f"Error: {target}: exists by now; --force replaces it"
    assert target.read_text() == "precious"
    assert sorted(tmp_path.iterdir()) == [archive, target]


def test_standard_output_is_utf_8_on_any_terminal(tmp_path: Path) -> None:
    path = saved(tmp_path / "game.pdd", game_of("d4,g7", First="Zoë ♟"))
    result = invoke("convert", path, "--to", "pdd", charset="ascii")
    assert result.stdout_bytes == path.read_bytes()


def run(*arguments: str | Path, **options: object) -> subprocess.CompletedProcess[bytes]:
    words = [sys.executable, "-m", "pontedeldiavolo", *map(str, arguments)]
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONUTF8": "1"}
    return subprocess.run(words, env=env, check=False, stderr=subprocess.PIPE, **options)  # type: ignore[call-overload, no-any-return]  # any arguments


@pytest.mark.slow
def test_a_file_is_not_added_to_itself(archive: Path) -> None:
    before = archive.read_bytes()
    why = "Error: {}: is an input, and is not written over\n"
    with archive.open("ab") as file:
        done = run("convert", archive, "--to", "pdd", stdout=file)
    assert (done.returncode, done.stderr.decode()) == (2, why.format("standard output"))
    with archive.open("rb") as file:
        done = run("convert", "-", "--force", "-o", archive, stdin=file)
    assert (done.returncode, done.stderr.decode()) == (2, why.format(archive))
    assert archive.read_bytes() == before


@pytest.mark.slow
def test_through_pipes(archive: Path) -> None:
    with archive.open("rb") as file:
        done = run("convert", "-", "--to", "sgf", stdin=file, stdout=subprocess.PIPE)
    assert (done.returncode, done.stderr) == (0, b"")
    done = run("convert", "-", "--to", "pdd", input=done.stdout, stdout=subprocess.PIPE)
    assert done.stdout == archive.read_bytes()
    with Path(os.devnull).open("wb") as file:
        assert run("convert", archive, "--to", "pdd", stdout=file).returncode == 0
