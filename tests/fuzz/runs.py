"""One run of a fuzzer: its command, and what its log says of it."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Final

from attrs import frozen

from .corpus import INPUTS, dictionary_of
from .targets import LONGEST, Target

LONGEST_INPUT: Final = 4096
"""The bytes that an input has at most: enough for a whole game in any format."""
MEMORY: Final = 1024
"""The megabytes that a process takes at most; about 60 are the package and the fuzzer itself."""

_COVERED = re.compile(r"\bcov: (\d+) ft: (\d+) corp: (\d+)/")
_EXECUTED = re.compile(r"^#(\d+)\b|^stat::number_of_executed_units: (\d+)", re.MULTILINE)


@frozen
class Tally:
    """What a log says: how many inputs were tried, what they reach, and how many are kept.

    Attributes:
        runs: The inputs tried.
        edges: The edges of the control flow that they reach.
        features: The edges with how often they are taken, and what is compared on the way.
        kept: The inputs that reach something that others do not.
    """

    runs: int = 0
    edges: int = 0
    features: int = 0
    kept: int = 0

    @classmethod
    def of(cls, log: str) -> Tally:
        """Return what the log of libFuzzer says."""
        runs = max((int(one or other) for one, other in _EXECUTED.findall(log)), default=0)
        covered = [tuple(map(int, each)) for each in _COVERED.findall(log)]
        return cls(runs, *(covered[-1] if covered else ()))


def command(target: Target, seconds: int, work: Path) -> list[str]:
    """Return the command that fuzzes a target; what it finds it puts into folders of *work*."""
    return [
        *(sys.executable, "-m", f"{__package__}.worker", target.name),
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        # Whatever is slow is to be told by the target itself: it knows the time of its process.
        f"-timeout={3 * LONGEST:.0f}",
        f"-rss_limit_mb={MEMORY}",
        f"-dict={dictionary_of(target)}",
        f"-artifact_prefix={findings_of(target, work)}/",
        "-print_final_stats=1",
        str(found_of(target, work)),
        str(INPUTS / target.name),
    ]


def findings_of(target: Target, work: Path) -> Path:
    """Return the folder of the inputs with which something is wrong."""
    return work / target.name / "findings"


def found_of(target: Target, work: Path) -> Path:
    """Return the folder of the inputs that reach something new."""
    return work / target.name / "corpus"


def shared_out(seconds: int, targets: list[Target]) -> list[int]:
    """Return how long each target gets; at least a second, since 0 would be without end."""
    shares = sum(target.share for target in targets)
    return [max(1, seconds * target.share // shares) for target in targets]
