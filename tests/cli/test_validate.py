"""``validate``: records with and without faults, and hostile files."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pontedeldiavolo.cli.errors import Unreadable
from pontedeldiavolo.cli.inputs import Input
from support.commands import invoke, lines_of, refusal


def test_validate_finds_all_good(record: Path, archive: Path) -> None:
    lines, width = lines_of(invoke("validate", record, archive, "--ascii")), len(str(archive))
    assert lines == [
        f"{'file':<{width}} | good | bad | verdict",
        f"{'-' * width}-+------+-----+--------",
        f"{record!s:<{width}} |    1 |   0 | good",
        f"{archive} |    3 |   0 | good",
        "4 good games, 0 bad, in 2 files, 0 unreadable.",
    ]
    assert lines_of(invoke("validate", "--quiet", record, archive)) == []


def test_validate_names_the_place_of_every_fault(tmp_path: Path, record: Path) -> None:
    path = tmp_path / "bad.pdd"
    good = record.read_text(encoding="utf-8")
    path.write_text(f'{good}\n[Event "?"]\n1. a1,b1 white\n2. a1,c1\n\n{good}\n[Oops\n*\n')
    start = good.count("\n") + 2
    lines = lines_of(invoke("validate", "-q", record, path), 1)
    fault = "expected a legal action: Already taken by a tile: a1."
    assert lines[0] == f"{path}:{start + 2}:4: game 2: {fault}"
    assert lines[1].startswith(f"{path}:")
    assert ": game 4: expected " in lines[1]
    assert len(lines) == 2
    summary = lines_of(invoke("validate", record, path), 1)[-1]
    assert summary == "3 good games, 2 bad, in 2 files, 0 unreadable."


def test_validate_reads_standard_input(record: Path) -> None:
    assert lines_of(invoke("validate", "-", keys=record.read_bytes()))[-1] == (
        "1 good game, 0 bad, in 1 file, 0 unreadable."
    )
    (line,) = lines_of(invoke("validate", "-q", "-", keys="1. a1,b1 a1,b1"), 1)
    assert line.startswith("standard input:1:10: game 1: expected a legal action: This cannot be")


def test_validate_goes_on_after_unreadable_files(tmp_path: Path, record: Path) -> None:
    binary = tmp_path / "binary.pdd"
    binary.write_bytes(record.read_bytes() + b'\n[Event "\xff\x00"]\n')
    result = invoke("validate", tmp_path / "missing.pdd", tmp_path, binary, record)
    assert result.exit_code == 2
    assert result.stderr.splitlines() == [
        f"Error: {tmp_path / 'missing.pdd'}: no such file or directory",
        f"Error: {tmp_path}: is a directory",
        f"Error: {binary}:{record.read_bytes().count(10) + 2}: not UTF-8 text",
    ]
    # The game before the bytes that are not text counts: it was read.
    assert result.stdout.splitlines()[-1] == "1 good game, 0 bad, in 4 files, 3 unreadable."


def test_validate_of_many_files_lists_the_bad_ones(tmp_path: Path, record: Path) -> None:
    bad = tmp_path / "bad.pdd"
    bad.write_text("1. a1")
    lines = lines_of(invoke("validate", *[record] * 20, bad), 1)
    assert sum(str(record) in line for line in lines) == 0
    assert sum(str(bad) in line for line in lines) == 2
    assert lines_of(invoke("validate", *[record] * 21)) == [
        "21 good games, 0 bad, in 21 files, 0 unreadable."
    ]


COMMANDS = [
    ["show"],
    ["render", "--format", "svg"],
    ["replay"],
    ["moves"],
    ["moves", "--record"],
    ["perft", "--depth", "1"],
]


HOSTILE = [
    (b"\x7fELF\x02\x01\x01\x00\xff\xfe\x80", 2, ":1: ", "not UTF-8 text"),
    (b'[Event "caf\xe9"]\n*', 2, ":1: ", "not UTF-8 text"),
    ("[Event".encode("utf-16")[:-1], 2, ":1: ", "not UTF-16-LE text"),
    ("[Event".encode("utf-16"), 1, ":1:7: ", "expected "),
    (b'[Event "?"]\n' + b"\n" * 1000 + b"\xff", 2, ":1002: ", "not UTF-8 text"),
    (b"\x00" * 6001, 2, ":1: ", "more than 6,000 characters without an end of the record"),
    (
        b"a1,b1\n" * 1100,
        2,
        ":1001: ",
        "more than 6,000 characters without an end of the record",
    ),
    (
        b'[A "b"]\n' * 1100,
        2,
        ":751: ",
        "more than 6,000 characters without an end of the record",
    ),
    (b"", 1, ": ", "empty"),
    (b" \n\t\n", 1, ": ", "empty"),
    (b"\x00\x01\x02", 1, ":1:1: ", "expected "),
    (b"<html><body class='a'>", 1, ":1:1: ", "expected "),
    (b"{'json': 1}", 1, ":1:1: ", "expected "),
    (b"1. a1,b1 white 2. a1,b1", 1, ":1:19: ", "expected a legal action"),
    (b"99x99 tiles=1", 1, ":1:1: ", "expected "),
    (b'[Rules "99x99"]\n*', 1, ":1:9: ", "expected "),
]


@pytest.mark.parametrize(
    ("command", "content", "status", "place", "why"),
    [(COMMANDS[0], *row) for row in HOSTILE]
    + [(command, *row) for command in COMMANDS[1:] for row in HOSTILE[::5]],
)
def test_hostile_files_give_one_line_and_a_status(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: list[str],
    content: bytes,
    status: int,
    place: str,
    why: str,
) -> None:
    monkeypatch.setattr("pontedeldiavolo.cli.inputs.MAX_CHARACTERS", 6000)
    path = tmp_path / "hostile"
    path.write_bytes(content)
    message = refusal(invoke(*command, path), status)
    assert message.startswith(f"{path}{place}")
    assert why in message
    assert len(message) < 400
    if "--record" not in command:
        piped = refusal(invoke(*command, "-", keys=content), status)
        assert piped == message.replace(str(path), "standard input")


def test_a_file_that_fails_while_it_is_read() -> None:
    class Failing(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: object, /) -> int:
            raise OSError(str(buffer))

    for name, place in (("disk", "disk:1"), (None, "the text")):
        with pytest.raises(Unreadable) as caught:
            next(Input(io.TextIOWrapper(io.BufferedReader(Failing())), name))
        assert caught.value.message == f"{place}: oserror"
