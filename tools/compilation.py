"""Measure how long all compiled code takes to compile: ``python -m tools.compilation``.

Each round runs ``pontedeldiavolo warm-up`` twice, for boards of up to 16x16: with an empty cache,
then with the cache that the first run has filled. A third process only imports the same modules.
The differences in processor time are the times of compiling and loading; the program prints their
medians. ``--write`` stores them in the package, where the announcement of a compilation and the
documentation read them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median

from pontedeldiavolo.batch.kernels import announcements

FILE = Path(announcements.__file__).with_name("compilation.json")
ROUNDS = 3
WARM_UP = ("-m", "pontedeldiavolo", "warm-up")
IMPORTS = ("-c", "import pontedeldiavolo as pdd; pdd.batch.GameBatch, pdd.players.MctsPlayer")


def processor_seconds(arguments: tuple[str, ...], cache: str) -> float:
    """Run Python, and return the processor time that it used."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": cache, announcements.QUIET: "1"}
    before = getrusage(RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the figures; with ``--write`` store them."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--write", action="store_true", help="write what is found to the file")
    asked = parser.parse_args()
    compiling: list[float] = []
    loading: list[float] = []
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as cache:
            empty = processor_seconds(WARM_UP, cache)
            filled = processor_seconds(WARM_UP, cache)
            imports = processor_seconds(IMPORTS, cache)
        compiling.append(empty - filled)
        loading.append(filled - imports)
    found = {
        "processor_seconds": round(median(compiling)),
        "loading_seconds": round(median(loading), 1),
    }
    print(json.dumps(found), [round(each, 1) for each in compiling])
    if asked.write:
        FILE.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
