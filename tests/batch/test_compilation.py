"""Compilation: what is told about it, where the code is kept, and several processes at it."""

from __future__ import annotations

import pickle
import sys
from concurrent.futures import ThreadPoolExecutor
from logging import INFO, WARNING
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from numba.core import caching

from pontedeldiavolo.batch.kernels import jit
from pontedeldiavolo.batch.kernels.sampling import randbelow
from support.batches import new_game
from support.commands import invoke, lines_of
from support.games import SMALL
from support.processes import run_python

compiled = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


def add_one(numbers: npt.NDArray[np.int64]) -> None:
    """Do something that is soon compiled."""
    numbers[0] += 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for compiled code; nothing has been told."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr(jit, "REPORTED", {})
    monkeypatch.setattr("numba.core.config.reload_config", lambda: None)
    return tmp_path / "kept"


def compile_and_run() -> None:
    numbers = np.zeros(1, np.int64)
    jit.njit_cached(add_one)(numbers)
    assert numbers.tolist() == [1]


@compiled
def test_code_is_kept_and_logs_say_where(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(INFO)
    for _ in range(3):
        compile_and_run()
    [record] = [each for each in caplog.records if each.name == "pontedeldiavolo.batch"]
    assert record.levelno == INFO
    assert record.getMessage().startswith("compiling for some seconds; the code is kept in ")
    assert str(folder) in record.getMessage()
    assert len([*folder.rglob("*.nbc")]) == 1


@compiled
def test_code_of_old_versions_is_recompiled(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compile_and_run()
    [old] = folder.rglob("*.nbc")
    [index] = folder.rglob("*.nbi")
    # Another file than that of the kernel has changed, and a class in the index is gone.
    with index.open("rb") as file:
        version = pickle.load(file)
    index.write_bytes(pickle.dumps(version) + b"cgone\nName\n.")
    monkeypatch.setattr(jit, "source_stamp", lambda: "changed")
    compile_and_run()
    assert {*folder.rglob("*.nbc")} > {old}


@compiled
def test_a_terminal_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    compile_and_run()
    [line] = capsys.readouterr().err.splitlines()
    assert line.startswith("pontedeldiavolo: compiling for some seconds;")
    assert str(folder) in line


@compiled
def test_code_that_cannot_be_kept_runs(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(caching.CompileResultCacheImpl, "_locator_classes", [])
    compile_and_run()
    assert "set NUMBA_CACHE_DIR" in caplog.text
    assert not folder.exists()


@compiled
def test_a_folder_may_become_unwritable(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(caching.IndexDataCacheFile, "save", full)
    compile_and_run()
    said = [each.getMessage() for each in caplog.records if each.levelno == WARNING]
    assert said == ["compiled code cannot be kept: no space left on device"]
    assert not [*folder.rglob("*.nbc")]


POOL = """
import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GamePool
pool = GamePool(pdd.Rules(pdd.Board({side}, {side})), 3)
print(pool.games.packed().tolist())
"""


@pytest.mark.slow
@compiled
def test_processes_that_compile_at_once_do_no_harm(tmp_path: Path) -> None:
    def run(side: int) -> str:
        done = run_python(POOL.format(side=side), NUMBA_CACHE_DIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        return done.stdout

    found: list[list[str]] = []
    # The second time, all run what was kept.
    for _ in range(2):
        with ThreadPoolExecutor(3) as threads:
            found.append([*threads.map(run, (9, 17, 9))])
    assert found[0] == found[1]
    assert found[0][0] == found[0][2] != found[0][1]


@compiled
def test_python_cannot_call_inner_functions() -> None:
    with pytest.raises(TypeError):
        randbelow(new_game(), 3)


def test_all_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "REPORTED", {})
    limit = "64x64" if jit.JIT_DISABLED else "16x16"
    (line,) = lines_of(invoke("warm-up", "--rules", SMALL))
    assert line == f"Compiled for boards of up to {limit}."


def test_code_that_cannot_be_kept_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jit, "REPORTED", {WARNING: "compiled code cannot be kept"})
    result = invoke("warm-up", "--rules", SMALL)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: compiled code cannot be kept\n"
