"""The commands that run a fuzzer, tested without running one."""

from __future__ import annotations

import importlib.util
import subprocess
from pathlib import Path
from typing import Any

import pytest

from fuzz import __main__ as program
from fuzz.__main__ import Tally, command, findings_of, shared_out
from fuzz.targets import TARGETS

LOG = """\
INFO: seed corpus: files: 5 min: 2b max: 5b total: 15b rss: 56Mb
#6	INITED cov: 60 ft: 70 corp: 5/15b exec/s: 0 rss: 56Mb
#1335	NEW    cov: 2436 ft: 10225 corp: 279/108Kb lim: 781 exec/s: 95 rss: 61Mb L: 396/781
"""


class Runs:
    """Stands for the processes that are run: keeps their commands, and gives an exit status."""

    def __init__(self, status: int | None) -> None:
        self.commands: list[list[str]] = []
        self.status = status

    def __call__(self, words: list[str], **options: Any) -> subprocess.CompletedProcess[bytes]:
        self.commands.append(words)
        Path(words[-2]).parent.joinpath("log.txt").write_text(LOG, "utf-8")
        if self.status is None:
            raise subprocess.TimeoutExpired(words, options["timeout"])
        return subprocess.CompletedProcess(words, self.status)


def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, status: int | None) -> Runs:
    """Let the program run nothing, in a folder of its own, as if atheris was there."""
    found = Runs(status)
    monkeypatch.setattr(program, "WORK", tmp_path)
    monkeypatch.setattr(subprocess, "run", found)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: found)
    return found


def test_the_tally_of_a_log() -> None:
    assert Tally.of("") == Tally(0, 0, 0, 0)
    assert Tally.of(LOG) == Tally(1335, 2436, 10225, 279)
    stopped = LOG + "stat::number_of_executed_units: 1521\nstat::slowest_unit_time_sec: 0\n"
    assert Tally.of(stopped) == Tally(1521, 2436, 10225, 279)


def test_time_is_shared_out() -> None:
    every = list(TARGETS.values())
    for seconds in (60, 3600):
        times = shared_out(seconds, every)
        assert seconds - len(every) < sum(times) <= seconds
    assert min(shared_out(0, every)) == 1
    cell, sgf = TARGETS["cell"], TARGETS["sgf"]
    assert shared_out(70, [cell, sgf]) == [10, 60]


def test_the_command_of_a_target(tmp_path: Path) -> None:
    words = command(TARGETS["sgf"], 7, tmp_path)
    assert words[1:5] == ["-m", "fuzz.worker", "sgf", "-max_total_time=7"]
    for word in words:
        if word.startswith("-dict="):
            assert Path(word.removeprefix("-dict=")).is_file()
    new, kept = words[-2:]
    # Where the first folder is, there new inputs are put: never among those that are kept.
    assert Path(new).is_relative_to(tmp_path)
    assert Path(kept).is_dir()


def test_all_targets_are_run_if_none_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    found = runs(monkeypatch, tmp_path, 0)
    assert program.main([]) == 0
    assert [words[3] for words in found.commands] == [*TARGETS]
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(TARGETS)
    assert lines[0].startswith("cell: 1,335 runs in ")
    assert lines[0].endswith(" s, 2,436 edges, 10,225 features, 279 inputs kept")


@pytest.mark.parametrize(("status", "told"), [(77, "77"), (None, "no end")])
def test_a_finding_makes_it_fail(
    status: int | None,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = runs(monkeypatch, tmp_path, status)
    folder = findings_of(TARGETS["sgf"], tmp_path)
    folder.mkdir(parents=True)
    folder.joinpath("crash-1").touch()
    assert program.main(["--seconds", "70", "sgf", "cell"]) == 1
    assert [words[3:5] for words in found.commands] == [
        ["sgf", "-max_total_time=60"],
        ["cell", "-max_total_time=10"],
    ]
    said = capsys.readouterr().out
    assert f"sgf: FAILED with status {told}; the end of " in said
    assert f"--input {folder / 'crash-1'} sgf" in said


def test_an_input_is_tried_without_a_fuzzer(tmp_path: Path) -> None:
    path = tmp_path / "crash-1"
    path.write_bytes(b"(;FF[4]")
    assert program.main(["--input", str(path), "sgf", "pdd"]) == 0


def test_without_a_fuzzer_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    assert program.main(["cell"]) == 2
    assert capsys.readouterr().out.startswith("fuzzing needs atheris")


def test_an_unknown_target_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        program.main(["chess"])
    assert caught.value.code == 2
    assert "no target 'chess'" in capsys.readouterr().err
