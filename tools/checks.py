"""Run the tests that the page about correctness names: ``python -m tools.checks``.

The page ``docs/explanation/correctness.md`` has a command for each check. This program runs the
commands for pytest. For each section it writes the number of tests and their processor time to
``docs/explanation/checks.json``, from which the page takes its figures. Processor time hardly
depends on other programs. Run the program twice, because the first run compiles.
"""

from __future__ import annotations

import argparse
import json
import platform
import re
import resource
import shlex
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "explanation" / "correctness.md"
RESULTS = PAGE.with_name("checks.json")
SECTION = re.compile(r"^## (.+?)$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
COMMAND = re.compile(r"^python (-m pytest .+)$", re.MULTILINE)
PASSED = re.compile(r"(\d+) passed")


def commands(page: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the title of each section with a command for pytest, and the words of the command."""
    for title, text in SECTION.findall(page):
        found = COMMAND.search(text)
        if found:
            yield title, shlex.split(found[1])


def measured(words: list[str]) -> dict[str, float]:
    """Run a command; return the number of tests that passed, and their processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *words, "--quiet", "-p", "no:cacheprovider"]
    output = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    passed = PASSED.search(output)
    if passed is None:
        raise ValueError(f"no test passed: {words}")
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {"tests": int(passed[1]), "seconds": round(seconds, 1)}


def processor() -> str:
    """Return the name of the processor, if the system knows it."""
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    names = [line.partition(": ")[2] for line in lines if line.startswith("model name")]
    return names[0].replace("(R)", "").replace(" Processor", "") if names else platform.processor()


def main() -> None:
    """Run the commands of all sections or of the named ones; write their figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("titles", nargs="*", help="the sections of the page; by default all")
    wanted = parser.parse_args().titles
    before = json.loads(RESULTS.read_text("utf-8"))["checks"] if RESULTS.exists() else {}
    checks: dict[str, dict[str, float]] = {}
    for title, words in commands(PAGE.read_text("utf-8")):
        is_kept = bool(wanted) and title not in wanted
        checks[title] = before.get(title, {}) if is_kept else measured(words)
        print(f"{title}: {checks[title]}", flush=True)
    report = {
        "date": date.today().isoformat(),  # noqa: DTZ011  # the day where it was measured
        "processor": processor(),
        "python": "{}.{}".format(*sys.version_info),
        "checks": checks,
    }
    RESULTS.write_text(json.dumps(report, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
