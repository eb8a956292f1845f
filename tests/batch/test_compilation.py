"""Compilation: its announcement, cached code, and processes that compile at the same time."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from logging import WARNING
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pontedeldiavolo.batch.kernels import (
    announcements,
    code_cache,
    dependencies,
    jit,
    numba_internals,
)
from pontedeldiavolo.batch.kernels.playouts import randbelow
from support.batches import new_game
from support.commands import invoke, lines_of
from support.damage import DAMAGES
from support.games import SMALL
from support.processes import run_python

compiled = pytest.mark.skipif(jit.JIT_DISABLED, reason="nothing is compiled")


def add_one(numbers: npt.NDArray[np.int64]) -> None:
    """Add one; this function compiles quickly."""
    numbers[0] += 1


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty folder for compiled code, before any warning."""
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(tmp_path / "kept"))
    monkeypatch.setattr("numba.core.config.reload_config", lambda: None)
    monkeypatch.setattr(announcements, "WARNED", set())
    monkeypatch.setattr(announcements, "PROBLEMS", [])
    monkeypatch.setattr(dependencies, "FIRST_VALUES", {})
    monkeypatch.delenv(announcements.QUIET, raising=False)
    return tmp_path / "kept"


def compile_and_run() -> bool:
    """Call a kernel, and return whether it had to be compiled."""
    numbers = np.zeros(1, np.int64)
    kernel: Any = jit.njit_cached(add_one)
    kernel(numbers)
    assert numbers.tolist() == [1]
    return not kernel.stats.cache_hits


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the warnings, none of which may be of another level."""
    found = [each for each in caplog.records if each.name == "pontedeldiavolo.batch"]
    assert {each.levelno for each in found} <= {WARNING}
    return [each.getMessage() for each in found]


@compiled
def test_a_compilation_is_announced_once(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert compile_and_run()
    shutil.rmtree(folder)
    assert compile_and_run()
    assert not compile_and_run()
    [line] = warnings(caplog)
    assert line.startswith("pontedeldiavolo: compiling rules and searches for this computer")
    assert f"{announcements.compile_seconds()} seconds" in line
    assert "warm-up" in line
    [kept] = folder.glob("*/*.nbc")
    assert str(kept.parent) in line


@compiled
def test_what_is_kept_is_not_announced(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv(announcements.QUIET, "1")
    assert compile_and_run()
    monkeypatch.delenv(announcements.QUIET)
    assert not compile_and_run()
    assert warnings(caplog) == []
    assert folder.is_dir()


ANNOUNCED = """
import logging, threading
import numpy as np
from pontedeldiavolo.batch.kernels import jit
{before}
def add_one(numbers):
    numbers[0] += 1
kernel = jit.njit_cached(add_one)
thread = threading.Thread(target=kernel, args=(np.zeros(1, np.int64),))
thread.start()
thread.join()
"""


@pytest.mark.slow
@compiled
def test_standard_error_gets_the_announcement_where_it_is_a_file(tmp_path: Path) -> None:
    """A program under ``nohup`` has no terminal."""
    silences = ("", "logging.getLogger('pontedeldiavolo').setLevel('ERROR')")
    for number, before in enumerate(silences):
        folder = {"NUMBA_CACHE_DIR": str(tmp_path / f"{number}"), announcements.QUIET: ""}
        done = run_python(ANNOUNCED.format(before=before), **folder)
        assert (done.returncode, done.stdout) == (0, "")
        lines = done.stderr.splitlines()
        assert len(lines) == (0 if before else 1)
        assert all(line.startswith("pontedeldiavolo: compiling") for line in lines)


WORKERS = """
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

def work(number):
    import numpy as np
    from pontedeldiavolo.batch.kernels import jit
    def add_one(numbers):
        numbers[0] += 1
    jit.njit_cached(add_one)(np.zeros(1, np.int64))
    # The other workers get the other tasks.
    time.sleep(0.5)

