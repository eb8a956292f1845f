"""Hostile files and texts give one line and a status."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from pontedeldiavolo.cli.errors import Unreadable
from pontedeldiavolo.cli.inputs import MAX_CHARACTERS, Input
from support.commands import invoke, refusal

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


def test_a_file_without_end(tmp_path: Path) -> None:
    path = tmp_path / "huge"
    with path.open("wb") as file:
        # Bytes that take no room on most disks, and are not read to the end.
        file.truncate(1 << 28)
    assert refusal(invoke("validate", "-q", path), 2) == (
        f"{path}:1: more than {MAX_CHARACTERS:,} characters without an end of the record"
    )


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
