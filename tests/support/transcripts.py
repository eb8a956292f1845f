"""Conversations of the engine protocol in files: ``>`` before messages of the host, else ``<``.

As a script it is an engine that takes its messages from such a file, and ends where the host sends
another message than the one there.
"""

from __future__ import annotations

import sys
from pathlib import Path


def messages(path: Path) -> list[tuple[str, str]]:
    lines = path.read_text("utf-8").splitlines()
    return [(line[0], line[2:]) for line in lines]


if __name__ == "__main__":
    for mark, message in messages(Path(sys.argv[1])):
        if mark == "<":
            sys.stdout.write(f"{message}\n")
            sys.stdout.flush()
        elif sys.stdin.readline() != f"{message}\n":
            sys.exit(3)
