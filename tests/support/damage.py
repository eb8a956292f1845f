"""Ways in which a file can be damaged."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path


def cut(size: int) -> Callable[[Path], object]:
    """Return a function that keeps the first bytes of a file; from the end if negative."""
    return lambda path: path.write_bytes(path.read_bytes()[:size])


def flip(place: int) -> Callable[[Path], object]:
    """Return a function that flips a bit of a file."""

    def damage(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[place] ^= 1
        path.write_bytes(data)

    return damage


def halve(path: Path) -> None:
    cut(path.stat().st_size // 2)(path)


def forbid(path: Path) -> None:
    path.chmod(0)


def replace_by_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def replace_by_full_folder(path: Path) -> None:
    replace_by_folder(path)
    (path / "file").write_text("something")


def replace_by_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def replace_by_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def replace_by_other(path: Path) -> None:
    """Replace a file by the code of another kernel."""
    others = [each for each in path.parent.glob("*.nbc") if each != path]
    shutil.copy(others[0], path)


DAMAGES: dict[str, Callable[[Path], object]] = {
    **{f"cut to {size}": cut(size) for size in (0, 1, 31, 32, 33, 100, -1, -100)},
    "halved": halve,
    **{f"bit {place}": flip(place) for place in (0, 31, 32, 40, 700, -1)},
    "one byte more": lambda path: path.write_bytes(path.read_bytes() + b"\0"),
    "garbage": lambda path: path.write_bytes(os.urandom(500)),
    "text": lambda path: path.write_text("compiled code"),
    "zeros": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "forbidden": forbid,
    "a folder": replace_by_folder,
    "a full folder": replace_by_full_folder,
    "another kernel": replace_by_other,
    "removed": Path.unlink,
}
if sys.platform != "win32":
    DAMAGES |= {"a pipe": replace_by_pipe, "a loop": replace_by_loop}