if __name__ == "__main__":
    with ProcessPoolExecutor(3, get_context("spawn")) as pool:
        list(pool.map(work, range(3)))
"""


@pytest.mark.slow
@compiled
def test_worker_processes_announce_a_compilation_once(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(WORKERS)
    for _ in range(2):
        environment = {"NUMBA_CACHE_DIR": str(tmp_path / "kept"), announcements.QUIET: ""}
        done = subprocess.run(
            [sys.executable, str(program)],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stderr.count("pontedeldiavolo: compiling") == 1
        # In the second run, the first one's mark is there, but its code is not.
        for each in (tmp_path / "kept").rglob("*.nbc"):
            each.unlink()


@compiled
def test_code_of_other_sources_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compile_and_run()
    # The change is in a function that the kernel calls, so Numba would not notice it.
    for module, name in ((code_cache, "code_stamp"), (jit, "code_stamp"), (jit, "current_stamp")):
        monkeypatch.setattr(module, name, lambda: "fedcba9876543210" * 4)
    assert compile_and_run()
    assert len([*folder.glob("*/*.nbc")]) == 2


@compiled
def test_nothing_is_kept_if_the_sources_changed_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(jit, "current_stamp", lambda: "changed")
    assert compile_and_run()
    assert "changed since this process imported it" in warnings(caplog)[1]
    assert not [*folder.glob("*/*.nbc")]


STEP = 1


def constant() -> int:
    """Return the constant."""
    return STEP


step = jit.njit_inline(constant)


def add_step(numbers: npt.NDArray[np.int64]) -> None:
    """Add the constant."""
    numbers[0] += step()


def compile_and_add() -> tuple[int, bool]:
    """Call a kernel; return the constant that it adds, and whether it was compiled."""
    numbers = np.zeros(1, np.int64)
    kernel: Any = jit.njit_cached(add_step)
    kernel(numbers)
    return int(numbers[0]), not kernel.stats.cache_hits


def start_anew(monkeypatch: pytest.MonkeyPatch, value: int) -> None:
    """Set the constant, as in a new process."""
    monkeypatch.setattr(sys.modules[__name__], "STEP", value)
    monkeypatch.setattr(sys.modules[__name__], "step", jit.njit_inline(constant))
    monkeypatch.setattr(dependencies, "FIRST_VALUES", {})


@compiled
def test_code_with_another_constant_is_not_used(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compile_and_add() == (1, True)
    start_anew(monkeypatch, 5)
    assert compile_and_add() == (5, True)
    start_anew(monkeypatch, 1)
    assert compile_and_add() == (1, False)
    start_anew(monkeypatch, 5)
    assert compile_and_add() == (5, False)
    assert len([*folder.glob("*/*.nbc")]) == 2


@compiled
def test_code_is_not_kept_if_a_constant_has_changed_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    start_anew(monkeypatch, 1)
    assert compile_and_add() == (1, True)
    monkeypatch.setattr(sys.modules[__name__], "STEP", 5)
    # The function that returns the constant was compiled with its first value.
    assert compile_and_add() == (1, True)
    assert "has replaced a constant" in warnings(caplog)[1]
    assert len([*folder.glob("*/*.nbc")]) == 1


@compiled
@pytest.mark.parametrize(
    ("name", "reason"), [("code_stamp", "modules cannot be read"), ("cache_root", "no home folder")]
)
def test_code_that_cannot_be_kept_runs(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    name: str,
    reason: str,
) -> None:
    monkeypatch.setattr(code_cache, name, lambda: None)
    monkeypatch.setattr(jit, name, lambda: None)
    for _ in range(2):
        assert compile_and_run()
    announced, problem = warnings(caplog)
    assert "kept" not in announced
    assert problem.startswith("pontedeldiavolo: compiled code cannot be kept")
    assert reason in problem
    assert "NUMBA_CACHE_DIR" in problem
    assert not folder.exists()


@compiled
def test_a_folder_that_cannot_be_written_to_is_reported_once(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder.write_text("this is not a folder")
    for _ in range(3):
        assert compile_and_run()
    [_, problem] = warnings(caplog)
    assert str(folder) in problem
    assert "Not a directory" in problem


@compiled
@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind == "halved" else pytest.mark.slow)
        for kind in sorted(DAMAGES.keys() - {"forbidden", "another kernel"})
    ],
)
def test_damaged_code_is_compiled_again(folder: Path, kind: str) -> None:
    assert compile_and_run()
    [path] = folder.glob("*/*.nbc")
    DAMAGES[kind](path)
    assert compile_and_run()
    assert not compile_and_run()
    assert path.is_file()


@compiled
def test_code_that_cannot_be_loaded_is_compiled_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert compile_and_run()

    def fail(*_: object) -> None:
        raise RuntimeError("a symbol is missing")

    with monkeypatch.context() as patched:
        patched.setattr(numba_internals, "unpacked", fail)
        assert compile_and_run()
    assert not compile_and_run()
    assert folder.is_dir()


POOL = """
import pontedeldiavolo as pdd
from pontedeldiavolo.batch import GamePool
pool = GamePool(pdd.Rules(pdd.Board({side}, {side})), 3)
print(pool.games.packed().tolist())
"""


@pytest.mark.nightly
@compiled
def test_processes_that_compile_at_once_do_no_harm(tmp_path: Path) -> None:
    def run(side: int) -> str:
        done = run_python(POOL.format(side=side), NUMBA_CACHE_DIR=str(tmp_path))
        assert done.returncode == 0, done.stderr
        return done.stdout

    found: list[list[str]] = []
    # The second time, all processes run the cached code.
    for _ in range(2):
        with ThreadPoolExecutor(3) as threads:
            found.append([*threads.map(run, (9, 17, 9))])
    assert found[0] == found[1]
    assert found[0][0] == found[0][2] != found[0][1]


@compiled
def test_python_cannot_call_inner_functions() -> None:
    with pytest.raises(TypeError):
        randbelow(new_game(), 3)


@pytest.fixture
def _compiles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let ``warm-up`` do everything except compiling, which takes too long for one test."""
    monkeypatch.setattr("pontedeldiavolo.cli.match._call_all", lambda _: None)
    monkeypatch.setattr(announcements, "PROBLEMS", [])


