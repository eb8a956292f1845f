"""An engine for the board 2x1, which does not import the library.

Its arguments say at which message it breaks the protocol, and how: at ``ponte``, ``newgame``,
``go`` or ``quit``.
"""

from __future__ import annotations

import subprocess
import sys
import time
from itertools import count
from pathlib import Path

WHEN, DEED = (*sys.argv[1:], "", "")[:2]
HELLO = "ponte 1\nname stub 1\noption depth integer 4 1 20\noption seed integer 0 0 99\nready"
SAID = {
    "garbage": b"hello\n",
    "empty": b"\n",
    "bytes": b"best \xff\xfe\n",
    "version": b"ponte 2\n",
    "option": b"ponte 1\noption depth integer 4 5 20\n",
    "type": b"ponte 1\noption depth whole 4 5 20\n",
    "twice": b"ponte 1\noption a text\noption a text\n",
    "nameless": b"ponte 1\nname \n",
    "control": b"ponte 1\nname \x1b[2J\n",
    "illegal": b"best a1,b1\n",
    "nothing": b"best \n",
    "resign": b"best resign\n",
    "wide": b"info " + b"x" * 100_000 + b"\nbest pass\n",
    "long": b"ponte 1\nname " + b"n" * 99_000 + b"\nready\n",
    "unsupported": b"unsupported boards of such a shape\n",
    "error": b"error unknown message\n",
}


def write(text: bytes) -> None:
    sys.stdout.buffer.write(text)
    sys.stdout.buffer.flush()


def misbehave() -> None:
    if DEED == "exit":
        sys.exit(3)
    if DEED in ("endless", "flood"):
        write(b"ponte 1\n" if WHEN == "ponte" else b"info ")
        for number in count():
            text = "x" * 1000 if DEED == "endless" else "info depth 1\n"
            write((f"option a{number} text\n" if WHEN == "ponte" else text).encode())
    if DEED == "last":
        write(b"best pass\n")
        sys.exit(3)
    if DEED in ("silent", "child", "orphan", "session"):
        child = [sys.executable, "-IS", "-c", "import time; time.sleep(60)"]
        if DEED == "orphan":
            # This child process keeps the pipes of the engine open.
            subprocess.Popen(child)
            sys.exit(3)
        if DEED == "session":
            write(f"best {subprocess.Popen(child, start_new_session=True).pid}\n".encode())
        if DEED == "child":
            write(f"best {subprocess.Popen(child).pid}\n".encode())
        time.sleep(60)
    if DEED == "late":
        time.sleep(0.4)
        write(b"best pass\n")
    write(SAID.get(DEED, b""))


def main() -> None:
    """Answer messages until the input ends."""
    heard = []
    text = ""
    for line in sys.stdin:
        word, _, rest = line.rstrip("\n").partition(" ")
        heard.append(line)
        if word == "position":
            text = rest
        elif word == WHEN and (word != "go" or "phase=play" in text):
            misbehave()
        elif word == "ponte":
            write(f"{HELLO}\n".encode())
        elif word == "newgame":
            write(b"ready\r\n")
        elif word == "go":
            move = "a1,b1" if "phase=opening" in text else "red" if "choice" in text else "pass"
            best = "a1" if " placed=" in text else move
            infos = ("depth 1", "rank 2 visits 3 value 0.5", f"depth 2 value 0.25 line {move} c1")
            write(
                "".join(
                    f"info {each}\n" for each in (*infos, "rank 3 value 9", "rank 1000 value 1")
                ).encode()
            )
            write(f"best {best}\n".encode())
        elif word == "quit":
            break
    if WHEN == "log":
        # Each engine writes at once, at the end of the file, because several may share it.
        with Path(DEED).open("ab", buffering=0) as log:
            log.write("".join(heard).encode())


if __name__ == "__main__":
    main()
