"""Files of compiled code: a damaged file counts as missing and is written again."""

from __future__ import annotations

import os
import shutil
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from pontedeldiavolo.batch.kernels import code_cache
from pontedeldiavolo.batch.kernels.code_cache import CodeFolder
from support.damage import DAMAGES
from support.paths import SOURCE
from support.processes import run_python

CONTENT = bytes(range(256)) * 5
NAME = "kernel.nbc"
OTHER = "other.nbc"


@pytest.fixture
def folder(tmp_path: Path) -> CodeFolder:
    """Return a folder with the code of two kernels."""
    found = CodeFolder(tmp_path / "kept")
    found.save(NAME, CONTENT)
    found.save(OTHER, CONTENT)
    return found


@pytest.mark.parametrize("kind", DAMAGES)
def test_damaged_files_are_missing_and_are_written_again(folder: CodeFolder, kind: str) -> None:
    assert folder.load(NAME) == CONTENT
    DAMAGES[kind](folder.path / NAME)
    # The superuser can read every file.
    is_readable = kind == "forbidden" and os.access(folder.path / NAME, os.R_OK)
    assert folder.load(NAME) == (CONTENT if is_readable else None)
    assert folder.load(OTHER) == CONTENT
    folder.save(NAME, CONTENT)
    assert folder.load(NAME) == CONTENT
    assert sorted(each.name for each in folder.path.iterdir()) == [NAME, OTHER]


def test_a_failed_write_leaves_nothing(folder: CodeFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(code_cache, "_replace", refuse)
    with pytest.raises(OSError, match="no space"):
        folder.save(NAME, b"new")
    assert folder.load(NAME) == CONTENT
    assert sorted(each.name for each in folder.path.iterdir()) == [NAME, OTHER]


def test_a_file_in_place_of_the_folder_is_an_os_error(tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("no folder")
    folder = CodeFolder(tmp_path / "kept")
    assert folder.load(NAME) is None
    with pytest.raises(OSError, match="kept"):
        folder.save(NAME, CONTENT)


def test_many_threads_may_write_the_same_file(folder: CodeFolder) -> None:
    def write_and_read(_: int) -> bytes | None:
        folder.save(NAME, CONTENT)
        return folder.load(NAME)

    with ThreadPoolExecutor(8) as threads:
        assert {*threads.map(write_and_read, range(60))} == {CONTENT}


def test_only_the_folders_used_last_are_kept(tmp_path: Path) -> None:
    stamps = [f"{number:016x}" for number in range(code_cache.MAX_FOLDERS + 3)]
    for number, stamp in enumerate(stamps):
        folder = CodeFolder(tmp_path / f"pontedeldiavolo-{stamp}")
        folder.save(NAME, CONTENT)
        os.utime(folder.path, (1000 + number, 1000 + number))
    (tmp_path / "pontedeldiavolo-notes").mkdir()
    (tmp_path / "numba_0123456789abcdef").mkdir()
    # Using the oldest remaining file makes it the newest.
    oldest = min(tmp_path.glob("pontedeldiavolo-0*"), key=lambda path: path.stat().st_mtime)
    assert CodeFolder(oldest).load(NAME) == CONTENT
    CodeFolder(tmp_path / "pontedeldiavolo-0123456789abcdef").save(NAME, CONTENT)
    left = {each.name for each in tmp_path.iterdir()}
    assert {"pontedeldiavolo-notes", "numba_0123456789abcdef", oldest.name} <= left
    assert len(left) == 2 + code_cache.MAX_FOLDERS


def test_the_stamp_covers_all_sources_of_kernels() -> None:
    found = code_cache.source_files()
    expected = {
        path.relative_to(SOURCE / "pontedeldiavolo").as_posix()
        for folder in code_cache.SOURCE_FOLDERS
        for path in (SOURCE / "pontedeldiavolo" / folder).rglob("*.py")
    }
    assert found.keys() == expected
    assert len(expected) > 40
    assert all(found[each] == (SOURCE / "pontedeldiavolo" / each).read_bytes() for each in found)


SHOW_STAMP = """
from pontedeldiavolo.batch.kernels import code_cache, jit
print(code_cache.code_stamp())
"""


@pytest.mark.nightly
@pytest.mark.parametrize("kind", ["folder", "zip"])
def test_the_stamp_changes_with_every_source(tmp_path: Path, kind: str) -> None:
    """Change each source in turn, in a folder and in a zip archive."""

    def stamp() -> str:
        place = tmp_path / "tree"
        if kind == "zip":
            place = tmp_path / "app.zip"
            with zipfile.ZipFile(place, "w") as archive:
                for path in sorted((tmp_path / "tree").rglob("*.*")):
                    archive.write(path, path.relative_to(tmp_path / "tree"))
        done = run_python(SHOW_STAMP, PYTHONPATH=str(place), PYTHONDONTWRITEBYTECODE="1")
        assert done.returncode == 0, done.stderr
        return done.stdout

    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(
        SOURCE / "pontedeldiavolo", tmp_path / "tree" / "pontedeldiavolo", ignore=ignored
    )
    found = {stamp()}
    names = (
        "batch/kernels/playouts",
        "base/enums",
        "players/mcts/rollout_kernels",
        "board/geometry",
    )
    for number, name in enumerate(names, 2):
        path = tmp_path / "tree" / "pontedeldiavolo" / f"{name}.py"
        path.write_text(path.read_text("utf-8") + "# changed\n", "utf-8")
        found.add(stamp())
        assert len(found) == number
    assert "None\n" not in found


def test_modules_that_cannot_be_read_have_no_stamp(monkeypatch: pytest.MonkeyPatch) -> None:
    """Code is not cached if the source of one imported module is missing."""
    sources = code_cache.source_files()
    assert code_cache.current_stamp() is not None
    monkeypatch.setattr(code_cache, "source_files", dict)
    assert code_cache.current_stamp() is None
    del sources["base/enums.py"]
    monkeypatch.setattr(code_cache, "source_files", lambda: sources)
    assert code_cache.current_stamp() is None


def test_the_stamp_changes_with_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {code_cache.current_stamp()}
    for name in ("numba", "llvmlite", "np"):
        monkeypatch.setattr(f"pontedeldiavolo.batch.kernels.code_cache.{name}.__version__", "0")
        found.add(code_cache.current_stamp())
    assert len(found) == 4


def test_the_cache_is_among_those_of_the_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "")
    monkeypatch.setattr("numba.misc.appdirs.system", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert code_cache.cache_root() == tmp_path / "pontedeldiavolo"
    # A service may have no home folder; a relative path must be ignored.
    monkeypatch.setenv("XDG_CACHE_HOME", "~/.cache")
    assert code_cache.cache_root() is None
    monkeypatch.setattr("numba.core.config.CACHE_DIR", "kept")
    assert code_cache.cache_root() == Path.cwd() / "kept"
