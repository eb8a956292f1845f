"""Conversations of the engine protocol: ``>`` precedes messages of the host, ``<`` of the engine.

As a script, this file is an engine that sends the messages of a conversation. It ends if the host
sends another message than the conversation has. If a second file is named, it does not end, but
writes the conversation there, with the messages that the host has sent.
"""

from __future__ import annotations

import sys
from pathlib import Path


def messages(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text("utf-8").splitlines()
    return [(line[0], line[2:]) for line in lines]


def answer(path: Path, record: Path | None) -> None:
    heard: list[str] = []
    for mark, message in messages(path):
        if mark == "<":
            sys.stdout.write(f"{message}\n")
            sys.stdout.flush()
            heard.append(f"< {message}\n")
            continue
        line = sys.stdin.readline()
        if record is None and line != f"{message}\n":
            sys.exit(3)
        heard.append(f"> {line}")
        if record is not None:
            record.write_text("".join(heard), "utf-8")


if __name__ == "__main__":
    answer(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None)
