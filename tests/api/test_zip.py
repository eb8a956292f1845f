"""The package works in a zip archive and as bytecode, because it finds no file by its path."""

from __future__ import annotations

import compileall
import os
import re
import shutil
import subprocess
import sys
import zipapp
from http.client import HTTPConnection
from importlib.util import find_spec
from pathlib import Path

import pytest

from support.paths import SOURCE
from support.processes import serving

PACKAGE = SOURCE / "pontedeldiavolo"
ZIPPED = (
    *("attr", "attrs", "click", "rich", "markdown_it", "mdurl", "pygments"),
    *("starlette", "uvicorn", "anyio", "h11", "idna", "platformdirs", "typing_extensions"),
)
"""The dependencies of the command line and the server, direct and indirect."""
BESIDE = ("numpy", "numba", "llvmlite")
"""Packages with compiled libraries, which Python cannot load from an archive."""

PLAY = """
import pontedeldiavolo as pdd
rules = pdd.Rules(pdd.Board(4, 4))
print(*pdd.batch.GameBatch.initial(rules, 8).playout(seed=1).turns)
print(pdd.__spec__.origin)
"""
READ = """
import pontedeldiavolo as pdd
rules = pdd.Rules(pdd.Board(4, 3))
print(pdd.players.Tablebase.bundled(rules).probe(pdd.GameState.initial(rules)).value)
print(pdd.players.Tablebase.bundled(pdd.Rules(pdd.Board(9, 9))))
print(len(pdd.players.Book.bundled(pdd.Rules())) > 1000)
print(len(str(pdd.svg.render(pdd.GameState.initial()))) > 1000)
print(pdd.players.GreedyPlayer().choose(pdd.GameState.initial()) is not None)
print(pdd.messages.explain(pdd.Reason("row-width", {"width": 3}), "de"))
"""


def test_nothing_is_found_by_the_path_of_a_module() -> None:
    # Code of the import system has no path, but a name such as "<frozen importlib…>".
    found = re.compile(
        r"\b(__file__|__cached__|getfile|getsourcefile|co_filename(?!\.startswith\(\"<frozen))\b"
    )
    assert not [path for path in PACKAGE.rglob("*.py") if found.search(path.read_text("utf-8"))]


