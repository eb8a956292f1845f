"""Compare measured ratios with expected ones: a commit that exceeds them must give the reason."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

FLAGS = {"check": "fail where a task has become dearer", "write": "write what is found to the file"}


def add_flags(parser: argparse.ArgumentParser) -> None:
    """Add the options of every gate."""
    for name, meaning in FLAGS.items():
        parser.add_argument(f"--{name}", action="store_true", help=meaning)


def judge(
    file: Path,
    key: str,
    ratios: Mapping[str, float],
    rows: Mapping[str, str],
    tolerance: float,
    *,
    check: bool,
    write: bool,
) -> None:
    """Print a table, and compare it with a file, or write the file; fail if *check* is set.

    Args:
        file: A JSON file with the expected ratios of tasks, for each key.
        key: The machine or Python version that the ratios belong to.
        ratios: The measured ratios, by task.
        rows: The line of the table for each task.
        tolerance: The share by which a task may be more expensive.
        check: Whether to fail if a task is more expensive than that.
        write: Whether to write the ratios to the file.
    """
    kept = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    expected = kept.get(key, {})
    dearer = []
    for name, ratio in ratios.items():
        change = ratio / expected[name] - 1 if name in expected else 0.0
        dearer += [name] * (change > tolerance)
        print(f"{name:9} {rows[name]}", f"{change:+7.1%}" * (name in expected))
    if write:
        kept[key] = {name: float(f"{ratio:.4g}") for name, ratio in ratios.items()}
        file.write_text(json.dumps(kept, indent=2) + "\n", encoding="utf-8")
    if check and not expected:
        sys.exit(f"{file.name} has no figures for {key}: --write adds them")
    if check and dearer:
        sys.exit(f"dearer by more than {tolerance:.0%}: {', '.join(dearer)}")
