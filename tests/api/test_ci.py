"""The noxfile has the one list of CI sessions; scripts and workflows ask for it by tag."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TAGS = ("ci", "nightly", "weekly")
ON_REQUEST = {"constraints"}
"""Sessions that write files of the repository."""


def sessions() -> dict[str, set[str]]:
    """Return the tags of every session of the noxfile."""
    found: dict[str, set[str]] = {}
    for node in ast.parse((ROOT / "noxfile.py").read_text("utf-8")).body:
        for decorator in getattr(node, "decorator_list", []):
            call = decorator if isinstance(decorator, ast.Call) else None
            target = call.func if call else decorator
            if isinstance(node, ast.FunctionDef) and ast.unparse(target) == "nox.session":
                keywords = {each.arg: each.value for each in call.keywords} if call else {}
                tags = keywords.get("tags", ast.List([]))
                found[node.name] = set(ast.literal_eval(tags))
    return found


def test_every_session_runs_by_itself() -> None:
    found = sessions()
    assert {name for name, tags in found.items() if not tags & {*TAGS}} == ON_REQUEST
    assert set().union(*found.values()) == {*TAGS}


def test_files_of_tests_that_are_named_exist() -> None:
    """Sessions, pages and programs name them."""
    files = [*ROOT.glob("*.py"), *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    files += [*(ROOT / "docs").glob("*.py"), *(ROOT / "tests" / "data").rglob("*.md")]
    texts = [path.read_text("utf-8") for path in files if "_build" not in path.parts]
    named = {path for text in texts for path in re.findall(r"\btests/[\w/]+\.py", text)}
    assert len(named) > 20
    assert sorted(path for path in named if not (ROOT / path).exists()) == []


@pytest.mark.parametrize(
    ("path", "tag"),
    [
        (".ci/run", "ci"),
        (".ci/nightly", "nightly"),
        (".github/workflows/ci.yml", "ci"),
        (".github/workflows/nightly.yml", "nightly"),
        (".github/workflows/weekly.yml", "weekly"),
    ],
)
def test_scripts_and_workflows_ask_for_a_tag(path: str, tag: str) -> None:
    text = (ROOT / path).read_text("utf-8")
    assert re.findall(r"--tags (\w+)", text) == [tag]
    named = set(re.findall(r"--session[ =]\"?([a-z_]+)", text))
    # The host runs these tests on all systems.
    assert named <= {"tests"}


@pytest.mark.slow  # it starts a process
def test_tests_run_without_the_plugin_for_time_limits() -> None:
    command = [sys.executable, "-m", "pytest", "-p", "no:timeout", "--collect-only", "-q", __file__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
