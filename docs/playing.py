"""Build a page on which readers play in their browser, without a server.

The page is that of ``pontedeldiavolo serve``. Pyodide, Python for browsers, runs the rules there.
It is fetched from npm and checked by its hash. Without npm, only this page is missing.
"""

from __future__ import annotations

import functools
import hashlib
import io
import shutil
import subprocess
import tarfile
import zipfile
from base64 import b64encode
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from typing import Final
from urllib.parse import urlencode

import pontedeldiavolo as pdd
from pontedeldiavolo.web.pages import page_files

VERSION: Final = "314.0.7"
SHA512: Final = (
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A=="
)
FILES: Final = (
    *("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm"),
    *("python_stdlib.zip", "pyodide-lock.json"),
)
NOTICE: Final = f"""Pyodide {VERSION}, unchanged: Python for browsers.
Mozilla Public License 2.0, https://www.mozilla.org/MPL/2.0/
Source: https://github.com/pyodide/pyodide/tree/{VERSION}

It contains Python, in pyodide.asm.wasm and in python_stdlib.zip:
Copyright (c) 2001 Python Software Foundation; All Rights Reserved.
Python Software Foundation License, https://docs.python.org/3/license.html

The file python.zip beside this folder contains pontedeldiavolo, under the MIT License, and attrs:

"""
PACKAGES: Final = ("attr", "attrs", "pontedeldiavolo")
"""The packages that the worker imports; all are pure Python."""
LEFT_OUT: Final = {"__pycache__", "static"}
"""Folders whose files the worker does not need."""
SILENT: Final = '<p id="message" aria-live="assertive"></p>'
LOADING: Final = """<p id="message" aria-live="assertive">
  Loading Python and the rules: @size@, once.
  <span lang="de">Python und die Regeln werden geladen: @size@, nur beim ersten Mal.</span>
</p>"""
"""The message of the page before its script knows the language of the reader."""
GUARD: Final = """<style>#waiting-board .paper { fill: none }</style>
<script src="guard.js" defer></script>
"""
"""The script that says why the page cannot start, for browsers without modules, and the style of
the board that is shown before the page starts."""
MODULE: Final = '<script type="module"'
"""The beginning of the tag for main.js; scripts run in the order of their tags."""
BOARD_SIZE: Final = 420
"""The size in pixels of the board that is shown while Python is loaded."""
PLACE: Final = "_static/play"
HERE: Final = Path(__file__).with_suffix("")
"""The folder of the scripts that only this page uses."""
SECONDS: Final = 120


class MissingError(Exception):
    """Pyodide is not available; the message says why."""


def fetched(folder: Path) -> Path:
    """Return the archive of Pyodide from a folder; fetch it from npm if it is not there.

    Raises:
        MissingError: If npm does not deliver it, or its hash is wrong.
    """
    found = folder / f"pyodide-{VERSION}.tgz"
    if not found.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise MissingError("npm is not installed")
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "pack", f"pyodide@{VERSION}", "--pack-destination", str(folder)]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=SECONDS)
        except subprocess.SubprocessError as error:
            raise MissingError(f"npm does not give it: {error}") from error
    digest = b64encode(hashlib.sha512(found.read_bytes()).digest()).decode()
    if digest != SHA512:
        found.unlink()
        raise MissingError(f"what npm gives is something else, by its hash {digest}")
    return found


def build(folder: Path, archive: Path) -> None:
    """Build the page in a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in page_files().items():
        (folder / name).write_bytes(content)
    start = folder / "index.html"
    text = start.read_text("utf-8").replace(SILENT, f"{LOADING}{waiting_board()}")
    start.write_text(text.replace(MODULE, f"{GUARD}{MODULE}"), "utf-8")
    for name in ("guard.js", "main.js", "worker.js", "console.py"):
        shutil.copyfile(HERE / name, folder / name)
    for name in ("index.html", "main.js"):
        text = (folder / name).read_text("utf-8")
        text = text.replace("@size@", size_of(archive))
        text = text.replace('"@bytes@"', str(bytes_fetched(archive)))
        (folder / name).write_text(text, "utf-8")
    runtime = folder / "pyodide"
    runtime.mkdir()
    for name, content in runtime_files(archive).items():
        (runtime / name).write_bytes(content)
    (runtime / "NOTICE.txt").write_text(notice(), "utf-8")
    (folder / "python.zip").write_bytes(packed())


def notice() -> str:
    """Return the notice about Pyodide, Python and attrs, with the licence of attrs."""
    licence = distribution("attrs").read_text("licenses/LICENSE")
    if licence is None:
        raise FileNotFoundError("The installed package attrs has no file licenses/LICENSE.")
    return NOTICE + licence


def waiting_board() -> str:
    """Return an empty board, which the page shows until a game begins."""
    drawn = pdd.svg.render(pdd.Setup(pdd.Board(10, 10)), size=BOARD_SIZE)
    return f'\n  <div id="waiting-board" aria-hidden="true">{drawn}</div>'


def runtime_files(archive: Path) -> dict[str, bytes]:
    """Return the files of Pyodide that the page loads."""
    found = {}
    with tarfile.open(archive) as packed:
        for name in FILES:
            member = packed.extractfile(f"package/{name}")
            if member is not None:
                found[name] = member.read()
    return found


@functools.cache
def size_of(archive: Path) -> str:
    """Return the size of all files that the page loads before a game, such as ``14 MB``.

    This is their size on the disk; a server that compresses files sends about half of it.
    """
    size = sum(map(len, runtime_files(archive).values())) + len(packed())
    return f"{size / 1e6:.0f} MB"


@functools.cache
def bytes_fetched(archive: Path) -> int:
    """Return the bytes that the worker fetches, for its progress; scripts are imported instead."""
    files = runtime_files(archive).items()
    return sum(len(file) for name, file in files if not name.endswith(".mjs")) + len(packed())


@functools.cache
def packed() -> bytes:
    """Return a ZIP file with the packages that the worker imports."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in PACKAGES:
            spec = find_spec(name)
            for place in (spec and spec.submodule_search_locations) or ():
                root = Path(place)
                for path in sorted(root.rglob("*")):
                    inner = path.relative_to(root.parent)
                    if path.is_file() and not LEFT_OUT.intersection(inner.parts):
                        archive.write(path, inner)
    return target.getvalue()


def address(state: pdd.GameState, opponent: str = "") -> str:
    """Return the address of the page with a state, relative to the root of the documentation.

    Args:
        state: The state of the new game.
        opponent: A level of the computer, which moves the colour that is not to move; an empty text
            if a person moves both.
    """
    asked = {"start": pdd.format_state(state)}
    if opponent and state.seat_to_move is not None:
        asked |= {"opponent": opponent, "seat": state.seat_to_move.value}
    return f"{PLACE}/index.html#new?{urlencode(asked)}"
