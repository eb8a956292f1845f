"""The files in which compiled code is kept for later processes.

Numba has a cache of its own, but it cannot serve here. It checks only the file of the kernel that
is called, and not those of the functions that the kernel calls. It keeps the code beside the
sources, where ``pip uninstall`` leaves it. And it fails where a file is damaged.

This cache has one file for each kernel, signature and processor. A file is checked before it is
used: one that is missing, damaged or unreadable counts as missing, and is written again. All files
of the same sources and libraries are in one folder, whose name contains their :func:`code_stamp`.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.machinery import all_suffixes
from importlib.resources import files
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Final

import llvmlite
import numba
import numpy as np
from numba import config

from .numba_internals import user_cache_folder

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

PACKAGE: Final = "pontedeldiavolo"
SOURCE_FOLDERS: Final = ("base", "batch", "board", "players/mcts", "state")
"""The folders of the kernels and of the constants that they use."""
FOLDER_NAME: Final = re.compile(rf"{PACKAGE}-[0-9a-f]{{16}}")
"""The names of the folders with compiled code: one for each stamp."""
MAX_FOLDERS: Final = 8
"""The number of folders that are kept: the code of the versions that were used last."""


# The stamp of the code


def source_files() -> dict[str, bytes]:
    """Return the contents of the package's modules in the source folders, by their paths.

    They are read through the package's loader, so they can lie in a zip archive. Where there are
    only bytecode files, these stand for the sources.
    """
    found = {}
    for folder in SOURCE_FOLDERS:
        with suppress(OSError):
            for path, file in _modules_below(files(PACKAGE).joinpath(*folder.split("/")), folder):
                found[path] = file.read_bytes()
    return found


def _modules_below(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    """Iterate over the files of modules in a folder and the folders in it, with their paths."""
    for each in folder.iterdir():
        name = f"{path}/{each.name}"
        if each.is_dir():
            if each.name != "__pycache__":
                yield from _modules_below(each, name)
        elif each.name.endswith(tuple(all_suffixes())):
            yield name, each


def imported_modules() -> set[str]:
    """Return the modules of the source folders that this process has imported, as paths."""
    found = set()
    for name, module in tuple(sys.modules.items()):
        if name.startswith(f"{PACKAGE}."):
            path = name.removeprefix(f"{PACKAGE}.").replace(".", "/")
            if f"{path}/".startswith(tuple(f"{folder}/" for folder in SOURCE_FOLDERS)):
                found.add(f"{path}/__init__" if hasattr(module, "__path__") else path)
    return found


def current_stamp() -> str | None:
    """Return a hash of the sources as they are now, and of the versions of all libraries.

    It is ``None`` if a module that was imported is not among the files that can be read, as in a
    program that contains its modules in another form. Code must not be kept without a stamp to
    compare: after an upgrade, the old code would run.
    """
    sources = source_files()
    readable = {path.partition(".")[0] for path in sources}
    if not imported_modules() <= readable:
        return None
    digest = sha256()
    versions = (numba.__version__, llvmlite.__version__, np.__version__, sys.version)
    for text in versions:
        digest.update(f"{text}\0".encode())
    for path in sorted(sources):
        digest.update(f"{path}\0{len(sources[path])}\0".encode())
        digest.update(sources[path])
    return digest.hexdigest()


@cache
def code_stamp() -> str | None:
    """Return the stamp of the sources that this process has imported.

    It is computed when the kernels are imported, as near to the import of the sources as possible:
    an upgrade may replace them while this process runs.
    """
    return current_stamp()


# The folder


def cache_root() -> Path | None:
    """Return the folder for all compiled code, or ``None`` if this user has none.

    It is ``NUMBA_CACHE_DIR`` if that is set, else a folder among the user's caches.
    """
    if config.CACHE_DIR:
        return Path(config.CACHE_DIR).absolute()

    found = user_cache_folder(PACKAGE)
    # Without a home folder, the path begins with "~".
    return found if found.is_absolute() else None


def code_folder() -> Path | None:
    """Return the folder for the code of this process, or ``None`` if nothing can be kept."""
    root = cache_root()
    stamp = code_stamp()
    return None if root is None or stamp is None else root / f"{PACKAGE}-{stamp[:16]}"


def remove_old_folders(root: Path) -> None:
    """Remove the folders of other stamps, except those that were used last."""
    with suppress(OSError):
        folders = [each for each in root.iterdir() if FOLDER_NAME.fullmatch(each.name)]
        folders.sort(key=lambda folder: folder.stat().st_mtime, reverse=True)
        for folder in folders[MAX_FOLDERS:]:
            # A process that uses a removed folder compiles its next kernel and stores it again.
            shutil.rmtree(folder, ignore_errors=True)


# The files


class CodeFolder:
    """The files in a folder. Any number of processes and threads may use them at once."""

    def __init__(self, path: Path) -> None:
        self.path: Path = path
        self._was_used = False

    def load(self, name: str) -> bytes | None:
        """Return the content of a file; ``None`` if there is none, or if it is damaged."""
        path = self.path / name
        try:
            # Opening a pipe would wait for another program.
            data = path.read_bytes() if path.is_file() else b""
        except OSError:
            return None
        digest_size = sha256().digest_size
        content = data[digest_size:]
        if data[:digest_size] != _checksum(name, content):
            return None
        self._note_use()
        return content

    def save(self, name: str, content: bytes) -> None:
        """Write a file, or replace it.

        Raises:
            OSError: If it cannot be written.
        """
        is_new = not self.path.exists()
        self.path.mkdir(parents=True, exist_ok=True)
        # A process that reads the file meanwhile finds the old content or the new one.
        temporary = self.path / f"{name}.{token_hex(8)}.tmp"
        try:
            temporary.write_bytes(_checksum(name, content) + content)
            _replace(temporary, self.path / name)
        finally:
            temporary.unlink(missing_ok=True)
        if is_new:
            remove_old_folders(self.path.parent)

    def _note_use(self) -> None:
        """Set the time at which the folder was last used, once in each process."""
        if not self._was_used:
            self._was_used = True
            with suppress(OSError):
                os.utime(self.path)


def _checksum(name: str, content: bytes) -> bytes:
    """Return the hash at the start of a file. It covers the name, because files can be swapped."""
    return sha256(name.encode() + b"\0" + content).digest()


def _replace(temporary: Path, path: Path) -> None:
    """Rename a file, and remove a folder that has taken its name."""
    try:
        temporary.replace(path)
    except OSError:
        if path.is_symlink() or not path.is_dir():
            raise
        shutil.rmtree(path)
        temporary.replace(path)