class Archive:
    """An archive with the package and its dependencies, and packages beside it.

    Args:
        folder: An empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.tree = folder / "tree"
        self.path = folder / "app.pyz"
        self.beside = folder / "beside"
        self.beside.mkdir()
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(PACKAGE, self.tree / "pontedeldiavolo", ignore=without)
        for name in (*ZIPPED, *BESIDE):
            spec = find_spec(name)
            if spec is None or spec.origin is None:
                pytest.skip(f"it needs {name}")
            origin = Path(spec.origin)
            source = origin.parent if origin.name == "__init__.py" else origin
            if name in BESIDE:
                for each in source.parent.glob(f"{name}*"):
                    (self.beside / each.name).symlink_to(each)
            elif source.is_dir():
                shutil.copytree(source, self.tree / name, ignore=without)
            else:
                shutil.copy(source, self.tree)
        self.build()

    def build(self) -> None:
        zipapp.create_archive(self.tree, self.path, main="pontedeldiavolo.cli:run")

    def change_kernel(self) -> None:
        """Simulate an upgrade: change a constant in a module without kernels."""
        path = self.tree / "pontedeldiavolo" / "batch" / "kernels" / "playouts.py"
        text = path.read_text("utf-8")
        assert "U31" in text
        path.write_text(text.replace("U31", "U30"), "utf-8")

    def environment(self, place: Path, cache: str = "cache") -> dict[str, str]:
        """Return an environment in which Python imports the package only from a place."""
        return {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(place), str(self.beside))),
            "NUMBA_CACHE_DIR": str(self.folder / cache),
            "PYTHONDONTWRITEBYTECODE": "1",
        }

    def run(self, *arguments: str, place: Path | None = None, cache: str = "cache") -> str:
        """Run Python without site-packages, and return its output."""
        done = subprocess.run(
            [sys.executable, "-S", *arguments],
            env=self.environment(place or self.path, cache),
            cwd=self.folder,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "cannot be kept" not in done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Archive:
    """Return an archive that tests do not change."""
    return Archive(tmp_path_factory.mktemp("zip"))


@pytest.mark.nightly
def test_an_upgrade_of_an_archive_runs_the_new_code(tmp_path: Path) -> None:
    archive = Archive(tmp_path)
    before, origin = archive.run("-c", PLAY).splitlines()
    assert "app.pyz" in origin
    compiled = {*(tmp_path / "cache").rglob("*.nbc")}
    assert len(compiled) == 1
    # The second run uses the cached code.
    assert archive.run("-c", PLAY).splitlines() == [before, origin]
    assert {*(tmp_path / "cache").rglob("*.nbc")} == compiled
    shutil.copy(archive.path, tmp_path / "old.pyz")
    archive.change_kernel()
    archive.build()
    after, _ = archive.run("-c", PLAY).splitlines()
    right, origin = archive.run("-c", PLAY, place=archive.tree, cache="other").splitlines()
    assert "app.pyz" not in origin
    assert after == right != before
    # Both versions can run in turn, and neither compiles again.
    compiled = {*(tmp_path / "cache").rglob("*.nbc")}
    old, _ = archive.run("-c", PLAY, place=tmp_path / "old.pyz").splitlines()
    assert old == before
    assert {*(tmp_path / "cache").rglob("*.nbc")} == compiled


@pytest.mark.slow
def test_an_archive_has_its_tables_pictures_and_languages(archive: Archive) -> None:
    expected = [
        *("0", "None", "True", "True", "True"),
        "Eine Reihe mit 3 Feldern.",
    ]
    assert archive.run("-c", READ).splitlines() == expected


@pytest.mark.slow
def test_the_commands_of_an_archive_speak_german(archive: Archive) -> None:
    program = str(archive.path)
    assert "version" in archive.run(program, "--version")
    for start in ((program,), ("-m", "pontedeldiavolo")):
        assert "Zwei Spieler, Weiß und Rot" in archive.run(*start, "rules", "--lang", "de")
    played = archive.run(
        *(program, "match", "greedy", "random", "--rules", "4x4", "--games", "4"),
        *("--processes", "2"),
    )
    assert "greedy" in played


@pytest.mark.slow
def test_an_archive_serves_the_page(archive: Archive, tmp_path: Path) -> None:
    command = [sys.executable, "-S", str(archive.path), "serve", "--port", "0", "--no-open"]
    games = tmp_path / "games"
    environment = archive.environment(archive.path)
    with serving([*command, "--folder", str(games)], games, environment) as (address, _):
        for path, words in (("/", b"<html"), ("/words?lang=de", b"Wei")):
            connection = HTTPConnection(address.removeprefix("http://"))
            connection.request("GET", path)
            assert words in connection.getresponse().read()
            connection.close()


@pytest.mark.nightly
def test_bytecode_without_sources_keeps_its_code(tmp_path: Path) -> None:
    archive = Archive(tmp_path)

    def play() -> str:
        """Play with only bytecode, which is compiled from the present sources."""
        place = tmp_path / "bytecode"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(archive.tree, place)
        assert compileall.compile_dir(place / "pontedeldiavolo", quiet=1, legacy=True)
        for path in (place / "pontedeldiavolo").rglob("*.py"):
            path.unlink()
        turns, origin = archive.run("-c", PLAY, place=place).splitlines()
        assert origin.endswith(".pyc")
        return turns

    before = play()
    compiled = {*(tmp_path / "cache").rglob("*.nbc")}
    assert len(compiled) == 1
    archive.change_kernel()
    assert play() != before
    assert len({*(tmp_path / "cache").rglob("*.nbc")}) == 2
