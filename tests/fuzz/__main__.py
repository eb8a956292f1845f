"""Fuzz the readers: ``python -m tests.fuzz --seconds 60 [TARGET …]``, from the project's folder.

Each target runs in its own instrumented process, one after the other. Findings are stored in
``build/fuzz/TARGET/findings``; ``--input FILE TARGET`` repeats one without a fuzzer. The exit
status is 0 without findings, 1 with findings, and 2 if the fuzzer cannot run.
"""

from __future__ import annotations

import argparse
import importlib.util
import re
import subprocess
import sys
import time
from base64 import b64encode
from pathlib import Path
from typing import Final

from .targets import INPUTS, LONGEST, TARGETS, Target, dictionary_of

ROOT: Final = Path(__file__).parents[2]
WORK: Final = ROOT / "build" / "fuzz"

GRACE_SECONDS: Final = 300
"""The seconds after which a process that does not end is stopped."""


LONGEST_INPUT: Final = 4096
"""The maximum number of bytes of an input: enough for a whole game in any format."""
MEMORY: Final = 1024
"""The maximum megabytes of a process; package and fuzzer take about 60."""

_COVERED = re.compile(r"\bcov: (\d+) ft: (\d+) corp: (\d+)/")
_EXECUTED = re.compile(r"^#(\d+)\b|^stat::number_of_executed_units: (\d+)", re.MULTILINE)


def figures_of(log: str) -> tuple[int, int, int, int]:
    """Return the numbers of inputs tried, of edges and features reached, and of inputs kept."""
    runs = max((int(one or other) for one, other in _EXECUTED.findall(log)), default=0)
    edges, features, kept = map(int, [("0", "0", "0"), *_COVERED.findall(log)][-1])
    return runs, edges, features, kept


def command(target: Target, seconds: int, work: Path) -> list[str]:
    """Return the command that fuzzes a target and writes to folders of *work*."""
    return [
        *(sys.executable, "-m", f"{__package__}.worker", target.name),
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        # The target itself reports slow inputs, because it measures processor time.
        f"-timeout={3 * LONGEST:.0f}",
        f"-rss_limit_mb={MEMORY}",
        f"-dict={dictionary_of(target)}",
        f"-artifact_prefix={findings_of(target, work)}/",
        "-print_final_stats=1",
        str(found_of(target, work)),
        str(INPUTS / target.name),
    ]


def findings_of(target: Target, work: Path) -> Path:
    """Return the folder for inputs that reveal faults."""
    return work / target.name / "findings"


def found_of(target: Target, work: Path) -> Path:
    """Return the folder for inputs that reach new code."""
    return work / target.name / "corpus"


def shared_out(seconds: int, targets: list[Target]) -> list[int]:
    """Return the seconds of each target, at least 1, because 0 would mean no limit."""
    shares = sum(target.share for target in targets)
    return [max(1, seconds * target.share // shares) for target in targets]


def main(words: list[str] | None = None) -> int:
    """Run the command line, and return the exit status."""
    parser = _parser()
    options = parser.parse_args(words)
    for name in options.targets:
        if name not in TARGETS:
            parser.error(f"no target {name!r}; there are {', '.join(TARGETS)}")
    targets = [TARGETS[name] for name in options.targets or TARGETS]
    if options.input is not None:
        for target in targets:
            target.run(options.input.read_bytes())
        return 0
    if importlib.util.find_spec("atheris") is None:
        _say("fuzzing needs atheris, which has wheels for Linux: pip install --group fuzz")
        return 2
    times = shared_out(options.seconds, targets)
    sound = [_fuzzed(target, seconds) for target, seconds in zip(targets, times, strict=True)]
    return 0 if all(sound) else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="How long in all.")
    parser.add_argument("--input", type=Path, metavar="FILE", help="Try this input, and no other.")
    parser.add_argument(
        "targets", nargs="*", metavar="TARGET", help="Which readers; all without any."
    )
    return parser


def _fuzzed(target: Target, seconds: int) -> bool:
    """Fuzz a target, print its figures, and return whether it had no findings."""
    for folder in (findings_of(target, WORK), found_of(target, WORK)):
        folder.mkdir(parents=True, exist_ok=True)
    log = WORK / target.name / "log.txt"
    started = time.time()
    with log.open("wb") as file:
        status = _status(command(target, seconds, WORK), seconds + GRACE_SECONDS, file.fileno())
    text = log.read_text("utf-8", "replace")
    runs, edges, features, kept = figures_of(text)
    _say(
        f"{target.name}: {runs:,} runs in {time.time() - started:.0f} s, {edges:,} edges, "
        f"{features:,} features, {kept:,} inputs kept"
    )
    if status:
        _say(f"{target.name}: FAILED with status {status}; the end of {log}:")
        _say("\n".join(text.splitlines()[-40:]))
        for finding in sorted(findings_of(target, WORK).iterdir()):
            _say(f"{target.name}: python -m tests.fuzz --input {finding} {target.name}")
            # The folder may be deleted after the run.
            _say(b64encode(finding.read_bytes()).decode())
    return not status


def _status(words: list[str], seconds: int, log: int) -> int | str:
    """Run a process and return its exit status."""
    try:
        return subprocess.run(
            words, cwd=ROOT, stdout=log, stderr=log, timeout=seconds, check=False
        ).returncode
    except subprocess.TimeoutExpired:
        return "no end"


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    raise SystemExit(main())