@pytest.mark.usefixtures("_compiles_nothing")
def test_warm_up_says_where_the_code_is() -> None:
    result = invoke("warm-up", "--rules", SMALL)
    if jit.JIT_DISABLED:
        assert (result.exit_code, result.stdout) == (2, "")
        assert "NUMBA_DISABLE_JIT" in result.stderr
    else:
        folder = code_cache.code_folder()
        assert lines_of(result) == [f"Compiled for boards of up to 16x16; the code is in {folder}."]


@compiled
@pytest.mark.usefixtures("_compiles_nothing")
def test_code_that_cannot_be_kept_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announcements, "PROBLEMS", ["compiled code cannot be kept (full)"])
    result = invoke("warm-up", "--rules", SMALL)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == "Error: compiled code cannot be kept (full)\n"


UNUSED = """
import sys
from click.testing import CliRunner
from pontedeldiavolo.batch.kernels import jit
from pontedeldiavolo.cli.main import main
result = CliRunner().invoke(main, ["warm-up", "--rules", "5x5"])
assert result.exit_code == 0, result.output
for name, module in sorted(sys.modules.items()):
    if name.startswith("pontedeldiavolo"):
        for each in vars(module).values():
            if isinstance(getattr(each, "_cache", None), jit.KernelCache) and not each.overloads:
                print(name, each.__name__)
"""


@pytest.mark.slow
@compiled
def test_warm_up_compiles_every_kernel() -> None:
    done = run_python(UNUSED)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_an_inaccessible_folder_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **_options: object) -> None:
        raise PermissionError

    monkeypatch.setattr(Path, "mkdir", refuse)
    monkeypatch.setattr(Path, "exists", refuse)
    assert announcements._is_first_of_run(tmp_path / "kept")
